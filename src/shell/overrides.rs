//! What a project says about commands of its own: patterns by program and argument, protected paths, build folders.
//!
//! A pattern is compared with the words that the program gets, never with the text: quotes and wrappers change nothing.

use super::{Command, Word};

/// The overrides of a project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overrides {
    /// Commands that lose nothing the project cares about.
    pub allowed: Vec<CommandPattern>,
    /// Commands that are never run without a person.
    pub denied: Vec<CommandPattern>,
    /// Paths that no command may change, relative to the project, with `*` in a name and `**` for folders.
    pub protected: Vec<String>,
    /// Folders that tools make again, relative to the project.
    pub build_folders: Vec<String>,
}

/// A program and arguments that must all be there, in this order: `git push --force`, `npm publish`, `make deploy-*`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandPattern {
    words: Vec<String>,
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

impl Overrides {
    /// Whether any command of a project that says so is always permitted.
    pub fn allows(&self, command: &Command) -> bool {
        self.allowed.iter().any(|pattern| pattern.fits(command))
    }

    /// Whether a command is denied.
    pub fn denies(&self, command: &Command) -> bool {
        self.denied.iter().any(|pattern| pattern.fits(command))
    }

    /// Whether a path, relative to the project with `/`, is protected, or a folder that holds one that is.
    pub fn protects(&self, path: &str) -> bool {
        let path = path.trim_end_matches("/*").trim_end_matches('/');
        self.protected.iter().any(|pattern| {
            let pattern = pattern.trim_start_matches("./").trim_end_matches('/');
            let below = path.strip_prefix(pattern).is_some_and(|rest| rest.starts_with('/'));
            let around = pattern.strip_prefix(path).is_some_and(|rest| rest.starts_with('/')) || path == ".";
            below || around || fits_path(pattern, path)
        })
    }

    /// Whether a path is in a folder that tools make again.
    pub fn is_built(&self, path: &str) -> bool {
        self.build_folders.iter().map(|folder| folder.trim_start_matches("./").trim_end_matches('/')).any(
            |folder| {
                !folder.is_empty()
                    && folder != "."
                    && (path == folder || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
            },
        )
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

/// Folder by folder; `**` is any number of them.
fn fits_path(pattern: &str, path: &str) -> bool {
    let mut pattern = pattern.split('/');
    let mut path = path.split('/');
    loop {
        match (pattern.next(), path.clone().next()) {
            (None, None) => return true,
            (Some("**"), _) => {
                let rest: Vec<&str> = pattern.collect();
                let names: Vec<&str> = path.collect();
                // `**` at the end is everything below.
                return rest.is_empty()
                    || (0..=names.len()).any(|at| {
                        let tail = names.get(at..).unwrap_or_default();
                        !rest.contains(&"**")
                            && tail.len() == rest.len()
                            && rest.iter().zip(tail).all(|(p, n)| fits_text(p, n))
                    });
            }
            (Some(part), Some(name)) if fits_text(part, name) => {
                path.next();
            }
            // A pattern of a folder protects what is in it.
            (None, Some(_)) => return true,
            _ => return false,
        }
    }
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
    use crate::event::Dialect;

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
            let script = read(text, Dialect::Posix);
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

    #[test]
    fn protected_paths_and_what_is_around_them() {
        let overrides = Overrides {
            protected: vec!["migrations/".into(), "**/*.lock".into(), "docs/*.md".into(), "a/**".into()],
            build_folders: vec!["generated".into(), "web/out/".into()],
            ..Overrides::default()
        };
        for (path, expected) in [
            ("migrations", true),
            ("migrations/1.sql", true),
            ("migrations2/1.sql", false),
            ("Cargo.lock", true),
            ("x/y/z.lock", true),
            ("docs/a.md", true),
            ("docs/a/b.md", false),
            ("a/b/c", true),
            ("src/a.rs", false),
            (".", true),
        ] {
            assert_eq!(overrides.protects(path), expected, "{path}");
        }
        for (path, expected) in
            [("generated", true), ("generated/a", true), ("generated2", false), ("web/out/x", true)]
        {
            assert_eq!(overrides.is_built(path), expected, "{path}");
        }
        assert!(!Overrides::default().protects("."));
    }
}
