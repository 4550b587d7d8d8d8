//! What became of small faults, for people: each as the one line that it changes.

use std::io::{self, Write};

use owo_colors::OwoColorize;

use crate::cli::undo::shown;
use crate::model::finding::counted;
use crate::proof::planted::{Bite, Planted};

/// How many faults of a kind are shown.
const NAMED: usize = 20;

/// Writes what the tests caught, what they lost, and what nobody notices.
pub(super) fn write(out: &mut dyn Write, bite: &Bite) -> io::Result<()> {
    let caught = |by: fn(&Planted) -> bool| bite.faults.iter().filter(|fault| by(fault)).count();
    let by_new = caught(|fault| fault.caught_by_new > 0);
    let planted = counted(bite.faults.len(), "small fault");
    write!(out, "\n{planted} in the source: the tests catch {by_new}")?;
    if bite.faults.iter().any(|fault| fault.caught_by_old.is_some()) {
        let by_old = caught(|fault| fault.caught_by_old.is_some_and(|caught| caught > 0));
        write!(out, ", as they were they catch {by_old}")?;
    }
    writeln!(out)?;
    for one in &bite.toothless {
        let text =
            format!("  {} caught {} as it was, and catches none now", shown(&one.test), one.caught_before);
        writeln!(out, "{}", text.red())?;
    }
    for (title, lost) in [("only the old tests notice", true), ("no test notices", false)] {
        let list: Vec<&Planted> = bite.unnoticed().filter(|fault| fault.is_lost() == lost).collect();
        if !list.is_empty() {
            writeln!(out, "  {title}:")?;
        }
        for fault in list.iter().take(NAMED) {
            writeln!(out, "    {}:{}: {}", shown(&fault.path), fault.line, fault.fault)?;
            writeln!(out, "      {}", format!("- {}", shown(&fault.before)).red())?;
            writeln!(out, "      {}", format!("+ {}", shown(&fault.after)).green())?;
        }
        if list.len() > NAMED {
            writeln!(out, "    … and {} more; --json has them all", list.len() - NAMED)?;
        }
    }
    bite.remarks.iter().try_for_each(|remark| writeln!(out, "  {}", shown(remark)))
}
