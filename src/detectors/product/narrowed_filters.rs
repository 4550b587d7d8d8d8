//! Filters in front of actions that leave out more of them than before: `except: %i[show update]`, a shorter `only`.

use std::collections::BTreeSet;

use crate::detectors::Case;
use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::refusals::has_tests_of;
use crate::languages::code::identifiers;
use crate::model::finding::Severity;

/// How lines begin that put a filter in front of actions.
const FRONTS: &[&str] = &[
    "before_action",
    "before_filter",
    "prepend_before_action",
    "beforeAction",
    "plug ",
    "$this->middleware(",
    "authorize_resource",
    "load_and_authorize_resource",
    "app.use(",
    "router.use(",
    "consumer",
    ".apply(",
    "protect_from_forgery",
    "http_basic_authenticate_with",
    "use_guards",
    "new Middleware(",
    "Middleware(",
];
/// Words behind which the actions stand that a filter leaves out.
const EXCEPT: &[&str] = &["except", "unless", "exclude", "withoutMiddleware", "exceptMethods"];
/// Words behind which those stand that it is for alone.
const ONLY: &[&str] = &["only", "forRoutes", "action in"];
/// Words beside the names of actions.
const BESIDE: &[&str] =
    &["i", "w", "if", "when", "not", "in", "action", "method", "methods", "new", "true", "false"];

/// The first filter that is for fewer actions than before.
pub(super) fn filter_narrowed(case: &Case, revision: &Revision) -> Option<LostCheck> {
    revision.hunks().iter().find_map(|hunk| {
        hunk.come.iter().filter(|line| is_front(line)).find_map(|come| {
            let gone =
                hunk.gone.iter().find(|line| is_front(line) && named(line.text) == named(come.text))?;
            let left_out: BTreeSet<&str> =
                behind(come.text, EXCEPT).difference(&behind(gone.text, EXCEPT)).copied().collect();
            let (was, is) = (behind(gone.text, ONLY), behind(come.text, ONLY));
            let shortened: BTreeSet<&str> =
                if is.is_empty() { BTreeSet::new() } else { was.difference(&is).copied().collect() };
            // An action that is new may be for everybody.
            let was_there =
                |name: &&&str| revision.before.functions.iter().any(|it| it.name == **name) || !is_word(name);
            let is_gone =
                |name: &&str| !revision.after.functions.iter().any(|it| it.name == *name) && is_word(name);
            let open = left_out.iter().chain(&shortened).filter(was_there).find(|name| !is_gone(name))?;
            let is_new_only = was.is_empty() && !is.is_empty();
            let what = format!("`{}` would let `{open}` through", short(come.text));
            (!has_tests_of(case, open) && !is_new_only)
                .then(|| LostCheck::new(gone.number, gone.text, what, Severity::High))
        })
    })
}

fn is_front(line: &CodeLine) -> bool {
    FRONTS.iter().any(|head| line.text.starts_with(head))
}

/// Whether a name is one of a function, and no path.
fn is_word(name: &str) -> bool {
    name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// What a line puts in front: the first name behind its head.
fn named(line: &str) -> Option<&str> {
    let head = FRONTS.iter().find(|head| line.starts_with(**head))?;
    identifiers(line.get(head.len()..)?).next()
}

/// The names behind one of some words, up to the next word with a colon.
fn behind<'a>(line: &'a str, words: &[&str]) -> BTreeSet<&'a str> {
    let found = words.iter().find_map(|word| line.split_once(*word).map(|(_, rest)| rest));
    let rest = found.unwrap_or_default();
    let end = rest.find([']', '}', ')']).unwrap_or(rest.len());
    let list = rest.get(..end).unwrap_or_default();
    // The next option of the line is no action.
    let list =
        list.split_once(", if:").or_else(|| list.split_once(", unless:")).map_or(list, |(head, _)| head);
    identifiers(list).filter(|word| !BESIDE.contains(word)).collect()
}
