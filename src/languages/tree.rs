//! Going over the nodes of a syntax tree.
//!
//! Nothing here recurses, so the depth of a text costs nothing.

use std::cell::RefCell;
use std::num::NonZeroU16;

use tree_sitter::{Language, Node};

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

/// A node's named children without comments, which every grammar allows anywhere, as what it calls extras.
pub(crate) fn parts<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let is_part = |child: &Node| !child.is_extra() || !child.kind().contains("comment");
    let count = node.named_child_count();
    if node.child_count() <= FEW {
        // Each is found by counting from the first, which for so few costs less than a cursor.
        let all = (0..count).filter_map(|at| node.named_child(u32::try_from(at).ok()?));
        return all.filter(is_part).collect();
    }
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(is_part).collect()
}

/// The first child of a field. [`Node::child_by_field_name`] compares the name with those of all fields of the grammar,
/// each time.
pub(crate) fn field<'t>(node: Node<'t>, name: &'static str) -> Option<Node<'t>> {
    FIELDS.with_borrow_mut(|known| node.child_by_field_id(known.id(&node.language(), name)?.get()))
}

/// More children than these are gone over with a cursor.
const FEW: u32 = 8;
/// How many names of fields are remembered: a power of two.
const NAMES: usize = 64;

thread_local! {
    static FIELDS: RefCell<Fields> = const { RefCell::new(Fields { language: None, ids: [None; NAMES] }) };
}

/// The numbers of the fields that were asked for, of one grammar: whoever reads a text asks for them again and again.
struct Fields {
    language: Option<Language>,
    ids: [Option<(&'static str, Option<NonZeroU16>)>; NAMES],
}

impl Fields {
    fn id(&mut self, language: &Language, name: &'static str) -> Option<NonZeroU16> {
        if self.language.as_ref() != Some(language) {
            *self = Fields { language: Some(language.clone()), ids: [None; NAMES] };
        }
        let slot = self.ids.get_mut(name.as_ptr().addr() / 2 % NAMES)?;
        match slot {
            // The same text in the same place.
            Some((known, id)) if std::ptr::eq(*known, name) => *id,
            _ => slot.insert((name, language.field_id_for_name(name))).1,
        }
    }
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
