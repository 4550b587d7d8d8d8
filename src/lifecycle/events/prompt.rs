//! A prompt is sent: a command for the guard is carried out, and any other prompt begins a new turn.

use crate::lifecycle::context::failure;
use crate::lifecycle::context::hook_context::{BoundLoop, HookContext};
use crate::lifecycle::context::log::HookRecord;
use crate::lifecycle::events::gate_command::typed_decision;
use crate::lifecycle::events::loop_command::{LOOP_COMMAND, start_loop};
use crate::lifecycle::events::standing::standing;
use crate::lifecycle::events::typed_command;
use crate::lifecycle::gate::{allowance, code, holding};
use crate::lifecycle::hooks::post_iteration;
use crate::lifecycle::iteration::limits;
use crate::lifecycle::regression::{mended, questions};
use crate::lifecycle::session::liveness;
use crate::model::verdict::{Answer, Verdict};
use crate::state::atomic::Durability;
use crate::state::registry::Kind;
use crate::text::{allowance as text, banner, verdicts};

/// How a decision at a gate is typed: as a command of the plugin, or plainly where there is no plugin.
const GATE_COMMANDS: &[&str] = &["/steadfast:gate", "/gate", "steadfast gate"];

/// How a refused command is allowed once.
const ALLOW_COMMANDS: &[&str] = &["/steadfast:allow", "steadfast allow"];

/// A prompt is sent. A typed loop command starts a loop; any prompt begins a new turn.
pub fn prompt(context: &mut HookContext, prompt: &str) -> Answer {
    if let Some(answer) = command(context, prompt) {
        return answer;
    }
    liveness::arrive(context);
    let Some(bound) = context.bound.clone() else { return Answer::default() };
    if banner::is_iteration(prompt, &bound.id) {
        context.log("UserPromptSubmit", HookRecord::default().outcome("the turn goes on"));
        return Answer::default();
    }
    new_turn(context, &bound)
}

/// Carries out what was typed for the guard. `None` for any other prompt.
fn command(context: &mut HookContext, prompt: &str) -> Option<Answer> {
    if let Some(arguments) = prompt.trim_start().strip_prefix(LOOP_COMMAND)
        && (arguments.is_empty() || arguments.starts_with(char::is_whitespace))
    {
        return Some(start_loop(context, arguments));
    }
    if let Some(answer) = typed_command::run(context, prompt) {
        return Some(answer);
    }
    if let Some(words) = typed_after(prompt, GATE_COMMANDS) {
        return Some(typed_decision(context, words));
    }
    if let Some(code) = typed_after(prompt, ALLOW_COMMANDS) {
        return Some(Verdict::Deny(format!("Steadfast: {}", allowance::typed(context, code))).into());
    }
    typed_code(context, prompt)
}

/// A turn begins: what came of the questions before it is settled, and what was lost meanwhile is told.
fn new_turn(context: &mut HookContext, bound: &BoundLoop) -> Answer {
    if bound.entry.kind == Kind::Implicit {
        failure::end_of_iteration(context);
    }
    // The client tells the model nothing of a question that was answered with no.
    questions::settle(context);
    let refused = questions::refused(context);
    let meanwhile = if watches(context) { post_iteration::lost_meanwhile(context) } else { None };
    if let Some(lost) = &meanwhile {
        context.tell_human(lost.clone());
    }
    if holding::is_open(context) {
        mended::close(context);
    }
    if context.state().is_some_and(|state| state.continuations > 0) {
        context.change_state(Durability::Process, |state| state.continuations = 0);
    }
    context.log("UserPromptSubmit", HookRecord::default().outcome("a new turn"));
    let due = context.state().is_some_and(|state| {
        let is_decided = bound.entry.decided && limits::due(&state).is_some();
        is_decided
            || (limits::is_recorded(&state) && limits::current(&state) <= state.configuration.max_iterations)
    });
    if context.in_explicit_loop() && !holding::is_open(context) && (due || bound.entry.iteration == 0) {
        let told = standing(context, bound);
        return told_together([meanwhile, refused_before(&refused), told]);
    }
    told_together([meanwhile, refused_before(&refused), None])
}

/// Whether a loop of a person's watches the files: what changes them outside of any call is noticed at the next prompt.
fn watches(context: &HookContext) -> bool {
    context.in_explicit_loop() && !context.paused() && !holding::is_open(context)
}

fn told_together(texts: [Option<String>; 3]) -> Answer {
    let texts: Vec<String> = texts.into_iter().flatten().filter(|text| !text.is_empty()).collect();
    if texts.is_empty() { Answer::default() } else { Verdict::Context(texts.join("\n\n")).into() }
}

/// What the model reads of the calls that a person has refused since the last prompt.
fn refused_before(messages: &[String]) -> Option<String> {
    (!messages.is_empty()).then(|| verdicts::refused_by_a_person(messages))
}

/// A prompt that holds a code which was shown to the person: one that is nothing else is taken, none is sent on.
fn typed_code(context: &mut HookContext, prompt: &str) -> Option<Answer> {
    let code = code::among(prompt)
        .find(|word| allowance::is_known(context, word) || holding::is_code(context, word))?;
    let alone = prompt.trim() == code && allowance::is_known(context, code);
    let said = if alone { allowance::typed(context, code) } else { text::CODE_IN_A_PROMPT.to_owned() };
    context.log(
        "UserPromptSubmit",
        HookRecord::default().outcome("a prompt with a code was kept from the model"),
    );
    Some(Verdict::Deny(format!("Steadfast: {said}")).into())
}

/// What is typed after one of these commands.
fn typed_after<'p>(prompt: &'p str, commands: &[&str]) -> Option<&'p str> {
    commands.iter().find_map(|command| {
        let rest = prompt.trim_start().strip_prefix(command)?;
        (rest.is_empty() || rest.starts_with(char::is_whitespace)).then_some(rest)
    })
}
