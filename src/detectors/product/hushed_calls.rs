//! Calls whose errors came up, and that stand in something that hears none of them now: `try?`, `runCatching`, `rescue`
//! behind a call, `.catch(() => …)`, `.catchError((_) {})`, `.ok()`, PHP's `@`, a question mark that is gone.
//!
//! The calls are the same before and after; what refuses the missing value below is no loss.

use crate::detectors::Case;
use crate::detectors::engine::hunks::TextHunk;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::defaults::is_optional;
use crate::detectors::product::functions::called_in;
use crate::detectors::product::line_conditions::group;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::refusals::has_tests_of;
use crate::detectors::product::refused_values::is_refused;
use crate::languages::Language;
use crate::languages::code::{identifiers, plain, refuses};
use crate::model::finding::Severity;

/// What hears no error: the endings of paths, and the texts without blanks.
const HUSHES: &[(&[&str], &[&str])] = &[
    (
        &["kt", "kts"],
        &[
            "runCatching{",
            ".getOrNull()",
            ".getOrDefault(",
            ".catch{emit(",
            ".onErrorReturn",
            ".onErrorResume",
        ],
    ),
    (&["swift"], &["try?", ".replaceError("]),
    (&["dart"], &[".catchError(", ".onError(", ".ignore()"]),
    (&["rb"], &["rescue"]),
    (&["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"], &[".catch("]),
    (
        &["rs"],
        &[
            ".ok();",
            ".ok())",
            "letOk(",
            "let_=",
            ".is_err(){",
            "ifletErr(_)=",
            ".unwrap_or_default()",
            ".unwrap_or(",
            ".unwrap_or_else(|_|",
        ],
    ),
    (&["py"], &["suppress("]),
    (
        &["scala"],
        &[
            "Try(",
            "Try{",
            "Using(",
            ".getOrElse(",
            ".recover",
            "NonFatal(_)=>",
            ".toOption",
            ".handleError(",
            ".handleErrorWith(",
            ".orElseSucceed(",
            ".catchAll(",
        ],
    ),
    (&["java"], &[".exceptionally(", ".onErrorReturn", ".onErrorResume", ".onErrorComplete("]),
    (&["ex", "exs"], &["}->"]),
    (&["php"], &["@"]),
];
/// What does something about an error behind such a text.
const HEARING: &[&str] = &[
    "throw",
    "reject",
    "next(",
    "exit",
    "getOrThrow",
    "onFailure",
    "setError",
    "raise",
    "fatal",
    "panic",
    "abort",
    "log",
    "warn",
    "report",
    "capture",
    ":error",
    "console.",
];

/// How lines end that open a block whose errors nobody hears, without blanks.
const BLOCKS: &[&str] =
    &["runCatching{", "suppress(Exception):", "=Try{", "Task.Run(()=>", "Task.Run(async()=>"];

/// Lines that were there and stand in a block now which hears none of their errors.
fn put_in_block(case: &Case, revision: &Revision) -> Option<LostCheck> {
    revision.hunks().iter().filter(|hunk| hunk.gone.is_empty()).find_map(|hunk| {
        let line = hunk.come.last()?;
        let text: String = plain(revision.words, line.text).chars().filter(|c| !c.is_whitespace()).collect();
        let is_open = BLOCKS.iter().any(|it| text.ends_with(it)) && !text.contains("await");
        let first = hunk.below.filter(|it| is_open && !called_in(it.text).is_empty())?;
        let at = usize::try_from(line.number).ok()?;
        let indent = |line: &str| line.len() - line.trim_start().len();
        let own = revision.new.lines().nth(at.checked_sub(1)?).map(indent)?;
        let rest: Vec<&str> = revision.new.lines().skip(at).take(30).collect();
        let size =
            rest.iter().position(|it| !it.trim().is_empty() && indent(it) <= own && it.trim() != "{")?;
        let tail: String = rest.iter().skip(size).take(2).copied().collect();
        let is_heard = HEARING.iter().any(|it| tail.contains(it))
            || ["onFailure", "getOr", "fold(", "recover"].iter().any(|it| tail.contains(it));
        let owner = revision.owner_at(first.at)?;
        let name = revision.before.functions.get(owner)?.name;
        let what = format!("the errors of `{}` would be heard by nobody", short(first.text));
        (!is_heard && !has_tests_of(case, name))
            .then(|| LostCheck::new(line.number, name, what, Severity::High))
    })
}

/// The first call whose errors nobody hears any more.
pub(super) fn hushed(case: &Case, revision: &Revision) -> Option<LostCheck> {
    if let Some(lost) = put_in_block(case, revision) {
        return Some(lost);
    }
    let extension = revision.change.path.rsplit('.').next()?;
    let (_, texts) = HUSHES.iter().find(|(ends, _)| ends.contains(&extension))?;
    revision.hunks().iter().find_map(|hunk| {
        let (old, new) = (squeezed(revision, hunk, false), squeezed(revision, hunk, true));
        let hush = texts.iter().find(|it| new.matches(**it).count() > old.matches(**it).count());
        let is_hushed = hush.is_some_and(|hush| {
            let rest = new.split_once(hush).map_or("", |(_, rest)| rest);
            let heard = |text: &str| HEARING.iter().any(|it| text.contains(it));
            // A promise's handler that calls something does something about the error.
            let answer = rest.split_once("=>").map_or("", |(_, answer)| answer);
            let is_dealt_with = *hush == ".catch(" && !called_in(answer).is_empty();
            // In Rust what went up by `?` goes up as before where there are as many of them.
            let marks = |text: &str| text.matches('?').count();
            let goes_up = extension == "rs" && marks(&old) > 0 && marks(&new) >= marks(&old);
            !heard(rest) && !is_dealt_with && !goes_up && came_up(extension, &old, hush)
        });
        let is_lost = is_hushed || extension == "rs" && mark_dropped(revision, hunk);
        is_lost.then(|| lost(case, revision, hunk)).flatten()
    })
}

fn lost(case: &Case, revision: &Revision, hunk: &TextHunk) -> Option<LostCheck> {
    let (gone, come) = (hunk.gone.first()?, hunk.come.first()?);
    if hunk.gone.len() > 4
        || hunk.come.len() > 6
        || hunk.come.iter().any(|it| refuses(revision.words, not_hushed(it.text)))
    {
        return None;
    }
    let (old, new) = (text(revision, hunk, false), text(revision, hunk, true));
    let old = without_explanations(&old);
    let called: Vec<&str> = called_in(&old).into_iter().filter(|it| !EXPLAINING.contains(it)).collect();
    let now = called_in(&new);
    let kept = called.iter().filter(|it| now.contains(it)).count();
    let is_same = called.iter().any(|it| it.len() > 2 && now.contains(it)) && kept * 2 > called.len();
    let owner = revision.owner_at(gone.at)?;
    let after = revision.successor(owner)?;
    let name = revision.before.functions.get(owner)?.name;
    // What the call is given may come from where it need not be.
    let body = revision.old.get(revision.before.functions.get(owner)?.body.clone())?;
    let is_given = |line: &str| {
        let bound = line.split_once('=').map_or("", |(name, _)| name);
        let may_miss = ["?.", "??", "||", " or ", ".get(", "env", "ENV", "?[", "Option", "opt"];
        is_optional(line)
            && may_miss.iter().any(|sign| line.contains(sign))
            && identifiers(bound).any(|it| it.len() > 1 && identifiers(&old).any(|word| word == it))
    };
    let is_done = is_done_only(revision, gone.text);
    if !is_done && body.lines().any(is_given) {
        return None;
    }
    if !is_same
        || is_optional(if is_done { old.split('(').next().unwrap_or_default() } else { &old })
        || has_tests_of(case, name)
        || is_refused(revision, Some(after), come.number)
    {
        return None;
    }
    let call = called.iter().find(|it| it.len() > 2)?;
    let what = format!("the errors of `{call}` would be heard by nobody in `{}`", short(come.text));
    Some(LostCheck::new(gone.number, name, what, Severity::High))
}

/// What stands in front of what hears no error: a refusal behind it is heard by nobody.
fn not_hushed(line: &str) -> &str {
    ["runCatching", "Try {", "Try("].iter().find_map(|it| line.split_once(it)).map_or(line, |(head, _)| head)
}

/// Calls that only say more about an error which is passed on.
const EXPLAINING: &[&str] =
    &["with_context", "context", "wrap_err", "wrap_err_with", "map_err", "ok_or", "ok_or_else", "leftMap"];

/// A text without what only says more about an error: `read(p).map_err(|e| Bad::Io(e.to_string()))?` is `read(p)?`.
fn without_explanations(text: &str) -> String {
    let mut text = text.to_owned();
    for name in EXPLAINING {
        let head = format!(".{name}(");
        while let Some(start) = text.find(&head) {
            let Some(inner) = text.get(start + head.len() - 1..).and_then(group) else { break };
            let end = start + head.len() + inner.len() + 1;
            text.replace_range(start..end.min(text.len()), "");
        }
    }
    text
}

/// Whether a line calls something for what it does, and takes nothing from it: what it is given may be an option by name.
fn is_done_only(revision: &Revision, line: &str) -> bool {
    const TAKING: &[&str] = &["return", "let", "var", "val", "const", "if", "guard", "while", "for", "case"];
    let gives_last =
        Language::of_path(&revision.change.path).is_none_or(|language| language.answers_by_last_line());
    let first = identifiers(line).next().unwrap_or_default();
    let is_bound = line.split('(').next().is_some_and(|head| head.contains('='));
    !TAKING.contains(&first) && !is_bound && (!gives_last || line.ends_with(';'))
}

/// Whether what stood there let its error come up.
fn came_up(extension: &str, old: &str, hush: &str) -> bool {
    match extension {
        "rs" if hush.starts_with(".unwrap_or") => old.contains('?') && !old.contains(".unwrap_or"),
        "rs" => old.contains('?') || !old.ends_with(';'),
        "ex" | "exs" => old.contains("{:ok,") && old.contains("}="),
        "scala" => {
            let throws = |it: &str| old.ends_with(".get") || old.contains(it);
            !hush.starts_with('.')
                || hush.contains("Error")
                || [".get.", ".get)", ".flatMap(", ".apply(", ".left.map("].into_iter().any(throws)
        }
        _ => !["catch", "except", "rescue"].iter().any(|it| old.contains(it)),
    }
}

/// `save(x)?;` that became `save(x);`, where what is called is none of the file's own.
fn mark_dropped(revision: &Revision, hunk: &TextHunk) -> bool {
    let [gone] = &hunk.gone[..] else { return false };
    let [come] = &hunk.come[..] else { return false };
    let is_own = |name: &str| revision.after.functions.iter().any(|it| it.name == name);
    gone.text.ends_with("?;")
        && gone.text.replace("?;", ";") == come.text
        && !come.text.starts_with("let ")
        && !called_in(come.text).iter().any(|it| is_own(it))
}

/// The lines of one side, without what stands in quotes and without Rust's types of calls.
fn text(revision: &Revision, hunk: &TextHunk, after: bool) -> String {
    let lines = if after { &hunk.come } else { &hunk.gone };
    let text = lines.iter().map(|it| plain(revision.words, it.text)).collect::<Vec<_>>().join("\n");
    let Some((head, rest)) = text.split_once("::<") else { return text };
    rest.split_once(">(").map_or(text.clone(), |(_, rest)| format!("{head}({rest}"))
}

fn squeezed(revision: &Revision, hunk: &TextHunk, after: bool) -> String {
    text(revision, hunk, after).chars().filter(|c| !c.is_whitespace()).collect()
}
