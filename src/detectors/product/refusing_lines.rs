//! What single lines say of a refusal: that they check, refuse, pass an error on, or open a branch in which one stands.

use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::{CHECKS, is_named};
use crate::detectors::product::functions::called_in;
use crate::languages::code::{Function, Refusing, identifiers, may_refuse, passes_on, plain};
use crate::model::words::is_name_part;

/// First words of calls that check and do nothing else.
const STRICT: &[&str] =
    &["validate", "verify", "authorize", "authorise", "authenticate", "sanitize", "sanitise"];

/// How many statuses of an error a line has. One may choose between several: `missing ? 404 : 422`.
pub(super) fn statuses(line: &str) -> usize {
    let words = line.split(|c: char| !c.is_ascii_alphanumeric());
    words.filter(|it| it.len() == 3 && it.starts_with(['4', '5']) && it.parse::<u16>().is_ok()).count()
}

/// Whether all that comes is one statement whose parentheses its first line opens.
pub(super) fn is_one_statement(hunk: &TextHunk) -> bool {
    let open = |text: &str| text.matches(['(', '[']).count() > text.matches([')', ']']).count();
    hunk.come.first().is_some_and(|line| open(line.text))
        && hunk.come.iter().map(|it| it.text.len()).sum::<usize>() < 400
}

/// What an arm of a choice does: its pattern may name an error that is not passed on.
pub(super) fn done(line: &str) -> &str {
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
pub(super) fn is_unfinished(line: &str) -> bool {
    let lower = line.to_lowercase();
    ["not implemented", "notimplemented", "unimplemented", "todo", "not supported", "unsupportedoperation"]
        .iter()
        .any(|word| lower.contains(word))
}

/// Whether a line gives an error back that it got: `return nil, err`.
pub(super) fn passes_error(line: &str) -> bool {
    let bare = line.trim().trim_end_matches(';');
    bare.starts_with("return ") && (bare.ends_with(", err") || bare == "return err")
}

/// Whether a line calls what has no other use than to check.
pub(super) fn is_check(words: &Refusing, line: &str) -> bool {
    let code = plain(words, line);
    let is_call = |word: &str| {
        let parts = code.split(word).skip(1);
        let mut rests = parts.map(|rest| rest.trim_start_matches(['!', '?']));
        rests.any(|rest| rest.starts_with('(') || is_bare_call(words, &code, word, rest))
    };
    let is_head =
        ["def ", "fn ", "func ", "fun ", "function ", "class ", "import "].iter().any(|it| code.contains(it));
    let is_mark = ["@", "[", "#["].iter().any(|it| line.trim_start().starts_with(it));
    !is_head && !is_mark && identifiers(&code).any(|word| is_named(word, STRICT) && is_call(word))
}

/// Whether a line is a call without parentheses, as Ruby has them: `authorize note`.
fn is_bare_call(words: &Refusing, code: &str, name: &str, rest: &str) -> bool {
    let given = rest
        .strip_prefix(' ')
        .is_some_and(|it| it.starts_with(|c: char| c.is_lowercase() || matches!(c, '@' | ':')));
    words.comment == "#" && code.trim_start().starts_with(name) && given && !rest.contains(" = ")
}

/// Whether a line opens a branch or an arm.
pub(super) fn is_head(words: &Refusing, line: &str) -> bool {
    let code = plain(words, line);
    let heads = [
        "if", "elif", "elsif", "else", "unless", "guard", "when", "case", "switch", "match", "except",
        "catch", "rescue", "default",
    ];
    identifiers(&code).next().is_some_and(|word| heads.contains(&word))
        || ["->", "=>"].iter().any(|arrow| code.trim_end().ends_with(arrow))
}

/// Whether a new line calls what checks: something with such a name, or a function that is new in the file.
pub(super) fn checks(revision: &Revision, line: &str) -> bool {
    let code = plain(revision.words, line);
    let added = |word: &str| {
        let mut functions =
            revision.added.iter().filter_map(|at| Some((*at, revision.after.functions.get(*at)?)));
        functions.any(|(at, it)| it.name == word && may_check(revision, at, it))
    };
    code.contains('(') && identifiers(&code).any(|word| is_named(word, CHECKS) || added(word))
}

/// Whether a function that is new may check something: it decides, says no, or calls what the file did not call.
fn may_check(revision: &Revision, at: usize, function: &Function) -> bool {
    let body = revision.new.get(function.body.clone()).unwrap_or_default();
    let says_no = |line: &str| may_refuse(revision.words, line) || passes_on(revision.words, line);
    let is_new = |name: &&str| !identifiers(revision.old).any(|word| word == *name);
    function.throws > 0
        || revision.after.conditions.iter().any(|it| it.owner == Some(at))
        || body.lines().any(says_no)
        || called_in(body).iter().any(is_new)
}

/// Whether two lines call the same by its name, which says what it is for: `MY_ASSERT(at < 400)`.
pub(super) fn is_same_call(old: &CodeLine, new: &CodeLine) -> bool {
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
pub(super) fn checks_so(words: &Refusing, old: &str, new: &str) -> bool {
    let (old, new) = (plain(words, old), plain(words, new).to_lowercase());
    new.contains('(')
        && STRICT.iter().any(|word| new.contains(word) && identifiers(&old).any(|it| is_named(it, &[*word])))
}
