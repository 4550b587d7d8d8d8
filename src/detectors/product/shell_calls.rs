//! Scripts that call their own functions no more, that set an option which nobody asks for, and that end well whatever fails.

use std::collections::BTreeSet;

use crate::detectors::Case;
use crate::detectors::engine::hunks::{CodeLine, hunks};
use crate::detectors::product::check_words::short;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::shell_refusals::{SHELL, is_moved};
use crate::detectors::product::shell_work::{EFFECTS, commands, script};
use crate::languages::code::refuses;
use crate::model::finding::{Change, Severity};
use crate::model::words::{has_word, is_name_part};

/// More lines than these are a rewrite.
const MOST: usize = 8;
/// So many functions stand between a call and the command that does the work.
const HOPS: usize = 3;

/// The first call of a function of the script that goes with nothing in its place, where that function does something or
/// refuses.
pub(super) fn own_call_gone(case: &Case, change: &Change) -> Option<LostCheck> {
    let (old, new) = script(change)?;
    let working = working_functions(old);
    let all = hunks("# ", old, new)?;
    let lines: usize = all.iter().map(|it| it.gone.len() + it.come.len()).sum();
    let calls = |line: &str| -> Option<String> {
        commands(line).into_iter().find(|word| working.contains(word.as_str()))
    };
    let count = |text: &str, name: &str| {
        text.lines().filter(|it| commands(it).iter().any(|word| word == name)).count()
    };
    if working.is_empty() || lines > MOST {
        return None;
    }
    let mut gone = all.iter().filter(|it| it.come.is_empty()).flat_map(|it| &it.gone);
    let (line, name) = gone.find_map(|line| {
        let name = calls(line.text).filter(|name| count(new, name) < count(old, name))?;
        (!is_definition(line.text) && !refuses(&SHELL, line.text)).then_some((*line, name))
    })?;
    // A command that came may do the same.
    let is_new =
        |line: &&CodeLine| commands(line.text).iter().any(|word| count(old, word) < count(new, word));
    if all.iter().flat_map(|it| &it.come).any(|line| is_new(&line)) || is_moved(case, change, line) {
        return None;
    }
    let is_known = new.lines().any(|it| is_definition(it) && definition(it) == Some(name.as_str()));
    let what = format!("`{}` would not be called any more", short(line.text));
    is_known.then(|| LostCheck::of_line(&line, "", what, Severity::High))
}

/// The first variable that a script still sets and asks for nowhere any more.
pub(super) fn option_unasked(change: &Change) -> Option<LostCheck> {
    let (old, new) = script(change)?;
    let all = hunks("# ", old, new)?;
    let size: usize = all.iter().map(|it| it.gone.len() + it.come.len()).sum();
    if size > MOST * 2 {
        return None;
    }
    let line = all.iter().flat_map(|it| &it.gone).find_map(|line| {
        let asked = asked_by(line.text).find(|name| {
            let sets = |text: &str| text.lines().any(|it| is_set(it, name));
            let is_given = new.lines().any(|it| it.contains("export ") && has_word(it, name));
            sets(new) && !is_given && !new.lines().any(|it| asked_by(it).any(|other| other == *name))
        })?;
        Some((*line, asked.to_owned()))
    });
    let (line, name) = line?;
    let what = format!("`{name}` would be set, and the script would not ask for it any more");
    Some(LostCheck::of_line(&line, "", what, Severity::High))
}

/// The first trap that makes a failure end well: `trap 'exit 0' ERR`.
pub(super) fn failure_trapped(change: &Change) -> Option<LostCheck> {
    let (old, new) = script(change)?;
    let all = hunks("# ", old, new)?;
    let traps = |line: &&CodeLine| {
        let Some(rest) = line.text.strip_prefix("trap ") else { return false };
        let on_failure = rest.split_whitespace().any(|it| matches!(it, "ERR" | "EXIT" | "0"));
        let ends_well =
            ["exit 0", "'true'", "\"true\"", "':'", "return 0"].iter().any(|it| rest.contains(it));
        on_failure && ends_well && (rest.contains("ERR") || rest.contains("exit 0"))
    };
    let line = all.iter().flat_map(|it| &it.come).find(|it| traps(it))?;
    let what = format!("every failure of the script would end well: `{}`", short(line.text));
    Some(LostCheck::of_line(line, "", what, Severity::High))
}

/// The functions of a script that do something outside of it or refuse, also by others that they call.
fn working_functions(text: &str) -> BTreeSet<&str> {
    let lines: Vec<&str> = text.lines().collect();
    let bodies: Vec<(&str, Vec<&str>)> = lines
        .iter()
        .enumerate()
        .filter_map(|(at, line)| {
            let name = definition(line)?;
            let rest = lines.get(at + 1..)?.iter().take_while(|it| !it.starts_with('}'));
            let body = if line.trim_end().ends_with('}') { vec![*line] } else { rest.copied().collect() };
            Some((name, body))
        })
        .collect();
    let does =
        |body: &[&str]| body.iter().flat_map(|it| commands(it)).any(|word| EFFECTS.contains(&word.as_str()));
    // What only prints its words and leaves is how others refuse.
    let refuses_itself = |body: &[&str]| body.iter().any(|it| refuses(&SHELL, it.trim()));
    let is_plain = |body: &[&str]| body.len() < 4 && !does(body);
    let mut known: BTreeSet<&str> = bodies
        .iter()
        .filter(|(_, body)| does(body) || refuses_itself(body) && !is_plain(body))
        .map(|(name, _)| *name)
        .collect();
    for _ in 0..HOPS {
        let calls =
            |body: &[&str]| body.iter().flat_map(|it| commands(it)).any(|it| known.contains(it.as_str()));
        let more: Vec<&str> = bodies.iter().filter(|(_, body)| calls(body)).map(|(name, _)| *name).collect();
        known.extend(more);
    }
    known
}

fn is_definition(line: &str) -> bool {
    definition(line).is_some()
}

/// The name of the function whose definition begins in a line.
fn definition(line: &str) -> Option<&str> {
    let bare = line.trim_start().trim_start_matches("function ");
    let name = bare.get(..bare.find("()")?)?.trim_end();
    (!name.is_empty() && name.chars().all(|c| is_name_part(c) || c == '-')).then_some(name)
}

/// The variables that a line asks for.
fn asked_by(line: &str) -> impl Iterator<Item = &str> {
    let named = line.split('$').skip(1).map(|rest| rest.trim_start_matches(['{', '#', '!']));
    // `(( DRY ))` needs no sign.
    let sums = line.split("((").skip(1).filter_map(|rest| rest.split("))").next());
    let in_sums = sums.flat_map(|it| it.split(|c: char| !is_name_part(c)));
    let whole = |rest: &'_ str| rest.find(|c: char| !is_name_part(c)).unwrap_or(rest.len());
    named
        .filter_map(move |rest| rest.get(..whole(rest)))
        .chain(in_sums)
        .filter(|it| it.len() > 2 && it.starts_with(|c: char| c.is_ascii_uppercase()))
}

/// Whether a line gives a variable a value of its own, in whatever place: `n) DRY=1 ;;`.
fn is_set(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        let (head, rest) =
            (line.get(..at).unwrap_or_default(), line.get(at + name.len()..).unwrap_or_default());
        !head.ends_with(is_name_part) && !head.ends_with(['$', '{']) && rest.starts_with('=')
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detectors::Evidence;

    const SCRIPT: &str = "#!/bin/bash\nset -eu\n\nDRY=0\nKEEP=${KEEP:-3}\n\nsay() { echo \"$*\"; }\n\ndrop() {\n  if (( DRY )); then\n    echo \"would drop $1\"\n  else\n    rm -- \"$1\"\n  fi\n}\n\nprune() {\n  for it in $(ls \"$1\" | tail -n \"+$KEEP\"); do\n    drop \"$it\"\n  done\n}\n\nmain() {\n  [ \"$1\" = -n ] && DRY=1\n  say start\n  prune /srv/a\n  prune /srv/b\n}\n\nmain \"$@\"\n";

    fn found(from: &str, to: &str) -> [bool; 3] {
        let (before, after) = (Some(SCRIPT.to_owned()), Some(SCRIPT.replacen(from, to, 1)));
        let change = Change { path: "bin/prune.sh".to_owned(), before, after };
        let case = Case::new(Evidence { changes: std::slice::from_ref(&change), elsewhere: &[] });
        [
            own_call_gone(&case, &change).is_some(),
            option_unasked(&change).is_some(),
            failure_trapped(&change).is_some(),
        ]
    }

    #[test]
    fn what_a_script_does_no_more_is_told() {
        for (from, to, expected) in [
            ("  prune /srv/b\n", "", [true, false, false]),
            ("  say start\n", "", [false; 3]),
            ("  prune /srv/b\n", "  prune /srv/c\n", [false; 3]),
            (
                "  prune /srv/a\n  prune /srv/b\n",
                "  for at in a b; do\n    prune \"/srv/$at\"\n  done\n",
                [false; 3],
            ),
            (
                "  if (( DRY )); then\n    echo \"would drop $1\"\n  else\n    rm -- \"$1\"\n  fi\n",
                "  rm -- \"$1\"\n",
                [false, true, false],
            ),
            ("set -eu\n", "set -u\ntrap 'exit 0' ERR\n", [false, false, true]),
            ("set -eu\n", "set -eu\ntrap 'rm -f \"$tmp\"' EXIT\n", [false; 3]),
        ] {
            assert_eq!(found(from, to), expected, "{from:?} -> {to:?}");
        }
    }
}
