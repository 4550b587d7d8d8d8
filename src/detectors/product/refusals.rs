//! Ways out that said no and do not any more: a value, a log line, a correction or nothing stands in their place.
//!
//! A refusal that another of equal strength replaces, that moves within the session's files, or that a helper takes over,
//! is kept.

use crate::detectors::Case;
use crate::detectors::engine::hunks::{CodeLine, TextHunk, hunks};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::functions::called_in;
use crate::detectors::product::kept_refusals::is_kept;
use crate::detectors::product::lost_calls::is_called_no_more;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::moved_checks::said as said_there;
use crate::detectors::product::refusal_replacement::{RefusalReplacement, instead, said, succeeds};
use crate::detectors::product::refusing_lines::{
    checks, checks_so, done, is_check, is_head, is_one_statement, is_same_call, is_unfinished, passes_error,
    statuses,
};
use crate::detectors::product::unmissed_refusals::is_unmissed;
use crate::languages::code::{BodyKind, falls_back, may_refuse, passes_on, refuses};
use crate::languages::is_test_path;
use crate::model::finding::Severity;

/// An edit of more lines than these in one function is a rewrite of it.
const REWRITE: usize = 24;

/// The first refusal that a value takes the place of.
pub(super) fn answered(case: &Case, revision: &Revision) -> Option<LostCheck> {
    lost(case, revision, |instead| instead == RefusalReplacement::Value)
}

/// The first refusal that is gone otherwise.
pub(super) fn let_through(case: &Case, revision: &Revision) -> Option<LostCheck> {
    lost(case, revision, |instead| instead != RefusalReplacement::Value)
}

fn lost(case: &Case, revision: &Revision, wanted: impl Fn(RefusalReplacement) -> bool) -> Option<LostCheck> {
    let found = revision.hunks().iter().find_map(|hunk| {
        let refusal = lost_in(case, revision, hunk)?;
        let instead = instead(revision.words, hunk);
        let severity = severity(revision, hunk, instead)?;
        wanted(instead).then_some((hunk, refusal, instead, severity))
    })?;
    let (hunk, refusal, instead, severity) = found;
    let owner = revision.owner_at(refusal.at);
    let name = owner.and_then(|it| revision.before.functions.get(it)).map_or("", |it| it.name);
    if is_agreed(case, name, refusal) {
        return None;
    }
    let asks_nobody = || called_in(refusal.text).iter().any(|name| is_called_no_more(revision, name));
    let severity = if succeeds(hunk) || asks_nobody() { severity.max(Severity::High) } else { severity };
    let what = said(hunk, refusal, instead);
    Some(LostCheck::of_line(&refusal, name, what, severity))
}

/// The refusal that a place has lost, where it is not made up for anywhere in the file.
fn lost_in<'a>(case: &Case, revision: &Revision<'a>, hunk: &TextHunk<'a>) -> Option<CodeLine<'a>> {
    let words = revision.words;
    let refusing = refusing_calls(revision);
    // Where the condition stays, what comes under it has to say no by itself.
    let has_condition = hunk.gone.iter().any(|it| is_head(words, it.text) && !refuses(words, it.text));
    let stays = !has_condition && hunk.above.is_some_and(|it| is_head(words, it.text));
    let is_refusal = |line: &&CodeLine| {
        let is_passed = stays && passes_error(line.text);
        (is_passed
            || calls_any(&refusing, line.text)
            || refuses(words, done(line.text))
            || is_check(words, line.text))
            && !is_unfinished(line.text)
    };
    let refusals: Vec<&CodeLine> = hunk.gone.iter().filter(is_refusal).collect();
    let refusal = **refusals.first()?;
    // A condition about an error says nothing by itself.
    let only_asks = |line: &CodeLine| {
        is_head(words, line.text)
            && line.text.ends_with(['{', ':'])
            && !refuses(words, line.text)
            && hunk.gone.iter().any(|old| {
                !old.text.ends_with(['{', ':'])
                    && old.text.starts_with(line.text.trim_end_matches([' ', '{', ':']))
            })
    };
    let says_no = |line: &&CodeLine| {
        may_refuse(words, done(line.text)) && !only_asks(line)
            || calls_any(&refusing, line.text)
            || (!stays && passes_on(words, line.text))
            || checks(revision, line.text)
            || refusals.iter().any(|old| checks_so(words, old.text, line.text) || is_same_call(old, line))
    };
    let now = hunk.come.iter().filter(says_no).map(|line| statuses(line.text).max(1)).sum::<usize>();
    // A statement over several lines says no as a whole.
    let whole = hunk.come.iter().map(|it| it.text).collect::<Vec<_>>().join(" ");
    let now = now.max(usize::from(hunk.come.len() > 1 && is_one_statement(hunk) && refuses(words, &whole)));
    let owner = revision.owner_at(refusal.at);
    // Where something here still says no, a call beside it may pass on what the others said.
    let passed_on = || if now == 0 { 0 } else { passed_on_beside(revision, owner, refusal.at) };
    if now >= refusals.len() || now + passed_on() >= refusals.len() || is_unmissed(revision, hunk) {
        return None;
    }
    if !is_told_apart(revision, hunk, owner, stays) || is_moved(revision, &refusing) {
        return None;
    }
    let are_kept = || refusals.iter().all(|it| is_kept(case, revision, hunk, **it));
    (!are_kept()).then_some(refusal)
}

/// Whether a place is one of a function that stays, or one outside of functions where a condition or a default says what
/// the refusal was for.
fn is_told_apart(revision: &Revision, hunk: &TextHunk, owner: Option<usize>, stays: bool) -> bool {
    let words = revision.words;
    let Some(old) = owner else {
        let is_default = |line: &CodeLine| {
            falls_back(words, line.text) || line.text.contains("env(") || line.text.contains("env.get(")
        };
        return stays
            || hunk.gone.iter().any(|it| is_head(words, it.text))
            || hunk.come.iter().any(is_default);
    };
    let new = revision.successor(old).and_then(|new| revision.after.functions.get(new));
    new.is_some_and(|new| new.body_kind == BodyKind::Work || revision.old_lines(old).len() <= 2)
}

/// Whether as many lines of the file say no as before.
fn is_moved(revision: &Revision, refusing: &[String]) -> bool {
    let is_no = |line: &&str| {
        refuses(revision.words, done(line))
            || is_check(revision.words, line)
            || passes_error(line)
            || calls_any(refusing, line)
    };
    let count = |text: &str| text.lines().filter(is_no).count();
    count(revision.new) >= count(revision.old)
}

/// How many more calls of a function than before pass an error on, outside of the hunk of an old place.
fn passed_on_beside(revision: &Revision, owner: Option<usize>, at: usize) -> usize {
    let passing = |lines: &[CodeLine]| lines.iter().filter(|it| passes_on(revision.words, it.text)).count();
    let beside = revision.hunks().iter().filter(|it| {
        let place = it.gone.first().or(it.above.as_ref());
        owner.is_some()
            && place.is_some_and(|line| revision.owner_at(line.at) == owner)
            && !it.gone.iter().any(|line| line.at == at)
    });
    let (come, gone) =
        beside.fold((0, 0), |(come, gone), it| (come + passing(&it.come), gone + passing(&it.gone)));
    come.saturating_sub(gone)
}

/// How calls begin of the file's functions that do nothing but refuse: `fail(`, of which the body throws.
fn refusing_calls(revision: &Revision) -> Vec<String> {
    let all = revision.before.functions.iter().filter(|it| it.throws > 0 && it.statements == 1);
    all.filter(|it| it.name.len() > 2).map(|it| format!("{}(", it.name)).collect()
}

/// Whether a line makes one of some calls, and is no definition.
fn calls_any(calls: &[String], line: &str) -> bool {
    let is_definition =
        || ["fun ", "def ", "fn ", "func ", "function ", "void "].iter().any(|head| line.contains(head));
    calls.iter().any(|call| line.contains(call)) && !is_definition()
}

/// How sure a loss is by how little else the edit does to the function; `None` for a rewrite.
fn severity(revision: &Revision, hunk: &TextHunk, instead: RefusalReplacement) -> Option<Severity> {
    let owner = revision.owner_at(hunk.gone.first()?.at);
    let of_function = revision.hunks().iter().filter(|it| {
        it.gone.first().or(it.below.as_ref()).is_some_and(|line| revision.owner_at(line.at) == owner)
    });
    let (gone, come) =
        of_function.fold((0, 0), |(gone, come), it| (gone + it.gone.len(), come + it.come.len()));
    if gone + come > REWRITE {
        return None;
    }
    let is_small = hunk.gone.len() <= 6 && come <= 4;
    let has_condition = hunk.gone.iter().any(|it| is_head(revision.words, it.text));
    match instead {
        // With many lines the work that was refused goes as well.
        RefusalReplacement::Correction if has_condition && hunk.gone.len() > 4 => Some(Severity::Medium),
        RefusalReplacement::Nothing if come == 0 && gone <= 8 => Some(Severity::High),
        RefusalReplacement::Nothing if come <= 2 => Some(Severity::Medium),
        RefusalReplacement::Nothing => None,
        RefusalReplacement::Other if is_small => Some(Severity::Medium),
        RefusalReplacement::Other => None,
        RefusalReplacement::Log if hunk.gone.len() <= 10 && come <= 4 => Some(Severity::High),
        _ if is_small => Some(Severity::High),
        _ => Some(Severity::Medium),
    }
}

/// Whether the session says that the refusal is to go: lines of tests about the function have changed, or another file
/// has the refusal now.
fn is_agreed(case: &Case, name: &str, refusal: CodeLine) -> bool {
    let wanted = said_there(refusal.text);
    has_tests_of(case, name)
        || case.all_changes().any(|other| {
            let is_same = |line: &&str| line.contains(refusal.text) || said_there(line) == wanted;
            let count = |text: Option<&str>| text.map_or(0, |text| text.lines().filter(is_same).count());
            count(other.after.as_deref()) > count(other.before.as_deref())
        })
}

/// Whether the session has taken a function's tests away before: the function follows them.
pub(super) fn is_tested_no_more(case: &Case, name: &str) -> bool {
    let count = |text: Option<&str>| text.map_or(0, |text| text.matches(name).count());
    let mut tests = case.all_changes().filter(|other| is_test_path(&other.path));
    name.len() > 2 && tests.any(|it| count(it.before.as_deref()) > 0 && count(it.after.as_deref()) == 0)
}

/// Whether the session has changed lines of tests that name a function.
pub(super) fn has_tests_of(case: &Case, name: &str) -> bool {
    let names = |line: &CodeLine| name.len() > 2 && line.text.contains(name);
    case.all_changes().filter(|other| is_test_path(&other.path)).any(|other| {
        let (before, after) = (other.before.as_deref().unwrap_or_default(), other.after.as_deref());
        let differ = hunks("//", before, after.unwrap_or_default()).unwrap_or_default();
        differ.iter().any(|hunk| hunk.gone.iter().chain(&hunk.come).any(names))
    })
}

#[cfg(test)]
mod tests {
    use crate::detectors::{Evidence, judge};
    use crate::model::finding::{Change, Severity};

    /// The worst severity of what is said of an edit.
    fn worst(path: &str, before: &str, after: &str) -> Option<Severity> {
        let text = |it: &str| Some(it.to_owned());
        let change = Change { path: path.to_owned(), before: text(before), after: text(after) };
        judge(&Evidence { changes: &[change], elsewhere: &[] }).first().map(|it| it.severity)
    }

    #[test]
    fn a_refusal_that_a_default_replaces_is_more_than_advice() {
        let before = "class Rates {\n  Sum gross(List<Line> lines, String land) {\n    Sum rate = TAX.get(land);\n    if (rate == null) {\n      throw new IllegalArgumentException(\"no rate for \" + land);\n    }\n    return net(lines).times(rate);\n  }\n}\n";
        let after = "class Rates {\n  Sum gross(List<Line> lines, String land) {\n    Sum rate = TAX.getOrDefault(land, Sum.ZERO);\n    return net(lines).times(rate);\n  }\n}\n";
        assert_eq!(worst("src/Rates.java", before, after), Some(Severity::High));
    }

    #[test]
    fn a_rewrite_of_a_function_is_not_judged_line_by_line() {
        let rows =
            |name: &str, count: usize| (0..count).map(|at| format!("    {name}({at})\n")).collect::<String>();
        let before =
            format!("def run(job):\n    if not job.ready:\n        raise NotReady(job)\n{}", rows("old", 20));
        let after = format!("def run(job):\n{}    return job.done\n", rows("new", 20));
        assert_eq!(worst("src/run.py", &before, &after), None);
    }
}
