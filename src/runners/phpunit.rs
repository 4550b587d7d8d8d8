//! PHPUnit: `OK (2 tests, 3 assertions)`, or `Tests: 4, Assertions: 2, Failures: 1.`, and the numbered lists under
//! `There was 1 error:` and `There were 2 failures:`.

use crate::metrics::{ResultReader, TestOutcome, Tests};
use crate::runners::counts::behind;
use crate::runners::executed;
use crate::runners::failure::{TestFailure, error_class, quoted};
use crate::runners::frames;
use crate::runners::listing::starts;
use crate::runners::model::{
    ListForm, ListSoFar, OutputReader, Runner, RunnerCommands, RunnerProgram, RunnerWords, TestLister,
    ToolConfiguration, WeakeningSettings,
};
use crate::runners::options::{Weakens, any, weakening};

/// The runner.
pub(crate) static RUNNER: Runner = Runner {
    name: "phpunit",
    programs: &[RunnerProgram::always(&["phpunit"])],
    words: RunnerWords::all(&["phpunit"]),
    project: Some(|project| RunnerCommands {
        list: project.is_file("vendor/bin/phpunit").then(|| "vendor/bin/phpunit --list-tests".to_owned()),
        ..RunnerCommands::default()
    }),
    list: Some(TestLister {
        of: Some(OutputReader { turn: 60, read: list_of }),
        form: ListForm::Tests(listed),
        known_by_form: Some(30),
        any_exit_code: false,
    }),
    results: Some(OutputReader { turn: 100, read: || Box::new(Phpunit::default()) }),
    executed: Some(OutputReader { turn: 70, read: executed }),
    failures: Some(OutputReader { turn: 120, read: failures }),
    alone: Some(|test| Some(format!("phpunit --filter {}", quoted(test)))),
    weakenings: &[weakening(Weakens::LeavesTestsOut, "--exclude-group", &["phpunit"], any)],
    configuration: &[ToolConfiguration {
        tool: "phpunit",
        files: &["phpunit.xml", "phpunit.xml.dist"],
        keys: &[],
    }],
    settings: WeakeningSettings {
        switches: &[("failOnRisky", "false")],
        lines: &[
            ("phpunit.xml", "failOnEmptyTestSuite=\"false", true),
            ("phpunit.xml", "=\"false\"", true),
            ("phpunit.xml.dist", "=\"false\"", true),
        ],
        ..WeakeningSettings::NONE
    },
    ..Runner::NOTHING
};

fn list_of(words: &[&str]) -> Option<String> {
    starts(words, "phpunit").then(|| format!("{} --list-tests", words.join(" ")))
}

/// ` - ShopTest::testAdds`.
fn listed(line: &str, list: &mut ListSoFar) {
    match line.strip_prefix(" - ") {
        Some(name) => list.listing.add(name),
        None => list.said_none |= line.starts_with("Available test"),
    }
}

#[derive(Default)]
struct Phpunit {
    tests: Tests,
    seen: bool,
}

impl ResultReader for Phpunit {
    fn line(&mut self, line: &str) {
        if let Some(counts) = line.strip_prefix("OK (").filter(|counts| counts.contains("assertion")) {
            let count = counts.split(' ').next().and_then(|count| count.parse().ok());
            self.tests.passed += count.unwrap_or(0);
            self.seen |= count.is_some();
        } else if line.starts_with("Tests: ") && line.contains("Assertions: ") {
            let number = |label| behind(line, label).unwrap_or(0);
            let failed = number("Errors:") + number("Failures:");
            let skipped = number("Skipped:") + number("Incomplete:");
            self.tests.failed += failed;
            self.tests.skipped += skipped;
            self.tests.passed += number("Tests:").saturating_sub(failed + skipped);
            self.seen = true;
        } else if let Some((number, name)) = line.split_once(") ")
            && number.bytes().all(|byte| byte.is_ascii_digit())
            && name.contains("::")
            && !name.contains(' ')
        {
            self.tests.name(name, TestOutcome::Failed);
        }
    }

    fn end(self: Box<Self>) -> Option<Tests> {
        self.seen.then_some(self.tests)
    }
}

/// `OK (4 tests, 8 assertions)` and `Tests: 5, Assertions: 9, Failures: 1, Skipped: 2.`
fn executed(line: &str) -> Option<u64> {
    if let Some(rest) = line.strip_prefix("OK (") {
        return executed::before(rest, "tests").or_else(|| executed::before(rest, "test"));
    }
    let rest = line.strip_prefix("Tests: ").filter(|rest| rest.contains("Assertions: "))?;
    let all: u64 = rest.split(',').next()?.trim().parse().ok()?;
    let after = |name: &str| rest.split(name).nth(1)?.split([',', '.']).next()?.trim().parse::<u64>().ok();
    Some(all.saturating_sub(after("Skipped: ").unwrap_or(0) + after("Incomplete: ").unwrap_or(0)))
}

fn failures(lines: &[&str]) -> Vec<TestFailure> {
    let is_head = |line: &str| {
        let counted = line.starts_with("There was ") || line.starts_with("There were ");
        counted && (line.contains("failure") || line.contains("error")) && line.ends_with(':')
    };
    let Some(from) = lines.iter().position(|line| is_head(line)) else { return Vec::new() };
    let list = lines.get(from..).unwrap_or_default();
    let mut failures = Vec::new();
    for (at, line) in list.iter().enumerate() {
        let Some((count, name)) = line.split_once(") ") else { continue };
        let is_title =
            !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit()) && name.contains("::");
        if is_title {
            failures.push(block(name, list.get(at + 1..).unwrap_or_default()));
        }
    }
    failures
}

fn block(name: &str, below: &[&str]) -> TestFailure {
    let ends = |line: &str| {
        line.starts_with("--") || line.contains(") ") && line.contains("::") || line.starts_with("Tests: ")
    };
    let body =
        below.get(..below.iter().position(|line| ends(line)).unwrap_or(below.len())).unwrap_or_default();
    let told = body.first().copied().unwrap_or_default().trim();
    let class = error_class(told).or_else(|| exception(told));
    let message = class.as_ref().and_then(|_| told.split_once(": ")).map_or(told, |(_, message)| message);
    let side = |sign: char| {
        let diff = body.iter().skip_while(|line| !line.starts_with("@@ "));
        diff.skip(1).find_map(|line| line.strip_prefix(sign)).map(|value| value.trim().to_owned())
    };
    TestFailure {
        test: Some(name.trim().to_owned()),
        message: message.to_owned(),
        expected: side('-'),
        actual: side('+'),
        place: body
            .iter()
            .filter_map(|line| frames::alone(line))
            .find(|frame| frame.own)
            .map(|frame| frame.place),
        error_type: Some(class.unwrap_or_else(|| "assertion".to_owned())),
    }
}

/// The class of `Shop\CartIsEmpty: message`.
fn exception(told: &str) -> Option<String> {
    let (class, _) = told.split_once(": ")?;
    let is_class = class.starts_with(|c: char| c.is_ascii_uppercase()) && class.contains('\\');
    is_class.then(|| class.rsplit('\\').next().unwrap_or(class).to_owned())
}
