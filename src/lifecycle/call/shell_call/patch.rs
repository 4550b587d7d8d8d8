//! Unified patches, applied exactly: every line of a hunk must stand where the hunk says. Pure.

use std::iter::Peekable;

/// The most files that one patch is followed into.
const MOST_FILES: usize = 100;

/// What a patch does to one file. `None` for a name is `/dev/null`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FilePatch {
    pub(crate) old: Option<String>,
    pub(crate) new: Option<String>,
    hunks: Vec<PatchHunk>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct PatchHunk {
    /// The first line in the old text, from 1; 0 for an empty one.
    start: usize,
    old: Vec<String>,
    new: Vec<String>,
}

/// Reads a patch; names lose `strip` leading folders. `None` when it is no text patch that is understood whole.
pub(crate) fn parse(text: &str, strip: usize, reverse: bool) -> Option<Vec<FilePatch>> {
    let mut files: Vec<FilePatch> = Vec::new();
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("GIT binary patch") || line.starts_with("rename ") || line.starts_with("copy ") {
            return None;
        }
        if let Some(old) = line.strip_prefix("--- ") {
            let Some(new) = lines.peek().and_then(|next| next.strip_prefix("+++ ")) else { continue };
            let file = FilePatch { old: name(old, strip)?, new: name(new, strip)?, hunks: Vec::new() };
            lines.next();
            (files.len() < MOST_FILES).then(|| files.push(file))?;
        } else if line.starts_with("@@ ") {
            let hunk = hunk(line, &mut lines)?;
            files.last_mut()?.hunks.push(hunk);
        }
    }
    if reverse {
        files.iter_mut().for_each(FilePatch::reverse);
    }
    (!files.is_empty()).then_some(files)
}

/// Reads a hunk below its header.
fn hunk<'t>(head: &str, lines: &mut Peekable<impl Iterator<Item = &'t str>>) -> Option<PatchHunk> {
    let (start, old_count, new_count) = header(head)?;
    let mut hunk = PatchHunk { start, ..PatchHunk::default() };
    while hunk.old.len() < old_count || hunk.new.len() < new_count {
        let (sign, rest) = lines.next()?.split_at_checked(1)?;
        match sign {
            "-" => hunk.old.push(rest.to_owned()),
            "+" => hunk.new.push(rest.to_owned()),
            " " => hunk.push(rest),
            "\n" => hunk.push("\n"),
            // `\ No newline at end of file` belongs to the line before.
            "\\" => hunk.end_without_newline(),
            _ => return None,
        }
        if lines.next_if(|next| next.starts_with('\\')).is_some() {
            match sign {
                "-" => cut(hunk.old.last_mut()),
                "+" => cut(hunk.new.last_mut()),
                _ => hunk.end_without_newline(),
            }
        }
    }
    Some(hunk)
}

impl PatchHunk {
    /// Adds a line that stays.
    fn push(&mut self, line: &str) {
        self.old.push(line.to_owned());
        self.new.push(line.to_owned());
    }

    fn end_without_newline(&mut self) {
        cut(self.old.last_mut());
        cut(self.new.last_mut());
    }
}

fn cut(line: Option<&mut String>) {
    if let Some(line) = line
        && line.ends_with('\n')
    {
        line.pop();
    }
}

/// The name in a header: up to a tab, without leading folders. Outer `None` when it has fewer of them.
fn name(text: &str, strip: usize) -> Option<Option<String>> {
    let text = text.trim_end_matches(['\n', '\r']).split('\t').next()?;
    if text == "/dev/null" {
        return Some(None);
    }
    let mut rest = text;
    for _ in 0..strip {
        (_, rest) = rest.split_once('/')?;
    }
    let safe = !rest.is_empty() && !rest.starts_with(['/', '"']) && !rest.split('/').any(|part| part == "..");
    safe.then(|| Some(rest.to_owned()))
}

/// `@@ -1,3 +1,4 @@`.
fn header(line: &str) -> Option<(usize, usize, usize)> {
    let mut parts = line.split(' ').skip(1);
    let range = |part: Option<&str>, sign: char| -> Option<(usize, usize)> {
        let part = part?.strip_prefix(sign)?;
        let (start, count) = part.split_once(',').unwrap_or((part, "1"));
        Some((start.parse().ok()?, count.parse().ok().filter(|count| *count < 1_000_000)?))
    };
    let (start, old) = range(parts.next(), '-')?;
    let (_, new) = range(parts.next(), '+')?;
    Some((start, old, new))
}

impl FilePatch {
    fn reverse(&mut self) {
        std::mem::swap(&mut self.old, &mut self.new);
        let mut moved = 0isize;
        for hunk in &mut self.hunks {
            let difference = hunk.new.len() as isize - hunk.old.len() as isize;
            hunk.start = hunk.start.saturating_add_signed(moved);
            moved += difference;
            std::mem::swap(&mut hunk.old, &mut hunk.new);
        }
    }

    /// The text after; `None` when a hunk does not fit exactly.
    pub(crate) fn apply(&self, text: &str) -> Option<String> {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let mut result = String::with_capacity(text.len());
        let mut at = 0;
        for hunk in &self.hunks {
            let start = if hunk.old.is_empty() { hunk.start } else { hunk.start.checked_sub(1)? };
            result.extend(lines.get(at..start)?.iter().copied());
            let end = start + hunk.old.len();
            let there = lines.get(start..end)?;
            there.iter().zip(&hunk.old).all(|(line, old)| line == old).then_some(())?;
            result.extend(hunk.new.iter().map(String::as_str));
            at = end;
        }
        result.extend(lines.get(at..)?.iter().copied());
        Some(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATCH: &str = "diff --git a/x.ts b/x.ts\n--- a/x.ts\n+++ b/x.ts\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n";

    #[test]
    fn a_patch_applies_where_it_fits_and_nowhere_else() {
        let files = parse(PATCH, 1, false).unwrap();
        assert_eq!((files[0].old.as_deref(), files[0].new.as_deref()), (Some("x.ts"), Some("x.ts")));
        assert_eq!(files[0].apply("a\nb\nc\nd\n").as_deref(), Some("a\nB\nc\nd\n"));
        assert_eq!(files[0].apply("a\nx\nc\n"), None);
        let back = parse(PATCH, 1, true).unwrap();
        assert_eq!(back[0].apply("a\nB\nc\n").as_deref(), Some("a\nb\nc\n"));
    }

    #[test]
    fn new_and_deleted_files_and_missing_line_ends() {
        let new = parse(
            "--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n",
            1,
            false,
        )
        .unwrap();
        assert_eq!((new[0].old.as_deref(), new[0].apply("").as_deref()), (None, Some("a\nb")));
        let gone = parse("--- a/n\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", 1, false).unwrap();
        assert_eq!((gone[0].new.as_deref(), gone[0].apply("a\n").as_deref()), (None, Some("")));
    }

    #[test]
    fn what_is_not_understood_is_left_alone() {
        for text in [
            "",
            "no patch",
            "--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n a\n",
            "--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-a\n+b\n",
            "GIT binary patch\n",
        ] {
            assert_eq!(parse(text, 1, false), None, "{text:?}");
        }
    }
}
