//! Files that are lists of commands: makefiles, Dockerfiles, shell scripts, pipelines in Groovy.
//!
//! Commands are compared one by one, so that a file may be reordered; one that is written anew is not judged by them.

use crate::detectors::checks::check_command::{is_check, is_nothing, weaker};
use crate::detectors::checks::command_pairs;
use crate::detectors::checks::hook_bypass::is_hook;
use crate::detectors::checks::make_variables::expanded;
use crate::detectors::checks::setting_keys::SettingFinding;
use crate::detectors::checks::stages::unneeded;
use crate::languages::file_name;
use crate::model::finding::Severity;

/// Names of scripts that check.
const SCRIPTS: &[&str] = &[
    "test",
    "lint",
    "check",
    "typecheck",
    "ci",
    "coverage",
    "verify",
    "validate",
    "spec",
    "e2e",
    "tsc",
    "cover",
];
/// More lost commands than these write a file anew.
const REWRITTEN: usize = 8;

/// How a file of commands checks less. `None` for any other file.
pub(super) fn weakened(path: &str, before: &str, after: &str) -> Option<SettingFinding> {
    let name = file_name(path);
    let is_docker = name == "Dockerfile"
        || name.starts_with("Dockerfile.")
        || name.ends_with(".Dockerfile")
        || name == "Containerfile";
    let is_shell = [".sh", ".bash", ".zsh"].iter().any(|end| name.ends_with(end))
        || before.lines().next().is_some_and(|line| line.starts_with("#!") && line.contains("sh"));
    match name {
        "Makefile" | "makefile" | "GNUmakefile" | "justfile" | "Justfile" => {
            let (before, after) = (expanded(before), expanded(after));
            recipes(&before, &after)
                .or_else(|| prerequisites(&before, &after))
                .or_else(|| shell_flags(&before, &after))
                .or_else(|| ignores_failures(&before, &after))
        }
        "Jenkinsfile" => commands(&steps(before), &steps(after), after),
        _ if name.ends_with(".mk") => {
            recipes(&expanded(before), &expanded(after)).or_else(|| ignores_failures(before, after))
        }
        _ if is_docker => {
            commands(&instructions(before), &instructions(after), after).or_else(|| unneeded(before, after))
        }
        _ if is_shell && !is_hook(path) && !is_for_other_shell(before, after) => {
            errexit(before, after).or_else(|| commands(&lines(before), &lines(after), after))
        }
        _ => None,
    }
}

/// Whether a script's name, or a part of it, is one that checks.
pub(super) fn is_check_name(name: &str) -> bool {
    name.split([':', '-', '_', '.']).any(|part| SCRIPTS.contains(&part))
}

/// What of `all` is not in `known`, as often as it is there.
fn beyond(all: &[String], known: &[String]) -> Vec<String> {
    let mut rest: Vec<&String> = known.iter().collect();
    let is_beyond = |it: &&String| match rest.iter().position(|other| other == it) {
        Some(at) => {
            rest.swap_remove(at);
            false
        }
        None => true,
    };
    all.iter().filter(is_beyond).cloned().collect()
}

fn weakened_list(lost: &[String], gained: &[String], pipefail: bool) -> Option<String> {
    let (lost, gained): (Vec<&str>, Vec<&str>) =
        (lost.iter().map(String::as_str).collect(), gained.iter().map(String::as_str).collect());
    // What a script of the project does now, it does there.
    let is_handed_on = gained.iter().any(|it| {
        it.contains(".sh") || it.starts_with("make ") || it.starts_with("$(MAKE)") || it.contains("./")
    });
    let how = command_pairs::weakened(&lost, &gained, pipefail)?;
    (!is_handed_on || !how.ends_with("any more")).then_some(how)
}

fn commands(old: &[String], new: &[String], after: &str) -> Option<SettingFinding> {
    let (lost, gained) = (beyond(old, new), beyond(new, old));
    if lost.is_empty() || lost.len() > REWRITTEN || new.is_empty() {
        return None;
    }
    let how = weakened_list(&lost, &gained, after.contains("pipefail"))?;
    Some((how, 0, Severity::High))
}

/// Lines of a script, those that go on joined.
fn joined(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut open = false;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (content, goes_on) = line.strip_suffix('\\').map_or((line, false), |it| (it.trim_end(), true));
        match all.last_mut().filter(|_| open) {
            Some(last) => {
                last.push(' ');
                last.push_str(content);
            }
            None => all.push(content.to_owned()),
        }
        open = goes_on;
    }
    all
}

fn lines(text: &str) -> Vec<String> {
    joined(text).into_iter().filter(|line| !line.starts_with("set ")).collect()
}

/// The commands of a Dockerfile.
fn instructions(text: &str) -> Vec<String> {
    // `RUN --mount=type=cache,target=/root/.cache cargo test` runs the tests.
    let bare = |line: &str| {
        let words = line.split_whitespace().skip_while(|word| {
            ["--mount=", "--network=", "--security="].iter().any(|head| word.starts_with(head))
        });
        words.collect::<Vec<_>>().join(" ")
    };
    let run = |line: String| line.strip_prefix("RUN ").map(bare);
    joined(text).into_iter().filter_map(run).collect()
}

/// The commands of a pipeline in Groovy: `sh 'npm test'`.
fn steps(text: &str) -> Vec<String> {
    let command = |line: &str| {
        let rest = ["sh ", "sh(", "bat ", "bat("].iter().find_map(|head| line.strip_prefix(head))?;
        let quote = rest.find(['\'', '"'])?;
        let inside = rest.get(quote..)?.trim_matches(['\'', '"', ')']);
        let swallowed = rest.contains("returnStatus: true");
        Some(format!("{inside}{}", if swallowed { " || true" } else { "" }))
    };
    text.lines().filter_map(|line| command(line.trim())).collect()
}

/// Whether a script that ended at the first failure goes on after it now.
fn errexit(before: &str, after: &str) -> Option<SettingFinding> {
    let stops = |text: &str| {
        text.lines().map(str::trim).any(|line| {
            let mut words = line.split_whitespace();
            match words.next() {
                Some("set") => words.any(|word| {
                    word == "errexit"
                        || word.strip_prefix('-').is_some_and(|it| !it.starts_with('-') && it.contains('e'))
                }),
                Some(first) if first.starts_with("#!") => {
                    words.any(|word| word.starts_with('-') && word.contains('e'))
                }
                Some("trap") => line.contains("ERR"),
                _ => false,
            }
        })
    };
    let handled = |text: &str| {
        ["|| exit", "|| return", "|| die", "if !"].iter().map(|it| text.matches(it).count()).sum::<usize>()
    };
    let is_handled = handled(after) > handled(before) + 1;
    (stops(before) && !stops(after) && !is_handled && lines(after).len() > 1).then(|| {
        let line =
            before.lines().position(|line| line.trim_start().starts_with("set ")).map_or(1, |at| at + 1);
        let what = "the script would go on after a command that fails (without `set -e`)".to_owned();
        (what, u32::try_from(line).unwrap_or(0), Severity::High)
    })
}

/// Whether a script is written anew for another shell: most of its lines are others, its first among them.
fn is_for_other_shell(before: &str, after: &str) -> bool {
    let shell = |text: &'_ str| {
        let first = text.lines().next().filter(|line| line.starts_with("#!"))?;
        first.rsplit(['/', ' ']).next().map(str::to_owned)
    };
    let (old, new) = (lines(before), lines(after));
    let kept = old.iter().filter(|line| new.contains(line)).count();
    shell(before).is_some() && shell(after).is_some() && shell(before) != shell(after) && kept * 2 < old.len()
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
    for (name, recipe, line) in targets(before) {
        let checks = is_check_name(&name) || recipe.iter().any(|it| is_check(it));
        if !checks || recipe.is_empty() || name == ".PHONY" {
            continue;
        }
        let Some((_, own, _)) = new.iter().find(|(other, ..)| *other == name) else { continue };
        let now = &with_needed(own, &name, &new, (before, after));
        let is_lost = |it: &&String| !now.contains(it) && !is_split(it, now);
        let lost: Vec<&String> = recipe.iter().filter(is_lost).collect();
        let gained: Vec<&String> = now.iter().filter(|it| !recipe.contains(it)).collect();
        for (old, new) in lost.iter().zip(&gained) {
            let is_ignored = new.strip_prefix('-').is_some_and(|rest| rest.trim() == old.trim());
            if is_ignored {
                return Some((
                    format!("failures of the target `{name}` would be ignored"),
                    line,
                    Severity::Critical,
                ));
            }
            if let Some(how) = weaker(old, new) {
                return Some((format!("the target `{name}` {how}"), line, Severity::Critical));
            }
        }
        let plain = |all: &[&String]| -> Vec<String> {
            all.iter().map(|it| it.trim_start_matches(['@', '-', ' ']).to_owned()).collect()
        };
        let (gone, come) = (plain(&lost), plain(&gained));
        let is_lines = !recipe.iter().chain(now).any(|it| it.ends_with('\\'));
        if is_lines
            && !now.iter().all(|it| is_nothing(it))
            && let Some(how) = weakened_list(&gone, &come, after.contains("pipefail"))
        {
            return Some((format!("in the target `{name}` {how}"), line, Severity::High));
        }
        // The recipe is a script over several lines, one of which runs the tests.
        let runs = |lines: &[String]| lines.iter().any(|it| is_check(it));
        if recipe.iter().any(|it| it.ends_with('\\')) && runs(&recipe) && now.iter().all(|it| is_nothing(it))
        {
            return Some((format!("the target `{name}` would do nothing"), line, Severity::Critical));
        }
        if gained.is_empty() && lost.iter().any(|it| is_check(it)) && now.iter().all(|it| is_nothing(it)) {
            return Some((format!("the target `{name}` would do nothing"), line, Severity::Critical));
        }
    }
    None
}
