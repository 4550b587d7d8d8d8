//! A call's changes as tests before and tests after, worked out once for all detectors.
//!
//! Files that the lexer finds nothing suspicious in are not parsed, and other files only when something is missing.

use std::cell::{Cell, OnceCell};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use crate::detectors::Evidence;
use crate::detectors::engine::documents::{is_document, is_prose};
use crate::detectors::engine::hunks::TextHunk;
use crate::detectors::engine::line_pairs::places_of;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::removed_code;
use crate::detectors::product::removed_code::LostCode;
use crate::languages::{self, Fate, Language, Outline, ParsedSource, Pool, Test};
use crate::model::finding::{Change, Finding};

/// A change's text before and after; `None` when its language isn't known.
type ParsedPair<'a> = Option<Rc<(ParsedSource<'a>, ParsedSource<'a>)>>;

/// What detectors get: the evidence, and what it comes to.
#[derive(Debug)]
pub struct Case<'a> {
    /// The changes as they came.
    pub evidence: Evidence<'a>,
    /// The text of each change before and after, where its language is known.
    readings: Vec<ParsedPair<'a>>,
    comparisons: OnceCell<Vec<TestComparison<'a>>>,
    revisions: OnceCell<Vec<Revision<'a>>>,
    gone: OnceCell<LostCode>,
    /// What the rules about product code say of the session's changes of it.
    losses: OnceCell<Vec<Finding>>,
    /// Whether somebody asked what else the session has changed.
    looked_around: Cell<bool>,
}

/// One file's tests before and after.
#[derive(Debug)]
pub struct TestComparison<'a> {
    /// The file.
    pub change: &'a Change,
    /// The tests before.
    pub before: Rc<Outline>,
    /// The tests after. Without any when the file is gone.
    pub after: Rc<Outline>,
    /// What became of each test before, in their order.
    pub fates: Vec<Fate>,
    /// How many tests the lexer counts before and after, where a text is too large to be parsed.
    pub counts: Option<(usize, usize)>,
    /// Where the texts differ, once a detector has asked.
    places: OnceCell<Option<Vec<TextHunk<'a>>>>,
    /// Where the tests after are that have come, once a detector has asked.
    come: OnceCell<Vec<usize>>,
}

impl<'a> Case<'a> {
    /// A case of this evidence.
    pub fn new(evidence: Evidence<'a>) -> Self {
        let readings = evidence.changes.iter().map(readings).collect();
        Case {
            evidence,
            readings,
            comparisons: OnceCell::new(),
            revisions: OnceCell::new(),
            gone: OnceCell::new(),
            losses: OnceCell::new(),
            looked_around: Cell::new(false),
        }
    }

    /// The same case with the session's other files: what is missing is looked for in them too. Nothing is parsed
    /// again.
    pub fn widened(self, elsewhere: &'a [Change]) -> Self {
        let evidence = Evidence { elsewhere, ..self.evidence };
        let Case { readings, revisions, looked_around, .. } = self;
        let mut comparisons = self.comparisons.into_inner().unwrap_or_else(|| compare(&evidence, &readings));
        find_moved(&mut comparisons, &evidence, &readings);
        let comparisons = OnceCell::from(comparisons);
        let (gone, losses) = (OnceCell::new(), OnceCell::new());
        Case { evidence, readings, comparisons, revisions, gone, losses, looked_around }
    }

    /// Whether the session's other files could change what was found: a test is missing, or a detector asked for them.
    pub fn needs_others(&self) -> bool {
        self.looked_around.get() || self.misses_tests()
    }

    /// Whether a test is missing after the change.
    fn misses_tests(&self) -> bool {
        self.comparisons().iter().any(TestComparison::misses_tests)
    }

    /// The files whose tests may have suffered.
    pub fn comparisons(&self) -> &[TestComparison<'a>] {
        self.comparisons.get_or_init(|| compare(&self.evidence, &self.readings))
    }

    /// The files whose code may do less.
    pub fn revisions(&self) -> &[Revision<'a>] {
        self.revisions.get_or_init(|| {
            let pairs = self.evidence.changes.iter().zip(&self.readings);
            pairs.filter_map(|(change, readings)| Revision::of(change, readings.as_ref()?)).collect()
        })
    }

    /// The product code that the call and the session before it have taken away.
    pub fn gone(&self) -> &LostCode {
        let start = |path: &str| {
            let of_path = self.evidence.elsewhere.iter().find(|other| other.path == path);
            of_path.and_then(|other| other.before.as_deref())
        };
        let functions = |path: &str, text: &str| {
            self.read(path, text, |reading| removed_code::functions(path, text, reading)).unwrap_or_default()
        };
        self.gone.get_or_init(|| LostCode::of(&self.all_changes().collect::<Vec<_>>(), start, functions))
    }

    /// What the session has taken from the product, which is found out once.
    pub(crate) fn session_losses(&self, find: impl FnOnce() -> Vec<Finding>) -> &[Finding] {
        self.losses.get_or_init(find)
    }

    /// What is read of the text of the file at `path`; a text of the call is parsed once, whoever asks. `None` where the
    /// language isn't known.
    pub fn read<T>(&self, path: &str, text: &str, read: impl FnOnce(&ParsedSource) -> T) -> Option<T> {
        let language = Language::of_path(path)?;
        let mut known = self.readings.iter().flatten().flat_map(|pair| [&pair.0, &pair.1]);
        Some(match known.find(|reading| reading.is_of(language, text)) {
            Some(known) => read(known),
            None => read(&ParsedSource::new(language, text)),
        })
    }

    /// Every change of the call and of the session before it. What the session wrote into documents before runs nothing,
    /// and is asked for by itself.
    pub fn all_changes(&self) -> impl Iterator<Item = &'a Change> {
        self.whole_session().filter(|it| {
            !is_prose(&it.path) || self.evidence.changes.iter().any(|change| change.path == it.path)
        })
    }

    /// The documents that the call and the session before it have changed.
    pub fn documents(&self) -> impl Iterator<Item = &'a Change> {
        self.whole_session().filter(|it| is_document(&it.path))
    }

    fn whole_session(&self) -> impl Iterator<Item = &'a Change> {
        self.looked_around.set(true);
        let changes = self.evidence.changes;
        let others = self.evidence.elsewhere.iter();
        // A file of the call is here as the call leaves it.
        changes.iter().chain(others.filter(|other| !changes.iter().any(|change| change.path == other.path)))
    }
}

impl<'a> TestComparison<'a> {
    /// The places in which the lines of the two texts differ; `None` where more differs than an edit is.
    pub(crate) fn places(&self) -> Option<&[TextHunk<'a>]> {
        self.places.get_or_init(|| places_of(self.change)).as_deref()
    }

    /// The tests after that run, and that had no namesake before.
    pub(crate) fn new_tests(&self) -> impl Iterator<Item = &Test> {
        let places = self.come.get_or_init(|| {
            let known: HashSet<&str> = self.before.tests.iter().map(|old| old.name.as_str()).collect();
            let is_new =
                |test: &Test| !test.suite && test.skipped.is_none() && !known.contains(test.name.as_str());
            let all = self.after.tests.iter().enumerate();
            all.filter(|(_, test)| is_new(test)).map(|(place, _)| place).collect()
        });
        places.iter().filter_map(|place| self.after.tests.get(*place))
    }

    fn misses_tests(&self) -> bool {
        self.fates.iter().any(|fate| !fate.is_kept())
            || self.counts.is_some_and(|(before, after)| after < before)
    }

    /// Looks for what is missing among what the session has added to the same file before: the way from the file as it
    /// was when the session began says what a test has become.
    fn follow_since_start(&mut self, evidence: &Evidence) {
        let started = evidence.elsewhere.iter().find(|other| other.path == self.change.path);
        let (Some(start), Some(after)) =
            (started.and_then(|it| it.before.as_deref()), self.change.after.as_deref())
        else {
            return;
        };
        if self.change.before.as_deref() == Some(start) || !self.after.readable {
            return;
        }
        let outline = languages::outline_of(&self.change.path, start);
        if !outline.readable {
            return;
        }
        let fates = languages::pair(&outline, start, &self.after, after);
        let kept: HashMap<&str, &Fate> = outline
            .tests
            .iter()
            .zip(&fates)
            .filter(|(_, fate)| fate.is_kept())
            .map(|(test, fate)| (test.name.as_str(), fate))
            .collect();
        for (test, fate) in self.before.tests.iter().zip(&mut self.fates) {
            if let (false, Some(known)) = (fate.is_kept(), kept.get(test.name.as_str())) {
                *fate = (*known).clone();
            }
        }
    }

    /// The tests that still run, each with itself after the change.
    pub fn kept(&self) -> impl Iterator<Item = (&Test, &Test)> {
        self.before.tests.iter().zip(&self.fates).filter_map(|(test, fate)| match fate {
            Fate::Kept(index) => Some((test, self.after.tests.get(*index)?)),
            _ => None,
        })
    }
}

/// The names of tests, each once, without those whose named parts are in the list as well.
pub fn names(tests: &[&Test]) -> Vec<String> {
    let all: BTreeSet<&str> = tests.iter().map(|test| test.name.as_str()).collect();
    let has_parts = |test: &Test| {
        let part = format!("{} > ", test.name);
        test.suite && all.range(part.as_str()..).next().is_some_and(|next| next.starts_with(&part))
    };
    let mut seen = BTreeSet::new();
    let named = tests.iter().filter(|test| !has_parts(test) && seen.insert(test.name.as_str()));
    named.map(|test| test.name.clone()).collect()
}

/// A change's text before and after. Nothing is parsed before somebody asks.
fn readings(change: &Change) -> ParsedPair<'_> {
    let language = Language::of_path(&change.path)?;
    let (before, after) = (change.before.as_deref(), change.after.as_deref());
    let read = |text: Option<_>| ParsedSource::new(language, text.unwrap_or_default());
    Some(Rc::new((read(before), read(after))))
}

fn compare<'a>(evidence: &Evidence<'a>, readings: &[ParsedPair<'a>]) -> Vec<TestComparison<'a>> {
    let pairs = evidence.changes.iter().zip(readings);
    let mut comparisons: Vec<_> =
        pairs.filter_map(|(change, readings)| compare_file(change, readings.as_ref()?)).collect();
    find_moved(&mut comparisons, evidence, readings);
    comparisons
}

/// Looks for the tests that are missing among those that the call or the session has added to any file.
fn find_moved(comparisons: &mut [TestComparison<'_>], evidence: &Evidence, readings: &[ParsedPair<'_>]) {
    for comparison in comparisons.iter_mut().filter(|it| it.fates.iter().any(|fate| !fate.is_kept())) {
        comparison.follow_since_start(evidence);
    }
    let mut lossy = comparisons.iter().filter(|it| it.misses_tests()).map(|it| it.change.path.as_str());
    let Some(first) = lossy.next() else { return };
    // A test that has moved is in another file.
    let only = lossy.all(|path| path == first).then_some(first);
    let mut pool = pool(comparisons, evidence, readings, only);
    for comparison in comparisons {
        for (test, fate) in comparison.before.tests.iter().zip(&mut comparison.fates) {
            if !fate.is_kept() && pool.claim(&comparison.change.path, test) {
                *fate = Fate::Moved;
            }
        }
    }
}

fn compare_file<'a>(
    change: &'a Change,
    readings: &(ParsedSource, ParsedSource),
) -> Option<TestComparison<'a>> {
    let before = change.before.as_deref()?;
    let after = change.after.as_deref().unwrap_or_default();
    let language = Language::of_path(&change.path)?;
    if !languages::is_suspicious(&change.path, before, after) {
        return None;
    }
    readings.1.follow(&readings.0);
    let outlines = (readings.0.outline(), readings.1.outline());
    let is_readable = outlines.0.readable && outlines.1.readable;
    let count = |source| languages::scan(language, source).tests;
    let counts = (!is_readable).then(|| (count(before), count(after)));
    let fates =
        if is_readable { languages::pair(&outlines.0, before, &outlines.1, after) } else { Vec::new() };
    let places = OnceCell::new();
    let come = OnceCell::new();
    Some(TestComparison { change, before: outlines.0, after: outlines.1, fates, counts, places, come })
}

/// The tests that this call or this session has added to any file but `except`.
fn pool(
    comparisons: &[TestComparison<'_>],
    evidence: &Evidence,
    readings: &[ParsedPair<'_>],
    except: Option<&str>,
) -> Pool {
    let mut pool = Pool::default();
    let is_of_call = |path: &str| evidence.changes.iter().any(|it| it.path == path);
    let pairs = evidence.changes.iter().zip(readings.iter().map(Option::as_ref));
    let others = evidence.elsewhere.iter().filter(|other| !is_of_call(&other.path));
    for (change, pair) in pairs.chain(others.map(|other| (other, None))) {
        let path = change.path.as_str();
        let Some(after) = change.after.as_deref().filter(|_| Some(path) != except) else { continue };
        let mut add = |before: &Outline, after: &Outline| {
            let is_known = path.ends_with(".rs") && change.before.is_some();
            pool.add(path, is_known || is_named(evidence, path), before, after);
        };
        if let Some(known) = comparisons.iter().find(|it| std::ptr::eq(it.change, change)) {
            add(&known.before, &known.after);
            continue;
        }
        // The lexer misses no test: what it finds none in is not parsed, and most files of a session are no tests'.
        if !languages::may_have_tests(path, after) {
            continue;
        }
        let other = |text| Rc::new(languages::outline_of(path, text));
        let after = pair.map_or_else(|| other(after), |pair| pair.1.outline_at(path));
        if after.tests.is_empty() {
            continue;
        }
        let before = match (pair, change.before.as_deref()) {
            (Some(pair), Some(_)) => pair.0.outline_at(path),
            (None, Some(before)) => other(before),
            (_, None) => Rc::default(),
        };
        add(&before, &after);
    }
    pool
}

/// Whether one of the test files names the file, as an import of it does.
fn is_named(evidence: &Evidence, path: &str) -> bool {
    let stem = languages::file_name(path).split('.').next().unwrap_or_default();
    let mut others = evidence.changes.iter().chain(evidence.elsewhere).filter(|other| other.path != path);
    let imports = |text: &str| ["/", "."].iter().any(|mark| text.contains(&format!("{mark}{stem}")));
    if path.ends_with(".rs") {
        let folder = path.rsplit('/').nth(1).filter(|_| stem == "mod");
        let declared = format!("mod {};", folder.unwrap_or(stem));
        return others.any(|other| other.after.as_deref().is_some_and(|text| text.contains(&declared)));
    }
    // A file with a test's name has its own stem from what it tests.
    !languages::is_test_name(path)
        && stem.len() > 2
        && others
            .any(|other| languages::is_test_name(&other.path) && other.after.as_deref().is_some_and(imports))
}
