//! Past sessions: each call judged as it would have been before it ran.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use super::said::{Audit, AuditVerdict, Said, SaidAt, brief};
use crate::agents::laziness_detector;
use crate::cli::progress;
use crate::cli::transcripts::{self, EditedText, SessionTexts, TranscriptCall};
use crate::config::Config;
use crate::lifecycle::call::explain;
use crate::model::finding::{Change, Severity};
use crate::project::Project;

/// The tools that change something and whose calls a transcript tells in full.
const EDITS: &[&str] = &["Edit", "Write", "MultiEdit"];

/// Audits the transcripts below a folder.
pub(super) fn audit(folder: &Path, files: &[PathBuf]) -> Audit {
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_else(|| PathBuf::from("/"));
    let mut audit = Audit { of: folder.display().to_string(), kind: "session", ..Audit::default() };
    let mut sessions = BTreeSet::new();
    progress::shown("reading transcripts", |meter| {
        meter.expect(files.len());
        for file in files {
            let calls = transcripts::calls(file);
            sessions.extend(calls.iter().map(|call| call.session.clone()));
            let name = file.strip_prefix(folder).unwrap_or(file).display().to_string();
            let name = if name.is_empty() { file.display().to_string() } else { name };
            let mut session = AuditedSession::of(name, &home, &mut audit);
            calls.iter().for_each(|call| session.judge(call));
            meter.tick();
        }
    });
    audit.sources = sessions.len();
    audit.grouped()
}

/// A session that is gone through.
struct AuditedSession<'a> {
    /// The transcript's name.
    name: String,
    home: &'a Path,
    audit: &'a mut Audit,
    texts: SessionTexts,
    /// What it has changed so far, by file: from what it found to what it left.
    changed: HashMap<PathBuf, Change>,
    /// What is at risk is told once.
    told: BTreeSet<String>,
    projects: HashMap<PathBuf, (Project, Config)>,
}

impl<'a> AuditedSession<'a> {
    fn of(name: String, home: &'a Path, audit: &'a mut Audit) -> AuditedSession<'a> {
        let (texts, changed, told, projects) = Default::default();
        AuditedSession { name, home, audit, texts, changed, told, projects }
    }

    fn judge(&mut self, call: &TranscriptCall) {
        self.texts.read(call);
        if let Some(command) = call.command() {
            self.audit.judged += 1;
            self.command(call, command);
        } else if EDITS.contains(&call.tool.as_str()) {
            match self.texts.edited(call) {
                Some(edited) => self.edit(call, edited),
                None => self.audit.not_judged += 1,
            }
        } else if call.tool == "NotebookEdit" {
            self.audit.not_judged += 1;
        }
    }

    fn place(&self, call: &TranscriptCall, what: &str) -> SaidAt {
        SaidAt {
            at: call.at,
            place: format!("{}:{}", self.name, call.line),
            call: brief(&format!("{} {what}", call.tool)),
        }
    }

    fn project(&mut self, cwd: &Path) -> &(Project, Config) {
        self.projects.entry(cwd.to_owned()).or_insert_with(|| {
            let project = Project::locate(cwd);
            let (config, _) = Config::read(project.root());
            (project, config)
        })
    }

    fn edit(&mut self, call: &TranscriptCall, edited: EditedText) {
        self.audit.judged += 1;
        self.audit.judged_by_piece += usize::from(edited.is_piece);
        let (project, config) = self.project(&call.cwd).clone();
        let path = project.name_of(&edited.file);
        let change =
            Change { path: path.clone(), before: edited.before.clone(), after: Some(edited.after.clone()) };
        let elsewhere: Vec<Change> = self
            .changed
            .iter()
            .filter(|(file, _)| **file != edited.file)
            .map(|(_, change)| change.clone())
            .collect();
        let findings = laziness_detector::check(std::slice::from_ref(&change), || elsewhere, &config);
        for finding in &findings {
            let said = Said::of(finding, &config, self.place(call, &path));
            self.audit.said.extend(said);
        }
        // A call that failed or was refused has changed nothing.
        if !call.failed && !edited.is_piece {
            self.texts.write(&edited);
            let known = self.changed.entry(edited.file).or_insert(change);
            known.after = Some(edited.after);
        }
    }

    fn command(&mut self, call: &TranscriptCall, command: &str) {
        let explained = explain::command(command, &call.cwd, self.home);
        let (_, config) = self.project(&call.cwd).clone();
        let said: Vec<Said> = explained
            .findings
            .iter()
            .filter_map(|finding| Said::of(finding, &config, self.place(call, command)))
            .collect();
        let is_silent = said.is_empty();
        self.audit.said.extend(said);
        if !is_silent || explained.verdict != "context" {
            return;
        }
        for risk in explained.risks.iter().filter(|risk| risk.level >= Severity::Medium) {
            if !self.told.insert(format!("{} {}", risk.class, risk.target)) {
                continue;
            }
            let place = self.place(call, command);
            self.audit.said.push(Said {
                at: place.at,
                place: place.place,
                call: place.call,
                verdict: AuditVerdict::Note,
                pattern_id: "risk".to_owned(),
                pattern_name: "What is at risk, told once".to_owned(),
                severity: risk.level,
                path: risk.target.clone(),
                what: format!("{}: {}", risk.class.replace('_', " "), risk.target),
                lost: Vec::new(),
            });
        }
    }
}
