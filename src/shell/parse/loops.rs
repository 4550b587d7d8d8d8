//! Loops over words: the body is read once for all of them, or once for each where every one gets a name of its own.

use std::path::{Path, PathBuf};

use tree_sitter::Node;

use crate::shell::model::{Word, resolve};
use crate::shell::parse::expansions::{looped_marks, operators};
use crate::shell::parse::reader::{ScriptReader, slice};

/// The most words of a loop that are followed one by one.
const MOST_ROUNDS: usize = 48;
/// The most patterns of a text whose files are asked for.
const MOST_PATTERNS: usize = 8;
/// Programs that take a file from one name to another, so that each round of a loop has its own two.
const PAIRING: &[&str] = &["mv", "cp", "ln", "install", "rename", "gmv", "gcp"];

impl ScriptReader {
    pub(super) fn for_loop(&mut self, node: Node, text: &str) {
        let name = node.child_by_field_name("variable").map_or("", |name| slice(name, text)).to_owned();
        let mut cursor = node.walk();
        let values: Vec<Node> = node.children_by_field_name("value", &mut cursor).collect();
        let mut words = Vec::new();
        for value in &values {
            words.extend(self.words_of(*value, text));
        }
        // `for f; do`: its words are those that the text was given.
        if values.is_empty() {
            words.extend(self.place.arguments.clone().unwrap_or_default());
        }
        let body = node.child_by_field_name("body");
        let pairs = body.is_some_and(|body| is_pairing(slice(body, text)));
        if pairs {
            words = words.into_iter().flat_map(|word| self.listed(word)).collect();
        }
        let known = !words.is_empty() && words.iter().all(|word| word.known);
        let is_value = || body.is_some_and(|body| is_value_of_an_option(slice(body, text), &name));
        if known && words.len() <= MOST_ROUNDS && (pairs || is_value()) {
            for word in &words {
                self.set(name.clone(), Some(vec![looped_marks(word)]));
                self.round(body, text);
            }
            return;
        }
        let values = known.then(|| words.iter().map(looped_marks).collect());
        self.set(name, values);
        self.round(body, text);
    }

    fn round(&mut self, body: Option<Node>, text: &str) {
        if let Some(body) = body {
            self.in_loop(|reader| reader.statement(body, text));
        }
    }

    /// The files that a pattern is known to name; the pattern itself, noted down, where that is not known.
    fn listed(&mut self, word: Word) -> Vec<Word> {
        if !word.glob || !word.known || word.below || word.partial {
            return vec![word];
        }
        let Some(pattern) = self.absolute(&word) else { return vec![word] };
        let Some(files) = self.listings.get(&pattern).filter(|files| files.len() <= MOST_ROUNDS) else {
            let is_new = !self.listings.contains_key(&pattern) && !self.script.patterns.contains(&pattern);
            if is_new && self.script.patterns.len() < MOST_PATTERNS {
                self.script.patterns.push(pattern);
            }
            return vec![word];
        };
        let made = self.made.iter().filter(|path| is_named_by(&pattern, path) && !files.contains(path));
        let mut files: Vec<PathBuf> = files.iter().chain(made).cloned().collect();
        files.sort();
        // The shell writes each like the pattern: from where it stands.
        let length = PathBuf::from(&word.text).components().count();
        let is_absolute = word.text.starts_with('/');
        let named = |file: &PathBuf| -> Word {
            let parts: Vec<_> = file.components().collect();
            let from = if is_absolute { 0 } else { parts.len().saturating_sub(length) };
            let path: PathBuf = parts.get(from..).unwrap_or_default().iter().collect();
            Word::literal(path.to_string_lossy())
        };
        match files.is_empty() {
            // A pattern without files stays as it is.
            true => vec![Word { glob: false, ..word }],
            false => files.iter().map(named).collect(),
        }
    }

    fn absolute(&self, word: &Word) -> Option<PathBuf> {
        let plain = !word.text.split('/').any(|part| matches!(part, "." | ".."));
        let directory = self.place.directory.as_ref().filter(|_| plain && !word.text.starts_with('~'))?;
        let pattern = resolve(directory, &word.text);
        pattern.is_absolute().then_some(pattern)
    }
}

/// Whether a pattern names a file in its own folder.
fn is_named_by(pattern: &Path, path: &Path) -> bool {
    let texts = (pattern.file_name().and_then(|it| it.to_str()), path.file_name().and_then(|it| it.to_str()));
    let (Some(pattern_name), Some(name)) = texts else { return false };
    pattern.parent() == path.parent() && !name.starts_with('.') && operators::fits(name, pattern_name)
}

/// Whether a body gives files other names.
fn is_pairing(body: &str) -> bool {
    let words = body.split(|letter: char| letter.is_whitespace() || ";&|(){}`$\"'".contains(letter));
    words.into_iter().any(|word| PAIRING.contains(&word.rsplit('/').next().unwrap_or(word)))
}

/// Whether a body has a variable as the value of an option: `git -C "$d"`, where the option takes one word and no more.
fn is_value_of_an_option(body: &str, name: &str) -> bool {
    [format!("${name}"), format!("${{{name}}}")].iter().any(|form| {
        body.match_indices(form.as_str()).any(|(at, _)| {
            let before = body.get(..at).unwrap_or_default();
            let rest = before.strip_suffix('"').unwrap_or(before);
            let word = rest.trim_end_matches([' ', '\t']);
            let option = word.rsplit(|c: char| c.is_whitespace()).next().unwrap_or_default();
            word.len() < rest.len() && option.starts_with('-') && !option.contains('=') && !is_flag(option)
        })
    })
}

/// Whether an option is by its letters one without a value: `-rf`, `-v`, `-p`.
fn is_flag(option: &str) -> bool {
    option.trim_start_matches('-').bytes().all(|letter| b"rRfviqpds".contains(&letter))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::event::ShellDialect;
    use crate::shell::model::ScriptContext;
    use crate::shell::read_knowing;
    use std::path::Path;

    /// The words of every command, and the patterns that are asked for.
    fn read(text: &str, listings: &[(&str, &[&str])]) -> (Vec<String>, Vec<PathBuf>) {
        let paths = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        let listings = listings.iter().map(|(pattern, names)| (PathBuf::from(pattern), paths(names)));
        let known = ScriptContext { listings: listings.collect(), ..ScriptContext::default() };
        let script = read_knowing(text, ShellDialect::Posix, (Path::new("/p"), Path::new("/h")), &known);
        let words = |words: &[Word]| words.iter().map(Word::shown).collect::<Vec<_>>().join(" ");
        (script.commands.iter().map(|command| words(&command.words)).collect(), script.patterns)
    }

    #[test]
    fn the_value_of_an_option_is_one_word_in_each_round() {
        for (text, expected) in [
            (
                "for n in a b; do kubectl -n \"$n\" delete pvc x; done",
                vec!["kubectl -n a delete pvc x", "kubectl -n b delete pvc x"],
            ),
            ("for d in a b; do git -C ${d} pull; done", vec!["git -C a pull", "git -C b pull"]),
            ("for f in a b; do rm -f \"$f\"; done", vec!["rm -f a b"]),
            ("for f in a b; do rm \"$f\"; done", vec!["rm a b"]),
        ] {
            assert_eq!(read(text, &[]).0, expected, "{text}");
        }
    }

    #[test]
    fn each_file_of_a_pattern_gets_its_own_name() {
        let listings = [("/p/t/*", &["/p/t/a.test.js", "/p/t/b.test.js"][..])];
        for text in [
            "for f in t/*; do mv \"$f\" \"${f%.test.js}.js\"; done",
            "for f in t/*; do mv $f ${f/.test/}; done",
            "cd t; for f in *; do mv $f ${f%.test.js}.js; done",
        ] {
            let (commands, patterns) = read(text, &listings);
            let moves: Vec<&String> = commands.iter().filter(|it| it.starts_with("mv")).collect();
            let folder = if text.starts_with("cd") { "" } else { "t/" };
            let expected = ["a", "b"].map(|name| format!("mv {folder}{name}.test.js {folder}{name}.js"));
            assert_eq!(moves, expected.iter().collect::<Vec<_>>(), "{text}");
            assert!(patterns.is_empty());
        }
    }

    #[test]
    fn files_that_are_not_known_are_asked_for_only_where_names_change() {
        let asked = |text: &str| read(text, &[]).1;
        assert_eq!(asked("for f in t/*; do mv $f ${f%.js}; done"), [PathBuf::from("/p/t/*")]);
        assert_eq!(asked("for f in t/*; do git mv $f x/; done"), [PathBuf::from("/p/t/*")]);
        assert!(asked("for f in t/*; do rm $f; done").is_empty());
        assert!(asked("for f in t/*; do echo $f; done; mv a b").is_empty());
        assert_eq!(read("for f in t/*; do mv $f x; done", &[("/p/t/*", &[])]).0, ["mv t/* x"]);
    }

    #[test]
    fn words_are_followed_one_by_one() {
        let (commands, _) = read("for n in a b; do cp $n.js old-$n.js; done", &[]);
        assert_eq!(commands, ["cp a.js old-a.js", "cp b.js old-b.js"]);
    }
}
