//! Stages of a Dockerfile that check, and the stage that is shipped: whether one still needs the other.

use crate::detectors::checks::check_command::is_check;
use crate::detectors::checks::setting_keys::SettingFinding;
use crate::model::finding::Severity;

/// A stage: its name, the stages that it takes something from, and whether it checks.
struct ImageStage {
    name: String,
    needs: Vec<String>,
    checks: bool,
    line: u32,
}

/// A stage that checks, without which the last one could be built now.
pub(super) fn unneeded(before: &str, after: &str) -> Option<SettingFinding> {
    let (old, new) = (stages(before), stages(after));
    let reached_before = reached(&old);
    let reached_after = reached(&new);
    let lost = old.iter().find(|stage| {
        stage.checks
            && reached_before.contains(&stage.name)
            && !reached_after.contains(&stage.name)
            && !new.iter().any(|it| it.checks && reached_after.contains(&it.name))
    })?;
    let what = format!("the image would be built without the checks of the stage `{}`", lost.name);
    Some((what, lost.line, Severity::High))
}

/// The stages that the last one needs, itself among them.
fn reached(all: &[ImageStage]) -> Vec<String> {
    let mut open: Vec<String> = all.last().map(|it| it.name.clone()).into_iter().collect();
    let mut seen: Vec<String> = Vec::new();
    while let Some(name) = open.pop().filter(|_| seen.len() < 100) {
        if seen.contains(&name) {
            continue;
        }
        open.extend(all.iter().filter(|it| it.name == name).flat_map(|it| it.needs.clone()));
        seen.push(name);
    }
    seen
}

fn stages(text: &str) -> Vec<ImageStage> {
    let mut all: Vec<ImageStage> = Vec::new();
    for (line, row) in (1u32..).zip(text.lines()) {
        let words: Vec<&str> = row.split_whitespace().collect();
        let from = |words: &[&str]| {
            words.iter().find_map(|word| {
                word.split_once("--from=").or(word.split_once(",from=")).map(|it| it.1.to_owned())
            })
        };
        match words.first().map(|word| word.to_ascii_uppercase()).as_deref() {
            Some("FROM") => {
                let image =
                    words.iter().skip(1).find(|word| !word.starts_with("--")).copied().unwrap_or_default();
                let named = words.iter().position(|word| word.eq_ignore_ascii_case("as"));
                let name = named
                    .and_then(|at| words.get(at + 1))
                    .map_or(all.len().to_string(), |it| (*it).to_owned());
                all.push(ImageStage { name, needs: vec![image.to_owned()], checks: false, line });
            }
            Some(_) => {
                let Some(stage) = all.last_mut() else { continue };
                stage.needs.extend(from(&words));
                let command = row.trim().strip_prefix("RUN ").unwrap_or(row.trim());
                stage.checks |= !row.trim_start().starts_with("COPY") && is_check(command);
            }
            None => {}
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shipped_needs_the_stage_that_checks() {
        let file = |copy: &str| {
            format!(
                "FROM node:20 AS test\nCOPY . .\nRUN npm test\n\nFROM node:20-slim\n{copy}\nCMD [\"node\"]\n"
            )
        };
        let (kept, lost) = (file("COPY --from=test /app/package.json ./"), file("COPY package.json ./"));
        assert!(unneeded(&kept, &lost).is_some());
        assert!(unneeded(&lost, &kept).is_none());
        assert!(unneeded(&kept, &kept.replace("node:20-slim", "node:22-slim")).is_none());
    }
}
