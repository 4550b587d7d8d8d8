//! Which part of the room judges a command, and what all of them found together.

use std::path::Path;

use crate::model::event::ShellDialect;
use crate::shell::effects::command_class::CommandClass;
use crate::shell::effects::course::CourseSoFar;
use crate::shell::effects::git::history::deletes_by_order;
use crate::shell::effects::git::plumbing::{
    added_again, takes_back_the_difference, unpacked_over, written_over,
};
use crate::shell::effects::guard_bypass::clients::SILENCING;
use crate::shell::effects::guard_bypass::startup;
use crate::shell::effects::patch::patch;
use crate::shell::effects::redirection::{derive, redirect_effects};
use crate::shell::effects::single_file::{assigned_operand, editor, option_value};
use crate::shell::effects::source_code::code_effects;
use crate::shell::effects::unseen_code::unseen_effect;
use crate::shell::effects::weakened_test_runs::{by_neighbours, pipelines};
use crate::shell::effects::{
    awk_output, command_class, disk_filling, exactness, extraction, fast_path, git, git_call, guard_bypass,
    made_here, own_input, packing, programs, remote, renaming, secrets, services, volumes,
    weakened_test_runs,
};
use crate::shell::model::option::has_letter;
use crate::shell::model::{Command, CommandInput, Effect, EffectKind, Script, ScriptContext, ShellReading};
use crate::shell::parse::output;
use crate::shell::wrappers::{interpreter_code, other_machines};
use crate::shell::{edit, read_at, read_knowing};

use EffectKind::{Delete, DisarmsGuard, Floods, Overwrite, RewriteHistory};

/// Reads `text` as run in `cwd` by the user whose home is `home`, and says what it does.
pub fn effects(text: &str, dialect: ShellDialect, cwd: &Path, home: &Path) -> ShellReading {
    if dialect == ShellDialect::Posix
        && let Some(reading) = fast_path::harmless(text)
    {
        return reading;
    }
    of_script(&read_at(text, dialect, cwd, home))
}

/// The same with what is known besides the words.
pub fn effects_knowing(
    text: &str,
    dialect: ShellDialect,
    place: (&Path, &Path),
    known: &ScriptContext,
) -> ShellReading {
    if known.is_empty() {
        return effects(text, dialect, place.0, place.1);
    }
    of_script(&read_knowing(text, dialect, place, known))
}

/// Whether a file is run without anybody asking for it, at a person's own terminal, and its text decides there.
pub fn decides_by_itself(path: &str, text: &str) -> bool {
    let root = Path::new("/");
    let disarms = |effect: &Effect| effect.kind == EffectKind::DisarmsGuard;
    guard_bypass::runs_by_itself(path)
        && ((text.contains("steadfast")
            && effects(text, ShellDialect::Posix, root, root).effects.iter().any(disarms))
            || takes_away(text))
}

/// Whether a text that a shell reads at its start takes the guard or a check away from what is started there.
fn takes_away(text: &str) -> bool {
    let root = Path::new("/");
    let may = ["ulimit", "alias"].iter().chain(SILENCING).any(|word| text.contains(word));
    may && startup::disarms(&read_at(text, ShellDialect::Posix, root, root)).is_some()
        || startup::hides_by_function(text)
}

/// Whether an effect writes only a file that is not there when its command runs, or one that is named after that file.
fn makes_only(absent: &str, effect: &Effect) -> bool {
    let is_absent = |text: &str| text.strip_prefix(absent).is_some_and(|rest| matches!(rest, "" | ".pub"));
    let written = match effect.kind {
        EffectKind::Overwrite | EffectKind::Truncate => effect.targets.as_slice(),
        EffectKind::Copy => effect.targets.last().map_or(&[][..], std::slice::from_ref),
        _ => &[],
    };
    !written.is_empty() && written.iter().all(|target| is_absent(&target.text))
}

/// What a script does that was read before.
pub fn of_script(script: &Script) -> ShellReading {
    let may_ask = !script.asks.is_empty() && !sets_what_nobody_reads(script);
    let mut reading = ShellReading {
        unread: !script.unread.is_empty() || script.too_much,
        too_much: script.too_much,
        runs: script.runs.clone(),
        patterns: script.patterns.clone(),
        asks: if may_ask { script.asks.clone() } else { Vec::new() },
        lists: script.lists.clone(),
        tells_a_database: !script.lists.is_empty() && script.commands.iter().any(services::tells_a_database),
        ..ShellReading::default()
    };
    reading.read_only = !reading.unread;
    let mut along = CourseSoFar::default();
    let mut quiet = 0;
    for (index, command) in script.commands.iter().enumerate() {
        let before = reading.effects.len();
        let earlier = script.commands.get(..index).unwrap_or_default();
        if !command.remote {
            redirect_effects(script, index, command, &mut reading.effects);
            command_effects(script, index, command, &mut reading.effects);
            reading.effects.extend(weakened_test_runs::effects(command, pipelines::goes_on(script, index)));
            reading.effects.extend(by_neighbours::effects(script, index, command));
            reading.effects.extend(services::effects(script, index, command));
            reading.effects.extend(unseen_effect(earlier, command));
            reading.effects.extend(secrets::effect(script, command));
        } else {
            let mut found = Vec::new();
            redirect_effects(script, index, command, &mut found);
            command_effects(script, index, command, &mut found);
            found.extend(services::effects(script, index, command));
            found.extend(unseen_effect(earlier, command));
            reading.effects.extend(found.iter().filter_map(|effect| remote::effect(command, effect)));
        }
        let gives_up = |effect: &&mut Effect| {
            matches!(
                effect.kind,
                EffectKind::DiscardGitWork | EffectKind::Publish | EffectKind::RewriteHistory
            )
        };
        if let Some(absent) = command.absent.as_deref() {
            let mut own = reading.effects.split_off(before);
            own.retain(|effect| !makes_only(absent, effect));
            reading.effects.append(&mut own);
        }
        let later = script.commands.get(index + 1..).unwrap_or_default();
        let mut own = reading.effects.split_off(before);
        own.retain(|effect| !git::history::is_done_again(effect, later));
        reading.effects.append(&mut own);
        for effect in reading.effects.iter_mut().skip(before).filter(|effect| effect.kind == Delete) {
            effect.made_here = effect.targets.iter().any(|target| made_here::makes(earlier, &target.text));
        }
        let astray = command.astray.as_ref().filter(|(_, after)| *after <= quiet).map(|(from, _)| from);
        for effect in reading.effects.iter_mut().skip(before) {
            effect.command = index;
            effect.astray = astray.cloned();
        }
        reading
            .effects
            .iter_mut()
            .skip(before)
            .filter(gives_up)
            .for_each(|effect| effect.course = along.before(command));
        along.note(index, command, later);
        reading.runs_git |= command.program() == "git";
        let class = class(command, reading.effects.len() > before);
        reading.read_only &= class == CommandClass::Reads && reading.effects.len() == before;
        quiet += usize::from(reading.read_only);
        reading.runs_checks |= class == CommandClass::Checks;
        reading.makes |= class == CommandClass::Makes;
        let own = reading.effects.get(before..).unwrap_or_default();
        reading.reaches |= !exactness::is_exact(command, class, own);
        reading.runs_code |= class == CommandClass::RunsCode;
        // What it changes is not known either.
        reading.runs_code |= reading.effects.iter().skip(before).any(changes_anything);
    }
    reading.effects.retain(|effect| effect.detail != "git rm --cached" || !added_again(script, effect));
    let by_code = script.commands.iter().filter(|command| guard_bypass::processes::floods_by_code(command));
    for line in script.floods.iter().chain(by_code.map(|command| &command.source)) {
        let command = Command { source: line.clone(), ..Command::default() };
        reading.effects.push(Effect::of(Floods, &command, "processes without end", &[], None));
    }
    if guard_bypass::processes::kills(script) {
        reading.effects.push(Effect::of(DisarmsGuard, &Command::default(), "kill", &[], None));
    }
    reading.read_only &= reading.effects.is_empty();
    reading
}

/// Whether a text may set variables that it does not name, or ends at one that is not set.
fn sets_what_nobody_reads(script: &Script) -> bool {
    script.commands.iter().any(|command| {
        let words = || command.words.iter().skip(1).map(|word| word.text.as_str());
        let is_strict = |text: &str| text == "nounset" || has_letter(text, 'u');
        match command.program() {
            "source" | "." | "eval" | "let" | "direnv" | "mise" | "test" | "[" | "[[" => true,
            "set" | "bash" | "sh" | "zsh" => words().any(is_strict),
            _ => false,
        }
    })
}

/// Whether an effect changes files of which the text does not say which.
fn changes_anything(effect: &Effect) -> bool {
    use EffectKind::{Copy, EditInPlace, Move, Truncate};
    matches!(effect.kind, Delete | Overwrite | Truncate | Move | Copy | EditInPlace)
        && effect.targets.iter().any(|target| target.path.is_none())
}

/// What a command does besides its effects.
fn class(command: &Command, has_effects: bool) -> CommandClass {
    if command.remote || other_machines::goes_away(command) {
        return CommandClass::Makes;
    }
    if let Some(code) = &command.code {
        return match &code.text {
            None if only_sets_variables(command) => CommandClass::Reads,
            Some(text) if interpreter_code::only_reads(code.language, text) => CommandClass::Reads,
            Some(text) if has_effects && !interpreter_code::file_calls(code.language, text).is_empty() => {
                CommandClass::RunsCode
            }
            None if code.unseen.is_some() => CommandClass::RunsCode,
            _ if has_effects && is_edit_in_place(command) => CommandClass::Makes,
            _ => CommandClass::RunsCode,
        };
    }
    match command.program() {
        "git" => git_call::class::class(command),
        name if has_effects && programs::known(name).is_some() => CommandClass::Makes,
        "rm" | "rmdir" | "mv" | "cp" | "tee" | "chmod" | "chown" | "ln" | "dd" | "rsync" | "install" => {
            CommandClass::Makes
        }
        "find" | "steadfast" if has_effects => CommandClass::Makes,
        _ => command_class::class(command),
    }
}

/// Files that are sourced everywhere and only set the shell's variables.
fn only_sets_variables(command: &Command) -> bool {
    let file = command.words.get(1).filter(|file| file.known).map_or("", |file| file.text.as_str());
    matches!(command.program(), "source" | ".")
        && ["bin/activate", ".cargo/env", "nvm.sh"].iter().any(|known| file.ends_with(known))
}

/// `dd if=/dev/null`.
fn reads_nothing(command: &Command) -> bool {
    command.words.iter().any(|word| word.text == "if=/dev/null")
}

fn is_edit_in_place(command: &Command) -> bool {
    matches!(command.program(), "perl" | "ruby")
}

fn command_effects(script: &Script, index: usize, command: &Command, effects: &mut Vec<Effect>) {
    if let Some(code) = &command.code
        && let Some(text) = &code.text
    {
        code_effects(command, code.language, text, effects);
    }
    effects.extend(guard_bypass::effect(script, index, command, decides_by_itself));
    effects.extend(disk_filling::effect(command));
    let name = command.program();
    match name {
        "git" => {
            let mut found = git::effects(command);
            for effect in found.iter_mut().filter(|effect| effect.kind == EffectKind::ApplyPatch) {
                effect.content = output::text::text_from(script, &command.input);
            }
            let call = git_call::call(command);
            if deletes_by_order(&call, output::text::text_from(script, &command.input).as_deref()) {
                let directory = call.directory.as_deref();
                found.push(Effect::of(RewriteHistory, command, "git update-ref -d", &[], directory));
            }
            let earlier = script.commands.get(..index).unwrap_or_default();
            if git_call::puts_a_commit_past_the_hooks(earlier, &call) {
                let directory = call.directory.as_deref();
                found.push(Effect::of(EffectKind::BypassChecks, command, "git commit-tree", &[], directory));
            }
            let mut back = found.iter().filter(|effect| effect.kind == EffectKind::ApplyPatch);
            let back = back.find_map(|effect| takes_back_the_difference(script, effect, &command.input));
            effects.extend(back.map_or(found, |back| vec![back]));
        }
        "patch" => {
            let found = patch(script, command);
            let back =
                found.as_ref().and_then(|effect| takes_back_the_difference(script, effect, &command.input));
            effects.extend(back.or(found));
        }
        "find" if output::find::find_deletes(command) => {
            let words = output::find::find_words(command);
            let detail = if output::find::find_follows(command) { "find -L -delete" } else { "find -delete" };
            let mut effect = Effect::of(Delete, command, detail, &words, command.directory.as_deref());
            effect.recursive = true;
            effect.forced = true;
            effects.push(effect);
        }
        "find" => effects.extend(option_value(command, &["-fprint", "-fprint0", "-fprintf", "-fls"])),
        "tar" | "gtar" | "bsdtar" | "zip" | "unzip" | "ssh-keygen" => {
            effects.extend(unpacked_over(script, command, extraction::folder(command)));
            effects.extend(packing::effect(command));
            effects.extend(extraction::effect(command));
            effects.extend(extraction::unpacking(command));
        }
        "dd" => {
            let mut written = assigned_operand(command, "of=", Overwrite);
            if let Some(effect) = written.as_mut().filter(|_| reads_nothing(command)) {
                effect.kind = EffectKind::Truncate;
                effect.content = Some(String::new());
            }
            effects.extend(written);
        }
        "curl" => effects.extend(option_value(command, &["-o", "--output"])),
        "wget" => effects.extend(option_value(command, &["-O", "-qO", "-nvO", "--output-document"])),
        "sort" | "gpg" | "gpg2" | "age" | "pandoc" => {
            effects.extend(option_value(command, &["-o", "--output"]));
        }
        "openssl" => effects.extend(option_value(command, &["-out"])),
        "gio" if command.words.get(1).is_some_and(|word| word.text == "trash") => {
            let words = command.words.get(2..).unwrap_or_default();
            let mut effect = Effect::of(Delete, command, "gio trash", words, command.directory.as_deref());
            effect.recursive = true;
            effects.push(effect);
        }
        _ => {
            if matches!(name, "awk" | "gawk" | "mawk" | "nawk") {
                effects.extend(awk_output::effects(command));
            }
            effects.extend(volumes::effect(command));
            effects.extend(packing::effect(command));
            effects.extend(renaming::effect(command));
            effects.extend(editor(script, command));
            effects.extend(own_input::emptied_by_no_script(command));
            let known = programs::known(name);
            if let Some(mut effect) = known.and_then(|program| programs::effect(script, command, program)) {
                if let (true, None, CommandInput::From(index)) =
                    (matches!(name, "tee" | "sponge"), &effect.content, &command.input)
                {
                    derive(&mut effect, script, *index);
                }
                if name == "tee" && own_input::is_fed_with_its_own(script, command, &effect) {
                    effect.empties_its_input = true;
                    (effect.content, effect.edit) = (Some(String::new()), None);
                }
                own_input::emptied_by_editor(command, &mut effect);
                effects.extend(written_over(script, command, &effect));
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
