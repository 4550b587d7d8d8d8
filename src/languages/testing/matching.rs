//! Which test of the text after is which test of the text before.
//!
//! A name that vanished proves little: tests are renamed, moved, merged into tables and split. So a test counts as
//! lost only when nothing after says what it said. Every rule here only ever saves a test from being called lost.

use std::collections::HashMap;

use crate::languages::testing::outline::{BEHAVES_LIKE, Outline, StrayFunction, Test, bare_lines};
use crate::languages::testing::similarity::{
    MOST_PAIRS, NEARLY_ALL, TINY, kinship, likeness_by, title_words,
};

mod hosts;
mod remains;
mod renamings;

use hosts::AbsorbingTest;
use renamings::{has_same_words, is_renamed};

/// More new functions than this are not asked which test they were.
const MOST_STRAYS: usize = 200;
/// More pairs than this are not read word by word.
const MOST_RENAMED: usize = 2_000;

/// What became of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// It is this test of the outline after, perhaps under another name.
    Kept(usize),
    /// What it said is said elsewhere: in another file, in a table, in several tests, in a copy.
    Moved,
    /// It stands in comments.
    CommentedOut,
    /// It stands where nothing runs; the reason as the end of a sentence.
    Dead(String),
    /// The function is there under this name, but no runner collects it.
    Uncollected(String),
    /// It is gone.
    Lost,
}

impl Fate {
    /// Whether the test still runs somewhere.
    pub fn is_kept(&self) -> bool {
        matches!(self, Fate::Kept(_) | Fate::Moved)
    }
}

/// Says for each test of `before` what became of it within the same file. The sources are those of the outlines.
pub fn pair(before: &Outline, source_before: &str, after: &Outline, source_after: &str) -> Vec<Fate> {
    let mut pairing = Pairing::new(OutlineSide(before, source_before), OutlineSide(after, source_after));
    pairing.by_name();
    pairing.by_renaming();
    pairing.find_uncollected();
    pairing.by_body();
    let lost = pairing.lost();
    let is_small = lost.len().saturating_mul(before.tests.len() + after.tests.len()) <= MOST_PAIRS;
    if is_small && !lost.is_empty() {
        pairing.find_hosts();
    }
    for index in lost {
        let Some(test) = before.tests.get(index) else { continue };
        if let Some(fate) = pairing.fate_of_lost(test, is_small) {
            pairing.settle(index, fate);
        }
    }
    pairing.fates
}

/// An outline with its text.
#[derive(Clone, Copy)]
struct OutlineSide<'o>(&'o Outline, &'o str);

struct Pairing<'o> {
    before: &'o Outline,
    after: &'o Outline,
    source_before: &'o str,
    source_after: &'o str,
    /// The lines of both texts, where the parser lost its way in the one after. Sorted.
    texts: [Vec<u64>; 2],
    fates: Vec<Fate>,
    /// For each test after: the test before that it is.
    origin: Vec<Option<usize>>,
    hosts: Vec<AbsorbingTest<'o>>,
}

impl<'o> Pairing<'o> {
    fn new(
        OutlineSide(before, source_before): OutlineSide<'o>,
        OutlineSide(after, source_after): OutlineSide<'o>,
    ) -> Self {
        let texts = [source_before, source_after].map(|source| {
            let mut lines: Vec<u64> = if after.broken { bare_lines(source).collect() } else { Vec::new() };
            lines.sort_unstable();
            lines
        });
        let (fates, origin) = (vec![Fate::Lost; before.tests.len()], vec![None; after.tests.len()]);
        Pairing { before, after, source_before, source_after, texts, fates, origin, hosts: Vec::new() }
    }

    fn lost(&self) -> Vec<usize> {
        self.fates
            .iter()
            .enumerate()
            .filter(|(_, fate)| **fate == Fate::Lost)
            .map(|(index, _)| index)
            .collect()
    }

    fn settle(&mut self, old: usize, fate: Fate) {
        if let Fate::Kept(new) = fate
            && let Some(origin) = self.origin.get_mut(new)
        {
            *origin = Some(old);
        }
        if let Some(slot) = self.fates.get_mut(old) {
            *slot = fate;
        }
    }

    /// The tests after that are nobody yet.
    fn new_tests(&self) -> impl Iterator<Item = (usize, &'o Test)> {
        self.after.tests.iter().enumerate().filter(|(index, _)| self.origin.get(*index) == Some(&None))
    }

    /// The functions after that no runner collects and that were not there before.
    fn new_strays(&self) -> impl Iterator<Item = &'o StrayFunction> {
        let before = self.before;
        let was_there = move |name: &str| before.strays.iter().any(|stray| stray.name == name);
        self.after.strays.iter().filter(move |stray| !was_there(&stray.name))
    }

    fn by_name(&mut self) {
        let mut by_name = HashMap::<&str, Vec<usize>>::new();
        for (index, test) in self.after.tests.iter().enumerate() {
            by_name.entry(&test.name).or_default().push(index);
        }
        for (old, test) in self.before.tests.iter().enumerate() {
            let Some(indices) = by_name.get_mut(test.name.as_str()) else { continue };
            let alike = |index: usize| {
                self.after.tests.get(index).map_or(0.0, |other| test.body.similarity(&other.body))
            };
            let best = (0..indices.len()).max_by(|a, b| {
                let of = |at: &usize| indices.get(*at).map_or(0.0, |index| alike(*index));
                of(a).total_cmp(&of(b)).then(b.cmp(a))
            });
            if let Some(best) = best {
                let new = indices.remove(best);
                self.settle(old, Fate::Kept(new));
            }
        }
    }

    /// A test that is there but for the style of its name, or for the name of one symbol, which the code under test has
    /// got too.
    fn by_renaming(&mut self) {
        let (lost, new) = (self.lost(), self.new_tests().map(|(index, _)| index).collect::<Vec<_>>());
        if lost.is_empty() || lost.len().saturating_mul(new.len()) > MOST_RENAMED {
            return;
        }
        for old in lost {
            let Some(test) = self.before.tests.get(old) else { continue };
            let is_same = |index: &usize| {
                let other = self.after.tests.get(*index).filter(|_| self.origin.get(*index) == Some(&None));
                other.is_some_and(|other| {
                    has_same_words(test, other)
                        || is_renamed((test, self.source_before), (other, self.source_after))
                })
            };
            if let Some(found) = new.iter().copied().find(|index| is_same(index)) {
                self.settle(old, Fate::Kept(found));
            }
        }
    }

    /// A test whose function is there under its own name and that no runner collects: no copy takes its place.
    fn find_uncollected(&mut self) {
        let strays: Vec<&StrayFunction> = self.new_strays().take(MOST_STRAYS).collect();
        for index in self.lost() {
            let Some(test) = self.before.tests.get(index) else { continue };
            let stays = |stray: &&&StrayFunction| {
                stray.name == test.title && stray.body.similarity(&test.body) >= NEARLY_ALL
            };
            let stray = strays.iter().find(stays);
            if let Some(stray) = stray.filter(|stray| !self.is_called(stray)) {
                self.settle(index, Fate::Uncollected(stray.name.clone()));
            }
        }
    }

    fn is_called(&self, stray: &StrayFunction) -> bool {
        self.after.tests.iter().any(|test| test.body.mentions(&stray.name))
    }

    /// Pairs what is left, the most alike first.
    fn by_body(&mut self) {
        let lost = self.lost();
        let new: Vec<_> = self.new_tests().collect();
        if lost.len().saturating_mul(new.len()) > MOST_PAIRS {
            return;
        }
        let new: Vec<_> = new
            .into_iter()
            .map(|(index, test)| (index, test, self.is_twin(test), title_words(&test.title)))
            .collect();
        let mut pairs = Vec::new();
        for old in lost {
            let Some(test) = self.before.tests.get(old) else { continue };
            let words = title_words(&test.title);
            // A copy of a test that stays takes nobody's place.
            let fitting = new.iter().filter(|(_, other, is_twin, _)| !is_twin || test.body == other.body);
            pairs.extend(fitting.filter_map(|(index, other, _, others)| {
                Some((likeness_by(test, other, || kinship(&words, others))?, old, *index))
            }));
        }
        pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (_, old, new) in pairs {
            if self.fates.get(old) == Some(&Fate::Lost) && self.origin.get(new) == Some(&None) {
                self.settle(old, Fate::Kept(new));
            }
        }
    }

    /// What became of a test that has no counterpart by name or body.
    fn fate_of_lost(&mut self, test: &Test, is_small: bool) -> Option<Fate> {
        // Shared examples may be written out, and are then said in other words.
        if test.title.starts_with(BEHAVES_LIKE) && self.new_tests().next().is_some() {
            return Some(Fate::Moved);
        }
        // A module under its short name, or under a new one.
        let is_doctest = |test: &Test| test.title.starts_with("doctest ");
        let renamed = self.new_tests().find(|(_, new)| is_doctest(new)).map(|(new, _)| new);
        if let Some(new) = renamed.filter(|_| is_doctest(test)) {
            return Some(Fate::Kept(new));
        }
        let larger = if is_small { self.larger(test) } else { None };
        larger.or_else(|| self.remains(test))
    }

    /// Whether a new test has the body of one that is kept.
    fn is_twin(&self, new: &Test) -> bool {
        let kept =
            self.before.tests.iter().zip(&self.fates).filter(|(_, fate)| matches!(fate, Fate::Kept(_)));
        new.body.len() >= TINY && kept.into_iter().any(|(test, _)| test.body == new.body)
    }
}
