//! Where a file goes back to when a loop's work on it is taken back: to what the loop's first call that changed it found,
//! not further.
//!
//! Invariant: what somebody else wrote before that stays; what somebody wrote between two changes of the loop is told.

use jiff::Timestamp;

use crate::checkpoint::node::Node;

/// What a call of a loop found of a file that it changed, and left of it.
#[derive(Debug, Clone)]
pub(crate) struct FileStep {
    /// When it began.
    pub(crate) at: Timestamp,
    /// What was there.
    pub(crate) found: Node,
    /// What it left; `None` where its end was never told.
    pub(crate) left: Option<Node>,
}

/// The way back of one file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WayBack {
    /// What was there before the loop's own work on it.
    pub(crate) base: Node,
    /// Whether somebody else changed it after the loop had.
    pub(crate) between: bool,
}

impl WayBack {
    /// From a tree in which the file was as `tree` has it, and the steps since, oldest first. What a person has `approved`
    /// stays: the way back ends there.
    pub(crate) fn of(tree: &Node, steps: &[FileStep], approved: Option<Timestamp>) -> WayBack {
        let (before, since): (Vec<&FileStep>, Vec<&FileStep>) =
            steps.iter().partition(|step| approved.is_some_and(|approved| step.at <= approved));
        let mut base = before.last().and_then(|step| step.left.as_ref()).unwrap_or(tree);
        let mut seen = vec![base];
        let (mut now, mut between) = (Some(base), false);
        for step in since {
            let is_known = now.is_none() || seen.iter().any(|node| node.same(&step.found));
            if !is_known {
                // Before any work of the loop's own it is what the loop found.
                let is_first = now.is_some_and(|now| now.same(base));
                between |= !is_first;
                base = if is_first { &step.found } else { base };
            }
            seen.push(&step.found);
            seen.extend(&step.left);
            now = step.left.as_ref();
            between &= !now.is_some_and(|now| now.same(base));
        }
        WayBack { base: base.clone(), between }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkpoint::objects::Digest;

    fn file(text: &str) -> Node {
        Node::File { sha256: Digest::of(text.as_bytes()), size: 1, mode: 0o644 }
    }

    /// What the steps found and left, ten seconds apart; the base and whether somebody came in between.
    type Row = (&'static [(&'static str, &'static str)], Option<Timestamp>, &'static str, bool);

    #[test]
    fn the_way_back_ends_at_what_the_first_own_change_found() {
        let approved = Timestamp::from_second(15).unwrap();
        let rows: [Row; 9] = [
            (&[], None, "tree", false),
            (&[("tree", "a"), ("a", "b")], None, "tree", false),
            (&[("person", "a"), ("a", "b")], None, "person", false),
            (&[("tree", "a"), ("person", "b")], None, "tree", true),
            (&[("person", "a"), ("other", "b")], None, "person", true),
            // All of the own work is gone in between.
            (&[("tree", "a"), ("a", "tree"), ("person", "b")], None, "person", false),
            (&[("tree", "a"), ("person", "b"), ("b", "tree")], None, "tree", false),
            // Two calls at once.
            (&[("tree", "b"), ("tree", "b")], None, "tree", false),
            (&[("tree", "a"), ("a", "b")], Some(approved), "a", false),
        ];
        for (steps, approved, base, between) in rows {
            let steps: Vec<FileStep> = (1..)
                .zip(steps)
                .map(|(number, (found, left))| FileStep {
                    at: Timestamp::from_second(number * 10).unwrap(),
                    found: file(found),
                    left: Some(file(left)),
                })
                .collect();
            let way = WayBack::of(&file("tree"), &steps, approved);
            assert_eq!(way, WayBack { base: file(base), between }, "{steps:?}");
        }
        let unknown = FileStep { at: Timestamp::UNIX_EPOCH, found: file("tree"), left: None };
        let next = FileStep { at: approved, found: file("a"), left: Some(file("b")) };
        let way = WayBack::of(&file("tree"), &[unknown, next], None);
        assert_eq!(way, WayBack { base: file("tree"), between: false }, "what no end was told of is its own");
    }
}
