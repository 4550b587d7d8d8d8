//! Tests in C++: GoogleTest, Catch2, doctest and Boost.Test; and those of plain C.
//!
//! A macro before a block makes a test. The grammar knows no macros, so that their calls stand beside their blocks.

use tree_sitter::Node;

use crate::languages::assertions::calls;
use crate::languages::assertions::calls::{AssertionWords, call};
use crate::languages::cpp::plain_tests::{is_named_as_test, is_run, takes_nothing};
use crate::languages::cpp::words::{PAIRS, SECTIONS, SINGLES, TITLED};
use crate::languages::testing::methods::dead_branch;
use crate::languages::testing::outline::{Skip, SkipCondition, Test};
use crate::languages::testing::outline_builder::{DEEPEST, Grammar, OutlineBuilder, Suite, Title};
use crate::languages::testing::skip_condition::constant;
use crate::languages::testing::steps;
use crate::languages::testing::steps::{Skipping, statements};
use crate::languages::tree::{each_node, has_else, parts};

/// Calls that skip, and such as end a test of plain C as passed.
const SKIPS: &[(&str, Skipping)] = &[
    ("GTEST_SKIP", Skipping::Always),
    ("GTEST_SKIP_", Skipping::Always),
    ("SKIP", Skipping::Always),
    ("TEST_IGNORE", Skipping::Always),
    ("TEST_IGNORE_MESSAGE", Skipping::Always),
    ("TEST_PASS", Skipping::Always),
    ("TEST_PASS_MESSAGE", Skipping::Always),
    ("CU_PASS_FATAL", Skipping::Always),
    ("cr_skip", Skipping::Always),
    ("cr_skip_test", Skipping::Always),
    ("g_test_skip", Skipping::Always),
];

const ASSERTING: AssertionWords = AssertionWords {
    names: &[
        "EXPECT",
        "ASSERT",
        "REQUIRE",
        "CHECK",
        "FAIL",
        "FAIL_CHECK",
        "SUCCEED",
        "ADD_FAILURE",
        "STATIC_REQUIRE",
        "STATIC_CHECK",
        "BOOST_CHECK",
        "BOOST_REQUIRE",
        "BOOST_TEST",
        "BOOST_ERROR",
        "CHECKED_IF",
        "assert",
        "static_assert",
        "TEST_ASSERT",
        "CU_ASSERT",
        "ck_assert",
        "g_assert",
        "mu_assert",
        "munit_assert",
        "cr_assert",
        "verify",
        "expect",
        "check",
    ],
    receivers: &["Assert", "Approvals"],
};

pub(crate) static GRAMMAR: Grammar = Grammar {
    parser: || tree_sitter_cpp::LANGUAGE.into(),
    walk: |sketch, root| items(sketch, root, 0),
    assertion: |node, source| calls::assertion(node, source, &ASSERTING),
    claim: crate::languages::assertions::chains::of_node,
    asserting: &["call_expression"],
    loops: &["for_statement", "for_range_loop", "while_statement", "do_statement"],
};

/// The call of a macro, and the block behind it.
struct MacroBlock<'t> {
    head: Node<'t>,
    body: Node<'t>,
    depth: usize,
}

fn items(sketch: &mut OutlineBuilder, list: Node, depth: usize) {
    if depth > DEEPEST {
        return;
    }
    let inside = parts(list);
    for (at, item) in inside.iter().enumerate() {
        let block = inside.get(at + 1).filter(|it| it.kind() == "compound_statement").copied();
        match item.kind() {
            "function_definition" => function(sketch, *item, depth),
            "expression_statement" | "ERROR" | "call_expression" => {
                if let Some(body) = block {
                    titled(sketch, &MacroBlock { head: *item, body, depth });
                }
            }
            "preproc_if" | "preproc_elif" => match dead_branch(sketch, *item) {
                Some(Some(alternative)) => items(sketch, alternative, depth + 1),
                Some(None) => {}
                None => items(sketch, *item, depth + 1),
            },
            "if_statement" => {
                let condition =
                    item.child_by_field_name("condition").map(|it| sketch.text(it)).unwrap_or_default();
                if constant(condition) == Some(false) && !has_else(*item) {
                    sketch.dead(*item, format!("stand inside `if {condition}`"));
                } else {
                    items(sketch, *item, depth + 1);
                }
            }
            "class_specifier"
            | "struct_specifier"
            | "field_declaration_list"
            | "template_declaration"
            | "namespace_definition"
            | "declaration_list"
            | "linkage_specification"
            | "preproc_ifdef"
            | "preproc_else"
            | "for_statement"
            | "for_range_loop"
            | "while_statement"
            | "declaration"
            | "labeled_statement" => items(sketch, *item, depth + 1),
            // The block of a head that has been taken already is walked there.
            "compound_statement" if !is_taken(sketch, *item) => items(sketch, *item, depth + 1),
            _ => {}
        }
    }
}

fn is_taken(sketch: &OutlineBuilder, block: Node) -> bool {
    sketch
        .outline
        .tests
        .iter()
        .rev()
        .take(64)
        .any(|test| test.span.end == block.end_byte() && test.span.start < block.start_byte())
}

/// `TEST(Suite, Case) { ... }` looks like a function without a type.
fn function(sketch: &mut OutlineBuilder, item: Node, depth: usize) {
    let (Some(declarator), Some(body)) =
        (item.child_by_field_name("declarator"), item.child_by_field_name("body"))
    else {
        return;
    };
    let Some(name) = declarator.child_by_field_name("declarator") else { return };
    let parameters = declarator.child_by_field_name("parameters").map(parts).unwrap_or_default();
    // A macro on a line of its own is taken for the type.
    let is_macro =
        |it: Node| sketch.text(it).chars().all(|c| c.is_ascii_uppercase() || c == '_' || c.is_ascii_digit());
    let has_type = item.child_by_field_name("type").is_some_and(|it| !is_macro(it));
    let written = sketch.text(name);
    let (suite, case) = match parameters[..] {
        [suite, case] if PAIRS.contains(&written) && !has_type => (Some(suite), case),
        [case, ..] if SINGLES.contains(&written) && !has_type => (None, case),
        _ => {
            let is_test = has_type
                && is_named_as_test(written)
                && takes_nothing(&parameters, sketch.source)
                && is_run(written, sketch.source);
            if !is_test {
                return sketch.stray(written, item);
            }
            let title = Title { text: written.to_owned(), span: name.byte_range() };
            return test_over(sketch, &MacroBlock { head: item, body, depth }, title, None);
        }
    };
    paired(sketch, &MacroBlock { head: item, body, depth }, suite, case);
}

/// A test that is named by its suite and its case.
fn paired(sketch: &mut OutlineBuilder, headed: &MacroBlock, suite: Option<Node>, case: Node) {
    let suite_name = suite.map(|it| sketch.text(it)).unwrap_or_default();
    let written = sketch.text(case);
    let disabled = |name: &str, suite| {
        name.starts_with("DISABLED_").then(|| Skip {
            mark: name.to_owned(),
            when: SkipCondition::Always,
            suite,
        })
    };
    let skip = disabled(suite_name, true).or_else(|| disabled(written, false));
    let name = suite_name.trim_start_matches("DISABLED_").to_owned();
    let title = Title { text: written.trim_start_matches("DISABLED_").to_owned(), span: case.byte_range() };
    let suite = Suite { name, ..Suite::default() };
    sketch.within(suite, |sketch| test_over(sketch, headed, title, skip));
}

/// `TEST_CASE("title", "[tags]") { ... }` is a call beside a block.
fn titled(sketch: &mut OutlineBuilder, headed: &MacroBlock) {
    let item = headed.head;
    let node = if item.kind() == "call_expression" {
        Some(item)
    } else {
        parts(item).into_iter().find(|it| it.kind() == "call_expression")
    };
    let Some(head) = node.and_then(|it| call(it, sketch.source)) else { return };
    // A case that is named like a keyword makes a call of the head.
    if PAIRS.contains(&head.name)
        && let [suite, case] = head.arguments[..]
    {
        return paired(sketch, headed, Some(suite), case);
    }
    if !TITLED.contains(&head.name) && !SECTIONS.contains(&head.name) {
        return;
    }
    let (title, skip) = title_and_skip(sketch, &head);
    test_over(sketch, headed, title, skip);
}

/// What the arguments of a head say: the title in the first string, and a mark in a later one or in a decorator.
fn title_and_skip(sketch: &OutlineBuilder, head: &calls::CallParts) -> (Title, Option<Skip>) {
    let mut strings = Vec::new();
    let mut marks = Vec::new();
    for argument in &head.arguments {
        each_node(*argument, &mut |node| {
            match node.kind() {
                "string_literal" => strings.push(node),
                "call_expression" => marks.extend(call(node, sketch.source).map(|it| it.name)),
                _ => {}
            }
            true
        });
    }
    let bare = |node: &Node| sketch.text(*node).trim_matches('"').to_owned();
    let title = strings
        .first()
        .map(|first| Title { text: bare(first), span: first.byte_range() })
        .unwrap_or_default();
    let hiding =
        strings.iter().skip(1).map(bare).find(|tags| {
            ["[.", "[!hide]", "[!mayfail]", "[!shouldfail]"].iter().any(|tag| tags.contains(tag))
        });
    let decorator = marks.into_iter().find(|name| matches!(*name, "skip" | "may_fail" | "should_fail"));
    let mark = hiding.or_else(|| decorator.map(|name| format!("{name}()")));
    (title, mark.map(Skip::always))
}

fn test_over(sketch: &mut OutlineBuilder, headed: &MacroBlock, title: Title, skip: Option<Skip>) {
    let MacroBlock { head, body, depth } = *headed;
    let skipped =
        skip.or_else(|| sketch.gate(&statements(body), |sketch, node| steps::step(sketch, node, SKIPS)));
    let span = head.start_byte()..body.end_byte();
    let test = Test { title: title.text, skipped, span, title_span: title.span, ..Test::default() };
    sketch.add_around(test, head, |sketch| items(sketch, body, depth + 1));
}

#[cfg(test)]
mod tests {
    use crate::languages::cases::{Case, check, names};

    const TWO: &str = "#include <gtest/gtest.h>\n\nnamespace shop {\n\nTEST(Cart, Adds) {\n  EXPECT_EQ(Add(1, 2), 3);\n}\n\nTEST_F(CartTest, Drops) {\n  ASSERT_TRUE(Drop(9) == 8);\n}\n\n}  // namespace shop\n";
    const ONE: &str = "TEST(Cart, Adds) {\n  EXPECT_EQ(Add(1, 2), 3);\n}\n";
    const CATCH: &str = "#include <catch2/catch_test_macros.hpp>\n\nTEST_CASE(\"adds\", \"[cart]\") {\n  REQUIRE(Add(1, 2) == 3);\n  SECTION(\"negatives\") {\n    CHECK(Add(-4, 7) == 3);\n  }\n  SECTION(\"zero\") {\n    CHECK(Add(0, 5) == 5);\n  }\n}\n";

    const CASES: &[Case] = &[
        (
            "one deleted",
            TWO,
            "namespace shop {\n\nTEST(Cart, Adds) {\n  EXPECT_EQ(Add(1, 2), 3);\n}\n\n}\n",
            &["CartTest > Drops: Lost"],
        ),
        (
            "commented out",
            ONE,
            "// TEST(Cart, Adds) {\n//   EXPECT_EQ(Add(1, 2), 3);\n// }\n",
            &["Cart > Adds: CommentedOut"],
        ),
        (
            "switched off by the preprocessor",
            ONE,
            "#if 0\nTEST(Cart, Adds) {\n  EXPECT_EQ(Add(1, 2), 3);\n}\n#endif\n",
            &["Cart > Adds: Dead"],
        ),
        (
            "made a function",
            ONE,
            "static void CartAdds() {\n  EXPECT_EQ(Add(1, 2), 3);\n}\n",
            &["Cart > Adds: Uncollected CartAdds"],
        ),
        (
            "disabled by its name",
            ONE,
            "TEST(Cart, DISABLED_Adds) {\n  EXPECT_EQ(Add(1, 2), 3);\n}\n",
            &["Cart > Adds: Always"],
        ),
        (
            "suite disabled",
            ONE,
            "TEST(DISABLED_Cart, Adds) {\n  EXPECT_EQ(Add(1, 2), 3);\n}\n",
            &["Cart > Adds: Always suite"],
        ),
        (
            "skipped by a call",
            ONE,
            "TEST(Cart, Adds) {\n  GTEST_SKIP() << \"flaky\";\n  EXPECT_EQ(Add(1, 2), 3);\n}\n",
            &["Cart > Adds: Always"],
        ),
        (
            "early return",
            ONE,
            "TEST(Cart, Adds) {\n  return;\n  EXPECT_EQ(Add(1, 2), 3);\n}\n",
            &["Cart > Adds: Always"],
        ),
        (
            "left out in CI",
            ONE,
            "TEST(Cart, Adds) {\n  if (getenv(\"CI\")) return;\n  EXPECT_EQ(Add(1, 2), 3);\n}\n",
            &["Cart > Adds: InCi"],
        ),
        (
            "trivial",
            ONE,
            "TEST(Cart, Adds) {\n  Add(1, 2);\n  EXPECT_TRUE(true);\n}\n",
            &["Cart > Adds: Trivial"],
        ),
        ("emptied", ONE, "TEST(Cart, Adds) {\n}\n", &["Cart > Adds: Silent"]),
        (
            "hidden by a tag",
            CATCH,
            "TEST_CASE(\"adds\", \"[.][cart]\") {\n  REQUIRE(Add(1, 2) == 3);\n  SECTION(\"negatives\") {\n    CHECK(Add(-4, 7) == 3);\n  }\n  SECTION(\"zero\") {\n    CHECK(Add(0, 5) == 5);\n  }\n}\n",
            &["adds > negatives: Always suite", "adds > zero: Always suite"],
        ),
        (
            "doctest's decorator",
            "TEST_CASE(\"adds\") {\n  CHECK(Add(1, 2) == 3);\n}\n",
            "TEST_CASE(\"adds\" * doctest::skip()) {\n  CHECK(Add(1, 2) == 3);\n}\n",
            &["adds: Always"],
        ),
        (
            "section deleted",
            CATCH,
            "TEST_CASE(\"adds\", \"[cart]\") {\n  REQUIRE(Add(1, 2) == 3);\n  SECTION(\"zero\") {\n    CHECK(Add(0, 5) == 5);\n  }\n}\n",
            &["adds > negatives: Lost"],
        ),
        (
            "conditional compilation for a platform",
            ONE,
            "#ifdef __linux__\nTEST(Cart, Adds) {\n  EXPECT_EQ(Add(1, 2), 3);\n}\n#endif\n",
            &[],
        ),
        (
            "to another framework",
            TWO,
            "TEST_CASE(\"adds\") {\n  REQUIRE(Add(1, 2) == 3);\n}\n\nTEST_CASE(\"drops\") {\n  REQUIRE(Drop(9) == 8);\n}\n",
            &[],
        ),
        (
            "merged into a table",
            "TEST(Width, Short) {\n  EXPECT_EQ(2u, Width(\"ab\"));\n}\nTEST(Width, Long) {\n  EXPECT_EQ(8u, Width(\"abcdefgh\"));\n}\n",
            "TEST(Width, All) {\n  const Case cases[] = {{\"ab\", 2}, {\"abcdefgh\", 8}};\n  for (const auto& c : cases) {\n    EXPECT_EQ(c.size, Width(c.text));\n  }\n}\n",
            &[],
        ),
        (
            "moved into the fixture",
            "TEST_F(CartTest, Adds) {\n  Open(1);\n  ASSERT_EQ(Add(1, 2), 3);\n  Close(7);\n}\n",
            "class CartTest : public testing::Test {\n public:\n  void Check() {\n    Open(1);\n    ASSERT_EQ(Add(1, 2), 3);\n    Close(7);\n  }\n};\nTEST_F(CartTest, First) {\n  Mode(true);\n  Check();\n}\nTEST_F(CartTest, Second) {\n  Mode(false);\n  Check();\n}\n",
            &[],
        ),
    ];

    #[test]
    fn changes_of_tests_are_told_apart() {
        check("cart_test.cc", CASES);
    }

    #[test]
    fn tests_have_stable_names() {
        let source = "namespace a {\nTEST(B, C) { EXPECT_EQ(1'000, f()); }\nTEST_P(D, E) {}\nvoid helper() { CHECK(1); }\nTEST_CASE(\"g\") {\n  SECTION(\"h\") { SECTION(\"i\") { CHECK(f()); } }\n}\nSCENARIO(\"j\") { GIVEN(\"k\") { WHEN(\"l\") { THEN(\"m\") { REQUIRE(x); } } } }\nBOOST_AUTO_TEST_CASE(n) { BOOST_CHECK(f()); }\n}\nconst char* s = R\"(\nTEST(O, P) {}\n)\"; // TEST(Q, R) {}\n#define TEST(S, T) void f()\n";
        assert_eq!(names("a_test.cc", source), ["B > C", "D > E", "g > h > i", "j > k > l > m", "n"]);
    }
}
