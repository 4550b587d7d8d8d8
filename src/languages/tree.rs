//! Going over the nodes of a syntax tree.
//!
//! Nothing here recurses, so the depth of a text costs nothing.

use tree_sitter::Node;

/// Visits a node and all below it in the order of the text. `visit` answers whether to look inside.
pub(crate) fn each_node<'t>(root: Node<'t>, visit: &mut impl FnMut(Node<'t>) -> bool) {
    let mut cursor = root.walk();
    loop {
        if visit(cursor.node()) && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}

/// As [`each_node`], with the nodes that it is in, the outermost first; `above` are those of `root`. Asking a node for
/// its parent walks down to it from the root of the tree.
pub(crate) fn each_node_within<'t>(
    root: Node<'t>,
    above: &[Node<'t>],
    visit: &mut impl FnMut(Node<'t>, &[Node<'t>]) -> bool,
) {
    let mut above = above.to_vec();
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        if visit(node, &above) && cursor.goto_first_child() {
            above.push(node);
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
            above.pop();
        }
    }
}

/// A node's named children without comments.
pub(crate) fn parts<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| !child.kind().contains("comment")).collect()
}

/// Whether a branch has another for when its condition does not hold.
pub(crate) fn has_else(branch: Node) -> bool {
    let mut cursor = branch.walk();
    branch.child_by_field_name("alternative").is_some()
        || branch.children(&mut cursor).any(|child| child.kind() == "else")
}

pub(crate) fn text<'s>(node: Node, source: &'s str) -> &'s str {
    source.get(node.byte_range()).unwrap_or_default()
}

/// A node's line, from 1.
pub(crate) fn line(node: Node) -> u32 {
    u32::try_from(node.start_position().row).unwrap_or(u32::MAX).saturating_add(1)
}
