//! Random sequences of real events through the real executables, with two loops in one project: rejections, undos, kills,
//! moves in git, `/clear`, hooks side by side, edits by a person, aborts and deadlines. After every step the invariants
//! of `invariants.rs` hold.
//!
//! A run has a number, and the same number gives the same steps. `STEADFAST_SEQUENCES=5000` runs so many, from
//! `STEADFAST_FIRST` on (0 when not set); the ordinary run has a few dozen. Steps that once led to a fault stand in
//! `kept.rs`.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod invariants;
mod kept;
mod steps;
mod world;

#[path = "../state/own_files.rs"]
mod own_files;
#[path = "../state/place.rs"]
#[expect(dead_code, reason = "shared with the tests of the state")]
mod place;
#[path = "../gate/terminal.rs"]
#[expect(dead_code, reason = "shared with the tests of the gate")]
mod terminal;

use std::panic::{AssertUnwindSafe, catch_unwind};

use steps::{Step, of_seed};
use world::World;

/// How many sequences an ordinary run has.
const ORDINARY: u64 = 30;
/// How many times a failing sequence is tried with a step left out.
const SHORTENINGS: usize = 60;

/// Takes the steps one by one; the first fault, in words.
fn play(steps: &[Step]) -> Result<(), String> {
    let run = || {
        let mut world = World::new();
        for (number, step) in steps.iter().enumerate() {
            world.take(step).map_err(|fault| format!("step {number}, {step:?}: {fault}"))?;
        }
        world.end()
    };
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<String>().cloned();
        Err(words.or(panic.downcast_ref::<&str>().map(|it| (*it).to_owned())).unwrap_or_default())
    })
}

/// The steps without those that the fault does not need.
fn shortened(steps: &[Step], fault: String) -> (Vec<Step>, String) {
    let (mut steps, mut fault) = (steps.to_vec(), fault);
    let (mut at, mut tries) = (0, 0);
    while at < steps.len() && tries < SHORTENINGS {
        let mut fewer = steps.clone();
        fewer.remove(at);
        tries += 1;
        match play(&fewer) {
            Err(same) => (steps, fault) = (fewer, same),
            Ok(()) => at += 1,
        }
    }
    (steps, fault)
}

#[test]
fn no_sequence_of_events_breaks_an_invariant() {
    let number = |name| std::env::var(name).ok().and_then(|text: String| text.parse().ok());
    let first = number("STEADFAST_FIRST").unwrap_or(0);
    let goes_on = number("STEADFAST_SEQUENCES");
    let mut faults = 0;
    for seed in first..first + goes_on.unwrap_or(ORDINARY) {
        let steps = of_seed(seed);
        if let Err(fault) = play(&steps) {
            let (steps, fault) = shortened(&steps, fault);
            let told = format!("sequence {seed}: {fault}\n{steps:#?}");
            // A long run tells all that it finds.
            assert!(goes_on.is_some(), "{told}");
            println!("{told}");
            faults += 1;
        }
        if goes_on.is_some() && (seed + 1) % 50 == 0 {
            println!("{} sequences, {faults} faults", seed + 1 - first);
        }
    }
    assert_eq!(faults, 0);
}
