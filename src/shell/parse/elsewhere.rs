//! Text that runs on another machine or in a container, read like any other with the paths of that place.
//!
//! A mounted folder is called by its name here. What else lies in a place that is gone afterwards is not followed.

use std::path::{Path, PathBuf};

use crate::shell::model::{Command, first_line};
use crate::shell::parse::output;
use crate::shell::parse::reader::ScriptReader;
use crate::shell::parse::state::RemotePlace;
use crate::shell::wrappers::other_machines::RemoteRun;

/// The home of whoever works there, so that what lies below it is known to.
const HOME: &str = "/root";

/// A path there as it is called here, when it lies in one of the mounted folders.
pub(crate) fn at_home(mounts: &[(PathBuf, PathBuf)], path: &Path) -> Option<PathBuf> {
    mounts.iter().find_map(|(here, there)| Some(here.join(path.strip_prefix(there).ok()?)))
}

impl ScriptReader {
    /// Reads what a command has run elsewhere.
    pub(crate) fn read_away(&mut self, away: RemoteRun, command: &Command) {
        let input = command.input.clone();
        let text = match away.words.as_slice() {
            [] => output::sketch::sketch_from(&self.script, &input),
            [only] if away.is_text => Some(only.text.clone()),
            _ => None,
        };
        if text.is_none() && away.words.is_empty() {
            return;
        }
        let functions = std::mem::take(&mut self.functions);
        let outer = (std::mem::replace(&mut self.home, PathBuf::from(HOME)), self.elsewhere.take());
        let unread = self.script.unread.len();
        let starts_in = away.directory.clone();
        let mounts = away.mounts.clone();
        self.elsewhere = Some(RemotePlace { throwaway: away.throwaway, mounts });
        self.isolated(|reader| {
            reader.place.variables = Default::default();
            reader.place.arguments = None;
            reader.place.directory = starts_in.and_then(|there| reader.home_of(&there));
            match text {
                Some(text) if away.is_text && !away.words.is_empty() => reader.inner_text_with(&text, input),
                Some(text) => reader.inner_text(&text),
                None => {
                    let source = first_line(&command.source);
                    reader.run(Command { words: away.words, input, source, ..Command::default() });
                }
            }
        });
        // What can't be read there is no reason for a word here.
        self.script.unread.truncate(unread);
        (self.home, self.elsewhere) = outer;
        self.functions = functions;
    }

    /// Whether the text at hand runs in another place than this machine.
    pub(crate) fn is_elsewhere(&self) -> bool {
        self.elsewhere.is_some()
    }

    /// A path there: what it is called here if it is mounted, itself where what is there stays, else nothing known.
    pub(crate) fn home_of(&self, there: &Path) -> Option<PathBuf> {
        let Some(elsewhere) = &self.elsewhere else { return Some(there.to_path_buf()) };
        let here = at_home(&elsewhere.mounts, there);
        here.or_else(|| (!elsewhere.throwaway).then(|| there.to_path_buf()))
    }

    /// Marks a command that runs elsewhere. `None` when it touches nothing that stays.
    pub(crate) fn placed(&self, mut command: Command) -> Option<Command> {
        let Some(elsewhere) = &self.elsewhere else { return Some(command) };
        if !elsewhere.throwaway {
            command.remote = true;
            return Some(command);
        }
        if command.program() == "steadfast" {
            command.remote = true;
            return Some(command);
        }
        let mut touches = command.directory.is_some();
        let words = command.words.iter_mut().skip(1);
        for word in words.chain(command.redirects.iter_mut().map(|redirect| &mut redirect.target)) {
            if let Some(here) = at_home(&elsewhere.mounts, Path::new(&word.text)).filter(|_| word.known) {
                word.text = here.to_string_lossy().into_owned();
                touches = true;
            }
        }
        touches.then_some(command)
    }
}
