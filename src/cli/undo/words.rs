//! What a call did, in words: files by name, and what git's own files stand for.

use std::collections::BTreeMap;
use std::path::Path;

use super::shown::path_text;
use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::node::Node;
use crate::model::finding::counted;

/// So many names are shown of what a call did in one way; more are counted.
const NAMED: usize = 2;
/// What git's own files in its folder stand for; others are named as they are.
const OWN: [(&str, &str); 6] = [
    ("HEAD", "HEAD"),
    ("index", "what is staged"),
    ("packed-refs", "packed references"),
    ("config", "git's configuration"),
    ("refs/stash", "the stash"),
    ("logs/refs/stash", "the stash"),
];
/// The folders of references, and what one in it is.
const REFERENCES: [(&str, &str); 3] =
    [("refs/heads/", "branch "), ("refs/tags/", "tag "), ("refs/remotes/", "remote branch ")];

/// What a path is to a person: a file's name, or what git's own file stands for. `None` for what only git keeps for
/// itself: its logs, its notes, and folders of its own.
pub(super) fn thing(path: &Path) -> Option<String> {
    let text = path_text(path);
    let (place, own) = match text.rsplit_once(".git/") {
        Some((place, own)) => (place.trim_end_matches('/'), own),
        None if text == ".git" || text.ends_with("/.git") => return None,
        None => return Some(text),
    };
    let place = if place.is_empty() { String::new() } else { format!(" of {place}") };
    let (module, own) = of_module(own);
    let known = OWN.iter().find(|(name, _)| *name == own).map(|(_, word)| (*word).to_owned());
    let reference =
        || REFERENCES.iter().find_map(|(folder, word)| Some(format!("{word}{}", own.strip_prefix(folder)?)));
    let objects = || own.starts_with("objects/").then(|| "git's objects".to_owned());
    Some(format!("{}{module}{place}", known.or_else(reference).or_else(objects)?))
}

/// The submodule or working tree that a file of git's own is about, in words, and the rest of its name.
fn of_module(own: &str) -> (String, &str) {
    for (folder, word) in [("modules/", "submodule"), ("worktrees/", "working tree")] {
        let Some((name, rest)) = own.strip_prefix(folder).and_then(|own| own.split_once('/')) else {
            continue;
        };
        return (format!(" of {word} {name}"), rest);
    }
    (String::new(), own)
}

/// What a call did: "deleted src/a.rs, created src/b.rs"; nothing where that is not known.
pub(super) fn done(manifest: &Manifest) -> Option<String> {
    let after = manifest.after.as_ref()?;
    let kept: BTreeMap<&Path, &Node> = (manifest.entries.iter())
        .filter(|entry| !entry.implied)
        .map(|entry| (entry.path.as_path(), &entry.node))
        .collect();
    let mut changed: Vec<String> = Vec::new();
    let mut deleted: Vec<String> = Vec::new();
    let mut created: Vec<String> = Vec::new();
    for entry in &after.changed {
        let before = kept.get(entry.path.as_path()).copied().unwrap_or(&Node::Absent);
        // A folder comes and goes with what is in it.
        if before.is_directory() || (*before == Node::Absent && entry.node.is_directory()) {
            continue;
        }
        let Some(thing) = thing(&entry.path) else { continue };
        let list = match (before, &entry.node) {
            (Node::Absent, _) => &mut created,
            (_, Node::Absent) => &mut deleted,
            _ => &mut changed,
        };
        if !list.contains(&thing) {
            list.push(thing);
        }
    }
    let parts = [("changed", changed), ("deleted", deleted), ("created", created)];
    let parts: Vec<String> = parts.iter().filter_map(|(verb, things)| part(verb, things)).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn part(verb: &str, things: &[String]) -> Option<String> {
    match things {
        [] => None,
        few if few.len() <= NAMED => Some(format!("{verb} {}", few.join(" and "))),
        [first, rest @ ..] => Some(format!("{verb} {first} and {}", counted(rest.len(), "other"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gits_own_files_are_what_they_stand_for() {
        let cases = [
            ("src/a.rs", Some("src/a.rs")),
            (".git/HEAD", Some("HEAD")),
            (".git/index", Some("what is staged")),
            (".git/refs/heads/feature/x", Some("branch feature/x")),
            (".git/logs/refs/stash", Some("the stash")),
            ("nested/.git/refs/tags/v1", Some("tag v1 of nested")),
            (".git/modules/lib/HEAD", Some("HEAD of submodule lib")),
            (".git/worktrees/wt/index", Some("what is staged of working tree wt")),
            (".git/logs/HEAD", None),
            (".git/COMMIT_EDITMSG", None),
            (".git", None),
            ("a.git", Some("a.git")),
        ];
        for (path, expected) in cases {
            assert_eq!(thing(Path::new(path)).as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn many_things_are_counted() {
        let things: Vec<String> = ["a", "b", "c"].map(str::to_owned).to_vec();
        assert_eq!(part("deleted", &things[..2]).as_deref(), Some("deleted a and b"));
        assert_eq!(part("deleted", &things).as_deref(), Some("deleted a and 2 others"));
    }
}
