//! Tests in Dart: package:test, flutter_test, bloc_test, patrol.
//!
//! A call is a test by its name, its title and its function; what is called so with neither is none.

use tree_sitter::Node;

use crate::languages::assertions::calls::AssertionWords;
use crate::languages::assertions::dart_claims::{claim, is_asserting, is_trivial};
use crate::languages::dart::code::name_of;
use crate::languages::dart::head::{TestCall, called, function_in, library_skip, statements, test_call};
use crate::languages::testing::outline::Test;
use crate::languages::testing::outline_builder::{
    AssertionSpan, DEEPEST, Grammar, OutlineBuilder, OutlineStep, Suite,
};
use crate::languages::testing::skip_condition::constant;
use crate::languages::testing::steps;
use crate::languages::testing::steps::Skipping;
use crate::languages::tree::{field, has_else, parts};

/// What runs before the tests of a group.
const HOOKS: &[&str] = &["setUp", "setUpAll"];
/// Calls that skip the test that they stand in.
const SKIPS: &[(&str, Skipping)] = &[("markTestSkipped", Skipping::Always)];
/// Without any of these the body of a test holds no tests of its own.
const PARTS: &[&str] = &["test(", "testWidgets(", "group(", "blocTest"];
/// Declarations of functions.
const FUNCTIONS: &[&str] = &["function_declaration", "local_function_declaration", "method_declaration"];

const ASSERTING: AssertionWords = AssertionWords {
    names: &[
        "expect",
        "verify",
        "fail",
        "check",
        "screenMatchesGolden",
        "multiScreenGolden",
        "matchesGoldenFile",
        "assert",
        "waitUntilVisible",
        "waitUntilExists",
    ],
    receivers: &[],
};

pub(crate) static GRAMMAR: Grammar = Grammar {
    parser: || tree_sitter_dart::LANGUAGE.into(),
    walk,
    assertion,
    claim,
    asserting: &["call_expression", "named_argument"],
    loops: &["for_statement", "while_statement", "do_statement", "for_element"],
};

fn assertion(node: Node, source: &str) -> Option<AssertionSpan> {
    if !is_asserting(node, source, &ASSERTING) {
        return None;
    }
    AssertionSpan::at(node, is_trivial(node, source))
}

fn walk(sketch: &mut OutlineBuilder, root: Node) {
    let skip = library_skip(sketch, root);
    sketch.within(Suite { skip, ..Suite::default() }, |sketch| visit(sketch, root, 0));
}

fn visit(sketch: &mut OutlineBuilder, node: Node, depth: usize) {
    if depth > DEEPEST || node.named_child_count() == 0 {
        return;
    }
    match node.kind() {
        "call_expression" if call(sketch, node, depth) => return,
        kind if FUNCTIONS.contains(&kind) => return function(sketch, node, depth),
        "if_statement" => {
            let condition = field(node, "condition").map(|it| sketch.text(it)).unwrap_or_default();
            if constant(condition) == Some(false) && !has_else(node) {
                return sketch.dead(node, format!("stand inside `if ({condition})`"));
            }
        }
        "expression_statement" => {
            if let [only] = parts(node)[..]
                && only.kind() == "string_literal"
            {
                sketch.dead(only, "stand inside a string".to_owned());
            }
        }
        _ => {}
    }
    for child in parts(node) {
        visit(sketch, child, depth + 1);
    }
}

/// Takes a function: one that holds tests and that nothing calls never runs.
fn function(sketch: &mut OutlineBuilder, node: Node, depth: usize) {
    let first = sketch.outline.tests.len();
    for child in parts(node) {
        visit(sketch, child, depth + 1);
    }
    let Some(name) = name_of(node).map(|it| sketch.text(it)) else { return };
    if sketch.outline.tests.len() == first {
        sketch.stray(name, node);
        return;
    }
    // What another file may call is its own where the file has no `main`.
    let is_own = node.kind() == "local_function_declaration"
        || name.starts_with('_')
        || node.kind() == "function_declaration" && sketch.source.contains("main(");
    if name != "main" && is_own && sketch.is_unused(name) {
        sketch.outline.tests.truncate(first);
        sketch.dead(node, format!("stand inside `{name}`, which nothing calls"));
    }
}

/// Takes a call that is a test, a group or a hook; answers whether it was a test or a group.
fn call(sketch: &mut OutlineBuilder, node: Node, depth: usize) -> bool {
    if let Some(found) = test_call(sketch, node) {
        if found.is_suite {
            suite(sketch, found, depth)
        } else {
            test(sketch, node, found, depth)
        }
        return true;
    }
    let name = field(node, "function").and_then(|it| called(sketch, it));
    if name.is_some_and(|it| HOOKS.contains(&it)) {
        hook(sketch, node);
    }
    false
}

fn suite(sketch: &mut OutlineBuilder, call: TestCall, depth: usize) {
    let first = sketch.outline.tests.len();
    sketch.suites.push(Suite { name: call.title.text, skip: call.skip, focus: call.focus });
    if let Some(body) = call.body {
        visit(sketch, body, depth + 1);
        // A hook leaves its skip on the group that it stands in, after earlier tests were added.
        if let Some(skip) = sketch.suites.last().and_then(|suite| suite.skip.clone()) {
            sketch.skip_since(first, &skip);
        }
    }
    sketch.suites.pop();
}

fn test(sketch: &mut OutlineBuilder, node: Node, call: TestCall, depth: usize) {
    let inside = call.body.map(statements).unwrap_or_default();
    let skipped = match call.skip {
        Some(skip) if skip.when.stops() => Some(skip),
        mild => sketch.gate(&inside, step).or(mild),
    };
    let test = Test {
        title: call.title.text,
        skipped,
        focused: call.focus,
        looped: call.looped,
        span: node.byte_range(),
        title_span: call.title.span,
        ..Test::default()
    };
    sketch.add_around(test, node, |sketch| {
        let text = call.body.map(|it| sketch.text(it)).unwrap_or_default();
        let has_parts = PARTS.iter().any(|word| text.contains(word));
        for statement in inside.into_iter().filter(|_| has_parts) {
            visit(sketch, statement, depth + 1);
        }
    });
}

/// `setUp(() { markTestSkipped('later'); })` skips the group.
fn hook(sketch: &mut OutlineBuilder, node: Node) {
    let arguments = field(node, "arguments").map(parts).unwrap_or_default();
    let function = arguments.into_iter().find_map(|it| function_in(it, 0));
    let Some(body) = function.and_then(|it| field(it, "body")) else { return };
    let skip = sketch.gate(&statements(body), step).filter(|skip| skip.mark != "return");
    if let (Some(skip), Some(suite)) = (skip, sketch.suites.last_mut()) {
        suite.skip.get_or_insert(skip);
    }
}

fn step(sketch: &OutlineBuilder, node: Node) -> OutlineStep {
    steps::step(sketch, node, SKIPS)
}

#[cfg(test)]
mod tests {
    use crate::languages::cases::{Case, check, names};

    const TWO: &str = "void main() {\n  group('cart', () {\n    test('adds', () {\n      expect(add(1, 2), 3);\n    });\n\n    test('drops', () async {\n      expect(await drop(9), equals(8));\n    });\n  });\n}\n";
    const ONE: &str = "void main() {\n  test('adds', () {\n    expect(add(1, 2), 3);\n  });\n}\n";
    const PAGE: &str = "void main() {\n  testWidgets('shows', (tester) async {\n    await tester.pumpWidget(const Cart());\n    expect(find.text('a'), findsOneWidget);\n  });\n}\n";

    const CASES: &[Case] = &[
        (
            "one deleted",
            TWO,
            "void main() {\n  group('cart', () {\n    test('adds', () {\n      expect(add(1, 2), 3);\n    });\n  });\n}\n",
            &["cart > drops: Lost"],
        ),
        (
            "commented out",
            ONE,
            "void main() {\n  // test('adds', () {\n  //   expect(add(1, 2), 3);\n  // });\n}\n",
            &["adds: CommentedOut"],
        ),
        (
            "skipped with a reason",
            ONE,
            "void main() {\n  test('adds', () {\n    expect(add(1, 2), 3);\n  }, skip: 'flaky');\n}\n",
            &["adds: Always"],
        ),
        (
            "skipped by a constant of the file",
            ONE,
            "const flaky = true;\nvoid main() {\n  test('adds', () {\n    expect(add(1, 2), 3);\n  }, skip: flaky);\n}\n",
            &["adds: Always"],
        ),
        (
            "a group skipped",
            TWO,
            "void main() {\n  group('cart', () {\n    test('adds', () {\n      expect(add(1, 2), 3);\n    });\n\n    test('drops', () async {\n      expect(await drop(9), equals(8));\n    });\n  }, skip: true);\n}\n",
            &["cart > adds: Always suite", "cart > drops: Always suite"],
        ),
        (
            "the library skipped",
            ONE,
            "@Skip('later')\nlibrary;\n\nvoid main() {\n  test('adds', () {\n    expect(add(1, 2), 3);\n  });\n}\n",
            &["adds: Always suite"],
        ),
        (
            "marked at its top",
            ONE,
            "void main() {\n  test('adds', () {\n    markTestSkipped('later');\n    return;\n    expect(add(1, 2), 3);\n  });\n}\n",
            &["adds: Always"],
        ),
        (
            "left out in CI",
            ONE,
            "void main() {\n  test('adds', () {\n    expect(add(1, 2), 3);\n  }, skip: Platform.environment['CI'] != null ? 'slow' : null);\n}\n",
            &["adds: InCi"],
        ),
        (
            "another alone",
            TWO,
            "void main() {\n  group('cart', () {\n    test('adds', () {\n      expect(add(1, 2), 3);\n    }, solo: true);\n\n    test('drops', () async {\n      expect(await drop(9), equals(8));\n    });\n  });\n}\n",
            &["cart > drops: Unfocused"],
        ),
        (
            "in a branch that is never taken",
            ONE,
            "void main() {\n  if (false) {\n    test('adds', () {\n      expect(add(1, 2), 3);\n    });\n  }\n}\n",
            &["adds: Dead"],
        ),
        (
            "in a function that nothing calls",
            ONE,
            "void main() {}\n\nvoid _later() {\n  test('adds', () {\n    expect(add(1, 2), 3);\n  });\n}\n",
            &["adds: Dead"],
        ),
        (
            "trivial",
            ONE,
            "void main() {\n  test('adds', () {\n    expect(true, isTrue);\n  });\n}\n",
            &["adds: Trivial"],
        ),
        (
            "takes anything",
            ONE,
            "void main() {\n  test('adds', () {\n    expect(add(1, 2), anything);\n  });\n}\n",
            &["adds: Trivial"],
        ),
        (
            "emptied",
            PAGE,
            "void main() {\n  testWidgets('shows', (tester) async {\n    await tester.pumpWidget(const Cart());\n  });\n}\n",
            &["shows: Silent"],
        ),
        (
            "a platform",
            ONE,
            "void main() {\n  test('adds', () {\n    expect(add(1, 2), 3);\n  }, skip: Platform.isWindows);\n}\n",
            &["adds: Sometimes"],
        ),
        (
            "skipped on the machine that runs it",
            ONE,
            "void main() {\n  test('adds', () {\n    expect(add(1, 2), 3);\n  }, onPlatform: {'vm': const Skip('later')});\n}\n",
            &["adds: Always"],
        ),
        (
            "skipped in a browser",
            ONE,
            "void main() {\n  test('adds', () {\n    expect(add(1, 2), 3);\n  }, onPlatform: {'browser': Skip('slow')});\n}\n",
            &["adds: Sometimes"],
        ),
        (
            "states passed over by a test of a bloc",
            "void main() {\n  blocTest<A, int>('adds', build: A.new, expect: () => [1]);\n}\n",
            "void main() {\n  blocTest<A, int>('adds', build: A.new, skip: 1, expect: () => [1]);\n}\n",
            &[],
        ),
        ("an arrow", ONE, "void main() {\n  test('adds', () => expect(add(1, 2), 3));\n}\n", &[]),
    ];

    #[test]
    fn changes_of_tests_are_told_apart() {
        check("test/cart_test.dart", CASES);
    }

    #[test]
    fn tests_have_stable_names() {
        let source = "import 'package:test/test.dart' as t;\nvoid main() {\n  setUp(() {});\n  group(Cart, () {\n    t.test(r'a $', () {});\n    for (final n in rows) {\n      test('n $n', () => fakeAsync((async) { expect(n, 1); }));\n    }\n    blocTest<A, B>('b', build: A.new, expect: () => []);\n  });\n  shared();\n  RegExp('x').hasMatch('y');\n}\nvoid shared() {\n  testWidgets('c', (tester) async {});\n}\nconst s = '''\ntest('no', () {});\n'''; // test('no', () {});\n";
        assert_eq!(names("test/a_test.dart", source), ["Cart > a $", "Cart > n $n", "Cart > b", "c"]);
    }
}
