//! Guards of single entries that stand in front of all of them now: middleware of a router, a filter of a controller.

use crate::detectors::engine::hunks::TextHunk;
use crate::detectors::engine::revision::Revision;
use crate::languages::code::{Exit, Guard, bare, identifiers};

/// What has a line that puts something in front of the entries below it, or of all actions of a type.
const FRONTS: &[&str] = &[
    ".use(",
    ".Use(",
    "app.Use",
    "before_action",
    "before_filter",
    "beforeAction",
    "beforeFilter",
    "before_request",
    "plug ",
    "pipe_through",
    ".group(",
    ".Group(",
    "group(",
    "middleware(",
    "'middleware' =>",
    ".layer(",
    "route_layer(",
    "addHook(",
    ".wrap(",
    "dependencies=[",
    "APIRouter(",
    "Blueprint(",
];
/// Words of such a line that keep it from some of the entries.
const EXCEPT: &[&str] = &["except", "unless", "if"];

/// Whether a line in front of an entry has all that the entry's own line has lost.
pub(super) fn stands_in_front(revision: &Revision, hunk: &TextHunk, line: &str) -> bool {
    let path = |text: &str| text.split(['"', '\'']).nth(1).map(str::to_owned);
    let head = |text: &str| text.split(['"', '\'']).next().unwrap_or_default().to_owned();
    let new = hunk.come.iter().find(|it| path(it.text) == path(line) && head(it.text) == head(line));
    let Some(new) = new.filter(|_| path(line).is_some()) else { return false };
    let left: Vec<&str> = identifiers(new.text).collect();
    let lost: Vec<&str> = identifiers(line).filter(|word| !left.contains(word)).collect();
    let above = revision.new.get(..new.at).unwrap_or_default();
    let own = path(line).unwrap_or_default();
    let receiver = |text: &str| text.trim().split('.').next().unwrap_or_default().to_owned();
    !lost.is_empty()
        && above.lines().filter(|it| is_front(it)).any(|front| {
            let words: Vec<&str> = identifiers(front).collect();
            // `router.use('/admin', …)` is for what is below that path.
            let first = front.split_once('(').map_or("", |(_, rest)| rest).trim_start();
            let place =
                if first.starts_with(['"', '\'']) { path(front).unwrap_or_default() } else { String::new() };
            let is_same = !front.contains(".use(") || receiver(front) == receiver(new.text);
            is_same && own.starts_with(&place) && lost.iter().all(|word| words.contains(word))
        })
}

/// Whether a filter that stands in front of a guard's function has the guard.
pub(super) fn is_in_filter(revision: &Revision, guard: &Guard) -> bool {
    let Some(action) = guard.owner.and_then(|it| revision.before.functions.get(it)) else { return false };
    let condition = bare(guard.condition);
    let lines: Vec<&str> = revision.new.lines().collect();
    revision.after.guards.iter().any(|other| {
        let filter = other.owner.and_then(|it| revision.after.functions.get(it));
        let is_same =
            other.exit == Exit::Error && other.negated == guard.negated && bare(other.condition) == condition;
        let Some(filter) = filter.filter(|it| is_same && it.name != action.name) else { return false };
        lines.iter().enumerate().filter(|(_, line)| is_front(line)).any(|(at, line)| {
            // A decorator names the function that stands below it.
            let below = if line.trim().starts_with('@') {
                lines.get(at + 1).copied().unwrap_or_default()
            } else {
                ""
            };
            let named = identifiers(line).chain(identifiers(below)).any(|word| word == filter.name);
            named && covers(line, action.name)
        })
    })
}

fn is_front(line: &str) -> bool {
    let line = line.trim_start();
    !line.starts_with(['#', '/', '*']) && FRONTS.iter().any(|it| line.contains(it))
}

/// Whether a filter's line is for an action.
fn covers(line: &str, action: &str) -> bool {
    let names = |text: &str| identifiers(text).any(|word| word == action);
    match line.split_once("only") {
        Some((_, rest)) => names(rest),
        None => !identifiers(line).any(|word| EXCEPT.contains(&word)),
    }
}
