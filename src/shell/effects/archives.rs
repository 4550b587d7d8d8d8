//! Programs that put files away or take them out: what they remove after packing, and the folder that they write into.

use crate::shell::model::{Command, Effect, EffectKind, Word};

use EffectKind::{Delete, Overwrite};

/// What a command does to files besides its archive.
pub(crate) fn effect(command: &Command) -> Option<Effect> {
    let directory = command.directory.as_deref();
    let of = |kind, words: &[Word]| {
        let mut effect = Effect::of(kind, command, command.program(), words, directory);
        effect.recursive = true;
        effect.forced = kind == Delete;
        (!words.is_empty()).then_some(effect)
    };
    match command.program() {
        "ssh-keygen" => of(Overwrite, &keys(command)?),
        "zip" => of(Delete, &packed_by_zip(command)?),
        "unzip" => of(Overwrite, &[value_of(command, &["-d"])?]),
        _ if has(command, "--remove-files") => of(Delete, &packed_by_tar(command)),
        _ if extracts(command) => of(Overwrite, &[value_of(command, &["-C", "--directory"])?]),
        _ => None,
    }
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

/// The files that `tar --remove-files` packs.
fn packed_by_tar(command: &Command) -> Vec<Word> {
    const VALUED: &[&str] = &["-f", "--file", "-C", "--directory", "--exclude", "-X", "-T", "-I"];
    let mut packed = Vec::new();
    let mut words = command.words.iter().enumerate().skip(1);
    while let Some((index, word)) = words.next() {
        let text = word.text.as_str();
        // `czf name`, `-czf name`: the archive is the next word.
        let is_cluster = index == 1 && !text.starts_with("--") && text.contains('f');
        if is_cluster
            || VALUED.contains(&text)
            || (text.starts_with('-') && !text.starts_with("--") && text.ends_with('f'))
        {
            words.next();
        } else if !text.starts_with('-') && index > 1 {
            packed.push(word.clone());
        }
    }
    packed
}

/// The files that `zip -m` moves into its archive.
fn packed_by_zip(command: &Command) -> Option<Vec<Word>> {
    let is_option = |text: &str| text.starts_with('-') && text.len() > 1;
    let moves = command.words.iter().skip(1).any(|word| {
        word.text == "--move"
            || (is_option(&word.text) && !word.text.starts_with("--") && word.text.contains('m'))
    });
    let own = command
        .words
        .iter()
        .skip(1)
        .take_while(|word| !matches!(word.text.as_str(), "-x" | "-i" | "--exclude"));
    moves.then(|| own.filter(|word| !is_option(&word.text)).skip(1).cloned().collect())
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
