//! What single lines of tests say: which name they give to what, what they define, and what they bring in from where.

use std::collections::BTreeSet;

use crate::detectors::testing::word_edit::each_word;
use crate::languages::assigned;
use crate::languages::differing::DifferingMiddle;
use crate::model::words::{has_word, is_name_part, words};

/// Parts of names of what only stands for something, in lower case.
const FAKES: &[&str] = &["fake", "mock", "stub", "double", "dummy", "standin", "stand_in"];
/// What a line names a type with.
const TYPES: &[&str] =
    &["class ", "struct ", "interface ", "object ", "defmodule ", "module ", "record ", "enum ", "type "];
/// How lines begin that bring modules in.
const BRINGING: &[&str] =
    &["import", "from ", "use ", "using ", "#include", "namespace", "package ", "export "];
/// Parts of lines that are no data: stand-ins by path, what says that a test failed, places on the machine.
const BESIDE: &[&str] = &[
    "require(",
    "import(",
    "patch(",
    "mock(",
    "describe(",
    "Errorf(",
    "Fatalf(",
    ".Error(",
    ".Fatal(",
    ".Log",
    "/tmp",
    "localhost",
    "127.0.0.1",
];
/// Words of names that say when and where a test runs, or what is said of it.
const BESIDE_NAMES: &[&str] = &[
    "skip", "skipped", "ignore", "timeout", "sleep", "wait", "port", "seed", "retries", "message", "reason",
    "title", "version",
];

/// The name that a line gives to a value, and the value.
pub(super) fn bound(line: &str) -> Option<(&str, &str)> {
    let line = line.trim().trim_end_matches(';');
    // RSpec's `let(:cart) { Cart.new }`.
    let lazily =
        ["let(:", "let!(:", "subject(:", "subject!(:"].iter().find_map(|head| line.strip_prefix(head));
    if let Some((name, rest)) = lazily.and_then(|rest| rest.split_once(')')) {
        return Some((name, rest.trim().trim_start_matches(['{', ' '])));
    }
    let (left, value) = assigned(line)?;
    let left = left.trim_end_matches([':', ' ']);
    let left = left.split(": ").next().unwrap_or(left);
    if left.contains(['(', '"', '\'', '{']) {
        return None;
    }
    // `got, err :=` gives the first of both.
    let left = left.split(',').map(str::trim).find(|name| *name != "_").unwrap_or(left);
    // Go's `var total biller =` has the type behind the name.
    let typed: Vec<&str> = left.split_whitespace().collect();
    let left = match typed[..] {
        ["var", name, _] => name,
        _ => left,
    };
    let start = left.rfind(|c: char| !is_name_part(c)).map_or(0, |at| at + 1);
    let name = left.get(start..).filter(|name| !name.is_empty())?;
    let value = value.trim();
    let value = value.strip_prefix("await ").unwrap_or(value);
    Some((name, value))
}

/// The type that a line declares.
pub(super) fn declared(line: &str) -> Option<&str> {
    let bare = line.trim_start();
    TYPES.iter().find_map(|word| {
        let at = bare.find(word)?;
        let head = bare.get(..at)?;
        let is_modifiers = head.chars().all(|c| c.is_ascii_alphabetic() || c == ' ');
        let rest = bare.get(at + word.len()..)?.trim_start();
        let end = rest.find(|c: char| !(is_name_part(c) || c == '.')).unwrap_or(rest.len());
        let name = rest.get(..end)?.rsplit('.').next()?;
        let is_name = name.len() > 1 && name.starts_with('_') || name.starts_with(char::is_alphabetic);
        (is_modifiers && is_name).then_some(name)
    })
}

/// Whether a line defines a function or a method of this name.
pub(super) fn defines(line: &str, name: &str) -> bool {
    let bare = line.trim_start();
    let Some(at) = bare.find(name).filter(|_| has_word(bare, name)) else { return false };
    let (head, rest) = (bare.get(..at).unwrap_or_default(), bare.get(at + name.len()..).unwrap_or_default());
    let rest = rest.trim_start_matches(['?', '!']);
    let first = head.split_whitespace().next().unwrap_or_default();
    const HEADS: &[&str] = &["def ", "defp ", "fun ", "func ", "fn ", "function "];
    if HEADS.iter().any(|word| head.ends_with(word)) || head.starts_with("func (") && head.ends_with(") ") {
        return rest.is_empty() || rest.starts_with(['(', ' ', '<', ':', '[']);
    }
    const MODIFIERS: &[&str] =
        &["public", "protected", "private", "override", "internal", "static", "final", "virtual"];
    let is_typed = MODIFIERS.contains(&first) && rest.starts_with('(') && !head.contains(['(', '=', '.']);
    // `int total() {`, without a modifier.
    const LEAVING: &[&str] =
        &["return", "new", "else", "throw", "await", "yield", "if", "while", "for", "case"];
    let is_plain = !head.is_empty()
        && head.ends_with([' ', '*', '&'])
        && !head.contains(['(', '=', '.', '"', '\''])
        && !LEAVING.contains(&first)
        && rest.starts_with('(')
        && bare.ends_with(['{', '}']);
    // JavaScript's `total() {`, `async save() {`, and `total: () =>` in an object.
    let ends = bare.ends_with(['{', '}']) || bare.ends_with("},");
    let is_method = matches!(head, "" | "async " | "get " | "static ") && rest.starts_with('(') && ends;
    let is_entry = head.is_empty()
        && rest
            .strip_prefix(": ")
            .is_some_and(|it| it.contains("=>") || it.contains("function") || it.contains(".fn("));
    is_typed || is_plain || is_method || is_entry
}

/// Whether a line begins a function that takes and gives nothing, as most tests do: `fn adds() {`, `def test_adds(till):`.
/// Nobody asks it in place of another, unless it has the other's name.
pub(super) fn gives_nothing(line: &str) -> bool {
    let line = line.trim();
    let is_test =
        ["def test", "async def test", "func Test", "func test"].iter().any(|it| line.starts_with(it));
    let is_plain = ["fn ", "fun ", "void ", "Task ", "func "].iter().any(|word| {
        let rest = line.split_once(word).filter(|(head, _)| !head.contains(['(', '=', '"'])).map(|it| it.1);
        rest.and_then(|rest| rest.split_once("()")).is_some_and(|(name, rest)| {
            let ends = ["", "{", "throws {", "async throws {", "async {"].contains(&rest.trim());
            ends && name.chars().all(|c| is_name_part(c) || matches!(c, '`' | ' '))
        })
    });
    is_test || is_plain
}

/// The name in front of a line's arguments or its `=`: that of a function which the line defines.
pub(super) fn defined_name(line: &str) -> &str {
    let head = line.split(['(', '=']).next().unwrap_or_default().trim_end();
    head.rsplit(|c: char| !is_name_part(c)).next().unwrap_or_default()
}

/// The type that a method of Go belongs to.
pub(super) fn go_receiver(line: &str) -> Option<String> {
    let inside = line.trim_start().strip_prefix("func (")?.split(')').next()?;
    Some(inside.rsplit([' ', '*']).next()?.to_owned())
}

/// Whether a text makes an object of a type.
pub(super) fn constructs(text: &str, class: &str) -> bool {
    text.match_indices(class).any(|(at, _)| {
        let (head, rest) =
            (text.get(..at).unwrap_or_default(), text.get(at + class.len()..).unwrap_or_default());
        !head.ends_with(is_name_part)
            && (rest.starts_with(['(', '{']) || rest.starts_with(".new") || rest.starts_with("::new"))
    })
}

pub(super) fn is_fake(value: &str) -> bool {
    let lower = value.to_lowercase();
    FAKES.iter().any(|word| lower.contains(word))
}

pub(super) fn is_import(line: &str) -> bool {
    let bare = line.trim_start();
    ["import ", "from ", "use ", "using ", "alias "].iter().any(|head| bare.starts_with(head))
        // Kotlin's and Scala's `require(limit > 0)` checks something.
        || ["require(\"", "require('", "require(`"].iter().any(|head| bare.contains(head))
        || bare.starts_with("require_relative")
}

/// Where an import brings something in from.
pub(super) fn origin(line: &str) -> &str {
    let bare = line.trim();
    let quoted = || bare.split(['"', '\'']).nth(1);
    match bare.strip_prefix("from ") {
        Some(rest) => rest.split(" import").next().unwrap_or(rest),
        None => quoted().unwrap_or(bare),
    }
}

/// Whether an import gives this name to the file.
pub(super) fn brings(line: &str, name: &str) -> bool {
    let bare = line.trim();
    let given = match bare.strip_prefix("from ").and_then(|rest| rest.split_once(" import ")) {
        Some((_, names)) => names.to_owned(),
        None => bare.split(['"', '\'']).step_by(2).collect::<String>(),
    };
    // Under another name it is another's.
    let renamed = given.contains(&format!("{name} as ")) || given.contains(&format!("{name}: "));
    let is_type = given.starts_with("import type ");
    has_word(&given, name) && !renamed && !is_type
}

pub(super) fn words_of(text: &str) -> impl Iterator<Item = &str> + Clone {
    text.split(|c: char| !is_name_part(c)).filter(|word| !word.is_empty())
}

/// The lines of the text after that stand nowhere in the text before, with their numbers; none that is too short to say
/// anything.
pub(super) fn new_lines<'t>(old: &'t str, new: &'t str) -> Vec<(u32, &'t str)> {
    new_lines_of(old, new, &DifferingMiddle::of(old, new))
}

/// The same where it is known in what the texts differ.
pub(super) fn new_lines_of<'t>(old: &str, new: &'t str, middle: &DifferingMiddle<'t>) -> Vec<(u32, &'t str)> {
    let lines = (middle.first_line(new)..).zip(middle.after.lines());
    let mut come: Vec<(u32, &str)> = lines.filter(|(_, line)| line.trim().len() > 4).collect();
    let new: BTreeSet<&str> = come.iter().map(|(_, line)| line.trim()).collect();
    let known: BTreeSet<&str> =
        old.lines().map(str::trim).filter(|line| line.len() > 4 && new.contains(line)).collect();
    come.retain(|(_, line)| !known.contains(line.trim()));
    come
}

/// The lines of the text before that stand less often in the text after, with their numbers; none that is too short to say
/// anything.
pub(super) fn lost_lines<'t>(old: &'t str, new: &str, middle: &DifferingMiddle<'t>) -> Vec<(u32, &'t str)> {
    let count = |text: &str, line: &str| text.lines().filter(|it| it.trim() == line.trim()).count();
    let lines = (middle.first_line(old)..).zip(middle.before.lines());
    lines.filter(|(_, line)| line.trim().len() > 4 && count(new, line) < count(old, line)).collect()
}

/// The function around a line that gives what it makes to tests, as a fixture of pytest does.
pub(super) fn fixture_above(text: &str, line: u32) -> Option<&str> {
    let before = usize::try_from(line).ok()?.checked_sub(1)?;
    let above: Vec<&str> = text.lines().take(before).collect();
    let head = above.iter().rev().find(|it| it.trim_start().starts_with("def "))?;
    head.trim_start().strip_prefix("def ")?.split(['(', ':']).next()
}

/// Whether a line is about something beside what the tests are given.
pub(super) fn is_beside(line: &str) -> bool {
    let line = line.replace("await ", "");
    let is_name = |word: &str| words(word).iter().any(|part| BESIDE_NAMES.contains(&part.as_str()));
    // What a function says of itself stands between three quotes.
    let is_said = ["\"\"\"", "'''"].iter().any(|marks| {
        let rest = line.trim().strip_prefix(marks);
        rest.is_some_and(|rest| rest.is_empty() || rest.ends_with(marks))
    });
    is_said
        || BRINGING.iter().any(|head| line.trim_start().starts_with(head))
        || BESIDE.iter().any(|part| line.contains(part))
        || each_word(&line).any(|(_, word)| match word.starts_with(['"', '\'', '`']) {
            // A text of one word may be the name of a field.
            true => !word.contains(' ') && is_name(word.trim_matches(['"', '\'', '`'])),
            false => is_name(word),
        })
}
