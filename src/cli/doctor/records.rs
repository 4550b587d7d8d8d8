//! The project's own side: configuration, definitions, state, log, witness, permissions, and the events that came.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use jiff::Timestamp;
use rustix::fs::{Access, access};

use super::diagnosis::{DoctorFinding, Fix, Outcome};
use crate::checkpoint::journal::Journal;
use crate::checkpoint::store::Store;
use crate::cli::checkpoint::size_line;
use crate::cli::guard::{shown, switched_off};
use crate::cli::log;
use crate::config::{self, Config};
use crate::definitions::{self, model::Definitions};
use crate::detectors::is_known;
use crate::model::finding::counted;
use crate::state::audit::{self, Line, LineRemark};
use crate::state::layout::Layout;
use crate::state::registry::Registry;

/// From here on the space that checkpoints take is worth a warning, megabytes.
const SIZE_WARNING_MB: u64 = 2_000;
/// What is read of a log's end for its newest line, in bytes.
const TAIL: u64 = 64 << 10;

/// The configuration and the hook definitions, and whether they keep the guard on.
pub(super) fn configuration(project: &Path) -> Vec<DoctorFinding> {
    const CHECK: &str = "configuration";
    let problems = Config::load(&project.join(config::FILE)).of_known(is_known).problems;
    let defined = Definitions::read(project).problems;
    let mut findings = Vec::new();
    if let Some(notice) = config::notice(&problems) {
        findings.push(
            DoctorFinding::new(CHECK, Outcome::Warning, notice)
                .mend("`steadfast config check` shows each line"),
        );
    }
    if let Some(notice) = definitions::problem::notice(definitions::FILE, &defined) {
        findings.push(
            DoctorFinding::new(CHECK, Outcome::Warning, notice)
                .mend("`steadfast hooks check` shows each line"),
        );
    }
    if findings.is_empty() {
        let there = if project.join(config::FILE).exists() {
            "aiwg.yml is valid"
        } else {
            "no aiwg.yml: the defaults hold"
        };
        findings.push(DoctorFinding::ok(CHECK, there));
    }
    if let Some(why) = switched_off(project) {
        let mend = "take that line out of aiwg.yml; the next session is guarded";
        findings.push(DoctorFinding::new("switch", Outcome::Fault, why).mend(mend));
    }
    findings
}

/// The state: whether it can be read and is as the hooks left it.
pub(super) fn state(project: &Path, layout: &Layout) -> Vec<DoctorFinding> {
    const CHECK: &str = "state";
    if !layout.root().exists() {
        return vec![DoctorFinding::ok(CHECK, "no session has left anything here yet")];
    }
    let mut findings = Vec::new();
    if let Err(error) = Registry::read(layout) {
        let says = format!("the list of loops can't be read: {error}");
        let mend = "the next event makes it anew from the loops' own files, and keeps the damaged one";
        findings.push(DoctorFinding::new(CHECK, Outcome::Warning, says).mend(mend));
    }
    findings.extend(changed_logs(layout));
    let store = Store::of_project(project);
    if let Ok(Some(_)) = Journal::read(&store) {
        let says = "an undo was cut short: some files are back and some are not";
        findings.push(
            DoctorFinding::new(CHECK, Outcome::Warning, says).mend("`steadfast undo --continue` finishes it"),
        );
    }
    let most = Config::read(project).0.checkpoints.max_total_mb;
    let size = size_line(&store, SIZE_WARNING_MB, most);
    findings.extend(size.map(|line| DoctorFinding::new(CHECK, Outcome::Note, line)));
    findings.extend(gone(layout));
    if findings.is_empty() {
        let loops = log::logs(layout).map(|logs| logs.len()).unwrap_or_default();
        findings.push(DoctorFinding::ok(
            CHECK,
            format!("{} and their logs are as the hooks left them", counted(loops, "loop")),
        ));
    }
    findings
}

/// Logs that something else has written to.
fn changed_logs(layout: &Layout) -> Vec<DoctorFinding> {
    let changed = |id: String| {
        let report = audit::verify_log(&layout.log(&id)).ok()?;
        let fault = report.faults.first().map(LineRemark::in_words)?;
        let says = format!("the log of loop {id} was changed by something else: {fault}");
        Some(
            DoctorFinding::new("state", Outcome::Fault, says)
                .mend(format!("`steadfast log verify {id}` shows all of it")),
        )
    };
    let logs = log::logs(layout).unwrap_or_default();
    logs.into_iter().filter_map(|(_, id)| changed(id)).collect()
}

/// Loops whose client is gone without a word.
fn gone(layout: &Layout) -> Option<DoctorFinding> {
    let now = Timestamp::now();
    let gone = crate::lifecycle::session::liveness::gone(layout, now);
    if gone.is_empty() {
        return None;
    }
    let says = format!("the client of {} is gone: {}", counted(gone.len(), "open loop"), gone.join(", "));
    let finding = DoctorFinding::new("state", Outcome::Note, says);
    Some(finding.mend("the next session puts them aside; so does `steadfast status`").fix(Fix::PutAside))
}

/// Whether what must be written can be.
pub(super) fn permissions(project: &Path, layout: &Layout) -> Vec<DoctorFinding> {
    const CHECK: &str = "permissions";
    let mut findings = Vec::new();
    let root = layout.root();
    let first = root.ancestors().find(|folder| folder.exists()).unwrap_or(project);
    if access(first, Access::WRITE_OK).is_err() {
        let says = format!(
            "{} can't be written: nothing can be recorded, and no bytes are kept for an undo",
            shown(first)
        );
        findings.push(
            DoctorFinding::new(CHECK, Outcome::Fault, says)
                .mend(format!("give yourself the right to write {}", shown(first))),
        );
    }
    findings.extend(owned_by_others(root));
    findings.extend(copy_outside(layout));
    if findings.is_empty() {
        findings.push(DoctorFinding::ok(
            CHECK,
            format!("{} and the copy outside of it can be written", shown(first)),
        ));
    }
    findings.extend(shown_by_git(project, layout));
    findings
}

/// Whether what must not be forgotten can be kept outside of the project too.
fn copy_outside(layout: &Layout) -> Option<DoctorFinding> {
    const LOST: &str = "what is lost of the state would not be noticed";
    let warning = |says: String| DoctorFinding::new("permissions", Outcome::Warning, says);
    let Ok(folder) = layout.outside() else {
        let says = format!("neither HOME nor XDG_STATE_HOME names a folder: {LOST}");
        return Some(warning(says).mend("set HOME"));
    };
    let there = folder.ancestors().find(|folder| folder.exists())?;
    access(there, Access::WRITE_OK).is_err().then(|| {
        let mend = format!("give yourself the right to write {}, or set XDG_STATE_HOME", shown(there));
        warning(format!("{} can't be written: {LOST}", shown(there))).mend(mend)
    })
}

/// Files of the state that belong to somebody else, as after a session that ran with `sudo`.
fn owned_by_others(root: &Path) -> Option<DoctorFinding> {
    let own = rustix::process::geteuid().as_raw();
    let entries = fs::read_dir(root).ok()?.flatten();
    let foreign = entries.filter(|entry| entry.metadata().is_ok_and(|found| found.uid() != own));
    let name = foreign.map(|entry| entry.path()).next()?;
    let says = format!("{} belongs to another user", shown(&name));
    let mend = format!("sudo chown -R \"$USER\" {}", shown(root));
    Some(DoctorFinding::new("permissions", Outcome::Warning, says).mend(mend))
}

/// Whether git would offer the state to be committed.
fn shown_by_git(project: &Path, layout: &Layout) -> Option<DoctorFinding> {
    let git = crate::project::Git::at(project);
    if !layout.root().exists() || git.top().is_none() {
        return None;
    }
    let root = layout.root().to_owned();
    let is_ignored = git.ignored(&[root.join("registry.json")])?;
    if !is_ignored.is_empty() {
        return None;
    }
    let says = format!("git shows {} as new files", shown(&root));
    let finding = DoctorFinding::new("permissions", Outcome::Warning, says);
    Some(finding.mend("put `/.aiwg/ralph/` into .git/info/exclude").fix(Fix::Exclude))
}

/// The newest event that came from a session in this project.
pub(super) fn newest_event(layout: &Layout) -> Option<Line> {
    let logs = log::logs(layout).ok()?;
    let (_, id) = logs.last()?;
    let lines: io::Result<Vec<Line>> = audit::newest(&layout.hook_log(id), TAIL);
    lines.ok()?.into_iter().next()
}

/// What was seen of events.
pub(super) fn events(newest: Option<&Line>) -> DoctorFinding {
    const CHECK: &str = "events";
    match newest {
        Some(line) => {
            let at = line.timestamp.strftime("%FT%TZ");
            DoctorFinding::ok(
                CHECK,
                format!("the newest event came at {at} ({}, {})", line.hook_name, line.loop_id),
            )
        }
        None => DoctorFinding::new(
            CHECK,
            Outcome::Note,
            "no session that changed files has been seen in this project yet",
        ),
    }
}
