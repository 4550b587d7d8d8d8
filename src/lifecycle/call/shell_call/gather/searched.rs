//! Places outside of the project in which a pattern chooses what is deleted: what fits may be there when the command runs,
//! whatever is there now.

use std::fs;
use std::path::Path;

use crate::detectors::commands::destructive_command::{Place, TargetFate};
use crate::lifecycle::call::shell_call::gather::CallInspection;
use crate::lifecycle::call::shell_call::pattern::above_patterns;
use crate::shell::Target;

impl<'p> CallInspection<'p> {
    /// Notes the folder of a pattern that fits nothing now, where it is not the project's.
    pub(super) fn touch_searched(&mut self, index: usize, target: &Target) {
        let Some(written) = target.path.as_deref().filter(|_| target.glob) else { return };
        let meant = self.meant(target, written);
        let pattern = meant.as_deref().unwrap_or(written);
        let folder = self.disk.real(&above_patterns(pattern));
        let holds_something = fs::read_dir(&folder).is_ok_and(|mut entries| entries.next().is_some());
        if !holds_something || self.surroundings.is_temporary_folder(&folder) {
            return;
        }
        let is_search = pattern.iter().any(|part| part == "**");
        let place = match self.surroundings.place(&folder) {
            // A folder around the project holds others beside it.
            Place::Root if folder != self.surroundings.root && is_search => Place::Outside,
            place @ (Place::Outside | Place::System)
                if is_search || !is_around(&self.surroundings.root, &folder) =>
            {
                place
            }
            _ => return,
        };
        let mut touched = self.touched(index, &folder, TargetFate::Gone, true);
        touched.place = place;
        touched.name = pattern.to_string_lossy().into_owned();
        touched.below = true;
        touched.reckoned = target.reckoned;
        self.touched.push(touched);
    }
}

/// Whether the project is in a folder.
fn is_around(root: &Path, folder: &Path) -> bool {
    root.starts_with(folder)
}
