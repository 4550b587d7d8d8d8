//! Commands that lose work: what a shell call reaches, judged by what would be lost and not by how it looks.
//!
//! Pure: the lifecycle has looked at the disk and the repository, and hands over facts. What can be kept and put back
//! is a risk at most; a finding is what can't, or what nobody means to do (the repository, a whole source folder).

use std::collections::{HashMap, HashSet};

use super::by_name::by_name;
use super::deletion::{chosen, emptied, gone, made_one, most_of_the_project};
use super::elsewhere::{SERVICE, by_words};
use super::finding::finding;
use super::git_work::{GIT_WORK, HISTORY, git_loss};
use super::overwriting::{mode, written};
use super::patterns::{BULK, DEVICE, GUARD, OUTSIDE, TOO_MUCH};
use super::risk::risk;
use super::weakened_checks::{BYPASS, HIDDEN_FAILURE, SNAPSHOTS, chooses_none};
use super::{configured, unread};
use crate::model::finding::{Finding, Severity};
use crate::shell::{Effect, EffectKind};

pub use super::by_name::by_a_script;
pub use super::configured::{denied, of_a_protected_file};
pub use super::git_work::gives_up_only_files;
pub use super::reach::{CommandFacts, GitLoss, Place, Risk, TargetFate, TargetReach};
pub use super::unread::unreadable;

/// The most findings of one pattern in one call.
const MOST_OF_ONE_PATTERN: usize = 3;

/// Judges what the effects reach.
pub fn judge(effects: &[Effect], facts: &CommandFacts) -> (Vec<Finding>, Vec<Risk>) {
    let call = ReachingCommand { effects, facts };
    let mut findings = call.by_words();
    let mut risks = Vec::new();
    call.by_target(&mut findings, &mut risks);
    if !findings.iter().any(|finding| finding.pattern_id == BULK.id) {
        findings.extend(most_of_the_project(facts));
    }
    if !findings.iter().any(|finding| finding.pattern_id == BULK.id) {
        findings.extend(emptied(facts));
    }
    if !findings.iter().any(|finding| finding.pattern_id == BULK.id) {
        findings.extend(chosen(facts));
    }
    if !findings.iter().any(|finding| finding.pattern_id == BULK.id) {
        findings.extend(made_one(facts));
    }
    findings.extend(call.in_git());
    let choices = facts.fitting_none.iter().filter_map(|index| effects.get(*index));
    findings.extend(choices.map(chooses_none));
    if facts.unread {
        findings.extend(unread::beside(effects));
    }
    one_per_cause(&mut findings);
    (findings, risks)
}

/// A file of the guard itself that a call would write.
pub fn of_the_guard(name: &str) -> Finding {
    finding(
        &GUARD,
        Severity::Critical,
        name.to_owned(),
        format!("{name} belongs to the guard, and would be changed"),
        0.95,
    )
}

/// Whether a finding is about files of the project in bulk, or about what lies outside of it, and asks a person.
pub fn is_of_a_deletion(finding: &Finding) -> bool {
    [BULK.id, OUTSIDE.id].contains(&finding.pattern_id) && finding.severity >= Severity::High
}

/// Whether a finding is about work, files or data that are given up, and not only about what is changed elsewhere.
pub fn is_of_a_loss(finding: &Finding) -> bool {
    let is_of_files = [BULK.id, OUTSIDE.id, GIT_WORK.id].contains(&finding.pattern_id);
    is_of_files || (finding.pattern_id == SERVICE.id && finding.severity >= Severity::High)
}

/// Whether a finding is about what lies outside of the project, and asks a person.
pub fn is_outside(finding: &Finding) -> bool {
    finding.pattern_id == OUTSIDE.id && finding.severity >= Severity::High
}

/// Whether a finding is about a run of the tests that would count as passed anyhow.
pub fn hides_a_failure(finding: &Finding) -> bool {
    finding.pattern_id == HIDDEN_FAILURE.id && finding.severity < Severity::High
}

/// Whether a finding is about snapshots that a command takes from what the code does now.
pub fn rewrites_snapshots(finding: &Finding) -> bool {
    finding.pattern_id == SNAPSHOTS.id
}

/// How every pattern says to get the work done, for the proof that no such text is itself stopped.
#[cfg(test)]
pub(crate) fn remedies() -> Vec<&'static str> {
    super::COMMAND_PATTERNS.iter().map(|pattern| pattern.instead).chain([BYPASS.instead]).collect()
}

/// A shell call: its effects, and what they reach.
struct ReachingCommand<'a> {
    effects: &'a [Effect],
    facts: &'a CommandFacts,
}

impl ReachingCommand<'_> {
    /// Whether the project's configuration permits an effect.
    fn permits(&self, effect: usize) -> bool {
        self.facts.permitted.contains(&effect)
    }

    /// What the words alone decide. No configuration permits to disarm the guard.
    fn by_words(&self) -> Vec<Finding> {
        let judged = self
            .effects
            .iter()
            .enumerate()
            .filter(|(index, effect)| !self.permits(*index) || effect.kind == EffectKind::DisarmsGuard);
        judged
            .filter_map(|(_, effect)| by_words(effect).map(|finding| told_if(effect.reckoned, finding)))
            .collect()
    }

    /// What the place of each target decides.
    fn by_target(&self, findings: &mut Vec<Finding>, risks: &mut Vec<Risk>) {
        // Of each name, the first effect that writes it.
        let mut made: HashMap<&str, usize> = HashMap::new();
        for reach in &self.facts.reaches {
            let is_made_here = made.get(reach.name.as_str()).is_some_and(|maker| *maker < reach.effect);
            if matches!(reach.role, TargetFate::Written { .. }) {
                let maker = made.entry(&reach.name).or_insert(reach.effect);
                *maker = reach.effect.min(*maker);
            }
            let Some(effect) = self.effects.get(reach.effect) else { continue };
            let guards = matches!(reach.place, Place::GuardState | Place::GuardProgram | Place::HostSettings);
            if self.permits(reach.effect) && !guards {
                continue;
            }
            if let Some(finding) = configured::protected(reach) {
                findings.push(finding);
                continue;
            }
            let found = match reach.role {
                TargetFate::Gone => gone(effect, reach),
                TargetFate::Written { append } => written(effect, reach, append),
                TargetFate::Mode => mode(effect, reach),
            };
            let found = found.or_else(|| (!is_made_here).then(|| by_name(effect, reach)).flatten());
            if found.is_none() {
                risks.extend(risk(effect, reach));
            }
            findings.extend(found.map(|finding| told_if(reach.reckoned && !guards, finding)));
        }
    }

    /// What is given up in git.
    fn in_git(&self) -> impl Iterator<Item = Finding> {
        let losses = self.facts.losses.iter().filter(|loss| !self.permits(loss.effect));
        losses.filter_map(|loss| {
            let effect = self.effects.get(loss.effect)?;
            git_loss(effect, loss).map(|finding| told_if(effect.reckoned, finding))
        })
    }
}

/// What rests on reckoning the output of another program is told at most: the reckoning may be wrong.
fn told_if(reckoned: bool, finding: Finding) -> Finding {
    let severity = if reckoned { finding.severity.min(Severity::Medium) } else { finding.severity };
    Finding { severity, ..finding }
}

/// One cause gives one finding: the same pattern on the same path is said once, the worst first, and what is beyond
/// the first few of a pattern is only counted.
fn one_per_cause(findings: &mut Vec<Finding>) {
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let mut seen: HashSet<(&'static str, String)> = HashSet::new();
    findings.retain(|finding| seen.insert((finding.pattern_id, finding.path.clone())));
    for pattern in [&GUARD, &BULK, &OUTSIDE, &GIT_WORK, &HISTORY, BYPASS, &TOO_MUCH, &DEVICE] {
        let all = findings.iter().filter(|finding| finding.pattern_id == pattern.id).count();
        let Some(more) = all.checked_sub(MOST_OF_ONE_PATTERN).filter(|more| *more > 0) else { continue };
        let mut count = 0;
        findings.retain_mut(|finding| {
            count += usize::from(finding.pattern_id == pattern.id);
            if finding.pattern_id == pattern.id && count == MOST_OF_ONE_PATTERN {
                finding.what = format!("{} (and {more} more places)", finding.what);
            }
            finding.pattern_id != pattern.id || count <= MOST_OF_ONE_PATTERN
        });
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::model::event::ShellDialect;
    use crate::shell;

    fn effects(text: &str) -> Vec<Effect> {
        shell::effects(text, ShellDialect::Posix, Path::new("/p"), Path::new("/home/ada")).effects
    }

    fn reach(name: &str, place: Place) -> TargetReach {
        TargetReach {
            effect: 0,
            name: name.to_owned(),
            place,
            role: TargetFate::Gone,
            exists: true,
            held: true,
            directory: true,
            tracked: Some(12),
            sources: 12,
            top_level: !name.contains('/'),
            too_much: false,
            partial: false,
            restorable: false,
            only_here: false,
            protected: false,
            reckoned: false,
        }
    }

    fn verdict(text: &str, reaches: Vec<TargetReach>, total: usize) -> String {
        let facts = CommandFacts { reaches, tracked_total: Some(total), ..CommandFacts::default() };
        let (findings, risks) = judge(&effects(text), &facts);
        let findings =
            findings.iter().map(|finding| format!("{} {}", finding.pattern_id, finding.severity.name()));
        let risks = risks.iter().map(|risk| format!("{} {}", risk.name, risk.level.name()));
        findings.chain(risks).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn the_place_decides_about_a_deletion() {
        for (name, place, expected) in [
            ("src", Place::Project, "SF-010 high"),
            ("docs/old", Place::Project, "bulk_deletion high"),
            ("src/old", Place::Project, "bulk_deletion high"),
            (".", Place::Root, "SF-010 critical"),
            (".git", Place::Repository, "SF-010 critical"),
            (".aiwg/ralph", Place::GuardState, "SF-002 critical"),
            ("/usr/bin/steadfast-hook", Place::GuardProgram, "SF-002 critical"),
            (".claude/settings.json", Place::HostSettings, "SF-002 critical"),
            ("/etc", Place::System, "SF-011 critical"),
            ("/srv/data", Place::Outside, "SF-011 high"),
            ("dist", Place::Output, ""),
            ("/tmp/x", Place::Temporary, ""),
            ("…", Place::Unknown, "bulk_deletion high"),
        ] {
            assert_eq!(verdict("rm -rf x", vec![reach(name, place)], 1000), expected, "{name}");
        }
    }

    #[test]
    fn what_is_not_there_is_only_a_risk() {
        let missing =
            TargetReach { exists: false, tracked: Some(0), sources: 0, ..reach("/srv/data", Place::Outside) };
        assert_eq!(verdict("rm -rf x", vec![missing.clone()], 1000), "bulk_deletion high");
        let inside = TargetReach { place: Place::Project, name: "src/old".to_owned(), ..missing };
        assert_eq!(verdict("rm -rf x", vec![inside.clone()], 1000), "bulk_deletion high");
        assert_eq!(verdict("rm -f x", vec![inside], 1000), "file_deletion low");
    }

    #[test]
    fn what_lies_outside_is_written_over_only_where_it_comes_back() {
        let written = |restorable, append| TargetReach {
            role: TargetFate::Written { append },
            directory: false,
            restorable,
            ..reach("/home/ada/notes.md", Place::Outside)
        };
        for text in ["echo x > x", "cp a x", "sed -i s/a/b/ x", "truncate -s 0 x"] {
            assert_eq!(verdict(text, vec![written(false, false)], 1000), "SF-011 high", "{text}");
            assert_eq!(verdict(text, vec![written(false, true)], 1000), "", "{text}");
        }
        assert_eq!(verdict("echo x > x", vec![written(true, false)], 1000), "SF-011 medium");
        assert_eq!(verdict("sed -i s/a/b/ x", vec![written(true, false)], 1000), "");
        // What a shell reads by itself is asked about though nothing of it is lost.
        let heeded = |append| TargetReach { name: "/home/ada/.profile".to_owned(), ..written(true, append) };
        for text in ["echo x >> x", "tee -a x", "sed -i s/a/b/ x"] {
            assert_eq!(verdict(text, vec![heeded(true)], 1000), "SF-011 high", "{text}");
            assert_eq!(verdict(text, vec![heeded(false)], 1000), "SF-011 high", "{text}");
        }
    }

    #[test]
    fn a_folder_of_tests_keeps_a_name_of_one() {
        let moved =
            || TargetReach { role: TargetFate::Written { append: false }, ..reach("tests", Place::Project) };
        for (text, expected) in [
            ("mv tests checks", "SF-020 high"),
            ("git mv tests tests_old", "SF-020 high"),
            ("mv tests .tests", "SF-020 high"),
            ("mv tests test", ""),
            ("mv tests core/", ""),
            ("mv tests packages/core/tests", ""),
        ] {
            assert_eq!(verdict(text, vec![moved()], 1000), expected, "{text}");
        }
    }

    #[test]
    fn most_of_the_tracked_files_are_a_finding_together() {
        let part = |name| TargetReach {
            directory: false,
            tracked: Some(1),
            sources: 1,
            ..reach(name, Place::Project)
        };
        let three = vec![part("a/x"), part("a/y"), part("a/z")];
        assert!(verdict("rm x", three.clone(), 5).starts_with("SF-010 high"));
        assert!(verdict("rm x", three.clone(), 3).starts_with("SF-010 critical"));
        assert!(!verdict("rm x", three.clone(), 6).contains("SF-010"));
        assert!(!verdict("rm x", three[..2].to_vec(), 2).contains("SF-010"));
    }

    #[test]
    fn single_files_have_their_level() {
        let file = |name| TargetReach {
            directory: false,
            tracked: Some(1),
            top_level: false,
            ..reach(name, Place::Project)
        };
        for (text, name, expected) in [
            ("rm x", "src/a.ts", "file_deletion low"),
            ("rm x", "src/a.test.ts", "file_deletion high"),
            ("rm -rf x", "src/a.ts", "bulk_deletion high"),
            ("git rm x", "src/a.ts", "version_control_deletion low"),
            ("git rm x", "tests/a.ts", "version_control_deletion high"),
            ("git rm --cached x", "src/a.ts", "version_control_deletion low"),
        ] {
            assert_eq!(verdict(text, vec![file(name)], 1000), expected, "{text} {name}");
        }
    }

    #[test]
    fn git_work_is_named() {
        let loss = GitLoss { files: vec!["a.ts".into(), "b.ts".into()], ..GitLoss::default() };
        let facts = CommandFacts { losses: vec![loss], ..CommandFacts::default() };
        let (findings, _) = judge(&effects("git reset --hard"), &facts);
        assert_eq!(
            findings[0].what,
            "`git reset --hard` would give up 2 files with changes that are in no commit: a.ts, b.ts"
        );
        let facts = CommandFacts { losses: vec![GitLoss::default()], ..CommandFacts::default() };
        assert!(judge(&effects("git reset --hard"), &facts).0.is_empty());
    }

    #[test]
    fn words_alone_decide_about_hooks_and_the_guard() {
        assert_eq!(verdict("git commit --no-verify", vec![], 1), "LP-R006 high");
        assert_eq!(verdict("steadfast gate approve", vec![], 1), "SF-002 critical");
    }

    #[test]
    fn no_text_holds_a_command_that_would_be_denied() {
        for remedy in remedies() {
            let reading = shell::effects(remedy, ShellDialect::Posix, Path::new("/p"), Path::new("/h"));
            assert!(reading.effects.is_empty(), "{remedy}");
        }
    }
}
