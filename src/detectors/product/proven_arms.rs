//! Catch-all arms that refuse and go where nothing reaches them: a compiler proves that the others take every value, or
//! the type of the value got narrower in the same edit.

use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::parameters::head_of;
use crate::languages::Language;
use crate::languages::code::{identifiers, plain, refuses};

/// How an arm begins that takes all that is left.
const CATCH_ALL: &[&str] =
    &["_ =>", "_ ->", "default:", "default ->", "default =>", "else ->", "case _ =>", "case _:"];
/// Heads of a choice that is a value: it has to have an arm for everything.
const CHOICES: &[&str] = &["when (", "when(", "when {", "switch ("];
/// What stands in front of such a choice where it is a value.
const VALUES: &[&str] = &["return", "=", "->", "=>", "("];
/// Types that take anything, or any text.
const WIDE: &[&str] =
    &["Any", "AnyRef", "object", "Object", "unknown", "any", "dynamic", "mixed", "string", "String", "str"];
/// Lines of an arm that only refuses.
const ARM: usize = 4;

/// Whether a place lost nothing but an arm that nothing reached.
pub(super) fn is_proven(revision: &Revision, hunk: &TextHunk) -> bool {
    let mut code = hunk.gone.iter().filter(|line| !line.text.starts_with(['#', '@']));
    let Some(first) = code.next() else { return false };
    let others = code.collect::<Vec<_>>();
    let begins_arm = |line: &&CodeLine| {
        line.text.starts_with("case ")
            || ["=>", "->"].iter().any(|sign| plain(revision.words, line.text).contains(sign))
    };
    let refusing = hunk.gone.iter().filter(|line| refuses(revision.words, line.text)).count();
    hunk.come.is_empty()
        && is_catch_all(first)
        && refusing == 1
        && others.len() < ARM
        && !others.iter().any(begins_arm)
        && (proves(revision, first) || is_narrowed(revision, first))
}

/// Whether a line begins the arm for all that the others leave. Arms may stand in columns.
pub(super) fn is_catch_all(line: &CodeLine) -> bool {
    let spaced = line.text.split_whitespace().collect::<Vec<_>>().join(" ");
    CATCH_ALL.iter().any(|head| spaced.starts_with(head))
}

/// Whether the language has no choice like the one around an arm that leaves a value out.
fn proves(revision: &Revision, arm: &CodeLine) -> bool {
    match Language::of_path(&revision.change.path) {
        Some(Language::Rust | Language::Swift) => true,
        Some(Language::Kotlin) => is_value(revision, arm),
        // With a colon it is a statement, which may leave values out.
        Some(Language::Java) => arm.text.starts_with("default ->") && is_value(revision, arm),
        _ => false,
    }
}

/// Whether the choice that an arm belongs to gives a value.
fn is_value(revision: &Revision, arm: &CodeLine) -> bool {
    let above = revision.old.get(..arm.at).unwrap_or_default();
    let head = above.lines().rev().find_map(|line| {
        let at = CHOICES.iter().filter_map(|it| line.find(it)).min()?;
        line.get(..at)
    });
    head.is_some_and(|head| VALUES.iter().any(|it| head.trim_end().ends_with(it)))
}

/// Whether the function's head takes a narrower type now: each type that it names has its arm, or is declared in the file.
fn is_narrowed(revision: &Revision, arm: &CodeLine) -> bool {
    let Some(owner) = revision.owner_at(arm.at) else { return false };
    let Some(function) = revision.successor(owner).and_then(|new| revision.after.functions.get(new)) else {
        return false;
    };
    let (Some(old), body) = (
        revision.before.functions.get(owner).and_then(|it| revision.old.get(it.span.start..it.body.start)),
        revision.new.get(function.body.clone()).unwrap_or_default(),
    ) else {
        return false;
    };
    let new = head_of(revision.new, function);
    let come: Vec<&str> = identifiers(new).filter(|word| !identifiers(old).any(|it| it == *word)).collect();
    let is_lost = |word: &&str| {
        let count = |text: &str| identifiers(text).filter(|it| it == word).count();
        count(new) < count(old)
    };
    let is_declared = |name: &str| {
        let declares = |line: &str| {
            let mut words = identifiers(line)
                .skip_while(|word| !matches!(*word, "type" | "enum" | "trait" | "interface"));
            words.nth(1) == Some(name)
        };
        revision.new.lines().any(declares)
    };
    // What only stood in the function's head stands among its arms.
    let is_taken = |name: &&str| identifiers(body).any(|word| word == *name) || is_declared(name);
    let kept = identifiers(new).filter(|word| identifiers(body).any(|it| it == *word)).count();
    (WIDE.iter().any(is_lost)) && (!come.is_empty() || kept > 1) && come.iter().all(is_taken)
}
