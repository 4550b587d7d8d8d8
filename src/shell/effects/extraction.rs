//! Programs that write whole files where an option says: what unpackers write over, and the keys that `ssh-keygen` makes.

use crate::shell::model::{Command, Effect, EffectKind, Word};

/// What a command writes over where it unpacks or makes keys.
pub(crate) fn effect(command: &Command) -> Option<Effect> {
    let directory = command.directory.as_deref();
    let over = |words: &[Word]| {
        let mut effect = Effect::of(EffectKind::Overwrite, command, command.program(), words, directory);
        effect.recursive = true;
        (!words.is_empty()).then_some(effect)
    };
    match command.program() {
        "ssh-keygen" => over(&keys(command)?),
        "unzip" => over(&[value_of(command, &["-d"])?]),
        _ if extracts(command) => over(&[value_of(command, &["-C", "--directory"])?]),
        _ => None,
    }
}

/// The folder into which `tar` unpacks; nothing where it does not.
pub(crate) fn folder(command: &Command) -> Option<Word> {
    let is_tar = matches!(command.program(), "tar" | "gtar" | "bsdtar");
    let here = || Word::literal(".");
    (is_tar && extracts(command)).then(|| value_of(command, &["-C", "--directory"]).unwrap_or_else(here))
}

fn has(command: &Command, option: &str) -> bool {
    command.words.iter().skip(1).any(|word| word.text == option)
}

fn value_of(command: &Command, options: &[&str]) -> Option<Word> {
    command.words.iter().enumerate().skip(1).find_map(|(index, word)| {
        let glued = options.iter().find_map(|option| word.text.strip_prefix(option)?.strip_prefix('='));
        match glued {
            Some(value) => Some(Word { text: value.to_owned(), ..word.clone() }),
            None => options.contains(&word.text.as_str()).then(|| command.words.get(index + 1).cloned())?,
        }
    })
}

/// `tar xf`, `tar -xzf`, `tar --extract`, and not `tar -tf` or `tar -xOf`.
fn extracts(command: &Command) -> bool {
    let first = command.words.get(1).map_or("", |word| word.text.as_str());
    let letters = first.strip_prefix('-').unwrap_or(first);
    has(command, "--extract") || (!first.starts_with("--") && letters.contains('x') && !letters.contains('O'))
}

/// The key that `ssh-keygen` makes, and its other half; none where it only shows or changes one.
fn keys(command: &Command) -> Option<Vec<Word>> {
    const OTHER: &[&str] = &[
        "-y", "-l", "-p", "-e", "-i", "-R", "-F", "-H", "-B", "-D", "-Y", "-s", "-I", "-c", "-A", "-K", "-L",
        "-Q",
    ];
    if command
        .words
        .iter()
        .skip(1)
        .any(|word| OTHER.contains(&word.text.as_str()) || word.text.starts_with("-l"))
    {
        return None;
    }
    let file = value_of(command, &["-f"])?;
    let public = Word { text: format!("{}.pub", file.text), ..file.clone() };
    Some(vec![file, public])
}
