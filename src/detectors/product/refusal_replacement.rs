//! What stands in the place of a refusal.

use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::product::check_words::short;
use crate::languages::code::{Refusing, bare, identifiers, is_log, plain};

/// What stands in the place of a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RefusalReplacement {
    Nothing,
    Value,
    Log,
    Skip,
    Correction,
    Other,
}

/// Whether an answer of success stands in the place of a refusal: `StatusAccepted`, `status(202)`.
pub(super) fn succeeds(hunk: &TextHunk) -> bool {
    const SUCCESSES: &[&str] = &[
        "statusok",
        "statusaccepted",
        "statuscreated",
        "statusnocontent",
        "httpstatus.ok",
        "httpstatus.accepted",
        "status::ok",
        "status::accepted",
        "results.ok(",
        "results.accepted(",
        ":ok",
        ":accepted",
        ":no_content",
        "status.ok",
    ];
    hunk.come.iter().any(|line| {
        let text = bare(line.text).to_lowercase();
        let numbered = [
            "status(20",
            "status:20",
            "status=20",
            "sendstatus(20",
            "statuscode=20",
            "head(20",
            "writeheader(20",
            "status_code=20",
        ];
        SUCCESSES.iter().any(|it| text.contains(it)) || numbered.iter().any(|it| text.contains(it))
    })
}

/// What stands in the place of a refusal.
pub(super) fn instead(words: &Refusing, hunk: &TextHunk) -> RefusalReplacement {
    let code: Vec<String> = hunk.come.iter().map(|it| plain(words, it.text)).collect();
    let has = |all: &[&str]| code.iter().any(|line| identifiers(line).any(|word| all.contains(&word)));
    let is_assignment = |line: &String| {
        line.contains(" = ") || line.contains(" := ") || ["+=", "-="].iter().any(|sign| line.contains(sign))
    };
    let is_value = |line: &String| has_arrow(line) || !(is_log(line) || is_assignment(line) || is_word(line));
    if code.is_empty() {
        RefusalReplacement::Nothing
    } else if has(&["return"]) {
        RefusalReplacement::Value
    } else if has(&["continue", "break", "next", "pass"]) {
        RefusalReplacement::Skip
    } else if code.iter().all(|line| is_log(line) || is_word(line)) {
        RefusalReplacement::Log
    } else if code.iter().any(is_assignment) {
        RefusalReplacement::Correction
    } else if code.len() == 1 && code.iter().all(is_value) {
        RefusalReplacement::Value
    } else {
        RefusalReplacement::Other
    }
}

fn has_arrow(line: &str) -> bool {
    line.contains("->") || line.contains("=>")
}

/// Whether a line is only the head or the end of a block.
fn is_word(line: &str) -> bool {
    let mut words = identifiers(line);
    let first = words.next().unwrap_or_default();
    matches!(first, "end" | "else" | "try" | "do" | "if" | "unless" | "except" | "catch" | "rescue")
}

pub(super) fn said(hunk: &TextHunk, refusal: CodeLine, instead: RefusalReplacement) -> String {
    let no = short(refusal.text);
    let first = short(hunk.come.first().map_or("", |it| it.text));
    match instead {
        RefusalReplacement::Nothing => format!("the refusal `{no}` would be gone"),
        RefusalReplacement::Value => format!("`{first}` would answer where `{no}` refused"),
        RefusalReplacement::Log => format!("`{no}` would only be logged"),
        RefusalReplacement::Skip => format!("what `{no}` refused would be passed over"),
        RefusalReplacement::Correction => format!("`{first}` would stand where `{no}` refused"),
        RefusalReplacement::Other => format!("the refusal `{no}` would give way to `{first}`"),
    }
}
