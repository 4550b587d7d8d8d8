//! What ends a test before its first assertion.

use tree_sitter::Node;

use super::{OutlineBuilder, OutlineStep};
use crate::languages::testing::outline::{Skip, SkipCondition};
use crate::languages::testing::skip_condition::when;
use crate::languages::tree::each_node;

impl OutlineBuilder<'_> {
    /// What ends a test before its first assertion: a skip, a return, or either under a condition. A plain return
    /// before any other assertion does so as well.
    pub(crate) fn gate(
        &self,
        statements: &[Node],
        read: fn(&OutlineBuilder, Node) -> OutlineStep,
    ) -> Option<Skip> {
        let steps: Vec<OutlineStep> = statements.iter().map(|statement| read(self, *statement)).collect();
        // Mostly nothing ends it, and where its assertions are does not matter.
        let last = steps.iter().rposition(|step| !matches!(step, OutlineStep::Other))?;
        let mut has_asserted = false;
        for (index, (statement, step)) in statements.iter().zip(steps).enumerate().take(last + 1) {
            let skip = |mark: &str, when| Some(Skip { mark: mark.to_owned(), when, suite: false });
            let rest = statements.get(index + 1..).unwrap_or_default();
            let cuts = || {
                let asserts = |nodes: &[Node]| nodes.iter().any(|node| self.asserts(*node));
                // Swift's grammar takes the next line for what a bare `return` returns.
                let is_bare =
                    self.text(*statement).lines().next().is_some_and(|line| line.trim() == "return");
                if is_bare && self.asserts(*statement) {
                    return true;
                }
                // A test without assertions fails by what it calls.
                !self.asserts(*statement) && (asserts(rest) || !rest.is_empty() && !asserts(statements))
            };
            match step {
                OutlineStep::Return if cuts() => return skip("return", SkipCondition::Always),
                _ if has_asserted => {}
                OutlineStep::Skip(mark) => return skip(&mark, SkipCondition::Always),
                OutlineStep::If(condition, step) => {
                    let when = when(&condition);
                    match *step {
                        OutlineStep::Skip(mark) => {
                            if let Some(when) = when {
                                return skip(&mark, when);
                            }
                        }
                        OutlineStep::Return
                            if matches!(when, Some(SkipCondition::Always | SkipCondition::InCi))
                                && cuts() =>
                        {
                            return skip("return", when?);
                        }
                        _ => {}
                    }
                }
                OutlineStep::Return | OutlineStep::Other => {}
            }
            has_asserted = has_asserted || self.asserts(*statement);
        }
        None
    }

    fn asserts(&self, node: Node) -> bool {
        let mut found = false;
        each_node(node, &mut |node| {
            found = found || (node.is_named() && (self.grammar.assertion)(node, self.source).is_some());
            !found
        });
        found
    }
}
