//! Tests in Java: JUnit 3, 4 and 5, TestNG.
//!
//! A method is a test by its annotation, or in a subclass of `TestCase` by its name.

use tree_sitter::Node;

use crate::languages::assertions::calls;
use crate::languages::assertions::calls::AssertionWords;
use crate::languages::body::Body;
use crate::languages::testing::methods::{
    Annotation, Member, MethodRole, MethodSyntax, Traits, always, members, rows, skip,
};
use crate::languages::testing::outline::{Skip, SkipCondition};
use crate::languages::testing::outline_builder::{AssertionSpan, Grammar, OutlineBuilder};
use crate::languages::testing::skip_condition::constant;
use crate::languages::testing::steps;
use crate::languages::testing::steps::{Skipping, statements};
use crate::languages::tree::{parts, text};

/// Annotations that make a test, in Java and in Kotlin.
pub(crate) const TESTS: &[&str] = &[
    "Test",
    "ParameterizedTest",
    "RepeatedTest",
    "TestFactory",
    "TestTemplate",
    "Property",
    "Theory",
    "RetryingTest",
    "CartesianTest",
];

/// Annotations that give a test its rows.
const SOURCES: &[&str] =
    &["CsvSource", "ValueSource", "EnumSource", "MethodSource", "CsvFileSource", "ArgumentsSource"];

/// Annotations of methods that run before tests.
pub(crate) const HOOKS: &[&str] =
    &["Before", "BeforeEach", "BeforeAll", "BeforeClass", "BeforeMethod", "BeforeTest", "BeforeSuite"];

/// Calls that skip.
pub(crate) const SKIPS: &[(&str, Skipping)] = &[
    ("assumeTrue", Skipping::Unless),
    ("assumeFalse", Skipping::When),
    ("Assumptions.abort", Skipping::Always),
    ("SkipException", Skipping::Always),
    ("TestAbortedException", Skipping::Always),
    ("AssumptionViolatedException", Skipping::Always),
];

/// What asserts, in Java and in Kotlin.
pub(crate) const ASSERTING: AssertionWords = AssertionWords {
    names: &["assert", "verify", "coVerify", "expect", "fail", "check", "ensure", "should", "andExpect"],
    receivers: &["Assert", "Assertions", "Truth", "Verify", "StepVerifier", "JSONAssert"],
};

pub(crate) static GRAMMAR: Grammar = Grammar {
    parser: || tree_sitter_java::LANGUAGE.into(),
    walk: |sketch, root| members(sketch, root, None, &DIALECT, 0),
    assertion,
    claim: crate::languages::assertions::chains::of_node,
    asserting: &["method_invocation", "assert_statement"],
    loops: &["for_statement", "enhanced_for_statement", "while_statement", "do_statement"],
};

static DIALECT: MethodSyntax = MethodSyntax {
    holders: &["class_body", "interface_body", "enum_body_declarations"],
    classes: &["class_declaration", "interface_declaration", "record_declaration"],
    methods: &["method_declaration"],
    marks,
    role,
    suite: |sketch, class| {
        class.marks.iter().filter_map(|mark| skip_mark(sketch, mark)).min_by_key(|it| it.when)
    },
    statements,
    step: |sketch, node| steps::step(sketch, node, SKIPS),
    other: |_, _, _| false,
};

fn marks<'t>(node: Node<'t>, source: &'t str) -> Vec<Annotation<'t>> {
    let mut cursor = node.walk();
    let Some(modifiers) = node.children(&mut cursor).find(|it| it.kind() == "modifiers") else {
        return Vec::new();
    };
    let annotations = parts(modifiers).into_iter().filter(|it| it.kind().ends_with("annotation"));
    annotations.filter_map(|node| annotation(node, source)).collect()
}

fn annotation<'t>(node: Node<'t>, source: &'t str) -> Option<Annotation<'t>> {
    let name = text(node.child_by_field_name("name")?, source);
    let arguments = node.child_by_field_name("arguments").map(parts).unwrap_or_default();
    let argument = |it: Node<'t>| match (it.child_by_field_name("key"), it.child_by_field_name("value")) {
        (Some(key), Some(value)) => (text(key, source), value),
        _ => ("", it),
    };
    Some(Annotation { name, arguments: arguments.into_iter().map(argument).collect(), node })
}

fn role(sketch: &OutlineBuilder, method: &Member) -> MethodRole {
    if method.has(HOOKS) || sketch.text(method.name) == "setUp" {
        return MethodRole::Hook;
    }
    let modifiers = parts(method.node).into_iter().find(|it| it.kind() == "modifiers");
    let has_modifier = |word: &str| {
        modifiers.is_some_and(|it| {
            let mut cursor = it.walk();
            it.children(&mut cursor).any(|modifier| modifier.kind() == word)
        })
    };
    let has_mark = method.has(TESTS);
    let is_named = sketch.text(method.name).starts_with("test") && is_test_case(sketch, method);
    // No runner takes a private or a static method.
    let is_hidden = has_modifier("private") || has_modifier("static") || method.body.is_none();
    if is_hidden || !(has_mark || is_named) {
        return MethodRole::Other;
    }
    MethodRole::Test(traits(sketch, method))
}

/// Packages whose runners ask for an annotation on each test: where one is imported, a name makes none.
const MARKED: &[&str] = &["org.junit.jupiter", "org.junit.Test", "org.testng"];

/// Whether the method's class is one of JUnit 3, where a name makes a test.
fn is_test_case(sketch: &OutlineBuilder, method: &Member) -> bool {
    let asks_for_marks = MARKED.iter().any(|package| sketch.source.contains(package));
    let base = method.class.and_then(|class| class.child_by_field_name("superclass"));
    let is_base = |name: &str| name.contains("TestCase") || name.ends_with("Test");
    !asks_for_marks && base.is_some_and(|it| is_base(sketch.text(it)))
}

/// What annotations say of a test, in Java and in Kotlin.
pub(crate) fn traits(sketch: &OutlineBuilder, method: &Member) -> Traits {
    let skip = method.marks.iter().filter_map(|mark| skip_mark(sketch, mark)).min_by_key(|it| it.when);
    let sources = || method.marks.iter().filter(|mark| SOURCES.contains(&mark.last()));
    let cases = rows(sources().filter_map(source_rows));
    let expected =
        method.marks.iter().find(|mark| mark.last() == "Test").and_then(|mark| mark.value("expected"));
    let has_provider =
        |mark: &Annotation| mark.value("dataProvider").is_some() || mark.last().ends_with("Factory");
    let looped = (sources().next().is_some() && cases.is_none()) || method.marks.iter().any(has_provider);
    let inverted = expected.map(|it| format!("expected = {}", sketch.text(it)));
    let mut rows = Body::default();
    let csv = method.marks.iter().filter(|mark| mark.last() == "CsvSource");
    for cell in csv.flat_map(|mark| sketch.text(mark.node).split(['"', ',', '\n'])) {
        rows.literal(cell);
    }
    Traits { skip, cases, looped, inverted, rows, ..Traits::default() }
}

/// The rows of `@CsvSource({"1, 2", "3, 4"})`; `None` where they stand elsewhere.
fn source_rows(mark: &Annotation) -> Option<usize> {
    let is_list =
        |node: &Node| matches!(node.kind(), "element_value_array_initializer" | "collection_literal");
    match mark.last() {
        "CsvSource" | "ValueSource" => {
            let list = mark.arguments.iter().map(|(_, value)| *value).find(|value| is_list(value));
            Some(list.map_or(mark.arguments.len(), |list| parts(list).len()))
        }
        _ => None,
    }
}

/// `@Disabled`, `@Ignore`, `@Test(enabled = false)`, `@DisabledOnOs(...)`.
pub(crate) fn skip_mark(sketch: &OutlineBuilder, mark: &Annotation) -> Option<Skip> {
    let condition = mark.value("value").or(mark.first()).or(mark.value("expression"));
    let condition = condition.map(|it| sketch.text(it).trim_matches('"')).unwrap_or_default();
    let named = mark.value("named").map(|it| sketch.text(it).trim_matches('"'));
    match mark.last() {
        "Disabled" | "Ignore" | "Ignored" => always(sketch, mark),
        "Test" => mark
            .value("enabled")
            .filter(|it| constant(sketch.text(*it)) == Some(false))
            .and_then(|_| always(sketch, mark)),
        "EnabledIf" if constant(condition) == Some(false) => always(sketch, mark),
        "DisabledIf" if constant(condition) == Some(true) => always(sketch, mark),
        "DisabledIfEnvironmentVariable" if named == Some("CI") => skip(sketch, mark, SkipCondition::InCi),
        "DisabledIfEnvironmentVariable" | "DisabledIfSystemProperty"
            if named.is_some_and(is_always_set) && matches_all(sketch.text(mark.node)) =>
        {
            always(sketch, mark)
        }
        "EnabledIfEnvironmentVariable" | "EnabledIfSystemProperty" if named.is_some_and(is_own) => {
            skip(sketch, mark, SkipCondition::ByDefault)
        }
        name if runs_nowhere(name, sketch.text(mark.node)) => always(sketch, mark),
        name if name.starts_with("DisabledIf")
            || name.starts_with("DisabledOn")
            || name.starts_with("EnabledOn")
            || name.starts_with("EnabledIf")
            || name.starts_with("DisabledFor")
            || name.starts_with("EnabledFor") =>
        {
            skip(sketch, mark, SkipCondition::Sometimes)
        }
        _ => None,
    }
}

/// Whether a variable is one that a person sets, and none of a server or of the system.
fn is_own(name: &str) -> bool {
    name != "CI" && !name.starts_with("os.") && !name.starts_with("java.") && !name.contains("GITHUB")
}

/// Whether every machine has a value for a variable or a property.
fn is_always_set(name: &str) -> bool {
    const VARIABLES: &[&str] = &["PATH", "HOME", "USER", "PWD", "SHELL", "LANG"];
    let of_java = ["os.", "java.", "user.", "file.", "line.", "path."];
    VARIABLES.contains(&name) || of_java.iter().any(|head| name.starts_with(head))
}

/// Whether the pattern of a mark takes every value.
fn matches_all(mark: &str) -> bool {
    let bare: String = mark.chars().filter(|c| !c.is_whitespace()).collect();
    [".*", ".+", "^.*$", "^.+$", "[\\s\\S]*"].iter().any(|it| bare.contains(&format!("matches=\"{it}\"")))
}

/// Whether a mark keeps a test from every machine that matters: but for Windows, on Linux, but for a Java of long ago.
fn runs_nowhere(name: &str, mark: &str) -> bool {
    let has = |words: &[&str]| words.iter().any(|word| mark.contains(word));
    let releases = || -> Vec<u32> {
        let all = mark.split("JAVA_").skip(1);
        all.filter_map(|it| it.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()).collect()
    };
    match name {
        "EnabledOnOs" => has(&["WINDOWS", "SOLARIS", "AIX", "FREEBSD"]) && !has(&["LINUX", "MAC"]),
        "DisabledOnOs" => has(&["LINUX"]),
        "EnabledOnJre" => !releases().is_empty() && releases().iter().all(|it| *it <= 11),
        "EnabledForJreRange" => mark.contains("max") && releases().last().is_some_and(|it| *it <= 11),
        "DisabledForJreRange" => {
            mark.contains("min") && !mark.contains("max") && releases().first().is_some_and(|it| *it <= 17)
        }
        _ => false,
    }
}

fn assertion(node: Node, source: &str) -> Option<AssertionSpan> {
    if node.kind() == "assert_statement" {
        let condition = parts(node).first().map(|it| text(*it, source)).unwrap_or_default();
        return AssertionSpan::at(node, constant(condition) == Some(true));
    }
    calls::assertion(node, source, &ASSERTING)
}

#[cfg(test)]
mod tests {
    use crate::languages::cases::{Case, check, names};

    const TWO: &str = "import org.junit.jupiter.api.Test;\n\nclass CartTest {\n    @Test\n    void adds() {\n        assertEquals(3, add(1, 2));\n    }\n\n    @Test\n    void drops() {\n        assertThat(drop(9)).isEqualTo(8);\n    }\n}\n";
    const THREE: &str = "public class CartTest extends TestCase {\n    public void testAdds() {\n        assertEquals(3, add(1, 2));\n    }\n}\n";

    const CASES: &[Case] = &[
        (
            "one deleted",
            TWO,
            "class CartTest {\n    @Test\n    void adds() {\n        assertEquals(3, add(1, 2));\n    }\n}\n",
            &["CartTest > drops: Lost"],
        ),
        ("all deleted", TWO, "class CartTest {\n}\n", &["CartTest > adds: Lost", "CartTest > drops: Lost"]),
        (
            "commented out",
            TWO,
            "class CartTest {\n    @Test\n    void adds() {\n        assertEquals(3, add(1, 2));\n    }\n\n    // @Test\n    // void drops() {\n    //     assertThat(drop(9)).isEqualTo(8);\n    // }\n}\n",
            &["CartTest > drops: CommentedOut"],
        ),
        (
            "annotation removed",
            TWO,
            "class CartTest {\n    @Test\n    void adds() {\n        assertEquals(3, add(1, 2));\n    }\n\n    void drops() {\n        assertThat(drop(9)).isEqualTo(8);\n    }\n}\n",
            &["CartTest > drops: Uncollected drops"],
        ),
        (
            "made private",
            TWO,
            "class CartTest {\n    @Test\n    void adds() {\n        assertEquals(3, add(1, 2));\n    }\n\n    @Test\n    private void drops() {\n        assertThat(drop(9)).isEqualTo(8);\n    }\n}\n",
            &["CartTest > drops: Uncollected drops"],
        ),
        (
            "renamed in JUnit 3",
            THREE,
            "public class CartTest extends TestCase {\n    public void disabledTestAdds() {\n        assertEquals(3, add(1, 2));\n    }\n}\n",
            &["CartTest > testAdds: Uncollected disabledTestAdds"],
        ),
        (
            "disabled",
            TWO,
            "class CartTest {\n    @Test\n    void adds() {\n        assertEquals(3, add(1, 2));\n    }\n\n    @Disabled(\"flaky\")\n    @Test\n    void drops() {\n        assertThat(drop(9)).isEqualTo(8);\n    }\n}\n",
            &["CartTest > drops: Always"],
        ),
        (
            "class ignored",
            THREE,
            "@Ignore\npublic class CartTest extends TestCase {\n    public void testAdds() {\n        assertEquals(3, add(1, 2));\n    }\n}\n",
            &["CartTest > testAdds: Always suite"],
        ),
        (
            "set-up that skips",
            THREE,
            "public class CartTest extends TestCase {\n    public void setUp() {\n        assumeTrue(false);\n    }\n    public void testAdds() {\n        assertEquals(3, add(1, 2));\n    }\n}\n",
            &["CartTest > testAdds: Always suite"],
        ),
        (
            "TestNG's enabled",
            "class A {\n  @Test public void adds() { assertEquals(add(1, 2), 3); }\n}\n",
            "class A {\n  @Test(enabled = false) public void adds() { assertEquals(add(1, 2), 3); }\n}\n",
            &["A > adds: Always"],
        ),
        (
            "assumption that fails",
            THREE,
            "public class CartTest extends TestCase {\n    public void testAdds() {\n        Assume.assumeTrue(false);\n        assertEquals(3, add(1, 2));\n    }\n}\n",
            &["CartTest > testAdds: Always"],
        ),
        (
            "skipped in CI",
            THREE,
            "public class CartTest extends TestCase {\n    public void testAdds() {\n        if (System.getenv(\"CI\") != null) return;\n        assertEquals(3, add(1, 2));\n    }\n}\n",
            &["CartTest > testAdds: InCi"],
        ),
        (
            "early return",
            THREE,
            "public class CartTest extends TestCase {\n    public void testAdds() {\n        if (true) { return; }\n        assertEquals(3, add(1, 2));\n    }\n}\n",
            &["CartTest > testAdds: Always"],
        ),
        (
            "condition on the platform",
            TWO,
            "class CartTest {\n    @Test\n    void adds() {\n        assertEquals(3, add(1, 2));\n    }\n\n    @Test\n    @DisabledOnOs(OS.WINDOWS)\n    void drops() {\n        assertThat(drop(9)).isEqualTo(8);\n    }\n}\n",
            &["CartTest > drops: Sometimes"],
        ),
        (
            "trivial",
            THREE,
            "public class CartTest extends TestCase {\n    public void testAdds() {\n        add(1, 2);\n        assertTrue(true);\n    }\n}\n",
            &["CartTest > testAdds: Trivial"],
        ),
        (
            "emptied",
            THREE,
            "public class CartTest extends TestCase {\n    public void testAdds() {\n    }\n}\n",
            &["CartTest > testAdds: Silent"],
        ),
        (
            "dead branch",
            THREE,
            "public class CartTest extends TestCase {\n    public void testAdds() {\n        if (false) {\n            assertEquals(3, add(1, 2));\n        }\n    }\n}\n",
            &["CartTest > testAdds: Silent"],
        ),
        (
            "from JUnit 3 to 5",
            THREE,
            "class CartTest {\n    @Test\n    void adds() {\n        Assertions.assertEquals(3, add(1, 2));\n    }\n}\n",
            &[],
        ),
        (
            "to another library",
            TWO,
            "class CartTest {\n    @Test\n    public void adds() {\n        assertThat(add(1, 2)).isEqualTo(3);\n    }\n\n    @Test\n    public void drops() {\n        assertEquals(8, drop(9));\n    }\n}\n",
            &[],
        ),
        (
            "renamed",
            TWO,
            "class BasketTest {\n    @Test\n    void sumsUp() {\n        assertEquals(3, add(1, 2));\n    }\n\n    @Test\n    void takesAway() {\n        assertThat(drop(9)).isEqualTo(8);\n    }\n}\n",
            &[],
        ),
        (
            "into a nested class",
            TWO,
            "class CartTest {\n    @Nested\n    class Sums {\n        @Test\n        void adds() {\n            assertEquals(3, add(1, 2));\n        }\n    }\n\n    @Test\n    void drops() {\n        assertThat(drop(9)).isEqualTo(8);\n    }\n}\n",
            &[],
        ),
        (
            "merged into a table",
            "class A {\n    @Test\n    void shortWord() { assertEquals(2, width(\"ab\")); }\n    @Test\n    void longWord() { assertEquals(8, width(\"abcdefgh\")); }\n}\n",
            "class A {\n    @ParameterizedTest\n    @CsvSource({\"ab, 2\", \"abcdefgh, 8\"})\n    void word(String text, int size) { assertEquals(size, width(text)); }\n}\n",
            &[],
        ),
    ];

    #[test]
    fn changes_of_tests_are_told_apart() {
        check("CartTest.java", CASES);
    }

    #[test]
    fn tests_have_stable_names() {
        let source = "class A {\n  @Test void a() {}\n  @ParameterizedTest @ValueSource(ints = {1, 2}) void b(int n) {}\n  @Nested class In { @org.junit.Test public void c() {} }\n  @BeforeEach void d() {}\n  @Test abstract void e();\n  void testF() {}\n  String s = \"@Test void g() {}\"; // @Test void h() {}\n}\n";
        assert_eq!(names("ATest.java", source), ["A > a", "A > b", "A > In > c"]);
    }
}
