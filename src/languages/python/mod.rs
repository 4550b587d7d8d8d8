//! Python: its descriptor, and the walks and words that the descriptor names.

pub(crate) mod assertion;
pub(crate) mod code;
pub(crate) mod lexicon;
pub(crate) mod mark;
pub(crate) mod modules;
pub(crate) mod refusing;
pub(crate) mod suite;
pub(crate) mod testing;

use crate::languages::descriptor::{Descriptor, LanguageReader, Stems, TestFileRule, TestFiles};

pub(crate) static DESCRIPTOR: Descriptor = Descriptor {
    extensions: &["py", "pyi"],
    reader: LanguageReader::Grammar { grammar: &testing::GRAMMAR, syntax: &code::SYNTAX },
    lexicon: &lexicon::LEXICON,
    refusing: &refusing::REFUSING,
    ends_lines: false,
    answers_by_last_line: false,
    test_files: TestFiles {
        extensions: &["py"],
        names: &["conftest.py", "tests.py", "test.py"],
        stems: &[Stems { extensions: &["py"], prefixes: &["test_"], suffixes: &["_test", "_tests"] }],
        found_by_name: &["py"],
        collected: TestFileRule::InTestsOrNaming(&["import pytest", "unittest"]),
    },
    modules: Some(modules::MODULES),
    specimens: &[
        "import unittest\n\nimport pytest\n\n\ndef test_total():\n    assert total([3, 4]) == 7\n\n\ndef test_tax():\n    assert tax(100, 'DE') == 19\n    assert tax(0, 'DE') == 0\n\n\nclass TestCart(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n        self.assertTrue(is_open())\n",
        "def test_total():\n    %SLOT%\n    assert total([3, 4]) == 7\n",
        "%SLOT%\n    assert total([3, 4]) == 7\n",
    ],
};
