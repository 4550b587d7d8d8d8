//! Ways out that said no and do not any more: a value, a log line, a correction or nothing stands in their place.
//!
//! A refusal that another of equal strength replaces, that moves within the session's files, or that a helper takes over,
//! is kept.

use crate::detectors::Case;
use crate::detectors::engine::hunks::{CodeLine, TextHunk, hunks};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::{CHECKS, is_named, short};
use crate::detectors::product::kept_refusals::is_kept;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::moved_checks::said as said_there;
use crate::detectors::product::unmissed_refusals::is_unmissed;
use crate::languages::code::{
    BodyKind, Refusing, bare, falls_back, identifiers, is_log, may_refuse, passes_on, plain, refuses,
};
use crate::languages::is_test_path;
use crate::model::finding::Severity;
use crate::model::words::is_name_part;

/// What stands in the place of a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RefusalReplacement {
    Nothing,
    Value,
    Log,
    Skip,
    Correction,
    Other,
}

/// First words of calls that check and do nothing else.
const STRICT: &[&str] =
    &["validate", "verify", "authorize", "authorise", "authenticate", "sanitize", "sanitise"];

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
    let severity = if succeeds(hunk) { severity.max(Severity::High) } else { severity };
    let what = said(hunk, refusal, instead);
    Some(LostCheck::of_line(&refusal, name, what, severity))
}

/// How many statuses of an error a line has. One may choose between several: `missing ? 404 : 422`.
fn statuses(line: &str) -> usize {
    let words = line.split(|c: char| !c.is_ascii_alphanumeric());
    words.filter(|it| it.len() == 3 && it.starts_with(['4', '5']) && it.parse::<u16>().is_ok()).count()
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
    let says_no = |line: &&CodeLine| {
        may_refuse(words, done(line.text))
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
    if let Some(old) = owner {
        let new = revision.successor(old)?;
        let body_kind = revision.after.functions.get(new)?.body_kind;
        if body_kind != BodyKind::Work && revision.old_lines(old).len() > 2 {
            return None;
        }
    } else if !hunk.gone.iter().any(|it| is_head(words, it.text))
        && !stays
        && !hunk
            .come
            .iter()
            .any(|it| falls_back(words, it.text) || it.text.contains("env(") || it.text.contains("env.get("))
    {
        return None;
    }
    let is_no = |line: &&str| {
        refuses(words, done(line))
            || is_check(words, line)
            || passes_error(line)
            || calls_any(&refusing, line)
    };
    let count = |text: &str| text.lines().filter(is_no).count();
    let is_moved = count(revision.new) >= count(revision.old);
    let are_kept = || refusals.iter().all(|it| is_kept(case, revision, hunk, **it));
    (!is_moved && !are_kept()).then_some(refusal)
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

/// Whether all that comes is one statement whose parentheses its first line opens.
fn is_one_statement(hunk: &TextHunk) -> bool {
    let open = |text: &str| text.matches(['(', '[']).count() > text.matches([')', ']']).count();
    hunk.come.first().is_some_and(|line| open(line.text))
        && hunk.come.iter().map(|it| it.text.len()).sum::<usize>() < 400
}

/// What an arm of a choice does: its pattern may name an error that is not passed on.
fn done(line: &str) -> &str {
    const PATTERNS: &[&str] =
        &["{:", ":", "_ ", "Err(", "Ok(", "Some(", "None ", "case ", "when ", "else ", "is "];
    let bare = line.trim_start();
    // The head of an arm says what it takes, and what it does stands below.
    let head = bare.strip_suffix(" ->").or_else(|| bare.strip_suffix(" =>"));
    if head.is_some_and(|it| !it.contains('(') || it.starts_with("{:"))
        && PATTERNS.iter().any(|it| bare.starts_with(it))
    {
        return "";
    }
    let arm = bare.split_once(" -> ").or_else(|| bare.split_once(" => "));
    arm.filter(|_| PATTERNS.iter().any(|head| bare.starts_with(head))).map_or(line, |(_, rest)| rest)
}

/// Whether a line only says that the work is not done.
fn is_unfinished(line: &str) -> bool {
    let lower = line.to_lowercase();
    ["not implemented", "notimplemented", "unimplemented", "todo", "not supported", "unsupportedoperation"]
        .iter()
        .any(|word| lower.contains(word))
}

/// Whether a line gives an error back that it got: `return nil, err`.
fn passes_error(line: &str) -> bool {
    let bare = line.trim().trim_end_matches(';');
    bare.starts_with("return ") && (bare.ends_with(", err") || bare == "return err")
}

/// Whether a line calls what has no other use than to check.
fn is_check(words: &Refusing, line: &str) -> bool {
    let code = plain(words, line);
    let is_call = |word: &str| {
        let mut parts = code.split(word).skip(1);
        parts.any(|rest| rest.trim_start_matches(['!', '?']).starts_with('('))
    };
    let is_head =
        ["def ", "fn ", "func ", "fun ", "function ", "class ", "import "].iter().any(|it| code.contains(it));
    let is_mark = ["@", "[", "#["].iter().any(|it| line.trim_start().starts_with(it));
    !is_head && !is_mark && identifiers(&code).any(|word| is_named(word, STRICT) && is_call(word))
}

/// Whether a line opens a branch or an arm.
fn is_head(words: &Refusing, line: &str) -> bool {
    let code = plain(words, line);
    let heads = [
        "if", "elif", "elsif", "else", "unless", "guard", "when", "case", "switch", "match", "except",
        "catch", "rescue", "default",
    ];
    identifiers(&code).next().is_some_and(|word| heads.contains(&word))
        || ["->", "=>"].iter().any(|arrow| code.trim_end().ends_with(arrow))
}

/// Whether a new line calls what checks: something with such a name, or a function that is new in the file.
fn checks(revision: &Revision, line: &str) -> bool {
    let code = plain(revision.words, line);
    let added = |word: &str| {
        let mut functions = revision.added.iter().filter_map(|it| revision.after.functions.get(*it));
        functions.any(|it| it.name == word)
    };
    code.contains('(') && identifiers(&code).any(|word| is_named(word, CHECKS) || added(word))
}

/// Whether two lines call the same by its name, which says what it is for: `MY_ASSERT(at < 400)`.
fn is_same_call(old: &CodeLine, new: &CodeLine) -> bool {
    let (Some((name, was)), Some((other, is))) = (old.text.split_once('('), new.text.split_once('(')) else {
        return false;
    };
    let is_value = |word: &&str| word.starts_with(char::is_lowercase) && !matches!(*word, "true" | "false");
    let is_shared = identifiers(is).filter(is_value).any(|word| identifiers(was).any(|it| it == word));
    let lower = name.to_lowercase();
    let says_so = ["assert", "check", "require", "ensure"].iter().any(|it| lower.contains(it));
    says_so && name == other && name.chars().all(is_name_part) && is_shared
}

/// Whether a new line does what an old one was there for: `maybe_sanitize(…)` for `sanitize_all(…)`.
fn checks_so(words: &Refusing, old: &str, new: &str) -> bool {
    let (old, new) = (plain(words, old), plain(words, new).to_lowercase());
    new.contains('(')
        && STRICT.iter().any(|word| new.contains(word) && identifiers(&old).any(|it| is_named(it, &[*word])))
}

/// Whether an answer of success stands in the place of a refusal: `StatusAccepted`, `status(202)`.
fn succeeds(hunk: &TextHunk) -> bool {
    const SUCCESSES: &[&str] = &[
        "statusok",
        "statusaccepted",
        "statuscreated",
        "statusnocontent",
        "httpstatus.ok",
        "httpstatus.accepted",
        "status::ok",
        "status::accepted",
        "results.ok(",
        "results.accepted(",
        ":ok",
        ":accepted",
        ":no_content",
        "status.ok",
    ];
    hunk.come.iter().any(|line| {
        let text = bare(line.text).to_lowercase();
        let numbered = [
            "status(20",
            "status:20",
            "status=20",
            "sendstatus(20",
            "statuscode=20",
            "head(20",
            "writeheader(20",
            "status_code=20",
        ];
        SUCCESSES.iter().any(|it| text.contains(it)) || numbered.iter().any(|it| text.contains(it))
    })
}

/// What stands in the place of a refusal.
fn instead(words: &Refusing, hunk: &TextHunk) -> RefusalReplacement {
    let code: Vec<String> = hunk.come.iter().map(|it| plain(words, it.text)).collect();
    let has = |all: &[&str]| code.iter().any(|line| identifiers(line).any(|word| all.contains(&word)));
    let is_assignment = |line: &String| {
        line.contains(" = ") || line.contains(" := ") || ["+=", "-="].iter().any(|sign| line.contains(sign))
    };
    let is_value = |line: &String| has_arrow(line) || !(is_log(line) || is_assignment(line) || is_word(line));
    if code.is_empty() {
        RefusalReplacement::Nothing
    } else if has(&["return"]) {
        RefusalReplacement::Value
    } else if has(&["continue", "break", "next", "pass"]) {
        RefusalReplacement::Skip
    } else if code.iter().all(|line| is_log(line) || is_word(line)) {
        RefusalReplacement::Log
    } else if code.iter().any(is_assignment) {
        RefusalReplacement::Correction
    } else if code.len() == 1 && code.iter().all(is_value) {
        RefusalReplacement::Value
    } else {
        RefusalReplacement::Other
    }
}

fn has_arrow(line: &str) -> bool {
    line.contains("->") || line.contains("=>")
}

/// Whether a line is only the head or the end of a block.
fn is_word(line: &str) -> bool {
    let mut words = identifiers(line);
    let first = words.next().unwrap_or_default();
    matches!(first, "end" | "else" | "try" | "do" | "if" | "unless" | "except" | "catch" | "rescue")
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

fn said(hunk: &TextHunk, refusal: CodeLine, instead: RefusalReplacement) -> String {
    let no = short(refusal.text);
    let first = short(hunk.come.first().map_or("", |it| it.text));
    match instead {
        RefusalReplacement::Nothing => format!("the refusal `{no}` would be gone"),
        RefusalReplacement::Value => format!("`{first}` would answer where `{no}` refused"),
        RefusalReplacement::Log => format!("`{no}` would only be logged"),
        RefusalReplacement::Skip => format!("what `{no}` refused would be passed over"),
        RefusalReplacement::Correction => format!("`{first}` would stand where `{no}` refused"),
        RefusalReplacement::Other => format!("the refusal `{no}` would give way to `{first}`"),
    }
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
