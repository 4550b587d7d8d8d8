//! Deletions in the source of languages that are not read further: Tcl, Emacs Lisp, Julia. Of these the calls alone are
//! looked for that delete, and the texts and the home in their arguments.

use std::sync::LazyLock;

use regex::Regex;

/// The longest source that is looked into, in bytes.
const LONGEST_SOURCE: usize = 16 * 1024;

/// A language by a program, and the calls by which it deletes, with their arguments.
static CALLS: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| {
    const WRITTEN: &[(&str, &str)] = &[
        ("tclsh", r"(?m)\bfile\s+delete\s+([^;\n]*)"),
        ("emacs", r"\((?:delete-directory|delete-file)\s+([^\n]*)"),
        ("julia", r"\brm\(([^;\n]*)"),
    ];
    WRITTEN.iter().filter_map(|(program, call)| Some((*program, Regex::new(call).ok()?))).collect()
});

/// The ways in which these languages write the home.
const HOMES: &[&str] = &[
    "homedir()",
    "$::env(HOME)",
    "$env(HOME)",
    "ENV[\"HOME\"]",
    "(getenv \"HOME\")",
    "(expand-file-name \"~\")",
];

/// The deletions of a source as a shell would write them.
pub(crate) fn deletions(program: &str, source: &str) -> Vec<String> {
    if source.len() > LONGEST_SOURCE {
        return Vec::new();
    }
    let calls = CALLS.iter().filter(|(name, _)| *name == program);
    let found = calls.flat_map(|(_, call)| call.captures_iter(source)).filter_map(|found| found.get(1));
    found.filter_map(|arguments| path(arguments.as_str())).map(|path| format!("rm -rf {path}")).collect()
}

/// The path that arguments put together; nothing where a part of it is a name that is not known.
fn path(arguments: &str) -> Option<String> {
    let arguments = HOMES.iter().fold(arguments.to_owned(), |text, home| text.replace(home, "~"));
    let is_word = |word: &&str| {
        !word.is_empty()
            && !word.starts_with('-')
            && !matches!(
                *word,
                "file" | "join" | "joinpath" | "t" | "nil" | "recursive=true" | "force=true" | "*"
            )
    };
    let parts = arguments.split([' ', ',', '(', ')', '[', ']', '{', '}', '"', '\'']);
    let words: Vec<&str> = parts.filter(is_word).collect();
    let is_plain = |word: &&str| word.chars().all(|it| it.is_alphanumeric() || "~/._-".contains(it));
    (!words.is_empty() && words.iter().all(is_plain)).then(|| words.join("/").replace("//", "/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deletions_of_other_languages_are_written_as_a_shell_does() {
        for (program, source, expected) in [
            ("tclsh", "file delete -force -- [file join $env(HOME) notes]", &["rm -rf ~/notes"][..]),
            ("tclsh", "file delete build/x.txt\nputs done", &["rm -rf build/x.txt"]),
            ("tclsh", "file delete $f", &[]),
            ("emacs", "(delete-directory \"~/notes\" t)", &["rm -rf ~/notes"]),
            ("emacs", "(message \"delete-directory\")", &[]),
            ("julia", "rm(joinpath(homedir(), \"notes\"), recursive=true)", &["rm -rf ~/notes"]),
            ("julia", "println(1)", &[]),
            ("python3", "rm(\"x\")", &[]),
        ] {
            assert_eq!(deletions(program, source), expected, "{source}");
        }
    }
}
