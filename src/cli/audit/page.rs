//! An audit as a page.

use super::said::{Audit, AuditVerdict, Said};
use crate::cli::page::Html;
use crate::cli::seen;
use crate::model::finding::Severity;

/// So many places of a pattern stand open; the rest is folded.
const OPEN: usize = 20;

/// The page of an audit.
pub(super) fn page(audit: &Audit) -> String {
    let mut html = Html::default();
    html.element("p", "soft", &audit.of);
    html.element("h1", "", "What Steadfast would have said");
    html.section("At a glance", |html| {
        html.element("p", "", &audit.sum());
        audit.gaps().iter().for_each(|gap| {
            html.element("p", "soft", gap);
        });
        let rows: Vec<Vec<String>> = (audit.patterns.iter())
            .map(|group| {
                let counts = [group.stopped, group.noted].map(|count| count.to_string());
                let [stopped, noted] = counts;
                vec![
                    group.pattern_id.clone(),
                    group.pattern_name.clone(),
                    group.severity.name().to_owned(),
                    stopped,
                    noted,
                ]
            })
            .collect();
        if !rows.is_empty() {
            html.table(&["Pattern", "Name", "Severity", "Stopped", "Noted"], &rows);
        }
    });
    for group in &audit.patterns {
        let said: Vec<&Said> = audit.said.iter().filter(|said| said.pattern_id == group.pattern_id).collect();
        html.section(&format!("{} {}", group.pattern_id, group.pattern_name), |html| {
            said.iter().take(OPEN).for_each(|said| one(said, html));
            if said.len() > OPEN {
                html.within("details", &[], |html| {
                    html.element("summary", "", &format!("{} more", said.len() - OPEN));
                    said.iter().skip(OPEN).for_each(|said| one(said, html));
                });
            }
        });
    }
    html.element("footer", "", "Nothing was changed by this look. Edits are judged with the text that the transcript or git has; commands by their words and by what the disk holds now.");
    html.page("What Steadfast would have said")
}

fn one(said: &Said, html: &mut Html) {
    let (class, word) = match said.verdict {
        AuditVerdict::Stop => ("badge bad", "stop"),
        AuditVerdict::Note => ("badge warn", "note"),
    };
    let severe = if said.severity >= Severity::High { "badge bad" } else { "badge" };
    html.within("article", &[], |html| {
        html.element("span", class, word).element("span", severe, said.severity.name());
        html.element("h3", "", &said.call);
        html.element("p", "", &said.what);
        if !said.lost.is_empty() {
            html.within("ul", &[], |html| {
                said.lost.iter().take(OPEN).for_each(|lost| {
                    html.element("li", "", lost);
                });
            });
        }
        let at = said.at.map(|at| format!("{}, ", seen::date_and_clock(at))).unwrap_or_default();
        html.element("p", "soft", &format!("{at}{}", said.place));
    });
}
