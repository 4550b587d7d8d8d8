//! Commands whose words say that they change what no copy is made of: the guard itself, volumes, services, releases.

use super::finding::finding;
use super::patterns::{DEVICE, GUARD};
use super::weakened_checks::{self, LEFT_OUT};
use crate::detectors::pattern::{Pattern, PatternProof};
use crate::languages;
use crate::model::finding::{Finding, Severity};
use crate::shell::{Effect, EffectKind};

/// Data or a service on another machine.
pub(super) static SERVICE: Pattern = Pattern {
    id: "SF-026",
    name: "Data Elsewhere Given Up",
    aliases: &[],
    regression_type: None,
    severity: Severity::High,
    what: "What a service or another machine holds or runs would be changed or given up for good.",
    why: "No copy of it can be made from here.",
    instead: "What a service or another machine holds can't be kept from here; a listing or a dry run shows what it would take.",
    proof: PatternProof::Commands {
        catches: &[
            "terraform destroy -auto-approve",
            "kubectl delete namespace shop",
            "psql -c \"DROP TABLE users\"",
        ],
        spares: &["terraform plan", "kubectl get pods", "psql -c \"SELECT 1\""],
    },
};

/// A release for everybody.
pub(super) static RELEASE: Pattern = Pattern {
    id: "SF-027",
    name: "Published For Everybody",
    aliases: &[],
    regression_type: None,
    severity: Severity::High,
    what: "A package, an image or a release would be published.",
    why: "What others have fetched can't be taken back.",
    instead: "What is published can't be taken back; a dry run of the same command shows what it would be.",
    proof: PatternProof::Commands {
        catches: &["npm publish", "cargo publish", "twine upload dist/*"],
        spares: &["npm publish --dry-run", "cargo package", "npm pack"],
    },
};

/// Files at which git would not look any more. What a person has beside the repository's own is theirs to hide; a test
/// is looked at by everybody.
fn hidden_from_git(effect: &Effect) -> Finding {
    let tests = effect.targets.iter().find(|target| languages::is_test_path(&target.text));
    let all = effect.detail == "git replace"
        || effect.targets.iter().any(|target| target.glob || target.path.is_none());
    let severity = if all || tests.is_some() { Severity::High } else { Severity::Medium };
    let named = tests.or(effect.targets.first()).map_or("", |target| target.text.as_str());
    let what = format!("after `{}` git would not show what changes in {named}", effect.detail);
    finding(&GUARD, severity, named.to_owned(), what, 0.85)
}

/// `git sparse-checkout set src`: tests that would leave the working tree with whatever is not named.
fn leaves_the_tree(effect: &Effect) -> Option<Finding> {
    let holds_tests = |folder: &str| {
        let folder = folder.trim_matches('/');
        matches!(folder, "" | "." | "*" | "**") || languages::is_test_path(&format!("{folder}/x"))
    };
    let kept = || effect.targets.iter().map(|target| target.text.as_str());
    let left_out = kept().filter_map(|text| text.strip_prefix('!')).find(|folder| holds_tests(folder));
    (left_out.is_some() || !kept().any(holds_tests)).then(|| {
        let what = format!("`{}` would take tests out of the working tree", effect.detail);
        finding(&LEFT_OUT, Severity::Medium, left_out.unwrap_or_default().to_owned(), what, 0.8)
    })
}

/// What the words alone decide.
pub(super) fn by_words(effect: &Effect) -> Option<Finding> {
    match effect.kind {
        EffectKind::DisarmsGuard => {
            let what = format!("`{}` decides for the guard or stops it", effect.detail.trim_end());
            Some(finding(&GUARD, Severity::Critical, String::new(), what, 0.95))
        }
        EffectKind::HidesFromGit => Some(hidden_from_git(effect)),
        EffectKind::DestroysVolume => {
            let what = format!("`{}` gives up a volume with all that is on it", effect.detail.trim_end());
            Some(finding(&DEVICE, Severity::Critical, String::new(), what, 0.9))
        }
        EffectKind::LosesElsewhere => {
            let what = format!("`{}` gives up what is kept elsewhere, for good", effect.detail);
            Some(finding(&SERVICE, Severity::High, String::new(), what, 0.85))
        }
        EffectKind::ChangesElsewhere => {
            let what = format!("`{}` changes what is kept or runs elsewhere", effect.detail);
            Some(finding(&SERVICE, Severity::Medium, String::new(), what, 0.7))
        }
        EffectKind::Releases => {
            let what = format!("`{}` publishes what can't be taken back", effect.detail);
            Some(finding(&RELEASE, Severity::High, String::new(), what, 0.85))
        }
        EffectKind::LeavesTestsOut if effect.detail == "git sparse-checkout set" => leaves_the_tree(effect),
        _ => weakened_checks::by_words(effect),
    }
}
