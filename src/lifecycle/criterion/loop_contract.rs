//! The contract that a loop was started on: its criterion, what stands behind it, and where it may write.
//!
//! It is fixed when a person starts the loop. What changes afterwards is a regression until it is back or a person
//! accepts it; the verification always runs the criterion as it was fixed.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::config::globs;
use crate::detectors::session_patterns::{CRITERION_CHANGED, OUTSIDE_OF_SCOPE};
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::criterion::dependencies::{ChangedPackage, InstalledFiles};
use crate::loops::criteria::Criteria;
use crate::loops::criterion_inputs;
use crate::loops::criterion_inputs::CriterionInput;
use crate::model::finding::{Change, Finding, RegressionType};
use crate::project::Project;
use crate::state::atomic::Durability;
use crate::state::layout::Layout;
use crate::state::loop_state::LoopState;
use crate::state::twice::DoubledFiles;

/// The contract's name in the loop's directory.
const FILE: &str = "terms.json";
/// Installed packages that are named one by one.
const NAMED: usize = 20;
/// What is shown of a script.
const SHOWN: usize = 120;
/// Files that are larger steer no test run, bytes.
const LARGEST: u64 = 1 << 20;

/// The contract of one loop.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LoopContract {
    /// The completion criterion's text.
    pub criteria: String,
    /// The folder in which its commands run, relative to the project; empty: the project's own.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub folder: String,
    /// What stands behind its commands.
    pub parts: Vec<CriterionInput>,
    /// Globs of the files that the loop may write; none: all of the project.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scope: Vec<String>,
    /// Whether a pass counts only if the tests of the loop's start pass too.
    pub verify_original: bool,
    /// How many tests the commands ran at the start, where their output says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tests_run: Option<u64>,
}

impl LoopContract {
    /// The contract as the project is now, of commands that run in `folder`, which is relative to it.
    pub fn fix(project: &Project, folder: &str, criteria: &Criteria) -> LoopContract {
        let commands: Vec<&str> = criteria.checks.iter().map(|check| check.command()).collect();
        let read = |path: &str| text_of(&project.root().join(path));
        let parts = criterion_inputs::parts(&commands, Path::new(folder), &read);
        let (criteria, folder) = (criteria.text.clone(), folder.to_owned());
        LoopContract { criteria, folder, parts, ..LoopContract::default() }
    }

    /// Reads a loop's contract; `None` for a loop that was begun without one, or whose file is lost.
    pub fn read(layout: &Layout, loop_id: &str) -> Option<LoopContract> {
        serde_json::from_slice(&DoubledFiles::of_loop(layout, loop_id).read(FILE).ok()?).ok()
    }

    /// Writes a loop's contract.
    pub fn write(&self, layout: &Layout, loop_id: &str) -> io::Result<()> {
        let bytes = serde_json::to_vec_pretty(self)?;
        DoubledFiles::of_loop(layout, loop_id).write(FILE, &bytes, Durability::Power)
    }

    /// What is not as it was fixed.
    pub fn broken(&self, project: &Project, state: &LoopState) -> Vec<Finding> {
        let mut findings: Vec<Finding> = self
            .parts
            .iter()
            .filter_map(|part| {
                let now = text_of(&project.root().join(&part.file));
                changed(part, part.read(now.as_deref()))
            })
            .collect();
        if state.completion_criteria != self.criteria {
            let what = format!(
                "the loop's completion criterion was \"{}\" and the state says \"{}\"",
                self.criteria, state.completion_criteria
            );
            findings.push(finding("the completion criterion", "state.json", what));
        }
        findings
    }

    /// What these changes would break.
    fn broken_by(&self, changes: &[Change]) -> Vec<Finding> {
        let of = |part: &CriterionInput| changes.iter().find(|change| change.path == part.file);
        let broken = self.parts.iter().filter_map(|part| {
            let change = of(part)?;
            let now = part.read(change.after.as_deref());
            // What was broken before this call is no fault of it, and the way back passes.
            let was = part.read(change.before.as_deref());
            changed(part, now.clone()).filter(|_| now != was)
        });
        broken.collect()
    }

    /// What a file outside of the scope is told as.
    pub(super) fn outside(&self, path: &str) -> Option<Finding> {
        if self.scope.is_empty() || path.starts_with(".aiwg/") || globs::any(&self.scope, path) {
            return None;
        }
        let scope = self.scope.join(", ");
        let what = format!("{path} is outside of the scope that this loop was started with ({scope})");
        Some(OUTSIDE_OF_SCOPE.finding(path, what))
    }
}

/// What a call would break of the contract of the loop that runs in this session.
pub fn judge_call(context: &HookContext, changes: &[Change]) -> Vec<Finding> {
    if !context.in_explicit_loop() || changes.is_empty() {
        return Vec::new();
    }
    let Some(contract) =
        context.bound.as_ref().and_then(|bound| LoopContract::read(&context.layout, &bound.id))
    else {
        return Vec::new();
    };
    contract.broken_by(changes)
}

/// What is broken of the session's loop's contract now, whoever broke it.
pub fn judge_now(context: &HookContext) -> Vec<Finding> {
    let Some(state) = context.state().filter(|_| context.in_explicit_loop()) else { return Vec::new() };
    let Some(contract) = LoopContract::read(&context.layout, &state.loop_id) else { return Vec::new() };
    let mut findings = contract.broken(&context.project, &state);
    if contract.verify_original
        && let Some(installed) = InstalledFiles::read(&context.layout, &state.loop_id)
    {
        findings.extend(reinstalled(installed.changed(context.project.root())));
    }
    findings
}

/// The packages that are not as they were installed.
fn reinstalled(changed: Vec<ChangedPackage>) -> Vec<Finding> {
    let more = changed.len().saturating_sub(NAMED);
    let one = |ChangedPackage { package, what }: ChangedPackage| {
        finding(
            "the installed files",
            &package,
            format!("an installed package is not as at the start: {what}"),
        )
    };
    let mut findings: Vec<Finding> = changed.into_iter().take(NAMED).map(one).collect();
    if more > 0 {
        let what = format!("{more} further installed packages are not as at the start");
        findings.push(finding("further installed packages", "the dependencies", what));
    }
    for finding in &mut findings {
        finding.mend =
            "With --verify-original a loop is judged with the packages that were installed at its start. \
                        Installed again as the lockfile says, they count; a person can accept other ones."
                .to_owned();
    }
    findings
}

/// Whether nothing of these names is broken any more.
pub fn is_whole(context: &HookContext, lost: &[String]) -> bool {
    let broken = judge_now(context);
    !broken.iter().flat_map(Finding::lost_names).any(|name| lost.contains(&name))
}

fn changed(part: &CriterionInput, now: Option<String>) -> Option<Finding> {
    if now == part.says {
        return None;
    }
    let what = match (&part.says, &now) {
        (Some(was), Some(now)) => format!("{} was {} and is {}", part.name(), shown(was), shown(now)),
        (Some(was), None) => format!("{} is gone; it was {}", part.name(), shown(was)),
        (None, _) => format!("{} is new, and steers the runs that this loop is judged by", part.name()),
    };
    Some(finding(&part.name(), &part.file, what))
}

fn finding(name: &str, file: &str, what: String) -> Finding {
    Finding {
        regression_type: Some(RegressionType::ValidationBypass),
        lost: vec![name.to_owned()],
        ..CRITERION_CHANGED.finding(file, what)
    }
}

fn shown(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = line.chars().take(SHOWN).collect();
    if short.len() < line.len() { format!("`{short}…`") } else { format!("`{short}`") }
}

fn text_of(path: &Path) -> Option<String> {
    let metadata = std::fs::metadata(path).ok()?;
    let bytes =
        (metadata.is_file() && metadata.len() <= LARGEST).then(|| std::fs::read(path).ok()).flatten()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
