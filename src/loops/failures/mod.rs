//! What failed, read from a tool's own output.
//!
//! One file for each format. A reader takes only what has its format's marks, so that the first one which finds
//! something is the right one; the last reader knows no format and takes the line that looks most like an error.

use crate::loops::errors::frames;

mod any;
mod cargo_test;
mod compiler;
mod dotnet;
mod go_test;
mod gradle;
mod jest;
mod maven;
mod minitest;
mod mocha;
mod node_test;
mod phpunit;
mod pytest;
mod rspec;
mod unittest;
mod vitest;

/// The most failures that are kept of one output.
const MOST: usize = 200;
/// The longest message, in letters.
const LONGEST: usize = 300;

/// One failing test, or one error.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Failure {
    /// The test's name as its runner gives it: `tests::adds`, `test_shop.py::test_total`, `sum > adds two numbers`.
    pub test: Option<String>,
    /// The error's own words, in one line, at most 300 letters.
    pub message: String,
    /// What an assertion wanted.
    pub expected: Option<String>,
    /// What it got.
    pub actual: Option<String>,
    /// `path:line`, in the project's own code where the output tells.
    pub place: Option<String>,
    /// The error's class or code: `TypeError`, `E0308`, `TS2322`.
    pub error_type: Option<String>,
}

/// What an output tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failures {
    /// The format, and so how one test is run alone.
    pub runner: Runner,
    /// At least one.
    pub list: Vec<Failure>,
}

/// Who wrote an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runner {
    /// `cargo test`.
    CargoTest,
    /// pytest.
    Pytest,
    /// Vitest.
    Vitest,
    /// Jest.
    Jest,
    /// `node --test`, spec or TAP.
    NodeTest,
    /// Mocha.
    Mocha,
    /// `go test`.
    GoTest,
    /// Maven's surefire.
    Maven,
    /// Gradle.
    Gradle,
    /// `dotnet test`.
    Dotnet,
    /// RSpec.
    Rspec,
    /// minitest.
    Minitest,
    /// PHPUnit.
    PhpUnit,
    /// Python's unittest.
    Unittest,
    /// A compiler, type checker or linter.
    Compiler,
    /// Unknown.
    Any,
}

type Reader = fn(&[&str]) -> Vec<Failure>;

static READERS: &[(Runner, Reader)] = &[
    (Runner::CargoTest, cargo_test::read),
    (Runner::Pytest, pytest::read),
    (Runner::Vitest, vitest::read),
    (Runner::Jest, jest::read),
    (Runner::NodeTest, node_test::read),
    (Runner::GoTest, go_test::read),
    (Runner::Maven, maven::read),
    (Runner::Gradle, gradle::read),
    (Runner::Dotnet, dotnet::read),
    (Runner::Rspec, rspec::read),
    (Runner::Minitest, minitest::read),
    (Runner::PhpUnit, phpunit::read),
    (Runner::Unittest, unittest::read),
    (Runner::Mocha, mocha::read),
    (Runner::Compiler, compiler::read),
    (Runner::Any, any::read),
];

/// Who prints failures in the order in which they came, which another run has otherwise.
static IN_PARALLEL: &[Runner] =
    &[Runner::CargoTest, Runner::Vitest, Runner::Jest, Runner::Maven, Runner::Gradle, Runner::Dotnet];

/// Reads the failures of an output. `None` when nothing in it looks like one.
pub fn read(output: &str) -> Option<Failures> {
    let lines: Vec<&str> = output.lines().collect();
    READERS.iter().find_map(|(runner, read)| {
        let mut list = read(&lines);
        if IN_PARALLEL.contains(runner) {
            list.sort_by(|one, other| one.test.cmp(&other.test));
        }
        list.truncate(MOST);
        list.iter_mut().for_each(tidy);
        (!list.is_empty()).then_some(Failures { runner: *runner, list })
    })
}

impl Runner {
    /// The command that runs one test alone, where the runner has one.
    pub fn alone(self, test: &str) -> Option<String> {
        let last = test.rsplit(" > ").next().unwrap_or(test);
        let quoted = |text: &str| format!("\"{}\"", text.replace(['"', '\\', '$', '`'], "."));
        match self {
            Runner::CargoTest => Some(format!("cargo test {test} -- --exact")),
            Runner::Pytest => Some(format!("pytest {}", quoted(test))),
            Runner::Vitest => Some(format!("npx vitest run -t {}", quoted(last))),
            Runner::Jest => Some(format!("npx jest -t {}", quoted(last))),
            Runner::NodeTest => Some(format!("node --test --test-name-pattern={}", quoted(last))),
            Runner::Mocha => Some(format!("npx mocha -g {}", quoted(last))),
            Runner::GoTest => {
                let parts: Vec<String> =
                    test.split('/').map(|part| format!("^{}$", part.replace('\'', "."))).collect();
                Some(format!("go test ./... -run '{}'", parts.join("/")))
            }
            Runner::Maven => {
                let (class, method) = test.rsplit_once('.')?;
                Some(format!("mvn test -Dtest={}#{method}", class.rsplit('.').next().unwrap_or(class)))
            }
            Runner::Gradle => Some(format!(
                "gradle test --tests {}",
                quoted(&format!("*{}", test.replace(" > ", ".").trim_end_matches("()")))
            )),
            Runner::Dotnet => {
                Some(format!("dotnet test --filter {}", quoted(&format!("FullyQualifiedName={test}"))))
            }
            Runner::Rspec => Some(format!("rspec -e {}", quoted(test))),
            Runner::PhpUnit => Some(format!("phpunit --filter {}", quoted(test))),
            Runner::Unittest => {
                (!test.starts_with("__main__.")).then(|| format!("python -m unittest {test}"))
            }
            // Its file would be needed, and is not said of every failure.
            Runner::Minitest | Runner::Compiler | Runner::Any => None,
        }
    }
}

fn tidy(failure: &mut Failure) {
    failure.message = shorten(&failure.message, LONGEST);
    for text in [&mut failure.expected, &mut failure.actual, &mut failure.test].into_iter().flatten() {
        *text = shorten(text, 160);
    }
}

/// One line, blanks collapsed, at most `letters` long.
pub(crate) fn shorten(text: &str, letters: usize) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if line.len() > letters * 4 {
            break;
        }
    }
    match line.char_indices().nth(letters) {
        None => line,
        Some(_) => {
            let end = line.char_indices().nth(letters.saturating_sub(1)).map_or(0, |(at, _)| at);
            line.truncate(end);
            line.push('…');
            line
        }
    }
}

/// The place of a stack frame that is in the project: not in a package or the runtime.
fn place_in_stack(line: &str) -> Option<String> {
    frames::of(line).filter(|frame| frame.own).map(|frame| frame.place)
}

/// `path:line` of `path:line:column` or `path:line`.
fn place_of(text: &str) -> Option<String> {
    let is_number = |piece: &str| !piece.is_empty() && piece.bytes().all(|byte| byte.is_ascii_digit());
    let text = text.trim_end_matches([':', ',']);
    let (rest, last) = text.rsplit_once(':')?;
    if !is_number(last) {
        return None;
    }
    let place = match rest.rsplit_once(':') {
        Some((_, line)) if is_number(line) => rest,
        _ => text,
    };
    let path = place.rsplit_once(':').map_or("", |(path, _)| path);
    (path.contains(['.', '/']) && !path.contains(' ')).then(|| place.to_owned())
}

/// The class that an error line begins with: `TypeError` of `TypeError: boom`, `AssertionError` of
/// `AssertionError [ERR_ASSERTION]: …`.
fn error_class(message: &str) -> Option<String> {
    let (head, _) = message.split_once(':')?;
    let name = head.split(" [").next().unwrap_or(head).trim();
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'));
    let is_error =
        ["Error", "Exception", "Exit", "Warning", "Interrupt"].iter().any(|end| name.ends_with(end));
    (is_name && is_error).then(|| name.rsplit('.').next().unwrap_or(name).to_owned())
}

/// The value behind a label, `expected: 5`.
fn labelled(line: &str, label: &str) -> Option<String> {
    let value = line.trim().strip_prefix(label)?.trim();
    (!value.is_empty()).then(|| value.to_owned())
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests;
