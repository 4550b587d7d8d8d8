//! What commands do to files: a table of programs and options, and the few whose words need more than a table.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use crate::model::event::Dialect;
use crate::shell::effects::command_class;
use crate::shell::effects::command_class::Class;
use crate::shell::effects::fast_path;
use crate::shell::effects::{git, git_call, guard_bypass, programs, services, volumes, weakened_test_runs};
use crate::shell::parse::elsewhere;
use crate::shell::parse::output;
use crate::shell::parse::unquote::{UNKNOWN, UNSEEN};
use crate::shell::wrappers::{interpreter_code, other_machines, remote_exec, unwrap};
use crate::shell::{
    Command, Input, Redirect, Script, TextEdit, Unseen, Word, edit, first_line, read_at, resolve,
};

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
    /// A patch is applied; the targets are its files, the content is its text where that is known.
    ApplyPatch,
    /// The guard itself is stopped or decided for.
    DisarmsGuard,
    /// Code runs that nobody has seen: from the network, or out of an encoding.
    RunsUnseen,
    /// Volumes, pools or file systems are given up.
    DestroysVolume,
    /// Processes are started without end.
    Floods,
    /// What a service or another machine holds is given up.
    LosesElsewhere,
    /// What others rely on changes, and can be put back.
    ChangesElsewhere,
    /// Something is published for everybody.
    Releases,
    /// A failing test run would look like a good one.
    HidesFailure,
    /// Tests do not take part in a run.
    LeavesTestsOut,
    /// Snapshots are made from what the code does now.
    RewritesSnapshots,
    /// A bound that a run must meet is given with the command.
    LowersThreshold,
}

/// One effect of one command.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// What happens.
    pub kind: EffectKind,
    /// The program, without directory.
    pub program: String,
    /// The command of the script that does it, as an index.
    pub command: usize,
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
    /// The edit that it makes, where its result can be computed: of the target itself, or of `sources`.
    pub edit: Option<TextEdit>,
    /// The files whose text, one after the other and edited, is the new content.
    pub sources: Vec<Target>,
    /// The revision that git takes the files from; `None` for the index, or where no files are taken.
    pub revision: Option<String>,
    /// Where the command runs.
    pub directory: Option<PathBuf>,
    /// The command as written, one line of it.
    pub line_text: String,
    /// Whether its program is known only by reckoning what another one prints.
    pub reckoned: bool,
}

/// What an effect touches.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Target {
    /// As the program gets it, with `…` for each part that isn't known.
    pub text: String,
    /// Absolute, after `cd`, variables and `~`; a pattern if `glob`. `None` when it isn't known.
    pub path: Option<PathBuf>,
    /// Whether the path is a pattern that the disk must expand.
    pub glob: bool,
    /// Whether only some of what it names is meant, chosen by a test that can't be made here.
    pub partial: bool,
    /// Whether every file below it is meant, one by one.
    pub below: bool,
    /// Whether it is known only by reckoning what another program prints.
    pub reckoned: bool,
    /// Whether it begins with a tilde out of a variable, which its writer means for the home.
    pub tilde: bool,
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
    /// A command makes or changes something and loses nothing.
    pub makes: bool,
    /// A command may change files in ways that are not known.
    pub runs_code: bool,
    /// A part of the text could not be read.
    pub unread: bool,
    /// The text is more than can be read, and so may hold anything.
    pub too_much: bool,
}

use EffectKind::{Delete, DisarmsGuard, Floods, Overwrite, RunsUnseen, Truncate};

/// Files that lose nothing when written to.
const SINKS: &[&str] =
    &["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/zero", "/dev/fd", "NUL", "$null"];

/// Reads `text` as run in `cwd` by the user whose home is `home`, and says what it does.
pub fn effects(text: &str, dialect: Dialect, cwd: &Path, home: &Path) -> Reading {
    if dialect == Dialect::Posix
        && let Some(reading) = fast_path::harmless(text)
    {
        return reading;
    }
    of_script(&read_at(text, dialect, cwd, home))
}

/// What a script does that was read before.
pub fn of_script(script: &Script) -> Reading {
    let mut reading = Reading {
        unread: !script.unread.is_empty() || script.too_much,
        too_much: script.too_much,
        ..Reading::default()
    };
    reading.read_only = !reading.unread;
    for (index, command) in script.commands.iter().enumerate() {
        let before = reading.effects.len();
        if !command.remote {
            redirect_effects(script, index, command, &mut reading.effects);
            command_effects(script, index, command, &mut reading.effects);
            reading.effects.extend(weakened_test_runs::effects(command));
            reading.effects.extend(services::effects(script, command));
            reading.effects.extend(unseen_effect(command));
        } else {
            let mut found = Vec::new();
            redirect_effects(script, index, command, &mut found);
            command_effects(script, index, command, &mut found);
            found.extend(services::effects(script, command));
            found.extend(unseen_effect(command));
            reading.effects.extend(found.iter().filter_map(|effect| elsewhere::effect(command, effect)));
        }
        reading.effects.iter_mut().skip(before).for_each(|effect| effect.command = index);
        let class = class(command, reading.effects.len() > before);
        reading.read_only &= class == Class::Reads && reading.effects.len() == before;
        reading.runs_checks |= class == Class::Checks;
        reading.makes |= class == Class::Makes;
        reading.runs_code |= class == Class::RunsCode;
    }
    for line in &script.floods {
        let command = Command { source: line.clone(), ..Command::default() };
        reading.effects.push(Effect::of(Floods, &command, "processes without end", &[], None));
    }
    if guard_bypass::kills(script) {
        reading.effects.push(Effect::of(DisarmsGuard, &Command::default(), "kill", &[], None));
    }
    reading.read_only &= reading.effects.is_empty();
    reading
}

/// Code from the network or out of an encoding.
fn unseen_effect(command: &Command) -> Option<Effect> {
    let from = command.code.as_ref().and_then(|code| code.unseen);
    let is_program = command.words.first().is_some_and(|word| word.text.contains(UNSEEN));
    let decodes_itself = || {
        let text = command.code.as_ref().and_then(|code| Some((code.language, code.text.as_deref()?)));
        text.is_some_and(|(language, text)| {
            interpreter_code::runs_decoded(language, text) || interpreter_code::runs_fetched(language, text)
        })
    };
    let detail = if remote_exec::gives_a_shell(command) {
        "a shell for whoever is on the other side of the network"
    } else if from == Some(Unseen::File) {
        "a file that the same command downloads"
    } else if from == Some(Unseen::Stream) || is_program {
        "text from the network or out of an encoding"
    } else if unwrap::replaces_ssh(command) {
        "a program in place of ssh"
    } else if runs_what_it_reads(command) {
        "each line that it reads as a command"
    } else if decodes_itself() {
        "text that the code decodes or fetches first"
    } else {
        return None;
    };
    Some(Effect::of(RunsUnseen, command, detail, &[], command.directory.as_deref()))
}

/// `awk '{ system($0) }'`.
fn runs_what_it_reads(command: &Command) -> bool {
    let is_awk = matches!(command.program(), "awk" | "gawk" | "mawk" | "nawk");
    is_awk && command.words.iter().skip(1).any(|word| interpreter_code::runs_fields(&word.text))
}

/// What a command does besides its effects.
fn class(command: &Command, has_effects: bool) -> Class {
    if command.remote || other_machines::goes_away(command) {
        return Class::Makes;
    }
    if let Some(code) = &command.code {
        return match &code.text {
            None if only_sets_variables(command) => Class::Reads,
            Some(text) if interpreter_code::only_reads(code.language, text) => Class::Reads,
            Some(text) if has_effects && !interpreter_code::file_calls(code.language, text).is_empty() => {
                Class::RunsCode
            }
            None if code.unseen.is_some() => Class::RunsCode,
            _ if has_effects && is_edit_in_place(command) => Class::Makes,
            _ => Class::RunsCode,
        };
    }
    match command.program() {
        "git" => git_call::class(command),
        name if has_effects && programs::known(name).is_some() => Class::Makes,
        "rm" | "rmdir" | "mv" | "cp" | "tee" | "chmod" | "chown" | "ln" | "dd" | "rsync" | "install" => {
            Class::Makes
        }
        "find" | "steadfast" if has_effects => Class::Makes,
        _ => command_class::class(command),
    }
}

/// Files that are sourced everywhere and only set the shell's variables.
fn only_sets_variables(command: &Command) -> bool {
    let file = command.words.get(1).filter(|file| file.known).map_or("", |file| file.text.as_str());
    matches!(command.program(), "source" | ".")
        && ["bin/activate", ".cargo/env", "nvm.sh"].iter().any(|known| file.ends_with(known))
}

fn is_edit_in_place(command: &Command) -> bool {
    matches!(command.program(), "perl" | "ruby")
}

impl Effect {
    /// An effect of `command` on `words` seen from `directory`.
    pub(crate) fn of(
        kind: EffectKind,
        command: &Command,
        detail: &str,
        words: &[Word],
        directory: Option<&Path>,
    ) -> Effect {
        Effect {
            kind,
            program: command.program().to_owned(),
            command: 0,
            detail: detail.to_owned(),
            targets: words.iter().map(|word| target(word, directory)).collect(),
            recursive: false,
            forced: false,
            content: None,
            append: false,
            edit: None,
            sources: Vec::new(),
            revision: None,
            directory: directory.map(Path::to_path_buf),
            line_text: command.source.clone(),
            reckoned: command.reckoned || command.words.first().is_some_and(|word| word.printed),
        }
    }

    /// Notes that the new content is what the command with this index prints of files.
    fn derive(&mut self, script: &Script, index: usize) {
        if let Some((files, edit, directory)) = output::derived(script, index) {
            self.sources = files.iter().map(|file| target(file, directory.as_deref())).collect();
            self.edit = Some(edit);
        }
    }
}

/// The longest path, in bytes.
const LONGEST_PATH: usize = 4096;

/// `C:\x` as `/C:/x`, where the system has no drives: nothing can be looked at there, but a place it is.
fn drive_path(text: &str) -> Option<Cow<'_, str>> {
    let mut letters = text.bytes();
    let is_drive = letters.next().is_some_and(|letter| letter.is_ascii_alphabetic())
        && letters.next() == Some(b':')
        && matches!(letters.next(), None | Some(b'/' | b'\\'));
    (is_drive && !cfg!(windows)).then(|| Cow::Owned(format!("/{}", text.replace('\\', "/"))))
}

fn target(word: &Word, directory: Option<&Path>) -> Target {
    let text = drive_path(&word.text).unwrap_or(Cow::Borrowed(&word.text));
    let absolute = Path::new(&*text).is_absolute();
    // No system takes a longer path.
    let path = match word.known && word.text.len() <= LONGEST_PATH {
        true if absolute => Some(resolve(Path::new("/"), &text)),
        true => directory.map(|directory| resolve(directory, &text)),
        false => None,
    };
    Target {
        text: word.text.replace([UNKNOWN, UNSEEN], "…"),
        path,
        glob: word.glob,
        partial: word.partial,
        below: word.below,
        reckoned: word.printed,
        tilde: word.tilde,
    }
}

pub(crate) fn is_sink(text: &str) -> bool {
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
    if content.is_none() && redirect.output {
        effect.derive(script, index);
    }
    effect.content = content;
    effect.append = redirect.append;
    effect
}

fn command_effects(script: &Script, index: usize, command: &Command, effects: &mut Vec<Effect>) {
    if let Some(code) = &command.code
        && let Some(text) = &code.text
    {
        code_effects(command, code.language, text, effects);
    }
    effects.extend(guard_bypass::effect(script, index, command));
    let name = command.program();
    match name {
        "git" => {
            let mut found = git::effects(command);
            for effect in found.iter_mut().filter(|effect| effect.kind == EffectKind::ApplyPatch) {
                effect.content = output::text_from(script, &command.input);
            }
            effects.extend(found);
        }
        "patch" => effects.extend(patch(script, command)),
        "find" if output::find_deletes(command) => {
            let words = output::find_words(command);
            let detail = if output::find_follows(command) { "find -L -delete" } else { "find -delete" };
            let mut effect = Effect::of(Delete, command, detail, &words, command.directory.as_deref());
            effect.recursive = true;
            effect.forced = true;
            effects.push(effect);
        }
        "dd" => effects.extend(assigned_operand(command, "of=", Overwrite)),
        "curl" => effects.extend(option_value(command, &["-o", "--output"])),
        "wget" => effects.extend(option_value(command, &["-O", "--output-document"])),
        "sort" => effects.extend(option_value(command, &["-o", "--output"])),
        _ => {
            effects.extend(volumes::effect(command));
            effects.extend(editor(script, command));
            let known = programs::known(name);
            if let Some(mut effect) = known.and_then(|program| programs::effect(script, command, program)) {
                if let (true, None, Input::From(index)) =
                    (matches!(name, "tee" | "sponge"), &effect.content, &command.input)
                {
                    effect.derive(script, *index);
                }
                effects.push(effect);
            } else if let Some((word, edit)) = edit::values_of(command) {
                let words = std::slice::from_ref(&word);
                let mut effect =
                    Effect::of(EffectKind::EditInPlace, command, name, words, command.directory.as_deref());
                effect.edit = Some(edit);
                effects.push(effect);
            }
        }
    }
}

fn code_effects(command: &Command, language: crate::shell::Language, text: &str, effects: &mut Vec<Effect>) {
    let calls = interpreter_code::file_calls(language, text);
    let mut written = calls.iter().filter(|call| call.kind == Overwrite).map(|call| &call.targets);
    let first = written.next();
    // With several files it is not known which of them gets which text.
    let writes_one = first
        .is_some_and(|first| first.as_ref().is_some_and(|it| it.len() == 1) && written.all(|it| it == first));
    let rewriting = first.and_then(|_| edit::rewriting(language, text));
    for call in calls {
        let words: Vec<Word> = match &call.targets {
            Some(targets) => targets
                .iter()
                .map(|(text, glob)| Word { glob: *glob, ..Word::literal(text.as_str()) })
                .collect(),
            None => vec![Word::unknown()],
        };
        let mut effect = Effect::of(call.kind, command, &call.name, &words, command.directory.as_deref());
        effect.recursive = call.recursive;
        // A program is asked nothing.
        effect.forced = call.kind == Delete;
        if call.kind == Overwrite {
            match rewriting.clone().filter(|_| writes_one) {
                Some(edit::Rewriting::Edit(edit)) => effect.edit = Some(edit),
                Some(edit::Rewriting::Text(text)) => effect.content = Some(text),
                None => {}
            }
        }
        effects.push(effect);
    }
}

/// An editor that is told what to do with its files.
fn editor(script: &Script, command: &Command) -> Option<Effect> {
    let input = output::text_from(script, &command.input);
    let (files, edit) = edit::session(command, input.as_deref())?;
    let directory = command.directory.as_deref();
    let mut effect = Effect::of(EffectKind::EditInPlace, command, command.program(), &files, directory);
    effect.edit = edit;
    Some(effect)
}

/// `patch`, from a file or from what comes in. The detail says how much of a name is left out.
fn patch(script: &Script, command: &Command) -> Option<Effect> {
    let has = |names: &[&str]| command.words.iter().any(|word| names.contains(&word.text.as_str()));
    if has(&["--dry-run", "--help", "--version", "-C", "--check"]) {
        return None;
    }
    let after = |option: &str| {
        let at = command.words.iter().position(|word| word.text == option)?;
        command.words.get(at + 1).cloned()
    };
    let from = after("-i").or_else(|| {
        let named = command.words.iter().find_map(|word| word.text.strip_prefix("--input="))?;
        Some(Word::literal(named))
    });
    let bare = has(&["-p0", "--strip=0"]) || after("-p").is_some_and(|strip| strip.text == "0");
    let detail = match (bare, has(&["-R", "--reverse"])) {
        (false, false) => "patch",
        (false, true) => "patch --reverse",
        (true, false) => "patch -p0",
        (true, true) => "patch -p0 --reverse",
    };
    let directory = match after("-d") {
        Some(folder) if folder.known => command.directory.as_deref().map(|from| resolve(from, &folder.text)),
        Some(_) => None,
        None => command.directory.clone(),
    };
    let words: Vec<Word> = from.into_iter().collect();
    let mut effect = Effect::of(EffectKind::ApplyPatch, command, detail, &words, directory.as_deref());
    effect.content = if words.is_empty() { output::text_from(script, &command.input) } else { None };
    Some(effect)
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

/// A text that is more than can be read.
pub(crate) fn unreadable(text: &str) -> Script {
    Script { unread: vec![first_line(text)], too_much: true, ..Script::default() }
}
