//! A host's configuration as a text that our entries are put into and taken out of again: JSON whose `hooks.EVENT` are
//! lists, or TOML with tables `[[hooks]]`. Every other entry, key and comment stays. Nothing here touches a file.

use serde_json::{Map, Value, json};
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table};

use crate::cli::install::settings::{SettingsError, laid_out_like, malformed, object_at};
use crate::hosts::claude_code::registration::HOOK_BINARY;
use crate::hosts::installation::{SettingsFormat, shell_line};
use crate::hosts::{Host, HostInstallation};

/// The key below which both kinds have the hooks.
const HOOKS: &str = "hooks";

/// A host's file that was understood.
#[derive(Debug, Clone)]
pub(super) enum HostDocument {
    Json { original: String, parsed: Value, root: Map<String, Value> },
    Toml { root: Box<DocumentMut> },
}

impl HostDocument {
    /// Reads a file of a host; an absent one is the empty text.
    pub(super) fn parse(form: &SettingsFormat, text: &str) -> Result<Self, SettingsError> {
        if let SettingsFormat::Toml { .. } = form {
            let root = text.parse::<DocumentMut>().map_err(|error| malformed_toml(text, &error))?;
            return Ok(HostDocument::Toml { root: Box::new(root) });
        }
        let json = text.strip_prefix('\u{feff}').unwrap_or(text);
        let parsed = match json.trim().is_empty() {
            true => json!({}),
            false => serde_json::from_str::<Value>(json).map_err(|error| malformed(json, &error))?,
        };
        match parsed.clone() {
            Value::Object(root) => Ok(HostDocument::Json { original: text.to_owned(), parsed, root }),
            _ => Err(SettingsError::Shape { place: "the whole file".to_owned(), expected: "an object" }),
        }
    }

    /// Registers the hook at `binary` for every event of the host, in place of any earlier registration of it.
    pub(super) fn add(
        &mut self,
        host: &dyn Host,
        installation: &HostInstallation,
        binary: &str,
    ) -> Result<(), SettingsError> {
        match self {
            HostDocument::Json { root, .. } => add_to_json(root, host, installation, binary),
            HostDocument::Toml { root, .. } => add_to_toml(root, host, installation, binary),
        }
    }

    /// Takes every entry of ours out, and what becomes empty by that.
    pub(super) fn remove(&mut self, installation: &HostInstallation) {
        match self {
            HostDocument::Json { root, .. } => remove_from_json(root, installation),
            HostDocument::Toml { root, .. } => remove_from_toml(root),
        }
    }

    /// Whether an entry of ours is in it.
    pub(super) fn has_ours(&self) -> bool {
        match self {
            HostDocument::Json { root, .. } => root.get(HOOKS).is_some_and(calls_us),
            HostDocument::Toml { root, .. } => {
                tables(root).is_some_and(|tables| tables.iter().any(is_our_table))
            }
        }
    }

    /// Whether nothing is left in it.
    pub(super) fn is_empty(&self) -> bool {
        match self {
            HostDocument::Json { root, .. } => root.is_empty(),
            HostDocument::Toml { root, .. } => root.to_string().trim().is_empty(),
        }
    }

    /// The file's text: byte for byte as it was when nothing has changed.
    pub(super) fn text(&self) -> String {
        match self {
            HostDocument::Toml { root, .. } => root.to_string(),
            HostDocument::Json { original, parsed, root } => {
                let value = Value::Object(root.clone());
                match value == *parsed && !original.trim().is_empty() {
                    true => original.clone(),
                    false => laid_out_like(original, &value),
                }
            }
        }
    }
}

fn add_to_json(
    root: &mut Map<String, Value>,
    host: &dyn Host,
    installation: &HostInstallation,
    binary: &str,
) -> Result<(), SettingsError> {
    let SettingsFormat::Json { entry, number } = installation.form else { return Ok(()) };
    if let Some((name, number)) = number {
        root.entry(name).or_insert_with(|| json!(number));
    }
    let hooks = object_at(root, HOOKS)?;
    for (event, value) in hooks.iter() {
        if !value.is_array() && host.registration(event).is_some() {
            return Err(SettingsError::Shape { place: format!("{HOOKS}.{event}"), expected: "an array" });
        }
    }
    for one in host.registrations() {
        let wanted = entry(one, &shell_line(host, one, binary));
        if wanted.is_null() {
            continue;
        }
        if let Value::Array(entries) = hooks.entry(one.event).or_insert_with(|| json!([])) {
            // All before the first of ours stay, so its place is the same afterwards.
            let place = entries.iter().position(is_wholly_ours);
            take_out(entries);
            let at = place.unwrap_or(entries.len());
            entries.insert(at.min(entries.len()), wanted);
        }
    }
    // Events of an earlier version.
    let known = |event: &str| host.registration(event).is_some();
    hooks.retain(|event, entries| known(event) || !emptied(entries));
    Ok(())
}

fn remove_from_json(root: &mut Map<String, Value>, installation: &HostInstallation) {
    let Some(Value::Object(hooks)) = root.get_mut(HOOKS) else { return };
    let count = hooks.len();
    hooks.retain(|_, entries| !emptied(entries));
    let is_bare = hooks.is_empty() && count > 0;
    if !is_bare {
        return;
    }
    root.shift_remove(HOOKS);
    // What the top has to name alone says nothing.
    if let SettingsFormat::Json { number: Some((name, number)), .. } = installation.form
        && root.len() == 1
        && root.get(name) == Some(&json!(number))
    {
        root.shift_remove(name);
    }
}

/// Takes our entries out of an event's list; true when it is empty by that.
fn emptied(entries: &mut Value) -> bool {
    let Value::Array(entries) = entries else { return false };
    let had = entries.iter().any(calls_us);
    take_out(entries);
    had && entries.is_empty()
}

fn take_out(entries: &mut Vec<Value>) {
    entries.retain(|entry| !is_wholly_ours(entry));
    for entry in entries {
        if let Some(Value::Array(handlers)) = entry.get_mut(HOOKS) {
            handlers.retain(|handler| !calls_us(handler));
        }
    }
}

/// Whether an entry calls nothing but our hook.
fn is_wholly_ours(entry: &Value) -> bool {
    match entry.get(HOOKS).and_then(Value::as_array) {
        Some(handlers) => !handlers.is_empty() && handlers.iter().all(calls_us),
        None => calls_us(entry),
    }
}

/// Whether a text in a value is a command line that starts our hook.
fn calls_us(value: &Value) -> bool {
    match value {
        Value::String(line) => is_our_line(line),
        Value::Array(values) => values.iter().any(calls_us),
        Value::Object(fields) => fields.values().any(calls_us),
        _ => false,
    }
}

/// Whether the program of a line is our hook: its first word, behind the `exec` that an installation writes.
fn is_our_line(line: &str) -> bool {
    let line = line.trim_start();
    let line = line.strip_prefix("exec ").unwrap_or(line).trim_start();
    let quote = line.chars().next().filter(|sign| matches!(sign, '\'' | '"'));
    let program = match quote {
        // A quote in the path itself is closed, escaped and opened again: the name comes after it.
        Some(sign) => line.rsplit_once(&format!("{HOOK_BINARY}{sign}")).map(|(before, _)| before),
        None => line.split_whitespace().next().and_then(|word| word.strip_suffix(HOOK_BINARY)),
    };
    program.is_some_and(|before| before.is_empty() || before.ends_with(['/', '\'', '"']))
}

fn malformed_toml(text: &str, error: &toml_edit::TomlError) -> SettingsError {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    SettingsError::Malformed {
        line: before.matches('\n').count() + 1,
        column: before.rsplit('\n').next().unwrap_or_default().chars().count() + 1,
        what: error.message().to_owned(),
    }
}

fn tables(root: &DocumentMut) -> Option<&ArrayOfTables> {
    root.get(HOOKS)?.as_array_of_tables()
}

fn is_our_table(table: &Table) -> bool {
    table.iter().any(|(_, value)| value.as_str().is_some_and(is_our_line))
}

fn add_to_toml(
    root: &mut DocumentMut,
    host: &dyn Host,
    installation: &HostInstallation,
    binary: &str,
) -> Result<(), SettingsError> {
    let SettingsFormat::Toml { entry } = installation.form else { return Ok(()) };
    let item = root.entry(HOOKS).or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    let Some(tables) = item.as_array_of_tables_mut() else {
        return Err(SettingsError::Shape { place: HOOKS.to_owned(), expected: "an array of tables" });
    };
    tables.retain(|table| !is_our_table(table));
    for one in host.registrations() {
        let mut table = Table::new();
        for (name, value) in entry(one, &shell_line(host, one, binary)) {
            let value = match &value {
                Value::String(text) => toml_edit::value(text.as_str()),
                Value::Bool(flag) => toml_edit::value(*flag),
                number => toml_edit::value(number.as_i64().unwrap_or_default()),
            };
            table.insert(&name, value);
        }
        tables.push(table);
    }
    Ok(())
}

fn remove_from_toml(root: &mut DocumentMut) {
    let Some(tables) = root.get_mut(HOOKS).and_then(Item::as_array_of_tables_mut) else { return };
    tables.retain(|table| !is_our_table(table));
    if tables.is_empty() {
        root.remove(HOOKS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::registry::named;

    const BINARY: &str = "/opt/my bin/steadfast-hook";

    fn host(name: &str) -> (&'static dyn Host, &'static HostInstallation) {
        let host = named(name).unwrap();
        (host, host.installation().unwrap())
    }

    fn added(name: &str, text: &str) -> HostDocument {
        let (host, installation) = host(name);
        let mut document = HostDocument::parse(&installation.form, text).unwrap();
        document.add(host, installation, BINARY).unwrap();
        document
    }

    #[test]
    fn a_file_of_our_own_making_goes_when_the_entries_do() {
        for name in ["codex", "copilot", "cursor", "vscode"] {
            let mut document = added(name, "");
            assert!(document.has_ours() && !document.is_empty(), "{name}");
            let text = document.text();
            assert_eq!(added(name, &text).text(), text, "{name}: a second installation changes it");
            document.remove(host(name).1);
            assert!(document.is_empty(), "{name}: {}", document.text());
        }
    }

    #[test]
    fn what_is_somebody_elses_stays_in_its_place() {
        let text = "{\n    \"version\": 1,\n    \"hooks\": {\n        \"stop\": [{\"command\": \"beep\"}],\n        \
                    \"other\": [{\"command\": \"steadfast-hook-of-mine\"}]\n    }\n}\n";
        let mut document = added("cursor", text);
        let with: Value = serde_json::from_str(&document.text()).unwrap();
        assert_eq!(with["hooks"]["stop"][0], json!({"command": "beep"}));
        assert_eq!(
            with["hooks"]["stop"][1]["command"],
            "exec '/opt/my bin/steadfast-hook' stop --host cursor"
        );
        document.remove(host("cursor").1);
        let without: Value = serde_json::from_str(&document.text()).unwrap();
        assert_eq!(without, serde_json::from_str::<Value>(text).unwrap());
        assert!(document.text().starts_with("{\n    \"version\""), "the indentation is kept");
    }

    #[test]
    fn a_group_that_is_shared_loses_our_handler_alone() {
        let ours = format!("exec '{BINARY}' stop --host codex");
        let text =
            json!({"hooks": {"Stop": [{"hooks": [{"command": "beep"}, {"command": ours}]}]}}).to_string();
        let (_, installation) = host("codex");
        let mut document = HostDocument::parse(&installation.form, &text).unwrap();
        document.remove(installation);
        let left: Value = serde_json::from_str(&document.text()).unwrap();
        assert_eq!(left, json!({"hooks": {"Stop": [{"hooks": [{"command": "beep"}]}]}}));
    }

    #[test]
    fn a_line_is_ours_by_its_program() {
        for (line, is_ours) in [
            ("/opt/steadfast-hook stop", true),
            ("exec /opt/steadfast-hook stop --host codex", true),
            ("exec '/a b/steadfast-hook' stop", true),
            (r"exec '/it'\''s/steadfast-hook' stop", true),
            ("steadfast-hook", true),
            ("not-steadfast-hook stop", false),
            ("echo /opt/steadfast-hook", false),
            ("steadfast-hook.sh", false),
            ("", false),
        ] {
            assert_eq!(is_our_line(line), is_ours, "{line}");
        }
    }

    #[test]
    fn what_is_not_understood_is_refused_with_its_place() {
        let (codex, installation) = host("codex");
        let broken = HostDocument::parse(&installation.form, "{\n  \"hooks\": x}").unwrap_err();
        assert!(matches!(broken, SettingsError::Malformed { line: 2, .. }), "{broken}");
        let mut wrong = HostDocument::parse(&installation.form, r#"{"hooks": {"Stop": {}}}"#).unwrap();
        let refused = wrong.add(codex, installation, BINARY).unwrap_err();
        assert_eq!(refused.to_string(), "`hooks.Stop` is not an array");
    }

    #[test]
    fn toml_keeps_its_comments_and_other_tables() {
        let form = SettingsFormat::Toml {
            entry: |one, command| {
                let fields =
                    [("event", json!(one.event)), ("command", json!(command)), ("timeout", json!(9))];
                fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
            },
        };
        let (cursor, installation) = host("cursor");
        let installation = HostInstallation { form, ..*installation };
        let text = "# mine\nmodel = \"k\" # the best\n\n[[hooks]]\nevent = \"Stop\"\ncommand = \"beep\"\n\n[ui]\ntheme = 1\n";
        let mut document = HostDocument::parse(&form, text).unwrap();
        document.add(cursor, &installation, BINARY).unwrap();
        let with = document.text();
        assert!(with.starts_with("# mine\nmodel = \"k\" # the best\n"), "{with}");
        assert_eq!(with.matches("[[hooks]]").count(), 1 + cursor.registrations().len(), "{with}");
        assert!(HostDocument::parse(&form, &with).unwrap().has_ours());
        document.add(cursor, &installation, BINARY).unwrap();
        assert_eq!(document.text(), with, "a second installation changes it");
        document.remove(&installation);
        assert_eq!(document.text(), text);
        assert!(HostDocument::parse(&form, "a = [").is_err());
    }
}
