//! What git prints by a template of its own: `git for-each-ref --format='git branch -D %(refname:short)'`. Its names are
//! not known, the words around them are.

use crate::shell::model::{Command, UNKNOWN};

/// Subcommands whose `--format` is such a template.
const WITH_PLACES: &[&str] = &["for-each-ref", "branch", "tag", "ls-files", "ls-tree"];
/// Subcommands whose places are single letters.
const WITH_LETTERS: &[&str] = &["log", "stash", "reflog", "show", "rev-list"];

/// One line of what a command of git prints by a template with words of its own.
pub(crate) fn filled(command: &Command) -> Option<String> {
    let mut words = command.words.iter().skip(1).filter(|word| word.known).map(|word| word.text.as_str());
    let all = || command.words.iter().skip(1).map(|word| word.text.as_str());
    let subcommand = words.find(|it| WITH_PLACES.contains(it) || WITH_LETTERS.contains(it))?;
    let glued = all().find_map(|word| {
        word.strip_prefix("--format=")
            .or_else(|| word.strip_prefix("--pretty=format:"))
            .or_else(|| word.strip_prefix("--pretty=tformat:"))
    });
    let format = glued.or_else(|| all().skip_while(|word| *word != "--format").nth(1))?;
    let format = format.strip_prefix("format:").or_else(|| format.strip_prefix("tformat:")).unwrap_or(format);
    format.contains(' ').then(|| with_unknown(format, WITH_LETTERS.contains(&subcommand)) + "\n")
}

/// A template with the sign of what is not known in each place.
fn with_unknown(format: &str, letters: bool) -> String {
    let mut text = String::new();
    let mut rest = format;
    while let Some((before, after)) = rest.split_once('%') {
        text.push_str(before);
        rest = match (after.chars().next(), after.strip_prefix('(').and_then(|it| it.split_once(')'))) {
            (_, Some((_, behind))) => {
                text.push(UNKNOWN);
                behind
            }
            (Some('n'), _) if letters => {
                text.push('\n');
                after.get(1..).unwrap_or_default()
            }
            (Some('%'), _) => {
                text.push('%');
                after.get(1..).unwrap_or_default()
            }
            (Some(letter), _) if letters && letter.is_ascii_alphabetic() => {
                text.push(UNKNOWN);
                // `%ad`, `%cn`: the name of a person or a date has two letters, as `%gd` and `%G?` have.
                let length = if "acCgG".contains(letter) { 2 } else { 1 };
                after.get(length..).unwrap_or_default()
            }
            _ => after,
        };
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::model::Word;

    #[test]
    fn places_are_unknown_and_words_stay() {
        for (text, expected) in [
            (
                "git for-each-ref --format=git_branch_-D_%(refname:short) refs/heads",
                Some("git branch -D …\n"),
            ),
            ("git tag --format rm_%(refname)", Some("rm …\n")),
            ("git log --pretty=format:git_reset_--hard_%H", Some("git reset --hard …\n")),
            ("git branch --format=%(refname:short)", None),
            ("git status --format=a_b", None),
        ] {
            let words = text.split(' ').map(|word| Word::literal(word.replace('_', " "))).collect();
            let found = filled(&Command { words, ..Command::default() });
            assert_eq!(found.map(|it| it.replace(UNKNOWN, "…")).as_deref(), expected, "{text}");
        }
    }
}
