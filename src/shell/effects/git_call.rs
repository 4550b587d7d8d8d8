//! A git command without git's own options, and what it means for the files when nothing is known to be lost.

use crate::shell::effects::command_class::Class;
use crate::shell::model::{Command, Word, resolve};

/// A git command without git's own options.
pub(crate) struct GitCall<'c> {
    pub(crate) subcommand: &'c str,
    pub(crate) operands: Vec<&'c Word>,
    /// Where it runs.
    pub(crate) directory: Option<std::path::PathBuf>,
    /// Whether the call switches hooks off by configuration.
    pub(crate) hooks_off: bool,
    /// Settings for this call alone (`-c name=value`), names in small letters.
    pub(crate) settings: Vec<(String, String)>,
}

pub(crate) const VALUED: &[&str] =
    &["--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix", "--config-env"];

/// Subcommands that only read.
const READS: &[&str] = &[
    "status",
    "log",
    "diff",
    "show",
    "ls-files",
    "blame",
    "annotate",
    "rev-parse",
    "describe",
    "shortlog",
    "cat-file",
    "for-each-ref",
    "grep",
    "ls-tree",
    "rev-list",
    "merge-base",
    "whatchanged",
    "ls-remote",
    "name-rev",
    "diff-tree",
    "diff-index",
    "diff-files",
    "check-ignore",
    "check-attr",
    "count-objects",
    "fsck",
    "help",
    "version",
    "var",
    "show-ref",
    "cherry",
    "range-diff",
    "verify-commit",
    "show-branch",
    "request-pull",
    "",
];

/// Subcommands that change files of the working tree in ways the words don't tell.
const RUNS: &[&str] = &[
    "pull",
    "merge",
    "rebase",
    "cherry-pick",
    "revert",
    "apply",
    "am",
    "checkout",
    "switch",
    "reset",
    "stash",
    "restore",
    "clean",
    "bisect",
    "submodule",
    "filter-branch",
    "filter-repo",
    "read-tree",
    "checkout-index",
    "mv",
    "rm",
    "difftool",
    "mergetool",
    "lfs",
    "sparse-checkout",
    "subtree",
];

/// How many settings by variable are read.
const MOST_SETTINGS: usize = 32;

/// Takes git's own options off.
pub(crate) fn call(command: &Command) -> GitCall<'_> {
    let mut words = command.words.iter().skip(1);
    let mut directory = command.directory.clone();
    let hooks_off = command
        .assignments
        .iter()
        .any(|(name, value)| HOOKS_OFF.iter().any(|(known, off)| known == name && off(value.as_deref())));
    let settings = given_settings(command);
    let variable =
        |name: &str| command.assignments.iter().find(|(known, _)| known == name).map(|(_, value)| value);
    if let Some(tree) = variable("GIT_WORK_TREE").or(variable("GIT_DIR")) {
        directory = tree.as_ref().and_then(|tree| Some(resolve(directory.as_deref()?, tree)));
    }
    let mut subcommand = "";
    while let Some(word) = words.next() {
        match word.text.as_str() {
            "-C" => {
                let to = words.next();
                directory =
                    to.filter(|to| to.known).and_then(|to| Some(resolve(directory.as_deref()?, &to.text)));
            }
            "-c" => {
                words.next();
            }
            option if VALUED.contains(&option) => {
                words.next();
            }
            option if option.starts_with('-') => {}
            name => {
                subcommand = name;
                break;
            }
        }
    }
    let hooks_off = hooks_off
        || settings.iter().any(|(name, value)| {
            name == "core.hookspath" && (is_no_hooks_folder(value) || value.starts_with('/'))
        });
    GitCall { subcommand, operands: words.collect(), directory, hooks_off, settings }
}

/// The settings that a call of git is given for itself: by `-c`, and by variables.
pub(crate) fn given_settings(command: &Command) -> Vec<(String, String)> {
    let pair = |setting: &str| {
        let (name, value) = setting.split_once('=').unwrap_or((setting, "true"));
        (name.to_ascii_lowercase(), value.to_owned())
    };
    let variable = |name: &str| {
        let found = command.assignments.iter().rev().find(|(known, _)| known == name);
        found.and_then(|(_, value)| value.as_deref())
    };
    let mut settings: Vec<(String, String)> = (0..MOST_SETTINGS)
        .map_while(|n| {
            let name = variable(&format!("GIT_CONFIG_KEY_{n}"))?.to_ascii_lowercase();
            Some((name, variable(&format!("GIT_CONFIG_VALUE_{n}")).unwrap_or_default().to_owned()))
        })
        .collect();
    // `'name=value' 'name'='value'`, as git hands it to its own children.
    let parameters = variable("GIT_CONFIG_PARAMETERS").unwrap_or_default().replace("'='", "=");
    settings.extend(parameters.split('\'').map(str::trim).filter(|text| !text.is_empty()).map(pair));
    let mut words = command.words.iter().skip(1);
    while let Some(word) = words.next() {
        match word.text.as_str() {
            "-c" => settings.extend(words.next().map(|setting| pair(&setting.text))),
            glued if glued.starts_with("-c") && glued.contains('=') => {
                settings.extend(glued.get(2..).map(pair));
            }
            option if VALUED.contains(&option) || option == "-C" => {
                words.next();
            }
            option if option.starts_with('-') => {}
            _ => break,
        }
    }
    settings
}

/// A variable, and whether a value of it means that the hooks stay out.
type Switch = (&'static str, fn(Option<&str>) -> bool);

static HOOKS_OFF: &[Switch] = &[
    ("HUSKY", |value| value == Some("0")),
    ("HUSKY_SKIP_HOOKS", is_set),
    ("SKIP", is_set),
    ("PRE_COMMIT_ALLOW_NO_CONFIG", is_set),
    ("LEFTHOOK", |value| matches!(value, Some("0" | "false"))),
    ("LEFTHOOK_EXCLUDE", is_set),
    ("OVERCOMMIT_DISABLE", is_set),
    ("SKIP_HOOKS", is_set),
    ("SKIP_SIMPLE_GIT_HOOKS", is_set),
];

fn is_set(value: Option<&str>) -> bool {
    value.is_none_or(|value| !matches!(value, "" | "0" | "false"))
}

/// The variables that switch hooks off.
pub(crate) fn hook_variables() -> impl Iterator<Item = &'static str> {
    HOOKS_OFF.iter().map(|(name, _)| *name)
}

impl<'c> GitCall<'c> {
    /// Whether an option is given: a long name, abbreviated too, or a letter in a cluster.
    pub(crate) fn has(&self, long: &[&str], short: &str) -> bool {
        // The rest of a cluster is the value of such a letter: `-bfix` has no `f`.
        let with_value = match self.subcommand {
            "switch" => "cC",
            "checkout" => "bB",
            "branch" => "u",
            "clean" => "e",
            "push" => "o",
            _ => "",
        };
        // `--no-x` takes `--x` back.
        let taken_back = |at: usize, name: &str| {
            self.options()
                .skip(at + 1)
                .any(|later| later.strip_prefix("--no-").is_some_and(|rest| name.get(2..) == Some(rest)))
        };
        self.options().enumerate().any(|(at, text)| {
            let name = text.split_once('=').map_or(text, |(name, _)| name);
            if name.starts_with("--") && taken_back(at, name) {
                return false;
            }
            if name.starts_with("--") {
                return long
                    .iter()
                    .any(|known| known == &name || (name.len() > 4 && known.starts_with(name)));
            }
            let letters = text.get(1..).unwrap_or_default();
            let end = letters.find(|letter| with_value.contains(letter)).map_or(letters.len(), |at| at + 1);
            letters.get(..end).unwrap_or_default().chars().any(|letter| short.contains(letter))
        })
    }

    /// Whether a setting is off for this call.
    pub(crate) fn is_off(&self, name: &str) -> bool {
        let value =
            self.settings.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        matches!(value, Some("false" | "no" | "off" | "0"))
    }

    /// The options before `--`.
    pub(crate) fn options(&self) -> impl Iterator<Item = &'c str> + '_ {
        self.operands
            .iter()
            .map(|word| word.text.as_str())
            .take_while(|text| *text != "--")
            .filter(|text| text.starts_with('-') && text.len() > 1)
    }

    /// Words that are no options, before `--`.
    pub(crate) fn plain(&self) -> Vec<&'c Word> {
        let before = self.operands.iter().take_while(|word| word.text != "--");
        before.filter(|word| !word.text.starts_with('-')).copied().collect()
    }

    /// Words after `--`.
    pub(crate) fn paths(&self) -> Option<Vec<&'c Word>> {
        let at = self.operands.iter().position(|word| word.text == "--")?;
        self.operands.get(at + 1..).map(<[&Word]>::to_vec)
    }

    pub(crate) fn word(&self, index: usize) -> &'c str {
        self.operands.get(index).map_or("", |word| word.text.as_str())
    }
}

/// What git does to the files besides its known effects.
pub(crate) fn class(command: &Command) -> Class {
    let call = call(command);
    let first = call.word(0);
    let is_listing = match call.subcommand {
        "branch" | "tag" => {
            call.plain().is_empty()
                || matches!(first, "-l" | "--list" | "-a" | "-r" | "-v" | "-vv" | "--contains")
        }
        "remote" => matches!(first, "" | "-v" | "show" | "get-url"),
        "config" => {
            matches!(first, "--get" | "-l" | "--list" | "get" | "list" | "--get-all" | "--get-regexp")
        }
        "stash" => matches!(first, "list" | "show"),
        "reflog" => !matches!(first, "expire" | "delete"),
        "worktree" => first == "list",
        "submodule" => matches!(first, "status" | "summary" | ""),
        "bisect" => matches!(first, "log" | "view"),
        subcommand => READS.contains(&subcommand),
    };
    if is_listing {
        return Class::Reads;
    }
    let makes = match call.subcommand {
        "checkout" => matches!(first, "-b" | "-B" | "--orphan"),
        "switch" => matches!(first, "-c" | "-C" | "--create" | "--orphan"),
        "stash" => matches!(first, "drop" | "clear"),
        "rm" => call.has(&["--cached"], ""),
        "reset" => !call.has(&["--hard", "--merge", "--keep"], ""),
        "apply" => call.has(&["--check", "--stat"], ""),
        "clean" => !is_forced_clean(&call),
        subcommand => !RUNS.contains(&subcommand),
    };
    if makes { Class::Makes } else { Class::RunsCode }
}

pub(crate) fn is_forced_clean(call: &GitCall) -> bool {
    let takes_back = |text: &str| text == "--no-force";
    let last = call
        .options()
        .filter(|text| takes_back(text) || text.starts_with("--f") || is_short(text, 'f'))
        .last();
    let forced = last.is_some_and(|text| !takes_back(text)) && call.has(&["--force"], "f");
    (forced || (call.subcommand == "clean" && call.is_off("clean.requireforce")))
        && !call.has(&["--dry-run"], "n")
}

fn is_short(text: &str, letter: char) -> bool {
    !text.starts_with("--") && text.contains(letter)
}

/// Whether a place for hooks is one where none are.
pub(crate) fn is_no_hooks_folder(path: &str) -> bool {
    path.is_empty()
        || path.starts_with("/dev/")
        || path.starts_with("/tmp")
        || path.starts_with("/nonexistent")
}
