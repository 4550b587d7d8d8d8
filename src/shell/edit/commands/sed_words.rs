//! Which words of `sed` are its program, and which are files.

use crate::shell::edit::commands::is_part;
use crate::shell::edit::pattern::Flavour;
use crate::shell::edit::{EditStep, TextEdit, sed};

/// A program of `sed` and the places of its files.
pub(crate) fn sed_words(words: &[&str], is_known: impl Fn(&str) -> bool) -> Option<(TextEdit, Vec<usize>)> {
    let mut flavour = Flavour::Basic;
    let (mut quiet, mut after_options) = (false, false);
    let mut scripts: Vec<&str> = Vec::new();
    let mut files = Vec::new();
    let mut index = 0;
    while let Some(word) = words.get(index).copied() {
        index += 1;
        match word.strip_prefix('-').filter(|rest| !rest.is_empty() && !after_options) {
            None => files.push(index - 1),
            Some("-") => after_options = true,
            Some("-expression") => {
                scripts.push(words.get(index)?);
                index += 1;
            }
            Some("-regexp-extended") => flavour = Flavour::Extended,
            Some("-quiet" | "-silent") => quiet = true,
            Some(long) if long.starts_with("-expression=") => scripts.push(long.split_once('=')?.1),
            Some(long)
                if long.starts_with("-in-place") || matches!(long, "-posix" | "-sandbox" | "-unbuffered") => {
            }
            Some(long) if long.starts_with('-') => return None,
            Some(letters) => {
                for (at, letter) in letters.char_indices() {
                    match letter {
                        'E' | 'r' => flavour = Flavour::Extended,
                        'n' => quiet = true,
                        // What follows is the ending of a copy; BSD has it as a word of its own when it is empty.
                        'i' => break,
                        'e' => {
                            match letters.get(at + 1..).filter(|glued| !glued.is_empty()) {
                                Some(glued) => scripts.push(glued),
                                None => {
                                    scripts.push(words.get(index)?);
                                    index += 1;
                                }
                            }
                            break;
                        }
                        's' | 'u' | 'b' => {}
                        _ => return None,
                    }
                }
            }
        }
    }
    files.retain(|at| words.get(*at).is_some_and(|word| !word.is_empty()));
    if scripts.is_empty() {
        // BSD's `-i .bak`: an ending before the script.
        let is_ending = |at: &usize| {
            words.get(*at).is_some_and(|it| it.starts_with('.') && !it.contains('/') && files.len() > 2)
        };
        if files.first().is_some_and(is_ending) && at_option(words, *files.first()?) {
            files.remove(0);
        }
        scripts.push(words.get(*files.first()?)?);
        files.remove(0);
    }
    if !scripts.iter().all(|script| words.contains(script) && is_known(script) || is_part(words, script)) {
        return None;
    }
    let program = sed::read(&scripts, flavour, quiet)?;
    Some((TextEdit { steps: vec![EditStep::Run(program)] }, files))
}

/// Whether the word before this one is `-i` alone.
fn at_option(words: &[&str], at: usize) -> bool {
    at.checked_sub(1).and_then(|before| words.get(before)).is_some_and(|word| *word == "-i")
}
