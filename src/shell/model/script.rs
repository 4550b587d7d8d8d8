//! What a text runs: commands with their words, redirections, input and code.
//!
//! Every part of the room shares these types, so nothing here knows how a text is read or judged.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

/// The longest text that is read, in bytes.
pub const LONGEST_TEXT: usize = 64 * 1024;

/// The deepest nesting of commands in commands that is read.
pub const DEEPEST_NESTING: u32 = 64;

/// The most commands that one text may hold.
pub const MOST_COMMANDS: usize = 2_000;

/// Stands in text for a part that isn't known, so that the text can still be read as commands. Private use: no shell
/// text has it.
pub(crate) const UNKNOWN: char = '\u{E000}';

/// The same for a part that comes from the network or out of an encoding: nobody has seen what it says.
pub(crate) const UNSEEN: char = '\u{E001}';

/// The signs of a pattern that a command hands over in text (`find … | xargs -I{} sh -c 'rm "{}"'`): they name files of
/// the disk in quotes too. Private use, like the others.
pub(crate) const PATTERN_SIGNS: [(char, char); 3] = [('\u{E002}', '*'), ('\u{E003}', '?'), ('\u{E004}', '[')];

/// What a text runs, in the order in which the shell meets it; wrappers such as `sudo` or `bash -c` are taken off.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Script {
    /// The commands, those in substitutions and functions included.
    pub commands: Vec<Command>,
    /// Pieces that could not be read, as written and cut to a line.
    pub unread: Vec<String>,
    /// Whether a bound of reading was met, so that more may be in the text than is here.
    pub too_much: bool,
    /// Loops and functions that start processes without end, cut to a line.
    pub floods: Vec<String>,
    /// Files whose text it runs and that was not known here.
    pub runs: Vec<PathBuf>,
    /// Patterns of loops that give each file another name, absolute: what they name was not known here.
    pub patterns: Vec<PathBuf>,
    /// Variables that it uses and does not set: what they hold was not known here.
    pub asks: Vec<String>,
    /// Files whose lines it hands to commands as words, and that were not known here.
    pub lists: Vec<PathBuf>,
    /// Whether it asks how each program of a pipeline has ended (`pipefail`, `PIPESTATUS`).
    pub hears_pipelines: bool,
}

/// Texts of files that are known from elsewhere, by their absolute path.
pub type FileTexts = HashMap<PathBuf, String>;

/// What is known of where a text runs besides its own words.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ScriptContext {
    /// Texts of files that somebody else wrote.
    pub files: FileTexts,
    /// The aliases that git has there, and what each stands for.
    pub git_aliases: HashMap<String, String>,
    /// What patterns name on the disk, by the absolute pattern.
    pub listings: HashMap<PathBuf, Vec<PathBuf>>,
    /// Texts of files whose lines are handed to commands as words.
    pub lists: FileTexts,
    /// Variables that nobody has set.
    pub unset: HashSet<String>,
}

impl ScriptContext {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
            && self.git_aliases.is_empty()
            && self.listings.is_empty()
            && self.lists.is_empty()
            && self.unset.is_empty()
    }
}

/// One simple command.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Command {
    /// The program and its arguments as the program gets them.
    pub words: Vec<Word>,
    /// Variables set for this command only; `None` for a value that isn't known.
    pub assignments: Vec<(String, Option<String>)>,
    /// Files it writes by redirection.
    pub redirects: Vec<Redirect>,
    /// Where it runs, absolute when the start was. `None` after a `cd` to an unknown place.
    pub directory: Option<PathBuf>,
    /// What it reads.
    pub input: CommandInput,
    /// Source text that an interpreter runs.
    pub code: Option<InterpreterCode>,
    /// Whether it runs on another machine or in a container, where the paths are not ours.
    pub remote: bool,
    /// Whether the text that it stands in was reckoned from escapes that not every `echo` decodes.
    pub reckoned: bool,
    /// Whether what follows it says that all is well, whatever it says itself (`|| true`).
    pub failure_hidden: bool,
    /// Whether a `!` turns around how it ends, and no condition asks for that.
    pub negated: bool,
    /// Whether it runs only where what stands before it has failed (`a || b`).
    pub instead: bool,
    /// Whether the shell goes on while it runs (`command &`).
    pub background: bool,
    /// The first command of the chain of `&&` that it ends: it runs only when all from there on have ended well.
    pub follows: Option<usize>,
    /// A file that isn't there when it runs: it stands behind a test for that file (`[ -f key ] || ssh-keygen -f key`).
    pub absent: Option<String>,
    /// Where it runs if the `cd` before it fails, and how many commands stand before that.
    pub astray: Option<(PathBuf, usize)>,
    /// What it prints of files that are known.
    pub prints: Option<String>,
    /// The text that it was read from, cut to a line.
    pub source: String,
}

/// One argument.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Word {
    /// The text after unquoting; a private character stands for each part that isn't known.
    pub text: String,
    /// Whether all of the text is known.
    pub known: bool,
    /// Whether it holds an unquoted pattern that the shell expands.
    pub glob: bool,
    /// Whether only some of what it names is meant, chosen by a test that can't be made here.
    pub partial: bool,
    /// Whether every file below it is meant, one by one, as `find` hands them over.
    pub below: bool,
    /// Whether a part of it is what `$(echo …)` or `$(printf …)` was reckoned to print.
    pub printed: bool,
    /// Whether it begins with a tilde out of a variable: for the shell a name like any other, for its writer the home.
    pub tilde: bool,
}

/// A file written by redirection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirect {
    /// The file.
    pub target: Word,
    /// `>>` and its kin.
    pub append: bool,
    /// Whether the standard output goes there, so that its text is the file's new content.
    pub output: bool,
}

/// What a command reads on its standard input.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum CommandInput {
    /// Nothing that matters.
    #[default]
    None,
    /// This text.
    Text(String),
    /// This text, with a private character for each part that isn't known.
    Sketch(String),
    /// The output of the command with this index.
    From(usize),
    /// The text of this file.
    File(Word),
    /// Something, but nobody knows what.
    Unknown,
}

/// Source text run by an interpreter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InterpreterCode {
    /// Whose syntax it is.
    pub language: ScriptLanguage,
    /// The text; `None` when it isn't known (a file, a download).
    pub text: Option<String>,
    /// Where text comes from that nobody has seen.
    pub unseen: Option<Unseen>,
}

/// Where code comes from that nobody has seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unseen {
    /// From the network or out of an encoding, without ever being a file.
    Stream,
    /// From a file that the same text downloads.
    File,
    /// From a file of a repository that the same text clones.
    Folder,
    /// From other commands that make it up as they run.
    Made,
}

/// A language of inline interpreters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScriptLanguage {
    /// python, pypy.
    Python,
    /// node, deno, bun.
    JavaScript,
    /// perl.
    Perl,
    /// ruby.
    Ruby,
    /// php.
    Php,
    /// awk, Lua, and what else runs literal shell texts in its own.
    Awk,
    /// A shell whose text is not known.
    Shell,
}

impl Word {
    /// A word whose text is known and holds no pattern.
    pub fn literal(text: impl Into<String>) -> Word {
        Word { text: text.into(), known: true, ..Word::default() }
    }

    /// The text for a person, with `…` for each part that isn't known.
    pub fn shown(&self) -> String {
        self.text.replace([UNKNOWN, UNSEEN], "…")
    }

    /// The word as text in which files that are only known by a pattern stay one, in quotes too.
    pub(crate) fn handed(&self) -> String {
        if !self.known || (self.partial && (self.glob || self.below)) {
            return UNKNOWN.to_string();
        }
        let text = match self.below {
            true => format!("{}/**/*", self.text.trim_end_matches('/')),
            false => self.text.clone(),
        };
        let private =
            |letter| PATTERN_SIGNS.iter().find(|(_, sign)| *sign == letter).map_or(letter, |it| it.0);
        if self.glob || self.below { text.chars().map(private).collect() } else { text }
    }

    /// A word of which nothing is known.
    pub fn unknown() -> Word {
        Word { text: UNKNOWN.to_string(), ..Word::default() }
    }
}

impl Command {
    /// The program without its directory: `rm` for `/bin/rm`. Empty when there is none or it isn't known.
    pub fn program(&self) -> &str {
        self.words.first().filter(|word| word.known).map_or("", |word| program_name(&word.text))
    }
}

/// The program that a path names, without directory and `.exe`.
pub(crate) fn program_name(text: &str) -> &str {
    let name = text.rsplit(['/', '\\']).next().unwrap_or(text);
    name.strip_suffix(".exe").unwrap_or(name)
}

/// The first line of a text, at most 200 characters of it.
pub(crate) fn first_line(text: &str) -> String {
    let sign =
        |letter| PATTERN_SIGNS.iter().find(|(private, _)| *private == letter).map_or(letter, |it| it.1);
    text.lines().next().unwrap_or_default().chars().take(200).map(sign).collect()
}

/// A text that is more than can be read.
pub(crate) fn unreadable(text: &str) -> Script {
    Script { unread: vec![first_line(text)], too_much: true, ..Script::default() }
}
