//! Loops over rows that tests write out: in a test, or around it.

use crate::languages::Test;

/// Whether a line begins a loop over a list.
fn is_loop(line: &str) -> bool {
    const HEADS: &[&str] = &["for ", "for(", "foreach ", "foreach("];
    const CALLS: &[&str] =
        &[".each ", ".each_with", ".forEach(", ".forEach {", ".each {", "Enum.each(", ".foreach"];
    let line = line.trim();
    let lists = || line.contains(['[', '(', '{']);
    HEADS.iter().any(|head| line.starts_with(head)) && lists() || CALLS.iter().any(|call| line.contains(call))
}

/// Whether a test goes through a list that it writes out.
pub(super) fn loops(text: &str) -> bool {
    text.lines().any(is_loop)
}

/// Whether the line above a test begins a loop over it.
pub(super) fn is_looped_over(text: Option<&str>, test: &Test) -> bool {
    let head = text.and_then(|text| text.get(..test.span.start)).unwrap_or_default();
    head.trim_end_matches(|c: char| c != '\n').trim_end().lines().next_back().is_some_and(is_loop)
}
