//! The text of a file after a patch that names lines and no numbers, as `apply_patch` puts it there. Pure.

use crate::model::event::Chunk;

/// The text after the chunks, each sought behind the one before; `None` when one does not fit, since the host then refuses
/// the call.
pub(super) fn patched(before: &str, chunks: &[Chunk]) -> Option<String> {
    let mut lines: Vec<&str> = before.split('\n').collect();
    if lines.last() == Some(&"") {
        lines.pop();
    }
    let mut result: Vec<&str> = Vec::new();
    // Lines of `before` that are in `result` already, or replaced.
    let mut copied = 0;
    let mut at = 0;
    let mut ending: Vec<&str> = Vec::new();
    for chunk in chunks {
        if let Some(heading) = &chunk.heading {
            at = sought(&lines, &[heading.as_str()], at, false)? + 1;
        }
        let new = chunk.new.iter().map(String::as_str);
        if chunk.old.is_empty() {
            ending.extend(new);
            continue;
        }
        let (start, old, new) = place(&lines, chunk, at)?;
        result.extend(lines.get(copied..start)?);
        result.extend(new);
        copied = start + old;
        at = copied;
    }
    result.extend(lines.get(copied..)?);
    result.extend(ending);
    let mut text = result.join("\n");
    if !text.is_empty() {
        text.push('\n');
    }
    Some(text)
}

/// Where a chunk fits, how many lines it replaces, and by what. An empty line at its end may be missing from the file.
fn place<'c>(lines: &[&str], chunk: &'c Chunk, from: usize) -> Option<(usize, usize, Vec<&'c str>)> {
    let mut old: Vec<&str> = chunk.old.iter().map(String::as_str).collect();
    let mut new: Vec<&str> = chunk.new.iter().map(String::as_str).collect();
    if let Some(start) = sought(lines, &old, from, chunk.at_end) {
        return Some((start, old.len(), new));
    }
    if old.last() != Some(&"") {
        return None;
    }
    old.pop();
    if new.last() == Some(&"") {
        new.pop();
    }
    sought(lines, &old, from, chunk.at_end).map(|start| (start, old.len(), new))
}

/// Where the lines stand at or behind `from`: as they are, else without blanks at their ends, else without those around
/// them. `at_end` looks from the file's last lines on.
fn sought(lines: &[&str], wanted: &[&str], from: usize, at_end: bool) -> Option<usize> {
    let last = lines.len().checked_sub(wanted.len())?;
    let from = if at_end { last } else { from };
    let same: [fn(&str, &str) -> bool; 4] = [
        |one, other| one == other,
        |one, other| one.trim_end() == other.trim_end(),
        |one, other| one.trim() == other.trim(),
        |one, other| plain(one) == plain(other),
    ];
    let fits = |start: &usize, same: fn(&str, &str) -> bool| {
        lines.iter().skip(*start).zip(wanted).all(|(line, wanted)| same(line, wanted))
    };
    same.iter().find_map(|same| (from..=last).find(|start| fits(start, *same)))
}

/// A line with its typographic signs as those that are typed.
fn plain(line: &str) -> String {
    let typed = |letter: char| match letter {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{2018}'..='\u{201b}' => '\'',
        '\u{201c}'..='\u{201f}' => '"',
        '\u{a0}' | '\u{2002}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => ' ',
        other => other,
    };
    line.trim().chars().map(typed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(heading: &str, old: &[&str], new: &[&str], at_end: bool) -> Chunk {
        let owned = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect();
        Chunk {
            heading: (!heading.is_empty()).then(|| heading.to_owned()),
            old: owned(old),
            new: owned(new),
            at_end,
        }
    }

    #[test]
    fn chunks_apply_as_the_host_applies_them() {
        let rows: Vec<(&str, Vec<Chunk>, Option<&str>)> = vec![
            ("a\nb\nc\n", vec![chunk("", &["b"], &["B"], false)], Some("a\nB\nc\n")),
            // Behind the heading, not the first of its kind.
            ("f\n x\ng\n x\n", vec![chunk("g", &[" x"], &[" y"], false)], Some("f\n x\ng\n y\n")),
            // One behind the other.
            (
                "x\nx\n",
                vec![chunk("", &["x"], &["1"], false), chunk("", &["x"], &["2"], false)],
                Some("1\n2\n"),
            ),
            ("x\ny\nx\n", vec![chunk("", &["x"], &["z"], true)], Some("x\ny\nz\n")),
            // Nothing to replace goes to the end.
            ("a\n", vec![chunk("", &[], &["b"], false)], Some("a\nb\n")),
            ("", vec![chunk("", &[], &["b"], false)], Some("b\n")),
            ("a", vec![chunk("", &["a"], &["b"], false)], Some("b\n")),
            ("a  \n", vec![chunk("", &["a"], &["b"], false)], Some("b\n")),
            ("  a\n", vec![chunk("", &["a"], &["b"], false)], Some("b\n")),
            ("it\u{2019}s \u{2013}\n", vec![chunk("", &["it's -"], &["b"], false)], Some("b\n")),
            ("a\n", vec![chunk("", &["a", ""], &["b", ""], false)], Some("b\n")),
            ("a\n", vec![chunk("", &["a"], &[], false)], Some("")),
            ("a\n", vec![chunk("", &["q"], &["b"], false)], None),
            ("a\n", vec![chunk("q", &["a"], &["b"], false)], None),
            ("a\n", vec![], Some("a\n")),
        ];
        for (before, chunks, after) in rows {
            assert_eq!(patched(before, &chunks).as_deref(), after, "{before:?} {chunks:?}");
        }
    }
}
