//! Lists of commands under one name in build files: aliases of Mix, scripts of Composer, tasks of Gradle that need others.

use crate::detectors::checks::check_command::is_check;
use crate::detectors::checks::check_command::is_check_name;
use crate::detectors::checks::command_pairs;
use crate::detectors::checks::setting_keys::SettingFinding;
use crate::detectors::checks::weaker_command::weaker;
use crate::languages::file_name;
use crate::model::finding::{Change, Severity};
use crate::model::words::is_name_part;

/// Words of tasks of Gradle that check.
const TASKS: &[&str] = &[
    "test",
    "lint",
    "verify",
    "check",
    "detekt",
    "kover",
    "jacoco",
    "ktlint",
    "checkstyle",
    "pmd",
    "spotbugs",
    "spotless",
    "coverage",
];

/// A name and its commands.
type NamedCommands = (String, Vec<String>, u32);

/// A list of commands that checks less than before.
pub(super) fn weakened(change: &Change) -> Option<SettingFinding> {
    let (before, after) = (change.before.as_deref()?, change.after.as_deref()?);
    match file_name(&change.path) {
        "mix.exs" | "composer.json" => lists_weakened(&lists(before), &lists(after)),
        "build.gradle" | "build.gradle.kts" => needs_less(before, after),
        _ => None,
    }
}

fn lists_weakened(old: &[NamedCommands], new: &[NamedCommands]) -> Option<SettingFinding> {
    old.iter().find_map(|(name, commands, line)| {
        let runs = |text: &str| is_check(text) || is_check_name(text.split(' ').next().unwrap_or_default());
        if !is_check_name(name) && !commands.iter().any(|it| runs(it)) {
            return None;
        }
        let (_, now, _) = new.iter().find(|(other, ..)| other == name)?;
        // What became a list of its own is run where that list is named.
        let now = &with_named(now, old, new);
        // With further flags a command is the same one, unless they make it weaker.
        let is_same = |old: &str, new: &str| {
            new.strip_prefix(old).is_some_and(|rest| rest.starts_with(" -")) && weaker(old, new).is_none()
        };
        let goes_on = |old: &String| now.iter().any(|new| new == old || is_same(old, new));
        let lost: Vec<&str> = commands.iter().filter(|it| !goes_on(it)).map(String::as_str).collect();
        let gained: Vec<&str> = now.iter().filter(|it| !commands.contains(it)).map(String::as_str).collect();
        // One that becomes a list of its own is run there.
        let is_kept =
            |it: &str| new.iter().any(|(other, list, _)| other != name && list.iter().any(|c| c == it));
        let gone = lost.iter().find(|it| runs(it) && !is_kept(it));
        let how = command_pairs::weakened(&lost, &gained, false)
            .or_else(|| {
                lost.iter().zip(&gained).find_map(|(a, b)| weaker(a, b).map(|how| format!("`{a}` {how}")))
            })
            .or_else(|| {
                // `@mutate` stands for what the file has under that name.
                let is_reference =
                    |it: &&&str| it.starts_with('@') && !it.starts_with("@php") && !it.contains(' ');
                let part = lost.iter().find(is_reference).filter(|it| !is_kept(it) && is_check_name(name));
                part.filter(|_| gained.is_empty()).map(|it| format!("`{it}` would not be run any more"))
            })
            .or_else(|| {
                gone.filter(|_| gained.is_empty()).map(|it| format!("`{it}` would not be run any more"))
            })?;
        let is_lost = gone.is_some() || how.starts_with("`@");
        is_lost.then(|| (format!("in `{name}` {how}"), *line, Severity::High))
    })
}

/// The commands of a list, with those of new lists that it names.
fn with_named(commands: &[String], old: &[NamedCommands], new: &[NamedCommands]) -> Vec<String> {
    let named = |command: &String| {
        let name = command.trim_start_matches('@');
        let is_new = old.iter().all(|(other, ..)| other != name);
        new.iter().find(|(other, ..)| is_new && other == name).map(|(_, list, _)| list.clone())
    };
    commands.iter().flat_map(|it| named(it).unwrap_or_else(|| vec![it.clone()])).collect()
}

/// The lists of a text: `check: ["a", "b"]`, also over several lines.
fn lists(text: &str) -> Vec<NamedCommands> {
    let mut all = Vec::new();
    let mut open: Option<NamedCommands> = None;
    for (number, line) in (1u32..).zip(text.lines()) {
        let mut rest = line;
        if open.is_none() {
            // The innermost of several lists in one line has the commands: `[check: ["a"]]`.
            let Some((head, tail)) = line.rsplit_once(": [").or_else(|| line.rsplit_once(":[")) else {
                continue;
            };
            let name = head
                .rsplit(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | ':' | '.')))
                .find(|it| !it.is_empty());
            open = name.map(|it| (it.to_owned(), Vec::new(), number));
            rest = tail;
        }
        let Some((_, commands, _)) = open.as_mut() else { continue };
        let (inside, is_closed) = match rest.rfind(']') {
            Some(_) => (rest, true),
            None => (rest, false),
        };
        commands.extend(quoted(inside));
        if is_closed {
            all.extend(open.take());
        }
    }
    all
}

/// The texts between double quotes, in which a quote may be escaped.
fn quoted(line: &str) -> Vec<String> {
    let (mut all, mut text, mut is_open, mut is_escaped) = (Vec::new(), String::new(), false, false);
    for c in line.chars() {
        match c {
            _ if is_escaped => {
                text.push(c);
                is_escaped = false;
            }
            '\\' if is_open => is_escaped = true,
            '"' if is_open => {
                all.push(std::mem::take(&mut text));
                is_open = false;
            }
            '"' => is_open = true,
            _ if is_open => text.push(c),
            _ => {}
        }
    }
    all
}

/// A task that checks, and that another does not need any more.
fn needs_less(before: &str, after: &str) -> Option<SettingFinding> {
    let needs = |text: &str| -> Vec<(String, u32)> {
        let lines = (1u32..).zip(text.lines()).filter(|(_, line)| {
            (line.contains("dependsOn") || line.contains("finalizedBy"))
                && !line.trim_start().starts_with("//")
        });
        lines
            .flat_map(|(at, line)| {
                let rest = line
                    .split_once("dependsOn")
                    .or_else(|| line.split_once("finalizedBy"))
                    .map_or("", |it| it.1);
                let names = rest.split(|c: char| !is_name_part(c));
                names.filter(|it| !it.is_empty()).map(|it| (it.to_owned(), at)).collect::<Vec<_>>()
            })
            .collect()
    };
    let (old, new) = (needs(before), needs(after));
    let is_checking = |name: &str| {
        let lower = name.to_lowercase();
        TASKS.iter().any(|word| lower.contains(word))
    };
    let (name, line) =
        old.iter().find(|(name, _)| is_checking(name) && !new.iter().any(|(it, _)| it == name))?;
    // With the task itself its need goes.
    let is_named = after.matches(name.as_str()).count() > 0 || before.matches(name.as_str()).count() == 1;
    // What only reports verifies nothing.
    let verifies = |name: &str| name.to_lowercase().contains("verif");
    let is_report = verifies(name) && !new.iter().any(|(it, _)| verifies(it));
    (is_named && (new.len() < old.len() || is_report))
        .then(|| (format!("`{name}` would not be run with the others any more"), *line, Severity::High))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(path: &str, before: &str, after: &str) -> bool {
        let text = |it: &str| Some(it.to_owned());
        weakened(&Change { path: path.to_owned(), before: text(before), after: text(after) }).is_some()
    }

    #[test]
    fn an_alias_that_runs_less_is_told() {
        let file = |list: &str| format!("  defp aliases do\n    [verify: [{list}]]\n  end\n");
        let all = file("\"format --check-formatted\", \"credo --strict\", \"test --cover\"");
        assert!(told("mix.exs", &all, &file("\"format --check-formatted\"")));
        assert!(told(
            "mix.exs",
            &all,
            &file("\"format --check-formatted\", \"credo --strict\", \"test --cover --exclude slow\"")
        ));
        assert!(!told(
            "mix.exs",
            &all,
            &file("\"format --check-formatted\", \"credo --strict\", \"test --cover\", \"dialyzer\"")
        ));
    }

    #[test]
    fn an_alias_that_is_parted_in_two_is_not() {
        let file = |lists: &str| format!("  defp aliases do\n    [\n{lists}\n    ]\n  end\n");
        let all = file("      check: [\"format --check-formatted\", \"credo --strict\", \"test --cover\"]");
        let parted = "      lint: [\"format --check-formatted\", \"credo --strict\"],\n      check: [\"lint\", \"test --cover --warnings-as-errors\"]";
        assert!(!told("mix.exs", &all, &file(parted)));
        let lesser = "      lint: [\"format --check-formatted\"],\n      check: [\"lint\", \"test --cover\"]";
        assert!(told("mix.exs", &all, &file(lesser)));
    }

    #[test]
    fn a_task_that_needs_less_is_told() {
        let file = |needs: &str| format!("tasks.check {{\n    dependsOn({needs})\n}}\n");
        assert!(told("build.gradle.kts", &file("\"detekt\", \"koverVerify\""), &file("\"detekt\"")));
        assert!(!told("build.gradle.kts", &file("\"detekt\""), &file("\"detekt\", \"koverVerify\"")));
        assert!(!told("build.gradle.kts", &file("\"copyDocs\", \"detekt\""), &file("\"detekt\"")));
    }
}
