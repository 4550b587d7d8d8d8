//! Tests in C#: xUnit, NUnit, MSTest and TUnit.
//!
//! A method is a test by its attribute.

use tree_sitter::Node;

use crate::languages::assertions::calls;
use crate::languages::assertions::calls::AssertionWords;
use crate::languages::testing::methods::{
    Annotation, Member, MethodRole, MethodSyntax, Traits, always, members, rows,
};
use crate::languages::testing::outline::Skip;
use crate::languages::testing::outline_builder::{Grammar, OutlineBuilder};
use crate::languages::testing::skip_condition::constant;
use crate::languages::testing::steps;
use crate::languages::testing::steps::{Skipping, statements};
use crate::languages::tree::{parts, text};

pub(super) const TESTS: &[&str] = &[
    "Fact",
    "Theory",
    "Test",
    "TestCase",
    "TestCaseSource",
    "TestMethod",
    "DataTestMethod",
    "Property",
    "SkippableFact",
    "SkippableTheory",
];

/// Attributes of which each is a row, and those whose rows stand elsewhere.
const ROWS: &[&str] = &["InlineData", "TestCase", "DataRow", "Arguments"];

const SOURCES: &[&str] =
    &["MemberData", "ClassData", "TestCaseSource", "DynamicData", "Values", "Range", "ValueSource"];

const HOOKS: &[&str] =
    &["SetUp", "OneTimeSetUp", "TestInitialize", "ClassInitialize", "AssemblyInitialize", "TestFixtureSetUp"];

const SKIPS: &[(&str, Skipping)] = &[
    ("Assert.Ignore", Skipping::Always),
    ("Assert.Inconclusive", Skipping::Always),
    ("Assert.Skip", Skipping::Always),
    ("Assert.SkipWhen", Skipping::When),
    ("Assert.SkipUnless", Skipping::Unless),
    ("Skip.If", Skipping::When),
    ("Skip.IfNot", Skipping::Unless),
    ("Skip.Test", Skipping::Always),
    ("Skip.When", Skipping::When),
    ("Skip.Unless", Skipping::Unless),
    ("Assume.That", Skipping::Unless),
    ("IgnoreException", Skipping::Always),
    ("InconclusiveException", Skipping::Always),
    ("SkipException", Skipping::Always),
];

const ASSERTING: AssertionWords = AssertionWords {
    names: &[
        "Assert",
        "Should",
        "Verify",
        "Expect",
        "Ensure",
        "Check",
        "assert",
        "Received",
        "DidNotReceive",
    ],
    receivers: &[
        "Assert",
        "StringAssert",
        "CollectionAssert",
        "FileAssert",
        "DirectoryAssert",
        "ExceptionAssert",
        "XUnitAssert",
        "Verifier",
        "ClassicAssert",
        "Should",
    ],
};

pub(crate) static GRAMMAR: Grammar = Grammar {
    parser: || tree_sitter_c_sharp::LANGUAGE.into(),
    walk: |sketch, root| members(sketch, root, None, &DIALECT, 0),
    assertion: |node, source| calls::assertion(node, source, &ASSERTING),
    claim: crate::languages::assertions::chains::of_node,
    asserting: &["invocation_expression"],
    loops: &["for_statement", "foreach_statement", "while_statement", "do_statement"],
};

static DIALECT: MethodSyntax = MethodSyntax {
    holders: &["namespace_declaration", "file_scoped_namespace_declaration", "declaration_list"],
    classes: &["class_declaration", "struct_declaration", "record_declaration", "interface_declaration"],
    methods: &["method_declaration"],
    marks,
    role,
    suite: |sketch, class| class.marks.iter().find_map(|mark| skip_mark(sketch, mark)),
    statements,
    step: |sketch, node| steps::step(sketch, node, SKIPS),
    other: |_, _, _| false,
};

fn marks<'t>(node: Node<'t>, source: &'t str) -> Vec<Annotation<'t>> {
    let lists = parts(node).into_iter().take_while(|it| it.kind() != "parameter_list");
    let attributes = lists.filter(|it| it.kind() == "attribute_list").flat_map(parts);
    attributes.filter_map(|node| attribute(node, source)).collect()
}

fn attribute<'t>(node: Node<'t>, source: &'t str) -> Option<Annotation<'t>> {
    let name = text(node.child_by_field_name("name")?, source);
    let list = parts(node).into_iter().find(|it| it.kind() == "attribute_argument_list");
    let argument = |it: Node<'t>| {
        let value = parts(it).last().copied().unwrap_or(it);
        // `Skip = "x"` has a field for the name; a grammar of another version gives an assignment.
        let key = it.child_by_field_name("name").or_else(|| value.child_by_field_name("left"));
        (key.map(|it| text(it, source)).unwrap_or_default(), value)
    };
    let arguments = list.map(parts).unwrap_or_default().into_iter().map(argument).collect();
    Some(Annotation { name: name.strip_suffix("Attribute").unwrap_or(name), arguments, node })
}

fn role(sketch: &OutlineBuilder, method: &Member) -> MethodRole {
    if method.has(HOOKS) {
        return MethodRole::Hook;
    }
    if !method.has(TESTS) {
        return MethodRole::Other;
    }
    let skip = method.marks.iter().find_map(|mark| skip_mark(sketch, mark));
    let is_off = |mark: &Annotation| mark.value("Skip").or(mark.value("Ignore")).is_some();
    let cases = rows(
        method.marks.iter().filter(|mark| ROWS.contains(&mark.last())).map(|mark| usize::from(!is_off(mark))),
    );
    let looped = cases.is_none() && method.has(SOURCES);
    let expected = method.marks.iter().find(|mark| mark.last() == "ExpectedException");
    let inverted = expected.map(|mark| format!("[{}]", sketch.text(mark.node)));
    MethodRole::Test(Traits { skip, cases, looped, inverted, ..Traits::default() })
}

/// `[Fact(Skip = "later")]`, `[Ignore("later")]`, `[Explicit]`, and TUnit's `[Skip("later")]`.
fn skip_mark(sketch: &OutlineBuilder, mark: &Annotation) -> Option<Skip> {
    let reason = mark.arguments.iter().find(|(name, _)| matches!(*name, "Skip" | "Ignore" | "IgnoreReason"));
    let is_meant = match mark.last() {
        // A row that is left out leaves the others.
        "TestCase" | "InlineData" | "DataRow" => false,
        "Ignore" | "Explicit" | "Skip" => true,
        "Fact" | "Theory" | "Test" | "TestMethod" | "TestFixture" | "SkippableFact" | "SkippableTheory" => {
            reason.is_some_and(|(_, value)| sketch.text(*value) != "null")
                || mark.value("Explicit").is_some_and(|it| constant(sketch.text(it)) == Some(true))
        }
        _ => false,
    };
    is_meant.then(|| always(sketch, mark)).flatten()
}

#[cfg(test)]
mod tests {
    use crate::languages::cases::{Case, check, names};

    const TWO: &str = "using Xunit;\n\nnamespace Shop;\n\npublic class CartTests\n{\n    [Fact]\n    public void Adds()\n    {\n        Assert.Equal(3, Add(1, 2));\n    }\n\n    [Fact]\n    public void Drops()\n    {\n        Drop(9).Should().Be(8);\n    }\n}\n";
    const ONE: &str = "public class CartTests {\n    [Test]\n    public void Adds() {\n        Assert.AreEqual(3, Add(1, 2));\n    }\n}\n";

    const CASES: &[Case] = &[
        (
            "one deleted",
            TWO,
            "public class CartTests\n{\n    [Fact]\n    public void Adds()\n    {\n        Assert.Equal(3, Add(1, 2));\n    }\n}\n",
            &["CartTests > Drops: Lost"],
        ),
        (
            "commented out",
            ONE,
            "public class CartTests {\n    /*\n    [Test]\n    public void Adds() {\n        Assert.AreEqual(3, Add(1, 2));\n    }\n    */\n}\n",
            &["CartTests > Adds: CommentedOut"],
        ),
        (
            "switched off by the preprocessor",
            ONE,
            "public class CartTests {\n#if false\n    [Test]\n    public void Adds() {\n        Assert.AreEqual(3, Add(1, 2));\n    }\n#endif\n}\n",
            &["CartTests > Adds: Dead"],
        ),
        (
            "attribute removed",
            ONE,
            "public class CartTests {\n    public void Adds() {\n        Assert.AreEqual(3, Add(1, 2));\n    }\n}\n",
            &["CartTests > Adds: Uncollected Adds"],
        ),
        (
            "skipped in xUnit",
            TWO,
            "public class CartTests\n{\n    [Fact(Skip = \"flaky\")]\n    public void Adds()\n    {\n        Assert.Equal(3, Add(1, 2));\n    }\n\n    [Fact]\n    public void Drops()\n    {\n        Drop(9).Should().Be(8);\n    }\n}\n",
            &["CartTests > Adds: Always"],
        ),
        (
            "ignored in NUnit",
            ONE,
            "public class CartTests {\n    [Test, Ignore(\"flaky\")]\n    public void Adds() {\n        Assert.AreEqual(3, Add(1, 2));\n    }\n}\n",
            &["CartTests > Adds: Always"],
        ),
        (
            "class ignored",
            ONE,
            "[TestFixture, Explicit]\npublic class CartTests {\n    [Test]\n    public void Adds() {\n        Assert.AreEqual(3, Add(1, 2));\n    }\n}\n",
            &["CartTests > Adds: Always suite"],
        ),
        (
            "skipped in TUnit",
            ONE,
            "public class CartTests {\n    [Test]\n    [Skip(\"flaky\")]\n    public void Adds() {\n        Assert.AreEqual(3, Add(1, 2));\n    }\n}\n",
            &["CartTests > Adds: Always"],
        ),
        (
            "class skipped in TUnit",
            ONE,
            "[Skip(\"flaky\")]\npublic class CartTests {\n    [Test]\n    public void Adds() {\n        Assert.AreEqual(3, Add(1, 2));\n    }\n}\n",
            &["CartTests > Adds: Always suite"],
        ),
        (
            "skipped in TUnit by a call",
            ONE,
            "public class CartTests {\n    [Test]\n    public void Adds() {\n        Skip.Test(\"later\");\n        Assert.AreEqual(3, Add(1, 2));\n    }\n}\n",
            &["CartTests > Adds: Always"],
        ),
        (
            "left out in CI in TUnit",
            ONE,
            "public class CartTests {\n    [Test]\n    public void Adds() {\n        Skip.When(Environment.GetEnvironmentVariable(\"CI\") != null, \"slow\");\n        Assert.AreEqual(3, Add(1, 2));\n    }\n}\n",
            &["CartTests > Adds: InCi"],
        ),
        (
            "skipped in TUnit under a condition",
            ONE,
            "public class CartTests {\n    [Test]\n    public void Adds() {\n        Skip.Unless(OperatingSystem.IsLinux(), \"needs flock\");\n        Assert.AreEqual(3, Add(1, 2));\n    }\n}\n",
            &["CartTests > Adds: Sometimes"],
        ),
        (
            "ignored by a call",
            ONE,
            "public class CartTests {\n    [Test]\n    public void Adds() {\n        Assert.Ignore(\"later\");\n        Assert.AreEqual(3, Add(1, 2));\n    }\n}\n",
            &["CartTests > Adds: Always"],
        ),
        (
            "set-up that ignores",
            ONE,
            "public class CartTests {\n    [SetUp]\n    public void Prepare() {\n        Assert.Inconclusive();\n    }\n    [Test]\n    public void Adds() {\n        Assert.AreEqual(3, Add(1, 2));\n    }\n}\n",
            &["CartTests > Adds: Always suite"],
        ),
        (
            "left out in CI",
            ONE,
            "public class CartTests {\n    [Test]\n    public void Adds() {\n        if (Environment.GetEnvironmentVariable(\"CI\") != null) return;\n        Assert.AreEqual(3, Add(1, 2));\n    }\n}\n",
            &["CartTests > Adds: InCi"],
        ),
        (
            "trivial",
            ONE,
            "public class CartTests {\n    [Test]\n    public void Adds() {\n        Assert.That(true, Is.True);\n    }\n}\n",
            &["CartTests > Adds: Trivial"],
        ),
        (
            "emptied",
            ONE,
            "public class CartTests {\n    [Test]\n    public void Adds() {\n    }\n}\n",
            &["CartTests > Adds: Silent"],
        ),
        (
            "to another framework",
            TWO,
            "[TestClass]\npublic class CartTests\n{\n    [TestMethod]\n    public void Adds()\n    {\n        Assert.AreEqual(3, Add(1, 2));\n    }\n\n    [TestMethod]\n    public void Drops()\n    {\n        Assert.AreEqual(8, Drop(9));\n    }\n}\n",
            &[],
        ),
        (
            "merged into a table",
            "class A {\n  [Fact] public void Short() { Assert.Equal(2, Width(\"ab\")); }\n  [Fact] public void Long() { Assert.Equal(8, Width(\"abcdefgh\")); }\n}\n",
            "class A {\n  [Theory, InlineData(\"ab\", 2), InlineData(\"abcdefgh\", 8)] public void Word(string text, int size) { Assert.Equal(size, Width(text)); }\n}\n",
            &[],
        ),
        (
            "conditional compilation for a platform",
            ONE,
            "public class CartTests {\n#if NET8_0\n    [Test]\n    public void Adds() {\n        Assert.AreEqual(3, Add(1, 2));\n    }\n#endif\n}\n",
            &[],
        ),
        (
            "a reason that is null",
            ONE,
            "public class CartTests {\n    [Fact(Skip = null)]\n    public void Adds() {\n        Assert.Equal(3, Add(1, 2));\n    }\n}\n",
            &[],
        ),
    ];

    #[test]
    fn changes_of_tests_are_told_apart() {
        check("CartTests.cs", CASES);
    }

    #[test]
    fn tests_have_stable_names() {
        let source = "namespace A { public class B {\n  [Fact] public void C() {}\n  [NUnit.Framework.TestAttribute] public void D() {}\n  [Theory] [InlineData(1)] public async Task E(int n) {}\n  class F { [TestMethod] public void G() => H(); }\n  public void I() {}\n  string s = @\"\n [Fact] public void J() {}\"; // [Fact] void K() {}\n} }\n";
        assert_eq!(names("BTests.cs", source), ["B > C", "B > D", "B > E", "B > F > G"]);
    }
}
