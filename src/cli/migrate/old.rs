//! The loops that others began in a project, whatever form their files have.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use jiff::Timestamp;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::plugin_file::{self, PluginLoop};
use crate::lifecycle::hooks::loop_start;
use crate::model::finding;
use crate::project::Project;
use crate::state::hex::hex;
use crate::state::layout::Layout;
use crate::state::registry::Registry;
use crate::state::{legacy, own_file};

/// The longest file that is read, in bytes.
const LONGEST: u64 = 4 << 20;

/// Who wrote a loop's file, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum OldLoopFormat {
    /// `.claude/ralph-loop.local.md`, with the words that end the plugin's loop.
    Plugin { promise: Option<String>, iteration: u32 },
    /// `.aiwg/ralph/current-loop.json`.
    CurrentLoop,
    /// `.aiwg/ralph/loops/ID/state.json` of AIWG, which is a loop here already where the registry names it.
    State { iteration: u64, is_known: bool },
}

/// A loop that somebody else began.
#[derive(Debug, Clone)]
pub(super) struct OldLoop {
    /// Where it stands.
    pub(super) file: PathBuf,
    pub(super) form: OldLoopFormat,
    /// The id that it has here, the same each time.
    pub(super) id: String,
    pub(super) task: String,
    pub(super) criteria: Option<String>,
    pub(super) max_iterations: Option<u32>,
    pub(super) timeout_minutes: Option<u64>,
    pub(super) active: bool,
}

/// Every such loop of the project.
pub(super) fn loops(project: &Project, layout: &Layout) -> Result<Vec<OldLoop>> {
    let mut all = Vec::new();
    let file = project.root().join(plugin_file::FILE);
    if file.is_file() {
        let text = own_file::read_within(&file, LONGEST)
            .with_context(|| format!("failed to read {}", file.display()))?;
        let read = plugin_file::read(&String::from_utf8_lossy(&text));
        let read = read.with_context(|| format!("{} has no head between two lines `---`", file.display()))?;
        all.push(of_plugin(file, read));
    }
    let file = layout.current_loop();
    let current = legacy::read(layout).with_context(|| format!("{} is no JSON object", file.display()))?;
    // One with a loop's id is our own mirror.
    if let Some(current) = current.filter(|it| it.loop_id.is_none() && !it.task.trim().is_empty()) {
        all.push(OldLoop {
            file,
            form: OldLoopFormat::CurrentLoop,
            id: id_of(&current.task, current.start_time.unwrap_or_default()),
            task: current.task,
            criteria: Some(current.completion).filter(|it| !it.trim().is_empty()),
            max_iterations: current.max_iterations,
            timeout_minutes: current.timeout_minutes,
            active: current.active,
        });
    }
    all.extend(of_states(layout));
    Ok(all)
}

fn of_plugin(file: PathBuf, read: PluginLoop) -> OldLoop {
    let began = read.started_at.unwrap_or(Timestamp::UNIX_EPOCH);
    OldLoop {
        file,
        id: id_of(&read.prompt, began),
        task: read.prompt,
        criteria: None,
        // The plugin's 0 stands for no limit.
        max_iterations: Some(read.max_iterations).filter(|most| *most > 0),
        timeout_minutes: None,
        active: read.active,
        form: OldLoopFormat::Plugin { promise: read.promise, iteration: read.iteration },
    }
}

/// The same id each time, so that no loop is taken over twice.
fn id_of(task: &str, began: Timestamp) -> String {
    let digest = Sha256::digest(format!("{began} {task}").as_bytes());
    format!("ralph-taken-{}", hex(digest.get(..4).unwrap_or_default()))
}

/// States below `loops/` that Steadfast has not written.
fn of_states(layout: &Layout) -> Vec<OldLoop> {
    let known = Registry::read(layout).unwrap_or_default();
    let entries = fs::read_dir(layout.loops()).into_iter().flatten().flatten();
    let foreign = entries.filter_map(|entry| {
        let folder = entry.path();
        let name = folder.file_name()?.to_str()?.to_owned();
        let file = folder.join("state.json");
        if folder.join("state.seal").exists() {
            return None;
        }
        let state: Value = serde_json::from_slice(&own_file::read_within(&file, LONGEST).ok()?).ok()?;
        of_state(file, &name, &state, known.loops.contains_key(&name))
    });
    let mut all: Vec<OldLoop> = foreign.collect();
    all.sort_by(|a, b| a.file.cmp(&b.file));
    all
}

/// A state in either of AIWG's forms.
fn of_state(file: PathBuf, name: &str, state: &Value, is_known: bool) -> Option<OldLoop> {
    let text = |names: [&str; 2]| names.iter().find_map(|name| state[*name].as_str()).map(str::to_owned);
    let number = |names: [&str; 2]| {
        names.iter().find_map(|name| state[*name].as_u64().or_else(|| state["configuration"][*name].as_u64()))
    };
    let task = text(["task", "task_summary"]).filter(|task| !task.trim().is_empty())?;
    let status = state["status"].as_str();
    let is_active = matches!(status, Some("running" | "paused" | "waiting" | "crashed"));
    Some(OldLoop {
        file,
        form: OldLoopFormat::State {
            iteration: number(["iteration", "currentIteration"]).unwrap_or_default(),
            is_known,
        },
        id: if is_known { name.to_owned() } else { format!("{name}-taken") },
        task,
        criteria: text(["completion_criteria", "completion"]).filter(|it| !it.trim().is_empty()),
        max_iterations: number(["max_iterations", "maxIterations"]).and_then(|most| u32::try_from(most).ok()),
        timeout_minutes: number(["timeout_minutes", "timeoutMinutes"]),
        active: is_active || (status.is_none() && state["active"] == true),
    })
}

impl OldLoop {
    /// What of it holds, in words.
    pub(super) fn in_words(&self, until: Option<&str>) -> String {
        let criteria = until.or(self.criteria.as_deref());
        let until = criteria.map_or_else(String::new, |criteria| format!(", until {criteria}"));
        let most = self
            .max_iterations
            .map_or_else(String::new, |most| format!(", up to {}", finding::counted(most, "iteration")));
        let task = crate::text::headline::cut(&crate::text::headline::one_line(&self.task), 80);
        format!("\"{task}\"{until}{most}")
    }

    /// Why it can't be taken over, and what helps.
    pub(super) fn why_not(&self, why: &loop_start::Error) -> String {
        match (&self.form, why) {
            (OldLoopFormat::Plugin { promise: Some(promise), .. }, loop_start::Error::NoCriteria) => format!(
                "its end is the agent's word (<promise>{promise}</promise>), which Steadfast does not take; name a command \
                 that decides: `steadfast migrate --until \"npm test passes\"`"
            ),
            (_, loop_start::Error::NoCriteria) => {
                "it names no command that says when it is done: `steadfast migrate --until \
                                                   \"npm test passes\"`"
                    .to_owned()
            }
            (_, other) => other.to_string(),
        }
    }

    /// What of it has no place here.
    pub(super) fn losses(&self) -> Vec<String> {
        let counted = |done: u64| {
            let done = finding::counted(done, "iteration");
            format!(
                "what it has done so far ({done}) is not counted: the loop begins anew, with a baseline of now"
            )
        };
        match &self.form {
            OldLoopFormat::CurrentLoop => Vec::new(),
            OldLoopFormat::State { iteration: 0, .. } => Vec::new(),
            OldLoopFormat::State { iteration, .. } => vec![counted(*iteration)],
            OldLoopFormat::Plugin { promise, iteration } => {
                let mut all = vec![
                    "the file stays, and the plugin goes on with its own loop until `/ralph-loop:cancel-ralph` or until \
                     you delete it"
                        .to_owned(),
                ];
                all.extend(promise.as_ref().map(|promise| {
                    format!("`<promise>{promise}</promise>` ends nothing here: the command decides")
                }));
                // The plugin counts the iteration that goes on.
                all.extend((*iteration > 1).then(|| counted(u64::from(iteration - 1))));
                if self.max_iterations.is_none() {
                    all.push("it has no limit of iterations; a loop here has 10 unless `steadfast loop resume` raises it".to_owned());
                }
                all
            }
        }
    }
}
