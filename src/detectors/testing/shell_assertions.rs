//! What asserts in tests in shell: lines, and functions of the test's file, by which a test says what they say.

use crate::model::words::is_plain_name;

/// How lines begin that fail a test.
const ASSERTING: &[&str] = &[
    "[ ",
    "[[ ",
    "test ",
    "assert",
    "refute",
    "grep ",
    "diff ",
    "cmp ",
    "! ",
    "(( ",
    "fail",
    "run -",
    "run ! ",
    "echo \"$output\" |",
];

/// A function of a file, with its lines.
pub(super) struct ShellHelper<'t> {
    name: &'t str,
    lines: Vec<&'t str>,
}

/// Whether a line fails the test.
pub(super) fn is_assertion(line: &str) -> bool {
    ASSERTING.iter().any(|head| line.starts_with(head)) && !is_trivial(line)
}

fn is_trivial(line: &str) -> bool {
    matches!(
        line,
        "[ true ]"
            | "[ 1 -eq 1 ]"
            | "[[ true ]]"
            | "true"
            | "assert true"
            | "[ 1 ]"
            | "[ 0 -eq 0 ]"
            | "assertTrue 0"
    ) || line.contains("-ge 0 ]")
        || ["\"$status\" -eq 0 ] || [", "-eq 0 || "].iter().any(|it| line.contains(it))
}

/// The functions of a text that assert something.
pub(super) fn helpers(text: &str) -> Vec<ShellHelper<'_>> {
    let mut all: Vec<ShellHelper> = Vec::new();
    let mut is_open = false;
    for line in text.lines() {
        if let Some(name) = head(line) {
            all.push(ShellHelper { name, lines: Vec::new() });
            is_open = true;
        } else if line.starts_with('}') {
            is_open = false;
        } else if let Some(helper) = all.last_mut().filter(|_| is_open) {
            helper.lines.push(line.trim());
        }
    }
    all.retain(|helper| helper.lines.iter().any(|line| is_assertion(line)));
    all
}

/// The name of a function that a line begins, where that is no test.
fn head(line: &str) -> Option<&str> {
    let bare = line.strip_prefix("function ").unwrap_or(line);
    let (name, rest) = bare.split_once('(')?;
    let is_function = rest.trim_start().strip_prefix(')').is_some_and(|rest| rest.trim() == "{");
    (is_function && is_plain_name(name) && !name.starts_with("test")).then_some(name)
}

/// A line of a test; a call of a function that asserts as that function's assertions, with what it is given put in. A
/// way out behind one only says what was wrong.
pub(super) fn spelled_out(helpers: &[ShellHelper], line: &str) -> Vec<String> {
    let mut words = line.splitn(2, ' ');
    let name = words.next().unwrap_or_default();
    let Some(helper) = helpers.iter().find(|helper| helper.name == name) else {
        return vec![line.to_owned()];
    };
    let given = words.next().unwrap_or_default().trim();
    let given = given.trim_matches(['"', '\'']);
    let said = |line: &&str| line.split(" || {").next().unwrap_or(line).replace("$1", given);
    helper.lines.iter().filter(|line| is_assertion(line)).map(said).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_says_what_the_function_asserts() {
        let text = "refused() {\n  [ \"$status\" -eq 3 ] || { echo no; return 1; }\n  [[ \"$output\" == *\"$1\"* ]]\n}\nmake() {\n  touch x\n}\n";
        let helpers = helpers(text);
        assert_eq!(helpers.len(), 1);
        let said = spelled_out(&helpers, "refused \"no room\"");
        assert_eq!(said, ["[ \"$status\" -eq 3 ]", "[[ \"$output\" == *\"no room\"* ]]"]);
        assert_eq!(spelled_out(&helpers, "make y"), ["make y"]);
    }
}
