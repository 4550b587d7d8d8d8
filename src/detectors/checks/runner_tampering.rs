//! The configuration of test runners and of the scripts that start them: checks switched off, narrowed or made to pass.
//!
//! Configuration is compared as values; what is only moved, reordered or made stricter passes.

use crate::detectors::checks::allowed_failures::allowed;
use crate::detectors::checks::both_settings::{both, code_settings};
use crate::detectors::checks::build_lines::{are_set_elsewhere, lines};
use crate::detectors::checks::cargo_targets;
use crate::detectors::checks::check_command::{is_check, is_check_name, is_nothing, words};
use crate::detectors::checks::command_files;
use crate::detectors::checks::command_lists;
use crate::detectors::checks::command_pairs::piped;
use crate::detectors::checks::lost_status::lost_in_pipe;
use crate::detectors::checks::moved_gates::{
    is_built_elsewhere, is_left_to_server, is_moved_on, without_moved,
};
use crate::detectors::checks::narrowed_command::single_test;
use crate::detectors::checks::new_runner_files;
use crate::detectors::checks::registered_tests;
use crate::detectors::checks::run_settings;
use crate::detectors::checks::runner_settings::compare;
use crate::detectors::checks::same_scripts::do_the_same;
use crate::detectors::checks::searched_places::suspected;
use crate::detectors::checks::setting_keys::{SettingFinding, SettingRemark, has, is_filter, push, value};
use crate::detectors::checks::source_globs::{GlobReach, is_about_tests, reach};
use crate::detectors::checks::tagged_jobs::without_tagged;
use crate::detectors::checks::test_sources::unbuilt;
use crate::detectors::checks::weaker_command::weaker;
use crate::detectors::checks::xml_exclusions::left_out;
use crate::detectors::{Case, Detector, Pattern, PatternProof};
use crate::languages::{SettingEntry, file_name};
use crate::model::finding::{Change, Finding, RegressionType, Severity};
use crate::runners;

/// A runner's configuration weakened.
pub(crate) static WEAKENED: Detector = Detector {
    pattern: Pattern {
        id: "LP-R001",
        name: "Test Runner Tampering",
        aliases: &["Runner Configuration Weakening", "Test Script Replacement"],
        regression_type: Some(RegressionType::TestSkipping),
        severity: Severity::Critical,
        what: "A script or a setting that runs tests or checks does less, leaves some out, or can't fail any more.",
        why: "A run that leaves out what fails is green whatever the code does.",
        instead: "A script that runs the same tests another way passes.",
        proof: PatternProof::Changes,
    },
    detect,
};

fn detect(case: &Case, findings: &mut Vec<Finding>) {
    for change in case.evidence.changes {
        let moved = without_tagged(case, without_moved(case, change));
        let found = match (moved.before.as_deref(), moved.after.as_deref()) {
            (Some(before), Some(after)) if before != after => changed(case, &moved, before, after),
            (None, Some(after)) => new_runner_files::leaving_out(case, &change.path, after),
            _ => None,
        };
        push(&WEAKENED, change, found, findings);
    }
}

fn changed(case: &Case, change: &Change, before: &str, after: &str) -> Option<SettingRemark> {
    let found = match file_name(&change.path) {
        "package.json" | "composer.json" | "deno.json" | "deno.jsonc" => {
            scripts(change).filter(|(what, ..)| !do_the_same(case, change, what))
        }
        "Cargo.toml" => cargo_targets::untested(case, change),
        ".rspec" => new_runner_files::of_rspec(before, after),
        _ => command_files::weakened(&change.path, before, after)
            .or_else(|| lost_in_pipe(&change.path, before, after))
            .filter(|(what, ..)| !is_built_elsewhere(case, &change.path, what))
            .filter(|(what, ..)| !do_the_same(case, change, what))
            .filter(|_| !is_left_to_server(case, &change.path)),
    };
    found.map(SettingRemark::from).or_else(|| values(case, change)).or_else(|| left_out(change)).or_else(
        || {
            let lists = command_lists::weakened(change);
            lists
                .filter(|(what, ..)| !is_moved_on(case, &change.path, what))
                .or_else(|| unbuilt(case, change))
                .or_else(|| {
                    let found = lines(change, before, after);
                    let is_option = |what: &str| what.starts_with("an option that builds the tests");
                    found
                        .filter(|(what, ..)| !is_moved_on(case, &change.path, what))
                        .filter(|(what, ..)| !(is_option(what) && are_set_elsewhere(case, change)))
                })
                .or_else(|| registered_tests::weakened(case, change, before, after))
                .or_else(|| run_settings::weakened(&change.path, before, after))
                .or_else(|| allowed(&change.path, before, after))
                .map(SettingRemark::from)
        },
    )
}

fn scripts(change: &Change) -> Option<SettingFinding> {
    let (before, after) = both(change)?;
    let is_script = |it: &&SettingEntry| it.key.starts_with("scripts.") || it.key.starts_with("tasks.");
    let some_came = after.iter().filter(is_script).any(|it| value(&before, &it.key).is_none());
    before.iter().filter(is_script).find_map(|old| {
        let name = old.key.split_once('.').map_or("", |(_, name)| name);
        if is_nothing(&old.value)
            || old.value.contains("no test specified")
            || !(is_check_name(name) || is_check(&old.value))
        {
            return None;
        }
        match value(&after, &old.key) {
            Some(new) => weaker_script(name, old, new, some_came),
            // Renamed, or in the hands of another.
            None => (is_check_name(name) && !some_came)
                .then(|| (format!("the script `{name}` would be gone"), old.line, Severity::High)),
        }
    })
}

/// How a script of the same name does less. What one script leaves to another that came (`has_parts`) is checked there.
fn weaker_script(
    name: &str,
    old: &SettingEntry,
    new: &SettingEntry,
    has_parts: bool,
) -> Option<SettingFinding> {
    let is_left = |how: &String| has_parts && (how.ends_with(" alone") || how.starts_with("would not run"));
    if let Some(how) = weaker(&old.value, &new.value).filter(|how| !is_left(how)) {
        return Some((format!("the script `{name}` {how}"), new.line, Severity::Critical));
    }
    let single = single_test(&words(&old.value), &words(&new.value));
    if let Some(file) = single.filter(|_| is_check(&new.value)) {
        let what = format!("the script `{name}` would run `{file}` and no other test");
        return Some((what, new.line, Severity::Medium));
    }
    let program = piped(&old.value, &new.value, false)?;
    let what = format!("the script `{name}` would end as `{program}` does, behind a pipe");
    Some((what, new.line, Severity::High))
}

/// Whether a key is of a tool that counts what tests reach: `c8.exclude`.
fn is_of_coverage(key: &str) -> bool {
    key.to_lowercase().contains("coverage")
        || ["c8.", "nyc.", "istanbul."].iter().any(|head| key.starts_with(head))
}

/// Settings by their names, in whatever file.
fn values(case: &Case, change: &Change) -> Option<SettingRemark> {
    let (before, after) = both(change).or_else(|| code_settings(change))?;
    compare(case, change, &before, &after)
        .map(SettingRemark::from)
        .or_else(|| suspected(&change.path, &before, &after))
        .or_else(|| filtered(change, &before, &after))
}

/// Tests that a runner's filter leaves out.
fn filtered(change: &Change, before: &[SettingEntry], after: &[SettingEntry]) -> Option<SettingRemark> {
    let is_runner = runners::is_configuration(file_name(&change.path));
    let new = after.iter().filter(|new| !has(before, new)).find(|new| {
        let name = new.name();
        let is_filter = is_filter(&change.path, &new.key)
            || (name == "exclude" && is_runner && !is_of_coverage(&new.key));
        // What a tool writes is nobody's test.
        let is_other =
            name == "exclude" && reach(&new.value) == GlobReach::Others && !is_about_tests(&new.value);
        is_filter
            && !is_other
            && !is_every_test(new)
            && !is_build_folder(&new.value)
            && (is_runner || name != "grep")
            || is_runner && takes_out(&change.path, new)
    })?;
    // This one names what is run.
    if new.name() == "filename" {
        let what = format!("no test would be run whose file is not called `{}`", new.value);
        return Some((what, new.line, Severity::High).into());
    }
    let what = format!("`{}` would leave out `{}`", new.name(), new.value);
    Some(SettingRemark::of_run(what, new.line, &new.value))
}

/// Whether a pattern of names takes in all that are tests without it.
fn is_every_test(entry: &SettingEntry) -> bool {
    entry.name() == "filename" && (entry.value.starts_with("*_test") || entry.value.contains(['{', ',']))
}

/// Whether an item of a list of places takes tests out of it again: `!tests/tax.test.js`.
fn takes_out(path: &str, entry: &SettingEntry) -> bool {
    // What a package holds is told in the same way.
    let is_package = file_name(path) == "package.json" && entry.key.starts_with("files");
    let is_place = !is_package && !is_of_coverage(&entry.key) && !is_build_folder(&entry.value);
    entry.value.starts_with('!') && is_place && is_about_tests(&entry.value)
}

fn is_build_folder(value: &str) -> bool {
    [
        "node_modules",
        "dist",
        "build",
        "coverage",
        "target",
        ".git",
        "vendor",
        "fixtures",
        "e2e",
        "/lib",
        "__snapshots__",
    ]
    .iter()
    .any(|it| value.contains(it))
        || value.is_empty()
}
