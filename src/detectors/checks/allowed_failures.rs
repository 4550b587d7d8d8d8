//! Files of tasks whose tool runs a check and takes its failure for a success: codes that are allowed, failures that are only
//! told, in nox, invoke, Gradle, MSBuild, Maven, Taskfile, Rake, Jenkins and Fastlane.
//!
//! A mark counts where a check stands in the same statement; a task that clears up may ignore its failure.

use crate::detectors::checks::check_command::is_check;
use crate::detectors::checks::setting_keys::SettingFinding;
use crate::languages::code::bare;
use crate::languages::file_name;
use crate::model::finding::Severity;

/// Which files (`*` stands for any beginning), and what ignores a failure in them: without blanks and in lower case.
const MARKS: &[(&[&str], &[&str])] = &[
    (&["noxfile.py"], &["success_codes="]),
    (&["tasks.py", "fabfile.py"], &["warn=true", "warn_only=true"]),
    (
        &["*.gradle", "*.gradle.kts"],
        &["ignoreexitvalue=true", "ignoreexitvaluetrue", "ignoreexitvalue.set(true"],
    ),
    (
        &["*.csproj", "*.fsproj", "*.vbproj", "*.vcxproj", "*.proj", "*.targets", "*.props"],
        &[
            "ignoreexitcode=\"true\"",
            "continueonerror=\"true\"",
            "continueonerror=\"warn",
            "continueonerror=\"errorandc",
        ],
    ),
    (&["pom.xml"], &["<successcode>", "<failonerror>false", "failonerror=\"false\""]),
    (&["Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml"], &["ignore_error:true"]),
    (&["Jenkinsfile"], &["catcherror(buildresult:'success'", "catcherror(buildresult:\"success\""]),
    (&["Fastfile"], &["fail_build:false", "ignore_exit_status:true", "error_callback:"]),
    (&["Rakefile", "*.rake"], &["verbose:false){", "{|ok", "do|ok", "{|_", "do|_", "exception:false"]),
];
/// What still ends with a failure beside such a mark.
const FAILING: &[&str] =
    &["exit", "raise", "abort", "fail ", "throw", "error(", "fail(", "returncode", ".failed"];
/// A statement has no more lines than these.
const LONGEST: usize = 9;

/// A check whose failure a task would ignore.
pub(super) fn allowed(path: &str, before: &str, after: &str) -> Option<SettingFinding> {
    let name = file_name(path);
    let is_of = |file: &&str| file.strip_prefix('*').map_or(*file == name, |end| name.ends_with(end));
    let (_, marks) = MARKS.iter().find(|(files, _)| files.iter().any(&is_of))?;
    marks.iter().find_map(|mark| {
        let count = |text: &str| text.lines().filter(|line| ignores(line, mark)).count();
        if count(after) <= count(before) {
            return None;
        }
        let lines: Vec<&str> = after.lines().collect();
        let is_new = |at: usize| lines.get(at).is_some_and(|line| !before.lines().any(|old| old == *line));
        let at = (0..lines.len()).find(|at| {
            lines.get(*at).is_some_and(|line| ignores(line, mark)) && is_new(*at) && checks(&lines, *at)
        })?;
        let what = format!("a failure would count as a success (`{}`)", lines.get(at)?.trim());
        Some((what, u32::try_from(at + 1).unwrap_or(0), Severity::High))
    })
}

/// Whether a line has a mark that ignores a failure: a list of codes with another than nought.
fn ignores(line: &str, mark: &str) -> bool {
    let text = bare(line).to_lowercase();
    let Some((_, rest)) = text.split_once(mark).filter(|_| !text.starts_with(['#', '/'])) else {
        return false;
    };
    match mark {
        "success_codes=" => {
            let list = rest.split([']', ')']).next().unwrap_or(rest);
            list.contains("range") || list.chars().any(|c| matches!(c, '1'..='9'))
        }
        "<successcode>" => !rest.starts_with("0<"),
        _ => true,
    }
}

/// Whether a check stands in the statement that a line belongs to, and nothing there ends with a failure.
fn checks(lines: &[&str], at: usize) -> bool {
    let own = statement(lines, at);
    let spelled = |line: &&str| line.replace(['"', '\'', '[', ']', '(', ')', ',', '<', '>', '='], " ");
    let is_run = |line: &&str| {
        let text = line.trim();
        // What is told of a check, and what fetches one, runs none.
        !["name", "desc", "#", "//", "def ", "@"].iter().any(|head| text.starts_with(head))
            && !text.contains("install")
    };
    let fails = own.iter().any(|line| FAILING.iter().any(|word| line.contains(word)));
    !fails && own.iter().filter(|line| is_run(line)).any(|line| is_check(&spelled(line)))
}

/// The lines of the innermost brackets that are open at a line, or those near it that are indented as far.
fn statement<'l>(lines: &[&'l str], at: usize) -> Vec<&'l str> {
    let balance = |line: &str| {
        let count = |signs: [char; 3]| i64::try_from(line.matches(signs).count()).unwrap_or(0);
        count(['(', '{', '[']) - count([')', '}', ']'])
    };
    let own = balance(lines.get(at).copied().unwrap_or_default());
    // A block that the line itself begins: `catchError(…) {`.
    if own > 0 {
        let mut open = 0;
        let block = lines.iter().copied().skip(at).take(LONGEST).enumerate().take_while(|(place, line)| {
            let is_in = *place == 0 || open > 0;
            open += balance(line);
            is_in
        });
        return block.map(|(_, line)| line).collect();
    }
    let mut open = own.min(0);
    let first = (at.saturating_sub(LONGEST)..at).rev().find(|place| {
        open += lines.get(*place).map_or(0, |line| balance(line));
        open > 0
    });
    if let Some(first) = first {
        return lines.iter().skip(first).take(at - first + 4).copied().collect();
    }
    let (from, to) = (at.saturating_sub(2), (at + 3).min(lines.len()));
    lines.get(from..to).unwrap_or_default().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOX: &str = "@nox.session\ndef types(session):\n    session.run(\"mypy\", \"worker\")\n";
    const GRADLE: &str = "tasks.register<Exec>(\"style\") {\n    commandLine(\"ktlint\")\n}\n";
    const TASKS: &str = "tasks:\n  all:\n    cmds:\n      - cmd: go test ./...\n      - cmd: rm -r out\n";

    #[test]
    fn a_check_whose_failure_is_allowed_is_told_in_each_tool() {
        for (path, before, old, new, expected) in [
            ("noxfile.py", NOX, "\"worker\"", "\"worker\", success_codes=[0, 1]", true),
            ("noxfile.py", NOX, "\"worker\"", "\"worker\", success_codes=[0]", false),
            (
                "noxfile.py",
                NOX,
                "\"worker\"",
                "\n        \"worker\",\n        success_codes=range(3),\n    ",
                true,
            ),
            (
                "tasks.py",
                "@task\ndef style(c):\n    c.run('ruff check')\n",
                "check'",
                "check', warn=True",
                true,
            ),
            ("tasks.py", "@task\ndef tidy(c):\n    c.run('rm -r out')\n", "out'", "out', warn=True", false),
            ("build.gradle.kts", GRADLE, "\")\n}", "\")\n    isIgnoreExitValue = true\n}", true),
            (
                "a/b.csproj",
                "<Exec Command=\"dotnet test\" />\n",
                "\" />",
                "\" ContinueOnError=\"true\" />",
                true,
            ),
            (
                "a/b.csproj",
                "<Exec Command=\"rm -r out\" />\n",
                "\" />",
                "\" ContinueOnError=\"true\" />",
                false,
            ),
            ("Taskfile.yml", TASKS, "./...\n", "./...\n        ignore_error: true\n", true),
            (
                "Rakefile",
                "task(:style) do\n  sh 'rubocop'\nend\n",
                "sh 'rubocop'",
                "sh('rubocop') { |ok, _| ok }",
                true,
            ),
        ] {
            let after = before.replace(old, new);
            assert_eq!(allowed(path, before, &after).is_some(), expected, "{path}: {after}");
        }
    }
}
