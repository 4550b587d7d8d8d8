//! Tests of plain C: functions that are named as tests, take nothing, and are called or listed by the program around them.

use tree_sitter::Node;

use crate::model::words::has_word;

/// How a line begins that only declares a function.
const DECLARING: &[&str] = &["static ", "void ", "int ", "bool ", "extern "];

/// Whether a function is named as a test of C is: `test_append`, `append_test`, `testAppend`.
pub(super) fn is_named_as_test(name: &str) -> bool {
    let rest = name.strip_prefix("test");
    rest.is_some_and(|rest| rest.len() > 1 && rest.starts_with(|c: char| c == '_' || c.is_ascii_uppercase()))
        || name.strip_suffix("_test").is_some_and(|rest| !rest.is_empty())
}

/// Whether the parameters of a function are those of a test: none, or the state that cmocka gives to each.
pub(super) fn takes_nothing(parameters: &[Node], source: &str) -> bool {
    let text = |node: &Node| source.get(node.byte_range()).unwrap_or_default();
    match parameters {
        [] => true,
        [one] => text(one) == "void" || text(one).contains("**"),
        _ => false,
    }
}

/// Whether the program calls or lists a function beside its definition: `test_append();`, `RUN_TEST(test_append)`. What is
/// called for its value within something else is no test.
pub(super) fn is_run(name: &str, source: &str) -> bool {
    source.match_indices(name).any(|(at, _)| {
        let start = source.get(..at).and_then(|head| head.rfind('\n')).map_or(0, |end| end + 1);
        let line = source.get(start..).unwrap_or_default().lines().next().unwrap_or_default();
        let head = source.get(start..at).unwrap_or_default().trim_start();
        let is_called = source.get(at + name.len()..).is_some_and(|rest| rest.starts_with('('));
        let counts =
            head.contains("+=") || head.contains("|=") || head.ends_with("if (") || head.ends_with("(void)");
        let is_statement =
            head.is_empty() || counts || head.ends_with([';', '{', '}', ' ']) && !head.contains('=');
        let is_comment = ["//", "/*", "*"].iter().any(|mark| head.starts_with(mark));
        let is_declared = DECLARING.iter().any(|word| head.starts_with(word)) && !head.contains(['=', '{']);
        has_word(line, name)
            && !is_comment
            && !is_declared
            && !ends_a_type(source, start, head)
            && (is_statement || !is_called)
            // A name alone is only kept from being told as unused.
            && (is_called || !matches!(head, "(void)" | "(void) " | "(void)&"))
    })
}

/// Whether a name begins its line, and its type stands alone in the line above.
fn ends_a_type(source: &str, start: usize, head: &str) -> bool {
    let above = source.get(..start).unwrap_or_default().trim_end().lines().last().unwrap_or_default();
    head.is_empty() && matches!(above.trim(), "void" | "int" | "static void" | "static int" | "bool")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::cases::{Case, check, names};

    #[test]
    fn a_function_that_the_program_calls_is_run() {
        for (source, expected) in [
            ("static void test_a(void) {}\nint main(void) { test_a(); }\n", true),
            ("static void test_a(void);\nstatic void test_a(void) {}\n", false),
            ("static void test_a(void)\n{\n}\nint main(void)\n{\n    (void)test_a;\n}\n", false),
            ("void\ntest_a(void)\n{\n}\nint main(void) { RUN_TEST(test_a); }\n", true),
            ("void\ntest_a(void)\n{\n}\n// test_a();\n", false),
            ("static void test_a(void) {}\nint main(void) { test_ab(); }\n", false),
            ("static int test_a(void) { return 3; }\nint main(void) { use(test_a()); }\n", false),
            ("static int test_a(void) { return 3; }\nint main(void) {\n  failed += test_a();\n}\n", true),
        ] {
            assert_eq!(is_run("test_a", source), expected, "{source}");
        }
    }

    const TWO: &str = "#include <assert.h>\n#include \"ring.h\"\n\nstatic void test_push(void)\n{\n    struct ring r = ring_of(4);\n    assert(push(&r, 7) == 1);\n}\n\nstatic void test_wraps(void)\n{\n    struct ring r = ring_of(2);\n    assert(fill(&r, 3) == 0);\n}\n\nint main(void)\n{\n    test_push();\n    test_wraps();\n    return 0;\n}\n";
    const CASES: &[Case] = &[
        (
            "one deleted with its call",
            TWO,
            "#include <assert.h>\n#include \"ring.h\"\n\nstatic void test_push(void)\n{\n    struct ring r = ring_of(4);\n    assert(push(&r, 7) == 1);\n}\n\nint main(void)\n{\n    test_push();\n    return 0;\n}\n",
            &["test_wraps: Lost"],
        ),
        (
            "one called no more",
            TWO,
            "#include <assert.h>\n#include \"ring.h\"\n\nstatic void test_push(void)\n{\n    struct ring r = ring_of(4);\n    assert(push(&r, 7) == 1);\n}\n\nstatic void test_wraps(void)\n{\n    struct ring r = ring_of(2);\n    assert(fill(&r, 3) == 0);\n}\n\nint main(void)\n{\n    test_push();\n    return 0;\n}\n",
            &["test_wraps: Uncollected test_wraps"],
        ),
    ];

    #[test]
    fn tests_of_plain_c_are_told_apart() {
        check("tests/test_ring.c", CASES);
        assert_eq!(names("tests/test_ring.c", TWO), ["test_push", "test_wraps"]);
        let helper = "static int test_value(int n) { return n; }\nint main(void) { return test_value(3); }\n";
        assert!(names("tests/test_ring.c", helper).is_empty());
    }
}
