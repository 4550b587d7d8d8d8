//! Makefiles and justfiles whose targets check less: their recipes, what they need first, and how make goes on.

use crate::detectors::checks::check_command::{is_check, is_check_name, is_nothing};
use crate::detectors::checks::command_pairs::weakened_list;
use crate::detectors::checks::make_variables::expanded;
use crate::detectors::checks::setting_keys::SettingFinding;
use crate::detectors::checks::weaker_command::weaker;
use crate::model::finding::Severity;

/// How a makefile or a justfile checks less.
pub(super) fn weakened(before: &str, after: &str) -> Option<SettingFinding> {
    let (before, after) = (expanded(before), expanded(after));
    recipes(&before, &after)
        .or_else(|| prerequisites(&before, &after))
        .or_else(|| shell_flags(&before, &after))
        .or_else(|| ignores_failures(&before, &after))
}

/// How a part that makefiles take in checks less.
pub(super) fn weakened_part(before: &str, after: &str) -> Option<SettingFinding> {
    recipes(&expanded(before), &expanded(after)).or_else(|| ignores_failures(before, after))
}

/// Flags of the shell without which a recipe goes on after a command that fails.
fn shell_flags(before: &str, after: &str) -> Option<SettingFinding> {
    let flags = |text: &str| {
        let mut lines = (1u32..).zip(text.lines());
        lines.find_map(|(at, line)| Some((line.strip_prefix(".SHELLFLAGS")?.to_owned(), at)))
    };
    let (old, line) = flags(before)?;
    let new = flags(after).map(|it| it.0).unwrap_or_default();
    let stops = |text: &str| {
        text.split_whitespace()
            .any(|word| word.starts_with('-') && !word.starts_with("--") && word.contains('e'))
    };
    let lost = stops(&old) && !stops(&new) || old.contains("pipefail") && !new.contains("pipefail");
    lost.then(|| {
        ("recipes would go on after a command that fails (`.SHELLFLAGS`)".to_owned(), line, Severity::High)
    })
}

/// A target: its name, the lines under it, and its own line.
type MakeTarget = (String, Vec<String>, u32);

/// The targets of a makefile. One that stands twice is one target.
fn targets(text: &str) -> Vec<MakeTarget> {
    let mut all: Vec<MakeTarget> = Vec::new();
    for (number, line) in (1u32..).zip(text.lines()) {
        if line.starts_with(['\t', ' ']) {
            if let Some((_, recipe, _)) = all.last_mut().filter(|_| !line.trim().is_empty()) {
                recipe.push(line.trim().to_owned());
            }
        } else if let Some((name, _)) = target(line) {
            all.push((name.to_owned(), Vec::new(), number));
        }
    }
    let mut joined: Vec<MakeTarget> = Vec::new();
    for (name, recipe, number) in all {
        match joined.iter_mut().find(|(other, ..)| *other == name) {
            Some((_, lines, _)) => lines.extend(recipe),
            None => joined.push((name, recipe, number)),
        }
    }
    joined
}

/// A target's name and what it needs, where the line is a target's.
fn target(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.split_once(':')?;
    let is_target = !line.starts_with(['\t', ' ']) && !name.contains(['=', '#']) && !rest.starts_with('=');
    is_target.then(|| (name.trim(), rest.split('#').next().unwrap_or_default().trim()))
}

/// The lines of a target, and those of the targets that it did not need before: what they run, it runs first.
fn with_needed(own: &[String], name: &str, all: &[MakeTarget], (before, after): (&str, &str)) -> Vec<String> {
    let (old, new) = (needs(before, name), needs(after, name));
    let is_new = |other: &&MakeTarget| new.contains(&other.0) && !old.contains(&other.0);
    let first = all.iter().filter(is_new).flat_map(|(_, recipe, _)| recipe);
    own.iter().chain(first).cloned().collect()
}

/// Whether a target runs a command in several parts now, each for another place and with all its flags.
fn is_split(command: &str, now: &[String]) -> bool {
    let is_part = |line: &&String| weaker(command, line).is_some_and(|how| how.ends_with(" alone"));
    let mut parts: Vec<&String> = now.iter().filter(is_part).collect();
    parts.sort();
    parts.dedup();
    parts.len() > 1
}

/// The targets that one needs.
fn needs(text: &str, wanted: &str) -> Vec<String> {
    let own = text.lines().filter_map(target).filter(|(name, _)| *name == wanted && *name != ".PHONY");
    own.flat_map(|(_, needs)| needs.split_whitespace().map(str::to_owned)).collect()
}

/// A target that checked first and does not any more: `all: lint test` becomes `all: test`.
fn prerequisites(before: &str, after: &str) -> Option<SettingFinding> {
    let is_started = |wanted: &str| {
        let starts_make = |line: &str| line.contains("make ") || line.contains("$(MAKE)");
        let runs = |line: &str| {
            line.starts_with(['\t', ' '])
                && starts_make(line)
                && line.split_whitespace().any(|word| word == wanted)
        };
        after.lines().any(|line| {
            runs(line)
                || target(line).is_some_and(|(name, needs)| {
                    name != ".PHONY" && needs.split_whitespace().any(|word| word == wanted)
                })
        })
    };
    for (name, _, line) in targets(before).iter().filter(|(name, ..)| name != ".PHONY") {
        if !after.lines().filter_map(target).any(|(other, _)| other == name) {
            continue;
        }
        let now = needs(after, name);
        let lost = needs(before, name)
            .into_iter()
            .find(|need| is_check_name(need) && !now.contains(need) && !is_started(need));
        if let Some(lost) = lost {
            return Some((
                format!("the target `{name}` would not run `{lost}` first"),
                *line,
                Severity::High,
            ));
        }
    }
    None
}

/// A makefile that would go on after any failure: `.IGNORE:` alone or with a target that checks, or make's own switch.
fn ignores_failures(before: &str, after: &str) -> Option<SettingFinding> {
    let is_switch = |word: &str| matches!(word, "-i" | "--ignore-errors");
    let ignores = |line: &str| match target(line) {
        Some((".IGNORE", needs)) => needs.is_empty() || needs.split_whitespace().any(is_check_name),
        _ => {
            let flags = line.trim_start_matches("export ").trim_start();
            flags.starts_with("MAKEFLAGS") && flags.split([' ', '=']).any(is_switch)
        }
    };
    let count = |text: &str| text.lines().filter(|line| ignores(line)).count();
    (count(after) > count(before)).then(|| {
        let line = after.lines().position(ignores).and_then(|at| u32::try_from(at + 1).ok()).unwrap_or(0);
        ("failures of its targets would be ignored".to_owned(), line, Severity::Critical)
    })
}

/// The lines under a target that checks.
fn recipes(before: &str, after: &str) -> Option<SettingFinding> {
    let new = targets(after);
    targets(before).iter().find_map(|old| {
        let (name, recipe, line) = old;
        let checks = is_check_name(name) || recipe.iter().any(|it| is_check(it));
        if !checks || recipe.is_empty() || name == ".PHONY" {
            return None;
        }
        let (_, own, _) = new.iter().find(|(other, ..)| other == name)?;
        let now = with_needed(own, name, &new, (before, after));
        let (what, severity) = weaker_recipe(name, recipe, &now, after.contains("pipefail"))?;
        Some((what, *line, severity))
    })
}

/// Whether a line only takes away or makes what need not be there: that may go wrong.
fn is_clearing(line: &str) -> bool {
    const PROGRAMS: &[&str] = &[
        "rm",
        "rmdir",
        "mkdir",
        "unlink",
        "find",
        "docker",
        "docker-compose",
        "podman",
        "kill",
        "pkill",
        "killall",
        "umount",
        "dropdb",
        "mv",
        "cp",
        "ln",
        "$(RM)",
        "$(MKDIR)",
        "touch",
    ];
    let first = line.trim_start_matches(['@', ' ']).split_whitespace().next().unwrap_or_default();
    PROGRAMS.contains(&first) && !is_check(line)
}

/// Whether a line is another one, or runs the same check with other options, and make goes on whatever it says.
fn is_ignored(old: &str, new: &str) -> bool {
    let own =
        |line: &'_ str| line.trim_start_matches(['@', ' ']).split_whitespace().next().map(str::to_owned);
    new.strip_prefix('-').is_some_and(|rest| {
        let is_check = !old.trim_start_matches('@').starts_with('-') && is_check(old);
        rest.trim() == old.trim() && !is_clearing(old) || is_check && own(rest) == own(old)
    })
}

/// How the lines of a target check less than before.
fn weaker_recipe(name: &str, old: &[String], now: &[String], pipefail: bool) -> Option<(String, Severity)> {
    let is_lost = |it: &&String| !now.contains(it) && !is_split(it, now);
    let lost: Vec<&String> = old.iter().filter(is_lost).collect();
    let gained: Vec<&String> = now.iter().filter(|it| !old.contains(it)).collect();
    for (old, new) in lost.iter().zip(&gained) {
        if is_ignored(old, new) {
            return Some((format!("failures of the target `{name}` would be ignored"), Severity::Critical));
        }
        if let Some(how) = weaker(old, new) {
            return Some((format!("the target `{name}` {how}"), Severity::Critical));
        }
    }
    let plain = |all: &[&String]| -> Vec<String> {
        all.iter().map(|it| it.trim_start_matches(['@', '-', ' ']).to_owned()).collect()
    };
    let is_script = |lines: &[String]| lines.iter().any(|it| it.ends_with('\\'));
    let does_nothing = now.iter().all(|it| is_nothing(it));
    if !is_script(old)
        && !is_script(now)
        && !does_nothing
        && let Some(how) = weakened_list(&plain(&lost), &plain(&gained), pipefail)
    {
        return Some((format!("in the target `{name}` {how}"), Severity::High));
    }
    // Either a script over several lines, one of which runs the tests, or a line that checks and is gone.
    let had_tests = is_script(old) && old.iter().any(|it| is_check(it));
    let has_lost = gained.is_empty() && lost.iter().any(|it| is_check(it));
    (does_nothing && (had_tests || has_lost))
        .then(|| (format!("the target `{name}` would do nothing"), Severity::Critical))
}
