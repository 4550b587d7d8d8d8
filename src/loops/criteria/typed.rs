//! The words of a loop command, typed in a session: `"Fix the tests" --until "npm test passes" --max-iterations 5`.

/// What was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedLoop {
    /// Everything that is no option.
    pub task: String,
    /// `--until`, or the documents' `--completion`.
    pub until: Option<String>,
    /// `--max-iterations`.
    pub max_iterations: u32,
    /// `--timeout`, minutes.
    pub timeout_minutes: u64,
    /// `--loop-id`.
    pub loop_id: Option<String>,
    /// `--force`.
    pub force: bool,
    /// `--scope`, once for each glob.
    pub scope: Vec<String>,
    /// `--commit`; `--no-commit` says what holds anyway.
    pub commit: bool,
    /// `--branch`; an empty name is one made of the loop's id.
    pub branch: Option<String>,
    /// `--verify-original`.
    pub verify_original: bool,
}

/// The documents' default limits.
pub const DEFAULT_MAX_ITERATIONS: u32 = 10;
/// The documents' default timeout, minutes.
pub const DEFAULT_TIMEOUT_MINUTES: u64 = 60;

impl Default for TypedLoop {
    fn default() -> Self {
        TypedLoop {
            task: String::new(),
            until: None,
            max_iterations: DEFAULT_MAX_ITERATIONS,
            timeout_minutes: DEFAULT_TIMEOUT_MINUTES,
            loop_id: None,
            force: false,
            scope: Vec::new(),
            commit: false,
            branch: None,
            verify_original: false,
        }
    }
}

impl TypedLoop {
    /// The switch of this name.
    fn flag(&mut self, name: &str) -> Option<&mut bool> {
        match name {
            "--force" => Some(&mut self.force),
            "--commit" => Some(&mut self.commit),
            "--verify-original" => Some(&mut self.verify_original),
            _ => None,
        }
    }
}

/// Parses the text behind the command.
pub fn parse(arguments: &str) -> Result<TypedLoop, String> {
    let mut typed = TypedLoop::default();
    let mut words = words(arguments)?.into_iter().peekable();
    let mut task = Vec::new();
    while let Some(word) = words.next() {
        let (name, mut value) = match word.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name.to_owned(), Some(value.to_owned())),
            _ => (word.clone(), None),
        };
        if let Some(flag) = typed.flag(&name) {
            *flag = true;
            continue;
        }
        if name == "--branch" && value.is_none() && words.peek().is_none_or(|next| next.starts_with("--")) {
            typed.branch = Some(String::new());
            continue;
        }
        let mut take = || value.take().or_else(|| words.next()).ok_or(format!("{name} needs a value"));
        match name.as_str() {
            "--until" | "--completion" => typed.until = Some(take()?),
            "--max-iterations" => typed.max_iterations = number(&name, &take()?)?,
            "--timeout" => typed.timeout_minutes = number(&name, &take()?)?,
            "--loop-id" => typed.loop_id = Some(take()?),
            "--scope" => typed.scope.push(take()?),
            "--branch" => typed.branch = Some(take()?),
            "--no-commit" => typed.commit = false,
            "--interactive" => {
                return Err("--interactive needs a terminal: steadfast loop start --interactive".to_owned());
            }
            _ if name.starts_with("--") => return Err(format!("{name} is no option of a loop")),
            _ => task.push(word),
        }
    }
    typed.task = task.join(" ");
    if typed.task.is_empty() {
        return Err("say what to do: \"<task>\" --until \"<command> passes\"".to_owned());
    }
    Ok(typed)
}

/// The words behind a command that goes on with a loop.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ResumeWords {
    /// The loop; empty when none is named.
    pub named: String,
    /// `--max-iterations`.
    pub max_iterations: Option<u32>,
    /// `--timeout`, minutes.
    pub timeout_minutes: Option<u64>,
}

/// Parses them: a loop's id, and new limits.
pub fn limits(arguments: &str) -> Result<ResumeWords, String> {
    let mut resumed = ResumeWords::default();
    let mut words = words(arguments)?.into_iter();
    while let Some(word) = words.next() {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
            None => (word.clone(), None),
        };
        let mut take = || value.clone().or_else(|| words.next()).ok_or(format!("{name} needs a value"));
        match name.as_str() {
            "--max-iterations" => resumed.max_iterations = Some(number(&name, &take()?)?),
            "--timeout" => resumed.timeout_minutes = Some(number(&name, &take()?)?),
            "--loop-id" => resumed.named = take()?,
            _ if name.starts_with("--") => return Err(format!("{name} is no option here")),
            _ if resumed.named.is_empty() => resumed.named = word,
            _ => return Err(format!("one loop at a time: {} or {word}", resumed.named)),
        }
    }
    Ok(resumed)
}

fn number<T: std::str::FromStr>(name: &str, value: &str) -> Result<T, String> {
    value.parse().map_err(|_| format!("{name} takes a whole number, not {value:?}"))
}

/// Splits at blanks outside quotes. A quote inside a word is a letter, so that `don't` is a word.
fn words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (word, after) = match first {
            '"' | '\'' | '“' => {
                let close = if first == '“' { '”' } else { first };
                let inner = &rest[first.len_utf8()..];
                let end = inner.find(close).ok_or(format!("the quote {first} is never closed"))?;
                (&inner[..end], &inner[end + close.len_utf8()..])
            }
            _ => rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len())),
        };
        words.push(word.to_owned());
        rest = after.trim_start();
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(task: &str, until: Option<&str>, max: u32, timeout: u64) -> TypedLoop {
        TypedLoop {
            task: task.into(),
            until: until.map(Into::into),
            max_iterations: max,
            timeout_minutes: timeout,
            ..TypedLoop::default()
        }
    }

    #[test]
    fn a_loop_and_new_limits() {
        let both = ResumeWords { named: "one".into(), max_iterations: Some(20), timeout_minutes: Some(5) };
        assert_eq!(limits(" one --max-iterations 20 --timeout=5"), Ok(both.clone()));
        assert_eq!(limits("--timeout 5 --loop-id one --max-iterations=20"), Ok(both));
        assert_eq!(limits(""), Ok(ResumeWords::default()));
        for bad in ["one two", "--max-iterations", "--max-iterations x", "--force"] {
            assert!(limits(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn every_option_of_the_documents() {
        let text = "Fix it --loop-id my-loop --force --scope 'src/**' --scope=lib --commit --branch --verify-original";
        let all = TypedLoop {
            loop_id: Some("my-loop".into()),
            force: true,
            scope: vec!["src/**".into(), "lib".into()],
            commit: true,
            branch: Some(String::new()),
            verify_original: true,
            ..typed("Fix it", None, 10, 60)
        };
        assert_eq!(parse(text), Ok(all));
        let named = parse("Fix --branch fix/it --no-commit").unwrap();
        assert_eq!((named.branch.as_deref(), named.commit), (Some("fix/it"), false));
        assert!(parse("Fix --interactive").unwrap_err().contains("terminal"));
    }

    #[test]
    fn commands_as_people_type_them() {
        let rows = [
            (" \"Fix it\" --until \"npm test passes\"", Ok(typed("Fix it", Some("npm test passes"), 10, 60))),
            (
                "Fix it --until 'npm test passes' --max-iterations 3",
                Ok(typed("Fix it", Some("npm test passes"), 3, 60)),
            ),
            ("fix don't-care --completion=x --timeout=5", Ok(typed("fix don't-care", Some("x"), 10, 5))),
            ("“Fix it” --until “make passes”", Ok(typed("Fix it", Some("make passes"), 10, 60))),
            ("Fix until npm test passes", Ok(typed("Fix until npm test passes", None, 10, 60))),
        ];
        for (text, expected) in rows {
            assert_eq!(parse(text), expected, "{text}");
        }
        for bad in ["", "--until x", "a --until", "a --max-iterations many", "\"a", "a --frobnicate 1"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
