//! Lines that a change leaves to a function of another file, which does them: what two programs set up alike is set up once.

use crate::detectors::product::check_sources::CheckSource;
use crate::languages::code::{bare, identifiers};

/// A shorter line is one of many.
const LEAST: usize = 24;
/// Words in front of a function's name.
const HEADS: &[&str] =
    &["function ", "def ", "fn ", "func ", "fun ", "void ", "static ", "const ", "export "];

/// The lines that are gone, by their places from 0, each of which a function of another file has that the new lines call.
pub(super) fn carried(
    lines: &[&str],
    gone: impl Iterator<Item = usize>,
    come: &[&str],
    sources: &[CheckSource],
) -> Vec<usize> {
    let is_called = |name: &str| name.len() > 3 && come.iter().any(|line| line.contains(&format!("{name}(")));
    let in_called = |source: &CheckSource, text: &str| {
        let Some(at) = source.lines.iter().position(|it| bare(it) == text) else { return false };
        let above = source.lines.get(..at).unwrap_or_default().iter().rev();
        let head = above.into_iter().find(|it| !it.starts_with([' ', '\t']) && it.contains('('));
        head.is_some_and(|it| {
            let name = it.split('(').next().and_then(|it| identifiers(it).last()).unwrap_or_default();
            HEADS.iter().any(|word| it.contains(word)) && is_called(name)
        })
    };
    let is_carried = |at: &usize| {
        let text = bare(lines.get(*at).copied().unwrap_or_default());
        text.len() >= LEAST && text.contains('(') && sources.iter().any(|it| in_called(it, &text))
    };
    gone.filter(is_carried).collect()
}
