//! The words of tests in PHP that the lexer counts.

use crate::languages::lexer::{Lexicon, Nesting, Strings};

pub(crate) static LEXICON: Lexicon = Lexicon {
    comment: "//",
    block_comments: Some(Nesting::Flat),
    strings: Strings::Php,
    indented: false,
    head: is_head,
    scopes: &["class", "trait", "describe"],
    marks: &[
        "markTestSkipped",
        "markTestIncomplete",
        "skip",
        "todo",
        "only",
        "private",
        "protected",
        "abstract",
        "RequiresPhp",
        "RequiresPhpExtension",
        "RequiresOperatingSystem",
        "skipOnWindows",
        "skipOnCI",
    ],
    comment_mark: None,
};

/// For the lexer: `function testX`, `#[Test]`, `it('`.
fn is_head(word: &str, before: &str, after: &str) -> bool {
    match word {
        "Test" => before.trim_end().ends_with(['[', ',', '\\']),
        "it" | "test" | "todo" => {
            let opens = after
                .trim_start()
                .strip_prefix('(')
                .is_some_and(|it| it.trim_start().starts_with(['\'', '"']));
            opens && !before.ends_with(['>', ':', '$', '\\'])
        }
        _ => word.starts_with("test") && before.trim_end().ends_with("function"),
    }
}
