//! How files of Elixir name a module, whose file is named after it.

use crate::languages::modules::imports::{Import, ImportQuestion, Modules, whole};

pub(crate) const MODULES: Modules = Modules {
    spelled: Some(spelled),
    ..Modules::of_files(&["ex", "exs"], &["heex", "eex", "leex"], imports)
};

/// The path below `lib`.
fn below_lib(stem: &str) -> Option<&str> {
    stem.strip_prefix("lib/").or_else(|| stem.rsplit_once("/lib/").map(|(_, below)| below))
}

/// `shopping_cart` as `ShoppingCart`.
fn camel(word: &str) -> String {
    let capital = |part: &str| {
        let mut letters = part.chars();
        letters
            .next()
            .map(|first| first.to_ascii_uppercase().to_string() + letters.as_str())
            .unwrap_or_default()
    };
    word.split('_').map(capital).collect()
}

/// The last word of the module's name.
fn spelled(path: &str) -> String {
    camel(MODULES.stem(path).rsplit('/').next().unwrap_or_default())
}

fn imports<'t>(asking: &ImportQuestion, text: &'t str) -> Vec<Import<'t>> {
    let Some(below) = below_lib(MODULES.stem(asking.module)) else { return Vec::new() };
    let name: Vec<String> = below.split('/').map(camel).collect();
    let name = name.join(".");
    let is_named = text.match_indices(&name).any(|(at, _)| {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + name.len()..).and_then(|after| after.chars().next());
        !before.is_some_and(|c| is_part(c) || c == '.') && !after.is_some_and(is_part)
    });
    // A name without a folder may be a word of a comment.
    whole(name.contains('.') && is_named)
}
