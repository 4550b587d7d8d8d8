//! `steadfast watch`: sessions and loops as they go on, in a terminal.
//!
//! Invariant: nothing is written, and the terminal is as it was when the view ends, whichever way it ends.

mod follow;
mod keyboard;
mod view;

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Result, ensure};
use clap::Args;
use jiff::Timestamp;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

use self::follow::{Snapshot, snapshot};
use self::keyboard::{Keyboard, TICK};
use self::view::TerminalSize;
use super::reader_gone_is_fine;
use super::run::screen::ScreenStyle;
use super::seen;
use super::undo::shown;
use crate::definitions;
use crate::project::Project;

/// Follow sessions and loops in a terminal: calls, findings, iteration, quality, gate; q ends it
///
/// In a pipe, and on a terminal that can't move its cursor, each new event is a line; Ctrl-C ends it.
#[derive(Debug, Args)]
pub struct WatchArgs {
    /// The project [default: the one around the current directory]
    #[arg(value_name = "DIR")]
    project: Option<PathBuf>,
    /// Show it once and end
    #[arg(long)]
    once: bool,
}

/// Follows until a key, a signal or a reader that is gone ends it.
pub fn run(args: &WatchArgs) -> Result<u8> {
    let start = args.project.clone().map_or_else(std::env::current_dir, Ok)?;
    ensure!(start.is_dir(), "{} is not a directory", start.display());
    let project = Project::locate(&start);
    let layout = definitions::layout_of(project.root());
    let look = || snapshot(&project, &layout, Timestamp::now());
    if args.once {
        let size = TerminalSize { columns: view::columns(), rows: usize::MAX };
        let lines = view::lines(&look(), size);
        return reader_gone_is_fine(print(&lines).map(|()| 0));
    }
    let over = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        flag::register(signal, Arc::clone(&over))?;
    }
    if ScreenStyle::of_terminal() == ScreenStyle::Terminal && std::io::stdin().is_terminal() {
        on_screen(&look, &over)
    } else {
        reader_gone_is_fine(line_by_line(&look, &over).map(|()| 0))
    }
}

fn print(lines: &[view::ViewLine]) -> std::io::Result<()> {
    let mut out = anstream::stdout().lock();
    lines.iter().try_for_each(|line| writeln!(out, "{}", line.painted()))
}

/// Draws a view that is always of now.
fn on_screen(look: &dyn Fn() -> Snapshot, over: &AtomicBool) -> Result<u8> {
    let mut keyboard = Keyboard::take()?;
    let coloured = anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never;
    let mut drawn = String::new();
    while !over.load(Ordering::Relaxed) {
        let lines = view::lines(&look(), view::size());
        let text = view::screen(&lines, coloured);
        // A screen that is as it was is not drawn again: no flicker, and no work for what is shared over a network.
        if text != drawn {
            keyboard.draw(&text)?;
            drawn = text;
        }
        if keyboard.wait_for_an_end()? {
            break;
        }
    }
    Ok(0)
}

/// Writes each event as it comes.
fn line_by_line(look: &dyn Fn() -> Snapshot, over: &AtomicBool) -> std::io::Result<()> {
    let first = look();
    let size = TerminalSize { columns: view::columns(), rows: usize::MAX };
    print(&view::lines(&first, size))?;
    let mut last = first.recent.iter().map(|(_, event)| event.at).max().unwrap_or(Timestamp::MIN);
    while !over.load(Ordering::Relaxed) {
        std::thread::sleep(TICK);
        let now = look();
        let mut out = anstream::stdout().lock();
        for (name, event) in now.recent.iter().filter(|(_, event)| event.at > last) {
            let told = shown(&event.in_words());
            writeln!(out, "{} {:<9} {}: {told}", seen::clock(event.at), event.sort.word(), shown(name))?;
        }
        out.flush()?;
        last = now.recent.iter().map(|(_, event)| event.at).max().unwrap_or(last).max(last);
    }
    Ok(())
}
