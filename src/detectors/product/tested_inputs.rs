//! Decisions for one value that stands in the project's tests as an input, and nowhere else: made for the tests, whatever is
//! done for it.
//!
//! An edit alone gives a suspicion; the tests, as they were when the session began, confirm it.

use crate::detectors::engine::code_lines::CodeLine;
use crate::detectors::engine::hunks::TextHunk;
use crate::detectors::product::compared_literals::{PlacedWords, compared};
use crate::detectors::product::input_words::{BESIDE, CHOOSING, COMMON, COUNTING, ROUND};
use crate::detectors::product::literals::{CodeLiteral, shown, value_of, values_of};
use crate::detectors::product::made_values::compared_values;
use crate::detectors::product::maker_words::is_maker;
use crate::detectors::product::other_sides::{OtherSides, line_with_two, lines_with};
use crate::detectors::product::value_groups::{asked_group, row_of_group};
use crate::detectors::testing::word_edit::{Edit, is_name, words};

/// So much says that a decision is made for the tests.
const SURE: usize = 2;

/// A value that a decision is made for.
#[derive(Debug)]
struct Input {
    value: String,
    is_text: bool,
    /// How little chance there is that somebody else writes it.
    weight: usize,
    /// Whether the file had it before.
    is_old: bool,
}

/// New decisions of one place that ask for certain values.
#[derive(Debug)]
pub(super) struct TestedInput {
    pub(super) line: u32,
    pub(super) code: String,
    inputs: Vec<Input>,
    /// Values that one decision asks for together.
    together: Vec<String>,
    /// Values made of several literals that it asks for, as they are written.
    made: Vec<String>,
    /// The values of a list that stands where something was worked out.
    group: Vec<String>,
    /// Whether a decision that was there holds for one value alone now.
    is_narrowed: bool,
}

/// The decisions of a place that the text before did not have.
pub(super) fn tested_input(hunk: &TextHunk, old: &str) -> Option<TestedInput> {
    let narrowed = hunk.come.iter().find_map(|come| narrowed(hunk, come));
    let is_narrowed = narrowed.is_some();
    let decisions: Vec<(CodeLine, Vec<Input>)> = match narrowed {
        Some((line, input)) => vec![(line, vec![input])],
        None => hunk.come.iter().map(|line| (*line, inputs_of(&spelled(hunk, line), old))).collect(),
    };
    let made_of = |line: &CodeLine| -> Vec<String> {
        let made = compared_values(line.text).into_iter().filter(|it| !old.contains(*it));
        made.map(str::to_owned).collect()
    };
    let made: Vec<String> = hunk.come.iter().flat_map(made_of).collect();
    let is_new =
        |line: &CodeLine, inputs: &[Input]| inputs.iter().any(|it| !it.is_old) || !made_of(line).is_empty();
    let group = asked_group(hunk, old);
    let decided = decisions.iter().find(|(line, inputs)| is_new(line, inputs)).map(|(line, _)| line);
    let first = decided.or_else(|| hunk.come.first().filter(|_| !group.is_empty()))?;
    let (line, code) = (first.number, first.text.to_owned());
    // Of several that are asked together plain ones count as well.
    let all_of = |(line, _): &(CodeLine, Vec<Input>)| {
        let mut all: Vec<String> = compared(line.text).iter().map(|it| value_of(it.text)).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    let has_input = |it: &&(CodeLine, Vec<Input>)| !it.1.is_empty() && all_of(it).len() > 1;
    let together = decisions.iter().find(has_input).map_or(Vec::new(), all_of);
    let mut inputs: Vec<Input> = decisions.into_iter().flat_map(|(_, inputs)| inputs).collect();
    inputs.sort_by(|a, b| a.value.cmp(&b.value));
    inputs.dedup_by(|a, b| a.value == b.value);
    let most: usize = inputs.iter().map(|it| it.weight).sum();
    (most >= SURE || together.len() > 1 || !made.is_empty() || !group.is_empty()).then_some(TestedInput {
        line,
        code,
        inputs,
        together,
        made,
        group,
        is_narrowed,
    })
}

impl TestedInput {
    /// The words that a file has to have for it.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        let inputs = self.inputs.iter().map(|it| it.value.as_str());
        inputs.chain(self.made.iter().chain(&self.group).map(String::as_str))
    }

    /// Whether a list of values is asked, which the tests may write in another way.
    pub(super) fn has_group(&self) -> bool {
        !self.group.is_empty()
    }

    /// The first test that had the values of the decisions of `function` when the session began, with a line of it, where no
    /// other file has them.
    pub(super) fn confirmed(&self, function: &str, sides: &OtherSides) -> Option<(String, String)> {
        let is_own = |it: &&Input| self.is_narrowed || !it.is_old && !sides.is_known(&it.value);
        let own: Vec<&Input> = self.inputs.iter().filter(is_own).collect();
        let together: Vec<&str> = self.together.iter().map(String::as_str).collect();
        sides.tests.iter().find_map(|test| {
            let began = test.began.as_deref()?;
            let pair = || line_with_two(began, &together, function).map(shown);
            let whole = || {
                let own = self.made.iter().filter(|it| !sides.has_text(it));
                own.into_iter()
                    .find_map(|it| began.lines().find(|line| line.contains(it.as_str())))
                    .map(shown)
            };
            let group = || row_of_group(test, &self.group, function).filter(|_| self.has_group());
            Some((test.path.clone(), row(began, &own, function).or_else(pair).or_else(whole).or_else(group)?))
        })
    }
}

/// A line of a test that has one of the values, where all that it has of them is no chance.
fn row(test: &str, inputs: &[&Input], function: &str) -> Option<String> {
    let (mut sure, mut plain, mut first_row) = (0, 0, None);
    for input in inputs {
        let lines = lines_with(test, &input.value, function);
        let Some((first, _)) = lines.first() else { continue };
        let named = lines.iter().find(|(_, is_named)| *is_named);
        if input.is_text || input.weight > 1 && named.is_some() {
            sure += input.weight;
        } else if named.is_some() {
            sure += 1;
        } else {
            plain += 1;
        }
        first_row.get_or_insert(named.map_or(*first, |(line, _)| *line));
    }
    let is_sure = sure + plain.min(sure) >= SURE;
    first_row.filter(|_| is_sure).map(shown)
}

/// A line with the texts that lines above it gave names to: `if text == SAMPLE` below `SAMPLE = "a;b"`.
fn spelled(hunk: &TextHunk, line: &CodeLine) -> String {
    let above = hunk.come.iter().filter(|it| it.number < line.number);
    let bound = above.filter_map(|it| {
        let (head, value) = it.text.split_once(" = ")?;
        let name = head.rsplit([' ', '*', '&']).next()?.trim_end_matches([':', ' ']);
        let value = value.trim_end_matches(';');
        let is_text = value.len() > 4 && value.starts_with('"') && value.ends_with('"');
        (is_text && name.len() > 2).then_some((name, value))
    });
    bound.fold(line.text.to_owned(), |text, (name, value)| {
        let equal = [format!("== {name})"), format!("== {name} "), format!("=== {name}")];
        let found = equal.iter().find(|it| text.contains(it.as_str()));
        found.map_or(text.clone(), |it| text.replace(it.as_str(), &it.replace(name, value)))
    })
}

/// The values that a line of code decides by.
fn inputs_of(line: &str, old: &str) -> Vec<Input> {
    let all = words(line);
    let first = all.first().map_or("", |(_, word)| *word);
    if line.contains("!=") || matches!(first, "for" | "foreach" | "assert" | "import" | "unless" | "while") {
        return Vec::new();
    }
    let literals = compared(line).into_iter().filter(|literal| !is_part(&all, literal));
    let known =
        |value: &str| old.lines().filter(|it| it.contains(value)).flat_map(values_of).any(|it| it == value);
    let with_age = |it: Input| Input { is_old: known(&it.value), ..it };
    literals.filter_map(|literal| input(&all, &literal)).map(with_age).collect()
}

fn input(all: &PlacedWords, literal: &CodeLiteral) -> Option<Input> {
    let value = value_of(literal.text);
    let is_text = literal.text.starts_with(['"', '\'', '`']);
    let weight = weight(all, literal, &value, is_text);
    (weight > 0).then_some(Input { value, is_text, weight, is_old: false })
}

/// How little chance there is that somebody else writes a value there.
fn weight(all: &PlacedWords, literal: &CodeLiteral, value: &str, is_text: bool) -> usize {
    let names = last_words(all, literal.at);
    let is_of = |kind: &[&str]| names.iter().any(|name| kind.contains(&name.as_str()));
    if is_text {
        let is_plain = !value.chars().any(char::is_alphanumeric)
            || value.len() < 2
            || value.starts_with(['.', '_', '-', ':', '@', '%', '<'])
            || value.contains("//")
            || COMMON.contains(&value.to_lowercase().as_str());
        return match (is_plain, literal.weight() > 0) {
            (true, _) => 0,
            (false, true) => 2,
            (false, false) if is_of(CHOOSING) || value.len() < 3 || is_setting(all) => 1,
            _ => 2,
        };
    }
    let Ok(number) = value.parse::<f64>() else { return usize::from(literal.weight() > 0) };
    let is_status = number.fract() == 0.0 && (100.0..600.0).contains(&number);
    match () {
        () if literal.weight() > 0 && !is_of(COUNTING) => 2,
        () if number.abs() <= 2.0 || is_of(COUNTING) => 0,
        () if number < 32.0 || is_status || ROUND.contains(&value) => 1,
        () => 2,
    }
}

/// Whether a line asks how something is set.
fn is_setting(all: &PlacedWords) -> bool {
    let is_of = |name: &str| {
        ["config", "option", "setting", "param", "flag", "env"].iter().any(|it| name.contains(it))
    };
    all.iter().any(|(_, word)| is_name(word) && is_of(&word.to_lowercase()))
}

/// The last words of the names that a literal is compared with, in lower case.
fn last_words(all: &PlacedWords, at: usize) -> Vec<String> {
    let is_own = |word: &&str| is_name(word) && !is_maker(word) && !BESIDE.contains(word);
    let near = |part: &[(usize, &str)]| -> Vec<String> {
        part.iter().map(|(_, word)| *word).filter(is_own).map(last_word).collect()
    };
    let before = near(all.get(at.saturating_sub(12)..at).unwrap_or_default());
    match before.last() {
        Some(last) => vec![last.clone()],
        None => near(all.get(at..(at + 12).min(all.len())).unwrap_or_default()),
    }
}

/// `tagName` -> `name`, `day_of_week` -> `week`.
fn last_word(name: &str) -> String {
    let name = name.trim_end_matches(['_', '?', '!']);
    let start = name.rfind(|c: char| c.is_uppercase() || c == '_').unwrap_or(0);
    name.get(start..).unwrap_or(name).trim_start_matches('_').to_lowercase()
}

/// Whether a literal is reckoned with rather than compared.
fn is_part(all: &PlacedWords, literal: &CodeLiteral) -> bool {
    let word = |at: Option<usize>| at.and_then(|at| all.get(at)).map_or("", |(_, word)| *word);
    let is_sum = |sign: &str| matches!(sign, "%" | "*" | "/" | "+");
    is_sum(word(literal.at.checked_sub(1))) || is_sum(word(Some(literal.at + 1)))
}

/// A decision that holds for one text alone now: `filter ? a : b` -> `filter == "title" ? a : b`.
fn narrowed<'a>(hunk: &TextHunk, come: &CodeLine<'a>) -> Option<(CodeLine<'a>, Input)> {
    let asks =
        |text: &str| ["if ", "if(", "? ", "when ", "unless ", " if "].iter().any(|it| text.contains(it));
    hunk.gone.iter().filter(|gone| asks(gone.text)).find_map(|gone| {
        let (old, new) = (format!("{}\n", gone.text), format!("{}\n", come.text));
        let edit = Edit::of(&old, &new)?;
        let (signs, literal) = edit.come.split_at_checked(edit.come.len().checked_sub(1)?)?;
        let is_equal = edit.gone.is_empty() && signs.len() > 1 && signs.iter().all(|it| *it == "=");
        let text = literal.first().filter(|it| is_equal && it.starts_with(['"', '\'']))?;
        let value = value_of(text);
        (value.len() > 2).then_some((*come, Input { value, is_text: true, weight: SURE, is_old: false }))
    })
}
