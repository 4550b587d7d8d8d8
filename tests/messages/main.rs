//! `docs/messages.md`: every text that people and agents read, made of what the sources say. `BLESS=1` writes it anew.
//!
//! Invariant: a sentence that stands anywhere in `src` stands in the document, so nobody sees a text that was not read.

#![expect(clippy::unwrap_used, reason = "a test")]

mod examples;
mod findings;
#[path = "../shell/pattern_project.rs"]
mod pattern_project;
mod sentences;

use std::path::Path;

const HEAD: &str = "# Messages

Every text that Steadfast shows to a person or to an agent. This page is made from the program by `BLESS=1 cargo test --test
messages` and compared with it by each run of the tests, so it can be read in one go, and is never behind.

The first two chapters show whole messages, the third the sentence of each source file with its gaps (`{}`).

";

/// A block of text in the document.
pub(crate) fn block(text: &str) -> String {
    format!("```text\n{}\n```\n", text.trim_end().replace("```", "'''"))
}

#[test]
fn the_document_holds_every_message() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = format!(
        "{HEAD}## What is found\n\n{}\n## Whole messages\n\n{}\n## Sentences by place\n\n{}",
        findings::chapter(),
        examples::chapter(),
        sentences::chapter(&root.join("src"))
    );
    let file = root.join("docs/messages.md");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&file, &text).unwrap();
    }
    let known = std::fs::read_to_string(&file).unwrap_or_default();
    let differs = text.lines().zip(known.lines()).position(|(now, then)| now != then);
    let place = differs.map_or_else(String::new, |at| format!(", first in line {}", at + 1));
    assert!(text == known, "docs/messages.md is not what the program says{place}: `BLESS=1` writes it anew");
}
