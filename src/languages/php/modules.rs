//! How files of PHP use a class by its full name, or include a file by its path.

use crate::languages::modules::imports::{
    Import, ImportQuestion, Modules, ends_with, quoted, resolved, whole,
};

pub(crate) const MODULES: Modules = Modules::of_files(&["php"], &["phtml"], imports);

/// Folders below which a namespace begins.
const SOURCES: &[&str] = &["src", "app", "lib"];

fn imports<'t>(asking: &ImportQuestion, text: &'t str) -> Vec<Import<'t>> {
    let stem = MODULES.stem(asking.module);
    let used = |line: &str| {
        let name = line.trim_start().strip_prefix("use ").unwrap_or_default();
        let name =
            name.split([';', ' ']).next().unwrap_or_default().trim_start_matches('\\').replace('\\', "/");
        // The first word stands for a folder of the sources.
        let (_, below) = name.split_once('/').unwrap_or_default();
        let in_root = SOURCES.iter().any(|root| stem == format!("{root}/{below}"));
        !below.is_empty() && (in_root || below.contains('/') && ends_with(stem, below))
    };
    let is_included = |line: &str| {
        let is_include = ["require", "include"].iter().any(|word| line.trim_start().starts_with(word));
        let names = quoted(line, &['\'', '"']);
        is_include && names.iter().any(|(_, name)| resolved(asking.folder(), name) == asking.module)
    };
    whole(text.lines().any(|line| used(line) || is_included(line)))
}
