//! Parts of what tests ask that the tests answer themselves: a method of the object under test that another one calls, an
//! object that the code under test was given and that is a double of its class now.

use std::ops::Range;

use crate::detectors::engine::code_lines::{PLAIN_QUOTES, quoted};
use crate::detectors::testing::replaced_subjects::ChangedTestLines;
use crate::detectors::testing::stand_in_values::is_double;
use crate::detectors::testing::test_lines::{
    bound, brings, constructs, is_fake, is_import, origin, words_of,
};
use crate::detectors::testing::told_methods::stubbed;
use crate::detectors::testing::word_edit::{each_word, is_data};
use crate::model::finding::Severity;
use crate::model::words::{has_word, is_name_part, words};

/// Words of methods that reach the world outside, or the clock: tests may answer for them.
const OUTSIDE: &[&str] = &[
    "sleep",
    "now",
    "time",
    "today",
    "date",
    "clock",
    "rand",
    "random",
    "uuid",
    "log",
    "logger",
    "puts",
    "print",
    "warn",
    "fetch",
    "http",
    "request",
    "get",
    "post",
    "send",
    "connect",
    "read",
    "write",
    "open",
    "exec",
    "system",
    "spawn",
    "query",
    "save",
    "env",
    "notify",
    "publish",
    "delay",
    "wait",
    "load",
    "download",
    "upload",
    "emit",
    "info",
    "error",
    "client",
    "api",
    "url",
    "token",
    "id",
    "repository",
    "repo",
    "store",
    "storage",
    "gateway",
    "mailer",
    "mail",
    "smtp",
    "db",
    "database",
    "cache",
    "queue",
    "socket",
    "transport",
    "server",
    "service",
    "file",
    "files",
    "fs",
    "timer",
    "scheduler",
    "driver",
    "session",
    "bus",
    "sink",
    "printer",
    "reporter",
    "listener",
    "handler",
    "callback",
];

/// What the tests would answer of what they ask, with the line and how sure that is.
pub(super) fn answered(asked: &ChangedTestLines) -> Option<(String, u32, Severity)> {
    own_method(asked).or_else(|| double_of_class(asked)).or_else(|| part_of_module(asked))
}

/// A function, or a method of a class, of the module that the tests are about, for which a test that was there answers with
/// what its own assertions expect.
fn part_of_module(asked: &ChangedTestLines) -> Option<(String, u32, Severity)> {
    if !asked.come.iter().any(|(_, line)| part_of(line).is_some()) {
        return None;
    }
    let imports = || asked.new.lines().filter(|line| is_import(line) && !is_fake(origin(line)));
    let modules: Vec<&str> = imports()
        .filter(|line| asked.functions.iter().any(|(name, _)| brings(line, name)))
        .map(|line| origin(line).trim())
        .collect();
    // `from stock import services`, of which a test calls `services.issue(…)`.
    let is_called = |module: &str, name: &str| {
        let is_call = |text: &str| {
            text.split('(').next().is_some_and(|it| !it.is_empty() && it.chars().all(is_name_part))
        };
        let holder = format!("{module}.");
        asked
            .old
            .split(&holder)
            .skip(1)
            .any(|text| text.contains('(') && is_call(text) && !text.starts_with(name))
    };
    let is_called_module = |holder: &str, name: &str| {
        let (package, module) = holder.rsplit_once('.').unwrap_or(("", holder));
        let of_package =
            |line: &str| package.is_empty() && is_project(origin(line)) || origin(line).trim() == package;
        imports().any(|line| brings(line, module) && of_package(line)) && is_called(module, name)
    };
    asked.come.iter().find_map(|(at, line)| {
        let (lines, _) = asked.roots.iter().find(|(lines, _)| lines.contains(at))?;
        let (holder, name) = part_by_path(line).or_else(|| stubbed(line))?;
        let is_brought = |line: &&str| is_import(line) && brings(line, holder);
        let is_own = modules.contains(&holder)
            || is_called_module(holder, name)
            || asked.new.lines().filter(is_brought).any(|line| modules.contains(&origin(line).trim()));
        let is_known = asked.old.lines().any(|line| has_word(line, name) && part_of(line) == Some(name));
        let is_meant = is_own && !is_known && !is_outside(name) && answers_claim(asked, lines, *at);
        is_meant.then(|| (name.to_owned(), *at, Severity::High))
    })
}

/// Whether a place that something is imported from lies in the project.
fn is_project(origin: &str) -> bool {
    origin.trim().starts_with('.')
}

/// The name that a line has a stand-in for.
fn part_of(line: &str) -> Option<&str> {
    part_by_path(line).or_else(|| stubbed(line)).map(|(_, name)| name)
}

/// The module and the name of a line that replaces what a path names: `setattr("shop.cart.total", …)`.
pub(super) fn part_by_path(line: &str) -> Option<(&str, &str)> {
    let rest = ["setattr(", "patch("].iter().find_map(|head| line.split(head).nth(1))?.trim_start();
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    rest.get(1..)?.split(quote).next()?.rsplit_once('.')
}

/// Whether a stand-in in a line of a test is told a value that an assertion of the test expects as before.
fn answers_claim(asked: &ChangedTestLines, lines: &Range<u32>, at: u32) -> bool {
    const CLAIMS: &[&str] = &["assert", "expect", "should", "eq("];
    const NEAR: u32 = 4;
    let told = asked.come.iter().filter(|(number, _)| (at..at + NEAR).contains(number));
    let told: Vec<&str> =
        told.map(|(_, line)| line.split_once(',').map_or(*line, |(_, rest)| rest)).collect();
    let claims = (1u32..).zip(asked.new.lines()).filter(|(number, line)| {
        let is_claim = CLAIMS.iter().any(|word| line.contains(word)) && asked.old.contains(line.trim());
        lines.contains(number) && is_claim
    });
    let claims: Vec<&str> = claims.map(|(_, line)| line).collect();
    told.iter().flat_map(|line| each_word(line)).filter(|(_, word)| is_data(word)).any(|(_, word)| {
        let bare = word.trim_matches(['"', '\'', '`']);
        bare.len() > 1 && bare.chars().any(|c| c.is_ascii_digit() || bare.len() > 3) && {
            claims.iter().any(|line| line.contains(bare))
        }
    })
}

pub(super) fn is_outside(name: &str) -> bool {
    words(name).iter().any(|word| OUTSIDE.contains(&word.as_str()))
}

/// `allow(dispatcher).to receive(:render)`, `jest.spyOn(cart, 'rate')`, `patch.object(cart, "rate")`.
fn own_method(asked: &ChangedTestLines) -> Option<(String, u32, Severity)> {
    asked.come.iter().find_map(|(at, line)| {
        let (receiver, method) = stubbed(line)?;
        let is_own =
            asked.functions.iter().any(|(name, of)| name != method && asked.is_receiver(of, receiver));
        let was_stand_in = asked
            .old
            .lines()
            .filter_map(bound)
            .any(|(name, value)| name == receiver && (is_double(value) || is_fake(value)));
        let is_beside = is_outside(method) && !fails_as_claimed(asked, line);
        if !is_own || was_stand_in || is_beside || asked.old.contains(&format!("{method})")) {
            return None;
        }
        // What is asked of the answer itself: `schedule.rows.sum` where `rows` would be told.
        let answer = format!("{receiver}.{method}");
        let is_asked =
            asked.functions.iter().any(|(_, of)| *of == answer || of.starts_with(&format!("{answer}.")));
        let is_sure = is_asked || asked.stands_for_kept(*at);
        Some((method.to_owned(), *at, if is_sure { Severity::High } else { certainty(asked) }))
    })
}

/// Whether a part is told to fail with the very error that a claim which stays expects.
fn fails_as_claimed(asked: &ChangedTestLines, line: &str) -> bool {
    let fails = ["Rejected", "hrow", "raise", "rejects"].iter().any(|it| line.contains(it));
    let errors = words_of(line).filter(|it| it.starts_with(char::is_uppercase) && it.len() > 4);
    let claims = |error: &str| {
        let mut lines = asked.old.lines().filter(|it| has_word(it, error) && asked.new.contains(it.trim()));
        lines.any(|it| ["expect", "assert", "should"].iter().any(|word| it.contains(word)))
    };
    fails && errors.into_iter().any(claims)
}

/// `new Service(sales, new Calculator(fees))` becomes one with `mock(Calculator.class)`, or with a class of the tests.
fn double_of_class(asked: &ChangedTestLines) -> Option<(String, u32, Severity)> {
    asked.gone.iter().find_map(|(_, line)| {
        let class = words_of(line).find(|word| {
            word.starts_with(char::is_uppercase)
                && word.len() > 2
                && constructs(line, word)
                && !constructs(asked.new, word)
                && !is_outside(word)
                && !is_fake(word)
        })?;
        let names = |text: &str| words_of(text).any(|word| word == class);
        let double = asked.come.iter().find(|(_, text)| {
            names(text)
                && (is_double(text.split_once('=').map_or(*text, |(_, value)| value.trim()))
                    || text.contains("mock"))
        })?;
        Some((class.to_owned(), double.0, certainty(asked)))
    })
}

fn certainty(asked: &ChangedTestLines) -> Severity {
    if answers_expected(asked) { Severity::High } else { Severity::Medium }
}

/// Whether what a stand-in is told to answer is what assertions that stay expect.
fn answers_expected(asked: &ChangedTestLines) -> bool {
    const ANSWERS: &[&str] = &["eturn", "nswer", "Value", "returns", "lambda", "=>"];
    let told = asked.come.iter().filter(|(_, line)| ANSWERS.iter().any(|word| line.contains(word)));
    let mut values = told.flat_map(|(_, line)| quoted(line, PLAIN_QUOTES)).filter(|it| it.len() > 2);
    let claims = ["assert", "expect", "verify", "should", "eq("];
    values.any(|value| {
        let kept = asked.new.lines().filter(|line| claims.iter().any(|word| line.contains(word)));
        kept.filter(|line| asked.old.contains(line.trim())).any(|line| line.contains(value))
    })
}
