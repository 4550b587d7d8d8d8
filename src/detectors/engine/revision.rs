//! A file's code before and after a change: which function is which, and what is new in it.
//!
//! Only files in which the lexer suspects something are parsed, once for all detectors.

use std::cell::OnceCell;
use std::collections::HashMap;

use crate::detectors::engine::hunks::{Hunk, hunks, suspects};
use crate::languages::code::{self, BodyKind, Code, Function, Refusing};
use crate::languages::{Language, Reading, bare_lines, is_test_path};
use crate::model::finding::Change;

/// One file's code before and after.
#[derive(Debug)]
pub struct Revision<'a> {
    /// The file.
    pub change: &'a Change,
    /// The text before; empty for a new file.
    pub old: &'a str,
    /// The text after.
    pub new: &'a str,
    /// The code before.
    pub before: Code<'a>,
    /// The code after.
    pub after: Code<'a>,
    /// Whether the file belongs to tests.
    pub is_test: bool,
    /// The functions that are in both, by their indices.
    pub pairs: Vec<(usize, usize)>,
    /// The functions that are not there any more, by their indices.
    pub lost: Vec<usize>,
    /// The functions that are new, by their indices.
    pub added: Vec<usize>,
    /// How the language says no.
    pub(crate) words: &'static Refusing,
    hunks: OnceCell<Vec<Hunk<'a>>>,
}

/// How much of a function another has to say to be it under another name.
const RENAMED: f32 = 0.6;

impl<'a> Revision<'a> {
    /// Reads a change, if anything in it is suspicious.
    pub(crate) fn of(change: &'a Change, readings: &(Reading<'a>, Reading<'a>)) -> Option<Self> {
        let new = change.after.as_deref()?;
        let old = change.before.as_deref().unwrap_or_default();
        if is_generated(&change.path) {
            return None;
        }
        // What says of itself that it is not done.
        let unfinished = |text: &str| {
            ["TODO", "FIXME", "not implemented", "placeholder"]
                .iter()
                .map(|it| text.matches(it).count())
                .sum::<usize>()
        };
        let is_suspect = || {
            code::may_weaken(old, new)
                || suspects(&change.path, old, new)
                || unfinished(new) > unfinished(old)
        };
        if old == new || !is_suspect() {
            return None;
        }
        readings.1.follow(&readings.0);
        let (before, after) = (readings.0.code()?, readings.1.code()?);
        let is_test = is_test_path(&change.path);
        let mut revision = Revision {
            change,
            old,
            new,
            before,
            after,
            is_test,
            pairs: Vec::new(),
            lost: Vec::new(),
            added: Vec::new(),
            words: Language::of_path(&change.path)?.refusing(),
            hunks: OnceCell::new(),
        };
        revision.pair();
        Some(revision)
    }

    /// The places in which the lines of code differ; none where more differs than an edit is.
    pub(crate) fn hunks(&self) -> &[Hunk<'a>] {
        self.hunks.get_or_init(|| hunks(self.words.comment, self.old, self.new).unwrap_or_default())
    }

    /// The innermost function before that a place in the text is in.
    pub(crate) fn owner_at(&self, at: usize) -> Option<usize> {
        self.before.functions.iter().rposition(|it| it.span.contains(&at))
    }

    fn pair(&mut self) {
        let mut by_name: HashMap<&str, (Vec<usize>, Vec<usize>)> = HashMap::new();
        for (index, function) in self.before.functions.iter().enumerate() {
            by_name.entry(function.name).or_default().0.push(index);
        }
        for (index, function) in self.after.functions.iter().enumerate() {
            by_name.entry(function.name).or_default().1.push(index);
        }
        for (mut olds, mut news) in by_name.into_values() {
            if olds.len() == news.len() {
                self.pairs.extend(olds.into_iter().zip(news));
                continue;
            }
            // Of several with one name, the same ones first, then the most alike.
            for least in [0.999, 0.5, 0.0] {
                olds.retain(|old| {
                    let alike = |new: &usize| self.likeness(*old, *new);
                    let best =
                        news.iter().copied().enumerate().max_by(|a, b| alike(&a.1).total_cmp(&alike(&b.1)));
                    match best.filter(|(_, new)| alike(new) >= least) {
                        Some((at, new)) => {
                            self.pairs.push((*old, new));
                            news.remove(at);
                            false
                        }
                        None => true,
                    }
                });
            }
            self.lost.extend(olds);
            self.added.extend(news);
        }
        self.find_renamed();
        self.pairs.sort_unstable();
        self.lost.sort_unstable();
        self.added.sort_unstable();
    }

    fn find_renamed(&mut self) {
        if self.lost.len() * self.added.len() > 2_000 {
            self.lost.clear();
            return;
        }
        let lost = std::mem::take(&mut self.lost);
        for old in lost {
            let alike = |new: &usize| self.likeness(old, *new);
            let best =
                self.added.iter().copied().enumerate().max_by(|a, b| alike(&a.1).total_cmp(&alike(&b.1)));
            match best.filter(|(_, new)| alike(new) >= RENAMED) {
                Some((at, new)) => {
                    self.pairs.push((old, new));
                    self.added.remove(at);
                }
                None => self.lost.push(old),
            }
        }
    }

    fn likeness(&self, old: usize, new: usize) -> f32 {
        let (old, new) = (self.old_lines(old), self.new_lines(new));
        if old.is_empty() && new.is_empty() { 1.0 } else { share(&old, &new).min(share(&new, &old)) }
    }

    /// The lines of a function's body before. Sorted.
    pub(crate) fn old_lines(&self, index: usize) -> Vec<u64> {
        lines(self.old, self.before.functions.get(index))
    }

    /// The lines of a function's body after. Sorted.
    pub(crate) fn new_lines(&self, index: usize) -> Vec<u64> {
        lines(self.new, self.after.functions.get(index))
    }

    /// The lines of all comments after that were in no comment before. Sorted.
    pub(crate) fn new_comment_lines(&self) -> Vec<u64> {
        let of = |code: &Code| {
            let mut all: Vec<u64> = code.comments.iter().flat_map(|it| bare_lines(it.text)).collect();
            all.sort_unstable();
            all
        };
        let old = of(&self.before);
        let mut new = of(&self.after);
        new.retain(|line| old.binary_search(line).is_err());
        new
    }

    /// The functions that still do something, before and after.
    pub(crate) fn working(&self) -> impl Iterator<Item = (usize, usize, &Function<'a>, &Function<'a>)> {
        self.pairs.iter().filter_map(|(old, new)| {
            let (before, after) = (self.before.functions.get(*old)?, self.after.functions.get(*new)?);
            (after.body_kind == BodyKind::Work).then_some((*old, *new, before, after))
        })
    }

    /// The function after that was this one before.
    pub(crate) fn successor(&self, old: usize) -> Option<usize> {
        self.pairs.iter().find(|(known, _)| *known == old).map(|(_, new)| *new)
    }

    /// The function before that is this one after.
    pub(crate) fn predecessor(&self, new: usize) -> Option<usize> {
        self.pairs.iter().find(|(_, known)| *known == new).map(|(old, _)| *old)
    }

    /// The functions that still do something, and the code outside of functions, before and after.
    pub(crate) fn scopes(&self) -> Vec<(Option<usize>, Option<usize>)> {
        let functions = self.working().map(|(old, new, ..)| (Some(old), Some(new)));
        functions.chain([(None, None)]).collect()
    }

    /// The lines of a scope before and after. Sorted.
    pub(crate) fn scope_lines(&self, old: Option<usize>, new: Option<usize>) -> (Vec<u64>, Vec<u64>) {
        let old = old.map_or_else(|| sorted_lines(self.old), |index| self.old_lines(index));
        (old, new.map_or_else(|| sorted_lines(self.new), |index| self.new_lines(index)))
    }
}

/// Whether a tool writes the file.
fn is_generated(path: &str) -> bool {
    let path = path.replace('\\', "/");
    let mut folders = path.split('/');
    folders.any(|folder| {
        matches!(folder, "dist" | "node_modules" | "vendor" | "third_party" | ".next" | "generated")
    }) || [".min.", ".pb.go", "_pb2.py", ".generated."].iter().any(|mark| path.contains(mark))
}

/// The share of the first's lines that the second has. Both sorted.
pub(crate) fn share(part: &[u64], whole: &[u64]) -> f32 {
    if part.is_empty() {
        return 0.0;
    }
    part.iter().filter(|line| whole.binary_search(line).is_ok()).count() as f32 / part.len() as f32
}

/// The lines of a text as hashes, sorted.
pub(crate) fn sorted_lines(text: &str) -> Vec<u64> {
    let mut all: Vec<u64> = bare_lines(text).collect();
    all.sort_unstable();
    all
}

fn lines(source: &str, function: Option<&Function>) -> Vec<u64> {
    let body = function.and_then(|it| source.get(it.body.clone())).unwrap_or_default();
    let is_comment =
        |line: &str| ["//", "# ", "/*", "* "].iter().any(|mark| line.trim_start().starts_with(mark));
    let mut all: Vec<u64> = body.lines().filter(|line| !is_comment(line)).flat_map(bare_lines).collect();
    all.sort_unstable();
    all
}
