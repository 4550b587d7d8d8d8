//! What a gate says: to the person, with the ways to decide; to the model, that it has to wait and nothing more.
//!
//! A code is in the texts for the person alone.

use crate::model::words::first_of;
use crate::state::gate::{Gate, GateDecision, GateSubject};
use crate::text::headline::{cut, one_line};

/// The most lines of what a person reads when a gate opens.
const LINES: usize = 12;
/// The longest of its lines about what happened, in characters.
const LINE: usize = 600;

/// What the person reads when a gate opens: the decision and the command first, then what happened in short. The whole
/// of it is what `steadfast gate` shows.
pub fn opened(gate: &Gate, code: &str) -> String {
    let first = gate.choices.first().map_or("reject", |choice| choice.id.as_str());
    let mut lines = vec![
        format!(
            "Steadfast needs your decision about {}. Type here (the agent doesn't see the code): /steadfast:gate {first} {code}",
            about(gate)
        ),
        "Or decide in a terminal in this project, with everything shown: steadfast gate".to_owned(),
    ];
    let answers = one_line(&listed(gate));
    let parts: Vec<&str> = gate.message.split("\n\n").filter(|part| !part.trim().is_empty()).collect();
    let room = LINES - lines.len() - 1;
    if parts.len() > room {
        // What comes first says what was lost, what comes last what can be answered.
        lines.extend(parts.iter().take(room - 2).map(|part| in_short(part)));
        lines.extend(parts.iter().skip(parts.len() - 2).map(|part| in_short(part)));
    } else {
        lines.extend(laid_out(&parts, room));
    }
    lines.push(answers);
    lines.join("\n")
}

/// The paragraphs with their own lines, in order, as long as there is room for those; each of the others on one line.
fn laid_out(parts: &[&str], room: usize) -> Vec<String> {
    let mut spare = room.saturating_sub(parts.len());
    let mut lines = Vec::new();
    for part in parts {
        let own: Vec<String> = part.lines().map(in_short).filter(|line| !line.is_empty()).collect();
        match spare.checked_sub(own.len().saturating_sub(1)) {
            Some(left) => {
                spare = left;
                lines.extend(own);
            }
            None => lines.push(in_short(part)),
        }
    }
    lines
}

/// A paragraph on one line.
fn in_short(part: &str) -> String {
    cut(&one_line(part), LINE)
}

/// What a rejection puts back in a session without a loop.
pub fn rejection_puts_back(paths: &[String]) -> String {
    /// So many files are named.
    const NAMED: usize = 8;
    if paths.is_empty() {
        return "Rejecting puts every file that this session changed back as the session found it; what is replaced is \
                kept."
            .to_owned();
    }
    format!(
        "Rejecting puts back, byte for byte as this session found them: {}. Other changes stay; what is replaced is \
         kept.",
        first_of(paths, NAMED)
    )
}

/// The answers that a gate takes, when the message does not number them itself.
fn listed(gate: &Gate) -> String {
    if gate.message.contains("[1]") {
        let ids: Vec<&str> = gate.choices.iter().map(|choice| choice.id.as_str()).collect();
        return format!("Answers: {}.", ids.join(", "));
    }
    let numbered = gate.choices.iter().enumerate();
    let lines: Vec<String> =
        numbered.map(|(n, choice)| format!("[{}] {}: {}", n + 1, choice.id, choice.label)).collect();
    lines.join("\n")
}

/// What the person reads of an answer that a gate does not take.
pub fn no_answer(gate: &Gate, word: &str) -> String {
    let fitting: Vec<&str> = gate.choices.iter().map(|choice| choice.id.as_str()).collect();
    format!("{word} is no answer to this gate; it takes: {}", fitting.join(", "))
}

/// What the person reads at the end of a turn that waits for them.
pub fn waiting(gate: &Gate) -> String {
    format!(
        "Steadfast: {} waits for your decision. Run `steadfast gate` in a terminal in this project; the work then goes on \
         with your next prompt or session.",
        about(gate)
    )
}

/// What a session reads that begins while the loop of another one waits.
pub fn waits_in_another_session(loop_id: &str, gate: &Gate) -> String {
    format!(
        "Steadfast: a gate is open in this project: in loop {loop_id} {} waits for a person's decision. Until then this session \
         may read, and writes nothing. `steadfast gate` in a terminal shows the question.",
        about(gate)
    )
}

/// What the model reads when it would write.
pub fn held_back(gate: Option<&Gate>) -> String {
    let what = gate.map_or("an open question", about);
    let lost = gate.map(what_it_is_about).unwrap_or_default();
    format!(
        "Steadfast holds this call back: {what} waits for a person's decision (`steadfast gate` in a terminal).\n\
         Until then nothing is written. Reading is possible, and the turn can end; the work goes on when the person has \
         decided.{lost}"
    )
}

/// What the person reads when a call is held back: what it was, and how to decide.
pub fn person_held_back(gate: Option<&Gate>, target: &str) -> String {
    let first = gate.and_then(|gate| gate.choices.first()).map_or("reject", |choice| choice.id.as_str());
    format!(
        "Steadfast held back: {}\n{} waits for your decision: type /steadfast:gate {first} and the code that you were \
         shown, or run `steadfast gate` in a terminal in this project.",
        cut(&one_line(target), 120),
        capitalised(gate.map_or("an open question", about))
    )
}

/// What the model reads when a gate has just opened.
pub fn now_waits(gate: &Gate) -> String {
    format!(
        "{} is now a person's decision. Until then calls that write are held back; the turn can end here.",
        capitalised(about(gate))
    )
}

/// What was lost, or what keeps failing: what the person reads besides is theirs.
fn what_it_is_about(gate: &Gate) -> String {
    match gate.subject {
        GateSubject::StuckLoop => format!("\nWhat keeps failing: {}", pattern(&gate.message)),
        _ => lost_lines(&gate.message),
    }
}

fn lost_lines(message: &str) -> String {
    let lines: Vec<&str> = message.lines().filter(|line| line.starts_with("- ")).take(12).collect();
    if lines.is_empty() { String::new() } else { format!("\n{}", lines.join("\n")) }
}

/// What a gate is about, in words.
pub fn about(gate: &Gate) -> &'static str {
    match gate.subject {
        GateSubject::Regression => "a regression",
        GateSubject::StuckLoop => "a loop that does not get on",
        GateSubject::DestructiveAction => "a destructive call",
        GateSubject::FalsePositive => "a reported false alarm",
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// What the model reads after a decision. `back_to` is the iteration that the files are at again.
/// `instead` are ways in which nothing would get lost.
pub fn decided(
    gate: &Gate,
    decision: GateDecision,
    back_to: Option<u32>,
    reason: Option<&str>,
    instead: &[&str],
) -> String {
    let said = reason.map(|reason| format!(" They said: {reason}")).unwrap_or_default();
    match decision {
        GateDecision::Reject => {
            let now = match back_to {
                Some(0) => "The files are as they were at the start of the loop".to_owned(),
                Some(iteration) => format!("The files are as iteration {iteration} left them"),
                None => "What was lost is back as it was kept".to_owned(),
            };
            let ways: String = instead.iter().map(|way| format!("\n- {way}")).collect();
            format!(
                "A person rejected what iteration {} changed. {now}; what was replaced is kept. The next try needs \
                 another way, in which nothing gets lost.{said}{ways}",
                gate.iteration
            )
        }
        GateDecision::Approve => format!(
            "A person accepted the loss in iteration {}: it counts as wanted from now on, and the work goes on.{said}",
            gate.iteration
        ),
        GateDecision::Continue => format!(
            "A person lets the loop go on with a different strategy. What failed again and again:\n{}\nThe approaches \
             so far did not work; a fundamentally different one is needed.{said}",
            pattern(&gate.message)
        ),
        GateDecision::ManualFix => {
            format!("A person mended by hand what kept failing, and the loop goes on.{said}")
        }
        GateDecision::Abort => format!("A person ended the loop.{said}"),
    }
}

/// The middle of a stuck gate's message: the failure itself.
fn pattern(message: &str) -> &str {
    let part = message.split("\n\n").nth(1).unwrap_or(message);
    part.split_once(":\n").map_or(part, |(_, failure)| failure)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_keeps_its_lines_as_long_as_there_is_room() {
        let table = "new tests on new source: pass\nold tests on new source: fail";
        let long = (0..30).map(|n| format!("- test {n}")).collect::<Vec<_>>().join("\n");
        let lines = laid_out(&["What happened.", table, &long, "What next?"], 9);
        assert_eq!(lines.len(), 5, "{lines:#?}");
        assert_eq!(lines[1], "new tests on new source: pass");
        assert!(lines[3].starts_with("- test 0 - test 1 "), "{lines:#?}");
        assert_eq!(laid_out(&["a", "b"], 1), ["a", "b"]);
    }
}
