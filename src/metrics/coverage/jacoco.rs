//! JaCoCo's XML: the counter of lines that stands at the end of `report` itself.

use super::percent;
use crate::metrics::xml::Tag;

/// The share that a `counter` of lines gives; `None` for another counter.
pub(in crate::metrics) fn lines(counter: &Tag) -> Option<f64> {
    if counter.attribute("type").as_deref() != Some("LINE") {
        return None;
    }
    let (missed, covered) = (counter.number("missed")?, counter.number("covered")?);
    percent(covered, covered.saturating_add(missed))
}
