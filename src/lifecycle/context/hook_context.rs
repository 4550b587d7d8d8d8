//! Where an event happens: the project, its configuration, and the loop that the session is bound to.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::path::Path;

use crate::checkpoint::node::Node;
use crate::checkpoint::store::Store;
use crate::checkpoint::tree::TreeSnapshot;
use crate::checkpoint::walk::WalkBounds;
use crate::config;
use crate::config::Config;
use crate::definitions::model::Definitions;
use crate::definitions::names::HookName;
use crate::definitions::{FILE, LoadedDefinitions, problem};
use crate::detectors::is_known;
use crate::lifecycle::context::clock::Clock;
use crate::lifecycle::context::env::Env;
use crate::lifecycle::context::known_loops::{self, CriticalLoss, RegistryLook};
use crate::lifecycle::context::net_need::NetNeed;
use crate::model::event::Event;
use crate::model::verdict::Attention;
use crate::project::Project;
use crate::state::layout::Layout;
use crate::state::loop_state::Status;
use crate::state::records::HookFailure;
use crate::state::registry::{Kind, Registry, RegistryEntry};

pub use crate::lifecycle::context::state_change::change_state;

/// The place of one event. Opening it reads at most three small files and writes nothing.
pub struct HookContext<'a> {
    /// The event.
    pub event: &'a Event,
    /// The process.
    pub env: &'a Env<'a>,
    /// The project.
    pub project: Project,
    /// Where its state is.
    pub layout: Layout,
    /// Where kept bytes are.
    pub store: Store,
    /// Its configuration.
    pub config: Config,
    /// What is wrong with the configuration and the definitions, for the person, once a session.
    pub notices: Vec<String>,
    /// What the person must hear besides the answer.
    pub told: Vec<String>,
    /// Why something could not be recorded or kept, for the person, once a session.
    pub unrecorded: RefCell<Vec<String>>,
    /// What something else has changed in the registry, for the loop's record.
    pub registry_changed: Option<String>,
    /// What was lost of the state and is known outside of the project.
    pub critical: Option<CriticalLoss>,
    /// What draws the person's eye to it.
    pub attention: Option<Attention>,
    /// What went wrong with the state; every line of the log repeats it.
    pub problems: Vec<String>,
    /// The loop of this session.
    pub bound: Option<BoundLoop>,
    /// How long each hook took.
    pub clock: Clock,
    /// Whether the time of a running loop of the project is over.
    pub overdue: bool,
    /// The loops of other sessions that may be at work in the same project.
    pub others: Vec<String>,
    /// The loops that are over: what their sessions did and judged is theirs all the same.
    pub ended: Vec<String>,
    /// The critical hook that is running.
    pub marked: Cell<Option<HookName>>,
    /// The hooks that have failed in this process.
    pub failed: RefCell<Vec<FailedHook>>,
    /// What was done about them, to be told with the answer.
    pub failure: Option<HookFailure>,
    /// The tree as it was looked at in this process; nothing of it is good once something may have changed files.
    pub seen: Option<TreeSnapshot>,
    /// The files that may differ from the loop's start, relative to the project, with what is there now; `None` where
    /// only git can say.
    pub since_start: Option<Vec<(String, Node)>>,
    /// Whether a program has run since the tree was looked at, which may have changed files.
    pub stirred: Cell<bool>,
    /// What the reading of the call's command has said about the net under it.
    pub net_need: Cell<Option<NetNeed>>,
    definitions: LoadedDefinitions,
}

/// The loop that a session is bound to.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundLoop {
    /// Its id.
    pub id: String,
    /// Its line in the registry, as read.
    pub entry: RegistryEntry,
}

impl<'a> HookContext<'a> {
    /// Opens the place of `event`.
    pub fn open(event: &'a Event, env: &'a Env<'a>) -> Self {
        let project = Project::locate(event.project_dir.as_deref().unwrap_or(&event.cwd));
        let definitions = Definitions::read(project.root());
        let layout = definitions.layout(project.root());
        let store = Store::of_project(project.root());
        let settings = Config::load(&project.root().join(config::FILE)).of_known(is_known);
        let RegistryLook { registry, told, changed, critical, problems } =
            known_loops::look(&layout, event.session_id.as_deref());
        let bound = registry
            .of_session(event.session_id.as_deref())
            .map(|(id, entry)| BoundLoop { id: id.to_owned(), entry: entry.clone() });
        let others = others(&registry, bound.as_ref());
        let ended = ended(&registry, bound.as_ref());
        let definitions_notice = problem::notice(FILE, &definitions.problems);
        let notices = config::notice(&settings.problems).into_iter().chain(definitions_notice);
        let untold = problems.iter().filter(|problem| !told.contains(problem)).cloned();
        let notices = notices.chain(untold).collect();
        HookContext {
            event,
            env,
            project,
            layout,
            store,
            config: settings.config,
            notices,
            told,
            critical,
            registry_changed: changed,
            unrecorded: RefCell::new(Vec::new()),
            attention: None,
            problems,
            bound,
            clock: Clock::since(env.started),
            overdue: registry.any_overdue(env.now),
            others,
            ended,
            marked: Cell::new(None),
            failed: RefCell::new(Vec::new()),
            failure: None,
            seen: None,
            since_start: None,
            stirred: Cell::new(false),
            net_need: Cell::new(None),
            definitions,
        }
    }

    /// The definitions that hold here.
    pub fn definitions(&self) -> &LoadedDefinitions {
        &self.definitions
    }

    /// Adds a message for the person's eyes alone to this event's answer.
    pub fn tell_human(&mut self, message: String) {
        self.told.push(message);
    }

    /// Notes that something could not be recorded or kept.
    pub fn not_recorded(&mut self, problem: String) {
        self.unrecorded.borrow_mut().push(problem.clone());
        self.problems.push(problem);
    }

    /// How much is kept before a call, as configured.
    pub fn bounds(&self) -> WalkBounds<'static> {
        let limits = &self.config.checkpoints;
        WalkBounds {
            file_bytes: limits.max_file_mb.saturating_mul(1 << 20),
            total_bytes: limits.max_call_mb.saturating_mul(1 << 20),
            paths: usize::try_from(limits.max_call_files).unwrap_or(usize::MAX),
            ..WalkBounds::default()
        }
    }

    /// The current iteration as records name it: from 1, also before the first Stop of an implicit loop.
    pub fn iteration(&self) -> u32 {
        self.bound.as_ref().map_or(1, |bound| bound.entry.iteration.max(1))
    }

    /// Whether an explicit loop is running in this session.
    pub fn in_explicit_loop(&self) -> bool {
        self.bound
            .as_ref()
            .is_some_and(|b| b.entry.kind == Kind::Explicit && b.entry.status == Status::Running)
    }

    /// Whether the session's loop was put aside by a person.
    pub fn paused(&self) -> bool {
        self.bound.as_ref().is_some_and(|bound| bound.entry.status == Status::Paused)
    }

    /// `path` relative to the project with `/`, or as it is when it is outside.
    pub fn relative(&self, path: &Path) -> String {
        path.strip_prefix(self.project.root()).unwrap_or(path).to_string_lossy().replace('\\', "/")
    }
}

/// The loops that are not over, and that other sessions are bound to or a person has started: one that was resumed has no
/// session until the next one claims it, and what was changed in it stays its own.
fn others(registry: &Registry, bound: Option<&BoundLoop>) -> Vec<String> {
    let started = registry.loops.iter().filter(|(_, entry)| entry.kind == Kind::Explicit).map(|(id, _)| id);
    let ids: BTreeSet<&String> = registry.sessions.values().chain(started).collect();
    let is_alive = |id: &&String| registry.loops.get(*id).is_some_and(|entry| !entry.status.is_over());
    let is_another = |id: &&String| bound.is_none_or(|bound| bound.id != **id);
    ids.into_iter().filter(is_alive).filter(is_another).cloned().collect()
}

/// The loops that are over and still stand in the registry.
fn ended(registry: &Registry, bound: Option<&BoundLoop>) -> Vec<String> {
    let is_another = |id: &&String| bound.is_none_or(|bound| bound.id != **id);
    let over = registry.loops.iter().filter(|(_, entry)| entry.status.is_over()).map(|(id, _)| id);
    over.filter(is_another).cloned().collect()
}

/// A hook that failed in this process.
#[derive(Debug, Clone, PartialEq)]
pub struct FailedHook {
    /// The hook.
    pub hook: HookName,
    /// Why.
    pub reason: String,
}
