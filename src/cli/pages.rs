//! Long lists: how much of one is shown, and the pager that it goes through at a terminal.
//!
//! Invariant: into a pipe or a file everything is written that was asked for, and a pager that fails costs no line.

use std::io::{self, IsTerminal, Write};
use std::process::{Command, Stdio};

use anyhow::Result;
use clap::Args;

/// So many entries of a list are shown at a terminal.
const AT_A_TERMINAL: usize = 200;
/// What the pager is when nobody names one.
const USUAL: &str = "less";
/// The shell's answer where there is no such program.
const NOT_FOUND: i32 = 127;

/// How much of a list is shown.
#[derive(Debug, Clone, Default, Args)]
pub struct LimitArgs {
    /// Only so many of the newest; 0 for all [default: 200 at a terminal, else all]
    #[arg(long, short = 'n', value_name = "N")]
    limit: Option<usize>,
}

impl LimitArgs {
    /// How many entries are shown to a person.
    pub fn most(&self) -> usize {
        self.given().unwrap_or(if io::stdout().is_terminal() { AT_A_TERMINAL } else { usize::MAX })
    }

    /// How many were asked for.
    pub fn given(&self) -> Option<usize> {
        self.limit.map(|most| if most == 0 { usize::MAX } else { most })
    }
}

/// How many of so many entries are left out, in a line for their place; `None` for none.
pub(super) fn left_out(shown: usize, all: usize) -> Option<String> {
    let more = all.saturating_sub(shown);
    (more > 0).then(|| {
        format!(
            "{more} older {} left out: --limit 0 shows all",
            if more == 1 { "one is" } else { "ones are" }
        )
    })
}

/// Writes what `run` prints to the standard output, through the pager where that is longer than the terminal. Answers
/// what `run` does.
pub(super) fn paged<T>(run: impl FnOnce(&mut dyn Write) -> Result<io::Result<T>>) -> Result<io::Result<T>> {
    let out = &mut io::BufWriter::new(anstream::stdout().lock());
    Ok(paged_to(out, run)?.and_then(|answer| out.flush().map(|()| answer)))
}

/// The same of a command that has its output at hand: into the pager at a terminal, else to `out`.
pub(super) fn paged_to<T>(
    out: &mut dyn Write,
    run: impl FnOnce(&mut dyn Write) -> Result<io::Result<T>>,
) -> Result<io::Result<T>> {
    if !io::stdout().is_terminal() {
        return run(out);
    }
    let mut text = Vec::new();
    let answer = run(&mut text)?;
    Ok(answer.and_then(|answer| shown(&text).map(|()| answer)))
}

fn shown(text: &[u8]) -> io::Result<()> {
    let rows = rustix::termios::tcgetwinsize(io::stdout()).map_or(0, |size| usize::from(size.ws_row));
    let lines = text.iter().filter(|byte| **byte == b'\n').count();
    let pager = (rows > 0 && lines >= rows).then(named_pager).flatten();
    if pager.is_some_and(|pager| through(&pager, text)) {
        return Ok(());
    }
    let out = &mut anstream::stdout().lock();
    out.write_all(text)?;
    out.flush()
}

/// The pager that a person has named, or the usual one; `None` where none is wanted.
fn named_pager() -> Option<String> {
    let variable = |name: &str| std::env::var(name).ok();
    if variable("TERM").is_none_or(|term| term.is_empty() || term == "dumb") {
        return None;
    }
    let named = variable("STEADFAST_PAGER").or_else(|| variable("PAGER")).unwrap_or_else(|| USUAL.to_owned());
    (!matches!(named.trim(), "" | "cat")).then_some(named)
}

/// Whether the pager has shown the text.
fn through(pager: &str, text: &[u8]) -> bool {
    let mut command = Command::new("sh");
    command.args(["-c", pager]).stdin(Stdio::piped());
    if std::env::var_os("LESS").is_none() {
        // Colours, and no waiting where all fits.
        command.env("LESS", "FRX");
    }
    let Ok(mut child) = command.spawn() else { return false };
    if let Some(mut into) = child.stdin.take() {
        let plain = anstream::AutoStream::choice(&io::stdout()) == anstream::ColorChoice::Never;
        // Whoever has seen enough leaves the pager before its end.
        let _ = match plain {
            true => into.write_all(&anstream::adapter::strip_bytes(text).into_vec()),
            false => into.write_all(text),
        };
    }
    child.wait().is_ok_and(|status| status.code() != Some(NOT_FOUND))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_counted() {
        assert_eq!(left_out(3, 3), None);
        assert_eq!(left_out(2, 3).unwrap(), "1 older one is left out: --limit 0 shows all");
        assert_eq!(left_out(2, 9).unwrap(), "7 older ones are left out: --limit 0 shows all");
    }

    #[test]
    fn a_limit_of_none_is_all_and_a_pager_that_is_not_there_shows_nothing() {
        assert_eq!(LimitArgs { limit: Some(0) }.given(), Some(usize::MAX));
        assert_eq!(LimitArgs { limit: Some(3) }.most(), 3);
        assert!(!through("no-such-pager-anywhere 2>/dev/null", b"text\n"));
        assert!(through("cat >/dev/null", b"text\n"));
    }
}
