//! Rules of a Makefile, and which of them make's arguments name.

use crate::languages::modules::imports::folder;
use crate::loops::criterion_inputs::{MOST, joined};

/// The folder, the file and the targets that make's arguments name.
pub(crate) fn arguments<'w>(rest: &[&'w str]) -> (Option<&'w str>, Option<&'w str>, Vec<&'w str>) {
    let (mut folder, mut file, mut targets) = (None, None, Vec::new());
    let mut words = rest.iter().copied();
    while let Some(word) = words.next() {
        match word {
            "-C" | "--directory" => folder = words.next(),
            "-f" | "--file" => file = words.next(),
            "-j" | "-l" | "-o" | "-W" => {}
            _ if word.starts_with('-') || word.contains('=') => {}
            _ if word.bytes().all(|byte| byte.is_ascii_digit()) => {}
            _ => targets.push(word),
        }
    }
    (folder, file, targets)
}

/// The target that a bare `make` makes.
pub(crate) fn first_target(text: &str) -> Option<String> {
    let mut all = text.lines().filter_map(targets_of).flat_map(|(targets, _)| targets);
    all.find(|target| !target.starts_with('.')).map(str::to_owned)
}

/// The prerequisites and the recipe of a target; rules of one name are one.
pub(crate) fn rule(text: &str, target: &str) -> Option<(Vec<String>, Vec<String>)> {
    let (mut prerequisites, mut recipe, mut inside, mut found) = (Vec::new(), Vec::new(), false, false);
    for line in text.lines() {
        if line.starts_with('\t') {
            let command = line.trim().trim_start_matches(['@', '+']);
            if inside && !command.is_empty() && !command.starts_with('#') {
                recipe.push(expanded(command, text));
            }
            continue;
        }
        let Some((targets, rest)) = targets_of(line) else { continue };
        inside = targets.contains(&target);
        if inside {
            found = true;
            let (needs, inline) = rest.split_once(';').unwrap_or((rest, ""));
            prerequisites.extend(needs.split_whitespace().filter(|it| *it != "|").map(str::to_owned));
            recipe.extend(Some(inline.trim().to_owned()).filter(|it| !it.is_empty()));
        }
    }
    found.then_some((prerequisites, recipe))
}

/// The targets of a rule's first line, and what stands behind the colon.
fn targets_of(line: &str) -> Option<(Vec<&str>, &str)> {
    if line.starts_with(['\t', ' ', '#']) {
        return None;
    }
    let line = line.split(" #").next().unwrap_or(line);
    let (targets, rest) = line.split_once(':')?;
    let rest = rest.strip_prefix(':').unwrap_or(rest);
    if targets.contains(['=', '$']) || rest.starts_with('=') {
        return None;
    }
    Some((targets.split_whitespace().collect(), rest))
}

/// A Makefile with the files that it includes, each with its text.
pub(crate) fn with_included(
    file: String,
    text: String,
    read: &dyn Fn(&str) -> Option<String>,
) -> Vec<(String, String)> {
    let folder = folder(&file).to_owned();
    let mut files = vec![(file, text)];
    let mut at = 0;
    while let Some((_, text)) = files.get(at).filter(|_| files.len() < MOST) {
        let named: Vec<String> = included(text).iter().map(|name| joined(&folder, name)).collect();
        for name in named {
            let is_new = files.iter().all(|(known, _)| *known != name);
            files.extend(read(&name).filter(|_| is_new).map(|text| (name, text)));
        }
        at += 1;
    }
    files
}

/// The files that a Makefile includes, as they stand there.
fn included(text: &str) -> Vec<String> {
    let lists = text.lines().filter_map(|line| {
        ["include ", "-include ", "sinclude "].iter().find_map(|word| line.strip_prefix(word))
    });
    let names = lists.flat_map(|list| list.split(" #").next().unwrap_or(list).split_whitespace());
    // A folder that is worked out is mostly the Makefile's own.
    names
        .map(|name| name.rsplit([')', '}']).next().unwrap_or(name).trim_start_matches('/').to_owned())
        .collect()
}

/// A line with the variables that the Makefile sets to a text.
fn expanded(line: &str, text: &str) -> String {
    let mut line = line.to_owned();
    for _ in 0..8 {
        let Some((before, name, behind)) = variable(&line) else { break };
        let Some(value) = value_of(text, name) else { break };
        line = format!("{before}{value}{behind}");
    }
    line
}

/// The first variable of a line, with what stands before and behind it.
fn variable(line: &str) -> Option<(&str, &str, &str)> {
    let at = ["$(", "${"].iter().filter_map(|open| line.find(open)).min()?;
    let rest = line.get(at + 2..)?;
    let end = rest.find([')', '}'])?;
    let name = rest.get(..end).filter(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))?;
    Some((line.get(..at)?, name, rest.get(end + 1..)?))
}

fn value_of<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let mut set = text.lines().filter_map(|line| {
        let (head, value) = line.split_once('=')?;
        let is_it =
            head.trim_end_matches([':', '?', '+', '!']).trim().trim_start_matches("export ").trim() == name;
        is_it.then(|| value.trim())
    });
    set.next_back()
}
