//! Names of its own under which a file imports what makes tests: `import t from 'node:test'`,
//! `const { it: check } = require('vitest')`.

use tree_sitter::Node;

use crate::languages::javascript::head::{JavaScriptWalk, TestHead};
use crate::languages::javascript::words::{SUITES, TESTS};
use crate::languages::testing::outline_builder::OutlineBuilder;
use crate::languages::tree::{field, parts};

/// Modules with functions that make tests and suites.
const MODULES: &[&str] = &[
    "@jest/globals",
    "@playwright/test",
    "ava",
    "brittle",
    "bun:test",
    "mocha",
    "node:test",
    "tape",
    "test",
    "uvu",
    "vitest",
    "zora",
];

/// Those of them that make a test when they are called themselves.
const CALLED: &[&str] = &["ava", "brittle", "node:test", "tape", "test"];

impl JavaScriptWalk {
    /// Takes the names of an `import`.
    pub(super) fn import(&mut self, sketch: &OutlineBuilder, statement: Node) {
        let Some(module) = field(statement, "source").map(|source| sketch.text(source)) else { return };
        let clauses = parts(statement).into_iter().filter(|part| part.kind() == "import_clause");
        for part in clauses.flat_map(parts) {
            match part.kind() {
                "identifier" => self.module(sketch.text(part), module),
                "named_imports" => {
                    for name in parts(part) {
                        let alias = field(name, "alias").or_else(|| field(name, "name"));
                        self.member(sketch, field(name, "name"), alias, module);
                    }
                }
                _ => {}
            }
        }
    }

    /// Takes the names that a `require` gives; answers whether it is one of a module that makes tests.
    pub(super) fn required(&mut self, sketch: &OutlineBuilder, name: Node, value: Node) -> bool {
        let is_require = field(value, "function").is_some_and(|callee| sketch.text(callee) == "require");
        let argument = field(value, "arguments").and_then(|arguments| parts(arguments).first().copied());
        let Some(module) = argument.filter(|_| is_require).map(|argument| sketch.text(argument)) else {
            return false;
        };
        match name.kind() {
            "identifier" => self.module(sketch.text(name), module),
            _ => {
                for part in parts(name) {
                    let key = field(part, "key").unwrap_or(part);
                    self.member(sketch, Some(key), field(part, "value").or(Some(part)), module);
                }
            }
        }
        is_one_of(MODULES, module)
    }

    fn module(&mut self, own: &str, module: &str) {
        if is_one_of(CALLED, module) {
            self.stand_for(own, TestHead::default());
        }
    }

    fn member(&mut self, sketch: &OutlineBuilder, member: Option<Node>, own: Option<Node>, module: &str) {
        let (Some(member), Some(own)) = (member, own) else { return };
        let (member, own) = (sketch.text(member), sketch.text(own));
        if own != member && is_one_of(MODULES, module) && is_known(member) {
            self.stand_for(own, TestHead { is_suite: SUITES.contains(&member), ..TestHead::default() });
        }
    }

    /// Has a name stand for a head. One that frameworks know says that by itself.
    fn stand_for(&mut self, own: &str, head: TestHead) {
        if !is_known(own) {
            self.aliases.push((own.to_owned(), head));
        }
    }
}

/// Whether frameworks know a name as one that makes tests or suites.
fn is_known(name: &str) -> bool {
    TESTS.contains(&name) || SUITES.contains(&name)
}

/// Whether a quoted text names one of these modules.
fn is_one_of(modules: &[&str], quoted: &str) -> bool {
    modules.contains(&quoted.trim_matches(['\'', '"', '`']))
}
