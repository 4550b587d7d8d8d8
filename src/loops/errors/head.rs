//! The type and message of the error that ended a program, by its language's own form.
//!
//! Of chained errors the one counts that nobody caught: Python and PHP print it last, the others first.

use crate::model::words::is_plain_name;
use crate::runners::frames;

/// How many lines a message may go on for, when its first one is only an introduction.
const MORE: usize = 3;

/// How a language writes an error's head line.
struct ErrorHeadForm {
    /// What the line begins with, blanks apart.
    begins: &'static str,
    /// What stands before the type in it.
    before: &'static str,
}

/// Head lines whose type stands before a colon. The first that fits counts.
static SHAPES: &[ErrorHeadForm] = &[
    ErrorHeadForm { begins: "Exception in thread ", before: "\" " },
    ErrorHeadForm { begins: "Caused by: ", before: "Caused by: " },
    ErrorHeadForm { begins: "Unhandled exception. ", before: "Unhandled exception. " },
    ErrorHeadForm { begins: "Unhandled Exception: ", before: "Unhandled Exception: " },
    ErrorHeadForm { begins: "Uncaught ", before: "Uncaught " },
];

/// How a class of errors ends.
static ENDINGS: &[&str] = &["Error", "Exception", "Interrupt", "Rejection", "Exit"];

/// The type and message of the error that an output names.
pub(crate) fn read(lines: &[&str]) -> Option<(String, String)> {
    python(lines).or_else(|| php(lines)).or_else(|| by_line(lines)).or_else(|| above_frames(lines))
}

fn by_line(lines: &[&str]) -> Option<(String, String)> {
    lines.iter().enumerate().find_map(|(at, line)| {
        let line = line.trim_start_matches([' ', '\t', '⨯', '✖', '×']).trim_end();
        if let Some((_, rest)) = line.split_once("panicked at ") {
            return Some(("panic".to_owned(), rust(rest, lines, at)));
        }
        if let Some(message) = line.strip_prefix("panic: ") {
            let kind = if message.starts_with("runtime error") { "runtime error" } else { "panic" };
            return Some((kind.to_owned(), message.to_owned()));
        }
        if let Some(message) =
            line.strip_prefix("fatal error: ").filter(|_| lines.iter().any(|l| l.starts_with("goroutine ")))
        {
            return Some(("fatal error".to_owned(), message.to_owned()));
        }
        if let Some(found) = ruby(line) {
            return Some(found);
        }
        let shape = SHAPES.iter().find(|shape| line.starts_with(shape.begins));
        let rest = match shape {
            Some(shape) => line.split_once(shape.before).map_or(line, |(_, rest)| rest),
            None => line,
        };
        let (class, message) = class(rest, shape.is_some())?;
        Some((class.to_owned(), whole(message, lines, at)))
    })
}

/// Since Rust 1.73 the message stands in the lines below the place.
fn rust(rest: &str, lines: &[&str], at: usize) -> String {
    if !rest.ends_with(':') {
        let message = rest.rsplit_once("', ").map_or(rest, |(message, _)| message);
        return message.trim_start_matches('\'').to_owned();
    }
    let below = lines.iter().skip(at + 1).map(|line| line.trim());
    let ends = |line: &&str| {
        !line.is_empty() && !line.starts_with("note: ") && !line.starts_with("stack backtrace:")
    };
    below.take_while(ends).take(MORE).collect::<Vec<_>>().join(" ")
}

/// A message that merely introduces what stands below goes on there.
fn whole(message: &str, lines: &[&str], at: usize) -> String {
    let mut whole = message.to_owned();
    if message.ends_with([':', '[', '{', '(']) {
        let below = lines.iter().skip(at + 1).map(|line| line.trim()).filter(|line| !line.is_empty());
        for line in below.take_while(|line| frames::of(line).is_none()).take(MORE) {
            whole.push(' ');
            whole.push_str(line);
        }
    }
    whole
}

/// The line that ends a traceback, without its indentation; of a chain the last one's.
fn python(lines: &[&str]) -> Option<(String, String)> {
    let chained = ["The above exception was the direct cause", "During handling of the above exception"];
    let mut found = None;
    let mut from = 0;
    while let Some(start) =
        lines.iter().skip(from).position(|line| line.contains("Traceback (most recent call last)"))
    {
        let start = from + start;
        let goes_on =
            lines.get(from..start).into_iter().flatten().any(|line| chained.iter().any(|c| line.contains(c)));
        if found.is_some() && !goes_on {
            break;
        }
        // An exception group's lines stand behind a bar.
        let bar = lines.get(start)?.find(|letter: char| !letter.is_whitespace()).unwrap_or(0);
        let plain = |line: &str| {
            line.trim_start()
                .strip_prefix("| ")
                .map_or_else(|| line.get(bar..).unwrap_or_default().to_owned(), str::to_owned)
        };
        let end = lines.iter().skip(start + 1).position(|line| {
            let text = plain(line);
            !text.trim().is_empty() && !text.starts_with([' ', '^', '~'])
        })?;
        let at = start + 1 + end;
        let told = plain(lines.get(at)?);
        let (class, message) = told.split_once(": ").unwrap_or((told.trim_end_matches(':'), ""));
        let name = class.rsplit('.').next().unwrap_or(class);
        if is_plain_name(name) {
            let message = if message.is_empty() { statement(lines, at).unwrap_or(&told) } else { message };
            found = Some((name.to_owned(), whole(message, lines, at)));
        }
        from = at;
    }
    found
}

/// The statement that an error without a message came from: the last one above it.
fn statement<'a>(lines: &[&'a str], at: usize) -> Option<&'a str> {
    let above = lines.get(..at)?.iter().rev().map(|line| line.trim());
    above.take(4).find(|line| !line.is_empty() && !line.starts_with(['^', '~', '.', 'F']))
}

/// `PHP Fatal error:  Uncaught TypeError: message in /app/Cart.php:12`, with what it was thrown for below, and
/// `Parse error: message in /app/Cart.php on line 3`.
fn php(lines: &[&str]) -> Option<(String, String)> {
    let (at, kind, rest) = lines.iter().enumerate().find_map(|(at, line)| {
        ["Fatal error", "Parse error"].iter().find_map(|kind| {
            let (before, rest) = line.split_once(kind)?;
            let introduced = before.is_empty() || before.ends_with("PHP ");
            let rest = rest.strip_prefix(':').filter(|_| introduced)?;
            // Others than PHP say so as well.
            (before.ends_with("PHP ") || rest.contains(".php") || rest.contains("Uncaught "))
                .then(|| (at, *kind, rest.trim()))
        })
    })?;
    let Some(thrown) = rest.strip_prefix("Uncaught ") else {
        return Some((kind.to_owned(), without_place(rest).to_owned()));
    };
    let outer = lines.iter().skip(at).rev().find_map(|line| class(line.strip_prefix("Next ")?, true));
    let (class, message) = outer.or_else(|| class(thrown, true))?;
    Some((class.to_owned(), without_place(message).to_owned()))
}

/// A message without ` in /app/Cart.php:12` at its end.
fn without_place(message: &str) -> &str {
    let place = message.rsplit_once(" in ").filter(|(_, place)| place.contains(".php"));
    let message = place.map_or(message, |(message, _)| message);
    message.strip_suffix(" and defined").unwrap_or(message)
}

/// `app.rb:3:in 'total': undefined method 'x' for nil (NoMethodError)`.
fn ruby(line: &str) -> Option<(String, String)> {
    let (place, rest) = line.split_once(": ")?;
    let (before, name) = place.split_once(":in ")?;
    if !name.starts_with(['`', '\'']) || !before.ends_with(|letter: char| letter.is_ascii_digit()) {
        return None;
    }
    match rest.strip_suffix(')').and_then(|rest| rest.rsplit_once(" (")) {
        Some((message, class))
            if class.starts_with(|c: char| c.is_ascii_uppercase()) && !class.contains(' ') =>
        {
            Some((class.to_owned(), message.to_owned()))
        }
        _ => None,
    }
}

/// The class and message of `java.lang.NullPointerException: message`. Without one of the known beginnings the class
/// has to end like one.
fn class(text: &str, introduced: bool) -> Option<(&str, &str)> {
    let (head, message) = text.split_once(": ").unwrap_or((text.trim_end_matches(':'), ""));
    let head = head.split(" [").next().unwrap_or(head).trim();
    let is_name = !head.is_empty()
        && head.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'\\' | b'$'));
    let ends = ENDINGS.iter().any(|end| head.ends_with(end));
    let last = head.rsplit(['.', '\\', '$']).next().unwrap_or(head);
    // `Error:` alone is the class of JavaScript; a word of prose is none.
    let is_class = (introduced || ends && text.contains(": ") || ends && head.contains('.'))
        && last.starts_with(|c: char| c.is_ascii_uppercase());
    let message = if message.trim().is_empty() { text } else { message.trim() };
    (is_name && is_class).then_some((last, message))
}

/// The line above the first frame, whatever its class is called.
fn above_frames(lines: &[&str]) -> Option<(String, String)> {
    let (line, _) = lines.iter().zip(lines.iter().skip(1)).find(|(line, next)| {
        let is_head = !line.trim().is_empty() && !line.starts_with([' ', '\t']) && frames::of(line).is_none();
        is_head
            && next.starts_with([' ', '\t'])
            && next.trim_start().starts_with("at ")
            && frames::of(next).is_some()
    })?;
    let (class, message) = line.split_once(": ").unwrap_or(("", line));
    let last = class.rsplit('.').next().unwrap_or(class);
    let is_class = is_plain_name(last);
    Some(if is_class {
        (last.to_owned(), message.to_owned())
    } else {
        ("error".to_owned(), (*line).to_owned())
    })
}
