//! How files of Go import the packages of their own project: by the folder, below the name in `go.mod`.

use crate::languages::modules::imports::{Asking, Import, Modules, ends_with, quoted, whole};

pub(crate) const MODULES: Modules = Modules {
    by_folder: true,
    manifest: Some(("go.mod", "module")),
    ..Modules::of_files(&["go"], &[], imports)
};

fn imports<'t>(asking: &Asking, text: &'t str) -> Vec<Import<'t>> {
    let stem = MODULES.stem(asking.module);
    let full = format!("{}/{stem}", asking.project);
    // Without the project's name only a path of several folders is sure to be its own.
    let means = |name: &str| match asking.project {
        "" => stem.contains('/') && ends_with(name, stem),
        _ => name == full,
    };
    let in_import = |at: usize| {
        let before = text.get(..at).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default().trim_start();
        !line.starts_with("//")
            && (line.starts_with("import")
                || before
                    .rfind("import (")
                    .is_some_and(|from| !before.get(from..).unwrap_or_default().contains(')')))
    };
    whole(!stem.is_empty() && quoted(text, &['"']).iter().any(|(at, name)| means(name) && in_import(*at)))
}
