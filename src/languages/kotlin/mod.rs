//! Kotlin: its descriptor, and the walks and words that the descriptor names.

pub(crate) mod code;
mod data_tests;
pub(crate) mod lexicon;
pub(crate) mod refusing;
pub(crate) mod testing;

use crate::languages::descriptor::{
    CLASS_SUFFIXES, Descriptor, LanguageReader, Stems, TestFileRule, TestFiles,
};
use crate::languages::java;

pub(crate) static DESCRIPTOR: Descriptor = Descriptor {
    extensions: &["kt", "kts"],
    reader: LanguageReader::Grammar { grammar: &testing::GRAMMAR, syntax: &code::SYNTAX },
    lexicon: &lexicon::LEXICON,
    refusing: &refusing::REFUSING,
    ends_lines: true,
    answers_by_last_line: true,
    test_files: TestFiles {
        extensions: &["kt", "kts"],
        names: &[],
        stems: &[Stems { extensions: &["kt", "kts"], prefixes: &[], suffixes: CLASS_SUFFIXES }],
        found_by_name: &[],
        collected: TestFileRule::InTestsOrNaming(&["org.junit", "org.testng", "kotlin.test", "io.kotest"]),
    },
    modules: Some(java::modules::MODULES),
    specimens: &[
        "import org.junit.jupiter.api.Test\nimport kotlin.test.assertEquals\n\nclass CartTest {\n    @Test\n    fun adds() {\n        assertEquals(3, add(1, 2))\n    }\n\n    @Test\n    fun drops() {\n        assertThat(drop(9)).isEqualTo(8)\n    }\n}\n",
        "import org.junit.jupiter.api.Test\n\nclass CartTest {\n    @Test\n    fun adds() {\n        %SLOT%\n        assertEquals(3, add(1, 2))\n    }\n}\n",
    ],
};
