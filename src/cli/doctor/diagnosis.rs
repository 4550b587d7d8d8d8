//! What `steadfast doctor` has found out, for people and for programs.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

/// How one look came out, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// All is as it should be.
    Ok,
    /// Something to know, and nothing to mend.
    Note,
    /// It guards, but not as well as it could.
    Warning,
    /// Something is not guarded, or would not be when it is needed.
    Fault,
}

impl Outcome {
    /// The word that people read.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Ok => "ok",
            Outcome::Note => "note",
            Outcome::Warning => "warning",
            Outcome::Fault => "fault",
        }
    }
}

/// What `steadfast doctor --fix` can do about a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fix {
    /// Register the hooks anew in the settings of this scope, in this folder.
    Register {
        /// The scope's name.
        scope: &'static str,
        /// Whether a failing hook blocks a call there.
        fail_closed: bool,
    },
    /// Make a file of ours executable.
    Executable(PathBuf),
    /// Put the loops aside whose client is gone.
    PutAside,
    /// Keep our state out of what git shows.
    Exclude,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Finding")]
pub struct DoctorFinding {
    /// What was looked at.
    pub check: &'static str,
    /// How it came out.
    pub outcome: Outcome,
    /// What was found.
    pub says: String,
    /// How it is mended, where there is something to mend.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mend: Option<String>,
    /// Whether `--fix` does that.
    pub fixable: bool,
    /// What it does.
    #[serde(skip)]
    #[schemars(skip)]
    pub fix: Option<Fix>,
}

impl DoctorFinding {
    /// A finding without anything to mend.
    pub fn new(check: &'static str, outcome: Outcome, says: impl Into<String>) -> DoctorFinding {
        DoctorFinding { check, outcome, says: says.into(), mend: None, fixable: false, fix: None }
    }

    /// All is well.
    pub fn ok(check: &'static str, says: impl Into<String>) -> DoctorFinding {
        DoctorFinding::new(check, Outcome::Ok, says)
    }

    /// The same with the way to mend it.
    pub fn mend(self, mend: impl Into<String>) -> DoctorFinding {
        DoctorFinding { mend: Some(mend.into()), ..self }
    }

    /// The same with what `--fix` does.
    pub fn fix(self, fix: Fix) -> DoctorFinding {
        DoctorFinding { fixable: true, fix: Some(fix), ..self }
    }
}

/// The whole of it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Diagnosis {
    /// This command's version.
    pub version: &'static str,
    /// The folder that a session would be started in.
    pub folder: PathBuf,
    /// The project around it.
    pub project: PathBuf,
    /// Whether a session that is started in the folder is guarded, as far as files and a trial can tell.
    pub guarded: bool,
    /// Why, or why not.
    pub why: String,
    /// The findings, in the order of looking.
    pub findings: Vec<DoctorFinding>,
    /// What `--fix` has done.
    pub fixed: Vec<String>,
}

impl Diagnosis {
    /// The worst of the findings.
    pub fn worst(&self) -> Outcome {
        self.findings.iter().map(|finding| finding.outcome).max().unwrap_or(Outcome::Ok)
    }
}
