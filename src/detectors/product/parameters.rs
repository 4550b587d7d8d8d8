//! The names of a function's parameters, by its head as it is written, and which of them its body asks for.

use crate::detectors::engine::code_lines::lines;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::line_conditions::group;
use crate::languages::Language;
use crate::languages::code::{Function, identifiers};
use crate::model::words::is_name_part;

/// Names that are no parameter of the work.
const OWN: &[&str] = &["self", "this", "cls", "mut", "void", "const", "final"];

/// The head of a function, up to its body.
pub(super) fn head_of<'a>(source: &'a str, function: &Function) -> &'a str {
    source.get(function.span.start..function.body.start).unwrap_or_default()
}

/// The names of a function's parameters in a text; patterns that take a value apart are left out.
pub(super) fn parameters<'a>(revision: &Revision, source: &'a str, function: &Function) -> Vec<&'a str> {
    let head = head_of(source, function);
    let from = head.find(function.name).map_or(0, |at| at + function.name.len());
    let rest = head.get(from..).unwrap_or_default();
    let is_go = Language::of_path(&revision.change.path) == Some(Language::Go);
    let inner = rest.find('(').and_then(|at| group(rest.get(at..)?)).unwrap_or_default();
    // Dart has those with a name, and those that may be left out, in brackets of their own.
    let is_dart = Language::of_path(&revision.change.path) == Some(Language::Dart);
    let own = |piece: &'a str| -> Vec<&'a str> {
        let group = piece.trim().strip_prefix(['{', '[']).and_then(|it| it.strip_suffix(['}', ']']));
        group.filter(|_| is_dart).map_or_else(|| vec![piece], pieces)
    };
    let all =
        pieces(inner).into_iter().flat_map(own).filter_map(|piece| name_of(without_remark(piece), is_go));
    all.filter(|name| !OWN.contains(name) && *name != "_").collect()
}

/// A parameter without the remark that stands behind the comma in front of it: `user=None,  # noqa: B008`. What PHP
/// writes in `#[…]` is an attribute.
fn without_remark(piece: &str) -> &str {
    let text = piece.trim_start();
    let is_remark = text.starts_with("//") || text.starts_with('#') && !text.starts_with("#[");
    match text.split_once('\n') {
        Some((_, rest)) if is_remark => without_remark(rest),
        None if is_remark => "",
        _ => text,
    }
}

/// The names that a function takes out of what it is given: `timeout` and `bail` of `({ timeout = 2000, bail = false } = {})`.
pub(super) fn taken_apart<'a>(source: &'a str, function: &Function) -> Vec<&'a str> {
    let head = head_of(source, function);
    let inner = head.find('(').and_then(|at| group(head.get(at..)?)).unwrap_or_default();
    let options = pieces(inner).into_iter().filter_map(|piece| {
        let rest = piece.trim().strip_prefix('{')?;
        rest.split('}').next()
    });
    options.flat_map(pieces).filter_map(|piece| name_of(piece, false)).collect()
}

/// The code of a function's body, without comments and the text that describes it.
pub(super) fn body_code(revision: &Revision, source: &str, function: &Function) -> String {
    let mut part = function.body.clone();
    part.start += description(source.get(part.clone()).unwrap_or_default()).map_or(0, |text| text.end);
    let all = lines(revision.words.comment, source, part);
    all.map(|line| format!("{}\n", line.text)).collect()
}

/// Where a body has the text that describes its function, its marks included.
pub(super) fn description(body: &str) -> Option<std::ops::Range<usize>> {
    let from = body.len() - body.trim_start().len();
    let rest = body.get(from..)?;
    let mark = ["\"\"\"", "'''"].into_iter().find(|mark| rest.starts_with(mark))?;
    let end = rest.get(mark.len()..)?.find(mark)?;
    Some(from..from + end + 2 * mark.len())
}

/// Whether a text names a parameter.
pub(super) fn names(code: &str, parameter: &str) -> bool {
    code.split(|c: char| !is_name_part(c)).any(|word| word == parameter)
}

/// The parts of a list between its commas.
fn pieces(list: &str) -> Vec<&str> {
    let (mut depth, mut from, mut last) = (0i32, 0, ' ');
    let mut all = Vec::new();
    for (at, c) in list.char_indices() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '>' if !matches!(last, '-' | '=') => depth -= 1,
            ',' if depth == 0 => {
                all.extend(list.get(from..at));
                from = at + 1;
            }
            _ => {}
        }
        last = c;
    }
    all.extend(list.get(from..));
    all
}

fn name_of(piece: &str, is_go: bool) -> Option<&str> {
    let piece_of = piece.trim();
    let piece = piece.split('=').next()?.split("\\\\").next()?.trim();
    // Elixir takes a value apart and names it: `%State{} = state`.
    let (_, whole) = piece_of.split_once("} = ").filter(|_| piece_of.starts_with('%')).unwrap_or_default();
    if !whole.is_empty() && whole.chars().all(is_name_part) {
        return Some(whole);
    }
    if piece.starts_with(['{', '[', '%', '(']) {
        return None;
    }
    let typed = piece.split_once(':').filter(|(_, rest)| !rest.starts_with(':')).map(|(name, _)| name);
    let mut words = identifiers(typed.unwrap_or(piece));
    let name = if is_go && typed.is_none() { words.next() } else { words.last() }?;
    (!name.starts_with(|c: char| c.is_ascii_digit())).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_parameters_has_names() {
        for (list, is_go, expected) in [
            ("self, percent: int = 3, *, name: str", false, "self percent name"),
            (
                "secret: string, { a, b }: Deps, deps: Map<string, number>, concurrency = 4",
                false,
                "secret deps concurrency",
            ),
            ("ctx context.Context, orderID, sku string", true, "ctx orderID sku"),
            ("List<List<Sale>> days, final BigDecimal rate", false, "days rate"),
            ("messages, to:", false, "messages to"),
            ("server, _separator \\\\ \":\"", false, "server _separator"),
            ("%State{} = state, %{id: id}, _old", false, "state _old"),
            ("for name: String, _ at: Int", false, "name at"),
        ] {
            let names: Vec<&str> = pieces(list).into_iter().filter_map(|it| name_of(it, is_go)).collect();
            assert_eq!(names.join(" "), expected, "{list}");
        }
    }
}
