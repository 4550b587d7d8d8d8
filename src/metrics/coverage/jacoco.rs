//! JaCoCo's XML: the counters of lines and branches that stand at the end of `report` itself.

use super::percent;
use crate::metrics::xml::Tag;

/// The share that a `counter` of this kind (`LINE`, `BRANCH`) gives; `None` for another counter.
pub(in crate::metrics) fn share(counter: &Tag, kind: &str) -> Option<f64> {
    if counter.attribute("type").as_deref() != Some(kind) {
        return None;
    }
    let (missed, covered) = (counter.number("missed")?, counter.number("covered")?);
    percent(covered, covered.saturating_add(missed))
}
