//! Patches in the form of Codex's `apply_patch`, which other hosts have taken over: files by name, and the lines around
//! each change in the place of line numbers.

use std::path::Path;

use crate::model::event::{Chunk, PatchOperation, PatchedFile};
use crate::model::proc_path;

const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";
const END_OF_FILE: &str = "*** End of File";
const MOVE: &str = "*** Move to: ";

/// Whether a text is such a patch, by its first line.
pub(super) fn is_patch(text: &str) -> bool {
    text.trim_start().starts_with(BEGIN)
}

/// The files of a patch, below `cwd`, in their order. `None` for a text that is no patch, or one that is not understood whole:
/// the host refuses such a one.
pub(super) fn read(text: &str, cwd: &Path) -> Option<Vec<PatchedFile>> {
    let mut lines = text.trim().lines().skip_while(|line| line.trim() != BEGIN).skip(1).peekable();
    let mut files = Vec::new();
    loop {
        let line = lines.next()?;
        let place = |name: &str| proc_path::plain(&cwd.join(name.trim()));
        if line.trim() == END {
            return (!files.is_empty()).then_some(files);
        } else if let Some(name) = line.strip_prefix("*** Add File: ") {
            let mut content = String::new();
            while let Some(added) = lines.next_if(|line| line.starts_with('+')) {
                content.push_str(added.get(1..)?);
                content.push('\n');
            }
            files.push(PatchedFile { path: place(name), change: PatchOperation::Add(content) });
        } else if let Some(name) = line.strip_prefix("*** Delete File: ") {
            files.push(PatchedFile { path: place(name), change: PatchOperation::Delete });
        } else if let Some(name) = line.strip_prefix("*** Update File: ") {
            let moved = lines.next_if(|line| line.starts_with(MOVE));
            let moved_to = moved.and_then(|line| line.strip_prefix(MOVE)).map(place);
            let mut chunks: Vec<Chunk> = Vec::new();
            while let Some(line) = lines.next_if(|line| is_of_chunk(line)) {
                add(&mut chunks, line);
            }
            chunks.retain(|chunk| !chunk.old.is_empty() || !chunk.new.is_empty());
            files
                .push(PatchedFile { path: place(name), change: PatchOperation::Update { chunks, moved_to } });
        } else if !line.trim().is_empty() && !line.starts_with("*** Environment ID: ") {
            return None;
        }
    }
}

fn is_of_chunk(line: &str) -> bool {
    !line.starts_with("*** ") || line.trim() == END_OF_FILE
}

/// Adds a line to the chunk that it belongs to; `@@` begins one, and the first may stand without.
fn add(chunks: &mut Vec<Chunk>, line: &str) {
    if let Some(heading) = line.strip_prefix("@@") {
        let heading = heading.strip_prefix(' ').filter(|heading| !heading.trim().is_empty());
        chunks.push(Chunk { heading: heading.map(str::to_owned), ..Chunk::default() });
        return;
    }
    if chunks.is_empty() {
        chunks.push(Chunk::default());
    }
    let Some(chunk) = chunks.last_mut() else { return };
    if line.trim() == END_OF_FILE {
        chunk.at_end = true;
        return;
    }
    let (sign, rest) = line.split_at_checked(1).unwrap_or((" ", ""));
    if sign != "+" {
        chunk.old.push(rest.to_owned());
    }
    if sign != "-" {
        chunk.new.push(rest.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn update(chunks: Vec<Chunk>, moved_to: Option<&str>) -> PatchOperation {
        PatchOperation::Update { chunks, moved_to: moved_to.map(PathBuf::from) }
    }

    fn chunk(heading: Option<&str>, old: &[&str], new: &[&str], at_end: bool) -> Chunk {
        let owned = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect();
        Chunk { heading: heading.map(str::to_owned), old: owned(old), new: owned(new), at_end }
    }

    #[test]
    fn a_patch_is_read_file_by_file() {
        let text = "*** Begin Patch\n*** Add File: a.txt\n+one\n+\n*** Update File: sub/b.py\n*** Move to: sub/c.py\n\
                    @@ def f():\n-    x\n+    y\n same\n@@\n\n+z\n*** End of File\n*** Delete File: /w/d\n*** End Patch\n";
        let files = read(text, Path::new("/w")).unwrap();
        let expected = [
            ("/w/a.txt", PatchOperation::Add("one\n\n".to_owned())),
            (
                "/w/sub/b.py",
                update(
                    vec![
                        chunk(Some("def f():"), &["    x", "same"], &["    y", "same"], false),
                        chunk(None, &[""], &["", "z"], true),
                    ],
                    Some("/w/sub/c.py"),
                ),
            ),
            ("/w/d", PatchOperation::Delete),
        ];
        assert_eq!(files.len(), expected.len());
        for (file, (path, change)) in files.iter().zip(expected) {
            assert_eq!((file.path.as_path(), &file.change), (Path::new(path), &change));
        }
    }

    #[test]
    fn what_is_no_whole_patch_is_none() {
        for text in [
            "",
            "*** Begin Patch",
            "*** Begin Patch\n*** End Patch",
            "*** Begin Patch\n*** Update File: a\n-x\n",
            "*** Begin Patch\nwhat\n*** End Patch",
            "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
        ] {
            assert_eq!(read(text, Path::new("/w")), None, "{text:?}");
        }
        assert!(is_patch("\n*** Begin Patch\n") && !is_patch("--- a\n"));
    }

    #[test]
    fn the_first_lines_may_stand_without_a_heading() {
        let files =
            read("*** Begin Patch\n*** Update File: a\n-x\n+y\n*** End Patch", Path::new("/")).unwrap();
        assert_eq!(files[0].change, update(vec![chunk(None, &["x"], &["y"], false)], None));
    }
}
