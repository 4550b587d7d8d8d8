//! `registry.json`: the loops of a project and the sessions bound to them.
//!
//! It is the one state file that every call reads, so it stays small: a loop's line holds what a hook must know
//! before it decides anything, and everything else is in that loop's `state.json`.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::layout::Layout;
pub use super::status::Kind;
use super::status::Status;

mod entry;
mod locked;
mod reading;
mod seal;
mod witnessed;

use locked::LockedRegistry;
use reading::{RegistryReading, find};

pub use entry::RegistryEntry;

/// How many explicit loops may run side by side without `--force`.
pub const MAX_RUNNING: usize = 4;
/// A session's own loop without a finding is forgotten after this long.
const IMPLICIT_LIFETIME: SignedDuration = SignedDuration::from_hours(24);
/// One with a finding, once it is over and nothing in it is open.
const FOUND_LIFETIME: SignedDuration = SignedDuration::from_hours(24 * 90);

/// The registry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Registry {
    /// The format's version.
    pub version: String,
    /// Loops by id.
    pub loops: BTreeMap<String, RegistryEntry>,
    /// Session id -> loop id.
    pub sessions: BTreeMap<String, String>,
    /// What newer versions or others wrote.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl Default for Registry {
    fn default() -> Self {
        Registry {
            version: "2.0.0".to_owned(),
            loops: BTreeMap::new(),
            sessions: BTreeMap::new(),
            extra: Map::new(),
        }
    }
}

/// What can be wrong with the registry.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file is not a registry.
    #[error("{path} can't be read as a registry ({reason}); the next change keeps it as registry.json.damaged-{{time}} and finds the loops again in loops/*/state.json", path = path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The parser's words.
        reason: String,
    },
    /// Something else has written the file.
    #[error("CRITICAL: the registry {path} was changed by something other than Steadfast; the loops' own states hold", path = path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The file is from a newer version.
    #[error("{path} has version {version}, this is for 2.x: it is read but not written; update Steadfast", path = path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: String,
    },
    /// The disk said no.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another process holds the lock.
    #[error("{path} is locked by another process; try again", path = path.display())]
    Busy {
        /// The lock file.
        path: PathBuf,
    },
}

impl Registry {
    /// Reads the registry; none is an empty one. A damaged one is an error, and [`Registry::change`] sets it aside.
    pub fn read(layout: &Layout) -> Result<Registry, Error> {
        Ok(find(layout)?.0)
    }

    /// The ids of all loops but one.
    pub fn others(&self, loop_id: &str) -> impl Iterator<Item = &String> {
        self.loops.keys().filter(move |id| id.as_str() != loop_id)
    }

    /// Reads the registry; a damaged one is made again in memory from the loops' own states, and the error handed
    /// over besides. What a session is bound to is then still known. Only [`Registry::mend`] knows for certain.
    pub fn read_or_rebuild(layout: &Layout) -> (Registry, Option<Error>) {
        match RegistryReading::of(layout) {
            Ok(reading) => (reading.registry, reading.damage),
            Err(error) => (Registry::default(), Some(error)),
        }
    }

    /// Changes the registry under its lock: read, change, write atomically.
    pub fn change<T>(
        layout: &Layout,
        wait: Duration,
        change: impl FnOnce(&mut Registry) -> T,
    ) -> Result<T, Error> {
        Registry::mend(layout, wait, change).map(|(result, _)| result)
    }

    /// The same, with what was wrong with the file: under the lock no writer is between two readings.
    pub fn mend<T>(
        layout: &Layout,
        wait: Duration,
        change: impl FnOnce(&mut Registry) -> T,
    ) -> Result<(T, Option<Error>), Error> {
        let mut locked = LockedRegistry::open(layout, wait)?;
        let result = change(&mut locked.registry);
        let damage = locked.damage.take();
        locked.write(layout)?;
        Ok((result, damage))
    }

    /// Puts right what the registry does not say although it is known outside of the project, and names it. `session`
    /// is the one that asks.
    pub fn restore(&mut self, layout: &Layout, session: Option<&str>) -> Vec<String> {
        let Some(witness) = layout.witness() else { return Vec::new() };
        witnessed::restore(&witness, session, &mut self.loops, &mut self.sessions)
    }

    /// Adds the loops that have a state and no line: whoever began them died between the two. Answers whether there are any.
    pub fn take_in_unlisted(&mut self, layout: &Layout) -> bool {
        let folders = std::fs::read_dir(layout.loops()).into_iter().flatten().flatten();
        let is_unlisted =
            |name: std::ffi::OsString| name.to_str().is_some_and(|id| !self.loops.contains_key(id));
        if !folders.map(|folder| folder.file_name()).any(is_unlisted) {
            return false;
        }
        let known = self.loops.len();
        for (id, entry) in reading::rebuilt(layout).loops {
            self.loops.entry(id).or_insert(entry);
        }
        self.loops.len() > known
    }

    /// The loop that a session is bound to, while it is not over. An empty or unknown session has none.
    pub fn of_session(&self, session_id: Option<&str>) -> Option<(&str, &RegistryEntry)> {
        let id = self.sessions.get(session_id?)?;
        let (id, entry) = self.loops.get_key_value(id)?;
        (!entry.status.is_over()).then_some((id.as_str(), entry))
    }

    /// A running loop that no session has claimed yet, oldest first; else one that goes on after a person's decision,
    /// whose session may be there still.
    pub fn unclaimed(&self) -> Option<&str> {
        let is_bound = |id: &String| self.sessions.values().any(|bound| bound == id);
        self.loops
            .iter()
            .filter(|(id, entry)| {
                entry.kind == Kind::Explicit
                    && entry.status == Status::Running
                    && (entry.decided || !is_bound(id))
            })
            .min_by_key(|(id, entry)| (is_bound(id), entry.started_at))
            .map(|(id, _)| id.as_str())
    }

    /// Whether the time of a running loop is over.
    pub fn any_overdue(&self, now: Timestamp) -> bool {
        self.loops.values().any(|entry| entry.is_overdue(now))
    }

    /// How many explicit loops hold a place: those that run or are paused.
    pub fn running(&self) -> usize {
        let holds_a_place = |entry: &&RegistryEntry| {
            entry.kind == Kind::Explicit && !entry.status.is_over() && entry.status != Status::Crashed
        };
        self.loops.values().filter(holds_a_place).count()
    }

    /// Binds a session to a loop, and lets go of the one it had.
    pub fn bind(&mut self, session_id: &str, loop_id: &str) {
        self.sessions.insert(session_id.to_owned(), loop_id.to_owned());
    }

    /// Forgets the bindings of a loop.
    pub fn release(&mut self, loop_id: &str) {
        self.sessions.retain(|_, bound| bound != loop_id);
    }

    /// Takes out the implicit loops that are a day old and found nothing, and those that are over for as long as logs
    /// are kept; returns their ids, so that their directories can go too.
    pub fn prune(&mut self, now: Timestamp) -> Vec<String> {
        let old: Vec<String> = self
            .loops
            .iter()
            .filter(|(_, entry)| {
                let age = now.duration_since(entry.last_active);
                let is_settled = entry.open_regressions == 0 && !entry.gate_open;
                let found_nothing = !entry.has_findings && age > IMPLICIT_LIFETIME;
                let is_past = entry.status.is_over() && age > FOUND_LIFETIME;
                entry.kind == Kind::Implicit && is_settled && (found_nothing || is_past)
            })
            .map(|(id, _)| id.clone())
            .collect();
        for id in &old {
            self.loops.remove(id);
            self.release(id);
        }
        old
    }
}

#[cfg(test)]
mod witnessed_tests;

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::state::atomic::Durability;
    use crate::state::lock::CLI_WAIT;
    use crate::state::loop_state::LoopState;

    fn entry(kind: Kind, status: Status) -> RegistryEntry {
        RegistryEntry { kind, status, ..RegistryEntry::default() }
    }

    #[test]
    fn a_session_finds_its_own_loop_and_no_other() {
        let mut registry = Registry::default();
        registry.loops.insert("a".into(), entry(Kind::Explicit, Status::Running));
        registry.loops.insert("b".into(), entry(Kind::Explicit, Status::Completed));
        registry.bind("s1", "a");
        registry.bind("s2", "b");
        assert_eq!(registry.of_session(Some("s1")).map(|(id, _)| id), Some("a"));
        for other in [None, Some(""), Some("s2"), Some("s3")] {
            assert_eq!(registry.of_session(other), None, "{other:?}");
        }
        assert_eq!(registry.unclaimed(), None);
        registry.release("a");
        assert_eq!(registry.unclaimed(), Some("a"));
    }

    #[test]
    fn sessions_are_forgotten_after_their_time_and_never_with_something_open() {
        let now = Timestamp::from_second(100_000_000).unwrap();
        let ago = |days: i64| now - SignedDuration::from_hours(24 * days);
        let found = |status, days| RegistryEntry {
            has_findings: true,
            last_active: ago(days),
            ..entry(Kind::Implicit, status)
        };
        let rows = [
            ("quiet", RegistryEntry { last_active: ago(2), ..entry(Kind::Implicit, Status::Running) }, true),
            ("young", RegistryEntry { last_active: ago(0), ..entry(Kind::Implicit, Status::Running) }, false),
            ("found", found(Status::Completed, 80), false),
            ("past", found(Status::Completed, 91), true),
            ("runs", found(Status::Running, 91), false),
            ("open", RegistryEntry { open_regressions: 1, ..found(Status::Completed, 91) }, false),
            ("asked", RegistryEntry { gate_open: true, ..found(Status::Completed, 91) }, false),
            (
                "loop",
                RegistryEntry { last_active: ago(900), ..entry(Kind::Explicit, Status::Completed) },
                false,
            ),
        ];
        let mut registry = Registry::default();
        registry.loops.extend(rows.iter().map(|(name, entry, _)| ((*name).to_owned(), entry.clone())));
        let mut pruned = registry.prune(now);
        pruned.sort();
        let mut expected: Vec<&str> = rows.iter().filter(|row| row.2).map(|row| row.0).collect();
        expected.sort_unstable();
        assert_eq!(pruned, expected);
    }

    #[test]
    fn parallel_writers_lose_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let layout = Layout::of_project(dir.path());
        std::thread::scope(|scope| {
            for writer in 0..8 {
                let layout = &layout;
                scope.spawn(move || {
                    for n in 0..10 {
                        Registry::change(layout, CLI_WAIT, |r| r.bind(&format!("{writer}-{n}"), "x"))
                            .unwrap();
                    }
                });
            }
        });
        assert_eq!(Registry::read(&layout).unwrap().sessions.len(), 80);
    }

    #[test]
    fn a_damaged_file_is_set_aside_and_its_loops_found_again() {
        let dir = tempfile::tempdir().unwrap();
        let layout = Layout::of_project(dir.path());
        let mut state = LoopState::new("l1", "task", Timestamp::UNIX_EPOCH);
        state.session_id = Some("s1".into());
        state.status = Status::Running;
        state.write(&layout, Durability::Process).unwrap();
        fs::write(layout.registry(), b"{ half").unwrap();
        assert!(matches!(Registry::read(&layout), Err(Error::Damaged { .. })));
        Registry::change(&layout, CLI_WAIT, |_| ()).unwrap();
        Registry::change(&layout, CLI_WAIT, |r| r.bind("s2", "l1")).unwrap();
        let registry = Registry::read(&layout).unwrap();
        assert_eq!(registry.of_session(Some("s1")).map(|(id, _)| id), Some("l1"));
        let aside = fs::read_dir(layout.root())
            .unwrap()
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let aside: Vec<String> = aside.filter(|name| name.starts_with("registry.json.damaged-")).collect();
        assert_eq!(aside.len(), 1, "{aside:?}");
        assert_eq!(fs::read(layout.root().join(&aside[0])).unwrap(), b"{ half");
    }

    #[test]
    fn a_damaged_file_unbinds_no_session() {
        let dir = tempfile::tempdir().unwrap();
        let layout = Layout::of_project(dir.path());
        let mut state = LoopState::new("l1", "task", Timestamp::UNIX_EPOCH);
        state.session_id = Some("s1".into());
        state.iteration = 4;
        state.write(&layout, Durability::Process).unwrap();
        for text in [
            "",
            "[]",
            "{ half",
            r#"{"loops": 7, "sessions": {"s1": "l1"}}"#,
            r#"{"loops": {"l1": {"status": "unheard-of"}}, "sessions": {"s1": ["l1"], "s2": "l2"}}"#,
            r#"{"version": 2, "loops": {"l1": {"iteration": "four"}}, "sessions": null}"#,
        ] {
            fs::write(layout.registry(), text).unwrap();
            let (registry, _) = Registry::read_or_rebuild(&layout);
            let (id, entry) = registry.of_session(Some("s1")).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((id, entry.iteration, entry.status), ("l1", 4, Status::Running), "{text}");
            Registry::change(&layout, CLI_WAIT, |_| ()).unwrap();
            assert!(Registry::read(&layout).unwrap().of_session(Some("s1")).is_some(), "{text}");
        }
    }

    #[test]
    fn a_newer_file_is_read_and_not_written() {
        let dir = tempfile::tempdir().unwrap();
        let layout = Layout::of_project(dir.path());
        fs::create_dir_all(layout.root()).unwrap();
        let text = r#"{"version":"3.0.0","loops":{"x":{"status":"running"}},"sessions":{"s":"x"}}"#;
        fs::write(layout.registry(), text).unwrap();
        assert!(Registry::read(&layout).unwrap().of_session(Some("s")).is_some());
        let error = Registry::change(&layout, CLI_WAIT, |r| r.release("x")).unwrap_err();
        assert!(matches!(error, Error::Newer { .. }), "{error}");
        assert_eq!(fs::read_to_string(layout.registry()).unwrap(), text);
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_panic_and_none_unbind(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..200)) {
            let dir = tempfile::tempdir().unwrap();
            let layout = Layout::of_project(dir.path());
            let mut state = LoopState::new("l1", "task", Timestamp::UNIX_EPOCH);
            state.session_id = Some("s1".into());
            state.write(&layout, Durability::Process).unwrap();
            fs::write(layout.registry(), &bytes).unwrap();
            let (registry, _) = Registry::read_or_rebuild(&layout);
            proptest::prop_assert!(registry.of_session(Some("s1")).is_some());
        }
    }

    #[test]
    fn foreign_fields_survive() {
        let dir = tempfile::tempdir().unwrap();
        let layout = Layout::of_project(dir.path());
        fs::create_dir_all(layout.root()).unwrap();
        let text =
            r#"{"version":"2.0.0","total_completed":7,"loops":{"x":{"priority":"high"}},"sessions":{}}"#;
        fs::write(layout.registry(), text).unwrap();
        Registry::change(&layout, CLI_WAIT, |r| r.bind("s", "x")).unwrap();
        let registry = Registry::read(&layout).unwrap();
        assert_eq!(registry.extra["total_completed"], 7);
        assert_eq!(registry.loops["x"].extra["priority"], "high");
    }
}
