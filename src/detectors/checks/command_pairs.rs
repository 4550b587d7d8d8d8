//! Which command took another's place, and what around a command hides that it failed.

use crate::detectors::checks::check_command::{is_check, is_nothing, words};
use crate::detectors::checks::successors::takes_over;
use crate::detectors::checks::weaker_command::weaker;

/// The program into which a check's output would go, so that its exit status is that program's. `None` where the shell
/// was told to fail with any part of a pipe, or where it was so before.
pub(super) fn piped(before: &str, after: &str, pipefail: bool) -> Option<String> {
    let into = |text: &str| {
        let bare = text.replace("||", "  ");
        let (head, rest) = bare.split_once('|')?;
        let program = rest.trim_start_matches('&').split_whitespace().next()?.to_owned();
        is_check(head).then_some(program)
    };
    if pipefail || after.contains("PIPESTATUS") || after.contains("pipefail") || into(before).is_some() {
        return None;
    }
    into(after).filter(|_| is_check(before))
}

/// Each check that is gone with the command that most likely stands in its place: of the same program, else sharing
/// most of its words.
pub(super) fn paired<'c>(lost: &[&'c str], gained: &[&'c str]) -> Vec<(&'c str, Option<&'c str>)> {
    let mut free: Vec<&str> = gained.to_vec();
    let shared = |old: &str, new: &str| {
        let (old, new) = (words(old), words(new));
        let same = old.iter().filter(|word| new.contains(word)).count();
        same * 2 + usize::from(old.first() == new.first())
    };
    let mut pairs = Vec::new();
    for old in lost {
        let best = free.iter().enumerate().max_by_key(|(_, new)| shared(old, new));
        let best = best.filter(|(_, new)| shared(old, new) > 1).map(|(at, _)| at);
        pairs.push((*old, best.map(|at| free.swap_remove(at))));
    }
    pairs
}

/// How a list of commands checks less than the one before: a check that is gone with none in its place, or one that is
/// weaker. The text names the check.
pub(super) fn weakened(lost: &[&str], gained: &[&str], pipefail: bool) -> Option<String> {
    let checks: Vec<&str> = lost.iter().copied().filter(|text| is_check(text)).collect();
    let pairs = paired(&checks, gained);
    for (old, new) in &pairs {
        let Some(new) = new else { continue };
        if let Some(how) = weaker(old, new) {
            return Some(format!("`{old}` {how}"));
        }
        if let Some(program) = piped(old, new, pipefail) {
            return Some(format!("`{old}` would end as `{program}` does, behind a pipe"));
        }
    }
    if let Some((old, flag)) = less_strict(lost, gained) {
        return Some(format!("`{old}` would be less strict (without `{flag}`)"));
    }
    let is_replaced = |text: &&&str| is_check(text) && !is_nothing(text);
    let new = gained.iter().filter(is_replaced).count();
    let is_missed = |old: &&str| !gained.iter().any(|new| takes_over(old, new));
    let (gone, _) = pairs.iter().find(|(old, new)| new.is_none_or(|it| !is_check(it)) && is_missed(old))?;
    (new < checks.len()).then(|| format!("`{gone}` would not be run any more"))
}

/// Flags that make a build fail on a warning.
pub(super) const STRICT_BUILDS: &[&str] =
    &["-warnaserror", "-Werror", "-D warnings", "-Dwarnings", "--warnings-as-errors"];

/// A build that would no longer fail on a warning, and the flag that made it.
fn less_strict<'c>(lost: &[&'c str], gained: &[&'c str]) -> Option<(&'c str, &'static str)> {
    paired(lost, gained).into_iter().find_map(|(old, new)| {
        let flag = STRICT_BUILDS
            .iter()
            .find(|flag| old.contains(**flag) && !new.is_some_and(|it| it.contains(**flag)))?;
        new.map(|_| (old, *flag))
    })
}

/// How the commands of a file are weaker, where no script of the project does now what they did.
pub(super) fn weakened_list(lost: &[String], gained: &[String], pipefail: bool) -> Option<String> {
    let (lost, gained): (Vec<&str>, Vec<&str>) =
        (lost.iter().map(String::as_str).collect(), gained.iter().map(String::as_str).collect());
    // What a script of the project does now, it does there.
    let is_handed_on = gained.iter().any(|it| {
        it.contains(".sh") || it.starts_with("make ") || it.starts_with("$(MAKE)") || it.contains("./")
    });
    let how = weakened(&lost, &gained, pipefail)?;
    (!is_handed_on || !how.ends_with("any more")).then_some(how)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_hides_what_its_first_part_says() {
        assert_eq!(piped("tox", "tox | tee out.log", false).as_deref(), Some("tee"));
        assert_eq!(piped("bundle exec rspec", "bundle exec rspec 2>&1 | cat", false).as_deref(), Some("cat"));
        for (before, after, pipefail) in [
            ("tox", "tox | tee out.log", true),
            ("tox", "set -o pipefail; tox | tee out.log", false),
            ("tox", "tox | tee out.log; exit ${PIPESTATUS[0]}", false),
            ("tox | tee a", "tox | tee b", false),
            ("ls", "ls | head", false),
            ("tox", "tox || exit 1", false),
        ] {
            assert_eq!(piped(before, after, pipefail), None, "{after}");
        }
    }

    #[test]
    fn a_check_is_gone_where_none_takes_its_place() {
        let vet = ["go vet ./...", "staticcheck ./..."];
        assert!(weakened(&vet, &["staticcheck ./..."], false).is_some());
        assert!(weakened(&["go vet ./..."], &[], false).is_some());
        assert!(weakened(&["flake8 ."], &["ruff check ."], false).is_none());
        assert!(weakened(&["echo done"], &[], false).is_none());
    }
}
