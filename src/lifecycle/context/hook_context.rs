//! Where an event happens: the project, its configuration, and the loop that the session is bound to.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use serde_json::{Map, Value};

use crate::checkpoint::node::Node;
use crate::checkpoint::store::Store;
use crate::checkpoint::tree::Seen;
use crate::checkpoint::walk::Bounds;
use crate::checkpoint::watch::Watch;
use crate::config::{self, Config};
use crate::definitions::model::Definitions;
use crate::definitions::names::HookName;
use crate::definitions::{FILE, Loaded, problem};
use crate::detectors::is_known;
use crate::last_word;
use crate::lifecycle::Env;
use crate::lifecycle::context::agent_messages;
use crate::lifecycle::context::agent_messages::{Asker, Heard};
use crate::lifecycle::context::facts::Facts;
use crate::lifecycle::context::failure;
use crate::lifecycle::context::failure::Failed;
use crate::model::event::{Event, EventKind};
use crate::model::verdict::Attention;
use crate::project::{Project, exclude_from_git};
use crate::state::atomic::Durability;
use crate::state::audit::{self, Line};
use crate::state::layout::Layout;
use crate::state::lock::{HOOK_WAIT, Lock};
use crate::state::loop_state::{LoopState, Status};
use crate::state::registry::{Entry, Kind, Registry};
use crate::state::{
    loop_id,
    records::{Baseline, HookFailure},
};

/// What is left of a hook's time for the answer when a program has used up its own.
const ANSWERING: Duration = Duration::from_millis(300);

/// The longest that a program may take where the event sets its own limit.
const LONGEST_PROGRAM: Duration = Duration::from_secs(60);

/// What a program may take of a session's first call.
const BEGINNING: Duration = Duration::from_millis(700);

/// How long the host waits for an event, less what it takes to answer; `None` where the event sets its own limit.
pub fn longest(kind: &EventKind) -> Option<Duration> {
    match kind {
        EventKind::Stop { .. } => None,
        // Git may have to look through a large repository first, on a busy machine.
        EventKind::PreToolUse(_) => Some(Duration::from_secs(50)),
        EventKind::PostToolUse { .. } | EventKind::PostToolUseFailure { .. } => Some(Duration::from_secs(12)),
        _ => Some(Duration::from_secs(8)),
    }
}

/// The scene of one event. Opening it reads at most three small files and writes nothing.
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
    /// What draws the person's eye to it.
    pub attention: Option<Attention>,
    /// What went wrong with the state; every line of the log repeats it.
    pub problems: Vec<String>,
    /// The loop of this session.
    pub bound: Option<Bound>,
    /// The critical hook that is running.
    pub marked: Cell<Option<HookName>>,
    /// The hooks that have failed in this process.
    pub failed: RefCell<Vec<Failed>>,
    /// What was done about them, to be told with the answer.
    pub failure: Option<HookFailure>,
    /// The tree as it was looked at in this process; nothing of it is good once something may have changed files.
    pub seen: Option<Seen>,
    /// The files that may differ from the loop's start, relative to the project, with what is there now; `None` where
    /// only git can say.
    pub since_start: Option<Vec<(String, Node)>>,
    /// Whether a program has run since the tree was looked at, which may have changed files.
    pub stirred: Cell<bool>,
    definitions: Loaded,
}

/// The loop that a session is bound to.
#[derive(Debug, Clone, PartialEq)]
pub struct Bound {
    /// Its id.
    pub id: String,
    /// Its line in the registry, as read.
    pub entry: Entry,
}

/// What one lifecycle hook did, for the log.
#[derive(Debug, Default)]
pub struct Record {
    /// The agents that were asked.
    pub agents: Vec<String>,
    /// What came of it.
    pub outcomes: Vec<Value>,
    /// The state fields that changed.
    pub changes: Map<String, Value>,
}

impl Record {
    /// A record of a hook that asked `agents`.
    pub fn of(agents: &[&'static str]) -> Self {
        Record { agents: agents.iter().map(|name| (*name).to_owned()).collect(), ..Record::default() }
    }

    /// Adds what agents said: their names, and what failed.
    pub fn heard(mut self, heard: &Heard) -> Self {
        self.agents.extend(heard.names());
        self.outcomes.extend(heard.failures.iter().map(|failure| Value::from(failure.as_str())));
        self
    }

    /// Adds an outcome.
    pub fn outcome(mut self, outcome: impl Into<Value>) -> Self {
        self.outcomes.push(outcome.into());
        self
    }

    /// Whether nobody was asked, nothing changed and what came of it is that it passes.
    fn says_nothing(&self) -> bool {
        let passes = |outcome: &Value| outcome.as_str().is_some_and(|outcome| outcome.starts_with("pass"));
        self.agents.is_empty() && self.changes.is_empty() && self.outcomes.iter().all(passes)
    }

    /// Adds a changed field.
    pub fn change(mut self, field: &str, value: impl Into<Value>) -> Self {
        self.changes.insert(field.to_owned(), value.into());
        self
    }
}

impl<'a> HookContext<'a> {
    /// Opens the scene of `event`.
    pub fn open(event: &'a Event, env: &'a Env<'a>) -> Self {
        let project = Project::locate(event.project_dir.as_deref().unwrap_or(&event.cwd));
        let definitions = Definitions::read(project.root());
        let layout = definitions.layout(project.root());
        let store = Store::of_project(project.root());
        let settings = Config::load(&project.root().join(config::FILE)).of_known(is_known);
        let (registry, damage) = Registry::read_or_rebuild(&layout);
        let problems = damage.iter().map(ToString::to_string).collect();
        let bound = registry
            .of_session(event.session_id.as_deref())
            .map(|(id, entry)| Bound { id: id.to_owned(), entry: entry.clone() });
        let definitions_notice = problem::notice(FILE, &definitions.problems);
        let notices = config::notice(&settings.problems).into_iter().chain(definitions_notice).collect();
        HookContext {
            event,
            env,
            project,
            layout,
            store,
            config: settings.config,
            notices,
            told: Vec::new(),
            attention: None,
            problems,
            bound,
            marked: Cell::new(None),
            failed: RefCell::new(Vec::new()),
            failure: None,
            seen: None,
            since_start: None,
            stirred: Cell::new(false),
            definitions,
        }
    }

    /// The definitions that hold here.
    pub fn definitions(&self) -> &Loaded {
        &self.definitions
    }

    /// Asks the agents that a hook's definition names.
    pub fn ask(&self, hook: HookName, facts: &Facts, own: &Map<String, Value>) -> Heard {
        let loaded = self.definitions();
        let asker = Asker {
            definitions: &loaded.definitions,
            programs_allowed: agent_messages::programs_allowed(&self.project, loaded, hook),
            loop_id: self.bound.as_ref().map_or("", |bound| &bound.id),
            iteration: self.iteration(),
            directory: self.project.root(),
            now: self.env.now,
            longest: self.give_time(hook),
        };
        failure::begin(self, hook);
        let heard = agent_messages::ask(asker, hook, facts, own);
        failure::note(self, hook, &heard);
        if !heard.programs.is_empty() {
            self.stirred.set(true);
        }
        heard
    }

    /// Gives a hook its time, within what the host grants the event, and answers what a program may take of it. The
    /// hook of a call has had the process's time already; one that fires in another's event, as a regression does,
    /// does not live on what that one has left.
    fn give_time(&self, hook: HookName) -> Option<Duration> {
        let granted = longest(&self.event.kind);
        let elapsed = self.env.started.elapsed();
        let left = granted.map_or(LONGEST_PROGRAM, |granted| granted.saturating_sub(elapsed));
        let own = self.definitions().definitions.execution.timeout(hook);
        // A session's own loop begins within its first call.
        if hook == HookName::LoopStart {
            return Some(own.map_or(BEGINNING, |own| own.min(BEGINNING)));
        }
        let of_the_call = matches!(hook, HookName::PreToolCall | HookName::PostToolCall);
        let own = own.map(|own| if of_the_call { own.saturating_sub(elapsed) } else { own });
        let limit = own.map_or(left, |own| own.min(left));
        if granted.is_some() && !of_the_call {
            last_word::set_deadline(Some(limit.max(ANSWERING)));
        }
        Some(limit.saturating_sub(ANSWERING.min(limit / 4)))
    }

    /// Adds a message for the person's eyes alone to this event's answer.
    pub fn tell_human(&mut self, message: String) {
        self.told.push(message);
    }

    /// How much is kept before a call, as configured.
    pub fn bounds(&self) -> Bounds<'static> {
        let limits = &self.config.checkpoints;
        Bounds {
            file_bytes: limits.max_file_mb.saturating_mul(1 << 20),
            total_bytes: limits.max_call_mb.saturating_mul(1 << 20),
            paths: usize::try_from(limits.max_call_files).unwrap_or(usize::MAX),
            ..Bounds::default()
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

    /// The session's loop; one is opened when there is none. `None` when the state can't be written: the guard then
    /// judges without remembering.
    pub fn ensure_loop(&mut self) -> Option<Bound> {
        if self.bound.is_none() {
            let session = self.event.session_id.as_deref()?;
            if let Err(problem) = self.open_implicit_loop(session) {
                self.problems.push(problem);
            }
        }
        self.bound.clone()
    }

    fn open_implicit_loop(&mut self, session: &str) -> Result<(), String> {
        let now = self.env.now;
        let id = loop_id::for_session(session, now);
        let mut state = LoopState::new(&id, "guarded session", now);
        state.kind = Kind::Implicit;
        state.session_id = Some(session.to_owned());
        state.iteration = 1;
        state.iteration_count = 1;
        state.detection_enabled = self.config.detection.mode != config::Mode::Off;
        state.working_directory = self.project.root().to_string_lossy().into_owned();
        state.baseline_metrics = Some(Baseline {
            captured_at: now,
            unavailable: Map::from_iter([
                ("test_count".to_owned(), Value::from("a guarded session counts no tests at its start")),
                ("coverage_percentage".to_owned(), Value::from("no coverage was measured")),
            ]),
            ..Baseline::default()
        });
        state.set_level(state.reinforcement_level, "Loop initialization", now);
        // A repository whose exclude file can't be written shows .aiwg as untracked, no more.
        exclude_from_git(self.project.root()).ok();
        state.write(&self.layout, Durability::Process).map_err(|error| error.to_string())?;
        let entry = state.registry_entry();
        let pruned = Registry::change(&self.layout, HOOK_WAIT, |registry| {
            registry.loops.insert(id.clone(), entry.clone());
            registry.bind(session, &id);
            registry.prune(now)
        })
        .map_err(|error| error.to_string())?;
        for old in pruned {
            std::fs::remove_dir_all(self.layout.loop_dir(&old)).ok();
        }
        let gap = crate::lifecycle::changes::untracked_changes::begin(self, &id);
        self.problems.extend(gap);
        self.bound = Some(Bound { id, entry });
        let heard = self.ask(HookName::LoopStart, &self.facts(), &Map::new());
        self.log("loop_start", Record::default().outcome("guarded session").heard(&heard));
        Ok(())
    }

    /// Changes the loop's state under its lock, and the registry's line when that differs. `None` when the state
    /// could not be read, locked or written: a problem is then noted and nothing has changed.
    pub fn change_state<T>(
        &mut self,
        durability: Durability,
        change: impl FnOnce(&mut LoopState) -> T,
    ) -> Option<T> {
        let id = self.bound.as_ref()?.id.clone();
        match change_state(&self.layout, &id, HOOK_WAIT, durability, self.env.now, change) {
            Ok(changed) => {
                self.bound = Some(Bound { id, entry: changed.entry });
                self.told.extend(changed.mended.clone());
                self.problems.extend(changed.mended);
                Some(changed.value)
            }
            Err(problem) => {
                self.problems.push(problem);
                None
            }
        }
    }

    /// Reads the loop's state without locking it.
    pub fn state(&self) -> Option<Rc<LoopState>> {
        LoopState::read_shared(&self.layout, &self.bound.as_ref()?.id).ok()
    }

    /// Reads what was last judged of the loop's files.
    pub fn watch(&self) -> Option<Watch> {
        Watch::read(&self.layout, &self.bound.as_ref()?.id)
    }

    /// Appends a line to the loop's log; a session without a loop has none.
    pub fn log(&self, hook: &str, record: Record) {
        let Some(bound) = &self.bound else { return };
        let audit = &self.definitions().definitions.audit;
        if !audit.log_all_hook_invocations && record.says_nothing() && self.problems.is_empty() {
            return;
        }
        let mut outcomes = record.outcomes;
        outcomes.extend(self.problems.iter().map(|problem| Value::from(format!("problem: {problem}"))));
        let line = Line {
            agents_invoked: record.agents,
            outcomes,
            state_changes: record.changes,
            duration_ms: self.env.started.elapsed().as_millis() as u64,
            ..Line::new(hook, &bound.id, bound.entry.iteration, jiff::Timestamp::now())
        };
        // A log that can't be written must not stop the guard, and there is nobody else to tell.
        audit::append(&self.layout.log(&bound.id), line).ok();
        failure::end(self, hook);
    }

    /// Whether `key` was said in this iteration already; remembers that it is said now.
    pub fn said_before(&self, key: &str) -> bool {
        let Some(bound) = &self.bound else { return false };
        let path = self.layout.loop_dir(&bound.id).join(format!("warned-{:03}.txt", bound.entry.iteration));
        let key = key.replace(['\n', '\r'], " ");
        if std::fs::read_to_string(&path).is_ok_and(|said| said.lines().any(|line| line == key)) {
            return true;
        }
        let file = std::fs::OpenOptions::new().create(true).append(true).open(&path);
        if let Ok(mut file) = file {
            std::io::Write::write_all(&mut file, format!("{key}\n").as_bytes()).ok();
        }
        false
    }
}

/// Changes a loop's state under its lock, and the registry's line of it when that differs.
pub fn change_state<T>(
    layout: &Layout,
    id: &str,
    wait: Duration,
    durability: Durability,
    now: jiff::Timestamp,
    change: impl FnOnce(&mut LoopState) -> T,
) -> Result<Changed<T>, String> {
    let lock_path = layout.loop_dir(id).join("state.lock");
    let lock = Lock::take(&lock_path, wait).map_err(|error| format!("{}: {error}", lock_path.display()))?;
    let Some(lock) = lock else {
        return Err(format!("{} is locked by another process; nothing was recorded", lock_path.display()));
    };
    let (mut state, mended) =
        LoopState::recover(layout, id, &lock, now).map_err(|error| error.to_string())?;
    let value = change(&mut state);
    state.name_records();
    state.last_updated = now;
    state.replace(layout, durability).map_err(|error| error.to_string())?;
    let entry = state.registry_entry();
    let same =
        |old: &Entry| Entry { last_active: entry.last_active, extra: Map::new(), ..old.clone() } == entry;
    let listed = Registry::read(layout).map(|registry| registry.loops).unwrap_or_else(|_| BTreeMap::new());
    if !listed.get(id).is_some_and(same) {
        Registry::change(layout, wait, |registry| {
            let extra = registry.loops.get(id).map(|old| old.extra.clone()).unwrap_or_default();
            registry.loops.insert(id.to_owned(), Entry { extra, ..entry.clone() });
            if entry.status.is_over() {
                registry.release(id);
            }
        })
        .map_err(|error| error.to_string())?;
    }
    let others = listed.iter().filter(|(other, entry)| {
        other.as_str() != id && entry.kind == Kind::Explicit && !entry.status.is_over()
    });
    crate::lifecycle::session::legacy::follow(
        layout,
        &state,
        others.count() + usize::from(!state.status.is_over()),
    );
    Ok(Changed { value, entry, mended })
}

/// A changed state.
#[derive(Debug)]
pub struct Changed<T> {
    /// What the change returned.
    pub value: T,
    /// The loop's line in the registry.
    pub entry: Entry,
    /// What had to be mended first: a damaged file that was set aside.
    pub mended: Option<String>,
}
