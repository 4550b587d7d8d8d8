//! A file's code before and after a change: which function is which, and what is new in it.
//!
//! Only files in which the lexer suspects something are parsed, once for all detectors.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::ops::Deref;
use std::rc::Rc;

use crate::detectors::engine::hunks::{CodeLine, TextHunk, hunks, suspects};
use crate::detectors::engine::paired_code::{PairedCode, lines};
use crate::languages::code::{self, BodyKind, Code, Comment, Function, Refusing, admissions};
use crate::languages::differing::DifferingMiddle;
use crate::languages::{Language, ParsedSource, bare_lines, is_test_path};
use crate::model::finding::Change;

pub(crate) use crate::detectors::engine::paired_code::share;

/// One file's code before and after.
#[derive(Debug)]
pub struct Revision<'a> {
    /// The file.
    pub change: &'a Change,
    /// The text before; empty for a new file.
    pub old: &'a str,
    /// The text after.
    pub new: &'a str,
    /// Whether the file belongs to tests.
    pub is_test: bool,
    /// How the language says no.
    pub(crate) words: &'static Refusing,
    readings: Rc<(ParsedSource<'a>, ParsedSource<'a>)>,
    code: OnceCell<PairedCode<'a>>,
    middle: OnceCell<DifferingMiddle<'a>>,
    hunks: OnceCell<Vec<TextHunk<'a>>>,
    /// Which of the comments after say what none said before.
    new_comments: OnceCell<Vec<usize>>,
}

/// The code before and after is read when somebody asks for it: most rules about tests look for a word first.
impl<'a> Deref for Revision<'a> {
    type Target = PairedCode<'a>;

    fn deref(&self) -> &PairedCode<'a> {
        self.code.get_or_init(|| PairedCode::of(&self.readings, self.old, self.new))
    }
}

impl<'a> Revision<'a> {
    /// Reads a change, if anything in it is suspicious.
    pub(crate) fn of(
        change: &'a Change,
        readings: &Rc<(ParsedSource<'a>, ParsedSource<'a>)>,
    ) -> Option<Self> {
        let new = change.after.as_deref()?;
        let old = change.before.as_deref().unwrap_or_default();
        if is_generated(&change.path) {
            return None;
        }
        let is_suspect = || code::may_weaken(old, new) || suspects(&change.path, old, new);
        if old == new || !is_suspect() {
            return None;
        }
        readings.1.follow(&readings.0);
        if !readings.0.has_code() || !readings.1.has_code() {
            return None;
        }
        Some(Revision {
            change,
            old,
            new,
            is_test: is_test_path(&change.path),
            words: Language::of_path(&change.path)?.refusing(),
            readings: Rc::clone(readings),
            code: OnceCell::new(),
            middle: OnceCell::new(),
            hunks: OnceCell::new(),
            new_comments: OnceCell::new(),
        })
    }

    /// The lines in which the texts differ.
    pub(crate) fn middle(&self) -> DifferingMiddle<'a> {
        *self.middle.get_or_init(|| DifferingMiddle::of(self.old, self.new))
    }

    /// The places in which the lines of code differ; none where more differs than an edit is.
    pub(crate) fn hunks(&self) -> &[TextHunk<'a>] {
        self.hunks.get_or_init(|| hunks(self.words.comment, self.old, self.new).unwrap_or_default())
    }

    /// A place narrowed to one function: without lines that stand in another one, before or after. What stands in a function
    /// within it, or in none, is its own.
    pub(crate) fn within(&self, hunk: &TextHunk<'a>, old: usize, new: usize) -> TextHunk<'a> {
        let mut hunk = hunk.clone();
        hunk.gone.retain(|line| is_own(&self.before, old, line));
        hunk.come.retain(|line| is_own(&self.after, new, line));
        hunk
    }

    /// Whether a line that comes belongs to the function that a line that is gone stood in.
    pub(crate) fn is_of_one(&self, gone: &CodeLine, come: &CodeLine) -> bool {
        let Some(old) = self.owner_at(gone.at) else { return true };
        self.successor(old).is_none_or(|new| is_own(&self.after, new, come))
    }

    /// The innermost function before that a place in the text is in.
    pub(crate) fn owner_at(&self, at: usize) -> Option<usize> {
        self.before.functions.iter().rposition(|it| it.span.contains(&at))
    }

    /// The innermost function before that a place in the text is in, itself.
    pub(crate) fn old_function_at(&self, at: usize) -> Option<&Function<'a>> {
        self.before.functions.get(self.owner_at(at)?)
    }

    /// The lines of a function's body before. Sorted.
    pub(crate) fn old_lines(&self, index: usize) -> Vec<u64> {
        lines(self.old, self.before.functions.get(index))
    }

    /// The lines of a function's body after. Sorted.
    pub(crate) fn new_lines(&self, index: usize) -> Vec<u64> {
        lines(self.new, self.after.functions.get(index))
    }

    /// The comments after that say what none said before.
    pub(crate) fn new_comments(&self) -> impl Iterator<Item = &Comment<'a>> {
        let places = self.new_comments.get_or_init(|| {
            let old: HashSet<&str> = self.before.comments.iter().map(|it| it.text).collect();
            let all = self.after.comments.iter().enumerate();
            all.filter(|(_, it)| !old.contains(it.text)).map(|(at, _)| at).collect()
        });
        places.iter().filter_map(|at| self.after.comments.get(*at))
    }

    /// The comments that are new and say that work is left for another day.
    pub(crate) fn new_admissions(&self) -> impl Iterator<Item = &Comment<'a>> {
        self.new_comments().filter(|it| admissions(it.text) > 0)
    }

    /// The lines of all comments after that were in no comment before. Sorted.
    pub(crate) fn new_comment_lines(&self) -> Vec<u64> {
        let mut new: Vec<u64> = self.new_comments().flat_map(|it| bare_lines(it.text)).collect();
        if !new.is_empty() {
            let old: HashSet<u64> = self.before.comments.iter().flat_map(|it| bare_lines(it.text)).collect();
            new.retain(|line| !old.contains(line));
            new.sort_unstable();
        }
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

/// Whether no other function than `own` has a line. A function of the same name is a clause of it.
fn is_own(code: &Code, own: usize, line: &CodeLine) -> bool {
    let Some(function) = code.functions.get(own) else { return true };
    let around = code.functions.iter().rfind(|it| it.span.contains(&line.at));
    around.is_none_or(|it| it.name == function.name || function.span.contains(&it.span.start))
}

/// Whether a tool writes the file.
fn is_generated(path: &str) -> bool {
    let path = path.replace('\\', "/");
    let mut folders = path.split('/');
    folders.any(|folder| {
        matches!(folder, "dist" | "node_modules" | "vendor" | "third_party" | ".next" | "generated")
    }) || [".min.", ".pb.go", "_pb2.py", ".generated."].iter().any(|mark| path.contains(mark))
}

/// The lines of a text as hashes, sorted.
pub(crate) fn sorted_lines(text: &str) -> Vec<u64> {
    let mut all: Vec<u64> = bare_lines(text).collect();
    all.sort_unstable();
    all
}
