//! The look at the disk for a shell call: what its words reach, what that would lose, and what to keep before it runs.
//!
//! A call that only reads costs no look at all. Nothing here changes a file.

mod changes;
mod disk;
mod losses;
mod patch;
mod pattern;
mod place;
mod revisions;

use std::collections::{BTreeMap, HashSet};
use std::ops::Bound;
use std::path::{Path, PathBuf};

use crate::config::{Config, Globs};
use crate::detectors::commands::destructive_command;
pub use crate::detectors::commands::destructive_command::Risk;
use crate::detectors::commands::destructive_command::{Facts, GitLoss, Place, Reach, Role};
use crate::lifecycle::call::shell_call::changes::Picture;
use crate::lifecycle::call::shell_call::disk::Disk;
use crate::lifecycle::call::shell_call::place::{
    Kept, Listing, MOST_FILES, Surroundings, is_on_a_drive, is_output_name, is_spare,
};
use crate::model::event::Dialect;
use crate::model::finding::{Change, Finding};
use crate::project::Project;
use crate::shell::{self, Effect, EffectKind, Reading, Target, TextEdit};

pub(super) use crate::lifecycle::call::shell_call::place::{is_state_by_another_name, real};

/// Endings of files with source text, for the question whether a folder holds sources.
const SOURCES: &[&str] = &[
    "rs", "ts", "tsx", "js", "jsx", "mjs", "cjs", "py", "go", "java", "kt", "rb", "php", "cs", "swift", "c",
    "h", "cc", "cpp", "hpp", "ex", "exs", "scala", "dart", "vue", "svelte", "lua", "zig", "sql", "sh",
];
/// From this many deleted files on it is asked whether they are most of the project.
const MANY: usize = 3;
/// The most targets that the words of one call may name.
const MOST_NAMED: usize = 2_000;
/// How many edits of files that can't be read are judged.
const MOST_UNSEEN: usize = 8;
/// How many git commands of one call are looked into.
const MOST_LOOKS: usize = 12;

/// What a shell call does, after a look at the disk.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ShellCall {
    /// What its words say.
    pub reading: Reading,
    /// What would be lost.
    pub findings: Vec<Finding>,
    /// What is worth a warning.
    pub risks: Vec<Risk>,
    /// Files whose bytes must be kept before it runs, absolute, links resolved but for the last name, each once.
    pub keep: Vec<PathBuf>,
    /// Files before and after, where the result can be computed.
    pub changes: Vec<Change>,
    /// Edits of files that can't be read, or in which nothing fits.
    pub unseen: Vec<UnseenEdit>,
    /// Whether it may change files in ways that are not known.
    pub runs_code: bool,
    /// Whether it provably only reads.
    pub read_only: bool,
}

/// An edit whose file can't be read, or in which nothing fits it.
#[derive(Debug, Clone, PartialEq)]
pub struct UnseenEdit {
    /// The file, relative to the project, or as the command has it.
    pub path: String,
    /// The edit.
    pub edit: TextEdit,
}

/// Looks at a call that runs `command` in `cwd`.
pub fn inspect(command: &str, dialect: Dialect, cwd: &Path, project: &Project, home: &Path) -> ShellCall {
    let mut call = look(shell::effects(command, dialect, cwd, home), &Permissions::default(), project, home);
    call.findings.extend(too_much(&call.reading));
    call
}

/// Looks at a call in a project that may have a configuration. A command that the project permits is still kept for an undo; what
/// concerns the guard itself can't be permitted.
pub fn inspect_with(
    command: &str,
    dialect: Dialect,
    cwd: &Path,
    project: &Project,
    home: &Path,
    config: &Config,
) -> ShellCall {
    let says_nothing = config.denied_commands.is_empty()
        && config.allowed_commands.is_empty()
        && config.protected_paths.is_empty()
        && config.build_folders.is_empty();
    if says_nothing {
        return inspect(command, dialect, cwd, project, home);
    }
    let denies =
        |command: &shell::Command| config.denied_commands.iter().any(|pattern| pattern.fits(command));
    let allows =
        |command: &shell::Command| config.allowed_commands.iter().any(|pattern| pattern.fits(command));
    let script = shell::read_at(command, dialect, cwd, home);
    let fitting = |fits: &dyn Fn(&shell::Command) -> bool| {
        script
            .commands
            .iter()
            .enumerate()
            .filter(|(_, command)| fits(command))
            .map(|(index, _)| index)
            .collect()
    };
    let permissions = Permissions {
        allowed: fitting(&|command| allows(command) && !denies(command)),
        protected: config.protected(),
        built: config.built(),
    };
    let mut call = look(shell::of_script(&script), &permissions, project, home);
    let denied = script.commands.iter().filter(|command| denies(command));
    let findings = denied.map(|command| destructive_command::denied(&command.source));
    call.findings.splice(0..0, findings);
    call.findings.extend(too_much(&call.reading));
    call.read_only &= call.findings.is_empty();
    call
}

/// A text that is more than can be read may hold anything.
fn too_much(reading: &Reading) -> Option<Finding> {
    reading.too_much.then(destructive_command::unreadable)
}

/// What the project says about the commands of one text.
#[derive(Debug, Default)]
struct Permissions {
    /// Commands that are permitted, by index.
    allowed: Vec<usize>,
    /// Paths that no command may change.
    protected: Globs,
    /// Folders that tools make again.
    built: Globs,
}

fn look(reading: Reading, permissions: &Permissions, project: &Project, home: &Path) -> ShellCall {
    let mut call = ShellCall {
        runs_code: reading.runs_code || reading.unread,
        read_only: reading.read_only,
        reading,
        ..ShellCall::default()
    };
    if call.reading.effects.is_empty() {
        return call;
    }
    let mut look = Look {
        surroundings: Surroundings::new(project.root(), home),
        project,
        facts: Facts { unread: call.reading.unread, ..Facts::default() },
        permissions,
        disk: Disk::default(),
        touched: Vec::new(),
        named: 0,
        moved: BTreeMap::new(),
        kept: Kept::default(),
        picture: Picture::default(),
        tracked: Tracked::default(),
        asked: Vec::new(),
        unseen: Vec::new(),
        printed: BTreeMap::new(),
    };
    for (index, effect) in call.reading.effects.iter().enumerate() {
        look.touch(index, effect);
    }
    look.ask_git();
    look.list(&call.reading.effects);
    look.forget_what_patterns_took(&call.reading.effects);
    for (index, effect) in call.reading.effects.iter().enumerate() {
        look.lose(index, effect);
    }
    let permitted = call.reading.effects.iter().enumerate();
    look.facts.permitted = permitted
        .filter(|(_, effect)| permissions.allowed.contains(&effect.command))
        .map(|(index, _)| index)
        .collect();
    call.changes = look.picture.changes(&look.surroundings.root);
    // A host's settings whose new text is known are judged by that.
    look.facts.reaches.retain(|reach| {
        let known = |change: &Change| change.path == reach.name && change.after.is_some();
        !(reach.place == Place::HostSettings
            && matches!(reach.role, Role::Written { .. })
            && call.changes.iter().any(known))
    });
    let (findings, risks) = destructive_command::judge(&call.reading.effects, &look.facts);
    call.findings = findings;
    call.risks = risks;
    call.unseen = look.unseen;
    call.keep = look.kept.files;
    call.keep.sort();
    call.keep.dedup();
    call
}

/// One path that an effect touches.
#[derive(Debug, Clone)]
struct Touched {
    effect: usize,
    role: Role,
    path: PathBuf,
    name: String,
    place: Place,
    partial: bool,
    /// Whether every file below it is meant, one by one.
    below: bool,
    /// Where it goes, for a move or copy.
    to: Option<PathBuf>,
    /// Whether it is known only by reckoning what another program prints.
    reckoned: bool,
    /// Read from, and neither lost nor written: the source of a copy.
    only_source: bool,
}

/// The files that git tracks among those that the call touches.
#[derive(Debug, Default)]
struct Tracked {
    /// `None` when git can't say.
    files: Option<Vec<PathBuf>>,
}

impl Tracked {
    /// Of all `files`, which are sorted here so that those of a folder stand together.
    fn of(files: Option<Vec<PathBuf>>) -> Tracked {
        Tracked {
            files: files.map(|mut files| {
                files.sort();
                files
            }),
        }
    }

    fn under(&self, path: &Path) -> Option<&[PathBuf]> {
        let files = self.files.as_ref()?;
        let start = files.partition_point(|file| file.as_path() < path);
        let rest = files.get(start..)?;
        rest.get(..rest.partition_point(|file| file.starts_with(path)))
    }

    fn holds(&self, path: &Path) -> bool {
        self.under(path).is_some_and(|files| !files.is_empty())
    }
}

struct Look<'p> {
    surroundings: Surroundings,
    project: &'p Project,
    permissions: &'p Permissions,
    facts: Facts,
    disk: Disk,
    touched: Vec<Touched>,
    /// How many targets of the words were looked at.
    named: usize,
    /// What is moved, by where it goes, as an index of `touched`.
    moved: BTreeMap<PathBuf, Vec<usize>>,
    kept: Kept,
    picture: Picture,
    tracked: Tracked,
    /// The effects whose repository was asked.
    asked: Vec<Effect>,
    unseen: Vec<UnseenEdit>,
    /// Files to which something is printed of a file that can't be read, with that and the edit on the way.
    printed: BTreeMap<PathBuf, (PathBuf, TextEdit)>,
}

impl Look<'_> {
    /// Notes what one effect touches.
    fn touch(&mut self, index: usize, effect: &Effect) {
        use EffectKind::{ChangeMode, Copy, Delete, EditInPlace, GitRemove, Move, Overwrite, Truncate};
        let written = Role::Written { append: effect.append };
        match effect.kind {
            Delete if effect.detail == "git worktree remove --force" => {}
            Delete => {
                let before = self.touched.len();
                self.touch_all(index, effect, &effect.targets, Role::Gone);
                self.moved_before(index, before);
            }
            GitRemove => {
                let before = self.touched.len();
                self.touch_all(index, effect, &effect.targets, Role::Gone);
                // The files stay on the disk.
                let stays = effect.detail == "git rm --cached";
                self.touched.iter_mut().skip(before).for_each(|touched| touched.partial |= stays);
            }
            Move | Copy => self.transfer(index, effect),
            Overwrite | Truncate | EditInPlace => self.touch_all(index, effect, &effect.targets, written),
            ChangeMode => self.touch_all(index, effect, &effect.targets, Role::Mode),
            EffectKind::DiscardGitWork
            | EffectKind::RewriteHistory
            | EffectKind::Publish
            | EffectKind::ApplyPatch
            | EffectKind::BypassChecks
            | EffectKind::DisarmsGuard
            | EffectKind::RunsUnseen
            | EffectKind::DestroysVolume
            | EffectKind::Floods
            | EffectKind::LosesElsewhere
            | EffectKind::ChangesElsewhere
            | EffectKind::Releases
            | EffectKind::HidesFailure
            | EffectKind::LeavesTestsOut
            | EffectKind::RewritesSnapshots
            | EffectKind::LowersThreshold => {}
        }
    }

    /// What the same text moves into a folder and then deletes with it is gone, wherever it came from.
    fn moved_before(&mut self, index: usize, from: usize) {
        let deleted = self.touched.iter().skip(from).filter(|touched| !touched.partial);
        let mut ends: Vec<PathBuf> = Vec::new();
        for folder in deleted.map(|touched| touched.path.as_path()) {
            let there = self.moved.range::<Path, _>((Bound::Included(folder), Bound::Unbounded));
            ends.extend(there.map(|(end, _)| end.clone()).take_while(|end| end.starts_with(folder)));
        }
        // Each is lost once.
        let lost = ends.iter().filter_map(|end| self.moved.remove(end)).flatten();
        let lost: Vec<Touched> = lost
            .filter_map(|source| self.touched.get(source))
            .map(|source| Touched {
                effect: index,
                role: Role::Gone,
                below: true,
                to: None,
                ..source.clone()
            })
            .collect();
        self.touched.extend(lost);
    }

    fn touch_all(&mut self, index: usize, effect: &Effect, targets: &[Target], role: Role) {
        for target in each_once(targets) {
            // What is in all folders below is meant also where it is named file by file.
            let names_all = || target.path.as_ref().is_some_and(|path| path.iter().any(|part| part == "**"));
            let whole = effect.recursive || (effect.kind == EffectKind::Delete && names_all());
            let Some(paths) = self.named_paths(target, whole) else {
                return self.facts.reaches.push(beyond(index, role, &target.text));
            };
            for (path, all_of_it) in paths {
                if self.touched.len() >= MOST_FILES {
                    return self.facts.reaches.push(beyond(index, role, &target.text));
                }
                let mut touched = self.touched(index, &path, role, target.partial);
                touched.below = (target.below || all_of_it) && effect.program != "rmdir";
                touched.reckoned = target.reckoned;
                // Chosen by a test, or all that is in it, it is scratch files and not the temporary folder.
                let scratch =
                    target.partial || (all_of_it && !self.surroundings.root.starts_with(&touched.path));
                if scratch && self.surroundings.is_temporary_folder(&touched.path) {
                    touched.place = Place::Temporary;
                }
                if target.glob && touched.place == Place::GuardState && is_spare(&touched.path) {
                    touched.place = Place::Output;
                }
                if all_of_it {
                    touched.name = format!("{}/*", touched.name.trim_end_matches('/'));
                }
                self.touched.push(touched);
            }
            if let (None, Some(edit), true) = (&target.path, &effect.edit, self.unseen.len() < MOST_UNSEEN) {
                self.unseen.push(UnseenEdit { path: target.text.clone(), edit: edit.clone() });
            }
            if target.path.is_none() {
                self.touched.push(Touched {
                    effect: index,
                    role,
                    path: PathBuf::new(),
                    name: target.text.clone(),
                    place: Place::Unknown,
                    partial: true,
                    below: false,
                    reckoned: target.reckoned,
                    to: None,
                    only_source: false,
                });
            }
        }
    }

    /// As [`Look::paths`], of one more target; `None` too when the words name more of them than may be.
    fn named_paths(&mut self, target: &Target, recursive: bool) -> Option<Vec<(PathBuf, bool)>> {
        self.named += 1;
        self.paths(target, recursive).filter(|_| self.named <= MOST_NAMED)
    }

    /// The paths that a target names, each with whether it stands for all that is in it; `None` when there is more to
    /// look at than may be.
    fn paths(&self, target: &Target, recursive: bool) -> Option<Vec<(PathBuf, bool)>> {
        let Some(path) = &target.path else { return Some(Vec::new()) };
        let meant = self.meant(target, path);
        let path = meant.as_ref().unwrap_or(path);
        // Devices are the same whether they are there or not.
        if !target.glob || path.starts_with("/dev") {
            return Some(vec![(path.clone(), false)]);
        }
        let mut folder = path.as_path();
        while let (Some(parent), Some("*" | "**")) =
            (folder.parent(), folder.file_name().and_then(|n| n.to_str()))
        {
            folder = parent;
        }
        // `src/*` is all of src, if folders go with it.
        if folder != path && recursive && !folder.to_string_lossy().contains(['*', '?', '[']) {
            return Some(vec![(folder.to_path_buf(), true)]);
        }
        Some(self.disk.expand(path)?.iter().map(|path| (path.clone(), false)).collect())
    }

    /// What a tilde out of a variable is meant for, where no file has that name; and the home, when `$HOME` is to go
    /// on the word of an assignment before it.
    fn meant(&self, target: &Target, path: &Path) -> Option<PathBuf> {
        if path == Path::new(shell::FRESH_HOME) {
            return Some(self.surroundings.home.clone());
        }
        let below = target.text.strip_prefix('~').filter(|_| target.tilde)?;
        (path.symlink_metadata().is_err() && matches!(below.bytes().next(), None | Some(b'/')))
            .then(|| shell::resolve(&self.surroundings.home, below.trim_start_matches('/')))
    }

    fn touched(&self, effect: usize, path: &Path, role: Role, partial: bool) -> Touched {
        let path = match role {
            Role::Gone => self.disk.real_parent(path),
            Role::Written { .. } | Role::Mode => self.disk.real(path),
        };
        let place = self.surroundings.place(&path);
        let name = Project::at(&self.surroundings.root).name_of(&path);
        Touched {
            effect,
            role,
            path,
            name,
            place,
            partial,
            below: false,
            reckoned: false,
            to: None,
            only_source: false,
        }
    }

    /// Moves and copies: sources, and the files that they replace.
    fn transfer(&mut self, index: usize, effect: &Effect) {
        let Some((destination, sources)) = effect.targets.split_last() else { return };
        let written = Role::Written { append: false };
        let Some(to) = destination.path.as_deref().map(|path| self.disk.real(path)) else {
            return self.touch_all(index, effect, sources, written);
        };
        if effect.detail == "rsync --delete" {
            let target = Target { partial: true, ..destination.clone() };
            return self.touch_all(index, effect, std::slice::from_ref(&target), Role::Gone);
        }
        // `mv a.py sub/` names a folder, also one that isn't there yet.
        let into = to.is_dir() || destination.text.ends_with('/');
        let stays = self.surroundings.place(&to) == Place::Project || self.surroundings.root == to;
        let role = if effect.kind == EffectKind::Move && !stays { Role::Gone } else { written };
        for target in each_once(sources) {
            // A pattern's files move one by one.
            let Some(paths) = self.named_paths(target, false) else {
                return self.facts.reaches.push(beyond(index, role, &target.text));
            };
            for (path, _) in paths {
                if self.touched.len() >= MOST_FILES {
                    return self.facts.reaches.push(beyond(index, role, &target.text));
                }
                let mut source = self.touched(index, &path, Role::Gone, target.partial);
                source.reckoned = target.reckoned;
                source.role = role;
                source.only_source = effect.kind == EffectKind::Copy;
                let end = if into { to.join(path.file_name().unwrap_or_default()) } else { to.clone() };
                // `mv /* /` leaves everything where it is.
                if self.disk.real_parent(&end) == source.path {
                    continue;
                }
                source.to = Some(end.clone());
                if !source.only_source {
                    self.moved.entry(end.clone()).or_default().push(self.touched.len());
                }
                self.touched.push(source);
                self.touched.push(self.touched(index, &end, written, false));
            }
        }
    }

    /// One question about the tracked files of everything that may be gone.
    fn ask_git(&mut self) {
        let gone: Vec<&Touched> = self
            .touched
            .iter()
            .filter(|touched| {
                touched.role == Role::Gone && matches!(touched.place, Place::Project | Place::Root)
            })
            .collect();
        let inside =
            |touched: &Touched| touched.path.strip_prefix(&self.surroundings.root).is_ok_and(is_output_name);
        // A few single files need no question.
        if gone.len() < MANY && !gone.iter().any(|touched| touched.path.is_dir() || inside(touched)) {
            return;
        }
        let paths: Vec<PathBuf> = gone
            .iter()
            .map(|touched| if touched.place == Place::Root { &self.surroundings.root } else { &touched.path })
            .cloned()
            .collect();
        if paths.is_empty() {
            return;
        }
        let git = Project::at(&self.surroundings.root).git();
        self.tracked = Tracked::of(git.tracked(&paths));
        self.facts.tracked_total = git.tracked_count();
    }

    /// What the text made before a pattern was deleted may have fitted the pattern, which the disk could not say.
    fn forget_what_patterns_took(&mut self, effects: &[Effect]) {
        let mut emptied: BTreeMap<PathBuf, usize> = BTreeMap::new();
        let deletes = effects.iter().enumerate().filter(|(_, effect)| effect.kind == EffectKind::Delete);
        for (index, effect) in deletes {
            for target in effect.targets.iter().filter(|target| target.glob) {
                let Some(path) = &target.path else { continue };
                let folder: PathBuf = path
                    .components()
                    .take_while(|part| !part.as_os_str().to_string_lossy().contains(['*', '?', '[']))
                    .collect();
                emptied.insert(self.disk.real(&folder), index);
            }
        }
        if emptied.is_empty() {
            return;
        }
        for made in &self.touched {
            let last = made.path.ancestors().filter_map(|folder| emptied.get(folder)).max();
            if last.is_some_and(|last| *last > made.effect) {
                self.picture.forget_if_new(&made.path);
            }
        }
    }

    /// Lists what is in every touched path, keeps it, and notes the facts.
    fn list(&mut self, effects: &[Effect]) {
        for touched in self.touched.clone() {
            let Some(effect) = effects.get(touched.effect) else { continue };
            let metadata = touched.path.symlink_metadata().ok();
            let directory = metadata.as_ref().is_some_and(|metadata| metadata.is_dir());
            let gone = touched.role == Role::Gone;
            // Without -r a folder stays, and rmdir takes only empty ones.
            if gone && directory && !effect.recursive && !touched.below {
                continue;
            }
            let place = self.settled(&touched);
            let listing = self.listing(&touched, place, effect);
            let tracked = self.tracked.under(&touched.path).map(|files| files.len());
            let sources = match self.tracked.under(&touched.path) {
                Some(files) => files.iter().filter(|file| is_source(file)).count(),
                None => listing.files.iter().filter(|file| is_source(file)).count(),
            };
            if gone && directory {
                self.nested_repository(&touched, effect);
            }
            self.picture_of(&touched, &listing, effect);
            if touched.only_source {
                continue;
            }
            self.facts.reaches.push(Reach {
                effect: touched.effect,
                name: touched.name.clone(),
                place,
                role: touched.role,
                exists: (metadata.is_some() && !(gone && directory && is_empty(&touched.path)))
                    || (place == Place::System && is_on_a_drive(&touched.path)),
                directory,
                tracked,
                sources,
                top_level: touched.path.parent() == Some(self.surroundings.root.as_path()),
                too_much: listing.too_much,
                partial: touched.partial,
                protected: self.is_protected(&touched, &listing),
                reckoned: touched.reckoned || effect.reckoned,
            });
        }
    }

    /// A folder with a repository of its own takes along what only that holds.
    fn nested_repository(&mut self, touched: &Touched, effect: &Effect) {
        let known =
            matches!(touched.place, Place::Project | Place::Output) && effect.kind == EffectKind::Delete;
        if known && touched.path.join(".git").symlink_metadata().is_ok() {
            let losses = losses::of_repository(&touched.path, self.project);
            self.facts.losses.extend(losses.map(|loss| GitLoss { effect: touched.effect, ..loss }));
        }
    }

    /// Whether a path is protected, or a folder that holds one that is.
    fn is_protected(&self, touched: &Touched, listing: &Listing) -> bool {
        let protected = &self.permissions.protected;
        let root = &self.surroundings.root;
        let name_of =
            |path: &Path| path.strip_prefix(root).ok().map(|path| path.to_string_lossy().into_owned());
        !protected.is_empty()
            && std::iter::once(&touched.path)
                .chain(&listing.files)
                .filter_map(|path| name_of(path))
                .any(|name| protected.mean(&name))
    }

    /// The place, with build output told from sources that only have its name.
    fn settled(&self, touched: &Touched) -> Place {
        let inside = touched.path.strip_prefix(&self.surroundings.root).ok();
        match inside {
            Some(inside)
                if touched.place == Place::Project
                    && (is_output_name(inside) || self.permissions.built.mean(&touched.name))
                    && !self.tracked.holds(&touched.path) =>
            {
                Place::Output
            }
            _ => touched.place,
        }
    }

    fn listing(&mut self, touched: &Touched, place: Place, effect: &Effect) -> Listing {
        let keeps = place == Place::Project && touched.role != Role::Mode && !touched.only_source;
        let reads = touched.only_source && !touched.path.is_dir();
        if reads {
            return Listing { files: vec![touched.path.clone()], too_much: false };
        }
        let writes_folder = matches!(touched.role, Role::Written { .. })
            && touched.to.is_none()
            && !touched.below
            && touched.path.is_dir();
        if !keeps || writes_folder || effect.detail == "git rm --cached" {
            return Listing::default();
        }
        let tracked = std::mem::take(&mut self.tracked);
        let listing = self.kept.list(&touched.path, |path| tracked.holds(path));
        self.tracked = tracked;
        listing
    }

    /// Puts an effect on one path into the picture of the disk.
    fn picture_of(&mut self, touched: &Touched, listing: &Listing, effect: &Effect) {
        let moves = effect.kind == EffectKind::Move;
        match (&touched.to, touched.role) {
            // What the same text has made is there by then.
            (Some(to), _) if listing.files.is_empty() && self.picture.knows(&touched.path) => {
                self.takes_its_place(&touched.path, to);
                self.picture.copy(&touched.path, to);
                if moves {
                    self.picture.delete(&touched.path);
                }
            }
            (Some(to), _) => {
                for file in &listing.files {
                    let below = file.strip_prefix(&touched.path).unwrap_or(Path::new(""));
                    let end = if below.as_os_str().is_empty() { to.clone() } else { to.join(below) };
                    self.takes_its_place(file, &end);
                    match effect.program.as_str() {
                        // A link is not its file's text.
                        "ln" if file == Path::new("/dev/null") => self.picture.write(&end, Some(""), false),
                        "ln" => self.picture.write(&end, None, false),
                        _ => self.picture.copy(file, &end),
                    }
                    if moves {
                        self.picture.delete(file);
                    }
                }
            }
            (None, Role::Gone) if !touched.partial => {
                listing.files.iter().for_each(|file| self.picture.delete(file));
                // What the same text put there before goes with it.
                self.picture.delete_below(&touched.path);
            }
            (None, Role::Written { .. }) if touched.below && touched.path.is_dir() => {
                for file in &listing.files {
                    self.write(file, effect);
                }
            }
            (None, Role::Written { .. }) if !matches!(effect.kind, EffectKind::Move | EffectKind::Copy) => {
                self.write(&touched.path, effect);
            }
            _ => {}
        }
    }

    fn write(&mut self, path: &Path, effect: &Effect) {
        match &effect.edit {
            Some(edit) if effect.sources.is_empty() => {
                let before = self.picture.text(path);
                self.picture.edit(path, |text| edit.apply(text));
                if before.is_none() || before == self.picture.text(path) {
                    self.unseen(path, edit);
                }
            }
            Some(edit) => self.write_printed(path, effect, edit),
            None => {
                if let (true, Some(content)) = (effect.append, &effect.content)
                    && !path.exists()
                    && self.picture.text(path).is_none()
                {
                    self.unseen(path, &TextEdit::append(content));
                }
                self.picture.write(path, effect.content.as_deref(), effect.append);
            }
        }
    }

    /// Writes what is printed of other files.
    fn write_printed(&mut self, path: &Path, effect: &Effect, edit: &TextEdit) {
        let sources: Vec<Option<PathBuf>> = effect
            .sources
            .iter()
            .map(|source| source.path.as_deref().map(|path| self.disk.real(path)))
            .collect();
        // The shell empties a file that a command reads and writes before it is read.
        let is_emptied = |from: &Path| from == path && !effect.append && effect.program != "sponge";
        let texts: Option<Vec<String>> = sources
            .iter()
            .map(|from| self.picture.text(from.as_deref().filter(|from| !is_emptied(from))?))
            .collect();
        let text = texts.map(|texts| texts.concat()).filter(|text| self.picture.may_edit(text));
        let text = text.and_then(|text| edit.apply(&text));
        if let (None, [Some(from)]) = (&text, sources.as_slice()) {
            if from == path {
                self.unseen(path, edit);
            } else {
                self.printed.insert(path.to_path_buf(), (from.clone(), edit.clone()));
            }
        }
        self.picture.write(path, text.as_deref(), effect.append);
    }

    /// What was printed of a file that can't be read is an edit of that file when it takes its place.
    fn takes_its_place(&mut self, printed: &Path, end: &Path) {
        if let Some((source, edit)) = self.printed.get(printed).filter(|(source, _)| source == end).cloned() {
            self.unseen(&source, &edit);
        }
    }

    fn unseen(&mut self, path: &Path, edit: &TextEdit) {
        let name = Project::at(&self.surroundings.root).name_of(path);
        if self.unseen.len() < MOST_UNSEEN {
            self.unseen.push(UnseenEdit { path: name, edit: edit.clone() });
        }
    }

    /// Files that git brings from a revision or from its index: their new text.
    fn taken_from_git(&mut self, effect: &Effect) {
        for (path, text) in revisions::taken(effect, &self.disk) {
            if !path.starts_with(&self.surroundings.root) {
                continue;
            }
            if let Ok(metadata) = path.symlink_metadata() {
                self.kept.add(&path, metadata.len());
            }
            self.picture.write(&path, text.as_deref(), false);
        }
    }

    /// A patch: the files that it changes, with their new text where every hunk fits.
    fn patch(&mut self, effect: &Effect) {
        let texts: Vec<String> = match (&effect.content, effect.targets.as_slice()) {
            (Some(text), []) => vec![text.clone()],
            (_, targets) => targets
                .iter()
                .filter_map(|target| self.picture.text(&self.disk.real(target.path.as_deref()?)))
                .collect(),
        };
        let reverse = effect.detail.ends_with("--reverse");
        let Some(directory) = effect.directory.as_deref().map(real) else { return };
        let strip = usize::from(!effect.detail.contains("-p0"));
        // Git sees the names in a patch from the top of the repository.
        let git = Project::at(&directory).git();
        let top = match effect.program.as_str() {
            "git" => git.top().map_or(directory.clone(), Path::to_path_buf),
            _ => directory.clone(),
        };
        for file in texts.iter().filter_map(|text| patch::parse(text, strip, reverse)).flatten() {
            let (old, new) =
                (file.old.as_ref().map(|name| top.join(name)), file.new.as_ref().map(|name| top.join(name)));
            let before = old.as_deref().map_or(Some(String::new()), |old| self.picture.text(old));
            let after = before.and_then(|before| file.apply(&before));
            if let Some(metadata) = old.as_deref().and_then(|old| old.symlink_metadata().ok()) {
                self.kept.add(old.as_deref().unwrap_or(&top), metadata.len());
            }
            match (old, new) {
                (Some(old), None) => self.picture.delete(&old),
                (_, Some(new)) => self.picture.write(&new, after.as_deref(), false),
                (None, None) => {}
            }
        }
    }

    /// What an effect gives up in git; uncommitted changes are kept as bytes too.
    fn lose(&mut self, index: usize, effect: &Effect) {
        if effect.kind == EffectKind::ApplyPatch {
            return self.patch(effect);
        }
        if !losses::asks(effect) {
            return;
        }
        let earlier = self.asked.iter().any(|other| losses::is_same(other, effect));
        if earlier {
            return;
        }
        if self.asked.len() >= MOST_LOOKS {
            let loss = GitLoss { effect: index, unchecked: true, ..GitLoss::default() };
            return self.facts.losses.push(loss);
        }
        self.asked.push(effect.clone());
        if losses::takes_the_guard_along(effect, &self.surroundings, &self.disk) {
            let state = Reach {
                place: Place::GuardState,
                too_much: false,
                partial: false,
                ..beyond(index, Role::Gone, ".aiwg/ralph")
            };
            self.facts.reaches.push(state);
        }
        self.taken_from_git(effect);
        let Some(mut found) = losses::look(effect, self.project, &self.surroundings, &self.disk) else {
            return;
        };
        found.loss.effect = index;
        for file in found.files.iter().filter(|file| file.starts_with(&self.surroundings.root)) {
            if let Ok(metadata) = file.symlink_metadata() {
                self.kept.add(file, metadata.len());
            }
        }
        self.facts.losses.push(found.loss);
    }
}

/// Targets without those that are named again.
fn each_once(targets: &[Target]) -> impl Iterator<Item = &Target> {
    let mut seen: HashSet<&Target> = HashSet::new();
    targets.iter().filter(move |target| seen.insert(target))
}

/// What is said of targets beyond the bound.
fn beyond(effect: usize, role: Role, name: &str) -> Reach {
    Reach {
        effect,
        name: name.to_owned(),
        place: Place::Project,
        role,
        exists: true,
        directory: false,
        tracked: None,
        sources: 0,
        top_level: false,
        too_much: true,
        partial: true,
        protected: false,
        reckoned: false,
    }
}

fn is_source(path: &Path) -> bool {
    path.extension().and_then(|ending| ending.to_str()).is_some_and(|ending| SOURCES.contains(&ending))
}

fn is_empty(folder: &Path) -> bool {
    std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
}

#[cfg(test)]
mod cases;
#[cfg(test)]
mod reports;
