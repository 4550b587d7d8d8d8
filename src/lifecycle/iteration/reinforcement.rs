//! What the reinforcement agent needs besides a hook's facts, and what is remembered of what it said.
//!
//! A text is used once for a cause. A project's own texts are read from its folder when one is configured, and never
//! anything else.

use std::fs;

use serde_json::{Map, Value, json};

use crate::agents::prompt_reinforcement::templates::{self, TEMPLATES};
use crate::definitions::envelope::Reply;
use crate::definitions::names::HookName;
use crate::lifecycle::context::hook_context::HookContext;
use crate::loops::failures::shorten;
use crate::loops::task_type;
use crate::state::atomic::Durability;
use crate::state::loop_state::{Level, LoopState};
use crate::state::registry::Kind;

/// The largest text of a project's own, bytes.
const LARGEST: u64 = 16 << 10;
/// How many causes are remembered.
const CAUSES: usize = 200;
/// How many earlier approaches a text names.
const TRIED: usize = 3;
/// The longest of them, letters.
const TRIED_LENGTH: usize = 80;

/// The agent's own facts about a cause.
pub fn own(context: &HookContext, state: &LoopState, hook: HookName, cause: &str) -> Map<String, Value> {
    let task = task_type::recognise(&state.task).map(|task_type| task_type.name());
    let used =
        state.reinforcement_used.as_ref().and_then(|used| used.get(cause)).cloned().unwrap_or(json!([]));
    let failed = state.iteration_history.iter().rev().filter(|record| !record.action.is_empty());
    let mut tried: Vec<String> = Vec::new();
    for record in failed {
        let action = shorten(&record.action, TRIED_LENGTH);
        if tried.len() < TRIED && !tried.contains(&action) {
            tried.push(action);
        }
    }
    let level = if state.kind == Kind::Implicit { Level::Standard } else { state.reinforcement_level };
    let off = context.config.reinforcement.default_level == Level::Off;
    Map::from_iter([
        ("task_type".to_owned(), json!(task)),
        ("used".to_owned(), used),
        (
            "last_template".to_owned(),
            json!(state.reinforcement_last.as_ref().and_then(|last| last.get(hook.name()))),
        ),
        ("attempts_ended".to_owned(), json!(state.ended_iterations())),
        ("tried".to_owned(), json!(tried)),
        ("level".to_owned(), json!(if off { Level::Off } else { level })),
        ("token_budget".to_owned(), json!(context.config.reinforcement.token_budgets.at(level))),
        ("templates".to_owned(), Value::Object(overrides(context))),
    ])
}

/// The texts that the project has in the place of ours.
fn overrides(context: &HookContext) -> Map<String, Value> {
    let Some(folder) = &context.config.reinforcement.templates_dir else { return Map::new() };
    let folder = context.project.root().join(folder);
    let own = TEMPLATES.iter().filter_map(|template| {
        let path = folder.join(format!("{}.md", template.id));
        let is_readable = fs::metadata(&path).is_ok_and(|found| found.is_file() && found.len() <= LARGEST);
        let text = is_readable.then(|| fs::read_to_string(&path).ok()).flatten()?;
        Some((template.id.to_owned(), Value::from(text)))
    });
    own.collect()
}

/// What the agent said, unless the session's budget is spent; remembered, so that it is not said again for this cause.
pub fn deliver(context: &mut HookContext, cause: &str, reply: &Reply) -> Option<String> {
    let text = reply.content.clone();
    if text.is_empty() {
        return None;
    }
    let id = reply.metadata.extra.get("template").cloned();
    let tokens = templates::tokens(&text);
    let limit = context.config.reinforcement.token_budgets.session;
    let session = context.event.session_id.clone().unwrap_or_default();
    let allowed = context.change_state(Durability::Process, |state| {
        let spent = state.reinforcement_tokens.as_ref().and_then(|spent| spent.get(&session)).copied();
        let spent = spent.unwrap_or(0);
        if limit.is_some_and(|limit| spent + tokens > limit) {
            return false;
        }
        // Of one session: an older one's budget is of no use any more.
        state.reinforcement_tokens = Some([(session, spent + tokens)].into());
        if let Some(id) = id {
            if let Some(point) = id.as_str().and_then(templates::point_of) {
                state.reinforcement_last.get_or_insert_default().insert(point.to_owned(), id.clone());
            }
            remember(state, cause, id);
        }
        true
    });
    // A state that can't be written must not silence the guard.
    allowed.unwrap_or(true).then_some(text)
}

fn remember(state: &mut LoopState, cause: &str, id: Value) {
    let used = state.reinforcement_used.get_or_insert_default();
    if let Some(ids) = used.entry(cause).or_insert_with(|| json!([])).as_array_mut()
        && !ids.contains(&id)
    {
        ids.push(id);
    }
    while used.len() > CAUSES {
        let Some(oldest) = used.keys().next().cloned() else { return };
        used.shift_remove(&oldest);
    }
}
