//! The rules of a Makefile or a justfile, and the lines that targets run.

use std::collections::HashSet;

use crate::shell::model::Command;

/// So many recipes are followed from target to target.
const MOST_TARGETS: usize = 64;

/// A makefile with the variables that the words of a call give instead of its own: `make clean OUT=~/x`.
pub(super) fn with_given(text: &str, command: &Command) -> String {
    let given = command.words.iter().skip(1).filter(|word| word.known && !word.text.starts_with('-'));
    given.filter_map(|word| word.text.split_once('=')).fold(text.to_owned(), |text, (name, value)| {
        text.replace(&format!("$({name})"), value).replace(&format!("${{{name}}}"), value)
    })
}

/// A rule of a Makefile or a justfile.
struct MakeRule {
    targets: Vec<String>,
    needs: Vec<String>,
    lines: String,
}

/// The lines that targets run, with those of the targets that they need.
pub(super) fn recipe_lines(text: &str, asked: &[String]) -> Vec<String> {
    let rules = rules(text);
    let is_plain =
        |rule: &&MakeRule| rule.targets.iter().any(|name| !name.starts_with('.') && !name.contains('%'));
    let first = || rules.iter().find(is_plain).map(|rule| rule.targets.clone()).unwrap_or_default();
    let mut waiting = if asked.is_empty() { first() } else { asked.to_vec() };
    let mut seen: HashSet<String> = HashSet::new();
    let mut texts = Vec::new();
    while let Some(target) = waiting.pop() {
        if seen.len() >= MOST_TARGETS || !seen.insert(target.clone()) {
            continue;
        }
        for rule in rules.iter().filter(|rule| rule.targets.contains(&target)) {
            waiting.extend(rule.needs.iter().cloned());
            texts.extend((!rule.lines.is_empty()).then(|| as_shell(&rule.lines)));
        }
    }
    texts
}

/// Lines of a recipe as the shell gets them, as far as its variables come from the environment: `$(HOME)` is none of its
/// commands, and `$$x` its own.
fn as_shell(lines: &str) -> String {
    const FROM_OUTSIDE: &[&str] = &["HOME", "PWD", "CURDIR", "USER", "PATH", "TMPDIR"];
    FROM_OUTSIDE
        .iter()
        .fold(lines.replace("$$", "$"), |text, name| {
            text.replace(&format!("$({name})"), &format!("${{{name}}}"))
        })
        .replace("${CURDIR}", "${PWD}")
}

fn rules(text: &str) -> Vec<MakeRule> {
    let mut rules: Vec<MakeRule> = Vec::new();
    for line in text.lines() {
        if let Some(recipe) = line.strip_prefix(['\t', ' ']) {
            let command = recipe.trim_start().trim_start_matches(['@', '-', '+']);
            if let Some(rule) = rules.last_mut().filter(|_| !command.is_empty()) {
                rule.lines.push_str(command);
                rule.lines.push('\n');
            }
            continue;
        }
        let Some((head, rest)) = line.split_once(':').filter(|_| !line.starts_with('#')) else { continue };
        if rest.starts_with('=') || head.contains('=') {
            continue;
        }
        let (needs, inline) = rest.split_once(';').unwrap_or((rest, ""));
        let words =
            |text: &str| text.split_whitespace().map(|it| it.trim_matches(['(', ')']).to_owned()).collect();
        rules.push(MakeRule { targets: words(head), needs: words(needs), lines: inline.trim().to_owned() });
    }
    rules
}
