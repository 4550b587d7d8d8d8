//! Commands for another machine or a container: what of it can't be taken back.
//!
//! Nothing there can be looked at or kept. So what would be stopped here whatever lies on the disk is stopped there
//! too, and all that depends on the disk, on git, or on a path that is not absolute passes.

use std::path::{Component, Path, PathBuf};

use crate::shell::parse::Reader;
use crate::shell::parse::output;
use crate::shell::wrappers::other_machines::Away;
use crate::shell::{Command, Effect, EffectKind, Word, first_line};

/// The home of whoever works there, so that what lies below it is known to.
const HOME: &str = "/root";

/// A path there as it is called here, when it lies in one of the mounted folders.
pub(crate) fn at_home(mounts: &[(PathBuf, PathBuf)], path: &Path) -> Option<PathBuf> {
    mounts.iter().find_map(|(here, there)| Some(here.join(path.strip_prefix(there).ok()?)))
}

impl Reader {
    /// Reads what a command has run elsewhere.
    pub(crate) fn read_away(&mut self, away: Away, command: &Command) {
        let input = command.input.clone();
        let text = match away.words.as_slice() {
            [] => output::sketch_from(&self.script, &input),
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
        self.elsewhere = Some(Elsewhere { throwaway: away.throwaway, mounts });
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

/// Where the text at hand runs, when that is not here.
#[derive(Debug, Clone, Default)]
pub(crate) struct Elsewhere {
    throwaway: bool,
    pub(crate) mounts: Vec<(PathBuf, PathBuf)>,
}

/// What of a command's effects elsewhere can't be taken back.
pub(crate) fn effect(command: &Command, effect: &Effect) -> Option<Effect> {
    use EffectKind::{
        ChangeMode, ChangesElsewhere, Delete, DestroysVolume, LosesElsewhere, Overwrite, Releases, Truncate,
    };
    let kind = match effect.kind {
        // A decision is no agent's on any machine.
        LosesElsewhere | ChangesElsewhere | Releases | EffectKind::DisarmsGuard => {
            return Some(effect.clone());
        }
        DestroysVolume => LosesElsewhere,
        Delete => effect
            .targets
            .iter()
            .filter_map(|target| deletion(effect, target))
            .max_by_key(|kind| *kind == LosesElsewhere)?,
        Overwrite | Truncate if effect.targets.iter().any(is_disk) => LosesElsewhere,
        ChangeMode
            if effect.recursive
                && effect.targets.iter().any(|target| target.path.as_deref().is_some_and(is_system)) =>
        {
            LosesElsewhere
        }
        EffectKind::RunsUnseen => ChangesElsewhere,
        _ => return None,
    };
    let line = command.words.iter().map(Word::shown).collect::<Vec<_>>().join(" ");
    Some(Effect { kind, detail: first_line(&line), targets: Vec::new(), ..effect.clone() })
}

fn deletion(effect: &Effect, target: &crate::shell::Target) -> Option<EffectKind> {
    let path = target.path.as_deref().filter(|path| path.is_absolute())?;
    let made_again = |path: &Path| {
        path.components().any(|part| {
            let name = part.as_os_str().to_string_lossy();
            MADE_AGAIN.iter().any(|known| *known == name)
        })
    };
    let temporary = ["/tmp", "/var/tmp", "/dev/shm", "/var/cache", "/run"]
        .iter()
        .any(|folder| path.starts_with(folder) && path != Path::new(folder));
    let file_in_system = !effect.recursive && is_system(path);
    match (temporary || made_again(path), effect.recursive && !target.partial) {
        (true, _) => None,
        (false, true) => Some(EffectKind::LosesElsewhere),
        (false, false) if file_in_system => Some(EffectKind::LosesElsewhere),
        (false, false) => Some(EffectKind::ChangesElsewhere),
    }
}

/// Names of folders that tools make again, wherever they are.
const MADE_AGAIN: &[&str] = &[
    "node_modules",
    "build",
    "dist",
    "target",
    "out",
    "tmp",
    "cache",
    ".cache",
    "__pycache__",
    ".venv",
    "venv",
    "coverage",
];

fn is_disk(target: &crate::shell::Target) -> bool {
    target.path.as_deref().is_some_and(|path| {
        path.starts_with("/dev") && !path.starts_with("/dev/shm") && path.components().count() > 2
    })
}

/// The root, a folder right below it, or anything in the system's own.
fn is_system(path: &Path) -> bool {
    const SYSTEM: &[&str] = &["etc", "usr", "bin", "sbin", "lib", "lib64", "boot", "sys", "proc", "var"];
    let mut names = path.components().filter_map(|part| match part {
        Component::Normal(name) => name.to_str(),
        _ => None,
    });
    match (names.next(), names.next()) {
        (_, None) => true,
        (Some(first), _) => SYSTEM.contains(&first),
        _ => false,
    }
}
