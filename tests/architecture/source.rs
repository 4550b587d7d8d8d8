//! The files of `src/`, with the part of each that ships and the modules that it names.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A file of `src/`.
pub(crate) struct Source {
    /// Where it is, below `src/`.
    pub path: PathBuf,
    /// Its whole text.
    pub text: String,
    /// The names of its module from the crate's root: `["state", "lock"]`.
    pub module: Vec<String>,
}

/// Every file of the library; the two programs' own files are left out.
pub(crate) fn all() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    collect(&root, &mut paths);
    paths
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            let path = path.strip_prefix(&root).unwrap().to_owned();
            Source { module: module(&path), path, text }
        })
        .filter(|source| source.module.first().is_none_or(|room| room != "bin"))
        .collect()
}

fn collect(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

fn module(path: &Path) -> Vec<String> {
    let path = path.with_extension("");
    let mut names: Vec<String> =
        path.components().map(|part| part.as_os_str().to_str().unwrap().to_owned()).collect();
    if names.last().is_some_and(|name| name == "mod" || name == "lib") {
        names.pop();
    }
    names
}

impl Source {
    /// The room: the first folder or file below `src/`.
    pub(crate) fn room(&self) -> &str {
        self.module.first().map_or("lib", String::as_str)
    }

    /// Whether it is a table of cases or tests in a file of its own.
    pub(crate) fn is_test(&self) -> bool {
        let is_test_name = |name: &String| {
            name == "tests" || name == "cases" || name.ends_with("_tests") || name.ends_with("_cases")
        };
        self.module.iter().skip(1).any(is_test_name)
    }

    /// Its text without the tests at its end.
    pub(crate) fn shipped_text(&self) -> &str {
        self.text.split("#[cfg(test)]\nmod ").next().unwrap_or_default()
    }

    /// The shipped lines without comments, and without attributes' own lines.
    pub(crate) fn code(&self) -> String {
        let lines = self.shipped_text().lines().filter(|line| !line.trim_start().starts_with("//"));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Every path of the crate that the code names, from the crate's root.
    pub(crate) fn named(&self) -> BTreeSet<Vec<String>> {
        let mut paths = BTreeSet::new();
        let mut code = self.code();
        while let Some((start, end)) = next_use(&code) {
            expand(code[start + 4..end].trim(), &mut Vec::new(), &mut |path| {
                paths.extend(self.rooted(&path));
            });
            code.replace_range(start..end, "");
        }
        for root in ["crate::", "super::"] {
            for (at, _) in code.match_indices(root) {
                let path = code[at..].split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).next();
                let path: Vec<String> = path.unwrap_or_default().split("::").map(str::to_owned).collect();
                paths.extend(self.rooted(&path));
            }
        }
        paths
    }

    fn rooted(&self, path: &[String]) -> Option<Vec<String>> {
        let ups = path.iter().take_while(|name| *name == "super").count();
        let mut names = match path.first()?.as_str() {
            "crate" => Vec::new(),
            "super" => self.module[..self.module.len().checked_sub(ups)?].to_vec(),
            "self" => self.module.clone(),
            _ => [self.module.as_slice(), &path[..1]].concat(),
        };
        names.extend(path.iter().skip(ups.max(1)).cloned());
        Some(names)
    }
}

/// Where the next `use …;` begins and ends.
fn next_use(code: &str) -> Option<(usize, usize)> {
    let is_start = |at: usize| {
        let line = code[..at].rsplit('\n').next().unwrap_or_default().trim();
        line.is_empty() || line.starts_with("pub")
    };
    let start = code.match_indices("use ").map(|(at, _)| at).find(|at| is_start(*at))?;
    Some((start, start + code[start..].find(';')?))
}

/// The paths of a `use` tree.
fn expand(tree: &str, prefix: &mut Vec<String>, add: &mut dyn FnMut(Vec<String>)) {
    let before = prefix.len();
    if let Some((head, rest)) = tree.split_once('{') {
        prefix.extend(head.trim().trim_end_matches("::").split("::").map(|name| name.trim().to_owned()));
        for part in parts(rest.trim_end().strip_suffix('}').unwrap_or(rest)) {
            expand(part.trim(), prefix, add);
        }
    } else if !tree.is_empty() {
        let path = tree.split(" as ").next().unwrap_or(tree);
        let names =
            path.split("::").map(|name| name.trim().to_owned()).filter(|name| name != "self" || before == 0);
        add([prefix.as_slice(), &names.collect::<Vec<_>>()].concat());
    }
    prefix.truncate(before);
}

/// What stands between the commas of a list that may hold lists.
fn parts(list: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (at, sign) in list.char_indices() {
        match sign {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                found.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(&list[start..]);
    found
}

#[test]
fn paths_are_read() {
    let source = Source {
        path: PathBuf::from("state/lock.rs"),
        text: "//! Locks.\nuse super::{audit, layout::{Layout, paths as p}};\nuse std::fs;\n\
               pub(crate) use crate::model::event::Event;\nfn f() { crate::project::open(); }\n\
               #[cfg(test)]\nmod tests { use crate::cli; }\n"
            .to_owned(),
        module: vec!["state".to_owned(), "lock".to_owned()],
    };
    let named: Vec<String> = source.named().iter().map(|path| path.join("::")).collect();
    assert_eq!(
        named,
        [
            "model::event::Event",
            "project::open",
            "state::audit",
            "state::layout::Layout",
            "state::layout::paths",
            "state::lock::std::fs"
        ]
    );
}
