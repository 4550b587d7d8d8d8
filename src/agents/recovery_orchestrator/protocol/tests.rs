//! The protocol's order, its limits, and what no sequence of events can bring about.

use super::super::diagnosis::{DiagnosisFacts, diagnose};
use super::super::plan::plan;
use super::*;
use proptest::prelude::*;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn adapted() -> RecoveryRecord {
    let mut record = RecoveryRecord::default();
    let diagnosis = diagnose(&DiagnosisFacts { kind: "test_skipping".into(), ..DiagnosisFacts::default() });
    take(&mut record, ProtocolStep::Pause(&["held back".to_owned()]), 3, at(1)).unwrap();
    take(&mut record, ProtocolStep::Diagnose(&diagnosis), 3, at(2)).unwrap();
    take(&mut record, ProtocolStep::Adapt(&plan(diagnosis.id)), 3, at(3)).unwrap();
    record
}

#[test]
fn a_full_cycle_ends_with_the_loss_made_good() {
    let mut record = adapted();
    take(&mut record, ProtocolStep::Retry(4, "one"), 3, at(4)).unwrap();
    take(&mut record, ProtocolStep::RetryFailed, 3, at(5)).unwrap();
    take(&mut record, ProtocolStep::Retry(5, "two"), 3, at(6)).unwrap();
    take(&mut record, ProtocolStep::Mended, 3, at(7)).unwrap();
    assert_eq!(record.outcome, Some(ProtocolOutcome::Success));
    assert_eq!(record.protocol_steps.keys().collect::<Vec<_>>(), ["pause", "diagnose", "adapt", "retry"]);
    let retry = &record.protocol_steps["retry"];
    assert_eq!(retry["attempts"].as_array().unwrap().len(), 2);
    assert_eq!((&retry["outcome"], &retry["retry_iteration"]), (&json!("success"), &json!(5)));
    assert_eq!(tried(&record), ["one", "two"]);
    assert_eq!(record.protocol_steps["adapt"]["changes_made"], json!(["one", "two"]));
    // Every stage and attempt has its time.
    assert!(record.protocol_steps.values().all(|step| step["executed_at"].is_string()));
}

#[test]
fn a_fourth_retry_never_happens() {
    let mut record = adapted();
    for n in 0..3 {
        take(&mut record, ProtocolStep::Retry(n, "again"), 3, at(4)).unwrap();
        take(&mut record, ProtocolStep::RetryFailed, 3, at(4)).unwrap();
    }
    let before = record.clone();
    assert_eq!(
        take(&mut record, ProtocolStep::Retry(9, "again"), 3, at(5)),
        Err(IllegalStep::NoRetryLeft(3))
    );
    assert_eq!(record, before, "a refused step changes nothing");
    take(&mut record, ProtocolStep::Escalate("Retries used up", "panel"), 3, at(6)).unwrap();
    assert_eq!(record.outcome, Some(ProtocolOutcome::Escalated));
    assert_eq!(phase(&record), Phase::Escalated);
    take(&mut record, ProtocolStep::Decided(HumanDecision::Reject, "reject - revert iteration 7"), 3, at(7))
        .unwrap();
    assert_eq!(phase(&record), Phase::Ended);
    assert_eq!(record.protocol_steps["escalate"]["human_decision"], "reject - revert iteration 7");
}

#[test]
fn the_order_of_stages_is_kept() {
    let mut record = RecoveryRecord::default();
    let diagnosis = diagnose(&DiagnosisFacts::default());
    for step in [
        ProtocolStep::Retry(1, "x"),
        ProtocolStep::Diagnose(&diagnosis),
        ProtocolStep::Escalate("x", "x"),
        ProtocolStep::Mended,
    ] {
        assert_eq!(take(&mut record, step, 3, at(1)), Err(IllegalStep::Order(Phase::New)), "{step:?}");
    }
    take(&mut record, ProtocolStep::Pause(&[]), 3, at(1)).unwrap();
    assert_eq!(
        take(&mut record, ProtocolStep::Retry(1, "x"), 3, at(1)),
        Err(IllegalStep::Order(Phase::Paused))
    );
}

proptest! {
    #[test]
    fn no_sequence_breaks_the_protocol(events in proptest::collection::vec(0_u8..8, 0..60), max in 0_u32..5) {
        let diagnosis = diagnose(&DiagnosisFacts { kind: "test_deletion".into(), ..DiagnosisFacts::default() });
        let mut record = RecoveryRecord::default();
        let mut decided = false;
        let mut mended = false;
        for (n, event) in events.iter().enumerate() {
            let before = (phase(&record), record.clone());
            let plan = plan(diagnosis.id);
            let step = match event {
                0 => ProtocolStep::Pause(&[]),
                1 => ProtocolStep::Diagnose(&diagnosis),
                2 => ProtocolStep::Adapt(&plan),
                3 => ProtocolStep::Retry(n as u32, "x"),
                4 => ProtocolStep::RetryFailed,
                5 => ProtocolStep::Escalate("x", "x"),
                6 => ProtocolStep::Mended,
                _ => ProtocolStep::Decided(HumanDecision::Approve, "approve"),
            };
            let done = take(&mut record, step, max, at(n as i64));
            if done.is_err() {
                prop_assert_eq!(&record, &before.1);
            } else {
                decided |= *event == 7;
                mended |= *event == 6;
                prop_assert_ne!(before.0, Phase::Ended);
            }
            let attempts = tried(&record).len();
            prop_assert!(attempts <= max as usize);
            // It ends by a decision or a mend alone.
            prop_assert_eq!(phase(&record) == Phase::Ended, decided || mended);
            let approved = record.protocol_steps.get("escalate").and_then(|e| e.get("human_decision"));
            prop_assert!(approved.is_none_or(Value::is_null) || decided);
        }
    }
}
