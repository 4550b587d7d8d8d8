//! What Steadfast itself brought back or took away: no loss, whoever's loop looks at it next. A loss that a person rejected
//! and whose rejection is undone is one again in its own loop.

use std::collections::BTreeSet;
use std::path::PathBuf;

use jiff::Timestamp;

use crate::checkpoint::Error;
use crate::checkpoint::catalogue;
use crate::checkpoint::manifest::Trigger;
use crate::checkpoint::meter::Meter;
use crate::checkpoint::store::Store;
use crate::checkpoint::undo::{self, UndoReport};
use crate::checkpoint::watch::Watch;
use crate::languages;
use crate::lifecycle::changes::file_text::read_text;
use crate::lifecycle::changes::untracked_changes::{is_judged, known, may_hold_tests};
use crate::state::layout::Layout;
use crate::state::loop_state::LoopState;
use crate::state::records::RegressionEvent;
use crate::state::registry::Registry;
use crate::state::test_record::TestRecord;

/// Records these files as they are now in every loop that goes on, by names as in a checkpoint: from here on they are
/// compared with that, so that what was put back is no change, and what is lost anew is one.
pub fn note(layout: &Layout, store: &Store, names: &[PathBuf]) {
    note_but(layout, store, names, None);
}

/// The same after an undo. A rejection that was undone gives back what the checkpoint's loop had lost.
pub fn note_undo(layout: &Layout, store: &Store, report: &UndoReport) {
    let address = format!("{}/{}", report.loop_id, report.checkpoint_id);
    let is_redo =
        catalogue::find(store, &address).is_ok_and(|manifest| manifest.trigger == Trigger::PreRestore);
    note_but(layout, store, &report.touched(), is_redo.then_some(report.loop_id.as_str()));
}

/// Finishes a restore that was cut short, so that what comes next starts from a whole one.
pub fn finish_earlier(store: &Store) -> Result<Option<UndoReport>, Error> {
    match undo::resume(store, Timestamp::now(), &Meter::default()) {
        Ok(report) => {
            note_undo(store.layout(), store, &report);
            Ok(Some(report))
        }
        Err(Error::NothingToContinue) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Records the files in every loop; in `but` without those in which a loss was rejected.
fn note_but(layout: &Layout, store: &Store, names: &[PathBuf], but: Option<&str>) {
    let names = names.iter().filter_map(|name| name.to_str());
    let names: Vec<&str> = names.filter(|name| !name.starts_with('/') && is_judged(name)).collect();
    // A folder's files have names of their own.
    let files = names.into_iter().filter(|name| !store.path(name.as_ref()).is_dir());
    let files: Vec<(&str, u64)> = files.map(|name| (name, tests(store, name))).collect();
    let Some(registry) = Registry::read(layout).ok().filter(|_| !files.is_empty()) else { return };
    for (id, _) in registry.loops.iter().filter(|(_, entry)| !entry.status.is_over()) {
        let Some(mut watch) = Watch::read(layout, id) else { continue };
        let rejected = if but == Some(id) { rejected(layout, id) } else { Default::default() };
        let is_noted = |name: &str| !rejected.contains(name);
        for (name, tests) in files.iter().filter(|(name, _)| is_noted(name)) {
            watch.files.insert((*name).to_owned(), known(store, &store.path(name.as_ref()), *tests));
        }
        // With a record that can't be written the next look goes back to the commit.
        watch.write(layout, id).ok();
        let mut record = TestRecord::read(layout, id);
        record.begin_anew();
        // The same: then the next iteration is compared with more.
        record.write(layout, id).ok();
    }
}

/// The files in which a person rejected a loss.
fn rejected(layout: &Layout, loop_id: &str) -> BTreeSet<String> {
    let events = LoopState::read(layout, loop_id).unwrap_or_default().regression_events;
    let rejected = events.iter().filter(|event| event.is_taken_back());
    rejected.flat_map(RegressionEvent::named_files).map(str::to_owned).collect()
}

fn tests(store: &Store, name: &str) -> u64 {
    if !may_hold_tests(name) {
        return 0;
    }
    let text = read_text(&store.path(name.as_ref()));
    text.and_then(|text| languages::count_tests(name, &text)).unwrap_or_default() as u64
}
