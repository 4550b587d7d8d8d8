//! Texts as they were last read and found good. `BLESS=1` writes them anew.

use std::path::Path;

use regex::Regex;

/// Asserts that a file holds the text.
pub(crate) fn assert_same(file: &Path, text: &str) {
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        std::fs::write(file, text).expect("a written snapshot");
    }
    let known = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    assert_eq!(text, known, "{}", file.display());
}

/// A text without a project's place and a person's home, and with each match of a pattern as its placeholder.
pub(crate) fn settled(text: &str, root: &Path, home: &Path, rules: &[(&str, &str)]) -> String {
    let shown = |path: &Path| path.display().to_string();
    let text = text
        .replace(&shown(home), "HOME")
        .replace(&shown(root), "PROJECT")
        .replace(&shown(root.parent().expect("a folder")), "SCRATCH")
        .replace('\r', "");
    rules.iter().fold(text, |text, (pattern, with)| {
        Regex::new(pattern).expect("a pattern").replace_all(&text, *with).into_owned()
    })
}
