//! A value of a TOML or INI file, set or deleted line by line.

use crate::shell::edit::values::{ValueAssignment, ValueStep};

pub(crate) fn set_toml(lines: &mut Vec<String>, assignment: &ValueAssignment) -> Option<()> {
    let names: Option<Vec<&str>> = assignment
        .path
        .iter()
        .map(|key| match key {
            ValueStep::Name(name) => Some(name.as_str()),
            ValueStep::Item(_) | ValueStep::Each | ValueStep::Behind => None,
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
