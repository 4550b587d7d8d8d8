//! Whether files are as a loop's first checkpoint has them: what was taken back is no change of the loop's.

use std::path::Path;

use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::node::Node;
use crate::lifecycle::context::hook_context::HookContext;

/// Whether a file is as the loop's first checkpoint has it, by what is `seen` of it now; `false` where that is not known.
pub fn as_started<'s>(context: &HookContext, seen: &'s [(String, Node)]) -> impl Fn(&str) -> bool + use<'s> {
    let state = context.state();
    let name = state.as_ref().and_then(|state| state.baseline_snapshot.as_deref());
    let manifest = name.and_then(|name| Manifest::read(&context.project.root().join(name)).ok());

    move |path| {
        let node = seen.iter().find(|(known, _)| known == path).map(|(_, node)| node);
        let before = manifest.as_ref().map(|manifest| manifest.entry(Path::new(path)));
        match (before, node) {
            (Some(Some(before)), Some(now)) => before.node == *now,
            (Some(None), Some(now)) => *now == Node::Absent,
            _ => false,
        }
    }
}
