//! `loop_start`: a person asks for a loop. Criteria are checked, the baseline is measured, the state begins.

mod begun;
mod log;
mod request;

use jiff::Timestamp;

use crate::config::Config;
use crate::definitions::model::Definitions;
use crate::lifecycle::context::mirror;
use crate::lifecycle::ending::finish::finish;
use crate::lifecycle::ending::outcome::LoopEnding;
use crate::lifecycle::hooks::loop_start::begun::{CheckedRequest, StartingLoop};
use crate::lifecycle::iteration::commit;
use crate::lifecycle::measuring::baseline::BaselineMeasuring;
use crate::lifecycle::measuring::measure;
use crate::lifecycle::session::legacy;
use crate::lifecycle::session::tidying::tidy;
use crate::loops::criteria;
use crate::loops::criteria::founded;
use crate::project::{Project, exclude_from_git};
use crate::state::layout::Layout;
use crate::state::loop_state::LoopState;
use crate::state::registry::Registry;
use crate::state::{loop_id, registry};

pub use crate::lifecycle::hooks::loop_start::request::{Error, LoopRequest, StartedLoop};

/// Starts a loop.
pub fn start(
    project: &Project,
    request: &LoopRequest,
    measuring: &mut BaselineMeasuring,
    now: Timestamp,
) -> Result<StartedLoop, Error> {
    let definitions = Definitions::read(project.root());
    let (config, _) = Config::read(project.root());
    let checked = check(project, request, &config, definitions.layout(project.root()), now)?;
    let running = make_place(project, request, &checked.layout, now)?;
    begin_in_git(project, request, &checked.id)?;
    let mut begun = StartingLoop::of(project, request, checked, &config, now);
    exclude_from_git(project.root()).map_err(to_error)?;
    begun.measure(&definitions, &config, measuring);
    let kept = begun.keep_tree();
    begun.write()?;
    tidy(&begun.layout, now);
    log::write(&begun, &kept);
    mirror::follow(&begun.layout, &begun.state, running + 1);
    end_where_met(begun)
}

/// Refuses what can't be a loop: criteria that nothing verifies, limits without room, an id that is taken.
fn check(
    project: &Project,
    request: &LoopRequest,
    config: &Config,
    layout: Layout,
    now: Timestamp,
) -> Result<CheckedRequest, Error> {
    if request.task.trim().is_empty() {
        return Err(Error::NoTask);
    }
    let folder = project.root().join(&request.folder);
    let facts = measure::known_commands(&folder, config);
    let criteria = criteria::parse(&request.criteria, &facts).map_err(Error::Criteria)?;
    if !request.force {
        founded::check(&criteria, &facts).map_err(Error::Criteria)?;
    }
    if request.max_iterations == 0 || request.timeout_minutes == 0 {
        return Err(Error::Limits("a loop needs at least one iteration and one minute".to_owned()));
    }
    let id = match &request.loop_id {
        Some(id) => {
            loop_id::check(id)?;
            if layout.loop_dir(id).exists() {
                return Err(Error::Taken(id.clone()));
            }
            id.clone()
        }
        None => loop_id::for_task(&request.task, now),
    };
    Ok(CheckedRequest { layout, criteria, id })
}

/// Answers how many loops run, where there is room for one more.
fn make_place(
    project: &Project,
    request: &LoopRequest,
    layout: &Layout,
    now: Timestamp,
) -> Result<usize, Error> {
    // An older version's loop comes first; one that can't be read is no reason against a new one.
    legacy::bring_in(project, layout, now).ok();
    let running = Registry::read(layout).map(|registry| registry.running()).unwrap_or_default();
    if running >= registry::MAX_RUNNING && !request.force {
        return Err(Error::TooMany(running));
    }
    Ok(running)
}

/// A loop whose criterion holds already is over at once.
fn end_where_met(begun: StartingLoop) -> Result<StartedLoop, Error> {
    let StartingLoop { project, layout, first, mut state, .. } = begun;
    if !first.passed {
        return Ok(StartedLoop { state, first, met: None });
    }
    let ended = Timestamp::now();
    let banner = finish(project, &layout, &state.loop_id, LoopEnding::Success, Some(&first), ended);
    let met = Some(banner.map_err(to_error)?);
    state = LoopState::read(&layout, &state.loop_id).map_err(to_error)?;
    Ok(StartedLoop { state, first, met })
}

fn to_error(error: impl std::fmt::Display) -> Error {
    Error::State(error.to_string())
}

/// A branch of its own, and a clean beginning for commits.
fn begin_in_git(project: &Project, request: &LoopRequest, id: &str) -> Result<(), Error> {
    if request.commit && !commit::is_clean(project).map_err(Error::Git)? {
        let why = "--commit needs a clean working tree, so that the loop's commits hold its own work alone; commit or \
                   stash what is there first";
        return Err(Error::Git(why.to_owned()));
    }
    match request.branch.as_deref() {
        None => Ok(()),
        Some("") => commit::begin_branch(project, &format!("ralph/{}", id.trim_start_matches("ralph-")))
            .map_err(Error::Git),
        Some(name) => commit::begin_branch(project, name).map_err(Error::Git),
    }
}
