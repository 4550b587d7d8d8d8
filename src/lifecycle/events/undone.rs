//! A person has undone a call in a terminal: what was lost by it and is back closes its regressions, and their gates.

use crate::lifecycle::events::driver;
use crate::lifecycle::regression::mended;
use crate::project::Project;
use crate::state::layout::Layout;
use crate::state::registry::Registry;

/// Closes what is mended in every loop that goes on.
pub fn close_mended(project: &Project) {
    let layout = Layout::of_project(project.root());
    let Ok(registry) = Registry::read(&layout) else { return };
    for (session, loop_id) in &registry.sessions {
        if registry.loops.get(loop_id).is_some_and(|entry| !entry.status.is_over()) {
            // What can't be written now is found by the session's next event.
            let _ = driver::in_session(project, session, |context| {
                mended::close(context);
                Ok(())
            });
        }
    }
}
