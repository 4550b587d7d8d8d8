//! A callee taken apart: its root, its members and the calls on the way.
//!
//! Followed a bounded number of links.

use tree_sitter::Node;

use crate::languages::tree::{field, text};

/// A callee taken apart: `it.skip.each(rows)` is the root `it`, the members `skip` and `each`, and the call of `each`.
pub(super) struct CalleeChain<'t> {
    pub(super) root: &'t str,
    pub(super) members: Vec<&'t str>,
    /// Arguments of calls on the way, with the member that they belong to.
    pub(super) calls: Vec<(&'t str, Node<'t>)>,
}

pub(super) fn chain<'t>(mut node: Node<'t>, source: &'t str) -> Option<CalleeChain<'t>> {
    let mut chain = CalleeChain { root: "", members: Vec::new(), calls: Vec::new() };
    let mut pending = Vec::new();
    for _ in 0..16 {
        match node.kind() {
            "identifier" | "this" => {
                chain.root = text(node, source);
                chain.members.reverse();
                chain.calls.extend(pending.into_iter().map(|arguments| ("", arguments)));
                return Some(chain);
            }
            "member_expression" => {
                let member = text(field(node, "property")?, source);
                chain.calls.extend(pending.drain(..).map(|arguments| (member, arguments)));
                chain.members.push(member);
                node = field(node, "object")?;
            }
            "call_expression" => {
                pending.push(field(node, "arguments")?);
                node = field(node, "function")?;
            }
            "parenthesized_expression" | "non_null_expression" | "await_expression" => {
                node = node.named_child(0)?
            }
            // Whatever it is, what is called on it counts: `(() => f()).should.throw()`.
            _ if !chain.members.is_empty() => {
                chain.members.reverse();
                return Some(chain);
            }
            _ => return None,
        }
    }
    None
}
