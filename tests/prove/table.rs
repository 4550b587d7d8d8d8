//! The kinds of changes that every runner is tried with, and a runner's own table of them, which is Markdown: a project as
//! it was, and for each kind the files that differ, as a whole or as the lines that go and come.

use serde_json::Value;

use crate::project::Project;

/// What makes failing tests pass without mending what they test.
const TAMPERINGS: &[&str] = &[
    "weakened assertion",
    "skipped under a flag",
    "mocked subject",
    "special-cased input",
    "narrowed discovery",
    "exit 0 in set-up",
    "patched assert",
    "updated snapshot",
    "removed rows",
    "always-equal type",
    "retried until green",
    "shim of the runner",
];
/// Work that changes tests for good reasons.
const HONEST: &[&str] = &[
    "feature with its tests",
    "rename",
    "table",
    "framework swap",
    "deleted feature",
    "stricter test",
    "moved file",
    "changed message",
];
/// What a fault has to stay unnoticed in, so that a tampering is named by it.
const BITE: &[&str] = &["--bite", "--budget", "3m"];

/// One half of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Half {
    Tamperings,
    Honest,
}

/// A runner's project, and how it is changed.
pub(crate) struct Table {
    start: Vec<Edit>,
    cases: Vec<Case>,
}

struct Case {
    name: String,
    /// `refuted`, `named` by faults that nothing notices, `proven`, or `asked`: named for a person.
    expected: String,
    files: Vec<Edit>,
}

/// A file that differs.
struct Edit {
    path: String,
    now: Now,
}

enum Now {
    Whole(String),
    /// Lines that stand there once, and those that come instead.
    Lines(Vec<(String, String)>),
    Gone,
}

impl Table {
    /// Reads a table. What stands under a heading with another runner in brackets is left out.
    pub(crate) fn read(text: &str, runner: &str) -> Table {
        let mut sections = text.split("\n## ").skip(1);
        let start = edits(sections.next().unwrap(), runner);
        let cases = sections.map(|section| {
            let (name, expected) = section.lines().next().unwrap().split_once(": ").unwrap();
            Case { name: name.to_owned(), expected: expected.to_owned(), files: edits(section, runner) }
        });
        let table = Table { start, cases: cases.collect() };
        let names: Vec<&str> = table.cases.iter().map(|case| case.name.as_str()).collect();
        assert_eq!(names, [TAMPERINGS, HONEST].concat(), "a table has every kind, in this order");
        table
    }

    /// Takes every change of a half in turn, and says which did not come out as expected.
    pub(crate) fn prove(&self, half: Half, args: &[&str], prepare: impl Fn(&Project)) -> Project {
        let files: Vec<(&str, &str)> = self
            .start
            .iter()
            .map(|edit| match &edit.now {
                Now::Whole(text) => (edit.path.as_str(), text.as_str()),
                _ => panic!("{}: a start has whole files", edit.path),
            })
            .collect();
        let project = Project::new(&files);
        prepare(&project);
        // For a person who looks at one kind: `PROVE_ONLY=rename cargo test --test prove go_test`.
        let only = std::env::var("PROVE_ONLY").unwrap_or_default();
        let is_meant = |case: &&Case| {
            (half == Half::Honest) == HONEST.contains(&case.name.as_str()) && case.name.contains(&only)
        };
        let mut wrong = Vec::new();
        for case in self.cases.iter().filter(is_meant) {
            case.files.iter().for_each(|edit| edit.apply(&project));
            let args = if case.expected == "named" { &[args, BITE].concat() } else { args };
            let (code, answer) = project.judged(args);
            if !is_as_expected(&case.expected, code, &answer) {
                wrong.push(format!("{} is not {} ({code}): {answer:#}", case.name, case.expected));
            }
            project.back();
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        project
    }
}

fn is_as_expected(expected: &str, code: i32, answer: &Value) -> bool {
    match expected {
        "refuted" => code == 1,
        "proven" => code == 0,
        "asked" => code == 3 && answer["tests"].as_array().is_some_and(|tests| !tests.is_empty()),
        // What the runs can't tell from honest work, but faults beside it go unnoticed while others are caught.
        "named" => {
            let faults = answer["bite"]["faults"].as_array().unwrap();
            let unnoticed = faults.iter().filter(|fault| fault["caught_by_new"] == 0).count();
            code != 1 && unnoticed > 0 && unnoticed < faults.len()
        }
        other => panic!("`{other}` is nothing to expect"),
    }
}

/// The files of a section.
fn edits(section: &str, runner: &str) -> Vec<Edit> {
    let mut edits = Vec::new();
    for file in section.split("\n### ").skip(1) {
        let (heading, body) = file.split_once('\n').unwrap();
        let (path, only) = heading.split_once(" (").unwrap_or((heading, ""));
        if only.is_empty() || only.strip_suffix(')') == Some(runner) {
            edits.push(Edit { path: path.to_owned(), now: Now::read(body, runner) });
        }
    }
    edits
}

impl Now {
    fn read(body: &str, runner: &str) -> Now {
        if body.trim() == "gone" {
            return Now::Gone;
        }
        let blocks = body.split("\n```\n").filter_map(|block| block.split_once("```"));
        let blocks = blocks.map(|(_, block)| block.split_once('\n').unwrap());
        let mut lines = Vec::new();
        for (kind, text) in blocks {
            if kind != "diff" {
                return Now::Whole(spoken(text, runner) + "\n");
            }
            let side = |other: char| {
                let kept = text.lines().filter(|line| !line.starts_with(other));
                kept.map(|line| spoken(line.get(1..).unwrap_or_default(), runner) + "\n").collect::<String>()
            };
            lines.push((side('+'), side('-')));
        }
        assert!(!lines.is_empty(), "no text: {body}");
        Now::Lines(lines)
    }
}

impl Edit {
    fn apply(&self, project: &Project) {
        match &self.now {
            Now::Whole(text) => project.write(&self.path, text),
            Now::Gone => std::fs::remove_file(project.root().join(&self.path)).unwrap(),
            Now::Lines(lines) => {
                let mut text = std::fs::read_to_string(project.root().join(&self.path)).unwrap();
                for (old, new) in lines {
                    assert_eq!(text.matches(old).count(), 1, "{}: {old}", self.path);
                    text = text.replace(old, new);
                }
                project.write(&self.path, &text);
            }
        }
    }
}

/// JavaScript as a runner's projects have it: modules that are imported, or required where the runner is jest.
fn spoken(text: &str, runner: &str) -> String {
    if runner != "jest" {
        return text.to_owned();
    }
    let text =
        text.replace("'vitest'", "'@jest/globals'").replace("vi.", "jest.").replace(", vi }", ", jest }");
    let lines = text.lines().map(|line| {
        if let Some((names, from)) = line.strip_prefix("import ").and_then(|it| it.split_once(" from ")) {
            return format!("const {names} = require({});", from.trim_end_matches(';'));
        }
        line.replacen("export default ", "module.exports = ", 1).replacen("export {", "module.exports = {", 1)
    });
    lines.collect::<Vec<_>>().join("\n")
}
