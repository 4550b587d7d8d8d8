//! What a person asks for who starts a loop, and why it may not start.

use std::path::Path;
use std::time::Duration;

use crate::loops::criteria::typed::TypedLoop;
use crate::loops::criteria::{RefusedCriterion, request};
use crate::loops::verification::VerificationResult;
use crate::project::Project;
use crate::state::loop_id;
use crate::state::loop_state::{LONGEST_MINUTES, LoopState, MOST_ITERATIONS};

/// What a person asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct LoopRequest {
    /// The task, for the agent.
    pub task: String,
    /// The completion criteria.
    pub criteria: String,
    /// The last iteration that may start.
    pub max_iterations: u32,
    /// Minutes after which no iteration starts.
    pub timeout_minutes: u64,
    /// An id of the person's own.
    pub loop_id: Option<String>,
    /// More loops than four side by side.
    pub force: bool,
    /// The session it belongs to; none: the next that starts in the project claims it.
    pub session_id: Option<String>,
    /// Globs of the files that it may write; none: all of the project.
    pub scope: Vec<String>,
    /// The folder in which the criterion runs, relative to the project; empty: the project's own.
    pub folder: String,
    /// Whether each iteration is committed.
    pub commit: bool,
    /// A branch to begin; an empty name is one made of the loop's id.
    pub branch: Option<String>,
    /// Whether a pass counts only with the tests of the start.
    pub verify_original: bool,
    /// How long the criterion may take at the start.
    pub first_check: Duration,
    /// What the loop is driven by, when no session's own hooks do it.
    pub driver: Option<String>,
}

impl LoopRequest {
    /// What was typed, for a session or for the next one; `criteria` when they are known apart.
    pub fn of(
        typed: TypedLoop,
        session_id: Option<String>,
        first_check: Duration,
    ) -> Result<LoopRequest, Error> {
        let (task, found) = match typed.until {
            Some(criteria) => (typed.task, Some(criteria)),
            None => request::split_request(&typed.task),
        };
        Ok(LoopRequest {
            task,
            criteria: found.ok_or(Error::NoCriteria)?,
            max_iterations: typed.max_iterations.min(MOST_ITERATIONS),
            timeout_minutes: typed.timeout_minutes.min(LONGEST_MINUTES),
            loop_id: typed.loop_id,
            force: typed.force,
            session_id,
            scope: typed.scope,
            folder: String::new(),
            commit: typed.commit,
            branch: typed.branch,
            verify_original: typed.verify_original,
            first_check,
            driver: None,
        })
    }

    /// The same, started in a folder of the project.
    pub fn started_in(self, project: &Project, folder: &Path) -> LoopRequest {
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let inside = real(folder).strip_prefix(real(project.root())).map(Path::to_owned).unwrap_or_default();
        LoopRequest { folder: inside.to_string_lossy().into_owned(), ..self }
    }
}

/// A loop that has begun.
#[derive(Debug)]
pub struct StartedLoop {
    /// Its state.
    pub state: LoopState,
    /// What the criterion gave at the start.
    pub first: VerificationResult,
    /// The banner of a loop that was over at once, since its criterion held.
    pub met: Option<String>,
}

/// Why a loop does not start.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No task was given.
    #[error("say what to do: the task is empty")]
    NoTask,
    /// No criteria were given.
    #[error("say when it is done: --until \"<command> passes\"")]
    NoCriteria,
    /// Git can't do what was asked for.
    #[error("{0}")]
    Git(String),
    /// The criteria can't be verified.
    #[error("{0}")]
    Criteria(RefusedCriterion),
    /// The id can't be a directory name.
    #[error("{0}")]
    Id(#[from] loop_id::BadLoopId),
    /// The id is taken.
    #[error("a loop {0} exists already; choose another --loop-id")]
    Taken(String),
    /// Too many loops.
    #[error("{0} loops are running in this project already; end one, or use --force")]
    TooMany(usize),
    /// The limits make no sense.
    #[error("{0}")]
    Limits(String),
    /// The state can't be written.
    #[error("{0}")]
    State(String),
}
