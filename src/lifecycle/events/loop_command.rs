//! The slash command that starts a loop from inside a session.

use std::time::Duration;

use crate::last_word;
use crate::lifecycle::context::hook_context::{BoundLoop, HookContext};
use crate::lifecycle::events::standing::standing;
use crate::lifecycle::hooks::loop_start;
use crate::lifecycle::hooks::loop_start::{LoopRequest, StartedLoop};
use crate::lifecycle::measuring::baseline::BaselineMeasuring;
use crate::lifecycle::session::{leaving, liveness};
use crate::loops::criteria::typed;
use crate::loops::verification::doubt;
use crate::model::verdict::{Answer, Verdict};
use crate::text::session as text;

/// The slash command that starts a loop from inside a session.
pub(crate) const LOOP_COMMAND: &str = "/steadfast:loop";

/// How long the criterion may run before the prompt goes on: what takes longer is taken for not met.
const FIRST_CHECK: Duration = Duration::from_secs(8);

/// How long all of a start may take; the client gives up after thirty seconds.
const START: Duration = Duration::from_secs(25);

/// Starts a loop for the session in which the command was typed.
pub(crate) fn start_loop(context: &mut HookContext, arguments: &str) -> Answer {
    let Some(session) = context.event.session_id.clone() else {
        return Answer::telling_both(
            "Steadfast: the host sent no session id, so no loop can be bound to this session.".to_owned(),
        );
    };
    if context.in_explicit_loop() {
        return Answer::telling_both(
            "Steadfast: this session is in a loop already; `steadfast status` shows it.",
        );
    }
    last_word::set_deadline(Some(START));
    match started(context, session, arguments) {
        Ok(StartedLoop { met: Some(banner), .. }) => Answer {
            verdict: Verdict::Context(format!(
                "The completion criterion of this loop holds already, so nothing is to be done.\n{banner}"
            )),
            ..Answer::telling(banner)
        },
        Ok(started) => begin(context, &started),
        Err(reason) => Answer::telling_both(format!("Steadfast started no loop: {reason}")),
    }
}

/// The loop that the typed words ask for.
fn started(context: &HookContext, session: String, arguments: &str) -> Result<StartedLoop, String> {
    let typed = typed::parse(arguments)?;
    let request = LoopRequest::of(typed, Some(session), FIRST_CHECK).map_err(|error| error.to_string())?;
    let opened = context.event.project_dir.as_deref().unwrap_or(&context.event.cwd);
    let request = request.started_in(&context.project, opened);
    // The session waits for this: nothing is run.
    let mut measuring = BaselineMeasuring { time: Duration::ZERO, say: &mut |_| {} };
    loop_start::start(&context.project, &request, &mut measuring, context.env.now)
        .map_err(|error| error.to_string())
}

/// Binds the session to its new loop, and says what it is held to.
fn begin(context: &mut HookContext, started: &StartedLoop) -> Answer {
    let StartedLoop { state, first, .. } = started;
    leaving::guard_gives_way(context);
    let bound = BoundLoop { id: state.loop_id.clone(), entry: state.registry_entry() };
    context.bound = Some(bound.clone());
    liveness::arrive(context);
    let told = standing(context, &bound);
    let mut human = text::started(state, context.event.continuation_cap);
    let doubt = first.checks.iter().filter(|check| !check.passed).find_map(doubt::of);
    for hint in text::hints(state).into_iter().chain(doubt) {
        human.push('\n');
        human.push_str(&hint);
    }
    Answer { verdict: told.map(Verdict::Context).unwrap_or_default(), ..Answer::telling(human) }
}
