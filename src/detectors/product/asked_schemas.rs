//! Schemas that are asked where checks stood, with their fields and bounds.

use std::collections::BTreeSet;

use crate::detectors::Case;
use crate::detectors::engine::hunks::TextHunk;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::checked_types::is_checked_by_type;
use crate::detectors::product::functions::other_code;
use crate::detectors::product::moved_checks::numbers;
use crate::languages::code::{identifiers, plain, refuses};
use crate::model::words::is_name_part;

/// Calls by which a schema refuses by itself.
const THROWING: &[&str] = &[".parse(", ".parseAsync(", ".model_validate(", ".validateSync(", ".assert("];
/// Calls by which a schema says what is wrong.
const ASKING: &[&str] = &[".safeParse(", ".safeParseAsync(", ".validate("];

/// Whether a schema that is new in the file, or in another one of the session, is asked where checks stood, and has their
/// fields and bounds.
pub(super) fn is_in_schema(case: &Case, revision: &Revision, hunk: &TextHunk) -> bool {
    is_asked(case, revision, hunk) || is_checked_by_type(case, revision, hunk)
}

fn is_asked(case: &Case, revision: &Revision, hunk: &TextHunk) -> bool {
    let schemas = schemas_asked(revision, hunk);
    if schemas.is_empty() {
        return false;
    }
    // What comes is given apart from the new text: of the file itself it is only its new lines.
    let holds = |old: &str, new: &str, come: &str| {
        let is_made = |schema: &str| [" =", "("].iter().any(|it| new.contains(&format!("{schema}{it}")));
        let is_new = |schema: &&str| is_made(schema) && !identifiers(old).any(|word| word == *schema);
        schemas.iter().any(is_new) && has_checks(revision, hunk, come)
    };
    let here: String =
        revision.hunks().iter().flat_map(|it| &it.come).map(|line| format!("{}\n", line.text)).collect();
    holds(revision.old, revision.new, &here)
        || other_code(case, revision).any(|other| {
            let (before, after) = (other.before.as_deref(), other.after.as_deref().unwrap_or_default());
            holds(before.unwrap_or_default(), after, after)
        })
}

/// The names of what the new lines of a place ask as schemas that refuse.
fn schemas_asked<'a>(revision: &Revision, hunk: &TextHunk<'a>) -> Vec<&'a str> {
    let asked = |calls: &[&str]| -> Vec<&'a str> {
        let heads = hunk.come.iter().flat_map(|line| calls.iter().filter_map(|it| line.text.split_once(it)));
        let names = heads.map(|(head, _)| head.rsplit(|c| !is_name_part(c)).next().unwrap_or_default());
        names.filter(|name| !name.is_empty()).collect()
    };
    let mut come = revision.hunks().iter().flat_map(|it| &it.come);
    let (mut schemas, asking) = (asked(THROWING), asked(ASKING));
    if !asking.is_empty() && come.any(|line| refuses(revision.words, line.text)) {
        schemas.extend(asking);
    }
    schemas.extend(hunk.come.iter().flat_map(|line| types_taken(line.text)));
    schemas
}

/// The types that a function's head in Python or TypeScript declares for what the function takes: a framework, or whoever
/// makes a value of the type, refuses what the type refuses.
fn types_taken(line: &str) -> impl Iterator<Item = &str> {
    let is_head = ["def ", "function ", "async "].iter().any(|word| line.starts_with(word));
    let given = line.split_once('(').filter(|_| is_head).map_or("", |(_, rest)| rest);
    let types = given.split(',').filter_map(|it| it.split_once(':')).map(|(_, rest)| rest.trim_start());
    let names = types.map(|rest| rest.split(|c| !is_name_part(c)).next().unwrap_or_default());
    names.filter(|name| name.len() > 2 && name.starts_with(char::is_uppercase))
}

/// Whether a text has the fields and the bounds of all checks that are gone from a place.
fn has_checks(revision: &Revision, hunk: &TextHunk, come: &str) -> bool {
    let words = revision.words;
    let is_check = |line: &&str| !refuses(words, line);
    let checks: Vec<&str> = hunk.gone.iter().map(|line| line.text).filter(is_check).collect();
    let there: BTreeSet<&str> = identifiers(come).collect();
    let are_there = |line: &&str| {
        let plain = plain(words, line);
        // What stands for a missing value is no bound: `body.get("age", 0)`.
        let bounds = line.replace(", 0)", ")");
        numbers(&bounds).all(|number| numbers(come).any(|it| it == number))
            && fields(&plain).chain(keys(line)).all(|field| there.contains(field))
    };
    !checks.is_empty() && checks.iter().all(are_there)
}

/// The keys that a line takes values by: `body.get("age")`, `body['age']`.
fn keys(line: &str) -> impl Iterator<Item = &str> {
    let taken = [".get(", "["].into_iter().flat_map(|sign| line.split(sign).skip(1));
    let quoted = taken.filter_map(|rest| rest.strip_prefix(['"', '\'']));
    quoted.filter_map(|rest| rest.split(['"', '\'']).next())
}

/// The members that a line reads of values: `qty` of `item.qty`.
fn fields(line: &str) -> impl Iterator<Item = &str> {
    let mut parts = line.split('.').peekable();
    let mut all = Vec::new();
    while let Some(head) = parts.next() {
        let receiver = head.rsplit(|c: char| !is_name_part(c)).next().unwrap_or_default();
        let Some(rest) = parts.peek() else { break };
        let end = rest.find(|c: char| !is_name_part(c)).unwrap_or(rest.len());
        let is_call = rest.get(end..).is_some_and(|it| it.starts_with('('));
        if receiver.starts_with(|c: char| c.is_lowercase()) && !is_call {
            all.extend(rest.get(..end).filter(|it| it.len() > 1 && *it != "length"));
        }
    }
    all.into_iter()
}
