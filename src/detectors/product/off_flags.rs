//! Checks that stand behind a flag which is new, and off unless somebody turns it on.

use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::{CHECKS, is_named, short};
use crate::languages::code::{bare, identifiers, plain, refuses};
use crate::model::finding::Severity;

/// How a flag is off where it is declared, without white space.
const OFF: &[&str] = &[
    "=false",
    "=False",
    ":Bool=false",
    ":bool=False",
    ":Boolean=false",
    ":boolean=false",
    ":false",
    "\\\\false",
    ":bool=false",
    "=nil",
    "=None",
    "=0",
    "=\"false\"",
    "=\"\"",
];

/// The first line that is asked only where such a flag is on.
pub(super) fn put_behind_flag<'a>(revision: &Revision<'a>) -> Option<(CodeLine<'a>, (String, Severity))> {
    let all = revision.hunks();
    let come = || all.iter().flat_map(|it| &it.come);
    let flags = come().flat_map(|line| off_flags(revision, line.text));
    let flags: Vec<&str> = flags.filter(|name| !is_turned_on(revision.new, name)).collect();
    if flags.is_empty() {
        return None;
    }
    all.iter().find_map(|hunk| {
        hunk.come.iter().find_map(|line| {
            let is_named =
                |flag: &&&str| identifiers(line.text).any(|it| it.trim_start_matches('!') == **flag);
            let flag = flags.iter().find(is_named)?;
            let old = asked_before(revision, hunk, line, flag)?;
            let what = format!(
                "`{}` would be asked only where `{flag}` is on, which is off by itself",
                short(old.text)
            );
            Some((old, (what, Severity::High)))
        })
    })
}

/// The line that was asked always, where a new line asks it only where the flag is on.
fn asked_before<'a>(
    revision: &Revision<'a>,
    hunk: &TextHunk<'a>,
    line: &CodeLine<'a>,
    flag: &str,
) -> Option<CodeLine<'a>> {
    let code = bare(&plain(revision.words, line.text));
    let is_or = ["!", "!$", "not", "not$"]
        .iter()
        .any(|no| ["||", "or"].iter().any(|or| code.contains(&format!("{no}{flag}{or}"))));
    if is_or {
        return hunk.gone.iter().find(|old| shares_most(old.text, line.text)).copied();
    }
    let kept = hunk.gone.iter().find(|old| is_behind(revision, old.text, line.text, flag)).copied();
    // A block around a check that stays: its head is all that comes.
    let is_head = || line.text.starts_with("if ") && is_alone(line.text, flag);
    let inner = || {
        let below = hunk.next(&hunk.come, line).filter(|_| is_head())?;
        (says_no(revision, below.text) && is_kept(revision, below.text)).then_some(below)
    };
    kept.or_else(inner)
}

/// Whether a line of the code turns a flag on: it is a state of the work and no switch.
pub(super) fn is_turned_on(text: &str, flag: &str) -> bool {
    const ON: &[&str] = &["=true", "=True", ":=true", "=1", "|="];
    text.lines().filter(|line| line.contains(flag)).any(|line| {
        let code = bare(line);
        let code = code.trim_end_matches([';', ',', '}']);
        ON.iter().any(|value| {
            code.split_once(&format!("{flag}{value}"))
                .is_some_and(|(_, rest)| rest.is_empty() || *value == "|=")
        })
    })
}

/// The names that a line declares as off, and that the file did not have.
fn off_flags<'a>(revision: &Revision, line: &'a str) -> Vec<&'a str> {
    let is_new = |name: &&str| name.len() > 2 && !identifiers(revision.old).any(|it| it == *name);
    let declared = |name: &&str| {
        let rest = line.split_once(*name).map_or("", |(_, rest)| rest);
        let end = rest.find([',', ')', ';', '{']).unwrap_or(rest.len());
        let value = bare(rest.get(..end).unwrap_or_default());
        OFF.contains(&value.as_str())
    };
    identifiers(line).filter(declared).filter(is_new).collect()
}

/// Whether an old line stands in the new one, with the flag in front: `if strict { check(x) }`, `strict and bad(x)`.
fn is_behind(revision: &Revision, old: &str, new: &str, flag: &str) -> bool {
    let (was, is) = (bare(old), bare(new));
    let core = was.trim_end_matches([';', ':', '{']);
    let whole = core.len() > 5 && is.contains(core) && says_no(revision, old);
    let inner = core.trim_start_matches("if").trim_start_matches('(').trim_end_matches(')');
    let joined = [format!("{flag}&&"), format!("{flag}and"), format!("{flag}&&("), format!("{flag}and(")];
    whole || inner.len() > 3 && joined.iter().any(|head| is.contains(&format!("{head}{inner}")))
}

/// Whether a line says no, or calls what checks.
fn says_no(revision: &Revision, line: &str) -> bool {
    let code = plain(revision.words, line);
    refuses(revision.words, line) || code.contains('(') && identifiers(&code).any(|it| is_named(it, CHECKS))
}

/// Whether a line stood there before.
fn is_kept(revision: &Revision, line: &str) -> bool {
    revision.old.lines().any(|it| it.trim() == line)
}

/// Whether a condition asks the flag and nothing else.
fn is_alone(line: &str, flag: &str) -> bool {
    let mut names = identifiers(line).filter(|it| *it != "if" && *it != "then" && *it != "do");
    names.next() == Some(flag) && names.next().is_none()
}

fn shares_most(old: &str, new: &str) -> bool {
    let all: Vec<&str> = identifiers(old).collect();
    let kept = all.iter().filter(|it| identifiers(new).any(|word| word == **it)).count();
    all.len() > 1 && kept * 10 >= all.len() * 9
}
