//! One more allowed command in the text of `aiwg.yml`, as a person would write it there: everything else stays, comments too.

use super::{BLOCK, Config};

/// The key of the list.
const KEY: &str = "allowed_commands";

/// The text with one more allowed command; `None` where the list is written in a way that only its writer should change,
/// or the text can't be understood.
pub fn with_allowed_command(text: &str, pattern: &str) -> Option<String> {
    let before = Config::parse(text.as_bytes()).config;
    let new = inserted(text, pattern)?;
    let after = Config::parse(new.as_bytes());
    // Only what was meant has changed, as the file will be read.
    let mut expected = before.clone();
    expected.allowed_commands.clone_from(&after.config.allowed_commands);
    let added = after.config.allowed_commands.split_last();
    let is_added = added
        .is_some_and(|(last, rest)| rest == before.allowed_commands && String::from(last.clone()) == pattern);
    (is_added && after.config == expected).then_some(new)
}

fn inserted(text: &str, pattern: &str) -> Option<String> {
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let quoted = format!("\"{}\"", pattern.replace('\\', "\\\\").replace('"', "\\\""));
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let Some(block) = lines.iter().position(|line| key_of(line) == Some((0, BLOCK))) else {
        lines.extend([format!("{BLOCK}:"), format!("  {KEY}:"), format!("    - {quoted}")]);
        return Some(lines.join(end) + end);
    };
    let children = lines.iter().enumerate().skip(block + 1);
    let within: Vec<usize> =
        children.take_while(|(_, line)| is_blank(line) || indent(line) > 0).map(|(at, _)| at).collect();
    let is_key =
        |at: &&usize| lines.get(**at).and_then(|line| key_of(line)).is_some_and(|(_, key)| key == KEY);
    if let Some(list) = within.iter().find(is_key).copied() {
        return appended(lines, list, &quoted).map(|lines| lines.join(end) + end);
    }
    let first = within.iter().find(|at| lines.get(**at).is_some_and(|line| !is_blank(line)));
    let deep = first.and_then(|at| lines.get(*at)).map_or(2, |line| indent(line));
    let step = " ".repeat(deep);
    lines.insert(block + 1, format!("{step}{KEY}:"));
    lines.insert(block + 2, format!("{step}  - {quoted}"));
    Some(lines.join(end) + end)
}

/// Behind the last item of a list that stands item by item below its key.
fn appended(mut lines: Vec<String>, list: usize, quoted: &str) -> Option<Vec<String>> {
    let head = lines.get(list)?;
    let (deep, rest) = (indent(head), head.split_once(':')?.1.trim());
    if !rest.is_empty() && !rest.starts_with('#') {
        return None;
    }
    let is_item = |line: &String| line.trim_start().starts_with("- ") && indent(line) >= deep;
    let items = lines.iter().enumerate().skip(list + 1);
    let last = items
        .take_while(|(_, line)| is_blank(line) || is_item(line))
        .filter(|(_, line)| is_item(line))
        .last();
    let (at, line) = last?;
    let item = format!("{}- {quoted}", " ".repeat(indent(line)));
    lines.insert(at + 1, item);
    Some(lines)
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn is_blank(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with('#')
}

/// A line's depth and its key.
fn key_of(line: &str) -> Option<(usize, &str)> {
    let key = line.trim_start().split_once(':')?.0;
    (!key.starts_with('#')).then(|| (indent(line), key.trim().trim_matches(['"', '\''])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_added_and_everything_else_stays() {
        for (before, after) in [
            ("", "agent_persistence:\n  allowed_commands:\n    - \"git push --force\"\n"),
            (
                "# ours\nother:\n  x: 1\n",
                "# ours\nother:\n  x: 1\nagent_persistence:\n  allowed_commands:\n    - \"git push --force\"\n",
            ),
            (
                "agent_persistence:\n    # deep\n    enabled: true\nother: 1\n",
                "agent_persistence:\n    allowed_commands:\n      - \"git push --force\"\n    # deep\n    enabled: true\nother: 1\n",
            ),
            (
                "agent_persistence:\n  allowed_commands: # which\n  - npm publish  # weekly\n  enabled: true\n",
                "agent_persistence:\n  allowed_commands: # which\n  - npm publish  # weekly\n  - \"git push --force\"\n  enabled: true\n",
            ),
            (
                "agent_persistence:\r\n  enabled: true\r\n",
                "agent_persistence:\r\n  allowed_commands:\r\n    - \"git push --force\"\r\n  enabled: true\r\n",
            ),
        ] {
            assert_eq!(with_allowed_command(before, "git push --force").as_deref(), Some(after), "{before}");
        }
        for theirs in [
            "agent_persistence:\n  allowed_commands: [npm publish]\n",
            "agent_persistence: {enabled: true}\n",
            "agent_persistence:\n  allowed_commands: npm publish\n",
            "agent_persistence: [\n",
        ] {
            assert_eq!(with_allowed_command(theirs, "git push --force"), None, "{theirs}");
        }
    }
}
