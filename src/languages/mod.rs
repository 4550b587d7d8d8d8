//! What each programming language calls a test.
//!
//! Two tiers: [`scan`] counts with a lexer and over-suspects; [`outline`] parses and decides. One file per language
//! holds its table of words and the walk that finds its tests. Pure: text in, values out.

pub mod assertions;
mod body;
#[cfg(test)]
mod cases;
pub mod code;
pub mod cpp;
pub mod csharp;
pub mod elixir;
pub mod go;
pub mod java;
pub mod javascript;
pub mod kotlin;
mod lexer;
pub mod php;
pub mod python;
pub mod ruby;
pub mod rust;
mod settings;
pub mod swift;
pub mod testing;

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::ops::ControlFlow;

use tree_sitter::{InputEdit, Node, ParseOptions, Parser, Point, Tree};

pub use crate::languages::assertions::model::{Claim, Strength};
pub use crate::languages::lexer::Scan;
pub use crate::languages::testing::matching::{Fate, pair};
pub use crate::languages::testing::outline::{Assertion, Dead, Outline, Skip, Stray, Test, When, bare_lines};
pub use crate::languages::testing::paths::{data_of_tests, file_name, is_test_name, is_test_path, subject};
pub use crate::languages::testing::pool::Pool;
pub use crate::languages::testing::specimen::specimens;
pub use body::Body;
pub use settings::{Entry, settings};

use crate::languages::lexer::{Lexicon, Nesting, Strings};
use crate::languages::testing::outline_builder::{Found, Sketch};

/// A programming language that Steadfast can read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// JavaScript, with JSX.
    JavaScript,
    /// TypeScript.
    TypeScript,
    /// TypeScript with JSX.
    Tsx,
    /// Python.
    Python,
    /// Rust.
    Rust,
    /// Go.
    Go,
    /// Java.
    Java,
    /// C#.
    CSharp,
    /// PHP.
    Php,
    /// Kotlin.
    Kotlin,
    /// C++, and C as far as it is the same.
    Cpp,
    /// Swift.
    Swift,
    /// Elixir.
    Elixir,
    /// Ruby.
    Ruby,
}

/// Which extension belongs to which language.
const EXTENSIONS: &[(&str, Language)] = &[
    ("js", Language::JavaScript),
    ("mjs", Language::JavaScript),
    ("cjs", Language::JavaScript),
    ("jsx", Language::JavaScript),
    ("ts", Language::TypeScript),
    ("mts", Language::TypeScript),
    ("cts", Language::TypeScript),
    ("tsx", Language::Tsx),
    ("py", Language::Python),
    ("pyi", Language::Python),
    ("rs", Language::Rust),
    ("go", Language::Go),
    ("java", Language::Java),
    ("cs", Language::CSharp),
    ("php", Language::Php),
    ("kt", Language::Kotlin),
    ("kts", Language::Kotlin),
    ("cpp", Language::Cpp),
    ("cc", Language::Cpp),
    ("cxx", Language::Cpp),
    ("c", Language::Cpp),
    ("h", Language::Cpp),
    ("hpp", Language::Cpp),
    ("hh", Language::Cpp),
    ("hxx", Language::Cpp),
    ("inl", Language::Cpp),
    ("swift", Language::Swift),
    ("ex", Language::Elixir),
    ("exs", Language::Elixir),
    ("rb", Language::Ruby),
    ("rake", Language::Ruby),
    ("gemspec", Language::Ruby),
];

/// What one language's file declares.
pub(crate) struct Grammar {
    parser: fn() -> tree_sitter::Language,
    /// Finds tests, strays and dead regions.
    walk: fn(&mut Sketch, Node),
    /// Recognises an assertion.
    assertion: fn(Node, &str) -> Option<Found>,
    /// Reads what an assertion claims.
    claim: fn(Node, &str) -> Claim,
    /// The kinds of nodes that can be assertions.
    asserting: &'static [&'static str],
    /// The kinds of nodes that loop.
    loops: &'static [&'static str],
    lexicon: Lexicon,
}

/// Larger texts are not parsed, nor are those with more lines or a longer one: they would take too long, and mostly they
/// are data or generated.
const LARGEST: usize = 256 << 10;
const MOST_LINES: usize = 15_000;
const LONGEST_LINE: usize = 100_000;

/// How often the parser may report progress before it is stopped (it does so every 100 operations), per byte and at
/// least: a dozen times what ordinary texts take, so that only error recovery run wild is stopped.
const BYTES_PER_STEP: usize = 5;
const LEAST_STEPS: usize = 2_000;

/// How much it may be given to read, in bytes: a scanner that looks ahead to the end from every place is stopped.
/// Ordinary texts are given as a whole, and four times to forty if they are small.
const LEAST_READ: usize = 4 << 20;
const MOST_READINGS: usize = 8;

const MOST_COMMENTS: usize = 200;
/// Bytes times quotes of a text in Kotlin whose raw string has no end: its scanner looks for one from each of them.
const MOST_QUOTED: usize = 10_000_000;

impl Language {
    /// The language of a file, by its extension.
    pub fn of_path(path: &str) -> Option<Language> {
        let (_, extension) = file_name(path).rsplit_once('.')?;
        EXTENSIONS.iter().find(|(known, _)| *known == extension).map(|(_, language)| *language)
    }

    /// The grammar to parse with; `None` for what is read by hand.
    fn grammar(self) -> Option<&'static Grammar> {
        Some(match self {
            Language::Ruby => return None,
            Language::JavaScript => &javascript::testing::JAVASCRIPT,
            Language::TypeScript => &javascript::testing::TYPESCRIPT,
            Language::Tsx => &javascript::testing::TSX,
            Language::Python => &python::testing::GRAMMAR,
            Language::Rust => &rust::testing::GRAMMAR,
            Language::Go => &go::testing::GRAMMAR,
            Language::Java => &java::testing::GRAMMAR,
            Language::CSharp => &csharp::testing::GRAMMAR,
            Language::Php => &php::testing::GRAMMAR,
            Language::Kotlin => &kotlin::testing::GRAMMAR,
            Language::Cpp => &cpp::testing::GRAMMAR,
            Language::Swift => &swift::testing::GRAMMAR,
            Language::Elixir => &elixir::testing::GRAMMAR,
        })
    }

    fn lexicon(self) -> &'static Lexicon {
        self.grammar().map_or(&ruby::testing::LEXICON, |grammar| &grammar.lexicon)
    }

    /// Whether a runner looks for tests in this file at all.
    fn collects_from(self, path: &str, source: &str) -> bool {
        match self {
            Language::JavaScript | Language::TypeScript | Language::Tsx | Language::Rust => true,
            Language::Go => path.ends_with("_test.go"),
            Language::Python => {
                is_test_path(path) || source.contains("import pytest") || source.contains("unittest")
            }
            Language::Java => is_test_path(path) || names_any(source, &["org.junit", "org.testng"]),
            Language::Kotlin => {
                is_test_path(path)
                    || names_any(source, &["org.junit", "org.testng", "kotlin.test", "io.kotest"])
            }
            Language::Cpp => {
                is_test_path(path)
                    || names_any(source, &["gtest", "catch2", "catch.hpp", "doctest", "boost/test"])
            }
            Language::Swift => is_test_path(path) || names_any(source, &["import XCTest", "import Testing"]),
            Language::Elixir => {
                path.ends_with("_test.exs")
                    || (path.ends_with(".exs") && is_test_path(path) && names_any(source, &["use "]))
            }
            Language::Ruby => is_test_path(path) || names_any(source, &["RSpec", "minitest", "Minitest"]),
            Language::Php => is_test_path(path) || names_any(source, &["PHPUnit"]),
            Language::CSharp => {
                is_test_path(path) || names_any(source, &["Xunit", "NUnit", "TestTools.UnitTesting"])
            }
        }
    }
}

/// Whether the text names one of the frameworks at all.
fn names_any(source: &str, frameworks: &[&str]) -> bool {
    frameworks.iter().any(|name| memchr::memmem::find(source.as_bytes(), name.as_bytes()).is_some())
}

/// A text that is parsed at most once, whatever is asked about it.
#[derive(Debug)]
pub struct Reading<'s> {
    language: Language,
    source: &'s str,
    tree: OnceCell<Option<Tree>>,
    calm: OnceCell<Cow<'s, [u8]>>,
}

impl<'s> Reading<'s> {
    /// A text in its language; nothing is parsed yet.
    pub fn new(language: Language, source: &'s str) -> Self {
        Reading { language, source, tree: OnceCell::new(), calm: OnceCell::new() }
    }

    /// Whether it is this text in this language.
    pub fn is_of(&self, language: Language, source: &str) -> bool {
        self.language == language && self.source == source
    }

    fn tree(&self) -> Option<&Tree> {
        self.tree.get_or_init(|| self.parse(None)).as_ref()
    }

    /// What its grammar gets: its bytes without floods of signs.
    fn calm(&self) -> &Cow<'s, [u8]> {
        self.calm.get_or_init(|| {
            let mut calm = lexer::floods::without_floods(self.source);
            // Kotlin's scanner looks for the end of an annotation without an eye for the end of the text.
            if self.language == Language::Kotlin && !calm.ends_with(b"\n") {
                calm.to_mut().push(b'\n');
            }
            calm
        })
    }

    fn parse(&self, old: Option<&Tree>) -> Option<Tree> {
        if is_too_large(self.source) { None } else { parse(self.language, self.source, self.calm(), old) }
    }

    /// Parses it as a changed `before`: what is the same is taken from its tree.
    pub fn follow(&self, before: &Reading) {
        self.tree.get_or_init(|| {
            // A text with errors may be read in several ways, and what stands for a flood is not in the text.
            let is_sound = |tree: &Tree| !tree.root_node().has_error();
            let Some(old) = before.tree().filter(|old| is_sound(old)) else { return self.parse(None) };
            if [before.calm(), self.calm()].iter().any(|calm| matches!(calm, Cow::Owned(_))) {
                return self.parse(None);
            }
            let mut old = old.clone();
            old.edit(&difference(before.source, self.source));
            self.parse(Some(&old)).filter(is_sound).or_else(|| self.parse(None))
        });
    }

    /// Its tests. A text that is too large gives an outline which is not readable.
    pub fn outline(&self) -> Outline {
        let Some(grammar) = self.language.grammar() else {
            return if is_too_large(self.source) {
                Outline::default()
            } else {
                ruby::testing::outline(self.source)
            };
        };
        let Some(tree) = self.tree() else { return Outline::default() };
        let mut sketch = Sketch::new(self.source, grammar);
        (grammar.walk)(&mut sketch, tree.root_node());
        sketch.finish(tree.root_node())
    }

    /// The tests that a runner finds in it when it is the file at `path`.
    pub fn outline_at(&self, path: &str) -> Outline {
        if self.language.collects_from(path, self.source) {
            return self.outline();
        }
        Outline { readable: true, ..Outline::default() }
    }

    /// What its code does. `None` when the language isn't read so, or the text is too large.
    pub fn code(&self) -> Option<code::Code<'s>> {
        if self.language == Language::Ruby {
            return (!is_too_large(self.source)).then(|| ruby::testing::code(self.source));
        }
        code::of_tree(self.language, self.source, self.tree()?)
    }
}

/// Parses a text and lists its tests. A text that is too large gives an outline which is not readable.
pub fn outline(language: Language, source: &str) -> Outline {
    Reading::new(language, source).outline()
}

/// The one stretch in which two texts differ.
fn difference(before: &str, after: &str) -> InputEdit {
    let (old, new) = (before.as_bytes(), after.as_bytes());
    let same = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    // A change in the middle of a letter changes the letter.
    let start = (0..=same).rev().find(|at| before.is_char_boundary(*at)).unwrap_or(0);
    let rest = |bytes: &[u8]| bytes.len() - start;
    let tail = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    let most = tail.min(rest(old)).min(rest(new));
    let tail = (0..=most).rev().find(|tail| before.is_char_boundary(old.len() - tail)).unwrap_or(0);
    let point = |bytes: &[u8], at: usize| {
        let text = bytes.get(..at).unwrap_or_default();
        let line = memchr::memrchr(b'\n', text).map_or(0, |end| end + 1);
        Point::new(memchr::memchr_iter(b'\n', text).count(), at - line)
    };
    let (old_end, new_end) = (old.len() - tail, new.len() - tail);
    InputEdit {
        start_byte: start,
        old_end_byte: old_end,
        new_end_byte: new_end,
        start_position: point(old, start),
        old_end_position: point(old, old_end),
        new_end_position: point(new, new_end),
    }
}

fn is_too_large(source: &str) -> bool {
    source.len() > LARGEST
        || memchr::memchr_iter(b'\n', source.as_bytes()).count() > MOST_LINES
        || source.lines().any(|line| line.len() > LONGEST_LINE)
}

/// What is counted of a change before and after, where a text is too large for more: tests, and words that may skip or
/// focus them. `None` when it is read in full, or no language's.
pub fn counted(path: &str, before: &str, after: &str) -> Option<[(usize, usize); 2]> {
    let language = Language::of_path(path)?;
    if !is_too_large(before) && !is_too_large(after) {
        return None;
    }
    let (before, after) = (scan(language, before), scan(language, after));
    Some([(before.tests, after.tests), (before.marks, after.marks)])
}

/// Parses a text as `bytes`; `None` when it is too hard, or its language has no grammar here. With the tree of another
/// text, only what differs is parsed.
fn parse(language: Language, source: &str, bytes: &[u8], old: Option<&Tree>) -> Option<Tree> {
    let grammar = language.grammar()?;
    // A scanner of nested comments or of raw strings looks for an end that isn't there from every place it tries.
    let is_endless = grammar.lexicon.block_comments == Some(Nesting::Nested) && scan(language, source).unsure;
    if is_endless && memchr::memmem::find_iter(source.as_bytes(), b"/*").nth(MOST_COMMENTS).is_some() {
        return None;
    }
    let quotes = || memchr::memchr_iter(b'"', source.as_bytes()).count();
    if is_endless && grammar.lexicon.strings == Strings::Kotlin && quotes() * source.len() > MOST_QUOTED {
        return None;
    }
    let mut parser = Parser::new();
    parser.set_language(&(grammar.parser)()).ok()?;
    let most = (LEAST_STEPS + source.len() / BYTES_PER_STEP) / if is_endless { 8 } else { 1 };
    let most_read = LEAST_READ + source.len() * MOST_READINGS;
    let (steps, bytes_read) = (Cell::new(0usize), Cell::new(0usize));
    let is_over = || steps.get() > most || bytes_read.get() > most_read;
    let mut progress = |_: &tree_sitter::ParseState| {
        steps.set(steps.get() + 1);
        if is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    // Never cut short, though it is over: a scanner may wait for ever for what no longer comes. Its caller stops at the
    // next report.
    let mut read = |at: usize, _| {
        let rest = bytes.get(at..).unwrap_or_default();
        bytes_read.set(bytes_read.get() + rest.len());
        rest
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let tree = parser.parse_with_options(&mut read, old, Some(options));
    tree.filter(|_| !is_over())
}

/// The outline of the file at `path`: empty where no runner looks for tests, or when the language is unknown.
pub fn outline_of(path: &str, source: &str) -> Outline {
    match Language::of_path(path) {
        Some(language) => Reading::new(language, source).outline_at(path),
        None => Outline { readable: true, ..Outline::default() },
    }
}

/// Counts with the lexer.
pub fn scan(language: Language, source: &str) -> Scan {
    lexer::scan(language.lexicon(), source)
}

/// How many tests the file has, by the lexer alone. `None` when the language is unknown.
pub fn count_tests(path: &str, source: &str) -> Option<usize> {
    let language = Language::of_path(path)?;
    Some(if language.collects_from(path, source) { scan(language, source).tests } else { 0 })
}

/// The names of the tests that run: neither skipped nor left out because another has the focus. `None` for a file whose
/// language isn't known.
pub fn running_tests(path: &str, source: &str) -> Option<Vec<String>> {
    let outline = outline(Language::of_path(path)?, source);
    let focused = outline.tests.iter().any(|test| test.focused.is_some());
    let runs = |test: &&Test| test.skipped.is_none() && (!focused || test.focused.is_some());
    Some(outline.tests.iter().filter(runs).map(|test| test.name.clone()).collect())
}

/// The names of the file's tests. `None` when the language is unknown or the text is too large.
pub fn test_names(path: &str, source: &str) -> Option<Vec<String>> {
    Language::of_path(path)?;
    let outline = outline_of(path, source);
    let names = outline.tests.into_iter().filter(|test| !test.suite).map(|test| test.name);
    outline.readable.then(|| names.collect())
}

/// Whether a change of the file at `path` may take away a test, or what a test does. `false` is certain, and cheap.
pub fn is_suspicious(path: &str, before: &str, after: &str) -> bool {
    let Some(language) = Language::of_path(path).filter(|language| language.collects_from(path, before))
    else {
        return false;
    };
    before != after && scan(language, before).is_suspicious(&scan(language, after))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let all = |reading: &Reading| {
            let mut nodes = Vec::new();
            testing::outline_builder::each_node(reading.tree().unwrap().root_node(), &mut |node| {
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
                        Reading::new(language, &source),
                        Reading::new(language, &after),
                        Reading::new(language, &after),
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
            for start in ["class A\n", "class A {\n", "class A { val x = 1\n", "val x: Int\n", "fun f() {}\n"]
            {
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
        ];
        for text in &texts {
            for language in languages {
                let seen = outline(language, text);
                // Comments without an end are not worth seconds of looking for it.
                let is_endless = text.starts_with("/*");
                // Nor is Kotlin's scanner, which reads on to the end from each place of some of them.
                let may_give_up = is_endless || language == Language::Kotlin;
                assert!(seen.readable || may_give_up, "{language:?} {:?}", text.get(..20));
                let _ = scan(language, text);
            }
        }
        let long = format!("const a = '{}';\n", "x".repeat(LONGEST_LINE));
        assert!(!outline(Language::JavaScript, &long).readable, "a long line is not parsed");
    }
}
