//! Commands by program and argument, as a project's configuration names them.
//!
//! A pattern is compared with the words that the program gets, never with the text: quotes and wrappers change nothing.

use serde::Serialize;

use crate::shell::model::{Command, Word};

/// A program and arguments that must all be there, in this order: `git push --force`, `npm publish`, `make deploy-*`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(into = "String")]
pub struct CommandPattern {
    words: Vec<String>,
}

impl From<CommandPattern> for String {
    fn from(pattern: CommandPattern) -> String {
        pattern.words.join(" ")
    }
}

impl CommandPattern {
    /// Reads a pattern: words between blanks, `*` for any text in a word. `None` when it names no program: one that
    /// fits every command would switch the guard off.
    pub fn parse(text: &str) -> Option<CommandPattern> {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        let program = words.first()?;
        program.chars().any(|letter| letter != '*' && letter != '?').then_some(CommandPattern { words })
    }

    /// Whether a command is one of these. A word that isn't known fits nothing.
    pub fn fits(&self, command: &Command) -> bool {
        let Some((program, arguments)) = self.words.split_first() else { return false };
        if command.remote || !fits_text(program, command.program()) {
            return false;
        }
        let mut words = command.words.get(1..).unwrap_or_default().iter();
        arguments.iter().all(|argument| words.any(|word| fits_word(argument, word)))
    }
}

/// `-f` fits `-rf` too, as the program reads it.
fn fits_word(pattern: &str, word: &Word) -> bool {
    let letter = pattern.strip_prefix('-').filter(|letter| letter.chars().count() == 1 && *letter != "-");
    let in_cluster = letter.is_some_and(|letter| {
        word.text
            .strip_prefix('-')
            .is_some_and(|letters| !letters.starts_with('-') && letters.contains(letter))
    });
    word.known && (in_cluster || fits_text(pattern, &word.text))
}

/// `*` is any text, `?` any letter. No backtracking but to the last star.
fn fits_text(pattern: &str, text: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let text: Vec<char> = text.chars().collect();
    let (mut at, mut here) = (0, 0);
    let mut star = None;
    while here < text.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, here));
                at += 1;
            }
            Some(letter) if *letter == '?' || text.get(here) == Some(letter) => {
                at += 1;
                here += 1;
            }
            _ => match star {
                Some((star_at, from)) => {
                    star = Some((star_at, from + 1));
                    at = star_at + 1;
                    here = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern.iter().skip(at).all(|letter| *letter == '*')
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;
    use crate::model::event::ShellDialect;

    #[test]
    fn patterns_fit_words_and_not_text() {
        for (pattern, text, expected) in [
            ("git push --force", "git push --force origin main", true),
            ("git push --force", "git push origin --force", true),
            ("git push -f", "git push -uf origin", true),
            ("git push --force", "git push origin", false),
            ("git push --force", "echo git push --force", false),
            ("git push --force", "git commit -m 'git push --force'", false),
            ("npm publish", "npm 'publish'", true),
            ("npm publish", "sudo -E npm publish --tag x", true),
            ("make deploy-*", "make deploy-prod", true),
            ("make deploy-*", "make build", false),
            ("terraform *", "terraform apply", true),
            ("rm generated/*", "rm -r generated/a", true),
            ("rm generated/*", "rm -r \"$X\"", false),
            ("rm", "/bin/rm x", true),
        ] {
            let script = read(text, ShellDialect::Posix);
            let pattern = CommandPattern::parse(pattern).unwrap();
            assert_eq!(
                script.commands.iter().any(|command| pattern.fits(command)),
                expected,
                "{pattern:?}: {text}"
            );
        }
        for everything in ["", " ", "*", "** x", "?"] {
            assert_eq!(CommandPattern::parse(everything), None, "{everything:?}");
        }
    }
}
