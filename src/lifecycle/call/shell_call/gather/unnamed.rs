//! Targets of which the words do not say which path they name.

use std::path::{Path, PathBuf};

use crate::detectors::commands::destructive_command::{Place, TargetFate};
use crate::lifecycle::call::shell_call::UnseenEdit;
use crate::lifecycle::call::shell_call::gather::texts::MOST_UNSEEN;
use crate::lifecycle::call::shell_call::gather::{CallInspection, TouchedPath};
use crate::shell::{Effect, Target};

impl<'p> CallInspection<'p> {
    /// Notes a target that names no path which is known beforehand.
    pub(super) fn touch_unnamed(&mut self, index: usize, effect: &Effect, target: &Target, role: TargetFate) {
        if let (Some(edit), true) = (&effect.edit, self.unseen.len() < MOST_UNSEEN) {
            self.unseen.push(UnseenEdit { path: target.text.clone(), edit: edit.clone() });
        }
        // `rm -rf "$HOME/$NAME"`: where nothing is set, it is the home itself.
        let home = self.surroundings.home.to_string_lossy().into_owned();
        let behind = target.text.strip_prefix(&home).unwrap_or_default().trim_end_matches("/*");
        if role == TargetFate::Gone && effect.recursive && behind.trim_end_matches('/') == "/…" {
            let home = self.touched(index, Path::new(&home), role, false);
            return self.touched.push(home);
        }
        if let Some(folder) = self.holds_one_of_its_files(target, role) {
            let mut one = self.touched(index, &folder, role, true);
            (one.below, one.reckoned, one.name) = (true, true, target.text.clone());
            return self.touched.push(one);
        }
        self.touched.push(TouchedPath {
            effect: index,
            role,
            path: PathBuf::new(),
            name: target.text.clone(),
            place: Place::Unknown,
            partial: true,
            below: false,
            reckoned: target.reckoned,
            many: false,
            to: None,
            only_source: false,
        });
    }

    /// `ls ~/notes | while read f; do rm ~/notes/"$f"; done`: the folder outside of the project of which a file goes,
    /// whatever its name.
    fn holds_one_of_its_files(&self, target: &Target, role: TargetFate) -> Option<PathBuf> {
        let (folder, name) = target.text.rsplit_once('/')?;
        let folder = Path::new(folder);
        let is_meant = role == TargetFate::Gone && name.starts_with('…') && folder.is_absolute();
        (is_meant
            && folder.is_dir()
            && matches!(self.surroundings.place(folder), Place::Outside | Place::System))
        .then(|| folder.to_path_buf())
    }
}
