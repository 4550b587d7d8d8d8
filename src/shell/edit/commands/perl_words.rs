//! Which words of `perl` and `ruby` are the program, and which are files.

use crate::shell::edit::commands::is_part;
use crate::shell::edit::{ComputedEdit, EditStep, perl};

/// A program of `perl -p`, `perl -n` or `ruby -p` and the places of its files.
pub(crate) fn perl_words(
    name: &str,
    words: &[&str],
    is_known: impl Fn(&str) -> bool,
) -> Option<(ComputedEdit, Vec<usize>)> {
    let PerlOptions { mode, prints, quiet, scripts, files } = PerlOptions::read(name, words)?;
    if scripts.is_empty() || !(prints || quiet) {
        return None;
    }
    if !scripts.iter().all(|script| is_known(script) || is_part(words, script)) {
        return None;
    }
    let mode = perl::PerlMode { quiet: quiet && !prints, ..mode };
    let program = perl::read(&scripts.join(";"), mode)?;
    Some((ComputedEdit { steps: vec![EditStep::Run(program)] }, files))
}

/// What the words say before anything is known of the script.
#[derive(Default)]
struct PerlOptions<'w> {
    mode: perl::PerlMode,
    prints: bool,
    quiet: bool,
    /// Those of `-e`.
    scripts: Vec<&'w str>,
    /// The places of the words that are no options.
    files: Vec<usize>,
}

impl<'w> PerlOptions<'w> {
    fn read(name: &str, words: &[&'w str]) -> Option<Self> {
        let mode = perl::PerlMode { ruby: name == "ruby", ..perl::PerlMode::default() };
        let mut options = PerlOptions { mode, ..PerlOptions::default() };
        let mut index = 0;
        while let Some(word) = words.get(index).copied() {
            index += 1;
            match word.strip_prefix('-').filter(|rest| !rest.is_empty()) {
                None => options.files.push(index - 1),
                Some(letters) => {
                    if options.letters(letters)? {
                        options.scripts.push(words.get(index)?);
                        index += 1;
                    }
                }
            }
        }
        Some(options)
    }

    /// Whether the next word is a script.
    fn letters(&mut self, letters: &'w str) -> Option<bool> {
        let mut rest = letters;
        while let Some(letter) = rest.chars().next() {
            rest = rest.get(letter.len_utf8()..)?;
            match letter {
                'p' => self.prints = true,
                'n' => self.quiet = true,
                'l' => self.mode.chomped = true,
                'w' | 's' | 'C' => {}
                // `-00` reads paragraphs.
                '0' if rest.starts_with('0') => return None,
                '0' => {
                    self.mode.whole = true;
                    rest = rest.trim_start_matches(|it: char| it.is_ascii_digit());
                }
                // The ending of a copy, up to a letter that is an option: `-i.bak`.
                'i' if rest.starts_with('.') => return Some(false),
                'i' => {}
                'e' | 'E' if rest.is_empty() => return Some(true),
                'e' | 'E' => {
                    self.scripts.push(rest);
                    return Some(false);
                }
                _ => return None,
            }
        }
        Some(false)
    }
}
