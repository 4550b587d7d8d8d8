//! The sessions and loops of a project: what each is called, and which one a person means.

use anyhow::{Result, bail};
use jiff::Timestamp;

use crate::state::layout::Layout;
use crate::state::loop_id;
use crate::state::loop_state::{Kind, LoopState};

/// How much of a session's id a person reads.
const SHORT: usize = 8;

/// What a session or loop is called: a session by the first letters of its client's id, a loop by its own.
pub(in crate::cli) fn name(kind: Kind, loop_id: &str, session: Option<&str>) -> String {
    match (kind, session) {
        (Kind::Implicit, Some(session)) => format!("Session {}", short(session)),
        (Kind::Implicit, None) => format!("Session {}", loop_id.trim_start_matches("ralph-session-")),
        (Kind::Explicit, _) => format!("Loop {loop_id}"),
    }
}

/// The first letters of an id.
pub(in crate::cli) fn short(id: &str) -> String {
    id.chars().take(SHORT).collect()
}

/// The ids of all that have left something, with when each was last written to, the newest first. Costs a look at the
/// end of each log and no more.
pub(in crate::cli) fn by_age(layout: &Layout) -> Vec<(Timestamp, String)> {
    let entries = std::fs::read_dir(layout.loops()).into_iter().flatten().flatten();
    let named = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut found: Vec<(Timestamp, String)> = named
        .filter(|id| loop_id::check(id).is_ok())
        .filter_map(|id| {
            let files = [layout.hook_log(&id), layout.state(&id)];
            let times = files.iter().filter_map(|path| std::fs::metadata(path).ok()?.modified().ok());
            Some((Timestamp::try_from(times.max()?).ok()?, id))
        })
        .collect();
    found.sort_by(|a, b| b.cmp(a));
    found
}

/// The session or loop that is meant: by a loop's id, or a session's id or the first letters of it; the newest where
/// nothing is said.
pub(in crate::cli) fn meant(layout: &Layout, said: Option<&str>) -> Result<LoopState> {
    let ids = by_age(layout);
    let Some(said) = said else {
        let newest = ids.iter().find_map(|(_, id)| LoopState::read(layout, id).ok());
        return match newest {
            Some(state) => Ok(state),
            None => bail!("no session or loop has left anything in {} yet", layout.root().display()),
        };
    };
    if loop_id::check(said).is_ok() && layout.loop_dir(said).is_dir() {
        return Ok(LoopState::read(layout, said)?);
    }
    let is_meant = |state: &LoopState| {
        let of_client = state.session_id.as_deref().is_some_and(|session| session.starts_with(said));
        of_client || state.loop_id.trim_start_matches("ralph-session-").starts_with(said)
    };
    let states = ids.iter().filter_map(|(_, id)| LoopState::read(layout, id).ok());
    let found: Vec<LoopState> = states.filter(is_meant).collect();
    match <[LoopState; 1]>::try_from(found) {
        Ok([one]) => Ok(one),
        Err(none) if none.is_empty() => {
            bail!(
                "no session or loop {said:?} is in {}; `steadfast status --all` lists them",
                layout.root().display()
            )
        }
        Err(several) => {
            let names: Vec<&str> = several.iter().map(|state| state.loop_id.as_str()).collect();
            bail!("{said:?} may be any of {}; more letters say which", names.join(", "))
        }
    }
}
