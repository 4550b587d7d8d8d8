//! What kind of task a loop has, and what is usual for it.
//!
//! The kind is advice: it hints at a limit and picks how many learnings are handed on, and forbids nothing.

use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// How many of the newest learnings are handed on when the kind of task is not known.
pub const DEFAULT_WINDOW: usize = 5;

/// The seven kinds of task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskType {
    /// Failing tests are mended.
    TestFixes,
    /// Type errors are mended.
    TypeErrors,
    /// Lint errors are mended.
    LintCleanup,
    /// Code moves to another system, version or language.
    Migration,
    /// Code changes its shape and keeps its behaviour.
    Refactor,
    /// Tests are added.
    Coverage,
    /// Something new is made.
    Greenfield,
}

/// What is usual for a kind of task.
struct UsualTask {
    task_type: TaskType,
    name: &'static str,
    iterations: RangeInclusive<u32>,
    window: usize,
    role: &'static str,
    /// A word alone that tells.
    words: &'static [&'static str],
    /// A verb and a noun behind it that tell together.
    verbs: &'static [&'static str],
    nouns: &'static [&'static str],
}

const MENDING: &[&str] = &[
    "fix",
    "fixes",
    "fixing",
    "repair",
    "resolve",
    "solve",
    "clean",
    "cleanup",
    "clear",
    "remove",
    "eliminate",
    "address",
    "get",
    "make",
];

static USUAL: &[UsualTask] = &[
    UsualTask {
        task_type: TaskType::TestFixes,
        name: "test fixes",
        iterations: 2..=5,
        window: 2,
        role: "test-engineer",
        words: &[],
        verbs: MENDING,
        nouns: &["test", "tests", "spec", "specs", "suite"],
    },
    UsualTask {
        task_type: TaskType::TypeErrors,
        name: "type errors",
        iterations: 3..=8,
        window: 2,
        role: "software-implementer",
        words: &[],
        verbs: MENDING,
        nouns: &["type", "types", "typing", "typescript", "tsc", "mypy", "pyright"],
    },
    UsualTask {
        task_type: TaskType::LintCleanup,
        name: "lint cleanup",
        iterations: 2..=4,
        window: 2,
        role: "software-implementer",
        words: &["lint", "linting", "eslint", "clippy"],
        verbs: MENDING,
        nouns: &["ruff", "flake8", "pylint", "rubocop", "warnings", "formatting"],
    },
    UsualTask {
        task_type: TaskType::Migration,
        name: "migration",
        iterations: 5..=15,
        window: 3,
        role: "software-implementer",
        words: &["migrate", "migrating", "migration", "port", "upgrade"],
        verbs: &["convert", "move", "switch", "update", "translate"],
        nouns: &["to", "from"],
    },
    UsualTask {
        task_type: TaskType::Refactor,
        name: "refactoring",
        iterations: 3..=10,
        window: 3,
        role: "software-implementer",
        words: &["refactor", "refactoring", "rename", "restructure", "deduplicate", "simplify"],
        verbs: &["extract", "split", "move", "inline", "reorganize", "reorganise"],
        nouns: &[
            "module",
            "modules",
            "function",
            "functions",
            "class",
            "classes",
            "file",
            "files",
            "component",
        ],
    },
    UsualTask {
        task_type: TaskType::Coverage,
        name: "coverage",
        iterations: 5..=20,
        window: 5,
        role: "test-engineer",
        words: &["coverage"],
        verbs: &["add", "write", "create", "extend"],
        nouns: &["test", "tests", "spec", "specs"],
    },
    UsualTask {
        task_type: TaskType::Greenfield,
        name: "greenfield",
        iterations: 10..=30,
        window: 5,
        role: "software-implementer",
        words: &["scaffold", "bootstrap", "greenfield", "scratch"],
        verbs: &["create", "build", "implement", "write", "start", "set"],
        nouns: &[
            "project",
            "app",
            "application",
            "service",
            "cli",
            "api",
            "server",
            "library",
            "tool",
            "website",
        ],
    },
];

/// Words that ask for everything at once.
const WHOLE: &[&[&str]] = &[
    &["everything"],
    &["entire"],
    &["whole"],
    &["codebase"],
    &["all", "files"],
    &["all", "modules"],
    &["all", "packages"],
];

/// Recognises the kind of a task from its text. What is said first decides: in "fix tests after the refactoring"
/// tests are fixed.
pub fn recognise(task: &str) -> Option<TaskType> {
    let words = words_of(task);
    let place = |usual: &UsualTask| {
        let alone = words.iter().position(|word| usual.words.contains(&word.as_str())).map(|at| (at, at));
        let verb = words.iter().position(|word| usual.verbs.contains(&word.as_str()));
        let pair = verb.and_then(|verb| {
            let near = words.iter().skip(verb + 1).take(6);
            let noun = near.into_iter().position(|word| usual.nouns.contains(&word.as_str()))?;
            Some((verb, verb + 1 + noun))
        });
        alone.into_iter().chain(pair).min()
    };
    let found = USUAL.iter().filter_map(|usual| Some((place(usual)?, usual.task_type)));
    // "Add tests for coverage": both halves tell the same; of two at one verb the nearer noun tells.
    found.min_by_key(|(place, _)| *place).map(|(_, task_type)| task_type)
}

/// How many of the newest learnings are handed on.
pub fn window(task_type: Option<TaskType>) -> usize {
    task_type
        .map_or(DEFAULT_WINDOW, |task_type| usual(task_type).map_or(DEFAULT_WINDOW, |usual| usual.window))
}

/// A sentence when the limit is not what is usual for the kind of task.
pub fn limit_hint(task_type: TaskType, max_iterations: u32) -> Option<String> {
    let usual = usual(task_type)?;
    let (least, most) = (usual.iterations.start(), usual.iterations.end());
    let said = if max_iterations < *least {
        "the limit may be reached before the work is done"
    } else if max_iterations > most.saturating_mul(4) {
        "a lower limit would show sooner that the approach does not work"
    } else {
        return None;
    };
    Some(format!(
        "Tasks of the type \"{}\" usually take {least} to {most} iterations; the limit is {max_iterations}: {said}.",
        usual.name
    ))
}

/// A sentence for a task that asks for everything at once.
pub fn decomposition_hint(task: &str) -> Option<String> {
    let words = words_of(task);
    let whole = WHOLE.iter().any(|phrase| words.windows(phrase.len()).any(|window| window == *phrase));
    whole.then(|| {
        "The task names everything at once. Chunks that one command can verify, done one after the other, converge sooner: \
         one directory, module or group of tests per loop (\"fix auth tests\", then \"fix util tests\")."
            .to_owned()
    })
}

impl TaskType {
    /// The name for people.
    pub fn name(self) -> &'static str {
        usual(self).map_or("task", |usual| usual.name)
    }

    /// How many iterations such a task usually takes.
    pub fn iterations(self) -> RangeInclusive<u32> {
        usual(self).map_or(1..=1, |usual| usual.iterations.clone())
    }

    /// The role that does the work, for hosts that have agents of these names.
    pub fn role(self) -> &'static str {
        usual(self).map_or("software-implementer", |usual| usual.role)
    }
}

fn usual(task_type: TaskType) -> Option<&'static UsualTask> {
    USUAL.iter().find(|usual| usual.task_type == task_type)
}

fn words_of(task: &str) -> Vec<String> {
    let pieces = task.split(|letter: char| !letter.is_alphanumeric());
    pieces.filter(|piece| !piece.is_empty()).take(200).map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds() {
        use TaskType::*;
        let cases: &[(&str, Option<TaskType>)] = &[
            ("Fix failing tests", Some(TestFixes)),
            ("Fix all failing tests after the refactor", Some(TestFixes)),
            ("make the test suite green", Some(TestFixes)),
            ("Fix TypeScript errors", Some(TypeErrors)),
            ("Resolve all type errors in the tests", Some(TypeErrors)),
            ("Fix all lint errors", Some(LintCleanup)),
            ("clean up clippy warnings", Some(LintCleanup)),
            ("Convert to ESM", Some(Migration)),
            ("Migrate the tests to vitest", Some(Migration)),
            ("Rename User across codebase", Some(Refactor)),
            ("Refactor the auth module and fix its tests", Some(Refactor)),
            ("Add tests for coverage", Some(Coverage)),
            ("Raise coverage to 80%", Some(Coverage)),
            ("Scaffold new project", Some(Greenfield)),
            ("Build a small CLI from scratch", Some(Greenfield)),
            ("Say hello", None),
            ("", None),
        ];
        for (task, expected) in cases {
            assert_eq!(recognise(task), *expected, "{task}");
        }
    }

    #[test]
    fn every_kind_has_its_line() {
        use TaskType::*;
        let all = [TestFixes, TypeErrors, LintCleanup, Migration, Refactor, Coverage, Greenfield];
        let ranges: Vec<_> =
            all.iter().map(|kind| (*kind.iterations().start(), *kind.iterations().end())).collect();
        assert_eq!(ranges, [(2, 5), (3, 8), (2, 4), (5, 15), (3, 10), (5, 20), (10, 30)]);
        assert_eq!(all.map(|kind| window(Some(kind))), [2, 2, 2, 3, 3, 5, 5]);
        assert_eq!(window(None), 5);
    }

    #[test]
    fn hints() {
        assert!(
            limit_hint(TaskType::Migration, 3)
                .is_some_and(|hint| hint.contains("5 to 15") && hint.contains('3'))
        );
        assert_eq!(limit_hint(TaskType::Migration, 10), None);
        assert!(limit_hint(TaskType::TestFixes, 200).is_some());
        assert!(decomposition_hint("Fix everything").is_some());
        assert!(decomposition_hint("Migrate the whole codebase").is_some());
        assert_eq!(decomposition_hint("Fix auth tests"), None);
    }
}
