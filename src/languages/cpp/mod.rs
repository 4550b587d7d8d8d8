//! C++, and C as far as it is the same: its descriptor, and the walks and words that the descriptor names.

pub(crate) mod code;
pub(crate) mod lexicon;
pub(crate) mod modules;
pub(crate) mod plain_tests;
pub(crate) mod refusing;
pub(crate) mod testing;
pub(crate) mod words;

use crate::languages::descriptor::{
    CLASS_SUFFIXES, Descriptor, LanguageReader, Stems, TestFileRule, TestFiles,
};

pub(crate) static DESCRIPTOR: Descriptor = Descriptor {
    extensions: &["cpp", "cc", "cxx", "c", "h", "hpp", "hh", "hxx", "inl"],
    reader: LanguageReader::Grammar { grammar: &testing::GRAMMAR, syntax: &code::SYNTAX },
    lexicon: &lexicon::LEXICON,
    refusing: &refusing::REFUSING,
    ends_lines: false,
    answers_by_last_line: false,
    test_files: TestFiles {
        extensions: &["cpp", "cc", "cxx", "c", "h", "hpp"],
        names: &[],
        stems: &[
            Stems {
                extensions: &["c", "cc", "cpp", "cxx"],
                prefixes: &["test_", "test-"],
                suffixes: &["_test", "_tests", "_unittest"],
            },
            Stems { extensions: &["cpp", "cc"], prefixes: &[], suffixes: CLASS_SUFFIXES },
        ],
        found_by_name: &[],
        collected: TestFileRule::InTestsOrNaming(&["gtest", "catch2", "catch.hpp", "doctest", "boost/test"]),
    },
    modules: Some(modules::MODULES),
    specimens: &[
        "#include <gtest/gtest.h>\n\nTEST(Cart, Adds) {\n  EXPECT_EQ(3, Add(1, 2));\n}\n\nTEST_F(CartTest, Drops) {\n  ASSERT_EQ(8, Drop(9));\n  ASSERT_TRUE(IsOpen());\n}\n",
        "#include <catch2/catch.hpp>\n\nTEST_CASE(\"adds\") {\n  REQUIRE(add(1, 2) == 3);\n}\n\nTEST_CASE(\"drops\", \"[cart]\") {\n  CHECK(drop(9) == 8);\n}\n",
        "#include <cassert>\n\nTEST(Cart, Holds) {\n  assert(add(1, 2) == 3);\n}\n",
        "TEST(Cart, Adds) {\n  %SLOT%\n  EXPECT_EQ(3, Add(1, 2));\n}\n",
    ],
};
