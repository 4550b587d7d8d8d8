//! YAML as a flat list of keys and values, read line by line.

use crate::languages::settings::{Entry, add, key_and_value, path, uncommented, unquote};

pub(super) fn yaml(text: &str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    // The open keys: how deep each stands, its name, and how many items its list has had.
    let mut open: Vec<(usize, String, usize)> = Vec::new();
    let mut block: Option<(usize, usize)> = None;
    for (number, raw) in (1u32..).zip(text.lines()) {
        let indent = raw.len() - raw.trim_start().len();
        if let Some((depth, index)) = block {
            if raw.trim().is_empty() {
                continue;
            }
            if indent > depth {
                if let Some(entry) = entries.get_mut(index) {
                    if !entry.value.is_empty() {
                        entry.value.push('\n');
                    }
                    entry.value.push_str(raw.trim());
                }
                continue;
            }
            block = None;
        }
        let mut line = uncommented(raw).trim();
        if line.is_empty() || line.starts_with("---") || open.len() > 60 {
            continue;
        }
        let mut depth = indent;
        while let Some(rest) = line.strip_prefix("- ").or_else(|| (line == "-").then_some("")) {
            open.retain(|(at, name, _)| *at < depth || (*at == depth && !name.starts_with('[')));
            let list = open.iter_mut().rev().find(|(_, name, _)| !name.starts_with('['));
            let index = list.map_or(0, |(_, _, count)| {
                *count += 1;
                *count - 1
            });
            open.push((depth, format!("[{index}]"), 0));
            depth += line.len() - rest.trim_start().len();
            line = rest.trim_start();
        }
        let is_item = open.last().is_some_and(|(_, name, _)| name.starts_with('[')) && depth > indent;
        if let Some((key, value)) = key_and_value(line) {
            open.retain(|(at, ..)| *at < depth);
            open.push((depth, unquote(key), 0));
            let path = path(&open);
            let value = value.trim();
            let is_block = value.starts_with(['|', '>']) && value.len() <= 3;
            if is_block {
                block = Some((depth, entries.len()));
                entries.push(Entry { key: path, value: String::new(), line: number });
            } else if matches!(value, "{}" | "[]") {
                entries.push(Entry { key: path, value: String::new(), line: number });
            } else {
                add(&mut entries, &path, value, number);
            }
        } else if is_item || line.starts_with(['"', '\'']) {
            entries.push(Entry { key: path(&open), value: unquote(line), line: number });
        }
    }
    entries
}
