//! Values that a command sets or deletes in a configuration file: `npm pkg set`, `jq`, `yq -i` and their like.
//!
//! What a program says beyond plain assignments and deletions is no edit here.

pub(crate) mod json;
pub(crate) mod query;
pub(crate) mod toml;
pub(crate) mod yaml;

use serde_json::Value;

use crate::shell::edit::values::json::set;
use crate::shell::edit::values::toml::set_toml;
use crate::shell::edit::values::yaml::set_yaml;

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
pub(in crate::shell) enum ValueStep {
    Name(String),
    Item(usize),
    /// Whatever stands there: `.jobs[]`, `.jobs.*`.
    Each,
    /// The end of the text that stands there: `p.scripts.test += " --silent"`.
    Behind,
}

/// A value that is set, or deleted where there is none.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::shell) struct ValueAssignment {
    pub(in crate::shell) path: Vec<ValueStep>,
    pub(in crate::shell) value: Option<Value>,
}

impl Eq for ValueAssignment {}

/// The assignments of one command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::shell) struct ValueEdit {
    pub(in crate::shell) format: Format,
    pub(in crate::shell) assignments: Vec<ValueAssignment>,
}

/// Keys joined by dots.
pub(in crate::shell) fn dotted(text: &str) -> Vec<ValueStep> {
    text.split('.').filter(|key| !key.is_empty()).map(|key| ValueStep::Name(key.to_owned())).collect()
}

/// A value as a command line has it: JSON where it is one, else a text.
pub(in crate::shell) fn plain(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::from(text))
}

/// The most assignments that `[]` may stand for.
const MOST_MEMBERS: usize = 200;

impl ValueEdit {
    /// The assignments, one for each of the members that a path means.
    fn of_each(&self, members: impl Fn(&[ValueStep]) -> Vec<ValueStep>) -> Vec<ValueAssignment> {
        let mut done = Vec::new();
        let mut open: Vec<ValueAssignment> = self.assignments.iter().rev().cloned().collect();
        while let Some(assignment) = open.pop() {
            let Some(at) = assignment.path.iter().position(|key| *key == ValueStep::Each) else {
                done.push(assignment);
                continue;
            };
            let before = assignment.path.get(..at).unwrap_or_default();
            let mut members = members(before);
            members.truncate(MOST_MEMBERS);
            // The last one is taken next: items are deleted from behind.
            if assignment.value.is_some() {
                members.reverse();
            }
            for member in members {
                let mut path = assignment.path.clone();
                path.splice(at..=at, [member]);
                open.push(ValueAssignment { path, value: assignment.value.clone() });
            }
            if done.len() + open.len() > MOST_MEMBERS {
                break;
            }
        }
        done
    }

    pub(super) fn apply(&self, text: &str) -> Option<String> {
        if self.format == Format::Json {
            let mut value: Value = serde_json::from_str(text).ok()?;
            for assignment in &self.of_each(|path| json::members(&value, path)) {
                set(&mut value, &assignment.path, assignment.value.as_ref());
            }
            let mut out = serde_json::to_string_pretty(&value).ok()?;
            out.push('\n');
            return Some(out);
        }
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for assignment in &self.of_each(|path| yaml::members(&lines, path)) {
            match self.format {
                Format::Yaml => set_yaml(&mut lines, assignment)?,
                _ => set_toml(&mut lines, assignment)?,
            }
        }
        Some(lines.into_iter().map(|line| line + "\n").collect())
    }
}
