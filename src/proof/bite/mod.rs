//! Do the tests still bite? Small faults go into the source one at a time, and what catches them is compared: the tests
//! as they were against the tests as they are.
//!
//! Copies run side by side, each with its own worker. A worker whose tests do not pass without a fault is not believed.

mod plan;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::metrics::TestOutcome;
use crate::proof::bite::plan::{PlantedFault, planned};
use crate::proof::corner::{Corner, discard};
use crate::proof::deciding::ProofSide;

use crate::proof::known_tests::KnownTests;
use crate::proof::placing;
use crate::proof::planted::{Bite, Planted, Toothless};
use crate::proof::stage::ProofStage;
use crate::proof::step::{ProofStep, stop_where_interrupted};
use crate::proof::verdict::CornerRuns;

/// The most workers.
const MOST_WORKERS: usize = 4;
/// What a run with a fault may take beyond three times that without one: faults make loops without an end.
const PATIENCE: Duration = Duration::from_secs(3);
/// What stands for a run that fails without naming a test.
const COMMAND: &str = "(the command)";

/// Plants faults until `until` and compares.
pub(crate) fn bite(
    stage: &ProofStage,
    known: &KnownTests,
    runs: &CornerRuns,
    until: Instant,
    say: &dyn Fn(&ProofStep),
) -> Result<Bite, String> {
    let plans = planned(stage, known);
    let mut bite = Bite { possible: plans.len(), ..Bite::default() };
    if plans.is_empty() {
        bite.remarks.push(
            "no function changed, or had its tests changed, in a language whose faults are known".to_owned(),
        );
        return Ok(bite);
    }
    if !runs.new_new.passed {
        bite.remarks
            .push("the tests do not pass as they are, so that nothing tells a fault from none".to_owned());
        return Ok(bite);
    }
    let hunt = Hunt {
        stage,
        plans: &plans,
        new: &runs.new_new,
        old: runs.old_new.as_ref(),
        until,
        next: AtomicUsize::new(0),
        caught: Mutex::new(BTreeMap::new()),
    };
    hunt.run(say)?;
    let caught = hunt.caught.into_inner().unwrap_or_else(PoisonError::into_inner);
    summed(&mut bite, &plans, &caught);
    Ok(bite)
}

/// Which tests caught a fault: as they are, and as they were.
#[derive(Debug, Clone, Default)]
struct CatchingTests {
    new: BTreeSet<String>,
    old: Option<BTreeSet<String>>,
}

struct Hunt<'a> {
    stage: &'a ProofStage<'a>,
    plans: &'a [PlantedFault],
    new: &'a Corner,
    old: Option<&'a Corner>,
    until: Instant,
    next: AtomicUsize,
    caught: Mutex<BTreeMap<usize, CatchingTests>>,
}

impl Hunt<'_> {
    fn run(&self, say: &dyn Fn(&ProofStep)) -> Result<(), String> {
        let workers =
            thread::available_parallelism().map_or(1, usize::from).min(MOST_WORKERS).min(self.plans.len());
        say(&ProofStep { what: format!("{} small faults", self.plans.len()), run: (5, 5), expected: None });
        let first = Mutex::new(None);
        thread::scope(|scope| {
            for worker in 0..workers {
                let failed = &first;
                let started = thread::Builder::new().spawn_scoped(scope, move || {
                    if let Err(why) = self.work(worker) {
                        failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(why);
                    }
                });
                if started.is_err() {
                    break;
                }
            }
        });
        stop_where_interrupted()?;
        match first.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(why) if self.caught.lock().unwrap_or_else(PoisonError::into_inner).is_empty() => Err(why),
            _ => Ok(()),
        }
    }

    /// One worker: its own copies, and one fault after the other.
    fn work(&self, worker: usize) -> Result<(), String> {
        let folder = self.stage.scratch.root().join(format!("faults-{worker}"));
        let new = SideCopy::set_up(self, &folder.join("new"), ProofSide::New, self.new)?;
        let old = self
            .old
            .map(|corner| SideCopy::set_up(self, &folder.join("old"), ProofSide::Old, corner))
            .transpose()?;
        // Alone is quiet enough for tests that can't run side by side.
        if worker > 0
            && !(new.is_sound(self)? && old.as_ref().map_or(Ok(true), |desk| desk.is_sound(self))?)
        {
            return Ok(());
        }
        while Instant::now() < self.until {
            stop_where_interrupted()?;
            let at = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(plan) = self.plans.get(at) else { break };
            let Some(by_new) = new.catches(self, plan)? else { continue };
            let by_old = match &old {
                Some(desk) => desk.catches(self, plan)?,
                None => None,
            };
            stop_where_interrupted()?;
            let caught = CatchingTests { new: by_new, old: by_old };
            self.caught.lock().unwrap_or_else(PoisonError::into_inner).insert(at, caught);
        }
        discard(&folder);
        Ok(())
    }
}

/// A copy with the tests of one side.
struct SideCopy<'a> {
    copy: PathBuf,
    beside: PathBuf,
    passing: BTreeSet<&'a str>,
    limit: Duration,
    runs: AtomicUsize,
}

impl<'a> SideCopy<'a> {
    fn set_up(
        hunt: &Hunt,
        folder: &Path,
        tests: ProofSide,
        corner: &'a Corner,
    ) -> Result<SideCopy<'a>, String> {
        let copy = hunt.stage.copy_in(folder);
        hunt.stage.copy(&copy)?;
        hunt.stage.apply(&copy, tests, ProofSide::New)?;
        Ok(SideCopy {
            copy,
            beside: folder.join("beside"),
            passing: corner.ended(TestOutcome::Passed).collect(),
            limit: Duration::from_millis(corner.millis) * 3 + PATIENCE,
            runs: AtomicUsize::new(0),
        })
    }

    fn run(&self, hunt: &Hunt) -> Result<Corner, String> {
        // A folder of its own for each run: what Python has compiled of one fault must not stand for the next.
        let beside = self.beside.join(self.runs.fetch_add(1, Ordering::Relaxed).to_string());
        let corner = hunt.stage.run_in(&self.copy, beside.clone(), self.limit)?;
        discard(&beside);
        Ok(corner)
    }

    fn is_sound(&self, hunt: &Hunt) -> Result<bool, String> {
        let corner = self.run(hunt)?;
        Ok(self.passing.iter().all(|test| corner.outcome(test) == Some(TestOutcome::Passed)))
    }

    /// The tests that notice a fault; `None` for one with which nothing is built.
    fn catches(&self, hunt: &Hunt, plan: &PlantedFault) -> Result<Option<BTreeSet<String>>, String> {
        let target = self.copy.join(&plan.path);
        let put = |text: &str| {
            if placing::is_linked(&self.copy, Path::new(&plan.path)) {
                return Err(format!("{} is reached through a link", plan.path));
            }
            placing::replace(&target, text.as_bytes(), plan.mode).map_err(|error| error.to_string())
        };
        let before = std::fs::read_to_string(&target).map_err(|error| format!("{}: {error}", plan.path))?;
        let Some(faulty) = plan.in_text(&before) else { return Ok(None) };
        put(&faulty)?;
        let corner = self.run(hunt);
        put(&before)?;
        let corner = corner?;
        if corner.passed {
            return Ok(Some(BTreeSet::new()));
        }
        if corner.timed_out {
            return Ok(Some(BTreeSet::from([COMMAND.to_owned()])));
        }
        if corner.tests.is_empty() && plan.is_compiled {
            return Ok(None);
        }
        let caught = self.passing.iter().filter(|test| corner.outcome(test) != Some(TestOutcome::Passed));
        let mut caught: BTreeSet<String> = caught.map(|test| (*test).to_owned()).collect();
        if caught.is_empty() {
            caught.insert(COMMAND.to_owned());
        }
        Ok(Some(caught))
    }
}

fn summed(bite: &mut Bite, plans: &[PlantedFault], caught: &BTreeMap<usize, CatchingTests>) {
    let (mut by_old, mut by_new): (BTreeMap<&str, usize>, BTreeSet<&str>) =
        (BTreeMap::new(), BTreeSet::new());
    for (at, one) in caught {
        let Some(plan) = plans.get(*at) else { continue };
        one.old.iter().flatten().for_each(|test| *by_old.entry(test).or_default() += 1);
        by_new.extend(one.new.iter().map(String::as_str));
        bite.faults.push(Planted {
            path: plan.path.clone(),
            line: plan.line,
            fault: plan.fault,
            before: plan.before.clone(),
            after: plan.after.clone(),
            caught_by_new: one.new.len(),
            caught_by_old: one.old.as_ref().map(BTreeSet::len),
        });
    }
    let toothless = by_old.into_iter().filter(|(test, _)| !by_new.contains(test) && *test != COMMAND);
    bite.toothless =
        toothless.map(|(test, caught_before)| Toothless { test: test.to_owned(), caught_before }).collect();
    let left = bite.possible - bite.faults.len();
    if left > 0 {
        bite.remarks
            .push(format!("{left} of {} faults were not planted or could not be built", bite.possible));
    }
}
