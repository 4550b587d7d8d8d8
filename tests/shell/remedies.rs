//! Every command that a text of Steadfast names passes Steadfast: read out of the sources, so that no text is forgotten.

use std::fs;
use std::path::{Path, PathBuf};

use crate::level;
use crate::place::Place;

/// What stands in a text for a value, and a value.
const VALUES: &[(&str, &str)] =
    &[("ID", "one"), ("CODE", "ABCD2345"), ("FILE", "calc.py"), ("PATH", "calc.py"), ("N", "1")];

/// Commands that decide for the guard. They are for the person, and an agent that runs one is stopped: that is the point
/// of them.
const DECISIONS: &[&str] = &[
    "steadfast gate",
    "steadfast allow",
    "steadfast loop",
    "steadfast migrate",
    "steadfast run",
    "steadfast uninstall",
    "steadfast patterns false-positive",
    "steadfast reflect clear",
    "steadfast accept",
    "steadfast undo --accept",
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        let is_test = ["tests", "cases", "reports"].contains(&name.as_str())
            || name.ends_with("_tests")
            || name.ends_with("_cases");
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") && !is_test {
            found.push(path);
        }
    }
}

/// The string literals of a source, comments and the tests at its end left out.
fn literals(source: &str) -> Vec<String> {
    let source = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let mut found = Vec::new();
    let mut letters = source.chars().peekable();
    let mut before = ' ';
    while let Some(letter) = letters.next() {
        match letter {
            '/' if letters.peek() == Some(&'/') => while letters.next_if(|next| *next != '\n').is_some() {},
            '\'' if before != '\'' => {
                // A character in quotes; a lifetime has no second quote.
                let rest: String = letters.clone().take(3).collect();
                if rest.starts_with('\\') || rest.chars().nth(1) == Some('\'') {
                    let escaped = letters.next() == Some('\\');
                    if escaped {
                        letters.next();
                    }
                    letters.next();
                }
            }
            '"' => {
                let raw = before == 'r' || before == '#';
                let mut text = String::new();
                while let Some(inside) = letters.next() {
                    match inside {
                        '"' if !raw || letters.peek() == Some(&'#') || before == 'r' => break,
                        '\\' if !raw => match letters.next() {
                            Some('n') => text.push('\n'),
                            Some('\n') => while letters.next_if(|next| next.is_whitespace()).is_some() {},
                            Some(other) => text.push(other),
                            None => break,
                        },
                        other => text.push(other),
                    }
                }
                found.push(text);
            }
            _ => {}
        }
        before = letter;
    }
    found
}

/// The commands that a text names between backticks.
fn commands(text: &str) -> Vec<String> {
    const PROGRAMS: &[&str] =
        &["steadfast", "git", "rm", "cargo", "npm", "kubectl", "/steadfast", "./install.sh", "curl", "sh"];
    text.split('`')
        .skip(1)
        .step_by(2)
        .filter(|span| span.split([' ', ':']).next().is_some_and(|first| PROGRAMS.contains(&first)))
        .map(filled)
        .collect()
}

/// A command with values where the text has place holders.
fn filled(span: &str) -> String {
    let mut text = String::new();
    let mut rest = span;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        text.push_str("one");
        rest = after.split_once('}').map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    let words = text
        .split(' ')
        .map(|word| VALUES.iter().find(|(name, _)| *name == word).map_or(word, |(_, value)| *value));
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn every_command_that_a_text_names_passes() {
    let place = Place::new();
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    let mut named: Vec<String> = files
        .iter()
        .flat_map(|file| literals(&fs::read_to_string(file).expect("a source")))
        .flat_map(|text| commands(&text))
        .collect();
    named.sort();
    named.dedup();
    assert!(named.len() > 20, "only {} commands were found: {named:?}", named.len());
    let mut wrong = Vec::new();
    for (number, command) in named.iter().enumerate() {
        let level = level(&place, number, command);
        let decides = DECISIONS.iter().any(|start| command.starts_with(start));
        if level == "deny" && !decides {
            wrong.push(command.as_str());
        }
    }
    assert_eq!(wrong, Vec::<&str>::new(), "of {named:#?}");
}
