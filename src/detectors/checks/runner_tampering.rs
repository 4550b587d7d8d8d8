//! The configuration of test runners and of the scripts that start them: checks switched off, narrowed or made to pass.
//!
//! Configuration is compared as values; what is only moved, reordered or made stricter passes.

use crate::detectors::checks::check_command::{is_check, is_nothing, weaker};
use crate::detectors::{Case, Detector, Pattern, Proof};
use crate::languages::{Entry, file_name, settings};
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
        proof: Proof::Changes,
    },
    detect,
};

/// Names of scripts that check.
const SCRIPTS: &[&str] =
    &["test", "lint", "check", "typecheck", "ci", "coverage", "verify", "validate", "spec", "e2e", "tsc"];
/// Settings that repeat a failing test.
const RETRIES: &[&str] = &["retry", "retries", "reruns"];
/// Lines of build files that no runner owns and that are not read as values: which file, what the line says without white space, and whether the
/// line being there (or going) is the loss.
const LINES: &[(&str, &str, bool)] = &[
    ("CMakeLists.txt", "-Werror", false),
    ("CMakeLists.txt", "add_subdirectory(test", false),
    ("CMakeLists.txt", "DISABLEDTRUE", true),
    ("CMakeLists.txt", "WILL_FAILTRUE", true),
    ("mix.exs", "warnings_as_errors:false", true),
    ("Directory.Build.props", "<TreatWarningsAsErrors>false", true),
    ("Directory.Build.props", "<IsTestProject>false", true),
    ("CMakeLists.txt", "enable_testing()", false),
    ("CMakeLists.txt", "include(CTest)", false),
    ("Rakefile", "default:[]", true),
];

fn detect(case: &Case, findings: &mut Vec<Finding>) {
    for change in case.evidence.changes {
        let (Some(before), Some(after)) = (change.before.as_deref(), change.after.as_deref()) else {
            continue;
        };
        if before == after {
            continue;
        }
        let found = match file_name(&change.path) {
            "package.json" | "composer.json" | "deno.json" | "deno.jsonc" => scripts(change),
            "Makefile" | "makefile" | "GNUmakefile" | "justfile" | "Justfile" => recipes(before, after),
            "Cargo.toml" => cargo(change),
            _ => None,
        };
        let found = found.or_else(|| values(change)).or_else(|| lines(change, before, after));
        findings.extend(found.map(|(what, line, severity)| {
            let mut finding = WEAKENED.finding(&change.path, what);
            finding.line = Some(line).filter(|line| *line > 0);
            finding.severity = severity;
            finding.confidence = 0.9;
            finding
        }));
    }
}

type Found = (String, u32, Severity);

/// The values before and after, where both can be read.
pub(crate) fn both(change: &Change) -> Option<(Vec<Entry>, Vec<Entry>)> {
    // What a tool writes is nobody's configuration.
    let name = file_name(&change.path);
    if name.contains("-lock.") || name.ends_with(".lock") {
        return None;
    }
    let before = settings(&change.path, change.before.as_deref()?)?;
    Some((before, settings(&change.path, change.after.as_deref()?)?))
}

/// The first value under a key.
pub(crate) fn value<'e>(entries: &'e [Entry], key: &str) -> Option<&'e Entry> {
    entries.iter().find(|entry| entry.key == key)
}

/// Whether a script's name, or a part of it, is one that checks.
fn is_check_name(name: &str) -> bool {
    name.split([':', '-', '_', '.']).any(|part| SCRIPTS.contains(&part))
}

fn scripts(change: &Change) -> Option<Found> {
    let (before, after) = both(change)?;
    let is_script = |entry: &&Entry| entry.key.starts_with("scripts.") || entry.key.starts_with("tasks.");
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
                if let Some(how) = weaker(&old.value, &new.value) {
                    return Some((format!("the script `{name}` {how}"), new.line, Severity::Critical));
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

/// The lines under a target that checks.
fn recipes(before: &str, after: &str) -> Option<Found> {
    let targets = |text: &str| -> Vec<(String, Vec<String>, u32)> {
        let mut all: Vec<(String, Vec<String>, u32)> = Vec::new();
        for (number, line) in (1u32..).zip(text.lines()) {
            if line.starts_with(['\t', ' ']) {
                if let Some((_, recipe, _)) = all.last_mut().filter(|_| !line.trim().is_empty()) {
                    recipe.push(line.trim().to_owned());
                }
            } else if let Some((name, _)) = line
                .split_once(':')
                .filter(|(name, rest)| !name.contains(['=', '#']) && !rest.starts_with('='))
            {
                all.push((name.trim().to_owned(), Vec::new(), number));
            }
        }
        // A target that stands twice is one target.
        let mut joined: Vec<(String, Vec<String>, u32)> = Vec::new();
        for (name, recipe, number) in all {
            match joined.iter_mut().find(|(other, ..)| *other == name) {
                Some((_, lines, _)) => lines.extend(recipe),
                None => joined.push((name, recipe, number)),
            }
        }
        joined
    };
    let new = targets(after);
    for (name, recipe, line) in targets(before) {
        let checks = is_check_name(&name) || recipe.iter().any(|it| is_check(it));
        if !checks || recipe.is_empty() || name == ".PHONY" {
            continue;
        }
        let Some((_, now, _)) = new.iter().find(|(other, ..)| *other == name) else { continue };
        let lost: Vec<&String> = recipe.iter().filter(|it| !now.contains(it)).collect();
        let gained: Vec<&String> = now.iter().filter(|it| !recipe.contains(it)).collect();
        for (old, new) in lost.iter().zip(&gained) {
            let is_ignored = new.strip_prefix('-').is_some_and(|rest| rest.trim() == old.trim());
            if is_ignored {
                return Some((
                    format!("failures of the target `{name}` would be ignored"),
                    line,
                    Severity::Critical,
                ));
            }
            if let Some(how) = weaker(old, new) {
                return Some((format!("the target `{name}` {how}"), line, Severity::Critical));
            }
        }
        // The recipe is a script over several lines, one of which runs the tests.
        let runs = |lines: &[String]| lines.iter().any(|it| is_check(it));
        if recipe.iter().any(|it| it.ends_with('\\')) && runs(&recipe) && now.iter().all(|it| is_nothing(it))
        {
            return Some((format!("the target `{name}` would do nothing"), line, Severity::Critical));
        }
        if gained.is_empty() && lost.iter().any(|it| is_check(it)) && now.iter().all(|it| is_nothing(it)) {
            return Some((format!("the target `{name}` would do nothing"), line, Severity::Critical));
        }
    }
    None
}

fn cargo(change: &Change) -> Option<Found> {
    let (before, after) = both(change)?;
    let is_off = |entry: &&Entry| {
        let section = entry.key.rsplit_once('.').map_or("", |(section, _)| section);
        let name = entry.name();
        entry.value == "false"
            && (name == "autotests"
                || (matches!(name, "test" | "harness" | "doctest")
                    && matches!(section, "lib" | "test" | "bin" | "package")))
    };
    let new = after.iter().filter(is_off).find(|new| {
        let count =
            |all: &[Entry]| all.iter().filter(|it| it.key == new.key && it.value == new.value).count();
        count(&after) > count(&before)
    })?;
    // A target with its own harness that is new as a whole is a choice.
    let section = new.key.rsplit_once('.').map_or("", |(section, _)| section);
    let sections = |all: &[Entry]| all.iter().filter(|it| it.key == section && it.value.is_empty()).count();
    let is_new_target = new.name() == "harness" && sections(&after) > sections(&before);
    (!is_new_target)
        .then(|| (format!("`{} = false` would keep tests from running", new.key), new.line, Severity::High))
}

/// Settings by their names, in whatever file.
fn values(change: &Change) -> Option<Found> {
    if let Some((before, after)) = both(change) {
        return compare(change, &before, &after);
    }
    let (before, after) = code_settings(change)?;
    compare(change, &before, &after)
}

/// A runner's configuration that is code: its settings as entries.
pub(crate) fn code_settings(change: &Change) -> Option<(Vec<Entry>, Vec<Entry>)> {
    use crate::languages::{Language, code};
    let name = file_name(&change.path);
    if !name.contains("config") && !name.contains("mocharc") && name != "gulpfile.js" && name != "noxfile.py"
    {
        return None;
    }
    let language = Language::of_path(&change.path)?;
    let read = |text: &str| -> Option<Vec<Entry>> {
        let all = code(language, text)?.settings;
        Some(all.iter().flat_map(|it| entries_of(it.name, it.value, it.line)).collect())
    };
    Some((read(change.before.as_deref()?)?, read(change.after.as_deref()?)?))
}

fn entries_of(name: &str, value: &str, line: u32) -> Vec<Entry> {
    let plain = |it: &str| it.trim().trim_matches(['"', '\'', '`']).to_owned();
    let list = value.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    match list {
        Some(items) => items
            .split(',')
            .filter(|item| !item.trim().is_empty())
            .map(|item| Entry { key: format!("{name}[]"), value: plain(item), line })
            .collect(),
        None => vec![Entry { key: name.to_owned(), value: plain(value), line }],
    }
}

fn compare(change: &Change, before: &[Entry], after: &[Entry]) -> Option<Found> {
    let is_runner = runners::is_configuration(file_name(&change.path));
    let has = |all: &[Entry], it: &Entry| all.iter().any(|old| old.key == it.key && old.value == it.value);
    for new in after.iter().filter(|new| !has(before, new)) {
        let name = new.name();
        let is_off = runners::all()
            .flat_map(|runner| runner.settings.switches)
            .any(|(known, off)| *known == name && new.value.eq_ignore_ascii_case(off));
        let is_mypy = name == "ignore_errors" && !new.key.starts_with("testenv");
        if is_off && !is_mypy {
            return Some((format!("`{name}` would be `{}`", new.value), new.line, Severity::High));
        }
        let is_filter = runners::all().any(|runner| runner.settings.filters.contains(&name))
            || (name == "exclude" && is_runner && !new.key.contains("coverage"));
        if is_filter && !is_build_folder(&new.value) && (is_runner || name != "grep") {
            return Some((format!("`{name}` would leave out `{}`", new.value), new.line, Severity::High));
        }
        let is_retry =
            RETRIES.contains(&name) && is_runner && new.value.parse::<u32>().is_ok_and(|times| times > 0);
        if is_retry && !before.iter().any(|old| old.name() == name) {
            return Some((
                format!("`{name}` would run a failing test until it passes"),
                new.line,
                Severity::Medium,
            ));
        }
        let old = value(before, &new.key);
        let is_options =
            matches!(name, "addopts" | "args" | "extra_args") || new.key.starts_with("testenv.commands");
        if is_options {
            let was = old.map(|it| it.value.as_str()).unwrap_or_default();
            let (was, is) = (format!("pytest {was}"), format!("pytest {}", new.value));
            if let Some(how) = weaker(&was, &is) {
                return Some((format!("`{name}` {how}"), new.line, Severity::High));
            }
        }
    }
    for place in runners::all().flat_map(|runner| runner.settings.places) {
        let items = |all: &[Entry]| {
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
    }
    None
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

/// Files that are not read as values.
fn lines(change: &Change, before: &str, after: &str) -> Option<Found> {
    let name = file_name(&change.path);
    let bare = |line: &str| line.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let of_runners = runners::all().flat_map(|runner| runner.settings.lines);
    let known = LINES.iter().chain(of_runners).filter(|(file, ..)| *file == name);
    for (_, mark, comes) in known {
        let count = |text: &str| {
            text.lines()
                .filter(|line| !line.trim_start().starts_with(['#', '/']))
                .filter(|line| bare(line).contains(mark))
                .count()
        };
        let (old, new) = (count(before), count(after));
        if (*comes && new > old) || (!*comes && old > 0 && new == 0) {
            let line = if *comes { after } else { before }.lines().position(|line| bare(line).contains(mark));
            let line = line.and_then(|at| u32::try_from(at + 1).ok()).unwrap_or(0);
            let how = if *comes { "would be set" } else { "would be gone" };
            return Some((format!("`{mark}` {how}"), line, Severity::High));
        }
    }
    if name == "CMakeLists.txt" {
        let registers = |text: &str| {
            let code = text.lines().map(bare).filter(|line| !line.starts_with('#'));
            code.filter(|line| line.starts_with("add_test(") || line.contains("_discover_tests(")).count()
        };
        // One in a function or a loop stands for many: `add_test(${NAME} ${NAME})`.
        let of_all = |text: &str| {
            text.lines().map(bare).filter(|line| line.starts_with("add_test(") && line.contains("${")).count()
        };
        if of_all(after) < of_all(before)
            && registers(after) < registers(before)
            && !after.lines().map(bare).any(|line| line.contains("_discover_tests(${"))
        {
            return Some(("tests would not be made known to CTest any more".to_owned(), 0, Severity::High));
        }
        if registers(before) > 0
            && registers(after) == 0
            && after.lines().count() >= before.lines().count() / 2
        {
            return Some(("no test would be made known to CTest".to_owned(), 0, Severity::High));
        }
        let on = |text: &str| {
            text.lines()
                .map(bare)
                .filter(|line| line.starts_with("option(") && line.contains("TEST") && line.ends_with("ON)"))
                .count()
        };
        if on(after) < on(before) && after.lines().count() >= before.lines().count() {
            return Some(("the option that builds the tests would be off".to_owned(), 0, Severity::High));
        }
    }
    None
}
