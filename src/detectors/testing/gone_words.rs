//! Lost tests that are about something which the session took out of the product: an endpoint, a flag, an option, a message.
//! A word of theirs that no test of the file has now stood in the product, and the place has only become less.

use crate::detectors::Case;
use crate::detectors::engine::code_lines::{QUOTES, quoted};
use crate::detectors::engine::hunks::{CodeLine, TextHunk, hunks};
use crate::detectors::testing::explained_values::product_changes;
use crate::detectors::testing::word_edit::each_word;
use crate::languages::code::{identifiers, refuses};
use crate::languages::{Language, Test};
use crate::model::finding::Change;
use crate::model::words::has_word;

/// A shorter text is nobody's own.
const SHORTEST: usize = 5;

/// Whether a lost test has a word that went out of the product in the session.
pub(super) fn is_about_what_went(case: &Case, change: &Change, test: &Test) -> bool {
    let (Some(before), Some(after)) = (change.before.as_deref(), change.after.as_deref()) else {
        return false;
    };
    let text = test.text_in(Some(before));
    let products: Vec<&Change> = product_changes(case, &change.path).collect();
    let stays = |word: &str| {
        after.contains(word)
            || products.iter().any(|it| it.after.as_deref().is_some_and(|text| text.contains(word)))
    };
    let mut words = own_words(text, test).filter(|word| !stays(word));
    words.any(|word| products.iter().any(|product| is_taken_out(product, word)))
}

/// The texts, the names of several words and the longer numbers that a test has.
fn own_words<'t>(text: &'t str, test: &'t Test) -> impl Iterator<Item = &'t str> {
    let is_text =
        |it: &&str| it.len() >= SHORTEST && it.chars().any(char::is_alphabetic) && !it.contains('\n');
    let title = test.title.trim_matches(['"', '\'', '`']);
    let texts = quoted(text, QUOTES).filter(is_text).filter(move |it| *it != title);
    let is_telling = |it: &&str| {
        let inner = it.trim_matches('_');
        let capital = inner.chars().skip(1).any(char::is_uppercase) && inner.starts_with(char::is_lowercase);
        inner.len() >= SHORTEST && (inner.contains('_') || capital)
    };
    let names = identifiers(text).filter(is_telling).filter(move |it| *it != title);
    let numbers = each_word(text).map(|(_, word)| word).filter(|it| is_long_number(it));
    texts.chain(names).chain(numbers)
}

/// Whether a word is a number that hardly stands for anything else: `115m`, `4.50`.
fn is_long_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) && word.chars().filter(char::is_ascii_digit).count() > 2
}

/// Whether a whole branch that only left its function went: what it kept out goes on now.
fn turns_back(hunk: &TextHunk) -> bool {
    const BRANCHES: &[&str] = &["if ", "if(", "unless ", "guard ", "when "];
    let is_branch = |line: &CodeLine| BRANCHES.iter().any(|head| line.text.starts_with(head));
    let leaves = |line: &CodeLine| matches!(line.text.trim_end_matches(';'), "return" | "continue" | "break");
    hunk.come.is_empty() && hunk.gone.iter().any(is_branch) && hunk.gone.iter().any(leaves)
}

/// Whether a word stood in a file, and the places from which it went say nothing new.
fn is_taken_out(product: &Change, word: &str) -> bool {
    let (Some(before), Some(language)) = (product.before.as_deref(), Language::of_path(&product.path)) else {
        return false;
    };
    let table = language.refusing();
    let has = |line: &str| match word.contains(|c: char| !c.is_alphanumeric() && c != '_') {
        true => line.contains(word),
        false => has_word(line, word),
    };
    if !before.lines().any(has) {
        return false;
    }
    let Some(all) = hunks(table.comment, before, product.after.as_deref().unwrap_or_default()) else {
        return false;
    };
    let places: Vec<&TextHunk> = all.iter().filter(|it| it.gone.iter().any(|line| has(line.text))).collect();
    let says_nothing_new = |hunk: &&TextHunk| {
        let known = |word: &str| hunk.gone.iter().any(|line| has_word(line.text, word));
        hunk.come.iter().flat_map(|line| identifiers(line.text)).all(known)
    };
    // What said no has its tests all the more.
    let refused = |hunk: &&TextHunk| {
        let is_it = |line: &CodeLine| has(line.text) && refuses(table, line.text);
        hunk.gone.iter().any(is_it) || turns_back(hunk)
    };
    !places.is_empty() && places.iter().all(says_nothing_new) && !places.iter().any(refused)
}
