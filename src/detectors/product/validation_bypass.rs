//! Checks of input that are gone, commented out, or can't say no any more.
//!
//! A condition that stands anywhere else in the file after has moved, and one that is replaced by another is kept.

use crate::detectors::engine::revision::{Revision, share};
use crate::detectors::product::error_suppression::is_about_error;
use crate::detectors::{Case, Detector, Pattern, Proof};
use crate::languages::code::{BodyKind, Code, Exit, bare};
use crate::model::finding::{Finding, RegressionType, Severity};

/// Guards and validators that are gone or always agree.
pub(crate) static REMOVED: Detector = Detector {
    pattern: Pattern {
        id: "LP-006",
        name: "Validation Removal",
        aliases: &["Guard Removal", "Validator Always True"],
        regression_type: Some(RegressionType::ValidationBypass),
        severity: Severity::Critical,
        what: "A guard that refused bad input is gone, in comments, or can't hold any more; or a validator agrees to all.",
        why: "What was refused before is let through, and fails or does harm further in.",
        instead: "A guard that moves to another place of the file, or is replaced by another check, passes.",
        proof: Proof::Changes,
    },
    detect: removed,
};

/// Checks of a library or a protocol that are switched off.
pub(crate) static SWITCHED_OFF: Detector = Detector {
    pattern: Pattern {
        id: "LP-C003",
        name: "Validation Disabling",
        aliases: &["Security Check Disabled"],
        regression_type: Some(RegressionType::ValidationBypass),
        severity: Severity::High,
        what: "A check of certificates, requests or input is switched off by a setting.",
        why: "A connection or a request that nobody checks may come from anyone.",
        instead: "The check can stay on, with the certificate or the origin that is meant named instead.",
        proof: Proof::Changes,
    },
    detect: switched_off,
};

/// First words of functions that answer whether something is so.
const ANSWERS: &[&str] = &[
    "is",
    "has",
    "can",
    "valid",
    "validate",
    "verify",
    "check",
    "authorize",
    "authorise",
    "authenticate",
    "allow",
    "allowed",
    "should",
    "matches",
    "contains",
    "exists",
    "ensure",
];
/// Settings that switch a check off, with the values that do so, both without regard to case.
const OFF: &[(&str, &[&str])] = &[
    ("verify", &["false", ":verify_none", "nil"]),
    ("rejectunauthorized", &["false"]),
    ("insecureskipverify", &["true"]),
    ("strictssl", &["false"]),
    ("check_hostname", &["false"]),
    ("verify_ssl", &["false", "openssl::ssl::verify_none"]),
    ("ssl_verify", &["false", ":none"]),
    ("verify_mode", &["openssl::ssl::verify_none"]),
    ("verify_peer", &["false"]),
    ("verify_peer_name", &["false"]),
    ("allow_self_signed", &["true"]),
    ("curlopt_ssl_verifypeer", &["false", "0", "0l"]),
    ("curlopt_ssl_verifyhost", &["false", "0", "0l"]),
    ("validate_certs", &["false"]),
    ("danger_accept_invalid_certs", &["true"]),
    ("skipvalidation", &["true"]),
    ("skip_validation", &["true"]),
    ("node_tls_reject_unauthorized", &["'0'", "\"0\""]),
    ("allowed_hosts", &["['*']", "[\"*\"]"]),
    ("validateissuer", &["false"]),
    ("validateaudience", &["false"]),
    ("validatelifetime", &["false"]),
    ("validateissuersigningkey", &["false"]),
    ("requirehttpsmetadata", &["false"]),
    ("checkcertificaterevocationlist", &["false"]),
    ("servercertificatecustomvalidationcallback", &["(_,_,_,_)=>true", "delegate{returntrue;}"]),
    ("servercertificatevalidationcallback", &["(_,_,_,_)=>true", "delegate{returntrue;}"]),
    ("validatescertificatechain", &["false"]),
    ("hostnameverifier", &["noophostnameverifier.instance"]),
];
/// First words of calls that check.
const CHECKS: &[&str] = &[
    "validate",
    "sanitize",
    "sanitise",
    "verify",
    "check",
    "ensure",
    "require",
    "authorize",
    "authenticate",
    "assert",
    "precondition",
    "throwif",
];

/// First words of calls that make a value harmless.
const CLEANERS: &[&str] =
    &["sanitize", "sanitise", "escape", "purify", "validate", "strip_tags", "htmlspecialchars"];
/// Rust's macros that leave with an error where a condition does not hold.
const CHECKING_MACROS: &[&str] = &["ensure", "ensure_eq", "require"];

/// Those of them that mean nothing else: to ensure something may be to make it.
const STRICT: &[&str] = &[
    "validate",
    "sanitize",
    "sanitise",
    "verify",
    "require",
    "authorize",
    "authenticate",
    "precondition",
    "throwif",
    "checknotnull",
    "checkargument",
    "checkstate",
];

/// What only checks are called on.
const HOLDERS: &[&str] =
    &["ValidationUtils", "Guard", "Against", "Preconditions", "Validate", "Ensure", "Requires"];

fn removed(case: &Case, findings: &mut Vec<Finding>) {
    for revision in case.revisions().iter().filter(|revision| !revision.is_test) {
        let found = neutralised(revision)
            .or_else(|| always_agrees(revision))
            .or_else(|| guards_lost(revision))
            .or_else(|| call_lost(revision))
            .or_else(|| unwrapped(revision));
        findings.extend(found);
    }
}

fn finding(revision: &Revision, line: u32, name: &str, what: String, severity: Severity) -> Finding {
    let mut finding = REMOVED.finding(&revision.change.path, what);
    finding.line = Some(line);
    finding.lost.push(name.to_owned());
    finding.severity = severity;
    finding.confidence = 0.9;
    finding
}

/// A condition that a constant among its operands decides.
fn neutralised(revision: &Revision) -> Option<Finding> {
    let old: Vec<String> = revision.before.conditions.iter().map(|it| bare(it.text)).collect();
    revision.after.conditions.iter().find_map(|condition| {
        let value = condition.fixed?;
        let text = bare(condition.text);
        // Something of the condition was there before.
        let kept = old.iter().any(|known| {
            let core = known.trim_matches(['(', ')']);
            let has_rest = |rest: &str| rest.trim_matches(['(', ')']) == core;
            let is_joined =
                ["false&&", "true||"].iter().any(|head| text.strip_prefix(head).is_some_and(has_rest))
                    || ["&&false", "||true"].iter().any(|end| text.strip_suffix(end).is_some_and(has_rest));
            core.len() > 1 && is_joined || core.len() > 3 && text.len() > known.len() && text.contains(core)
        });
        if old.contains(&text) || (!kept && text.trim_matches(['(', ')']).len() > 8) {
            return None;
        }
        // A plain `if (false)` around what was there, with nothing else changed, is dead code.
        let guards = revision.after.guards.iter().any(|it| it.line == condition.line);
        if !(kept || guards && revision.predecessor(condition.owner?).is_some()) {
            return None;
        }
        let word = if value { "always" } else { "never" };
        let what = format!("the condition `{}` would {word} hold", short(condition.text));
        Some(finding(revision, condition.line, condition.text, what, Severity::High))
    })
}

/// A function that answered and gives a constant.
fn always_agrees(revision: &Revision) -> Option<Finding> {
    revision.pairs.iter().find_map(|(old, new)| {
        let (before, after) = (revision.before.functions.get(*old)?, revision.after.functions.get(*new)?);
        let BodyKind::Constant(value) = after.body_kind else { return None };
        (before.body_kind == BodyKind::Work && is_answer(before.name, value)).then(|| {
            let what = format!("`{}` would give `{value}` whatever it is asked", before.name);
            finding(revision, before.line, before.name, what, Severity::Critical)
        })
    })
}

/// Whether the constant is the answer that all is well, of a function with such a name.
pub(crate) fn is_answer(name: &str, value: &str) -> bool {
    let value = bare(value);
    let is_true = value.eq_ignore_ascii_case("true") || value == "Ok(true)";
    let agrees = is_true || matches!(value.as_str(), "Ok(())" | "nil" | "None" | "null");
    agrees && (name.ends_with('?') || is_named(name, ANSWERS)) && (is_true || is_named(name, CHECKS))
}

/// Guards of a function that is still there.
fn guards_lost(revision: &Revision) -> Option<Finding> {
    let comments = revision.new_comment_lines();
    let kept: Vec<String> = revision.after.conditions.iter().map(|it| bare(it.text)).collect();
    let count = |all: &[String], text: &String| all.iter().filter(|it| *it == text).count();
    let known: Vec<String> = revision.before.conditions.iter().map(|it| bare(it.text)).collect();
    for guard in &revision.before.guards {
        let text = bare(guard.condition);
        if count(&kept, &text) >= count(&known, &text) {
            continue;
        }
        let in_comment = text.len() > 4
            && revision.after.comments.iter().any(|it| bare(it.text).contains(&text))
            && !revision.before.comments.iter().any(|it| bare(it.text).contains(&text));
        let what = |how: &str| format!("the guard `{}` would be {how}", short(guard.condition));
        let (old, new) = match guard.owner {
            Some(old) => match revision.successor(old) {
                Some(new) => (Some(old), Some(new)),
                None => continue,
            },
            None => (None, None),
        };
        let body_kind = new.and_then(|new| revision.after.functions.get(new)).map(|it| it.body_kind);
        // A function that was much more than the guard is a stub now.
        let is_short = old.is_some_and(|old| revision.old_lines(old).len() <= 2);
        if body_kind.is_some_and(|body_kind| body_kind != BodyKind::Work) && !is_short {
            continue;
        }
        let name = guard.condition;
        let is_all = old.is_some_and(|old| share(&revision.old_lines(old), &comments) >= 0.6);
        if in_comment && (!is_all || is_short) {
            return Some(finding(revision, guard.line, name, what("commented out"), Severity::High));
        }
        if guard.exit != Exit::Error || is_about_error(guard.condition) || is_replaced(revision, old, new) {
            continue;
        }
        let (before, after) = revision.scope_lines(old, new);
        // The guard's own lines are a few; all else has to be there still.
        let missing = before.iter().filter(|line| after.binary_search(line).is_err()).count();
        let added = after.iter().filter(|line| before.binary_search(line).is_err()).count();
        if missing <= 6 && added == 0 && missing < before.len() {
            return Some(finding(revision, guard.line, name, what("gone"), Severity::Critical));
        }
        if missing <= 8 && added <= 1 {
            return Some(finding(revision, guard.line, name, what("gone"), Severity::Medium));
        }
    }
    None
}

/// Whether the scope has another check in the place of a lost one.
fn is_replaced(revision: &Revision, old: Option<usize>, new: Option<usize>) -> bool {
    let conditions = |code: &Code, owner| code.conditions.iter().filter(|it| it.owner == owner).count();
    let throws = |code: &Code, owner: Option<usize>| {
        code.guards.iter().filter(|it| it.owner == owner && it.exit == Exit::Error).count()
    };
    let calls = |code: &Code, owner| {
        let all = code.calls.iter().filter(|it| it.owner == owner);
        all.map(|it| bare(it.callee)).collect::<Vec<_>>()
    };
    let known = calls(&revision.before, old);
    let checks =
        calls(&revision.after, new).into_iter().filter(|callee| !known.contains(callee)).any(|callee| {
            let last = callee.rsplit(['.', ':']).next().unwrap_or(&callee);
            is_named(last, CHECKS)
                || revision
                    .added
                    .iter()
                    .any(|it| revision.after.functions.get(*it).is_some_and(|it| it.name == last))
        });
    checks
        || throws(&revision.after, new) >= throws(&revision.before, old)
        || conditions(&revision.after, new) >= conditions(&revision.before, old)
}

/// A call that checked and did nothing else.
fn call_lost(revision: &Revision) -> Option<Finding> {
    let last = |callee: &str| callee.rsplit(['.', ':', '>']).next().unwrap_or_default().to_owned();
    revision.before.calls.iter().filter(|call| call.alone).find_map(|call| {
        let name = last(call.callee);
        let ends = |extensions: &[&str]| extensions.iter().any(|it| revision.change.path.ends_with(it));
        let is_guard = ends(&[".rs"]) && CHECKING_MACROS.contains(&name.as_str())
            || ends(&[".kt", ".kts"]) && matches!(name.as_str(), "require" | "check")
            || ends(&[".rb"]) && name.starts_with("assert_valid");
        if !is_guard && !checks(call.callee, &name) {
            return None;
        }
        let (old, new) = (call.owner?, revision.successor(call.owner?)?);
        // Fewer of them in the whole file, and nothing in its place here.
        let count = |code: &Code| code.calls.iter().filter(|it| last(it.callee) == name).count();
        let written = bare(call.arguments);
        let is_here = revision
            .after
            .calls
            .iter()
            .any(|it| it.owner == Some(new) && last(it.callee) == name && bare(it.arguments) == written);
        let (before, after) = (revision.old_lines(old), revision.new_lines(new));
        let added = after.iter().filter(|line| before.binary_search(line).is_err()).count();
        let missing = before.iter().filter(|line| after.binary_search(line).is_err()).count();
        let works = revision.after.functions.get(new)?.body_kind == BodyKind::Work;
        let is_lost = !is_here && count(&revision.after) < count(&revision.before);
        (is_lost && added == 0 && missing <= 2 && works).then(|| {
            let what = format!("the call of `{}` would be gone", short(call.callee));
            // A call is all that is gone, and a name that means nothing but a check.
            let is_sure = missing <= 1 && is_named(&name, STRICT);
            let severity = if is_guard || is_sure { Severity::Critical } else { Severity::Medium };
            finding(revision, call.line, call.callee, what, severity)
        })
    })
}

/// A value that was cleaned on its way and goes through as it came, with nothing else changed.
fn unwrapped(revision: &Revision) -> Option<Finding> {
    revision.before.calls.iter().filter(|call| !call.alone).find_map(|call| {
        let name = call.callee.rsplit(['.', ':', '>']).next().unwrap_or_default();
        let (old, new) = (call.owner?, revision.successor(call.owner?)?);
        if !is_named(name, CLEANERS) {
            return None;
        }
        let body = |source: &str, code: &Code, at: usize| {
            Some(bare(source.get(code.functions.get(at)?.body.clone())?))
        };
        let (before, after) =
            (body(revision.old, &revision.before, old)?, body(revision.new, &revision.after, new)?);
        let argument = bare(call.arguments);
        let argument =
            argument.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(&argument);
        let whole = format!("{}({argument})", bare(call.callee));
        (!argument.is_empty() && before.contains(&whole) && before.replacen(&whole, argument, 1) == after)
            .then(|| {
                let what =
                    format!("`{}` would no longer go through `{}`", short(argument), short(call.callee));
                finding(revision, call.line, call.callee, what, Severity::Critical)
            })
    })
}

/// Whether a call with this last name checks something.
fn checks(callee: &str, name: &str) -> bool {
    let holder = callee.strip_suffix(name).unwrap_or_default().trim_end_matches(['.', ':', '-', '>']);
    let holder = holder.rsplit(['.', ':', '>', '\\']).next().unwrap_or_default();
    let is_import = matches!(name, "require" | "require_relative" | "require_once" | "ensure")
        || name.starts_with("assert")
        || name.starts_with("Assert")
        || (callee.contains('!') && !callee.ends_with('!'));
    !is_import && (is_named(name, CHECKS) || HOLDERS.contains(&holder))
}

fn switched_off(case: &Case, findings: &mut Vec<Finding>) {
    for revision in case.revisions().iter().filter(|revision| !revision.is_test) {
        let is_off = |name: &str, value: &str| {
            let (name, value) = (name.to_lowercase(), bare(value).to_lowercase());
            OFF.iter().any(|(known, off)| *known == name && off.contains(&value.as_str()))
        };
        let count = |code: &Code, name: &str| {
            code.settings.iter().filter(|it| it.name == name && is_off(it.name, it.value)).count()
        };
        let setting = revision.after.settings.iter().find(|setting| {
            is_off(setting.name, setting.value)
                && count(&revision.after, setting.name) > count(&revision.before, setting.name)
        });
        if let Some(setting) = setting {
            let what = format!("`{}` would be `{}`", setting.name, setting.value);
            let mut found = SWITCHED_OFF.finding(&revision.change.path, what);
            found.line = Some(setting.line);
            findings.push(found);
        }
    }
}

/// Whether an identifier's first word is one of these: `isValid`, `is_valid`, `Validate`.
fn is_named(name: &str, words: &[&str]) -> bool {
    let name = name.trim_start_matches(['_', '#']);
    let lower = name.to_lowercase();
    words.iter().any(|word| {
        lower.strip_prefix(word).is_some_and(|_| {
            let rest = name.get(word.len()..).unwrap_or_default();
            rest.is_empty() || rest.starts_with(|c: char| c.is_uppercase() || c == '_')
        })
    })
}

fn short(condition: &str) -> String {
    let line = condition.split_whitespace().collect::<Vec<_>>().join(" ");
    line.char_indices().nth(60).map_or(line.clone(), |(at, _)| format!("{}...", &line[..at]))
}
