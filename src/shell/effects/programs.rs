//! The table of programs that change files by their operands, and how it is read.

pub(crate) mod operands;

use crate::shell::edit;
use crate::shell::effects::programs::operands::{SplitWords, chosen, takes_start_away};
use crate::shell::effects::redirection::is_sink;
use crate::shell::model::{Command, Effect, EffectKind, Script, Word};
use crate::shell::parse::output;

use EffectKind::{ChangeMode, Copy as Copies, Delete, EditInPlace, Move, Overwrite, Truncate};
use Operands::{AfterFirst, All, Destination};

/// Which operands of a program are its targets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operands {
    All,
    /// All but the first, which is a mode or owner.
    AfterFirst,
    /// Sources, then the destination, which `-t` may name.
    Destination,
}

/// A program of the table.
pub(crate) struct KnownProgram {
    names: &'static [&'static str],
    kind: EffectKind,
    operands: Operands,
    /// Options whose value is the next word.
    valued: &'static [&'static str],
    /// Options that mean folders; `"*"` means always.
    recursive: &'static [&'static str],
    /// Options without which nothing is lost.
    needs: &'static [&'static str],
}

const TO: &[&str] = &["-t", "--target-directory", "-S", "--suffix"];
const INSTALL: &[&str] =
    &["-t", "--target-directory", "-m", "--mode", "-o", "--owner", "-g", "--group", "-S"];

static PROGRAMS: &[KnownProgram] = &[
    program(&["rm", "grm"], Delete, All).recursive(&["r", "R", "--recursive"]),
    program(&["rmdir", "unlink"], Delete, All),
    program(&["rimraf", "del-cli", "Remove-Item", "trash", "trash-put", "trash-cli"], Delete, All)
        .recursive(&["*"]),
    program(&["shred", "srm"], Delete, All).valued(&["-n", "-s", "--iterations", "--size"]),
    program(&["truncate"], Truncate, All).valued(&["-s", "--size", "-r", "--reference"]),
    program(&["mv", "gmv"], Move, Destination).valued(TO).recursive(&["*"]),
    program(&["cp", "gcp"], Copies, Destination).valued(TO).recursive(&[
        "r",
        "R",
        "a",
        "--recursive",
        "--archive",
    ]),
    program(&["install", "ginstall"], Copies, Destination).valued(INSTALL),
    program(&["ln"], Copies, Destination).valued(TO).needs(&["f", "--force"]),
    program(&["rsync"], Copies, Destination)
        .valued(&["-e", "--exclude", "--include", "-f", "--filter"])
        .recursive(&["*"]),
    program(&["tee"], Overwrite, All),
    program(&["sed", "gsed"], EditInPlace, AfterFirst).needs(&["i", "--in-place"]),
    program(&["perl", "ruby"], EditInPlace, All).valued(&["-e", "-E", "-I", "-M", "-r"]).needs(&["i"]),
    program(&["gawk", "awk"], EditInPlace, AfterFirst).valued(&["-i", "-v", "-F"]).needs(&["i"]),
    program(&["yq"], EditInPlace, AfterFirst).needs(&["i", "--inplace"]),
    program(&["chmod"], ChangeMode, AfterFirst).valued(&["--reference"]).recursive(&["R", "--recursive"]),
    program(&["chown", "chgrp"], ChangeMode, AfterFirst)
        .valued(&["--reference"])
        .recursive(&["R", "--recursive"]),
    program(&["wipefs", "mkfs", "mke2fs", "mkswap"], Overwrite, All).valued(&["-t", "-L"]),
    program(&["sponge"], Overwrite, All),
];

const fn program(names: &'static [&'static str], kind: EffectKind, operands: Operands) -> KnownProgram {
    KnownProgram { names, kind, operands, valued: &[], recursive: &[], needs: &[] }
}

impl KnownProgram {
    const fn valued(self, valued: &'static [&'static str]) -> Self {
        KnownProgram { valued, ..self }
    }

    const fn recursive(self, recursive: &'static [&'static str]) -> Self {
        KnownProgram { recursive, ..self }
    }

    const fn needs(self, needs: &'static [&'static str]) -> Self {
        KnownProgram { needs, ..self }
    }
}

/// The table's entry for a program, `mkfs.ext4` by its first part.
pub(crate) fn known(name: &str) -> Option<&'static KnownProgram> {
    let base = name.split_once('.').map_or(name, |(base, _)| base);
    PROGRAMS.iter().find(|program| program.names.contains(&base))
}

/// Whether a script that edits files in place prints nothing, so that they are empty afterwards: `perl -i -ne ''`,
/// `perl -pi -e '$_ = ""'`, `awk -i inplace 0`.
fn prints_nothing(command: &Command, arguments: &SplitWords) -> bool {
    if command.program().ends_with("awk") {
        let script = arguments.operands.first().map_or("", |word| word.text.trim());
        return arguments.values.iter().any(|(_, value)| value.text == "inplace")
            && matches!(script, "0" | "" | "{}" | "NR==0" | "NR == 0" | "{next}" | "{ next }");
    }
    let scripts: Vec<&str> = arguments
        .values
        .iter()
        .filter(|(option, _)| option.ends_with(['e', 'E']))
        .map(|(_, value)| value.text.trim().trim_end_matches(';'))
        .collect();
    let prints = |script: &&str| {
        let mut words = script.split(|letter: char| !letter.is_alphanumeric());
        words.any(|word| matches!(word, "print" | "printf" | "puts" | "say" | "p" | "write"))
    };
    let empties = |script: &&str| {
        matches!(script.replace(' ', "").as_str(), "$_=\"\"" | "$_=''" | "undef$_" | "$_=undef" | "$_=nil")
    };
    let is_quiet = arguments.has(&["n"]) && !arguments.has(&["p"]);
    !scripts.is_empty() && (scripts.iter().any(empties) || (is_quiet && !scripts.iter().any(prints)))
}

/// A mode with which anybody may write: `777`, `0666`, `a+rwx`, `o+w`.
fn opens_to_everybody(mode: &str) -> bool {
    let digits = mode.len() >= 3 && mode.bytes().all(|byte| byte.is_ascii_digit());
    let others = mode.bytes().last().is_some_and(|last| matches!(last, b'2' | b'3' | b'6' | b'7'));
    let letters = mode.split(',').any(|part| {
        let (who, what) = part.split_once(['+', '=']).unwrap_or_default();
        who.contains(['a', 'o']) && what.contains('w')
    });
    (digits && others) || letters
}

/// What the table says of a command.
pub(crate) fn effect(script: &Script, command: &Command, program: &KnownProgram) -> Option<Effect> {
    let arguments = SplitWords::of(command, program.valued);
    if loses_nothing(command, program, &arguments) {
        return None;
    }
    let words = chosen(command, program, &arguments);
    // An empty word names nothing, and the program says so.
    let is_meant = |word: &Word| {
        (!is_sink(&word.text) || program.operands == Destination) && !(word.known && word.text.is_empty())
    };
    let words: Vec<Word> = words.into_iter().filter(is_meant).collect();
    if words.is_empty() || (program.operands == Destination && words.len() < 2) {
        return None;
    }
    let mut effect =
        Effect::of(program.kind, command, command.program(), &words, command.directory.as_deref());
    effect.recursive = program.recursive == ["*"] || arguments.has(program.recursive);
    effect.forced = arguments.has(&["f", "--force"]);
    by_arguments(&mut effect, script, command, &arguments);
    Some(effect)
}

/// Whether the program only tells of itself, only tries, keeps what is there, or lacks the option that loses something.
fn loses_nothing(command: &Command, program: &KnownProgram, arguments: &SplitWords) -> bool {
    let asks_help = arguments.options.iter().any(|option| matches!(*option, "--help" | "--version"));
    let only_tries = command.program().starts_with("mk") && arguments.options.contains(&"-n");
    // A program in a temporary folder has the name of another, and may be anything.
    let elsewhere = command.words.first().is_some_and(|word| word.text.starts_with("/tmp/"));
    if asks_help || only_tries || elsewhere {
        return true;
    }
    if !program.needs.is_empty() && !arguments.has(program.needs) {
        return true;
    }
    let spares = matches!(command.program(), "cp" | "mv" | "gcp" | "gmv")
        && (arguments.has(&["n", "--no-clobber"])
            || arguments.options.iter().any(|it| it.starts_with("--backup")));
    let deletes = || arguments.options.iter().any(|option| option.starts_with("--del"));
    (spares && program.kind == Copies)
        || (command.program() == "rsync" && (!deletes() || arguments.has(&["n", "--dry-run"])))
}

/// What the arguments of some programs make of their effect.
fn by_arguments(effect: &mut Effect, script: &Script, command: &Command, arguments: &SplitWords) {
    match command.program() {
        "tee" => {
            effect.append = arguments.has(&["a", "--append"]);
            effect.content = output::text::text_from(script, &command.input);
        }
        // The standard way to empty a file by copying.
        "cp" | "install" if effect.targets.first().is_some_and(|from| from.text == "/dev/null") => {
            empty(effect);
            effect.targets.remove(0);
        }
        "truncate" => {
            let size = arguments.values.iter().find(|(name, _)| matches!(*name, "-s" | "--size"));
            let empties =
                size.is_some_and(|(_, size)| size.text == "0") || arguments.options.contains(&"-s0");
            effect.content = empties.then(String::new);
        }
        "perl" | "ruby" | "gawk" | "awk" if prints_nothing(command, arguments) => empty(effect),
        "sed" | "gsed" | "perl" | "ruby" | "gawk" | "awk" => effect.edit = edit::in_place(command),
        // They read patterns themselves.
        "del-cli" | "rimraf" => {
            effect.targets.iter_mut().for_each(|target| target.glob |= target.text.contains('*'));
        }
        "yq" => effect.edit = edit::values_of(command).map(|(_, edit)| edit),
        "shred" if !arguments.has(&["u", "--remove"]) => effect.kind = Overwrite,
        "chmod" if command.words.iter().skip(1).any(|word| takes_start_away(&word.text)) => {
            "chmod -x".clone_into(&mut effect.detail);
        }
        "chmod" if command.words.iter().skip(1).any(|word| opens_to_everybody(&word.text)) => {
            "chmod for everybody".clone_into(&mut effect.detail);
        }
        "rsync" => {
            "rsync --delete".clone_into(&mut effect.detail);
            let spared =
                arguments.values.iter().filter(|(name, _)| name.starts_with("--ex") || *name == "-f");
            effect.spared = spared.map(|(_, value)| value.text.clone()).collect();
        }
        _ => {}
    }
}

fn empty(effect: &mut Effect) {
    effect.kind = Truncate;
    effect.content = Some(String::new());
}
