//! RSpec: `3 examples, 1 failure, 1 pending`, the failed examples by name, and the numbered list under `Failures:`.

use crate::metrics::{ResultReader, TestOutcome, Tests};
use crate::runners::executed;
use crate::runners::failure::{TestFailure, indent, labelled, place_in_stack, quoted};
use crate::runners::listing::starts;
use crate::runners::model::{
    ListForm, Naming, OutputReader, ProjectFiles, Runner, RunnerCommands, RunnerProgram, RunnerWords,
    TestLister, ToolConfiguration, WeakeningSettings,
};
use crate::runners::options::{Weakens, any, weakening};

/// The runner.
pub(crate) static RUNNER: Runner = Runner {
    name: "rspec",
    programs: &[RunnerProgram::always(&["rspec"])],
    words: RunnerWords::all(&["rspec"]),
    project: Some(project),
    list: Some(TestLister {
        of: Some(OutputReader { turn: 70, read: list_of }),
        form: ListForm::DryRun,
        known_by_form: None,
        any_exit_code: false,
    }),
    results: Some(OutputReader { turn: 90, read: || Box::new(Rspec::default()) }),
    executed: Some(OutputReader { turn: 80, read: executed }),
    failures: Some(OutputReader { turn: 100, read: failures }),
    alone: Some(|test| Some(format!("rspec -e {}", quoted(test)))),
    weakenings: &[weakening(Weakens::LeavesTestsOut, "--exclude-pattern", &["rspec"], any)],
    configuration: &[ToolConfiguration { tool: "rspec", files: &[".rspec"], keys: &[] }],
    settings: WeakeningSettings {
        files: &[".rspec"],
        lines: &[
            ("spec_helper.rb", "rescuenil", true),
            ("rails_helper.rb", "rescuenil", true),
            ("spec_helper.rb", "failure_exit_code=0", true),
            ("rails_helper.rb", "failure_exit_code=0", true),
            ("spec_helper.rb", "filter_runfocus", true),
            (".rspec", "--tag~", true),
            ("spec_helper.rb", "filter_run_excluding", true),
            ("rails_helper.rb", "filter_run_excluding", true),
        ],
        ..WeakeningSettings::NONE
    },
    naming: Naming {
        variable: Some(("SPEC_OPTS", "--format progress --format json --out {report}")),
        ..Naming::NONE
    },
    ..Runner::NOTHING
};

fn project(project: &dyn ProjectFiles) -> RunnerCommands {
    let list = if project.text("Gemfile").is_some_and(|gems| gems.contains("rspec")) {
        Some("bundle exec rspec --dry-run".to_owned())
    } else {
        project.is_file(".rspec").then(|| "rspec --dry-run".to_owned())
    };
    RunnerCommands { list, ..RunnerCommands::default() }
}

fn list_of(words: &[&str]) -> Option<String> {
    starts(words, "rspec").then(|| format!("{} --dry-run", words.join(" ")))
}

#[derive(Default)]
struct Rspec {
    tests: Tests,
    seen: bool,
}

impl ResultReader for Rspec {
    fn line(&mut self, line: &str) {
        if let Some((total, failed, pending, outside)) = summary(line) {
            self.seen = true;
            self.tests.passed += total.saturating_sub(failed + pending);
            self.tests.failed += failed + outside;
            self.tests.skipped += pending;
        } else if let Some((place, name)) =
            line.strip_prefix("rspec ").and_then(|rest| rest.split_once(" # "))
            && (place.contains(':') || place.contains('['))
        {
            self.tests.name(name, TestOutcome::Failed);
        }
    }

    fn end(self: Box<Self>) -> Option<Tests> {
        self.seen.then_some(self.tests)
    }
}

/// Examples, failures, pending ones, and errors outside of examples.
fn summary(line: &str) -> Option<(u64, u64, u64, u64)> {
    let mut parts = line.split(", ");
    let number = |part: &str, words: &[&str]| {
        let (count, word) = part.split_once(' ')?;
        words.contains(&word).then(|| count.parse::<u64>().ok()).flatten()
    };
    let total = number(parts.next()?, &["examples", "example"])?;
    let failed = number(parts.next()?, &["failures", "failure"])?;
    let (mut pending, mut outside) = (0, 0);
    for part in parts {
        if let Some(count) = number(part, &["pending"]) {
            pending = count;
        } else {
            let words = ["errors occurred outside of examples", "error occurred outside of examples"];
            outside = number(part, &words)?;
        }
    }
    Some((total, failed, pending, outside))
}

/// `5 examples, 1 failure, 2 pending`
fn executed(line: &str) -> Option<u64> {
    let all = executed::before(line, "examples").or_else(|| executed::before(line, "example"))?;
    line.contains("failure").then(|| all.saturating_sub(executed::before(line, "pending").unwrap_or(0)))
}

fn failures(lines: &[&str]) -> Vec<TestFailure> {
    let Some(from) = lines.iter().position(|line| *line == "Failures:") else { return Vec::new() };
    let list = lines.get(from + 1..).unwrap_or_default();
    let end = list.iter().position(|line| line.starts_with("Finished in ")).unwrap_or(list.len());
    let list = list.get(..end).unwrap_or_default();
    let title = |line: &str| {
        let (count, name) = line.trim().split_once(") ")?;
        (indent(line) == 2 && count.bytes().all(|byte| byte.is_ascii_digit())).then(|| name.to_owned())
    };
    let starts: Vec<(usize, String)> =
        list.iter().enumerate().filter_map(|(at, line)| Some((at, title(line)?))).collect();
    let mut failures = Vec::new();
    for (nth, (at, name)) in starts.iter().enumerate() {
        let end = starts.get(nth + 1).map_or(list.len(), |(next, _)| *next);
        failures.push(block(name, list.get(at + 1..end).unwrap_or_default()));
    }
    failures
}

fn block(name: &str, body: &[&str]) -> TestFailure {
    let lines: Vec<&str> = body.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).collect();
    let find = |label: &str| lines.iter().find_map(|line| labelled(line, label));
    let raised = lines.iter().position(|line| {
        line.strip_suffix(':')
            .is_some_and(|class| class.starts_with(|c: char| c.is_ascii_uppercase()) && !class.contains(' '))
    });
    let message = match raised {
        Some(at) => lines.get(at + 1).copied().map(str::to_owned),
        None => {
            let told = lines.iter().find_map(|line| line.strip_prefix("Failure/Error: "));
            let got = find("expected").is_none().then(|| lines.get(1).copied()).flatten();
            told.or(got).map(str::to_owned)
        }
    };
    let class = raised.and_then(|at| lines.get(at)).map(|line| line.trim_end_matches(':').to_owned());
    TestFailure {
        test: Some(name.to_owned()),
        message: message.unwrap_or_else(|| format!("{name} failed")),
        expected: find("expected:"),
        actual: find("got:"),
        place: body.iter().find_map(|line| place_in_stack(line)),
        error_type: Some(class.unwrap_or_else(|| "assertion".to_owned())),
    }
}
