//! Tests in Swift: XCTest and Swift Testing.
//!
//! A function is a test by its attribute, or in a subclass by its name and its lack of parameters.

use tree_sitter::Node;

use crate::languages::assertions::calls;
use crate::languages::assertions::calls::{AssertionWords, call};
use crate::languages::swift::platforms::is_of_platform;
use crate::languages::testing::methods::{
    Annotation, Member, MethodRole, MethodSyntax, Traits, is_off, members, skip,
};
use crate::languages::testing::outline::{Skip, SkipCondition};
use crate::languages::testing::outline_builder::{Grammar, OutlineBuilder, OutlineStep};
use crate::languages::testing::skip_condition::{when, when_not};
use crate::languages::testing::steps;
use crate::languages::testing::steps::{Skipping, statements};
use crate::languages::tree::{parts, text};

const SKIPS: &[(&str, Skipping)] = &[
    ("XCTSkip", Skipping::Always),
    ("XCTSkipIf", Skipping::When),
    ("XCTSkipUnless", Skipping::Unless),
    ("XCTExpectFailure", Skipping::Always),
    ("withKnownIssue", Skipping::Always),
];

const ASSERTING: AssertionWords = AssertionWords {
    names: &[
        "XCTAssert",
        "XCTFail",
        "XCTUnwrap",
        "Assert",
        "expect",
        "require",
        "assert",
        "fail",
        "verify",
        "confirmation",
        "check",
    ],
    receivers: &["Issue"],
};

pub(crate) static GRAMMAR: Grammar = Grammar {
    parser: || tree_sitter_swift::LANGUAGE.into(),
    walk: |sketch, root| {
        regions(sketch);
        members(sketch, root, None, &DIALECT, 0);
    },
    assertion: |node, source| calls::assertion(node, source, &ASSERTING),
    claim: crate::languages::assertions::chains::of_node,
    asserting: &["call_expression", "macro_invocation"],
    loops: &["for_statement", "while_statement", "repeat_while_statement"],
};

static DIALECT: MethodSyntax = MethodSyntax {
    holders: &["class_body", "enum_class_body"],
    classes: &["class_declaration"],
    methods: &["function_declaration"],
    marks,
    role,
    suite: |sketch, class| class.marks.iter().find_map(|mark| skip_mark(sketch, mark)),
    statements,
    step,
    other: |sketch, node, _| is_dead(sketch, node),
};

/// `XCTExpectFailure { … }` beside other statements is about what stands in it, and no skip.
fn step(sketch: &OutlineBuilder, node: Node) -> OutlineStep {
    let step = steps::step(sketch, node, SKIPS);
    let is_scoped = || {
        let name = sketch.text(node).trim_start();
        let is_expected = ["XCTExpectFailure", "withKnownIssue"].iter().any(|it| name.starts_with(it));
        let has_block = call(node, sketch.source)
            .is_some_and(|it| it.arguments.iter().any(|value| value.kind() == "lambda_literal"));
        is_expected && has_block && node.parent().is_some_and(|it| parts(it).len() > 1)
    };
    match step {
        OutlineStep::Skip(_) if is_scoped() => OutlineStep::Other,
        // A condition of the compiler is one of the platform, which nothing in the test can tell.
        OutlineStep::Skip(mark) if is_of_platform(sketch.source, function_of(node), node.start_byte()) => {
            OutlineStep::If("the platform".to_owned(), Box::new(OutlineStep::Skip(mark)))
        }
        step => step,
    }
}

/// Where the function begins that a statement stands in.
fn function_of(node: Node) -> usize {
    let mut above = node;
    while let Some(parent) = above.parent() {
        above = parent;
        if above.kind() == "function_declaration" {
            break;
        }
    }
    above.start_byte()
}

/// The grammar takes `#if` for a remark between declarations, so its regions are found by line.
fn regions(sketch: &mut OutlineBuilder) {
    let mut open: Vec<Option<(usize, String)>> = Vec::new();
    let mut at = 0;
    for line in sketch.source.split_inclusive('\n') {
        let bare = line.trim();
        let ends = bare.starts_with("#endif") || bare.starts_with("#else");
        if ends && let Some(Some((start, condition))) = open.pop() {
            sketch.dead_range(start..at + line.len(), format!("stand inside `#if {condition}`"));
        }
        if bare.starts_with("#else") {
            open.push(None);
        } else if let Some(condition) = bare.strip_prefix("#if ") {
            let is_dead = is_off(condition) && open.iter().all(Option::is_none);
            open.push(is_dead.then(|| (at, condition.to_owned())));
        }
        at += line.len();
    }
}

fn is_dead(sketch: &OutlineBuilder, node: Node) -> bool {
    let dead = &sketch.outline.dead;
    let after = dead.partition_point(|dead| dead.span.start <= node.start_byte());
    after.checked_sub(1).and_then(|at| dead.get(at)).is_some_and(|dead| node.start_byte() < dead.span.end)
}

fn marks<'t>(node: Node<'t>, source: &'t str) -> Vec<Annotation<'t>> {
    let modifiers = parts(node).into_iter().find(|it| it.kind() == "modifiers");
    let attributes =
        modifiers.map(parts).unwrap_or_default().into_iter().filter(|it| it.kind() == "attribute");
    attributes.filter_map(|node| attribute(node, source)).collect()
}

fn attribute<'t>(node: Node<'t>, source: &'t str) -> Option<Annotation<'t>> {
    let name = text(node.named_child(0)?, source);
    let mut arguments = Vec::new();
    let mut label = "";
    for part in parts(node).into_iter().skip(1) {
        if part.next_sibling().is_some_and(|it| it.kind() == ":") {
            label = text(part, source);
        } else {
            arguments.push((std::mem::take(&mut label), part));
        }
    }
    Some(Annotation { name, arguments, node })
}

fn role(sketch: &OutlineBuilder, method: &Member) -> MethodRole {
    let name = sketch.text(method.name);
    if matches!(name, "setUp" | "setUpWithError") {
        return MethodRole::Hook;
    }
    let modifiers =
        parts(method.node).into_iter().find(|it| it.kind() == "modifiers").map(parts).unwrap_or_default();
    let is_hidden =
        modifiers.iter().any(|it| matches!(sketch.text(*it), "private" | "fileprivate" | "static" | "class"));
    let has_parameters = parts(method.node).iter().any(|it| it.kind() == "parameter");
    let inherits = |class: Node| {
        let is_extension = sketch.text(class).trim_start().starts_with("extension");
        is_extension || parts(class).iter().any(|it| it.kind() == "inheritance_specifier")
    };
    let is_named =
        name.starts_with("test") && !is_hidden && !has_parameters && method.class.is_some_and(inherits);
    let mark = method.marks.iter().find(|mark| mark.last() == "Test");
    if method.body.is_none() || !(is_named || mark.is_some()) {
        return MethodRole::Other;
    }
    let skip = method.marks.iter().find_map(|mark| skip_mark(sketch, mark));
    let rows = mark.and_then(|mark| mark.value("arguments"));
    let cases = rows.filter(|it| it.kind() == "array_literal").map(|it| parts(it).len());
    MethodRole::Test(Traits { skip, cases, looped: rows.is_some() && cases.is_none(), ..Traits::default() })
}

/// `@Test(.disabled("flaky"))`, `@Suite(.enabled(if: false))`.
fn skip_mark(sketch: &OutlineBuilder, mark: &Annotation) -> Option<Skip> {
    if !matches!(mark.last(), "Test" | "Suite") {
        return None;
    }
    mark.arguments.iter().find_map(|(_, value)| {
        if sketch.text(*value) == ".disabled" {
            return skip(sketch, mark, SkipCondition::Always);
        }
        let trait_call = call(*value, sketch.source)?;
        let condition = trait_call.arguments.first().filter(|it| {
            it.prev_named_sibling().is_some_and(|label| sketch.text(label) == "if")
                || it.parent().is_some_and(|argument| sketch.text(argument).starts_with("if"))
        });
        let time = match (trait_call.name, condition.map(|it| sketch.text(*it))) {
            ("disabled", None) => Some(SkipCondition::Always),
            ("disabled", Some(condition)) => when(condition),
            ("enabled", Some(condition)) => when_not(condition),
            _ => None,
        };
        time.and_then(|when| skip(sketch, mark, when))
    })
}

#[cfg(test)]
mod tests {
    use crate::languages::cases::{Case, check, names};

    const TWO: &str = "import XCTest\n\nfinal class CartTests: XCTestCase {\n    func testAdds() {\n        XCTAssertEqual(add(1, 2), 3)\n    }\n\n    func testDrops() throws {\n        XCTAssertTrue(try drop(9) == 8)\n    }\n}\n";
    const ONE: &str = "final class CartTests: XCTestCase {\n    func testAdds() {\n        XCTAssertEqual(add(1, 2), 3)\n    }\n}\n";
    const NEW: &str = "import Testing\n\n@Suite struct CartTests {\n    @Test func adds() {\n        #expect(add(1, 2) == 3)\n    }\n}\n";

    const CASES: &[Case] = &[
        ("one deleted", TWO, ONE, &["CartTests > testDrops: Lost"]),
        (
            "commented out",
            ONE,
            "final class CartTests: XCTestCase {\n    /*\n    func testAdds() {\n        XCTAssertEqual(add(1, 2), 3)\n    }\n    */\n}\n",
            &["CartTests > testAdds: CommentedOut"],
        ),
        (
            "switched off by the compiler",
            ONE,
            "final class CartTests: XCTestCase {\n#if false\n    func testAdds() {\n        XCTAssertEqual(add(1, 2), 3)\n    }\n#endif\n}\n",
            &["CartTests > testAdds: Dead"],
        ),
        (
            "the file switched off",
            ONE,
            "#if false\nfinal class CartTests: XCTestCase {\n    func testAdds() {\n        XCTAssertEqual(add(1, 2), 3)\n    }\n}\n#endif\n",
            &["CartTests > testAdds: Dead"],
        ),
        (
            "renamed",
            ONE,
            "final class CartTests: XCTestCase {\n    func xtestAdds() {\n        XCTAssertEqual(add(1, 2), 3)\n    }\n}\n",
            &["CartTests > testAdds: Uncollected xtestAdds"],
        ),
        (
            "attribute removed",
            NEW,
            "@Suite struct CartTests {\n    func adds() {\n        #expect(add(1, 2) == 3)\n    }\n}\n",
            &["CartTests > adds: Uncollected adds"],
        ),
        (
            "disabled",
            NEW,
            "@Suite struct CartTests {\n    @Test(.disabled(\"flaky\")) func adds() {\n        #expect(add(1, 2) == 3)\n    }\n}\n",
            &["CartTests > adds: Always"],
        ),
        (
            "suite disabled",
            NEW,
            "@Suite(.enabled(if: false)) struct CartTests {\n    @Test func adds() {\n        #expect(add(1, 2) == 3)\n    }\n}\n",
            &["CartTests > adds: Always suite"],
        ),
        (
            "skipped",
            ONE,
            "final class CartTests: XCTestCase {\n    func testAdds() throws {\n        throw XCTSkip(\"flaky\")\n        XCTAssertEqual(add(1, 2), 3)\n    }\n}\n",
            &["CartTests > testAdds: Always"],
        ),
        (
            "skipped by a condition that holds",
            ONE,
            "final class CartTests: XCTestCase {\n    func testAdds() throws {\n        try XCTSkipIf(true)\n        XCTAssertEqual(add(1, 2), 3)\n    }\n}\n",
            &["CartTests > testAdds: Always"],
        ),
        (
            "set-up that skips",
            ONE,
            "final class CartTests: XCTestCase {\n    override func setUpWithError() throws {\n        throw XCTSkip()\n    }\n    func testAdds() {\n        XCTAssertEqual(add(1, 2), 3)\n    }\n}\n",
            &["CartTests > testAdds: Always suite"],
        ),
        (
            "left out in CI",
            ONE,
            "final class CartTests: XCTestCase {\n    func testAdds() {\n        if ProcessInfo.processInfo.environment[\"CI\"] != nil { return }\n        XCTAssertEqual(add(1, 2), 3)\n    }\n}\n",
            &["CartTests > testAdds: InCi"],
        ),
        (
            "trivial",
            ONE,
            "final class CartTests: XCTestCase {\n    func testAdds() {\n        XCTAssertTrue(true)\n    }\n}\n",
            &["CartTests > testAdds: Trivial"],
        ),
        (
            "emptied",
            ONE,
            "final class CartTests: XCTestCase {\n    func testAdds() {\n    }\n}\n",
            &["CartTests > testAdds: Silent"],
        ),
        (
            "an else",
            ONE,
            "final class CartTests: XCTestCase {\n#if false\n    func helper() {}\n#else\n    func testAdds() {\n        XCTAssertEqual(add(1, 2), 3)\n    }\n#endif\n}\n",
            &[],
        ),
        (
            "a platform",
            ONE,
            "final class CartTests: XCTestCase {\n#if os(Linux)\n    func testAdds() {\n        XCTAssertEqual(add(1, 2), 3)\n    }\n#endif\n}\n",
            &[],
        ),
        (
            "from XCTest to Swift Testing",
            TWO,
            "import Testing\n\nstruct CartTests {\n    @Test func adds() {\n        #expect(add(1, 2) == 3)\n    }\n\n    @Test func drops() throws {\n        #expect(try drop(9) == 8)\n    }\n}\n",
            &[],
        ),
        (
            "merged into a table",
            "struct A {\n    @Test func short() { #expect(width(\"ab\") == 2) }\n    @Test func long() { #expect(width(\"abcdefgh\") == 8) }\n}\n",
            "struct A {\n    @Test(arguments: [(\"ab\", 2), (\"abcdefgh\", 8)])\n    func word(text: String, size: Int) { #expect(width(text) == size) }\n}\n",
            &[],
        ),
    ];

    #[test]
    fn changes_of_tests_are_told_apart() {
        check("Tests/CartTests.swift", CASES);
    }

    #[test]
    fn tests_have_stable_names() {
        let source = "final class ATests: XCTestCase {\n  func testB() async throws {}\n  private func testC() {}\n  func testD(with x: Int) {}\n  func helper() {}\n}\nstruct E {\n  @Test(\"f g\", arguments: [1, 2]) func h(n: Int) {}\n  struct I { @Test func j() {} }\n}\n@Test func k() {}\nstruct L { func testM() {} }\nlet s = \"\"\"\n@Test func n() {}\n\"\"\" // @Test func o() {}\n";
        assert_eq!(names("ATests.swift", source), ["ATests > testB", "E > h", "E > I > j", "k"]);
    }
}
