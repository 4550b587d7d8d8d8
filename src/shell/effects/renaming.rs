//! Programs that give many files other names by a pattern: `rename`, `mmv`, `zmv`. Which names is not reckoned.

use crate::shell::effects::programs::operands::SplitWords;
use crate::shell::model::{Command, Effect, EffectKind, Word};

/// What such a program moves. It is a move to names that nobody knows.
pub(crate) fn effect(command: &Command) -> Option<Effect> {
    let arguments = SplitWords::of(command, &["-e", "--expr"]);
    let is_given = |options: &[&str]| arguments.options.iter().any(|option| options.contains(option));
    let operands = arguments.operands.as_slice();
    let files = match command.program() {
        "rename" | "prename" | "perl-rename" | "file-rename"
            if !is_given(&["-n", "--no-act", "--nono", "--dry-run", "-V", "--version"]) =>
        {
            let has_expression =
                arguments.values.iter().any(|(option, _)| matches!(*option, "-e" | "--expr"));
            // One of them takes an expression before the files, the other two texts.
            let before = match operands.first() {
                _ if has_expression => 0,
                Some(first) if is_expression(&first.text) => 1,
                _ => 2,
            };
            operands.get(before..)?.to_vec()
        }
        "mmv" if !is_given(&["-n", "-c", "-o", "-a", "-l"]) => {
            operands.first().map(pattern).into_iter().collect()
        }
        "zmv" if !is_given(&["-n", "-C", "-L"]) => operands.first().map(pattern).into_iter().collect(),
        _ => return None,
    };
    let words: Vec<Word> = files.into_iter().chain([Word::unknown()]).collect();
    let moved =
        Effect::of(EffectKind::Move, command, command.program(), &words, command.directory.as_deref());
    (words.len() > 1).then_some(moved)
}

/// `s/a/b/`, `y/A-Z/a-z/`, `$_ = lc`.
fn is_expression(text: &str) -> bool {
    let sign = |rest: &str| rest.starts_with(|letter: char| letter.is_ascii_punctuation() && letter != '.');
    ["s", "y", "tr"].iter().any(|verb| text.strip_prefix(verb).is_some_and(sign)) || text.contains("$_")
}

/// A pattern that the program reads itself, without the brackets around what it keeps.
fn pattern(word: &Word) -> Word {
    let text = word.text.replace(['(', ')'], "");
    Word { glob: word.glob || text.contains(['*', '?', '[']), text, ..word.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::event::ShellDialect;
    use crate::shell::effects::dispatch::effects;
    use std::path::Path;

    fn moved(text: &str) -> Vec<String> {
        let reading = effects(text, ShellDialect::Posix, Path::new("/w"), Path::new("/h"));
        let moves = reading.effects.iter().filter(|effect| effect.kind == EffectKind::Move);
        moves.flat_map(|effect| effect.targets.iter().map(|target| target.text.clone())).collect()
    }

    #[test]
    fn files_that_get_other_names_are_moved_nobody_knows_where() {
        for (text, expected) in [
            ("rename 's/a/b/' t/*.js", &["t/*.js", "…"][..]),
            ("rename -v .htm .html a.htm b.htm", &["a.htm", "b.htm", "…"]),
            ("prename -e 'y/A-Z/a-z/' A", &["A", "…"]),
            ("mmv 't/*.test.js' 't/#1.js'", &["t/*.test.js", "…"]),
            ("zmv '(*).test.js' '$1.js'", &["*.test.js", "…"]),
            ("rename -n 's/a/b/' *.js", &[]),
            ("rename 's/a/b/'", &[]),
            ("mmv -n 'a*' 'b#1'", &[]),
        ] {
            assert_eq!(moved(text), expected, "{text}");
        }
    }
}
