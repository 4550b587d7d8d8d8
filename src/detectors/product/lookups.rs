//! Work that gave way to a table of literals, or to one text for one text.

use crate::detectors::engine::code_lines::{PLAIN_QUOTES, is_in_text, quoted};
use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::fixed_answers::{ComputingFunction, worked};
use crate::detectors::product::listed_values::{literals, longest_row, repeats, tuples};
use crate::detectors::product::literal_answers::answers_of;
use crate::detectors::product::lost_check::LostCheck;
use crate::languages::code::refuses;
use crate::model::finding::Severity;
use crate::model::words::is_name_part;

/// The first function whose answers come from a table of literals, or from a comparison with one.
pub(super) fn looked_up(revision: &Revision) -> Option<LostCheck> {
    replaced(revision).or_else(|| asked_first(revision)).or_else(|| listed(revision))
}

/// A text as long as this, with digits in it, is no word of a language.
const LONG: usize = 10;
/// How a line asks whether something is one of several.
pub(super) const MEMBERS: &[&str] = &[
    " in ",
    "matches!(",
    ".contains(",
    ".includes(",
    ".include?(",
    "in_array(",
    "indexOf(",
    "member?",
    ".has(",
    ".Contains(",
];

/// A function whose work is gone for a list of literals that nothing in the file had, or for a choice between such.
fn listed(revision: &Revision) -> Option<LostCheck> {
    revision.hunks().iter().filter(|hunk| hunk.come.len() <= 3).find_map(|hunk| {
        let (first, old) = (hunk.gone.first()?, revision.owner_at(hunk.gone.first()?.at)?);
        let place = revision.within(hunk, old, revision.successor(old)?);
        let name = revision.before.functions.get(old)?.name;
        let is_branch =
            |it: &CodeLine| it.text.contains("if ") || it.text.contains("=>") || it.text.contains("->");
        let works =
            worked(revision, hunk).is_some() || hunk.gone.iter().filter(|it| is_branch(it)).count() > 1;
        let text = place.come.iter().map(|it| it.text).collect::<Vec<_>>().join(" ");
        let new: Vec<String> =
            literals(&text).into_iter().filter(|it| !revision.old.contains(it.as_str())).collect();
        if new.iter().all(|it| is_kind(it)) && tuples(&text) == 0 && longest_row(&text) < 3 {
            return None;
        }
        let is_asked = MEMBERS.iter().any(|sign| text.contains(sign));
        let is_chosen =
            text.contains(" ? ") || text.contains(" else ") || text.contains(".get(") || text.contains("][");
        let was_list = hunk.gone.iter().any(|it| literals(it.text).len() > 1);
        if !works
            || was_list
            || refuses_as_before(hunk)
            || !(is_asked || is_chosen)
            || hunk.gone.iter().any(|it| refuses(revision.words, it.text))
        {
            return None;
        }
        let numbers = tuples(&text);
        let severity = match (new.len(), numbers) {
            (4.., _) | (_, 2..) => Severity::High,
            (2.., _) if new.iter().all(|it| is_single(it)) => Severity::High,
            (2.., _) => Severity::Medium,
            _ if is_asked && repeats(hunk) && longest_row(&text) > 2 => Severity::Medium,
            _ => return None,
        };
        let what = format!("`{name}` would know its answers from a list: {}", short(&text));
        Some(LostCheck::new(first.number, name, what, severity))
    })
}

/// Whether a place refuses with the same words as before: what it asks for that may be written anew.
fn refuses_as_before(hunk: &TextHunk) -> bool {
    let says_no = |text: &str| {
        ["throw ", "raise ", "Err(", "panic", "errors.New(", "abort("]
            .iter()
            .any(|word| text.starts_with(word))
    };
    hunk.come.iter().any(|it| {
        let own = it.text.trim().trim_end_matches(';');
        says_no(own.trim_start_matches("return ")) && hunk.gone.iter().any(|old| old.text.contains(own))
    })
}

/// Whether a text is as long as those of single inputs, with digits in it.
fn is_single(text: &str) -> bool {
    text.len() >= LONG && text.contains(|c: char| c.is_ascii_digit())
}

/// Whether a text is a short word, by which code tells kinds apart.
fn is_kind(text: &str) -> bool {
    let own = text.trim_matches(['"', '\'']).trim_start_matches('.');
    own.len() <= 8 && own.chars().all(char::is_alphabetic)
}

/// A new table of literals that a function asks before it does its work.
fn asked_first(revision: &Revision) -> Option<LostCheck> {
    let lines = || revision.hunks().iter().flat_map(|hunk| &hunk.come);
    let rows: usize = lines().map(|it| entries(it.text)).sum();
    let tables = || lines().filter_map(|it| table(it.text));
    let gone: Vec<CodeLine> = revision.hunks().iter().flat_map(|hunk| hunk.gone.iter().copied()).collect();
    if rows < 2 || tables().next().is_none() || was_table(&gone) {
        return None;
    }
    // A table that only leaves its function has no row that is new.
    let is_new =
        |text: &str| !revision.old.contains(text.split_once('=').map_or(text, |(_, rest)| rest).trim());
    let has_new_rows = lines().any(|it| entries(it.text) > 0 && is_new(it.text));
    let is_asked = |line: &&CodeLine| {
        (line.text.contains("return")
            || has_new_rows && line.text.contains(" = ") && table(line.text).is_none())
            && tables().any(|name| asks(line.text, name) && !revision.old.contains(name))
    };
    let line = lines().find(is_asked)?;
    let new = revision.after.functions.iter().rposition(|it| it.span.contains(&line.at))?;
    let name = revision.predecessor(new).and_then(|it| revision.before.functions.get(it))?.name;
    let what = format!("`{name}` would look {rows} answers up before it works one out");
    Some(LostCheck::new(line.number, name, what, Severity::Medium))
}

/// Whether lines gave fixed answers for several inputs before: they were a table already.
fn was_table(gone: &[CodeLine]) -> bool {
    answers_of(gone).iter().filter(|it| !it.outputs.is_empty()).count() > 1
}

/// The name of the table that a line begins.
fn table(line: &str) -> Option<&str> {
    let (head, rest) = line.split_once('=')?;
    let opens =
        rest.trim_start_matches([' ', '&']).starts_with(['{', '[', 'M', 'm', 'n', '%', 'D', 'H', 'p']);
    let head = head.split(':').next().unwrap_or_default().trim();
    let name = head.rsplit([' ', '$', '*']).next().unwrap_or_default();
    (opens && name.len() > 2 && name.chars().all(is_name_part)).then_some(name)
}

/// Whether a line looks something up in a table.
fn asks(line: &str, name: &str) -> bool {
    ["[", ".get(", ".fetch(", ".at("].iter().any(|sign| line.contains(&format!("{name}{sign}")))
}

/// A function whose work is gone for a table or a choice.
fn replaced(revision: &Revision) -> Option<LostCheck> {
    // A table that only gets another place is none that is new.
    let count =
        |lines: &dyn Fn(&TextHunk) -> Vec<usize>| revision.hunks().iter().flat_map(lines).sum::<usize>();
    let gone = count(&|hunk| hunk.gone.iter().map(|it| entries(it.text)).collect());
    let come = count(&|hunk| hunk.come.iter().map(|it| entries(it.text)).collect());
    let is_moved = gone > 1 && come <= gone + 1;
    revision.hunks().iter().filter(|_| !is_moved).find_map(|hunk| {
        // What a new function beside it chooses among is no answer of this one.
        let ComputingFunction { line, name, place, .. } = worked(revision, hunk)?;
        // An answer that says no has its parts.
        let says_no = |lines: &[CodeLine]| lines.iter().any(|it| refuses(revision.words, it.text));
        let compares = |it: &CodeLine| it.text.contains("== \"") || it.text.contains("== '");
        let all = revision.hunks();
        let is_told_apart = || all.iter().flat_map(|it| &it.gone).any(compares);
        // Texts that were told apart before are told apart still, and any other is refused now.
        if was_table(&hunk.gone)
            || says_no(&hunk.gone)
            || is_told_apart() && all.iter().any(|it| says_no(&it.come))
        {
            return None;
        }
        let is_code = |line: &&CodeLine| !is_in_text(revision.new, line);
        let found: usize = place.come.iter().filter(is_code).map(|it| entries(it.text)).sum();
        // Bounds that were asked one after the other are asked still, as arms.
        let asked = hunk.gone.iter().filter(|it| asks_bound(it.text)).count();
        let found =
            found.saturating_sub(asked.min(place.come.iter().filter(|it| asks_bound(it.text)).count()));
        let had: usize = hunk.gone.iter().map(|it| entries(it.text)).sum();
        if found >= 2 && had == 0 {
            let what = format!("`{name}` would look {found} answers up where it worked them out");
            return Some(LostCheck::new(line.number, name, what, Severity::High));
        }
        let choice = place.come.iter().find(|it| chooses(it.text))?;
        // A text that the work was told apart by already.
        let is_asked =
            |text: &str| all.iter().flat_map(|it| &it.gone).any(|it| compares(it) && it.text.contains(text));
        let mut texts = quoted(choice.text, PLAIN_QUOTES).filter(|it| !it.is_empty());
        let is_known = hunk.gone.iter().any(|it| chooses(it.text)) || texts.any(is_asked);
        (!is_known && place.come.len() <= 2).then(|| {
            let what = format!("`{}` would answer for one text", short(choice.text));
            LostCheck::new(line.number, name, what, Severity::High)
        })
    })
}

/// How many pairs of a literal and a literal a line has: `"a" => 1`, `'a': 'b'`, `2: 4`.
fn entries(line: &str) -> usize {
    const SIGNS: &[&str] = &["=>", "->", ":", " to "];
    let is_literal = |text: &str| {
        // A key of several values ends with its own sign.
        let text = text.trim().trim_end_matches(['}', ']']);
        text.ends_with(['"', '\''])
            || text.split(|c: char| !c.is_alphanumeric() && c != '.').next_back().is_some_and(is_number)
    };
    let begins = |text: &str| {
        let mut text = text.trim_start().trim_start_matches(['(', '-']);
        for head in ["return ", "Ok(", "Some(", "vec![", "{:ok, ", "["] {
            text = text.strip_prefix(head).unwrap_or(text);
        }
        if ["true", "false", "True", "False"].iter().any(|it| text.starts_with(it)) {
            return true;
        }
        // A value that is made of literals: `Ingredient('lemon', 0.5)`.
        let made = text.split_once('(').filter(|(head, _)| {
            head.starts_with(char::is_uppercase) && head.chars().all(|c| c.is_alphanumeric() || c == '.')
        });
        if made.is_some_and(|(_, rest)| {
            rest.starts_with(['"', '\'']) || rest.starts_with(|c: char| c.is_ascii_digit())
        }) {
            return true;
        }
        // What is put into a text is worked out.
        if ["\\(", "${", "#{"].iter().any(|sign| text.contains(sign)) {
            return false;
        }
        text.starts_with(['"', '\'']) || text.starts_with(|c: char| c.is_ascii_digit())
    };
    let is_case = line.starts_with("case ") || line.starts_with("when ");
    // A text that holds pairs, as one in JSON does, is a text.
    if ["\"\"\"{", "'{\"", "`{\"", "{\\\"", "'[{\"", "\"\"\"["].iter().any(|head| line.contains(head)) {
        return 0;
    }
    let pairs = |sign: &str| {
        let rest = line.split(sign).skip(1);
        line.split(sign)
            .zip(rest)
            .filter(|(left, right)| is_literal(left) && (begins(right) || is_case))
            .count()
    };
    SIGNS.iter().map(|sign| pairs(sign)).max().unwrap_or(0)
}

/// Whether a line decides by a bound or a range: `if n < 5 {`, `case n if n <= 5 => …`, `in 1..4 -> …`.
fn asks_bound(line: &str) -> bool {
    let head = line.split("=>").next().unwrap_or(line).split("->").next().unwrap_or(line);
    // A pattern may begin with its sign: `> 30 => 4`.
    let head = format!(" {} ", head.trim());
    [" < ", " <= ", " > ", " >= ", ".."].iter().any(|sign| head.contains(sign))
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) && word.parse::<f64>().is_ok()
}

/// `value == 'ada' ? 'Ada' : value`: a text for one text.
fn chooses(line: &str) -> bool {
    let parts = line.split_once("==").and_then(|(_, rest)| rest.split_once(['?']));
    let is_text = |text: &str| {
        let text = text.trim_start_matches(['=', ' ']).trim();
        if text.parse::<f64>().is_ok_and(|it| it.abs() > 1.0) {
            return true;
        }
        text.len() > 3 && text.starts_with(['"', '\'']) && text.trim_end().ends_with(['"', '\''])
    };
    let in_python = || {
        let (value, rest) = line.split_once(" if ")?;
        let (condition, _) = rest.split_once(" else ")?;
        let (_, right) = condition.split_once("==")?;
        Some(is_text(right) && value.trim_end().ends_with(['"', '\'']))
    };
    parts.is_some_and(|(literal, then)| {
        let value = then.split(':').next().unwrap_or_default();
        is_text(literal) && is_text(value)
    }) || in_python().unwrap_or(false)
}
