//! Features that are gone: functions deleted while they are used, commented out, emptied, or cut off at their top.
//!
//! What has a new name, a new place in the session's files, or nobody who calls it any more, has not been lost.

use crate::detectors::engine::revision::{Revision, share};
use crate::detectors::product::definitions::{goes_with_its_type, is_below_private, is_defined_anew, says};
use crate::detectors::product::functions::{finding, is_told, other_code, product};
use crate::detectors::product::idle_work::idle_work;
use crate::detectors::product::incomplete_work;
use crate::detectors::product::kept_promises::promise_broken;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::lost_elements::control_gone;
use crate::detectors::product::quiet_removal::gone_quietly;
use crate::detectors::product::refusals::is_tested_no_more;
use crate::detectors::product::rolled_out::is_rolled_out;
use crate::detectors::product::shell_calls::{option_unasked, own_call_gone};
use crate::detectors::product::shell_work::{proof_gone, work_gone};
use crate::detectors::product::sql_conditions::condition_lost;
use crate::detectors::{Case, Detector, Pattern, PatternProof};
use crate::languages::code::{BodyKind, Code, Function, bare, identifiers, plain};
use crate::languages::{self, Language};
use crate::model::finding::{Change, Finding, RegressionType, Severity};

/// Functions deleted.
pub(crate) static DELETED: Detector = Detector {
    pattern: Pattern {
        id: "LP-F001",
        name: "Function Deletion",
        aliases: &["LP-F002", "Export Removal", "LP-A002", "Mid-Task Reversion"],
        regression_type: Some(RegressionType::FeatureRemoval),
        severity: Severity::High,
        what: "A function that does something is gone while it is still called, or is part of what the file offers.",
        why: "Who calls it fails, or the feature is missed later.",
        instead: "A function that gets a new name or a new file first, or goes together with its callers, passes.",
        proof: PatternProof::Changes,
    },
    detect: deleted,
};

/// What a function says of itself when it is on its way out.
const DEPRECATED: &[&str] = &[
    "@deprecated",
    "@Deprecated",
    ".. deprecated",
    "DeprecationWarning",
    "Deprecated:",
    "[Obsolete",
    "#[deprecated",
    "deprecate(",
    "deprecated(",
    "@available(*, deprecated",
    "E_USER_DEPRECATED",
    "is deprecated. Use",
];

fn deleted(case: &Case, findings: &mut Vec<Finding>) {
    let known = findings.len();
    missing(case, findings);
    let own = findings.split_off(known);
    let is_switch = |it: &Finding| {
        let mut changes = case.evidence.changes.iter().filter(|change| change.path == it.path);
        changes.any(|change| is_rolled_out(case, change))
    };
    findings.extend(own.into_iter().filter(|it| !is_switch(it)));
}

/// What is gone, beside what is known already.
fn missing(case: &Case, findings: &mut Vec<Finding>) {
    for revision in product(case).filter(|it| !incomplete_work::leaves_out(it)) {
        // What breaks the syntax is another matter; what was broken before can't be read better than that.
        if revision.after.broken && !revision.before.broken {
            continue;
        }
        let losses = Losses { case, revision, comments: revision.new_comment_lines() };
        let lost = losses.finding();
        let is_quiet = lost.is_none() && !is_told(findings, revision);
        findings.extend(lost);
        if is_quiet {
            let lost = gone_quietly(case, revision).or_else(|| idle_work(revision));
            findings.extend(lost.map(|lost| lost.finding(&DELETED, revision)));
        }
    }
    for change in case.evidence.changes {
        let is_known = findings.iter().any(|it| it.path == change.path && it.severity >= Severity::High);
        let lost = if is_known { None } else { of_change(case, change) };
        findings.extend(lost.map(|lost| lost.finding_at(&DELETED, &change.path)));
    }
}

/// What a change takes away in a file whatever its language.
fn of_change(case: &Case, change: &Change) -> Option<LostCheck> {
    proof_gone(case, change)
        .or_else(|| work_gone(case, change))
        .or_else(|| own_call_gone(case, change))
        .or_else(|| option_unasked(change))
        .or_else(|| control_gone(case, change))
        .or_else(|| promise_broken(case, change))
        .or_else(|| condition_lost(case, change))
}

/// Whether an import of a text, over several lines too, names a function.
fn is_brought_in(text: &str, name: &str) -> bool {
    const HEADS: &[&str] = &["use ", "pub use ", "import ", "from ", "alias "];
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if !HEADS.iter().any(|head| line.starts_with(head)) && !line.contains("require(") {
            continue;
        }
        let mut statement = line.to_owned();
        let is_open = |text: &str| text.matches(['{', '(']).count() > text.matches(['}', ')']).count();
        while is_open(&statement) {
            let Some(more) = lines.next() else { break };
            statement.push_str(more);
        }
        if identifiers(&statement).any(|word| word == name) {
            return true;
        }
    }
    false
}

/// The functions that a file loses.
struct Losses<'c, 'a> {
    case: &'c Case<'a>,
    revision: &'c Revision<'a>,
    /// The lines of the comments that are new.
    comments: Vec<u64>,
}

impl<'a> Losses<'_, 'a> {
    /// What is said of the functions that are missed.
    fn finding(&self) -> Option<Finding> {
        let revision = self.revision;
        let missed = self.missed();
        let used = missed.iter().find(|it| {
            self.is_used(it.name)
                && !revision.after.functions.iter().any(|new| new.name == it.name)
                // It has moved to another file, from which this one takes it.
                && (!is_brought_in(revision.new, it.name) || is_brought_in(revision.old, it.name))
        });
        // Many at once are a rewrite.
        let function = used.or(missed.first().filter(|_| missed.len() == 1))?;
        let what = if used.is_some() {
            format!("`{}` would be gone while the file still calls it", function.name)
        } else if revision.added.is_empty() && adds_little(revision) && is_offered(revision, function) {
            format!("`{}` would be gone, with nothing in its place", function.name)
        } else {
            // What only this file could use, and no longer does, is tidied up.
            return None;
        };
        let mut found = finding(&DELETED, revision, function.line, function.name, what);
        found.severity = Severity::High;
        Some(found)
    }

    /// The lost functions that did something and are nowhere else now.
    fn missed(&self) -> Vec<&Function<'a>> {
        let lost = self.revision.lost.iter();
        lost.filter_map(|index| {
            let function = self.revision.before.functions.get(*index)?;
            let lines = self.revision.old_lines(*index);
            let is_missed = self.is_large(function, &lines)
                && !self.is_inside_another(function)
                && !self.is_spared(*index, function, &lines);
            is_missed.then_some(function)
        })
        .collect()
    }

    /// Whether a function is more than a line or two. A short body with a long head, or under a long comment, is a
    /// whole function as well.
    fn is_large(&self, function: &Function, lines: &[u64]) -> bool {
        let rows = self.revision.old.get(function.body.clone()).unwrap_or_default().lines().count();
        let is_whole = lines.len() >= 3 || lines.len() == 2 && (rows >= 5 || self.is_entry(function));
        is_whole && function.body_kind == BodyKind::Work
    }

    /// Whether a mark says that a function answers a request of its own.
    fn is_entry(&self, function: &Function) -> bool {
        const MARKS: &[&str] = &[
            "[Http",
            "[Route",
            "Mapping(",
            "Mapping\n",
            ".get(",
            ".post(",
            ".put(",
            ".delete(",
            ".patch(",
            ".route(",
            "#[Route",
        ];
        let above = self.revision.old.get(..function.span.start).unwrap_or_default();
        let is_mark = |line: &&str| line.trim_start().starts_with(['@', '[', '#']);
        let marks = above.lines().rev().skip_while(|line| line.trim().is_empty()).take_while(is_mark);
        let head = self.text(function).lines().take_while(is_mark);
        marks.chain(head).any(|line| MARKS.iter().any(|mark| line.contains(mark.trim_end())))
    }

    /// Whether a function stood inside of another lost one, and went with it.
    fn is_inside_another(&self, function: &Function) -> bool {
        let mut others =
            self.revision.lost.iter().filter_map(|index| self.revision.before.functions.get(*index));
        others.any(|outer| outer.span.start < function.span.start && outer.span.end >= function.span.end)
    }

    fn is_spared(&self, index: usize, function: &Function, lines: &[u64]) -> bool {
        let revision = self.revision;
        self.went_with_callers(index, function.name)
            || self.is_merged(lines)
            || self.is_test(function.name)
            || calls_on(&revision.after, function.name) > calls_on(&revision.before, function.name)
            || self.is_unread(function)
            || is_elsewhere(self.case, revision, function.name)
            || has_lost_callers(self.case, revision, function.name)
            || share(lines, &self.comments) >= 0.6
            || DEPRECATED.iter().any(|mark| says(self.text(function), mark))
            || goes_with_its_type(revision, function)
            || is_defined_anew(revision, function)
            || is_tested_no_more(self.case, function.name)
    }

    fn text(&self, function: &Function) -> &'a str {
        self.revision.old.get(function.span.clone()).unwrap_or_default()
    }

    /// Tests outside of test paths are the business of the detectors of tests.
    fn is_test(&self, name: &str) -> bool {
        let path = &self.revision.change.path;
        let tests = self.case.comparisons().iter().find(|it| it.change.path == *path);
        tests.is_some_and(|it| it.before.tests.iter().any(|test| test.title == name))
    }

    /// Whether the function may be there still, where it can't be read: in a text that is broken, or in a macro. Another
    /// with the same head, as an overload has, is none that could not be read.
    fn is_unread(&self, function: &Function) -> bool {
        let revision = self.revision;
        let head = self.text(function).lines().next().unwrap_or_default().trim();
        let is_head = |line: &&str| line.ends_with(head) && !line.starts_with(revision.words.comment);
        let lines = |text: &str| text.lines().map(str::trim).filter(is_head).count();
        let in_macro = head.len() > 8 && lines(revision.new) >= lines(revision.old);
        let is_there = || revision.new.matches(head).count() >= revision.old.matches(head).count();
        in_macro || revision.after.broken && is_there()
    }

    fn went_with_callers(&self, index: usize, name: &str) -> bool {
        let calls = |code: &Code, owner: Option<usize>| {
            let others = code.calls.iter().filter(|it| owner.is_none() || it.owner != owner);
            others.filter(|it| last_name(it.callee) == name).count()
        };
        calls(&self.revision.before, Some(index)) > 0 && calls(&self.revision.after, None) == 0
    }

    /// Whether another function has a new head and does the same.
    fn is_merged(&self, lines: &[u64]) -> bool {
        let revision = self.revision;
        let mut others = revision.pairs.iter().map(|(_, new)| new).chain(&revision.added);
        others.any(|new| {
            let function = revision.after.functions.get(*new);
            let head = function.and_then(|it| revision.new.get(it.span.start..it.body.start).map(bare));
            head.is_some_and(|head| !bare(revision.old).contains(&head))
                && share(lines, &revision.new_lines(*new)) >= 0.8
        })
    }

    /// Whether the file still calls a function of its own with this name. A bare word in Ruby may be a variable.
    fn is_used(&self, name: &str) -> bool {
        let is_ruby = Language::of_path(&self.revision.change.path) == Some(Language::Ruby);
        let is_set = |line: &str| {
            let rest = line.trim_start().strip_prefix(name).map(str::trim_start);
            rest.is_some_and(|rest| rest.starts_with('=') && !rest.starts_with("=="))
        };
        if is_ruby && self.revision.new.lines().any(is_set) {
            return false;
        }
        let mut calls = self.revision.after.calls.iter().filter(|it| !is_ruby || !it.arguments.is_empty());
        calls.any(|call| is_own(call.callee, name))
    }
}

/// How often a name is called on something else than the object itself: the function may have moved there.
fn calls_on(code: &Code, name: &str) -> usize {
    let named = code.calls.iter().filter(|it| last_name(it.callee) == name);
    named.filter(|it| !is_own(it.callee, name)).count()
}

/// Whether a callee is a name of the file's own: bare, or on the object itself.
fn is_own(callee: &str, name: &str) -> bool {
    let holder = callee.strip_suffix(name).map(|it| it.trim_end_matches(['.', ':', '-', '>', '&']));
    holder.is_some_and(|it| {
        matches!(it, "" | "self" | "this" | "Self" | "cls" | "$this" | "static" | "__MODULE__" | "self.class")
    })
}

/// The last name of what is called.
fn last_name(callee: &str) -> &str {
    callee.rsplit(['.', ':', '>']).next().unwrap_or(callee)
}

/// Whether other files can use the function, as far as its own text says.
fn is_offered(revision: &Revision, function: &Function) -> bool {
    let head =
        revision.old.get(..function.span.start).and_then(|text| text.rsplit('\n').next()).unwrap_or_default();
    let line =
        revision.old.get(function.span.start..).and_then(|text| text.lines().next()).unwrap_or_default();
    let line = format!("{head}{line}");
    match Language::of_path(&revision.change.path) {
        Some(Language::Rust) => line.trim_start().starts_with("pub"),
        Some(Language::Go) => function.name.starts_with(char::is_uppercase),
        Some(Language::Python) => !function.name.starts_with('_'),
        Some(Language::Elixir) => !line.contains("defp ") && !line.contains("defmacrop "),
        Some(Language::Cpp) => !line.trim_start().starts_with("static "),
        Some(Language::Ruby) => !is_below_private(revision.old, function.span.start),
        // What says nothing of itself is private there.
        Some(Language::CSharp) => ["public ", "protected "].iter().any(|word| line.contains(word)),
        Some(Language::Java | Language::Kotlin | Language::Php | Language::Scala | Language::Swift) => {
            !line.contains("private ") && !line.contains("fileprivate ")
        }
        // Of a member that is assigned, what it is a member of says nothing.
        _ => {
            let member = function.name.rsplit(['.', '[']).next().unwrap_or_default();
            line.contains("export") || !member.starts_with(['_', '#'])
        }
    }
}

/// Whether the change adds hardly a line.
fn adds_little(revision: &Revision) -> bool {
    let old = crate::detectors::engine::revision::sorted_lines(revision.old);
    let new = crate::detectors::engine::revision::sorted_lines(revision.new);
    new.iter().filter(|line| old.binary_search(line).is_err()).count() <= 1
}

/// Whether another file of the call or of the session has the name now, and had it not before.
fn is_elsewhere(case: &Case, revision: &Revision, name: &str) -> bool {
    let has = |text: Option<&str>| text.is_some_and(|text| text.contains(name));
    other_code(case, revision).any(|other| has(other.after.as_deref()) && !has(other.before.as_deref()))
}

/// Whether other code of the session used the name, and none of it does any more: at all, or as this file's.
fn has_lost_callers(case: &Case, revision: &Revision, name: &str) -> bool {
    has_lost(case, revision, name, name) || {
        let file = languages::file_name(&revision.change.path);
        let module = file.split('.').next().unwrap_or_default();
        let mut signs = ["::", "."].iter();
        signs.any(|sign| has_lost(case, revision, name, &format!("{module}{sign}{name}")))
    }
}

/// Whether lines of code of the session's other files had a text with a name in it, and none has it any more.
fn has_lost(case: &Case, revision: &Revision, name: &str, wanted: &str) -> bool {
    let is_use = |line: &str| {
        line.contains(wanted) && {
            let code = plain(revision.words, line);
            code.contains(wanted) && identifiers(&code).any(|word| word == name)
        }
    };
    let uses = |text: Option<&str>| text.is_some_and(|text| text.lines().any(is_use));
    let mut were_there = false;
    let is_used = other_code(case, revision).any(|other| {
        were_there |= uses(other.before.as_deref());
        uses(other.after.as_deref())
    });
    name.len() > 3 && were_there && !is_used
}
