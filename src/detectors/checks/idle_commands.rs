//! Commands that run nothing, and so can't fail.

/// The words of a command.
pub(crate) fn words(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    for c in command.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => word.push(c),
            None if matches!(c, '"' | '\'') => quote = Some(c),
            None if c.is_whitespace() || matches!(c, ';' | '(' | ')') => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            }
            None => word.push(c),
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// Whether a command only says something, or nothing.
pub(super) fn says_nothing(command: &str) -> bool {
    let command = command.trim().trim_start_matches(['@', '-']).trim();
    let command = command.split(" #").next().unwrap_or(command).trim_end();
    let first = command.split_whitespace().next().unwrap_or_default();
    command.is_empty()
        || matches!(
            command,
            "true" | ":" | "exit 0" | "exit 0;" | "/bin/true" | "node -e ''" | "node -e \"\""
        )
        || runs_no_code(command)
        || (matches!(first, "true" | ":" | "/bin/true") && !command.contains([';', '|', '&', '\n']))
        || (matches!(first, "echo" | "printf" | "@echo") && !command.contains('|') && !command.contains('\n'))
}

/// An interpreter that is given nothing to run: `node -e 0`, `python3 -c pass`.
fn runs_no_code(command: &str) -> bool {
    let words = words(command);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let [program, "-e" | "-c" | "-p", source @ ..] = words.as_slice() else { return false };
    let interprets = ["node", "bun", "deno", "python", "python3", "ruby", "perl", "sh", "bash"];
    let ends_well =
        ["0", "1", "true", "pass", ":", "exit", "exit 0", "process.exit(0)", "process.exit()", "exit(0)"];
    interprets.contains(program)
        && match source {
            [] => true,
            [only] => ends_well.contains(only),
            _ => false,
        }
}
