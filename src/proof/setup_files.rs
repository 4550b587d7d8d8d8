//! Which files a runner's configuration, or a command, has loaded before the tests.
//!
//! Pure: only words behind a setting that loads files are read, so that a source which a configuration names for its
//! coverage is none of them.

use crate::languages;

/// Settings and options that load what they name.
const LOADING: &[&str] = &[
    "--require",
    "--import",
    "--loader",
    "--experimental-loader",
    "setupFiles",
    "setupFilesAfterEnv",
    "globalSetup",
    "globalTeardown",
    "testEnvironment",
    "snapshotSerializers",
    "moduleNameMapper",
    "resolver",
    "transform",
    "reporters",
    "preset",
    "require",
    "plugins",
    "-p",
    "-r",
];
/// So much behind such a word is read, in bytes.
const BEHIND: usize = 300;

/// The paths that `text`, which stands in the file `of`, has loaded, as names in the project.
pub(crate) fn named_in(of: &str, text: &str) -> Vec<String> {
    let folder = languages::folder(of);
    let mut found = Vec::new();
    for word in LOADING {
        for (at, _) in text.match_indices(word) {
            let before = text.get(..at).and_then(|it| it.chars().next_back());
            let rest = text.get(at + word.len()..).unwrap_or_default();
            let joins = |letter: Option<char>| {
                letter.is_some_and(|it| it.is_alphanumeric() || it == '-' || it == '_')
            };
            if joins(before) || joins(rest.chars().next()) {
                continue;
            }
            // An item of a list, as a setting is said.
            let rest = rest.strip_prefix("[]").unwrap_or(rest);
            let end = (0..=BEHIND.min(rest.len())).rev().find(|at| rest.is_char_boundary(*at)).unwrap_or(0);
            found.extend(words(rest.get(..end).unwrap_or_default()).filter_map(|path| joined(folder, path)));
        }
    }
    found
}

/// What looks like a path, up to the end of the setting.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let opens = text.find(['[', '{']).filter(|at| text.get(..*at).is_some_and(|it| !it.contains('\n')));
    let end = match opens {
        Some(_) => text.find([']', '}']),
        None => text.find(['\n', ';', '&', '|']),
    };
    let text = text.get(..end.unwrap_or(text.len())).unwrap_or(text);
    let splits = |letter: char| letter.is_whitespace() || "'\"`=,;()[]{}:".contains(letter);
    text.split(splits).filter(|word| word.len() > 1 && !word.starts_with('-'))
}

fn joined(folder: &str, path: &str) -> Option<String> {
    let path = path.trim_start_matches("<rootDir>/").trim_start_matches("./");
    let path = path.strip_prefix("file://").unwrap_or(path);
    if path.is_empty() || path.starts_with(['/', '@', '^']) || path.contains("..") {
        return None;
    }
    Some(if folder.is_empty() { path.to_owned() } else { format!("{folder}/{path}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_loaded_is_named() {
        for (text, path, named) in [
            ("node --require ./boot.js --test", "boot.js", true),
            ("node --import=./boot.mjs --test src/", "boot.mjs", true),
            ("{ setupFiles: ['<rootDir>/a.js', './b.js'], collectCoverageFrom: ['src/c.js'] }", "b.js", true),
            ("{ setupFiles: ['<rootDir>/a.js'], collectCoverageFrom: ['src/c.js'] }", "src/c.js", false),
            ("jest.setupFiles[]=<rootDir>/boot.js\njest.verbose=true", "boot.js", true),
            ("pytest -p plug tests", "plug", true),
            ("node --test src/main.js", "src/main.js", false),
        ] {
            assert_eq!(named_in("package.json", text).iter().any(|it| it == path), named, "{path} in {text}");
        }
    }
}
