//! The functions of product code, and a finding about one.

use crate::detectors::engine::revision::Revision;
use crate::detectors::{Case, Detector};
use crate::model::finding::Finding;

pub(super) fn finding(
    detector: &Detector,
    revision: &Revision,
    line: u32,
    name: &str,
    what: String,
) -> Finding {
    let mut finding = detector.finding(&revision.change.path, what);
    finding.line = Some(line);
    finding.lost.push(name.to_owned());
    finding.confidence = 0.85;
    finding
}

pub(super) fn product<'c, 'a>(case: &'c Case<'a>) -> impl Iterator<Item = &'c Revision<'a>> {
    case.revisions().iter().filter(|revision| !revision.is_test)
}
