//! Logs that are appended to, rotated, cut and damaged.

use std::fs::OpenOptions;

use jiff::Timestamp;
use serde_json::{Map, Value};

use super::line::{LONGEST, sequence};
use super::verification::verify;
use super::*;

pub(super) const CURRENT: &str = "hook-log.jsonl";

pub(super) fn log_at(path: &Path) -> HookLog {
    HookLog { path: path.to_owned(), retention_days: RETENTION_DAYS, witness: None }
}

pub(super) fn line(name: &str) -> Line {
    Line {
        timestamp: Timestamp::UNIX_EPOCH,
        hook_name: name.into(),
        host: None,
        loop_id: "l".into(),
        iteration: 1,
        agents_invoked: vec![],
        outcomes: vec![Value::from("pass")],
        state_changes: Map::new(),
        duration_ms: 1,
        seq: 0,
        prev_hash: String::new(),
    }
}

fn read(path: &Path) -> Vec<(Vec<u8>, Line)> {
    let text = std::fs::read(path).unwrap();
    text.split(|b| *b == b'\n')
        .filter(|l| !l.is_empty())
        .map(|l| (l.to_vec(), serde_json::from_slice(l).unwrap()))
        .collect()
}

#[test]
fn lines_of_parallel_writers_form_one_chain() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hook-log.jsonl");
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let path = &path;
            scope.spawn(move || {
                (0..10).for_each(|n| append(&log_at(path), line(&format!("{writer}-{n}"))).unwrap())
            });
        }
    });
    let lines = read(&path);
    assert_eq!(lines.len(), 80);
    let mut previous = String::new();
    for (n, (bytes, line)) in lines.iter().enumerate() {
        assert_eq!((line.seq, &line.prev_hash), (n as u64 + 1, &previous));
        previous = hash(bytes);
    }
}

#[test]
fn a_log_that_was_cut_with_its_head_is_found_after_any_number_of_further_lines() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(CURRENT);
    let log = HookLog { witness: Some(dir.path().join("outside.head")), ..log_at(&path) };
    let faults = |log: &HookLog| verify_log(log).unwrap().faults.len();
    append(&log, line("loop_start")).unwrap();
    (0..9).for_each(|_| append(&log, line("x")).unwrap());
    assert_eq!((faults(&log), changed_by_others(&log)), (0, None));
    let text = std::fs::read_to_string(&path).unwrap();
    for (kept, further) in [(5, 0), (5, 1), (5, 40), (0, 0), (0, 1), (0, 40)] {
        let lines: String = text.split_inclusive('\n').take(kept).collect();
        std::fs::write(&path, lines).unwrap();
        std::fs::remove_file(path.with_extension("head")).ok();
        assert!(changed_by_others(&log).is_some(), "{kept} {further}");
        (0..further).for_each(|_| append(&log, line("y")).unwrap());
        assert_eq!(faults(&log), 1, "{kept} {further}");
        assert_eq!(faults(&log_at(&path)), usize::from(further > 0), "{kept} {further}: without the witness");
    }
    // Another loop of the same name begins where the first one's folder was removed.
    std::fs::remove_file(&path).unwrap();
    std::fs::remove_file(path.with_extension("head")).ok();
    append(&log, line("loop_start")).unwrap();
    append(&log, line("z")).unwrap();
    assert_eq!((faults(&log), changed_by_others(&log)), (0, None));
}

#[test]
fn half_a_line_from_a_crash_spoils_no_other() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hook-log.jsonl");
    append(&log_at(&path), line("a")).unwrap();
    OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"timesta").unwrap();
    append(&log_at(&path), line("b")).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let last: Line = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!((last.hook_name.as_str(), last.seq), ("b", 2));
    assert_eq!(last.prev_hash, hash(b"{\"timesta"));
}

#[test]
fn the_chain_runs_on_through_rotation_and_over_a_crash_in_between() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hook-log.jsonl");
    for n in 0..20 {
        append_rotating(&log_at(&path), line(&n.to_string()), 1000).unwrap();
        if n == 10 {
            // Killed after the rename and before the new file's first line.
            let first =
                sequence(std::fs::read(&path).unwrap().split(|b| *b == b'\n').next().unwrap()).unwrap();
            std::fs::rename(&path, dir.path().join(format!("hook-log.{first}.jsonl"))).unwrap();
        }
    }
    assert!(std::fs::read_dir(dir.path()).unwrap().count() > 6);
    let names: Vec<String> =
        super::read(&path, Filter::default()).unwrap().map(|line| line.unwrap().hook_name).collect();
    assert_eq!(names, (0..20).map(|n| n.to_string()).collect::<Vec<_>>());
    let report = verify(&path).unwrap();
    assert_eq!((report.faults.as_slice(), report.lines), ([].as_slice(), 20), "{report:?}");
}

#[test]
fn an_overlong_line_is_cut_and_the_chain_holds_after_a_foreign_one() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hook-log.jsonl");
    let mut long = line("long");
    long.outcomes = vec![Value::from("ü".repeat(100_000)); 30];
    long.state_changes.insert("field".into(), Value::from(vec!["x".repeat(1000); 1000]));
    append(&log_at(&path), long).unwrap();
    assert!(std::fs::metadata(&path).unwrap().len() < LONGEST as u64);
    append(&log_at(&path), line("b")).unwrap();
    let foreign = format!("{{\"note\":\"{}\"}}\n", "y".repeat(100_000));
    OpenOptions::new().append(true).open(&path).unwrap().write_all(foreign.as_bytes()).unwrap();
    append(&log_at(&path), line("c")).unwrap();
    let text = std::fs::read(&path).unwrap();
    let lines: Vec<&[u8]> = text.split(|b| *b == b'\n').collect();
    let last: Line = serde_json::from_slice(lines[3]).unwrap();
    assert_eq!((last.seq, last.prev_hash), (3, hash(lines[2])));
}

#[test]
fn a_line_is_compact_json_with_the_documents_fields() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hook-log.jsonl");
    append(&log_at(&path), line("pre_tool_call")).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let value: Value = serde_json::from_str(&text).unwrap();
    let keys: Vec<&String> = value.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "timestamp",
            "hook_name",
            "loop_id",
            "iteration",
            "agents_invoked",
            "outcomes",
            "state_changes",
            "duration_ms",
            "seq",
            "prev_hash"
        ]
    );
    assert_eq!(text, format!("{value}\n"));
    assert!(value["duration_ms"].is_u64());
}
