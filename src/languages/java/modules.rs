//! How files of the Java machine import a class by its full name, which is its path.

use crate::languages::modules::imports::{Asking, Import, Modules, imports_class, nothing, whole};

pub(crate) const MODULES: Modules = Modules {
    endings: &["java", "kt"],
    importers: &["scala", "groovy"],
    for_folder: &[],
    by_folder: false,
    manifest: None,
    spelled: None,
    offered: nothing,
    imports,
};

fn imports<'t>(asking: &Asking, text: &'t str) -> Vec<Import<'t>> {
    whole(text.lines().any(|line| imports_class(line, MODULES.stem(asking.module))))
}
