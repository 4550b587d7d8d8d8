//! `steadfast undo` alone: the last calls that changed something, and the question which of them is meant.

use std::io::{self, BufRead, IsTerminal, Write};

use super::name;
use super::shown::{brief, shown};
use super::words::done;
use crate::checkpoint::Error;
use crate::checkpoint::catalogue;
use crate::checkpoint::manifest::{Manifest, Trigger};
use crate::checkpoint::store::Store;
use crate::cli::columns::moment;

/// So many calls are shown.
const SHOWN: usize = 10;

/// What came of the question.
pub(super) enum PickOutcome {
    /// The name of the call's checkpoint.
    This(String),
    /// Nobody answered, or with nothing.
    None,
}

/// Shows the last calls and asks, where somebody sits at a terminal.
pub(super) fn pick(store: &Store, out: &mut dyn Write) -> Result<PickOutcome, Error> {
    let calls = last_calls(store)?;
    if calls.is_empty() {
        return Err(Error::NothingToUndo);
    }
    let asks = io::stdin().is_terminal() && io::stdout().is_terminal();
    // A closed pipe is no reason to fail once more.
    let _ = show(&calls, out);
    if !asks {
        let _ = writeln!(out, "`steadfast undo --tool-call ID` undoes one of them.");
        return Ok(PickOutcome::None);
    }
    Ok(asked(&calls, &mut io::stdin().lock(), out))
}

fn last_calls(store: &Store) -> Result<Vec<Manifest>, Error> {
    let is_meant = |manifest: &Manifest| {
        let is_calls = matches!(manifest.trigger, Trigger::PreRiskyOp | Trigger::PreRestore);
        let changed = manifest.after.as_ref().is_none_or(|after| !after.changed.is_empty());
        !manifest.tree && is_calls && changed
    };
    let calls = catalogue::list(store, None)?.checkpoints.into_iter();
    Ok(calls.filter(is_meant).take(SHOWN).collect())
}

fn show(calls: &[Manifest], out: &mut dyn Write) -> io::Result<()> {
    for (number, manifest) in (1..).zip(calls) {
        let tool = manifest.tool.as_deref().map(|tool| format!("{tool}: ")).unwrap_or_default();
        let what = shown(&format!("{tool}{}", brief(&manifest.summary)));
        writeln!(out, "{number:>3}. {}  {}", moment(manifest.created_at), shown(&name(manifest)))?;
        writeln!(out, "     {what}")?;
        if let Some(done) = done(manifest) {
            writeln!(out, "     {}", shown(&done))?;
        }
    }
    Ok(())
}

fn asked(calls: &[Manifest], answers: &mut dyn BufRead, out: &mut dyn Write) -> PickOutcome {
    let _ = write!(out, "Which one is to be undone? [1-{}, empty: none] ", calls.len());
    let _ = out.flush();
    let mut line = String::new();
    if answers.read_line(&mut line).is_err() {
        return PickOutcome::None;
    }
    let number: Option<usize> = line.trim().parse().ok();
    let chosen = number.and_then(|number| calls.get(number.checked_sub(1)?));
    chosen.map_or(PickOutcome::None, |manifest| PickOutcome::This(manifest.address()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(id: &str) -> Manifest {
        Manifest {
            checkpoint_id: format!("iteration-001-call-{id}"),
            iteration: 1,
            tool_call_id: Some(id.to_owned()),
            tool: Some("Bash".to_owned()),
            summary: "rm a".to_owned(),
            ..Manifest::new("ralph-x", String::new(), jiff::Timestamp::UNIX_EPOCH)
        }
    }

    #[test]
    fn the_number_names_the_call_and_anything_else_none() {
        let calls = [call("one"), call("two")];
        let cases = [
            ("2\n", Some("ralph-x/iteration-001-call-two")),
            ("3\n", None),
            ("0\n", None),
            ("\n", None),
            ("", None),
        ];
        for (typed, expected) in cases {
            let mut out = Vec::new();
            let picked = match asked(&calls, &mut typed.as_bytes(), &mut out) {
                PickOutcome::This(id) => Some(id),
                PickOutcome::None => None,
            };
            assert_eq!(picked.as_deref(), expected, "{typed:?}");
        }
    }
}
