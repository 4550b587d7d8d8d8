//! Code that makes a run of tests end well whatever they find: exits, hooks of the runner, comparison that always agrees.
//!
//! Only what is new counts, and an exit only in a test.

use crate::detectors::engine::revision::Revision;
use crate::detectors::testing::pytest_hooks::hooks;
use crate::detectors::testing::retried_tests::retried;
use crate::detectors::testing::rigged_files::rigged;
use crate::detectors::testing::rigged_setup::{
    RiggingFinding, ended_by_main, matcher_replaced, own_tag_excluded, rigged_setup_named,
};
use crate::detectors::testing::skipping_names::skips_by_name;
use crate::detectors::{Case, Detector, Pattern, PatternProof};
use crate::languages::code::{BodyKind, Call, Setting, bare};
use crate::languages::file_name;
use crate::model::finding::{Change, Finding, RegressionType, Severity};
use crate::model::words::is_name_part;

/// A run that can't fail.
pub(crate) static RIGGED: Detector = Detector {
    pattern: Pattern {
        id: "LP-R005",
        name: "Rigged Test Run",
        aliases: &["Exit Zero In Tests", "Always Equal", "Patched Report"],
        regression_type: Some(RegressionType::TestSkipping),
        severity: Severity::Critical,
        what: "A test ends the process with success, a hook changes what the runner reports, or everything equals everything.",
        why: "The run is green before it has looked.",
        instead: "Hooks that only read the reports, and comparisons that compare, pass.",
        proof: PatternProof::Changes,
    },
    detect,
};

/// A report of a run that is written by hand, and not by the run.
pub(crate) fn written_report(path: &str) -> Finding {
    let what = "a report would say of a run what no run has said".to_owned();
    Finding { severity: Severity::High, ..RIGGED.finding(path, what) }
}

/// Calls that end the process.
const EXITS: &[&str] = &[
    "process.exit",
    "sys.exit",
    "os._exit",
    "exit",
    "quit",
    "std::process::exit",
    "process::exit",
    "os.Exit",
    "Deno.exit",
    "exit!",
    "Kernel.exit",
    "Kernel.exit!",
    "Process.exit!",
    "System.exit",
    "System.halt",
    "Environment.Exit",
    "exitProcess",
    "std::exit",
    "std::_Exit",
    "_exit",
];
/// Methods that compare.
const COMPARISONS: &[&str] = &[
    "__eq__",
    "__ne__",
    "__lt__",
    "equals",
    "eq",
    "Equals",
    "isEqual",
    "==",
    "equals?",
    "eql?",
    "===",
    "operator==",
];

/// What holds the functions of a test framework.
const HOLDERS: &[&str] = &[
    "global",
    "globalThis",
    "window",
    "unittest.TestCase",
    "TestCase",
    "unittest.TestResult",
    "TestResult",
    "unittest.TextTestResult",
    "assert",
    "pytest",
    "exports",
    "module.exports",
];
/// What a project's own helper offers is a framework that it may change, as long as something can still fail.
const OWN_HOLDERS: &[&str] = &["exports", "module.exports"];
/// Words of a function in which something can fail.
const FAILS: &[&str] = &["assert", "throw", "raise", "require(", "chai", "fail", "expect("];
/// How those functions begin.
const FRAMEWORK: &[&str] = &[
    "expect",
    "assert",
    "it",
    "test",
    "describe",
    "fail",
    "equal",
    "deepEqual",
    "ok",
    "raises",
    "wasSuccessful",
    "addFailure",
    "addError",
    "strict",
    "deepStrict",
];
/// Overridden methods that get a test's failure, and pass it on.
const FAILURES: &[&str] =
    &["onNotSuccessfulTest", "handleTestExecutionException", "handleLifecycleMethodExecutionException"];
/// Calls that say what is done when the process ends.
const HANDLERS: &[&str] =
    &["process.on", "process.once", "atexit.register", "at_exit", "register_shutdown_function"];
/// Files that an interpreter reads first.
const STARTED: &[&str] = &["sitecustomize.py", "usercustomize.py"];
/// Files that prepare the run of tests, by how their names begin.
const PREPARING: &[&str] = &["jest.setup.", "vitest.setup.", "setupTests.", "test-setup.", "setup-tests."];

fn detect(case: &Case, findings: &mut Vec<Finding>) {
    for change in case.evidence.changes {
        let by_name = skips_by_name(change).map(|line| {
            let what = "what the tests are declared with would run none of them".to_owned();
            (what, line, Severity::High)
        });
        let again = retried(change).map(|(mark, line)| {
            (format!("a failing test would run until it passes, by `{mark}`"), line, Severity::High)
        });
        let decided = ended_by_main(change)
            .or_else(|| matcher_replaced(change))
            .or_else(|| rigged_setup_named(change, case.evidence.elsewhere))
            .or_else(|| own_tag_excluded(change))
            .or_else(|| rigged(case, change));
        let all = [by_name, again, decided].into_iter().flatten();
        findings.extend(all.map(|found| finding(change, found)));
    }
    let told: Vec<String> =
        findings.iter().filter(|it| it.pattern_id == RIGGED.id).map(|it| it.path.clone()).collect();
    for revision in case.revisions().iter().filter(|it| !told.contains(&it.change.path)) {
        let found = exits(revision)
            .or_else(|| ends_otherwise(revision))
            .or_else(|| agrees(revision))
            .or_else(|| patched(revision))
            .or_else(|| hooks(revision));
        findings.extend(found.map(|it| Finding { confidence: 0.9, ..finding(revision.change, it) }));
    }
}

fn finding(change: &Change, (what, line, severity): RiggingFinding) -> Finding {
    Finding { line: Some(line), severity, ..RIGGED.finding(&change.path, what) }
}

/// Whether one of the words stands in the lines that have come: without them the code need not be read.
fn says(revision: &Revision, words: &[&str]) -> bool {
    let come = revision.middle().after;
    words.iter().any(|word| come.contains(word))
}

fn exits(revision: &Revision) -> Option<RiggingFinding> {
    if !says(revision, EXITS) {
        return None;
    }
    let is_exit = |it: &&Call| {
        EXITS.contains(&it.callee) && matches!(bare(it.arguments).as_str(), "(0)" | "()" | "0" | "")
    };
    let in_tests = |calls: &[Call], more: &[Call]| {
        let outer = if revision.is_test { calls.iter().filter(is_exit).count() } else { 0 };
        outer + more.iter().filter(is_exit).count()
    };
    let before = in_tests(&revision.before.calls, &revision.before.test_calls);
    let after = in_tests(&revision.after.calls, &revision.after.test_calls);
    let outer = revision.after.calls.iter().filter(|_| revision.is_test);
    let call = outer.chain(&revision.after.test_calls).rfind(is_exit)?;
    let is_runner = revision.old.is_empty() || is_script(revision);
    (after > before && !is_runner).then(|| {
        (
            format!("`{}{}` would end the run with success", call.callee, call.arguments),
            call.line,
            Severity::Critical,
        )
    })
}

/// `process.on('exit', () => process.exit(0))`: whatever the run has found, the process ends well.
fn ends_otherwise(revision: &Revision) -> Option<RiggingFinding> {
    // The handler may have been there, and ends the run since now.
    if !is_of_every_run(revision) || !says(revision, &["exit"]) {
        return None;
    }
    let is_handler = |it: &&Call| {
        let arguments = bare(it.arguments);
        HANDLERS.contains(&it.callee)
            && (arguments.contains("'exit'")
                || arguments.contains("\"exit\"")
                || !it.callee.contains("process"))
            && ["exit(0)", "exitCode=0", "_exit(0)"].iter().any(|end| arguments.contains(end))
    };
    let count = |calls: &[Call]| calls.iter().filter(is_handler).count();
    let call = revision.after.calls.iter().rfind(is_handler)?;
    (count(&revision.after.calls) > count(&revision.before.calls)).then(|| {
        (format!("`{}` would end every run with success", call.callee), call.line, Severity::Critical)
    })
}

/// Whether the file is part of the tests, or the interpreter reads it whatever it is asked to run.
fn is_of_every_run(revision: &Revision) -> bool {
    revision.is_test || STARTED.contains(&file_name(&revision.change.path))
}

/// Whether the file is a program that tests start rather than a test.
fn is_script(revision: &Revision) -> bool {
    let path = revision.change.path.replace('\\', "/");
    ["fixtures/", "testdata/", "helpers/", "scripts/", "bin/"].iter().any(|folder| path.contains(folder))
        || revision.old.starts_with("#!/")
}

/// A comparison that gives true whatever it is asked.
fn agrees(revision: &Revision) -> Option<RiggingFinding> {
    if revision.is_test {
        return None;
    }
    revision.after.functions.iter().enumerate().find_map(|(index, function)| {
        let BodyKind::Constant(value) = function.body_kind else { return None };
        let is_true = value.eq_ignore_ascii_case("true");
        let is_ne = function.name == "__ne__" && value == "False";
        let was = revision.predecessor(index).and_then(|old| revision.before.functions.get(old));
        let is_known = was.is_some_and(|was| was.body_kind == function.body_kind);
        let compares =
            COMPARISONS.contains(&function.name) && (is_true && function.name != "__ne__" || is_ne);
        let severity = if revision.old.is_empty() { Severity::Medium } else { Severity::High };
        (compares && !is_known)
            .then(|| (format!("`{}` would call everything equal", function.name), function.line, severity))
    })
}

/// A part of the framework that is replaced, or a failure that is kept from the runner.
fn patched(revision: &Revision) -> Option<RiggingFinding> {
    let name = file_name(&revision.change.path);
    if !revision.is_test && !PREPARING.iter().any(|front| name.starts_with(front)) {
        return None;
    }
    // What is replaced is so by a line that was not there.
    let may_replace = revision.middle().after.lines().any(is_of_holder);
    // A failure may be kept by what is gone from the method that gets it.
    let may_keep = FAILURES.iter().any(|method| revision.new.contains(method));
    if !may_replace && !says(revision, &["exitCode"]) && !may_keep {
        return None;
    }
    let known = |line: &str| revision.old.lines().any(|old| old.trim() == line);
    let replaced = revision.after.settings.iter().find_map(|setting| {
        let line = usize::try_from(setting.line).ok()?.checked_sub(1)?;
        let line = revision.new.lines().nth(line)?.trim();
        let (target, _) = line.split_once('=')?;
        let (holder, name) = target.trim().rsplit_once('.')?;
        let is_framework = HOLDERS.contains(&holder)
            && name == setting.name
            && FRAMEWORK.iter().any(|front| {
                name.strip_prefix(front).is_some_and(|rest| {
                    rest.is_empty() || (holder.ends_with("TestCase") && !rest.starts_with(char::is_lowercase))
                })
            });
        // What only adds to it calls it, or the one that it keeps.
        let value = setting.value;
        let is_function = ["=>", "function", "lambda", "Proxy", ".fn("].iter().any(|it| value.contains(it))
            || value.starts_with(&format!("{holder}."));
        let calls_it = value.contains(&format!("{name}(")) || value.to_lowercase().contains("orig");
        let can_fail = OWN_HOLDERS.contains(&holder)
            && (FAILS.iter().any(|word| value.contains(word))
                || !(value.contains("{}") || gives_a_name(value)));
        (is_framework && is_function && !calls_it && !can_fail && !known(line)).then(|| {
            (format!("`{}` would be replaced for all tests", target.trim()), setting.line, Severity::High)
        })
    });
    let ends_well = |it: &&Setting| it.name == "exitCode" && it.value == "0";
    let count = |settings: &[Setting]| settings.iter().filter(ends_well).count();
    let code = revision.after.settings.iter().rfind(ends_well);
    let code = code.filter(|_| count(&revision.after.settings) > count(&revision.before.settings));
    let ended = code
        .map(|it| ("the run would end with success whatever it finds".to_owned(), it.line, Severity::High));
    replaced.or(ended).or_else(|| {
        revision.after.functions.iter().enumerate().find_map(|(index, function)| {
            let was = revision.predecessor(index).and_then(|old| revision.before.functions.get(old));
            let keeps = FAILURES.contains(&function.name)
                && function.throws == 0
                && was.is_none_or(|was| was.throws > 0)
                && !function_calls(revision, index, function.name);
            let what = || format!("`{}` would keep every failure from the runner", function.name);
            keeps.then(|| (what(), function.line, Severity::High))
        })
    })
}

/// `() => noop`: a function that gives something that is made elsewhere, whatever it is asked.
fn gives_a_name(value: &str) -> bool {
    let Some((head, body)) = value.split_once("=>") else { return false };
    let body = body.trim().trim_end_matches(';');
    let is_name = !body.is_empty() && body.chars().all(is_name_part);
    is_name && !head.contains(body)
}

/// Whether a line sets what one of the holders has: `global.expect = …`.
fn is_of_holder(line: &str) -> bool {
    let target = line.split_once('=').map_or("", |(target, _)| target.trim());
    target.rsplit_once('.').is_some_and(|(holder, _)| HOLDERS.contains(&holder))
}

/// Whether a function calls another of its name: its parent's.
fn function_calls(revision: &Revision, owner: usize, name: &str) -> bool {
    revision.after.calls.iter().any(|it| it.owner == Some(owner) && it.callee.ends_with(name))
}
