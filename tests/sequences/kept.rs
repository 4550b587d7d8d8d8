//! Steps that once led to a fault, each with what it was. They are played again in every run.

use crate::play;
use crate::steps::Deed::{
    AddTest, DropAdded, Lose, LoseFile, LoseOther, Read, Remove, Rename, ResetHard, Scratch, Skip, Switch,
    Write,
};
use crate::steps::Step::{
    self, Both, Call, Gate, KilledAfter, KilledBefore, Loop, Person, PersonInGit, PersonInStop, Undo,
};

/// What was wrong, and the steps.
const KEPT: &[(&str, &[Step])] = &[
    (
        "a forced rejection took a person's new file without a word",
        &[Call(0, Skip(2)), Person(2), Gate(0, 2)],
    ),
    ("a forced rejection took a person's edit without a word", &[Call(1, LoseFile), Person(1), Gate(1, 2)]),
    (
        "a script's call was credited with a person's file, and a rejection took it",
        &[Call(0, ResetHard), Person(2), Gate(0, 2)],
    ),
    ("what went while two scripts ran was taken back as one's own", &[Both(Lose(1), Scratch), Gate(1, 2)]),
    ("what two loops had removed came back as one's own", &[Both(Skip(2), ResetHard), Gate(0, 1)]),
    ("a file was one's own because it was as shown", &[Both(Skip(2), Lose(2)), Gate(0, 2)]),
    (
        "what another's checkout took away came back as one's own",
        &[KilledAfter(0, LoseOther(2), 27), Call(1, Skip(1)), PersonInGit(0), Call(0, Switch), Gate(1, 2)],
    ),
    (
        "the work of a hook that was killed went without a word",
        &[KilledBefore(1, Lose(0), 5), KilledAfter(0, Lose(0), 0), KilledAfter(0, Write(2), 13), Gate(1, 2)],
    ),
    (
        "a revert took a person's file that a script's call was credited with",
        &[Person(3), Call(1, Switch), Loop(1, 3)],
    ),
    ("a revert took the other loop's work", &[Both(Skip(2), Write(0)), Loop(0, 3)]),
    (
        "a revert took the other loop's removal back",
        &[Both(Read, Rename(2)), Step::Stop(1), Step::Stop(0), Loop(0, 3)],
    ),
    (
        "a loop was told of what the other had lost and judged in the same file",
        &[Call(1, Skip(0)), KilledAfter(0, LoseOther(1), 32), Call(0, Scratch)],
    ),
    (
        "a loop was told of what one that is over had lost",
        &[Call(0, Lose(1)), Loop(0, 2), Both(Write(2), DropAdded)],
    ),
    (
        "a loop was told of what one had lost that was resumed and has no session yet",
        &[Call(1, Lose(1)), Loop(1, 0), Loop(1, 1), Step::Stop(0)],
    ),
    (
        "a session got a loop that another one works for, and left the new one alone",
        &[Loop(1, 2), Call(0, Lose(1)), Gate(0, 2), Step::Again(1), Call(1, Skip(1))],
    ),
    (
        "a rejection brought back what a killed call of the other had taken away",
        &[Step::Criterion(0, false), Call(1, Lose(1)), KilledAfter(0, ResetHard, 32), Gate(1, 2)],
    ),
    (
        "a rejection brought back what a paused loop's session had removed, and did not name it",
        &[Loop(1, 0), Call(1, Lose(0)), Call(1, LoseFile), Step::Prompt(0), Gate(0, 1)],
    ),
    (
        "a revert took what a paused loop's session wrote while a script ran",
        &[Loop(1, 0), Both(Remove(1), Write(0)), Step::Stop(0), Loop(0, 3)],
    ),
    (
        "a rejection took what a person wrote while the criterion ran",
        &[Call(0, Lose(1)), PersonInStop(0, 3), Gate(0, 1)],
    ),
    (
        "a revert took what a person wrote before the newest end of a turn",
        &[Person(3), Call(0, Write(1)), Step::Stop(0), Loop(0, 3)],
    ),
    (
        "what an undo had put back was taken for another's",
        &[Call(1, AddTest), Call(1, Lose(2)), Undo(0, 0), Gate(1, 1)],
    ),
    (
        "a rejection brought back what a script of a paused loop's session had removed beside it",
        &[Loop(0, 0), Both(ResetHard, Scratch), Gate(1, 1)],
    ),
    (
        "a revert brought back what a script of a paused loop's session had removed beside it",
        &[Loop(0, 0), Both(ResetHard, Scratch), Loop(1, 3)],
    ),
    (
        "a person's word about one loop's loss counted for nothing in the other",
        &[Call(0, LoseFile), Step::Criterion(1, true), Gate(0, 0), Step::Stop(1)],
    ),
    (
        "what had gone before a call was put down to it, and a rejection brought it back without a word",
        &[
            Step::Criterion(1, true),
            Step::Stop(1),
            KilledBefore(1, ResetHard, 5),
            Call(0, LoseFile),
            Gate(0, 2),
        ],
    ),
];

#[test]
fn what_once_was_wrong_is_right() {
    let faults: Vec<String> = KEPT
        .iter()
        .filter_map(|(was, steps)| play(steps).err().map(|fault| format!("{was}: {fault}")))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
