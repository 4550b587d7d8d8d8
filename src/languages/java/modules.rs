//! How files of Java and Kotlin import a class by its full name, which is its path.

use crate::languages::modules::imports::{Asking, Import, Modules, imports_class, whole};

pub(crate) const MODULES: Modules = Modules::of_files(&["java", "kt"], &["scala", "groovy"], imports);

fn imports<'t>(asking: &Asking, text: &'t str) -> Vec<Import<'t>> {
    whole(text.lines().any(|line| imports_class(line, MODULES.stem(asking.module))))
}
