//! What a command does by the program that it starts: those that need more than the table of programs have a step here.

use crate::shell::edit;
use crate::shell::effects::git::history::deletes_by_order;
use crate::shell::effects::git::plumbing::{takes_back_the_difference, unpacked_over, written_over};
use crate::shell::effects::patch::patch;
use crate::shell::effects::redirection::{derive, is_sink};
use crate::shell::effects::single_file::{assigned_operand, editor, option_value};
use crate::shell::effects::{
    awk_output, extraction, git, git_call, own_input, packing, programs, renaming, rewriters, volumes,
};
use crate::shell::model::{Command, CommandInput, Effect, EffectKind, Script, Target};
use crate::shell::parse::output;
use crate::shell::wrappers::remote_exec::Fetch;

use EffectKind::{ApplyPatch, BypassChecks, Delete, EditInPlace, Overwrite, RewriteHistory};

/// What a command does by its program.
pub(crate) fn effects(script: &Script, index: usize, command: &Command) -> Vec<Effect> {
    let written = |options: &[&str]| Vec::from_iter(option_value(command, options));
    match command.program() {
        "git" => of_git(script, index, command),
        "patch" => Vec::from_iter(of_patch(script, command)),
        "find" if output::find::find_deletes(command) => vec![found_and_deleted(command)],
        "find" => written(&["-fprint", "-fprint0", "-fprintf", "-fls"]),
        "tar" | "gtar" | "bsdtar" | "zip" | "unzip" | "ssh-keygen" => {
            let over = unpacked_over(script, command, extraction::folder(command));
            let found =
                [packing::effect(command), extraction::effect(command), extraction::unpacking(command)];
            over.into_iter().chain(found.into_iter().flatten()).collect()
        }
        "dd" => Vec::from_iter(written_by_dd(command)),
        "curl" | "wget" => Vec::from_iter(written_by_a_download(command)),
        "sort" => sorted_in_place(command, written(&["-o", "--output"])),
        "gpg" | "gpg2" | "age" | "pandoc" => written(&["-o", "--output"]),
        "openssl" => written(&["-out"]),
        "gio" if command.words.get(1).is_some_and(|word| word.text == "trash") => {
            let words = command.words.get(2..).unwrap_or_default();
            let mut effect = Effect::of(Delete, command, "gio trash", words, command.directory.as_deref());
            effect.recursive = true;
            vec![effect]
        }
        _ => of_any_program(script, command),
    }
}

fn of_git(script: &Script, index: usize, command: &Command) -> Vec<Effect> {
    let mut found = git::effects(command);
    for effect in found.iter_mut().filter(|effect| effect.kind == ApplyPatch) {
        effect.content = output::text::text_from(script, &command.input);
    }
    let call = git_call::call(command);
    let directory = call.directory.as_deref();
    if deletes_by_order(&call, output::text::text_from(script, &command.input).as_deref()) {
        found.push(Effect::of(RewriteHistory, command, "git update-ref -d", &[], directory));
    }
    let earlier = script.commands.get(..index).unwrap_or_default();
    if git_call::puts_a_commit_past_the_hooks(earlier, &call) {
        found.push(Effect::of(BypassChecks, command, "git commit-tree", &[], directory));
    }
    let mut back = found.iter().filter(|effect| effect.kind == ApplyPatch);
    let back = back.find_map(|effect| takes_back_the_difference(script, effect, &command.input));
    back.map_or(found, |back| vec![back])
}

/// `sort -o names names` reads all of the file before it writes: the lines stay.
fn sorted_in_place(command: &Command, mut effects: Vec<Effect>) -> Vec<Effect> {
    for effect in &mut effects {
        let is_read = |it: &Target| command.words.iter().filter(|word| word.text == it.text).count() > 1;
        if effect.targets.iter().any(is_read) {
            effect.kind = EditInPlace;
        }
    }
    effects
}

fn of_patch(script: &Script, command: &Command) -> Option<Effect> {
    let found = patch(script, command);
    let back = found.as_ref().and_then(|effect| takes_back_the_difference(script, effect, &command.input));
    back.or(found)
}

fn found_and_deleted(command: &Command) -> Effect {
    let words = output::find::find_words(command);
    let detail = if output::find::find_follows(command) { "find -L -delete" } else { "find -delete" };
    let mut effect = Effect::of(Delete, command, detail, &words, command.directory.as_deref());
    effect.recursive = true;
    effect.forced = true;
    effect
}

fn written_by_dd(command: &Command) -> Option<Effect> {
    let mut effect = assigned_operand(command, "of=", Overwrite)?;
    if command.words.iter().any(|word| word.text == "if=/dev/null") {
        effect.kind = EffectKind::Truncate;
        effect.content = Some(String::new());
    }
    Some(effect)
}

/// `curl -sSLo file`, `wget --output-document=file`.
fn written_by_a_download(command: &Command) -> Option<Effect> {
    let fetch = Fetch::of(command);
    let word = fetch.file.filter(|word| fetch.replaces && !is_sink(&word.text))?;
    let words = std::slice::from_ref(&word);
    Some(Effect::of(Overwrite, command, command.program(), words, command.directory.as_deref()))
}

fn of_any_program(script: &Script, command: &Command) -> Vec<Effect> {
    let name = command.program();
    let mut effects = Vec::new();
    if matches!(name, "awk" | "gawk" | "mawk" | "nawk") {
        effects.extend(awk_output::effects(command));
    }
    effects.extend(volumes::effect(command));
    effects.extend(packing::effect(command));
    effects.extend(renaming::effect(command));
    effects.extend(editor(script, command));
    effects.extend(own_input::emptied_by_no_script(command));
    effects.extend(rewriters::effect(command));
    let known = programs::known(name);
    if let Some(effect) = known.and_then(|program| programs::effect(script, command, program)) {
        let effect = with_its_input(script, command, effect);
        effects.extend(written_over(script, command, &effect));
        effects.push(effect);
    } else if let Some((word, edit)) = edit::values_of(command) {
        let words = std::slice::from_ref(&word);
        let mut effect = Effect::of(EditInPlace, command, name, words, command.directory.as_deref());
        effect.edit = Some(edit);
        effects.push(effect);
    }
    effects
}

/// The effect of a program of the table with what its input makes of it.
fn with_its_input(script: &Script, command: &Command, mut effect: Effect) -> Effect {
    let name = command.program();
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
    effect
}
