//! Places that one configuration of a checker gives up, and that another one of the session has, by which a command runs it.

use crate::detectors::Case;
use crate::detectors::checks::setting_keys::list_of;
use crate::languages::{file_name, settings};

/// Whether the place that a finding says is left out stands in the same list of another file of the tool, which a file of the
/// session names: `tsc -p tsconfig.test.json`.
pub(super) fn are_checked_elsewhere(case: &Case, path: &str, what: &str) -> bool {
    let mut quoted = what.split('`').skip(1).step_by(2);
    let (Some(list), Some(place)) = (quoted.next(), quoted.next()) else { return false };
    if !what.ends_with("` out") {
        return false;
    }
    let tool = |path: &'_ str| {
        file_name(path).trim_start_matches('.').split(['.', '-']).next().unwrap_or_default().to_owned()
    };
    let has_place = |path: &str, text: &str| {
        let entries = settings(path, text).unwrap_or_default();
        entries.iter().any(|it| list_of(&it.key) == list && it.value == place)
    };
    let is_named = |name: &str, own: &str| {
        case.all_changes()
            .filter(|it| it.path != own && it.path != path && !it.path.ends_with(".md"))
            .any(|it| it.after.as_deref().is_some_and(|text| text.contains(name)))
    };
    case.all_changes().filter(|it| it.path != path && tool(&it.path) == tool(path)).any(|it| {
        let text = it.after.as_deref().unwrap_or_default();
        has_place(&it.path, text) && is_named(file_name(&it.path), &it.path)
    })
}

#[cfg(test)]
mod tests {
    use crate::detectors::{Evidence, judge};
    use crate::model::finding::Change;

    /// How much is found where the tests leave the first configuration, with others of the session.
    fn found(others: &[(&str, &str)]) -> usize {
        let change = |path: &str, before: Option<&str>, after: &str| Change {
            path: path.to_owned(),
            before: before.map(str::to_owned),
            after: Some(after.to_owned()),
        };
        let (before, after) = ("{\"include\": [\"lib\", \"spec\"]}\n", "{\"include\": [\"lib\"]}\n");
        let changes = [change("tsconfig.json", Some(before), after)];
        let elsewhere: Vec<Change> =
            others.iter().map(|(path, text)| change(path, Some("{}"), text)).collect();
        judge(&Evidence { changes: &changes, elsewhere: &elsewhere }).len()
    }

    #[test]
    fn a_configuration_may_be_parted() {
        let all = ("tsconfig.spec.json", "{\"include\": [\"lib\", \"spec\"]}\n");
        let run = ("package.json", "{\"scripts\": {\"types\": \"tsc --noEmit -p tsconfig.spec.json\"}}\n");
        assert_eq!(found(&[all, run]), 0);
        assert_eq!(found(&[all]), 1, "nothing runs the other one");
        assert_eq!(found(&[run]), 1, "the other one has nothing");
        assert_eq!(found(&[("tsconfig.spec.json", "{\"include\": [\"lib\"]}\n"), run]), 1);
    }
}
