//! What each host can express at each event, as Markdown: the table of `docs/hosts.md`, made of what the adapters say.

use super::downgrade::{VerdictReplacement, instead};
use super::registry::HOSTS;
use super::{Host, HostEvidence, Registration};
use crate::model::verdict::VerdictKind;

/// The whole matrix.
pub fn text() -> String {
    HOSTS.iter().map(|host| of(*host)).collect()
}

fn of(host: &dyn Host) -> String {
    let evidence = match host.evidence() {
        HostEvidence::Run(version) => format!("Run, version {version}."),
        HostEvidence::Source => "Read in its program, not run.".to_owned(),
        HostEvidence::Documents => "From its documents alone, not run.".to_owned(),
    };
    let names: Vec<&str> = VerdictKind::SPOKEN.iter().map(|kind| kind.name()).collect();
    let mut out = format!(
        "### {} (`{}`)\n\n{evidence}\n\n| event | {} | person |\n|---|{}---|\n",
        host.title(),
        host.name(),
        names.join(" | "),
        "---|".repeat(names.len())
    );
    for one in host.registrations() {
        let cells: Vec<String> = VerdictKind::SPOKEN.iter().map(|kind| cell(one, *kind)).collect();
        let person = if one.tells { "yes" } else { "no" };
        out.push_str(&format!("| {} | {} | {person} |\n", one.event, cells.join(" | ")));
    }
    out.push('\n');
    out
}

/// What becomes of a verdict at an event.
fn cell(registration: &Registration, kind: VerdictKind) -> String {
    let takes = |kind: VerdictKind| registration.takes.contains(&kind);
    if takes(kind) {
        return "yes".to_owned();
    }
    let to_person = if registration.tells { "to the person" } else { "unsaid" };
    match instead(kind, takes) {
        Some(VerdictReplacement::As(other)) => format!("as {}", other.name()),
        Some(VerdictReplacement::RefusalToAsk) => "as deny".to_owned(),
        Some(VerdictReplacement::Later) => "later".to_owned(),
        Some(VerdictReplacement::Person) | None => to_person.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// `steadfast hosts --matrix` prints what belongs there.
    #[test]
    fn the_document_has_the_matrix_as_it_is() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/hosts.md");
        let document = std::fs::read_to_string(path).unwrap();
        let (_, matrix) = document.split_once("<!-- steadfast hosts --matrix -->\n").unwrap();
        assert_eq!(matrix.trim(), text().trim(), "run `steadfast hosts --matrix` and put its output there");
    }

    #[test]
    fn every_host_stops_a_call_before_it_runs() {
        for host in HOSTS {
            let stops = |one: &&Registration| {
                one.takes.contains(&VerdictKind::Deny) && cell(one, VerdictKind::Ask) != "unsaid"
            };
            assert!(host.registrations().iter().any(|one| stops(&one)), "{}", host.name());
        }
    }
}
