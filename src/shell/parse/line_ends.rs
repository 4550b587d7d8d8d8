//! Ends of lines that the grammar takes for a blank: behind a pipeline of three commands it reads the next line, where
//! that one has a redirection, as further words of the last command (`a | b | c`, `rm -rf src 2> /dev/null`).

use tree_sitter::Tree;

/// Whether a text has what it takes: a pipeline, a further line and a redirection.
pub(super) fn may_be_lost(text: &str) -> bool {
    let bytes = text.as_bytes();
    [b'|', b'\n'].iter().all(|sign| memchr::memchr(*sign, bytes).is_some())
        && memchr::memchr2(b'>', b'<', bytes).is_some()
}

/// Where a line ends between two words of one command, which no line does that is not written on behind a backslash.
pub(super) fn lost(tree: &Tree, bytes: &[u8]) -> Vec<usize> {
    let (mut ends, mut cursor) = (Vec::new(), tree.walk());
    loop {
        if cursor.node().kind() == "command" {
            ends.extend(within(&mut cursor.clone(), bytes));
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return ends;
            }
        }
    }
}

/// The first end of a line between two parts of the command at a cursor.
fn within(cursor: &mut tree_sitter::TreeCursor, bytes: &[u8]) -> Option<usize> {
    if !cursor.goto_first_child() {
        return None;
    }
    let mut before = cursor.node().end_byte();
    while cursor.goto_next_sibling() {
        let start = cursor.node().start_byte();
        let gap = bytes.get(before..start).unwrap_or_default();
        let is_end = |at: usize| gap.get(at.wrapping_sub(1)) != Some(&b'\\');
        if let Some(at) = memchr::memchr_iter(b'\n', gap).find(|at| is_end(*at)) {
            return Some(before + at);
        }
        before = cursor.node().end_byte();
    }
    None
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::model::event::ShellDialect;
    use crate::shell;

    fn programs(text: &str) -> Vec<String> {
        let script = shell::read_at(text, ShellDialect::Posix, Path::new("/p"), Path::new("/h"));
        script.commands.iter().map(|command| command.program().to_owned()).collect()
    }

    #[test]
    fn a_line_behind_a_long_pipeline_is_a_command_of_its_own() {
        for (text, expected) in [
            ("ls | sort | cat\nrm -rf src 2>/dev/null", "ls sort cat rm"),
            ("ls | sort | cat -n\n\n# gone\nrm -rf src > log\ntrue", "ls sort cat rm true"),
            ("a | b | c\nd > x\ne | f | g\nh > y", "a b c d e f g h"),
            ("a | b | c | d\nx=1 rm y > z", "a b c d rm"),
            ("if true; then\n  a | b | c\n  rm y > z\nfi", "true a b c rm"),
            ("ls | sort | cat \\\n  -n > x", "ls sort cat"),
            ("ls | sort |\n  cat > x\nrm y", "ls sort cat rm"),
            ("a | b | cat <<E > x\nrm y\nE\nz", "a b cat z"),
            ("sh <<'E' 2>&1 | tail -5\nrm -rf src\nE\nz", "rm tail z"),
            ("cat <<E 2>&1 | sort | uniq\nrm y 2>&1\nE\nz > x", "cat sort uniq z"),
            ("echo '<<E 2>&1 | rm'\nz", "echo z"),
        ] {
            assert_eq!(programs(text).join(" "), expected, "{text}");
        }
    }
}
