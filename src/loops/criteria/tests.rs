//! What is a criterion, and what is not.

use crate::loops::criteria::clause::ForbiddenOutput;
use crate::loops::criteria::*;

fn passes(command: &str) -> Check {
    Check::CommandPasses { command: command.into() }
}

fn silent(command: &str, silence: ForbiddenOutput) -> Check {
    Check::CommandSilent { command: command.into(), silence }
}

fn coverage(command: &str, percent: f64, bound: BoundSense) -> Check {
    Check::CoverageAbove { command: command.into(), percent, bound }
}

#[test]
fn accepted() {
    use BoundSense::{Above, AtLeast};
    use ForbiddenOutput::{Errors, Output, Warnings};
    let cases: Vec<(&str, Vec<Check>)> = vec![
        ("npm test passes", vec![passes("npm test")]),
        ("  npm test passes. ", vec![passes("npm test")]),
        ("`npm test` passes", vec![passes("npm test")]),
        ("\"npm test\" passes", vec![passes("npm test")]),
        ("\"npm test passes\"", vec![passes("npm test")]),
        ("'cargo test' succeeds", vec![passes("cargo test")]),
        ("cargo test succeeds", vec![passes("cargo test")]),
        ("npx tsc --noEmit passes", vec![passes("npx tsc --noEmit")]),
        ("the command npm test passes", vec![passes("npm test")]),
        ("npm test exits with code 0", vec![passes("npm test")]),
        ("npm test exit code 0", vec![passes("npm test")]),
        ("npm test should pass", vec![passes("npm test")]),
        ("npm test must exit 0", vec![passes("npm test")]),
        ("npm test passes without errors", vec![passes("npm test")]),
        ("cargo build runs without errors", vec![passes("cargo build")]),
        ("cargo build builds successfully", vec![passes("cargo build")]),
        ("npm test works", vec![passes("npm test")]),
        ("npm test is green", vec![passes("npm test")]),
        ("npm test", vec![passes("npm test")]),
        ("cargo test --workspace -- --nocapture", vec![passes("cargo test --workspace -- --nocapture")]),
        ("npm test.", vec![passes("npm test")]),
        ("npx eslint .", vec![passes("npx eslint .")]),
        ("./check.sh", vec![passes("./check.sh")]),
        ("scripts/verify.py --all passes", vec![passes("scripts/verify.py --all")]),
        ("CI=1 npm test passes", vec![passes("CI=1 npm test")]),
        ("mytool --check passes", vec![passes("mytool --check")]),
        ("`mytool` passes", vec![passes("mytool")]),
        ("make passes", vec![passes("make")]),
        ("make all passes", vec![passes("make all")]),
        ("go test ./... passes", vec![passes("go test ./...")]),
        ("test -f dist/app.js passes", vec![passes("test -f dist/app.js")]),
        ("npm test && npm run lint passes", vec![passes("npm test && npm run lint")]),
        ("npm test passes && npm run lint passes", vec![passes("npm test"), passes("npm run lint")]),
        ("npm test passes and npm run lint passes", vec![passes("npm test"), passes("npm run lint")]),
        ("npm test and npm run lint pass", vec![passes("npm test"), passes("npm run lint")]),
        (
            "npm test, npm run lint and npx tsc --noEmit pass",
            vec![passes("npm test"), passes("npm run lint"), passes("npx tsc --noEmit")],
        ),
        ("`npm test` and `mytool` both pass", vec![passes("npm test"), passes("mytool")]),
        ("npm test passes, and also cargo test passes", vec![passes("npm test"), passes("cargo test")]),
        (
            "- npm test passes\n- cargo clippy has no warnings\n",
            vec![passes("npm test"), silent("cargo clippy", Warnings)],
        ),
        ("sh -c 'a and b' passes", vec![passes("sh -c 'a and b'")]),
        ("pytest -k \"cart and not slow\" passes", vec![passes("pytest -k \"cart and not slow\"")]),
        ("! grep -rn TODO src passes", vec![passes("! grep -rn TODO src")]),
        ("npx tsc --noEmit has no errors", vec![silent("npx tsc --noEmit", Errors)]),
        ("npx eslint . reports 0 errors", vec![silent("npx eslint .", Errors)]),
        ("npx eslint . shows no errors or warnings", vec![silent("npx eslint .", Warnings)]),
        ("`npx tsc` prints no type errors", vec![silent("npx tsc", Errors)]),
        ("grep -rn TODO src prints nothing", vec![silent("grep -rn TODO src", Output)]),
        ("npm run report prints nothing", vec![silent("npm run report", Output)]),
        ("npm run report has no errors", vec![silent("npm run report", Errors)]),
        ("npm test passes with no warnings", vec![silent("npm test", Warnings)]),
        ("npm test runs without warnings", vec![silent("npm test", Warnings)]),
        ("npm test passes without any warnings", vec![silent("npm test", Warnings)]),
        ("npx tsc should have zero type errors", vec![silent("npx tsc", Errors)]),
        ("cargo clippy without warnings", vec![silent("cargo clippy", Warnings)]),
        ("npm test is silent", vec![silent("npm test", Output)]),
        ("gofmt -l . has no output", vec![silent("gofmt -l .", Output)]),
        ("npm run coverage reports coverage above 80%", vec![coverage("npm run coverage", 80.0, Above)]),
        ("pytest --cov=shop coverage >= 85.5%", vec![coverage("pytest --cov=shop", 85.5, AtLeast)]),
        ("`npm run cov` reaches >80% coverage", vec![coverage("npm run cov", 80.0, Above)]),
        ("coverage from `npm run cov` is at least 90%", vec![coverage("npm run cov", 90.0, AtLeast)]),
        (
            "npm test passes and `npm run cov` reports 80% coverage",
            vec![passes("npm test"), coverage("npm run cov", 80.0, AtLeast)],
        ),
        ("npm run coverage > 80%", vec![coverage("npm run coverage", 80.0, Above)]),
        ("npm test reports test coverage of 70%", vec![coverage("npm test", 70.0, AtLeast)]),
    ];
    for (text, checks) in cases {
        match parse(text, &ProjectFacts::default()) {
            Ok(criteria) => assert_eq!(criteria.checks, checks, "{text}"),
            Err(refused) => panic!("{text}: {refused}"),
        }
    }
}

fn facts() -> ProjectFacts {
    ProjectFacts {
        commands: vec![
            (CommandPurpose::Test, "cargo test".into()),
            (CommandPurpose::Lint, "cargo clippy -- -D warnings".into()),
            (CommandPurpose::Coverage, "npm run cov".into()),
        ],
    }
}

#[test]
fn refused_with_a_suggestion() {
    let all = "cargo test passes | cargo clippy -- -D warnings passes | `npm run cov` reports at least 80% coverage";
    let cases = [
        ("code is good", all),
        ("it works", all),
        ("", all),
        ("everything is done", all),
        ("foo passes", all),
        ("tests pass", "cargo test passes"),
        ("all tests pass", "cargo test passes"),
        ("all the tests are green", "cargo test passes"),
        ("the test suite passes", "cargo test passes"),
        ("make sure tests pass", "cargo test passes"),
        ("make tests pass", "cargo test passes"),
        ("make all tests pass", "cargo test passes"),
        ("no lint errors", "cargo clippy -- -D warnings passes"),
        ("lint passes", "cargo clippy -- -D warnings passes"),
        ("builds successfully", ""),
        ("coverage above 75%", "`npm run cov` reports at least 75% coverage"),
        (">80% coverage", "`npm run cov` reports at least 80% coverage"),
        ("coverage above 180%", "`npm run cov` reports at least 80% coverage"),
        ("npm run cov coverage below 80%", "`npm run cov` reports at least 80% coverage"),
        ("npm test passes quickly", "cargo test passes"),
        ("npm test passes or yarn test passes", "cargo test passes"),
        ("npm test or yarn test", "cargo test passes"),
        ("npm test passes and the code is good", all),
        ("npm test should be better", "cargo test passes"),
        ("npm test 2>&1 | tail -5 passes", "cargo test passes"),
        ("`npm test || true` passes", "cargo test passes"),
        ("src/auth.ts has no faults and no type errors", ""),
        ("cargo test passes in crates/core", "cargo test passes"),
        ("go over everything", all),
        ("just works well", all),
        ("find all bugs", all),
        ("`npm test passes", "cargo test passes"),
        ("passes", all),
        ("has no errors", all),
        ("``", all),
        ("npm test passes\0", "cargo test passes"),
        ("the login page should handle input/output", all),
    ];
    for (text, suggestions) in cases {
        match parse(text, &facts()) {
            Ok(criteria) => panic!("{text:?} was accepted: {:?}", criteria.checks),
            Err(refused) => {
                assert_eq!(refused.suggestions.join(" | "), suggestions, "{text:?}");
                assert!(refused.reason.ends_with('.') && !refused.clause.is_empty(), "{text:?}: {refused}");
            }
        }
    }
}

#[test]
fn what_is_suggested_is_accepted() {
    for suggestion in parse("it works", &facts()).expect_err("vague").suggestions {
        parse(&suggestion, &facts()).unwrap_or_else(|refused| panic!("{refused}"));
    }
}

#[test]
fn hostile_text_is_answered() {
    let long = "a ".repeat(1_900);
    for text in [
        "(((((",
        "\\",
        "'",
        "&& && &&",
        ", , ,",
        "and and",
        "\u{fffd}\u{202e}",
        "% coverage",
        "80%",
        "é' é",
        &long,
    ] {
        assert!(parse(text, &facts()).is_err(), "{text:?}");
    }
}

proptest::proptest! {
    /// Any words in any order are answered, and what is accepted holds a command that is part of the text.
    #[test]
    fn any_text_is_answered(words in proptest::collection::vec(
        proptest::sample::select(vec!["npm", "test", "passes", "and", "&&", "`a b`", "coverage", ">=", "80%", "has", "no", "errors", "or",
            "'", "\"", "(", "é,", "is", "from", "make", "X=1", "prints", "nothing", "until", "so", "that", ".", "\n", "warnings"]), 0..12)) {
        let text = words.join(" ");
        if let Ok(criteria) = parse(&text, &facts()) {
            for check in &criteria.checks {
                proptest::prop_assert!(!check.command().is_empty() && text.contains(check.command()), "{text}: {check}");
            }
        }
        let (task, criterion) = crate::loops::criteria::request::split_request(&text);
        proptest::prop_assert!(text.contains(&task) && criterion.is_none_or(|criterion| text.contains(&criterion)));
    }

    #[test]
    fn any_bytes_are_answered(text in "\\PC*") {
        let _answer = parse(&text, &facts());
        let _split = crate::loops::criteria::request::split_request(&text);
        let _failures = crate::loops::failures::read(&text);
        let _signature = crate::loops::errors::signature::normalise(&text);
        let _coverage = crate::loops::verification::printed::coverage(&text);
        let _quoted = crate::text::banner::quoted(&text);
        let _plain = crate::loops::verification::printed::plain(text.as_bytes());
    }
}
