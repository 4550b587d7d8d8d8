//! Marks that silence a checker: linters, type checkers, coverage.
//!
//! Only marks that are new count. One with a rule's name is a thing to record; one for everything is worth a word.

use crate::detectors::checks::forced_casts::forced;
use crate::detectors::checks::named_files::says_generated;
use crate::detectors::checks::shell_marks;
use crate::detectors::checks::strict_heads::lowered;
use crate::detectors::checks::suppression_marks::{Width, closing_mark, may_have_mark, rank, width};
use crate::detectors::checks::widened_types::widened;
use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::engine::revision::Revision;
use crate::detectors::{Case, Detector, Pattern, PatternProof};
use crate::languages::code::{Code, Comment, bare, refuses};
use crate::model::finding::{Finding, RegressionType, Severity};

/// The first lines of a file, in which a tool says that it made the file.
const HEAD: usize = 6;

/// Linters and type checkers silenced.
pub(crate) static SILENCED: Detector = Detector {
    pattern: Pattern {
        id: "LP-C001",
        name: "Linter Disabling",
        aliases: &["LP-C002", "any Injection", "Type Check Suppression"],
        regression_type: Some(RegressionType::ErrorSuppression),
        severity: Severity::High,
        what: "A new comment or attribute keeps a linter or a type checker from reporting.",
        why: "What the checker would have said is still true.",
        instead: "Code that the checker accepts passes; a mark that names one rule and a reason is only recorded.",
        proof: PatternProof::Changes,
    },
    detect: silenced,
};

fn silenced(case: &Case, findings: &mut Vec<Finding>) {
    for revision in case.revisions() {
        let mut worst: Option<(Width, &Comment)> = None;
        // Without a word of one there is no new mark, and the code need not be read.
        if !may_have_mark(revision.middle().after) {
            findings.extend(unchecked(revision));
            continue;
        }
        for remark in revision.after.comments.iter().chain(&revision.after.marks) {
            let Some(width) = width(&revision.change.path, remark.text) else { continue };
            let width = match width {
                _ if revision.old.is_empty() => Width::Rule,
                Width::Place if covers_file(revision.new, remark) => Width::File,
                _ => width,
            };
            if is_new(revision, remark) && worst.is_none_or(|(known, _)| rank(width) < rank(known)) {
                worst = Some((width, remark));
            }
        }
        findings.extend(match worst {
            Some((width, remark)) => Some(finding(revision, width, remark)),
            None => unchecked(revision),
        });
    }
    types(case, findings);
}

/// What the checker is kept from asking of types without a mark: heads that are gone, types of everything, casts.
fn types(case: &Case, findings: &mut Vec<Finding>) {
    for change in case.evidence.changes {
        let is_told = findings
            .iter()
            .any(|it| it.path == change.path && it.pattern_id == SILENCED.id && it.severity > Severity::Low);
        if is_told {
            continue;
        }
        let found = lowered(change)
            .map(|(line, severity)| (format!("`{line}` would not hold for the file any more"), 0, severity))
            .or_else(|| shell_marks::silenced(change))
            .or_else(|| widened(change))
            .or_else(|| {
                let (line, text, is_many) = forced(change)?;
                let severity = if is_many { Severity::High } else { Severity::Medium };
                Some((format!("a value would be cast without a check: `{text}`"), line, severity))
            });
        findings.extend(found.map(|(what, line, severity)| {
            let line = Some(line).filter(|line| *line > 0);
            Finding { line, severity, ..SILENCED.finding(&change.path, what) }
        }));
    }
}

/// Whether a mark is there more often than before. What the file says again and again it says once more, and a test
/// may provoke what is warned of.
fn is_new(revision: &Revision, remark: &Comment) -> bool {
    let text = bare(remark.text);
    let of = |code: &Code| code.comments.iter().chain(&code.marks).filter(|it| bare(it.text) == text).count();
    let is_restored = || {
        let off = remark.text.split("//").next().unwrap_or_default().trim();
        let on = off.replace("warning disable", "warning restore");
        off != on && revision.new.contains(&on)
    };
    let is_habit =
        of(&revision.before) >= 3 || revision.is_test && (text.contains("@ts-expect-error") || is_restored());
    of(&revision.after) > of(&revision.before) && !is_habit
}

fn finding(revision: &Revision, width: Width, remark: &Comment) -> Finding {
    let line = remark.text.lines().next().unwrap_or_default();
    let what = match width {
        Width::File => format!("`{line}` would silence the checker for the whole file"),
        Width::Place => format!("`{line}` would silence every rule of the checker"),
        Width::Rule => format!("`{line}` would silence a rule"),
    };
    let mut finding = SILENCED.finding(&revision.change.path, what);
    finding.line = Some(remark.line);
    finding.severity = match width {
        // Whatever the tool writes, it writes again.
        Width::File if revision.old.lines().take(HEAD).any(says_generated) => Severity::Low,
        Width::File if !revision.old.is_empty() && !revision.is_test => Severity::High,
        Width::File => Severity::Medium,
        Width::Rule if hides_lost_refusal(revision, remark) => Severity::High,
        Width::Rule if is_list_for_file(revision, remark) => Severity::High,
        Width::Rule if has_reason(remark.text) || is_explained(revision, remark) => Severity::Low,
        Width::Place if !revision.old.is_empty() && is_wide(revision, remark) => Severity::High,
        Width::Place if !revision.old.is_empty() && gives_types_up(revision, remark) => Severity::High,
        Width::Place if !revision.old.is_empty() => Severity::Medium,
        // Over code that was there it is worth a word; in new code it is a choice.
        _ if is_over_old_code(revision, remark) => Severity::Medium,
        _ => Severity::Low,
    };
    finding
}

/// Whether a mark without a reason names several rules for all that follows it.
fn is_list_for_file(revision: &Revision, remark: &Comment) -> bool {
    const SEVERAL: usize = 2;
    let line = remark.text.lines().next().unwrap_or_default();
    let is_open = closing_mark(line).is_some_and(|end| !revision.new.contains(end));
    is_open
        && line.matches(',').count() >= SEVERAL
        && !revision.old.is_empty()
        && !revision.is_test
        && !has_reason(line)
        && !is_explained(revision, remark)
}

/// Whether a mark takes the place of a function's result type, or is about several functions at once.
fn gives_types_up(revision: &Revision, remark: &Comment) -> bool {
    let types = |it: &CodeLine| it.text.contains("def ") && it.text.contains("->");
    let is_bare = |it: &CodeLine| it.number == remark.line && it.text.contains("def ") && !types(it);
    let is_untyped =
        revision.hunks().iter().any(|hunk| hunk.gone.iter().any(types) && hunk.come.iter().any(is_bare));
    let several =
        remark.text.split_once("nowarn_function").is_some_and(|(_, list)| list.matches(',').count() > 1);
    is_untyped || several
}

/// Whether a mark for every rule opens a region that most of the file's code lies in.
fn covers_file(text: &str, remark: &Comment) -> bool {
    let Some(end) = closing_mark(remark.text) else { return false };
    let is_code = |line: &&str| {
        let line = line.trim_start();
        line.len() > 1 && !["//", "*", "/*", "#"].iter().any(|head| line.starts_with(head))
    };
    let from = usize::try_from(remark.line).unwrap_or(usize::MAX);
    let within = text.lines().skip(from).take_while(|line| !line.contains(end));
    let (within, all) = (within.filter(is_code).count(), text.lines().filter(is_code).count());
    within > 10 && within * 10 >= all * 7
}

/// Whether a mark for every rule stands over a whole function or type that was there, over a file from there on, or over
/// a type that becomes `any`.
fn is_wide(revision: &Revision, remark: &Comment) -> bool {
    const TYPES: &[&str] =
        &["class ", "interface ", "struct ", "enum ", "record ", "object ", "trait ", "module "];
    if revision.is_test || is_explained(revision, remark) {
        return false;
    }
    let at = usize::try_from(remark.line).unwrap_or(usize::MAX);
    let is_code = |line: &&str| {
        let line = line.trim_start();
        line.len() > 1 && !["//", "*", "/*", "#", "@"].iter().any(|head| line.starts_with(head))
    };
    let is_region = remark.text.contains("diagnostic") && !revision.new.contains("diagnostic push");
    let Some(next) = revision.new.lines().skip(at).find(is_code) else { return is_region };
    let line = u32::try_from(revision.new.lines().take_while(|line| *line != next).count() + 1).unwrap_or(0);
    let is_function = revision.after.functions.iter().any(|it| it.line == line && it.statements > 1);
    let is_type = TYPES.iter().any(|word| next.contains(word)) && next.trim_end().ends_with(['{', ':']);
    let becomes_any = next.contains("as any") || next.contains(": any");
    let was_there = revision.old.lines().any(|old| old == next);
    is_region || becomes_any && !was_there || was_there && (is_function || is_type)
}

/// Whether the line under a mark refused before, and goes on with whatever is there now: `slots[id]!!`.
fn hides_lost_refusal(revision: &Revision, remark: &Comment) -> bool {
    let no = |text: &str| refuses(revision.words, text);
    revision.hunks().iter().filter(|_| !revision.is_test).any(|hunk| {
        let under = hunk.come.iter().find(|it| {
            it.number >= remark.line
                && it.text.len() > remark.text.len().min(8)
                && !it.text.starts_with(['@', '#', '/'])
        });
        under.is_some_and(|it| it.number <= remark.line + 2)
            && hunk.gone.iter().any(|it| no(it.text))
            && !hunk.come.iter().any(|it| no(it.text))
    })
}

/// Whether the rest of the mark's line, or a comment right above it, says why in so many words.
fn is_explained(revision: &Revision, remark: &Comment) -> bool {
    let at = usize::try_from(remark.line).unwrap_or(0);
    let line = |at: usize| at.checked_sub(1).and_then(|at| revision.new.lines().nth(at)).unwrap_or_default();
    let is_comment = |text: &str| {
        ["//", "#", "*", "/*", "--"].iter().any(|head| text.starts_with(head))
            && !["#pragma", "#include", "#define", "#if"].iter().any(|head| text.starts_with(head))
    };
    let own = line(at);
    let behind =
        own.split_once(remark.text.lines().next().unwrap_or_default()).map_or("", |(_, rest)| rest.trim());
    let above = line(at.saturating_sub(1)).trim();
    let is_new = |text: &str| !revision.old.lines().any(|old| old.trim() == text);
    let inside = remark.text.lines().next().unwrap_or_default();
    is_comment(behind) && says_why(behind)
        || is_comment(above) && is_new(above) && says_why(above)
        || inside.starts_with(['/', '#', '*'])
            && inside.split(' ').count() > 4
            && says_why_behind_rule(inside)
}

/// Whether three words or more follow the name of the rule: `@ts-expect-error TS2345: takes a branded value`.
fn says_why_behind_rule(text: &str) -> bool {
    let rest = text.split_once([':', '(']).map_or("", |(_, rest)| rest);
    let rest =
        rest.split_once(char::is_whitespace).filter(|_| !text.contains('(')).map_or(rest, |(_, rest)| rest);
    says_why(rest)
}

/// Whether a text has three words at least, two of them plain: a call or a type may be the third.
fn says_why(text: &str) -> bool {
    let is_plain = |word: &&str| word.len() > 1 && word.chars().all(|c| c.is_alphabetic() || c == '\'');
    let is_code = |word: &&str| word.contains(['(', '.', '_']) && word.contains(char::is_alphabetic);
    let words = text.split_whitespace().map(|word| word.trim_matches(|c: char| c.is_ascii_punctuation()));
    let (plain, others): (Vec<&str>, Vec<&str>) = words.partition(is_plain);
    plain.len() >= 2 && plain.len() + others.iter().filter(|it| is_code(it)).count() >= 3
}

/// Whether a mark that names a rule says why, in three words at least.
fn has_reason(text: &str) -> bool {
    const MARKS: &[&str] =
        &[" -- ", " // ", " # ", "): ", "]: ", " - ", "reason=", "reason =", "Justification"];
    let line = text.lines().next().unwrap_or_default();
    // What begins the comment is no reason.
    let body = line.trim_start_matches(['/', '#', '*', ' ']);
    let reason = MARKS.iter().filter_map(|mark| body.split_once(mark)).map(|(_, reason)| reason);
    reason.into_iter().any(|reason| {
        reason
            .split_whitespace()
            .filter(|word| word.chars().filter(|c| c.is_alphabetic()).count() > 1)
            .count()
            >= 3
    })
}

/// Whether the next line of code after a mark was there before, so that only the mark is new.
pub(super) fn is_over_old_code(revision: &Revision, remark: &Comment) -> bool {
    let at = usize::try_from(remark.line).unwrap_or(usize::MAX);
    let code = |line: &&str| line.trim().len() > 3;
    let same = revision.new.lines().nth(at.saturating_sub(1)).filter(|line| {
        !line.trim_start().starts_with(['/', '#', '*', '{']) && !line.trim_start().starts_with(remark.text)
    });
    let next = same.or_else(|| revision.new.lines().skip(at).find(code));
    let Some(line) = next else { return false };
    let line = bare(line.split(remark.text).next().unwrap_or(line));
    // As often as before: a line that is new again has its twin elsewhere.
    let count = |text: &str| text.lines().filter(|other| bare(other).starts_with(&line)).count();
    (line.len() > 3 || (same.is_some() && !line.is_empty()))
        && count(revision.old) > 0
        && count(revision.new) <= count(revision.old)
}

/// A type that the compiler is kept from checking without a mark.
fn unchecked(revision: &Revision) -> Option<Finding> {
    untyped(revision).or_else(|| cast_twice(revision))
}

/// A value of old code that goes through `unknown` to be what it is not known to be.
fn cast_twice(revision: &Revision) -> Option<Finding> {
    const CAST: &str = "as unknown as ";
    if revision.old.is_empty() || revision.is_test || !revision.new.contains(CAST) {
        return None;
    }
    let count = |text: &str| text.matches(CAST).count();
    let line = revision.hunks().iter().filter(|hunk| !hunk.gone.is_empty()).find_map(|hunk| {
        let line = hunk.come.iter().find(|line| line.text.contains(CAST))?;
        // Only the cast is new.
        let head = line.text.split(CAST).next().unwrap_or_default().trim();
        hunk.gone.iter().any(|gone| gone.text.starts_with(head)).then_some(line)
    })?;
    (count(revision.new) > count(revision.old)).then(|| {
        let mut finding =
            SILENCED.finding(&revision.change.path, "a value would be cast through `unknown`".to_owned());
        (finding.line, finding.severity) = (Some(line.number), Severity::Medium);
        finding
    })
}

/// A type that is replaced by `any`.
fn untyped(revision: &Revision) -> Option<Finding> {
    if !revision.change.path.ends_with("ts")
        && !revision.change.path.ends_with("tsx")
        && !revision.change.path.ends_with("cts")
    {
        return None;
    }
    let (old, new): (Vec<_>, Vec<_>) = (revision.old.lines().collect(), revision.new.lines().collect());
    if old.len() != new.len() {
        return None;
    }
    let mut changed = old.iter().zip(&new).enumerate().filter(|(_, (a, b))| a != b);
    let (at, (before, after)) = changed.next()?;
    let anys = |line: &str| {
        let words: Vec<&str> =
            line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect();
        (words.iter().filter(|word| **word == "any").count(), words.len())
    };
    let ((had, words_before), (has, words_after)) = (anys(before), anys(after));
    let is_narrow = changed.next().is_none()
        && has > had
        && words_after <= words_before
        && !after.trim_start().starts_with(['/', '*']);
    is_narrow.then(|| {
        let mut finding = SILENCED.finding(&revision.change.path, "a type would become `any`".to_owned());
        finding.line = u32::try_from(at + 1).ok();
        finding.severity = Severity::Medium;
        finding
    })
}
