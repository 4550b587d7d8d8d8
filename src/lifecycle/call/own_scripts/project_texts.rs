//! Scripts and manifests of the project that a command runs and the session did not write: what their people mean them to be.
//!
//! Of a script in `package.json` or a makefile, what it would lose of the project is kept and told. What lies outside of
//! the project is nobody's to lose by a name.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use crate::detectors::commands::destructive_command::{
    by_a_script, hides_a_failure, is_of_a_deletion, is_of_a_loss, is_outside,
};
use crate::languages::is_test_path;
use crate::lifecycle::call::own_scripts::losing_words::may_lose;
use crate::lifecycle::call::shell_call::{self, CommandInPlace, Risk, ShellCall};
use crate::lifecycle::changes::file_text::read_text;
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::finding::{Change, Finding, Severity};
use crate::project::{Git, Project};
use crate::shell::{self, Effect, EffectKind, LONGEST_TEXT, ScriptContext, Target};

/// Adds what the project's own scripts lose that a call runs.
pub(super) fn add(context: &HookContext, said: &CommandInPlace, known: &ScriptContext, call: &mut ShellCall) {
    let others = of_the_project(said, call, known, &context.project);
    if others.is_empty() {
        return;
    }
    let (committed, others): (Vec<_>, Vec<_>) =
        others.into_iter().partition(ProjectText::is_a_committed_script);
    if !committed.is_empty() {
        add_the_worst(context, said, known, (call, &committed));
    }
    if others.is_empty() {
        return;
    }
    let with = |text: fn(&ProjectText) -> Cow<str>| {
        let mut known = known.clone();
        // What a recipe takes in of a committed script is read with it.
        known.files.extend(committed.iter().map(|script| (script.path.clone(), script.text.clone())));
        known.files.extend(others.iter().map(|other| (other.path.clone(), text(other).into_owned())));
        let said = CommandInPlace { known: &known, ..*said };
        shell_call::inspect_said(&said, &context.project, &context.config)
    };
    let whole = with(|other| Cow::Borrowed(&other.text));
    if !whole.findings.is_empty() && others.iter().any(ProjectText::is_changed) {
        add_new(call, &whole, &with(ProjectText::committed));
    }
    tell(call, whole, &others, (context.project.root(), said.home));
}

/// Adds what committed scripts delete that nobody means to lose by running one: whole source folders, what lies outside
/// of the project, and what a database of another machine holds. What else they wipe or reset is told.
fn add_the_worst(
    context: &HookContext,
    said: &CommandInPlace,
    known: &ScriptContext,
    (call, scripts): (&mut ShellCall, &[ProjectText]),
) {
    let mut known = known.clone();
    known.files.extend(scripts.iter().map(|script| (script.path.clone(), script.text.clone())));
    let whole = shell_call::inspect_said(
        &CommandInPlace { known: &known, ..*said },
        &context.project,
        &context.config,
    );
    let root = context.project.root();
    let deleted = deleted_by(&whole, said.home);
    let is_deleted = |finding: &&Finding| is_of_a_deletion(finding) && is_one_of(finding, &deleted, root);
    let is_new = |finding: &&Finding| !is_among(finding, call.findings.iter());
    let far: Vec<String> = lost_far_away(&whole, scripts).map(|effect| effect.detail.clone()).collect();
    let is_worst =
        |finding: &&Finding| is_deleted(finding) || is_of_one(finding, &far) || hides_a_failure(finding);
    let mut worst: Vec<Finding> = whole.findings.iter().filter(is_worst).filter(is_new).cloned().collect();
    let milder = whole.findings.iter().filter(|it| is_of_a_loss(it) && !is_worst(it)).filter(is_new);
    worst.extend(milder.map(|it| Finding { severity: it.severity.min(Severity::Medium), ..it.clone() }));
    let risks = lost_in_bulk(&whole, call, root);
    if worst.is_empty() && risks.is_empty() {
        return;
    }
    call.read_only = false;
    call.findings.extend(worst);
    call.risks.extend(risks);
    call.keep.extend(whole.keep);
    call.keep.sort();
    call.keep.dedup();
}

/// Folders that a script deletes with all that is in them, and that are there: told, and kept.
fn lost_in_bulk(whole: &ShellCall, call: &ShellCall, root: &Path) -> Vec<Risk> {
    let is_there = |risk: &&Risk| root.join(&risk.target).symlink_metadata().is_ok();
    let new = whole.risks.iter().filter(|risk| risk.name == "bulk_deletion" && !call.risks.contains(risk));
    new.filter(is_there)
        .map(|risk| Risk { level: risk.level.min(Severity::Medium), ..risk.clone() })
        .collect()
}

/// What the deletions of a call name.
fn deleted_by(call: &ShellCall, home: &Path) -> Vec<PathBuf> {
    let deletions = call.reading.effects.iter().filter(|effect| effect.kind == EffectKind::Delete);
    // Source that writes a tilde means the home by it.
    let path = |target: &Target| match target.text.strip_prefix("~/").filter(|_| target.tilde) {
        Some(below) => Some(home.join(below)),
        None => target.path.clone(),
    };
    deletions.flat_map(|effect| effect.targets.iter().filter_map(path)).collect()
}

/// Whether a finding is about one of these paths, what is in it or around it.
fn is_one_of(finding: &Finding, deleted: &[PathBuf], root: &Path) -> bool {
    let path = root.join(finding.path.trim_end_matches("/*"));
    deleted.iter().any(|gone| gone.starts_with(&path) || path.starts_with(gone))
}

/// Whether a path is below a place into which projects install what they have built, and from which they take it again.
fn is_installed(path: &Path, home: &Path) -> bool {
    let installs = ["/usr/local", "/opt"].map(PathBuf::from);
    let of_the_user = ["bin", "share", "lib", "include"].map(|name| home.join(".local").join(name));
    installs.iter().chain(&of_the_user).any(|place| path.starts_with(place) && path != place)
}

/// A text of the project that a call runs. What the last commit has of it is asked once, and only where that matters.
struct ProjectText {
    path: PathBuf,
    text: String,
    git: Git,
    last: OnceCell<Option<Vec<u8>>>,
}

impl ProjectText {
    fn of(path: PathBuf, project: &Project) -> Option<ProjectText> {
        let text = read_text(&path).filter(|text| text.len() <= LONGEST_TEXT)?;
        Some(ProjectText { path, text, git: project.git(), last: OnceCell::new() })
    }

    fn last(&self) -> Option<&[u8]> {
        self.last.get_or_init(|| self.git.blob("HEAD", &self.path)).as_deref()
    }

    /// The text as the last commit has it; nothing for what is in none.
    fn committed(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.last().unwrap_or_default())
    }

    /// A script, and no manifest, as the last commit has it.
    fn is_a_committed_script(&self) -> bool {
        !is_manifest(&self.path) && self.last().is_some_and(|bytes| bytes == self.text.as_bytes())
    }

    fn is_changed(&self) -> bool {
        self.committed() != self.text
    }
}

/// Whether one of the others says the same of the same file.
fn is_among<'f>(finding: &Finding, mut others: impl Iterator<Item = &'f Finding>) -> bool {
    others.any(|other| (other.pattern_id, &other.path) == (finding.pattern_id, &finding.path))
}

/// What scripts lose that nobody has committed: nobody but whoever wrote them just now means them to be run.
fn add_new(call: &mut ShellCall, whole: &ShellCall, committed: &ShellCall) {
    let is_new = |finding: &&Finding| !is_among(finding, call.findings.iter().chain(&committed.findings));
    let new: Vec<Finding> = whole.findings.iter().filter(is_new).cloned().collect();
    call.read_only &= new.is_empty();
    call.findings.extend(new);
}

/// How often a script of the project is followed into one that it runs itself.
const DEEPEST: usize = 3;

/// The texts of the project's own manifests and scripts that a call runs, and of those that they run, where one of them may
/// lose a file.
fn of_the_project(
    said: &CommandInPlace,
    call: &ShellCall,
    known: &ScriptContext,
    project: &Project,
) -> Vec<ProjectText> {
    let mut known = Cow::Borrowed(known);
    let mut runs = call.reading.runs.clone();
    let mut found: Vec<ProjectText> = Vec::new();
    for _ in 0..DEEPEST {
        let paths = runs.iter().map(|path| said.cwd.join(path));
        let new = paths.filter(|path| !known.files.contains_key(path));
        let own = new.filter(|path| is_manifest(path) || path.starts_with(project.root()));
        let read: Vec<ProjectText> = own.filter_map(|path| ProjectText::of(path, project)).collect();
        if read.is_empty() {
            break;
        }
        known.to_mut().files.extend(read.iter().map(|it| (it.path.clone(), it.text.clone())));
        found.extend(read);
        runs = shell::effects_knowing(said.command, said.dialect, (said.cwd, said.home), &known).runs;
    }
    if found.iter().any(|it| may_lose(&it.text)) { found } else { Vec::new() }
}

/// Whether a file says which scripts a runner starts by their names.
fn is_manifest(path: &Path) -> bool {
    const MANIFESTS: &[&str] = &[
        "package.json",
        "Makefile",
        "justfile",
        "Taskfile.yml",
        "build.gradle",
        "build.gradle.kts",
        "Rakefile",
        "tasks.py",
        "noxfile.py",
        "tox.ini",
        "build.xml",
        "mix.exs",
        "composer.json",
        "pyproject.toml",
        "pixi.toml",
        "mise.toml",
        "Makefile.toml",
    ];
    MANIFESTS.iter().any(|name| path.ends_with(name))
}

/// Puts what the project's own scripts lose beside what the call itself does: told at most, and kept, but for what lies
/// outside of the project.
fn tell(call: &mut ShellCall, whole: ShellCall, others: &[ProjectText], (root, home): (&Path, &Path)) {
    let is_new = |finding: &Finding| !is_among(finding, call.findings.iter());
    let far: Vec<String> = lost_far_away(&whole, others).map(|effect| effect.detail.clone()).collect();
    let deleted = deleted_by(&whole, home);
    let is_lost_outside = |finding: &Finding| {
        let path = root.join(finding.path.trim_end_matches("/*"));
        is_outside(finding) && is_one_of(finding, &deleted, root) && !is_installed(&path, home)
    };
    let milder = |finding: Finding| match is_of_one(&finding, &far) || is_lost_outside(&finding) {
        true => finding,
        false => Finding { severity: finding.severity.min(Severity::Medium), ..finding },
    };
    let mut found: Vec<Finding> = whole.findings.into_iter().filter(is_new).map(milder).collect();
    let gone = |change: &&Change| change.after.as_deref().is_none_or(|text| text.trim().is_empty());
    let lost = whole.changes.iter().filter(|change| !call.changes.contains(change)).filter(gone);
    let tests = lost.filter(|change| change.before.is_some() && is_test_path(&change.path));
    found.extend(by_a_script(&tests.map(|change| change.path.clone()).collect::<Vec<_>>()));
    let risks = whole.risks.into_iter().filter(|risk| !call.risks.contains(risk));
    let risks: Vec<_> = risks.map(|risk| Risk { level: risk.level.min(Severity::Medium), ..risk }).collect();
    call.read_only &= found.is_empty() && risks.is_empty();
    call.findings.extend(found);
    call.risks.extend(risks);
    call.keep.extend(whole.keep);
    call.keep.sort();
    call.keep.dedup();
}

/// What texts give up of clouds and clusters, and of databases that they say are on another machine.
fn lost_far_away<'c>(call: &'c ShellCall, texts: &'c [ProjectText]) -> impl Iterator<Item = &'c Effect> {
    let is_far = |line: &str| {
        shell::names_a_far_database(line)
            || texts.iter().any(|it| shell::is_told_of_a_far_database(line, &it.text))
    };
    call.reading.effects.iter().filter(move |effect| {
        effect.kind == EffectKind::LosesElsewhere
            && (shell::is_of_a_cloud(&effect.program) || is_far(&effect.line_text))
    })
}

/// Whether a finding is about one of these losses.
fn is_of_one(finding: &Finding, details: &[String]) -> bool {
    details.iter().any(|detail| finding.what.contains(&format!("`{detail}`")))
}
