//! What the recovery protocol weighs: facts about a loss that are stored or can be seen, never guessed.

use serde_json::{Map, Value, json};

use crate::agents::recovery_orchestrator::diagnosis::is_of_source;
use crate::checkpoint::objects::digest_of_file;
use crate::detectors::session_patterns::PROTECTED_PATH;
use crate::languages;
use crate::languages::Language;
use crate::lifecycle::changes::touched::changed_files;
use crate::lifecycle::changes::tree;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::iteration::record::read_snapshot;
use crate::loops::{criteria, failures, project_facts};
use crate::model::event::EventKind;
use crate::model::finding::Finding;
use crate::state::loop_state::LoopState;
use crate::state::registry::Kind;

/// How many lost things are looked up.
const LOOKED_AT: usize = 50;

/// The facts about a finding, under the names that the orchestrator reads. What can't be known is left out.
pub fn of(context: &HookContext, state: &LoopState, finding: &Finding) -> Map<String, Value> {
    let changed = changed_files(context);
    let recovery = &context.config.recovery;
    let mut facts = Map::from_iter([
        ("files_touched".to_owned(), json!(changed.len())),
        ("tool_calls".to_owned(), json!(state.tool_calls_total)),
        ("compactions".to_owned(), json!(state.compactions.unwrap_or(0))),
        ("consecutive_same_error".to_owned(), json!(state.consecutive_same_error)),
        ("source_changed".to_owned(), json!(source_changed(context, state, &changed))),
        ("max_retries".to_owned(), json!(recovery.max_retries)),
        ("auto_escalate_on_critical".to_owned(), json!(recovery.auto_escalate_on_critical)),
        ("mend_first".to_owned(), json!(state.kind == Kind::Implicit)),
    ]);
    if finding.pattern_id == PROTECTED_PATH.id {
        facts.insert("protected".to_owned(), json!(true));
    }
    if is_brought_by_git(context, &finding.path) {
        facts.insert("brought_by_git".to_owned(), json!(true));
    }
    facts.insert("lost_count".to_owned(), json!(finding.lost.len()));
    if is_source(&finding.path) && finding.regression_type.is_some_and(|kind| is_of_source(kind.name())) {
        facts.insert("error_there".to_owned(), json!(error_there(state, &finding.path)));
    } else if let Some(failing) = failing_before(context, state, finding) {
        facts.insert("tests_failing_before".to_owned(), json!(failing));
    }
    if let Some(removed) = subject_removed(context, &finding.path) {
        facts.insert("subject_removed".to_owned(), json!(removed));
    }
    if state.kind == Kind::Explicit {
        let known = project_facts::read(context.project.root());
        let testable = criteria::parse(&state.completion_criteria, &known).is_ok();
        facts.insert("criterion_testable".to_owned(), json!(testable));
    }
    facts
}

/// Whether git brought another commit between the agent's calls, and the file with it: its own are judged when they end.
fn is_brought_by_git(context: &HookContext, path: &str) -> bool {
    let of_call =
        matches!(context.event.kind, EventKind::PostToolUse { .. } | EventKind::PostToolUseFailure { .. });
    !of_call && context.watch().is_some_and(|watch| watch.moved.contains(path))
}

/// Whether a source of these changed files is not as the last iteration left it: an edit of an earlier one is no reason for
/// what went since.
fn source_changed(context: &HookContext, state: &LoopState, changed: &[String]) -> bool {
    let last = state.kept_iterations().next_back();
    let known = last.and_then(|last| read_snapshot(&context.layout, &state.loop_id, last));
    let is_as_left = |path: &String| {
        let left = known.as_ref().and_then(|known| known.files.get(path));
        left.is_some_and(|left| match digest_of_file(&context.project.root().join(path)) {
            Ok((digest, _)) => digest.to_string() == *left,
            Err(_) => left.is_empty(),
        })
    };
    changed.iter().any(|path| is_source(path) && !is_as_left(path))
}

fn is_source(path: &str) -> bool {
    Language::of_path(path).is_some() && !languages::is_test_path(path)
}

/// Whether an error of the loop was seen in a file: there it stood in the way.
fn error_there(state: &LoopState, path: &str) -> bool {
    let is_there = |place: &str| {
        let file = place.rsplit_once(':').map_or(place, |(file, _)| file);
        file == path || file.ends_with(&format!("/{path}")) || path.ends_with(&format!("/{file}"))
    };
    let since = state.taken_back_at();
    let errors = state.error_history.iter().filter(|error| since.is_none_or(|at| error.timestamp > at));
    errors.flat_map(|error| error.place.iter().flatten()).any(|place| is_there(place))
}

/// Whether a lost test failed when tests were last run: in the last iteration's verification, or in a run of the
/// agent's own since.
fn failing_before(context: &HookContext, state: &LoopState, finding: &Finding) -> Option<bool> {
    let verified = state.kept_iterations().next_back();
    let verified =
        verified.and_then(|last| read_snapshot(&context.layout, &state.loop_id, last)?.verification);
    let mut names: Vec<String> = Vec::new();
    let mut any_run = false;
    for check in verified.iter().flat_map(|verification| &verification.checks) {
        any_run = true;
        let read = failures::read(check.output()).map(|failures| failures.list).unwrap_or_default();
        names.extend(read.into_iter().filter_map(|failure| failure.test));
    }
    for error in &state.error_history {
        let failing = error.failing_tests.as_deref().unwrap_or_default();
        any_run |= !failing.is_empty();
        names.extend(failing.iter().cloned());
    }
    any_run.then(|| {
        let lost = finding.lost.iter().take(LOOKED_AT);
        lost.into_iter().any(|lost| names.iter().any(|name| same_test(lost, name)))
    })
}

/// Runners and sources spell a test's name with other separators, and runners with the case behind it.
fn same_test(lost: &str, run: &str) -> bool {
    let last = |name: &str| {
        let name = name.split_once('[').map_or(name, |(name, _)| name).trim_end_matches("()");
        let name = [" > ", "::", "#", "/"]
            .iter()
            .fold(name, |name, between| name.rsplit_once(between).map_or(name, |(_, last)| last));
        // `shop.CartTest.parses`; a sentence may have a dot as well.
        let name = if name.contains(' ') { name } else { name.rsplit('.').next().unwrap_or(name) };
        name.trim().to_owned()
    };
    let (lost, run) = (last(lost), last(run));
    // A sentence stands behind those of its groups.
    lost == run || lost.contains(' ') && run.ends_with(&format!(" {lost}"))
}

/// Whether what a test file tests is gone, though the last commit had it.
fn subject_removed(context: &HookContext, path: &str) -> Option<bool> {
    let subject = languages::subject(path);
    let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
    let extension = path.rsplit_once('.').map(|(_, extension)| extension)?;
    let candidates = [
        format!("{directory}/{subject}.{extension}"),
        format!("{}/{subject}.{extension}", directory.replacen("test", "src", 1)),
        format!("src/{subject}.{extension}"),
    ];
    let candidates: Vec<&str> = candidates.iter().map(|path| path.trim_start_matches('/')).collect();
    let mut known = None;
    for candidate in candidates.into_iter().filter(|candidate| *candidate != path) {
        if context.project.root().join(candidate).exists() {
            return Some(false);
        }
        if tree::text_at(&context.project, "HEAD", candidate).is_some() {
            known = Some(true);
        }
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::records::ErrorRecord;

    #[test]
    fn an_error_is_there_by_its_own_place() {
        let error =
            |place: &str| ErrorRecord { place: Some(Some(place.to_owned())), ..ErrorRecord::default() };
        let state = LoopState {
            error_history: vec![error("/home/p/src/load.js:3"), error("b.py:7")],
            ..LoopState::default()
        };
        for (path, there) in
            [("src/load.js", true), ("src/reload.js", false), ("src/b.py", true), ("src/a.js", false)]
        {
            assert_eq!(error_there(&state, path), there, "{path}");
        }
    }

    #[test]
    fn a_test_is_the_same_by_its_last_name() {
        for (lost, run, same) in [
            ("adds", "math > adds", true),
            ("math > adds", "adds", true),
            ("tests::adds", "shop::tests::adds", true),
            ("CartTest.parses", "shop.CartTest.parses", true),
            ("parses", "CartTest > parses()", true),
            ("CartTest::testLoads", "CartTest::testLoads", true),
            ("CartTest#test_adds", "CartTest#test_adds", true),
            ("adds up", "Cart adds up", true),
            ("adds up", "Cart never adds upwards", false),
            ("test_x", "tests/test_a.py::test_x[2-a]", true),
            ("TestAdd/empty", "TestAdd/empty", true),
            ("adds", "subtracts", false),
        ] {
            assert_eq!(same_test(lost, run), same, "{lost} {run}");
        }
    }
}
