//! What calls the guard and how it is set, as it was when a session's loop began: the client's settings, and `aiwg.yml`.
//!
//! A change that no call named, and that makes the guard see less, is told at the next hook and in the next session.
//! What `aiwg.yml` said at the beginning holds until the session ends: a script can write the file as well as a person.
//! The record lies outside of the project. A hook at which nothing has changed pays one small file and a stat for each.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::config;
use crate::config::Config;
use crate::detectors;
use crate::detectors::is_known;
use crate::hosts::installation::SettingsPlace;
use crate::hosts::registry;
use crate::lifecycle::context::alarm;
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::finding::{Change, Severity};
use crate::state::atomic::{self, Durability};
use crate::state::layout::Layout;
use crate::state::own_file;
use crate::state::registry::Registry;
use crate::text::disarming as text;

/// The longest file that is compared, in bytes.
const LONGEST: u64 = 1 << 20;

/// One file, as it holds for the session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct SettingsInForce {
    path: PathBuf,
    /// How it looked when it was last compared.
    seen: Option<SettingsStamp>,
    /// What was told of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    told: Option<String>,
    /// Whether the session goes by what it held before, because what is there now is weaker.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    weaker: bool,
}

/// What a stat says of a file: a change that puts the old times back changes the last of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct SettingsStamp(u64, u64, i64, i64);

impl SettingsStamp {
    fn of(path: &Path) -> Option<SettingsStamp> {
        let found = fs::metadata(path).ok()?;
        Some(SettingsStamp(
            found.ino(),
            found.len(),
            found.mtime(),
            found.ctime() * 1_000_000_000 + found.ctime_nsec(),
        ))
    }
}

/// Compares what is there with what holds, and takes note of what a session begins with.
pub(crate) fn keep(context: &mut HookContext) {
    let Some(id) = context.bound.as_ref().map(|bound| bound.id.clone()) else { return };
    let Some(place) = context.layout.in_force(&id) else { return };
    let begins = context.event.kind.begins_session();
    let known: Option<Vec<SettingsInForce>> =
        own_file::read(&place).ok().and_then(|it| serde_json::from_slice(&it).ok());
    let Some(known) = known else { return begin(context, &id) };
    let now = || known.iter().map(|held| SettingsStamp::of(&held.path));
    let is_same = now().zip(&known).all(|(now, held)| now == held.seen && !held.weaker);
    if !is_same {
        compare(context, &place, known);
    }
    if begins {
        // It has been told, and a session goes by what it begins with.
        begin(context, &id);
    }
}

/// Notes what holds for a loop from now on.
pub(crate) fn begin(context: &HookContext, loop_id: &str) {
    let Some(place) = context.layout.in_force(loop_id) else { return };
    let held: Vec<SettingsInForce> = files(context)
        .into_iter()
        .map(|path| SettingsInForce { seen: SettingsStamp::of(&path), path, told: None, weaker: false })
        .collect();
    let texts: Vec<Option<String>> = held.iter().map(|held| text_of(&held.path)).collect();
    write(&texts_of(&place), &texts);
    write(&place, &held);
}

/// A person has changed `aiwg.yml` at a terminal: what it says now holds for the sessions that go on, too, and is no
/// change behind their backs.
pub(crate) fn accept(layout: &Layout, project: &Path) {
    let file = project.join(config::FILE);
    let Ok(registry) = Registry::read(layout) else { return };
    let going_on = registry.loops.iter().filter(|(_, entry)| !entry.status.is_over());
    for place in going_on.filter_map(|(id, _)| layout.in_force(id)) {
        let held: Option<Vec<SettingsInForce>> =
            own_file::read(&place).ok().and_then(|it| serde_json::from_slice(&it).ok());
        let texts: Option<Vec<Option<String>>> =
            own_file::read(&texts_of(&place)).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let (Some(mut held), Some(mut texts)) = (held, texts) else { continue };
        for (held, text) in held.iter_mut().zip(texts.iter_mut()).filter(|(held, _)| held.path == file) {
            *text = text_of(&file);
            *held = SettingsInForce {
                path: file.clone(),
                seen: SettingsStamp::of(&file),
                told: None,
                weaker: false,
            };
        }
        write(&texts_of(&place), &texts);
        write(&place, &held);
    }
}

/// The files that say whether and how the guard is called.
fn files(context: &HookContext) -> Vec<PathBuf> {
    let root = context.project.root();
    let home = context.env.home.as_deref();
    let own = (context.env.vars)("CLAUDE_CONFIG_DIR").map(PathBuf::from);
    let own = own.or_else(|| home.map(|home| home.join(".claude")));
    let in_project = [config::FILE, ".claude/settings.local.json", ".claude/settings.json"];
    let of_user = ["settings.json", "settings.local.json", "plugins/installed_plugins.json"];
    let mut files: Vec<PathBuf> = in_project.iter().map(|name| root.join(name)).collect();
    // A client that was started in a sub-folder reads that folder's settings.
    let start = context.event.project_dir.as_deref().filter(|start| *start != root);
    files.extend(start.iter().flat_map(|start| in_project[1..].iter().map(|name| start.join(name))));
    files.extend(own.iter().flat_map(|own| of_user.iter().map(|name| own.join(name))));
    files.extend(of_other_host(context));
    files
}

/// The files in which the session's own host registers the hook, where that is another one than Claude Code.
fn of_other_host(context: &HookContext) -> Vec<PathBuf> {
    let host = context.event.other_host().and_then(registry::named);
    let Some(installation) = host.and_then(|host| host.installation()) else { return Vec::new() };
    let of = |place: &SettingsPlace| {
        let variable = |name: &str| (context.env.vars)(name).map(Into::into);
        let folder = place.folder_in(context.project.root(), context.env.home.as_deref(), variable)?;
        Some(installation.names_in(place).into_iter().map(move |name| folder.join(name)))
    };
    installation.places.iter().filter_map(of).flatten().collect()
}

fn texts_of(place: &Path) -> PathBuf {
    place.with_extension("texts.json")
}

fn text_of(path: &Path) -> Option<String> {
    let bytes = own_file::read_within(path, LONGEST).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// What can't be written is compared with nothing: no reason to fail here.
fn write<T: Serialize>(path: &Path, value: &T) {
    if let Ok(bytes) = serde_json::to_vec(value) {
        atomic::write(path, &bytes, Durability::Process).ok();
    }
}

fn compare(context: &mut HookContext, place: &Path, before: Vec<SettingsInForce>) {
    let texts: Option<Vec<Option<String>>> =
        own_file::read(&texts_of(place)).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let mut texts = texts.unwrap_or_default();
    texts.resize(before.len(), None);
    let old_texts = texts.clone();
    let mut held = before.clone();
    for (held, text) in held.iter_mut().zip(texts.iter_mut()) {
        let stamp = SettingsStamp::of(&held.path);
        if stamp != held.seen {
            look(context, held, text);
            held.seen = stamp;
        }
        if held.weaker && held.path.ends_with(config::FILE) {
            let bytes = text.as_deref().unwrap_or_default().as_bytes();
            context.config = Config::parse(bytes).of_known(is_known).config;
        }
    }
    if texts != old_texts {
        write(&texts_of(place), &texts);
    }
    if held != before {
        write(place, &held);
    }
}

/// Judges one file that looks different: what it holds now against what holds for the session.
fn look(context: &mut HookContext, held: &mut SettingsInForce, text: &mut Option<String>) {
    let now = text_of(&held.path);
    let path = context.relative(&held.path);
    let change = Change { path: path.clone(), before: text.clone(), after: now.clone() };
    let weakening = detectors::weakening_of(&change);
    held.weaker = weakening.is_some();
    let Some((severity, what)) = weakening else {
        held.told = None;
        *text = now;
        return;
    };
    if held.told.as_ref() == Some(&what) {
        return;
    }
    held.told = Some(what.clone());
    let is_ours = held.path.ends_with(config::FILE);
    // Permissions and figures are a person's to change at any time; that the guard is called is not changed by the way.
    if severity == Severity::Critical || (is_ours && severity >= Severity::High) {
        alarm::raise(context, &path, &text::weakened(&path, &what, is_ours));
    } else {
        context.told.push(text::loosened(&path, &what));
    }
}
