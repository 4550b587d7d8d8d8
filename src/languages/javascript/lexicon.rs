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

/// For the lexer: `it('`, `it.skip(`, `test.each`, `t.test('`, a story's `play:`.
fn is_head(word: &str, before: &str, after: &str) -> bool {
    if word == "play" {
        return after.trim_start().starts_with([':', '(']) && !before.ends_with('.');
    }
    if !TESTS.contains(&word) {
        return false;
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

fn opens_title(after: &str) -> bool {
    after.trim_start().strip_prefix('(').is_some_and(|rest| {
        let rest = rest.trim_start();
        rest.starts_with(['\'', '"', '`']) || rest.starts_with(|c: char| c.is_alphabetic())
    })
}
