//! How files of Rust name a module of their own crate: where it is declared, and by its path.

use crate::languages::modules::imports::{Asking, Import, Modules, folder, whole};

pub(crate) const MODULES: Modules =
    Modules { for_folder: &["mod"], ..Modules::of_files(&["rs"], &[], imports) };

/// The folder of a file's crate, and the module's path in it.
fn in_crate(stem: &str) -> Option<(&str, &str)> {
    stem.strip_prefix("src/").map(|path| ("", path)).or_else(|| stem.rsplit_once("/src/"))
}

/// Whether a path stands in a text, and not as a part of another.
fn has_path(text: &str, path: &str) -> bool {
    text.match_indices(path).any(|(at, _)| {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + path.len()..).and_then(|after| after.chars().next());
        !before.is_some_and(|c| is_part(c) || c == ':') && !after.is_some_and(is_part)
    })
}

fn imports<'t>(asking: &Asking, text: &'t str) -> Vec<Import<'t>> {
    let stem = MODULES.stem(asking.module);
    let Some((parent, name)) = stem.rsplit_once('/') else { return Vec::new() };
    if ["lib", "main"].contains(&name) {
        return Vec::new();
    }
    let is_parent = MODULES.stem(asking.path) == parent
        || asking.folder() == parent
            && ["/lib.rs", "/main.rs"].iter().any(|root| asking.path.ends_with(root));
    let declares = |line: &str| {
        let words = line.trim().strip_suffix(';').unwrap_or_default();
        words
            .rsplit_once("mod ")
            .is_some_and(|(before, of)| of == name && (before.is_empty() || before.starts_with("pub")))
    };
    if is_parent && text.lines().any(declares) {
        return whole(true);
    }
    let Some((krate, path)) = in_crate(stem) else { return Vec::new() };
    let is_own = in_crate(MODULES.stem(asking.path)).is_some_and(|(own, _)| own == krate);
    let by_path = is_own && has_path(text, &format!("crate::{}", path.replace('/', "::")));
    let beside = folder(MODULES.stem(asking.path)) == parent && has_path(text, &format!("super::{name}"));
    whole(by_path || beside)
}
