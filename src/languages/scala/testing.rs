//! Tests in Scala: ScalaTest in its styles, munit, specs2 and JUnit.
//!
//! A call is a test by its head, a chain of words by the word in front of its block, a method by its annotation.

use tree_sitter::Node;

use crate::languages::assertions::calls;
use crate::languages::assertions::calls::AssertionWords;
use crate::languages::java::testing::{HOOKS, SKIPS, TESTS, skip_mark, traits};
use crate::languages::testing::methods::{Annotation, Member, MethodRole, MethodSyntax, members};
use crate::languages::testing::outline::{Skip, Test};
use crate::languages::testing::outline_builder::{DEEPEST, Grammar, OutlineBuilder, OutlineStep, Suite};
use crate::languages::testing::skip_condition::constant;
use crate::languages::testing::steps;
use crate::languages::testing::steps::{Skipping, statements};
use crate::languages::tree::{has_else, parts, text};

/// Calls that begin a test with its title.
pub(super) const SPECS: &[&str] =
    &["test", "it", "they", "ignore", "scenario", "Scenario", "property", "testAsync", "pureTest"];
/// Calls that tests stand in.
const CONTAINERS: &[&str] = &["describe", "context", "feature", "Feature", "suite"];
/// Words in front of the block of a test.
pub(super) const ENDS: &[&str] = &["in", "ignore", "is"];
/// Words in front of a block that holds tests.
const OPENS: &[&str] = &["should", "must", "can", "when", "which", "that", "-", ">>"];
/// What a test is instead of a body, where it does not run.
const PENDING: &[&str] = &["pending", "(pending)", "pendingUntilFixed"];

/// Calls that skip.
const CANCELS: &[(&str, Skipping)] = &[
    ("cancel", Skipping::Always),
    ("pending", Skipping::Always),
    ("skipped", Skipping::Always),
    ("assume", Skipping::Unless),
];

const ASSERTING: AssertionWords = AssertionWords {
    names: &[
        "assert",
        "verify",
        "expect",
        "fail",
        "check",
        "ensure",
        "should",
        "must",
        "intercept",
        "forAll",
        "the",
    ],
    receivers: &["Assert", "Assertions"],
};

pub(crate) static GRAMMAR: Grammar = Grammar {
    parser: || tree_sitter_scala::LANGUAGE.into(),
    walk: |sketch, root| members(sketch, root, None, &DIALECT, 0),
    assertion: |node, source| match is_title(node, source) {
        true => None,
        false => calls::assertion(node, source, &ASSERTING),
    },
    claim: crate::languages::assertions::chains::of_node,
    asserting: &["call_expression", "infix_expression"],
    loops: &["for_expression", "while_expression", "do_while_expression"],
};

static DIALECT: MethodSyntax = MethodSyntax {
    holders: &["template_body", "block", "indented_block", "for_expression", "package_clause"],
    classes: &["class_definition", "object_definition", "trait_definition"],
    methods: &["function_definition"],
    marks,
    role,
    suite: |sketch, class| {
        let hidden = class.marks.iter().find(|it| it.last() == "DoNotDiscover");
        let hidden = hidden.map(|it| Skip { suite: true, ..Skip::always(sketch.text(it.node)) });
        class.marks.iter().filter_map(|mark| skip_mark(sketch, mark)).min_by_key(|it| it.when).or(hidden)
    },
    statements,
    step,
    other,
};

fn marks<'t>(node: Node<'t>, source: &'t str) -> Vec<Annotation<'t>> {
    let all = parts(node).into_iter().filter(|it| it.kind() == "annotation");
    let mark = |it: Node<'t>| {
        let arguments = it.child_by_field_name("arguments").map(parts).unwrap_or_default();
        let name = text(it.child_by_field_name("name")?, source);
        Some(Annotation { name, arguments: arguments.into_iter().map(|it| ("", it)).collect(), node: it })
    };
    all.filter_map(mark).collect()
}

fn role(sketch: &OutlineBuilder, method: &Member) -> MethodRole {
    let name = sketch.text(method.name);
    if method.has(HOOKS) || matches!(name, "beforeEach" | "setUp" | "beforeAll") {
        return MethodRole::Hook;
    }
    let modifiers = parts(method.node).into_iter().find(|it| it.kind() == "modifiers");
    let is_hidden = modifiers.is_some_and(|it| sketch.text(it).contains("private"));
    if is_hidden || method.body.is_none() || !method.has(TESTS) {
        return MethodRole::Other;
    }
    MethodRole::Test(traits(sketch, method))
}

fn step(sketch: &OutlineBuilder, node: Node) -> OutlineStep {
    if node.kind() == "identifier" && PENDING.contains(&sketch.text(node)) {
        return OutlineStep::Skip("pending".to_owned());
    }
    match steps::step(sketch, node, CANCELS) {
        OutlineStep::Other => steps::step(sketch, node, SKIPS),
        found => found,
    }
}

/// Tests that are calls or chains of words, and branches that are never taken.
fn other(sketch: &mut OutlineBuilder, node: Node, depth: usize) -> bool {
    if depth > DEEPEST {
        return true;
    }
    match node.kind() {
        "if_expression" => {
            let condition =
                node.child_by_field_name("condition").map(|it| sketch.text(it)).unwrap_or_default();
            if constant(condition) == Some(false) && !has_else(node) {
                sketch.dead(node, format!("stand inside `if {condition}`"));
            } else {
                members(sketch, node, None, &DIALECT, depth + 1);
            }
            true
        }
        "call_expression" => called(sketch, node, depth),
        "infix_expression" => worded(sketch, node, depth),
        _ => false,
    }
}

/// `test("adds") { … }`, `describe("cart") { … }`, `rows.foreach { row => … }`.
fn called(sketch: &mut OutlineBuilder, node: Node, depth: usize) -> bool {
    let Some(block) = node.child_by_field_name("arguments") else { return false };
    let Some(head) = node.child_by_field_name("function") else { return false };
    let named = (head.kind() == "call_expression").then(|| head.child_by_field_name("function")).flatten();
    // A fixture of munit has tests of its own: `store.test("adds") { store => … }`.
    let of_fixture =
        |it: Node| it.child_by_field_name("field").map(|it| sketch.text(it)).filter(|it| *it == "test");
    let named = named.and_then(|it| match it.kind() {
        "identifier" => Some(sketch.text(it)),
        "field_expression" => of_fixture(it),
        _ => None,
    });
    let Some(name) = named else {
        // What stands in a loop over rows.
        if matches!(block.kind(), "block" | "case_block" | "indented_block") {
            let inside =
                parts(block).into_iter().find(|it| matches!(it.kind(), "lambda_expression" | "case_clause"));
            let last = match inside {
                // `{ case (row, due) => … }`: what it does stands in the clause itself.
                Some(clause) if clause.kind() == "case_clause" => clause,
                Some(lambda) => parts(lambda).last().copied().unwrap_or(block),
                None => block,
            };
            members(sketch, last, None, &DIALECT, depth + 1);
        }
        return true;
    };
    let title = head.child_by_field_name("arguments").and_then(|it| parts(it).first().copied());
    let Some(title) = title else { return true };
    // `test("x".ignore)` of munit.
    let mark = (title.kind() == "field_expression").then(|| title.child_by_field_name("field")).flatten();
    let mark = mark.map(|it| sketch.text(it)).unwrap_or_default();
    let written = title.child_by_field_name("value").filter(|_| !mark.is_empty()).unwrap_or(title);
    if CONTAINERS.contains(&name) {
        let name = sketch.text(written).trim_matches('"').to_owned();
        sketch.within(Suite { name, ..Suite::default() }, |it| members(it, block, None, &DIALECT, depth + 1));
    } else if SPECS.contains(&name) {
        let skipped = match (name, mark) {
            ("ignore", _) => Some(Skip::always("ignore")),
            (_, "ignore" | "pending") => Some(Skip::always(format!(".{mark}"))),
            _ => None,
        };
        let focused = (mark == "only").then(|| ".only".to_owned());
        let skipped = skipped.or_else(|| gate(sketch, block));
        let inverted = (mark == "fail").then(|| ".fail".to_owned());
        let title = sketch.text(written).trim_matches('"').to_owned();
        let spans = (node.byte_range(), written.byte_range());
        let test =
            Test { title, skipped, focused, inverted, span: spans.0, title_span: spans.1, ..Test::default() };
        sketch.add(test, node);
    } else {
        members(sketch, block, None, &DIALECT, depth + 1);
    }
    true
}

/// `"cart" should "add" in { … }`, `it should "add" in { … }`, `"cart" when { … }`.
fn worded(sketch: &mut OutlineBuilder, node: Node, depth: usize) -> bool {
    let field = |name| node.child_by_field_name(name);
    let (Some(left), Some(word), Some(right)) = (field("left"), field("operator"), field("right")) else {
        return false;
    };
    let word = sketch.text(word);
    let title = title(sketch, left, 0);
    if title.is_empty() || !sketch.text(left).contains('"') {
        return false;
    }
    let is_block = matches!(right.kind(), "block" | "indented_block");
    if OPENS.contains(&word) && is_block {
        sketch.within(Suite { name: title, ..Suite::default() }, |it| {
            members(it, right, None, &DIALECT, depth + 1);
        });
        return true;
    }
    if !ENDS.contains(&word) {
        return false;
    }
    let skipped = if word == "ignore" || sketch.text(left).starts_with("ignore ") {
        Some(Skip::always("ignore"))
    } else if PENDING.contains(&sketch.text(right)) {
        Some(Skip::always("pending"))
    } else {
        gate(sketch, right)
    };
    let (span, title_span) = (node.byte_range(), left.byte_range());
    sketch.add(Test { title, skipped, span, title_span, ..Test::default() }, node);
    true
}

/// Whether words in a row are the head of a test or of a suite, which asserts nothing: `"run" should { … }`,
/// `it should "add" in { … }`, and the words in front of such a block.
fn is_title(node: Node, source: &str) -> bool {
    let field = |name| node.child_by_field_name(name);
    let (Some(left), Some(word), Some(right)) = (field("left"), field("operator"), field("right")) else {
        return false;
    };
    let said = text(left, source);
    let is_named = said.starts_with('"') || matches!(said.split(' ').next(), Some("it" | "they" | "ignore"));
    let is_head = [OPENS, ENDS].iter().any(|words| words.contains(&text(word, source)));
    is_named && is_head && matches!(right.kind(), "block" | "indented_block" | "string" | "infix_expression")
}

/// What is said in front of a block, without who ignores it and what it is tagged with.
fn title(sketch: &OutlineBuilder, node: Node, depth: usize) -> String {
    let field = |name| node.child_by_field_name(name);
    match (node.kind(), field("left"), field("operator"), field("right")) {
        ("infix_expression", Some(left), Some(word), Some(right)) if depth < 8 => {
            let said = title(sketch, left, depth + 1);
            match sketch.text(word) {
                "taggedAs" => said,
                word => format!("{said} {word} {}", title(sketch, right, depth + 1)).trim().to_owned(),
            }
        }
        ("identifier", ..) => match sketch.text(node) {
            "ignore" | "they" => "it".to_owned(),
            name => name.to_owned(),
        },
        ("string" | "interpolated_string_expression", ..) => sketch.text(node).trim_matches('"').to_owned(),
        _ => String::new(),
    }
}

fn gate(sketch: &OutlineBuilder, block: Node) -> Option<Skip> {
    sketch.gate(&statements(block), step)
}

#[cfg(test)]
mod tests {
    use crate::languages::cases::{Case, check, names};

    const FLAT: &str = "class CartSpec extends AnyFlatSpec {\n  \"cart\" should \"add\" in {\n    add(1, 2) shouldBe 3\n  }\n\n  it should \"drop\" in {\n    drop(9) shouldBe 8\n  }\n}\n";
    const FUN: &str =
        "class CartSuite extends AnyFunSuite {\n  test(\"adds\") {\n    assert(add(1, 2) == 3)\n  }\n}\n";
    const WORDS: &str = "class CartSpec extends AnyWordSpec {\n  \"A cart\" when {\n    \"empty\" should {\n      \"have no rows\" in { assert(rows(1) == 0) }\n    }\n  }\n}\n";

    const CASES: &[Case] = &[
        (
            "one deleted",
            FLAT,
            "class CartSpec extends AnyFlatSpec {\n  \"cart\" should \"add\" in {\n    add(1, 2) shouldBe 3\n  }\n}\n",
            &["CartSpec > it should drop: Lost"],
        ),
        (
            "ignored by its subject",
            FLAT,
            "class CartSpec extends AnyFlatSpec {\n  \"cart\" should \"add\" in {\n    add(1, 2) shouldBe 3\n  }\n\n  ignore should \"drop\" in {\n    drop(9) shouldBe 8\n  }\n}\n",
            &["CartSpec > it should drop: Always"],
        ),
        (
            "ignored by its last word",
            FLAT,
            "class CartSpec extends AnyFlatSpec {\n  \"cart\" should \"add\" ignore {\n    add(1, 2) shouldBe 3\n  }\n\n  it should \"drop\" in {\n    drop(9) shouldBe 8\n  }\n}\n",
            &["CartSpec > cart should add: Always"],
        ),
        (
            "pending at its top",
            FUN,
            "class CartSuite extends AnyFunSuite {\n  test(\"adds\") {\n    pending\n    assert(add(1, 2) == 3)\n  }\n}\n",
            &["CartSuite > adds: Always"],
        ),
        (
            "an ignored call",
            FUN,
            "class CartSuite extends AnyFunSuite {\n  ignore(\"adds\") {\n    assert(add(1, 2) == 3)\n  }\n}\n",
            &["CartSuite > adds: Always"],
        ),
        (
            "munit's mark",
            FUN,
            "class CartSuite extends AnyFunSuite {\n  test(\"adds\".ignore) {\n    assert(add(1, 2) == 3)\n  }\n}\n",
            &["CartSuite > adds: Always"],
        ),
        (
            "an ignored class",
            FUN,
            "@Ignore\nclass CartSuite extends AnyFunSuite {\n  test(\"adds\") {\n    assert(add(1, 2) == 3)\n  }\n}\n",
            &["CartSuite > adds: Always suite"],
        ),
        (
            "trivial",
            FUN,
            "class CartSuite extends AnyFunSuite {\n  test(\"adds\") {\n    assert(true)\n  }\n}\n",
            &["CartSuite > adds: Trivial"],
        ),
        (
            "words",
            WORDS,
            "class CartSpec extends AnyWordSpec {\n  \"A cart\" when {\n    \"empty\" should {\n      \"have no rows\" ignore { assert(rows(1) == 0) }\n    }\n  }\n}\n",
            &["CartSpec > A cart > empty > have no rows: Always"],
        ),
        (
            "an assertion that goes below a head of words",
            "class CartSpec extends AnyWordSpec {\n  \"A cart\" should {\n    \"add\" in {\n      add(1, 2) shouldBe 3\n    }\n  }\n}\n",
            "class CartSpec extends AnyWordSpec {\n  \"A cart\" should {\n    \"add\" in {\n      add(1, 2)\n    }\n  }\n}\n",
            &["CartSpec > A cart > add: Silent"],
        ),
        (
            "an assertion that goes in a block of a result",
            "class CartSpec extends AsyncWordSpec {\n  \"A cart\" should {\n    \"add\" in {\n      sum(1).asserting { case (n, _) =>\n        n shouldBe 3\n      }\n    }\n  }\n}\n",
            "class CartSpec extends AsyncWordSpec {\n  \"A cart\" should {\n    \"add\" in {\n      sum(1).asserting { case (n, _) =>\n        succeed\n      }\n    }\n  }\n}\n",
            &["CartSpec > A cart > add: Silent"],
        ),
        (
            "to another style",
            FUN,
            "class CartSpec extends AnyFlatSpec {\n  \"cart\" should \"add\" in {\n    add(1, 2) shouldBe 3\n  }\n}\n",
            &[],
        ),
    ];

    #[test]
    fn changes_of_tests_are_told_apart() {
        check("CartSpec.scala", CASES);
    }

    #[test]
    fn tests_have_stable_names() {
        let source = "class A {\n  @Test def b(): Unit = assertEquals(f(1), 2)\n  def helper(): Unit = ()\n}\nclass S extends AnyFunSpec {\n  describe(\"c\") {\n    it(\"d\") { assert(f(1) == 2) }\n    Seq(1, 2).foreach { n =>\n      it(s\"e $n\") { assert(f(n) == 2) }\n    }\n  }\n}\n";
        assert_eq!(names("ASpec.scala", source), ["A > b", "S > c > d", "S > c > s\"e $n"]);
    }
}
