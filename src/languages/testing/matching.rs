//! Which test of the text after is which test of the text before.
//!
//! A name that vanished proves little: tests are renamed, moved, merged into tables and split. So a test counts as
//! lost only when nothing after says what it said. Every rule here only ever saves a test from being called lost.

use std::collections::HashMap;

use crate::languages::body::Body;
use crate::languages::testing::outline::{BEHAVES_LIKE, Outline, Stray, Test, bare_lines};
use crate::languages::testing::similarity::{
    MOST, MOST_PAIRS, NEARLY_ALL, RELATED, TINY, is_broader, is_skipped, is_table, likeness, title_words,
};

/// More new functions than this are not asked which test they were.
const MOST_STRAYS: usize = 200;

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
    let mut pairing = Pairing::new(Side(before, source_before), Side(after, source_after));
    pairing.by_name();
    pairing.find_uncollected();
    pairing.by_body();
    let lost = pairing.lost();
    let is_small = lost.len().saturating_mul(before.tests.len() + after.tests.len()) <= MOST_PAIRS;
    if is_small && !lost.is_empty() {
        pairing.find_hosts();
    }
    for index in lost {
        let Some(test) = before.tests.get(index) else { continue };
        // Shared examples may be written out, and are then said in other words.
        if test.title.starts_with(BEHAVES_LIKE) && pairing.new_tests().next().is_some() {
            pairing.settle(index, Fate::Moved);
            continue;
        }
        // A module under its short name, or under a new one.
        let is_doctest = |test: &Test| test.title.starts_with("doctest ");
        let renamed = pairing.new_tests().find(|(_, new)| is_doctest(new)).map(|(new, _)| new);
        if let Some(new) = renamed.filter(|_| is_doctest(test)) {
            pairing.settle(index, Fate::Kept(new));
            continue;
        }
        let larger = if is_small { pairing.larger(test) } else { None };
        if let Some(fate) = larger.or_else(|| pairing.remains(test)) {
            pairing.settle(index, fate);
        }
    }
    pairing.fates
}

/// An outline with its text.
#[derive(Clone, Copy)]
struct Side<'o>(&'o Outline, &'o str);

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
    hosts: Vec<Host<'o>>,
}

/// A test after that may say what a lost one said.
struct Host<'o> {
    test: &'o Test,
    /// Whether it is nobody of before.
    is_new: bool,
    /// What it says that it did not say before.
    added: Body,
    /// What it says with what it shares with others: new code outside of tests, and new functions that it calls.
    reach: Body,
    /// How many assertions it has beyond its own of before and those of tests that it has taken in already.
    spare: usize,
}

impl<'o> Pairing<'o> {
    fn new(Side(before, source_before): Side<'o>, Side(after, source_after): Side<'o>) -> Self {
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

    /// A test whose function is there under its own name and that no runner collects: no copy takes its place.
    fn find_uncollected(&mut self) {
        let was_there = |name: &str| self.before.strays.iter().any(|stray| stray.name == name);
        let strays: Vec<&Stray> =
            self.after.strays.iter().filter(|stray| !was_there(&stray.name)).take(MOST_STRAYS).collect();
        for index in self.lost() {
            let Some(test) = self.before.tests.get(index) else { continue };
            let stays =
                |stray: &&&Stray| stray.name == test.title && stray.body.similarity(&test.body) >= NEARLY_ALL;
            let stray = strays.iter().find(stays);
            if let Some(stray) = stray.filter(|stray| !self.is_called(stray)) {
                self.settle(index, Fate::Uncollected(stray.name.clone()));
            }
        }
    }

    fn is_called(&self, stray: &Stray) -> bool {
        self.after.tests.iter().any(|test| test.body.mentions(&stray.name))
    }

    /// Pairs what is left, the most alike first.
    fn by_body(&mut self) {
        let lost = self.lost();
        let new: Vec<_> = self.new_tests().collect();
        if lost.len().saturating_mul(new.len()) > MOST_PAIRS {
            return;
        }
        let mut pairs = Vec::new();
        for old in lost {
            let Some(test) = self.before.tests.get(old) else { continue };
            // A copy of a test that stays takes nobody's place.
            let fits = |other: &Test| test.body == other.body || !self.is_twin(other);
            let fitting = new.iter().filter(|(_, other)| fits(other));
            pairs.extend(fitting.filter_map(|(index, other)| Some((likeness(test, other)?, old, *index))));
        }
        pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (_, old, new) in pairs {
            if self.fates.get(old) == Some(&Fate::Lost) && self.origin.get(new) == Some(&None) {
                self.settle(old, Fate::Kept(new));
            }
        }
    }

    /// Whether a new test has the body of one that is kept.
    fn is_twin(&self, new: &Test) -> bool {
        let kept =
            self.before.tests.iter().zip(&self.fates).filter(|(_, fate)| matches!(fate, Fate::Kept(_)));
        new.body.len() >= TINY && kept.into_iter().any(|(test, _)| test.body == new.body)
    }

    fn find_hosts(&mut self) {
        let outside = self.after.outside.minus(&self.before.outside);
        for (test, origin) in self.after.tests.iter().zip(&self.origin).filter(|(test, _)| !is_skipped(test))
        {
            let mut shared = outside.clone();
            for stray in self.after.strays.iter().filter(|stray| test.body.mentions(&stray.name)) {
                if !self.before.strays.iter().any(|old| old.name == stray.name) {
                    shared.absorb(&stray.body);
                }
            }
            let origin = origin.and_then(|old| self.before.tests.get(old));
            let mut added = origin.map_or_else(|| test.body.clone(), |old| test.body.minus(&old.body));
            added.absorb(&shared);
            if !added.is_empty() && (origin.is_some() || !self.is_twin(test)) {
                let mut reach = test.body.clone();
                reach.absorb(&shared);
                let had = origin.map_or(0, |old| old.assertions.len());
                let spare = test.assertions.len().saturating_sub(had);
                self.hosts.push(Host { test, is_new: origin.is_none(), added, reach, spare });
            }
        }
    }

    /// Whether the test is a copy of another, is merged into a larger one or is split into several.
    fn larger(&mut self, test: &Test) -> Option<Fate> {
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

    /// Whether the test's text is still there, though it does not run.
    fn remains(&self, test: &Test) -> Option<Fate> {
        let mut lines: Vec<u64> = bare_lines(self.source_before.get(test.span.clone())?).collect();
        lines.sort_unstable();
        lines.dedup();
        if share(&lines, |line| self.after.comments.binary_search(line).is_ok()) >= MOST
            && share(&lines, |line| self.before.comments.binary_search(line).is_ok()) < MOST
        {
            return Some(Fate::CommentedOut);
        }
        if let Some(dead) = self
            .after
            .dead
            .iter()
            .find(|dead| share(&lines, |line| dead.lines.binary_search(line).is_ok()) >= MOST)
        {
            return Some(Fate::Dead(dead.why.clone()));
        }
        let was_there = |name: &str| self.before.strays.iter().any(|stray| stray.name == name);
        let stray = self.after.strays.iter().filter(|stray| !was_there(&stray.name)).find(|stray| {
            let alike = stray.body.similarity(&test.body);
            alike >= NEARLY_ALL
                || (stray.name.contains(&test.title) && (alike >= RELATED || test.body.len() < TINY))
        });
        if let Some(stray) = stray {
            return Some(if self.is_called(stray) {
                Fate::Moved
            } else {
                Fate::Uncollected(stray.name.clone())
            });
        }
        // Where the parser lost its way, the text itself is asked. What other tests say as well is there less often.
        let [old, new] = &self.texts;
        let is_there = |line: &u64| count(new, *line) >= count(old, *line);
        (self.after.broken && share(&lines, is_there) >= NEARLY_ALL).then_some(Fate::Moved)
    }
}

impl Host<'_> {
    /// Whether this test, as far as it is new, says what `lost` said.
    fn holds(&self, lost: &Test) -> bool {
        let words = lost.body.words_within(&self.reach);
        let carries = !lost.assertions.is_empty() && self.spare >= lost.assertions.len();
        if self.is_new && carries && is_broader(&self.test.title, &lost.title) && words >= RELATED {
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

/// How often a sorted list has a line.
fn count(lines: &[u64], line: u64) -> usize {
    lines.partition_point(|it| *it <= line) - lines.partition_point(|it| *it < line)
}

fn share(lines: &[u64], is_there: impl Fn(&u64) -> bool) -> f32 {
    if lines.is_empty() {
        0.0
    } else {
        lines.iter().filter(|line| is_there(line)).count() as f32 / lines.len() as f32
    }
}
