//! YAML as a flat list of keys and values, read line by line.

use crate::languages::settings::{SettingEntry, add, key_and_value, path, uncommented, unquote};

/// More open keys than this are not followed.
const DEEPEST: usize = 60;

pub(super) fn yaml(text: &str) -> Vec<SettingEntry> {
    let mut reading = YamlSettingsReader::default();
    for (number, line) in (1u32..).zip(text.lines()) {
        if !reading.goes_on_with(line) {
            reading.take(number, line);
        }
    }
    reading.entries
}

#[derive(Default)]
struct YamlSettingsReader {
    entries: Vec<SettingEntry>,
    /// The open keys: how deep each stands, its name, and how many items its list has had.
    open: Vec<(usize, String, usize)>,
    /// The block text that goes on: how deep its key stands, and the index of its entry.
    block: Option<(usize, usize)>,
}

impl YamlSettingsReader {
    /// Whether a line belongs to the block text before it.
    fn goes_on_with(&mut self, raw: &str) -> bool {
        let Some((depth, index)) = self.block else { return false };
        if raw.trim().is_empty() {
            return true;
        }
        if indent(raw) <= depth {
            self.block = None;
            return false;
        }
        if let Some(entry) = self.entries.get_mut(index) {
            if !entry.value.is_empty() {
                entry.value.push('\n');
            }
            entry.value.push_str(raw.trim());
        }
        true
    }

    fn take(&mut self, number: u32, raw: &str) {
        let line = uncommented(raw).trim();
        if line.is_empty() || line.starts_with("---") || self.open.len() > DEEPEST {
            return;
        }
        let (line, depth) = self.items(line, indent(raw));
        let is_item =
            depth > indent(raw) && self.open.last().is_some_and(|(_, name, _)| name.starts_with('['));
        if let Some((key, value)) = key_and_value(line) {
            self.key(number, depth, key, value.trim());
        } else if is_item || line.starts_with(['"', '\'']) {
            self.entries.push(SettingEntry { key: path(&self.open), value: unquote(line), line: number });
        }
    }

    /// Opens the items that a line begins; what is left of the line, and how deep that stands.
    fn items<'t>(&mut self, mut line: &'t str, mut depth: usize) -> (&'t str, usize) {
        while let Some(rest) = line.strip_prefix("- ").or_else(|| (line == "-").then_some("")) {
            self.open.retain(|(at, name, _)| *at < depth || (*at == depth && !name.starts_with('[')));
            let list = self.open.iter_mut().rev().find(|(_, name, _)| !name.starts_with('['));
            let index = list.map_or(0, |(_, _, count)| {
                *count += 1;
                *count - 1
            });
            self.open.push((depth, format!("[{index}]"), 0));
            depth += line.len() - rest.trim_start().len();
            line = rest.trim_start();
        }
        (line, depth)
    }

    fn key(&mut self, number: u32, depth: usize, key: &str, value: &str) {
        self.open.retain(|(at, ..)| *at < depth);
        self.open.push((depth, unquote(key), 0));
        let path = path(&self.open);
        let is_block = value.starts_with(['|', '>']) && value.len() <= 3;
        if is_block {
            self.block = Some((depth, self.entries.len()));
        }
        if is_block || matches!(value, "{}" | "[]") {
            self.entries.push(SettingEntry { key: path, value: String::new(), line: number });
        } else {
            add(&mut self.entries, &path, value, number);
        }
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}
