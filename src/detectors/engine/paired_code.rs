//! The code of a file before and after a change, and which function before is which after.

use std::collections::HashMap;

use crate::languages::code::{Code, Function};
use crate::languages::{ParsedSource, bare_lines};

/// How much of a function another has to say to be it under another name.
const RENAMED: f32 = 0.6;

/// The code of a file before and after.
#[derive(Debug)]
pub struct PairedCode<'a> {
    /// The code before.
    pub before: Code<'a>,
    /// The code after.
    pub after: Code<'a>,
    /// The functions that are in both, by their indices.
    pub pairs: Vec<(usize, usize)>,
    /// The functions that are not there any more, by their indices.
    pub lost: Vec<usize>,
    /// The functions that are new, by their indices.
    pub added: Vec<usize>,
    old: &'a str,
    new: &'a str,
}

impl<'a> PairedCode<'a> {
    /// Reads both texts.
    pub(super) fn of(readings: &(ParsedSource<'a>, ParsedSource<'a>), old: &'a str, new: &'a str) -> Self {
        let mut code = PairedCode {
            before: readings.0.code().unwrap_or_default(),
            after: readings.1.code().unwrap_or_default(),
            pairs: Vec::new(),
            lost: Vec::new(),
            added: Vec::new(),
            old,
            new,
        };
        code.pair();
        code
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
        let old = lines(self.old, self.before.functions.get(old));
        let new = lines(self.new, self.after.functions.get(new));
        if old.is_empty() && new.is_empty() { 1.0 } else { share(&old, &new).min(share(&new, &old)) }
    }
}

/// The share of the first's lines that the second has. Both sorted.
pub(crate) fn share(part: &[u64], whole: &[u64]) -> f32 {
    if part.is_empty() {
        return 0.0;
    }
    part.iter().filter(|line| whole.binary_search(line).is_ok()).count() as f32 / part.len() as f32
}

/// The lines of a function's body as hashes, comments left out. Sorted.
pub(super) fn lines(source: &str, function: Option<&Function>) -> Vec<u64> {
    let body = function.and_then(|it| source.get(it.body.clone())).unwrap_or_default();
    let is_comment =
        |line: &str| ["//", "# ", "/*", "* "].iter().any(|mark| line.trim_start().starts_with(mark));
    let mut all: Vec<u64> = body.lines().filter(|line| !is_comment(line)).flat_map(bare_lines).collect();
    all.sort_unstable();
    all
}
