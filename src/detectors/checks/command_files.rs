//! Files that are lists of commands: Dockerfiles, shell scripts, pipelines in Groovy.
//!
//! Commands are compared one by one, so that a file may be reordered; one that is written anew is not judged by them.

use crate::detectors::checks::command_pairs::weakened_list;
use crate::detectors::checks::hook_bypass::is_hook;
use crate::detectors::checks::makefiles;
use crate::detectors::checks::setting_keys::SettingFinding;
use crate::detectors::checks::stages::unneeded;
use crate::languages::file_name;
use crate::model::counted;
use crate::model::finding::Severity;

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
            makefiles::weakened(before, after)
        }
        "Jenkinsfile" => commands(&steps(before), &steps(after), after, true),
        _ if name.ends_with(".mk") => makefiles::weakened_part(before, after),
        _ if is_docker => {
            let lists = (instructions(before), instructions(after));
            commands(&lists.0, &lists.1, after, true).or_else(|| unneeded(before, after))
        }
        _ if is_shell && !is_hook(path) && !is_for_other_shell(before, after) => {
            let stops = after.lines().any(stops_at_failure);
            errexit(before, after).or_else(|| commands(&lines(before), &lines(after), after, stops))
        }
        _ => None,
    }
}

/// What of `all` is not in `known`, as often as it is there.
fn beyond(all: &[String], known: &[String]) -> Vec<String> {
    counted::beyond(all, known, |it| *it).into_iter().cloned().collect()
}

/// How a list of commands is weaker. Where the first that fails stops all (`stops`), those that `&&` joined may stand alone.
fn commands(old: &[String], new: &[String], after: &str, stops: bool) -> Option<SettingFinding> {
    let (mut lost, gained) = (beyond(old, new), beyond(new, old));
    lost.retain(|it| !(stops && is_parted(it, &gained)));
    if lost.is_empty() || lost.len() > REWRITTEN || new.is_empty() {
        return None;
    }
    let how = weakened_list(&lost, &gained, after.contains("pipefail"))?;
    Some((how, 0, Severity::High))
}

/// Whether all commands of one that joins them run one after the other now: `a && b` as `a` and `b`.
fn is_parted(command: &str, gained: &[String]) -> bool {
    let mut rest = gained.iter();
    let mut parts = command.split("&&").map(str::trim);
    command.contains("&&") && parts.all(|part| rest.any(|it| it == part))
}

/// Lines of a script, those that go on joined.
pub(super) fn joined(text: &str) -> Vec<String> {
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

pub(super) fn lines(text: &str) -> Vec<String> {
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

/// Whether a line makes a script end at the first failure.
fn stops_at_failure(line: &str) -> bool {
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
}

/// Whether a script that ended at the first failure goes on after it now.
fn errexit(before: &str, after: &str) -> Option<SettingFinding> {
    let stops = |text: &str| text.lines().any(stops_at_failure);
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
