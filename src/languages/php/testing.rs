//! Tests in PHP: PHPUnit and Pest.
//!
//! A public method is a test by its name, its attribute or its doc comment; a call is one by its head and its title.

use tree_sitter::Node;

use crate::languages::assertions::calls;
use crate::languages::assertions::calls::{AssertionWords, CallParts, chain, values};
use crate::languages::body::Body;
use crate::languages::testing::methods::{
    Annotation, Member, MethodRole, MethodSyntax, Traits, members, rows, skip,
};
use crate::languages::testing::outline::{Skip, SkipCondition, Test};
use crate::languages::testing::outline_builder::{Grammar, OutlineBuilder, Suite};
use crate::languages::testing::skip_condition::{constant, when};
use crate::languages::testing::steps;
use crate::languages::testing::steps::{Skipping, statements};
use crate::languages::tree::{parts, text};

const SKIPS: &[(&str, Skipping)] = &[
    ("markTestSkipped", Skipping::Always),
    ("markTestIncomplete", Skipping::Always),
    ("SkippedTestError", Skipping::Always),
    ("SkippedWithMessageException", Skipping::Always),
];

const HOOKS: &[&str] = &["setUp", "setUpBeforeClass", "before", "beforeEach"];

/// Attributes under which a test does not run everywhere.
const REQUIREMENTS: &[&str] = &[
    "RequiresPhp",
    "RequiresPhpExtension",
    "RequiresOperatingSystem",
    "RequiresPhpunit",
    "RequiresFunction",
];

const ASSERTING: AssertionWords = AssertionWords {
    names: &["assert", "expect", "should", "verify", "fail", "check", "addToAssertionCount"],
    receivers: &["Assert"],
};

pub(crate) static GRAMMAR: Grammar = Grammar {
    parser: || tree_sitter_php::LANGUAGE_PHP.into(),
    walk: |sketch, root| members(sketch, root, None, &DIALECT, 0),
    assertion: |node, source| calls::assertion(node, source, &ASSERTING),
    claim: crate::languages::assertions::chains::of_node,
    asserting: &["function_call_expression", "member_call_expression", "scoped_call_expression"],
    loops: &["for_statement", "foreach_statement", "while_statement", "do_statement"],
};

static DIALECT: MethodSyntax = MethodSyntax {
    holders: &["namespace_definition", "compound_statement", "declaration_list"],
    classes: &["class_declaration", "trait_declaration"],
    methods: &["method_declaration", "function_definition"],
    marks,
    role,
    suite: |sketch, class| class.marks.iter().find_map(|mark| skip_mark(sketch, mark)),
    statements,
    step: |sketch, node| steps::step(sketch, node, SKIPS),
    other,
};

fn marks<'t>(node: Node<'t>, source: &'t str) -> Vec<Annotation<'t>> {
    let mut marks = Vec::new();
    for group in node.child_by_field_name("attributes").map(parts).unwrap_or_default() {
        for attribute in parts(group) {
            let Some(name) = attribute.named_child(0) else { continue };
            let arguments = attribute.child_by_field_name("parameters").map(values).unwrap_or_default();
            let arguments = arguments.into_iter().map(|value| ("", value)).collect();
            marks.push(Annotation { name: text(name, source), arguments, node: attribute });
        }
    }
    if let Some(comment) = node.prev_named_sibling().filter(|it| it.kind() == "comment") {
        let words = text(comment, source).split_whitespace().filter_map(|word| word.strip_prefix('@'));
        marks.extend(words.map(|name| Annotation { name, arguments: Vec::new(), node }));
    }
    marks
}

fn role(sketch: &OutlineBuilder, method: &Member) -> MethodRole {
    let name = sketch.text(method.name);
    if HOOKS.contains(&name) || method.has(&["Before", "BeforeClass"]) {
        return MethodRole::Hook;
    }
    let modifiers = parts(method.node).into_iter().filter(|it| it.kind().ends_with("_modifier"));
    let is_hidden =
        modifiers.map(|it| sketch.text(it)).any(|it| matches!(it, "private" | "protected" | "abstract"));
    let is_test = name.starts_with("test") || method.has(&["Test", "test"]);
    if is_hidden || !is_test || method.class.is_none() || method.body.is_none() {
        return MethodRole::Other;
    }
    let skip = method.marks.iter().find_map(|mark| skip_mark(sketch, mark));
    let cases = rows(
        method.marks.iter().filter(|mark| matches!(mark.last(), "TestWith" | "TestWithJson")).map(|_| 1),
    );
    let looped = method.has(&["DataProvider", "dataProvider", "DataProviderExternal", "testWith"]);
    let mut rows = Body::default();
    let comment = method.node.prev_named_sibling().filter(|it| it.kind() == "comment");
    let mut words = comment.map(|it| sketch.text(it)).unwrap_or_default().split_whitespace();
    while words.by_ref().any(|word| word == "@dataProvider") {
        rows.word(words.next().unwrap_or_default());
    }
    MethodRole::Test(Traits { skip, cases, looped, rows, ..Traits::default() })
}

fn skip_mark(sketch: &OutlineBuilder, mark: &Annotation) -> Option<Skip> {
    REQUIREMENTS.contains(&mark.last()).then(|| skip(sketch, mark, SkipCondition::Sometimes)).flatten()
}

/// Pest's calls, and branches that are never taken.
fn other(sketch: &mut OutlineBuilder, node: Node, depth: usize) -> bool {
    match node.kind() {
        "expression_statement" => parts(node).first().is_some_and(|it| pest(sketch, *it, depth)),
        "if_statement" => {
            let condition =
                node.child_by_field_name("condition").map(|it| sketch.text(it)).unwrap_or_default();
            if constant(condition) == Some(false) && node.child_by_field_name("alternative").is_none() {
                sketch.dead(node, format!("stand inside `if {condition}`"));
            } else if let Some(body) = node.child_by_field_name("body") {
                members(sketch, body, None, &DIALECT, depth + 1);
            }
            true
        }
        "foreach_statement" => {
            if let Some(body) = node.child_by_field_name("body") {
                members(sketch, body, None, &DIALECT, depth + 1);
            }
            true
        }
        _ => false,
    }
}

/// `it('adds', function () { ... })->skip()`.
fn pest(sketch: &mut OutlineBuilder, node: Node, depth: usize) -> bool {
    let links = chain(node, sketch.source);
    let Some(head) = links.last().filter(|it| it.receiver.is_none()) else { return false };
    let Some(first) = head.arguments.first().filter(|it| it.kind().ends_with("string")) else { return false };
    let title = sketch.text(*first).trim_matches(['\'', '"']).to_owned();
    let function = head.arguments.iter().skip(1).find_map(|it| it.child_by_field_name("body"));
    let ChainMarks { skip, focus, inverted, cases, looped } = ChainMarks::of(sketch, &links);
    match head.name {
        "describe" => {
            sketch.within(Suite { name: title, skip, focus }, |sketch| {
                if let Some(body) = function {
                    members(sketch, body, None, &DIALECT, depth + 1);
                }
            });
        }
        "it" | "test" | "todo" => {
            let body = function.map(statements).unwrap_or_default();
            let skipped = skip.or_else(|| sketch.gate(&body, DIALECT.step));
            let test = Test {
                title,
                skipped,
                focused: focus,
                inverted,
                cases,
                looped,
                span: node.byte_range(),
                title_span: first.byte_range(),
                ..Test::default()
            };
            sketch.add(test, node);
        }
        _ => return false,
    }
    true
}

/// What the links of a chain say of the test that it begins with: `->skip()`, `->with([…])`.
#[derive(Default)]
struct ChainMarks {
    skip: Option<Skip>,
    focus: Option<String>,
    inverted: Option<String>,
    cases: Option<usize>,
    looped: bool,
}

impl ChainMarks {
    fn of(sketch: &OutlineBuilder, links: &[CallParts]) -> ChainMarks {
        let mut marks = ChainMarks::default();
        for link in links {
            marks.take(sketch, link, links.len() > 1);
        }
        marks
    }

    fn take(&mut self, sketch: &OutlineBuilder, link: &CallParts, is_chained: bool) {
        let condition = link.arguments.first().filter(|it| !it.kind().ends_with("string"));
        let mark = format!("->{}()", link.name);
        match link.name {
            "skip" => {
                let time = condition.map_or(Some(SkipCondition::Always), |it| when(sketch.text(*it)));
                self.skip = time.map(|when| Skip { mark, when, suite: false }).or(self.skip.take());
            }
            "todo" if is_chained => self.skip = Some(Skip::always(mark)),
            "skipOnCI" => self.skip = Some(Skip { mark, when: SkipCondition::InCi, suite: false }),
            "skipOnWindows" | "skipOnMac" | "skipOnLinux" | "skipOnPhp" => {
                self.skip = Some(Skip { mark, when: SkipCondition::Sometimes, suite: false });
            }
            "only" => self.focus = Some(mark),
            "throws" | "throwsIf" | "throwsUnless" => self.inverted = Some(mark),
            "with" => {
                self.cases = condition
                    .filter(|it| it.kind() == "array_creation_expression")
                    .map(|it| parts(*it).len());
                self.looped = self.cases.is_none();
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::languages::cases::{Case, check, names};

    const UNIT: &str = "<?php\nfinal class CartTest extends TestCase\n{\n    public function testAdds(): void\n    {\n        $this->assertSame(3, add(1, 2));\n    }\n\n    /** @test */\n    public function drops(): void\n    {\n        self::assertEquals(8, drop(9));\n    }\n}\n";
    const ONE: &str = "<?php\nclass CartTest extends TestCase\n{\n    #[Test]\n    public function adds(): void\n    {\n        $this->assertSame(3, add(1, 2));\n    }\n}\n";
    const PEST: &str = "<?php\nit('adds', function () {\n    expect(add(1, 2))->toBe(3);\n});\n\ntest('drops', function () {\n    expect(drop(9))->toBe(8);\n});\n";

    const CASES: &[Case] = &[
        (
            "one deleted",
            UNIT,
            "<?php\nfinal class CartTest extends TestCase\n{\n    public function testAdds(): void\n    {\n        $this->assertSame(3, add(1, 2));\n    }\n}\n",
            &["CartTest > drops: Lost"],
        ),
        (
            "doc mark removed",
            UNIT,
            "<?php\nfinal class CartTest extends TestCase\n{\n    public function testAdds(): void\n    {\n        $this->assertSame(3, add(1, 2));\n    }\n\n    public function drops(): void\n    {\n        self::assertEquals(8, drop(9));\n    }\n}\n",
            &["CartTest > drops: Uncollected drops"],
        ),
        (
            "attribute removed",
            ONE,
            "<?php\nclass CartTest extends TestCase\n{\n    public function adds(): void\n    {\n        $this->assertSame(3, add(1, 2));\n    }\n}\n",
            &["CartTest > adds: Uncollected adds"],
        ),
        (
            "made private",
            ONE,
            "<?php\nclass CartTest extends TestCase\n{\n    #[Test]\n    private function adds(): void\n    {\n        $this->assertSame(3, add(1, 2));\n    }\n}\n",
            &["CartTest > adds: Uncollected adds"],
        ),
        (
            "renamed",
            UNIT,
            "<?php\nfinal class CartTest extends TestCase\n{\n    public function xtestAdds(): void\n    {\n        $this->assertSame(3, add(1, 2));\n    }\n\n    /** @test */\n    public function drops(): void\n    {\n        self::assertEquals(8, drop(9));\n    }\n}\n",
            &["CartTest > testAdds: Uncollected xtestAdds"],
        ),
        (
            "commented out",
            ONE,
            "<?php\nclass CartTest extends TestCase\n{\n    // #[Test]\n    // public function adds(): void\n    // {\n    //     $this->assertSame(3, add(1, 2));\n    // }\n}\n",
            &["CartTest > adds: CommentedOut"],
        ),
        (
            "skipped by a call",
            ONE,
            "<?php\nclass CartTest extends TestCase\n{\n    #[Test]\n    public function adds(): void\n    {\n        $this->markTestSkipped('flaky');\n        $this->assertSame(3, add(1, 2));\n    }\n}\n",
            &["CartTest > adds: Always"],
        ),
        (
            "set-up that skips",
            ONE,
            "<?php\nclass CartTest extends TestCase\n{\n    protected function setUp(): void { self::markTestIncomplete(); }\n    #[Test]\n    public function adds(): void\n    {\n        $this->assertSame(3, add(1, 2));\n    }\n}\n",
            &["CartTest > adds: Always suite"],
        ),
        (
            "left out in CI",
            ONE,
            "<?php\nclass CartTest extends TestCase\n{\n    #[Test]\n    public function adds(): void\n    {\n        if (getenv('CI')) {\n            return;\n        }\n        $this->assertSame(3, add(1, 2));\n    }\n}\n",
            &["CartTest > adds: InCi"],
        ),
        (
            "trivial",
            ONE,
            "<?php\nclass CartTest extends TestCase\n{\n    #[Test]\n    public function adds(): void\n    {\n        $this->assertTrue(true);\n    }\n}\n",
            &["CartTest > adds: Trivial"],
        ),
        (
            "emptied",
            ONE,
            "<?php\nclass CartTest extends TestCase\n{\n    #[Test]\n    public function adds(): void\n    {\n    }\n}\n",
            &["CartTest > adds: Silent"],
        ),
        (
            "Pest's skip",
            PEST,
            "<?php\nit('adds', function () {\n    expect(add(1, 2))->toBe(3);\n})->skip('flaky');\n\ntest('drops', function () {\n    expect(drop(9))->toBe(8);\n});\n",
            &["adds: Always"],
        ),
        (
            "Pest's focus",
            PEST,
            "<?php\nit('adds', function () {\n    expect(add(1, 2))->toBe(3);\n})->only();\n\ntest('drops', function () {\n    expect(drop(9))->toBe(8);\n});\n",
            &["drops: Unfocused"],
        ),
        (
            "Pest's todo and a dead branch",
            PEST,
            "<?php\nit('adds', function () {\n    expect(add(1, 2))->toBe(3);\n})->todo();\nif (false) {\ntest('drops', function () {\n    expect(drop(9))->toBe(8);\n});\n}\n",
            &["adds: Always", "drops: Dead"],
        ),
        (
            "skipped without an extension",
            ONE,
            "<?php\nclass CartTest extends TestCase\n{\n    #[Test]\n    public function adds(): void\n    {\n        if (!extension_loaded('curl')) {\n            $this->markTestSkipped('needs curl');\n        }\n        $this->assertSame(3, add(1, 2));\n    }\n}\n",
            &["CartTest > adds: Sometimes"],
        ),
        ("from PHPUnit to Pest", UNIT, PEST, &[]),
        (
            "from a doc mark to an attribute",
            UNIT,
            "<?php\nfinal class CartTest extends TestCase\n{\n    #[Test]\n    public function adds(): void\n    {\n        $this->assertSame(3, add(1, 2));\n    }\n\n    #[Test]\n    public function drops(): void\n    {\n        self::assertEquals(8, drop(9));\n    }\n}\n",
            &[],
        ),
        (
            "merged into a table",
            "<?php\nclass A extends TestCase {\n  function testShort() { $this->assertSame(2, width('ab')); }\n  function testLong() { $this->assertSame(8, width('abcdefgh')); }\n}\n",
            "<?php\nclass A extends TestCase {\n  public static function words() { return [['ab', 2], ['abcdefgh', 8]]; }\n  #[DataProvider('words')]\n  function testWord($text, $size) { $this->assertSame($size, width($text)); }\n}\n",
            &[],
        ),
    ];

    #[test]
    fn changes_of_tests_are_told_apart() {
        check("tests/CartTest.php", CASES);
    }

    #[test]
    fn tests_have_stable_names() {
        let source = "<?php\nnamespace A;\nclass BTest extends TestCase {\n  public function testC() {}\n  #[\\PHPUnit\\Framework\\Attributes\\Test] public function d(): void {}\n  /** @test */ function e() {}\n  protected function testF() {}\n  public function helper() {}\n}\ndescribe('g', function () { it('h', fn () => 1); });\n$x->test('i'); // test('j', fn () => 1);\n# test('k');\n$s = <<<EOT\nit('l', fn () => don't)\nEOT;\n";
        assert_eq!(names("BTest.php", source), ["BTest > testC", "BTest > d", "BTest > e", "g > h"]);
    }
}
