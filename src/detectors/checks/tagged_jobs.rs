//! Tests that leave the default run by their tag: a job of the session's CI server runs them by the same tag, or they came
//! with it.

use std::borrow::Cow;

use crate::detectors::Case;
use crate::detectors::checks::check_command::{is_check, words};
use crate::detectors::checks::ci_steps::{commands, is_workflow};
use crate::languages::{SettingEntry, file_name, is_test_path, settings};
use crate::model::finding::Change;
use crate::model::words::has_word;

/// Flags that take the tests of a tag.
const TAKING: &[&str] = &["-m", "--include", "--only"];
/// What starts a run without anybody's asking.
const STARTS: &[&str] = &["push", "pull_request", "pull_request_target", "merge_group", "schedule"];
/// Keys of a job or a step that may fail, or that somebody has to start.
const LENIENT: &[&str] = &["continue-on-error", "allow_failure", "continueOnError", "when", "if"];

/// A part of a text that leaves out the tests of some tags, and the tags.
struct LeftOutTags<'t> {
    written: &'t str,
    tags: Vec<&'t str>,
}

/// A change without the tags that it newly leaves out and that a job runs, or that only new tests have, so that what is left is
/// judged.
pub(super) fn without_tagged<'c>(case: &Case, change: Cow<'c, Change>) -> Cow<'c, Change> {
    let (Some(before), Some(after)) = (change.before.as_deref(), change.after.as_deref()) else {
        return change;
    };
    let stays = |tag: &&str| is_taken(case, tag) || is_of_new_tests(case, tag);
    let is_spared = |it: &LeftOutTags| !before.contains(it.written) && it.tags.iter().all(stays);
    let Some(left_out) = left_out(&change.path, after).filter(is_spared) else { return change };
    let rest = after.replacen(left_out.written, "", 1);
    Cow::Owned(Change { path: change.path.clone(), before: change.before.clone(), after: Some(rest) })
}

/// The first part of a runner's configuration that leaves tests out by their tags.
fn left_out<'t>(path: &str, text: &'t str) -> Option<LeftOutTags<'t>> {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with(['#', ';']));
    match file_name(path) {
        "pyproject.toml" | "pytest.ini" | "setup.cfg" | "tox.ini" => {
            lines.filter(|line| line.contains("addopts")).find_map(marks)
        }
        "test_helper.exs" => lines.filter(|line| line.contains("ExUnit.")).find_map(atoms),
        _ => None,
    }
}

/// `-m 'not slow and not network'`
fn marks(line: &str) -> Option<LeftOutTags<'_>> {
    let start = line.find(" -m ").or_else(|| line.find("\"-m ").or_else(|| line.find("'-m ")))? + 1;
    let rest = line.get(start..)?;
    let open = rest.find(['\'', '"'])?;
    let (quote, inside) = rest.get(open..)?.split_at_checked(1)?;
    let expression = inside.split(quote).next()?.trim_end_matches('\\');
    let tags: Option<Vec<&str>> =
        expression.split(" and ").map(|part| part.trim().strip_prefix("not ").map(str::trim)).collect();
    let tags = tags.filter(|tags| tags.iter().all(|tag| is_tag(tag)))?;
    let end = open + 1 + inside.find(quote)? + 1;
    Some(LeftOutTags { written: rest.get(..end)?, tags })
}

/// `exclude: [:slow, network: true]`
fn atoms<'t>(line: &'t str) -> Option<LeftOutTags<'t>> {
    let rest = line.get(line.find("exclude:")?..)?;
    let list = rest.get(rest.find('[')? + 1..rest.find(']')?)?;
    let name = |item: &'t str| {
        let item = item.trim();
        item.strip_prefix(':').or_else(|| item.strip_suffix(": true"))
    };
    let tags: Option<Vec<&str>> = list.split(',').map(name).collect();
    let tags = tags.filter(|tags| tags.iter().all(|tag| is_tag(tag)))?;
    Some(LeftOutTags { written: rest.get(..=rest.find(']')?)?, tags })
}

/// Whether the session has brought the tests of a tag, and has put it on none that was there before.
fn is_of_new_tests(case: &Case, tag: &str) -> bool {
    let marks =
        [format!("@tag :{tag}"), format!("@tag {tag}:"), format!("@moduletag :{tag}"), format!("mark.{tag}")];
    let has_tag = |text: &str| marks.iter().any(|mark| has_word(text, mark));
    let mut tagged = case
        .all_changes()
        .filter(|it| is_test_path(&it.path) && it.after.as_deref().is_some_and(has_tag))
        .peekable();
    tagged.peek().is_some()
        && tagged.all(|it| {
            let before = it.before.as_deref().unwrap_or_default();
            let titles = it.after.as_deref().map(|after| titles_below(after, &has_tag)).unwrap_or_default();
            !has_tag(before) && !titles.is_empty() && titles.iter().all(|title| !before.contains(title))
        })
}

/// The first lines of what stands below the lines that have a tag.
fn titles_below<'t>(text: &'t str, has_tag: &impl Fn(&str) -> bool) -> Vec<&'t str> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let is_title = |line: &&&str| !line.is_empty() && !line.starts_with(['@', '#']);
    let below = |at: usize| lines.iter().skip(at + 1).find(is_title).copied();
    let tagged = lines.iter().enumerate().filter(|(_, line)| has_tag(line));
    tagged.filter_map(|(at, _)| below(at)).collect()
}

fn is_tag(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

/// Whether a pipeline of the session that starts by itself has a new command that runs the tests of a tag.
fn is_taken(case: &Case, tag: &str) -> bool {
    case.all_changes().filter(|it| is_workflow(&it.path)).any(|workflow| {
        let after = workflow.after.as_deref().unwrap_or_default();
        let Some(entries) = settings(&workflow.path, after) else { return false };
        let old = workflow.before.as_deref().unwrap_or_default();
        starts_itself(&workflow.path, after)
            && commands(&entries).iter().any(|(command, line)| {
                takes(command, tag) && !old.contains(command) && counts(&entries, *line)
            })
    })
}

/// Whether a run starts without anybody's asking: other servers than GitHub's do unless they are told otherwise.
fn starts_itself(path: &str, text: &str) -> bool {
    let head = text.split("\njobs:").next().unwrap_or_default();
    let mut words = head
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .flat_map(|line| line.split(|c: char| !(c.is_alphanumeric() || c == '_')));
    !path.contains(".github/") || words.any(|word| STARTS.contains(&word))
}

/// Whether a command runs the tests of a tag, and fails where they do.
fn takes(command: &str, tag: &str) -> bool {
    let all = words(command);
    let pairs = all.iter().zip(all.iter().skip(1));
    let of_tag = |value: &str| {
        let mut options = value.trim_matches(['\'', '"']).split(" or ").map(str::trim);
        options.any(|it| it.split(':').next() == Some(tag))
    };
    is_check(command)
        && !command.contains(['|', ';', '&'])
        && pairs.into_iter().any(|(flag, value)| TAKING.contains(&flag.as_str()) && of_tag(value))
}

/// Whether the job and the step of a line run always, and fail the run.
fn counts(entries: &[SettingEntry], line: u32) -> bool {
    let Some(key) = entries.iter().find(|it| it.line == line).map(|it| it.key.as_str()) else { return false };
    let step = key.rsplit_once('.').map_or(key, |(place, _)| place);
    let job = key.split(".steps").next().filter(|it| it.len() < key.len()).unwrap_or(step);
    let is_holder = |place: &str| place == step || place == job;
    !entries.iter().any(|it| {
        let is_lenient = LENIENT.contains(&it.name()) && (it.name() == "if" || it.value != "false");
        is_lenient && it.key.rsplit_once('.').is_some_and(|(place, _)| is_holder(place))
    })
}
