//! Commands that lose work: what a shell call reaches, judged by what would be lost and not by how it looks.
//!
//! Pure: the lifecycle has looked at the disk and the repository, and hands over facts. What can be kept and put back
//! is a risk at most; a finding is what can't, or what nobody means to do (the repository, a whole source folder).

use crate::detectors::commands::weakened_checks;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::detectors::checks::hook_bypass;
use crate::languages;
use crate::model::finding::{Finding, Severity, counted};
use crate::shell::{Effect, EffectKind};

/// The most names that a text lists.
const MOST_NAMES: usize = 8;
/// The most findings of one pattern in one call.
const MOST_OF_ONE_PATTERN: usize = 3;
/// Fewer tracked files than this are never "most of the project".
const FEWEST_FOR_MOST: usize = 3;
/// One nested folder with fewer files than this is a small deletion, also where it is most of a small project: it is
/// kept, and comes back with an undo.
const SMALL_FOLDER: usize = 10;

use crate::detectors::commands::by_name::by_name;

/// Something worth a warning and a copy of the bytes, but no finding.
#[derive(Debug, Clone, PartialEq)]
pub struct Risk {
    /// `bulk_deletion`, `version_control_deletion`, `test_file_modification` or `file_deletion`.
    pub name: Cow<'static, str>,
    /// The command's form, e.g. `rm` or `git rm`.
    pub tool: String,
    /// The file or folder, relative to the project where it is inside.
    pub target: String,
    /// How bad it could be.
    pub level: Severity,
}

/// What kind of place a target is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Inside the project.
    Project,
    /// The project's root, all that is in it, or a folder around it.
    Root,
    /// The repository's own directory, or a file of it.
    Repository,
    /// The guard's state, log and baseline.
    GuardState,
    /// The guard's installed program.
    GuardProgram,
    /// Settings of the host that start the guard.
    HostSettings,
    /// Build output and caches: made again at will.
    Output,
    /// Temporary folders.
    Temporary,
    /// A device.
    Device,
    /// The system, or a whole home.
    System,
    /// Any other place outside of the project.
    Outside,
    /// Not known.
    Unknown,
}

/// What happens to a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It is gone afterwards.
    Gone,
    /// It is written to, with `append` only at its end.
    Written {
        /// Only at its end.
        append: bool,
    },
    /// Its mode or owner changes.
    Mode,
}

/// One target, after a look at the disk.
#[derive(Debug, Clone, PartialEq)]
pub struct Reach {
    /// The effect that reaches it, as an index.
    pub effect: usize,
    /// Its name for messages.
    pub name: String,
    /// Where it is.
    pub place: Place,
    /// What happens to it.
    pub role: Role,
    /// Whether it is there now.
    pub exists: bool,
    /// Whether it is a folder.
    pub directory: bool,
    /// How many tracked files it is or holds; `None` when git can't say.
    pub tracked: Option<usize>,
    /// How many of those hold source text.
    pub sources: usize,
    /// Whether it is a folder right below the project's root.
    pub top_level: bool,
    /// Whether there are more files than can be kept.
    pub too_much: bool,
    /// Whether only some of it is meant.
    pub partial: bool,
    /// Whether the project's configuration protects it.
    pub protected: bool,
    /// Whether it is known only by reckoning what another program prints: then it is told, and never stopped.
    pub reckoned: bool,
}

/// Work in git that an effect gives up, after a look at the repository.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GitLoss {
    /// The effect, as an index.
    pub effect: usize,
    /// Files whose changes are in no commit.
    pub files: Vec<String>,
    /// Commits that nothing else holds, as `hash subject`.
    pub commits: Vec<String>,
    /// Stashes.
    pub stashes: usize,
    /// Whether the look failed, so that nothing is known.
    pub unchecked: bool,
    /// Whether what is lost stays in git's log of references for a while.
    pub recoverable: bool,
}

/// What the look at the disk found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Facts {
    /// The targets.
    pub reaches: Vec<Reach>,
    /// Work in git.
    pub losses: Vec<GitLoss>,
    /// How many files git tracks in the project.
    pub tracked_total: Option<usize>,
    /// Whether a part of the text could not be read.
    pub unread: bool,
    /// Effects that the project's configuration permits, as indexes.
    pub permitted: Vec<usize>,
}

/// What the pattern is called, and how to get the work done without the loss.
pub(crate) struct Pattern {
    pub(crate) id: &'static str,
    pub(crate) name: &'static str,
    pub(crate) mend: &'static str,
}

static GUARD: Pattern = Pattern {
    id: "SF-002",
    name: "Guard Tampering",
    mend: "The guard, its state and its open questions belong to the person who set it up; they can decide in their own terminal.",
};
static BULK: Pattern = Pattern {
    id: "SF-010",
    name: "Bulk Loss Of Project Files",
    mend: "Single files that are no longer needed can be removed by name, and stay restorable.",
};
static OUTSIDE: Pattern = Pattern {
    id: "SF-011",
    name: "Change Outside The Project",
    mend: "Files outside of the project can't be kept or put back from here; the work inside of the project goes on without them.",
};
static GIT_WORK: Pattern = Pattern {
    id: "SF-012",
    name: "Uncommitted Work Discarded",
    mend: "Once the changes are committed or put on a stash, the same command loses nothing.",
};
static HISTORY: Pattern = Pattern {
    id: "SF-013",
    name: "History Rewritten",
    mend: "A new commit on top, or a new branch, keeps what others and the log already have.",
};
pub(crate) static BYPASS: Pattern = Pattern {
    id: weakened_checks::BYPASS.id,
    name: weakened_checks::BYPASS.name,
    mend: weakened_checks::BYPASS.mend,
};
static TOO_MUCH: Pattern = Pattern {
    id: "SF-015",
    name: "More Than Can Be Kept",
    mend: "A narrower choice of files stays within what can be kept and put back.",
};
static UNREAD: Pattern = Pattern {
    id: "SF-016",
    name: "Destructive Command In Unreadable Text",
    mend: "The same work in shorter, separate commands can be read and judged.",
};
static DEVICE: Pattern = Pattern {
    id: "SF-017",
    name: "Device Overwritten",
    mend: "An image file in the project serves the same purpose without touching a device.",
};

static SERVICE: Pattern = Pattern {
    id: "SF-026",
    name: "Data Elsewhere Given Up",
    mend: "What a service or another machine holds can't be kept from here; a listing or a dry run shows what it would take.",
};
static RELEASE: Pattern = Pattern {
    id: "SF-027",
    name: "Published For Everybody",
    mend: "What is published can't be taken back; a dry run of the same command shows what it would be.",
};

static DENIED: Pattern = Pattern {
    id: "SF-024",
    name: "Denied By The Project",
    mend: "The project's configuration names this command; a person can run it, or change what is named there.",
};
static PROTECTED: Pattern = Pattern {
    id: "SF-025",
    name: "Protected Path",
    mend: "The project's configuration names this path; a person can change it, or what is named there.",
};

/// The finding for a text that is more than can be read.
pub fn unreadable() -> Finding {
    let what = "the command is too long or too entangled to be read, so what it does is not known".to_owned();
    finding(&UNREAD, Severity::High, String::new(), what, 0.7)
}

/// How every pattern says to get the work done, for the proof that no such text is itself stopped.
#[cfg(test)]
pub(crate) fn remedies() -> Vec<&'static str> {
    let own = [
        &GUARD, &BULK, &OUTSIDE, &GIT_WORK, &HISTORY, &BYPASS, &TOO_MUCH, &UNREAD, &DEVICE, &DENIED,
        &SERVICE, &RELEASE, &PROTECTED,
    ];
    own.iter()
        .map(|pattern| pattern.mend)
        .chain(weakened_checks::PATTERNS.iter().map(|pattern| pattern.mend))
        .collect()
}

/// The finding for a command that the project's configuration denies.
pub fn denied(line: &str) -> Finding {
    let what = format!("the project's configuration denies `{line}`");
    finding(&DENIED, Severity::High, String::new(), what, 1.0)
}

/// Top-level folders that hold a project's sources or tests.
const SOURCE_FOLDERS: &[&str] = &[
    "src",
    "lib",
    "app",
    "apps",
    "packages",
    "crates",
    "pkg",
    "cmd",
    "internal",
    "test",
    "tests",
    "spec",
    "specs",
    "e2e",
    "__tests__",
    "core",
    "server",
    "client",
    "api",
    "backend",
    "frontend",
    "components",
    "modules",
    "source",
    "sources",
];

/// Judges what the effects reach.
pub fn judge(effects: &[Effect], facts: &Facts) -> (Vec<Finding>, Vec<Risk>) {
    let mut findings = Vec::new();
    let mut risks = Vec::new();
    let permitted = |index: usize| facts.permitted.contains(&index);
    for (index, effect) in effects.iter().enumerate() {
        if !permitted(index) || effect.kind == EffectKind::DisarmsGuard {
            findings.extend(by_words(effect).map(|finding| told_if(effect.reckoned, finding)));
        }
    }
    // Of each name, the first effect that writes it.
    let mut made: HashMap<&str, usize> = HashMap::new();
    for reach in &facts.reaches {
        let is_made_here = made.get(reach.name.as_str()).is_some_and(|maker| *maker < reach.effect);
        if matches!(reach.role, Role::Written { .. }) {
            let maker = made.entry(&reach.name).or_insert(reach.effect);
            *maker = reach.effect.min(*maker);
        }
        let Some(effect) = effects.get(reach.effect) else { continue };
        let guards = matches!(reach.place, Place::GuardState | Place::GuardProgram | Place::HostSettings);
        if permitted(reach.effect) && !guards {
            continue;
        }
        if reach.protected && (reach.exists || reach.role == Role::Gone) {
            let what = format!("{} is protected by the project's configuration", reach.name);
            findings.push(finding(&PROTECTED, Severity::High, reach.name.clone(), what, 0.95));
            continue;
        }
        let found = match reach.role {
            Role::Gone => gone(effect, reach),
            Role::Written { append } => written(effect, reach, append),
            Role::Mode => mode(effect, reach),
        };
        let found = found.or_else(|| (!is_made_here).then(|| by_name(effect, reach)).flatten());
        if found.is_none() {
            risks.extend(risk(effect, reach));
        }
        findings.extend(found.map(|finding| told_if(reach.reckoned && !guards, finding)));
    }
    if !findings.iter().any(|finding| finding.pattern_id == BULK.id) {
        findings.extend(most_of_the_project(facts));
    }
    for loss in facts.losses.iter().filter(|loss| !permitted(loss.effect)) {
        if let Some(effect) = effects.get(loss.effect) {
            findings.extend(git_loss(effect, loss).map(|finding| told_if(effect.reckoned, finding)));
        }
    }
    let loses = |effect: &Effect| !matches!(effect.kind, EffectKind::Copy | EffectKind::ChangeMode);
    if facts.unread && effects.iter().any(loses) {
        let what = "a part of the command could not be read, next to one that changes files".to_owned();
        findings.push(finding(&UNREAD, Severity::Medium, String::new(), what, 0.6));
    }
    one_per_cause(&mut findings);
    (findings, risks)
}

/// What rests on reckoning the output of another program is told at most: the reckoning may be wrong.
fn told_if(reckoned: bool, finding: Finding) -> Finding {
    let severity = if reckoned { finding.severity.min(Severity::Medium) } else { finding.severity };
    Finding { severity, ..finding }
}

pub(crate) fn finding(
    pattern: &Pattern,
    severity: Severity,
    path: String,
    what: String,
    confidence: f32,
) -> Finding {
    Finding {
        pattern_id: pattern.id,
        pattern_name: pattern.name,
        regression_type: None,
        severity,
        path,
        line: None,
        lost: Vec::new(),
        what,
        mend: pattern.mend.to_owned(),
        confidence,
    }
}

/// What the words alone decide.
fn by_words(effect: &Effect) -> Option<Finding> {
    match effect.kind {
        EffectKind::DisarmsGuard => {
            let what = format!("`{}` decides for the guard or stops it", effect.detail.trim_end());
            Some(finding(&GUARD, Severity::Critical, String::new(), what, 0.95))
        }
        EffectKind::DestroysVolume => {
            let what = format!("`{}` gives up a volume with all that is on it", effect.detail.trim_end());
            Some(finding(&DEVICE, Severity::Critical, String::new(), what, 0.9))
        }
        EffectKind::LosesElsewhere => {
            let what = format!("`{}` gives up what is kept elsewhere, for good", effect.detail);
            Some(finding(&SERVICE, Severity::High, String::new(), what, 0.85))
        }
        EffectKind::ChangesElsewhere => {
            let what = format!("`{}` changes what is kept or runs elsewhere", effect.detail);
            Some(finding(&SERVICE, Severity::Medium, String::new(), what, 0.7))
        }
        EffectKind::Releases => {
            let what = format!("`{}` publishes what can't be taken back", effect.detail);
            Some(finding(&RELEASE, Severity::High, String::new(), what, 0.85))
        }
        _ => weakened_checks::by_words(effect),
    }
}

fn gone(effect: &Effect, reach: &Reach) -> Option<Finding> {
    use Severity::{Critical, High};
    let name = &reach.name;
    let found =
        |pattern: &Pattern, severity, what: String| Some(finding(pattern, severity, name.clone(), what, 0.9));
    // With links followed, what goes need not be below the folder that is named.
    if effect.detail == "find -L -delete" && matches!(reach.place, Place::Temporary | Place::Output) {
        let what = format!("links below {name} are followed, so what is deleted can be anywhere");
        return found(&OUTSIDE, Severity::Medium, what);
    }
    if !reach.exists {
        // What is not there can't be lost; who names the repository's own files is told all the same.
        let told = reach.place == Place::Repository && holds_history(name);
        return told
            .then(|| found(&BULK, Severity::Medium, format!("{name} would belong to the repository itself")))
            .flatten();
    }
    // What is moved elsewhere on this machine can be moved back.
    if effect.kind == EffectKind::Move && matches!(reach.place, Place::System | Place::Outside) {
        return found(
            &OUTSIDE,
            Severity::Medium,
            format!("{name} is outside of the project and would be moved away"),
        );
    }
    match reach.place {
        Place::Root if reach.partial => None,
        Place::Root => found(&BULK, Critical, format!("{name} is the whole project{}", tracked(reach))),
        Place::Repository if name.contains(".git/hooks/") => match hook_bypass::is_hook(name) {
            true => found(&BYPASS, High, format!("{name} is one of the repository's hooks")),
            false => None,
        },
        // The index is made again from the last commit, and the files themselves stay.
        Place::Repository if name.ends_with(".git/index") => None,
        Place::Repository => found(
            &BULK,
            Critical,
            format!("{name} belongs to the repository itself: commits, branches and stashes"),
        ),
        Place::GuardState if effect.kind == EffectKind::DiscardGitWork => found(
            &GUARD,
            Critical,
            format!("{name} belongs to the guard, and git ignores it; with `-e .aiwg` it would stay"),
        ),
        Place::GuardState | Place::GuardProgram | Place::HostSettings => {
            found(&GUARD, Critical, format!("{name} belongs to the guard"))
        }
        Place::System => found(
            &OUTSIDE,
            Critical,
            format!("{name} is outside of the project and belongs to the system or a home"),
        ),
        Place::Outside => found(&OUTSIDE, High, format!("{name} is outside of the project")),
        Place::Device => found(&DEVICE, Critical, format!("{name} is a device")),
        Place::Project if reach.too_much => found(
            &TOO_MUCH,
            High,
            format!("{name} holds more files than can be kept before the command runs"),
        ),
        Place::Project if is_source_folder(reach) && !reach.partial && effect.kind != EffectKind::Copy => {
            let holds = match reach.tracked {
                Some(count) => counted(count, "tracked file"),
                None => counted(reach.sources, "source file"),
            };
            found(&BULK, High, format!("{name} holds {holds}"))
        }
        Place::Project | Place::Output | Place::Temporary | Place::Unknown => None,
    }
}

fn is_source_folder(reach: &Reach) -> bool {
    let holds = reach.tracked.unwrap_or(0);
    let named = SOURCE_FOLDERS.contains(&reach.name.trim_end_matches('/'));
    reach.directory && reach.top_level && ((named && holds > 0) || reach.sources >= FEWEST_FOR_MOST)
}

fn tracked(reach: &Reach) -> String {
    reach.tracked.map_or(String::new(), |count| format!(", with {}", counted(count, "tracked file")))
}

fn written(effect: &Effect, reach: &Reach, append: bool) -> Option<Finding> {
    use Severity::{Critical, High, Medium};
    let name = &reach.name;
    let found = |pattern: &Pattern, severity, what: String| {
        Some(finding(pattern, severity, name.clone(), what, 0.85))
    };
    match reach.place {
        Place::GuardState | Place::GuardProgram => {
            found(&GUARD, Critical, format!("{name} belongs to the guard"))
        }
        Place::HostSettings if reach.exists => found(&GUARD, High, format!("{name} says which hooks run")),
        Place::Device if reach.exists || names_a_disk(name) => {
            found(&DEVICE, Critical, format!("{name} is a device"))
        }
        Place::Repository if holds_history(name) => {
            found(&BULK, High, format!("{name} belongs to the repository itself"))
        }
        // A hook whose new text is known is judged by that.
        Place::Repository
            if hook_bypass::is_hook(name) && effect.content.is_none() && effect.edit.is_none() =>
        {
            found(
                &BYPASS,
                if reach.exists { High } else { Medium },
                format!("{name} is one of the repository's hooks"),
            )
        }
        Place::Project if reach.too_much => {
            found(&TOO_MUCH, High, format!("more files than can be kept would be written, {name} among them"))
        }
        Place::System if reach.exists && !append => {
            found(&OUTSIDE, High, format!("{name} belongs to the system and would be changed"))
        }
        Place::System if reach.exists => {
            found(&OUTSIDE, Medium, format!("{name} belongs to the system and would be added to"))
        }
        Place::Outside if reach.exists && !append && effect.kind != EffectKind::EditInPlace => {
            found(&OUTSIDE, Medium, format!("{name} is outside of the project and would be overwritten"))
        }
        _ => None,
    }
}

/// Whether a path under `/dev` or `/proc` has the name of a disk, a partition, or of what stops the machine. A disk
/// need not be there when a text is judged.
fn names_a_disk(name: &str) -> bool {
    const DISKS: &[&str] =
        &["sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "dm-", "md", "loop", "pmem", "mapper/"];
    if matches!(name, "/proc/sysrq-trigger" | "/dev/mem" | "/dev/kmem" | "/dev/port" | "/dev/nvram") {
        return true;
    }
    let Some(device) = name.strip_prefix("/dev/") else { return false };
    DISKS.iter().any(|disk| {
        device.strip_prefix(disk).is_some_and(|rest| {
            let rest = rest.strip_suffix(['*', '?']).map_or(rest, |_| "0");
            (!rest.is_empty() || disk.ends_with('/'))
                && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        })
    })
}

/// Files of the repository without which commits and branches are gone.
fn holds_history(name: &str) -> bool {
    let Some((_, inside)) = name.split_once(".git/") else { return false };
    ["objects/", "refs/"].iter().any(|folder| inside.starts_with(folder))
        || matches!(inside, "HEAD" | "packed-refs")
}

fn mode(effect: &Effect, reach: &Reach) -> Option<Finding> {
    let name = reach.name.clone();
    // A test that can't be started is a test that is left out.
    if effect.detail == "chmod -x"
        && reach.exists
        && reach.place == Place::Project
        && languages::is_test_path(&name)
    {
        let left_out = &weakened_checks::LEFT_OUT;
        let pattern = Pattern { id: left_out.id, name: left_out.name, mend: left_out.mend };
        let what = format!("{name} could no longer be started");
        return Some(finding(&pattern, Severity::Medium, name, what, 0.8));
    }
    match reach.place {
        Place::GuardState | Place::GuardProgram | Place::HostSettings => {
            let what = format!("{name} belongs to the guard");
            Some(finding(&GUARD, Severity::Critical, name, what, 0.8))
        }
        Place::System | Place::Outside if effect.recursive && reach.exists => {
            let what =
                format!("modes or owners of everything under {name} would change, outside of the project");
            Some(finding(&OUTSIDE, Severity::High, name, what, 0.85))
        }
        _ => None,
    }
}

/// All deletions of the text together.
fn most_of_the_project(facts: &Facts) -> Option<Finding> {
    let total = facts.tracked_total?;
    let lost: Vec<&Reach> = facts
        .reaches
        .iter()
        .filter(|reach| reach.role == Role::Gone && matches!(reach.place, Place::Project | Place::Root))
        .filter(|reach| !reach.partial && !facts.permitted.contains(&reach.effect))
        .collect();
    let count: usize = lost.iter().filter_map(|reach| reach.tracked).sum();
    let one_small_folder =
        matches!(lost.as_slice(), [only] if only.name.contains('/')) && count < SMALL_FOLDER && count < total;
    if count < FEWEST_FOR_MOST || count * 2 <= total || one_small_folder {
        return None;
    }
    let name = lost.first().map(|reach| reach.name.clone()).unwrap_or_default();
    let severity = if count >= total { Severity::Critical } else { Severity::High };
    let what = format!("{count} of the project's {} would be gone", counted(total, "tracked file"));
    Some(finding(&BULK, severity, name, what, 0.9))
}

fn git_loss(effect: &Effect, loss: &GitLoss) -> Option<Finding> {
    let pattern = match effect.kind {
        EffectKind::Publish | EffectKind::RewriteHistory => &HISTORY,
        _ => &GIT_WORK,
    };
    let mut losses = Vec::new();
    if !loss.files.is_empty() {
        let count = counted(loss.files.len(), "file");
        losses.push(format!("{count} with changes that are in no commit: {}", listed(&loss.files)));
    }
    if !loss.commits.is_empty() {
        let count = counted(loss.commits.len(), "commit");
        losses.push(format!("{count} that nothing else holds: {}", listed(&loss.commits)));
    }
    if loss.stashes > 0 {
        losses.push(if loss.stashes == 1 {
            "1 stash".to_owned()
        } else {
            format!("{} stashes", loss.stashes)
        });
    }
    let severity = if loss.recoverable && loss.files.is_empty() { Severity::Medium } else { Severity::High };
    let what = match (losses.is_empty(), loss.unchecked, effect.kind) {
        (true, false, _) => return None,
        (true, true, EffectKind::Publish) => "commits that were published could be replaced".to_owned(),
        (true, true, EffectKind::RewriteHistory) => "commits could become unreachable".to_owned(),
        (true, true, _) => "what would be lost could not be found out".to_owned(),
        (false, _, _) => format!("it would give up {}", losses.join("; ")),
    };
    let path = loss.files.first().cloned().unwrap_or_default();
    Some(finding(pattern, severity, path, what, if loss.unchecked { 0.6 } else { 0.9 }))
}

fn listed(names: &[String]) -> String {
    let shown: Vec<&str> = names.iter().take(MOST_NAMES).map(String::as_str).collect();
    match names.len().checked_sub(MOST_NAMES).filter(|more| *more > 0) {
        Some(more) => format!("{} and {more} more", shown.join(", ")),
        None => shown.join(", "),
    }
}

fn risk(effect: &Effect, reach: &Reach) -> Option<Risk> {
    if matches!(reach.place, Place::Output | Place::Temporary | Place::Device) {
        return None;
    }
    let is_test = languages::is_test_path(&reach.name);
    let (name, level) = match (reach.role, effect.kind) {
        // Without force git takes no file that differs from the last commit, and none that isn't there.
        (Role::Gone, EffectKind::GitRemove) if !reach.exists && !effect.forced => return None,
        (Role::Gone, EffectKind::GitRemove) => ("version_control_deletion", git_rm_level(effect, is_test)),
        (Role::Gone, _) if is_bulk(effect, reach) => ("bulk_deletion", Severity::High),
        // What is not there is only recorded.
        (Role::Gone, _) if !reach.exists && reach.place == Place::Project && !is_shredder(effect) => {
            ("file_deletion", Severity::Low)
        }
        (Role::Gone, _) if is_test => ("file_deletion", Severity::High),
        // These are made so that nothing brings the bytes back.
        _ if is_shredder(effect) => ("file_deletion", Severity::Medium),
        (Role::Gone, _) => ("file_deletion", Severity::Low),
        (Role::Written { .. }, _) if is_test && reach.exists => ("test_file_modification", Severity::Medium),
        _ => return None,
    };
    Some(Risk { name: name.into(), tool: effect.detail.clone(), target: reach.name.clone(), level })
}

fn git_rm_level(effect: &Effect, is_test: bool) -> Severity {
    match effect.detail.as_str() {
        "git rm --cached" => Severity::Low,
        _ if is_test => Severity::High,
        _ => Severity::Medium,
    }
}

fn is_shredder(effect: &Effect) -> bool {
    matches!(effect.program.as_str(), "shred" | "srm")
}

/// A folder with all that is in it, or a pattern's many files.
fn is_bulk(effect: &Effect, reach: &Reach) -> bool {
    effect.recursive && (effect.forced || reach.directory || effect.targets.iter().any(|target| target.glob))
}

/// One cause gives one finding: the same pattern on the same path is said once, the worst first, and what is beyond
/// the first few of a pattern is only counted.
fn one_per_cause(findings: &mut Vec<Finding>) {
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let mut seen: HashSet<(&'static str, String)> = HashSet::new();
    findings.retain(|finding| seen.insert((finding.pattern_id, finding.path.clone())));
    for pattern in [&GUARD, &BULK, &OUTSIDE, &GIT_WORK, &HISTORY, &BYPASS, &TOO_MUCH, &DEVICE] {
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
    use crate::model::event::Dialect;
    use crate::shell;

    fn effects(text: &str) -> Vec<Effect> {
        shell::effects(text, Dialect::Posix, Path::new("/p"), Path::new("/home/ada")).effects
    }

    fn reach(name: &str, place: Place) -> Reach {
        Reach {
            effect: 0,
            name: name.to_owned(),
            place,
            role: Role::Gone,
            exists: true,
            directory: true,
            tracked: Some(12),
            sources: 12,
            top_level: !name.contains('/'),
            too_much: false,
            partial: false,
            protected: false,
            reckoned: false,
        }
    }

    fn verdict(text: &str, reaches: Vec<Reach>, total: usize) -> String {
        let facts = Facts { reaches, tracked_total: Some(total), ..Facts::default() };
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
            Reach { exists: false, tracked: Some(0), sources: 0, ..reach("/srv/data", Place::Outside) };
        assert_eq!(verdict("rm -rf x", vec![missing.clone()], 1000), "bulk_deletion high");
        let inside = Reach { place: Place::Project, name: "src/old".to_owned(), ..missing };
        assert_eq!(verdict("rm -rf x", vec![inside.clone()], 1000), "bulk_deletion high");
        assert_eq!(verdict("rm -f x", vec![inside], 1000), "file_deletion low");
    }

    #[test]
    fn most_of_the_tracked_files_are_a_finding_together() {
        let part =
            |name| Reach { directory: false, tracked: Some(1), sources: 1, ..reach(name, Place::Project) };
        let three = vec![part("a/x"), part("a/y"), part("a/z")];
        assert!(verdict("rm x", three.clone(), 5).starts_with("SF-010 high"));
        assert!(verdict("rm x", three.clone(), 3).starts_with("SF-010 critical"));
        assert!(!verdict("rm x", three.clone(), 6).contains("SF-010"));
        assert!(!verdict("rm x", three[..2].to_vec(), 2).contains("SF-010"));
    }

    #[test]
    fn single_files_have_their_level() {
        let file = |name| Reach {
            directory: false,
            tracked: Some(1),
            top_level: false,
            ..reach(name, Place::Project)
        };
        for (text, name, expected) in [
            ("rm x", "src/a.ts", "file_deletion low"),
            ("rm x", "src/a.test.ts", "file_deletion high"),
            ("rm -rf x", "src/a.ts", "bulk_deletion high"),
            ("git rm x", "src/a.ts", "version_control_deletion medium"),
            ("git rm x", "tests/a.ts", "version_control_deletion high"),
            ("git rm --cached x", "src/a.ts", "version_control_deletion low"),
        ] {
            assert_eq!(verdict(text, vec![file(name)], 1000), expected, "{text} {name}");
        }
    }

    #[test]
    fn git_work_is_named() {
        let loss = GitLoss { files: vec!["a.ts".into(), "b.ts".into()], ..GitLoss::default() };
        let facts = Facts { losses: vec![loss], ..Facts::default() };
        let (findings, _) = judge(&effects("git reset --hard"), &facts);
        assert_eq!(
            findings[0].what,
            "it would give up 2 files with changes that are in no commit: a.ts, b.ts"
        );
        let facts = Facts { losses: vec![GitLoss::default()], ..Facts::default() };
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
            let reading = shell::effects(remedy, Dialect::Posix, Path::new("/p"), Path::new("/h"));
            assert!(reading.effects.is_empty(), "{remedy}");
        }
    }
}
