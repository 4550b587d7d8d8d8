//! Tests in shell: Bats, shUnit2 and scripts of plain functions.
//!
//! No grammar reads them; a test is the lines between its head and its closing brace.

use crate::detectors::testing::line_tests::{LineTest, LineTestLosses, LineTestReading};
use crate::detectors::testing::other_forms::is_asked_anew;
use crate::detectors::testing::shell_assertions::{self, is_assertion};
use crate::detectors::testing::yaml_suites;
use crate::languages::{file_name, is_test_path};
use crate::model::finding::Change;
use crate::model::words::is_name_part;

/// What a line says that can't fail any more.
const SWALLOWED: &[&str] = &["|| true", "|| :", "; true", "|| return 0", "|| skip", "|| echo"];

/// Numbers as titles of tests say them.
const NUMBERS: &[&str] =
    &["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/// What a change takes from tests in shell; `None` for any other file.
pub(super) fn losses(change: &Change) -> Option<LineTestLosses> {
    if let Some(found) = yaml_suites::losses(change) {
        return Some(found);
    }
    let before = change.before.as_deref().filter(|_| is_shell_test(&change.path))?;
    let after = change.after.as_deref().unwrap_or_default();
    if before == after {
        return None;
    }
    let reading = LineTestReading {
        is_renamed: &[has_same_lines, is_renumbered],
        is_replaced: &|test| is_refused_anew(change, test),
        is_skipped,
        weaker,
    };
    Some(LineTestLosses::between(with_helpers(before), with_helpers(after), &reading))
}

fn has_same_lines(old: &LineTest, new: &LineTest) -> bool {
    old.lines == new.lines && !old.lines.is_empty()
}

/// Whether a test is another but for its numbers, those in its name among them.
fn is_renumbered(old: &LineTest, new: &LineTest) -> bool {
    let is_same = |old: &str, new: &str| {
        let unnumbered = |text: &str| {
            let digits: Vec<&str> =
                text.split(' ').map(|it| if NUMBERS.contains(&it) { "0" } else { it }).collect();
            digits.join(" ").split(|c: char| c.is_ascii_digit()).map(str::to_owned).collect::<Vec<_>>()
        };
        unnumbered(old) == unnumbered(new)
    };
    old.name != new.name
        && old.lines.len() == new.lines.len()
        && is_same(&old.name, &new.name)
        && old.lines.iter().zip(&new.lines).all(|(old, new)| is_same(old, new))
}

/// The tests of a text; where one calls a function of the file that asserts, the lines of that stand there.
fn with_helpers(text: &str) -> Vec<LineTest> {
    let helpers = shell_assertions::helpers(text);
    let mut all = tests(text);
    for test in &mut all {
        test.lines =
            test.lines.iter().flat_map(|line| shell_assertions::spelled_out(&helpers, line)).collect();
    }
    all
}

/// Whether a test that a command fails stands in its place in another form.
fn is_refused_anew(change: &Change, test: &LineTest) -> bool {
    let fails = |line: &String| {
        let status = line.split_once("$status\" -eq ").map(|(_, rest)| rest);
        status.is_some_and(|it| !it.starts_with('0')) || line.starts_with("assert_failure")
    };
    let text = change.before.as_deref().unwrap_or_default();
    let closes = |(number, line): &(u32, &str)| *number > test.line && line.starts_with('}');
    let last = || (1u32..).zip(text.lines()).find(closes).map_or(test.line, |(number, _)| number);
    test.lines.iter().any(fails) && is_asked_anew(change, &(test.line..last() + 1), test.line, false)
}

/// Whether a path is a test in shell.
fn is_shell_test(path: &str) -> bool {
    let name = file_name(path);
    name.ends_with(".bats")
        || [".sh", ".bash", ".zsh"].iter().any(|end| name.ends_with(end))
            && (is_test_path(path) || name.contains("test") || name.contains("spec"))
}

fn tests(text: &str) -> Vec<LineTest> {
    let mut all: Vec<LineTest> = Vec::new();
    let mut open = false;
    for (number, line) in (1u32..).zip(text.lines()) {
        let bare = line.trim();
        if let Some(name) = head(line) {
            all.push(LineTest { name, lines: Vec::new(), line: number });
            open = true;
        } else if open && line.starts_with('}') {
            open = false;
        } else if let Some(test) =
            all.last_mut().filter(|_| open && !bare.is_empty() && !bare.starts_with('#'))
        {
            test.lines.push(bare.to_owned());
        }
    }
    all
}

/// The name of the test that a line begins.
fn head(line: &str) -> Option<String> {
    if let Some(rest) = line.trim_start().strip_prefix("@test ") {
        return Some(rest.trim_end_matches(['{', ' ']).trim_matches(['"', '\'']).to_owned());
    }
    let bare = line.strip_prefix("function ").unwrap_or(line);
    let (name, rest) = bare.split_once('(')?;
    let is_test = name.starts_with("test") && name.chars().all(is_name_part);
    (is_test && rest.trim_start().starts_with(')')).then(|| name.to_owned())
}

fn is_skipped(test: &LineTest) -> bool {
    if test.lines.first().is_some_and(|line| is_skipped_by_default(line)) {
        return true;
    }
    let ends = |line: &str| {
        line == "skip"
            || line.starts_with("skip ")
            || matches!(line, "return 0" | "return" | "exit 0" | "startSkipping")
    };
    // A skip under a condition of the platform stands behind it.
    let first = test.lines.iter().position(|line| ends(line));
    first.is_some_and(|at| at == 0 || !test.lines.iter().take(at).any(|line| line.starts_with("if ")))
        && first.is_some_and(|at| at + 1 < test.lines.len() || at == 0)
}

/// Whether a line skips a test unless a variable of the project's own is set: `[ -n "$RUN_ALL" ] || skip`. What the machine
/// has is asked another way.
fn is_skipped_by_default(line: &str) -> bool {
    const MACHINE: &[&str] =
        &["EUID", "UID", "OSTYPE", "BASH", "BATS_", "HOME", "PATH", "$(", "`", "command ", "which "];
    let condition = line.split_once("|| skip").or_else(|| line.split_once("&& skip"));
    let Some((head, rest)) = condition.filter(|(_, rest)| rest.is_empty() || rest.starts_with(' ')) else {
        return false;
    };
    let asks_variable = ["-n \"$", "-z \"$", "-n $", "-z $"].iter().any(|it| head.contains(it));
    asks_variable && !rest.contains("||") && !MACHINE.iter().any(|word| head.contains(word))
}

/// How a test asserts less.
fn weaker(old: &LineTest, new: &LineTest) -> Option<String> {
    let of =
        |test: &LineTest| test.lines.iter().filter(|line| is_assertion(line)).cloned().collect::<Vec<_>>();
    let (was, is) = (of(old), of(new));
    let mut lost: Vec<&String> = was.iter().filter(|line| !is.contains(line)).collect();
    if lost.iter().filter(|line| is_about_lines(line)).all(|line| is_in_whole_output(line, new)) {
        lost.retain(|line| !is_about_lines(line));
    }
    let gained: Vec<&String> = is.iter().filter(|line| !was.contains(line)).collect();
    let swallowed = lost.iter().find(|line| {
        SWALLOWED
            .iter()
            .any(|end| new.lines.iter().any(|it| it.starts_with(line.as_str()) && it.contains(end)))
    });
    if let Some(line) = swallowed {
        return Some(format!("the failure of `{line}` would be swallowed"));
    }
    if is.is_empty() && !was.is_empty() {
        return Some("would assert nothing".to_owned());
    }
    if lost.len() > gained.len() && new.lines.len() <= old.lines.len() {
        return lost.first().map(|line| format!("`{line}` would be gone"));
    }
    lost.iter()
        .zip(&gained)
        .find_map(|(a, b)| says_less(a, b).then(|| format!("`{a}` would become `{b}`, which says less")))
        .or_else(|| fewer_items(old, new))
}

/// Whether a claim is about single lines of the output, or how many there are.
fn is_about_lines(line: &str) -> bool {
    line.contains("{lines[") || line.contains("{#lines[@]}")
}

/// Whether what a claim about lines names is part of a claim about the whole output: `assert_output "one\ntwo"`.
fn is_in_whole_output(line: &str, new: &LineTest) -> bool {
    const WHOLE: &[&str] = &["assert_output \"", "assert_output '", "[ \"$output\" = ", "[[ $output == \""];
    let is_whole = |it: &String| WHOLE.iter().any(|head| it.starts_with(head)) && !it.contains('*');
    let all = new.lines.join("\n");
    let mut texts = line.split('"').skip(1).step_by(2).filter(|it| !it.contains("lines["));
    let is_said = |text: &str| all.contains(text) || new.lines.iter().any(|it| is_printed(text, it));
    new.lines.iter().any(is_whole) && texts.all(is_said)
}

/// Whether `printf` puts a text together in a line: `printf 'late: %s\n' A B` has `late: B`.
fn is_printed(text: &str, line: &str) -> bool {
    let form = line.split_once("printf '").and_then(|(_, rest)| rest.split_once('\''));
    let Some((form, rest)) = form.filter(|(form, _)| form.contains('%')) else { return false };
    let parts: Vec<&str> = form.trim_end_matches("\\n").split("%s").flat_map(|it| it.split("%d")).collect();
    let words = rest.split(')').next().unwrap_or(rest).split_whitespace();
    let given: Vec<&str> = words.map(|it| it.trim_matches(['"', '\''])).collect();
    given.chunks(parts.len() - 1).any(|words| {
        let filled = parts.iter().enumerate().map(|(at, part)| [part, words.get(at).copied().unwrap_or("")]);
        filled.flatten().collect::<String>() == text
    })
}

/// An item that a test's loop goes over no more, with all else as it was.
fn fewer_items(old: &LineTest, new: &LineTest) -> Option<String> {
    let items = |line: &str| -> Option<(String, Vec<String>)> {
        let (name, list) = line.strip_prefix("for ")?.split_once(" in ")?;
        let list = list.split(';').next().unwrap_or(list);
        let all: Vec<String> = list.split_whitespace().map(str::to_owned).collect();
        (!list.contains(['$', '*', '`'])).then(|| (name.to_owned(), all))
    };
    let mut differing = old.lines.iter().zip(&new.lines).filter(|(was, is)| was != is);
    let (was, is) = differing.next().filter(|_| old.lines.len() == new.lines.len())?;
    let ((name, before), (other, after)) = (items(was)?, items(is)?);
    let gone = before.iter().find(|item| !after.contains(item))?;
    let is_cut = name == other && after.iter().all(|item| before.contains(item));
    (is_cut && differing.next().is_none()).then(|| format!("`{gone}` would not be given any more"))
}

/// Whether a comparison asks less than another: any status for one, a part for the whole, that there is something.
fn says_less(old: &str, new: &str) -> bool {
    let has = |text: &str, all: &[&str]| all.iter().any(|it| text.contains(it));
    let exact = [
        " = ",
        " == ",
        " -eq ",
        "assert_equal",
        "assert_success",
        "assert_failure",
        "assertEquals",
        "diff ",
        "cmp ",
        "assert_output \"",
    ];
    let loose = [
        " != ",
        " -ne ",
        " -ge ",
        " -le ",
        " -gt ",
        " -lt ",
        " -n ",
        " =~ ",
        "\"*",
        "*\"",
        "--partial",
        "grep -",
        "grep ",
        "assertNotNull",
        "assert_not_equal",
    ];
    let is_loose = has(new, &loose)
        || new.starts_with("[ -n")
        || new.starts_with("[[ -n")
        || new.starts_with("[ -f")
        || new.starts_with("[ -s");
    let alternatives = |text: &str| text.matches("||").count() + text.matches(" -o ").count();
    let in_part = ["--partial", " -ge ", " -ne ", "\"*", "*\"", " == *", "* ]]", " =~ "];
    has(old, &exact) && !has(old, &in_part) && is_loose || alternatives(new) > alternatives(old)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(before: &str, after: &str) -> LineTestLosses {
        let text = |it: &str| Some(it.to_owned());
        losses(&Change { path: "test/cart.bats".to_owned(), before: text(before), after: text(after) })
            .unwrap()
    }

    const TWO: &str = "@test \"adds\" {\n  run cart add 1 2\n  [ \"$status\" -eq 0 ]\n  [ \"$output\" = \"3\" ]\n}\n\n@test \"refuses\" {\n  run cart add x\n  [ \"$status\" -eq 2 ]\n}\n";

    #[test]
    fn what_becomes_of_tests_in_shell() {
        let gone = of(TWO, TWO.split("\n@test \"refuses\"").next().unwrap());
        assert_eq!(gone.gone.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["refuses"]);
        let skipped = of(TWO, &TWO.replace("  run cart add x", "  skip \"flaky\"\n  run cart add x"));
        assert_eq!(skipped.skipped.len(), 1);
        for (old, new) in [
            ("[ \"$status\" -eq 2 ]", "[ \"$status\" -ne 0 ]"),
            ("  [ \"$output\" = \"3\" ]\n", ""),
            ("[ \"$output\" = \"3\" ]", "[ -n \"$output\" ]"),
            ("[ \"$output\" = \"3\" ]", "[ \"$output\" = \"3\" ] || true"),
            ("[ \"$output\" = \"3\" ]", "[[ \"$output\" == *\"3\"* ]]"),
        ] {
            assert!(of(TWO, &TWO.replace(old, new)).weaker.is_some(), "{new}");
        }
        for (old, new) in [
            ("[ \"$output\" = \"3\" ]", "assert_output \"3\""),
            ("@test \"adds\"", "@test \"adds two\""),
            ("run cart add 1 2", "run --separate-stderr cart add 1 2"),
        ] {
            let found = of(TWO, &TWO.replace(old, new));
            assert!(found.weaker.is_none() && found.gone.is_empty() && found.skipped.is_empty(), "{new}");
        }
        let part = TWO.replace("[ \"$output\" = \"3\" ]", "[[ \"$output\" == *\"sum: 3\"* ]]");
        let by_library =
            part.replace("[[ \"$output\" == *\"sum: 3\"* ]]", "assert_output --partial \"sum: 3\"");
        assert!(part != by_library && of(&part, &by_library).weaker.is_none());
        let by_lines = TWO.replace(
            "[ \"$output\" = \"3\" ]",
            "[ \"${lines[0]}\" = \"late: mia\" ]\n  [ \"${#lines[@]}\" -eq 2 ]",
        );
        let whole = |printed: &str| {
            let lines = format!("want=$({printed})\n  [ \"$output\" = \"$want\" ]");
            of(&by_lines, &TWO.replace("[ \"$output\" = \"3\" ]", &lines)).weaker
        };
        assert!(whole("printf 'late: %s\\n' mia jon").is_none());
        assert!(whole("printf 'late: %s\\n' jon").is_some());
        let platform = of(
            TWO,
            &TWO.replace(
                "  run cart add x",
                "  if [ \"$(uname)\" = Darwin ]; then\n    skip \"no flock\"\n  fi\n  run cart add x",
            ),
        );
        assert!(platform.skipped.is_empty());
    }
}
