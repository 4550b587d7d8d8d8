//! What each programming language calls a test.
//!
//! Two tiers: [`scan`] counts with a lexer and over-suspects; [`outline`] parses and decides. One file per language
//! holds its table of words and the walk that finds its tests. Pure: text in, values out.

mod body;
mod condition;
mod go;
mod javascript;
mod leaves;
mod outline;
mod pairing;
mod paths;
mod python;
mod rust;
mod scan;
mod sketch;

use std::ops::ControlFlow;

use tree_sitter::{Node, ParseOptions, Parser};

pub use body::Body;
pub use outline::{Assertion, Dead, Outline, Skip, Stray, Test, When, bare_lines};
pub use pairing::{Fate, Pool, pair};
pub use paths::{file_name, is_test_name, is_test_path, subject};
pub use scan::Scan;

use scan::Lexicon;
use sketch::{Found, Sketch};

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
    ("rs", Language::Rust),
    ("go", Language::Go),
];

/// What one language's file declares.
struct Grammar {
    parser: fn() -> tree_sitter::Language,
    /// Finds tests, strays and dead regions.
    walk: fn(&mut Sketch, Node),
    /// Recognises an assertion.
    assertion: fn(Node, &str) -> Option<Found>,
    /// The kinds of nodes, besides identifiers, that can be assertions.
    asserting: &'static [&'static str],
    /// The kinds of nodes that loop.
    loops: &'static [&'static str],
    lexicon: Lexicon,
}

/// Larger texts are not parsed, nor are those with a longer line: they are data or generated.
const LARGEST: usize = 2 << 20;
const LONGEST_LINE: usize = 100_000;

/// How often the parser may report progress before it is stopped (it does so every 100 operations): some hundred
/// times what an ordinary text of the largest size takes, so that only error recovery run wild is stopped.
const MOST_STEPS: usize = 1_000_000;

impl Language {
    /// The language of a file, by its extension.
    pub fn of_path(path: &str) -> Option<Language> {
        let (_, extension) = file_name(path).rsplit_once('.')?;
        EXTENSIONS.iter().find(|(known, _)| *known == extension).map(|(_, language)| *language)
    }

    fn grammar(self) -> &'static Grammar {
        match self {
            Language::JavaScript => &javascript::JAVASCRIPT,
            Language::TypeScript => &javascript::TYPESCRIPT,
            Language::Tsx => &javascript::TSX,
            Language::Python => &python::GRAMMAR,
            Language::Rust => &rust::GRAMMAR,
            Language::Go => &go::GRAMMAR,
        }
    }

    /// Whether a runner looks for tests in this file at all.
    fn collects_from(self, path: &str, source: &str) -> bool {
        match self {
            Language::JavaScript | Language::TypeScript | Language::Tsx | Language::Rust => true,
            Language::Go => path.ends_with("_test.go"),
            Language::Python => {
                is_test_path(path) || source.contains("import pytest") || source.contains("unittest")
            }
        }
    }
}

/// Parses a text and lists its tests. A text that is too large gives an outline which is not readable.
pub fn outline(language: Language, source: &str) -> Outline {
    if source.len() > LARGEST || source.lines().any(|line| line.len() > LONGEST_LINE) {
        return Outline::default();
    }
    let grammar = language.grammar();
    let mut parser = Parser::new();
    if parser.set_language(&(grammar.parser)()).is_err() {
        return Outline::default();
    }
    let mut steps = 0usize;
    let mut progress = |_: &tree_sitter::ParseState| {
        steps += 1;
        if steps > MOST_STEPS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let bytes = source.as_bytes();
    let mut read = |at: usize, _| bytes.get(at..).unwrap_or_default();
    let options = ParseOptions::new().progress_callback(&mut progress);
    let Some(tree) = parser.parse_with_options(&mut read, None, Some(options)) else {
        return Outline::default();
    };
    let mut sketch = Sketch::new(source, grammar);
    (grammar.walk)(&mut sketch, tree.root_node());
    sketch.finish(tree.root_node())
}

/// The outline of the file at `path`: empty where no runner looks for tests, or when the language is unknown.
pub fn outline_of(path: &str, source: &str) -> Outline {
    match Language::of_path(path).filter(|language| language.collects_from(path, source)) {
        Some(language) => outline(language, source),
        None => Outline { readable: true, ..Outline::default() },
    }
}

/// Counts with the lexer.
pub fn scan(language: Language, source: &str) -> Scan {
    scan::scan(language.grammar(), source)
}

/// How many tests the file has, by the lexer alone. `None` when the language is unknown.
pub fn count_tests(path: &str, source: &str) -> Option<usize> {
    let language = Language::of_path(path)?;
    Some(if language.collects_from(path, source) { scan(language, source).tests } else { 0 })
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
