//! The slash commands that messages offer, as files of the scope's `.claude`: `commands/steadfast/NAME.md` is
//! `/steadfast:NAME` in every version of the client, as the plugin's skill of that name is.
//!
//! Only files with a text of ours are written over or taken out; a foreign one stays and is named.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::files::{exclude_from_git, read, replace};
use super::record::{CommandFiles, RecordPlace};

/// Each command and the text of the plugin's skill.
const COMMANDS: &[(&str, &str)] = &[
    ("abort", include_str!("../../../skills/abort/SKILL.md")),
    ("allow", include_str!("../../../skills/allow/SKILL.md")),
    ("gate", include_str!("../../../skills/gate/SKILL.md")),
    ("loop", include_str!("../../../skills/loop/SKILL.md")),
    ("pause", include_str!("../../../skills/pause/SKILL.md")),
    ("reflect", include_str!("../../../skills/reflect/SKILL.md")),
    ("resume", include_str!("../../../skills/resume/SKILL.md")),
    ("status", include_str!("../../../skills/status/SKILL.md")),
    ("undo", include_str!("../../../skills/undo/SKILL.md")),
];

/// The folder below the scope's `.claude`.
const FOLDER: [&str; 2] = ["commands", "steadfast"];

/// Puts the slash commands beside the settings at `place` and keeps the way back in the record of `file`, which they may
/// be a link to. Answers the foreign files that stand in the place of one.
pub(super) fn bring(place: &Path, file: &Path, local: bool) -> Result<Vec<PathBuf>> {
    let Some(claude) = place.parent() else { return Ok(Vec::new()) };
    let kept = RecordPlace::of(file)?;
    let mut record = kept.load()?.unwrap_or_default();
    let (ours, foreign) = put(claude, std::mem::take(&mut record.commands), local)?;
    record.commands = ours;
    if record.settings.as_os_str().is_empty() {
        // Settings that call the hook already, without a record: they stay as they are when it is taken out.
        record.settings = file.to_owned();
        record.before = read(file)?;
    }
    kept.save(&record)?;
    Ok(foreign)
}

/// Writes the commands below `claude`, the scope's `.claude`. Answers what is ours now, and the foreign files that
/// stand in the place of one.
fn put(claude: &Path, earlier: CommandFiles, local: bool) -> Result<(CommandFiles, Vec<PathBuf>)> {
    let mut ours = CommandFiles { files: Vec::new(), ..earlier.clone() };
    let mut foreign = Vec::new();
    let folder = claude.join(FOLDER[0]).join(FOLDER[1]);
    for made in [&folder, &claude.join(FOLDER[0])] {
        if !made.exists() && !ours.folders.contains(made) {
            ours.folders.push(made.clone());
        }
    }
    for (name, skill) in COMMANDS {
        let (path, text) = (folder.join(format!("{name}.md")), text_of(skill));
        match read(&path).unwrap_or(Some(String::new())) {
            Some(now) if now == text => {}
            Some(now) if !earlier.files.contains(&(path.clone(), now.clone())) => {
                foreign.push(path);
                continue;
            }
            _ => replace(&path, &text)?,
        }
        ours.files.push((path, text));
    }
    if local && ours.exclude.is_none() {
        ours.exclude = exclude_from_git(claude, &format!("{}/", FOLDER.join("/")));
    }
    Ok((ours, foreign))
}

/// Takes the commands out again. What somebody has changed since stays.
pub(super) fn take_out(claude: &Path, ours: &CommandFiles) -> Result<()> {
    let folder = claude.join(FOLDER[0]).join(FOLDER[1]);
    let known = COMMANDS.iter().map(|(name, skill)| (folder.join(format!("{name}.md")), text_of(skill)));
    for (path, text) in ours.files.iter().cloned().chain(known) {
        if read(&path).is_ok_and(|now| now.as_deref() == Some(text.as_str())) {
            fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
        }
    }
    for made in std::iter::once(&folder).chain(&ours.folders) {
        // Refused by the system unless it is empty.
        let _ = fs::remove_dir(made);
    }
    Ok(())
}

/// The names, as they are typed.
pub(super) fn names() -> String {
    let names: Vec<String> = COMMANDS.iter().map(|(name, _)| format!("/steadfast:{name}")).collect();
    names.join(", ")
}

/// A skill's text as a command's: a command is named by its file.
fn text_of(skill: &str) -> String {
    skill.split_inclusive('\n').filter(|line| !line.starts_with("name: ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commands_text_is_the_skills_without_its_name() {
        for (name, skill) in COMMANDS {
            let text = text_of(skill);
            assert!(skill.contains(&format!("\nname: {name}\n")), "{name}");
            assert!(text.starts_with("---\ndescription: ") && !text.contains("\nname: "), "{text}");
            assert!(text.contains("\ndisable-model-invocation: true\n"), "{text}");
        }
    }
}
