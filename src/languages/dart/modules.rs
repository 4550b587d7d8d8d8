//! How files of Dart import each other: by a path beside their own, or below `lib/` by the package's name.

use crate::languages::modules::imports::{Import, ImportQuestion, Modules, resolved, whole};

pub(crate) const MODULES: Modules =
    Modules { manifest: Some(("pubspec.yaml", "name:")), ..Modules::of_files(&["dart"], &[], imports) };

/// Words in front of the path of another file.
const DIRECTIVES: &[&str] = &["import ", "export ", "part ", "augment "];

fn imports<'t>(asking: &ImportQuestion, text: &'t str) -> Vec<Import<'t>> {
    let mut lines = text.lines().map(str::trim_start);
    whole(lines.any(|line| path(line).is_some_and(|path| means(asking, path))))
}

/// The path that a directive names.
fn path(line: &str) -> Option<&str> {
    let rest = DIRECTIVES.iter().find_map(|word| line.strip_prefix(word))?.trim_start();
    let rest = rest.strip_prefix("of ").unwrap_or(rest).trim_start();
    let quote = rest.chars().next().filter(|it| matches!(it, '\'' | '"'))?;
    rest.get(1..)?.split(quote).next()
}

/// Whether a path that a file names is the module's. A package is known by the manifest at the root, or else by the
/// folder around its `lib/`.
fn means(asking: &ImportQuestion, path: &str) -> bool {
    let Some((package, inside)) = path.strip_prefix("package:").and_then(|rest| rest.split_once('/')) else {
        return !path.contains(':') && resolved(asking.folder(), path) == asking.module;
    };
    let Some(above) = asking.module.strip_suffix(inside).and_then(|rest| rest.strip_suffix("lib/")) else {
        return false;
    };
    match above.trim_end_matches('/').rsplit('/').next() {
        Some("") | None => asking.project.is_empty() || asking.project == package,
        Some(folder) => folder == package,
    }
}
