//! A value of a YAML file, set or deleted line by line.

use serde_json::Value;

use crate::shell::edit::values::{ValueAssignment, ValueStep};

/// Sets or deletes one value. `None` where the file is not written as this reads it.
pub(crate) fn set_yaml(lines: &mut Vec<String>, assignment: &ValueAssignment) -> Option<()> {
    let mut region = Region::whole(lines);
    for (depth, key) in assignment.path.iter().enumerate() {
        let is_last = depth + 1 == assignment.path.len();
        let column = region.keys_column(lines, key)?;
        match (region.find(lines, key, column), &assignment.value) {
            (Some(index), _) if !is_last => region.enter(lines, key, index)?,
            (Some(index), Some(value)) => return region.replace(lines, index, value),
            (Some(index), None) => return region.remove(lines, key, index),
            (None, Some(value)) => return region.add(lines, assignment.path.get(depth..)?, column, value),
            (None, None) => return Some(()),
        }
    }
    None
}

/// The keys or items of what stands at a path.
pub(crate) fn members(lines: &[String], path: &[ValueStep]) -> Vec<ValueStep> {
    members_of(lines, path).unwrap_or_default()
}

fn members_of(lines: &[String], path: &[ValueStep]) -> Option<Vec<ValueStep>> {
    let mut region = Region::whole(lines);
    for key in path {
        let index = region.find(lines, key, region.keys_column(lines, key)?)?;
        region.enter(lines, key, index)?;
    }
    let own = lines.get(region.from..region.to)?;
    let first = own.iter().find(|line| says_something(line))?;
    let at = indent(first);
    if is_item(first, at) {
        let items = own.iter().filter(|line| is_item(line, at));
        return Some((0..items.count()).map(ValueStep::Item).collect());
    }
    let keys = own.iter().filter(|line| indent(line) == at).filter_map(|line| key_of(line));
    Some(keys.map(|key| ValueStep::Name(key.to_owned())).collect())
}

/// The lines in which the rest of a path is looked for.
struct Region {
    from: usize,
    to: usize,
    /// How far in a key stands where none is there yet.
    level: usize,
    /// Whether these are the lines below a key or in an item.
    is_inside: bool,
}

impl Region {
    fn whole(lines: &[String]) -> Region {
        Region { from: 0, to: lines.len(), level: 0, is_inside: false }
    }

    /// How far in the keys or the items stand. `None` where there are no such lines.
    fn keys_column(&self, lines: &[String], key: &ValueStep) -> Option<usize> {
        let inside = lines.get(self.from..self.to)?.iter();
        let own = inside.filter(|line| says_something(line));
        Some(own.map(|line| column_of(line, key)).min().unwrap_or(self.level))
    }

    /// The line of a key or an item that stands so far in.
    fn find(&self, lines: &[String], key: &ValueStep, at: usize) -> Option<usize> {
        let mut inside = lines.get(self.from..self.to)?.iter();
        let found = match key {
            ValueStep::Name(name) => {
                inside.position(|line| column(line) == at && key_of(line) == Some(name.as_str()))
            }
            ValueStep::Each | ValueStep::Behind => None,
            ValueStep::Item(item) => {
                inside.enumerate().filter(|(_, line)| is_item(line, at)).map(|(index, _)| index).nth(*item)
            }
        };
        found.map(|index| self.from + index)
    }

    /// Goes on in what stands below a key, or in an item.
    fn enter(&mut self, lines: &[String], key: &ValueStep, index: usize) -> Option<()> {
        let is_item = matches!(key, ValueStep::Item(_));
        let own = column_of(lines.get(index)?, key) + usize::from(is_item);
        self.to = own_end(lines, key, index)?.min(self.to);
        self.from = if is_item { index } else { index + 1 };
        self.level = own + 2;
        self.is_inside = true;
        Some(())
    }

    fn remove(&self, lines: &mut Vec<String>, key: &ValueStep, index: usize) -> Option<()> {
        let end = own_end(lines, key, index)?.min(self.to);
        lines.drain(index..end.max(index + 1));
        Some(())
    }

    fn replace(&self, lines: &mut Vec<String>, index: usize, value: &Value) -> Option<()> {
        let line = lines.get(index)?.clone();
        let end = block_end(lines, index, column(&line)).min(self.to).max(index + 1);
        let head = line.get(..line.find(':')? + 1)?;
        lines.splice(index..end, [format!("{head} {}", shown(value))]);
        Some(())
    }

    /// Adds the keys that are not there yet, the last one with its value.
    fn add(&self, lines: &mut Vec<String>, path: &[ValueStep], column: usize, value: &Value) -> Option<()> {
        let mut new = Vec::new();
        for (depth, key) in path.iter().enumerate() {
            let ValueStep::Name(name) = key else { return None };
            let end = if depth + 1 == path.len() { format!(" {}", shown(value)) } else { String::new() };
            new.push(format!("{}{name}:{end}", " ".repeat(column + 2 * depth)));
        }
        // In a list's item the new key goes behind its first line.
        let place = if lines.get(self.from).is_some_and(|line| line.trim_start().starts_with('-')) {
            self.from + 1
        } else if self.is_inside {
            self.from
        } else {
            self.to
        };
        lines.splice(place..place, new);
        Some(())
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) if text.is_empty() || text.contains([':', '#', '\n', '"', '{', '[']) => {
            value.to_string()
        }
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Whether a line is neither blank nor a comment.
fn says_something(line: &str) -> bool {
    !line.trim().is_empty() && !line.trim().starts_with('#')
}

/// Whether an item of a list begins in a line, so far in.
fn is_item(line: &str, at: usize) -> bool {
    indent(line) == at && line.trim_start().starts_with('-')
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// The column where a line's key begins: `- name: x` begins behind the dash.
fn column(line: &str) -> usize {
    let trimmed = line.trim_start_matches([' ', '-']);
    line.len() - trimmed.len()
}

/// Where a line's key or item begins.
fn column_of(line: &str, key: &ValueStep) -> usize {
    if matches!(key, ValueStep::Item(_)) { indent(line) } else { column(line) }
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

/// Where what belongs to a key or an item ends.
fn own_end(lines: &[String], key: &ValueStep, index: usize) -> Option<usize> {
    let line = lines.get(index)?;
    Some(match key {
        ValueStep::Item(_) => item_end(lines, index, indent(line) + 1),
        ValueStep::Name(_) | ValueStep::Each | ValueStep::Behind => block_end(lines, index, column(line)),
    })
}
