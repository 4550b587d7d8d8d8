//! Text of others in Markdown, so that none of it ends a cell, a fence or a line.

/// The longest output that is quoted in a report, in letters.
const QUOTED: usize = 4_000;

/// `1h 02m 03s`, `2m 03s`, `3s`.
pub fn duration(seconds: u64) -> String {
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds}s"),
        (0, minutes, seconds) => format!("{minutes}m {seconds:02}s"),
        (hours, minutes, seconds) => format!("{hours}h {minutes:02}m {seconds:02}s"),
    }
}

/// Output in a fence that no line of it can close, cut to its end.
pub(super) fn fenced(output: &str) -> String {
    let count = output.chars().count();
    let shown: String = output.chars().skip(count.saturating_sub(QUOTED)).collect();
    let note = if count > QUOTED {
        format!("[… {} letters left out …]\n", count - QUOTED)
    } else {
        String::new()
    };
    let longest = shown.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("\n{fence}text\n{note}{}\n{fence}\n\n", shown.trim_end())
}

/// Inline code that its own backquotes can't end.
pub(super) fn code(text: &str) -> String {
    let text = one_line(text);
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    if longest == 0 {
        return format!("`{text}`");
    }
    let ticks = "`".repeat(longest + 1);
    format!("{ticks} {text} {ticks}")
}

pub(super) fn cell(text: &str) -> String {
    one_line(text).replace('|', "\\|")
}

pub(super) fn one_line(text: &str) -> String {
    crate::loops::failures::shorten(text, 1_000)
}

pub(super) fn or_unknown(text: &str) -> String {
    if text.trim().is_empty() { "not stated".to_owned() } else { one_line(text) }
}
