//! Which faults are planted: in functions that changed, and in those whose tests changed; the most telling first, and
//! each function in its turn.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::Path;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::languages::mutants::{Mutant, MutantKind, mutants};
use crate::languages::{Language, code, is_test_path};
use crate::proof::deciding::FileRole;
use crate::proof::known_tests::KnownTests;
use crate::proof::stage::ProofStage;

/// The most faults of one proof.
const MOST: usize = 300;
/// The most files that are looked through for the functions of changed tests, and their size in bytes.
const MOST_FILES: usize = 2_000;
const LARGEST: u64 = 256 << 10;

/// A fault to plant.
#[derive(Debug, Clone)]
pub(crate) struct PlantedFault {
    pub(crate) path: String,
    pub(crate) line: u32,
    pub(crate) fault: &'static str,
    pub(crate) before: String,
    pub(crate) after: String,
    pub(crate) mode: u32,
    /// Whether its language is compiled before a test runs.
    pub(crate) is_compiled: bool,
    mutant: Mutant,
    replaced: String,
    /// What stands before it in its file, to find it where the tests of another side follow.
    around: String,
}

impl PlantedFault {
    /// The text of the file in a copy with the fault in it. The text may have other tests at its end.
    pub(crate) fn in_text(&self, text: &str) -> Option<String> {
        let range = self.mutant.range.clone();
        let stands =
            text.get(range.clone()) == Some(self.replaced.as_str()) && text.starts_with(&self.around);
        stands.then(|| self.mutant.applied(text))
    }
}

/// The faults for a proof.
pub(crate) fn planned(stage: &ProofStage, known: &KnownTests) -> Vec<PlantedFault> {
    let mut found: Vec<(usize, PlantedFault)> = Vec::new();
    let mut seen = BTreeSet::new();
    for (changed, _) in
        stage.changed().filter(|(_, role)| matches!(role, FileRole::Source | FileRole::OwnTests))
    {
        let Some(new) = changed.new_text().filter(|_| !is_test_path(&changed.path)) else { continue };
        let lines = changed_lines(changed.old_text().unwrap_or_default(), new);
        seen.insert(changed.path.clone());
        let mode = changed.new.as_ref().map_or(0o644, |content| content.mode());
        let spans = spans(&changed.path, new, &|_, span| {
            lines.iter().any(|line| line.start < span.end && span.start < line.end)
        });
        found.extend(plans(&changed.path, new, &spans, mode));
    }
    let words = words_of_tests(known);
    if !words.is_empty() {
        for path in sources(stage.base()).into_iter().filter(|path| !seen.contains(path)) {
            let Ok(text) = fs::read_to_string(stage.base().join(&path)) else { continue };
            let spans = spans(&path, &text, &|name, _| words.contains(name));
            found.extend(plans(&path, &text, &spans, 0o644));
        }
    }
    // The first faults of all functions come before the second ones of any.
    found.sort_by_key(|(turn, plan)| (*turn, plan.mutant.fault));
    found.truncate(MOST);
    found.into_iter().map(|(_, plan)| plan).collect()
}

/// The functions of a text that `wanted` takes, by their names and places.
fn spans(path: &str, text: &str, wanted: &dyn Fn(&str, &Range<usize>) -> bool) -> Vec<Range<usize>> {
    let code = Language::of_path(path).and_then(|language| code(language, text));
    let functions = code.map(|code| code.functions).unwrap_or_default();
    let wanted = functions.iter().filter(|function| wanted(function.name, &function.span));
    wanted.map(|function| function.span.clone()).collect()
}

/// The faults in functions of a text, each with its turn within its function.
fn plans(path: &str, text: &str, spans: &[Range<usize>], mode: u32) -> Vec<(usize, PlantedFault)> {
    let is_compiled = !matches!(Language::of_path(path), Some(Language::Python | Language::JavaScript));
    let mut by_function: Vec<Vec<Mutant>> = vec![Vec::new(); spans.len()];
    for mutant in mutants(path, text, spans) {
        // The innermost function has it.
        let holds = |(_, span): &(usize, &Range<usize>)| {
            span.start <= mutant.range.start && mutant.range.end <= span.end
        };
        let own = spans.iter().enumerate().filter(holds).min_by_key(|(_, span)| span.len()).map(|(at, _)| at);
        if let Some(list) = own.and_then(|own| by_function.get_mut(own)) {
            list.push(mutant);
        }
    }
    let mut found = Vec::new();
    for mut list in by_function {
        list.sort_by_key(|mutant: &Mutant| mutant.fault);
        for (turn, mutant) in in_turn(list).into_iter().enumerate() {
            let (before, after) = mutant.lines(text);
            let plan = PlantedFault {
                path: path.to_owned(),
                line: mutant.line,
                fault: mutant.fault.words(),
                before: before.trim().to_owned(),
                after: after.trim().to_owned(),
                mode,
                is_compiled,
                replaced: text.get(mutant.range.clone()).unwrap_or_default().to_owned(),
                around: text.get(..mutant.range.start).unwrap_or_default().to_owned(),
                mutant,
            };
            found.push((turn, plan));
        }
    }
    found
}

/// One fault of each kind before a second of any.
fn in_turn(list: Vec<Mutant>) -> Vec<Mutant> {
    let mut counted: Vec<(usize, Mutant)> = Vec::with_capacity(list.len());
    let (mut last, mut count): (Option<MutantKind>, usize) = (None, 0);
    for mutant in list {
        count = if last == Some(mutant.fault) { count + 1 } else { 0 };
        last = Some(mutant.fault);
        counted.push((count, mutant));
    }
    counted.sort_by_key(|(count, mutant)| (*count, mutant.fault));
    counted.into_iter().map(|(_, mutant)| mutant).collect()
}

/// The places of a new text whose lines are not those of the old one, in bytes.
fn changed_lines(old: &str, new: &str) -> Vec<Range<usize>> {
    let (before, after): (Vec<&str>, Vec<&str>) =
        (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let mut starts = vec![0];
    for line in &after {
        starts.push(starts.last().copied().unwrap_or_default() + line.len());
    }
    let at = |line: usize| starts.get(line).copied().unwrap_or(new.len());
    let ops = capture_diff_slices(Algorithm::Patience, &before, &after);
    let changed = ops.into_iter().filter(|op| !matches!(op, DiffOp::Equal { .. }));
    // What was only deleted leaves a place of one byte.
    changed
        .map(|op| at(op.new_range().start)..at(op.new_range().end).max(at(op.new_range().start) + 1))
        .collect()
}

/// The words of tests whose text has changed.
fn words_of_tests(known: &KnownTests) -> BTreeSet<String> {
    let changed = known
        .list
        .iter()
        .filter(|test| test.old.as_ref().map(|it| &it.text) != test.new.as_ref().map(|it| &it.text));
    let texts = changed.flat_map(|test| test.old.iter().chain(&test.new).map(|version| version.text.clone()));
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    texts
        .flat_map(|text| text.split(|letter| !is_part(letter)).map(str::to_owned).collect::<Vec<_>>())
        .filter(|word| word.len() > 1)
        .collect()
}

/// The sources of a project in languages whose faults are known.
fn sources(root: &Path) -> Vec<String> {
    let walk = ignore::WalkBuilder::new(root)
        .require_git(false)
        .filter_entry(|entry| !crate::proof::installed::is_folder(entry.path()))
        .build();
    let files = walk.flatten().filter(|entry| {
        entry.file_type().is_some_and(|kind| kind.is_file())
            && entry.metadata().is_ok_and(|it| it.len() <= LARGEST)
    });
    let names = files.filter_map(|entry| Some(entry.path().strip_prefix(root).ok()?.to_str()?.to_owned()));
    names.filter(|path| Language::of_path(path).is_some() && !is_test_path(path)).take(MOST_FILES).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_functions_that_changed_get_faults_and_each_in_its_turn() {
        let old =
            "def a(x):\n    return x > 1\n\n\ndef b(x):\n    return x + 1\n\n\ndef c(x):\n    return x\n";
        let new =
            "def a(x):\n    return x > 2\n\n\ndef b(x):\n    return x + 1\n\n\ndef c(x):\n    return 3\n";
        let lines = changed_lines(old, new);
        let spans = spans("a.py", new, &|_, span| {
            lines.iter().any(|line| line.start < span.end && span.start < line.end)
        });
        assert_eq!(spans.len(), 2);
        let mut found = plans("a.py", new, &spans, 0o644);
        found.sort_by_key(|(turn, plan)| (*turn, plan.mutant.fault));
        let first: Vec<(u32, &str)> = found.iter().take(2).map(|(_, plan)| (plan.line, plan.fault)).collect();
        assert_eq!(first, [(2, "return replaced by a default"), (10, "return replaced by a default")]);
        let (_, plan) = &found[0];
        assert_eq!(plan.in_text(new).unwrap(), new.replace("x > 2", "None"));
        assert_eq!(plan.in_text(old), None);
    }
}
