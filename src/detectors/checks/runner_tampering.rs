//! The configuration of test runners and of the scripts that start them: checks switched off, narrowed or made to pass.
//!
//! Configuration is compared as values; what is only moved, reordered or made stricter passes.

use crate::detectors::checks::both_settings::{both, code_settings};
use crate::detectors::checks::build_lines::lines;
use crate::detectors::checks::cargo_targets;
use crate::detectors::checks::check_command::{is_check, is_nothing, weaker, words};
use crate::detectors::checks::collected_tests::{collected, elsewhere};
use crate::detectors::checks::command_files;
use crate::detectors::checks::command_files::is_check_name;
use crate::detectors::checks::command_lists;
use crate::detectors::checks::command_pairs::piped;
use crate::detectors::checks::lost_status::lost_in_pipe;
use crate::detectors::checks::moved_gates::{
    is_built_elsewhere, is_left_to_server, is_moved_on, without_moved,
};
use crate::detectors::checks::narrowed_command::single_test;
use crate::detectors::checks::new_runner_files;
use crate::detectors::checks::run_settings;
use crate::detectors::checks::searched_places::suspected;
use crate::detectors::checks::setting_keys::{SettingFinding, SettingRemark, has, is_filter, push, value};
use crate::detectors::checks::source_globs::{GlobReach, is_about_tests, reach};
use crate::detectors::checks::tagged_jobs::without_tagged;
use crate::detectors::checks::test_sources::unbuilt;
use crate::detectors::checks::tox_environments;
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

/// Settings that repeat a failing test.
const RETRIES: &[&str] = &["retry", "retries", "reruns"];
/// A test that is repeated so often fails no more, whatever is wrong.
const MANY_RETRIES: u32 = 5;

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
        "package.json" | "composer.json" | "deno.json" | "deno.jsonc" => scripts(change),
        "Cargo.toml" => cargo_targets::untested(case, change),
        ".rspec" => new_runner_files::of_rspec(before, after),
        _ => command_files::weakened(&change.path, before, after)
            .or_else(|| lost_in_pipe(&change.path, before, after))
            .filter(|(what, ..)| !is_built_elsewhere(case, &change.path, what))
            .filter(|_| !is_left_to_server(case, &change.path)),
    };
    found.map(SettingRemark::from).or_else(|| values(case, change)).or_else(|| left_out(change)).or_else(
        || {
            let lists = command_lists::weakened(change);
            lists
                .filter(|(what, ..)| !is_moved_on(case, &change.path, what))
                .or_else(|| unbuilt(case, change))
                .or_else(|| lines(change, before, after))
                .or_else(|| run_settings::weakened(&change.path, before, after))
                .map(SettingRemark::from)
        },
    )
}

fn scripts(change: &Change) -> Option<SettingFinding> {
    let (before, after) = both(change)?;
    let is_script =
        |entry: &&SettingEntry| entry.key.starts_with("scripts.") || entry.key.starts_with("tasks.");
    for old in before.iter().filter(is_script) {
        let name = old.key.split_once('.').map_or("", |(_, name)| name);
        if is_nothing(&old.value)
            || old.value.contains("no test specified")
            || !(is_check_name(name) || is_check(&old.value))
        {
            continue;
        }
        match value(&after, &old.key) {
            Some(new) => {
                // What one script leaves to another is checked there.
                let has_parts = after.iter().filter(is_script).any(|it| value(&before, &it.key).is_none());
                let how = weaker(&old.value, &new.value);
                if let Some(how) = how.filter(|how| {
                    !has_parts || !(how.ends_with(" alone") || how.starts_with("would not run"))
                }) {
                    return Some((format!("the script `{name}` {how}"), new.line, Severity::Critical));
                }
                if let Some(file) =
                    single_test(&words(&old.value), &words(&new.value)).filter(|_| is_check(&new.value))
                {
                    let what = format!("the script `{name}` would run `{file}` and no other test");
                    return Some((what, new.line, Severity::Medium));
                }
                if let Some(program) = piped(&old.value, &new.value, false) {
                    let what = format!("the script `{name}` would end as `{program}` does, behind a pipe");
                    return Some((what, new.line, Severity::High));
                }
            }
            None if is_check_name(name) => {
                let is_renamed = after.iter().filter(is_script).any(|new| {
                    (new.value == old.value || new.key.contains(name)) && value(&before, &new.key).is_none()
                });
                let others =
                    after.iter().filter(is_script).filter(|new| value(&before, &new.key).is_none()).count();
                if !is_renamed && others == 0 {
                    return Some((format!("the script `{name}` would be gone"), old.line, Severity::High));
                }
            }
            None => {}
        }
    }
    None
}

/// Whether a key is of a tool that counts what tests reach: `c8.exclude`.
fn is_of_coverage(key: &str) -> bool {
    key.contains("coverage") || ["c8.", "nyc.", "istanbul."].iter().any(|head| key.starts_with(head))
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
        is_filter && !is_other && !is_build_folder(&new.value) && (is_runner || name != "grep")
    })?;
    let what = format!("`{}` would leave out `{}`", new.name(), new.value);
    Some(SettingRemark::of_run(what, new.line, &new.value))
}

fn compare(
    case: &Case,
    change: &Change,
    before: &[SettingEntry],
    after: &[SettingEntry],
) -> Option<SettingFinding> {
    if let Some(found) = tox_environments::weakened(&change.path, before, after) {
        return Some(found);
    }
    let is_runner = runners::is_configuration(file_name(&change.path));
    for new in after.iter().filter(|new| !has(before, new)) {
        let name = new.name();
        let is_off = runners::all()
            .flat_map(|runner| runner.settings.switches)
            .any(|(known, off)| *known == name && new.value.eq_ignore_ascii_case(off));
        let is_mypy = name == "ignore_errors" && !new.key.starts_with("testenv");
        if is_off && !is_mypy {
            return Some((format!("`{name}` would be `{}`", new.value), new.line, Severity::High));
        }
        let is_retry =
            RETRIES.contains(&name) && is_runner && new.value.parse::<u32>().is_ok_and(|times| times > 0);
        let times = |all: &[SettingEntry]| -> Option<u32> {
            all.iter().filter(|it| it.name() == name).find_map(|it| it.value.parse().ok())
        };
        // One repetition more or less of several is a choice.
        let (was, is) = (times(before), times(after).unwrap_or(0));
        if is_retry && was.unwrap_or(0) < is && (was.is_none() || is >= MANY_RETRIES) {
            let what = format!("`{name}` would run a failing test until it passes");
            return Some((what, new.line, Severity::High));
        }
        let old = value(before, &new.key);
        let is_options = matches!(name, "addopts" | "args" | "extra_args");
        if is_options {
            let was = old.map(|it| it.value.as_str()).unwrap_or_default();
            let was = without_moved_gate(was, before, after);
            let (was, is) = (format!("pytest {was}"), format!("pytest {}", new.value));
            if let Some(how) = weaker(&was, &is) {
                return Some((format!("`{name}` {how}"), new.line, Severity::High));
            }
        }
    }
    if let Some(found) = collected(case, before, after).filter(|_| is_runner) {
        return Some(found);
    }
    for place in runners::all().flat_map(|runner| runner.settings.places) {
        let items = |all: &[SettingEntry]| {
            all.iter().filter(|it| it.name() == *place).map(|it| it.value.clone()).collect::<Vec<_>>()
        };
        let (was, is) = (items(before), items(after));
        let lost = was.iter().any(|it| !is.contains(it));
        // Fewer places, or a place within the old one.
        let narrower = is.iter().all(|it| {
            was.iter().any(|old| {
                it.starts_with(old.as_str())
                    || old.split_whitespace().any(|word| word == it || it.starts_with(&format!("{word}/")))
            })
        });
        if is_runner && !was.is_empty() && !is.is_empty() && lost && narrower {
            return Some((format!("`{place}` would be narrower"), 0, Severity::High));
        }
        // A pattern without a wildcard in the name, or a place, where there was none: less than the default.
        let names_one = |it: &String| {
            file_name(it).split('.').next().is_some_and(|name| !name.contains('*') && !name.is_empty())
        };
        let is_narrowed = match *place {
            "testpaths" => is.iter().any(|it| it.contains('/')),
            "testMatch" | "spec" => !is.is_empty() && is.iter().all(names_one),
            _ => false,
        };
        if is_runner && was.is_empty() && is_narrowed {
            return Some((format!("`{place}` would be narrower"), 0, Severity::High));
        }
        if let Some(other) = elsewhere(case, &was, &is).filter(|_| is_runner) {
            let what = format!("`{place}` would look for tests in `{other}`, and no more where they are");
            return Some((what, 0, Severity::High));
        }
    }
    None
}

/// The gate of coverage among options, taken off where the same file asks for as much in a setting of its own now.
fn without_moved_gate(options: &str, before: &[SettingEntry], after: &[SettingEntry]) -> String {
    const FLAG: &str = "--cov-fail-under=";
    let asks = |least: f64| {
        let gates = after.iter().filter(|it| matches!(it.name(), "fail_under" | "fail-under"));
        let mut new = gates.filter(|it| !has(before, it));
        new.any(|it| it.value.parse::<f64>().is_ok_and(|value| value >= least))
    };
    let stays = |word: &&str| {
        let least = word.strip_prefix(FLAG).and_then(|value| value.parse::<f64>().ok());
        !least.is_some_and(asks)
    };
    options.split_whitespace().filter(stays).collect::<Vec<_>>().join(" ")
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
