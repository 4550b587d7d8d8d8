//! Paths that expressions of a source put together, in languages that are not read further: texts, the home, names that
//! stand for them, joined parts.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

/// So many values of one expression are looked at.
const MOST_VALUES: usize = 16;

/// The ways in which these languages name the home, and the folder of the build itself.
const PLACES: &[(&str, &str)] = &[
    ("os.UserHomeDir()", "~"),
    ("os.Getenv(\"HOME\")", "~"),
    ("System.getProperty(\"user.home\")", "~"),
    ("System.getProperty('user.home')", "~"),
    ("System.properties['user.home']", "~"),
    ("System.properties[\"user.home\"]", "~"),
    ("System.getenv(\"HOME\")", "~"),
    ("System.getenv('HOME')", "~"),
    ("System.getenv().HOME", "~"),
    ("System.env.HOME", "~"),
    ("System.env['HOME']", "~"),
    ("providers.environmentVariable(\"HOME\")", "~"),
    ("providers.systemProperty(\"user.home\")", "~"),
    ("std::env::var(\"HOME\")", "~"),
    ("env::var(\"HOME\")", "~"),
    ("env::var_os(\"HOME\")", "~"),
    ("dirs::home_dir()", "~"),
    ("home::home_dir()", "~"),
    ("env::home_dir()", "~"),
    ("System.user_home!()", "~"),
    ("System.user_home!", "~"),
    ("System.user_home()", "~"),
    ("System.fetch_env!(\"HOME\")", "~"),
    ("System.get_env(\"HOME\")", "~"),
    ("layout.projectDirectory", "."),
    ("project.rootDir", "."),
    ("project.projectDir", "."),
    ("rootProject.projectDir", "."),
    ("rootDir", "."),
    ("projectDir", "."),
];

/// Functions that give back a path of what they get, by the last part of their names.
const PATH_FUNCTIONS: &[&str] = &[
    "Join",
    "join",
    "Path",
    "File",
    "file",
    "files",
    "dir",
    "new",
    "of",
    "get",
    "Paths",
    "resolve",
    "unwrap",
    "expect",
    "to_string",
    "to_owned",
    "toString",
    "toFile",
    "toPath",
    "asFile",
    "from",
    "into",
    "format",
    "Sprintf",
    "Clean",
    "expand",
    "uri",
    "fileTree",
    "absolutePath",
    "absoluteFile",
    "listOf",
    "setOf",
    "arrayOf",
    "unwrap_or_default",
    "as_str",
    "as_path",
    "clone",
    "var",
    "string",
];

type ValuePattern = LazyLock<Option<Regex>>;
static GIVEN: ValuePattern = LazyLock::new(|| {
    Regex::new(r"(?m)^[ \t]*(?:(?:let|const|var|val|def|final|static|private|mut|String|File|Path)\s+)*@?(\w+)(?:\s*,\s*(?:_|err|ok))?(?:\s*:\s*[&\w<>]+)?\s*:?=\s*([^=\n;][^\n;]*)").ok()
});
static LOOPS: ValuePattern = LazyLock::new(|| {
    Regex::new(r"\bfor\s*\(?\s*(?:_\s*,\s*)?(?:(?:val|var|def|String)\s+)?(\w+)\s*(?::=\s*range\b|<-|\bin\b|:)\s*([^\n]*)").ok()
});
static EACH: ValuePattern = LazyLock::new(|| {
    Regex::new(r"(\[[^\]\n]*\]|listOf\([^)\n]*\))\.(?:each|forEach)\s*\{\s*(?:(\w+)\s*->)?").ok()
});
static TEXTS: ValuePattern = LazyLock::new(|| Regex::new(r#""([^"\n]*)"|'([^'\n]*)'"#).ok());

/// The names of a source that stand for texts.
pub(super) struct ForeignValues {
    known: BTreeMap<String, Vec<String>>,
}

impl ForeignValues {
    /// The source with the home and the folder of the build as plain texts.
    pub(super) fn with_places(source: &str) -> String {
        PLACES.iter().fold(source.to_owned(), |text, (name, place)| match text.contains(name) {
            true => text
                .replace(&format!("${{{name}}}"), place)
                .replace(&format!("#{{{name}}}"), place)
                .replace(&format!("${name}"), place)
                .replace(name, &format!("\"{place}\"")),
            false => text,
        })
    }

    pub(super) fn of(source: &str) -> ForeignValues {
        let mut values = ForeignValues { known: BTreeMap::new() };
        for found in LOOPS.iter().flat_map(|pattern| pattern.captures_iter(source)) {
            let text = |index| found.get(index).map_or("", |found| found.as_str());
            values.learn(text(1), texts_in(text(2)));
        }
        for found in EACH.iter().flat_map(|pattern| pattern.captures_iter(source)) {
            let text = |index| found.get(index).map_or("", |found| found.as_str());
            let name = if text(2).is_empty() { "it" } else { text(2) };
            values.learn(name, texts_in(text(1)));
        }
        for found in GIVEN.iter().flat_map(|pattern| pattern.captures_iter(source)) {
            let text = |index| found.get(index).map_or("", |found| found.as_str());
            let value = values.of_expression(text(2)).unwrap_or_default();
            values.learn(text(1), value);
        }
        values
    }

    fn learn(&mut self, name: &str, found: Vec<String>) {
        if !found.is_empty() && found.len() <= MOST_VALUES {
            self.known.entry(name.to_owned()).or_insert(found);
        }
    }

    /// The paths that an expression may be; nothing where a part of it is not known.
    pub(super) fn of_expression(&self, expression: &str) -> Option<Vec<String>> {
        let between = if expression.contains('+') { "" } else { "/" };
        let mut found: Vec<String> = vec![String::new()];
        let mut rest = expression.trim();
        let mut any = false;
        while let Some(first) = rest.chars().next() {
            let parts = match first {
                '"' | '\'' | '`' => {
                    let (inside, after) = rest.get(1..)?.split_once(first)?;
                    rest = after;
                    self.of_text(inside)?
                }
                _ if first.is_alphabetic() || first == '_' => {
                    let is_part = |it: char| it.is_alphanumeric() || "_.:!?".contains(it);
                    let end = rest.find(|it: char| !is_part(it)).unwrap_or(rest.len());
                    let (name, after) = rest.split_at_checked(end)?;
                    rest = after;
                    match self.of_name(name, after)? {
                        parts if parts.is_empty() => continue,
                        parts => parts,
                    }
                }
                // A number or a comparison is no path.
                _ if first.is_ascii_digit() || "<>=!%^*".contains(first) => return None,
                _ => {
                    rest = rest.get(first.len_utf8()..)?;
                    continue;
                }
            };
            any = true;
            let joined =
                found.iter().flat_map(|before| parts.iter().map(|part| put_together(before, between, part)));
            found = joined.take(MOST_VALUES).collect();
        }
        (any && found.iter().all(|path| !path.is_empty())).then_some(found)
    }

    /// A name: a value that is known, or a function that gives back a path of what it gets.
    fn of_name(&self, name: &str, after: &str) -> Option<Vec<String>> {
        if let Some(values) = self.known.get(name) {
            return Some(values.clone());
        }
        let last = name.rsplit(['.', ':']).next().unwrap_or_default().trim_end_matches(['!', '?']);
        let base = name.split(['.', ':']).next().unwrap_or_default();
        let is_path = PATH_FUNCTIONS.contains(&last) || matches!(name, "new" | "nil" | "true" | "false");
        let is_called = after.starts_with('(') || after.starts_with("!(");
        match self.known.get(base).filter(|_| name.len() > base.len() && is_path) {
            Some(values) => Some(values.clone()),
            None => (is_path && (is_called || last == "new" || name == last)).then(Vec::new),
        }
    }

    /// A text with the names in it that are known.
    fn of_text(&self, text: &str) -> Option<Vec<String>> {
        let mut found = vec![text.to_owned()];
        for (name, values) in &self.known {
            let forms =
                [format!("${{{name}}}"), format!("#{{{name}}}"), format!("{{{name}}}"), format!("${name}")];
            let Some(form) = forms.iter().find(|form| text.contains(form.as_str())) else { continue };
            let filled =
                found.iter().flat_map(|text| values.iter().map(|value| text.replace(form.as_str(), value)));
            found = filled.take(MOST_VALUES).collect();
        }
        found
            .iter()
            .all(|text| !(text.contains("${") || text.contains("#{") || text.contains('$')))
            .then_some(found)
    }
}

/// Two parts of a path; a text with a place for the next one takes it in.
fn put_together(before: &str, between: &str, part: &str) -> String {
    for hole in ["{}", "%s"] {
        if before.contains(hole) {
            return before.replacen(hole, part, 1);
        }
    }
    match before.is_empty() {
        true => part.to_owned(),
        false => format!("{before}{between}{part}").replace("//", "/"),
    }
}

/// The texts of a list.
fn texts_in(list: &str) -> Vec<String> {
    let found = TEXTS.iter().flat_map(|pattern| pattern.captures_iter(list));
    found.filter_map(|it| it.get(1).or_else(|| it.get(2))).map(|it| it.as_str().to_owned()).collect()
}
