//! What ends a Ruby test before its first assertion.

use crate::languages::testing::outline::{Skip, SkipCondition};

/// What can end a test early, or shows that it has not been ended.
pub(super) enum EndingEvent {
    Skip(String, Option<SkipCondition>),
    Return(Option<SkipCondition>),
    Assertion,
}

/// What ends a test before its first assertion.
pub(super) fn ended(events: &[EndingEvent]) -> Option<Skip> {
    let mut has_asserted = false;
    for (at, event) in events.iter().enumerate() {
        let rest = events.get(at + 1..).unwrap_or_default();
        let cuts = rest.iter().any(|event| matches!(event, EndingEvent::Assertion));
        let skip = |mark: &str, when| Some(Skip { mark: mark.to_owned(), when, suite: false });
        match event {
            EndingEvent::Assertion => has_asserted = true,
            EndingEvent::Skip(mark, Some(when)) if !has_asserted => return skip(mark, *when),
            EndingEvent::Return(Some(SkipCondition::Always)) if cuts => {
                return skip("return", SkipCondition::Always);
            }
            EndingEvent::Return(Some(SkipCondition::InCi)) if cuts && !has_asserted => {
                return skip("return", SkipCondition::InCi);
            }
            _ => {}
        }
    }
    None
}
