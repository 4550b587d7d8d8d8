//! What the earlier commands of a text have done to git by the time that a later one runs: a commit or a stash that
//! has ended well holds what would be given up, and a stash that the text made is not an old one.

mod git_action;

use std::path::PathBuf;

use crate::shell::effects::copies::copied;
use crate::shell::effects::course::git_action::{GitAction, does, is_thrown_away, saves};
use crate::shell::effects::git_call::call;
use crate::shell::model::{Command, Course};

/// The most steps that are gone through for a deletion.
const MOST_STEPS: usize = 64;

/// The course of a text up to a command.
#[derive(Debug, Default)]
pub(crate) struct CourseSoFar {
    steps: Vec<CourseStep>,
}

/// One command of git that holds work.
#[derive(Debug)]
struct CourseStep {
    command: usize,
    directory: Option<PathBuf>,
    does: GitAction,
}

impl CourseSoFar {
    /// What has been done by the time that a command runs.
    pub(crate) fn before(&self, command: &Command) -> Course {
        let own = call(command);
        let mut before =
            Before { follows: command.follows, pushes: own.subcommand == "push", ..Before::default() };
        for step in self.steps.iter().filter(|step| step.directory == own.directory) {
            before.take(step);
        }
        // What was added is no untracked file any more.
        if own.subcommand == "clean" {
            before.hold_what_was_added();
        }
        before.course
    }

    /// Whether few enough steps were taken to go through them for every deletion.
    pub(crate) fn is_short(&self) -> bool {
        self.steps.len() <= MOST_STEPS
    }

    /// Notes what a command does.
    pub(crate) fn note(&mut self, index: usize, command: &Command, later: &[Command]) {
        if command.remote {
            return;
        }
        if command.program() != "git" {
            let paths = copied(command);
            if !paths.is_empty() {
                let directory = command.directory.clone();
                self.steps.push(CourseStep { command: index, directory, does: GitAction::Copy { paths } });
            }
            return;
        }
        let call = call(command);
        let saved = saves(command, &call).filter(|_| !is_thrown_away(command, later));
        if let Some(does) = saved.or_else(|| does(&call)) {
            self.steps.push(CourseStep { command: index, directory: call.directory.clone(), does });
        }
    }
}

/// What the steps before a command come to.
#[derive(Default)]
struct Before<'s> {
    /// The first of the commands that have ended well when this one runs.
    follows: Option<usize>,
    pushes: bool,
    course: Course,
    added: Vec<&'s GitAction>,
    /// A stash is made that nothing names yet.
    gathered: bool,
    /// The branch that was begun, and whether it surely was.
    begun: Option<(&'s String, bool)>,
    squashed: Vec<String>,
}

impl<'s> Before<'s> {
    fn take(&mut self, step: &'s CourseStep) {
        // A commit may fail: only what runs after it has ended well may rely on it.
        let surely = self.follows.is_some_and(|from| from <= step.command);
        let course = &mut self.course;
        match &step.does {
            GitAction::Add { .. } => self.added.push(&step.does),
            GitAction::Commit { amends: true, .. } | GitAction::GoBack if self.pushes => {
                course.rewritten = true
            }
            GitAction::Commit { all, .. } => self.commit(*all, surely),
            GitAction::GoBack => course.named.clear(),
            GitAction::Hold => self.name(surely),
            GitAction::Begin { name } => {
                course.branch = Some(name.clone());
                self.begun = Some((name, surely));
            }
            GitAction::Fetch => (course.fetched, course.caught_up) = (true, false),
            GitAction::Pull => (course.fetched, course.caught_up) = (false, true),
            GitAction::Spread { named, squashed, joins } => {
                course.only_on = None;
                course.caught_up |= course.fetched && *joins;
                course.fetched &= !joins;
                let holds = if *squashed { &mut self.squashed } else { &mut course.named };
                holds.extend(named.iter().filter(|_| surely).cloned());
            }
            GitAction::Leave { name } => {
                course.branch = Some(name.clone());
                self.leave(surely);
            }
            GitAction::Copy { paths } => course.copied_paths.extend(paths.iter().cloned()),
            GitAction::Save { paths } if paths.is_empty() => course.saved = true,
            GitAction::Save { paths } => course.saved_paths.extend(paths.iter().cloned()),
            GitAction::Gather => self.gathered = true,
            GitAction::Store => {
                course.stashes += usize::from(self.gathered);
                course.tracked |= self.gathered;
            }
            GitAction::Stash { untracked } => {
                course.stashes += 1;
                course.popped = false;
                course.tracked = true;
                course.untracked |= *untracked;
            }
            GitAction::Apply => course.applied |= surely,
            GitAction::Pop => self.pop(),
        }
    }

    fn commit(&mut self, all: bool, surely: bool) {
        let course = &mut self.course;
        (course.elsewhere, course.held, course.popped) = (false, false, false);
        course.unsure |= !surely;
        course.committed = true;
        course.named.extend(self.squashed.drain(..).filter(|_| surely));
        course.tracked |= all;
        self.hold_what_was_added();
    }

    /// What is committed has another name too.
    fn name(&mut self, surely: bool) {
        self.course.only_on = None;
        self.course.held |= surely;
        self.course.elsewhere |= surely && self.course.committed;
    }

    fn leave(&mut self, surely: bool) {
        if let Some((name, was_begun)) = self.begun.take().filter(|_| self.course.committed) {
            self.course.elsewhere = was_begun && surely;
            self.course.only_on = Some(name.clone());
        }
    }

    /// Whatever was stashed or added is in the tree alone again; what was written elsewhere stays.
    fn pop(&mut self) {
        let course = &mut self.course;
        course.popped = course.stashes == 0;
        course.stashes = course.stashes.saturating_sub(1);
        if !course.committed {
            let kept = std::mem::take(course);
            *course = Course {
                tracked: false,
                untracked: false,
                paths: Vec::new(),
                applied: false,
                unsure: false,
                rewritten: false,
                elsewhere: false,
                only_on: None,
                named: Vec::new(),
                ..kept
            };
        }
    }

    fn hold_what_was_added(&mut self) {
        self.added.iter().for_each(|add| hold(&mut self.course, add));
    }
}

fn hold(course: &mut Course, add: &GitAction) {
    if let GitAction::Add { paths, untracked } = add {
        if paths.is_empty() {
            course.tracked = true;
            course.untracked |= *untracked;
        }
        course.paths.extend(paths.iter().cloned());
    }
}
