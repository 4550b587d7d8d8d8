//! What the pass over a tree takes from guards, and from nodes that catch or drop an error.

use tree_sitter::Node;

use crate::languages::code::constants::{gives_constant, is_constant};
use crate::languages::code::model::{Drop, Exit, Guard, Handler, HandlerEffect};
use crate::languages::code::statements::{has_reason, is_empty, is_log, statements};
use crate::languages::code::syntax::CaughtError;
use crate::languages::code::walk::CodeWalk;
use crate::languages::tree::{each_node, line, parts, text};

impl<'s> CodeWalk<'_, 's> {
    pub(super) fn guard(&mut self, node: Node, condition: &'s str, block: Node, negated: bool) {
        let body = statements(block);
        let Some(last) = body.last() else { return };
        let exits = body.iter().filter_map(|it| (self.syntax.exit)(*it, self.source));
        let Some(exit) = exits.min_by_key(|exit| *exit != Exit::Error) else { return };
        if body.len() > 3 || (self.syntax.exit)(*last, self.source).is_none() {
            return;
        }
        let value = parts(*last).first().copied().filter(|it| is_constant(*it, self.source, 0));
        // In Rust and Swift the block may be an expression of a statement.
        let place = node.parent().filter(|it| it.kind() == "expression_statement").unwrap_or(node);
        let function = self.open.last().and_then(|(_, index)| self.code.functions.get(*index));
        let first = place.prev_named_sibling().is_none_or(|it| it.kind().contains("comment"))
            && place.parent().is_some_and(|it| {
                function.is_some_and(|function| {
                    it.start_byte().abs_diff(function.body.start) < 200
                        && it.end_byte() <= function.body.end
                        && it.start_byte() >= function.body.start
                        && it.parent().is_none_or(|up| up.start_byte() <= function.body.start)
                })
            });
        self.code.guards.push(Guard {
            owner: self.owner(),
            condition,
            negated,
            exit,
            gives: value.map(|it| self.text(it)),
            first,
            line: line(node),
        });
    }

    pub(super) fn caught(&mut self, node: Node, caught: &CaughtError<'_, 's>) {
        match caught.clone() {
            CaughtError::Guard { condition, block } => {
                let condition = self.text(condition);
                self.guard(node, condition, block, false);
            }
            CaughtError::Drop { call, how } => {
                let (owner, call) = (self.owner(), self.text(call));
                self.code.drops.push(Drop { owner, call, how, line: line(node) });
            }
            CaughtError::Handler { caught, broad, body, watched } => {
                let watched = self.source.get(watched).unwrap_or_default();
                let (effect, explained) = match body {
                    Some(body) => (self.effect(body), has_reason(body, self.source)),
                    None => (HandlerEffect::Silent, false),
                };
                let (owner, body) = (self.owner(), body.map(|it| self.text(it)).unwrap_or_default());
                self.code.handlers.push(Handler {
                    owner,
                    caught,
                    broad,
                    effect,
                    explained,
                    watched,
                    body,
                    line: line(node),
                });
            }
        }
    }

    fn effect(&self, body: Node) -> HandlerEffect {
        let statements = statements(body);
        let mut effect = HandlerEffect::Silent;
        for statement in &statements {
            let of_one = if (self.syntax.exit)(*statement, self.source) == Some(Exit::Error) {
                HandlerEffect::Raised
            } else if is_empty(*statement, self.source) {
                HandlerEffect::Silent
            } else if gives_constant(*statement, self.source).is_some() || gives_made(*statement, self.source)
            {
                HandlerEffect::Constant
            } else if is_log(*statement, self.source) {
                HandlerEffect::Logged
            } else {
                HandlerEffect::Handled
            };
            effect = effect.max(of_one);
        }
        if effect < HandlerEffect::Raised {
            let mut raises = false;
            each_node(body, &mut |node| {
                raises = raises || (self.syntax.exit)(node, self.source) == Some(Exit::Error);
                !raises
            });
            if raises {
                return HandlerEffect::Raised;
            }
        }
        effect
    }
}

/// Whether a statement gives a new object that nothing is put into: `return Settings();`.
fn gives_made(node: Node, source: &str) -> bool {
    let value = match node.kind() {
        "return_statement" | "return_expression" | "control_transfer_statement" => {
            parts(node).first().copied()
        }
        _ => Some(node),
    };
    let Some(value) = value.filter(|it| matches!(it.kind(), "call_expression" | "call")) else {
        return false;
    };
    let class = text(value, source).strip_suffix("()").unwrap_or_default();
    class.starts_with(char::is_uppercase) && class.chars().all(|c| c.is_alphanumeric() || c == '_')
}
