//! Names, commands and sizes as they are printed.

use std::io::{self, Write};
use std::path::Path;

use serde_json::Value;

use crate::model::finding::counted;

/// A command longer than this is cut, in characters.
pub(super) const SUMMARY: usize = 120;

/// Writes JSON in lines.
pub(in crate::cli) fn write_json(out: &mut dyn Write, value: &Value) -> io::Result<()> {
    writeln!(out, "{value:#}")
}

/// A path as it is printed.
pub(in crate::cli) fn path_text(path: &Path) -> String {
    if path.as_os_str().is_empty() { ".".to_owned() } else { path.to_string_lossy().into_owned() }
}

/// A name from anywhere must not move the cursor of a terminal.
pub(in crate::cli) fn shown(text: &str) -> String {
    let escape = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(escape).collect()
}

/// A command, cut.
pub(in crate::cli) fn brief(summary: &str) -> String {
    let mut brief: String = summary.chars().take(SUMMARY).collect();
    if brief.len() < summary.len() {
        brief.push('…');
    }
    brief
}

/// A number of bytes for a person.
pub(in crate::cli) fn size(bytes: u64) -> String {
    let units = [("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)];
    match units.iter().find(|(_, unit)| bytes >= *unit) {
        Some((name, unit)) => {
            let tenths = bytes.saturating_mul(10) / unit;
            format!("{}.{} {name}", tenths / 10, tenths % 10)
        }
        None => counted(usize::try_from(bytes).unwrap_or(usize::MAX), "byte"),
    }
}
