//! How wide the terminal is, and text that is broken between words to fit it.

use std::io::{self, Write, stdout};

/// The width where there is no terminal: nothing is broken then, so that a script reads whole lines.
const ENDLESS: usize = usize::MAX;
/// Narrower than this nothing can be read anyway.
const NARROWEST: usize = 20;

/// The terminal's width in columns.
pub fn width() -> usize {
    match rustix::termios::tcgetwinsize(stdout()) {
        Ok(size) if size.ws_col > 0 => usize::from(size.ws_col).max(NARROWEST),
        _ => ENDLESS,
    }
}

/// A text with its lines broken between words; a line that goes on is indented by `indent` columns. A word that is
/// longer than a line stays whole: a path or a command must be copied as it is.
pub fn wrapped(text: &str, indent: usize, width: usize) -> String {
    text.lines().map(|line| wrapped_line(line, indent, width)).collect::<Vec<_>>().join("\n")
}

fn wrapped_line(line: &str, indent: usize, width: usize) -> String {
    if visible(line) <= width {
        return line.to_owned();
    }
    let blanks = line.len() - line.trim_start().len();
    let (lead, words) = line.split_at(blanks);
    let mut out = lead.to_owned();
    let mut used = blanks;
    for (number, word) in words.split(' ').enumerate() {
        let length = visible(word);
        if number > 0 && used + 1 + length > width && used > indent {
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            used = indent;
        } else if number > 0 {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += length;
    }
    out
}

/// A text as the terminal has room for it: what goes on below its line stands two columns further in than the line began.
pub fn fitted(text: &str) -> String {
    hanging(text, width())
}

/// Prints a text for people, fitted to the terminal.
pub fn say(text: impl std::fmt::Display) {
    anstream::println!("{}", fitted(&text.to_string()));
}

fn hanging(text: &str, width: usize) -> String {
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len() + 2;
    text.lines().map(|line| wrapped_line(line, indent(line), width)).collect::<Vec<_>>().join("\n")
}

/// A place to write for people: each line is fitted to the terminal.
pub struct FittedWriter<'a> {
    out: &'a mut dyn Write,
    begun: Vec<u8>,
}

impl<'a> FittedWriter<'a> {
    /// In front of another place to write.
    pub fn new(out: &'a mut dyn Write) -> Self {
        FittedWriter { out, begun: Vec::new() }
    }
}

impl Write for FittedWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.begun.extend_from_slice(line);
            if line.ends_with(b"\n") {
                let whole = std::mem::take(&mut self.begun);
                writeln!(self.out, "{}", fitted(String::from_utf8_lossy(&whole).trim_end_matches('\n')))?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&std::mem::take(&mut self.begun))?;
        self.out.flush()
    }
}

/// A moment to the second, as people read it. What a damaged file no longer says is the beginning of 1970 in the state.
pub fn moment(at: jiff::Timestamp) -> String {
    if at == jiff::Timestamp::UNIX_EPOCH { "unknown time".to_owned() } else { format!("{at:.0}") }
}

/// How many columns a text takes: colours take none.
pub fn visible(text: &str) -> usize {
    let mut columns = 0;
    let mut in_colour = false;
    for letter in text.chars() {
        match letter {
            '\u{1b}' => in_colour = true,
            'm' if in_colour => in_colour = false,
            _ if in_colour => {}
            _ => columns += 1,
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words_and_long_words_stay_whole() {
        let text = "ok      state: three loops and their logs are as the hooks left them";
        let out = wrapped(text, 8, 40);
        assert!(out.lines().all(|line| line.chars().count() <= 40), "{out}");
        assert!(out.lines().skip(1).all(|line| line.starts_with("        ")), "{out}");
        let joined: Vec<&str> = out.split_whitespace().collect();
        assert_eq!(joined, text.split_whitespace().collect::<Vec<_>>(), "no word is lost or broken");
        let long = "see /a/very/long/path/that/does/not/fit/into/a/line/at/all now";
        assert!(wrapped(long, 2, 20).contains("/a/very/long/path/that/does/not/fit/into/a/line/at/all"));
        assert_eq!(wrapped(text, 8, usize::MAX), text);
    }

    #[test]
    fn what_goes_on_stands_further_in_than_its_line() {
        let out = hanging("  stopped  Edit of a file that has a long name\n\nshort", 24);
        assert_eq!(out, "  stopped  Edit of a\n    file that has a long\n    name\n\nshort");
        let mut bytes = Vec::new();
        let mut fitted = FittedWriter::new(&mut bytes);
        write!(fitted, "one ").unwrap();
        write!(fitted, "line\nand half").unwrap();
        fitted.flush().unwrap();
        assert_eq!(String::from_utf8(bytes).unwrap(), "one line\nand half");
    }

    #[test]
    fn nobody_reads_of_1970() {
        assert_eq!(moment(jiff::Timestamp::UNIX_EPOCH), "unknown time");
        assert_eq!(moment("2026-02-03T10:00:00.5Z".parse().unwrap()), "2026-02-03T10:00:00Z");
    }

    #[test]
    fn colours_take_no_column() {
        assert_eq!(visible("\u{1b}[31mred\u{1b}[39m!"), 4);
        let out = wrapped("\u{1b}[32mok\u{1b}[39m a b c d e f g h i j", 2, 20);
        assert!(out.lines().all(|line| visible(line) <= 20), "{out:?}");
    }
}
