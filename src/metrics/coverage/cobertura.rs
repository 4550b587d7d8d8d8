//! Cobertura's XML: the rate of lines at the root, which is its own figure, or their counts where it gives none.

use super::percent;
use crate::metrics::xml::Tag;

/// The total of the root element.
pub(in crate::metrics) fn total(root: &Tag) -> Option<f64> {
    let rate = root.attribute("line-rate").and_then(|rate| rate.trim().parse::<f64>().ok());
    match rate {
        Some(rate) if (0.0..=1.0).contains(&rate) => Some((rate * 10_000.0).round() / 100.0),
        _ => percent(root.number("lines-covered")?, root.number("lines-valid")?),
    }
}
