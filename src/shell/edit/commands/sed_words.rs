//! Which words of `sed` are its program, and which are files.

use crate::shell::edit::commands::is_part;
use crate::shell::edit::pattern::Flavour;
use crate::shell::edit::{ComputedEdit, EditStep, sed};

/// A program of `sed` and the places of its files.
pub(crate) fn sed_words(
    words: &[&str],
    is_known: impl Fn(&str) -> bool,
) -> Option<(ComputedEdit, Vec<usize>)> {
    let SedOptions { flavour, quiet, mut scripts, mut files } = SedOptions::read(words)?;
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
    Some((ComputedEdit { steps: vec![EditStep::Run(program)] }, files))
}

/// What the words say before anything is known of the script.
#[derive(Default)]
struct SedOptions<'w> {
    flavour: Flavour,
    quiet: bool,
    /// Those of `-e`.
    scripts: Vec<&'w str>,
    /// The places of the words that are no options.
    files: Vec<usize>,
}

impl<'w> SedOptions<'w> {
    fn read(words: &[&'w str]) -> Option<Self> {
        let mut options = SedOptions::default();
        let mut after_options = false;
        let mut index = 0;
        while let Some(word) = words.get(index).copied() {
            index += 1;
            match word.strip_prefix('-').filter(|rest| !rest.is_empty() && !after_options) {
                None => options.files.push(index - 1),
                Some("-") => after_options = true,
                Some(option) => {
                    let takes_next = match option.starts_with('-') {
                        true => options.long(option)?,
                        false => options.letters(option)?,
                    };
                    if takes_next {
                        options.scripts.push(words.get(index)?);
                        index += 1;
                    }
                }
            }
        }
        Some(options)
    }

    /// Whether the next word is a script.
    fn long(&mut self, option: &'w str) -> Option<bool> {
        match option {
            "-expression" => return Some(true),
            "-regexp-extended" => self.flavour = Flavour::Extended,
            "-quiet" | "-silent" => self.quiet = true,
            "-posix" | "-sandbox" | "-unbuffered" => {}
            _ if option.starts_with("-in-place") => {}
            _ => self.scripts.push(option.strip_prefix("-expression=")?),
        }
        Some(false)
    }

    /// Whether the next word is a script.
    fn letters(&mut self, letters: &'w str) -> Option<bool> {
        for (at, letter) in letters.char_indices() {
            match letter {
                'E' | 'r' => self.flavour = Flavour::Extended,
                'n' => self.quiet = true,
                // What follows is the ending of a copy; BSD has it as a word of its own when it is empty.
                'i' => break,
                'e' => {
                    let glued = letters.get(at + 1..).filter(|glued| !glued.is_empty());
                    self.scripts.extend(glued);
                    return Some(glued.is_none());
                }
                's' | 'u' | 'b' => {}
                _ => return None,
            }
        }
        Some(false)
    }
}

/// Whether the word before this one is `-i` alone.
fn at_option(words: &[&str], at: usize) -> bool {
    at.checked_sub(1).and_then(|before| words.get(before)).is_some_and(|word| *word == "-i")
}
