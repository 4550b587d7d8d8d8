//! The files that `fd` names.

use crate::shell::model::Word;
use crate::shell::parse::output::names;

/// Options whose value chooses among what would be named.
const CHOOSING: &[&str] = &[
    "-d",
    "-E",
    "-S",
    "-o",
    "--max-depth",
    "--min-depth",
    "--exact-depth",
    "--exclude",
    "--size",
    "--owner",
    "--changed-within",
    "--changed-before",
];
/// Options whose value does not.
const OTHER_VALUED: &[&str] =
    &["-t", "--type", "-c", "--color", "-j", "--threads", "--base-directory", "--search-path"];

/// What the words before a command of `fd` say.
#[derive(Default)]
struct FdChoice<'w> {
    /// The pattern and the folders.
    plain: Vec<&'w Word>,
    endings: Vec<&'w Word>,
    /// Whether the pattern is one of a shell.
    glob: bool,
    /// Whether the pattern is a part of a name as it stands.
    fixed: bool,
    /// Whether something else chooses too.
    chooses: bool,
}

/// What `fd` names: its folders, narrowed by the pattern of names and by endings.
pub(crate) fn fd_words(operands: &[Word]) -> Vec<Word> {
    let choice = FdChoice::of(operands);
    let (names, is_whole) = choice.names();
    let chooses = choice.chooses || !is_whole;
    let mut roots: Vec<Word> = choice.plain.into_iter().skip(1).cloned().collect();
    if roots.is_empty() {
        roots.push(Word::literal("."));
    }
    let below = |root: Word| {
        let root = Word { partial: root.partial || chooses, below: true, ..root };
        names::below(root, &names)
    };
    roots.into_iter().flat_map(below).collect()
}

impl<'w> FdChoice<'w> {
    fn of(operands: &'w [Word]) -> Self {
        let mut choice = FdChoice::default();
        let mut words = operands.iter();
        while let Some(word) = words.next() {
            match word.text.as_str() {
                "-e" | "--extension" => choice.endings.extend(words.next()),
                "-g" | "--glob" => choice.glob = true,
                "-F" | "--fixed-strings" => choice.fixed = true,
                "-p" | "--full-path" | "-s" | "--case-sensitive" | "-i" | "--ignore-case" => {
                    choice.chooses |= matches!(word.text.as_str(), "-p" | "--full-path");
                }
                valued if CHOOSING.contains(&valued) => {
                    words.next();
                    choice.chooses = true;
                }
                valued if OTHER_VALUED.contains(&valued) => _ = words.next(),
                option if option.starts_with('-') => {
                    let chosen = CHOOSING.iter().any(|it| it.starts_with("--") && option.starts_with(it));
                    choice.chooses |= chosen;
                }
                _ => choice.plain.push(word),
            }
        }
        choice
    }

    /// The patterns that names must fit, and whether these are all that was asked for.
    fn names(&self) -> (Vec<String>, bool) {
        let ending = |name: &str| -> Vec<String> {
            self.endings
                .iter()
                .map(|ending| format!("{name}.{}", ending.text.trim_start_matches('.')))
                .collect()
        };
        let are_known = self.endings.iter().all(|ending| ending.known);
        let pattern = self.plain.first().filter(|word| !matches!(word.text.as_str(), "." | "" | ".*"));
        let Some(pattern) = pattern else { return (ending("*"), are_known) };
        let text = pattern.text.as_str();
        let names = match (self.glob, self.fixed) {
            _ if !pattern.known || !are_known || self.chooses => None,
            (true, _) => (!text.contains('/')).then(|| vec![text.to_owned()]),
            (_, true) => Some(vec![format!("*{text}*")]),
            _ => names::of_regex(text),
        };
        match names {
            None => (ending("*"), false),
            Some(names) if self.endings.is_empty() => (names, true),
            // A name that may go on after the pattern ends as one of the endings says.
            Some(names) if names.iter().all(|name| name.ends_with('*')) => {
                (names.iter().flat_map(|name| ending(name)).collect(), true)
            }
            Some(_) => (ending("*"), false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_and_endings_narrow_the_folders() {
        for (text, expected, partial) in [
            (".", &["."][..], false),
            ("-H ^(dist|out)$ web", &["web/**/dist", "web/**/out"], false),
            ("-e js . src", &["src/**/*.js"], false),
            ("-e js -e ts test src", &["src/**/*test*.js", "src/**/*test*.ts"], false),
            ("-g *.snap", &["./**/*.snap"], false),
            ("-F .orig", &["./**/*.orig*"], false),
            (r"\d+ src", &["src"], true),
            ("-p a/b src", &["src"], true),
            ("--max-depth 1 . src", &["src"], true),
        ] {
            let words: Vec<Word> = text.split(' ').map(Word::literal).collect();
            let found = fd_words(&words);
            let texts: Vec<&str> = found.iter().map(|word| word.text.as_str()).collect();
            assert_eq!((texts.as_slice(), found.iter().any(|it| it.partial)), (expected, partial), "{text}");
        }
    }
}
