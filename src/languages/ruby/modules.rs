//! How files of Ruby require each other: by a path from their own folder, or below `lib`.

use crate::languages::modules::imports::{Asking, Import, Modules, quoted, resolved, whole};

pub(crate) const MODULES: Modules = Modules::of_files(&["rb"], &["rake", "ru"], imports);

fn imports<'t>(asking: &Asking, text: &'t str) -> Vec<Import<'t>> {
    let required = |line: &str| -> Option<bool> {
        let rest = line.trim_start().strip_prefix("require")?;
        let (_, name) = *quoted(rest, &['\'', '"']).first()?;
        let name = name.strip_suffix(".rb").unwrap_or(name);
        let stem = MODULES.stem(asking.module);
        Some(match rest.starts_with("_relative") {
            true => resolved(asking.folder(), name) == stem,
            // A name without a folder may be a library's.
            false => stem.rsplit_once("lib/").is_some_and(|(_, below)| below == name && below.contains('/')),
        })
    };
    whole(text.lines().any(|line| required(line) == Some(true)))
}
