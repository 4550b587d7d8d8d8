//! The texts of files after a call, as far as its words decide them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::detectors::commands::destructive_command::{Place, TargetFate};
use crate::lifecycle::call::shell_call::gather::{CallInspection, TouchedPath};
use crate::lifecycle::call::shell_call::listing::TargetListing;
use crate::lifecycle::call::shell_call::pattern::above_patterns;
use crate::lifecycle::call::shell_call::place::real;
use crate::lifecycle::call::shell_call::{UnseenEdit, patch};
use crate::project::Project;
use crate::shell::{ComputedEdit, Effect, EffectKind};

/// How many edits of files that can't be read are judged.
pub(crate) const MOST_UNSEEN: usize = 8;

impl<'p> CallInspection<'p> {
    /// What the text made before a pattern was deleted may have fitted the pattern, which the disk could not say.
    pub(crate) fn forget_what_patterns_took(&mut self, effects: &[Effect]) {
        let mut emptied: BTreeMap<PathBuf, usize> = BTreeMap::new();
        let deletes = effects.iter().enumerate().filter(|(_, effect)| effect.kind == EffectKind::Delete);
        for (index, effect) in deletes {
            for target in effect.targets.iter().filter(|target| target.glob) {
                let Some(path) = &target.path else { continue };
                emptied.insert(self.disk.real(&above_patterns(path)), index);
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

    /// Puts an effect on one path into the picture of the disk.
    pub(crate) fn picture_of(&mut self, touched: &TouchedPath, listing: &TargetListing, effect: &Effect) {
        match (&touched.to, touched.role) {
            // What the same text has made is there by then.
            (Some(to), _) if listing.files.is_empty() && self.picture.knows(&touched.path) => {
                self.takes_its_place(&touched.path, to);
                self.picture.copy(&touched.path, to);
                if effect.kind == EffectKind::Move {
                    self.picture.delete(&touched.path);
                }
            }
            (Some(to), _) => self.picture_of_moved(&touched.path, to, listing, effect),
            (None, TargetFate::Gone) if !touched.partial => {
                listing.files.iter().for_each(|file| self.picture.delete(file));
                // What the same text put there before goes with it.
                self.picture.delete_below(&touched.path);
            }
            (None, TargetFate::Written { .. }) if touched.below && touched.path.is_dir() => {
                for file in &listing.files {
                    self.write(file, effect);
                }
            }
            (None, TargetFate::Written { .. })
                if !matches!(effect.kind, EffectKind::Move | EffectKind::Copy) =>
            {
                self.write(&touched.path, effect);
            }
            _ => {}
        }
    }

    /// Puts the files of a path where they go.
    fn picture_of_moved(&mut self, path: &Path, to: &Path, listing: &TargetListing, effect: &Effect) {
        for file in &listing.files {
            let below = file.strip_prefix(path).unwrap_or(Path::new(""));
            let end = if below.as_os_str().is_empty() { to.to_path_buf() } else { to.join(below) };
            self.takes_its_place(file, &end);
            match effect.program.as_str() {
                // A link is not its file's text.
                "ln" if file == Path::new("/dev/null") => self.picture.write(&end, Some(""), false),
                "ln" => self.picture.write(&end, None, false),
                _ => self.picture.copy(file, &end),
            }
            if effect.kind == EffectKind::Move {
                self.picture.delete(file);
            }
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
                    self.unseen(path, &ComputedEdit::append(content));
                }
                self.picture.write(path, effect.content.as_deref(), effect.append);
            }
        }
    }

    /// Writes what is printed of other files.
    fn write_printed(&mut self, path: &Path, effect: &Effect, edit: &ComputedEdit) {
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

    fn unseen(&mut self, path: &Path, edit: &ComputedEdit) {
        // A copy in a temporary folder is nobody's test.
        if self.surroundings.place(path) == Place::Temporary {
            return;
        }
        let name = Project::at(&self.surroundings.root).name_of(path);
        if self.unseen.len() < MOST_UNSEEN {
            self.unseen.push(UnseenEdit { path: name, edit: edit.clone() });
        }
    }

    /// A patch: the files that it changes, with their new text where every hunk fits.
    pub(crate) fn patch(&mut self, effect: &Effect) {
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
}
