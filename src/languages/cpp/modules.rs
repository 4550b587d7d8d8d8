//! How files of C and C++ include a header: from their own folder, or below a folder of headers.

use crate::languages::modules::imports::{Import, ImportQuestion, Modules, ends_with, resolved, whole};

pub(crate) const MODULES: Modules =
    Modules::of_files(&["h", "hpp", "hh", "hxx"], &["c", "cc", "cpp", "cxx", "m", "mm"], imports);

fn imports<'t>(asking: &ImportQuestion, text: &'t str) -> Vec<Import<'t>> {
    let included = |line: &str| -> Option<bool> {
        let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?.trim();
        let name = rest.get(1..)?.split(['"', '>']).next()?;
        let beside = rest.starts_with('"') && resolved(asking.folder(), name) == asking.module;
        Some(beside || name.contains('/') && ends_with(asking.module, name.trim_start_matches("../")))
    };
    whole(text.lines().any(|line| included(line) == Some(true)))
}
