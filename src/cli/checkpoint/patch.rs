//! One path's difference as a patch that `git apply` takes, or as a line of numbers.
//!
//! Invariant: without colours the bytes of a text are printed as they are; with colours, which only a terminal gets, no
//! byte of a file can move the cursor.

use std::io::{self, Write};
use std::time::Duration;

use owo_colors::Style;
use similar::{Algorithm, ChangeTag, DiffOp, DiffTag, TextDiff};

use super::paint::{GREEN, HEAD, HUNK, Paint, RED};
pub use super::side::PathSide;
use super::side::{folder_words, is_binary};
use crate::cli::undo::{shown, size};

/// Larger texts are compared as a whole, in bytes.
const LARGEST: usize = 16 << 20;
/// After this a difference is no longer the smallest.
const PATIENCE: Duration = Duration::from_secs(2);
/// The longest bar of a line of numbers, in characters.
const BAR: usize = 40;

/// A path with what was and what is there.
#[derive(Debug)]
pub struct Patch {
    /// The path's name.
    pub path: String,
    /// Before.
    pub before: PathSide,
    /// After.
    pub after: PathSide,
}

/// How many lines a patch adds and removes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LineCounts {
    /// Lines that are new.
    pub added: usize,
    /// Lines that are gone.
    pub removed: usize,
}

impl Patch {
    /// Its lines; `None` when it is no text that is compared line by line.
    pub fn lines(&self) -> Option<LineCounts> {
        let (before, after) = self.texts()?;
        let mut lines = LineCounts::default();
        for change in compare(before, after).iter_all_changes() {
            match change.tag() {
                ChangeTag::Insert => lines.added += 1,
                ChangeTag::Delete => lines.removed += 1,
                ChangeTag::Equal => {}
            }
        }
        Some(lines)
    }

    /// Why it is not compared line by line.
    fn reason(&self) -> Option<String> {
        let sides = [&self.before, &self.after];
        if let Some(PathSide::Unread(why)) = sides.iter().find(|side| matches!(side, PathSide::Unread(_))) {
            return Some(why.clone());
        }
        let bytes = sides.map(|side| side.bytes().unwrap_or_default());
        if bytes.iter().any(|bytes| is_binary(bytes)) {
            return Some("binary".to_owned());
        }
        bytes.iter().any(|bytes| bytes.len() > LARGEST).then(|| "too large to compare by lines".to_owned())
    }

    fn texts(&self) -> Option<(&[u8], &[u8])> {
        if self.reason().is_some() {
            return None;
        }
        Some((self.before.bytes()?, self.after.bytes()?))
    }

    /// Writes it as a patch.
    pub fn write(&self, out: &mut dyn Write, coloured: bool) -> io::Result<()> {
        let paint = Paint { coloured };
        let name = shown(&self.path);
        let (before, after) = (&self.before, &self.after);
        if matches!(before, PathSide::Folder(_)) || matches!(after, PathSide::Folder(_)) {
            paint.line(out, HEAD, &format!("{}: {name}/", folder_words(before, after)))?;
        }
        let sides = match (before, after) {
            // A file in the place of a folder, or the other way round: each half is a patch.
            (PathSide::Folder(_), PathSide::Absent)
            | (PathSide::Absent | PathSide::Folder(_), PathSide::Folder(_)) => {
                return Ok(());
            }
            (PathSide::Folder(_), after) => (&PathSide::Absent, after),
            (before, PathSide::Folder(_)) => (before, &PathSide::Absent),
            sides => sides,
        };
        let is_other_kind = matches!(
            sides,
            (PathSide::File(..), PathSide::Link(_)) | (PathSide::Link(_), PathSide::File(..))
        );
        if is_other_kind {
            self.half(out, paint, &name, (sides.0, &PathSide::Absent))?;
            return self.half(out, paint, &name, (&PathSide::Absent, sides.1));
        }
        self.half(out, paint, &name, sides)
    }

    fn half(
        &self,
        out: &mut dyn Write,
        paint: Paint,
        name: &str,
        (before, after): (&PathSide, &PathSide),
    ) -> io::Result<()> {
        paint.line(out, HEAD, &format!("diff --git a/{name} b/{name}"))?;
        modes(out, paint, before, after)?;
        let (Some(old), Some(new)) = (before.bytes(), after.bytes()) else {
            return paint.line(out, HEAD, &self.reason().unwrap_or_default());
        };
        if old == new {
            return Ok(());
        }
        let from = if *before == PathSide::Absent { "/dev/null".to_owned() } else { format!("a/{name}") };
        let to = if *after == PathSide::Absent { "/dev/null".to_owned() } else { format!("b/{name}") };
        match self.reason() {
            Some(why) if why == "binary" => writeln!(out, "Binary files {from} and {to} differ"),
            Some(why) => writeln!(out, "Files {from} and {to} differ: {why}"),
            None => {
                paint.line(out, HEAD, &format!("--- {from}"))?;
                paint.line(out, HEAD, &format!("+++ {to}"))?;
                hunks(out, paint, old, new)
            }
        }
    }

    /// Writes it as a line of numbers, as `git diff --stat` does, the name in `width` columns.
    pub fn write_stat(&self, out: &mut dyn Write, coloured: bool, width: usize) -> io::Result<()> {
        let paint = Paint { coloured };
        let name = shown(&self.path);
        let gap = " ".repeat(width.saturating_sub(name.chars().count()));
        write!(out, " {name}{gap} | ")?;
        if matches!(self.before, PathSide::Folder(_)) || matches!(self.after, PathSide::Folder(_)) {
            return writeln!(out, "{}", folder_words(&self.before, &self.after));
        }
        let Some(LineCounts { added, removed }) = self.lines() else {
            let bytes = |side: &PathSide| size(side.bytes().map_or(0, |bytes| bytes.len() as u64));
            let sizes = format!("{} -> {}", bytes(&self.before), bytes(&self.after));
            return writeln!(out, "{}, {sizes}", self.reason().unwrap_or_default());
        };
        let scale = |lines: usize| match added + removed {
            all if all <= BAR => lines,
            all => (lines * BAR).div_ceil(all),
        };
        write!(out, "{} ", added + removed)?;
        paint.write(out, GREEN, &"+".repeat(scale(added)))?;
        paint.write(out, RED, &"-".repeat(scale(removed)))?;
        writeln!(out)
    }
}

/// The lines about a path's kind and permissions.
fn modes(out: &mut dyn Write, paint: Paint, before: &PathSide, after: &PathSide) -> io::Result<()> {
    match (before.git_mode(), after.git_mode()) {
        (None, Some(mode)) => paint.line(out, HEAD, &format!("new file mode {mode}"))?,
        (Some(mode), None) => paint.line(out, HEAD, &format!("deleted file mode {mode}"))?,
        (Some(old), Some(new)) if old != new => {
            paint.line(out, HEAD, &format!("old mode {old}"))?;
            paint.line(out, HEAD, &format!("new mode {new}"))?;
        }
        _ => {}
    }
    if let (Some(old), Some(new)) = (before.exact_mode(), after.exact_mode())
        && old != new
        && before.git_mode() == after.git_mode()
    {
        paint.line(out, HEAD, &format!("permissions {old:04o} -> {new:04o}"))?;
    }
    Ok(())
}

fn hunks(out: &mut dyn Write, paint: Paint, old: &[u8], new: &[u8]) -> io::Result<()> {
    let diff = compare(old, new);
    let mut unified = diff.unified_diff();
    for hunk in unified.context_radius(3).iter_hunks() {
        paint.line(out, HUNK, &hunk.header().to_string())?;
        for change in hunk.iter_changes() {
            let (sign, style) = match change.tag() {
                ChangeTag::Insert => ("+", GREEN),
                ChangeTag::Delete => ("-", RED),
                ChangeTag::Equal => (" ", Style::new()),
            };
            let line = change.value();
            if paint.coloured {
                let text = String::from_utf8_lossy(line);
                let text: String =
                    text.trim_end_matches('\n').split('\t').map(shown).collect::<Vec<_>>().join("\t");
                paint.line(out, style, &format!("{sign}{text}"))?;
            } else {
                out.write_all(sign.as_bytes())?;
                out.write_all(line)?;
                if change.missing_newline() {
                    writeln!(out)?;
                }
            }
            if change.missing_newline() {
                writeln!(out, "\\ No newline at end of file")?;
            }
        }
    }
    Ok(())
}

/// The difference of two texts by lines, which end where git ends them.
fn compare<'t>(old: &'t [u8], new: &'t [u8]) -> TextDiff<'t, 't, [u8]> {
    let lines = |text: &'t [u8]| text.split_inclusive(|byte| *byte == b'\n').collect::<Vec<&[u8]>>();
    let mut configuration = TextDiff::configure();
    configuration.algorithm(Algorithm::Myers).timeout(PATIENCE).newline_terminated(true);
    configuration.diff_slices(&lines(old), &lines(new))
}

/// The line of `new`, from 1, that a finding is about, which names a line of `old` for what is lost and of `new` for what
/// came. The changed one of the two is meant; a line that is gone is where it would be.
pub fn line_after(old: &str, new: &str, line: u32) -> u32 {
    let at = usize::try_from(line.saturating_sub(1)).unwrap_or(usize::MAX);
    let diff = compare(old.as_bytes(), new.as_bytes());
    let is_kept = |op: &&DiffOp| op.tag() == DiffTag::Equal;
    let from = diff.ops().iter().find(|op| op.old_range().contains(&at));
    let came = diff.ops().iter().any(|op| !is_kept(&op) && op.new_range().contains(&at));
    let place = match from {
        Some(op) if !is_kept(&op) => {
            (op.new_range().start + (at - op.old_range().start)).min(op.new_range().end)
        }
        _ if came => at,
        Some(op) => op.new_range().start + (at - op.old_range().start),
        None => diff.new_len(),
    };
    u32::try_from(place.min(diff.new_len().saturating_sub(1)) + 1).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patch(before: PathSide, after: PathSide) -> Patch {
        Patch { path: "a".to_owned(), before, after }
    }

    fn file(text: &str) -> PathSide {
        PathSide::File(text.as_bytes().to_vec(), 0o644)
    }

    fn text(patch: &Patch, coloured: bool) -> String {
        let mut out = Vec::new();
        patch.write(&mut out, coloured).unwrap();
        String::from_utf8_lossy(&out).into_owned()
    }

    #[test]
    fn each_kind_of_change_has_its_words() {
        let cases = [
            (
                file("one\ntwo\n"),
                file("one\nthree\n"),
                "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n",
            ),
            (
                PathSide::Absent,
                file("x"),
                "diff --git a/a b/a\nnew file mode 100644\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n",
            ),
            (file(""), PathSide::Absent, "diff --git a/a b/a\ndeleted file mode 100644\n"),
            (
                file("x\n"),
                PathSide::File(b"x\n".to_vec(), 0o755),
                "diff --git a/a b/a\nold mode 100644\nnew mode 100755\n",
            ),
            (
                file("x\n"),
                PathSide::File(b"x\n".to_vec(), 0o600),
                "diff --git a/a b/a\npermissions 0644 -> 0600\n",
            ),
            (file("x\n"), file("x\0"), "diff --git a/a b/a\nBinary files a/a and b/a differ\n"),
            (PathSide::Absent, PathSide::Folder(0o755), "folder made: a/\n"),
            (PathSide::Folder(0o755), PathSide::Folder(0o700), "folder's permissions 0755 -> 0700: a/\n"),
            (
                PathSide::Folder(0o755),
                file("x\n"),
                "folder removed: a/\ndiff --git a/a b/a\nnew file mode 100644\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+x\n",
            ),
            (
                file("x\n"),
                PathSide::Unread("gone".into()),
                "diff --git a/a b/a\ndeleted file mode 100644\ngone\n",
            ),
        ];
        for (before, after, expected) in cases {
            let patch = patch(before, after);
            assert_eq!(text(&patch, false), expected, "{patch:?}");
        }
    }

    #[test]
    fn a_file_that_becomes_a_link_is_two_patches() {
        let found = text(&patch(file("x\n"), PathSide::Link(b"y".to_vec())), false);
        assert!(
            found.contains("deleted file mode 100644\n") && found.contains("new file mode 120000\n"),
            "{found}"
        );
    }

    #[test]
    fn colours_let_no_byte_through() {
        let found = text(&patch(file("a\n"), file("\u{1b}[2J\tb\n")), true);
        assert!(found.contains("\u{1b}[32m+\\u{1b}[2J\tb\u{1b}[0m\n"), "{found:?}");
    }

    #[test]
    fn numbers_are_counted_and_scaled() {
        let many = patch(PathSide::Absent, file(&"x\n".repeat(1000)));
        assert_eq!(many.lines(), Some(LineCounts { added: 1000, removed: 0 }));
        let mut out = Vec::new();
        many.write_stat(&mut out, false, 3).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), format!(" a   | 1000 {}\n", "+".repeat(BAR)));
        let mut out = Vec::new();
        patch(file("\0"), PathSide::Absent).write_stat(&mut out, false, 1).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), " a | binary, 1 byte -> 0 bytes\n");
    }

    #[test]
    fn a_line_is_found_again() {
        let cases = [
            ("a\nb\nc\n", "x\na\nb\nc\n", 3, 4),
            ("a\nb\nc\n", "a\nc\n", 2, 2),
            ("a\nb\nc\n", "a\n", 3, 1),
            ("a\n", "", 1, 1),
            ("a\nb\n", "a\nb\n", 9, 2),
            ("a\nb\n", "a\nB\n", 2, 2),
            ("a\nb\n", "new\nnew\na\nb\n", 1, 1),
            ("a\n", "a\nb\nnew\n", 3, 3),
        ];
        for (old, new, line, expected) in cases {
            assert_eq!(line_after(old, new, line), expected, "{old:?} {new:?} {line}");
        }
    }
}
