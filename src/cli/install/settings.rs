//! The client's settings file as a text that Steadfast's hooks are put into and taken out of again.
//!
//! Every foreign hook, key and value stays, in its order; the file's own indentation and line ends are kept. Nothing
//! here reads or writes a file.

use serde::Serialize;
use serde_json::ser::{PrettyFormatter, Serializer};
use serde_json::{Map, Value, json};

use crate::hosts::claude_code::registration::{
    REGISTRATIONS, Registration, STOP_CAP_LIFTED, STOP_CAP_VARIABLE, our_program,
};
use crate::model::shell_word;

/// Why a settings text is left alone.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// It is not JSON.
    #[error("line {line}, column {column}: {what}")]
    Malformed {
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// What the parser met.
        what: String,
    },
    /// It is JSON, but something else stands where hooks or variables belong.
    #[error("`{place}` is not {expected}")]
    Shape {
        /// The key, with dots: `hooks.PreToolUse`.
        place: String,
        /// `an object` or `an array`.
        expected: &'static str,
    },
}

/// A parsed settings file that remembers how it was laid out.
#[derive(Debug, Clone)]
pub struct SettingsDocument {
    original: String,
    parsed: Value,
    root: Map<String, Value>,
}

/// How the hooks are to be registered.
#[derive(Debug, Clone, Copy, Default)]
pub struct RegistrationOptions {
    /// Whether a call is blocked when the hook itself fails.
    pub fail_closed: bool,
    /// Whether the client knows the events that older ones do not.
    pub every_event: bool,
}

/// The client's key for its status line.
const STATUS_LINE: &str = "statusLine";

impl RegistrationOptions {
    /// The events that are registered.
    pub fn registrations(self) -> impl Iterator<Item = &'static Registration> {
        REGISTRATIONS.iter().filter(move |one| self.every_event || !one.settings_only)
    }
}

impl SettingsDocument {
    /// Reads the text of a settings file; an absent file is the empty text.
    pub fn parse(text: &str) -> Result<Self, SettingsError> {
        let json = text.strip_prefix('\u{feff}').unwrap_or(text);
        let parsed = if json.trim().is_empty() {
            json!({})
        } else {
            serde_json::from_str::<Value>(json).map_err(|error| malformed(json, &error))?
        };
        let Value::Object(root) = parsed.clone() else {
            return Err(SettingsError::Shape { place: "the whole file".to_owned(), expected: "an object" });
        };
        Ok(SettingsDocument { original: text.to_owned(), parsed, root })
    }

    /// Registers the hook at `binary` for every event, in place of any earlier registration of it. True when the
    /// bound on continued turns had to be lifted as well, because the user has set none.
    pub fn add_hooks(&mut self, binary: &str, wanted: RegistrationOptions) -> Result<bool, SettingsError> {
        let hooks = object_at(&mut self.root, "hooks")?;
        for one in wanted.registrations() {
            if hooks.get(one.event).is_some_and(|groups| !groups.is_array()) {
                let place = format!("hooks.{}", one.event);
                return Err(SettingsError::Shape { place, expected: "an array" });
            }
        }
        for one in wanted.registrations() {
            let entry = hooks.entry(one.event).or_insert_with(|| json!([]));
            if let Value::Array(groups) = entry {
                put_group(groups, one.group(binary, wanted.fail_closed));
            }
        }
        remove_from_events(hooks, |event| wanted.registrations().all(|one| one.event != event));
        let env = object_at(&mut self.root, "env")?;
        let lift = !env.contains_key(STOP_CAP_VARIABLE);
        if lift {
            env.insert(STOP_CAP_VARIABLE.to_owned(), json!(STOP_CAP_LIFTED));
        }
        if env.is_empty() {
            self.root.shift_remove("env");
        }
        Ok(lift)
    }

    /// Takes every handler of ours out, and the variable too when `cap_is_ours` and it still has our value. What
    /// becomes empty by that goes as well.
    pub fn remove_hooks(&mut self, cap_is_ours: bool) {
        if let Some(Value::Object(hooks)) = self.root.get_mut("hooks")
            && remove_from_events(hooks, |_| true)
            && hooks.is_empty()
        {
            self.root.shift_remove("hooks");
        }
        if let Some(Value::Object(env)) = self.root.get_mut("env")
            && cap_is_ours
            && env.get(STOP_CAP_VARIABLE).is_some_and(|value| value == STOP_CAP_LIFTED)
        {
            env.shift_remove(STOP_CAP_VARIABLE);
            if env.is_empty() {
                self.root.shift_remove("env");
            }
        }
    }

    /// Lets the client's status line be ours; a foreign one stays. Answers whether it is ours then.
    pub fn add_status_line(&mut self, program: &str) -> bool {
        let wanted =
            json!({"type": "command", "command": format!("{} statusline", shell_word::word(program))});
        match self.root.get(STATUS_LINE) {
            Some(there) if !is_our_status_line(there) => false,
            _ => {
                self.root.insert(STATUS_LINE.to_owned(), wanted);
                true
            }
        }
    }

    /// Takes a status line of ours out.
    pub fn remove_status_line(&mut self) {
        if self.root.get(STATUS_LINE).is_some_and(is_our_status_line) {
            self.root.shift_remove(STATUS_LINE);
        }
    }

    /// Whether any handler of ours is registered.
    pub fn has_hooks(&self) -> bool {
        let Some(Value::Object(hooks)) = self.root.get("hooks") else { return false };
        hooks.values().filter_map(Value::as_array).flatten().any(holds_ours)
    }

    /// Whether nothing is left in it.
    pub fn is_empty(&self) -> bool {
        self.root.is_empty()
    }

    /// The file's text: byte for byte as it was when nothing has changed.
    pub fn text(&self) -> String {
        let value = Value::Object(self.root.clone());
        // Equality of objects ignores order, and order is all that moving keys could change: nothing here moves them.
        if value == self.parsed && !self.original.trim().is_empty() {
            return self.original.clone();
        }
        laid_out_like(&self.original, &value)
    }
}

/// Whether a status line runs `steadfast statusline`, wherever that is installed.
fn is_our_status_line(line: &Value) -> bool {
    let command = line.get("command").and_then(Value::as_str).unwrap_or_default();
    let Some(program) = command.trim_end().strip_suffix(" statusline") else { return false };
    program.trim_matches(['\'', '"']).rsplit('/').next() == Some("steadfast")
}

pub(super) fn malformed(text: &str, error: &serde_json::Error) -> SettingsError {
    let message = error.to_string();
    let (line, column) = (error.line(), error.column());
    let rest = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
    let rest: String = rest.chars().skip(column.saturating_sub(1)).collect();
    // The parser stops at the first sign of a comment, or at the one after it.
    let is_comment = ["//", "/*"].iter().any(|sign| rest.trim_start().starts_with(sign));
    let what = match is_comment {
        true => {
            "a comment, which JSON has not and which this command would lose: take it out first".to_owned()
        }
        false => message.split(" at line ").next().unwrap_or_default().to_owned(),
    };
    SettingsError::Malformed { line, column, what }
}

/// The object at `key`, made when absent.
pub(super) fn object_at<'a>(
    root: &'a mut Map<String, Value>,
    key: &'static str,
) -> Result<&'a mut Map<String, Value>, SettingsError> {
    match root.entry(key).or_insert_with(|| json!({})) {
        Value::Object(object) => Ok(object),
        _ => Err(SettingsError::Shape { place: key.to_owned(), expected: "an object" }),
    }
}

/// Puts the event's group where an earlier one of ours stood, else behind the foreign ones.
fn put_group(groups: &mut Vec<Value>, group: Value) {
    // All before the first group that goes stay, so its place is the same afterwards.
    let place = groups.iter().position(goes);
    remove_from_groups(groups);
    let at = place.unwrap_or(groups.len());
    groups.insert(at, group);
}

/// Takes our handlers out of the events that `chosen` picks; true when there were any.
fn remove_from_events(hooks: &mut Map<String, Value>, chosen: impl Fn(&str) -> bool) -> bool {
    let mut found = false;
    hooks.retain(|event, groups| {
        let Value::Array(groups) = groups else { return true };
        if !chosen(event) || !groups.iter().any(holds_ours) {
            return true;
        }
        found = true;
        remove_from_groups(groups);
        !groups.is_empty()
    });
    found
}

fn remove_from_groups(groups: &mut Vec<Value>) {
    groups.retain(|group| !goes(group));
    for group in groups {
        if let Some(Value::Array(handlers)) = group.get_mut("hooks") {
            handlers.retain(|handler| our_program(handler).is_none());
        }
    }
}

/// Whether a group holds nothing but handlers of ours.
fn goes(group: &Value) -> bool {
    holds_ours(group) && !holds_foreign(group)
}

fn handlers(group: &Value) -> impl Iterator<Item = &Value> {
    group.get("hooks").and_then(Value::as_array).into_iter().flatten()
}

fn holds_ours(group: &Value) -> bool {
    handlers(group).any(|handler| our_program(handler).is_some())
}

fn holds_foreign(group: &Value) -> bool {
    handlers(group).any(|handler| our_program(handler).is_none())
}

/// `value` with the indentation, line ends, byte-order mark and last newline of `original`.
pub(super) fn laid_out_like(original: &str, value: &Value) -> String {
    let mut bytes = Vec::new();
    let formatter = PrettyFormatter::with_indent(indentation(original).as_bytes());
    // Writing a JSON value to memory has no way to fail, and its text is always UTF-8.
    let _ = value.serialize(&mut Serializer::with_formatter(&mut bytes, formatter));
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    if original.trim().is_empty() || original.ends_with('\n') {
        text.push('\n');
    }
    if original.contains("\r\n") {
        text = text.replace('\n', "\r\n");
    }
    if original.starts_with('\u{feff}') {
        text.insert(0, '\u{feff}');
    }
    text
}

/// The blanks before the first indented line; two spaces where there is none.
fn indentation(text: &str) -> &str {
    for line in text.lines() {
        let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
        if let Some(indent) = line.get(..blanks)
            && !indent.is_empty()
            && blanks < line.trim_end().len()
        {
            return indent;
        }
    }
    "  "
}

#[cfg(test)]
mod tests;
