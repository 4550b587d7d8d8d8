//! The options and operands of a program that changes files.

use crate::shell::effects::programs::{KnownProgram, Operands};
use crate::shell::model::{Command, EffectKind, Word};

use EffectKind::EditInPlace;
use Operands::{AfterFirst, All, Destination};

/// The options and operands of a command.
#[derive(Default)]
pub(crate) struct SplitWords<'c> {
    pub(crate) options: Vec<&'c str>,
    pub(crate) operands: Vec<Word>,
    /// The values of options that take one.
    pub(crate) values: Vec<(&'c str, Word)>,
}

impl<'c> SplitWords<'c> {
    pub(crate) fn of(command: &'c Command, valued: &[&str]) -> Self {
        let mut arguments = SplitWords::default();
        let mut words = command.words.iter().skip(1);
        while let Some(word) = words.next() {
            let text = word.text.as_str();
            if text == "--" {
                arguments.operands.extend(words.by_ref().cloned());
            } else if valued.contains(&text) || (valued.contains(&"-e") && is_cluster_before_script(text)) {
                arguments.options.push(text);
                arguments.values.extend(words.next().map(|value| (text, value.clone())));
            } else if text.starts_with('-') && text.len() > 1 && word.known {
                if let Some((name, value)) = text.split_once('=') {
                    arguments.values.push((name, Word { text: value.to_owned(), ..word.clone() }));
                }
                arguments.options.push(text);
            } else {
                arguments.operands.push(word.clone());
            }
        }
        arguments
    }

    /// Whether an option is given: a long name (abbreviated too), or a letter in a cluster.
    pub(crate) fn has(&self, names: &[&str]) -> bool {
        self.options.iter().any(|option| {
            let option = option.split_once('=').map_or(*option, |(name, _)| name);
            names.iter().any(|name| match name.strip_prefix("--") {
                // `--re` could be `--reference` as well.
                Some(_) => {
                    option.len() > 3
                        && option.starts_with("--")
                        && name.starts_with(option)
                        && !"--reference".starts_with(option)
                }
                None => {
                    !option.starts_with("--") && option.chars().skip(1).any(|letter| name.starts_with(letter))
                }
            })
        })
    }
}

/// `-pie`, `-ne`: the script is the next word.
fn is_cluster_before_script(text: &str) -> bool {
    text.len() > 2
        && text.starts_with('-')
        && !text.starts_with("--")
        && text.ends_with('e')
        && !text.contains('=')
}

/// `-x`, `a-x`, `644`: a mode in which a file can't be started.
pub(crate) fn takes_start_away(mode: &str) -> bool {
    let octal = matches!(mode.len(), 3 | 4) && mode.bytes().all(|byte| matches!(byte, b'0'..=b'7'));
    match mode.split_once('-') {
        Some((who, taken)) => {
            who.bytes().all(|byte| b"ugoa".contains(&byte)) && taken.contains('x') && !taken.contains('-')
        }
        None => octal && mode.bytes().rev().take(3).all(|digit| digit % 2 == 0),
    }
}

/// The operands that are targets.
pub(crate) fn chosen(command: &Command, program: &KnownProgram, arguments: &SplitWords) -> Vec<Word> {
    let operands = &arguments.operands;
    match program.operands {
        All => operands.clone(),
        AfterFirst => {
            // With `-e` or `-f` the script is an option, and every operand is a file.
            let is_script = |o: &&str| matches!(*o, "-e" | "-f") || o.starts_with("--expression");
            let scripts = arguments.options.iter().any(is_script);
            let in_place = program.kind == EditInPlace;
            let script_words = command
                .words
                .iter()
                .filter(|w| matches!(w.text.as_str(), "-e" | "-f" | "--expression"))
                .count();
            let by_reference = arguments.options.iter().any(|option| option.starts_with("--reference"));
            // `chmod -x f`: the mode looks like an option.
            let is_mode = |o: &&str| o.bytes().skip(1).all(|byte| b"rwxXst".contains(&byte));
            let mode_is_option = command.program() == "chmod" && arguments.options.iter().any(is_mode);
            let skip = match in_place && scripts {
                true => script_words,
                false => usize::from(!by_reference && !mode_is_option),
            };
            let operands = if in_place { without_suffix(operands) } else { operands.as_slice() };
            operands.get(skip..).unwrap_or_default().to_vec()
        }
        Destination => {
            let named =
                arguments.values.iter().find(|(name, _)| matches!(*name, "-t" | "--target-directory"));
            let destination = named.map(|(_, word)| word.clone());
            operands.iter().cloned().chain(destination).collect()
        }
    }
}

/// BSD's `sed -i '' …` has an empty suffix as a word of its own.
fn without_suffix(operands: &[Word]) -> &[Word] {
    match operands {
        [first, rest @ ..] if first.text.is_empty() && first.known => rest,
        _ => operands,
    }
}
