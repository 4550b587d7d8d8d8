//! Levels, ignored errors and unseen warnings in the configuration of PHPStan and .NET.

use crate::detectors::checks::setting_keys::SettingFinding;
use crate::languages::file_name;
use crate::model::finding::{Change, Severity};

/// So many warnings that go at once are more than an exception.
const SEVERAL: usize = 3;

/// The level that PHPStan checks at, and compiler warnings that a .NET project doesn't want to see.
pub(super) fn levels(change: &Change) -> Option<SettingFinding> {
    let name = file_name(&change.path);
    let (before, after) = (change.before.as_deref()?, change.after.as_deref()?);
    if name.starts_with("phpstan") && name.contains(".neon") {
        let level = |text: &str| {
            let mut all = (1u32..).zip(text.lines());
            all.find_map(|(at, line)| Some((line.trim().strip_prefix("level:")?.trim().to_owned(), at)))
        };
        let value = |text: &str| if text == "max" { Some(99) } else { text.parse::<u32>().ok() };
        let lower = level(before).zip(level(after)).and_then(|((was, _), (is, line))| {
            let is_lower = value(&is)? < value(&was)?;
            is_lower.then(|| (format!("`level` would go from {was} to {is}"), line, Severity::High))
        });
        return lower.or_else(|| unreported(before, after));
    }
    if !name.ends_with(".csproj") && !name.ends_with(".props") {
        return None;
    }
    let codes = |text: &str| -> Vec<(String, u32)> {
        let all = (1u32..).zip(text.lines()).filter(|(_, line)| line.contains("<NoWarn>"));
        let split = all.flat_map(|(at, line)| {
            let inside = line.split("<NoWarn>").nth(1).unwrap_or_default();
            let inside = inside.split("</").next().unwrap_or_default();
            inside.split([';', ',']).map(move |code| (code.trim().to_owned(), at)).collect::<Vec<_>>()
        });
        split.filter(|(code, _)| code.starts_with("CS") || code.parse::<u32>().is_ok()).collect()
    };
    let known = codes(before);
    // That public members lack a comment is no fault.
    let is_new = |it: &(String, u32)| {
        !known.iter().any(|(code, _)| *code == it.0) && !matches!(it.0.as_str(), "CS1591" | "1591" | "CS1573")
    };
    let new: Vec<(String, u32)> = codes(after).into_iter().filter(is_new).collect();
    let (code, line) = new.first()?;
    // Several at once are no exception for one place.
    let (count, severity) = match new.len() {
        0..SEVERAL => (String::new(), Severity::Medium),
        many => (format!(" and {} more", many - 1), Severity::High),
    };
    Some((format!("the compiler's `{code}`{count} would not be seen"), *line, severity))
}

/// The entries of PHPStan's `ignoreErrors`, with their lines.
fn ignored_errors(text: &str) -> Vec<(&str, u32)> {
    let (mut list, mut found) = (None, Vec::new());
    for (at, line) in (1u32..).zip(text.lines()) {
        let (indent, bare) = (line.len() - line.trim_start().len(), line.trim());
        if bare.starts_with("ignoreErrors:") {
            list = Some(indent);
        } else if list.is_some_and(|outer| indent <= outer && !bare.is_empty()) {
            list = None;
        } else if list.is_some() && (bare.starts_with("- ") || bare.starts_with("message:")) {
            found.push((bare, at));
        }
    }
    found
}

/// Errors that PHPStan would not report: all of them, or entries of its list that hold nothing any more.
fn unreported(before: &str, after: &str) -> Option<SettingFinding> {
    const EVERYTHING: &[&str] = &["#.*#", "#.+#", "~.*~", "~.+~", "/.*/", "#^.*$#", "#^.*#", "#^#"];
    let known = ignored_errors(before);
    let is_all = |rule: &str| {
        let pattern = rule.trim_start_matches("- ").trim_start_matches("message:").trim();
        EVERYTHING.contains(&pattern.trim_matches(['\'', '"']))
    };
    let all = ignored_errors(after);
    let new = all.into_iter().find(|(rule, _)| is_all(rule) && !known.iter().any(|(old, _)| old == rule));
    if let Some((rule, line)) = new {
        return Some((
            format!("no error would be reported: `ignoreErrors` has `{rule}`"),
            line,
            Severity::High,
        ));
    }
    let is_lax = |line: &str| {
        line.split_once(':').is_some_and(|(key, value)| {
            key.trim() == "reportUnmatchedIgnoredErrors" && value.trim() == "false"
        })
    };
    let (line, _) = (1u32..).zip(after.lines()).find(|(_, line)| is_lax(line))?;
    let what = "`reportUnmatchedIgnoredErrors` would be `false`".to_owned();
    (!before.lines().any(is_lax)).then_some((what, line, Severity::Medium))
}
