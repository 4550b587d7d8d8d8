//! What Steadfast knows of a language: one value for each, in the `mod.rs` of the language's folder.
//!
//! Values and functions only: whoever asks finds the descriptor in the registry.

use crate::languages::code::{Code, Refusing, Syntax};
use crate::languages::lexer::Lexicon;
use crate::languages::modules::imports::Modules;
use crate::languages::testing::outline::Outline;
use crate::languages::testing::outline_builder::Grammar;

/// All that one language declares.
pub(crate) struct Descriptor {
    /// The extensions of its files.
    pub(crate) extensions: &'static [&'static str],
    /// How a text is read.
    pub(crate) reader: LanguageReader,
    /// The words that the lexer counts.
    pub(crate) lexicon: &'static Lexicon,
    /// How its code says no.
    pub(crate) refusing: &'static Refusing,
    /// Whether its grammar asks for a line break at the end: one whose scanner has no eye for the end of the text.
    pub(crate) ends_lines: bool,
    /// Whether the last line of a function can be its answer, without a word that says so.
    pub(crate) answers_by_last_line: bool,
    /// Which of its files hold tests.
    pub(crate) test_files: TestFiles,
    /// How its files import each other, where an import names the file that it means.
    pub(crate) modules: Option<Modules>,
    /// Typical files of tests, for an edit whose file can't be read. `%SLOT%` stands for a text of the edit's own.
    pub(crate) specimens: &'static [&'static str],
}

/// How the texts of a language are read.
pub(crate) enum LanguageReader {
    /// By the tree of a grammar.
    Grammar {
        /// The grammar, and how its tree says what a test is.
        grammar: &'static Grammar,
        /// How its tree says what code does.
        syntax: &'static Syntax,
    },
    /// By hand, where no grammar can be used.
    ByHand {
        /// Lists the tests.
        outline: fn(&str) -> Outline,
        /// Lists what the code does.
        code: for<'s> fn(&'s str) -> Code<'s>,
    },
}

/// Which files of a language hold tests, by their names and by where runners look.
pub(crate) struct TestFiles {
    /// Extensions of files that can hold tests.
    pub(crate) extensions: &'static [&'static str],
    /// Names of files that hold tests or steer them.
    pub(crate) names: &'static [&'static str],
    /// What the names of other test files start or end with.
    pub(crate) stems: &'static [Stems],
    /// Extensions of files that runners find by their names.
    pub(crate) found_by_name: &'static [&'static str],
    /// Where runners look for tests at all.
    pub(crate) collected: TestFileRule,
}

/// What a test file's stem starts or ends with, for the extensions that follow such a habit.
pub(crate) struct Stems {
    pub(crate) extensions: &'static [&'static str],
    pub(crate) prefixes: &'static [&'static str],
    pub(crate) suffixes: &'static [&'static str],
}

/// The suffixes of languages whose files are named after classes.
pub(crate) const CLASS_SUFFIXES: &[&str] = &["Test", "Tests", "Spec", "Specs", "IT", "TestCase"];

/// In which files of a language runners look for tests.
pub(crate) enum TestFileRule {
    /// In every file.
    Everywhere,
    /// In files whose path ends so.
    Ending(&'static str),
    /// In files that belong to tests by their path, and in those that name one of these frameworks.
    InTestsOrNaming(&'static [&'static str]),
    /// In files whose path ends so, and in those with the extension that belong to tests and have the text.
    EndingOrIn { ending: &'static str, extension: &'static str, naming: &'static str },
}
