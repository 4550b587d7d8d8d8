//! A loop that begins: its criterion is run once, its baseline is measured, its state is written.
//!
//! Invariant: bytes come first, then the record that names them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::checkpoint::tree::KeptTree;
use crate::config::{Config, Mode};
use crate::definitions::LoadedDefinitions;
use crate::definitions::names::{Agent, HookName};
use crate::last_word;
use crate::lifecycle::context::agent_messages::AgentReplies;
use crate::lifecycle::context::{agent_messages, failure};
use crate::lifecycle::criterion::completion;
use crate::lifecycle::criterion::dependencies::{InstalledFiles, NotingBounds};
use crate::lifecycle::criterion::loop_contract::LoopContract;
use crate::lifecycle::hooks::loop_start::request::{Error, LoopRequest};
use crate::lifecycle::hooks::loop_start::to_error;
use crate::lifecycle::iteration::snapshot;
use crate::lifecycle::measuring::baseline;
use crate::lifecycle::measuring::baseline::BaselineMeasuring;
use crate::loops::criteria::Criteria;
use crate::loops::verification::VerificationResult;
use crate::loops::{learning, verification};
use crate::project::Project;
use crate::state::atomic::Durability;
use crate::state::layout::Layout;
use crate::state::lock::CLI_WAIT;
use crate::state::loop_state::FirstCheck;
use crate::state::loop_state::{Configuration, LoopState};
use crate::state::registry::Registry;
use crate::state::twice::DoubledFiles;

/// What a program may take of the time of a prompt that starts a loop.
const ASKING: Duration = Duration::from_secs(3);

/// What was checked of a request before anything is written: the loop's place, its criterion, its id.
pub(super) struct CheckedRequest {
    pub(super) layout: Layout,
    pub(super) criteria: Criteria,
    pub(super) id: String,
}

/// A loop that begins: what was asked for, and its state as far as it is made.
pub(super) struct StartingLoop<'a> {
    pub(super) project: &'a Project,
    pub(super) layout: Layout,
    request: &'a LoopRequest,
    pub(super) now: Timestamp,
    /// The loop's criterion, the scripts and configuration behind it, its scope.
    contract: LoopContract,
    /// What the criterion gave at the start.
    pub(super) first: VerificationResult,
    pub(super) state: LoopState,
    /// The baseline, with the files and the tests by name.
    taken: baseline::MeasuredBaseline,
    /// What the agents said.
    pub(super) heard: AgentReplies,
}

impl<'a> StartingLoop<'a> {
    /// Runs the criterion once, fixes what the loop is judged by, and makes its state.
    pub(super) fn of(
        project: &'a Project,
        request: &'a LoopRequest,
        checked: CheckedRequest,
        config: &Config,
        now: Timestamp,
    ) -> Self {
        let CheckedRequest { layout, criteria, id } = checked;
        let limit = request.first_check.min(Duration::from_secs(request.timeout_minutes.saturating_mul(60)));
        let folder: PathBuf = project.root().join(&request.folder).components().collect();
        let first = last_word::with_inherited_limits(|| verification::run(&criteria, &folder, limit, &[]));
        let contract = LoopContract {
            scope: request.scope.clone(),
            verify_original: request.verify_original,
            tests_run: completion::tests_run(&first),
            ..LoopContract::fix(project, &request.folder, &criteria)
        };
        let mut state = LoopState::new(&id, &request.task, now);
        state.completion_criteria = criteria.text;
        if let Some(failure) = first.first_failure() {
            let failing = learning::learn(&first, &[]).map(|learning| learning.failing).unwrap_or_default();
            let (command, reason) = (failure.command.clone(), failure.reason.clone());
            state.first_check = Some(FirstCheck { command, reason, failing });
        }
        state.session_id.clone_from(&request.session_id);
        state.working_directory = folder.to_string_lossy().into_owned();
        state.configuration = Configuration {
            max_iterations: request.max_iterations,
            timeout_minutes: Some(request.timeout_minutes),
            commit_iterations: request.commit.then_some(true),
            scope: (!request.scope.is_empty()).then(|| request.scope.clone()),
            folder: (!request.folder.is_empty()).then(|| request.folder.clone()),
            driver: request.driver.clone(),
            ..Configuration::default()
        };
        state.detection_enabled = config.detection.mode != Mode::Off;
        state.set_level(state.reinforcement_level, "Loop initialization", now);
        let (taken, heard) = (baseline::MeasuredBaseline::default(), AgentReplies::default());
        StartingLoop { project, layout, request, now, contract, first, state, taken, heard }
    }

    /// Measures the baseline, and asks the agents, which may know of more.
    pub(super) fn measure(
        &mut self,
        definitions: &LoadedDefinitions,
        config: &Config,
        measuring: &mut BaselineMeasuring,
    ) {
        self.taken = baseline::take(self.project, config, measuring, self.now);
        self.taken.tests.ran = completion::names_run(&self.first);
        self.state.baseline_metrics = Some(self.taken.baseline.clone());
        let longest = self.request.session_id.as_ref().map(|_| ASKING);
        self.heard = agent_messages::ask_of_loop(
            self.project,
            definitions,
            HookName::LoopStart,
            &self.state,
            longest,
            self.now,
        );
        if let Some(Value::Object(measured)) = self.heard.program_says(Agent::ProgressTracker, "baseline") {
            add_measured(&mut self.state, measured);
        }
        failure::of_start(&mut self.state, &self.heard, &definitions.definitions, self.now);
    }

    /// Keeps the tree as it is. Answers what was kept, or why nothing was.
    pub(super) fn keep_tree(&mut self) -> Result<KeptTree, String> {
        let in_hook = !self.is_at_terminal();
        let kept = snapshot::baseline(self.project, &self.state, in_hook, self.now);
        if let Ok(taken) = &kept {
            let manifest = taken.manifest.strip_prefix(self.project.root()).unwrap_or(&taken.manifest);
            self.state.baseline_snapshot = Some(manifest.to_string_lossy().into_owned());
        }
        kept
    }

    /// Writes the state and what stands beside it.
    pub(super) fn write(&self) -> Result<(), Error> {
        let (layout, id) = (&self.layout, &self.state.loop_id);
        self.state.write(layout, Durability::Power).map_err(to_error)?;
        if let Some(name) =
            self.state.baseline_snapshot.as_deref().and_then(|path| Path::new(path).file_name())
        {
            DoubledFiles::of_loop(layout, id).keep(&format!("checkpoints/{}", name.to_string_lossy()));
        }
        self.taken.watch.write(layout, id).map_err(to_error)?;
        self.taken.tests.write(layout, id).map_err(to_error)?;
        self.contract.write(layout, id).map_err(to_error)?;
        if self.request.verify_original {
            let bounds = if self.is_at_terminal() { NotingBounds::PATIENT } else { NotingBounds::HOOK };
            InstalledFiles::note(self.project.root(), bounds).write(layout, id).map_err(to_error)?;
        }
        let entered = Registry::change(layout, CLI_WAIT, |registry| {
            registry.loops.insert(id.clone(), self.state.registry_entry());
            if let Some(session) = &self.request.session_id {
                registry.bind(session, id);
            }
        });
        entered.map_err(to_error)
    }

    /// Whether a person waits at a terminal, so that keeping files may take as long as it takes.
    fn is_at_terminal(&self) -> bool {
        self.request.session_id.is_none() || self.request.driver.is_some()
    }
}

/// What a program of the project measured besides, or better.
fn add_measured(state: &mut LoopState, measured: &Map<String, Value>) {
    let Ok(Value::Object(mut baseline)) = serde_json::to_value(&state.baseline_metrics) else { return };
    baseline.extend(measured.iter().map(|(name, value)| (name.clone(), value.clone())));
    if let Ok(baseline) = serde_json::from_value(Value::Object(baseline)) {
        state.baseline_metrics = Some(baseline);
    }
}
