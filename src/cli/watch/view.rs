//! The view as lines of a terminal: no line is wider than it, and there are no more than it has.

use owo_colors::{OwoColorize, Style};

use super::follow::{FollowedLoop, Snapshot};
use crate::cli::run::screen::{cut, width};
use crate::cli::seen::{self, Sort};
use crate::model::finding::counted;

/// The bars of quality, from none to all.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// The rows of a terminal that does not say how many it has.
const TALL: usize = 24;
/// So many bars are shown: the newest.
const MOST_BARS: usize = 30;
/// The fewest events that are shown while there is room for a session less.
const EVENTS: usize = 4;

/// How large the terminal is.
#[derive(Debug, Clone, Copy)]
pub(super) struct TerminalSize {
    pub(super) columns: usize,
    pub(super) rows: usize,
}

/// How a line looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tone {
    Head,
    Plain,
    Soft,
    Good,
    Warning,
    Bad,
}

/// A line of the view.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ViewLine {
    tone: Tone,
    text: String,
}

impl ViewLine {
    /// With its colours.
    pub(super) fn painted(&self) -> String {
        let style = match self.tone {
            Tone::Head => Style::new().bold(),
            Tone::Plain => return self.text.clone(),
            Tone::Soft => Style::new().dimmed(),
            Tone::Good => Style::new().green(),
            Tone::Warning => Style::new().yellow(),
            Tone::Bad => Style::new().red(),
        };
        self.text.style(style).to_string()
    }
}

/// How wide the terminal is.
pub(super) fn columns() -> usize {
    width()
}

/// How large the terminal is now.
pub(super) fn size() -> TerminalSize {
    let rows = rustix::termios::tcgetwinsize(std::io::stdout()).ok().map(|size| usize::from(size.ws_row));
    TerminalSize { columns: columns(), rows: rows.filter(|rows| *rows > 0).unwrap_or(TALL) }
}

/// A whole screen, drawn over the one before: each row is cleared behind its text, and so is what is below.
pub(super) fn screen(lines: &[ViewLine], coloured: bool) -> String {
    let rows: Vec<String> = lines
        .iter()
        .map(|line| format!("{}\u{1b}[K", if coloured { line.painted() } else { line.text.clone() }))
        .collect();
    format!("\u{1b}[H{}\u{1b}[J", rows.join("\r\n"))
}

/// The lines of a view: what lives above, the newest events below, as many as there is room for.
pub(super) fn lines(of: &Snapshot, size: TerminalSize) -> Vec<ViewLine> {
    let line = |tone: Tone, text: &str| ViewLine { tone, text: cut(text, size.columns) };
    let mut all = vec![line(Tone::Head, &format!("steadfast watch: {}", of.project))];
    if of.works.is_empty() {
        all.push(line(
            Tone::Soft,
            "No session that changes files and no loop is here. They appear as they come.",
        ));
    }
    let room = size.rows.saturating_sub(all.len() + EVENTS + 3);
    let mut blocks: Vec<Vec<ViewLine>> =
        of.works.iter().map(|work| block(work, size.columns, &line)).collect();
    let hidden = fit(&mut blocks, room);
    for block in blocks {
        all.push(line(Tone::Plain, ""));
        all.extend(block);
    }
    if hidden > 0 {
        all.push(line(Tone::Soft, &format!("and {} more", hidden)));
    }
    let room = size.rows.saturating_sub(all.len() + 3);
    let events = of.recent.iter().rev().take(room.min(of.recent.len())).rev();
    if !of.recent.is_empty() && room > 0 {
        all.push(line(Tone::Plain, ""));
        for (name, event) in events {
            let whose = if of.works.len() > 1 { format!("{name}: ") } else { String::new() };
            let text =
                format!("{} {:<9} {whose}{}", seen::clock(event.at), event.sort.word(), event.in_words());
            all.push(line(tone(event.sort), &text));
        }
    }
    if size.rows != usize::MAX {
        all.truncate(size.rows.saturating_sub(1));
        all.push(line(Tone::Soft, "q ends"));
    }
    all
}

/// Leaves out the last blocks that have no room; answers how many.
fn fit(blocks: &mut Vec<Vec<ViewLine>>, room: usize) -> usize {
    let mut used = 0;
    let all = blocks.len();
    let fitting = blocks.iter().take_while(|block| {
        used += block.len() + 1;
        used <= room
    });
    // One is always shown, however low the terminal is.
    let keep = fitting.count().max(1);
    blocks.truncate(keep);
    all - blocks.len()
}

fn block(work: &FollowedLoop, columns: usize, line: &dyn Fn(Tone, &str) -> ViewLine) -> Vec<ViewLine> {
    let iteration = work.iteration.map(|(now, most)| format!("  iteration {now}/{most}")).unwrap_or_default();
    let tone = if work.is_over { Tone::Soft } else { Tone::Head };
    let mut lines = vec![line(tone, &headed(&work.name, &format!("  {}{iteration}", work.status), columns))];
    if let Some((task, until)) = &work.task {
        lines.push(line(Tone::Plain, &format!("  {task}")));
        lines.push(line(Tone::Soft, &format!("  until {until}")));
    }
    let stopped = if work.stopped > 0 { format!(", {} stopped", work.stopped) } else { String::new() };
    let calls = usize::try_from(work.calls).unwrap_or(usize::MAX);
    let findings = usize::try_from(work.findings).unwrap_or(usize::MAX);
    let counts = format!("  {}{stopped}, {}", counted(calls, "change"), counted(findings, "finding"));
    lines.push(line(Tone::Plain, &counts));
    if !work.quality.is_empty() {
        let last = work.quality.last().copied().unwrap_or_default();
        lines.push(line(Tone::Good, &format!("  quality {} {last:.0}%", bars(&work.quality))));
    }
    if work.open > 0 {
        lines.push(line(Tone::Bad, &format!("  {} open", counted(work.open, "regression"))));
    }
    if let Some(about) = work.gate {
        lines.push(line(Tone::Bad, &format!("  steadfast gate: {about} waits for you")));
    }
    lines
}

/// A name with its state behind it: where there is no room for both, the name gives way.
fn headed(name: &str, state: &str, columns: usize) -> String {
    let room = columns.saturating_sub(state.chars().count());
    format!("{}{state}", cut(name, room))
}

/// A bar for each of the newest iterations.
fn bars(quality: &[f64]) -> String {
    let newest = quality.iter().skip(quality.len().saturating_sub(MOST_BARS));
    let bar = |score: &f64| {
        let eighth = (score.clamp(0.0, 100.0) / 100.0 * 7.0).round() as usize;
        BARS.get(eighth).copied().unwrap_or('▁')
    };
    newest.map(bar).collect()
}

fn tone(sort: Sort) -> Tone {
    match sort {
        Sort::Stopped | Sort::Lost | Sort::Gate | Sort::Trouble => Tone::Bad,
        Sort::Asked | Sort::Decided | Sort::Undone => Tone::Warning,
        Sort::Iteration | Sort::Ended => Tone::Good,
        Sort::Began | Sort::Advised => Tone::Plain,
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::cli::seen::SeenEvent;

    fn snapshot(works: usize, events: usize) -> Snapshot {
        let work = |n: usize| FollowedLoop {
            name: format!("Loop fix-{n}"),
            status: "running",
            task: Some((
                "Make the tests of the cart pass, all of them".to_owned(),
                "npm test passes".to_owned(),
            )),
            iteration: Some((3, 10)),
            calls: 12,
            stopped: 1,
            findings: 2,
            open: 1,
            gate: Some("a regression"),
            quality: vec![0.0, 50.0, 100.0],
            ..FollowedLoop::default()
        };
        let event = |n: usize| SeenEvent {
            at: Timestamp::from_second(n as i64).unwrap(),
            iteration: 1,
            sort: Sort::Stopped,
            target: Some(format!("Bash rm -rf \u{1b}[2J {n}")),
            what: String::new(),
            patterns: vec!["LP-001".to_owned()],
            call: None,
        };
        let recent = (0..events).map(|n| ("Loop fix-0".to_owned(), event(n))).collect();
        Snapshot {
            project: "cart  in /home/ada/work".to_owned(),
            works: (0..works).map(work).collect(),
            recent,
        }
    }

    #[test]
    fn a_long_name_leaves_room_for_the_state() {
        let state = "  running  iteration 1/10";
        let long = "Loop ralph-make-the-calculator-right-8d50ce1c";
        assert_eq!(headed(long, state, 80), format!("{long}{state}"));
        assert_eq!(headed(long, state, 40), format!("Loop ralph-ma…{state}"));
    }

    #[test]
    fn every_size_is_kept() {
        for (columns, rows) in [(80, 24), (40, 24), (40, 10), (12, 4), (200, 60)] {
            for (works, events) in [(0, 0), (1, 0), (1, 50), (5, 3), (5, 50)] {
                let lines = lines(&snapshot(works, events), TerminalSize { columns, rows });
                assert!(lines.len() <= rows, "{columns}x{rows} {works} {events}: {}", lines.len());
                assert!(lines.iter().all(|line| line.text.chars().count() < columns), "{columns}x{rows}");
                assert!(lines.iter().all(|line| !line.text.contains('\u{1b}')));
                assert_eq!(lines.last().map(|line| line.text.as_str()), Some("q ends"));
            }
        }
    }

    #[test]
    fn a_loop_shows_where_it_stands() {
        let lines = lines(&snapshot(1, 1), TerminalSize { columns: 80, rows: usize::MAX });
        let text: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(text[2], "Loop fix-0  running  iteration 3/10");
        assert!(text.contains(&"  quality ▁▅█ 100%"), "{text:?}");
        assert!(text.contains(&"  steadfast gate: a regression waits for you"), "{text:?}");
    }

    #[test]
    fn a_screen_without_colours_has_movements_alone() {
        let lines = lines(&snapshot(1, 1), TerminalSize { columns: 80, rows: 24 });
        let plain = screen(&lines, false);
        assert!(!plain.contains("[31m") && plain.starts_with("\u{1b}[H"));
        assert!(screen(&lines, true).contains("[31m"));
    }
}
