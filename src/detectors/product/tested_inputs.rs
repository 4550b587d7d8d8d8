//! Decisions for one value that stands in the project's tests as an input, and nowhere else: made for the tests, whatever is
//! done for it.
//!
//! An edit alone gives a suspicion; the tests, as they were when the session began, confirm it.

use std::collections::BTreeSet;

use crate::detectors::engine::code_lines::CodeLine;
use crate::detectors::engine::hunks::TextHunk;
use crate::detectors::product::compared_literals::PlacedWords;
use crate::detectors::product::decided_answers::{
    answers, asked_of, is_part, is_setting, keys, last_words, sole, spelled,
};
use crate::detectors::product::input_words::{CHOOSING, COMMON, COUNTING, ROUND};
use crate::detectors::product::literals::{CodeLiteral, shown, value_of, values_of};
use crate::detectors::product::made_values::compared_values;
use crate::detectors::product::other_sides::{OtherSides, line_with_two, lines_with};
use crate::detectors::product::value_groups::{asked_group, row_of_group};
use crate::detectors::testing::word_edit::{Edit, words};
use crate::model::words::has_word;

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
    /// Answers that stand beside the new decisions.
    answers: Vec<String>,
    /// Whether a decision that was there holds for one value alone now.
    is_narrowed: bool,
    /// Whether a comparison with something that is worked out went for it.
    is_instead: bool,
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
    let mut made: Vec<String> = hunk.come.iter().flat_map(made_of).collect();
    made.extend(keys(hunk, old));
    let is_new =
        |line: &CodeLine, inputs: &[Input]| inputs.iter().any(|it| !it.is_old) || !made_of(line).is_empty();
    let group = asked_group(hunk, old);
    let decided = decisions.iter().find(|(line, inputs)| is_new(line, inputs)).map(|(line, _)| line);
    let first = decided.or_else(|| hunk.come.first().filter(|_| !group.is_empty() || !made.is_empty()))?;
    let (line, code) = (first.number, first.text.to_owned());
    let has_input = |it: &&(CodeLine, Vec<Input>)| !it.1.is_empty() && all_of(it).len() > 1;
    let together = decisions.iter().find(has_input).map_or(Vec::new(), all_of);
    let mut inputs: Vec<Input> = decisions.into_iter().flat_map(|(_, inputs)| inputs).collect();
    inputs.sort_by(|a, b| a.value.cmp(&b.value));
    inputs.dedup_by(|a, b| a.value == b.value);
    let most: usize = inputs.iter().map(|it| it.weight).sum();
    let answers = answers(hunk, old);
    let is_asked = most >= SURE || together.len() > 1 || !answers.is_empty();
    (is_asked || !made.is_empty() || !group.is_empty()).then_some(TestedInput {
        line,
        code,
        inputs,
        together,
        made,
        group,
        answers,
        is_narrowed,
        is_instead: hunk
            .gone
            .iter()
            .any(|it| [" < ", " > ", " <= ", " >= "].iter().any(|sign| it.text.contains(sign))),
    })
}

impl TestedInput {
    /// The words that a file has to have for it.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        let inputs = self.inputs.iter().map(|it| it.value.as_str());
        inputs.chain(self.made.iter().chain(&self.group).chain(&self.answers).map(String::as_str))
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
        let odd: Vec<&str> = own.iter().filter(|it| it.weight > 1).map(|it| it.value.as_str()).collect();
        let together: Vec<&str> = self.together.iter().map(String::as_str).collect();
        sides.tests.iter().find_map(|test| {
            let began = test.began.as_deref()?;
            let pair = || line_with_two(began, &together, function).map(shown);
            let answer = || self.answered(began, function).map(shown);
            let sole = || self.is_instead.then(|| sole(began, &odd)).flatten().map(shown);
            let whole = || {
                let own = self.made.iter().filter(|it| !sides.has_text(it));
                own.into_iter()
                    .find_map(|it| began.lines().find(|line| line.contains(it.as_str())))
                    .map(shown)
            };
            let group = || row_of_group(test, &self.group, function).filter(|_| self.has_group());
            Some((
                test.path.clone(),
                row(began, &own, function)
                    .or_else(pair)
                    .or_else(answer)
                    .or_else(sole)
                    .or_else(whole)
                    .or_else(group)?,
            ))
        })
    }

    /// A line of a test that has one of the values, or calls the function, beside an answer that the new decision gives.
    fn answered<'t>(&self, test: &'t str, function: &str) -> Option<&'t str> {
        let of_inputs = self.inputs.iter().filter(|it| !it.is_old).map(|it| it.value.as_str());
        let asked: Vec<&str> = of_inputs.chain(self.together.iter().map(String::as_str)).collect();
        self.answers.iter().find_map(|answer| {
            let mut both = asked.iter().filter(|it| *it != answer);
            let pair = both.find_map(|it| line_with_two(test, &[it, answer], function));
            let is_odd = answer.trim_start_matches('-').len() > 4;
            let of_function = || {
                let named =
                    lines_with(test, answer, function).into_iter().find(|(line, _)| has_word(line, function));
                named.map(|(line, _)| line)
            };
            pair.or_else(|| is_odd.then(of_function).flatten())
        })
    }
}

/// The values that a decision asks for: of several that are asked together plain ones count as well.
fn all_of((line, _): &(CodeLine, Vec<Input>)) -> Vec<String> {
    let all: BTreeSet<String> = asked_of(line.text).iter().map(|it| value_of(it.text)).collect();
    all.into_iter().collect()
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

/// The values that a line of code decides by.
fn inputs_of(line: &str, old: &str) -> Vec<Input> {
    let all = words(line);
    let first = all.first().map_or("", |(_, word)| *word);
    if line.contains("!=") || matches!(first, "for" | "foreach" | "assert" | "import" | "unless" | "while") {
        return Vec::new();
    }
    let literals = asked_of(line).into_iter().filter(|literal| !is_part(&all, literal));
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
