//! What is said where a host can't say a verdict at an event: one table for all hosts. Pure.
//!
//! Never less strict where the action can still be stopped, and still heard by the model where it can't.

use super::Registration;
use crate::model::verdict::{Answer, Verdict, VerdictKind};

/// What takes a verdict's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VerdictReplacement {
    /// Another verdict with the same text.
    As(VerdictKind),
    /// A refusal that tells the agent whom to ask.
    RefusalToAsk,
    /// The session's next event that takes a text for the model brings it.
    Later,
    /// The person alone reads it.
    Person,
}

/// What takes the place of each verdict: the first that the host can express at the event.
pub const TABLE: &[(VerdictKind, &[VerdictReplacement])] = &[
    (
        VerdictKind::Ask,
        &[
            VerdictReplacement::RefusalToAsk,
            VerdictReplacement::As(VerdictKind::Context),
            VerdictReplacement::Person,
        ],
    ),
    (
        VerdictKind::Deny,
        &[
            VerdictReplacement::As(VerdictKind::Feedback),
            VerdictReplacement::As(VerdictKind::Context),
            VerdictReplacement::Later,
        ],
    ),
    (VerdictKind::Context, &[VerdictReplacement::Later]),
    (VerdictKind::Feedback, &[VerdictReplacement::As(VerdictKind::Context), VerdictReplacement::Later]),
    (VerdictKind::Continue, &[VerdictReplacement::Later]),
    (VerdictKind::Halt, &[VerdictReplacement::Person]),
];

/// What the agent does about a question that its host can't put.
const ASK_THE_USER: &str = "This agent's hooks can't put a question to a person, so the call is refused. Ask the user \
                            whether it may happen, and go on without it until they have answered.";

/// An answer that the host can express, and what has to wait.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FittedAnswer {
    /// What is said now.
    pub answer: Answer,
    /// What the session's next event that takes a text for the model brings.
    pub later: Option<String>,
}

/// The answer to an event, or the nearest one that its host has words for. `None` for an event that the host doesn't
/// register: nothing is said there.
pub fn fitted(registration: Option<&Registration>, mut answer: Answer) -> FittedAnswer {
    let Some(registration) = registration else { return FittedAnswer::default() };
    let takes = |kind: VerdictKind| kind == VerdictKind::Pass || registration.takes.contains(&kind);
    let mut later = None;
    let kind = answer.verdict.kind();
    if !takes(kind) {
        let text = answer.verdict.text().to_owned();
        answer.verdict = Verdict::Pass;
        match instead(kind, takes) {
            Some(VerdictReplacement::As(other)) => answer.verdict = other.with(text.clone()),
            Some(VerdictReplacement::RefusalToAsk) => {
                answer.verdict = Verdict::Deny(format!("{text}\n\n{ASK_THE_USER}"));
            }
            Some(VerdictReplacement::Later) => later = Some(text.clone()),
            Some(VerdictReplacement::Person) | None => {}
        }
        // What the model does not read now, the person does.
        if answer.verdict == Verdict::Pass {
            answer.human.get_or_insert(text);
        }
    }
    if !registration.tells {
        answer.human = None;
    }
    FittedAnswer { answer, later }
}

/// The first of the table's that can be said.
pub fn instead(kind: VerdictKind, takes: impl Fn(VerdictKind) -> bool) -> Option<VerdictReplacement> {
    let (_, ways) = TABLE.iter().find(|(of, _)| *of == kind)?;
    ways.iter().copied().find(|way| match way {
        VerdictReplacement::As(other) => takes(*other),
        VerdictReplacement::RefusalToAsk => takes(VerdictKind::Deny),
        VerdictReplacement::Later | VerdictReplacement::Person => true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(takes: &'static [VerdictKind], tells: bool) -> Registration {
        Registration { takes, tells, ..Registration::PLAIN }
    }

    #[test]
    fn what_a_host_cannot_express_becomes_the_nearest_it_can() {
        use VerdictKind::{Ask, Context, Continue, Deny, Feedback, Halt};
        let rows: &[(&'static [VerdictKind], VerdictKind, &str)] = &[
            (&VerdictKind::SPOKEN, Ask, "ask H"),
            (&[Deny], Ask, "deny H"),
            (&[Context], Ask, "context H"),
            (&[], Ask, "pass H"),
            (&[Context], Feedback, "context H"),
            (&[], Feedback, "pass H, later"),
            (&[Ask], Deny, "pass H, later"),
            (&[Feedback, Context], Deny, "feedback H"),
            (&[], Context, "pass H, later"),
            (&[Context], Continue, "pass H, later"),
            (&[Context], Halt, "pass H"),
        ];
        for (takes, kind, expected) in rows {
            let answer = Answer {
                verdict: kind.with("T".to_owned()),
                human: Some("H".to_owned()),
                ..Answer::default()
            };
            let fitted = fitted(Some(&at(takes, true)), answer);
            let said = format!(
                "{} {}{}",
                fitted.answer.verdict.name(),
                fitted.answer.human.as_deref().unwrap_or_default(),
                if fitted.later.is_some() { ", later" } else { "" }
            );
            assert_eq!(said, *expected, "{kind:?} where {takes:?}");
        }
    }

    #[test]
    fn the_person_reads_what_the_model_does_not_where_the_host_shows_it() {
        let answer = || Answer::from(Verdict::Continue("T".to_owned()));
        assert_eq!(fitted(Some(&at(&[], true)), answer()).answer.human.as_deref(), Some("T"));
        assert_eq!(fitted(Some(&at(&[], false)), answer()).answer.human, None);
        assert_eq!(fitted(None, answer()), FittedAnswer::default());
    }

    #[test]
    fn a_question_that_becomes_a_refusal_says_whom_to_ask() {
        let answer = Verdict::Ask("T".to_owned()).into();
        let Verdict::Deny(reason) = fitted(Some(&at(&[VerdictKind::Deny], true)), answer).answer.verdict
        else {
            panic!("a refusal");
        };
        assert!(reason.starts_with("T\n\n") && reason.contains("Ask the user"), "{reason}");
    }

    #[test]
    fn every_verdict_has_one_row() {
        for kind in VerdictKind::SPOKEN {
            assert_eq!(TABLE.iter().filter(|(of, _)| *of == kind).count(), 1, "{kind:?}");
        }
    }
}
