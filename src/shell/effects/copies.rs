//! Files of which a command makes a copy somewhere else: what is given up of them afterwards is still there.

use std::path::PathBuf;

use crate::shell::effects::programs::operands::SplitWords;
use crate::shell::model::{Command, Word, resolve};

/// The files and folders that a command copies, or packs into an archive.
pub(crate) fn copied(command: &Command) -> Vec<PathBuf> {
    let words = match command.program() {
        "cp" | "gcp" | "rsync" | "ditto" => before_the_last(command),
        "tar" | "gtar" | "bsdtar" => packed(command),
        "zip" => archived(command),
        _ => None,
    };
    let Some(directory) = command.directory.as_deref() else { return Vec::new() };
    let known =
        words.unwrap_or_default().into_iter().filter(|word| word.known && !word.glob && !word.partial);
    known.map(|word| resolve(directory, &word.text)).collect()
}

/// What is not chosen by patterns, and goes to a place that keeps it.
fn before_the_last(command: &Command) -> Option<Vec<Word>> {
    let arguments = SplitWords::of(command, &["-e", "-t", "--target-directory", "-S", "--suffix"]);
    let chooses = |option: &&str| {
        ["--exclude", "--include", "--filter", "--dry-run", "--target"]
            .iter()
            .any(|it| option.starts_with(it))
            || matches!(*option, "-n" | "-t" | "-u" | "--update" | "--no-clobber")
    };
    let (last, sources) = arguments.operands.split_last()?;
    let keeps = last.known && !last.text.starts_with("/dev/");
    (keeps && !arguments.options.iter().any(chooses)).then(|| sources.to_vec())
}

/// `tar czf archive paths`, without exclusions or another folder to start from.
fn packed(command: &Command) -> Option<Vec<Word>> {
    let words = command.words.get(1..)?;
    let letters = words.first()?.text.trim_start_matches('-');
    let plain = letters.bytes().all(|letter| letter.is_ascii_alphabetic());
    (plain && letters.starts_with('c') && letters.ends_with('f')).then_some(())?;
    let archive = words.get(1)?;
    let sources = words.get(2..)?;
    let chooses = sources.iter().any(|word| word.text.starts_with('-'));
    (archive.known && archive.text != "-" && !archive.text.starts_with("/dev/") && !chooses)
        .then(|| sources.to_vec())
}

/// `zip -r archive paths`, unless the files go into it and away.
fn archived(command: &Command) -> Option<Vec<Word>> {
    let arguments = SplitWords::of(command, &[]);
    let is_plain =
        arguments.options.iter().all(|option| matches!(*option, "-r" | "-q" | "-qr" | "-rq" | "-9"));
    let (archive, sources) = arguments.operands.split_first()?;
    (is_plain && archive.known).then(|| sources.to_vec())
}
