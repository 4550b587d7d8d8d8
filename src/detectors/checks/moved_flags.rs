//! Flags of a command that stand in the configuration of its tool now: they are taken off a change's text before, so that
//! their loss is none.

use crate::detectors::checks::project_strictness::without_said_flag;
use crate::languages::{file_name, settings};
use crate::model::finding::Change;

/// A tool whose options may stand in a file.
struct ConfiguredTool {
    /// The word that starts it.
    program: &'static str,
    /// How the names of its files begin.
    files: &'static [&'static str],
    /// The name of the setting with whole flags; empty where the file is nothing else.
    options: &'static str,
    /// Flags that are settings of their own: the flag, and the end of the setting's key.
    settings: &'static [(&'static str, &'static str)],
}

const PYTHON: &[&str] = &[
    "pyproject.toml",
    "pytest.ini",
    ".pytest.ini",
    "tox.ini",
    "setup.cfg",
    ".coveragerc",
    "mypy.ini",
    ".mypy.ini",
];
/// The tools.
const TOOLS: &[ConfiguredTool] = &[
    ConfiguredTool {
        program: "pytest",
        files: PYTHON,
        options: "addopts",
        settings: &[
            ("--cov-fail-under", "fail_under"),
            ("--strict-markers", "strict_markers"),
            ("--strict-config", "strict_config"),
            ("--cov-branch", "branch"),
        ],
    },
    ConfiguredTool {
        program: "coverage",
        files: PYTHON,
        options: "",
        settings: &[("--fail-under", "fail_under"), ("--branch", "branch")],
    },
    ConfiguredTool {
        program: "mypy",
        files: PYTHON,
        options: "",
        settings: &[
            ("--strict", "strict"),
            ("--warn-unreachable", "warn_unreachable"),
            ("--disallow-untyped-defs", "disallow_untyped_defs"),
            ("--warn-unused-ignores", "warn_unused_ignores"),
        ],
    },
    ConfiguredTool { program: "rspec", files: &[".rspec"], options: "", settings: &[] },
    ConfiguredTool { program: "rubocop", files: &[".rubocop"], options: "", settings: &[] },
];

/// The changes without the flags that one of `others` has for their tool now; `None` where there is none.
pub(crate) fn without_moved_flags(changes: &[Change], others: &[Change]) -> Option<Vec<Change>> {
    let mut all = changes.to_vec();
    let mut is_any = false;
    for (slot, own) in all.iter_mut().zip(changes) {
        // In a file of several tools a flag may become a setting of its own.
        let others = changes.iter().chain(others).filter(|it| it.path != own.path);
        let beside: Vec<&Change> = others.chain([own]).collect();
        if let Some(rest) = rest_of(slot, &beside) {
            slot.before = Some(rest);
            is_any = true;
        }
    }
    is_any.then_some(all)
}

/// The text of a change before, without such flags.
fn rest_of(change: &Change, others: &[&Change]) -> Option<String> {
    let (before, after) = (change.before.as_deref()?, change.after.as_deref()?);
    let mut is_any = false;
    let mut lines: Vec<String> = Vec::new();
    for line in before.lines() {
        let is_options =
            |it: &ConfiguredTool| !it.options.is_empty() && line.trim_start().starts_with(it.options);
        let names = |it: &ConfiguredTool| line.split(|c: char| !is_part(c)).any(|word| word == it.program);
        let tool = TOOLS.iter().find(|it| names(it) || is_options(it));
        // A line that stays has lost nothing.
        let tool = tool.filter(|_| !after.contains(line));
        let is_gone = |word: &str| {
            let flag = word.trim_matches(['"', '\'', ',']);
            flag.starts_with("--")
                && !after.contains(flag)
                && tool.is_some_and(|tool| {
                    others.iter().any(|other| has_come(tool, other, flag, other.path == change.path))
                })
        };
        let rest: String = line.split_inclusive(' ').filter(|word| !is_gone(word.trim())).collect();
        let rest = without_said_flag(&rest, after, others).unwrap_or(rest);
        is_any |= rest.len() < line.len();
        lines.push(rest);
    }
    is_any.then(|| lines.join("\n") + "\n")
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.')
}

/// Whether a file of a tool has a flag now, and had it not before.
fn has_come(tool: &ConfiguredTool, other: &Change, flag: &str, is_own: bool) -> bool {
    let is_there = |text: &Option<String>| {
        text.as_deref().is_some_and(|text| has(tool, (&other.path, text), flag, is_own))
    };
    is_there(&other.after) && !is_there(&other.before)
}

/// Whether a file says a flag: in its options, or by a setting; of the file that it stood in only the latter counts.
fn has(tool: &ConfiguredTool, (path, text): (&str, &str), flag: &str, is_own: bool) -> bool {
    let name = file_name(path);
    if !tool.files.iter().any(|it| name.starts_with(it)) {
        return false;
    }
    if name == ".rspec" {
        return text.split_whitespace().any(|it| it == flag);
    }
    let (head, value) = flag.split_once('=').unwrap_or((flag, "true"));
    let number = |it: &str| it.parse::<f64>().ok();
    settings(path, text).unwrap_or_default().iter().any(|entry| {
        let own = entry.name().trim_end_matches("[]");
        let is_whole = !tool.options.is_empty()
            && (own == tool.options || entry.key.trim_end_matches("[]").ends_with(tool.options))
            && entry.value.split_whitespace().any(|it| it == flag);
        let is_setting = tool.settings.iter().any(|(name, key)| *name == head && own == *key)
            && (entry.value.eq_ignore_ascii_case(value)
                || number(&entry.value).zip(number(value)).is_some_and(|(new, old)| new >= old));
        is_whole && !is_own || is_setting
    })
}
