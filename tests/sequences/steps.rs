//! What can happen, and the steps of a sequence by its number.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// How many tests each session's file has at the start.
pub(crate) const TESTS: usize = 3;

/// What a call of an agent does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deed {
    /// Writes one of the session's own sources.
    Write(u8),
    /// Writes the source that both sessions use.
    WriteShared,
    /// Adds a test to the session's own tests.
    AddTest,
    /// Takes the added tests away again.
    DropAdded,
    /// Writes the session's tests back as they were at the start.
    PutBack,
    /// A script takes one of the session's own tests with it.
    Lose(usize),
    /// A script takes one of the other session's tests with it.
    LoseOther(usize),
    /// A script switches one of the session's tests off.
    Skip(usize),
    /// A script removes the session's whole test file.
    LoseFile,
    /// `rm` of one of the session's sources.
    Remove(u8),
    /// `mv` of one of the session's sources.
    Rename(u8),
    /// A scratch file is made, or removed where it is.
    Scratch,
    /// The agent commits everything.
    Commit,
    /// A script goes back a commit and gives everything up.
    ResetHard,
    /// A script goes to the branch without the newest tests, or back.
    Switch,
    /// The call reads.
    Read,
}

/// One thing that happens. A number of a session is 0 or 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// A call of a session's agent, with both hooks.
    Call(usize, Deed),
    /// The same, and the hook before it is killed after so many milliseconds.
    KilledBefore(usize, Deed, u8),
    /// The same, and the hook after it is killed after so many milliseconds.
    KilledAfter(usize, Deed, u8),
    /// Both sessions' calls run side by side.
    Both(Deed, Deed),
    /// The end of a turn.
    Stop(usize),
    /// The end of a turn, and while it runs the criterion a person writes.
    PersonInStop(usize, u8),
    /// The end of a turn whose hook is killed.
    KilledStop(usize, u8),
    /// The end of a turn that is told three times at once.
    StopThrice(usize),
    /// Something is typed.
    Prompt(usize),
    /// `/clear`.
    Clear(usize),
    /// The client is closed, and another session begins later.
    Close(usize),
    /// The client is closed, and the session is resumed.
    Resume(usize),
    /// The loop's criterion holds from now on, or no longer does.
    Criterion(usize, bool),
    /// A person writes a document, a session's source, a test, or a source of their own.
    Person(u8),
    /// A person commits everything, or goes to the other branch and back.
    PersonInGit(u8),
    /// A person decides about the oldest open gate of a loop: approve, reject, reject with force, abort.
    Gate(usize, u8),
    /// A person calls the newest open regression of a loop a false alarm.
    FalseAlarm(usize),
    /// A person undoes the last call, or all of a session's, with force or without.
    Undo(usize, u8),
    /// A person brings the best iteration back.
    Best(usize),
    /// A person pauses, resumes, aborts, or aborts with the changes taken back.
    Loop(usize, u8),
    /// A person starts another loop for the session, where its own is over.
    Again(usize),
    /// The loop's time is over.
    Outlast(usize),
}

fn deeds() -> impl Strategy<Value = Deed> {
    prop_oneof![
        6 => (0..3_u8).prop_map(Deed::Write),
        2 => Just(Deed::WriteShared),
        2 => Just(Deed::AddTest),
        1 => Just(Deed::DropAdded),
        2 => Just(Deed::PutBack),
        3 => (0..TESTS).prop_map(Deed::Lose),
        1 => (0..TESTS).prop_map(Deed::LoseOther),
        2 => (0..TESTS).prop_map(Deed::Skip),
        1 => Just(Deed::LoseFile),
        1 => (0..3_u8).prop_map(Deed::Remove),
        1 => (0..3_u8).prop_map(Deed::Rename),
        1 => Just(Deed::Scratch),
        1 => Just(Deed::Commit),
        1 => Just(Deed::ResetHard),
        1 => Just(Deed::Switch),
        1 => Just(Deed::Read),
    ]
}

fn steps() -> impl Strategy<Value = Step> {
    let who = || 0..2_usize;
    prop_oneof![
        14 => (who(), deeds()).prop_map(|(who, deed)| Step::Call(who, deed)),
        1 => (who(), deeds(), 0..30_u8).prop_map(|(who, deed, after)| Step::KilledBefore(who, deed, after)),
        3 => (who(), deeds(), 0..40_u8).prop_map(|(who, deed, after)| Step::KilledAfter(who, deed, after)),
        2 => (deeds(), deeds()).prop_map(|(one, two)| Step::Both(one, two)),
        6 => who().prop_map(Step::Stop),
        1 => (who(), 0..80_u8).prop_map(|(who, after)| Step::KilledStop(who, after)),
        1 => (who(), 0..4_u8).prop_map(|(who, what)| Step::PersonInStop(who, what)),
        1 => who().prop_map(Step::StopThrice),
        1 => who().prop_map(Step::Prompt),
        1 => who().prop_map(Step::Clear),
        1 => who().prop_map(Step::Close),
        1 => who().prop_map(Step::Resume),
        2 => (who(), any::<bool>()).prop_map(|(who, holds)| Step::Criterion(who, holds)),
        3 => (0..4_u8).prop_map(Step::Person),
        1 => (0..2_u8).prop_map(Step::PersonInGit),
        6 => (who(), prop_oneof![3 => Just(0), 4 => Just(1), 2 => Just(2), 1 => Just(3)])
            .prop_map(|(who, way)| Step::Gate(who, way)),
        1 => who().prop_map(Step::FalseAlarm),
        2 => (who(), 0..4_u8).prop_map(|(who, way)| Step::Undo(who, way)),
        1 => who().prop_map(Step::Best),
        2 => (who(), prop_oneof![3 => Just(0), 3 => Just(1), 1 => Just(2), 1 => Just(3)])
            .prop_map(|(who, way)| Step::Loop(who, way)),
        2 => who().prop_map(Step::Again),
        1 => who().prop_map(Step::Outlast),
    ]
}

/// The steps of a sequence.
pub(crate) fn of_seed(seed: u64) -> Vec<Step> {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    proptest::collection::vec(steps(), 8..24).new_tree(&mut runner).unwrap().current()
}
