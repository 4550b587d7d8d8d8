//! The texts of reinforcement as data.
//!
//! The words are facts: newer models take orders in a hook's text for somebody else's.

use super::template::{ReinforcementPoint, ReinforcementTemplate};
use crate::state::loop_state::Level;

const MINIMAL: &[Level] = &[Level::Minimal];
const STANDARD: &[Level] = &[Level::Standard];
const AGGRESSIVE: &[Level] = &[Level::Aggressive];

/// A reminder before an iteration.
const fn reminder(levels: &'static [Level], id: &'static str, text: &'static str) -> ReinforcementTemplate {
    ReinforcementTemplate { levels, ..template(id, ReinforcementPoint::PreIteration, text) }
}

/// One for some kinds of task.
const fn reminder_for(
    tasks: &'static [&'static str],
    id: &'static str,
    text: &'static str,
) -> ReinforcementTemplate {
    ReinforcementTemplate { tasks, ..reminder(STANDARD, id, text) }
}

const fn template(id: &'static str, point: ReinforcementPoint, text: &'static str) -> ReinforcementTemplate {
    ReinforcementTemplate { id, point, levels: &[], tasks: &[], errors: &[], text }
}

/// All texts. Of those that fit, the ones made for the task or error come first.
pub static TEMPLATES: &[ReinforcementTemplate] = &[
    reminder(
        MINIMAL,
        "pre-iteration-minimal-1",
        "Steadfast runs the completion command itself when a turn ends; its exit code decides. Lost or weakened \
         tests keep the loop open.\nRisky calls in this loop so far: {risks}.",
    ),
    reminder(
        MINIMAL,
        "pre-iteration-minimal-2",
        "What counts at the end of the turn is the completion command's exit code. A test that fails is evidence \
         about the source.\nRisky calls in this loop so far: {risks}.",
    ),
    reminder_for(
        &["test fixes"],
        "pre-iteration-standard-tests",
        "Iteration {iteration}: earlier turns did not reach the goal.\nThe last error was: {error}\nIn this task the \
         failing tests are the specification: their cause is looked for in the source. A test that is deleted, \
         skipped or weakened keeps the loop open.\nTried before: {tried}\nRisky calls in this loop so far: {risks}.",
    ),
    reminder_for(
        &["type errors"],
        "pre-iteration-standard-types",
        "Iteration {iteration}: earlier turns did not reach the goal.\nThe last error was: {error}\nA cast, an \
         ignore comment or a looser compiler option hides a type error and does not count as a fix; the type that \
         disagrees is in the source.\nTried before: {tried}\nRisky calls in this loop so far: {risks}.",
    ),
    reminder_for(
        &["lint cleanup"],
        "pre-iteration-standard-lint",
        "Iteration {iteration}: earlier turns did not reach the goal.\nThe last error was: {error}\nA rule that is \
         switched off reports nothing and fixes nothing; what it reports is in the source.\nTried before: \
         {tried}\nRisky calls in this loop so far: {risks}.",
    ),
    reminder_for(
        &["refactoring", "migration"],
        "pre-iteration-standard-moves",
        "Iteration {iteration}: earlier turns did not reach the goal.\nThe last error was: {error}\nBehaviour stays \
         through a move: a test moves with what it tests, and is there before its old place goes.\nTried before: \
         {tried}\nRisky calls in this loop so far: {risks}.",
    ),
    reminder(
        STANDARD,
        "pre-iteration-standard-1",
        "Iteration {iteration}: earlier turns did not reach the goal.\nThe last error was: {error}\nThe cause is more \
         likely in the source than in the tests: a test that fails is evidence. Deleting, skipping or weakening it \
         keeps the loop open.\nTried before: {tried}\nRisky calls in this loop so far: {risks}.",
    ),
    reminder(
        STANDARD,
        "pre-iteration-standard-2",
        "This is iteration {iteration}; the goal is still open.\nWhat failed last: {error}\nReading the code on the \
         way to that failure usually shows more than another change at the same place. Checks stay as strict as \
         they are.\nTried before: {tried}\nRisky calls in this loop so far: {risks}.",
    ),
    reminder(
        AGGRESSIVE,
        "pre-iteration-aggressive-1",
        "🚨 ITERATION #{iteration} - Stuck Loop Risk\n\n{attempts} ended without the goal.\nThe same \
         {error_name} has come up {times} times in a row: {repeated_error}\nThe last error was: {single_error}\n\nWhat is \
         needed now:\n1. STOP repeating the approach that did not work.\n2. Find out WHY it fails, not only \
         where.\n3. Choose an alternative implementation.\n4. When unsure, ESCALATE: ask the person.\n\nNot a way \
         out: deleted, skipped or weakened tests, disabled features, shortcuts. They keep the loop open.\nTried \
         before: {tried}\nRisky calls in this loop so far: {risks}.",
    ),
    reminder(
        AGGRESSIVE,
        "pre-iteration-aggressive-2",
        "🚨 ITERATION #{iteration} - Stuck Loop Risk\n\nThe goal is open after {attempts}.\nThe same \
         {error_name} was seen {times} times in a row: {repeated_error}\nWhat failed last: {single_error}\n\nFour things \
         change the outcome:\n1. STOP: the approach so far is used up.\n2. WHY does it fail? The cause, before the \
         next edit.\n3. An alternative that does not rest on the same assumption.\n4. ESCALATE: a question to the \
         person, when no alternative is sure.\n\nTests that go or check less, features that go, and shortcuts don't \
         end the loop.\nTried before: {tried}\nRisky calls in this loop so far: {risks}.",
    ),
    reminder(
        AGGRESSIVE,
        "pre-iteration-aggressive-3",
        "🚨 ITERATION #{iteration} - Stuck Loop Risk\n\nThe goal was not reached in {attempts}.\nThe same {error_name} \
         {times} times in a row: {repeated_error}\nThe newest failure: {single_error}\n\nBefore the next change:\n1. STOP and \
         name what all attempts had in common.\n2. WHY that can't work, in one sentence.\n3. The smallest \
         alternative that differs in it.\n4. ESCALATE to the person if there is none.\n\nOut of bounds: tests \
         (deleted, skipped, weakened), features taken out, shortcuts.\nTried before: {tried}\nRisky calls in this \
         loop so far: {risks}.",
    ),
    reminder(
        AGGRESSIVE,
        "pre-iteration-aggressive-4",
        "🚨 ITERATION #{iteration} - Stuck Loop Risk\n\nThe goal is not reached, after {attempts}.\nIn a row, \
         {times} times, it was the same {error_name}: {repeated_error}\nThe latest error: {single_error}\n\nWhat \
         usually turns such a loop:\n1. STOP editing until the failure has been reproduced by itself.\n2. WHY there: \
         the value that is wrong, followed back to where it is made.\n3. An alternative at that place, not at the \
         place that reports it.\n4. ESCALATE what can't be reproduced to the person.\n\nWhat does not: tests deleted, \
         skipped or weakened, features switched off, shortcuts; the loop stays open.\nTried before: {tried}\nRisky \
         calls in this loop so far: {risks}.",
    ),
    reminder(
        AGGRESSIVE,
        "pre-iteration-aggressive-5",
        "🚨 ITERATION #{iteration} - Stuck Loop Risk\n\n{attempts}, and the goal is as open as before.\nThe same \
         {error_name}, {times} times in a row: {repeated_error}\nLast seen: {single_error}\n\nA way through:\n1. STOP, \
         and halve the problem: the smallest input that still fails.\n2. WHY does the other half pass? The difference \
         is where the cause lies.\n3. An alternative for that half alone.\n4. ESCALATE when the task can't be halved: \
         the person may cut it.\n\nNo way through: fewer or looser tests, features removed, shortcuts.\nTried before: \
         {tried}\nRisky calls in this loop so far: {risks}.",
    ),
    reminder(
        AGGRESSIVE,
        "pre-iteration-aggressive-6",
        "🚨 ITERATION #{iteration} - Stuck Loop Risk\n\nSo far {attempts} did not get there.\n{times} times in a row \
         the same {error_name}: {repeated_error}\nThis is what it says now: {single_error}\n\nOpen questions:\n1. STOP: \
         which change of the earlier attempts is still in the code, and does it help?\n2. WHY was each one expected to \
         work?\n3. Which alternative has none of those expectations?\n4. ESCALATE: what would the person have to \
         decide?\n\nAnswered by none of these: deleted or skipped tests, weaker assertions, missing features, \
         shortcuts.\nTried before: {tried}\nRisky calls in this loop so far: {risks}.",
    ),
    reminder(
        AGGRESSIVE,
        "pre-iteration-aggressive-7",
        "🚨 ITERATION #{iteration} - Stuck Loop Risk\n\n{attempts} on record, and none reached the goal.\nOn record as \
         well, {times} times in a row, the same {error_name}: {repeated_error}\nThe last entry: {single_error}\n\nThe \
         record helps when it is read:\n1. STOP and compare the attempts: what did each change, what did each leave \
         alone?\n2. WHY the failure stayed: what no attempt has touched.\n3. An alternative that touches it.\n4. \
         ESCALATE with that comparison when it shows nothing; a person sees it with other eyes.\n\nThe tests and \
         features of the start stay as they are; shortcuts around them count as a loss.\nTried before: {tried}\nRisky \
         calls in this loop so far: {risks}.",
    ),
    reminder(
        AGGRESSIVE,
        "pre-iteration-aggressive-8",
        "🚨 ITERATION #{iteration} - Stuck Loop Risk\n\nNot done yet, after {attempts}.\nThe same \
         {error_name} came {times} times in a row: {repeated_error}\nSeen last: {single_error}\n\nBefore more \
         code:\n1. STOP and read the requirement again, and the test that states it.\n2. WHY do the code and that \
         statement differ? In which value, from which line on?\n3. The plainest alternative that gives the stated \
         value.\n4. ESCALATE if the statement itself looks wrong: only the person may change it.\n\nNot open to \
         change: tests, their assertions, features. Shortcuts keep the loop open.\nTried before: {tried}\nRisky calls \
         in this loop so far: {risks}.",
    ),
    ReinforcementTemplate {
        errors: &["type"],
        ..template(
            "post-error-type",
            ReinforcementPoint::PostError,
            "Error seen: {error_name}, {seen}. {message}\nFirst own frame: {place}\nA value has another \
             type than the SOURCE CODE there takes it for; where it is made is the place to look, not the test.",
        )
    },
    ReinforcementTemplate {
        errors: &["assertion"],
        ..template(
            "post-error-assertion",
            ReinforcementPoint::PostError,
            "Error seen: {error_name}, {seen}. {message}\nFirst own frame: {place}\nThe assertion states \
             what is wanted; the SOURCE CODE gives something else. What it gives, and from which line on, is the \
             question; the test is probably right.",
        )
    },
    ReinforcementTemplate {
        errors: &["missing"],
        ..template(
            "post-error-missing",
            ReinforcementPoint::PostError,
            "Error seen: {error_name}, {seen}. {message}\nFirst own frame: {place}\nSomething that the \
             SOURCE CODE or the command names is not where it is looked for; the name, the path and the directory are \
             facts that can be listed.",
        )
    },
    template(
        "post-error-1",
        ReinforcementPoint::PostError,
        "Error seen: {error_name}. It has come {seen}. {message}\nFirst own frame: {place}\nIts root cause \
         is to be looked for in the SOURCE CODE, not in the test: the test that shows it is probably right.",
    ),
    template(
        "post-error-2",
        ReinforcementPoint::PostError,
        "{error_name} again ({seen}): {message}\nFirst own frame: {place}\nThe changes since it first came \
         did not touch its cause. What the SOURCE CODE holds at that frame when it fails can be printed and compared with \
         what was expected.",
    ),
    template(
        "post-error-3",
        ReinforcementPoint::PostError,
        "Seen {seen}: {error_name}, {message}\nFirst own frame: {place}\nAn assumption shared by all attempts is \
         wrong. The SOURCE CODE on the way to that frame, read from its caller on, shows which.",
    ),
    template(
        "pre-tool-call-1",
        ReinforcementPoint::PreToolCall,
        "{tool} is about to touch {target} (risk: {risk}). A fix is expected, not a deletion.",
    ),
    template(
        "pre-tool-call-2",
        ReinforcementPoint::PreToolCall,
        "{target} is a risky target ({risk}) for {tool}: what it checks or holds now should be there afterwards too.",
    ),
];
