//! Scripts and targets that run in the end what they ran, whatever they hand on to others: parts of the same file, a script
//! of the session.

use crate::detectors::Case;
use crate::detectors::checks::check_command::{is_check, is_check_name};
use crate::detectors::checks::handed_on::ScriptSources;
use crate::detectors::checks::make_variables::expanded;
use crate::detectors::checks::weaker_command::weaker;
use crate::languages::file_name;
use crate::model::finding::{Change, Finding};

/// How a finding begins, or what it says, that is about what a script runs.
const ABOUT_WORK: &[&str] = &[
    "would not run `",
    "would be less strict",
    "would not be run",
    "would do nothing",
    "` alone",
    "would ask for less",
    "would be gone",
    "and no other test",
    "would leave tests out",
];

/// Whether what is said of a file of scripts is about work that it still does, as its own text and the session's files say.
pub(super) fn do_the_same(case: &Case, change: &Change, what: &str) -> bool {
    let read = |path: &str| {
        let path = path.trim_start_matches("./");
        case.all_changes().find(|it| it.path == path).and_then(|it| it.after.clone())
    };
    ABOUT_WORK.iter().any(|it| what.contains(it)) && runs_as_much(change, what, &read)
}

/// The same by all files of the project.
pub(super) fn is_kept(finding: &Finding, changes: &[Change], read: impl Fn(&str) -> Option<String>) -> bool {
    let change = changes.iter().find(|it| it.path == finding.path);
    let text = |path: &str| {
        let here = changes.iter().find(|it| it.path == path.trim_start_matches("./"));
        here.map_or_else(|| read(path), |it| it.after.clone())
    };
    change.is_some_and(|change| {
        ABOUT_WORK.iter().any(|it| finding.what.contains(it)) && runs_as_much(change, &finding.what, &text)
    })
}

/// Whether each check that a script or a target of a file came to is one that it comes to still.
fn runs_as_much(change: &Change, what: &str, read: &dyn Fn(&str) -> Option<String>) -> bool {
    let (Some(before), Some(after)) = (change.before.as_deref(), change.after.as_deref()) else {
        return false;
    };
    let is_data = change.path.ends_with(".json");
    let whole = |text: &str| if is_data { text.to_owned() } else { expanded(text) };
    let (before, after) = (whole(before), whole(after));
    let Some((starter, names)) = scripts(&change.path, &before) else { return false };
    let own = |path: &str| path.trim_start_matches("./") == file_name(&change.path);
    let with = |text: &str, path: &str| if own(path) { Some(text.to_owned()) } else { read(path) };
    let (was, is) = (|path: &str| with(&before, path), |path: &str| with(&after, path));
    let (old, new) = (ScriptSources { text: &was }, ScriptSources { text: &is });
    let ends = |sources: &ScriptSources, name: &str| -> Vec<String> {
        let around = ["", "pre", "post"].map(|head| format!("{starter} {head}{name}"));
        let around = around.iter().take(if starter == "npm run" { 3 } else { 1 });
        around.flat_map(|command| sources.ends_of(command)).filter(|it| is_check(it)).collect()
    };
    // The script that the finding names has to check something that is known.
    let is_known = named(what).is_none_or(|name| !ends(&old, name).is_empty());
    is_known
        && names.iter().any(|name| !ends(&old, name).is_empty())
        && names.iter().all(|name| {
            let has = ends(&new, name);
            ends(&old, name).iter().all(|check| {
                has.iter().any(|it| it.split_whitespace().eq(check.split_whitespace()) || covers(check, it))
            })
        })
}

/// The script or the target that a finding names.
fn named(what: &str) -> Option<&str> {
    let is_script =
        ["the script `", "the target `", "in the target `"].iter().any(|head| what.starts_with(head));
    what.split('`').nth(1).filter(|_| is_script)
}

/// Whether a command has all words of another, and is not weaker.
fn covers(old: &str, new: &str) -> bool {
    let mut words = old.split_whitespace();
    words.all(|word| new.split_whitespace().any(|it| it == word)) && weaker(old, new).is_none()
}

/// What starts the scripts of a file, and the names of those that check.
fn scripts(path: &str, text: &str) -> Option<(&'static str, Vec<String>)> {
    let starter = match file_name(path) {
        "package.json" => "npm run",
        "composer.json" => "composer",
        "Makefile" | "makefile" | "GNUmakefile" => "make",
        "justfile" | "Justfile" => "just",
        _ => return None,
    };
    if path.ends_with(".json") {
        let package: serde_json::Value = serde_json::from_str(text).ok()?;
        let all = package["scripts"].as_object()?;
        let checks = |(name, value): &(&String, &serde_json::Value)| {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            is_check_name(name) || is_check(&text)
        };
        return Some((starter, all.iter().filter(checks).map(|(name, _)| name.clone()).collect()));
    }
    let heads = text.lines().filter(|line| !line.starts_with(['\t', ' ', '#', '.'])).filter_map(|line| {
        let (name, rest) = line.split_once(':')?;
        (!rest.starts_with('=') && !name.contains(['=', ' '])).then(|| name.to_owned())
    });
    Some((starter, heads.collect()))
}
