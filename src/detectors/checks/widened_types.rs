//! Types of parameters, fields and results that become one which takes everything: `Any`, `any`, `object`, `dynamic`.
//!
//! Only a name that had another type before counts; new code with such a type is a choice.

use crate::detectors::engine::hunks::{TextHunk, hunks};
use crate::languages::code::bare;
use crate::languages::{Language, file_name, is_test_path};
use crate::model::finding::{Change, Severity};
use crate::model::words::is_name_part;

/// From so many types on nothing of a signature is checked any more.
const MANY: usize = 3;

/// How a language writes a type of everything, and where.
struct AnyTypeSyntax {
    extensions: &'static [&'static str],
    types: &'static [&'static str],
    /// Whether the type stands in front of its name.
    is_first: bool,
}

const FORMS: &[AnyTypeSyntax] = &[
    AnyTypeSyntax { extensions: &["py", "pyi"], types: &["Any", "object"], is_first: false },
    AnyTypeSyntax { extensions: &["ts", "tsx", "mts", "cts"], types: &["any"], is_first: false },
    AnyTypeSyntax {
        extensions: &["kt", "kts", "swift", "scala"],
        types: &["Any", "Any?", "AnyObject"],
        is_first: false,
    },
    AnyTypeSyntax { extensions: &["rs"], types: &["Box<dynAny>", "&dynAny", "dynAny"], is_first: false },
    AnyTypeSyntax { extensions: &["java"], types: &["Object"], is_first: true },
    AnyTypeSyntax {
        extensions: &["cs"],
        types: &["object", "dynamic", "object?", "dynamic?"],
        is_first: true,
    },
    AnyTypeSyntax { extensions: &["php"], types: &["mixed"], is_first: true },
    AnyTypeSyntax { extensions: &["dart"], types: &["dynamic", "Object", "Object?"], is_first: true },
];

/// The types that a change widens so, in words, with the line of the first and how bad it is.
pub(super) fn widened(change: &Change) -> Option<(String, u32, Severity)> {
    let found = all_widened(change)?;
    let (name, line) = found.first()?;
    let (what, severity) = match found.len() {
        1 => (format!("the type of `{name}` would take everything"), Severity::Medium),
        MANY.. => {
            (format!("{} types would take everything, that of `{name}` first", found.len()), Severity::High)
        }
        count => (format!("{count} types would take everything, that of `{name}` first"), Severity::Medium),
    };
    Some((what, *line, severity))
}

fn all_widened(change: &Change) -> Option<Vec<(String, u32)>> {
    let (old, new) = (change.before.as_deref()?, change.after.as_deref()?);
    let extension = file_name(&change.path).rsplit_once('.')?.1;
    let form = FORMS.iter().find(|it| it.extensions.contains(&extension))?;
    if is_test_path(&change.path)
        || !form.types.iter().any(|it| new.contains(it.trim_end_matches('?').trim_start_matches("Box<dyn")))
    {
        return None;
    }
    let comment = Language::of_path(&change.path).map_or("//", |it| it.refusing().comment);
    let all = hunks(comment, old, new)?;
    Some(all.iter().flat_map(|hunk| of_place(form, hunk)).collect())
}

fn of_place(form: &AnyTypeSyntax, hunk: &TextHunk) -> Vec<(String, u32)> {
    if hunk.gone.is_empty() {
        return Vec::new();
    }
    let was: Vec<(String, String)> = hunk.gone.iter().flat_map(|it| typed(form, it.text)).collect();
    let is_wide = |kind: &str| form.types.contains(&kind);
    let given =
        hunk.come.iter().flat_map(|line| typed(form, line.text).into_iter().map(|it| (it, line.number)));
    let widened = given.filter(|((name, kind), _)| {
        let old = was.iter().find(|(known, _)| known == name);
        is_wide(kind) && old.is_some_and(|(_, old)| !is_wide(old) && !old.is_empty() && !is_parameter(old))
    });
    widened.map(|((name, _), line)| (name, line)).collect()
}

/// Whether a type is a parameter of a generic: `T`.
fn is_parameter(kind: &str) -> bool {
    kind.trim_end_matches('?').len() < 2
}

/// The names of a line with their types, without white space; a result is named `->`.
fn typed(form: &AnyTypeSyntax, line: &str) -> Vec<(String, String)> {
    let remark = ["  # ", "  // "].iter().filter_map(|mark| line.find(mark)).min();
    let line = remark.and_then(|at| line.get(..at)).unwrap_or(line);
    let mut all = Vec::new();
    for piece in pieces(line) {
        if form.is_first {
            let mut words = piece.split_whitespace().rev().map(|it| it.trim_end_matches([';', '{', ' ']));
            let name = words.next().unwrap_or_default();
            let kind = words.next().unwrap_or_default();
            let is_name = !name.is_empty() && name.trim_start_matches('$').chars().all(is_name_part);
            all.extend((is_name && !kind.is_empty()).then(|| (name.to_owned(), bare(kind))));
            continue;
        }
        let Some((head, kind)) = piece.split_once(':').filter(|(_, rest)| !rest.starts_with(':')) else {
            continue;
        };
        let name =
            head.trim().trim_end_matches('?').rsplit(|c: char| !is_name_part(c)).next().unwrap_or_default();
        let kind = kind.split(" = ").next().unwrap_or(kind);
        all.extend((!name.is_empty()).then(|| (name.to_owned(), ended(kind))));
    }
    let result = ["->", "): "].iter().find_map(|sign| line.rsplit_once(sign));
    all.extend(result.filter(|_| !form.is_first).map(|(_, kind)| ("->".to_owned(), ended(kind))));
    all
}

fn ended(kind: &str) -> String {
    bare(kind).trim_end_matches(['{', ':', ';', ',', '=']).to_owned()
}

/// The parts of a line between the commas and parentheses of its outermost list.
fn pieces(line: &str) -> Vec<&str> {
    let (mut depth, mut from, mut all) = (0i32, 0, Vec::new());
    for (at, c) in line.char_indices() {
        match c {
            '[' | '<' | '{' => depth += 1,
            ']' | '}' => depth -= 1,
            '>' if !line.get(..at).is_some_and(|it| it.ends_with(['-', '='])) => depth -= 1,
            ',' | '(' | ')' if depth <= 0 => {
                all.extend(line.get(from..at));
                from = at + 1;
            }
            _ => {}
        }
    }
    all.extend(line.get(from..));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(path: &str, before: &str, after: &str) -> usize {
        let text = |line: &str| Some(format!("// head 1\n{line}\n// end 2\n"));
        let change = Change { path: path.to_owned(), before: text(before), after: text(after) };
        all_widened(&change).map_or(0, |it| it.len())
    }

    #[test]
    fn a_type_of_everything_is_told_in_each_language() {
        for (path, before, after, expected) in [
            (
                "a.py",
                "def send(to: Person, body: dict[str, int]) -> Receipt:",
                "def send(to: Any, body: Any) -> Any:",
                3,
            ),
            ("a.py", "    hook: Hook,", "    hook: Any,", 1),
            ("a.ts", "  total(items: Item[]): number {", "  total(items: any): any {", 2),
            ("a.kt", "fun total(items: List<Item>): Long {", "fun total(items: Any): Long {", 1),
            ("A.java", "  long total(List<Item> items) {", "  long total(Object items) {", 1),
            ("A.cs", "  long Total(Order order, int count) {", "  long Total(dynamic order, int count) {", 1),
            ("a.php", "  function total(Order $order): int {", "  function total(mixed $order): int {", 1),
            ("a.ts", "  total(items: any): number {", "  total(items: Item[]): number {", 0),
            ("a.ts", "  total(items: Item[]): number {", "  total(items: Line[]): number {", 0),
            ("a.py", "def send(to):", "def send(to: Any):", 0),
            ("a.ts", "  pick<T>(item: T) {", "  pick(item: any) {", 0),
        ] {
            assert_eq!(count(path, before, after), expected, "{path}: {after}");
        }
    }
}
