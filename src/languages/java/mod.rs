//! Java: its descriptor, and the walks and words that the descriptor names.

pub(crate) mod code;
pub(crate) mod lexicon;
pub(crate) mod modules;
pub(crate) mod refusing;
pub(crate) mod testing;

use crate::languages::descriptor::{
    CLASS_SUFFIXES, Descriptor, LanguageReader, Stems, TestFileRule, TestFiles,
};

pub(crate) static DESCRIPTOR: Descriptor = Descriptor {
    extensions: &["java"],
    reader: LanguageReader::Grammar { grammar: &testing::GRAMMAR, syntax: &code::SYNTAX },
    lexicon: &lexicon::LEXICON,
    refusing: &refusing::REFUSING,
    ends_lines: false,
    answers_by_last_line: false,
    test_files: TestFiles {
        extensions: &["java"],
        names: &[],
        stems: &[Stems { extensions: &["java"], prefixes: &[], suffixes: CLASS_SUFFIXES }],
        found_by_name: &[],
        collected: TestFileRule::InTestsOrNaming(&["org.junit", "org.testng"]),
    },
    modules: Some(modules::MODULES),
    specimens: &[
        "import org.junit.jupiter.api.Test;\nimport static org.junit.jupiter.api.Assertions.*;\n\nclass CartTest {\n    @Test\n    void adds() {\n        assertEquals(3, add(1, 2));\n    }\n\n    @Test\n    public void drops() {\n        assertTrue(drop(9));\n        assertThat(left()).isEqualTo(8);\n    }\n}\n",
        "import org.junit.jupiter.api.Test;\n\nclass CartTest {\n    @Test\n    void adds() {\n        %SLOT%\n        assertEquals(3, add(1, 2));\n    }\n}\n",
    ],
};
