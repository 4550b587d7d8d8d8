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

/// The archive that a command unpacks, and the folder in which its files come onto what is there.
pub(crate) fn unpacking(command: &Command) -> Option<Effect> {
    // Other names, or no file that is there.
    const OTHERWISE: &[&str] = &[
        "--strip",
        "--transform",
        "--xform",
        "--one-top-level",
        "--keep-old-files",
        "--skip-old-files",
        "--to-stdout",
        "--exclude",
        "--wildcards",
    ];
    let texts = || command.words.iter().skip(1).map(|word| word.text.as_str());
    let strips_nothing = |text: &str| text == "--strip-components=0";
    if texts().any(|text| OTHERWISE.iter().any(|it| text.starts_with(it)) && !strips_nothing(text)) {
        return None;
    }
    let (archive, folder) = match command.program() {
        "unzip" => {
            let spares =
                |text: &str| text.starts_with('-') && text.contains(['n', 'l', 't', 'p', 'Z', 'j', 'v', 'x']);
            if texts().any(spares) {
                return None;
            }
            let archive = command.words.iter().skip(1).find(|word| !word.text.starts_with('-'))?.clone();
            (archive, value_of(command, &["-d"]).unwrap_or_else(|| Word::literal(".")))
        }
        _ => {
            let named = clusters(command).find(|(_, letters)| letters.ends_with('f'));
            let of_cluster = named.and_then(|(index, _)| command.words.get(index + 1).cloned());
            let folder = folder(command).filter(|_| !clusters(command).any(|(_, it)| it.contains('k')))?;
            (of_cluster.or_else(|| value_of(command, &["-f", "--file"]))?, folder)
        }
    };
    // Members that are named are some of it.
    let words = [archive, folder];
    (words.iter().all(|word| word.known && !word.glob))
        .then(|| Effect::of(EffectKind::Copy, command, "unpacking", &words, command.directory.as_deref()))
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

/// `tar xf`, `tar -xzf`, `tar -C there -xf`, `tar --extract`, and not `tar -tf` or `tar -xOf`.
fn extracts(command: &Command) -> bool {
    has(command, "--extract")
        || clusters(command).any(|(_, letters)| letters.contains('x') && !letters.contains(['O', 'c', 't']))
}

/// The letters of tar's options, each with where its word stands: the first word needs no dash.
fn clusters(command: &Command) -> impl Iterator<Item = (usize, &str)> {
    command.words.iter().enumerate().skip(1).filter_map(|(index, word)| {
        let text = word.text.as_str();
        match text.strip_prefix('-') {
            Some(letters) => (!letters.starts_with('-')).then_some((index, letters)),
            None => (index == 1).then_some((index, text)),
        }
    })
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
