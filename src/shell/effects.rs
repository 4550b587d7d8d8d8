//! What commands do to files: a table of programs and options, and the few whose words need more than a table.

use std::path::{Path, PathBuf};

use super::runners::{self, Class};
use super::unquote::UNKNOWN;
use super::{
    Command, Input, Redirect, Script, Word, first_line, git, inline, output, quick, read_at, resolve,
};
use crate::event::Dialect;

/// The kinds of effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EffectKind {
    /// Files are gone.
    Delete,
    /// Files get other content.
    Overwrite,
    /// Files become empty or shorter.
    Truncate,
    /// Files change their name; the last target is the destination.
    Move,
    /// Files are copied; the last target is the destination.
    Copy,
    /// Files are edited where they are.
    EditInPlace,
    /// Modes or owners change.
    ChangeMode,
    /// Uncommitted work, stashes or branches are given up.
    DiscardGitWork,
    /// Files leave git's index, and mostly the disk.
    GitRemove,
    /// Commits are rewritten or made unreachable.
    RewriteHistory,
    /// Published history is replaced.
    Publish,
    /// Hooks are skipped or switched off.
    BypassChecks,
    /// The guard itself is stopped or decided for.
    DisarmsGuard,
}

/// One effect of one command.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// What happens.
    pub kind: EffectKind,
    /// The program, without directory.
    pub program: String,
    /// Which form of it, e.g. `git reset --hard`; else the program.
    pub detail: String,
    /// The files, or for git work the paths or revisions as written.
    pub targets: Vec<Target>,
    /// Whether folders go with all that is in them.
    pub recursive: bool,
    /// Whether questions are suppressed.
    pub forced: bool,
    /// The literal new content, where it is known.
    pub content: Option<String>,
    /// Whether the content comes after the old one.
    pub append: bool,
    /// Where the command runs.
    pub directory: Option<PathBuf>,
    /// The command as written, one line of it.
    pub line_text: String,
}

/// What an effect touches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// As the program gets it, with `…` for each part that isn't known.
    pub text: String,
    /// Absolute, after `cd`, variables and `~`; a pattern if `glob`. `None` when it isn't known.
    pub path: Option<PathBuf>,
    /// Whether the path is a pattern that the disk must expand.
    pub glob: bool,
    /// Whether only some of what it names is meant, chosen by a test that can't be made here.
    pub partial: bool,
}

/// What a text does.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reading {
    /// Known effects, in order.
    pub effects: Vec<Effect>,
    /// Every command provably only reads.
    pub read_only: bool,
    /// A command builds, lints or tests: it writes build output only.
    pub runs_checks: bool,
    /// A command may change files in ways that are not known.
    pub runs_code: bool,
    /// A part of the text could not be read.
    pub unread: bool,
}

/// Which operands of a program are its targets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operands {
    All,
    /// All but the first, which is a mode or owner.
    AfterFirst,
    /// Sources, then the destination, which `-t` may name.
    Destination,
}

struct Program {
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

use EffectKind::{ChangeMode, Copy as Copies, Delete, DisarmsGuard, EditInPlace, Move, Overwrite, Truncate};
use Operands::{AfterFirst, All, Destination};

const TO: &[&str] = &["-t", "--target-directory", "-S", "--suffix"];
const INSTALL: &[&str] =
    &["-t", "--target-directory", "-m", "--mode", "-o", "--owner", "-g", "--group", "-S"];

static PROGRAMS: &[Program] = &[
    program(&["rm", "grm"], Delete, All, &[], &["r", "R", "--recursive"], &[]),
    program(&["rmdir", "unlink", "trash", "trash-put"], Delete, All, &[], &[], &[]),
    program(&["rimraf", "del-cli", "Remove-Item"], Delete, All, &[], &["*"], &[]),
    program(&["shred", "srm"], Delete, All, &["-n", "-s", "--iterations", "--size"], &[], &[]),
    program(&["truncate"], Truncate, All, &["-s", "--size", "-r", "--reference"], &[], &[]),
    program(&["mv", "gmv"], Move, Destination, TO, &["*"], &[]),
    program(&["cp", "gcp"], Copies, Destination, TO, &["r", "R", "a", "--recursive", "--archive"], &[]),
    program(&["install", "ginstall"], Copies, Destination, INSTALL, &[], &[]),
    program(&["ln"], Copies, Destination, TO, &[], &["f", "--force"]),
    program(
        &["rsync"],
        Copies,
        Destination,
        &["-e", "--exclude", "--include", "-f", "--filter"],
        &["*"],
        &[],
    ),
    program(&["tee"], Overwrite, All, &[], &[], &[]),
    program(&["sed", "gsed"], EditInPlace, AfterFirst, &[], &[], &["i", "--in-place"]),
    program(&["perl", "ruby"], EditInPlace, All, &["-e", "-E", "-I", "-M", "-r"], &[], &["i"]),
    program(&["yq"], EditInPlace, AfterFirst, &[], &[], &["i", "--inplace"]),
    program(&["patch"], EditInPlace, All, &["-i", "-d", "-p", "-o", "-r"], &[], &[]),
    program(&["chmod"], ChangeMode, AfterFirst, &["--reference"], &["R", "--recursive"], &[]),
    program(&["chown", "chgrp"], ChangeMode, AfterFirst, &["--reference"], &["R", "--recursive"], &[]),
    program(&["wipefs", "mkfs", "mke2fs", "mkswap"], Overwrite, All, &["-t", "-L"], &[], &[]),
    program(&["sponge"], Overwrite, All, &[], &[], &[]),
];

const fn program(
    names: &'static [&'static str],
    kind: EffectKind,
    operands: Operands,
    valued: &'static [&'static str],
    recursive: &'static [&'static str],
    needs: &'static [&'static str],
) -> Program {
    Program { names, kind, operands, valued, recursive, needs }
}

/// Files that lose nothing when written to.
const SINKS: &[&str] =
    &["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/zero", "/dev/fd", "NUL", "$null"];

/// Subcommands of our own program that a person decides about.
const GUARD_DECISIONS: &[&str] = &["gate", "accept", "approve", "uninstall", "disable", "undo"];
const LOOP_DECISIONS: &[&str] = &["abort", "pause", "stop", "complete", "end"];

/// Reads `text` as run in `cwd` by the user whose home is `home`, and says what it does.
pub fn effects(text: &str, dialect: Dialect, cwd: &Path, home: &Path) -> Reading {
    if dialect == Dialect::Posix
        && let Some(reading) = quick::harmless(text)
    {
        return reading;
    }
    let script = read_at(text, dialect, cwd, home);
    let mut reading = Reading { unread: !script.unread.is_empty(), ..Reading::default() };
    reading.read_only = !reading.unread;
    for (index, command) in script.commands.iter().enumerate() {
        let before = reading.effects.len();
        if !command.remote {
            redirect_effects(&script, index, command, &mut reading.effects);
            command_effects(&script, command, &mut reading.effects);
        }
        let class = class(command, reading.effects.len() > before);
        reading.read_only &= class == Class::Reads && reading.effects.len() == before;
        reading.runs_checks |= class == Class::Checks;
        reading.runs_code |= class == Class::RunsCode;
    }
    reading
}

/// What a command does besides its effects.
fn class(command: &Command, has_effects: bool) -> Class {
    if command.remote {
        return Class::Makes;
    }
    if let Some(code) = &command.code {
        return match &code.text {
            Some(text) if inline::only_reads(code.language, text) => Class::Reads,
            Some(text) if has_effects && !inline::file_calls(code.language, text).is_empty() => {
                Class::RunsCode
            }
            _ if has_effects && is_edit_in_place(command) => Class::Makes,
            _ => Class::RunsCode,
        };
    }
    match command.program() {
        "git" => git::class(command),
        name if PROGRAMS.iter().any(|program| program.names.contains(&name)) && has_effects => Class::Makes,
        "rm" | "rmdir" | "mv" | "cp" | "tee" | "chmod" | "chown" | "ln" | "dd" | "rsync" | "install" => {
            Class::Makes
        }
        "find" | "steadfast" if has_effects => Class::Makes,
        _ => runners::class(command),
    }
}

fn is_edit_in_place(command: &Command) -> bool {
    matches!(command.program(), "perl" | "ruby")
}

impl Effect {
    /// An effect of `command` on `words` seen from `directory`.
    pub(super) fn of(
        kind: EffectKind,
        command: &Command,
        detail: &str,
        words: &[Word],
        directory: Option<&Path>,
    ) -> Effect {
        Effect {
            kind,
            program: command.program().to_owned(),
            detail: detail.to_owned(),
            targets: words.iter().map(|word| target(word, directory)).collect(),
            recursive: false,
            forced: false,
            content: None,
            append: false,
            directory: directory.map(Path::to_path_buf),
            line_text: command.source.clone(),
        }
    }
}

fn target(word: &Word, directory: Option<&Path>) -> Target {
    let absolute = Path::new(&word.text).is_absolute();
    let path = match word.known {
        true if absolute => Some(resolve(Path::new("/"), &word.text)),
        true => directory.map(|directory| resolve(directory, &word.text)),
        false => None,
    };
    Target { text: word.text.replace(UNKNOWN, "…"), path, glob: word.glob, partial: word.partial }
}

fn is_sink(text: &str) -> bool {
    SINKS.contains(&text)
        || ["/dev/fd/", "/dev/tcp/", "/dev/udp/"].iter().any(|prefix| text.starts_with(prefix))
}

fn redirect_effects(script: &Script, index: usize, command: &Command, effects: &mut Vec<Effect>) {
    for redirect in command.redirects.iter().filter(|redirect| !is_sink(&redirect.target.text)) {
        effects.push(redirect_effect(script, index, command, redirect));
    }
}

fn redirect_effect(script: &Script, index: usize, command: &Command, redirect: &Redirect) -> Effect {
    let directory = command.directory.as_deref();
    let prints_nothing = command.words.is_empty() || matches!(command.program(), ":" | "true");
    let content = match redirect.output {
        true if prints_nothing && command.input == Input::None => Some(String::new()),
        true => output::text_of(script, index),
        false => None,
    };
    let empties = content.as_deref() == Some("") && !redirect.append;
    let kind = if empties { Truncate } else { Overwrite };
    let mut effect =
        Effect::of(kind, command, "redirection", std::slice::from_ref(&redirect.target), directory);
    effect.content = content;
    effect.append = redirect.append;
    effect
}

fn command_effects(script: &Script, command: &Command, effects: &mut Vec<Effect>) {
    if let Some(code) = &command.code
        && let Some(text) = &code.text
    {
        code_effects(command, code.language, text, effects);
    }
    let name = command.program();
    match name {
        "git" => effects.extend(git::effects(command)),
        "find" if output::find_deletes(command) => {
            let words = output::find_words(command);
            let mut effect =
                Effect::of(Delete, command, "find -delete", &words, command.directory.as_deref());
            effect.recursive = true;
            effects.push(effect);
        }
        "dd" => effects.extend(assigned_operand(command, "of=", Overwrite)),
        "curl" => effects.extend(option_value(command, &["-o", "--output"])),
        "wget" => effects.extend(option_value(command, &["-O", "--output-document"])),
        "sort" => effects.extend(option_value(command, &["-o", "--output"])),
        "steadfast" => disarms(command, effects),
        "pkill" | "killall" if command.words.iter().skip(1).any(|word| word.text.contains("steadfast")) => {
            effects.push(Effect::of(DisarmsGuard, command, name, &[], None));
        }
        _ => {
            let base = name.split_once('.').map_or(name, |(base, _)| base);
            if let Some(program) = PROGRAMS.iter().find(|program| program.names.contains(&base)) {
                effects.extend(table_effect(script, command, program));
            }
        }
    }
}

fn disarms(command: &Command, effects: &mut Vec<Effect>) {
    let mut words =
        command.words.iter().skip(1).map(|word| word.text.as_str()).filter(|text| !text.starts_with('-'));
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let decides = match first {
        // Listing gates decides nothing.
        "gate" => !matches!(second, "list" | "show" | "status"),
        "loop" => LOOP_DECISIONS.contains(&second),
        other => GUARD_DECISIONS.contains(&other),
    };
    if decides {
        effects.push(Effect::of(DisarmsGuard, command, &format!("steadfast {first} {second}"), &[], None));
    }
}

fn code_effects(command: &Command, language: super::Language, text: &str, effects: &mut Vec<Effect>) {
    for call in inline::file_calls(language, text) {
        let words: Vec<Word> = match &call.targets {
            Some(targets) => targets
                .iter()
                .map(|(text, glob)| Word { glob: *glob, ..Word::literal(text.as_str()) })
                .collect(),
            None => vec![Word::unknown()],
        };
        let mut effect = Effect::of(call.kind, command, &call.name, &words, command.directory.as_deref());
        effect.recursive = call.recursive;
        effects.push(effect);
    }
}

/// `dd of=file`.
fn assigned_operand(command: &Command, prefix: &str, kind: EffectKind) -> Option<Effect> {
    let word = command.words.iter().find(|word| word.text.starts_with(prefix))?;
    let value = Word { text: word.text.get(prefix.len()..)?.to_owned(), ..word.clone() };
    (!is_sink(&value.text))
        .then(|| Effect::of(kind, command, command.program(), &[value], command.directory.as_deref()))
}

/// `curl -o file`.
fn option_value(command: &Command, options: &[&str]) -> Option<Effect> {
    let at = command.words.iter().position(|word| options.contains(&word.text.as_str()))?;
    let value = command.words.get(at + 1).filter(|value| value.text != "-" && !is_sink(&value.text))?;
    let words = std::slice::from_ref(value);
    Some(Effect::of(Overwrite, command, command.program(), words, command.directory.as_deref()))
}

/// The options and operands of a command.
#[derive(Default)]
struct Arguments<'c> {
    options: Vec<&'c str>,
    operands: Vec<Word>,
    /// The values of options that take one.
    values: Vec<(&'c str, Word)>,
}

impl<'c> Arguments<'c> {
    fn of(command: &'c Command, valued: &[&str]) -> Self {
        let mut arguments = Arguments::default();
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
    fn has(&self, names: &[&str]) -> bool {
        self.options.iter().any(|option| {
            let option = option.split_once('=').map_or(*option, |(name, _)| name);
            names.iter().any(|name| match name.strip_prefix("--") {
                Some(_) => option.len() > 3 && option.starts_with("--") && name.starts_with(option),
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

fn table_effect(script: &Script, command: &Command, program: &Program) -> Option<Effect> {
    let arguments = Arguments::of(command, program.valued);
    if !program.needs.is_empty() && !arguments.has(program.needs) {
        return None;
    }
    let deletes = || arguments.options.iter().any(|option| option.starts_with("--del"));
    if command.program() == "rsync" && (!deletes() || arguments.has(&["n", "--dry-run"])) {
        return None;
    }
    let words = chosen(command, program, &arguments);
    let words: Vec<Word> =
        words.into_iter().filter(|word| !is_sink(&word.text) || program.kind == Copies).collect();
    if words.is_empty() || (program.operands == Destination && words.len() < 2) {
        return None;
    }
    let mut effect =
        Effect::of(program.kind, command, command.program(), &words, command.directory.as_deref());
    effect.recursive = program.recursive == ["*"] || arguments.has(program.recursive);
    effect.forced = arguments.has(&["f", "--force"]);
    match command.program() {
        "tee" => {
            effect.append = arguments.has(&["a", "--append"]);
            effect.content = output::text_from(script, &command.input);
        }
        // The standard way to empty a file by copying.
        "cp" if words.first().is_some_and(|word| word.text == "/dev/null") => {
            effect.kind = Truncate;
            effect.content = Some(String::new());
            effect.targets.remove(0);
        }
        "truncate" => {
            let size = arguments.values.iter().find(|(name, _)| matches!(*name, "-s" | "--size"));
            let empties =
                size.is_some_and(|(_, size)| size.text == "0") || arguments.options.contains(&"-s0");
            effect.content = empties.then(String::new);
        }
        "shred" if !arguments.has(&["u", "--remove"]) => effect.kind = Overwrite,
        "rsync" => "rsync --delete".clone_into(&mut effect.detail),
        _ => {}
    }
    Some(effect)
}

/// The operands that are targets.
fn chosen(command: &Command, program: &Program, arguments: &Arguments) -> Vec<Word> {
    let operands = &arguments.operands;
    match program.operands {
        All => operands.clone(),
        AfterFirst => {
            // With `-e` or `-f` the script is an option, and every operand is a file.
            let scripts = arguments.options.iter().any(|o| matches!(*o, "-e" | "-f" | "--expression"));
            let in_place = program.kind == EditInPlace;
            let script_words =
                command.words.iter().filter(|w| matches!(w.text.as_str(), "-e" | "-f")).count();
            let skip = if in_place && scripts { script_words } else { 1 };
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

/// A text that can't be read counts as nothing known.
pub(super) fn unreadable(text: &str) -> Script {
    Script { commands: Vec::new(), unread: vec![first_line(text)] }
}
