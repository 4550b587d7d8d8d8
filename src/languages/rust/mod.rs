//! Rust: its descriptor, and the walks and words that the descriptor names.

pub(crate) mod assertion;
pub(crate) mod code;
pub(crate) mod lexicon;
pub(crate) mod modules;
pub(crate) mod refusing;
pub(crate) mod testing;

use crate::languages::descriptor::{Descriptor, LanguageReader, Stems, TestFileRule, TestFiles};

pub(crate) static DESCRIPTOR: Descriptor = Descriptor {
    extensions: &["rs"],
    reader: LanguageReader::Grammar { grammar: &testing::GRAMMAR, syntax: &code::SYNTAX },
    lexicon: &lexicon::LEXICON,
    refusing: &refusing::REFUSING,
    ends_lines: false,
    answers_by_last_line: true,
    test_files: TestFiles {
        extensions: &["rs"],
        names: &["tests.rs", "test.rs"],
        stems: &[Stems {
            extensions: &["rs"],
            prefixes: &["test_", "test-"],
            suffixes: &["_test", "_tests", "_unittest"],
        }],
        found_by_name: &[],
        collected: TestFileRule::Everywhere,
    },
    modules: Some(modules::MODULES),
    specimens: &[
        "#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn sums() {\n        assert_eq!(add(1, 2), 3);\n        assert!(is_open());\n    }\n\n    #[tokio::test]\n    async fn waits() {\n        assert_eq!(wait().await, 4);\n    }\n}\n",
        "#[test]\nfn sums() {\n    assert_eq!(add(1, 2), 3);\n}\n\n#[test]\nfn drops() {\n    assert_ne!(drop(9), 9);\n}\n",
        "#[test]\nfn sums() {\n    %SLOT%\n    assert_eq!(add(1, 2), 3);\n}\n",
    ],
};
