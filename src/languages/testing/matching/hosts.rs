//! Whether what a lost test said is said by others: by a copy, in a larger test or in several.

use super::{Fate, Pairing};
use crate::languages::body::Body;
use crate::languages::testing::outline::{StrayFunction, Test};
use crate::languages::testing::similarity::{
    HALF, MOST, NEARLY_ALL, RELATED, TINY, is_broader, is_skipped, is_table, title_words,
};

/// A test after that may say what a lost one said.
pub(super) struct AbsorbingTest<'o> {
    test: &'o Test,
    /// Whether it is nobody of before.
    is_new: bool,
    /// What it says that it did not say before.
    added: Body,
    /// What it says with what it shares with others: new code outside of tests, and new functions that it calls.
    reach: Body,
    /// Whether it has more rows than before.
    gains_rows: bool,
    /// How many assertions it has beyond its own of before and those of tests that it has taken in already.
    spare: usize,
}

impl<'o> Pairing<'o> {
    /// Finds the tests after that may say what a lost one said.
    pub(super) fn find_hosts(&mut self) {
        let outside = self.after.outside.minus(&self.before.outside);
        let strays: Vec<&StrayFunction> = self.new_strays().collect();
        for (test, origin) in self.after.tests.iter().zip(&self.origin).filter(|(test, _)| !is_skipped(test))
        {
            let mut shared = outside.clone();
            for stray in strays.iter().filter(|stray| test.body.mentions(&stray.name)) {
                shared.absorb(&stray.body);
            }
            let origin = origin.and_then(|old| self.before.tests.get(old));
            let mut added = origin.map_or_else(|| test.body.clone(), |old| test.body.minus(&old.body));
            added.absorb(&shared);
            if !added.is_empty() && (origin.is_some() || !self.is_twin(test)) {
                let mut reach = test.body.clone();
                reach.absorb(&shared);
                let had = origin.map_or(0, |old| old.assertions.len());
                let spare = test.assertions.len().saturating_sub(had);
                let rows = |test: &Test| test.cases.unwrap_or(1);
                let gains_rows = rows(test) > origin.map_or(1, rows);
                self.hosts.push(AbsorbingTest {
                    test,
                    is_new: origin.is_none(),
                    added,
                    reach,
                    gains_rows,
                    spare,
                });
            }
        }
    }

    /// Whether the test is a copy of another, is merged into a larger one or is split into several.
    pub(super) fn larger(&mut self, test: &Test) -> Option<Fate> {
        if self.is_copy(test) || self.is_split(test) {
            return Some(Fate::Moved);
        }
        let host = self.hosts.iter_mut().find(|host| host.holds(test))?;
        host.spare = host.spare.saturating_sub(test.assertions.len());
        Some(Fate::Moved)
    }

    /// Whether another test has the same text but for its title.
    fn is_copy(&self, test: &Test) -> bool {
        let text = |source: &'o str, test: &Test| {
            let body = source.get(test.title_span.end..test.span.end).unwrap_or_default();
            body.split_whitespace().collect::<String>()
        };
        let twins = self.fates.iter().filter_map(|fate| match fate {
            Fate::Kept(index) => self.after.tests.get(*index),
            _ => None,
        });
        let mut twins = twins.filter(|twin| twin.body == test.body && !is_skipped(twin));
        // In another suite the same words are about another set-up.
        let is_beside = |twin: &Test| group(twin, &self.after.tests) == group(test, &self.before.tests);
        twins.any(|twin| is_beside(twin) && text(self.source_after, twin) == text(self.source_before, test))
    }

    fn is_split(&self, test: &Test) -> bool {
        let title = title_words(&test.title);
        let (mut all, mut named) = (Body::default(), Body::default());
        let (mut parts, mut assertions, mut named_assertions) = (0, 0, 0);
        for host in self.hosts.iter().filter(|host| host.is_new) {
            if test.body.minus(&host.reach).len() < test.body.len() {
                all.absorb(&host.reach);
                parts += 1;
                assertions += host.test.assertions.len();
            }
            // The test has become a suite of the same name.
            if title.len() > 1 && title.is_subset(&title_words(&host.test.name)) {
                named.absorb(&host.reach);
                named_assertions += host.test.assertions.len();
            }
        }
        let is_suite =
            named_assertions >= test.assertions.len().max(1) && test.body.words_within(&named) >= RELATED;
        let is_in_parts = parts > 1
            && test.body.len() >= TINY
            && assertions >= test.assertions.len()
            && test.body.words_within(&all) >= NEARLY_ALL
            && test.body.literals_within(&all) >= NEARLY_ALL;
        is_suite || is_in_parts
    }
}

impl AbsorbingTest<'_> {
    /// Whether this test, as far as it is new, says what `lost` said.
    fn holds(&self, lost: &Test) -> bool {
        let words = lost.body.words_within(&self.reach);
        let carries = !lost.assertions.is_empty() && self.spare >= lost.assertions.len();
        if self.is_new && carries && is_broader(&self.test.title, &lost.title) && words >= RELATED {
            return true;
        }
        // A title with a value in it is the title of several, each of a row.
        let is_of_rows = self.is_new && ["${", "#{"].iter().any(|sign| self.test.title.contains(sign));
        if is_of_rows && carries && words >= MOST && lost.body.literals_within(&self.reach) >= HALF {
            return true;
        }
        // A row need not say again what the table's test has said all along.
        let is_row = self.gains_rows
            && words >= NEARLY_ALL
            && lost.body.names_only_literals_of(&self.reach)
            && lost.body.shares_a_literal(&self.added);
        if is_row {
            return true;
        }
        (carries || is_table(self.test))
            && if lost.body.has_literals() {
                lost.body.literals_within(&self.added) >= NEARLY_ALL && words >= MOST
            } else {
                !lost.body.is_empty() && words >= NEARLY_ALL && self.is_new
            }
    }
}

/// What a test stands in, as its name says; for a part of a test, what the whole test stands in.
fn group<'t>(test: &'t Test, all: &'t [Test]) -> &'t str {
    let is_around =
        |whole: &&Test| whole.suite && whole.span.start < test.span.start && test.span.end <= whole.span.end;
    let whole = all.iter().find(is_around).unwrap_or(test);
    whole.name.strip_suffix(whole.title.as_str()).unwrap_or_default()
}
