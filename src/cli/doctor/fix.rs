//! What `steadfast doctor --fix` does: what can be taken back, and nothing that is a person's choice.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use anyhow::{Context, Result};
use jiff::Timestamp;

use super::diagnosis::{DoctorFinding, Fix};
use crate::cli::guard::shown;
use crate::cli::install::{self, ScopeArg};
use crate::lifecycle::session::liveness;
use crate::project::exclude_from_git;
use crate::state::layout::Layout;

/// Mends what is safe to mend. Answers what was done, and what could not be.
pub(super) fn mend(findings: &[DoctorFinding], start: &Path, project: &Path, layout: &Layout) -> Vec<String> {
    let mut done: Vec<&Fix> = Vec::new();
    let mut said = Vec::new();
    for fix in findings.iter().filter_map(|finding| finding.fix.as_ref()) {
        if done.contains(&fix) {
            continue;
        }
        done.push(fix);
        said.push(one(fix, start, project, layout).unwrap_or_else(|error| format!("not mended: {error:#}")));
    }
    said
}

fn one(fix: &Fix, start: &Path, project: &Path, layout: &Layout) -> Result<String> {
    match fix {
        Fix::Register { scope, fail_closed } => {
            let scope = match *scope {
                "user" => ScopeArg::User,
                "project" => ScopeArg::Project,
                _ => ScopeArg::Local,
            };
            let file = install::register_again(start, scope, *fail_closed)?;
            Ok(format!("registered every event in {}", shown(&file)))
        }
        Fix::Executable(path) => {
            fs::set_permissions(path, Permissions::from_mode(0o755))
                .with_context(|| format!("cannot change {}", shown(path)))?;
            Ok(format!("made {} executable", shown(path)))
        }
        Fix::PutAside => {
            let gone = liveness::put_aside_crashed(layout, Timestamp::now());
            let resumed = gone.iter().map(|id| format!("; `steadfast loop resume {id}` goes on with it"));
            Ok(format!("put the loops aside whose client is gone{}", resumed.collect::<String>()))
        }
        Fix::Exclude => {
            exclude_from_git(project).context("cannot write git's list of ignored files")?;
            Ok("put the state into git's own list of ignored files".to_owned())
        }
    }
}
