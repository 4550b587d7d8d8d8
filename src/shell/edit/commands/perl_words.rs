//! Which words of `perl` and `ruby` are the program, and which are files.

use crate::shell::edit::commands::is_part;
use crate::shell::edit::{EditStep, TextEdit, perl};

/// A program of `perl -p`, `perl -n` or `ruby -p` and the places of its files.
pub(crate) fn perl_words(
    name: &str,
    words: &[&str],
    is_known: impl Fn(&str) -> bool,
) -> Option<(TextEdit, Vec<usize>)> {
    let mut mode = perl::Mode { ruby: name == "ruby", ..perl::Mode::default() };
    let mut scripts: Vec<&str> = Vec::new();
    let mut files = Vec::new();
    let (mut prints, mut quiet) = (false, false);
    let mut index = 0;
    while let Some(word) = words.get(index).copied() {
        index += 1;
        let Some(letters) = word.strip_prefix('-').filter(|rest| !rest.is_empty()) else {
            files.push(index - 1);
            continue;
        };
        let mut at = 0;
        while let Some(letter) = letters.get(at..).and_then(|rest| rest.chars().next()) {
            at += letter.len_utf8();
            match letter {
                'p' => prints = true,
                'n' => quiet = true,
                'l' => mode.chomped = true,
                'w' | 's' | 'C' => {}
                '0' => {
                    let rest = letters.get(at..).unwrap_or_default();
                    let digits = rest.len() - rest.trim_start_matches(|it: char| it.is_ascii_digit()).len();
                    // `-00` reads paragraphs.
                    if rest.starts_with('0') {
                        return None;
                    }
                    mode.whole = true;
                    at += digits;
                }
                'i' => {
                    // The ending of a copy, up to a letter that is an option: `-i.bak`.
                    if letters.get(at..).is_some_and(|rest| rest.starts_with('.')) {
                        at = letters.len();
                    }
                }
                'e' | 'E' => {
                    match letters.get(at..).filter(|rest| !rest.is_empty()) {
                        Some(glued) => scripts.push(glued),
                        None => {
                            scripts.push(words.get(index)?);
                            index += 1;
                        }
                    }
                    at = letters.len();
                }
                _ => return None,
            }
        }
    }
    if scripts.is_empty() || !(prints || quiet) {
        return None;
    }
    if !scripts.iter().all(|script| is_known(script) || is_part(words, script)) {
        return None;
    }
    mode.quiet = quiet && !prints;
    let program = perl::read(&scripts.join(";"), mode)?;
    Some((TextEdit { steps: vec![EditStep::Run(program)] }, files))
}
