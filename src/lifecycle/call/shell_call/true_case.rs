//! The name that a file of the guard really has, where the disk makes no difference between large and small letters.

use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

use crate::hosts::hook_files;

/// Names by which the guard, Claude Code's settings and the repository are known; those of other hosts' files come to them.
const KNOWN: &[&str] = &[
    ".aiwg",
    "ralph",
    ".claude",
    "settings.json",
    "settings.local.json",
    ".git",
    "aiwg.yml",
    "steadfast",
    "steadfast-hook",
];

/// A path in which each of those names is written as it is known, where the other spelling is the same file. A path
/// without such a name costs no look at the disk.
pub(in crate::lifecycle) fn true_case(path: PathBuf) -> PathBuf {
    let every = || KNOWN.iter().copied().chain(hook_files::names());
    let known = |name: &str| every().find(|known| known.eq_ignore_ascii_case(name) && *known != name);
    let is_suspect = |part: Component| part.as_os_str().to_str().is_some_and(|name| known(name).is_some());
    if !path.components().any(is_suspect) {
        return path;
    }
    let mut plain = PathBuf::new();
    for part in path.components() {
        let said = plain.join(part);
        plain = match part.as_os_str().to_str().and_then(known) {
            Some(name) if is_same(&said, &plain.join(name)) => plain.join(name),
            _ => said,
        };
    }
    plain
}

fn is_same(one: &Path, other: &Path) -> bool {
    let file = |path: &Path| path.symlink_metadata().ok().map(|found| (found.dev(), found.ino()));
    file(one).is_some_and(|one| file(other) == Some(one))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn only_another_spelling_of_the_same_file_is_changed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("aiwg.yml"), "a: 1").unwrap();
        // A second name of the file stands for a disk that has but one.
        fs::hard_link(at("aiwg.yml"), at("AIWG.yml")).unwrap();
        fs::create_dir(at(".claude")).unwrap();
        fs::create_dir(at(".CLAUDE")).unwrap();
        assert_eq!(true_case(at("AIWG.yml")), at("aiwg.yml"));
        assert_eq!(true_case(at(".CLAUDE/x")), at(".CLAUDE/x"), "another folder");
        assert_eq!(true_case(at("Aiwg.Yml")), at("Aiwg.Yml"), "not there");
        assert_eq!(true_case(at("src/A.ts")), at("src/A.ts"));
    }
}
