//! How each type of value is read from a node, and what is said when it can't be.
//!
//! Reading gives `None` for a value that can't be taken, after it was reported: the default then holds.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde_json::{Value as Json, json};

use super::{Mode, TerminalNotice, Thresholds, globs};
use crate::model::finding::{RegressionType, Severity};
use crate::shell::CommandPattern;
use crate::state::loop_state::Level;
use crate::yaml::{Node, Position, Problem, Reader, Tree, Weight, few_slips, nearest};

/// Reads the settings of a file and collects what is wrong with them.
pub(super) struct SettingReader<'a> {
    /// What is wrong so far.
    pub(super) problems: Reader<'a>,
    /// The path of the key that is being read.
    pub(super) path: String,
    /// Each pattern that is named, with what is wrong if there is none of that name.
    pub(super) named: Vec<(String, Problem)>,
}

impl<'a> SettingReader<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        SettingReader { problems: Reader::new(text, usize::MAX), path: String::new(), named: Vec::new() }
    }

    /// Notes a value of the current key that was not taken.
    pub(super) fn wrong(&mut self, at: Position, expected: &str, found: &Tree) {
        let message = format!("{} must be {expected}, not {}", self.path, said(found));
        self.problems.error(at, message);
    }

    /// Notes that the current key names a pattern.
    fn name(&mut self, at: Position, id: &str) {
        let message = format!(
            "{}.{id} names no pattern, so it changes nothing (`steadfast patterns list` has all)",
            self.path
        );
        self.named.push((id.to_owned(), self.problems.problem(Weight::Warning, at, message)));
    }
}

/// A found value in words.
fn said(value: &Tree) -> String {
    match value {
        Tree::Null => "empty".to_owned(),
        Tree::Bool(value) => value.to_string(),
        Tree::Integer(value) => value.to_string(),
        Tree::Float(value) => value.to_string(),
        Tree::Text(text) if text.chars().count() > 40 => {
            format!("the text \"{}…\"", text.chars().take(40).collect::<String>().escape_debug())
        }
        Tree::Text(text) => format!("the text \"{}\"", text.escape_debug()),
        Tree::List(_) => "a list".to_owned(),
        Tree::Map(_) => "a mapping".to_owned(),
    }
}

/// A type that a key may have.
pub(super) trait Setting: Sized {
    fn read(node: &Node, reader: &mut SettingReader) -> Option<Self>;

    /// What a JSON Schema says of it.
    fn schema() -> Json;
}

impl Setting for bool {
    fn schema() -> Json {
        json!({"type": "boolean"})
    }

    /// The parser takes YAML 1.1's words too: whoever writes `enabled: no` means it.
    fn read(node: &Node, reader: &mut SettingReader) -> Option<Self> {
        if let Tree::Bool(value) = node.value {
            return Some(value);
        }
        reader.wrong(node.at, "true or false", &node.value);
        None
    }
}

impl Setting for Option<String> {
    fn schema() -> Json {
        json!({"type": "string", "minLength": 1})
    }

    fn read(node: &Node, reader: &mut SettingReader) -> Option<Self> {
        match &node.value {
            Tree::Text(text) if !text.trim().is_empty() && !text.contains('\0') => Some(Some(text.clone())),
            value => {
                reader.wrong(node.at, "a text (in quotes, if it looks like something else)", value);
                None
            }
        }
    }
}

/// A list of globs. A bad one is reported and the others count: fewer protected files would be worse.
impl Setting for Vec<String> {
    fn schema() -> Json {
        json!({"type": ["array", "string"], "items": {"type": "string", "minLength": 1}})
    }

    fn read(node: &Node, reader: &mut SettingReader) -> Option<Self> {
        let items = match &node.value {
            Tree::List(items) => items.as_slice(),
            Tree::Text(_) => std::slice::from_ref(node),
            value => {
                reader.wrong(node.at, "a list of paths", value);
                return None;
            }
        };
        let mut paths = Vec::new();
        for item in items {
            match &item.value {
                Tree::Text(text) if !text.trim().is_empty() => match globs::compile(text) {
                    Ok(_) => paths.push(text.clone()),
                    Err(error) => {
                        let message = format!(
                            "{}: \"{}\" is no glob: {}",
                            reader.path,
                            text.escape_debug(),
                            error.kind()
                        );
                        reader.problems.error(item.at, message);
                    }
                },
                value => reader.wrong(item.at, "a list of paths", value),
            }
        }
        Some(paths)
    }
}

/// A list of commands. A bad one is reported and the others count.
impl Setting for Vec<CommandPattern> {
    fn schema() -> Json {
        json!({"type": ["array", "string"], "items": {"type": "string", "minLength": 1}})
    }

    fn read(node: &Node, reader: &mut SettingReader) -> Option<Self> {
        const EXPECTED: &str = "a list of commands: a program, and arguments after it";
        let items = match &node.value {
            Tree::List(items) => items.as_slice(),
            Tree::Text(_) => std::slice::from_ref(node),
            value => {
                reader.wrong(node.at, EXPECTED, value);
                return None;
            }
        };
        let mut patterns = Vec::new();
        for item in items {
            let pattern = match &item.value {
                Tree::Text(text) => CommandPattern::parse(text),
                _ => None,
            };
            match pattern {
                Some(pattern) => patterns.push(pattern),
                None => reader.wrong(item.at, EXPECTED, &item.value),
            }
        }
        Some(patterns)
    }
}

/// Reads a whole number within `range`.
pub(super) fn whole(node: &Node, range: RangeInclusive<u64>, reader: &mut SettingReader) -> Option<u64> {
    let value = node.value.as_whole(range.clone());
    if value.is_none() {
        let (least, most) = (range.start(), range.end());
        reader.wrong(node.at, &format!("a whole number from {least} to {most}"), &node.value);
    }
    value
}

/// Reads a number within `range`.
pub(super) fn number(node: &Node, range: RangeInclusive<f64>, reader: &mut SettingReader) -> Option<f64> {
    let value = node.value.as_number().filter(|value| range.contains(value));
    if value.is_none() {
        let (least, most) = (range.start(), range.end());
        reader.wrong(node.at, &format!("a number from {least} to {most}"), &node.value);
    }
    value
}

/// The schema of [`whole`].
pub(super) fn whole_schema(range: RangeInclusive<u64>) -> Json {
    json!({"type": "integer", "minimum": range.start(), "maximum": range.end()})
}

/// The schema of [`number`].
pub(super) fn number_schema(range: RangeInclusive<f64>) -> Json {
    json!({"type": "number", "minimum": range.start(), "maximum": range.end()})
}

/// The schema of [`word`]: a schema knows no "whatever its case", so each word stands there in both, and YAML 1.1's
/// false for off.
fn spellings(words: &[&str]) -> Json {
    let cases = words.iter().flat_map(|word| [word.to_lowercase(), word.to_uppercase()]).map(Json::from);
    let off = words.iter().any(|word| word.eq_ignore_ascii_case("off")).then(|| Json::from(false));
    json!({"enum": cases.chain(off).collect::<Vec<_>>()})
}

/// Reads one of `words`, whatever its case. An unquoted `off` is false in YAML 1.1, and means the word all the same.
fn word<T: Copy>(node: &Node, words: &[(&'static str, T)], reader: &mut SettingReader) -> Option<T> {
    let found = match &node.value {
        Tree::Text(text) => text.as_str(),
        Tree::Bool(false) => "off",
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

impl Setting for Mode {
    fn schema() -> Json {
        spellings(&MODES.map(|(word, _)| word))
    }

    fn read(node: &Node, reader: &mut SettingReader) -> Option<Self> {
        word(node, &MODES, reader)
    }
}

const TERMINAL_NOTICES: [(&str, TerminalNotice); 3] =
    [("off", TerminalNotice::Off), ("bell", TerminalNotice::Bell), ("desktop", TerminalNotice::Desktop)];

impl Setting for TerminalNotice {
    fn schema() -> Json {
        spellings(&TERMINAL_NOTICES.map(|(word, _)| word))
    }

    fn read(node: &Node, reader: &mut SettingReader) -> Option<Self> {
        word(node, &TERMINAL_NOTICES, reader)
    }
}

const LEVELS: [Level; 5] = [Level::Off, Level::Minimal, Level::Standard, Level::Aggressive, Level::Adaptive];

impl Setting for Level {
    fn schema() -> Json {
        spellings(&LEVELS.map(Level::name))
    }

    fn read(node: &Node, reader: &mut SettingReader) -> Option<Self> {
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
impl Setting for Option<Vec<RegressionType>> {
    fn schema() -> Json {
        json!({"type": "array", "items": spellings(&TYPES.map(|(word, _)| word))})
    }

    fn read(node: &Node, reader: &mut SettingReader) -> Option<Self> {
        let Tree::List(items) = &node.value else {
            reader.wrong(node.at, "a list of regression types", &node.value);
            return None;
        };
        let read: Vec<_> = items.iter().map(|item| word(item, &TYPES, reader)).collect();
        read.into_iter().collect::<Option<Vec<_>>>().map(Some)
    }
}

/// `iteration_N: LEVEL`. One bad entry leaves the default thresholds: without any the level would never rise.
impl Setting for Thresholds {
    fn schema() -> Json {
        json!({
            "type": "object",
            "patternProperties": {"^iteration_[1-9][0-9]*$": Level::schema()},
            "additionalProperties": false,
        })
    }

    fn read(node: &Node, reader: &mut SettingReader) -> Option<Self> {
        let Tree::Map(entries) = &node.value else {
            reader.wrong(node.at, "a mapping like iteration_3: STANDARD", &node.value);
            return None;
        };
        let mut levels = BTreeMap::new();
        let mut sound = true;
        for (key, value) in entries {
            let number = key.name.strip_prefix("iteration_").and_then(|number| number.parse().ok());
            let Some(number) = number.filter(|number: &u32| *number > 0) else {
                let message =
                    format!("{} has keys like iteration_3, not \"{}\"", reader.path, key.name.escape_debug());
                reader.problems.error(key.at, message);
                sound = false;
                continue;
            };
            match Level::read(value, reader) {
                Some(level) => {
                    levels.insert(number, level);
                }
                None => sound = false,
            }
        }
        sound.then(|| Thresholds(Cow::Owned(levels.into_iter().collect())))
    }
}

const SEVERITIES: [(&str, Option<Severity>); 5] = [
    ("off", None),
    ("low", Some(Severity::Low)),
    ("medium", Some(Severity::Medium)),
    ("high", Some(Severity::High)),
    ("critical", Some(Severity::Critical)),
];

/// `LP-012: low`. A bad entry leaves that pattern as it is.
impl Setting for BTreeMap<String, Option<Severity>> {
    fn schema() -> Json {
        json!({
            "type": "object",
            "patternProperties": {"^[A-Za-z]{2,8}-([A-Za-z]?[0-9]{3}|TODO|todo)$": spellings(&SEVERITIES.map(|(word, _)| word))},
            "additionalProperties": false,
        })
    }

    fn read(node: &Node, reader: &mut SettingReader) -> Option<Self> {
        let Tree::Map(entries) = &node.value else {
            reader.wrong(node.at, "a mapping like LP-012: low", &node.value);
            return None;
        };
        let mut severities = BTreeMap::new();
        for (key, value) in entries {
            let id = key.name.to_ascii_uppercase();
            if !is_pattern_id(&id) {
                let message =
                    format!("{} has keys like LP-012, not \"{}\"", reader.path, key.name.escape_debug());
                reader.problems.error(key.at, message);
            } else if let Some(severity) = word(value, &SEVERITIES, reader) {
                reader.name(key.at, &id);
                severities.insert(id, severity);
            }
        }
        Some(severities)
    }
}

/// `name: command`. A bad entry is reported and the others count.
impl Setting for BTreeMap<String, String> {
    fn schema() -> Json {
        json!({"type": "object", "additionalProperties": {"type": "string", "minLength": 1}})
    }

    fn read(node: &Node, reader: &mut SettingReader) -> Option<Self> {
        let Tree::Map(entries) = &node.value else {
            reader.wrong(node.at, "a mapping of names to commands", &node.value);
            return None;
        };
        let mut commands = BTreeMap::new();
        for (key, value) in entries {
            if let Some(Some(command)) = <Option<String>>::read(value, reader) {
                commands.insert(key.name.clone(), command);
            }
        }
        Some(commands)
    }
}

fn is_pattern_id(id: &str) -> bool {
    let Some((family, number)) = id.split_once('-') else { return false };
    let letters = (2..=8).contains(&family.len()) && family.bytes().all(|byte| byte.is_ascii_uppercase());
    // Some families of patterns have a letter before the number: `LP-T003`.
    let digits = number.strip_prefix(|c: char| c.is_ascii_uppercase()).unwrap_or(number);
    letters && (number == "TODO" || (digits.len() == 3 && digits.bytes().all(|byte| byte.is_ascii_digit())))
}
