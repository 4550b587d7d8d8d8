//! Guards of single entries that stand in front of all of them now: middleware of a router, a filter of a controller.

use crate::detectors::Case;
use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::functions::other_code;
use crate::languages::code::{Exit, Guard, bare, identifiers, refuses};

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
        if stands_above(revision, action.name, |name| {
            let named = revision.after.functions.iter().filter(|it| it.name == name);
            named.into_iter().any(|it| it.span.start <= filter.span.start && it.span.end >= filter.span.end)
        }) {
            return true;
        }
        lines.iter().enumerate().filter(|(_, line)| is_front(line)).any(|(at, line)| {
            // A decorator names the function that stands below it.
            let below = if line.trim().starts_with('@') {
                lines.get(at + 1).copied().unwrap_or_default()
            } else {
                ""
            };
            let named =
                identifiers(line).chain(identifiers(below)).any(|word| word == plain_name(filter.name));
            named && covers(line, action.name)
        })
    })
}

/// Whether a function that stands in front of a refusal's own says the same: `head :forbidden unless …` of a method that
/// `before_action` names, or of a decorator. It may be new in another file of the session.
pub(super) fn is_said_in_filter(
    case: &Case,
    revision: &Revision,
    hunk: &TextHunk,
    refusal: CodeLine,
) -> bool {
    let action = revision.old_function_at(refusal.at).map_or("", |it| it.name);
    let wanted = without_way_out(refusal.text);
    // A condition of its own line goes along with its refusal.
    let head =
        hunk.gone.iter().rfind(|it| it.number + 1 == refusal.number && !refuses(revision.words, it.text));
    let head =
        head.filter(|it| it.text.starts_with("if") || it.text.starts_with("unless")).map(|it| bare(it.text));
    let fronts = fronts_of(revision, hunk, action);
    let is_named = |name: &str| {
        let own = plain_name(name);
        own.len() > 2 && name != action && fronts.iter().any(|line| identifiers(line).any(|it| it == own))
    };
    let says = |text: &str| {
        text.lines().any(|line| without_way_out(line.trim()) == wanted)
            && head.as_ref().is_none_or(|head| text.lines().any(|line| bare(line.trim()) == *head))
    };
    let is_named = |name: &str| is_named(name) || stands_above(revision, action, |it| it == name);
    let mut functions = revision.after.functions.iter();
    wanted.len() > 6
        && (functions
            .any(|it| is_named(it.name) && says(revision.new.get(it.span.clone()).unwrap_or_default()))
            || other_code(case, revision).any(|other| {
                let (before, after) =
                    (other.before.as_deref().unwrap_or_default(), other.after.as_deref().unwrap_or_default());
                says(after) && !says(before) && identifiers(after).any(is_named)
            }))
}

/// Whether a mark right above a function names one of some others: `@agents_only`.
fn stands_above(revision: &Revision, action: &str, is_it: impl Fn(&str) -> bool) -> bool {
    let Some(function) = revision.after.functions.iter().find(|it| it.name == action && !action.is_empty())
    else {
        return false;
    };
    let head = revision.new.get(..function.span.start).unwrap_or_default();
    let marks = head
        .lines()
        .rev()
        .map(str::trim)
        .skip_while(|line| line.is_empty() || !line.starts_with('@') && line.len() < 9);
    let inner = revision.new.get(function.span.clone()).unwrap_or_default().lines().map(str::trim);
    let mut all = marks
        .take_while(|line| line.starts_with(['@', '[']))
        .chain(inner.take_while(|line| line.starts_with('@')));
    all.any(|line| identifiers(line).any(&is_it))
}

/// The lines that stand in front of an action, and those that are new in its place.
fn fronts_of<'r>(revision: &'r Revision, hunk: &TextHunk, action: &str) -> Vec<&'r str> {
    let lines: Vec<&str> = revision.new.lines().collect();
    let is_new = |line: &str| hunk.come.iter().any(|it| it.text == line.trim());
    let is_one = |line: &str| is_front(line) && covers(line, action) || is_new(line);
    let mut all = Vec::new();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| is_one(line)) {
        all.push(*line);
        // A decorator names the function that stands below it.
        if line.trim().starts_with('@') {
            all.extend(lines.get(at + 1).copied());
        }
    }
    all
}

/// The name of a function of Ruby or Elixir without its sign.
fn plain_name(name: &str) -> &str {
    name.trim_end_matches(['?', '!'])
}

/// A refusal without the word that leaves by it, without blanks and parentheses.
fn without_way_out(line: &str) -> String {
    let line = line.trim_end_matches([';', ',']).trim_end_matches(" and return");
    let line = line.strip_prefix("return ").or_else(|| line.strip_prefix("return(")).unwrap_or(line);
    bare(line).replace(['(', ')'], "")
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
