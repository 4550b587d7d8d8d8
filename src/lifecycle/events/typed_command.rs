//! Loop commands that a person types in a session: pause, resume, abort.
//!
//! A prompt may be synthetic; that none of an agent's making begins with a command is seen to before a tool may
//! schedule one.

use crate::lifecycle::context::hook_context::{BoundLoop, HookContext};
use crate::lifecycle::context::state_change::change_state;
use crate::lifecycle::ending::finish;
use crate::lifecycle::ending::outcome::LoopEnding;
use crate::lifecycle::events::standing;
use crate::lifecycle::session::loop_resume::NewLimits;
use crate::lifecycle::session::{leaving, liveness, loop_resume};
use crate::loops::criteria::typed;
use crate::model::verdict::{Answer, Verdict};
use crate::state::atomic::Durability;
use crate::state::lock::HOOK_WAIT;
use crate::state::loop_id;
use crate::state::loop_state::{LoopState, Status};
use crate::state::registry::{Kind, Registry, RegistryEntry};

/// What is typed, and what it does.
type TypedCommandHandler = fn(&mut HookContext, &str) -> Result<Answer, String>;

const COMMANDS: &[(&str, TypedCommandHandler)] =
    &[("/steadfast:pause", pause), ("/steadfast:resume", resume), ("/steadfast:abort", abort)];

/// Carries out a typed command. `None` when the prompt is none.
pub fn run(context: &mut HookContext, prompt: &str) -> Option<Answer> {
    let prompt = prompt.trim();
    let (command, arguments) = COMMANDS.iter().find_map(|(name, command)| {
        let rest = prompt.strip_prefix(name)?;
        (rest.is_empty() || rest.starts_with(char::is_whitespace)).then_some((command, rest))
    })?;
    Some(
        command(context, arguments)
            .unwrap_or_else(|reason| Answer::telling_both(format!("Steadfast: {reason}"))),
    )
}

fn pause(context: &mut HookContext, arguments: &str) -> Result<Answer, String> {
    let id = meant(context, arguments.trim(), |entry| entry.status == Status::Running)?;
    let changed =
        change_state(&context.layout, &id, HOOK_WAIT, Durability::Power, context.env.now, |state| {
            let allowed = state.status.may_become(Status::Paused);
            if allowed {
                state.status = Status::Paused;
            }
            (allowed, state.status)
        })?;
    match changed.value {
        (true, _) => Ok(Answer::telling_both(format!(
            "Steadfast loop {id} is paused; its hooks pass until /steadfast:resume."
        ))),
        (false, status) => Err(format!("loop {id} is {} and can't be paused", status.name())),
    }
}

fn abort(context: &mut HookContext, arguments: &str) -> Result<Answer, String> {
    if arguments.split_whitespace().any(|word| word == "--revert") {
        return Err("taking changes back is for a terminal: steadfast loop abort --revert".to_owned());
    }
    let id = meant(context, arguments.replace("--keep-changes", "").trim(), |entry| !entry.status.is_over())?;
    let now = context.env.now;
    finish::finish(&context.project, &context.layout, &id, LoopEnding::Aborted, None, now)
        .map(Answer::telling_both)
}

fn resume(context: &mut HookContext, arguments: &str) -> Result<Answer, String> {
    let session = context.event.session_id.clone().ok_or("the host sent no session id")?;
    if context.in_explicit_loop() {
        return Err("this session is in a loop already; `steadfast status` shows it".to_owned());
    }
    let words = typed::limits(arguments)?;
    let id = meant(context, &words.named, loop_resume::is_resumable)?;
    let limits = NewLimits { max_iterations: words.max_iterations, timeout_minutes: words.timeout_minutes };
    loop_resume::resume(&context.project, &context.layout, &id, limits, Some(&session))?;
    let state = LoopState::read(&context.layout, &id).map_err(|error| error.to_string())?;
    let bound = BoundLoop { id: id.clone(), entry: state.registry_entry() };
    leaving::guard_gives_way(context);
    context.bound = Some(bound.clone());
    liveness::arrive(context);
    let told = standing::standing(context, &bound);
    let human = format!("Steadfast loop {id} goes on in this session.");
    Ok(Answer { verdict: told.map(Verdict::Context).unwrap_or_default(), ..Answer::telling(human) })
}

/// The loop that is named, that of this session, or the only one that fits.
fn meant(
    context: &HookContext,
    named: &str,
    fits: impl Fn(&RegistryEntry) -> bool,
) -> Result<String, String> {
    if !named.is_empty() {
        loop_id::check(named).map_err(|error| error.to_string())?;
        let known = context.layout.state(named).is_file();
        return if known { Ok(named.to_owned()) } else { Err(format!("there is no loop {named}")) };
    }
    let own = context.bound.as_ref().filter(|bound| bound.entry.kind == Kind::Explicit && fits(&bound.entry));
    if let Some(bound) = own {
        return Ok(bound.id.clone());
    }
    let registry = Registry::read(&context.layout).map_err(|error| error.to_string())?;
    let fitting = registry.loops.iter().filter(|(_, entry)| entry.kind == Kind::Explicit && fits(entry));
    let ids: Vec<&String> = fitting.map(|(id, _)| id).collect();
    match ids.as_slice() {
        [one] => Ok((*one).clone()),
        [] => Err("no loop fits; `steadfast status --all` lists them".to_owned()),
        several => {
            let names: Vec<&str> = several.iter().map(|id| id.as_str()).collect();
            Err(format!("several loops fit: {}; name one", names.join(", ")))
        }
    }
}
