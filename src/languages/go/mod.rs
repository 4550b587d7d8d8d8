//! Go: its descriptor, and the walks and words that the descriptor names.

pub(crate) mod assertion;
pub(crate) mod claims;
pub(crate) mod code;
pub(crate) mod lexicon;
pub(crate) mod modules;
pub(crate) mod refusing;
pub(crate) mod testing;

use crate::languages::descriptor::{Descriptor, LanguageReader, Stems, TestFileRule, TestFiles};

pub(crate) static DESCRIPTOR: Descriptor = Descriptor {
    extensions: &["go"],
    reader: LanguageReader::Grammar { grammar: &testing::GRAMMAR, syntax: &code::SYNTAX },
    lexicon: &lexicon::LEXICON,
    refusing: &refusing::REFUSING,
    ends_lines: false,
    answers_by_last_line: false,
    test_files: TestFiles {
        extensions: &["go"],
        names: &["test.go"],
        stems: &[Stems { extensions: &["go"], prefixes: &[], suffixes: &["_test", "_tests"] }],
        found_by_name: &["go"],
        collected: TestFileRule::Ending("_test.go"),
    },
    modules: Some(modules::MODULES),
    specimens: &[
        "package shop\n\nimport \"testing\"\n\nfunc TestTotal(t *testing.T) {\n\tif got := Total(3, 4); got != 7 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n\nfunc TestTax(t *testing.T) {\n\tif Tax(100) != 19 {\n\t\tt.Fatal(\"tax\")\n\t}\n\tif Tax(0) != 0 {\n\t\tt.Error(\"none\")\n\t}\n\tif Tax(1) != 1 {\n\t\tt.Fatalf(\"one %d\", 1)\n\t}\n}\n",
        "package shop\n\nimport (\n\t\"testing\"\n\n\t\"github.com/stretchr/testify/assert\"\n\t\"github.com/stretchr/testify/require\"\n)\n\nfunc TestTotal(t *testing.T) {\n\tassert.Equal(t, 7, Total(3, 4))\n\trequire.NoError(t, Open())\n}\n",
        "package shop\n\nfunc TestTotal(t *testing.T) {\n\t%SLOT%\n\tassert.Equal(t, 7, Total(3, 4))\n}\n",
    ],
};
