//! A git command without git's own options, and what it means for the files when nothing is known to be lost.

pub(crate) mod class;
pub(crate) mod settings;

use std::path::{Path, PathBuf};

pub(crate) use crate::shell::effects::git_call::settings::{HOOKS_OFF, given_settings, is_no_hooks_folder};
use crate::shell::model::option::has_letter;
use crate::shell::model::{Command, Word, resolve};

/// A git command without git's own options.
pub(crate) struct GitCall<'c> {
    pub(crate) subcommand: &'c str,
    pub(crate) operands: Vec<&'c Word>,
    /// Where it runs.
    pub(crate) directory: Option<PathBuf>,
    /// Whether the call switches hooks off by configuration.
    pub(crate) hooks_off: bool,
    /// Settings for this call alone (`-c name=value`), names in small letters.
    pub(crate) settings: Vec<(String, String)>,
}

pub(crate) const VALUED: &[&str] =
    &["--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix", "--config-env"];

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
                directory = to
                    .filter(|to| to.known && !to.glob)
                    .and_then(|to| Some(resolve(directory.as_deref()?, &to.text)));
            }
            "-c" => {
                words.next();
            }
            "--git-dir" => directory = repository(words.next(), directory.as_deref()),
            option if VALUED.contains(&option) => {
                words.next();
            }
            option if option.starts_with("--git-dir=") => {
                let value = option.split_once('=').map(|(_, value)| value.to_owned()).unwrap_or_default();
                directory = repository(Some(&Word { text: value, ..word.clone() }), directory.as_deref());
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

/// The folder that belongs to the repository of `--git-dir`, where it is known.
fn repository(value: Option<&Word>, directory: Option<&Path>) -> Option<PathBuf> {
    let value = value.filter(|value| value.known && !value.glob)?;
    let path = resolve(directory?, &value.text);
    Some(if path.ends_with(".git") { path.parent()?.to_path_buf() } else { path })
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
                    .any(|known| known == &name || (name.len() > 3 && known.starts_with(name)));
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
        let mut is_value = false;
        let own = before.filter(|word| {
            // `git clean -e pattern` names no path to clean.
            let excludes = !is_value && self.subcommand == "clean" && excluded(&word.text) == Some("");
            !std::mem::replace(&mut is_value, excludes) && !word.text.starts_with('-')
        });
        own.copied().collect()
    }

    /// The patterns that a `git clean` leaves out: `-e pattern`, `-fde pattern`, `-epattern`, `--exclude=pattern`.
    pub(crate) fn excludes(&self) -> Vec<&'c str> {
        let mut words = self.operands.iter().map(|word| word.text.as_str()).take_while(|text| *text != "--");
        let mut patterns = Vec::new();
        while let Some(text) = words.next() {
            match excluded(text) {
                Some("") => patterns.extend(words.next()),
                pattern => patterns.extend(pattern),
            }
        }
        patterns
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

/// What stands in a word after the option of `git clean` that leaves a pattern out; empty where the next word is it.
fn excluded(text: &str) -> Option<&str> {
    if let Some(long) = text.strip_prefix("--") {
        let (name, value) = long.split_once('=').unwrap_or((long, ""));
        return (name.len() > 1 && "exclude".starts_with(name)).then_some(value);
    }
    text.strip_prefix('-')?.split_once('e').map(|(_, value)| value)
}

pub(crate) fn is_forced_clean(call: &GitCall) -> bool {
    let takes_back = |text: &str| text == "--no-force";
    let last = call
        .options()
        .filter(|text| takes_back(text) || text.starts_with("--f") || has_letter(text, 'f'))
        .last();
    let forced = last.is_some_and(|text| !takes_back(text)) && call.has(&["--force"], "f");
    (forced || (call.subcommand == "clean" && call.is_off("clean.requireforce")))
        && !call.has(&["--dry-run"], "n")
}

/// `git update-ref refs/heads/main $(git commit-tree …)`: a commit that no hook has seen becomes a branch's newest.
pub(crate) fn puts_a_commit_past_the_hooks(earlier: &[Command], at_hand: &GitCall) -> bool {
    let is_branch = |word: &&Word| word.text == "HEAD" || word.text.starts_with("refs/heads/");
    at_hand.subcommand == "update-ref"
        && at_hand.plain().first().is_some_and(is_branch)
        && earlier.iter().any(|own| own.program() == "git" && call(own).subcommand == "commit-tree")
}
