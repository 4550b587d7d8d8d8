//! What is still given and has no effect any more: an option that nobody reads, a parameter that the body passes over, a
//! collaborator that is never called.

use crate::detectors::Case;
use crate::detectors::engine::code_lines::lines;
use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::does_less::is_neutral;
use crate::detectors::product::functions::{excuse, is_part_of_more};
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::options::{DeclaredOption, options};
use crate::detectors::product::parameters::{body_code, head_of, names, parameters};
use crate::detectors::product::refusals::has_tests_of;
use crate::detectors::product::unfinished::is_only_discarded;
use crate::languages::code::{BodyKind, Code, Function, admissions, bare, is_log};
use crate::model::finding::Severity;

/// More lines than these, gone and new, are a rewrite.
const REWRITE: usize = 24;
/// What says that something is taken on purpose and not used, in lower case.
const KEPT: &[&str] = &["deprecat", "unused", "ignored", "compat", "no longer", "reserved", "obsolete"];
/// Names of what is handed on by a framework, whether it is needed or not.
const HANDED: &[&str] = &[
    "ctx", "context", "req", "res", "request", "response", "next", "event", "err", "error", "e", "props",
    "args", "kwargs", "sender", "self", "t",
];

/// The first thing given that would have no effect.
pub(super) fn unheeded(case: &Case, revision: &Revision) -> Option<LostCheck> {
    if revision.old.is_empty() || revision.after.broken {
        return None;
    }
    unread_option(revision).or_else(|| never_called(case, revision)).or_else(|| passed_over(case, revision))
}

/// An option that is declared and was read, and is read no more; or one that is new and that nobody reads.
fn unread_option(revision: &Revision) -> Option<LostCheck> {
    let after = options(revision.new);
    if after.is_empty() {
        return None;
    }
    let before = options(revision.old);
    after.iter().find_map(|option| {
        if is_read(revision, revision.new, option) {
            return None;
        }
        let known = before.iter().find(|it| it.name == option.name);
        let what = format!("the option `{}` would be taken and have no effect", option.name);
        let is_kept =
            |option: &DeclaredOption| KEPT.iter().any(|word| option.line.to_lowercase().contains(word));
        let severity = match known {
            Some(known) if is_read(revision, revision.old, known) => Severity::High,
            None if admissions(option.line) > 0 => Severity::High,
            None if !is_kept(option) && is_read_elsewhere(revision, &before) => Severity::Medium,
            _ => return None,
        };
        Some(LostCheck::new(option.number, option.name, what, severity))
    })
}

/// Whether a line besides the option's own names its value.
fn is_read(revision: &Revision, source: &str, option: &DeclaredOption) -> bool {
    let variants: Vec<(String, String)> =
        option.variants().into_iter().map(|name| (format!("\"{name}\""), name)).collect();
    let all = lines(revision.words.comment, source, 0..source.len());
    all.filter(|line| line.number != option.number && !line.text.starts_with(['"', '\''])).any(|line| {
        variants.iter().any(|(quoted, name)| names(line.text, name) || line.text.contains(quoted))
    })
}

/// Whether other options of the file are read by their names, and never handed on as a whole.
fn is_read_elsewhere(revision: &Revision, before: &[DeclaredOption]) -> bool {
    const WHOLE: &[&str] = &[
        "vars(",
        "(args)",
        ", args)",
        "(options)",
        ", options)",
        "(opts)",
        ", opts)",
        "**",
        "...opt",
        "(self)",
    ];
    !before.is_empty()
        && before.iter().any(|it| is_read(revision, revision.new, it))
        && !WHOLE.iter().any(|it| revision.new.contains(it))
}

/// A call on something that a function was given, or holds, which nothing calls any more though it is given still.
fn never_called(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let last = |callee: &str| -> String {
        let callee = callee.trim_end_matches(['.', '?', '!', '(']);
        callee.rsplit(['.', ':', '>', '?']).next().unwrap_or_default().to_owned()
    };
    let count = |code: &Code, name: &str| code.calls.iter().filter(|it| last(it.callee) == name).count();
    let gone: Vec<&CodeLine> = revision.hunks().iter().flat_map(|it| &it.gone).collect();
    let come: Vec<&CodeLine> = revision.hunks().iter().flat_map(|it| &it.come).collect();
    if gone.is_empty() || gone.len() + come.len() > REWRITE || !revision.added.is_empty() {
        return None;
    }
    // What is done with an error or with each of many is no value either.
    let is_done = |name: &str| {
        let heads = ["onFailure", "forEach", "each", "also", "onError", "onSuccess", "catch", "finally"];
        gone.iter().any(|line| {
            line.text.contains(&format!("{{ {name}(")) && heads.iter().any(|head| line.text.contains(head))
        })
    };
    // A value that is asked for a part of it is no call: `word[start..]`. What is handed on is called there.
    let is_read = |name: &str| {
        let heads = [format!("{name}["), format!("{name}."), format!("({name})"), format!("({name},")];
        come.iter().any(|line| !is_log(line.text) && heads.iter().any(|head| line.text.contains(head)))
    };
    let lost = revision.before.calls.iter().filter(|call| call.alone || is_done(&last(call.callee))).find(
        |call| {
            let name = last(call.callee);
            let is_gone = gone.iter().any(|line| names(line.text, &name) && !is_log(line.text));
            let is_held = || is_declared(revision, &name);
            name.len() > 3
                && is_gone
                && !is_neutral(&name)
                && count(&revision.after, &name) == 0
                && is_held()
                && !is_read(&name)
        },
    )?;
    let name = last(lost.callee);
    let old = lost.owner?;
    let new = revision.successor(old)?;
    let function = revision.before.functions.get(old)?.name;
    let works = revision.after.functions.get(new)?.body_kind == BodyKind::Work;
    let is_own = revision.after.functions.iter().any(|it| it.name == name);
    if !works
        || is_own && !come.is_empty()
        || has_tests_of(case, function)
        || has_tests_of(case, &name)
        || is_part_of_more(case, revision)
    {
        return None;
    }
    let what = format!("`{name}` would never be called any more, though it is given still");
    let severity = if come.len() <= 2 && !is_own { Severity::High } else { Severity::Medium };
    Some(LostCheck::new(lost.line, function, what, severity))
}

/// Whether the code after has a name still, in a line that was there before.
fn is_declared(revision: &Revision, name: &str) -> bool {
    let mut all = lines(revision.words.comment, revision.new, 0..revision.new.len());
    all.any(|line| {
        names(line.text, name) && !line.text.starts_with("import ") && revision.old.contains(line.text)
    })
}

/// Whether what is passed over is only taken away, which is no other way to use it.
fn only_takes(revision: &Revision) -> bool {
    revision.hunks().iter().all(|it| it.come.is_empty())
}

/// Whether time goes by in the place of work.
fn only_waits(revision: &Revision) -> bool {
    revision.hunks().iter().flat_map(|it| &it.come).any(|line| is_wait(line.text))
}

/// Whether a line only lets time go by.
fn is_wait(line: &str) -> bool {
    ["sleep(", "Sleep(", "setTimeout(", "delay(", "Delay(", "usleep(", "sleep "]
        .iter()
        .any(|call| line.contains(call))
}

/// A parameter that a function asked for, and that its body names no more.
fn passed_over(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let size: usize = revision.hunks().iter().map(|it| it.gone.len() + it.come.len()).sum();
    if size > REWRITE {
        return None;
    }
    revision.working().find_map(|(_, new, before, after)| {
        let head = |source: &str, function: &Function| bare(head_of(source, function));
        if before.name != after.name || head(revision.old, before) != head(revision.new, after) {
            return None;
        }
        let (was, is) = (body_code(revision, revision.old, before), body_code(revision, revision.new, after));
        // What says that it is a stand-in is told as that.
        if was == is || excuse(revision, new) {
            return None;
        }
        let logged = |name: &str| was.lines().filter(|line| names(line, name)).all(is_log);
        let all = parameters(revision, revision.old, before);
        let lost = all.into_iter().find(|name| {
            // What is given up in so many words is no handing on of a framework's.
            let is_given_up = is_only_discarded(&is, name) && !is_only_discarded(&was, name);
            name.len() > 1
                && (is_given_up || !HANDED.contains(name) && !names(&is, name))
                && !name.starts_with('_')
                && names(&was, name)
                && !logged(name)
        })?;
        let said = revision.new.get(after.span.clone()).unwrap_or_default().to_lowercase();
        let is_on_purpose = KEPT.iter().any(|word| said.contains(word));
        let is_missed = || !has_tests_of(case, before.name) && !is_part_of_more(case, revision);
        (!is_on_purpose && is_missed()).then(|| {
            let what = format!("`{}` would take `{}` and pay no heed to it", before.name, short(lost));
            let severity =
                if only_takes(revision) || only_waits(revision) { Severity::High } else { Severity::Medium };
            LostCheck::new(before.line, before.name, what, severity)
        })
    })
}
