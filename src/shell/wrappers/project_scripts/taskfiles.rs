//! The commands of a Taskfile's tasks.

use std::collections::HashSet;

use crate::shell::model::UNKNOWN;
use crate::yaml::{YamlTree, document};

/// So many tasks are followed from one to another.
const MOST_TASKS: usize = 64;

/// The names under which a Taskfile is looked for.
pub(super) const NAMES: &[&str] = &["Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml"];

/// The commands that tasks run, with those of the tasks that they need.
pub(super) fn task_lines(text: &str, asked: &[String]) -> Vec<String> {
    let Ok(file) = document(text) else { return Vec::new() };
    let Some(tasks) = entry(&file.value, "tasks") else { return Vec::new() };
    let mut waiting = if asked.is_empty() { vec!["default".to_owned()] } else { asked.to_vec() };
    let mut seen: HashSet<String> = HashSet::new();
    let mut found = Vec::new();
    while let Some(name) = waiting.pop() {
        if seen.len() >= MOST_TASKS || !seen.insert(name.clone()) {
            continue;
        }
        if let Some(task) = entry(tasks, &name) {
            waiting.extend(entry(task, "deps").into_iter().flat_map(needed));
            take_in(task, &mut found, &mut waiting);
        }
    }
    found
}

fn entry<'y>(tree: &'y YamlTree, name: &str) -> Option<&'y YamlTree> {
    tree.as_map()?.iter().find(|(key, _)| key.name == name).map(|(_, node)| &node.value)
}

/// The tasks that are named in a list of them: `stop`, or `task: stop`.
fn needed(list: &YamlTree) -> impl Iterator<Item = String> {
    let name = |tree: &YamlTree| entry(tree, "task").unwrap_or(tree).as_text().map(str::to_owned);
    list.as_list().into_iter().flatten().filter_map(move |node| name(&node.value))
}

/// Takes in what a task, or a step of one, runs: a command, a list of steps, or either under its key.
fn take_in(step: &YamlTree, found: &mut Vec<String>, waiting: &mut Vec<String>) {
    if let Some(command) = step.as_text() {
        found.push(without_templates(command));
    }
    for node in step.as_list().into_iter().flatten() {
        take_in(&node.value, found, waiting);
    }
    waiting.extend(entry(step, "task").and_then(YamlTree::as_text).map(str::to_owned));
    for key in ["cmd", "cmds", "defer"] {
        if let Some(inner) = entry(step, key) {
            take_in(inner, found, waiting);
        }
    }
}

/// `{{.NAME}}` is nothing that is known here.
fn without_templates(text: &str) -> String {
    let mut parts = text.split("{{");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push(UNKNOWN);
        plain.push_str(part.split_once("}}").map_or("", |(_, rest)| rest));
    }
    plain
}
