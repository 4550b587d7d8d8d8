//! Files of which a command makes a copy somewhere else: what is given up of them afterwards is still there.

use std::path::{Path, PathBuf};

use crate::shell::effects::git_call;
use crate::shell::effects::programs::operands::SplitWords;
use crate::shell::model::{Command, Effect, EffectKind, Script, Word, resolve};

/// How far from its deletion a copy is looked for.
const MOST_BETWEEN: usize = 64;
/// Programs that copy or pack files, or move them away.
const KEEPERS: &[&str] = &["cp", "gcp", "rsync", "ditto", "mv", "gmv", "tar", "gtar", "bsdtar", "zip"];

/// The files and folders that a command copies, or packs into an archive.
pub(crate) fn copied(command: &Command) -> Vec<PathBuf> {
    let words = match command.program() {
        "cp" | "gcp" | "rsync" | "ditto" => before_the_last(command),
        "mv" | "gmv" if goes_away(command) => before_the_last(command),
        "tar" | "gtar" | "bsdtar" => packed(command),
        "zip" => archived(command),
        _ => None,
    };
    let Some(directory) = command.directory.as_deref() else { return Vec::new() };
    let known =
        words.unwrap_or_default().into_iter().filter(|word| word.known && !word.glob && !word.partial);
    known.map(|word| resolve(directory, &word.text)).collect()
}

/// Whether what a command moves leaves the folder in which it runs.
fn goes_away(command: &Command) -> bool {
    let (Some(directory), Some(to)) = (command.directory.as_deref(), command.words.last()) else {
        return false;
    };
    to.known && !resolve(directory, &to.text).starts_with(directory)
}

/// `cp -r src /tmp/s && … && rm -rf src && cp -r /tmp/s src`: whether all that the command at `index` deletes was surely
/// copied elsewhere before, or is moved there, and is put back later from there or by git.
pub(crate) fn goes_and_comes_back(script: &Script, index: usize, effect: &Effect) -> bool {
    if effect.kind == EffectKind::Move {
        return is_moved_and_comes_back(script, index, effect);
    }
    let Some(from) = script.commands.get(index).and_then(|command| command.follows) else { return false };
    let nearest = from.max(index.saturating_sub(MOST_BETWEEN));
    let earlier = script.commands.get(nearest..index).unwrap_or_default();
    let keepers: Vec<&Command> = earlier.iter().filter(|it| KEEPERS.contains(&it.program())).collect();
    if keepers.is_empty() || effect.targets.len() > MOST_BETWEEN {
        return false;
    }
    let end = script.commands.len().min(index + 1 + MOST_BETWEEN);
    let later = script.commands.get(index + 1..end).unwrap_or_default();
    let returns = |path: &Path| {
        keepers.iter().any(|keeper| {
            let holds = copied(keeper).iter().any(|kept| path.starts_with(kept));
            let is_back = |at: &Path| is_put_back(later, at, path) || is_taken_from_git(later, path);
            holds && kept_at(keeper).is_some_and(|at| !at.starts_with(path) && is_back(&at))
        })
    };
    !effect.targets.is_empty()
        && effect.targets.iter().all(|target| !target.glob && target.path.as_deref().is_some_and(returns))
}

/// `mv src /tmp/old && git checkout -- src`: what is moved away stays there, and git has the rest.
fn is_moved_and_comes_back(script: &Script, index: usize, effect: &Effect) -> bool {
    let Some(command) = script.commands.get(index) else { return false };
    let end = script.commands.len().min(index + 1 + MOST_BETWEEN);
    let later = script.commands.get(index + 1..end).unwrap_or_default();
    let moved = copied(command);
    matches!(command.program(), "mv" | "gmv")
        && !moved.is_empty()
        && moved.len() + 1 == effect.targets.len()
        && moved.iter().all(|path| is_taken_from_git(later, path))
}

/// Whether git brings a path back from its index or the last commit.
fn is_taken_from_git(later: &[Command], path: &Path) -> bool {
    later.iter().filter(|command| command.program() == "git").any(|command| {
        let call = git_call::call(command);
        let brings = match call.subcommand {
            "checkout" => !call.has(&["--patch"], "pbB"),
            "restore" => !call.has(&["--staged", "--patch"], "Sp"),
            _ => false,
        };
        let Some(directory) = call.directory.as_deref().filter(|_| brings) else { return false };
        let names = [call.plain(), call.paths().unwrap_or_default()].concat();
        names.iter().any(|word| path.starts_with(resolve(directory, &word.text)))
    })
}

/// Where a command keeps its copy.
fn kept_at(command: &Command) -> Option<PathBuf> {
    let word = match command.program() {
        "tar" | "gtar" | "bsdtar" => command.words.get(2)?,
        "zip" => command.words.iter().skip(1).find(|word| !word.text.starts_with('-'))?,
        _ => command.words.last()?,
    };
    word.known.then_some(())?;
    Some(resolve(command.directory.as_deref()?, &word.text))
}

/// Whether the first command that has to do with a copy puts it back to where it came from, or beside it.
fn is_put_back(later: &[Command], at: &Path, path: &Path) -> bool {
    let named = |command: &Command| -> Vec<PathBuf> {
        let Some(directory) = command.directory.as_deref() else { return Vec::new() };
        command.words.iter().skip(1).map(|word| resolve(directory, &word.text)).collect()
    };
    let uses = |command: &&Command| named(command).iter().any(|name| name.starts_with(at));
    let Some(command) = later.iter().find(uses) else { return false };
    let names = named(command);
    match command.program() {
        "cp" | "gcp" | "mv" | "gmv" | "rsync" | "ditto" => {
            let to = names.last();
            to.is_some_and(|to| to == path || path.parent() == Some(to) || path.starts_with(to))
        }
        "tar" | "gtar" | "bsdtar" | "unzip" => {
            command.directory.as_deref().is_some_and(|directory| path.starts_with(directory))
                && !command.words.iter().any(|word| word.text == "-C" || word.text == "-d")
        }
        _ => false,
    }
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
