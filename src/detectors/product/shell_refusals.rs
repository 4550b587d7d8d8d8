//! Shell scripts that go on where they stopped: an `exit 1`, a check of what was deployed, a parameter that must be given.

use crate::detectors::Case;
use crate::detectors::checks::lost_status::ended_by;
use crate::detectors::engine::hunks::{CodeLine, TextHunk, hunks};
use crate::detectors::product::check_words::short;
use crate::detectors::product::lost_check::LostCheck;
use crate::languages::code::{Refusing, bare, refuses};
use crate::languages::{file_name, is_test_path};
use crate::model::finding::{Change, Severity};

/// How a script says no.
pub(super) static SHELL: Refusing = Refusing {
    comment: "# ",
    single_quotes: true,
    words: &["die", "fatal"],
    starts: &[],
    returned: &[],
    texts: &[
        "exit1", "exit2", "exit3", "exit4", "exit5", "exit6", "exit7", "exit8", "exit9", "return1",
        "return2", "return3", "||exit", "||return", "||die", ":?",
    ],
    passing: &[],
    fallbacks: &[":-"],
};
/// Commands that fail where something is not as it should be.
const VERIFYING: &[&str] = &[
    "curl --fail",
    "curl -f",
    "rollout status",
    "/health",
    "sha256sum -c",
    "sha256sum --check",
    "shasum -c",
    "gpg --verify",
    "cosign verify",
];

/// The first stop that a script loses.
pub(super) fn stop_lost(case: &Case, change: &Change) -> Option<LostCheck> {
    let (old, new) = (change.before.as_deref()?, change.after.as_deref()?);
    if !is_script(&change.path, old) || is_test_path(&change.path) || old == new {
        return None;
    }
    if let Some((number, line)) = status_forgotten(old, new) {
        let what = format!("the script would end well whatever `{}` says", short(line));
        return Some(LostCheck::new(number, line, what, Severity::High));
    }
    let all = hunks(SHELL.comment, old, new)?;
    if let Some((line, name)) = failure_unset(&all, old, new).filter(|(it, _)| !is_moved(case, change, *it)) {
        let what = format!("`exit ${name}` would not tell of `{}` any more", short(line.text));
        return Some(LostCheck::of_line(&line, "", what, Severity::High));
    }
    all.iter().find_map(|hunk| {
        let refusal = of(hunk, old, new, &|line| stops(line) && !line.starts_with("if "));
        let (line, severity) = match refusal {
            Some(line) => (line, if hunk.come.len() <= 2 { Severity::High } else { Severity::Medium }),
            None => (of(hunk, old, new, &verifies)?, Severity::Medium),
        };
        let what = format!("the script would go on where `{}` stopped it", short(line.text));
        let is_kept = is_moved(case, change, line) || is_in_called(hunk, new);
        (!is_kept).then(|| LostCheck::new(line.number, line.text, what, severity))
    })
}

/// The last line of a script that gave its status, where one that always succeeds stands in its place.
fn status_forgotten<'a>(old: &'a str, new: &str) -> Option<(u32, &'a str)> {
    let is_code = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let last = (1u32..).zip(old.lines().map(str::trim)).filter(|(_, line)| is_code(line)).last()?;
    let now = new.lines().map(str::trim).rfind(is_code)?;
    let asks = ["((", "[ ", "[[ ", "test "].iter().any(|head| last.1.starts_with(head));
    let is_given =
        ["exit ", "return "].iter().any(|head| last.1.strip_prefix(head).is_some_and(|it| it.contains('$')));
    let is_well = matches!(now, "exit 0" | "exit" | "true" | ":" | "return 0") || now.ends_with("|| true");
    let is_left = new.lines().any(|line| line.trim() == last.1);
    ((asks || is_given) && is_well && !is_left && !last.1.contains("|| true")).then_some(last)
}

/// The first line of a kind that a place and the whole script have less of.
fn of<'a>(hunk: &TextHunk<'a>, old: &str, new: &str, is_kind: &dyn Fn(&str) -> bool) -> Option<CodeLine<'a>> {
    let is_no = |line: &str| is_kind(line) || ends_by_value(line);
    let count = |lines: &[CodeLine]| lines.iter().filter(|it| is_no(it.text)).count();
    let whole = |text: &str| text.lines().filter(|line| is_no(line.trim())).count();
    let fewer = count(&hunk.come) < count(&hunk.gone) && whole(new) < whole(old);
    hunk.gone.iter().find(|it| is_kind(it.text)).copied().filter(|_| fewer)
}

/// Whether functions of the script that stop it are called with all that the lost tests asked about.
fn is_in_called(hunk: &TextHunk, new: &str) -> bool {
    let is_test = |line: &&CodeLine| {
        ["if ", "[ ", "[[ ", "test ", "command "].iter().any(|head| line.text.starts_with(head))
    };
    let tests: Vec<&CodeLine> = hunk.gone.iter().filter(is_test).collect();
    let calls: Vec<&str> = stopping(new).flat_map(|name| calls_of(new, name)).collect();
    let is_asked = |line: &&CodeLine| {
        let mut asked = subjects(line.text).peekable();
        asked.peek().is_some()
            && asked.all(|it| {
                calls.iter().any(|call| call.split([' ', '"', '$', '{', '}']).any(|word| word == it))
            })
    };
    !tests.is_empty() && tests.iter().all(is_asked)
}

/// The functions of a script whose body stops it.
fn stopping(text: &str) -> impl Iterator<Item = &str> {
    let head = |line: &'_ str| line.find("()").filter(|_| !line.starts_with([' ', '\t', '#']));
    let lines = text.lines().enumerate();
    lines.filter_map(move |(at, line)| {
        let name = line.get(..head(line)?)?.trim_start_matches("function ").trim();
        let mut body = text.lines().skip(at).take_while(|it| !it.starts_with('}'));
        body.any(|it| it.contains("exit ") && refuses(&SHELL, it.trim())).then_some(name)
    })
}

/// The lines outside of functions that call one, and go on only where that says nothing.
fn calls_of<'t>(text: &'t str, name: &str) -> impl Iterator<Item = &'t str> {
    let start = format!("{name} ");
    text.lines().filter(move |line| line.starts_with(&start) && !line.contains(['|', '&']))
}

/// What a test of the shell is about: its variables, and the program of `command -v`.
fn subjects(line: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let end = move |rest: &str| rest.find(move |c| !is_part(c)).unwrap_or(rest.len());
    let variables = line.split('$').skip(1).map(|rest| rest.trim_start_matches(['{', '!']));
    let programs = line.split("command -v ").skip(1).map(|rest| rest.trim_start_matches('"'));
    variables.chain(programs).filter_map(move |rest| rest.get(..end(rest))).filter(|it| !it.is_empty())
}

/// `exit "${2:-1}"`, `return $code`: a status that somebody else gives, unless it is well by itself.
fn ends_by_value(line: &str) -> bool {
    let rest =
        ["exit ", "return "].iter().find_map(|word| line.split_once(word)).map_or("", |(_, rest)| rest);
    rest.trim_start().trim_start_matches('"').starts_with('$') && !rest.contains(":-0}")
}

/// Whether a line stops the script with a failure. One that ends well where something is not as it should be does not.
fn stops(line: &str) -> bool {
    let ends_well = ["||exit0", "||return0"].iter().any(|end| bare(line).ends_with(end));
    refuses(&SHELL, line) && !ends_well
}

/// The first place that made a script end with a failure by the variable it ends with, and is gone: `status=1`.
fn failure_unset<'a>(all: &[TextHunk<'a>], old: &str, new: &str) -> Option<(CodeLine<'a>, String)> {
    let name = ended_by(old).filter(|name| ended_by(new) == Some(name))?;
    let sets = |line: &str| {
        let value = line.split([';', ' ']).find_map(|part| part.strip_prefix(name)?.strip_prefix('='));
        value.is_some_and(|it| !matches!(it, "0" | "" | "\"\""))
    };
    let is_condition =
        |line: &&CodeLine| ["if ", "elif ", "while ", "for "].iter().any(|it| line.text.starts_with(it));
    let hunk = all.iter().find(|it| it.come.is_empty() && it.gone.iter().any(|line| sets(line.text)))?;
    let line = hunk.gone.iter().find(is_condition)?;
    let still = |text: &str| text.lines().filter(|it| sets(it.trim())).count();
    (still(new) < still(old)).then(|| (*line, name.to_owned()))
}

fn verifies(line: &str) -> bool {
    VERIFYING.iter().any(|command| line.contains(command))
}

/// Whether another file of the call or the session has the line now; where that is a script, the first one runs it there.
pub(super) fn is_moved(case: &Case, change: &Change, line: CodeLine) -> bool {
    let has = |text: &str| text.contains(line.text);
    let mut others = case.all_changes().filter(|other| other.path != change.path);
    let new = change.after.as_deref().unwrap_or_default();
    others.any(|other| {
        let before = other.before.as_deref().unwrap_or_default();
        let after = other.after.as_deref().unwrap_or_default();
        has(after)
            && !has(before)
            && (!is_script(&other.path, after) || is_run(new, file_name(&other.path), after, line.text))
    })
}

/// Whether a script names the file that has a line, and calls the function there in which the line stands.
fn is_run(script: &str, file: &str, text: &str, line: &str) -> bool {
    let above = text.lines().take_while(|it| !it.contains(line));
    let function = above.filter_map(|it| it.trim_start_matches("function ").split_once("()")).last();
    let is_code = |it: &&str| !it.trim_start().starts_with('#');
    let has_word = |it: &str, word: &str| it.split([' ', ';', '\t', '(']).any(|part| part == word);
    script.lines().filter(is_code).any(|it| it.contains(file))
        && function.is_none_or(|(name, _)| {
            script.lines().filter(is_code).any(|it| has_word(it, name.trim()) && !it.contains("||"))
        })
}

pub(super) fn is_script(path: &str, text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    let is_named = [".sh", ".bash", ".zsh"].iter().any(|ending| path.ends_with(ending));
    is_named || first.starts_with("#!") && (first.ends_with("sh") || first.contains("sh -"))
}
