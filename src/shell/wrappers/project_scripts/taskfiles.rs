//! The commands of a Taskfile's tasks, as far as its lines say them plainly.

use std::collections::HashSet;

use crate::shell::model::UNKNOWN;

/// So many tasks are followed from one to another.
const MOST_TASKS: usize = 64;

/// The names under which a Taskfile is looked for.
pub(super) const NAMES: &[&str] = &["Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml"];

/// The commands that tasks run, with those of the tasks that they need.
pub(super) fn task_lines(text: &str, asked: &[String]) -> Vec<String> {
    let mut waiting = if asked.is_empty() { vec!["default".to_owned()] } else { asked.to_vec() };
    let mut seen: HashSet<String> = HashSet::new();
    let mut found = Vec::new();
    while let Some(name) = waiting.pop() {
        if seen.len() >= MOST_TASKS || !seen.insert(name.clone()) {
            continue;
        }
        for line in lines_of(text, &name) {
            match line {
                TaskLine::Command(command) => found.push(command),
                TaskLine::Needs(other) => waiting.push(other),
            }
        }
    }
    found
}

/// What a line of a task says.
enum TaskLine {
    Command(String),
    Needs(String),
}

fn depth(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// A value without the quotes around all of it.
fn bare(text: &str) -> String {
    let text = text.trim();
    let within = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote).filter(|it| !it.contains(quote));
    within('"').or_else(|| within('\'')).unwrap_or(text).to_owned()
}

/// The lines of one task: those deeper than its name, which stands right below `tasks:`.
fn lines_of(text: &str, name: &str) -> Vec<TaskLine> {
    let tasks = text.lines().skip_while(|line| line.trim_end() != "tasks:").skip(1);
    let tasks = tasks.filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    let mut own = None;
    let mut lines: Vec<&str> = Vec::new();
    for line in tasks.take_while(|line| depth(line) > 0) {
        let is_head = line.trim_end().strip_suffix(':').is_some_and(|head| bare(head) == name);
        match own {
            Some(own) if depth(line) <= own => break,
            Some(_) => lines.push(line),
            None if is_head => own = Some(depth(line)),
            None => {}
        }
    }
    read(&lines)
}

fn read(lines: &[&str]) -> Vec<TaskLine> {
    let mut found: Vec<TaskLine> = Vec::new();
    let mut lines = lines.iter().peekable();
    while let Some(line) = lines.next() {
        let item = line.trim();
        let listed = item.strip_prefix("- ").map(str::trim);
        let value = match (listed, item.strip_prefix("cmd:")) {
            (Some(listed), _) => listed.strip_prefix("cmd:").unwrap_or(listed).trim(),
            (None, Some(value)) => value.trim(),
            (None, None) => {
                let needs = item.strip_prefix("deps:").unwrap_or_default().trim().trim_matches(['[', ']']);
                let names = needs.split(',').map(bare).filter(|name| !name.is_empty());
                found.extend(names.map(TaskLine::Needs));
                continue;
            }
        };
        if let Some(task) = value.strip_prefix("task:") {
            found.push(TaskLine::Needs(bare(task)));
        } else if value.starts_with(['|', '>']) {
            let mut block = String::new();
            while let Some(inner) = lines.next_if(|inner| depth(inner) > depth(line)) {
                block.push_str(inner.trim());
                block.push('\n');
            }
            found.push(TaskLine::Command(without_templates(&block)));
        } else if !value.is_empty() {
            found.push(TaskLine::Command(without_templates(&bare(value))));
        }
    }
    found
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
