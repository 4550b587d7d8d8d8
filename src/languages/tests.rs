//! What holds for the languages as a whole.

use super::*;
use crate::languages::parsing::{LONGEST_LINE, MOST_LINES};

const SOURCES: &[(&str, &str, &[&str])] = &[
    (
        "a.test.js",
        "describe('cart', () => {\n  it('adds', () => {});\n  describe(\"totals\", function () {\n    test.each([[1], [2]])('row %i', (n) => {});\n    it.each`a | b\n      ${1} | ${2}`('tagged', fn);\n  });\n});\ntest.concurrent(`late ${x}`, async () => {});\n",
        &["cart > adds", "cart > totals > row %i", "cart > totals > tagged", "late ${x}"],
    ),
    (
        "a.spec.tsx",
        "test.describe('page', () => {\n  test('opens', async ({ page }: { page: Page }) => { await expect(page).toHaveTitle(/x'/); });\n});\n",
        &["page > opens"],
    ),
    (
        "node.test.mjs",
        "import test from 'node:test';\ntest('outer', async (t) => {\n  await t.test('inner', () => { assert.ok(1); });\n});\nDeno.test('deno', () => {});\n",
        &["outer > inner", "deno"],
    ),
    (
        "own-name.test.mjs",
        "import t, { describe as group } from 'node:test';\nt('outer', async (t) => {\n  t.skip('not here');\n  await t.test('inner', () => { assert.ok(1); });\n});\ngroup('all', () => { t('one', () => { assert.ok(1); }); });\nt.skip('later', () => {});\n",
        &["outer > inner", "all > one", "later"],
    ),
    (
        "required.test.cjs",
        "const t = require('node:test'), { it: check, describe } = require('vitest');\nt('adds', () => { a.equal(1, 1); });\ndescribe('b', () => { check('c', () => { a.equal(1, 1); }); });\n",
        &["adds", "b > c"],
    ),
    ("t.test.js", "const t = require('./translations');\nt('key', () => {});\n", &[]),
    (
        "test_a.py",
        "import pytest\n\nclass TestCart:\n    class TestInner:\n        def test_deep(self): pass\n    def test_add(self):\n        def test_not_collected(): pass\n    def helper(self): pass\n\nclass Cart:\n    def test_no(self): pass\n\nif sys.version_info > (3,):\n    async def test_async(): pass\n",
        &["TestCart > TestInner > test_deep", "TestCart > test_add", "test_async"],
    ),
    (
        "src/lib.rs",
        "pub fn test() {}\n#[cfg(test)]\nmod tests {\n    mod inner {\n        #[test] fn deep() { assert!(x); }\n    }\n    #[tokio::test(flavor = \"multi_thread\")]\n    async fn waits() {}\n    #[rstest]\n    #[case(1)]\n    #[case(2)]\n    fn rows(#[case] n: u8) {}\n    fn helper() {}\n}\nproptest! {\n    #[test]\n    fn law(a in 0..9) { prop_assert!(a < 9); }\n}\n",
        &["tests > inner > deep", "tests > waits", "tests > rows", "law"],
    ),
    (
        "a_test.go",
        "package a\n\nfunc TestOne(t *testing.T) { one(t) }\n\nfunc TestMany(t *testing.T) {\n\tt.Run(\"first\", func(t *testing.T) {})\n\tt.Run(\"second\", func(t *testing.T) {\n\t\tt.Run(\"deep\", func(t *testing.T) {})\n\t})\n}\n\nfunc Testing() {}\nfunc TestMain(m *testing.M) {}\nfunc ExampleOne() {}\nfunc FuzzOne(f *testing.F) {}\n",
        &["TestOne", "TestMany > first", "TestMany > second > deep", "ExampleOne", "FuzzOne"],
    ),
];

#[test]
fn a_changed_text_is_read_like_a_new_one() {
    let all = |reading: &ParsedSource| {
        let mut nodes = Vec::new();
        tree::each_node(reading.tree().unwrap().root_node(), &mut |node| {
            nodes.push((node.kind_id(), node.byte_range(), node.start_position(), node.is_missing()));
            true
        });
        nodes
    };
    let edits =
        [("", "x"), ("é", "è"), ("1", ""), ("{", ""), ("\n", "\n\n"), ("(", "(f("), ("a", "return b")];
    for (path, source, _) in SOURCES {
        let source = format!("{source}\n// é\n{source}");
        let language = Language::of_path(path).unwrap();
        for (old, new) in edits {
            let places: Vec<usize> = source.match_indices(old).map(|(at, _)| at).collect();
            for at in places.iter().step_by(places.len() / 9 + 1) {
                let after = [&source[..*at], new, &source[at + old.len()..]].concat();
                let (before, again, alone) = (
                    ParsedSource::new(language, &source),
                    ParsedSource::new(language, &after),
                    ParsedSource::new(language, &after),
                );
                again.follow(&before);
                assert_eq!(all(&again), all(&alone), "{path} {old:?} {new:?} at {at}");
            }
        }
    }
}

#[test]
fn kotlin_may_end_in_an_annotation() {
    for end in ["@", "@@@", "@Test", "@A(", "@A(x", "@A(x)", "@A(\n", "@A ", "@get:A"] {
        for start in ["class A\n", "class A {\n", "class A { val x = 1\n", "val x: Int\n", "fun f() {}\n"] {
            let text = format!("{start}{end}");
            assert!(outline(Language::Kotlin, &text).readable, "{text:?}");
            outline_of("src/test/kotlin/ATest.kt", &text);
        }
    }
}

#[test]
fn what_is_too_large_is_counted() {
    let tests = |count: usize| "it.skip('a', () => {});\n".repeat(count) + &"f();\n".repeat(MOST_LINES);
    assert_eq!(counted("a.test.js", &tests(3), &tests(2)), Some([(3, 2), (3, 2)]));
    assert_eq!(counted("a.test.js", "it('a', f)", "it('b', f)"), None);
    assert_eq!(counted("notes.txt", &tests(3), &tests(2)), None);
}

#[test]
fn tests_are_named_with_their_nesting() {
    for (path, source, expected) in SOURCES {
        assert_eq!(test_names(path, source).unwrap(), *expected, "{path}");
    }
}

#[test]
fn a_file_that_no_runner_collects_holds_no_tests() {
    let cases = [
        ("src/health.py", "def test_connection(): pass\n"),
        ("a.go", "package a\nfunc TestX(t *testing.T) {}\n"),
        (
            "src/match.ts",
            "if (/it('x', y)/.test('it')) { exit(1); }\nconst s = \"it('x', () => {})\"; // it('x', f)\n",
        ),
        (
            "src/lib.rs",
            "// #[test]\nconst A: &str = r#\"#[test] fn x() {}\"#;\n/* /* #[test] */ fn x() {} */\n",
        ),
    ];
    for (path, source) in cases {
        assert_eq!(test_names(path, source), Some(vec![]), "names in {path}");
        assert_eq!(count_tests(path, source), Some(0), "count in {path}");
    }
    assert_eq!(count_tests("README.md", "it('x', f)"), None);
}

#[test]
fn the_lexer_counts_at_least_what_the_parser_finds() {
    for (path, source, expected) in SOURCES {
        let counted = count_tests(path, source).unwrap();
        assert!(counted >= expected.len(), "{path}: {counted} counted, {expected:?} found");
    }
}

#[test]
fn additions_and_layout_are_not_worth_a_parse() {
    let cases = [
        (
            "a.test.js",
            "it('a', () => { expect(f(1)).toBe(2); });\n",
            "// new\nit('a', () => { expect(f(1)).toBe(2); });\nit('b', () => { expect(f(3)).toBe(4); });\n",
        ),
        (
            "test_a.py",
            "def test_a():\n    assert f(1) == 2\n",
            "import os\n\n\ndef test_a():\n\n    assert f(1) == 2  # why\n",
        ),
        (
            "src/a.rs",
            "fn f() -> u8 { 1 }\n#[test]\nfn a() { assert_eq!(f(), 1); }\n",
            "fn f() -> u8 { 2 - 1 }\n#[test]\nfn a() { assert_eq!(f(), 1); }\n",
        ),
        ("src/a.ts", "export const a = 1;\n", "if (x) { return; }\n"),
    ];
    for (path, before, after) in cases {
        assert!(!is_suspicious(path, before, after), "{path} {after:?}");
    }
}

#[test]
fn what_may_lose_a_test_is_worth_a_parse() {
    let source = "describe('s', () => {\n  it('a', () => {\n    expect(f(1)).toBe(2);\n  });\n});\n";
    let afters = [
        "",
        "/* ",
        "`",
        "xdescribe('s', () => {\n  it('a', () => {\n    expect(f(1)).toBe(2);\n  });\n});\n",
        "describe('s', () => {\n  it('a', () => {\n    return;\n    expect(f(1)).toBe(2);\n  });\n});\n",
        "describe('s', () => {\n  it('a', () => {\n  });\n});\n",
        "{ describe('s', () => {\n  it('a', () => {\n    expect(f(1)).toBe(2);\n  });\n});\n}\n",
    ];
    for after in afters {
        assert!(is_suspicious("a.test.js", source, after), "{after:?}");
    }
}

#[test]
fn hostile_texts_are_survived() {
    let deep =
        |open: &str, close: &str| format!("{open}\n").repeat(4_000) + &format!("{close}\n").repeat(4_000);
    let texts = [
        deep("describe('x', () => {", "});"),
        deep("(", ")"),
        deep("if (a) {", "}"),
        "mod a {\n".repeat(3_000),
        "class A:\n ".repeat(3_000),
        "/*".repeat(9_999),
        "r###".repeat(300) + "\"",
        "`${".repeat(2_000),
        "it(\n".repeat(5_000),
        "class A {\n".repeat(3_000),
        "f()".repeat(9_000),
        "f() { ".repeat(4_000),
        "#if 0\n".repeat(3_000),
        "[A(".repeat(3_000),
        "<<<A\n".repeat(3_000),
        "do\n".repeat(3_000),
        "TEST_CASE(\"a\") {\n".repeat(3_000),
        "\u{0}\u{feff}é'\u{2028}#[test] fn é() {}".to_owned(),
        "'''".to_owned(),
    ];
    let languages = [
        Language::JavaScript,
        Language::Tsx,
        Language::Python,
        Language::Rust,
        Language::Go,
        Language::Java,
        Language::CSharp,
        Language::Php,
        Language::Elixir,
        Language::Cpp,
        Language::Ruby,
        Language::Kotlin,
        Language::Swift,
        Language::Dart,
    ];
    for text in &texts {
        for language in languages {
            let seen = outline(language, text);
            // Comments without an end are not worth seconds of looking for it.
            let is_endless = text.starts_with("/*");
            // Nor is Kotlin's scanner, which reads on to the end from each place of some of them.
            // And Dart's grammar reads a row of calls without an operator between them in too many ways.
            let is_open = language == Language::Dart && text.starts_with("f()");
            let may_give_up = is_endless || is_open || language == Language::Kotlin;
            assert!(seen.readable || may_give_up, "{language:?} {:?}", text.get(..20));
            let _ = scan(language, text);
        }
    }
    let long = format!("const a = '{}';\n", "x".repeat(LONGEST_LINE));
    assert!(!outline(Language::JavaScript, &long).readable, "a long line is not parsed");
}
