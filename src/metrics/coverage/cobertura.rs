//! Cobertura's XML: the rate of lines at the root, which is its own figure, or their counts where it gives none.

use super::percent;
use crate::metrics::xml::Tag;

/// The total of the root element.
pub(in crate::metrics) fn total(root: &Tag) -> Option<f64> {
    share(root, "line-rate").or_else(|| percent(root.number("lines-covered")?, root.number("lines-valid")?))
}

/// The same of branches; tools that count none write a rate of 0 and no counts.
pub(in crate::metrics) fn branches(root: &Tag) -> Option<f64> {
    match root.number("branches-valid") {
        Some(0) => None,
        Some(all) => percent(root.number("branches-covered")?, all),
        None => share(root, "branch-rate").filter(|rate| *rate > 0.0),
    }
}

fn share(root: &Tag, name: &str) -> Option<f64> {
    let rate = root.attribute(name)?.trim().parse::<f64>().ok()?;
    (0.0..=1.0).contains(&rate).then(|| (rate * 10_000.0).round() / 100.0)
}
