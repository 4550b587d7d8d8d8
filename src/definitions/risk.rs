//! Which calls a risk pattern means: a small glob over files and commands.
//!
//! Pure, no regular expression is compiled, and a match costs pattern times text at most, whatever both are.

use super::model::RiskRule;

/// The most alternatives that the braces of a pattern may spell out.
const ALTERNATIVES: usize = 64;
/// The longest pattern, bytes.
const PATTERN: usize = 500;
/// The longest command or path that is looked at, characters.
const TARGET: usize = 8_192;
/// The tools that write files.
const WRITERS: &[&str] = &["Write", "Edit", "MultiEdit", "NotebookEdit"];
/// The tools that run shell text.
const SHELLS: &[&str] = &["Bash", "PowerShell"];

impl RiskRule {
    /// Whether a call of `tool` on the file `path` (relative to the project, with `/`) is meant.
    pub fn means_file(&self, tool: &str, path: &str) -> bool {
        let pattern = self.file_pattern.as_deref();
        pattern.is_some_and(|pattern| self.means_tool(tool) && matches(pattern, path, Stars::StopAtSlash))
    }

    /// Whether a call of `tool` that runs `command` is meant: one simple command, unquoted, its words joined with a
    /// space. A pattern means the command itself, not a text that it holds.
    pub fn means_command(&self, tool: &str, command: &str) -> bool {
        let pattern = self.command_pattern.as_deref();
        pattern.is_some_and(|pattern| self.means_tool(tool) && matches(pattern, command, Stars::PassSlash))
    }

    fn means_tool(&self, tool: &str) -> bool {
        match self.tool.as_ref() {
            "Write" => WRITERS.contains(&tool),
            "Bash" => SHELLS.contains(&tool),
            named => named == tool,
        }
    }
}

/// Whether `*` matches a slash.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stars {
    PassSlash,
    StopAtSlash,
}

/// What is wrong with a pattern, if anything is.
pub fn fault(pattern: &str) -> Option<String> {
    if pattern.is_empty() {
        return Some("the pattern is empty".to_owned());
    }
    alternatives(pattern).err()
}

fn matches(pattern: &str, target: &str, stars: Stars) -> bool {
    let target: Vec<char> = target.chars().take(TARGET).collect();
    alternatives(pattern).is_ok_and(|patterns| patterns.iter().any(|pattern| one(pattern, &target, stars)))
}

/// A pattern without its braces: `a.{x,y}` is `a.x` and `a.y`.
fn alternatives(pattern: &str) -> Result<Vec<String>, String> {
    if pattern.len() > PATTERN {
        return Err(format!("a pattern has at most {PATTERN} bytes"));
    }
    let mut done = vec![String::new()];
    let mut rest = pattern;
    while let Some(open) = rest.find('{') {
        let inside = &rest[open + 1..];
        let Some(close) = inside.find('}') else {
            return Err("a `{` of the pattern has no `}`".to_owned());
        };
        if inside[..close].contains('{') {
            return Err("braces inside braces are not understood".to_owned());
        }
        let choices: Vec<&str> = inside[..close].split(',').collect();
        if done.len() * choices.len() > ALTERNATIVES {
            return Err(format!("the braces of the pattern spell out more than {ALTERNATIVES} alternatives"));
        }
        let before = &rest[..open];
        done = done
            .iter()
            .flat_map(|start| choices.iter().map(move |choice| format!("{start}{before}{choice}")))
            .collect();
        rest = &inside[close + 1..];
    }
    done.iter_mut().for_each(|start| start.push_str(rest));
    Ok(done)
}

/// One step of a pattern.
#[derive(Clone, Copy)]
enum RiskStep {
    /// This character.
    Exactly(char),
    /// Any one character but a slash.
    One,
    /// Any characters but a slash, or none.
    Within,
    /// Any characters, or none.
    Across,
    /// Whole folders, or none: `**/`.
    Folders,
}

fn steps(pattern: &str, stars: Stars) -> Vec<RiskStep> {
    let mut steps = Vec::new();
    let mut rest = pattern;
    while let Some(first) = rest.chars().next() {
        let at_start =
            steps.is_empty() || matches!(steps.last(), Some(RiskStep::Exactly('/') | RiskStep::Folders));
        let (step, length) = match first {
            '*' if stars == Stars::PassSlash => (RiskStep::Across, 1),
            '*' if at_start && rest.starts_with("**/") => (RiskStep::Folders, 3),
            '*' if rest.starts_with("**") => (RiskStep::Across, 2),
            '*' => (RiskStep::Within, 1),
            '?' => (RiskStep::One, 1),
            _ => (RiskStep::Exactly(first), first.len_utf8()),
        };
        steps.push(step);
        rest = &rest[length..];
    }
    steps
}

/// Keeps, step by step, which beginnings of the target are matched so far.
fn one(pattern: &str, target: &[char], stars: Stars) -> bool {
    let mut reached = vec![false; target.len() + 1];
    reached[0] = true;
    for step in steps(pattern, stars) {
        let mut next = vec![false; target.len() + 1];
        let mut open = false;
        for end in 0..=target.len() {
            let last = end.checked_sub(1).and_then(|last| target.get(last)).copied();
            next[end] = match step {
                RiskStep::Exactly(character) => last == Some(character) && reached[end - 1],
                RiskStep::One => last.is_some_and(|last| last != '/') && reached[end - 1],
                RiskStep::Within => {
                    open = reached[end] || (open && last != Some('/'));
                    open
                }
                RiskStep::Across => {
                    open |= reached[end];
                    open
                }
                RiskStep::Folders => {
                    let before = open;
                    open |= reached[end];
                    reached[end] || (before && last == Some('/'))
                }
            };
        }
        reached = next;
    }
    reached.last() == Some(&true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(tool: &'static str, file: Option<&'static str>, command: Option<&'static str>) -> RiskRule {
        RiskRule {
            tool: tool.into(),
            file_pattern: file.map(Into::into),
            command_pattern: command.map(Into::into),
            risk: "r".into(),
        }
    }

    #[test]
    fn file_patterns() {
        let rows = [
            ("**/test/**/*", "test/a.js", true),
            ("**/test/**/*", "src/test/unit/a.js", true),
            ("**/test/**/*", "src/tests/a.js", false),
            ("**/test/**/*", "src/mytest/a.js", false),
            ("**/test/**/*", "src/latest/a.js", false),
            ("**/test/**/*", "test", false),
            ("**/*.test.{ts,js,py}", "a.test.ts", true),
            ("**/*.test.{ts,js,py}", "src/x/a.test.py", true),
            ("**/*.test.{ts,js,py}", "src/a.test.rb", false),
            ("**/*.test.{ts,js,py}", "src/a.test.ts.bak", false),
            ("*.md", "a.md", true),
            ("*.md", "docs/a.md", false),
            ("docs/**", "docs/a/b.md", true),
            ("docs/**", "docs", false),
            ("src/?.rs", "src/a.rs", true),
            ("src/?.rs", "src//.rs", false),
            ("src/*", "src/a/b", false),
            ("é?", "éü", true),
            ("", "", true),
            ("{a,b}{c,d}", "bc", true),
            ("{a,b", "a", false),
        ];
        for (glob, path, expected) in rows {
            let pattern = pattern("Write", Some(glob), None);
            assert_eq!(pattern.means_file("Write", path), expected, "{glob} on {path}");
        }
    }

    #[test]
    fn command_patterns() {
        let rows = [
            ("rm -rf*", "rm -rf build/x", true),
            ("rm -rf*", "rm -rf", true),
            ("rm -rf*", "echo rm -rf build", false),
            ("git rm*", "git rm -r tests", true),
            ("git rm*", "git commit -m rm", false),
            ("git push * --force*", "git push origin main --force-with-lease", true),
            ("make ?lean", "make clean", true),
        ];
        for (glob, command, expected) in rows {
            let pattern = pattern("Bash", None, Some(glob));
            assert_eq!(pattern.means_command("Bash", command), expected, "{glob} on {command}");
        }
    }

    #[test]
    fn a_pattern_means_the_tools_of_its_kind() {
        let writes = pattern("Write", Some("*"), None);
        let edits = pattern("Edit", Some("*"), None);
        let shells = pattern("Bash", None, Some("*"));
        let rows = [
            (writes.means_file("Edit", "a"), true),
            (writes.means_file("NotebookEdit", "a"), true),
            (writes.means_file("Bash", "a"), false),
            (writes.means_command("Write", "a"), false),
            (edits.means_file("Edit", "a"), true),
            (edits.means_file("Write", "a"), false),
            (shells.means_command("PowerShell", "a"), true),
            (shells.means_command("Edit", "a"), false),
        ];
        for (place, (found, expected)) in rows.into_iter().enumerate() {
            assert_eq!(found, expected, "row {place}");
        }
    }

    #[test]
    fn hostile_patterns_end_soon() {
        let target = "a/".repeat(TARGET);
        let stars = pattern("Write", Some("**/*a*/**/*a*/**/*a*/**/*a*/**/*b"), None);
        assert!(!stars.means_file("Write", &target));
        for bad in ["{a,b}".repeat(20), "x".repeat(PATTERN + 1), "{a{b,c}}".into(), "{".into(), String::new()]
        {
            assert!(fault(&bad).is_some(), "{bad:?}");
        }
        assert_eq!(fault("**/*.{a,b}"), None);
    }
}
