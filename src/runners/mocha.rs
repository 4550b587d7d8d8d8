//! Mocha: `1 passing (3ms)`, `1 pending`, `2 failing`, the tree above them, and the numbered list below them.

use crate::metrics::{ResultReader, TestOutcome, Tests};
use crate::runners::counts::{together, untimed};
use crate::runners::failure::{TestFailure, error_class, indent, last, place_in_stack, quoted};
use crate::runners::listing::starts;
use crate::runners::model::{
    Ecosystem, ListForm, OutputReader, Runner, RunnerCommands, RunnerProgram, RunnerWords, TestLister,
    ToolConfiguration, WeakeningSettings,
};
use crate::runners::options::{Weakens, any, weakening, zero};

/// The runner.
pub(crate) static RUNNER: Runner = Runner {
    name: "mocha",
    programs: &[RunnerProgram::always(&["mocha"])],
    words: RunnerWords::all(&["mocha"]),
    ecosystem: Ecosystem::Node,
    project: Some(|project| RunnerCommands {
        list: (project.depends("mocha") || project.script_has("mocha"))
            .then(|| "npx --no-install mocha --dry-run --reporter json".to_owned()),
        ..RunnerCommands::default()
    }),
    list: Some(TestLister {
        of: Some(OutputReader { turn: 80, read: list_of }),
        form: ListForm::DryRun,
        known_by_form: None,
        any_exit_code: false,
    }),
    results: Some(OutputReader { turn: 70, read: || Box::new(Mocha::default()) }),
    executed: Some(OutputReader { turn: 60, read: executed }),
    failures: Some(OutputReader { turn: 140, read: failures }),
    alone: Some(|test| Some(format!("npx mocha -g {}", quoted(last(test))))),
    weakenings: &[
        weakening(Weakens::HidesFailure, "--no-timeouts", &[], any),
        weakening(Weakens::HidesFailure, "--timeout", &[], zero),
        weakening(Weakens::LeavesTestsOut, "--exclude", &["mocha"], any),
        weakening(Weakens::LeavesTestsOut, "--invert", &["mocha"], any),
    ],
    configuration: &[ToolConfiguration {
        tool: "mocha",
        files: &[".mocharc.json", ".mocharc.js", ".mocharc.cjs", ".mocharc.yml", ".mocharc.yaml"],
        keys: &[("package.json", &["mocha"])],
    }],
    settings: WeakeningSettings {
        files: &[".mocharc*"],
        filters: &["grep"],
        switches: &[("forbidOnly", "false")],
        places: &["spec"],
        lines: &[],
    },
    ..Runner::NOTHING
};

fn list_of(words: &[&str]) -> Option<String> {
    starts(words, "mocha").then(|| format!("{} --dry-run", words.join(" ")))
}

#[derive(Default)]
struct Mocha {
    tests: Tests,
    sum: Option<(u64, u64, u64)>,
    blocks: Vec<(usize, String)>,
}

impl ResultReader for Mocha {
    fn line(&mut self, line: &str) {
        let trimmed = line.trim_start();
        let indent = line.len() - trimmed.len();
        if let Some((count, word)) = trimmed.split_once(' ')
            && indent == 2
            && let Ok(count) = count.parse::<u64>()
        {
            let sum = match word.split(' ').next() {
                Some("passing") if word == "passing" || word.ends_with(')') => self.sum.insert((count, 0, 0)),
                Some("failing") if word == "failing" => self.sum.get_or_insert_default(),
                Some("pending") if word == "pending" => self.sum.get_or_insert_default(),
                _ => return,
            };
            match word {
                "failing" => sum.1 = count,
                "pending" => sum.2 = count,
                _ => {}
            }
            return;
        }
        if self.sum.is_none() && indent >= 2 && !trimmed.is_empty() {
            self.of_tree(indent, trimmed);
        }
    }

    fn end(self: Box<Self>) -> Option<Tests> {
        self.sum?;
        together(self.tests, self.sum)
    }
}

impl Mocha {
    fn of_tree(&mut self, indent: usize, trimmed: &str) {
        while self.blocks.last().is_some_and(|(depth, _)| *depth >= indent) {
            self.blocks.pop();
        }
        let numbered = trimmed
            .split_once(") ")
            .filter(|(count, _)| count.bytes().all(|byte| byte.is_ascii_digit()))
            .map(|(_, name)| (name, TestOutcome::Failed));
        let marks = [("✔ ", TestOutcome::Passed), ("✓ ", TestOutcome::Passed), ("- ", TestOutcome::Skipped)];
        let marked = marks.iter().find_map(|(mark, outcome)| Some((trimmed.strip_prefix(mark)?, *outcome)));
        match numbered.or(marked) {
            Some((name, outcome)) => {
                let blocks = self.blocks.iter().map(|(_, block)| block.as_str());
                let path: Vec<&str> = blocks.chain([untimed(name)]).collect();
                self.tests.add(&path.join(" > "), outcome);
            }
            None if self.blocks.len() < 50 => self.blocks.push((indent, trimmed.to_owned())),
            None => {}
        }
    }
}

/// `4 passing (12ms)` and `1 failing`
fn executed(line: &str) -> Option<u64> {
    let mut words = line.split_whitespace();
    let count = words.next()?.parse().ok()?;
    let what = words.next()?;
    (matches!(what, "passing" | "failing") && words.count() <= 1).then_some(count)
}

fn failures(lines: &[&str]) -> Vec<TestFailure> {
    let is_count = |line: &str| {
        line.trim()
            .strip_suffix(" failing")
            .is_some_and(|count| count.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let Some(from) = lines.iter().position(|line| is_count(line)) else { return Vec::new() };
    let list = lines.get(from + 1..).unwrap_or_default();
    let starts: Vec<usize> =
        (0..list.len()).filter(|at| list.get(*at).is_some_and(|line| number(line).is_some())).collect();
    let mut failures = Vec::new();
    for (nth, at) in starts.iter().enumerate() {
        let end = starts.get(nth + 1).copied().unwrap_or(list.len());
        failures.extend(block(list.get(*at..end).unwrap_or_default()));
    }
    failures
}

/// `1) sum`: the list's own numbers stand two blanks in.
fn number(line: &str) -> Option<&str> {
    let (count, name) = line.trim().split_once(") ")?;
    (indent(line) == 2 && count.bytes().all(|byte| byte.is_ascii_digit())).then_some(name)
}

/// The title goes over several lines, each further in, until one ends with a colon.
fn block(lines: &[&str]) -> Option<TestFailure> {
    let mut path = vec![number(lines.first()?)?.trim_end_matches(':').to_owned()];
    let mut at = 1;
    if !lines.first()?.ends_with(':') {
        for line in lines.get(1..)? {
            at += 1;
            path.push(line.trim().trim_end_matches(':').to_owned());
            if line.ends_with(':') || path.len() > 20 {
                break;
            }
        }
    }
    let body = lines.get(at..)?;
    let message = body.iter().find(|line| !line.trim().is_empty())?.trim();
    let diff =
        body.iter().position(|line| line.trim() == "+ expected - actual").map_or(body.len(), |at| at + 1);
    let side = |sign: char| {
        body.iter()
            .skip(diff)
            .take_while(|line| !line.trim().starts_with("at "))
            .find_map(|line| line.trim().strip_prefix(sign).map(|value| value.trim().to_owned()))
    };
    Some(TestFailure {
        test: Some(path.join(" > ")),
        message: message.to_owned(),
        expected: side('+'),
        actual: side('-'),
        place: body.iter().find_map(|line| place_in_stack(line)),
        error_type: error_class(message),
    })
}
