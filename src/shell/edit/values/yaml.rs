//! A value of a YAML file, set or deleted line by line.

use serde_json::Value;

use crate::shell::edit::values::{Assignment, Key};

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) if text.is_empty() || text.contains([':', '#', '\n', '"', '{', '[']) => {
            value.to_string()
        }
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// The column where a line's key begins: `- name: x` begins behind the dash.
fn column(line: &str) -> usize {
    let trimmed = line.trim_start_matches([' ', '-']);
    line.len() - trimmed.len()
}

fn key_of(line: &str) -> Option<&str> {
    let trimmed = line.trim_start_matches([' ', '-']);
    let (key, _) = trimmed.split_once(':')?;
    Some(key.trim().trim_matches(['"', '\'']))
}

/// Where the block ends that begins in a line.
fn block_end(lines: &[String], start: usize, at: usize) -> usize {
    let rest = lines.iter().enumerate().skip(start + 1);
    let ends = rest.into_iter().find(|(_, line)| {
        !line.trim().is_empty()
            && (indent(line) < at || (indent(line) == at && !line.trim_start().starts_with('-')))
    });
    ends.map_or(lines.len(), |(index, _)| index)
}

/// Where a list's item ends whose own lines are at least so far in.
fn item_end(lines: &[String], start: usize, at: usize) -> usize {
    let mut rest = lines.iter().enumerate().skip(start + 1);
    rest.find(|(_, line)| !line.trim().is_empty() && indent(line) < at)
        .map_or(lines.len(), |(index, _)| index)
}

pub(crate) fn set_yaml(lines: &mut Vec<String>, assignment: &Assignment) -> Option<()> {
    let (mut from, mut to, mut level) = (0, lines.len(), 0);
    let mut parent = None;
    let count = assignment.path.len();
    for (depth, key) in assignment.path.iter().enumerate() {
        let is_last = depth + 1 == count;
        let inside = lines.get(from..to)?;
        let own = inside.iter().filter(|line| !line.trim().is_empty() && !line.trim().starts_with('#'));
        let first = own
            .map(|line| if matches!(key, Key::Item(_)) { indent(line) } else { column(line) })
            .min()
            .unwrap_or(level);
        let found = match key {
            Key::Name(name) => {
                inside.iter().position(|line| column(line) == first && key_of(line) == Some(name))
            }
            Key::Item(item) => {
                let items = inside
                    .iter()
                    .enumerate()
                    .filter(|(_, line)| indent(line) == first && line.trim_start().starts_with('-'));
                items.map(|(index, _)| index).nth(*item)
            }
        };
        match (found.map(|index| from + index), is_last, &assignment.value) {
            (Some(index), false, _) => {
                let line = lines.get(index)?;
                let at = if matches!(key, Key::Item(_)) { indent(line) + 1 } else { column(line) };
                let end = match key {
                    Key::Item(_) => item_end(lines, index, at),
                    Key::Name(_) => block_end(lines, index, at),
                };
                parent = Some(index);
                from = if matches!(key, Key::Item(_)) { index } else { index + 1 };
                to = end.min(to);
                level = at + 2;
            }
            (Some(index), true, None) => {
                let line = lines.get(index)?;
                let end = match key {
                    Key::Item(_) => item_end(lines, index, indent(line) + 1),
                    Key::Name(_) => block_end(lines, index, column(line)),
                };
                let end = end.min(to);
                lines.drain(index..end.max(index + 1));
                return Some(());
            }
            (Some(index), true, Some(value)) => {
                let line = lines.get(index)?.clone();
                let end = block_end(lines, index, column(&line)).min(to).max(index + 1);
                let head = line.get(..line.find(':')? + 1)?;
                lines.splice(index..end, [format!("{head} {}", shown(value))]);
                return Some(());
            }
            (None, _, None) => return Some(()),
            (None, _, Some(value)) => {
                let mut new = Vec::new();
                let mut at = first;
                for (depth, key) in assignment.path.iter().enumerate().skip(depth) {
                    let Key::Name(name) = key else { return None };
                    let end = if depth + 1 == count { format!(" {}", shown(value)) } else { String::new() };
                    new.push(format!("{}{name}:{end}", " ".repeat(at)));
                    at += 2;
                }
                // In a list's item the new key goes behind its first line.
                let place = if lines.get(from).is_some_and(|line| line.trim_start().starts_with('-')) {
                    from + 1
                } else {
                    parent.map_or(to, |_| from)
                };
                lines.splice(place..place, new);
                return Some(());
            }
        }
    }
    None
}
