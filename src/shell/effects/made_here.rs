//! What earlier commands of a text make, by its name: to delete that loses nothing that was there before.

use crate::shell::model::{Command, Word};

/// Whether one of the commands makes a file or folder of that name.
pub(super) fn makes(earlier: &[Command], name: &str) -> bool {
    const MAKERS: &[&str] = &[
        "mkdir",
        "cp",
        "rsync",
        "tar",
        "unzip",
        "ln",
        "touch",
        "mv",
        "install",
        "python",
        "python3",
        "virtualenv",
        "uv",
        "npx",
        "npm",
        "cargo",
        "go",
        "cmake",
        "degit",
        "initdb",
        "git",
    ];
    let last = |text: &str| {
        text.trim_end_matches(['/', '*']).rsplit('/').next().unwrap_or_default().replace('…', "")
    };
    let name = last(name);
    let names = |word: &Word| last(&word.shown()) == name;
    !matches!(name.as_str(), "" | "." | "..")
        && earlier.iter().any(|own| MAKERS.contains(&own.program()) && own.words.iter().skip(1).any(names))
}
