//! Deletions in the source of languages that are not read further: Tcl, Emacs Lisp, Julia. Of these the calls alone are
//! looked for that delete, and the texts and the home in their arguments.

use std::sync::LazyLock;

use regex::Regex;

/// The longest source that is looked into, in bytes.
const LONGEST_SOURCE: usize = 16 * 1024;

type CallPattern = LazyLock<Option<Regex>>;
static OF_TCL: CallPattern = LazyLock::new(|| Regex::new(r"(?m)\bfile\s+delete\s+([^;\n]*)").ok());
static OF_EMACS: CallPattern =
    LazyLock::new(|| Regex::new(r"\((?:delete-directory|delete-file)\s+([^\n]*)").ok());
static OF_JULIA: CallPattern = LazyLock::new(|| Regex::new(r"\brm\(([^;\n]*)").ok());

/// The calls by which a language deletes, with their arguments, by the program that runs it.
fn calls_of(program: &str) -> Option<&'static Regex> {
    match program {
        "tclsh" => OF_TCL.as_ref(),
        "emacs" => OF_EMACS.as_ref(),
        "julia" => OF_JULIA.as_ref(),
        _ => None,
    }
}

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
    let Some(call) = calls_of(program).filter(|_| source.len() <= LONGEST_SOURCE) else { return Vec::new() };
    let found = call.captures_iter(source).filter_map(|found| found.get(1));
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
