//! Product code that behaves for its tests: branches on a test run, answers for the tests' own values.
//!
//! Only a branch that leaves, in code that is no test, counts; a condition that was there before does not.

use crate::detectors::engine::revision::Revision;
use crate::detectors::{Case, Detector, Pattern, Proof};
use crate::languages::code::{Guard, bare};
use crate::languages::file_name;
use crate::model::finding::{Finding, RegressionType, Severity};

/// Branches on a test run.
pub(crate) static TEST_RUN: Detector = Detector {
    pattern: Pattern {
        id: "LP-015",
        name: "Hardcoded Test Bypass",
        aliases: &["Test Environment Branch"],
        regression_type: Some(RegressionType::ValidationBypass),
        severity: Severity::Critical,
        what: "Product code asks whether a test runs it, and then leaves without doing its work.",
        why: "What the tests see is not what the users get.",
        instead: "Code that does the same whoever runs it passes, and so does a value that is passed in from outside.",
        proof: Proof::Changes,
    },
    detect: test_run,
};

/// Answers for single inputs.
pub(crate) static SPECIAL_CASE: Detector = Detector {
    pattern: Pattern {
        id: "LP-017",
        name: "Excessive Special Cases",
        aliases: &["Special-cased Test Input"],
        regression_type: Some(RegressionType::ValidationBypass),
        severity: Severity::High,
        what: "A function gives a fixed answer for one fixed input before it does its work.",
        why: "Answers made for the tests' inputs are wrong for all others.",
        instead: "Code that works the answer out for every input passes.",
        proof: Proof::Changes,
    },
    detect: special_case,
};

/// What only a test run sets, as it stands in a condition without white space.
const RUNS: &[&str] = &[
    "NODE_ENV==='test'",
    "NODE_ENV===\"test\"",
    "NODE_ENV=='test'",
    "NODE_ENV==\"test\"",
    "'test'===process.env.NODE_ENV",
    "JEST_WORKER_ID",
    "process.env.VITEST",
    "import.meta.vitest",
    "PYTEST_CURRENT_TEST",
    "\"pytest\"insys.modules",
    "'pytest'insys.modules",
    "\"unittest\"insys.modules",
    "'unittest'insys.modules",
    "cfg!(test)",
    "testing.Testing()",
    "strings.HasSuffix(os.Args[0],\".test\")",
    "flag.Lookup(\"test.v\")",
    "typeofjest",
    "typeofdescribe",
    "RUST_TEST",
    "NEXTEST",
    "process.env.TEST",
    "GO_TEST",
    "os.Getenv(\"TEST\")",
    "typeofit===",
    "MOCHA",
    "(\"TESTING\")",
    "('TESTING')",
    "[\"TESTING\"]",
    "['TESTING']",
    "process.env.TESTING",
    "Rails.env.test?",
    "ENV[\"RACK_ENV\"]==\"test\"",
    "ENV['RACK_ENV']=='test'",
    "ENV[\"RAILS_ENV\"]==\"test\"",
    "ENV['RAILS_ENV']=='test'",
    "ENV.fetch(\"RACK_ENV\"",
    "ENV.fetch('RACK_ENV'",
    "defined?(RSpec)",
    "defined?(::RSpec)",
    "defined?(Minitest)",
    "defined?(::Minitest)",
    "Mix.env()==:test",
    "Mix.env==:test",
    "System.get_env(\"MIX_ENV\")==\"test\"",
    "Code.ensure_loaded?(ExUnit",
    "Process.whereis(ExUnit",
    "XCTestConfigurationFilePath",
    "NSClassFromString(\"XCTest",
    "XCTestCase",
    "PHPUNIT_COMPOSER_INSTALL",
    "PHPUNIT_RUNNING",
    "PHPUnit",
    "__PHPUNIT_PHAR__",
    "APP_ENV')==='testing'",
    "APP_ENV')==='test'",
    "APP_ENV\")===\"test",
    "APP_ENV')=='test",
    "APP_ENV']==='test",
    "runningUnitTests()",
    "environment('testing')",
    "org.junit",
    "\"junit",
    "\"JUNIT",
    "\"surefire",
    "org.gradle.test",
    "kotlin.test",
    "xunit",
    "Xunit",
    "nunit",
    "NUnit",
    "\"testhost\"",
    "\"Test\".equals(",
    "\"test\".equals(",
    "=\"Test\"",
    "IsRunningFromNUnit",
    "UNIT_TEST",
    "RUNNING_TEST",
    "IN_TEST",
    "GTEST_",
    "getenv(\"TEST",
    "getenv('TEST",
    "getProperty(\"test",
    "getenv(\"CTEST",
    "GetEnvironmentVariable(\"TEST",
    "GetEnvironmentVariable(\"DOTNET_TEST",
    "environment[\"TEST",
    "isRunningTests",
    "isInUnitTestMode",
];
/// What a CI server sets.
const SERVERS: &[&str] = &["process.env.CI", "'CI'", "\"CI\"", "GITHUB_ACTIONS"];
/// Values that only examples and tests have, as they stand in a literal, in lower case.
const SAMPLES: &[&str] = &[
    "@example.",
    "@test.",
    "test@",
    "foo@bar",
    "@localhost",
    "testuser",
    "test_user",
    "test-user",
    "test123",
    "password123",
    "john doe",
    "jane doe",
    "4242424242424242",
    "4111111111111111",
];
/// What a name of a secret holds, in lower case.
const SECRETS: &[&str] = &["password", "passwd", "pwd", "secret", "token", "pass"];
/// Words in the names of functions that rightly do less where nobody looks on.
const FOR_PEOPLE: &[&str] = &[
    "interactive",
    "color",
    "colour",
    "tty",
    "spinner",
    "progress",
    "telemetry",
    "analytics",
    "notif",
    "update",
    "prompt",
    "anim",
    "banner",
    "browser",
];
/// What comments say that give the intention away, in lower case.
const GIVEAWAYS: &[&str] = &[
    "make the test pass",
    "make tests pass",
    "make the tests pass",
    "special case for test",
    "special-case for test",
    "handle test input",
    "handle the test",
    "expected by test",
    "expected by the test",
    "for the test case",
    "hack for test",
    "hardcoded for test",
    "hard-coded for test",
    "test expects",
    "tests expect",
    "satisfy the test",
    "satisfy test",
    "special case to",
];
/// Names of files that choose settings by environment.
const SETTINGS: &[&str] = &[
    "config",
    "settings",
    "setup",
    "env",
    "environment",
    "conf",
    "logger",
    "webpack",
    "babel",
    "jest",
    "vite",
];

fn finding(detector: &Detector, revision: &Revision, guard: &Guard, what: String) -> Finding {
    let mut finding = detector.finding(&revision.change.path, what);
    finding.line = Some(guard.line);
    finding.confidence = 0.9;
    finding
}

fn is_new(revision: &Revision, condition: &str) -> bool {
    let text = bare(condition);
    !revision.before.conditions.iter().any(|it| bare(it.text) == text)
}

fn test_run(case: &Case, findings: &mut Vec<Finding>) {
    for revision in case.revisions().iter().filter(|revision| !revision.is_test) {
        let stem = file_name(&revision.change.path).split('.').next().unwrap_or_default();
        let found = revision.after.guards.iter().find_map(|guard| {
            let text = bare(guard.condition);
            let is_negated =
                guard.negated != (text.trim_start_matches('(').starts_with('!') || text.starts_with("not"));
            let in_run = RUNS.iter().any(|word| text.contains(word));
            let in_server = SERVERS.iter().any(|word| text.contains(word)) && !is_for_people(revision, guard);
            let is_sample =
                !is_negated && is_answer_of_old(revision, guard) && is_for_sample(guard.condition);
            let is_sure = in_run || is_sample || (in_server && answers_for_work(revision, guard));
            ((in_run || in_server || is_sample) && !is_negated && is_new(revision, guard.condition))
                .then_some((guard, is_sure))
        });
        let Some((guard, is_sure)) = found else { continue };
        let what = match is_for_sample(guard.condition) {
            true => format!("`{}` would answer for one sample value", guard.condition),
            false => format!("`{}` would make the code leave where it is tested", guard.condition),
        };
        let mut found = finding(&TEST_RUN, revision, guard, what);
        if !is_sure || SETTINGS.contains(&stem) {
            found.severity = Severity::Medium;
        } else if revision.old.is_empty() {
            found.severity = Severity::High;
        }
        findings.push(found);
    }
}

/// Whether a condition holds for one sample value only, or for one pair of a name and a secret.
fn is_for_sample(condition: &str) -> bool {
    let all: Vec<&str> = condition.split("&&").flat_map(|part| part.split(" and ")).collect();
    if !all.iter().all(|part| compares_with_text(part)) {
        return false;
    }
    let lower = condition.to_lowercase();
    let is_sample = SAMPLES.iter().any(|sample| lower.contains(sample));
    is_sample || (all.len() > 1 && SECRETS.iter().any(|word| lower.contains(word)))
}

/// `name === "text"`, of a text that is not empty.
fn compares_with_text(part: &str) -> bool {
    let text = part.trim().trim_start_matches('(').trim_end_matches(')');
    let Some((left, right)) = text.split_once("===").or_else(|| text.split_once("==")) else { return false };
    let (left, right) = (left.trim(), right.trim());
    let is_quoted = right.len() > 2 && right.starts_with(['"', '\'']) && right.ends_with(['"', '\'']);
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | '?');
    is_quoted && !left.is_empty() && left.chars().all(is_name)
}

/// Whether a function that was there before gives a constant here.
fn is_answer_of_old(revision: &Revision, guard: &Guard) -> bool {
    guard.gives.is_some() && guard.owner.is_some_and(|owner| revision.predecessor(owner).is_some())
}

/// Whether a function only shows something to people, and may rightly show nothing to a server.
fn is_for_people(revision: &Revision, guard: &Guard) -> bool {
    let function = guard.owner.and_then(|owner| revision.after.functions.get(owner));
    function.is_some_and(|it| FOR_PEOPLE.iter().any(|word| it.name.to_lowercase().contains(word)))
}

/// Whether a function that works a value out would give a constant instead.
fn answers_for_work(revision: &Revision, guard: &Guard) -> bool {
    let Some(function) = guard.owner.and_then(|owner| revision.after.functions.get(owner)) else {
        return false;
    };
    let body = revision.new.get(function.body.clone()).unwrap_or_default();
    let works_out = body.split("return").skip(1).any(|rest| {
        let value = rest.lines().next().unwrap_or_default().trim().trim_end_matches(';');
        value.contains('(')
    });
    guard.gives.is_some_and(|value| !matches!(bare(value).as_str(), "true" | "false" | "True" | "False"))
        && guard.first
        && works_out
}

fn special_case(case: &Case, findings: &mut Vec<Finding>) {
    for revision in case.revisions().iter().filter(|revision| !revision.is_test && !revision.old.is_empty()) {
        let found = revision.after.guards.iter().find_map(|guard| {
            let old = revision.predecessor(guard.owner?)?;
            let fixed_input = compares_with_literal(guard.condition);
            let told = revision.after.comments.iter().any(|it| {
                let near = it.line + 2 >= guard.line && it.line <= guard.line + 2;
                let lower = it.text.to_lowercase();
                near && GIVEAWAYS.iter().any(|word| lower.contains(word))
            });
            let known = revision
                .before
                .guards
                .iter()
                .any(|it| it.owner == Some(old) && compares_with_literal(it.condition));
            let is_run = is_for_sample(guard.condition)
                || RUNS.iter().any(|word| bare(guard.condition).contains(word));
            let is_answer = fixed_input
                && !is_run
                && !guard.negated
                && guard.gives.is_some()
                && is_new(revision, guard.condition);
            (is_answer && (told || (guard.first && !known))).then_some((guard, told))
        });
        if let Some((guard, told)) = found {
            let answer = guard.gives.unwrap_or_default();
            let what = format!("`{}` would be answered by the constant `{answer}`", bare(guard.condition));
            let mut found = finding(&SPECIAL_CASE, revision, guard, what);
            found.severity = if told { Severity::High } else { Severity::Medium };
            findings.push(found);
        }
    }
}

/// `input === "abc"`, `42 == name`, `"abc".equals(input)`: one name against one literal that is more than empty, and
/// nothing else.
fn compares_with_literal(condition: &str) -> bool {
    let text = condition.trim();
    if let Some((left, right)) = called(text) {
        return is_one_value(left, right) || is_one_value(right, left);
    }
    let text = text.trim_start_matches('(').trim_end_matches(')');
    let Some((left, right)) = text.split_once("===").or_else(|| text.split_once("==")) else { return false };
    let (left, right) = (left.trim(), right.trim());
    is_one_value(left, right) || is_one_value(right, left)
}

/// Both sides of a comparison that is a call: `a.equals(b)`, `string.Equals(a, b)`, `strcmp(a, b) == 0`.
fn called(condition: &str) -> Option<(&str, &str)> {
    const METHODS: &[&str] = &[".equals(", ".Equals(", ".eql?(", ".equal?(", ".contentEquals("];
    const FUNCTIONS: &[&str] =
        &["Objects.equals(", "string.Equals(", "String.Equals(", "Object.is(", "strings.EqualFold("];
    let text = condition.strip_prefix('(').and_then(|it| it.strip_suffix(')')).unwrap_or(condition);
    for name in FUNCTIONS {
        if let Some(inner) = text.strip_prefix(name).and_then(|it| it.strip_suffix(')')) {
            return inner.split_once(',').map(|(left, right)| (left.trim(), right.trim()));
        }
    }
    if let Some((inner, rest)) = text.strip_prefix("strcmp(").and_then(|it| it.split_once(')'))
        && bare(rest) == "==0"
    {
        return inner.split_once(',').map(|(left, right)| (left.trim(), right.trim()));
    }
    METHODS.iter().find_map(|name| {
        let (left, rest) = text.split_once(name)?;
        Some((left.trim(), rest.strip_suffix(')')?.trim()))
    })
}

fn is_one_value(left: &str, right: &str) -> bool {
    let is_name =
        !left.is_empty() && left.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '$'));
    let quoted = right.len() > 3 && right.starts_with(['"', '\'']) && right.ends_with(['"', '\'']);
    let number = right.parse::<f64>().is_ok_and(|value| value.abs() > 2.0);
    is_name && (quoted || number)
}
