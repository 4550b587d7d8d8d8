//! Scala: its descriptor, and the walks and words that the descriptor names.

pub(crate) mod code;
pub(crate) mod lexicon;
pub(crate) mod refusing;
pub(crate) mod testing;

use crate::languages::descriptor::{
    CLASS_SUFFIXES, Descriptor, LanguageReader, Stems, TestFileRule, TestFiles,
};

/// What a file of tests names where neither its folder nor its name says so.
const FRAMEWORKS: &[&str] =
    &["org.scalatest", "munit", "org.specs2", "utest", "zio.test", "org.junit", "weaver"];

pub(crate) static DESCRIPTOR: Descriptor = Descriptor {
    extensions: &["scala"],
    reader: LanguageReader::Grammar { grammar: &testing::GRAMMAR, syntax: &code::SYNTAX },
    lexicon: &lexicon::LEXICON,
    refusing: &refusing::REFUSING,
    ends_lines: true,
    answers_by_last_line: true,
    test_files: TestFiles {
        extensions: &["scala"],
        names: &[],
        stems: &[
            Stems { extensions: &["scala"], prefixes: &[], suffixes: CLASS_SUFFIXES },
            Stems { extensions: &["scala"], prefixes: &[], suffixes: &["Suite"] },
        ],
        found_by_name: &[],
        collected: TestFileRule::InTestsOrNaming(FRAMEWORKS),
    },
    modules: None,
    specimens: &[
        "import org.scalatest.funsuite.AnyFunSuite\n\nclass CartSuite extends AnyFunSuite {\n  test(\"adds\") {\n    assert(add(1, 2) == 3)\n  }\n\n  test(\"drops\") {\n    drop(9) shouldBe 8\n  }\n}\n",
        "import org.scalatest.flatspec.AnyFlatSpec\n\nclass CartSpec extends AnyFlatSpec {\n  \"cart\" should \"add\" in {\n    %SLOT%\n    add(1, 2) shouldBe 3\n  }\n}\n",
    ],
};
