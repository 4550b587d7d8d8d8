//! Lines that let everything through where something was checked: a schema of anything, a verifier that agrees, an endpoint
//! for everybody, a list of what is allowed that became a range.

use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::{is_named, short};
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::testing::word_edit::{Edit, is_data, words};
use crate::languages::code::bare;
use crate::model::finding::Severity;
use crate::model::words::is_name_part;

/// What such a line says, in lower case without blanks.
const OPEN: &[&str] = &[
    "z.any(",
    "z.unknown(",
    "joi.any(",
    "yup.mixed(",
    "v.any(",
    ".passthrough(",
    "type.any(",
    "t.any(",
    "hostnameverifier{_,_->true}",
    "hostnameverifier((_,_)->true",
    "sethostnameverifier((",
    "allowanonymous",
    "permitall(",
    "save(validate:false",
    "update_column(",
    "update_columns(",
    "save(false)",
    "skip_before_action",
    "csrf_exempt",
    "trustallcerts",
    "trustall",
    "algorithms:['none'",
    "algorithms=[\"none\"",
    "unsafe_load(",
    "noop_verif",
    "anyrequest().permitall",
    "allow_any",
    "validation=false",
    "validator=none",
    "additionalproperties:true",
    "forbidnonwhitelisted:false",
    "whitelist:false",
    "extra=\"allow\"",
    "extra='allow'",
    "strictmode=false",
    "csrf().disable",
    "csrf.disable",
    "disablehtmlescap",
    "parseunverified(",
    "verify_signature\":false",
    "verify_signature':false",
    "validateissuer=false",
    "validateaudience=false",
    "validatelifetime=false",
    "validateissuersigningkey=false",
];
/// First words of calls that answer whether something is allowed or known.
const ASKING: &[&str] = &[
    "includes", "include", "contains", "has", "member", "verify", "check", "test", "matches", "match",
    "some", "every", "allowed", "allows", "can", "is", "valid", "validate", "compare", "equals", "equal",
    "permits", "any",
];

/// The first such line in the place of what checked.
pub(super) fn door_opened(revision: &Revision) -> Option<LostCheck> {
    let count = |text: &str, mark: &str| text.lines().filter(|line| says(line, mark)).count();
    revision.hunks().iter().filter(|hunk| !hunk.come.is_empty()).find_map(|hunk| {
        let line = hunk.come.iter().find(|line| {
            OPEN.iter()
                .any(|mark| says(line.text, mark) && count(revision.new, mark) > count(revision.old, mark))
        });
        let found = line.map(|line| {
            let severity = if hunk.gone.is_empty() { Severity::Medium } else { Severity::High };
            (*line, format!("`{}` would let everything through", short(line.text)), severity)
        });
        let (line, what, severity) = found.or_else(|| ranged(hunk)).or_else(|| agreed(hunk))?;
        let number = hunk.gone.first().map_or(line.number, |it| it.number);
        Some(LostCheck::new(number, line.text, what, severity))
    })
}

/// A question whether something is allowed that became `true`, where the answer is handed on: `cb(null, known.has(name))`.
fn agreed<'a>(hunk: &TextHunk<'a>) -> Option<(CodeLine<'a>, String, Severity)> {
    let ([gone], [come]) = (&hunk.gone[..], &hunk.come[..]) else { return None };
    let (old, new) = (format!("{}\n", gone.text), format!("{}\n", come.text));
    let edit = Edit::of(&old, &new)?;
    let asks = edit
        .gone
        .windows(2)
        .any(|two| matches!(two, [name, "("] if is_named(name.trim_end_matches('?'), ASKING)));
    let is_true = matches!(edit.come[..], ["true" | "True"]);
    let is_handed = come.text.contains(&format!(", {}", edit.come.first().unwrap_or(&"")));
    (asks && is_true && is_handed).then(|| {
        let what = format!(
            "`{}` would agree to everything `{}` was asked about",
            short(come.text),
            short(gone.text)
        );
        (*come, what, Severity::High)
    })
}

fn says(line: &str, mark: &str) -> bool {
    let line = line.trim_start();
    // What RSpec doubles for every object of a class opens no door.
    let code = bare(line).to_lowercase().replace("allow_any_instance_of", "");
    // `product.any(` ends like `t.any(`, and is none.
    let is_whole = |at: usize| {
        !mark.contains('.')
            || mark.starts_with('.')
            || !code.get(..at).is_some_and(|head| head.ends_with(is_name_part))
    };
    !["//", "#", "*", "--"].iter().any(|head| line.starts_with(head))
        && code.match_indices(mark).any(|(at, _)| is_whole(at))
}

/// A list of values that became a range, or everything.
fn ranged<'a>(hunk: &TextHunk<'a>) -> Option<(CodeLine<'a>, String, Severity)> {
    let ([gone], [come]) = (&hunk.gone[..], &hunk.come[..]) else { return None };
    let values = |text: &str| words(text).iter().filter(|(_, word)| is_data(word)).count();
    let head = |text: &'_ str| text.split('=').next().map(bare);
    let is_list = ["[", "{", "Of(", "of(", "(", "Set"].iter().any(|it| gone.text.contains(it));
    let is_range =
        ["..", "range(", "Range("].iter().any(|it| come.text.contains(it) && !gone.text.contains(it));
    (is_list
        && is_range
        && values(gone.text) > 2
        && gone.text.contains('=')
        && head(gone.text) == head(come.text))
    .then(|| {
        (
            *come,
            format!("`{}` would allow more than `{}`", short(come.text), short(gone.text)),
            Severity::High,
        )
    })
}
