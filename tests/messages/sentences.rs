//! The sentences of the sources, by file: string literals of some words, without tests and attributes.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use tree_sitter::{Node, Parser};

/// Rooms whose words are read and not said: languages, runners, reports, shells.
const READ_ONLY: &[&str] = &["languages", "metrics", "runners", "shell"];
/// So many words make a sentence.
const WORDS: usize = 4;

/// The chapter.
pub(crate) fn chapter(sources: &Path) -> String {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_rust::LANGUAGE.into()).unwrap();
    let mut out = String::new();
    let mut room = String::new();
    let all = files(sources);
    let for_tests = declared_for_tests(&all);
    for path in all.into_iter().filter(|path| !for_tests.contains(path)) {
        let text = fs::read_to_string(&path).unwrap();
        let tree = parser.parse(&text, None).unwrap();
        let mut sentences = Vec::new();
        collect(tree.root_node(), &text, &mut sentences);
        let mut each = Vec::new();
        for sentence in sentences {
            if !each.contains(&sentence) {
                each.push(sentence);
            }
        }
        if each.is_empty() {
            continue;
        }
        let below = path.strip_prefix(sources).unwrap().display().to_string();
        let of = below.split('/').next().unwrap_or_default().to_owned();
        if READ_ONLY.contains(&of.as_str()) {
            continue;
        }
        if of != room {
            writeln!(out, "### {}\n", of.trim_end_matches(".rs")).unwrap();
            room = of;
        }
        writeln!(out, "`src/{below}`\n").unwrap();
        for sentence in each {
            writeln!(out, "- {sentence}").unwrap();
        }
        out.push('\n');
    }
    out
}

/// The source files, in the order of their names.
fn files(directory: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = fs::read_dir(directory).unwrap().map(|it| it.unwrap().path()).collect();
    entries.sort();
    let below = |path: PathBuf| if path.is_dir() { files(&path) } else { vec![path] };
    let all = entries.into_iter().flat_map(below);
    all.filter(|path| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_test = name.contains("tests.rs") || name.contains("cases.rs") || name.contains("testing.rs");
        name.ends_with(".rs") && !is_test && !path.components().any(|part| part.as_os_str() == "tests")
    })
    .collect()
}

/// The files that others declare for tests alone.
fn declared_for_tests(all: &[PathBuf]) -> Vec<PathBuf> {
    let form = regex::Regex::new(r"#\[cfg\(test\)\]\s*(?:pub(?:\([a-z: ]+\))? )?mod (\w+);").unwrap();
    let mut found = Vec::new();
    for path in all {
        let text = fs::read_to_string(path).unwrap();
        let is_root = path.file_name().is_some_and(|name| name == "mod.rs" || name == "lib.rs");
        let folder = if is_root { path.parent().unwrap().to_owned() } else { path.with_extension("") };
        for (_, [name]) in form.captures_iter(&text).map(|found| found.extract()) {
            found.extend([folder.join(format!("{name}.rs")), folder.join(name).join("mod.rs")]);
        }
    }
    found
}

/// Adds the sentences below a node.
fn collect(node: Node, text: &str, into: &mut Vec<String>) {
    let mut cursor = node.walk();
    let mut is_test = false;
    for child in node.named_children(&mut cursor) {
        match child.kind() {
            "attribute_item" | "inner_attribute_item" => {
                is_test |= of(child, text).starts_with("#[cfg(test)]")
            }
            "line_comment" | "block_comment" => {}
            "macro_invocation" if is_for_programmers(of(child, text)) => is_test = false,
            "string_literal" | "raw_string_literal" => into.extend(sentence(of(child, text))),
            _ if is_test => is_test = false,
            _ => collect(child, text, into),
        }
    }
}

/// Whether a macro's text never reaches anybody.
fn is_for_programmers(call: &str) -> bool {
    ["assert", "debug_assert", "unreachable", "include_str", "concat"]
        .iter()
        .any(|name| call.starts_with(name))
}

fn of<'t>(node: Node, text: &'t str) -> &'t str {
    text.get(node.byte_range()).unwrap_or_default()
}

/// The literal in one line, where it is a sentence.
fn sentence(literal: &str) -> Option<String> {
    let inner = literal.trim_start_matches(['r', 'b', '#']).trim_end_matches('#').trim_matches('"');
    let unfolded = inner.replace("\\n", " ").replace("\\\"", "\"").replace("\\\n", " ").replace("\\\\", "\\");
    let line = unfolded.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_word = |word: &&str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        word.len() > 1 && word.chars().all(|c| c.is_alphabetic() || "'’-".contains(c))
    };
    let is_pattern = line.contains("(?") || line.contains("\\s") || line.contains("\\b");
    (line.split(' ').filter(is_word).count() >= WORDS && !is_pattern).then_some(line)
}
