//! Values of tests that stand there less often than before: which of them are missed, and what is said of it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::detectors::TestComparison;
use crate::detectors::engine::code_lines::{QUOTES, quoted};
use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::testing::alike_lines::{is_alike, is_sample};
use crate::detectors::testing::built_values::is_built;
use crate::detectors::testing::cut_items::{answers_gone, fewer_rows, is_row, is_shortened, turned_or_cut};
use crate::detectors::testing::given_sides::is_lone_claim;
use crate::detectors::testing::plumbing_values::{
    brings_local_server, is_of_double, is_plumbing, is_shared_now, looks_up,
};
use crate::detectors::testing::recomposed_texts::is_recomposed;
use crate::detectors::testing::said_elsewhere::{fails, has_value, is_answer, is_in_helper};
use crate::detectors::testing::test_lines::{is_beside, words_of};
use crate::detectors::testing::tolerances::is_given_up;
use crate::detectors::testing::word_edit::{each_word, is_data, words};
use crate::languages::code::bare;
use crate::languages::looser;
use crate::model::finding::Severity;

/// How often each value of the lines that are gone stands in the text before and after, and what comes.
pub(super) struct ValueCounts<'a> {
    counts: BTreeMap<Cow<'a, str>, (usize, usize)>,
    gone: Vec<&'a str>,
    come: String,
    /// What comes, as written.
    written: String,
    /// Whether one claim is all that differs.
    is_lone: bool,
    /// Whether a stand-in for a server has come.
    has_server: bool,
}

impl<'a> ValueCounts<'a> {
    pub(super) fn of(old: &'a str, new: &'a str, all: &[TextHunk<'a>]) -> Self {
        let gone = all.iter().flat_map(|hunk| &hunk.gone).flat_map(|line| each_word(line.text));
        let values = gone.filter(|(_, word)| is_data(word)).map(|(_, word)| (in_own_quotes(word), (0, 0)));
        let mut counts: BTreeMap<Cow<str>, (usize, usize)> = values.collect();
        if !counts.is_empty() {
            let mut count = |text: &str, add: fn(&mut (usize, usize))| {
                let words = each_word(text).filter(|(_, word)| is_data(word));
                words.for_each(|(_, word)| counts.get_mut(&*in_own_quotes(word)).into_iter().for_each(add));
            };
            count(old, |it| it.0 += 1);
            count(new, |it| it.1 += 1);
        }
        let come = all.iter().flat_map(|hunk| &hunk.come).map(|line| squeezed(line.text)).collect();
        let gone = all.iter().flat_map(|hunk| &hunk.gone).map(|line| line.text).collect();
        let written: String =
            all.iter().flat_map(|hunk| &hunk.come).map(|line| format!("{}\n", line.text)).collect();
        let has_server = brings_local_server(old, &written);
        ValueCounts { counts, gone, come, written, is_lone: is_lone_claim(all), has_server }
    }

    /// What is said of a place whose values are gone.
    pub(super) fn lost(&self, comparison: &TestComparison, hunk: &TextHunk) -> Option<(String, Severity)> {
        let is_about = |line: &&CodeLine| !is_beside(line.text) && !fails(line.text);
        let gone: Vec<&CodeLine> = hunk.gone.iter().filter(is_about).collect();
        let is_title = |line: &CodeLine, at: usize| {
            comparison.before.tests.iter().any(|test| test.title_span.contains(&(line.at + at)))
        };
        let mut lost = gone.iter().flat_map(|line| {
            words(line.text)
                .into_iter()
                .filter(|(at, word)| {
                    let is_free = !is_plumbing(line.text, *at, word)
                        && !is_of_double(line.text, *at, &self.written)
                        && !looks_up(line.text, *at, word, &self.written)
                        && !is_given_up(line.text, *at, &self.written);
                    is_data(word) && !is_title(line, *at) && is_free
                })
                .map(|(_, word)| word)
        });
        let is_same_length = hunk.gone.len() == hunk.come.len();
        let value = lost.find(|word| {
            is_telling(word, is_same_length)
                && self.is_lost(word)
                && !self.is_taken_out(word)
                && !is_in_helper(comparison, word)
                && !is_shared_now(comparison, word)
                && !is_built(comparison, hunk, word, &self.written)
        });
        if let Some(what) = is_same_length.then(|| turned_or_cut(hunk)).flatten() {
            return Some((what, Severity::High));
        }
        let gone_answers = answers_gone(hunk, |word| self.is_nowhere(word));
        if gone_answers * 2 > hunk.gone.len() {
            let what = format!(
                "{} with their answers would be gone from what the tests are given",
                rows(gone_answers)
            );
            return Some((what, Severity::High));
        }
        let is_gone_row = || {
            let gone =
                hunk.gone.iter().filter(|line| !hunk.come.iter().any(|it| is_part_of(it.text, line.text)));
            let mut values = gone.flat_map(|line| each_word(line.text)).map(|(_, word)| word);
            values.any(|word| is_data(word) && self.is_nowhere(word))
        };
        if !hunk.come.is_empty() && hunk.come.len() < hunk.gone.len() && fewer_rows(hunk) && is_gone_row() {
            return Some(("a row would be gone from what the tests are given".to_owned(), Severity::High));
        }
        let value = value?;
        let is_pair_shorter = |(old, new): (&CodeLine, &CodeLine)| is_shortened(old.text, new.text);
        if is_same_length && hunk.gone.iter().zip(&hunk.come).any(is_pair_shorter) {
            let what = format!("{value} would not be given to the tests any more");
            return Some((what, Severity::High));
        }
        if hunk.come.is_empty() {
            let is_rows = hunk.gone.iter().all(|line| is_row(line.text)) && !self.is_moved(hunk);
            let what = format!("{} would be gone from what the tests are given", rows(hunk.gone.len()));
            return is_rows.then_some((what, Severity::High));
        }
        // The same cases are sent to a stand-in, which has answers of its own.
        if self.has_server {
            return None;
        }
        // Lines that say something else are no other values of the same.
        let is_other = |(old, new): (&CodeLine, &CodeLine)| {
            let is_sample = is_sample(old.text, new.text, self.is_lone) && !is_answer(old.text, new.text);
            is_alike(old.text, new.text) && !is_sample
        };
        let is_meant = !is_same_length || hunk.gone.iter().zip(&hunk.come).any(is_other);
        let what =
            format!("{value} would be another value, while nothing that the tests are about has changed");
        (is_meant && !is_tightened(hunk)).then_some((what, Severity::Medium))
    }

    /// Whether most values of lines that are gone stand in what has come: without their names, and in another table.
    fn is_moved(&self, hunk: &TextHunk) -> bool {
        let texts: Vec<&str> = hunk
            .gone
            .iter()
            .flat_map(|line| each_word(line.text))
            .map(|(_, word)| word)
            .filter(|word| is_data(word) && is_telling(word, false))
            .collect();
        let kept = texts.iter().filter(|word| self.come.contains(&squeezed(word))).count();
        kept > 0 && kept * 2 >= texts.len()
    }

    /// Whether a value stands nowhere any more, nor as a part of what has come.
    fn is_nowhere(&self, word: &str) -> bool {
        let is_said =
            || has_value(&self.written, word).unwrap_or_else(|| self.come.contains(&squeezed(word)));
        self.counts.get(&*in_own_quotes(word)).is_none_or(|it| it.1 == 0) && !is_said()
    }

    /// Whether a value stands there less often than before, and is no part of what has come.
    fn is_lost(&self, word: &str) -> bool {
        let (before, after) = self.counts.get(&*in_own_quotes(word)).copied().unwrap_or_default();
        let bare = squeezed(word);
        after < before
            && (bare.is_empty()
                || !has_value(&self.written, word).unwrap_or_else(|| self.come.contains(&bare)))
            && !self.is_composed(word)
            && !self.is_replaced_in(word)
    }

    /// Whether a value of a field is one that each run makes anew: the field is taken out and read by itself.
    fn is_taken_out(&self, word: &str) -> bool {
        const OUT: &[&str] =
            &["pop(", "remove(", "delete(", "unset(", "except(", "omit(", "delete", "expect.any("];
        let keys = self.gone.iter().filter_map(|line| line.split_once(word)).map(|(head, _)| head);
        let key = |head: &str| {
            let head = head.trim_end_matches([' ', ':', '=', '>']);
            words_of(head)
                .last()
                .filter(|key| key.len() > 1 && head.trim_end_matches(QUOTES).ends_with(key))
                .map(str::to_owned)
        };
        let is_out = |line: &str, key: &str| {
            let takes = OUT.iter().any(|call| line.contains(call));
            takes && words_of(line).any(|it| it == key)
        };
        let mut keys = keys.filter_map(key);
        keys.any(|key| self.written.lines().any(|line| is_out(line, &key)))
    }

    /// Whether a text is put together now, of parts that all stand there: one of several rows.
    fn is_composed(&self, word: &str) -> bool {
        let is_put_together = quoted(&self.written, QUOTES)
            .any(|text| ["{", "\\(", "%s"].iter().any(|sign| text.contains(sign)));
        let mut parts = words_of(word).filter(|it| it.len() > 1);
        let there = |part: &str| words_of(&self.written).any(|it| it == part);
        is_put_together && parts.clone().count() > 1 && parts.all(there) || is_recomposed(word, &self.written)
    }

    /// Whether a text was no input as it stood, but had a part replaced, and is written as it was then.
    fn is_replaced_in(&self, word: &str) -> bool {
        let inner = |text: &str| text.trim_matches(['"', '\'', '`']).to_owned();
        let lines = self.gone.iter().filter(|line| line.contains(word) && line.contains("eplac"));
        lines.into_iter().any(|line| {
            let all: Vec<String> =
                words(line).into_iter().filter(|(_, it)| is_data(it)).map(|(_, it)| inner(it)).collect();
            let old = inner(word);
            all.iter().any(|part| {
                let results = all.iter().map(|other| old.replace(part.as_str(), other));
                !part.is_empty()
                    && *part != old
                    && results.into_iter().any(|it| it != old && self.written.contains(&it))
            })
        })
    }
}

/// Whether a value says something by itself: a text of some letters, or a number in a line that is the same otherwise.
fn is_telling(word: &str, is_same_length: bool) -> bool {
    let bare = word.trim_matches(['"', '\'', '`']);
    let is_number = bare.len() == word.len() && bare.starts_with(|c: char| c.is_ascii_digit());
    let is_text = bare.len() + 1 < word.len() && bare.chars().filter(|c| c.is_alphanumeric()).count() > 1;
    is_number && is_same_length || is_text
}

/// Whether a tolerance is smaller than before.
fn is_tightened(hunk: &TextHunk) -> bool {
    let ([old], [new]) = (&hunk.gone[..], &hunk.come[..]) else { return false };
    // `if math.Abs(got-61.6) > 0.01 {` fails for less where the number is smaller.
    let bound = |line: &str| -> Option<(String, f64)> {
        let (head, rest) = line.rsplit_once('>').filter(|(head, _)| head.to_lowercase().contains("abs("))?;
        let number = rest.trim_matches(|c: char| !(c.is_ascii_digit() || c == '.'));
        Some((head.to_owned(), number.parse().ok()?))
    };
    let is_less = bound(old.text).zip(bound(new.text)).is_some_and(|(was, is)| was.0 == is.0 && is.1 < was.1);
    is_less || looser(&bare(new.text), &bare(old.text)).is_some()
}

/// Whether a row is another one but for the comma behind it.
fn is_part_of(row: &str, other: &str) -> bool {
    row.trim_end_matches(',') == other.trim_end_matches(',')
}

fn rows(count: usize) -> String {
    if count == 1 { "a row".to_owned() } else { format!("{count} rows") }
}

/// A text in quotes of one kind, whichever it has.
fn in_own_quotes(word: &str) -> Cow<'_, str> {
    let inner =
        QUOTES.iter().filter(|it| **it != '"').find_map(|it| word.strip_prefix(*it)?.strip_suffix(*it));
    inner.map_or(Cow::Borrowed(word), |it| Cow::Owned(format!("\"{it}\"")))
}

/// The letters and digits of a text.
fn squeezed(text: &str) -> String {
    let text = text.replace("\\n", "").replace("\\t", "");
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}
