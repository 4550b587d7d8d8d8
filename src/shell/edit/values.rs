//! Values that a command sets or deletes in a configuration file: `npm pkg set`, `jq`, `yq -i` and their like.
//!
//! What a program says beyond plain assignments and deletions is no edit here.

use serde_json::Value;

/// How a file holds its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::shell) enum Format {
    /// JSON, parsed and printed again.
    Json,
    /// YAML, line by line.
    Yaml,
    /// TOML and INI, line by line.
    Toml,
}

impl Format {
    /// The format of a file with this name.
    pub(in crate::shell) fn of(name: &str) -> Format {
        match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
            "yml" | "yaml" => Format::Yaml,
            "toml" | "ini" | "cfg" | "coveragerc" | "flake8" => Format::Toml,
            _ => Format::Json,
        }
    }
}

/// One step down to a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::shell) enum Key {
    Name(String),
    Item(usize),
}

/// A value that is set, or deleted where there is none.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::shell) struct Assignment {
    pub(in crate::shell) path: Vec<Key>,
    pub(in crate::shell) value: Option<Value>,
}

impl Eq for Assignment {}

/// The assignments of one command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::shell) struct Values {
    pub(in crate::shell) format: Format,
    pub(in crate::shell) assignments: Vec<Assignment>,
}

/// Keys joined by dots.
pub(in crate::shell) fn dotted(text: &str) -> Vec<Key> {
    text.split('.').filter(|key| !key.is_empty()).map(|key| Key::Name(key.to_owned())).collect()
}

/// A value as a command line has it: JSON where it is one, else a text.
pub(in crate::shell) fn plain(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::from(text))
}

impl Values {
    pub(super) fn apply(&self, text: &str) -> Option<String> {
        if self.format == Format::Json {
            let mut value: Value = serde_json::from_str(text).ok()?;
            for assignment in &self.assignments {
                set(&mut value, &assignment.path, assignment.value.as_ref());
            }
            let mut out = serde_json::to_string_pretty(&value).ok()?;
            out.push('\n');
            return Some(out);
        }
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for assignment in &self.assignments {
            match self.format {
                Format::Yaml => set_yaml(&mut lines, assignment)?,
                _ => set_toml(&mut lines, assignment)?,
            }
        }
        Some(lines.into_iter().map(|line| line + "\n").collect())
    }
}

fn set(value: &mut Value, path: &[Key], new: Option<&Value>) {
    let mut here = value;
    let Some((last, before)) = path.split_last() else { return };
    for key in before {
        if !here.is_object() && !here.is_array() {
            *here = Value::Object(serde_json::Map::new());
        }
        let next = match (key, here) {
            (Key::Name(name), Value::Object(map)) => {
                if new.is_none() && !map.contains_key(name) {
                    return;
                }
                map.entry(name.clone()).or_insert(Value::Null)
            }
            (Key::Item(item), Value::Array(items)) => match items.get_mut(*item) {
                Some(next) => next,
                None => return,
            },
            _ => return,
        };
        here = next;
    }
    if new.is_some() && matches!(last, Key::Name(_)) && !here.is_object() {
        *here = Value::Object(serde_json::Map::new());
    }
    match (last, here, new) {
        (Key::Name(name), Value::Object(map), Some(new)) => {
            map.insert(name.clone(), new.clone());
        }
        (Key::Name(name), Value::Object(map), None) => {
            map.shift_remove(name);
        }
        (Key::Item(item), Value::Array(items), Some(new)) => {
            if let Some(slot) = items.get_mut(*item) {
                *slot = new.clone();
            }
        }
        (Key::Item(item), Value::Array(items), None) if *item < items.len() => {
            items.remove(*item);
        }
        _ => {}
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

fn set_yaml(lines: &mut Vec<String>, assignment: &Assignment) -> Option<()> {
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

fn set_toml(lines: &mut Vec<String>, assignment: &Assignment) -> Option<()> {
    let names: Option<Vec<&str>> = assignment
        .path
        .iter()
        .map(|key| match key {
            Key::Name(name) => Some(name.as_str()),
            Key::Item(_) => None,
        })
        .collect();
    let names = names?;
    let (key, section) = names.split_last()?;
    let section = section.join(".");
    let is_header = |line: &String| line.trim_start().starts_with('[');
    let start = match section.is_empty() {
        true => 0,
        false => match lines.iter().position(|line| line.trim() == format!("[{section}]")) {
            Some(at) => at + 1,
            None if assignment.value.is_none() => return Some(()),
            None => {
                lines.push(format!("[{section}]"));
                lines.len()
            }
        },
    };
    let end = lines.iter().skip(start).position(is_header).map_or(lines.len(), |at| start + at);
    let found = lines
        .get(start..end)?
        .iter()
        .position(|line| line.split_once('=').is_some_and(|(name, _)| name.trim().trim_matches('"') == *key));
    let line = assignment.value.as_ref().map(|value| format!("{key} = {value}"));
    match (found.map(|at| start + at), line) {
        (Some(at), Some(line)) => *lines.get_mut(at)? = line,
        (Some(at), None) => drop(lines.remove(at)),
        (None, Some(line)) => lines.insert(end, line),
        (None, None) => {}
    }
    Some(())
}

/// The assignments of a `jq` or `yq` program. `None` for anything else.
pub(in crate::shell) fn program(text: &str, arguments: &[(String, Value)]) -> Option<Vec<Assignment>> {
    let mut rest = text.trim();
    let mut assignments = Vec::new();
    loop {
        if let Some(inside) = rest.strip_prefix("del(") {
            let (path, after) = path(inside.trim_start())?;
            rest = after.trim_start().strip_prefix(')')?;
            assignments.push(Assignment { path, value: None });
        } else {
            let (path, after) = path(rest)?;
            let after = after.trim_start();
            let after = after.strip_prefix("|=").or_else(|| after.strip_prefix('='))?.trim_start();
            if after.starts_with('=') {
                return None;
            }
            let (value, after) = value(after, arguments)?;
            rest = after;
            assignments.push(Assignment { path, value: Some(value) });
        }
        rest = rest.trim_start();
        match rest.strip_prefix('|') {
            Some(after) => rest = after.trim_start(),
            None => return rest.is_empty().then_some(assignments),
        }
    }
}

fn path(text: &str) -> Option<(Vec<Key>, &str)> {
    let mut keys = Vec::new();
    let mut rest = text.strip_prefix('(').unwrap_or(text);
    let bracketed = rest.len() < text.len();
    loop {
        if let Some(after) = rest.strip_prefix(".[").or_else(|| rest.strip_prefix('[')) {
            let (inside, after) = after.split_once(']')?;
            keys.push(match inside.trim().parse() {
                Ok(item) => Key::Item(item),
                Err(_) => Key::Name(inside.trim().strip_prefix('"')?.strip_suffix('"')?.to_owned()),
            });
            rest = after;
        } else if let Some(after) = rest.strip_prefix(".\"") {
            let (name, after) = after.split_once('"')?;
            keys.push(Key::Name(name.to_owned()));
            rest = after;
        } else if let Some(after) = rest.strip_prefix('.') {
            let end = after
                .find(|it: char| !(it.is_alphanumeric() || matches!(it, '_' | '-' | '$')))
                .unwrap_or(after.len());
            let (name, after) = after.split_at(end);
            if name.is_empty() {
                return None;
            }
            keys.push(Key::Name(name.to_owned()));
            rest = after;
        } else {
            break;
        }
    }
    let rest = if bracketed { rest.trim_start().strip_prefix(')')? } else { rest };
    (!keys.is_empty()).then_some((keys, rest))
}

fn value<'t>(text: &'t str, arguments: &[(String, Value)]) -> Option<(Value, &'t str)> {
    if let Some(after) = text.strip_prefix('$') {
        let end = after.find(|it: char| !(it.is_alphanumeric() || it == '_')).unwrap_or(after.len());
        let (name, rest) = after.split_at(end);
        let value = arguments.iter().find(|(known, _)| known == name)?.1.clone();
        return Some((value, rest));
    }
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let value = stream.next()?.ok()?;
    let rest = text.get(stream.byte_offset()..)?;
    Some((value, rest))
}
