//! The old tests as they ask for what was renamed or moved.

use crate::languages::{file_name, folder};
use crate::proof::deciding::FileRole;
use crate::proof::inline_tests::with_own_tests;
use crate::proof::stage::ProofStage;
use crate::proof::subject::GoneSubjects;
use crate::proof::work::{ChangedFile, ProvedWork};

/// A file of a copy with what it holds there; nothing for one that is not there.
pub(super) type CopiedFile<'a> = (&'a ChangedFile, Option<Vec<u8>>);

/// The old tests under the new names of what they ask for, and beside it where that has moved to another package.
pub(super) fn renamed<'a>(stage: &'a ProofStage<'a>, subjects: &GoneSubjects) -> Vec<CopiedFile<'a>> {
    let deciding: Vec<_> = stage.changed().filter(|(_, role)| **role != FileRole::Source).collect();
    let with_package = deciding.iter().any(|(changed, _)| {
        is_bound(changed)
            && moved_to(changed, stage.work).is_some_and(|to| folder(&to.path) != folder(&changed.path))
    });
    let mut put: Vec<CopiedFile> = Vec::new();
    for (changed, role) in deciding {
        let to = if changed.new.is_some() { Some(changed) } else { moved_to(changed, stage.work) };
        let (Some(to), Some(old)) = (to, &changed.old) else { continue };
        let text = || {
            let renamed = subjects.renamed(changed.old_text()?, to.new_text()?)?;
            if *role == FileRole::OwnTests { with_own_tests(to.new_text()?, &renamed) } else { Some(renamed) }
        };
        if !with_package || to.path == changed.path {
            put.extend(text().map(|text| (changed, Some(text.into_bytes()))));
            continue;
        }
        let renamed = text().or_else(|| changed.old_text().map(str::to_owned)).filter(|_| is_bound(changed));
        let there = renamed.and_then(|text| of_package(&text, to.new_text()?));
        put.push((to, Some(there.map_or_else(|| old.bytes.clone(), String::into_bytes))));
        put.push((changed, None));
    }
    put
}

/// Whether a test belongs to the package of its folder, so that it asks for what lies beside it without an import.
fn is_bound(changed: &ChangedFile) -> bool {
    [".go", ".java", ".kt", ".scala"].iter().any(|extension| changed.path.ends_with(extension))
}

/// A text with the line of another that says its package.
fn of_package(old: &str, new: &str) -> Option<String> {
    let package = |text: &'_ str| text.lines().find(|line| line.starts_with("package ")).map(str::to_owned);
    Some(old.replacen(&package(old)?, &package(new)?, 1))
}

/// The new file that a file which is gone went to, by its name.
fn moved_to<'w>(gone: &ChangedFile, work: &'w ProvedWork) -> Option<&'w ChangedFile> {
    let name = file_name(&gone.path);
    work.changed.iter().find(|changed| changed.old.is_none() && file_name(&changed.path) == name)
}
