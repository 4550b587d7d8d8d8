//! The words of tests in JavaScript and TypeScript that the lexer counts.

use crate::languages::javascript::words::{HOLDERS, SUITES, TESTS};
use crate::languages::lexer::{Lexicon, Nesting, Strings};

pub(crate) static LEXICON: Lexicon = Lexicon {
    comment: "//",
    block_comments: Some(Nesting::Flat),
    strings: Strings::JavaScript,
    indented: false,
    head: is_head,
    scopes: SUITES,
    marks: &[
        "skip",
        "only",
        "todo",
        "fixme",
        "fails",
        "failing",
        "skipIf",
        "runIf",
        "pending",
        "xit",
        "xtest",
        "xspecify",
        "xdescribe",
        "xcontext",
        "xsuite",
        "fit",
        "fdescribe",
        "fcontext",
        // A story's, where `!test` may stand.
        "tags",
    ],
    comment_mark: None,
};

/// What many call the function that makes a test: `const t = require('node:test')`.
const OWN_NAME: &str = "t";

/// For the lexer: `it('`, `it.skip(`, `test.each`, `t.test('`, a story's `play:`, `t('adds', () =>`; and `it as check`,
/// by which a file with tests under other names has one at least.
fn is_head(word: &str, before: &str, after: &str) -> bool {
    if word == "play" {
        return after.trim_start().starts_with([':', '(']) && !before.ends_with('.');
    }
    if word == OWN_NAME {
        return starts_statement(before) && opens_title(after) && has_function(after);
    }
    if !TESTS.contains(&word) {
        return false;
    }
    if is_renamed(after) {
        return true;
    }
    if let Some(front) = before.strip_suffix('.') {
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let object = front.rsplit(|c: char| !is_part(c)).next().unwrap_or_default();
        return word == "test" && HOLDERS.contains(&object) && opens_title(after);
    }
    if let Some(member) = after.strip_prefix('.') {
        let name = member.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        return [
            "skip",
            "only",
            "each",
            "todo",
            "fails",
            "failing",
            "fixme",
            "concurrent",
            "serial",
            "skipIf",
            "runIf",
            "for",
        ]
        .contains(&name);
    }
    opens_title(after)
}

fn starts_statement(before: &str) -> bool {
    let before = before.trim_end_matches([' ', '\t']);
    before.is_empty() || before.ends_with(['\n', ';', '{', '}'])
}

/// Whether a function follows on the title's own line.
fn has_function(after: &str) -> bool {
    let line = after.lines().next().unwrap_or_default();
    line.contains("=>") || line.contains("function")
}

/// Whether an import gives a word another name: ` as check`, `: check }`.
fn is_renamed(after: &str) -> bool {
    let Some(own) = after.strip_prefix(" as ").or_else(|| after.strip_prefix(": ")) else { return false };
    let name = own.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_' || c == '$');
    name.len() < own.len() && name.trim_start().starts_with([',', '}'])
}

fn opens_title(after: &str) -> bool {
    after.trim_start().strip_prefix('(').is_some_and(|rest| {
        let rest = rest.trim_start();
        rest.starts_with(['\'', '"', '`']) || rest.starts_with(|c: char| c.is_alphabetic())
    })
}
