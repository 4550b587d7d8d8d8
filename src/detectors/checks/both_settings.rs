//! The settings of a file before and after a change, of data and of code.

use crate::detectors::engine::code_lines::head_above;
use crate::languages::{SettingEntry, file_name, settings};
use crate::model::finding::Change;

/// The values before and after, where both can be read.
pub(crate) fn both(change: &Change) -> Option<(Vec<SettingEntry>, Vec<SettingEntry>)> {
    // What a tool writes is nobody's configuration.
    if is_lock_file(file_name(&change.path)) {
        return None;
    }
    let before = settings(&change.path, change.before.as_deref()?)?;
    Some((before, settings(&change.path, change.after.as_deref()?)?))
}

/// Whether a tool writes down in a file of this name what it has chosen.
pub(crate) fn is_lock_file(name: &str) -> bool {
    name.contains("-lock.") || name.ends_with(".lock")
}

/// A runner's configuration that is code: its settings as entries.
pub(crate) fn code_settings(change: &Change) -> Option<(Vec<SettingEntry>, Vec<SettingEntry>)> {
    let read = |text: &Option<String>| settings_of_code(&change.path, text.as_deref()?);
    Some((read(&change.before)?, read(&change.after)?))
}

/// The settings of one text of code.
pub(crate) fn settings_of_code(path: &str, text: &str) -> Option<Vec<SettingEntry>> {
    use crate::languages::{Language, code};
    let name = file_name(path);
    let is_runners = name.contains("config")
        || ["eslintrc.", "stylelintrc.", "mocharc", "nycrc", "c8rc", "depcheckrc"]
            .iter()
            .any(|it| name.contains(it))
        || name.starts_with("karma.conf");
    if !is_runners && name != "gulpfile.js" && name != "noxfile.py" {
        return None;
    }
    let all = code(Language::of_path(path)?, text)?.settings;
    let named = |it: &crate::languages::code::Setting| match is_of_coverage(text, it.name, it.line) {
        true => format!("coverage.{}", it.name),
        false => it.name.to_owned(),
    };
    Some(all.iter().flat_map(|it| entries_of(&named(it), it.value, it.line)).collect())
}

/// Whether a list of files stands in the section about coverage, by the lines above it that stand further out.
fn is_of_coverage(text: &str, name: &str, line: u32) -> bool {
    if !matches!(name, "exclude" | "include" | "all") {
        return false;
    }
    let lines: Vec<&str> = text.lines().take(usize::try_from(line).unwrap_or(0)).collect();
    let Some((own, above)) = lines.split_last() else { return false };
    let above = head_above(above, own);
    let inline = own.split(name).next().unwrap_or_default();
    inline.contains("coverage: {") || above.is_some_and(|it| it.trim_start().starts_with("coverage:"))
}

fn entries_of(name: &str, value: &str, line: u32) -> Vec<SettingEntry> {
    let plain = |it: &str| it.trim().trim_matches(['"', '\'', '`']).to_owned();
    let list = value.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    match list {
        Some(items) => items
            .split(',')
            .filter(|item| !item.trim().is_empty())
            .map(|item| SettingEntry { key: format!("{name}[]"), value: plain(item), line })
            .collect(),
        None => vec![SettingEntry { key: name.to_owned(), value: plain(value), line }],
    }
}
