//! The one table of languages: each with its descriptor, and which extension belongs to which.
//!
//! What differs between languages stands in the descriptors. Tables that several languages share name words and kinds of
//! nodes; some detectors list by extension what only they ask for.

use crate::languages::code::Refusing;
use crate::languages::descriptor::Descriptor;
use crate::languages::{
    cpp, csharp, dart, elixir, go, java, javascript, kotlin, php, python, ruby, rust, scala, swift,
};

/// Makes the enum of languages and the way to their descriptors from one list.
macro_rules! languages {
    ($($(#[doc = $doc:literal])+ $name:ident => $descriptor:path,)+) => {
        /// A programming language that Steadfast can read.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Language {
            $($(#[doc = $doc])+ $name,)+
        }

        /// Every language.
        pub(crate) const ALL: &[Language] = &[$(Language::$name),+];

        impl Language {
            /// All that is known of the language.
            pub(crate) fn descriptor(self) -> &'static Descriptor {
                match self {
                    $(Language::$name => &$descriptor,)+
                }
            }
        }
    };
}

languages! {
    /// JavaScript, with JSX.
    JavaScript => javascript::JAVASCRIPT,
    /// TypeScript.
    TypeScript => javascript::TYPESCRIPT,
    /// TypeScript with JSX.
    Tsx => javascript::TSX,
    /// Python.
    Python => python::DESCRIPTOR,
    /// Rust.
    Rust => rust::DESCRIPTOR,
    /// Go.
    Go => go::DESCRIPTOR,
    /// Java.
    Java => java::DESCRIPTOR,
    /// C#.
    CSharp => csharp::DESCRIPTOR,
    /// PHP.
    Php => php::DESCRIPTOR,
    /// Kotlin.
    Kotlin => kotlin::DESCRIPTOR,
    /// C++, and C as far as it is the same.
    Cpp => cpp::DESCRIPTOR,
    /// Swift.
    Swift => swift::DESCRIPTOR,
    /// Elixir.
    Elixir => elixir::DESCRIPTOR,
    /// Ruby.
    Ruby => ruby::DESCRIPTOR,
    /// Scala.
    Scala => scala::DESCRIPTOR,
    /// Dart.
    Dart => dart::DESCRIPTOR,
}

impl Language {
    /// The language of a file, by its extension.
    pub fn of_path(path: &str) -> Option<Language> {
        let (stem, extension) = file_name(path).rsplit_once('.')?;
        // What a tool has packed is nobody's code to read.
        let is_packed = [".min", ".bundle", "-min"].iter().any(|end| stem.ends_with(end));
        if is_packed { None } else { Language::of_extension(extension) }
    }

    /// How its code says no.
    pub(crate) fn refusing(self) -> &'static Refusing {
        self.descriptor().refusing
    }

    /// Whether the last line of a function can be its answer.
    pub(crate) fn answers_by_last_line(self) -> bool {
        self.descriptor().answers_by_last_line
    }

    /// The language whose files have the extension.
    pub(crate) fn of_extension(extension: &str) -> Option<Language> {
        ALL.iter().copied().find(|language| language.descriptor().extensions.contains(&extension))
    }
}

/// The extensions of all languages.
pub(crate) fn extensions() -> impl Iterator<Item = &'static str> {
    ALL.iter().flat_map(|language| language.descriptor().extensions.iter().copied())
}

/// The last segment of a path.
pub fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn an_extension_belongs_to_one_language() {
        let mut seen = BTreeSet::new();
        for language in ALL {
            for extension in language.descriptor().extensions {
                assert!(seen.insert(extension), "{extension} stands twice");
                assert_eq!(Language::of_path(&format!("src/a.{extension}")), Some(*language));
            }
        }
    }

    #[test]
    fn a_test_file_has_an_extension_of_its_language() {
        for language in ALL {
            let descriptor = language.descriptor();
            let files = &descriptor.test_files;
            let known = |extension: &str| Language::of_extension(extension).is_some();
            let named = files.stems.iter().flat_map(|stems| stems.extensions);
            for extension in files.extensions.iter().chain(files.found_by_name).chain(named) {
                assert!(known(extension), "{language:?} {extension}");
                assert!(files.extensions.contains(extension), "{language:?} {extension}");
            }
            assert!(!descriptor.specimens.is_empty(), "{language:?} has no specimen");
        }
    }
}
