//! One failure, and the parts of a line that tell of one.

use crate::runners::frames;

/// One failing test, or one error.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TestFailure {
    /// The test's name as its runner gives it: `tests::adds`, `test_shop.py::test_total`, `sum > adds two numbers`.
    pub test: Option<String>,
    /// The error's own words, in one line, at most 300 letters.
    pub message: String,
    /// What an assertion wanted.
    pub expected: Option<String>,
    /// What it got.
    pub actual: Option<String>,
    /// `path:line`, in the project's own code where the output tells.
    pub place: Option<String>,
    /// The error's class or code: `TypeError`, `E0308`, `TS2322`.
    pub error_type: Option<String>,
}

/// A text in double quotes, without what a shell would read in them.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace(['"', '\\', '$', '`'], "."))
}

/// The test's own name, without its file and suites.
pub(crate) fn last(test: &str) -> &str {
    test.rsplit(" > ").next().unwrap_or(test)
}

/// One line, blanks collapsed, at most `letters` long.
pub(crate) fn shorten(text: &str, letters: usize) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if line.len() > letters * 4 {
            break;
        }
    }
    match line.char_indices().nth(letters) {
        None => line,
        Some(_) => {
            let end = line.char_indices().nth(letters.saturating_sub(1)).map_or(0, |(at, _)| at);
            line.truncate(end);
            line.push('…');
            line
        }
    }
}

/// The place of a stack frame that is in the project: not in a package or the runtime.
pub(crate) fn place_in_stack(line: &str) -> Option<String> {
    frames::of(line).filter(|frame| frame.own).map(|frame| frame.place)
}

/// `path:line` of `path:line:column` or `path:line`.
pub(crate) fn place_of(text: &str) -> Option<String> {
    let is_number = |piece: &str| !piece.is_empty() && piece.bytes().all(|byte| byte.is_ascii_digit());
    let text = text.trim_end_matches([':', ',']);
    let (rest, last) = text.rsplit_once(':')?;
    if !is_number(last) {
        return None;
    }
    let place = match rest.rsplit_once(':') {
        Some((_, line)) if is_number(line) => rest,
        _ => text,
    };
    let path = place.rsplit_once(':').map_or("", |(path, _)| path);
    (path.contains(['.', '/']) && !path.contains(' ')).then(|| place.to_owned())
}

/// The class that an error line begins with: `TypeError` of `TypeError: boom`, `AssertionError` of
/// `AssertionError [ERR_ASSERTION]: …`.
pub(crate) fn error_class(message: &str) -> Option<String> {
    let (head, _) = message.split_once(':')?;
    let name = head.split(" [").next().unwrap_or(head).trim();
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'));
    let is_error =
        ["Error", "Exception", "Exit", "Warning", "Interrupt"].iter().any(|end| name.ends_with(end));
    (is_name && is_error).then(|| name.rsplit('.').next().unwrap_or(name).to_owned())
}

/// The value behind a label, `expected: 5`.
pub(crate) fn labelled(line: &str, label: &str) -> Option<String> {
    let value = line.trim().strip_prefix(label)?.trim();
    (!value.is_empty()).then(|| value.to_owned())
}

pub(crate) fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}
