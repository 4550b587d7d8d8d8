//! `.claude/ralph-loop.local.md`: the ralph-loop plugin's state, a head of `key: value` lines and the prompt below it.
//!
//! The plugin writes its values without escaping them, so the head is read line by line as the plugin itself does, and
//! not as YAML.

use jiff::Timestamp;

/// Where it is, from the project.
pub(super) const FILE: &str = ".claude/ralph-loop.local.md";

/// What such a file says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct PluginLoop {
    /// A file that does not say it counts as active: the plugin goes by the file alone.
    pub(super) active: bool,
    pub(super) iteration: u32,
    /// 0 for no limit.
    pub(super) max_iterations: u32,
    /// The words that the agent says at the end.
    pub(super) promise: Option<String>,
    pub(super) started_at: Option<Timestamp>,
    pub(super) prompt: String,
}

/// Reads the text of the file; `None` where it has no head.
pub(super) fn read(text: &str) -> Option<PluginLoop> {
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let rest = text.trim_start().strip_prefix("---\n")?;
    let (head, prompt) = rest
        .split_once("\n---")
        .map(|(head, rest)| (head, rest.split_once('\n').map(|(_, prompt)| prompt).unwrap_or_default()))?;
    let mut read = PluginLoop { active: true, prompt: prompt.trim().to_owned(), ..PluginLoop::default() };
    for (key, value) in head.lines().filter_map(|line| line.split_once(':')) {
        let value = unquoted(value.trim());
        match key.trim() {
            "active" => read.active = value != "false",
            "iteration" => read.iteration = value.parse().unwrap_or_default(),
            "max_iterations" => read.max_iterations = value.parse().unwrap_or_default(),
            "completion_promise" => {
                read.promise = Some(value.to_owned()).filter(|it| !it.is_empty() && it != "null");
            }
            "started_at" => read.started_at = value.parse().ok(),
            _ => {}
        }
    }
    Some(read)
}

fn unquoted(value: &str) -> &str {
    let within = |quote: char| value.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    within('"').or_else(|| within('\'')).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plugins_file_is_read_as_it_writes_it() {
        let text = "---\nactive: true\niteration: 3\nsession_id: abc\nmax_iterations: 20\n\
                    completion_promise: \"It's \"done\": all\"\nstarted_at: \"2026-01-15T10:30:00Z\"\n---\n\nFix it: all.\n---\nNo tricks.\n";
        let read = read(text).unwrap();
        assert_eq!((read.active, read.iteration, read.max_iterations), (true, 3, 20));
        assert_eq!(read.promise.as_deref(), Some("It's \"done\": all"));
        assert_eq!(read.started_at.unwrap().to_string(), "2026-01-15T10:30:00Z");
        assert_eq!(read.prompt, "Fix it: all.\n---\nNo tricks.");
    }

    #[test]
    fn what_is_missing_or_broken_costs_itself_alone() {
        let rows = [
            ("---\r\nactive: false\r\n---\r\n\r\nx", Some((false, 0, None, "x"))),
            ("---\niteration: many\ncompletion_promise: null\n---\n", Some((true, 0, None, ""))),
            ("---\nmax_iterations: 0\ncompletion_promise: DONE\n---\nx", Some((true, 0, Some("DONE"), "x"))),
            ("no head", None),
            ("---\nactive: true\n", None),
            ("", None),
        ];
        for (text, expected) in rows {
            let read = read(text);
            let said = read.as_ref().map(|it| (it.active, it.iteration, it.promise.as_deref(), &*it.prompt));
            assert_eq!(said, expected, "{text:?}");
        }
    }
}
