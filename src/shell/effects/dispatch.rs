//! Which part of the room judges a command, and what all of them found together.

use crate::shell::effects::class_by_effects::class;
use std::path::Path;

use crate::model::event::ShellDialect;
use crate::shell::effects::command_class::CommandClass;
use crate::shell::effects::copies::goes_and_comes_back;
use crate::shell::effects::course::CourseSoFar;
use crate::shell::effects::git::own_pushes;
use crate::shell::effects::git::plumbing::added_again;
use crate::shell::effects::guard_bypass::clients::SILENCING;
use crate::shell::effects::guard_bypass::startup;
use crate::shell::effects::redirection::redirect_effects;
use crate::shell::effects::source_code::code_effects;
use crate::shell::effects::unseen_code::{is_read_then, unseen_effect};
use crate::shell::effects::weakened_test_runs::{by_neighbours, pipelines, written_scripts};
use crate::shell::effects::{
    by_program, disk_filling, exactness, fast_path, git, guard_bypass, made_here, remote, secrets, services,
    weakened_test_runs,
};
use crate::shell::model::option::has_letter;
use crate::shell::model::{Command, Effect, EffectKind, Script, ScriptContext, ShellReading};
use crate::shell::{read_at, read_knowing};

use EffectKind::{Delete, DisarmsGuard, DiscardGitWork, Floods, Publish, RewriteHistory};

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

/// Whether a script hides how a run of the tests in it has ended.
fn hides_a_run(text: &str) -> bool {
    const WAYS: &[&str] = &["the command after it", "a failure that is told away", "trap 'exit 0'"];
    let root = Path::new("/");
    let hides =
        |effect: &Effect| effect.kind == EffectKind::HidesFailure && WAYS.contains(&effect.detail.as_str());
    effects(text, ShellDialect::Posix, root, root).effects.iter().any(hides)
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
    let mut so_far = ReadSoFar::begin(script);
    for (index, command) in script.commands.iter().enumerate() {
        so_far.take(index, command);
    }
    so_far.end()
}

/// What the commands of a script do, as far as they were taken.
struct ReadSoFar<'s> {
    script: &'s Script,
    reading: ShellReading,
    course: CourseSoFar,
    /// How many commands read only, before the first that does more.
    quiet: usize,
}

impl<'s> ReadSoFar<'s> {
    fn begin(script: &'s Script) -> Self {
        let may_ask = !script.asks.is_empty() && !sets_what_nobody_reads(script);
        let unread = !script.unread.is_empty() || script.too_much;
        let tells_a_database =
            !script.lists.is_empty() && script.commands.iter().any(services::tells_a_database);
        let reading = ShellReading {
            unread,
            too_much: script.too_much,
            runs: script.runs.clone(),
            patterns: script.patterns.clone(),
            asks: if may_ask { script.asks.clone() } else { Vec::new() },
            lists: script.lists.clone(),
            tells_a_database,
            read_only: !unread,
            ..ShellReading::default()
        };
        ReadSoFar { script, reading, course: CourseSoFar::default(), quiet: 0 }
    }

    fn take(&mut self, index: usize, command: &Command) {
        let later = self.script.commands.get(index + 1..).unwrap_or_default();
        let mut own = command_effects(self.script, index, command);
        if let Some(absent) = command.absent.as_deref() {
            own.retain(|effect| !makes_only(absent, effect));
        }
        own.retain(|effect| !git::history::is_done_again(effect, later) && !is_read_then(effect, later));
        for effect in &mut own {
            self.place(index, command, effect);
            let leaves = matches!(effect.kind, Delete | EffectKind::Move);
            effect.comes_back = leaves && goes_and_comes_back(self.script, index, effect);
            effect.made_again = effect.kind == Delete && made_here::is_made_again(later, effect);
        }
        self.course.note(index, command, later);
        self.class(command, &own);
        self.reading.effects.append(&mut own);
    }

    /// Notes where in the text an effect stands, and what came before it there.
    fn place(&self, index: usize, command: &Command, effect: &mut Effect) {
        let earlier = self.script.commands.get(..index).unwrap_or_default();
        if effect.kind == Delete {
            effect.made_here = effect.targets.iter().any(|target| made_here::makes(earlier, &target.text));
        }
        if effect.kind == DiscardGitWork && effect.detail.starts_with("git branch") {
            effect.made_here = made_here::makes_branch(earlier, command);
        }
        effect.made_here |= own_pushes::were_pushed_before(earlier, effect);
        let astray = command.astray.as_ref().filter(|(_, after)| *after <= self.quiet);
        effect.command = index;
        effect.astray = astray.map(|(from, _)| from.clone());
        let deletes = matches!(effect.kind, Delete | EffectKind::GitRemove) && self.course.is_short();
        if deletes || matches!(effect.kind, DiscardGitWork | Publish | RewriteHistory) {
            effect.course = self.course.before(command);
        }
    }

    /// Notes what a command does besides its effects.
    fn class(&mut self, command: &Command, own: &[Effect]) {
        let class = class(command, !own.is_empty());
        let reading = &mut self.reading;
        reading.runs_git |= command.program() == "git";
        reading.read_only &= class == CommandClass::Reads && own.is_empty();
        self.quiet += usize::from(reading.read_only);
        reading.runs_checks |= class == CommandClass::Checks;
        reading.makes |= class == CommandClass::Makes;
        reading.reaches |= !exactness::is_exact(command, class, own);
        // What it changes is not known either.
        reading.runs_code |= class == CommandClass::RunsCode || own.iter().any(changes_anything);
    }

    fn end(self) -> ShellReading {
        let ReadSoFar { script, mut reading, .. } = self;
        reading.effects.retain(|effect| effect.detail != "git rm --cached" || !added_again(script, effect));
        let by_code =
            script.commands.iter().filter(|command| guard_bypass::processes::floods_by_code(command));
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
}

/// What one command does, on whichever machine it runs.
fn command_effects(script: &Script, index: usize, command: &Command) -> Vec<Effect> {
    let earlier = script.commands.get(..index).unwrap_or_default();
    let mut found = Vec::new();
    redirect_effects(script, index, command, &mut found);
    if let Some(code) = &command.code
        && let Some(text) = &code.text
    {
        code_effects(command, code.language, text, &mut found);
    }
    found.extend(guard_bypass::effect(script, index, command, decides_by_itself));
    found.extend(disk_filling::effect(command));
    found.extend(by_program::effects(script, index, command));
    if !command.remote {
        // What comes after is gone through for a run of tests alone.
        let goes_on = weakened_test_runs::is_test_run(command) && pipelines::goes_on(script, index);
        found.extend(weakened_test_runs::effects(command, goes_on));
        found.extend(by_neighbours::effects(script, index, command));
        found.extend(written_scripts::effect(script, index, command, hides_a_run));
    }
    found.extend(services::effects(script, index, command));
    found.extend(unseen_effect(earlier, command));
    if command.remote {
        return found.iter().filter_map(|effect| remote::effect(command, effect)).collect();
    }
    found.extend(secrets::effect(script, command));
    found
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
    use EffectKind::{Copy, EditInPlace, Move, Overwrite, Truncate};
    matches!(effect.kind, Delete | Overwrite | Truncate | Move | Copy | EditInPlace)
        && effect.targets.iter().any(|target| target.path.is_none())
}
