//! A call that gives one file another text.

use std::path::Path;

use crate::detectors::commands::destructive_command;
use crate::detectors::session_patterns::PROTECTED_PATH;
use crate::hosts::hook_files;
use crate::languages;
use crate::languages::code::validation;
use crate::lifecycle::call::shell_call;
use crate::lifecycle::call::shell_call::Risk;
use crate::lifecycle::call::view::CallView;
use crate::lifecycle::call::view::defined::defined_risks;
use crate::lifecycle::call::view::real_name::real_names;
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::event::ToolCall;
use crate::model::finding::{Change, Finding, Severity};

pub(super) fn file_view(
    context: &HookContext,
    call: &ToolCall,
    (path, before): (&Path, Option<String>),
    after: impl FnOnce(Option<&str>) -> Option<String>,
) -> CallView {
    let target = guards_name(context, path).unwrap_or_else(|| context.relative(path));
    let after = after(before.as_deref());
    let mut keep = vec![path.to_owned()];
    if path.is_symlink() {
        keep.push(shell_call::real(path));
    }
    let mut view = CallView { target: target.clone(), keep, ..CallView::default() };
    let behind = shell_call::real(path);
    if [path, &behind].into_iter().any(shell_call::is_guard_program) || shell_call::is_witness(&behind) {
        view.findings.push(destructive_command::of_the_guard(&context.relative(&behind)));
    }
    let Some(after) = after else { return view };
    let names = real_names(context, path);
    if let Some(name) = names.iter().chain([&target]).find(|name| context.config.protects(name)) {
        view.findings.push(protected(name));
    }
    let own = defined_risks(context, call, &target).into_iter().map(|name| (name.into(), Severity::Medium));
    let usual = usual_risk(&target, before.as_deref(), &after).map(|(name, level)| (name.into(), level));
    view.risks.extend(own.chain(usual).map(|(name, level)| Risk {
        name,
        tool: call.tool.clone(),
        target: target.clone(),
        level,
    }));
    if before.as_deref() != Some(after.as_str()) {
        view.changes.push(Change { path: target, before, after: Some(after) });
    }
    view
}

/// The risk that lies in which file is written, and in what it held.
fn usual_risk(target: &str, before: Option<&str>, after: &str) -> Option<(&'static str, Severity)> {
    if languages::is_test_path(target) {
        // A file that is new takes nothing from any test, and data that tests read checks nothing by itself.
        let is_new = before.is_none_or(|text| text.trim().is_empty());
        let is_mild = is_new || languages::data_of_tests(target);
        return Some(("test_file_modification", if is_mild { Severity::Low } else { Severity::Medium }));
    }
    let before = before?;
    if validation::lines_lost(before, after) {
        return Some(("validation_modification", Severity::Medium));
    }
    // Kept and on record; nothing has to be said of it.
    validation::lines_touched(before, after).then_some(("validation_modification", Severity::Low))
}

/// What a file is called that is the guard's, a host's settings or the repository's own behind links or by a second name
/// on the disk; `None` for any other, which is judged by the name that it is called by.
fn guards_name(context: &HookContext, path: &Path) -> Option<String> {
    const KEPT_FROM_AGENTS: &[&str] = &[".aiwg", ".claude", ".git", "aiwg.yml"];
    let behind = shell_call::true_case(shell_call::real(path));
    let root = shell_call::real(context.project.root());
    if shell_call::is_state_by_another_name(&root, &behind) {
        return Some(format!(".aiwg/ralph/ (by its other name {})", context.relative(path)));
    }
    let named = behind.components().any(|it| KEPT_FROM_AGENTS.iter().any(|name| it.as_os_str() == *name));
    let name = behind.strip_prefix(&root).unwrap_or(&behind);
    (named || hook_files::ends_as_hook_file(name)).then(|| name.to_string_lossy().into_owned())
}

/// A write to a file that the project's configuration keeps from the agent.
fn protected(target: &str) -> Finding {
    PROTECTED_PATH.finding(target, format!("{target} is one of the project's protected paths"))
}
