//! What a tool call would do to files, in one shape for every writing tool.

mod beside;
mod defined;
mod edited;
mod file_view;
mod patch_view;
mod patched;
pub mod real_name;

use std::path::{Path, PathBuf};

use crate::agents::laziness_detector;
use crate::config::Config;
use crate::lifecycle::call::own_scripts;
use crate::lifecycle::call::shell_call::{CommandInPlace, Risk, UnseenEdit};
use crate::lifecycle::call::view::beside::beside;
use crate::lifecycle::call::view::defined::{defined_command_risks, own_patterns};
use crate::lifecycle::call::view::edited::{edited, in_its_own_words, notebook};
use crate::lifecycle::call::view::file_view::file_view;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::net_need::NetNeed;
use crate::model::event::{Action, ShellDialect, ToolCall};
use crate::model::finding::{Change, Finding};
use crate::shell;
use crate::shell::ScriptContext;

pub use crate::lifecycle::changes::file_text::{READ_LIMIT, read_text};

/// What is shown of a command.
const TARGET_LIMIT: usize = 200;

/// A call that may change files.
#[derive(Debug, Default)]
pub struct CallView {
    /// The file or the command, for messages and records.
    pub target: String,
    /// Files before and after, as far as the call says.
    pub changes: Vec<Change>,
    /// What the call itself is: a deletion of too much, for instance.
    pub findings: Vec<Finding>,
    /// The risk classes it falls in.
    pub risks: Vec<Risk>,
    /// What to keep before it runs.
    pub keep: Vec<PathBuf>,
    /// Whether it may change files in ways that its text does not say.
    pub runs_code: bool,
}

impl CallView {
    /// The files that the call may touch by its own words, relative to the project.
    pub(crate) fn touched(&self, context: &HookContext) -> Vec<String> {
        self.keep.iter().map(|path| context.relative(path)).collect()
    }
}

/// What a look at a call gave.
#[derive(Debug)]
pub enum ViewedCall {
    /// It may change files.
    Changes(Box<CallView>),
    /// Nothing that it loses or changes is known beforehand.
    Nothing {
        /// Whether it only reads.
        reads_only: bool,
    },
}

/// What a call that has run was, by its words alone: the disk no longer shows what it was about.
#[derive(Debug)]
pub struct CallTraits {
    /// The file or the command, for messages and records.
    pub target: String,
    /// Whether its words name a change.
    pub names_changes: bool,
    /// Whether it may have changed files in ways that its text does not say.
    pub runs_code: bool,
}

/// A call that has run; `None` when it could change nothing.
pub fn ran(context: &HookContext, call: &ToolCall) -> Option<CallTraits> {
    match &call.action {
        Action::Other => None,
        Action::Foreign { paths } => Some(CallTraits {
            target: foreign_target(context, call, paths),
            names_changes: false,
            runs_code: true,
        }),
        Action::Shell { command, dialect } => {
            let home = context.env.home.as_deref().unwrap_or(Path::new("/"));
            let reading = shell::effects(command, *dialect, &context.event.cwd, home);
            // What was taken for reading alone, and changed files all the same, was read wrong.
            let misread = reading.read_only && context.event.saw_changes;
            (!reading.read_only || misread).then(|| CallTraits {
                target: shortened(command),
                names_changes: !reading.effects.is_empty(),
                runs_code: reading.runs_code || reading.unread || misread,
            })
        }
        Action::Patch { files } => Some(CallTraits {
            target: patch_view::target(context, files),
            names_changes: true,
            runs_code: false,
        }),
        Action::Write { path, .. } | Action::Edit { path, .. } | Action::NotebookEdit { path, .. } => {
            Some(CallTraits { target: context.relative(path), names_changes: true, runs_code: false })
        }
    }
}

/// What a call is about, when its words name nothing that it changes.
pub fn named(call: &ToolCall) -> String {
    match &call.action {
        Action::Shell { command, .. } => command.chars().take(200).collect(),
        _ => call.tool.clone(),
    }
}

/// Looks at a call.
pub fn view(context: &HookContext, call: &ToolCall) -> ViewedCall {
    let view = match &call.action {
        Action::Other => return ViewedCall::Nothing { reads_only: true },
        Action::Foreign { paths } => foreign_view(context, call, paths),
        Action::Patch { files } => return patch_view::view(context, call, files),
        Action::Shell { command, dialect } => match shell_view(context, call, command, *dialect) {
            Ok(view) => view,
            Err(reads_only) => return ViewedCall::Nothing { reads_only },
        },
        Action::Write { path, content } => {
            file_view(context, call, (path, read_text(path)), |_| Some(content.clone()))
        }
        Action::Edit { path, edits } => {
            let before = read_text(path).or_else(|| in_its_own_words(path, edits));
            file_view(context, call, (path, before), |before| edited(before.unwrap_or_default(), edits))
        }
        Action::NotebookEdit { path, cell_id, mode, source } => {
            file_view(context, call, (path, read_text(path)), |before| {
                notebook(before?, cell_id.as_deref(), mode, source)
            })
        }
    };
    ViewedCall::Changes(Box::new(view))
}

/// A shell command. `Err` where nothing that it loses or changes is known, with whether it only reads.
fn shell_view(
    context: &HookContext,
    call: &ToolCall,
    command: &str,
    dialect: ShellDialect,
) -> Result<CallView, bool> {
    let home = context.env.home.as_deref().unwrap_or(Path::new("/"));
    let cwd = &context.event.cwd;
    let said = CommandInPlace { command, dialect, cwd, home, known: &ScriptContext::default() };
    let mut shell = own_scripts::inspect(context, &said);
    context.net_need.set(Some(NetNeed::of(&shell.reading, context.project.root())));
    if own_patterns(context).any(|pattern| pattern.command_pattern.is_some()) {
        let script = shell::read_at(command, dialect, cwd, home);
        let defined = defined_command_risks(context, call, &script);
        let new = defined.into_iter().filter(|risk| !shell.risks.iter().any(|r| r.name == risk.name));
        let new: Vec<Risk> = new.collect();
        shell.risks.extend(new);
    }
    shell.findings.extend(unseen_findings(&shell.unseen, &context.config));
    let mut keep = shell.keep;
    keep.extend(beside(context, &shell.reading.effects, &keep));
    let changes_nothing =
        keep.is_empty() && shell.changes.is_empty() && shell.findings.is_empty() && shell.risks.is_empty();
    if (shell.read_only && shell.risks.is_empty()) || (changes_nothing && !shell.runs_code) {
        return Err(shell.read_only);
    }
    Ok(CallView {
        target: shortened(command),
        changes: shell.changes,
        findings: shell.findings,
        risks: shell.risks,
        keep,
        runs_code: shell.runs_code,
    })
}

/// The command of a call that makes something and loses nothing, for which [`view`] has no more to say: nobody need
/// look at it, but it writes.
pub fn made(context: &HookContext, call: &ToolCall) -> Option<String> {
    let Action::Shell { command, dialect } = &call.action else { return None };
    let home = context.env.home.as_deref().unwrap_or(Path::new("/"));
    let reading = shell::effects(command, *dialect, &context.event.cwd, home);
    reading.makes.then(|| shortened(command))
}

/// What edits would do whose files can't be read.
pub fn unseen_findings(edits: &[UnseenEdit], config: &Config) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    for unseen in edits {
        let found = laziness_detector::check_unseen(&unseen.path, &unseen.edit, config);
        findings.extend(found.filter(|found| !findings.iter().any(|it| it.path == found.path)));
    }
    findings
}

/// A call whose input does not say what it writes. The files that it names are kept; the guard's own it may not name.
fn foreign_view(context: &HookContext, call: &ToolCall, paths: &[PathBuf]) -> CallView {
    let own = context.layout.root();
    let of_the_guard = paths.iter().filter(|path| path.starts_with(own));
    CallView {
        target: foreign_target(context, call, paths),
        // What becomes of such a file is not known, and it would be nothing that the guard wrote.
        changes: of_the_guard
            .map(|path| Change { path: context.relative(path), before: Some(String::new()), after: None })
            .collect(),
        keep: paths.iter().filter(|path| path.is_file() && !path.starts_with(own)).cloned().collect(),
        runs_code: true,
        ..CallView::default()
    }
}

fn foreign_target(context: &HookContext, call: &ToolCall, paths: &[PathBuf]) -> String {
    match paths {
        [path] => format!("{} {}", call.tool, context.relative(path)),
        _ => call.tool.clone(),
    }
}

fn shortened(command: &str) -> String {
    let mut text: String = command.chars().take(TARGET_LIMIT).collect();
    if text.len() < command.len() {
        text.push('…');
    }
    text
}
