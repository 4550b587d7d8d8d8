//! What is in every path that a call touches: its files, how many git tracks, and which of them must be kept.

use std::fs::{self, Metadata};
use std::io;
use std::path::Path;

use crate::detectors::commands::destructive_command::{GitLoss, Place, TargetFate, TargetReach};
use crate::languages::Language;
use crate::lifecycle::call::shell_call::gather::brought::is_same;
use crate::lifecycle::call::shell_call::gather::{CallInspection, TouchedPath};
use crate::lifecycle::call::shell_call::listing::TargetListing;
use crate::lifecycle::call::shell_call::losses;
use crate::lifecycle::call::shell_call::names::{is_left_by_tools, is_on_a_drive, is_output_name};
use crate::shell::{Effect, EffectKind, Target};

/// Endings of files with source text of no language that is read, for the question whether a folder holds sources.
const OTHER_SOURCES: &[&str] = &["vue", "svelte", "lua", "zig", "sql", "sh"];

/// Larger files are not compared, in bytes.
const COMPARED: u64 = 1 << 20;

/// Larger leftovers of tools are not kept, in bytes.
const SMALL: u64 = 1 << 20;

pub(crate) fn is_source(path: &Path) -> bool {
    let known = |ending: &str| Language::of_extension(ending).is_some() || OTHER_SOURCES.contains(&ending);
    path.extension().and_then(|ending| ending.to_str()).is_some_and(known)
}

/// Whether a look was refused: with other rights than the guard's a command finds what is there.
fn is_refused(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
}

impl<'p> CallInspection<'p> {
    /// Lists what is in every touched path, keeps it, and notes the facts.
    pub(crate) fn list(&mut self, effects: &[Effect]) {
        for touched in self.touched.clone() {
            let Some(effect) = effects.get(touched.effect) else { continue };
            let looked = touched.path.symlink_metadata();
            let directory = looked.as_ref().is_ok_and(|metadata| metadata.is_dir());
            let gone = touched.role == TargetFate::Gone;
            // Without -r a folder stays, and rmdir takes only empty ones. Who names the guard's program means it.
            let stays = gone && directory && !effect.recursive && !touched.below;
            if stays && touched.place != Place::GuardProgram {
                continue;
            }
            let place = self.settled(&touched);
            let listing = self.listing(&touched, place, effect);
            let (tracked, sources) = self.counted(&touched.path, &listing);
            if gone && directory {
                self.nested_repository(&touched, effect);
            }
            // What the text puts back is kept, and nobody loses it.
            if effect.comes_back && place == Place::Project {
                continue;
            }
            self.picture_of(&touched, &listing, effect);
            if touched.only_source {
                continue;
            }
            let is_hidden = looked.as_ref().is_err_and(is_refused);
            self.facts.reaches.push(TargetReach {
                effect: touched.effect,
                name: touched.name.clone(),
                place,
                role: touched.role,
                exists: (looked.is_ok() && !(gone && directory && is_empty(&touched.path)))
                    || (place == Place::System && is_on_a_drive(&touched.path))
                    || is_hidden,
                held: touched.path.parent().is_none_or(Path::exists),
                directory,
                tracked,
                sources,
                top_level: touched.path.parent() == Some(self.surroundings.root.as_path()),
                too_much: listing.too_much,
                partial: touched.partial,
                restorable: self.restorable(&touched, place, (effect, effects)),
                only_here: false,
                protected: self.is_protected(&touched, &listing),
                reckoned: touched.reckoned || effect.reckoned,
            });
        }
    }

    /// How many files of a path git tracks, and how many of those, or of all where it can't tell, are sources.
    fn counted(&self, path: &Path, listing: &TargetListing) -> (Option<usize>, usize) {
        let tracked = self.tracked.under(path);
        let files = tracked.unwrap_or(&listing.files);
        (tracked.map(<[_]>::len), files.iter().filter(|file| is_source(file)).count())
    }

    /// A folder with a repository of its own takes along what only that holds.
    fn nested_repository(&mut self, touched: &TouchedPath, effect: &Effect) {
        let known =
            matches!(touched.place, Place::Project | Place::Output) && effect.kind == EffectKind::Delete;
        if known && touched.path.join(".git").symlink_metadata().is_ok() {
            let losses = losses::of_repository(&touched.path, self.project);
            self.facts.losses.extend(losses.map(|loss| GitLoss { effect: touched.effect, ..loss }));
        }
    }

    /// Whether what a writer takes from a file outside, or a move or copy from one inside, is elsewhere too. A folder that
    /// is written into is told from another project.
    fn restorable(
        &self,
        touched: &TouchedPath,
        place: Place,
        (effect, effects): (&Effect, &[Effect]),
    ) -> bool {
        let replaces = place == Place::Project && matches!(effect.kind, EffectKind::Move | EffectKind::Copy);
        if !(replaces || place == Place::Outside) || !matches!(touched.role, TargetFate::Written { .. }) {
            return false;
        }
        let path = &touched.path;
        if replaces && (touched.to.is_some() || !path.is_file()) {
            return true;
        }
        // What the same text makes of the file first is an edit in two steps, and judged as one. Anything else takes the
        // place of work that is nowhere else.
        if replaces && !comes_from_the_disk(effect) {
            return is_made_of(path, effect, effects) || !self.holds_work(touched, effect);
        }
        if path.is_dir() {
            return !touched.below && !path.join(".git").exists();
        }
        let is_own = path.starts_with(self.surroundings.home.join(".claude"));
        let is_empty = path.metadata().is_ok_and(|found| found.len() == 0);
        let is_made = path.file_name().is_some_and(|name| is_output_name(Path::new(name)));
        is_own || is_empty || is_made || brings_the_same(effect, path) || losses::is_as_committed(path)
    }

    /// Whether a path is protected, or a folder that holds one that is.
    fn is_protected(&self, touched: &TouchedPath, listing: &TargetListing) -> bool {
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
    fn settled(&self, touched: &TouchedPath) -> Place {
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

    /// Whether a path is a file that tools leave beside the work, of a size at which nobody notices that it is kept.
    fn is_small_leftover(&self, touched: &TouchedPath) -> bool {
        let inside = touched.path.strip_prefix(&self.surroundings.root);
        let is_small = |file: Metadata| file.is_file() && file.len() <= SMALL;
        inside.is_ok_and(is_left_by_tools) && touched.path.symlink_metadata().is_ok_and(is_small)
    }

    fn listing(&mut self, touched: &TouchedPath, place: Place, effect: &Effect) -> TargetListing {
        let is_leftover = || touched.place == Place::Project && self.is_small_leftover(touched);
        let is_kept = place == Place::Project || place == Place::Output && is_leftover();
        let keeps = is_kept && touched.role != TargetFate::Mode && !touched.only_source;
        let reads = touched.only_source && !touched.path.is_dir();
        if reads {
            return TargetListing { files: vec![touched.path.clone()], too_much: false };
        }
        let writes_folder = matches!(touched.role, TargetFate::Written { .. })
            && touched.to.is_none()
            && !touched.below
            && touched.path.is_dir();
        if !keeps || writes_folder || effect.detail == "git rm --cached" {
            return TargetListing::default();
        }
        let tracked = std::mem::take(&mut self.tracked);
        let listing = self.kept.list(&touched.path, |path| tracked.holds(path));
        self.tracked = tracked;
        listing
    }
}

/// Whether an earlier command has made what an effect brings from the file itself: `sed … F > x && mv x F`.
fn is_made_of(path: &Path, effect: &Effect, effects: &[Effect]) -> bool {
    let Some(name) = path.file_name().map(|name| name.to_string_lossy().into_owned()) else { return false };
    let brought: Vec<&Path> = sources(effect).iter().filter_map(|source| source.path.as_deref()).collect();
    let makes = |other: &&Effect| {
        other.command < effect.command
            && other.kind != EffectKind::Delete
            && other
                .targets
                .iter()
                .any(|target| target.path.as_deref().is_some_and(|it| brought.contains(&it)))
    };
    effects.iter().filter(makes).any(|other| other.line_text.contains(&name))
}

/// Whether all that an effect brings is there before the text runs.
fn comes_from_the_disk(effect: &Effect) -> bool {
    sources(effect).iter().all(|source| source.glob || source.path.as_ref().is_none_or(|path| path.exists()))
}

/// What an effect brings; the last of its targets is where it goes.
fn sources(effect: &Effect) -> &[Target] {
    effect.targets.split_last().map_or(&[][..], |(_, sources)| sources)
}

/// Whether a file gets the bytes that it has already, from one of the effect's other files.
fn brings_the_same(effect: &Effect, path: &Path) -> bool {
    if !path.metadata().is_ok_and(|found| found.len() <= COMPARED) {
        return false;
    }
    let mut others = sources(effect).iter().filter_map(|target| target.path.as_deref());
    others.any(|other| other != path && is_same(other, path))
}
