//! Files that list what a checker leaves out: `.eslintignore`.

use crate::detectors::checks::setting_keys::SettingRemark;
use crate::detectors::checks::source_globs::{GlobReach, reach};
use crate::languages::file_name;
use crate::model::finding::Change;

/// The sources, new in a file that lists what a checker leaves out.
pub(super) fn ignored(change: &Change) -> Option<SettingRemark> {
    const FILES: &[&str] = &[
        ".eslintignore",
        ".stylelintignore",
        ".semgrepignore",
        ".nycignore",
        ".rubocopignore",
        ".markdownlintignore",
        ".gitleaksignore",
        ".trivyignore",
        ".biomeignore",
    ];
    if file_name(&change.path).contains(".neon") {
        return excluded(change);
    }
    if !FILES.contains(&file_name(&change.path)) {
        return None;
    }
    let (before, after) = (change.before.as_deref().unwrap_or_default(), change.after.as_deref()?);
    let known: Vec<&str> = before.lines().map(str::trim).collect();
    let is_new = |line: &str| !line.is_empty() && !line.starts_with(['#', '!']) && !known.contains(&line);
    let mut new = (1u32..).zip(after.lines().map(str::trim)).filter(|(_, line)| is_new(line));
    let (at, line) = new.find(|(_, line)| reach(line) == GlobReach::Sources)?;
    Some(SettingRemark::of_check(format!("`{line}` would not be checked any more"), at, line))
}

/// The sources, new in PHPStan's list of paths that it leaves out.
fn excluded(change: &Change) -> Option<SettingRemark> {
    let listed = |text: &str| -> Vec<(u32, String)> {
        let (mut list, mut found) = (None, Vec::new());
        for (at, line) in (1u32..).zip(text.lines()) {
            let (indent, bare) = (line.len() - line.trim_start().len(), line.trim());
            if ["excludePaths:", "excludes_analyse:"].iter().any(|head| bare.starts_with(head)) {
                list = Some(indent);
            } else if list.is_some_and(|outer| indent <= outer && !bare.is_empty() && !bare.starts_with("- "))
            {
                list = None;
            } else if let Some(path) = bare.strip_prefix("- ").filter(|_| list.is_some()) {
                found.push((at, path.to_owned()));
            }
        }
        found
    };
    let known = listed(change.before.as_deref()?);
    let is_new = |path: &str| !known.iter().any(|(_, old)| old == path);
    let all = listed(change.after.as_deref()?);
    let (at, path) = all.into_iter().find(|(_, path)| is_new(path) && reach(path) == GlobReach::Sources)?;
    Some(SettingRemark::of_check(format!("`{path}` would not be checked any more"), at, &path))
}
