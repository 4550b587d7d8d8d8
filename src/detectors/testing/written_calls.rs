//! What a test's text calls, and the values that it writes out: those that it gives to the calls, and all of them.
//!
//! The words of frameworks, of waiting and of failing are none of it.

use std::collections::BTreeSet;

use crate::detectors::engine::code_lines::closing;
use crate::detectors::testing::word_edit::{is_name, words};
use crate::languages::{Body, code::bare};

/// Calls whose arguments are no input: they fail, log or wait.
const BESIDE: &[&str] = &[
    "Fatal",
    "Fatalf",
    "Error",
    "Errorf",
    "Log",
    "Logf",
    "Skip",
    "Skipf",
    "fail",
    "XCTFail",
    "Fail",
    "AddFailure",
    "ADD_FAILURE",
    "FAIL",
    "flunk",
    "print",
    "println",
    "printf",
    "Println",
    "Printf",
    "log",
    "setTimeout",
    "sleep",
    "Sleep",
    "delay",
    "Delay",
    "wait",
    "Promise",
    "panic",
    "record",
];
/// Words in front of brackets that are no calls, and calls that only count, convert or list.
const NO_CALLS: &[&str] = &[
    "if",
    "for",
    "while",
    "switch",
    "match",
    "catch",
    "func",
    "function",
    "fn",
    "fun",
    "def",
    "return",
    "in",
    "foreach",
    "guard",
    "let",
    "val",
    "var",
    "try",
    "await",
    "not",
    "and",
    "or",
    "is",
    "with",
    "when",
    "throws",
    "len",
    "list",
    "sorted",
    "set",
    "Set",
    "List",
    "String",
    "string",
    "str",
    "int",
    "map",
    "make",
    "append",
    "Some",
    "Ok",
    "Err",
    "Left",
    "Right",
    "vec",
    "assert",
    "must",
    "throwA",
    "beEqualTo",
    "intercept",
    "filter",
    "async",
    "DeepEqual",
    "isEmpty",
    "size",
    "count",
    "toString",
    "to_string",
    "unwrap",
    "isRight",
    "isLeft",
    "nonEmpty",
];

/// The calls and values of a text.
#[derive(Debug, Default)]
pub(super) struct WrittenCalls {
    /// The functions that are called, by their last name.
    pub(super) names: BTreeSet<String>,
    /// The innermost of these calls with their arguments, without blanks.
    pub(super) calls: Vec<String>,
    /// The values that are given to them, or bound to a name.
    pub(super) inputs: BTreeSet<String>,
    /// All values.
    pub(super) values: BTreeSet<String>,
}

/// What a bracket belongs to.
#[derive(Clone, Copy, PartialEq)]
enum Bracket {
    /// A call of something that a test is about, or data within it.
    Call,
    /// A call whose arguments are no input.
    Beside,
    /// Anything else.
    Other,
}

impl WrittenCalls {
    /// Those of a test's text; its title is none of them.
    pub(super) fn of(text: &str, title: &str) -> Self {
        let title = title.trim_matches(['"', '\'', '`']);
        let all = words(text);
        let mut found = WrittenCalls::default();
        let mut open: Vec<Bracket> = Vec::new();
        for (index, (at, word)) in all.iter().enumerate() {
            let before =
                |back: usize| index.checked_sub(back).and_then(|it| all.get(it)).map_or("", |it| it.1);
            match *word {
                "(" => {
                    let inside = text.get(at + 1..).unwrap_or_default();
                    open.push(found.opened(inside, before(1), before(2), title));
                }
                "[" | "{" => open.push(open.last().copied().unwrap_or(Bracket::Other)),
                ")" | "]" | "}" => drop(open.pop()),
                _ => {}
            }
            let Some(value) = value(word, before(1), before(2)).filter(|it| it != title) else { continue };
            if !open.contains(&Bracket::Beside) {
                // `if got != 3 {` asks for that very value.
                let is_compared = matches!(before(2), "=" | "<" | ">");
                let is_bound = matches!(before(1), "=" | "{") && !is_compared;
                if open.contains(&Bracket::Call) || is_bound {
                    found.inputs.insert(value.clone());
                }
                found.values.insert(value);
            }
        }
        found
    }

    /// What a bracket belongs to, given the text behind it; a call is noted.
    fn opened(&mut self, inside: &str, name: &str, before: &str, title: &str) -> Bracket {
        if BESIDE.contains(&name) {
            return Bracket::Beside;
        }
        let is_defined = ["func", "function", "fn", "fun", "def", "void"].contains(&before) || name == title;
        if !is_name(name) || is_framework(name) || NO_CALLS.contains(&name) || is_defined {
            return Bracket::Other;
        }
        self.names.insert(name.to_owned());
        let end = closing(inside).unwrap_or(inside.len());
        self.calls.push(bare(&format!("{name}({})", inside.get(..end).unwrap_or_default())));
        Bracket::Call
    }
}

/// Whether a name belongs to a framework of tests: it leaves no trace in a body.
fn is_framework(name: &str) -> bool {
    let mut body = Body::default();
    body.word(name);
    let lower = name.to_lowercase();
    let is_asking = ["assert", "expect", "xct", "require", "should", "verify"];
    body.is_empty() || is_asking.iter().any(|word| lower.starts_with(word))
}

/// The value that a word is, a number with its sign; `None` for names and signs.
fn value(word: &str, before: &str, second: &str) -> Option<String> {
    if let Some(inner) = word.strip_prefix(['"', '\'', '`']) {
        return Some(inner.trim_end_matches(['"', '\'', '`']).to_owned());
    }
    let number = number_of(word)?;
    let is_negative =
        before == "-" && !second.starts_with(|c: char| c.is_alphanumeric() || matches!(c, ')' | ']'));
    Some(if is_negative { -number } else { number }.to_string())
}

/// The number that a word writes out, without its blanks and its type.
pub(super) fn number_of(word: &str) -> Option<f64> {
    let digits: String = word.chars().filter(|c| *c != '_').collect();
    let digits = digits.trim_end_matches(['f', 'F', 'L', 'l', 'u', 'U', 'd', 'm', 'M', '.']);
    digits
        .parse()
        .ok()
        .filter(|_| digits.starts_with(['-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']))
}
