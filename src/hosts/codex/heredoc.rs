//! A patch that comes as a command of the shell: most models have no tool for one, and Codex takes
//! `apply_patch <<'EOF' …` out of the shell's hands.

use std::path::Path;

use crate::hosts::patch_text;
use crate::model::event::PatchedFile;

const PROGRAMS: &[&str] = &["apply_patch", "applypatch"];

/// The files of a command that is a patch and nothing else, perhaps behind a `cd`. `None` for any other command: that one is
/// judged as the shell's.
pub(super) fn patch(command: &str, cwd: &Path) -> Option<Vec<PatchedFile>> {
    let (folder, rest) = match command.trim().strip_prefix("cd ") {
        Some(rest) => {
            let (folder, rest) = rest.split_once("&&")?;
            (Some(word(folder.trim())?), rest)
        }
        None => (None, command),
    };
    let rest = rest.trim();
    let rest = PROGRAMS.iter().find_map(|program| rest.strip_prefix(program))?;
    let text = text(rest.trim_start())?;
    let cwd = folder.map_or_else(|| cwd.to_owned(), |folder| cwd.join(folder));
    patch_text::read(text, &cwd)
}

/// The text that the program is given: a here-document that ends the command, or one quoted word.
fn text(rest: &str) -> Option<&str> {
    let Some(rest) = rest.strip_prefix("<<") else { return word(rest) };
    let (mark, body) = rest.trim_start_matches('-').split_once('\n')?;
    let mark = word(mark.trim())?;
    let end = body.rfind('\n').map_or(0, |at| at + 1);
    let (text, last) = body.split_at(end);
    let has_mark = |text: &str| text.lines().any(|line| line.trim() == mark);
    (last.trim() == mark && !mark.is_empty() && !has_mark(text)).then_some(text)
}

/// A word without its quotes; `None` where it is several, or says something else than it reads.
fn word(text: &str) -> Option<&str> {
    let quoted = ['\'', '"'].iter().find_map(|quote| text.strip_prefix(*quote)?.strip_suffix(*quote));
    match quoted {
        Some(inner) if !text.starts_with('"') => (!inner.contains('\'')).then_some(inner),
        Some(inner) => (!inner.contains(['"', '$', '`', '\\'])).then_some(inner),
        None => {
            let is_plain = |letter: char| letter.is_alphanumeric() || "/._-".contains(letter);
            text.chars().all(is_plain).then_some(text)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATCH: &str = "*** Begin Patch\n*** Delete File: a\n*** End Patch";

    #[test]
    fn a_command_that_is_a_patch_and_nothing_else_is_one() {
        let rows = [
            (format!("apply_patch <<'EOF'\n{PATCH}\nEOF"), Some("/p/a")),
            (format!("apply_patch <<EOF\n{PATCH}\nEOF\n"), Some("/p/a")),
            (format!("applypatch << \"E\"\n{PATCH}\nE"), Some("/p/a")),
            (format!("cd sub && apply_patch <<'EOF'\n{PATCH}\nEOF"), Some("/p/sub/a")),
            (format!("cd '/a b' && apply_patch <<'EOF'\n{PATCH}\nEOF"), Some("/a b/a")),
            (format!("apply_patch '{PATCH}'"), Some("/p/a")),
            (format!("apply_patch <<'EOF'\n{PATCH}\nEOF\nrm -rf src"), None),
            (format!("apply_patch <<'EOF'\n{PATCH}\nEOF\nrm x\nEOF"), None),
            (format!("apply_patch \"$(cat x)\" <<'EOF'\n{PATCH}\nEOF"), None),
            (format!("cd $HOME && apply_patch <<'EOF'\n{PATCH}\nEOF"), None),
            (format!("echo apply_patch <<'EOF'\n{PATCH}\nEOF"), None),
            ("apply_patch <<'EOF'\nno patch\nEOF".to_owned(), None),
            ("apply_patch".to_owned(), None),
            ("ls".to_owned(), None),
        ];
        for (command, path) in rows {
            let files = patch(&command, Path::new("/p"));
            let found = files.as_ref().map(|files| files[0].path.to_str().unwrap());
            assert_eq!(found, path, "{command}");
        }
    }
}
