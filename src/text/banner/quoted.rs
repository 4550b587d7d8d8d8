//! Text of others as it may stand in a banner: without words of the host, cut, on one line.

/// Tags that hosts put around their own words.
const HOST_TAGS: &[&str] = &[
    "system",
    "assistant",
    "user",
    "human",
    "antml",
    "function_calls",
    "function_results",
    "invoke",
    "parameter",
    "tool_result",
    "tool_use",
    "instructions",
    "task-notification",
    "command-name",
    "command-message",
    "command-args",
    "local-command-stdout",
    "local-command-stderr",
    "bash-input",
    "bash-stdout",
    "bash-stderr",
    "user-prompt-submit-hook",
    "post-tool-use-hook",
    "important",
];

/// Output as it may be quoted to a model: tags that hosts use for their own words lose their brackets.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('<') {
        out.push_str(rest.get(..open).unwrap_or_default());
        let behind = rest.get(open + 1..).unwrap_or_default();
        rest = behind;
        if !is_host_tag(behind) {
            out.push('<');
            continue;
        }
        out.push('[');
        // Attributes end with the bracket; a tag that is never closed ends with its line.
        let end = behind.find(['>', '\n', '<']).unwrap_or(behind.len());
        out.push_str(behind.get(..end).unwrap_or_default());
        rest = behind.get(end..).unwrap_or_default();
        if let Some(after) = rest.strip_prefix('>') {
            out.push(']');
            rest = after;
        }
    }
    out.push_str(rest);
    out
}

/// Whether what follows a `<` names a host's tag, or one like it (`system-reminder`, `antml:invoke`).
fn is_host_tag(text: &str) -> bool {
    let name = text.trim_start_matches(['/', ' ', '\t', '\u{200b}']);
    let end = name
        .find(|letter: char| !(letter.is_ascii_alphanumeric() || "-_".contains(letter)))
        .unwrap_or(name.len());
    let name = name.get(..end).unwrap_or_default().to_ascii_lowercase();
    HOST_TAGS.contains(&name.as_str())
        || name.starts_with("system-")
        || name.starts_with("system_")
        || name.ends_with("-reminder")
}

/// The text, or its first third and its end with a note between.
pub(super) fn cut_middle(text: &str, letters: usize) -> String {
    let count = text.chars().count();
    if count <= letters {
        return text.to_owned();
    }
    let note = format!("\n[… {} letters left out …]\n", count - letters);
    let room = letters.saturating_sub(note.chars().count() + 4);
    // Too little is left for two ends: the end says what came out.
    if room < note.chars().count() {
        let last: String = text.chars().skip(count - letters.saturating_sub(1)).collect();
        return format!("…{last}");
    }
    let first: String = text.chars().take(room / 3).collect();
    let last: String = text.chars().skip(count - (room - room / 3)).collect();
    format!("{first}{note}{last}")
}

/// One line, quoted, at most `letters` long.
pub(super) fn line(text: &str, letters: usize) -> String {
    crate::loops::failures::shorten(&quoted(text), letters)
}
