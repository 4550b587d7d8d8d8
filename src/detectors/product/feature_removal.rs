//! Features that are gone: functions deleted while they are used, commented out, emptied, or cut off at their top.
//!
//! What has a new name, a new place in the session's files, or nobody who calls it any more, has not been lost.

use crate::detectors::engine::revision::{Revision, share};
use crate::detectors::{Case, Detector, Pattern, Proof};
use crate::languages::code::{BodyKind, Code, Function, bare};
use crate::languages::{self, Language};
use crate::model::finding::{Finding, RegressionType, Severity};

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
        proof: Proof::Changes,
    },
    detect: deleted,
};

/// Code turned into comments.
pub(crate) static COMMENTED_OUT: Detector = Detector {
    pattern: Pattern {
        id: "LP-005",
        name: "Feature Code Commenting",
        aliases: &["Commented-out code"],
        regression_type: Some(RegressionType::FeatureRemoval),
        severity: Severity::High,
        what: "The code of a function would stand in comments.",
        why: "Code in a comment looks kept and does nothing.",
        instead: "The code can stay, and what is wrong in it be mended.",
        proof: Proof::Changes,
    },
    detect: commented_out,
};

/// Bodies emptied.
pub(crate) static STUBBED: Detector = Detector {
    pattern: Pattern {
        id: "LP-021",
        name: "Scope Creep Avoidance",
        aliases: &["Function Stub"],
        regression_type: Some(RegressionType::FeatureRemoval),
        severity: Severity::High,
        what: "The body of a function that did something is replaced by a constant, by nothing, or by 'not implemented'.",
        why: "Whoever calls it gets an answer that has nothing to do with the question.",
        instead: "A body that does the work, also if shorter, passes.",
        proof: Proof::Changes,
    },
    detect: stubbed,
};

/// Bodies that end before they begin.
pub(crate) static CUT_OFF: Detector = Detector {
    pattern: Pattern {
        id: "LP-F003",
        name: "Early Return Injection",
        aliases: &[],
        regression_type: Some(RegressionType::FeatureRemoval),
        severity: Severity::High,
        what: "A return in front of the rest of a function keeps that from running.",
        why: "The code looks kept and never runs.",
        instead: "A return under a condition, or a function whose dead rest goes as well, passes.",
        proof: Proof::Changes,
    },
    detect: cut_off,
};

/// Words of what a comment about missing work says.
const EXCUSES: &[&str] =
    &["todo", "fixme", "placeholder", "stub", "simulated", "mock", "dummy", "for now", "real implementation"];

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

fn finding(detector: &Detector, revision: &Revision, line: u32, name: &str, what: String) -> Finding {
    let mut finding = detector.finding(&revision.change.path, what);
    finding.line = Some(line);
    finding.lost.push(name.to_owned());
    finding.confidence = 0.85;
    finding
}

fn product<'c, 'a>(case: &'c Case<'a>) -> impl Iterator<Item = &'c Revision<'a>> {
    case.revisions().iter().filter(|revision| !revision.is_test)
}

fn deleted(case: &Case, findings: &mut Vec<Finding>) {
    for revision in product(case).filter(|it| !crate::detectors::product::incomplete_work::leaves_out(it)) {
        // What breaks the syntax is another matter; what was broken before can't be read better than that.
        if revision.after.broken && !revision.before.broken {
            continue;
        }
        let comments = revision.new_comment_lines();
        // Tests outside of test paths are the business of the detectors of tests.
        let tests = case.comparisons().iter().find(|it| it.change.path == revision.change.path);
        let is_test =
            |name: &str| tests.is_some_and(|it| it.before.tests.iter().any(|test| test.title == name));
        let gone = revision.lost.iter().filter_map(|index| {
            let function = revision.before.functions.get(*index)?;
            let lines = revision.old_lines(*index);
            // What stood inside of another lost function went with it.
            let inside =
                revision.lost.iter().filter_map(|it| revision.before.functions.get(*it)).any(|outer| {
                    outer.span.start < function.span.start && outer.span.end >= function.span.end
                });
            // A short body with a long head, or under a long comment, is a whole function as well.
            let rows = revision.old.get(function.body.clone()).unwrap_or_default().lines().count();
            let is_large =
                (lines.len() >= 3 || (lines.len() == 2 && rows >= 5)) && function.body_kind == BodyKind::Work;
            let is_elsewhere = is_elsewhere(case, revision, function.name) || share(&lines, &comments) >= 0.6;
            let text = revision.old.get(function.span.clone()).unwrap_or_default();
            let was_deprecated = DEPRECATED.iter().any(|mark| says(text, mark));
            // Another with the same head, as an overload has, is none that could not be read.
            let head = text.lines().next().unwrap_or_default();
            let is_unread = revision.after.broken
                && revision.new.matches(head).count() >= revision.old.matches(head).count();
            let calls = |code: &Code, owner: Option<usize>| {
                let others = code.calls.iter().filter(|it| owner.is_none() || it.owner != owner);
                others.filter(|it| last_name(it.callee) == function.name).count()
            };
            // Its callers went with it.
            let with_callers = calls(&revision.before, Some(*index)) > 0 && calls(&revision.after, None) == 0;
            // It is called on something else now: it has moved there.
            let calls_on = |code: &Code| {
                let named = code.calls.iter().filter(|it| last_name(it.callee) == function.name);
                named.filter(|it| !is_own(it.callee, function.name)).count()
            };
            // Another function has a new head and does the same.
            let is_merged = revision.pairs.iter().map(|(_, new)| new).chain(&revision.added).any(|new| {
                let head = revision
                    .after
                    .functions
                    .get(*new)
                    .and_then(|it| revision.new.get(it.span.start..it.body.start).map(bare));
                head.is_some_and(|head| !bare(revision.old).contains(&head))
                    && share(&lines, &revision.new_lines(*new)) >= 0.8
            });
            let is_spared = with_callers
                || is_merged
                || is_test(function.name)
                || calls_on(&revision.after) > calls_on(&revision.before)
                || is_unread
                || is_elsewhere
                || was_deprecated
                || goes_with_its_type(revision, function)
                || is_defined_anew(revision, function);
            (is_large && !inside && !is_spared).then_some(function)
        });
        let gone: Vec<_> = gone.collect();
        // A bare word in Ruby may be a variable.
        let is_ruby = Language::of_path(&revision.change.path) == Some(Language::Ruby);
        let is_used = |name: &str| {
            let mut calls = revision.after.calls.iter().filter(|it| !is_ruby || !it.arguments.is_empty());
            calls.any(|call| is_own(call.callee, name))
        };
        let used = gone
            .iter()
            .find(|it| is_used(it.name) && !revision.after.functions.iter().any(|new| new.name == it.name));
        // Many at once are a rewrite.
        let Some(function) = used.or(gone.first().filter(|_| gone.len() == 1)) else { continue };
        // What only this file could use, and no longer does, is tidied up.
        let nothing_new =
            revision.added.is_empty() && adds_little(revision) && is_offered(revision, function);
        let (what, severity) = if used.is_some() {
            (format!("`{}` would be gone while the file still calls it", function.name), Severity::High)
        } else if nothing_new {
            (format!("`{}` would be gone, with nothing in its place", function.name), Severity::High)
        } else {
            continue;
        };
        let mut found = finding(&DELETED, revision, function.line, function.name, what);
        found.severity = severity;
        findings.push(found);
    }
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

/// Whether a text has a mark that is no part of a longer name.
fn says(text: &str, mark: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(mark).any(|(at, _)| !mark.starts_with(is_part) || !text[..at].ends_with(is_part))
}

/// What a function is called that makes a value of its type: others call the type.
const CONSTRUCTORS: &[&str] = &["init", "__init__", "__construct", "constructor", "initialize"];
/// Words in front of the name of a type that has functions.
const TYPE_WORDS: &[&str] = &["class", "struct", "enum", "actor", "extension", "module", "trait"];

/// Whether a constructor's type is not named any more: nothing is left that could be made by it.
fn goes_with_its_type(revision: &Revision, function: &Function) -> bool {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let above = revision.old.get(..function.span.start).unwrap_or_default();
    let own = depth(above.rsplit('\n').next().unwrap_or_default().trim_end_matches(char::is_alphabetic));
    let holder = above.lines().rev().filter(|line| !line.trim().is_empty() && depth(line) < own);
    let name = holder.take(1).find_map(|line| {
        let mut words = line.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        words.find(|word| TYPE_WORDS.contains(word)).and_then(|_| words.find(|word| !word.is_empty()))
    });
    CONSTRUCTORS.contains(&function.name) && name.is_some_and(|name| !says(revision.new, name))
}

/// Whether the name is brought in now, or defined once more in another way than it was: as a class, a type or a value.
fn is_defined_anew(revision: &Revision, function: &Function) -> bool {
    let own = revision.old.get(function.span.clone()).unwrap_or_default();
    let head =
        revision.old.get(..function.span.start).and_then(|text| text.rsplit('\n').next()).unwrap_or_default();
    let name = function.name;
    let others = definitions(revision.old, name)
        .saturating_sub(definitions(own, name))
        .saturating_sub(definitions(head, name));
    // In Rust a module may have the function's name, and both be used before.
    let is_rust = Language::of_path(&revision.change.path) == Some(Language::Rust);
    let was_imported = is_rust && is_imported(revision.old, name);
    is_imported(revision.new, name) && !was_imported || definitions(revision.new, name) > others
}

/// The places of a name in a text, each with the text before and after it.
fn places<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = (&'t str, &'t str)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let all = text.match_indices(name).map(move |(at, _)| (&text[..at], &text[at + name.len()..]));
    all.filter(move |(head, rest)| !head.ends_with(is_part) && !rest.starts_with(is_part))
}

/// Whether an import has the name.
fn is_imported(text: &str, name: &str) -> bool {
    places(text, name).any(|(head, rest)| {
        let line = head.rsplit('\n').next().unwrap_or_default().trim_start();
        let is_import = line.starts_with("import ") || line.starts_with("from ") || line.starts_with("use ");
        // A part of a path, or a name that is left out, is not brought in.
        let is_path = line.matches(['"', '\'']).count() % 2 == 1 || rest.starts_with("::");
        is_import && !is_path && !line.contains("except")
    })
}

/// Words in front of a name that is no function's.
const DEFINING: &[&str] = &[
    "class",
    "struct",
    "enum",
    "type",
    "trait",
    "interface",
    "const",
    "let",
    "var",
    "static",
    "import",
    "as",
    "use",
    "mod",
];

/// How often a text defines a name as something else than a function.
fn definitions(text: &str, name: &str) -> usize {
    let defines = |head: &str| {
        let (line, head) = (head.rsplit('\n').next().unwrap_or_default(), head.trim_end_matches([' ', '\t']));
        let word = head.rsplit(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).next();
        // A variable inside of a function is none of this.
        let is_local = word == Some("let") && line.starts_with([' ', '\t']);
        word.is_some_and(|word| DEFINING.contains(&word)) && line.ends_with([' ', '\t']) && !is_local
    };
    places(text, name).filter(|(head, _)| defines(head)).count()
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
        Some(Language::Java | Language::CSharp | Language::Kotlin | Language::Php | Language::Swift) => {
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
    let others = case.all_changes().filter(|other| other.path != revision.change.path);
    let mut others = others
        .filter(|other| Language::of_path(&other.path).is_some() && !languages::is_test_path(&other.path));
    others.any(|other| has(other.after.as_deref()) && !has(other.before.as_deref()))
}

fn commented_out(case: &Case, findings: &mut Vec<Finding>) {
    for revision in product(case) {
        let comments = revision.new_comment_lines();
        if comments.is_empty() {
            continue;
        }
        let found = revision.before.functions.iter().enumerate().find(|(index, function)| {
            let lines = revision.old_lines(*index);
            let successor = revision.successor(*index).map(|new| revision.new_lines(new)).unwrap_or_default();
            let is_kept = share(&lines, &successor) >= 0.5;
            let body_kind = revision.successor(*index).and_then(|new| revision.after.functions.get(new));
            // A single line counts where nothing but a constant takes its place.
            let is_constant = body_kind.is_some_and(|it| it.body_kind != BodyKind::Work);
            !lines.is_empty()
                && (lines.len() >= 2 || is_constant)
                && share(&lines, &comments) >= 0.6
                && !is_kept
                && function.body_kind == BodyKind::Work
        });
        if let Some((_, function)) = found {
            let what = format!("the code of `{}` would be commented out", function.name);
            findings.push(finding(&COMMENTED_OUT, revision, function.line, function.name, what));
        }
    }
}

fn stubbed(case: &Case, findings: &mut Vec<Finding>) {
    for revision in product(case) {
        let comments = revision.new_comment_lines();
        let found = revision.pairs.iter().find_map(|(old, new)| {
            let (before, after) = (revision.before.functions.get(*old)?, revision.after.functions.get(*new)?);
            let lines = revision.old_lines(*old);
            let body = revision.new.get(after.body.clone()).unwrap_or_default();
            let was = revision.old.get(before.body.clone())?.to_lowercase();
            let was_stub = ["notimplemented", "not implemented", "unimplemented", "todo!"]
                .iter()
                .any(|word| was.contains(word));
            let excuse = excuse(revision, *new);
            let least = if excuse { 1 } else { 2 };
            let was_work = before.body_kind == BodyKind::Work && lines.len() >= least && !was_stub;
            if !was_work || share(&lines, &comments) >= 0.6 {
                return None;
            }
            let what = match after.body_kind {
                BodyKind::Nothing => format!("`{}` would do nothing", before.name),
                BodyKind::Constant(value)
                    if crate::detectors::product::validation_bypass::is_answer(before.name, value) =>
                {
                    return None;
                }
                BodyKind::Constant(value) => {
                    format!("`{}` would do nothing but give `{}`", before.name, bare(value))
                }
                BodyKind::Unimplemented => format!("`{}` would not be implemented any more", before.name),
                BodyKind::Work
                    if excuse
                        && after.statements <= 2
                        && revision.new_lines(*new).len() < lines.len().clamp(3, 6) =>
                {
                    format!("`{}` would only pretend to work", before.name)
                }
                BodyKind::Work => return None,
            };
            let is_short = body.lines().count() < revision.old.get(before.body.clone())?.lines().count();
            // What only checked and does nothing now has lost its check.
            let lost_check = after.body_kind == BodyKind::Nothing && before.throws > 0;
            let sure = excuse
                || lost_check
                || after.body_kind == BodyKind::Unimplemented
                || (is_short && lines.len() >= 3);
            // A constructor whose parameters are the fields now.
            let promoted = |source: &str, function: &Function| {
                let head = source.get(function.span.start..function.body.start).unwrap_or_default();
                let parameters = head.split_once('(').map_or("", |(_, rest)| rest);
                ["private ", "protected ", "public ", "readonly "]
                    .iter()
                    .map(|word| parameters.matches(word).count())
                    .sum::<usize>()
            };
            let moved =
                is_moved(revision, *old) || promoted(revision.new, after) > promoted(revision.old, before);
            (!moved).then_some((before, what, if sure { Severity::High } else { Severity::Medium }))
        });
        if let Some((function, what, severity)) = found {
            let mut found = finding(&STUBBED, revision, function.line, function.name, what);
            found.severity = severity;
            findings.push(found);
        }
    }
}

/// Whether a function's comments after say that it is no more than a stand-in.
fn excuse(revision: &Revision, new: usize) -> bool {
    let Some(function) = revision.after.functions.get(new) else { return false };
    let body = revision.new.get(function.body.clone()).unwrap_or_default();
    let first = function.line;
    let last = first + u32::try_from(body.lines().count()).unwrap_or(0);
    let near = revision.after.comments.iter().filter(|it| it.line >= first && it.line <= last);
    let is_new = |text: &str| !revision.before.comments.iter().any(|it| it.text == text);
    near.filter(|it| is_new(it.text))
        .map(|it| it.text.to_lowercase())
        .any(|text| EXCUSES.iter().any(|word| text.contains(word)))
}

/// Whether what a function did is done by new functions.
fn is_moved(revision: &Revision, old: usize) -> bool {
    let lines = revision.old_lines(old);
    let mut added: Vec<u64> = revision.added.iter().flat_map(|new| revision.new_lines(*new)).collect();
    added.sort_unstable();
    share(&lines, &added) >= 0.4
}

fn cut_off(case: &Case, findings: &mut Vec<Finding>) {
    for revision in product(case) {
        let found = revision.working().find(|(old, new, before, after)| {
            let (lines, now) = (revision.old_lines(*old), revision.new_lines(*new));
            after.cut && !before.cut && share(&lines, &now) >= 0.8
        });
        if let Some((_, _, before, _)) = found {
            let what = format!("`{}` would return before it has done its work", before.name);
            findings.push(finding(&CUT_OFF, revision, before.line, before.name, what));
        }
    }
}
