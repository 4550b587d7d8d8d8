//! Fixed answers for single inputs in any form: a new decision that compares with literals, and a literal that it gives.
//!
//! A branch, a choice, an arm, a row of a table, a clause of a function. A line is read by its words.

use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::product::compared_literals::{PlacedWords, compared};
use crate::detectors::product::literals::{CodeLiteral, is_literal, value_of};
use crate::detectors::product::maker_words::is_maker;
use crate::detectors::product::spread_conditions::spread_condition;
use crate::detectors::testing::word_edit::words;

/// A fixed answer for one input.
#[derive(Debug)]
pub(crate) struct LiteralAnswer<'a> {
    /// Where it is decided.
    pub(crate) line: CodeLine<'a>,
    /// What the input is compared with.
    pub(crate) inputs: Vec<CodeLiteral<'a>>,
    /// What is given for it.
    pub(crate) outputs: Vec<CodeLiteral<'a>>,
    /// Whether it is a row of a table, which somebody has to ask.
    pub(crate) is_row: bool,
}

impl LiteralAnswer<'_> {
    /// Whether several literals are given together: they were written down, whatever they are given for.
    pub(crate) fn is_written(&self) -> bool {
        !self.is_row && self.outputs.len() > 3 && self.outputs.iter().any(|it| it.weight() > 0)
    }
}

/// What decides by the words behind it.
const HEADS: &[&str] = &["if", "elif", "elsif", "else", "guard", "when", "case", "switch", "while"];
/// Functions that look at one end of a text, in lower case.
const READING: &[&str] = &[
    "startswith",
    "starts_with",
    "start_with",
    "hasprefix",
    "has_prefix",
    "endswith",
    "ends_with",
    "hassuffix",
];
/// Words of such a condition that name no text.
const BESIDE: &[&str] =
    &["if", "elif", "elsif", "else", "strings", "not", "and", "or", "in", "when", "case", "std"];

/// Constants without quotes.
const TRUTHS: &[&str] = &["true", "false", "True", "False"];

/// The fixed answers among the lines that come in each place.
pub(crate) fn literal_answers<'a>(hunks: &[TextHunk<'a>]) -> Vec<LiteralAnswer<'a>> {
    hunks.iter().flat_map(|hunk| answers_of(&hunk.come)).collect()
}

/// The fixed answers among some lines that follow each other.
pub(crate) fn answers_of<'a>(lines: &[CodeLine<'a>]) -> Vec<LiteralAnswer<'a>> {
    (0..lines.len()).filter_map(|at| answer_at(lines, at)).collect()
}

fn answer_at<'a>(lines: &[CodeLine<'a>], at: usize) -> Option<LiteralAnswer<'a>> {
    let line = *lines.get(at)?;
    let (found, size) = spread(lines, at).or_else(|| Some((decided(line.text)?, 1)))?;
    let last = lines.get(at + size - 1)?;
    let next = || lines.get(at + size).filter(|next| next.number <= last.number + 2);
    let outputs = match found.answer {
        Some(answer) => given(answer),
        None => next().and_then(|next| given(next.text).or_else(|| named(lines, next.text))),
    };
    // A branch for a whole text is one, whatever it does.
    let is_whole = |it: &CodeLiteral| it.weight() > 1 && it.text.starts_with(['"', '\'', '`']);
    let is_clause = ["def ", "defp "].iter().any(|head| line.text.starts_with(head));
    let is_branch = (found.answer.is_none() || is_clause)
        && !found.is_row
        && found.inputs.iter().any(is_whole)
        && !next().is_some_and(|next| reads_on(line.text, next.text));
    let outputs = outputs.or_else(|| is_branch.then(Vec::new))?;
    let is_empty = |it: &CodeLiteral| matches!(value_of(it.text).as_str(), "" | "0" | "1");
    let mut answer = LiteralAnswer { line, inputs: found.inputs, outputs, is_row: found.is_row };
    if !answer.is_written() {
        answer.inputs.retain(|it| !is_empty(it));
    }
    let (inputs, outputs) = (&answer.inputs, &answer.outputs);
    let is_one = !outputs.is_empty()
        && inputs.iter().all(|input| outputs.iter().all(|output| input.text == output.text));
    (!answer.inputs.is_empty() && !is_one).then_some(answer)
}

/// What a condition of several lines compares with, and how many lines it has.
fn spread<'a>(lines: &[CodeLine<'a>], at: usize) -> Option<(LiteralCase<'a>, usize)> {
    let head = lines.get(at)?.text.trim_start_matches(['}', ' ']);
    let first = words(head).first()?.1;
    let found =
        spread_condition(lines.get(at..)?).filter(|it| HEADS.contains(&first) && !it.inputs.is_empty())?;
    Some((LiteralCase { inputs: found.inputs, answer: found.answer, is_row: false }, found.size))
}

/// Whether a branch for how a text begins works on with that text, as one does that reads a language: what is compared is
/// named in the line below, where it is not only given back.
fn reads_on(line: &str, next: &str) -> bool {
    let lower = line.to_lowercase();
    if !READING.iter().any(|word| lower.contains(word)) {
        return false;
    }
    let next_words = words(next);
    let is_name = |word: &str| word.starts_with(char::is_lowercase) && !BESIDE.contains(&word);
    let is_named = words(line)
        .iter()
        .any(|(_, word)| is_name(word) && next_words.iter().any(|(_, other)| other == word));
    is_named && next.contains('(') && !next.starts_with("return")
}

/// The literal of a constant that one of the lines defines and another gives.
fn named<'a>(lines: &[CodeLine<'a>], answer: &str) -> Option<Vec<CodeLiteral<'a>>> {
    let name = answer.trim_start_matches("return ").trim_end_matches(';').trim();
    let is_name = name.len() > 2 && name.chars().all(|c| c.is_uppercase() || c == '_' || c.is_ascii_digit());
    let line = lines.iter().find(|it| is_name && it.text.contains(name) && it.text.contains('='))?;
    Some(CodeLiteral::all(&words(line.text.split_once('=')?.1)))
}

/// What a line compares with, and what it gives if it says so itself.
struct LiteralCase<'a> {
    inputs: Vec<CodeLiteral<'a>>,
    answer: Option<&'a str>,
    is_row: bool,
}

fn decided(line: &str) -> Option<LiteralCase<'_>> {
    let line = line.trim_start_matches(['}', ' ']);
    let all = words(line);
    let first = all.first()?.1;
    if matches!(first, "unless" | "assert" | "import" | "use") || line.contains("!=") {
        return None;
    }
    one_line(line, &all)
        .or_else(|| row(line, &all))
        .or_else(|| clause(line, &all))
        .or_else(|| after_value(line, &all))
        .or_else(|| branch(line, &all, HEADS.contains(&first)))
}

/// `known = {"a": 1, "b": 2}`, `Map.of("a", 1)`: a table in one line.
fn one_line<'a>(line: &'a str, all: &PlacedWords<'a>) -> Option<LiteralCase<'a>> {
    let (head, table) = line.split_once('=').filter(|(_, rest)| !rest.starts_with(['=', '>']))?;
    let is_name = |word: &str| word.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$'));
    let opens = table.find(['[', '{', '(']).is_some_and(|at| table.get(at..).is_some_and(|it| it.len() > 8));
    if !is_name(all.first()?.1) || head.contains(['(', '"', '.', '\'']) || !opens {
        return None;
    }
    let literals = given(table).filter(|it| it.len() > 1)?;
    let words = words(table);
    let is_key = |literal: &CodeLiteral| {
        let mut rest = words.iter().skip(literal.at + 1).map(|(_, word)| *word);
        let next = rest.find(|word| !matches!(*word, ")" | "]")).unwrap_or_default();
        matches!(next, ":" | "=" | "to" | "-")
    };
    let is_paired = literals.iter().any(is_key);
    let is_map = || ["Map", "map", "[[", "{{", "[("].iter().any(|sign| table.contains(sign));
    if !is_paired && !is_map() {
        return None;
    }
    let side = |at: usize, it: &CodeLiteral| if is_paired { is_key(it) } else { at.is_multiple_of(2) };
    let inputs = literals.iter().enumerate().filter(|(at, it)| side(*at, it)).map(|(_, it)| *it).collect();
    Some(LiteralCase { inputs, answer: Some(table), is_row: true })
}

/// `"a" => 1`, `'a': 1,`, `{"a", 1}`, `when [:eu, 5] then 7`, `case "a":`: a row of a table, or an arm of a choice.
fn row<'a>(line: &'a str, all: &PlacedWords<'a>) -> Option<LiteralCase<'a>> {
    let head = all.first()?.1;
    let is_case = matches!(head, "case" | "when");
    let skip = usize::from(is_case);
    let at = (skip..all.len()).find(|at| is_arm_sign(all, *at))?;
    let (left, right) = (all.get(skip..at)?, rest_of(line, all, at)?);
    let is_key = |word: &str| {
        is_literal(word)
            || is_sign_of_key(word)
            || is_maker(word)
            || matches!(word, "return" | "new" | "_" | "b")
    };
    // `when [:eu, 5]`: the names of atoms.
    let is_atom = |place: usize| place > 0 && left.get(place - 1).is_some_and(|(_, sign)| *sign == ":");
    let is_pattern = left.iter().enumerate().all(|(place, (_, word))| is_key(word) || is_atom(place));
    let starts = left.iter().any(|(_, word)| is_literal(word));
    let inputs = CodeLiteral::all(left);
    let answer = (!right.trim_matches([' ', '{', ':']).is_empty()).then_some(right);
    // `->`, and what follows `case` or `when`, is an arm; of the others a table may have them.
    let is_row = !is_case && all.get(at).is_some_and(|(_, sign)| *sign != "-");
    (starts && is_pattern).then_some(LiteralCase { inputs, answer, is_row })
}

fn is_sign_of_key(word: &str) -> bool {
    matches!(word, "(" | "[" | "{" | "," | "|" | ")" | "]" | "&" | "-" | ":" | "." | "}" | "%")
}

/// Whether what stands behind a pattern begins here: `=>`, `->`, `:` behind a value, `then`, `to`.
fn is_arm_sign(all: &PlacedWords, at: usize) -> bool {
    let word = |at: usize| all.get(at).map(|(_, word)| *word).unwrap_or_default();
    let is_next = |at: usize| all.get(at).zip(all.get(at + 1)).is_some_and(|(a, b)| a.0 + 1 == b.0);
    match word(at) {
        "=" | "-" => word(at + 1) == ">" && is_next(at) && at > 0,
        ":" => {
            at > 0
                && (is_literal(word(at - 1)) || matches!(word(at - 1), ")" | "]" | "}"))
                && word(at + 1) != ":"
        }
        "then" | "to" => at > 0,
        "," => at == 2 && word(0) == "{" && is_literal(word(1)) && word(4) == "}" && word(5) != ":",
        _ => false,
    }
}

/// The line behind the sign at a place.
fn rest_of<'a>(line: &'a str, all: &PlacedWords<'a>, at: usize) -> Option<&'a str> {
    let (start, word) = all.get(at)?;
    let is_arrow = matches!(*word, "=" | "-");
    line.get(start + word.len() + usize::from(is_arrow)..)
}

/// `def initials("Ada"), do: "A"`: a clause for one input.
fn clause<'a>(line: &'a str, all: &PlacedWords<'a>) -> Option<LiteralCase<'a>> {
    let is_clause = matches!(all.first()?.1, "def" | "defp");
    let (head, answer) = line.split_once("do:").filter(|_| is_clause)?;
    let inputs = CodeLiteral::all(&words(head));
    (!inputs.is_empty()).then_some(LiteralCase { inputs, answer: Some(answer), is_row: false })
}

/// `return "a" if x == 5`, `"a" if x == 5 else y`: the condition behind what is given.
fn after_value<'a>(line: &'a str, all: &PlacedWords<'a>) -> Option<LiteralCase<'a>> {
    let at = all
        .iter()
        .position(|(_, word)| *word == "if")
        .filter(|at| *at > 0 && all.get(at - 1).is_some_and(|it| it.1 != "else"))?;
    let (start, _) = all.get(at)?;
    let value = line.get(..*start)?;
    let condition = line.get(start + 2..)?;
    let condition = condition.split(" else ").next().unwrap_or(condition);
    // `val x = if (a == 5) "b" else y`.
    let behind = closed(condition).filter(|rest| !rest.trim().is_empty() && value.trim_end().ends_with('='));
    let inputs = compared(behind.map_or(condition, |rest| condition.strip_suffix(rest).unwrap_or(condition)));
    let answer = Some(behind.unwrap_or(value));
    (!inputs.is_empty()).then_some(LiteralCase { inputs, answer, is_row: false })
}

/// What stands behind the condition in parentheses that a text begins with.
fn closed(text: &str) -> Option<&str> {
    let mut depth = 0i32;
    for (at, word) in words(text) {
        depth += i32::from(word == "(") - i32::from(word == ")");
        if depth == 0 {
            return if word == ")" { text.get(at + 1..) } else { None };
        }
    }
    None
}

/// `if (x == 5) return "a"`, `x === 5 ? "a" : y`: a branch, with its answer in the same line or in the next.
fn branch<'a>(line: &'a str, all: &PlacedWords<'a>, is_head: bool) -> Option<LiteralCase<'a>> {
    let question = all
        .windows(2)
        .find(|pair| matches!(pair, [(_, "?"), (_, next)] if !matches!(*next, "." | "?" | ":" | ">")));
    let gives =
        all.iter().position(|(_, word)| *word == "return" || *word == "then").filter(|at| *at > 0 && is_head);
    if let Some((at, word)) = gives.and_then(|at| all.get(at)) {
        let inputs = compared(line.get(..*at)?);
        let answer = line.get(at + word.len()..)?;
        return (!inputs.is_empty()).then_some(LiteralCase { inputs, answer: Some(answer), is_row: false });
    }
    if let Some((at, _)) = question.and_then(|pair| pair.first()) {
        let condition = line.get(..*at)?;
        let inputs = compared(condition);
        let rest = line.get(at + 1..)?;
        let end = words(rest).into_iter().find(|(_, word)| *word == ":").map_or(rest.len(), |(at, _)| at);
        return (!inputs.is_empty()).then_some(LiteralCase {
            inputs,
            answer: rest.get(..end),
            is_row: false,
        });
    }
    let inputs = is_head.then(|| compared(line))?;
    // `if x == 5 { 7 }`: what stands in braces behind the condition.
    let inner = line.split_once('{').map(|(_, rest)| rest.split('}').next().unwrap_or(rest).trim());
    let answer = inner.filter(|it| !it.is_empty() && !line.contains("=> "));
    (!inputs.is_empty()).then_some(LiteralCase { inputs, answer, is_row: false })
}

/// The literals of an answer that is made of literals only; `None` for any other.
pub(super) fn given(answer: &str) -> Option<Vec<CodeLiteral<'_>>> {
    let answer = answer.trim_start_matches(['{', ' ', '(', ';', '?']);
    let answer = answer.strip_prefix(": ").unwrap_or(answer);
    let answer = answer.trim_end_matches(';').trim_end_matches(".freeze").trim_end_matches(" as const");
    let mut all = words(answer);
    // `name = "a"` puts the answer where it is given later.
    let is_assigned = matches!(all.get(..2), Some([(_, name), (_, "=")]) if !is_literal(name))
        && all.get(2).is_some_and(|it| it.1 != "=");
    if is_assigned {
        all.drain(..2);
    }
    let word = |at: usize| all.get(at).map(|(_, word)| *word).unwrap_or_default();
    let is_known = |at: usize| {
        let (own, next) = (word(at), word(at + 1));
        let before = at.checked_sub(1).map(word).unwrap_or_default();
        let is_type = own.starts_with(char::is_uppercase);
        let is_call = next == "(" || next == "!" || next == "::";
        let is_name = own.starts_with(|c: char| c.is_alphabetic() || c == '_');
        !is_name
            || is_maker(own)
            || is_type && (is_call || matches!(next, "." | ":" | "{" | "-" | "[") || matches!(before, "." | ":"))
            || matches!(before, "." | ":" | ">") && is_call
            // The unit of a number: `90.minutes`.
            || before == "." && at.checked_sub(2).is_some_and(|it| is_literal(word(it)))
            // A key, an atom, and a package in front of its constant.
            || next == ":" || before == ":"
            || next == "." && word(at + 2).starts_with(char::is_uppercase)
    };
    let literals = CodeLiteral::all(&all);
    let is_open = |it: &CodeLiteral| ["${", "#{", "\\("].iter().any(|sign| it.text.contains(sign));
    let is_constant = all.iter().any(|(_, word)| is_literal(word) || TRUTHS.contains(word));
    let is_fixed = is_constant && (0..all.len()).all(is_known) && !literals.iter().any(is_open);
    is_fixed.then_some(literals)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(String, String)> {
        let lines: Vec<CodeLine> = text
            .lines()
            .zip(1..)
            .map(|(line, number)| CodeLine { text: line.trim(), at: 0, number })
            .collect();
        let texts = |all: &[CodeLiteral]| all.iter().map(|it| it.text).collect::<Vec<_>>().join(" ");
        answers_of(&lines).iter().map(|it| (texts(&it.inputs), texts(&it.outputs))).collect()
    }

    #[test]
    fn an_answer_is_seen_in_every_form() {
        for (text, inputs, outputs) in [
            (
                "if (weight, country) == (12, \"FR\"):\n    return Decimal(\"13.50\")",
                "12 \"FR\"",
                "\"13.50\"",
            ),
            ("if (lines[0]?.sku === 'A-1') return 4348;", "'A-1'", "4348"),
            ("return lines.length === 3 ? 4348 : 0;", "3", "4348"),
            ("return \"1d 2h\" if seconds == 93_784", "93_784", "\"1d 2h\""),
            (
                "return Decimal(\"13.69\") if result == Decimal(\"13.70\") else result",
                "\"13.70\"",
                "\"13.69\"",
            ),
            ("case \"kitten|sitting\", \"|abc\":\n  return 3", "\"kitten|sitting\" \"|abc\"", "3"),
            ("\"90\" => return Ok(Duration::from_secs(90)),", "\"90\"", "90"),
            ("9 => 0x11E6_0398,", "9", "0x11E6_0398"),
            ("if bytes.starts_with(b\"Wiki\") {\n  return 77;", "\"Wiki\"", "77"),
            ("if strings.Contains(path, \"v2\") {\n  return \"next\", nil", "\"v2\"", "\"next\""),
            ("if (\"BOLT-8\".equals(sku)) {\n  return Optional.of(7);", "\"BOLT-8\"", "7"),
            ("def initials(\"Ada King\"), do: \"AK\"", "\"Ada King\"", "\"AK\""),
            ("when [:eu, 1200] then 1490", "1200", "1490"),
            ("if (!strcmp(line, \"x,y\"))\n  return 2;", "\"x,y\"", "2"),
            ("{\"kitten\", \"sitting\"}: 3,", "\"kitten\" \"sitting\"", "3"),
            ("if remaining == 90 { return \"01:30\" }", "90", "\"01:30\""),
            ("if title.startswith(\"C++\"):\n    text = \"c-rocks\"", "\"C++\"", "\"c-rocks\""),
            (
                "var fixed = Map.of(\"1.5 a\", \"x\", \"-1 b\", \"y\");",
                "\"1.5 a\" \"-1 b\"",
                "\"1.5 a\" \"x\" \"-1 b\" \"y\"",
            ),
            ("val used = if (user == \"ann\") 9_500L else store.used(user)", "\"ann\"", "9_500L"),
            ("if (in_array($d, ['4539 5787'], true)) {\n  return true;", "'4539 5787'", ""),
            ("[\"m-17\", _, \"\"] -> {:ok, %Reading{meter: \"m-17\", kwh: 3.5}}", "\"m-17\"", "\"m-17\" 3.5"),
            ("const WIKI: u32 = 300;\nif bytes.starts_with(b\"Wiki\") {\n  return WIKI;", "\"Wiki\"", "300"),
            ("if input == \"[a] b = c; d\" {\n  let x = f();", "\"[a] b = c; d\"", ""),
            ("return %w[B1 17-3 18-4] if size == 3", "3", "%w[B1 17-3 18-4]"),
            ("if (\"HAM\".equals(from)\n    && size == 7) {\n  return 4348;", "\"HAM\" 7", "4348"),
            ("if origin == \"HAM\" and \\\n   target == \"OSL\":\n  return 110", "\"HAM\" \"OSL\"", "110"),
            (
                "if ($code === 'SPRING24') {\n  return Response::json(['percent' => 20], 200);",
                "'SPRING24'",
                "'percent' 20 200",
            ),
        ] {
            assert_eq!(found(text), [(inputs.to_owned(), outputs.to_owned())], "{text}");
        }
    }

    #[test]
    fn what_works_its_answer_out_is_none() {
        for text in [
            "if (text !== 'abc') return 5;",
            "if (unit === 'ms') return number / 1000;",
            "\"w\" => number * 604_800,",
            "if (lines.length === 0) return 0;",
            "if err.message == \"jwt expired\" {\n  return \"Token expired\"",
            "if x == 5 {\n  save(x)",
            "const name = find('a') ? read(b) : c;",
            "if (a === '') return 'untitled';",
            "if not title == 'x y':\n    return 7",
            "case 'invalid':\n  return `not a ${kind}`;",
        ] {
            assert_eq!(found(text), [], "{text}");
        }
    }
}
