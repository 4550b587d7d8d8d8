//! Runs that choose tests by a pattern: one that fits no test says nothing, and mostly ends well.

use crate::runners::is_module;
use crate::shell::model::option::named_values;
use crate::shell::model::{Command, Effect, EffectKind};

/// Runners, and the options by which they choose tests by name.
const OPTIONS: &[(&[&str], &[&str])] = &[
    (&["pytest", "py.test", "python", "python3"], &["-k"]),
    (&["jest", "vitest"], &["-t", "--testNamePattern"]),
    (&["npm", "pnpm", "yarn", "bun"], &["-t", "--testNamePattern", "-g", "--grep", "--test-name-pattern"]),
    (&["go"], &["-run", "--run", "-test.run"]),
    (&["node"], &["--test-name-pattern"]),
    (&["mocha", "playwright"], &["-g", "--grep"]),
    (&["rspec"], &["-e", "--example"]),
    (&["ava"], &["-m", "--match"]),
    (&["phpunit", "dotnet"], &["--filter"]),
    (&["mvn", "mvnw"], &["-Dtest"]),
    (&["gradle", "gradlew"], &["--tests"]),
    (&["ctest"], &["-R", "--tests-regex"]),
    (&["dart", "flutter"], &["-n", "--name", "-N", "--plain-name"]),
];
/// Words of patterns that are no part of a test's name.
const SYNTAX: &[&str] = &[
    "and",
    "or",
    "not",
    "FullyQualifiedName",
    "DisplayName",
    "Name",
    "ClassName",
    "TestCategory",
    "Category",
];
/// Shorter words say nothing about a name.
const SHORTEST: usize = 4;

/// What a run chooses.
pub(crate) struct TestSelection<'c> {
    pub(crate) option: &'c str,
    pattern: &'c str,
    pub(crate) fits_nothing: bool,
}

/// The pattern by which a run chooses its tests.
pub(crate) fn of(command: &Command) -> Option<TestSelection<'_>> {
    let program = command.program();
    let named = || {
        let (_, options) = OPTIONS.iter().find(|(names, _)| names.contains(&program))?;
        named_values(&command.words)
            .find_map(|(name, value)| Some((name, value.filter(|_| options.contains(&name))?)))
    };
    let (option, pattern) = named().or_else(|| of_cargo(command))?;
    // Benchmarks, fuzzing and listings run no tests on purpose.
    let is_meant = command.words.iter().any(|word| {
        let text = word.text.trim_start_matches('-').trim_start_matches("test.");
        ["bench", "fuzz", "list", "collect-only", "co"].iter().any(|it| text.split('=').next() == Some(it))
    });
    (!is_meant && !pattern.is_empty()).then(|| TestSelection {
        option,
        pattern,
        fits_nothing: fits_nothing(program, pattern),
    })
}

/// Whether a run is one of all tests: no word of it names a file, a folder or a test.
pub(crate) fn is_of_all(command: &Command) -> bool {
    const ORDERS: &[&str] = &["test", "t", "tests", "run", "run-script", "check", "spec", "./...", ".", "-m"];
    let is_order = |text: &str| {
        text.starts_with('-') || ORDERS.contains(&text) || text.split([':', '-']).any(|part| part == "test")
    };
    let mut words = command.words.iter().skip(1).map(|word| word.text.as_str());
    of(command).is_none() && words.all(|text| is_order(text) || is_module(text))
}

/// `cargo test name`: the first word that is no option's value.
fn of_cargo(command: &Command) -> Option<(&str, &str)> {
    const VALUED: &[&str] = &[
        "-p",
        "--package",
        "--test",
        "--bench",
        "--example",
        "--bin",
        "--features",
        "-F",
        "--target",
        "--profile",
        "-j",
        "--jobs",
        "--manifest-path",
        "--target-dir",
        "--exclude",
        "--color",
        "-Z",
        "--message-format",
    ];
    (command.program() == "cargo").then_some(())?;
    let words: Vec<&str> = command.words.iter().skip(1).map(|word| word.text.as_str()).collect();
    let start = words.iter().position(|word| matches!(*word, "test" | "t"))? + 1;
    let own = words.get(start..)?.iter().take_while(|word| **word != "--");
    let mut after_option = false;
    let mut free = own.filter(|word| {
        let is_value = std::mem::replace(&mut after_option, VALUED.contains(*word));
        !is_value && !word.starts_with(['-', '+'])
    });
    Some(("test", free.next()?))
}

/// A pattern under which no name can be.
fn fits_nothing(program: &str, pattern: &str) -> bool {
    let pattern = pattern.trim_matches(['"', '\'', '/']);
    matches!(
        pattern,
        "^$" | "$^" | "(?!)" | "(?!.*)" | "a^" | "$." | "$a" | ".^" | "^\\b$" | "[]" | "\\b\\B" | "(?!x)x"
    ) || (program == "go"
        && matches!(pattern, "NONE" | "none" | "None" | "XXX" | "xxx" | "^NONE$" | "^none$" | "^XXX$"))
}

impl TestSelection<'_> {
    /// The longest word of the pattern, which some file must hold where a test has such a name.
    pub(crate) fn to_look_up(&self, command: &Command) -> Option<Effect> {
        let pattern = self.pattern;
        // A group, a choice and what leaves tests out name no test by a word.
        if pattern.split_whitespace().any(|word| matches!(word, "not" | "or"))
            || pattern.contains('|')
            || pattern.contains(['\u{E000}', '\u{E001}', '(', '[', '!'])
        {
            return None;
        }
        let parts = pattern.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
        let is_go = command.program() == "go";
        let words =
            parts.flat_map(|part| if is_go { part.split('_').collect::<Vec<_>>() } else { vec![part] });
        let word = words
            .filter(|word| word.len() >= SHORTEST && !SYNTAX.contains(word))
            .max_by_key(|word| word.len())?;
        let mut effect =
            Effect::of(EffectKind::ChoosesTests, command, self.option, &[], command.directory.as_deref());
        effect.content = Some(word.to_owned());
        Some(effect)
    }
}
