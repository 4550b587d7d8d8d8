//! New handlers around code that was there which log, and go on with a value as if it had worked.

use crate::detectors::engine::code_lines::lines;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::{CHECKS, is_named};
use crate::detectors::product::functions::called_in;
use crate::detectors::product::lasting_effects::is_lasting;
use crate::detectors::product::parameters::parameters;
use crate::languages::Language;
use crate::languages::code::{Handler, bare, identifiers, is_log};
use crate::model::finding::Severity;
use crate::model::words::is_name_part;

/// Constants that a handler puts in the place of a result, without white space.
const NOTHINGS: &[&str] = &[
    "null",
    "nil",
    "None",
    "undefined",
    "\"\"",
    "''",
    "[]",
    "{}",
    "0",
    "0.0",
    "()",
    "emptyList()",
    "emptyMap()",
    "listOf()",
    "mapOf()",
    "List.of()",
    "Map.of()",
    "String::new()",
    "Vec::new()",
    "Default::default()",
    "dict()",
    "list()",
    "string.Empty",
    "nullptr",
    "%{}",
    "new()",
    "array()",
];
/// Words that stand in front of a name that gets a value.
const BINDING: &[&str] = &["let", "const", "var", "val", "auto", "mut", "final"];

/// What is said of a new handler that takes every error of what was there, and how bad it is.
pub(super) fn softened(revision: &Revision, handler: &Handler) -> Option<(&'static str, Severity)> {
    let own = statements(revision, handler.body);
    let watched = statements(revision, handler.watched);
    let lasting = called_in(handler.watched).iter().any(|name| is_lasting(name));
    let checks = || called_in(handler.watched).iter().all(|name| is_named(name, CHECKS));
    let done = watched.last()?;
    if own.iter().all(|it| matches!(it.as_str(), "continue" | "next")) && (!own.is_empty() || checks()) {
        return Some(("would be logged, and what failed passed over", Severity::High));
    }
    let Some(last) = own.last() else {
        let is_default = has_default(revision, handler);
        let kept = || keeps(handler.watched) && watched.len() <= FEW;
        let decides = || leaves_under_condition(handler.watched);
        let severity =
            if is_default && lasting || kept() || decides() { Severity::High } else { Severity::Medium };
        let is_missed = is_default || lasting || decides() || records_after(revision, handler);
        return is_missed.then_some(("would only be logged", severity));
    };
    let others = own.get(..own.len() - 1).unwrap_or_default();
    let given = answer(last);
    if others.iter().all(|it| puts_nothing(it)) && given == answer(done) && !is_nothing(&given) {
        return Some(("would answer as if nothing had happened", Severity::High));
    }
    let is_put = own.iter().all(|it| puts_nothing(it));
    let is_answer = last.starts_with("return") || !ends_by_return(&revision.change.path);
    if own.len() == 1 && is_answer && is_own_input(revision, handler, &given) {
        return Some(("would give back what came in", Severity::High));
    }
    if own.len() == 1 && is_answer && is_made_up(revision, handler, last) {
        return Some(("would answer with a value that stands for nothing", Severity::High));
    }
    if own.len() == 1 && is_all_well(last) {
        return Some(("would count as one that found nothing wrong", Severity::High));
    }
    let is_given = own.len() == 1 && is_nothing(&given) && is_answer;
    if !is_put && !is_given {
        return None;
    }
    let is_said = handler.explained || handler.body.lines().any(|line| is_telling(line.trim()));
    let severity = if is_put && (lasting || !is_said) { Severity::High } else { Severity::Medium };
    Some(("would only be logged, with nothing in the place of the result", severity))
}

/// More statements than these are a piece of work of which something may fail.
const FEW: usize = 4;

/// Whether code asks something and leaves by the answer: whoever goes on after its error has not been asked. What is kept at
/// hand may be missing.
fn leaves_under_condition(code: &str) -> bool {
    let lower = code.to_lowercase();
    let is_store = ["cache", "memo", "redis"].iter().any(|word| lower.contains(word));
    let mut lines = code.lines().map(str::trim);
    let asks = |line: &str| {
        line.split_once("if ").or_else(|| line.split_once("if(")).is_some_and(|(head, rest)| {
            head.trim_matches(['{', '}', ' ']).is_empty()
                && rest.contains(['.', '('])
                && !called_in(rest).is_empty()
        })
    };
    let leaves = |line: &str| ["return ", "throw ", "raise "].iter().any(|head| line.starts_with(head));
    !is_store && lines.any(asks) && code.lines().map(str::trim).any(leaves)
}

/// Whether what a handler watches over is a step whose success is recorded behind it: `self.done[name] = now()`. Whoever is
/// only told of something, or has to end, may fail alone.
fn records_after(revision: &Revision, handler: &Handler) -> bool {
    const TOLD: &[&str] = &[
        "notify",
        "emit",
        "publish",
        "send",
        "log",
        "fire",
        "dispatch",
        "trigger",
        "callback",
        "listener",
        "observer",
        "hook",
        "close",
        "stop",
        "shutdown",
        "cleanup",
        "dispose",
        "flush",
        "disconnect",
        "cancel",
        "update",
        "refresh",
        "on",
    ];
    let is_told = called_in(handler.watched).iter().any(|name| is_named(name, TOLD));
    let is_step = |line: &String| line.contains('(') && !line.contains('=');
    let function = handler.owner.and_then(|at| revision.after.functions.get(at));
    let body = function.and_then(|it| revision.new.get(it.body.clone())).unwrap_or_default();
    let behind = body.split_once(handler.body).map_or("", |(_, rest)| rest);
    let is_record = |line: &str| {
        let target = line.trim_start().split_once(" = ").map_or("", |(target, _)| target);
        ["self.", "this.", "@", "$this->"].iter().any(|head| target.starts_with(head))
    };
    !is_told
        && statements(revision, handler.watched).iter().all(is_step)
        && !handler.body.is_empty()
        && behind.lines().any(is_record)
}

/// Whether code keeps something for good, so that whoever called it relies on that.
fn keeps(code: &str) -> bool {
    const KEEPING: &[&str] = &[
        "save", "persist", "insert", "store", "commit", "charge", "refund", "transfer", "withdraw",
        "deposit", "upsert", "capture", "settle", "pay", "payout",
    ];
    const BESIDE: &[&str] =
        &["cache", "metric", "telemetry", "stats", "audit", "posthog", "sentry", "analytics"];
    let lower = code.to_lowercase();
    called_in(code).iter().any(|name| is_named(name, KEEPING))
        && !BESIDE.iter().any(|word| lower.contains(&format!("{word}.")))
}

/// Whether a name that a handler leaves alone got a constant right above it, to stand where what failed was to stand:
/// `let kind = "none"; try { kind = ask(); } catch {}`.
pub(super) fn has_default(revision: &Revision, handler: &Handler) -> bool {
    let names: Vec<String> = statements(revision, handler.watched)
        .iter()
        .filter_map(|line| line.split_once('=').map(|(name, _)| last_word(name)))
        .collect();
    let mut come = revision.hunks().iter().flat_map(|it| &it.come);
    come.any(|line| {
        let Some((name, value)) = line.text.split_once('=') else { return false };
        let value = value.trim().trim_end_matches(';');
        let is_constant = is_nothing(&bare(value)) || value.contains(['"', '\'']) && !value.contains('(');
        is_constant && names.contains(&last_word(name))
    })
}

/// The statements of a piece of code, one a line, without logs and heads of blocks.
fn statements(revision: &Revision, code: &str) -> Vec<String> {
    let all = lines(revision.words.comment, code, 0..code.len());
    let is_head = |text: &str| {
        text.starts_with("rescue")
            || text.starts_with("except")
            || text.contains("catch")
            || matches!(text, "end" | "do" | "begin" | "try:" | "try {")
    };
    all.map(|line| line.text.trim_matches(['{', '}', ' ', ';']).to_owned())
        .filter(|text| !is_head(text) && !is_telling(text) && text.chars().any(char::is_alphanumeric))
        .collect()
}

/// Whether a statement only tells of something, by whatever logger.
pub(super) fn is_telling(text: &str) -> bool {
    const TELLING: &[&str] = &[
        "log",
        "warn",
        "warning",
        "info",
        "debug",
        "error",
        "exception",
        "trace",
        "print",
        "println",
        "printf",
        "puts",
        "Warn",
        "Error",
        "Info",
        "Debug",
        "Printf",
        "Println",
        "LogError",
        "LogWarning",
        "LogInformation",
    ];
    let head = text.split('(').next().unwrap_or_default();
    let name = head.rsplit(['.', ':', '>', ' ']).next().unwrap_or_default();
    is_log(text.trim_start_matches(['@', '_']))
        || text.contains('(') && !head.contains('=') && TELLING.contains(&name)
}

/// Whether a statement puts a constant that stands for nothing in a plain name.
fn puts_nothing(statement: &str) -> bool {
    let Some((name, value)) = statement.split_once('=') else { return false };
    let name = name.trim().trim_end_matches(':').trim();
    let is_plain = name
        .split(' ')
        .all(|word| BINDING.contains(&word) || word.chars().all(|c| is_name_part(c) || c == '$'));
    is_plain && is_nothing(bare(value).trim_end_matches(';'))
}

/// Whether a statement gives a verdict that lets everything through: `verdict = Verdict.PASS`.
fn is_all_well(statement: &str) -> bool {
    const WELL: &[&str] = &[
        "pass",
        "passed",
        "ok",
        "allow",
        "allowed",
        "valid",
        "approved",
        "accepted",
        "granted",
        "clean",
        "safe",
        "permit",
        "permitted",
        "verified",
        "trusted",
        "healthy",
        "authorized",
    ];
    let value = statement.strip_prefix("return ").or_else(|| Some(statement.split_once('=')?.1));
    let value = value.unwrap_or_default().trim().trim_end_matches(';');
    let (holder, name) = value.rsplit_once(['.', ':']).unwrap_or_default();
    holder.starts_with(|c: char| c.is_uppercase() || c == ':') && WELL.contains(&name.to_lowercase().as_str())
}

/// What a statement gives.
fn answer(statement: &str) -> String {
    bare(statement.strip_prefix("return ").unwrap_or(statement)).trim_end_matches(';').to_owned()
}

fn is_nothing(value: &str) -> bool {
    // `{} as Order`, without blanks: nothing under the name of a type.
    let value = ["{}as", "[]as", "nullas", "\"\"as", "undefinedas"]
        .iter()
        .find_map(|it| value.starts_with(it).then(|| it.strip_suffix("as").unwrap_or(it)))
        .unwrap_or(value);
    const ENDS: &[&str] =
        &[".ZERO", ".Zero", ".EMPTY", ".Empty", "::ZERO", ".zero", ".emptyList()", ".empty()"];
    NOTHINGS.contains(&value)
        || ENDS.iter().any(|end| value.ends_with(end) && !value.contains('('))
        || value == "Nil"
}

/// Whether a function gives its answer by a word, and not by its last line.
fn ends_by_return(path: &str) -> bool {
    Language::of_path(path).is_none_or(|language| !language.answers_by_last_line())
}

/// Whether a handler gives back a parameter of its function that the code it watches over works with.
fn is_own_input(revision: &Revision, handler: &Handler, given: &str) -> bool {
    let Some(function) = handler.owner.and_then(|it| revision.after.functions.get(it)) else { return false };
    let given = given.trim_start_matches('$');
    parameters(revision, revision.new, function).contains(&given)
        && identifiers(handler.watched).any(|it| it == given)
}

/// Whether a statement gives an object that is made of nothings, and of what the function was given: `Receipt(cents: 0, all: [])`.
fn is_made_up(revision: &Revision, handler: &Handler, statement: &str) -> bool {
    let Some(function) = handler.owner.and_then(|it| revision.after.functions.get(it)) else { return false };
    let own = parameters(revision, revision.new, function);
    let text = statement
        .strip_prefix("return ")
        .unwrap_or(statement)
        .trim_start_matches("new ")
        .trim_end_matches(';');
    let Some((maker, inner)) = text.split_once('(') else { return false };
    let is_maker = maker.starts_with(char::is_uppercase) || matches!(maker, "new" | "struct" | "%");
    let squeezed = bare(inner);
    let has_nothing =
        squeezed.split(['(', ',', ':', ')', '=']).any(|it| is_nothing(it) || matches!(it, "false" | "False"));
    let is_known = |word: &str| {
        own.contains(&word.trim_start_matches('$'))
            || word.starts_with(char::is_uppercase)
            || word.starts_with(|c: char| c.is_ascii_digit())
            || matches!(word, "false" | "true" | "null" | "nil" | "new" | "this")
            || squeezed.contains(&format!("{word}:"))
            || own.iter().any(|it| {
                squeezed.contains(&format!("{it}.{word}")) || squeezed.contains(&format!("{it}->{word}"))
            })
    };
    is_maker && has_nothing && identifiers(inner).all(is_known)
}

fn last_word(text: &str) -> String {
    let text = text.split(':').next().unwrap_or(text);
    let mut words = text.split(|c: char| !is_name_part(c));
    words.rfind(|it| !it.is_empty()).unwrap_or_default().to_owned()
}
