//! Files that the words delete one by one, and whose changes no commit has: they are lost like those that `git restore`
//! takes back.

use std::path::PathBuf;

use crate::detectors::commands::destructive_command::{GitLoss, Place, TargetFate};
use crate::lifecycle::call::shell_call::gather::{CallInspection, TouchedPath};
use crate::lifecycle::call::shell_call::losses;
use crate::project::{Dirty, Project};
use crate::shell::{Effect, EffectKind};

impl<'p> CallInspection<'p> {
    /// Notes which of the files that are deleted by their names hold changes that are in no commit.
    pub(super) fn lose_uncommitted(&mut self, effects: &[Effect]) {
        let deleted: Vec<TouchedPath> =
            self.touched.iter().filter(|touched| is_deleted_by_name(touched, effects)).cloned().collect();
        let gone: Vec<&TouchedPath> = deleted.iter().filter(|it| !self.picture.knows(&it.path)).collect();
        if gone.is_empty() {
            return;
        }
        let paths: Vec<PathBuf> = gone.iter().map(|touched| touched.path.clone()).collect();
        let git = Project::at(&self.surroundings.root).git();
        // A stat says of most files that they are as git saw them, and git is asked about none of these.
        let suspects = git.may_differ(&paths).unwrap_or(paths);
        if suspects.is_empty() {
            return;
        }
        let dirty = git.status(&suspects, false).unwrap_or_default();
        for (index, effect) in effects.iter().enumerate() {
            let own = |dirty: &&Dirty| gone.iter().any(|it| it.effect == index && it.path == dirty.path);
            let own: Vec<Dirty> = dirty.iter().filter(own).cloned().collect();
            let loss = losses::deleted(effect, own, self.project);
            self.facts.losses.extend(loss.map(|loss| GitLoss { effect: index, ..loss }));
        }
    }
}

fn is_deleted_by_name(touched: &TouchedPath, effects: &[Effect]) -> bool {
    let Some(effect) = effects.get(touched.effect) else { return false };
    let deletes = match effect.kind {
        EffectKind::Delete => true,
        // Without force git takes no file that differs.
        EffectKind::GitRemove => effect.forced && effect.detail == "git rm",
        _ => false,
    };
    deletes
        && touched.role == TargetFate::Gone
        && touched.place == Place::Project
        && !(touched.partial || touched.many || touched.below || touched.reckoned)
        && touched.to.is_none()
        && !effect.comes_back
        && touched.path.is_file()
}
