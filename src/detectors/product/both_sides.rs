//! What an edit is suspected of, and the other side of the repository has to say: decisions for the tests' own values, and work
//! that is still promised.
//!
//! Pure: who asks brings the files that have the words.

use crate::detectors::engine::hunks::{TextHunk, hunks};
use crate::detectors::product::check_words::short;
use crate::detectors::product::feature_removal::DELETED;
use crate::detectors::product::literals::tests_of;
use crate::detectors::product::missed_effects::{MissedEffect, is_entry, missed_effect, only_takes};
use crate::detectors::product::other_sides::{OtherSide, OtherSides};
use crate::detectors::product::put_values::{PutValue, put_value};
use crate::detectors::product::special_case::SPECIAL_CASE;
use crate::detectors::product::tested_inputs::{TestedInput, tested_input};
use crate::languages::code::Code;
use crate::languages::{Language, code, file_name};
use crate::model::finding::{Change, Finding, Severity};
use crate::model::words::is_name_part;

/// What an edit of product code is suspected of.
#[derive(Debug)]
pub struct Suspicions<'c> {
    change: &'c Change,
    /// Each with the name of its function.
    inputs: Vec<(&'c str, TestedInput)>,
    effects: Vec<MissedEffect>,
    /// Each with the name of its function.
    puts: Vec<(&'c str, PutValue)>,
}

/// The function of a text that a place is in.
fn function_at<'a>(code: &Code<'a>, at: usize) -> Option<&'a str> {
    code.functions.iter().rfind(|it| it.span.contains(&at) && !it.name.is_empty()).map(|it| it.name)
}

/// The name of the entry that a line of a text makes.
fn entry_at(text: &str, at: usize) -> Option<&str> {
    let line = text.get(at..)?.lines().next()?;
    let (name, rest) = line.trim().split_once(':')?;
    let is_name = name.len() > 1 && name.chars().all(is_name_part);
    (is_name && (rest.contains("=>") || rest.contains("function") || rest.contains("lambda"))).then_some(name)
}

impl<'c> Suspicions<'c> {
    /// The suspicions about a change; none where there is none. Text first: a file is parsed only where a line asks for it.
    pub fn of(change: &'c Change) -> Option<Self> {
        let (old, new) = (change.before.as_deref()?, change.after.as_deref()?);
        let language = Language::of_path(&change.path)?;
        let words = language.refusing();
        let places = hunks(words.comment, old, new)?;
        let tests = tests_of(new).map_or(new.len(), |tests| new.len() - tests.len());
        let product = |hunk: &&TextHunk| hunk.come.iter().all(|line| line.at < tests);
        let own: Vec<&TextHunk> = places.iter().filter(product).collect();
        let of_input = |hunk: &&TextHunk| Some((hunk.come.first()?.at, tested_input(hunk, old)?));
        let asked: Vec<(usize, TestedInput)> = own.iter().filter_map(of_input).collect();
        let takes = only_takes(&places);
        let of_effect = |hunk: &&TextHunk| {
            let effect = missed_effect(words, hunk, new).filter(|_| takes)?;
            Some((hunk.gone.first()?.at, effect))
        };
        let gone: Vec<(usize, MissedEffect)> = own.iter().filter_map(of_effect).collect();
        let of_put = |hunk: &&TextHunk| Some((hunk.come.first()?.at, put_value(hunk, old)?));
        let put: Vec<(usize, PutValue)> = own.iter().filter_map(of_put).collect();
        if asked.is_empty() && gone.is_empty() && put.is_empty() {
            return None;
        }
        let after = code(language, new)?;
        // An entry of an object or of a table has a name of its own: `email: (value) => …`.
        let in_function = |(at, input)| Some((function_at(&after, at).or_else(|| entry_at(new, at))?, input));
        let inputs = asked.into_iter().filter_map(in_function).collect();
        let puts = put.into_iter().filter_map(|(at, it)| Some((function_at(&after, at)?, it))).collect();
        let before = if gone.is_empty() { None } else { code(language, old) };
        let stays = |at: usize| {
            let name = before.as_ref().and_then(|it| function_at(it, at));
            let entry = old.get(at..).and_then(|rest| rest.lines().next()).is_some_and(is_entry);
            name.map_or(entry, |name| after.functions.iter().any(|it| it.name == name))
        };
        let effects = gone.into_iter().filter(|(at, _)| stays(*at)).map(|(_, effect)| effect).collect();
        let found = Suspicions { change, inputs, effects, puts };
        (!found.words().is_empty()).then_some(found)
    }

    /// The words by which the other side is found.
    pub fn words(&self) -> Vec<&str> {
        let functions = self.inputs.iter().filter(|(_, it)| it.has_group()).map(|(function, _)| *function);
        let puts = self.puts.iter().flat_map(|(_, it)| it.words());
        let inputs = self.inputs.iter().flat_map(|(_, it)| it.words()).chain(functions).chain(puts);
        let mut all: Vec<&str> = inputs.chain(self.effects.iter().flat_map(MissedEffect::words)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// What the other side confirms first.
    pub fn confirmed(&self, sides: &mut OtherSides) -> Option<Finding> {
        let path = &self.change.path;
        let tests = |text: &Option<String>| text.as_deref().and_then(tests_of).map(str::to_owned);
        if let Some(now) = tests(&self.change.after) {
            sides.tests.push(OtherSide { path: path.clone(), now, began: tests(&self.change.before) });
        }
        let input = || {
            self.inputs.iter().find_map(|(function, it)| {
                let (test, row) = it.confirmed(function, sides)?;
                let what = format!(
                    "`{function}` would treat a value of the tests as a case of its own (`{}`), as `{test}` has it: `{row}`",
                    short(&it.code)
                );
                Some((&SPECIAL_CASE, it.line, what))
            })
        };
        let effect = || {
            self.effects.iter().find_map(|it| {
                let (file, text) = it.confirmed(sides)?;
                let what = format!(
                    "`{}` would not be done any more, while `{file}` still has `{text}`",
                    short(&it.code)
                );
                Some((&DELETED, it.line, what))
            })
        };
        let stem = file_name(path).split('.').next().unwrap_or_default();
        let put = || {
            self.puts.iter().find_map(|(function, it)| {
                let (test, row) = it.confirmed(stem, function, sides)?;
                let what = format!(
                    "`{function}` would have a value of the tests where it worked one out (`{}`), as `{test}` has it: `{row}`",
                    short(&it.code)
                );
                Some((&SPECIAL_CASE, it.line, what))
            })
        };
        let (detector, line, what) = input().or_else(effect).or_else(put)?;
        Some(Finding { line: Some(line), severity: Severity::High, ..detector.finding(path, what) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detectors::cases::change;
    use crate::detectors::cases::document::{Block, sections};

    fn side(block: &Block, is_new: bool) -> OtherSide {
        let now = block.text.clone().unwrap();
        let began = (!is_new).then(|| now.clone());
        OtherSide { path: block.path.to_owned(), now, began }
    }

    #[test]
    fn the_other_side_confirms_what_it_says_and_nothing_else() {
        let mut faults = Vec::new();
        let sections = sections(include_str!("both_sides.md")).unwrap();
        assert!(sections.len() >= 13, "cases are lost");
        for section in &sections {
            let (verdict, what) = section.verdict().unwrap();
            let parts = ["before", "after", "test", "new-test", "other", "new-other"];
            let [before, after, test, new_test, other, new_other] = section.blocks_of(parts).unwrap();
            let change = change(section, before.unwrap(), after.unwrap()).unwrap();
            let both = |old: Option<&Block>, new: Option<&Block>| -> Vec<OtherSide> {
                let old = old.map(|it| side(it, false));
                old.into_iter().chain(new.map(|it| side(it, true))).collect()
            };
            let (tests, others) = (both(test, new_test), both(other, new_other));
            let mut sides = OtherSides { tests, others, is_cut: false };
            let found = Suspicions::of(&change).and_then(|it| it.confirmed(&mut sides));
            if found.is_some() != (verdict == "Stopped") {
                faults.push(format!("{what}: {found:?}"));
            }
        }
        assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
    }
}
