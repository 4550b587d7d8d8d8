//! TAP, which `tap` writes and many others can: `ok 1 - name`, nested with indents as node writes it or in braces as
//! vitest does; a parent is counted by what is in it.

use crate::metrics::{NAMES, ResultReader, TestOutcome, Tests};
use crate::runners::model::{Ecosystem, OutputReader, Runner, RunnerProgram, RunnerWords};

/// The runner.
pub(crate) static RUNNER: Runner = Runner {
    name: "tap",
    programs: &[RunnerProgram::always(&["tap"])],
    words: RunnerWords::all(&["tap"]),
    ecosystem: Ecosystem::Node,
    results: Some(OutputReader { turn: 130, read: || Box::new(Tap::default()) }),
    ..Runner::NOTHING
};

/// How many results wait for their parents.
const MOST: usize = NAMES;
/// A result further in than this is text.
const DEEPEST: usize = 80;

#[derive(Default)]
struct Tap {
    /// A version line or a plan was seen: without one anybody may write `ok`.
    is_tap: bool,
    /// A result had its number.
    is_numbered: bool,
    results: Vec<Result>,
    /// Results beyond what is kept: only counted.
    more: Tests,
    /// The names of the blocks in braces that are open.
    braces: Vec<String>,
    yaml: bool,
}

struct Result {
    indent: usize,
    name: String,
    outcome: TestOutcome,
}

impl ResultReader for Tap {
    fn line(&mut self, line: &str) {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        if self.yaml {
            self.yaml = text != "...";
            return;
        }
        if text.starts_with("---") {
            self.yaml = text == "---" && self.is_tap;
            return;
        }
        if text == "}" {
            self.braces.pop();
        }
        self.is_tap |= says_tap(text);
        let (failed, rest) = match (text.strip_prefix("ok"), text.strip_prefix("not ok")) {
            (Some(rest), _) => (false, rest),
            (_, Some(rest)) => (true, rest),
            _ => return,
        };
        self.is_numbered |= rest.trim_start().starts_with(|letter: char| letter.is_ascii_digit());
        if !failed && rest.is_empty() && self.is_numbered {
            // What a harness says of a file whose tests stand above.
            return;
        }
        if indent <= DEEPEST && (rest.starts_with([' ', '\t']) || rest.is_empty()) {
            self.result(indent, failed, rest.trim());
        }
    }

    fn end(self: Box<Self>) -> Option<Tests> {
        if !self.is_tap {
            return None;
        }
        let mut tests = self.more;
        for result in &self.results {
            tests.add(&result.name, result.outcome);
        }
        Some(tests)
    }
}

impl Tap {
    fn result(&mut self, indent: usize, failed: bool, rest: &str) {
        let opens = rest.ends_with('{');
        let rest = rest.trim_end_matches('{').trim_end();
        let (name, outcome) = named(failed, rest);
        if opens {
            // What is in the braces follows.
            self.braces.push(name.trim().to_owned());
            return;
        }
        // What stood above with a deeper indent is inside of this one.
        let inside = self.results.iter().rev().take_while(|result| result.indent > indent).count();
        let is_parent = inside > 0;
        let from = self.results.len() - inside;
        for result in self.results.get_mut(from..).unwrap_or_default() {
            result.name = format!("{} > {}", name.trim(), result.name);
            result.indent = indent;
        }
        if is_parent {
            return;
        }
        let path: Vec<&str> = self.braces.iter().map(String::as_str).chain([name.trim()]).collect();
        let name = path.join(" > ");
        if self.results.len() >= MOST {
            self.more.count(outcome);
            return;
        }
        self.results.push(Result { indent, name, outcome });
    }
}

/// Whether a line, without its indentation, is a version or a plan.
pub(super) fn says_tap(text: &str) -> bool {
    let plan = text.strip_prefix("1..").map(|count| count.split(' ').next().unwrap_or_default());
    plan.is_some_and(|count| !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit()))
        || text.starts_with("TAP version ")
}

/// The name of `1 - adds # SKIP slow`, and how its test ended.
fn named(failed: bool, rest: &str) -> (&str, TestOutcome) {
    let unnumbered = rest.trim_start_matches(|letter: char| letter.is_ascii_digit()).trim_start();
    let named = unnumbered.strip_prefix("- ").unwrap_or(unnumbered);
    let (name, directive) = named.split_once("# ").unwrap_or((named, ""));
    let directive = directive.to_ascii_uppercase();
    let outcome = match (failed, directive.starts_with("SKIP") || directive.starts_with("TODO")) {
        (_, true) => TestOutcome::Skipped,
        (true, false) => TestOutcome::Failed,
        (false, false) => TestOutcome::Passed,
    };
    (name, outcome)
}
