//! Tests in Kotlin: JUnit, TestNG, kotlin.test and kotest.
//!
//! A function is a test by its annotation, a call by its head or, in a spec of strings, by the string that it begins
//! with.

use tree_sitter::Node;

use crate::languages::assertions::calls;
use crate::languages::assertions::calls::chain;
use crate::languages::java::testing::{ASSERTING, HOOKS, SKIPS, TESTS, skip_mark, traits};
use crate::languages::kotlin::data_tests::{holds_heads, of_rows};
use crate::languages::testing::methods::{Annotation, Member, MethodRole, MethodSyntax, members};
use crate::languages::testing::outline::{Skip, Test};
use crate::languages::testing::outline_builder::{Grammar, OutlineBuilder, Suite};
use crate::languages::testing::skip_condition::{constant, when_not};
use crate::languages::testing::steps;
use crate::languages::testing::steps::statements;
use crate::languages::tree::{has_else, parts, text};

/// kotest's heads of tests and of what they stand in. An `x` before a head skips.
pub(super) const SPECS: &[&str] = &["test", "it", "should", "expect", "then", "scenario", "Then"];

const CONTAINERS: &[&str] =
    &["context", "describe", "given", "when", "feature", "and", "Given", "When", "And", "withData"];

pub(crate) static GRAMMAR: Grammar = Grammar {
    parser: || tree_sitter_kotlin_ng::LANGUAGE.into(),
    walk: |sketch, root| members(sketch, root, None, &DIALECT, 0),
    assertion: |node, source| match is_head(node, source) {
        true => None,
        false => calls::assertion(node, source, &ASSERTING),
    },
    claim: crate::languages::assertions::chains::of_node,
    asserting: &["call_expression", "infix_expression", "binary_expression"],
    loops: &["for_statement", "while_statement", "do_while_statement"],
};

static DIALECT: MethodSyntax = MethodSyntax {
    holders: &[
        "class_body",
        "companion_object",
        "delegation_specifiers",
        "delegation_specifier",
        "constructor_invocation",
        "value_arguments",
        "value_argument",
        "lambda_literal",
        "annotated_lambda",
        "anonymous_initializer",
        "block",
        "for_statement",
    ],
    classes: &["class_declaration", "object_declaration"],
    methods: &["function_declaration"],
    marks,
    role,
    suite: |sketch, class| {
        class.marks.iter().filter_map(|mark| skip_mark(sketch, mark)).min_by_key(|it| it.when)
    },
    statements: body,
    step: |sketch, node| steps::step(sketch, node, SKIPS),
    other,
};

fn marks<'t>(node: Node<'t>, source: &'t str) -> Vec<Annotation<'t>> {
    let Some(modifiers) = parts(node).into_iter().find(|it| it.kind() == "modifiers") else {
        return Vec::new();
    };
    let annotations = parts(modifiers).into_iter().filter(|it| it.kind() == "annotation");
    annotations.filter_map(|node| annotation(node, source)).collect()
}

fn annotation<'t>(node: Node<'t>, source: &'t str) -> Option<Annotation<'t>> {
    let inner = parts(node).into_iter().find(|it| it.kind() != "use_site_target")?;
    let (name, list) = match inner.kind() {
        "constructor_invocation" => (inner.named_child(0)?, parts(inner).into_iter().nth(1)),
        _ => (inner, None),
    };
    let argument = |it: Node<'t>| match parts(it)[..] {
        [key, value] => (text(key, source), value),
        [value] => ("", value),
        _ => ("", it),
    };
    let arguments = list.map(parts).unwrap_or_default().into_iter().map(argument).collect();
    Some(Annotation { name: text(name, source), arguments, node })
}

fn role(sketch: &OutlineBuilder, method: &Member) -> MethodRole {
    let name = sketch.text(method.name);
    if method.has(HOOKS) || method.has(&["BeforeTest"]) || name == "setUp" {
        return MethodRole::Hook;
    }
    let base =
        method.class.and_then(|it| parts(it).into_iter().find(|it| it.kind() == "delegation_specifiers"));
    let is_named = name.starts_with("test") && base.is_some_and(|it| sketch.text(it).contains("TestCase"));
    let modifiers = parts(method.node).into_iter().find(|it| it.kind() == "modifiers");
    let is_hidden =
        modifiers.map(parts).unwrap_or_default().into_iter().any(|it| sketch.text(it) == "private");
    if is_hidden || method.body.is_none() || !(method.has(TESTS) || is_named) {
        return MethodRole::Other;
    }
    MethodRole::Test(traits(sketch, method))
}

/// The statements of a body, also inside of the call that runs them: `= runTest { ... }`.
fn body(node: Node) -> Vec<Node> {
    let found = statements(node);
    match found[..] {
        [only] if only.kind() == "call_expression" => match lambda(only) {
            Some(lambda) => parts(lambda),
            None => found,
        },
        _ => found,
    }
}

fn lambda(call: Node) -> Option<Node> {
    let last = parts(call).last().copied().filter(|it| it.kind() == "annotated_lambda")?;
    parts(last).last().copied().filter(|it| it.kind() == "lambda_literal")
}

/// kotest's calls, and branches that are never taken.
fn other(sketch: &mut OutlineBuilder, node: Node, depth: usize) -> bool {
    match node.kind() {
        "if_expression" => {
            let condition =
                node.child_by_field_name("condition").map(|it| sketch.text(it)).unwrap_or_default();
            if constant(condition) == Some(false) && !has_else(node) {
                sketch.dead(node, format!("stand inside `if ({condition})`"));
            } else {
                members(sketch, node, None, &DIALECT, depth + 1);
            }
            true
        }
        "call_expression" => kotest(sketch, node, depth),
        // `"a cart" should { ... }`, `"a cart" - { ... }`.
        "infix_expression" | "additive_expression" | "binary_expression" => {
            let (first, last) = (node.named_child(0), parts(node).last().copied());
            if let (Some(first), Some(last)) = (first, last)
                && first.kind() == "string_literal"
                && matches!(last.kind(), "lambda_literal" | "annotated_lambda")
            {
                let name = sketch.text(first).trim_matches('"').to_owned();
                sketch.suites.push(Suite { name, ..Suite::default() });
                members(sketch, last, None, &DIALECT, depth + 1);
                sketch.suites.pop();
            }
            true
        }
        _ => false,
    }
}

fn kotest(sketch: &mut OutlineBuilder, node: Node, depth: usize) -> bool {
    let Some(lambda) = lambda(node) else { return false };
    let links = chain(node, sketch.source);
    let Some(head) = links.last().filter(|it| it.receiver.is_none_or(|it| it.kind() == "string_literal"))
    else {
        return false;
    };
    let name = head.name.trim_matches('`');
    let plain =
        name.strip_prefix('x').filter(|it| SPECS.contains(it) || CONTAINERS.contains(it)).unwrap_or(name);
    let first = if name.starts_with('"') {
        node_of_string(node)
    } else {
        head.receiver.or(head.arguments.first().copied())
    };
    if plain == "withData" && !holds_heads(lambda, sketch.source, &[SPECS, CONTAINERS]) {
        let skipped = sketch.gate(&parts(lambda), DIALECT.step);
        of_rows(sketch, node, &head.arguments, skipped);
        return true;
    }
    let Some(first) = first.filter(|it| it.kind() == "string_literal") else {
        members(sketch, lambda, None, &DIALECT, depth + 1);
        return true;
    };
    let written = sketch.text(first).trim_matches('"');
    let title = written.trim_start_matches('!').trim_start_matches("f:").to_owned();
    let skipped = if plain != name {
        Some(Skip::always(name))
    } else if written.starts_with('!') {
        Some(Skip::always(format!("\"{written}\"")))
    } else {
        links.iter().filter(|link| link.name == "config").find_map(|link| switched(sketch, link))
    };
    let focused = written.starts_with("f:").then(|| format!("\"{written}\""));
    if CONTAINERS.contains(&plain) {
        sketch.suites.push(Suite { name: title, skip: skipped, focus: focused });
        members(sketch, lambda, None, &DIALECT, depth + 1);
        sketch.suites.pop();
    } else if SPECS.contains(&plain) || name.starts_with('"') || head.receiver.is_some() {
        let skipped = skipped.or_else(|| sketch.gate(&parts(lambda), DIALECT.step));
        let span = node.byte_range();
        sketch.add(
            Test { title, skipped, focused, span, title_span: first.byte_range(), ..Test::default() },
            node,
        );
    }
    true
}

/// Whether a call or words in a row are the head of a test or of a suite, which asserts nothing: `should("add") { … }`,
/// `"a cart" should { … }`.
fn is_head(node: Node, source: &str) -> bool {
    if node.kind() != "call_expression" {
        let (first, last) = (node.named_child(0), parts(node).last().copied());
        return first.is_some_and(|it| it.kind() == "string_literal")
            && last.is_some_and(|it| matches!(it.kind(), "lambda_literal" | "annotated_lambda"));
    }
    // The call with its title stands within the one that has the block.
    let has_block = |it: Node| it.kind() == "call_expression" && lambda(it).is_some();
    let head = || chain(node, source).pop();
    (has_block(node) || node.parent().is_some_and(has_block))
        && head().is_some_and(|it| {
            let title = it.arguments.first().map(|value| value.kind());
            SPECS.contains(&it.name.trim_start_matches('x')) && title == Some("string_literal")
        })
}

/// The string that a call begins with: `"adds" { ... }`.
fn node_of_string(call: Node) -> Option<Node> {
    let mut node = call;
    for _ in 0..4 {
        node = node.named_child(0)?;
        if node.kind() == "string_literal" {
            return Some(node);
        }
    }
    None
}

/// `config(enabled = false)`, `config(enabledIf = { System.getenv("SLOW") != null })`.
fn switched(sketch: &OutlineBuilder, config: &calls::CallParts) -> Option<Skip> {
    config.arguments.iter().find_map(|value| {
        let name = value.prev_named_sibling().map(|it| sketch.text(it));
        let name = name.filter(|it| matches!(*it, "enabled" | "enabledIf"))?;
        let condition = sketch.text(*value).trim_matches(['{', '}']).trim();
        let mark = format!("{name} = {condition}");
        Some(Skip { mark, when: when_not(condition)?, suite: false })
    })
}

#[cfg(test)]
mod tests {
    use crate::languages::cases::{Case, check, names};

    const TWO: &str = "package shop\n\nimport org.junit.jupiter.api.Test\n\nclass CartTest {\n  @Test\n  fun adds() {\n    assertEquals(3, add(1, 2))\n  }\n\n  @Test\n  fun `drops one`() = runTest {\n    assertThat(drop(9)).isEqualTo(8)\n  }\n}\n";
    const ONE: &str = "class CartTest {\n  @Test\n  fun adds() {\n    assertEquals(3, add(1, 2))\n  }\n}\n";
    const SPEC: &str = "class CartSpec : FunSpec({\n  test(\"adds\") {\n    add(1, 2) shouldBe 3\n  }\n  context(\"dropping\") {\n    test(\"drops\") {\n      drop(9) shouldBe 8\n    }\n  }\n})\n";

    const CASES: &[Case] = &[
        ("one deleted", TWO, ONE, &["CartTest > drops one: Lost"]),
        (
            "commented out",
            ONE,
            "class CartTest {\n  // @Test\n  // fun adds() {\n  //   assertEquals(3, add(1, 2))\n  // }\n}\n",
            &["CartTest > adds: CommentedOut"],
        ),
        (
            "annotation removed",
            ONE,
            "class CartTest {\n  fun adds() {\n    assertEquals(3, add(1, 2))\n  }\n}\n",
            &["CartTest > adds: Uncollected adds"],
        ),
        (
            "made private",
            ONE,
            "class CartTest {\n  @Test\n  private fun adds() {\n    assertEquals(3, add(1, 2))\n  }\n}\n",
            &["CartTest > adds: Uncollected adds"],
        ),
        (
            "disabled",
            ONE,
            "class CartTest {\n  @Test\n  @Disabled(\"flaky\")\n  fun adds() {\n    assertEquals(3, add(1, 2))\n  }\n}\n",
            &["CartTest > adds: Always"],
        ),
        (
            "class ignored",
            ONE,
            "@Ignore\nclass CartTest {\n  @Test\n  fun adds() {\n    assertEquals(3, add(1, 2))\n  }\n}\n",
            &["CartTest > adds: Always suite"],
        ),
        (
            "set-up that skips",
            ONE,
            "class CartTest {\n  @BeforeEach\n  fun prepare() {\n    assumeTrue(false)\n  }\n  @Test\n  fun adds() {\n    assertEquals(3, add(1, 2))\n  }\n}\n",
            &["CartTest > adds: Always suite"],
        ),
        (
            "left out in CI",
            ONE,
            "class CartTest {\n  @Test\n  fun adds() {\n    if (System.getenv(\"CI\") != null) return\n    assertEquals(3, add(1, 2))\n  }\n}\n",
            &["CartTest > adds: InCi"],
        ),
        (
            "dead branch",
            ONE,
            "class CartTest {\n  @Test\n  fun adds() {\n    if (false) {\n      assertEquals(3, add(1, 2))\n    }\n  }\n}\n",
            &["CartTest > adds: Silent"],
        ),
        (
            "trivial",
            ONE,
            "class CartTest {\n  @Test\n  fun adds() {\n    assertTrue(true)\n  }\n}\n",
            &["CartTest > adds: Trivial"],
        ),
        (
            "kotest's x",
            SPEC,
            "class CartSpec : FunSpec({\n  xtest(\"adds\") {\n    add(1, 2) shouldBe 3\n  }\n  context(\"dropping\") {\n    test(\"drops\") {\n      drop(9) shouldBe 8\n    }\n  }\n})\n",
            &["CartSpec > adds: Always"],
        ),
        (
            "kotest's bang, and a suite switched off",
            SPEC,
            "class CartSpec : FunSpec({\n  test(\"!adds\") {\n    add(1, 2) shouldBe 3\n  }\n  context(\"dropping\").config(enabled = false) {\n    test(\"drops\") {\n      drop(9) shouldBe 8\n    }\n  }\n})\n",
            &["CartSpec > adds: Always", "CartSpec > dropping > drops: Always suite"],
        ),
        (
            "kotest's focus",
            SPEC,
            "class CartSpec : FunSpec({\n  test(\"f:adds\") {\n    add(1, 2) shouldBe 3\n  }\n  context(\"dropping\") {\n    test(\"drops\") {\n      drop(9) shouldBe 8\n    }\n  }\n})\n",
            &["CartSpec > dropping > drops: Unfocused"],
        ),
        (
            "kotest's test deleted",
            SPEC,
            "class CartSpec : FunSpec({\n  test(\"adds\") {\n    add(1, 2) shouldBe 3\n  }\n})\n",
            &["CartSpec > dropping > drops: Lost"],
        ),
        (
            "an assertion that goes from kotest's specs of should",
            "class CartSpec : ShouldSpec({\n  should(\"add\") {\n    add(1, 2) shouldBe 3\n  }\n})\n",
            "class CartSpec : ShouldSpec({\n  should(\"add\") {\n    add(1, 2)\n  }\n})\n",
            &["CartSpec > add: Silent"],
        ),
        (
            "an assertion that goes from kotest's specs of strings",
            "class CartSpec : StringSpec({\n  \"adds\" {\n    add(1, 2) shouldBe 3\n  }\n})\n",
            "class CartSpec : StringSpec({\n  \"adds\" {\n    add(1, 2)\n  }\n})\n",
            &["CartSpec > adds: Silent"],
        ),
        (
            "an if with an else",
            ONE,
            "class CartTest {\n  @Test\n  fun adds() {\n    if (false) {\n      log()\n    } else {\n      assertEquals(3, add(1, 2))\n    }\n  }\n}\n",
            &[],
        ),
        (
            "to kotest",
            TWO,
            "class CartTest : FunSpec({\n  test(\"adds\") {\n    add(1, 2) shouldBe 3\n  }\n  test(\"drops one\") {\n    drop(9) shouldBe 8\n  }\n})\n",
            &[],
        ),
        (
            "renamed",
            TWO,
            "class BasketTest {\n  @Test fun sumsUp() {\n    assertEquals(3, add(1, 2))\n  }\n\n  @Test fun takesAway() = runTest {\n    assertThat(drop(9)).isEqualTo(8)\n  }\n}\n",
            &[],
        ),
    ];

    #[test]
    fn changes_of_tests_are_told_apart() {
        check("CartTest.kt", CASES);
    }

    #[test]
    fn tests_have_stable_names() {
        let source = "class A : TestCase() {\n  @Test fun b() {}\n  fun testC() {}\n  @Nested inner class D { @Test fun `e f`() {} }\n  fun helper() {}\n  @Before fun g() {}\n}\nclass S : StringSpec() {\n  init {\n    \"h\" { f() }\n    \"i\" should { \"j\" { f() } }\n    given(\"k\") { `when`(\"l\") { then(\"m\") { f() } } }\n    listOf(1).forEach { test(\"n $it\") { f() } }\n  }\n}\n";
        let expected =
            ["A > b", "A > testC", "A > D > e f", "S > h", "S > i > j", "S > k > l > m", "S > n $it"];
        assert_eq!(names("ATest.kt", source), expected);
    }
}
