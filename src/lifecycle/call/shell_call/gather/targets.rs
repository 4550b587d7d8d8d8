//! The paths that the targets of an effect name on the disk.

use std::collections::HashSet;
use std::ops::Bound;
use std::path::{Path, PathBuf};

use crate::detectors::commands::destructive_command::{Place, TargetFate, TargetReach};
use crate::lifecycle::call::shell_call::gather::{CallInspection, TouchedPath};
use crate::lifecycle::call::shell_call::listing::MOST_FILES;
use crate::lifecycle::call::shell_call::names::{guard_program_of, is_spare};
use crate::lifecycle::call::shell_call::pattern::is_pattern;
use crate::project::Project;
use crate::shell;
use crate::shell::{Effect, EffectKind, Target};

/// The most targets that the words of one call may name.
const MOST_NAMED: usize = 2_000;

/// From so many files on one text that comes to stand in all of them is looked at like what a pattern chooses.
const FEWEST_OF_MANY: usize = 3;

/// Targets without those that are named again.
pub(crate) fn each_once(targets: &[Target]) -> impl Iterator<Item = &Target> {
    let mut seen: HashSet<&Target> = HashSet::new();
    targets.iter().filter(move |target| seen.insert(target))
}

/// Whether a target stands for what is in a folder, so that a link to a folder leads on: `docs/`, `docs/.`, the folder
/// that the command runs in, and the end of a mirroring.
fn names_content(target: &Target, effect: &Effect) -> bool {
    let text = target.text.as_str();
    let is_within =
        matches!(text, "." | "..") || text.ends_with('/') || text.ends_with("/.") || text.ends_with("/..");
    !target.glob && (is_within || effect.detail == "rsync --delete")
}

/// A move or copy: where the sources go.
struct Transfer {
    to: PathBuf,
    /// Whether that is a folder into which they go.
    into: bool,
    /// What becomes of each source, or of what stands in its place.
    role: TargetFate,
}

impl Transfer {
    fn end_of(&self, source: &Path) -> PathBuf {
        if self.into { self.to.join(source.file_name().unwrap_or_default()) } else { self.to.clone() }
    }
}

/// What is said of targets beyond the bound.
pub(crate) fn beyond(effect: usize, role: TargetFate, name: &str) -> TargetReach {
    TargetReach {
        effect,
        name: name.to_owned(),
        place: Place::Project,
        role,
        exists: true,
        held: true,
        directory: false,
        tracked: None,
        sources: 0,
        top_level: false,
        too_much: true,
        partial: true,
        restorable: false,
        only_here: false,
        protected: false,
        reckoned: false,
    }
}

impl<'p> CallInspection<'p> {
    /// What the same text moves into a folder and then deletes with it is gone, wherever it came from.
    pub(crate) fn moved_before(&mut self, index: usize, from: usize) {
        let deleted = self.touched.iter().skip(from).filter(|touched| !touched.partial);
        let mut ends: Vec<PathBuf> = Vec::new();
        for folder in deleted.map(|touched| touched.path.as_path()) {
            let there = self.moved.range::<Path, _>((Bound::Included(folder), Bound::Unbounded));
            ends.extend(there.map(|(end, _)| end.clone()).take_while(|end| end.starts_with(folder)));
        }
        // Each is lost once.
        let lost = ends.iter().filter_map(|end| self.moved.remove(end)).flatten();
        let lost: Vec<TouchedPath> = lost
            .filter_map(|source| self.touched.get(source))
            .map(|source| TouchedPath {
                effect: index,
                role: TargetFate::Gone,
                below: true,
                to: None,
                ..source.clone()
            })
            .collect();
        self.touched.extend(lost);
    }

    pub(crate) fn touch_all(&mut self, index: usize, effect: &Effect, targets: &[Target], role: TargetFate) {
        for target in each_once(targets) {
            // What is in all folders below is meant also where it is named file by file.
            let names_all = || target.path.as_ref().is_some_and(|path| path.iter().any(|part| part == "**"));
            let whole = effect.recursive || (effect.kind == EffectKind::Delete && names_all());
            let Some(paths) = self.named_paths(target, whole) else {
                return self.facts.reaches.push(beyond(index, role, &target.text));
            };
            if paths.is_empty() && role == TargetFate::Gone {
                self.touch_searched(index, target);
            }
            for (path, all_of_it) in paths {
                if self.touched.len() >= MOST_FILES {
                    return self.facts.reaches.push(beyond(index, role, &target.text));
                }
                // What is in a folder is where its link leads.
                let within = all_of_it || names_content(target, effect);
                let path = if within { self.disk.real(&path) } else { path };
                let mut touched = self.touched(index, &path, role, target.partial);
                self.describe(&mut touched, effect, target, all_of_it);
                self.touched.push(touched);
            }
            if target.path.is_none() {
                self.touch_unnamed(index, effect, target, role);
            }
        }
    }

    /// A folder that goes away, or can't be entered any more, takes the guard's program or its records along.
    fn hold_guard(&self, touched: &mut TouchedPath) {
        if touched.place == Place::Outside && self.surroundings.holds_guard(&touched.path) {
            touched.place = Place::GuardProgram;
        }
    }

    /// What the words of a target say of a path that they name, or of `all_of_it`.
    fn describe(&self, touched: &mut TouchedPath, effect: &Effect, target: &Target, all_of_it: bool) {
        touched.below = (target.below || all_of_it) && effect.program != "rmdir";
        touched.reckoned = target.reckoned;
        if effect.kind == EffectKind::Delete || effect.detail == "chmod -x" {
            self.hold_guard(touched);
        }
        // One text for several files is in none of them what it was.
        let writes_many = effect.program == "tee" && effect.targets.len() >= FEWEST_OF_MANY;
        touched.many = target.glob || target.below || writes_many;
        // Chosen by a test, or all that is in it, it is scratch files and not the temporary folder.
        let scratch = target.partial || (all_of_it && !self.surroundings.root.starts_with(&touched.path));
        if scratch && self.surroundings.is_temporary_folder(&touched.path) {
            touched.place = Place::Temporary;
        }
        if target.glob && touched.place == Place::GuardState && is_spare(&touched.path) {
            touched.place = Place::Output;
        }
        if all_of_it {
            touched.name = format!("{}/*", touched.name.trim_end_matches('/'));
        }
    }

    /// As [`CallInspection::paths`], of one more target; `None` too when the words name more of them than may be.
    fn named_paths(&mut self, target: &Target, recursive: bool) -> Option<Vec<(PathBuf, bool)>> {
        self.named += 1;
        self.paths(target, recursive).filter(|_| self.named <= MOST_NAMED)
    }

    /// The paths that a target names, each with whether it stands for all that is in it; `None` when there is more to
    /// look at than may be.
    fn paths(&self, target: &Target, recursive: bool) -> Option<Vec<(PathBuf, bool)>> {
        let Some(path) = &target.path else { return Some(Vec::new()) };
        if let Some(program) = guard_program_of(path).filter(|_| target.glob) {
            return Some(vec![(program, false)]);
        }
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
        if folder != path && recursive && !is_pattern(&folder.to_string_lossy()) {
            return Some(vec![(folder.to_path_buf(), true)]);
        }
        Some(self.disk.expand(path)?.iter().map(|path| (path.clone(), false)).collect())
    }

    /// What a tilde out of a variable is meant for, where no file has that name; and the home, when `$HOME` is to go
    /// on the word of an assignment before it.
    pub(super) fn meant(&self, target: &Target, path: &Path) -> Option<PathBuf> {
        if path == Path::new(shell::FRESH_HOME) {
            return Some(self.surroundings.home.clone());
        }
        let below = target.text.strip_prefix('~').filter(|_| target.tilde)?;
        (path.symlink_metadata().is_err() && matches!(below.bytes().next(), None | Some(b'/')))
            .then(|| shell::resolve(&self.surroundings.home, below.trim_start_matches('/')))
    }

    /// `git mv a b || mv a b`: what an earlier command of the text has moved away, and none has made anew, is not there
    /// for a second move.
    fn is_moved_already(&self, source: &TouchedPath) -> bool {
        let last = self.touched.iter().rev().find(|earlier| earlier.path == source.path);
        last.is_some_and(|earlier| {
            earlier.to.is_some() && !earlier.only_source && earlier.effect != source.effect
        }) && !source.only_source
    }

    /// What an earlier command of the text has moved to a name is gone when another file gets that name.
    fn replaced_by(&mut self, source: &TouchedPath, end: &Path) {
        if source.only_source {
            return;
        }
        let before = self.moved.remove(end).unwrap_or_default();
        let earlier = before.iter().filter_map(|index| self.touched.get(*index));
        let lost: Vec<TouchedPath> = earlier
            .filter(|earlier| earlier.effect != source.effect && earlier.path != source.path)
            .map(|earlier| TouchedPath {
                role: TargetFate::Gone,
                to: None,
                effect: source.effect,
                ..earlier.clone()
            })
            .collect();
        self.touched.extend(lost);
    }

    pub(crate) fn touched(&self, effect: usize, path: &Path, role: TargetFate, partial: bool) -> TouchedPath {
        let path = match role {
            TargetFate::Gone => self.disk.real_parent(path),
            TargetFate::Written { .. } | TargetFate::Mode => self.disk.real(path),
        };
        let place = self.surroundings.place(&path);
        let name = Project::at(&self.surroundings.root).name_of(&path);
        TouchedPath {
            effect,
            role,
            path,
            name,
            place,
            partial,
            below: false,
            reckoned: false,
            many: false,
            to: None,
            only_source: false,
        }
    }

    /// Whether something of a folder stays, where `rsync --delete` makes it like the sources.
    fn is_left_in(&self, effect: &Effect, sources: &[Target], folder: &Path) -> bool {
        // From nothing, everything goes.
        let is_nothing = |source: &Target| {
            source.path.as_ref().is_some_and(|path| match std::fs::read_dir(path) {
                Ok(mut entries) => entries.next().is_none(),
                Err(_) => !path.exists(),
            })
        };
        let holds_no_repository = |source: &Target| {
            source.path.as_ref().is_some_and(|path| path.is_dir() && !path.join(".git").exists())
        };
        // What goes with the rest is the repository.
        let root = &self.surroundings.root;
        let loses_it = root.starts_with(folder)
            && root.join(".git").exists()
            && effect.spared.is_empty()
            && sources.iter().all(holds_no_repository);
        !loses_it && !sources.iter().all(is_nothing)
    }

    /// Moves and copies: sources, and the files that they replace.
    pub(crate) fn transfer(&mut self, index: usize, effect: &Effect) {
        let Some((destination, sources)) = effect.targets.split_last() else { return };
        let written = TargetFate::Written { append: false };
        let meant =
            |path: &Path| self.disk.real(&self.meant(destination, path).unwrap_or(path.to_path_buf()));
        let Some(to) = destination.path.as_deref().map(meant) else {
            // The sources of a copy stay, and so does the content of what only gets another name in its folder.
            let stay = effect.kind == EffectKind::Copy || is_renamed_in_place(sources, destination);
            return match stay {
                true => self.touch_unnamed(index, effect, destination, written),
                false => self.touch_all(index, effect, sources, written),
            };
        };
        if effect.detail == "rsync --delete" {
            let target = Target { partial: self.is_left_in(effect, sources, &to), ..destination.clone() };
            return self.touch_all(index, effect, std::slice::from_ref(&target), TargetFate::Gone);
        }
        if let Some(ends) = self.each_destination(effect, destination) {
            return ends.iter().for_each(|one| self.transfer(index, one));
        }
        let transfer = self.transfer_to(to, effect, sources, destination);
        for target in each_once(sources) {
            // A pattern's files move one by one.
            let Some(paths) = self.named_paths(target, false) else {
                return self.facts.reaches.push(beyond(index, transfer.role, &target.text));
            };
            for (path, _) in paths {
                if self.touched.len() >= MOST_FILES {
                    return self.facts.reaches.push(beyond(index, transfer.role, &target.text));
                }
                let mut source = self.touched(index, &path, TargetFate::Gone, target.partial);
                source.reckoned = target.reckoned;
                source.role = transfer.role;
                source.only_source = effect.kind == EffectKind::Copy;
                source.to = Some(transfer.end_of(&path));
                if effect.kind == EffectKind::Move {
                    self.hold_guard(&mut source);
                }
                self.transfer_one(&transfer, effect, target, source);
            }
        }
    }

    /// `find … -exec cp x {} \;`: a copy for each file that the destination's pattern names.
    fn each_destination(&self, effect: &Effect, destination: &Target) -> Option<Vec<Effect>> {
        let is_each = effect.kind == EffectKind::Copy
            && effect.targets.len() == 2
            && (destination.glob || destination.below)
            && effect.detail != "unpacking";
        let pattern = destination.path.as_ref().filter(|_| is_each)?;
        let pattern = if destination.glob { pattern.clone() } else { pattern.join("**/*") };
        let files = self.disk.expand(&pattern)?;
        let files: Vec<&PathBuf> = files.iter().filter(|path| path.is_file()).take(MOST_FILES).collect();
        let one = |path: &PathBuf| {
            let end = Target { path: Some(path.clone()), glob: false, below: false, ..destination.clone() };
            let source = effect.targets.first().cloned();
            Effect { targets: source.into_iter().chain([end]).collect(), ..effect.clone() }
        };
        (!files.is_empty()).then(|| files.into_iter().map(one).collect())
    }

    /// Where sources go, and what becomes of them.
    fn transfer_to(
        &self,
        to: PathBuf,
        effect: &Effect,
        sources: &[Target],
        destination: &Target,
    ) -> Transfer {
        // Of several files that get one name the last alone is left.
        let into_one = effect.kind == EffectKind::Move
            && effect.program == "mv"
            && !to.is_dir()
            && sources.iter().filter(|source| source.path.is_some()).count() > 1;
        // `mv a.py sub/` names a folder, also one that isn't there yet.
        let into = to.is_dir() || destination.text.ends_with('/');
        let stays = self.surroundings.place(&to) == Place::Project || self.surroundings.root == to;
        let leaves = effect.kind == EffectKind::Move && !stays;
        let role = if leaves || into_one { TargetFate::Gone } else { TargetFate::Written { append: false } };
        Transfer { to, into, role }
    }

    /// Moves or copies one source, named by `target`.
    fn transfer_one(&mut self, transfer: &Transfer, effect: &Effect, target: &Target, source: TouchedPath) {
        let Some(end) = source.to.clone() else { return };
        // `mv /* /` leaves everything where it is.
        if self.disk.real_parent(&end) == source.path || self.is_moved_already(&source) {
            return;
        }
        self.replaced_by(&source, &end);
        if effect.kind == EffectKind::Copy && effect.recursive {
            let within = target.text.ends_with("/.")
                || (effect.program == "rsync" && target.text.ends_with('/'))
                || !transfer.into;
            self.bring(source.effect, &source.path, if within { &transfer.to } else { &end });
        }
        if !source.only_source {
            self.moved.entry(end.clone()).or_default().push(self.touched.len());
        }
        let replaced = self.touched(source.effect, &end, TargetFate::Written { append: false }, false);
        self.touched.push(source);
        self.touched.push(replaced);
    }
}

/// Whether a name of which a part is not known is one in the folder of all sources.
fn is_renamed_in_place(sources: &[Target], destination: &Target) -> bool {
    let Some((folder, _)) = destination.text.rsplit_once('/') else { return false };
    let is_beside =
        |source: &Target| source.path.as_ref().and_then(|path| path.parent()) == Some(Path::new(folder));
    !sources.is_empty() && sources.iter().all(is_beside)
}
