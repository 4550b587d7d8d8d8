//! Scripts that do less than they did: commands that only say what they would do, failures that nobody hears of, patterns
//! that accept more, and branches for a test run.

use crate::detectors::Case;
use crate::detectors::engine::hunks::{CodeLine, TextHunk, hunks};
use crate::detectors::engine::line_pairs::line_pairs;
use crate::detectors::product::check_words::short;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::shell_refusals::{SHELL, is_moved, is_script};
use crate::detectors::product::widened_patterns::accepts_more;
use crate::languages::code::{admissions, bare, plain};
use crate::languages::is_test_path;
use crate::model::finding::{Change, Severity};

/// Commands that change something outside of the script.
pub(super) const EFFECTS: &[&str] = &[
    "rm",
    "mv",
    "cp",
    "ln",
    "mkdir",
    "install",
    "tar",
    "zip",
    "gzip",
    "curl",
    "wget",
    "rsync",
    "scp",
    "ssh",
    "aws",
    "gcloud",
    "az",
    "docker",
    "kubectl",
    "helm",
    "terraform",
    "sha256sum",
    "sha1sum",
    "md5sum",
    "shasum",
    "gpg",
    "cosign",
    "chmod",
    "chown",
    "systemctl",
    "psql",
    "mysql",
    "pg_dump",
    "pg_restore",
    "mysqldump",
    "redis-cli",
    "kill",
    "unlink",
    "mail",
    "sendmail",
    "tee",
    "dd",
    "flock",
];
/// Commands that only say something, or do nothing.
const IDLE: &[&str] = &["echo", "printf", ":", "true", "log", "info", "warn"];
/// Words in front of a command.
const BEFORE: &[&str] = &[
    "sudo", "if", "then", "else", "do", "!", "time", "command", "env", "exec", "nohup", "while", "until",
    "elif",
];
/// Commands that may fail, and nobody minds.
const MINOR: &[&str] = &[
    "rm",
    "kill",
    "pkill",
    "docker rm",
    "docker stop",
    "docker network",
    "umount",
    "echo",
    "grep",
    "mkdir",
    "cd",
    "ls",
    "which",
    "command",
    "test",
    "[",
    "read",
    "tput",
];
/// What only a test run sets.
const RUNS: &[&str] =
    &["BATS_TEST", "BATS_RUN", "BATS_VERSION", "SHUNIT_", "SHELLSPEC_", "PYTEST_CURRENT_TEST", "UNDER_TEST"];

/// The two texts of a script of the project that is no test.
pub(super) fn script(change: &Change) -> Option<(&str, &str)> {
    let (old, new) = (change.before.as_deref()?, change.after.as_deref()?);
    (is_script(&change.path, old) && !is_test_path(&change.path) && old != new).then_some((old, new))
}

/// The first command with an effect in whose place the script only says something.
pub(super) fn work_gone(case: &Case, change: &Change) -> Option<LostCheck> {
    let (old, new) = script(change)?;
    hunks("# ", old, new)?.iter().find_map(|hunk| {
        let lost = hunk
            .gone
            .iter()
            .find(|it| commands(it.text).iter().any(|word| EFFECTS.contains(&word.as_str())))?;
        let is_idle = |line: &CodeLine| commands(line.text).iter().all(|word| IDLE.contains(&word.as_str()));
        let is_left = new.lines().any(|line| line.trim() == lost.text);
        if hunk.come.iter().any(|line| !is_idle(line))
            || is_left
            || is_moved(case, change, *lost)
            || hunk.gone.len() > 6
        {
            return None;
        }
        // Only said, put off, or an empty file in its place.
        let pretends = !hunk.come.is_empty() || admissions(new) > admissions(old);
        let severity = if pretends { Severity::High } else { Severity::Medium };
        let what = format!("`{}` would not be done any more", short(lost.text));
        Some(LostCheck::of_line(lost, "", what, severity))
    })
}

/// Commands by which what is stored or sent can be trusted, and that nothing else stands for.
const PROVING: &[&str] = &[
    "sha256sum",
    "sha512sum",
    "sha1sum",
    "md5sum",
    "b2sum",
    "shasum",
    "gpg",
    "cosign",
    "minisign",
    "signify",
    "flock",
    "age",
    "openssl",
];

/// The first command that proves or guards something and that a script has no more, while the work around it goes on.
pub(super) fn proof_gone(case: &Case, change: &Change) -> Option<LostCheck> {
    let (old, new) = script(change)?;
    let count = |text: &str, word: &str| {
        text.lines().filter(|line| commands(line).iter().any(|it| it == word)).count()
    };
    hunks("# ", old, new)?.iter().find_map(|hunk| {
        let proves = |line: &&CodeLine| {
            commands(line.text)
                .iter()
                .any(|word| PROVING.contains(&word.as_str()) && count(new, word) < count(old, word))
        };
        let lost = hunk.gone.iter().find(proves)?;
        let old_words: Vec<String> = hunk.gone.iter().flat_map(|it| commands(it.text)).collect();
        let is_new = |line: &CodeLine| commands(line.text).iter().any(|word| !old_words.contains(word));
        let is_left = hunk.come.iter().any(is_new) || is_moved(case, change, *lost);
        let what = format!("`{}` would not be done any more", short(lost.text));
        (!is_left && hunk.gone.len() <= 6).then(|| LostCheck::of_line(lost, "", what, Severity::High))
    })
}

/// The first command whose failure stopped the script or was told, and is hidden now.
pub(super) fn failure_hidden(change: &Change) -> Option<LostCheck> {
    let (old, new) = script(change)?;
    let mut pairs = pairs(&hunks("# ", old, new)?);
    pairs.retain(|(gone, come)| {
        let ends = |line: &str| {
            ["|| true", "|| :", "|| echo", "|| return 0", "|| exit 0"].iter().any(|it| line.contains(it))
        };
        let command = first_command(gone.text);
        let is_minor = MINOR.iter().any(|it| gone.text.starts_with(it)) || IDLE.contains(&command);
        let core = |line: &str| {
            bare(line.split("||").next().unwrap_or(line))
                .replace("2>/dev/null", "")
                .replace(">/dev/null", "")
                .replace("&>/dev/null", "")
                .replace("2>&1", "")
        };
        ends(come.text) && !ends(gone.text) && !is_minor && core(come.text) == core(gone.text)
    });
    let (gone, come) = *pairs.first()?;
    // Without `set -e` a status alone stops nothing; a library of functions has that of the script that takes it in.
    let stops = old.lines().any(|line| line.starts_with("set -") && line.contains('e'))
        || gone.text.contains("||")
        || is_taken_in(old);
    let is_telling = |word: &String| EFFECTS.contains(&word.as_str()) || is_own_check(word);
    let is_of_effect = commands(gone.text).iter().any(is_telling);
    let what = format!("a failure of `{}` would not stop the script any more", short(come.text));
    // A checker that may fail is told as that.
    (stops && is_of_effect).then(|| LostCheck::of_line(&gone, "", what, Severity::High))
}

/// Whether a function of the project has its name from what it checks: `check_inventory`.
fn is_own_check(command: &str) -> bool {
    const CHECKING: &[&str] = &["check", "verify", "validate", "assert", "require", "ensure"];
    let parts = command.split_once(['_', '-']);
    parts.is_some_and(|(verb, subject)| CHECKING.contains(&verb) && !subject.is_empty())
}

/// Whether a script is a library of functions, which other scripts take in: it does not say what runs it.
fn is_taken_in(text: &str) -> bool {
    let is_code = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
    let mut code = text.lines().filter(is_code).filter(|line| !line.starts_with([' ', '\t', '}']));
    let is_declared = |line: &str| line.contains("() {") || line.contains("(){") || line.contains('=');
    !text.starts_with("#!") && text.contains("() {") && code.all(is_declared)
}

/// The first pattern of a question in a script that accepts more.
pub(super) fn pattern_eased(change: &Change) -> Option<LostCheck> {
    let (old, new) = script(change)?;
    pairs(&hunks("# ", old, new)?).into_iter().find_map(|(gone, come)| {
        let ((head, was), (same, is)) = (gone.text.split_once("=~")?, come.text.split_once("=~")?);
        let pattern = |text: &'_ str| {
            text.split("]] ").next().unwrap_or(text).trim().trim_end_matches("]]").trim().to_owned()
        };
        let rest = |text: &'_ str| text.split_once("]] ").map(|(_, rest)| rest.to_owned());
        let severity = accepts_more(&pattern(was), &pattern(is), gone.text)?;
        let what = format!(
            "the pattern `{}` would become `{}`, which accepts more",
            short(&pattern(was)),
            short(&pattern(is))
        );
        (head == same && rest(was) == rest(is)).then(|| LostCheck::of_line(&gone, "", what, severity))
    })
}

/// The first line that asks whether a test runs the script.
pub(super) fn test_asked(change: &Change) -> Option<(u32, String)> {
    let (old, new) = script(change)?;
    let places = hunks("# ", old, new)?;
    let asks = |line: &&CodeLine| {
        let first = line.text.split_whitespace().next().unwrap_or_default();
        let is_question = matches!(first, "if" | "elif" | "case" | "while" | "[" | "[[" | "test")
            || line.text.contains("&&")
            || line.text.contains("||");
        is_question && RUNS.iter().any(|word| line.text.contains(word))
    };
    let line = places.iter().flat_map(|hunk| &hunk.come).find(asks)?;
    Some((line.number, line.text.to_owned()))
}

fn pairs<'a>(all: &[TextHunk<'a>]) -> Vec<(CodeLine<'a>, CodeLine<'a>)> {
    line_pairs(all).map(|(gone, come)| (*gone, *come)).collect()
}

/// The first words of the commands of a line.
pub(super) fn commands(line: &str) -> Vec<String> {
    let code = plain(&SHELL, line);
    let parts = code.split(['|', ';', '&', '(', ')', '{', '}']).map(first_command);
    // `>&2` is none.
    let is_command =
        |it: &&str| it.starts_with(|c: char| c.is_alphabetic() || matches!(c, ':' | '[' | '/' | '.'));
    parts.filter(is_command).map(str::to_owned).collect()
}

fn first_command(part: &str) -> &str {
    let mut words = part.split_whitespace().skip_while(|word| BEFORE.contains(word) || word.contains('='));
    words.next().unwrap_or_default().trim_matches(['"', '\''])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detectors::Evidence;

    const HEAD: &str = "#!/bin/bash\nset -euo pipefail\n";

    fn change(before: &str, after: &str) -> Change {
        let text = |it: &str| Some(format!("{HEAD}{it}\necho done\n"));
        Change { path: "bin/ship".to_owned(), before: text(before), after: text(after) }
    }

    #[test]
    fn a_script_that_only_says_what_it_would_do_is_told() {
        for (before, after, expected) in [
            ("rsync -a out/ $HOST:/srv", "echo \"would copy out/\"", Some(true)),
            ("aws s3 cp $f s3://b/", ": >\"$f.sent\"", Some(true)),
            ("rsync -a out/ $HOST:/srv", "scp -r out/ $HOST:/srv", None),
            ("echo start\ncurl -X POST $URL", "echo start", Some(false)),
            ("echo start", "echo begin", None),
        ] {
            let change = change(before, after);
            let case = Case::new(Evidence { changes: std::slice::from_ref(&change), elsewhere: &[] });
            let found = work_gone(&case, &change).map(|it| it.is_severe());
            assert_eq!(found, expected, "{before} -> {after}");
        }
    }

    #[test]
    fn a_failure_that_is_hidden_is_told() {
        for (before, after, expected) in [
            ("pg_dump $DB > $f", "pg_dump $DB > $f 2>/dev/null || true", true),
            ("rm -f $f.tmp", "rm -f $f.tmp || true", false),
            ("verify_seal $box", "verify_seal $box || :", true),
            ("show_seal $box", "show_seal $box || :", false),
            ("pg_dump $DB > $f", "pg_dump -Fc $DB > $f", false),
            ("pg_dump $DB > $f", "pg_dump $DB > $f || exit 3", false),
        ] {
            assert_eq!(failure_hidden(&change(before, after)).is_some(), expected, "{before} -> {after}");
        }
    }

    #[test]
    fn a_failure_in_a_library_of_functions_stops_the_script_that_takes_it_in() {
        let hidden = |head: &str| {
            let text = |step: &str| Some(format!("{head}keep() {{\n  local to=$1\n  {step}\n}}\n"));
            let (before, after) = (text("rsync -a out/ \"$to\""), text("rsync -a out/ \"$to\" || true"));
            failure_hidden(&Change { path: "lib/keep.sh".to_owned(), before, after }).is_some()
        };
        assert!(hidden("# shellcheck shell=bash\nKEEP=3\n"));
        assert!(!hidden("#!/bin/sh\n"), "whatever it says, the script goes on");
        assert!(!hidden("keep /srv/a\n"), "it is run by itself");
    }

    #[test]
    fn a_pattern_and_a_branch_of_a_script_are_read() {
        let eased = |before, after| pattern_eased(&change(before, after)).is_some();
        assert!(eased(
            "[[ $n =~ ^[1-9][0-9]*$ ]] || die \"N must be positive\"",
            "[[ $n =~ ^[0-9]+$ ]] || die \"N must be positive\""
        ));
        assert!(eased("[[ $tag =~ ^v[0-9]+$ ]] || exit 2", "[[ $tag =~ .* ]] || exit 2"));
        assert!(!eased("[[ $n =~ ^[0-9]+$ ]] || exit 2", "[[ $n =~ ^[1-9][0-9]*$ ]] || exit 2"));
        let asked = |after| test_asked(&change("run", after)).is_some();
        assert!(asked("if [ -n \"$BATS_TEST_NAME\" ]; then echo ok; fi\nrun"));
        assert!(!asked("if [ -n \"$DEBUG\" ]; then echo ok; fi\nrun"));
    }
}
