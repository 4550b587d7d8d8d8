//! The state of a shell as far as it is known: where it stands, its variables and functions, and where its text runs.

use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;

use crate::shell::model::Word;
use crate::shell::parse::marks::WordChars;

/// Each variable's values: several for a loop or an array, `None` when unknown.
pub(super) type ShellVariables = HashMap<String, Option<Vec<WordChars>>>;

/// What a function's own variable hides: nothing, or a value that may be unknown.
pub(super) type ShadowedValue = Option<Option<Vec<WordChars>>>;

/// The state of a shell, as far as it is known.
#[derive(Debug, Clone, Default)]
pub(crate) struct ReadingPlace {
    /// Where it stands.
    pub(crate) directory: Option<PathBuf>,
    /// Where it stood before.
    pub(crate) previous: Option<PathBuf>,
    /// Its variables, shared until a subshell changes one.
    pub(crate) variables: Rc<ShellVariables>,
    /// Variables that can't be set again.
    pub(super) read_only: Vec<String>,
    /// Variables that stand for another (`declare -n`).
    pub(super) references: Vec<(String, String)>,
    /// `$1` and so on, inside of a function or script.
    pub(crate) arguments: Option<Vec<Word>>,
    /// Where it stands if its last `cd` has failed, and how many commands stood before that.
    pub(crate) astray: Option<(PathBuf, usize)>,
    /// Whether a command that fails ends the text (`set -e`).
    pub(crate) stops_on_failure: bool,
    /// What the shell runs when it ends: the text of its `trap … EXIT`.
    pub(crate) at_exit: Option<String>,
    /// Whether it has ended: a variable that must be set (`${X:?}`) is not.
    pub(crate) ended: bool,
}

/// A function of the text.
pub(crate) struct ShellFunction {
    pub(crate) body: String,
    pub(crate) called: bool,
    /// How many were defined when it first was, itself included.
    pub(super) number: usize,
}

/// Where the text at hand runs, when that is not here.
#[derive(Debug, Clone, Default)]
pub(crate) struct RemotePlace {
    pub(crate) throwaway: bool,
    pub(crate) mounts: Vec<(PathBuf, PathBuf)>,
}

/// Short names that a text gave to commands, by kind.
#[derive(Debug, Clone, Default)]
pub(crate) struct ShortNames {
    /// `alias name='command'`.
    pub(crate) aliases: HashMap<String, String>,
    /// `git config alias.name 'command'`.
    pub(crate) of_git: HashMap<String, String>,
    /// `npm pkg set scripts.name='command'`.
    pub(crate) scripts: HashMap<String, String>,
}
