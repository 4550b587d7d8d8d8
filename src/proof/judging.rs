//! Which verdict the four corners give, test by test.
//!
//! Pure. A test is held against the work only where its old form really ran and failed on the new source while what it
//! asks for is still there; what can't be told apart from an honest change is left to a person.

use std::collections::BTreeSet;

use crate::metrics::TestOutcome;
use crate::proof::corner::Corner;
use crate::proof::judgement::{Ending, Notice, NoticedTest};
use crate::proof::known_tests::{KnownTest, KnownTests, Version};
use crate::proof::subject::GoneSubjects;
use crate::proof::text_diff::diff;

/// The runs that there are. The new tests on the new source are always run, and the old ones on it where they differ.
#[derive(Debug, Clone, Copy)]
pub struct Corners<'a> {
    /// The new tests on the new source.
    pub new_new: &'a Corner,
    /// The old tests on the new source.
    pub old_new: &'a Corner,
    /// The same once more.
    pub again: Option<&'a Corner>,
    /// The old tests on the old source.
    pub old_old: Option<&'a Corner>,
    /// The new tests on the old source.
    pub new_old: Option<&'a Corner>,
    /// The old tests under the new names of what they ask for, on the new source.
    pub renamed: Option<&'a Corner>,
}

/// What is known of the tests and of what they test.
#[derive(Debug, Clone, Copy)]
pub struct ProofFacts<'a> {
    /// The tests of changed files.
    pub known: &'a KnownTests,
    /// What is gone.
    pub subjects: &'a GoneSubjects,
}

/// Judges every test that is not plainly fine.
pub fn rows(corners: &Corners, facts: ProofFacts) -> Vec<NoticedTest> {
    let mut rows: Vec<NoticedTest> = Vec::new();
    let all = [Some(corners.new_new), Some(corners.old_new), corners.old_old];
    let names: BTreeSet<&String> = all.into_iter().flatten().flat_map(|corner| corner.tests.keys()).collect();
    for name in names {
        rows.extend(JudgedTest::new(name, corners, facts).row());
    }
    if let Some(row) = of_command(corners, &rows) {
        rows.push(row);
    }
    rows.sort_by(|one, other| (one.kind, &one.test).cmp(&(other.kind, &other.test)));
    rows
}

/// One test in all corners.
struct JudgedTest<'a> {
    name: &'a str,
    corners: &'a Corners<'a>,
    facts: ProofFacts<'a>,
    test: Option<&'a KnownTest>,
    new_name: String,
}

impl<'a> JudgedTest<'a> {
    fn new(name: &'a str, corners: &'a Corners<'a>, facts: ProofFacts<'a>) -> JudgedTest<'a> {
        let known = facts.known;
        let at = known.find(name, |test| test.old.as_ref());
        let test = at.and_then(|at| known.list.get(at));
        JudgedTest { name, corners, facts, test, new_name: new_name(name, at, corners, known) }
    }

    fn row(&self) -> Option<NoticedTest> {
        let old_new = self.old_in(Some(self.corners.old_new));
        let new_new = self.new_in(Some(self.corners.new_new));
        let kind = match (old_new, new_new) {
            (Ending::Failed, Ending::Failed) => self.fails_in_both(),
            (Ending::Failed, _) => Some(self.fails_as_it_was(new_new)),
            (Ending::Missing, _) => self.did_not_run(new_new),
            (_, Ending::Failed) => self.fails_as_it_is(),
            (Ending::Passed, Ending::Missing) => self.gone(),
            (Ending::Passed, Ending::Skipped) => Some(Notice::Gone),
            (Ending::Passed, Ending::Passed) => self.bent(),
            _ => None,
        };
        kind.map(|kind| self.described(kind))
    }

    fn old_in(&self, corner: Option<&Corner>) -> Ending {
        corner.map_or(Ending::NotRun, |corner| Ending::of(corner.outcome(self.name)))
    }

    fn new_in(&self, corner: Option<&Corner>) -> Ending {
        corner.map_or(Ending::NotRun, |corner| Ending::of(corner.outcome(&self.new_name)))
    }

    /// The corner's files that can't be loaded fail as a whole.
    fn is_file(&self) -> bool {
        self.facts.known.file_named(self.name).is_some()
    }

    fn passed_before(&self) -> bool {
        self.old_in(self.corners.old_old) == Ending::Passed
    }

    fn is_flaky(&self) -> bool {
        self.corners.again.is_some_and(|again| again.outcome(self.name) == Some(TestOutcome::Passed))
    }

    /// Whether what the old test asks for is gone.
    fn subject_gone(&self) -> bool {
        let subjects = self.facts.subjects;
        let own = self.test.and_then(|test| test.old.as_ref()).map(|old| old.text.as_str());
        if own.is_some_and(|text| subjects.asked_by(text).is_some()) {
            return true;
        }
        // A file that can't be loaded asks for it at its top. Of a test that nobody knows, any of them may be the file.
        match self.file_text() {
            Some(text) => self.is_file() && subjects.asked_by(text).is_some(),
            None => self.asks_anywhere(),
        }
    }

    fn asks_anywhere(&self) -> bool {
        let old = self.facts.known.files.iter().filter_map(|(_, old, _)| old.as_deref());
        old.into_iter().any(|text| self.facts.subjects.asked_by(text).is_some())
    }

    fn file_text(&self) -> Option<&str> {
        let file =
            self.test.map(|test| test.file.as_str()).or_else(|| self.facts.known.file_named(self.name))?;
        let found = self.facts.known.files.iter().find(|(path, ..)| path == file)?;
        found.1.as_deref()
    }

    /// Whether the old test passes under the new names of what it asks for.
    fn passes_renamed(&self) -> bool {
        let Some(renamed) = self.corners.renamed else { return false };
        // A file is named where it can't be loaded.
        let loads = self.is_file() && renamed.tests.get(self.name) != Some(&TestOutcome::Failed);
        loads
            || [self.name, &self.new_name]
                .iter()
                .any(|name| renamed.outcome(name) == Some(TestOutcome::Passed))
    }

    /// What it is that asks for something which is gone.
    fn without_subject(&self) -> Notice {
        match self.test {
            Some(KnownTest { new: None, .. }) => Notice::GoneWithSubject,
            _ => Notice::SubjectGone,
        }
    }

    /// As it was it fails on the new source; as it is it does not.
    fn fails_as_it_was(&self, new_new: Ending) -> Notice {
        if self.passes_renamed() {
            return Notice::SameUnderNewNames;
        }
        if self.is_flaky() {
            return Notice::Flaky;
        }
        if self.subject_gone() {
            return self.without_subject();
        }
        if self.is_file() {
            return Notice::DoesNotLoad;
        }
        // One that did not run then, because another had failed before its turn, did not fail.
        let failed_before = self.old_in(self.corners.old_old) == Ending::Failed;
        let passes_on_old = self.new_in(self.corners.new_old) == Ending::Passed;
        match new_new {
            Ending::Passed if failed_before => Notice::PassesOnlyChanged,
            Ending::Passed if self.passed_before() && passes_on_old => Notice::Looser,
            Ending::Passed => Notice::AsksForElse,
            // What is still written down and does not run was left out by other means.
            _ if self.test.is_some_and(|test| test.new.is_none()) && !failed_before => Notice::AsksForElse,
            _ => Notice::NoLongerRuns,
        }
    }

    fn fails_in_both(&self) -> Option<Notice> {
        if self.is_flaky() {
            return Some(Notice::Flaky);
        }
        Some(match self.passed_before() {
            true => Notice::FailsNow,
            // Its failure counts for nothing any more.
            false if self.corners.new_new.passed && !self.corners.old_new.passed => {
                Notice::CommandOnlyChanged
            }
            false => Notice::NeedsMore,
        })
    }

    /// As it was it passes, as it is it fails.
    fn fails_as_it_is(&self) -> Option<Notice> {
        Some(if self.passed_before() { Notice::FailsNow } else { Notice::NeedsMore })
    }

    /// As it was it did not run on the new source.
    fn did_not_run(&self, new_new: Ending) -> Option<Notice> {
        let old_old = self.old_in(self.corners.old_old);
        let ran_before = matches!(old_old, Ending::Passed | Ending::Failed);
        let is_old = ran_before || (self.test.is_some() && !self.ran_otherwise());
        if new_new == Ending::Failed {
            return Some(if self.passed_before() { Notice::FailsNow } else { Notice::NeedsMore });
        }
        // A new test, or a name that only one run has.
        if !is_old || self.is_file() {
            return None;
        }
        if self.passes_renamed() {
            return Some(Notice::SameUnderNewNames);
        }
        let asks = |text: &str| self.facts.subjects.asked_by(text).is_some();
        if self.subject_gone() || self.file_text().is_some_and(asks) {
            return Some(self.without_subject());
        }
        Some(Notice::DoesNotLoad)
    }

    /// Whether its old form ran under another name: without parameters, or outside of a suite.
    fn ran_otherwise(&self) -> bool {
        let known = self.facts.known;
        let Some(at) = known.find(self.name, |test| test.old.as_ref()) else { return false };
        let mut others = self.corners.old_new.tests.keys().filter(|other| other.as_str() != self.name);
        others.any(|other| known.find(other, |test| test.old.as_ref()) == Some(at))
    }

    /// As it was it passes, and it does not run any more.
    fn gone(&self) -> Option<Notice> {
        // Its name may have changed in a way that nobody saw, or its file holds the parts of a table now.
        let was_run = self.test.is_some_and(|test| test.new.is_none()) || self.test.is_none();
        was_run.then(|| if self.subject_gone() { Notice::GoneWithSubject } else { Notice::Gone })
    }

    fn bent(&self) -> Option<Notice> {
        let test = self.test?;
        let changed = test.old.as_ref().map(|it| &it.text) != test.new.as_ref().map(|it| &it.text);
        let failed_before = self.old_in(self.corners.old_old) == Ending::Failed;
        let passes_on_old = self.new_in(self.corners.new_old) == Ending::Passed;
        (changed && failed_before && passes_on_old).then_some(Notice::PassesOnOld)
    }

    fn described(&self, kind: Notice) -> NoticedTest {
        let messages = [self.corners.old_new, self.corners.new_new];
        let message = messages.iter().find_map(|corner| corner.messages.get(self.name)).cloned();
        let new = self.test.and_then(|test| test.new.as_ref());
        let old = self.test.and_then(|test| test.old.as_ref());
        let text = |version: Option<&Version>| version.map(|it| it.text.clone());
        NoticedTest {
            test: self.name.to_owned(),
            kind,
            old_tests_old_source: self.old_in(self.corners.old_old),
            old_tests_new_source: self.old_in(Some(self.corners.old_new)),
            new_tests_old_source: self.new_in(self.corners.new_old),
            new_tests_new_source: self.new_in(Some(self.corners.new_new)),
            message: message.unwrap_or_default(),
            file: self.test.map(|test| test.file.clone()),
            line: new.map(|new| new.line).or_else(|| old.map(|old| old.line)),
            diff: diff(&text(old).unwrap_or_default(), &text(new).unwrap_or_default()),
        }
    }
}

/// What the runner calls a test now.
fn new_name(name: &str, at: Option<usize>, corners: &Corners, known: &KnownTests) -> String {
    let Some(at) = at.filter(|_| !corners.new_new.tests.contains_key(name)) else { return name.to_owned() };
    let is_it = |candidate: &&String| known.find(candidate, |test| test.new.as_ref()) == Some(at);
    let found: Vec<&String> = corners.new_new.tests.keys().filter(is_it).collect();
    // Of the parts of one test the part that is called so.
    let part = |name: &str| name.rsplit(['/', '[']).next().map(str::to_owned);
    let same = found.iter().find(|candidate| part(candidate) == part(name)).or(found.first());
    same.map_or_else(|| name.to_owned(), |found| (*found).clone())
}

/// The command as a whole, where it fails with the old tests and no test says why.
fn of_command(corners: &Corners, rows: &[NoticedTest]) -> Option<NoticedTest> {
    if !corners.new_new.passed || corners.old_new.passed || !rows.is_empty() {
        return None;
    }
    let old = corners.old_new;
    if old.timed_out || old.not_found || old.ended(TestOutcome::Failed).next().is_some() {
        return None;
    }
    let has_results = !old.tests.is_empty();
    let ending = |passed: bool| if passed { Ending::Passed } else { Ending::Failed };
    // Without a result of any test nothing says that the old tests could be loaded.
    let kind = if has_results { Notice::CommandOnlyChanged } else { Notice::DoesNotLoad };
    Some(NoticedTest {
        test: "(the command)".to_owned(),
        kind,
        old_tests_old_source: corners.old_old.map_or(Ending::NotRun, |it| ending(it.passed)),
        old_tests_new_source: Ending::Failed,
        new_tests_old_source: corners.new_old.map_or(Ending::NotRun, |it| ending(it.passed)),
        new_tests_new_source: Ending::Passed,
        message: old.reason.clone(),
        file: None,
        line: None,
        diff: String::new(),
    })
}
