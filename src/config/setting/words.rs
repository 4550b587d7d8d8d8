//! Settings that are one of some words.

use serde_json::{Value as Json, json};

use super::{SettingReader, SettingType};
use crate::config::{Mode, Notes, ProveMode, TerminalNotice};
use crate::model::finding::RegressionType;
use crate::state::loop_state::Level;
use crate::yaml::{YamlNode, YamlTree, few_slips, nearest};

/// The schema of [`word`]: a schema knows no "whatever its case", so each word stands there in both, and YAML 1.1's
/// false for off.
pub(super) fn spellings(words: &[&str]) -> Json {
    let cases = words.iter().flat_map(|word| [word.to_lowercase(), word.to_uppercase()]).map(Json::from);
    let off = words.iter().any(|word| word.eq_ignore_ascii_case("off")).then(|| Json::from(false));
    json!({"enum": cases.chain(off).collect::<Vec<_>>()})
}

/// Reads one of `words`, whatever its case. An unquoted `off` is false in YAML 1.1, and means the word all the same.
pub(super) fn word<T: Copy>(
    node: &YamlNode,
    words: &[(&'static str, T)],
    reader: &mut SettingReader,
) -> Option<T> {
    let found = match &node.value {
        YamlTree::Text(text) => text.as_str(),
        YamlTree::Bool(false) => "off",
        _ => "",
    };
    if let Some((_, value)) = words.iter().find(|(word, _)| word.eq_ignore_ascii_case(found)) {
        return Some(*value);
    }
    let mut names: Vec<&str> = Vec::new();
    for (word, _) in words.iter().filter(|(word, _)| *word != "test_skip") {
        names.push(word);
    }
    let near = nearest(found, names.iter().copied(), few_slips);
    let meant = near.map(|near| format!(" (did you mean {near}?)")).unwrap_or_default();
    let expected = format!("one of {}{meant}", names.join(", "));
    reader.wrong(node.at, &expected, &node.value);
    None
}

const MODES: [(&str, Mode); 4] = [
    ("off", Mode::Off),
    ("minimal", Mode::Minimal),
    ("standard", Mode::Standard),
    ("aggressive", Mode::Aggressive),
];

impl SettingType for Mode {
    fn schema() -> Json {
        spellings(&MODES.map(|(word, _)| word))
    }

    fn read(node: &YamlNode, reader: &mut SettingReader) -> Option<Self> {
        word(node, &MODES, reader)
    }
}

const NOTES: [(&str, Notes); 2] = [("off", Notes::Off), ("on", Notes::On)];

impl SettingType for Notes {
    fn schema() -> Json {
        spellings(&NOTES.map(|(word, _)| word))
    }

    fn read(node: &YamlNode, reader: &mut SettingReader) -> Option<Self> {
        word(node, &NOTES, reader)
    }
}

const TERMINAL_NOTICES: [(&str, TerminalNotice); 3] =
    [("off", TerminalNotice::Off), ("bell", TerminalNotice::Bell), ("desktop", TerminalNotice::Desktop)];

impl SettingType for TerminalNotice {
    fn schema() -> Json {
        spellings(&TERMINAL_NOTICES.map(|(word, _)| word))
    }

    fn read(node: &YamlNode, reader: &mut SettingReader) -> Option<Self> {
        word(node, &TERMINAL_NOTICES, reader)
    }
}

const PROVES: [(&str, ProveMode); 3] =
    [("off", ProveMode::Off), ("auto", ProveMode::Auto), ("always", ProveMode::Always)];

impl SettingType for ProveMode {
    fn schema() -> Json {
        spellings(&PROVES.map(|(word, _)| word))
    }

    fn read(node: &YamlNode, reader: &mut SettingReader) -> Option<Self> {
        word(node, &PROVES, reader)
    }
}

const LEVELS: [Level; 5] = [Level::Off, Level::Minimal, Level::Standard, Level::Aggressive, Level::Adaptive];

impl SettingType for Level {
    fn schema() -> Json {
        spellings(&LEVELS.map(Level::name))
    }

    fn read(node: &YamlNode, reader: &mut SettingReader) -> Option<Self> {
        word(node, &LEVELS.map(|level| (level.name(), level)), reader)
    }
}

/// The regression types by name; the documents' older spelling of one counts.
const TYPES: [(&str, RegressionType); 8] = [
    ("test_deletion", RegressionType::TestDeletion),
    ("test_skipping", RegressionType::TestSkipping),
    ("test_skip", RegressionType::TestSkipping),
    ("feature_removal", RegressionType::FeatureRemoval),
    ("coverage_regression", RegressionType::CoverageRegression),
    ("validation_bypass", RegressionType::ValidationBypass),
    ("assertion_weakening", RegressionType::AssertionWeakening),
    ("error_suppression", RegressionType::ErrorSuppression),
];

/// A misspelt name would silently switch a type off, so one bad name leaves all types on.
impl SettingType for Option<Vec<RegressionType>> {
    fn schema() -> Json {
        json!({"type": "array", "items": spellings(&TYPES.map(|(word, _)| word))})
    }

    fn read(node: &YamlNode, reader: &mut SettingReader) -> Option<Self> {
        let YamlTree::List(items) = &node.value else {
            reader.wrong(node.at, "a list of regression types", &node.value);
            return None;
        };
        let read: Vec<_> = items.iter().map(|item| word(item, &TYPES, reader)).collect();
        read.into_iter().collect::<Option<Vec<_>>>().map(Some)
    }
}
