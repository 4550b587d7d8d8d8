//! Levels of findings by which checkers are told from which one on they fail.

/// Levels of findings, the least first.
const LEVELS: &[&[&str]] = &[
    &["unknown", "negligible", "info", "style", "note", "ignore"],
    &["low", "minor"],
    &["moderate", "medium", "warning", "warn"],
    &["high", "error", "major"],
    &["critical", "fatal", "blocker"],
    &["none", "never", "off"],
];

/// The least level that a text of one or several asks for.
pub(super) fn level(text: &str) -> Option<usize> {
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.filter_map(|word| LEVELS.iter().position(|names| names.contains(&word))).min()
}
