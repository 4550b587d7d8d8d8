//! Files of templates, whose elements are no code, and the words of what they show no more.

use crate::detectors::engine::hunks::hunks;
use crate::languages::code::identifiers;
use crate::model::finding::Change;

/// How files of templates end, whose elements are no code.
const TEMPLATES: &[&str] = &[
    ".vue",
    ".svelte",
    ".astro",
    ".html",
    ".html.erb",
    ".html.heex",
    ".blade.php",
    ".twig",
    ".cshtml",
    ".hbs",
];
/// Whether a path is that of a template.
pub(super) fn is_template(path: &str) -> bool {
    TEMPLATES.iter().any(|end| path.ends_with(end))
}

/// The words of what a template shows no more.
pub(super) fn template_words(change: &Change) -> Vec<&str> {
    let (Some(old), Some(new)) = (change.before.as_deref(), change.after.as_deref()) else {
        return Vec::new();
    };
    if !is_template(&change.path) {
        return Vec::new();
    }
    let left: Vec<&str> = identifiers(new).collect();
    let gone = hunks("//", old, new).unwrap_or_default();
    let words = gone.iter().flat_map(|it| it.gone.iter().map(|line| line.text)).flat_map(identifiers);
    words.filter(|word| !left.contains(word)).collect()
}
