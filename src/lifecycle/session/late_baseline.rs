//! The baseline of a loop that was begun without one.

use std::time::Duration;

use jiff::Timestamp;

use crate::config::Config;
use crate::lifecycle::measuring::baseline;
use crate::lifecycle::measuring::baseline::BaselineMeasuring;
use crate::project::Project;
use crate::state::layout::Layout;
use crate::state::loop_state::LoopState;

/// Gives a loop that has none a baseline of now. Nothing is run: what was measured of this tree before counts.
pub fn begin_baseline(
    project: &Project,
    layout: &Layout,
    state: &mut LoopState,
    now: Timestamp,
) -> Result<(), String> {
    let mut measuring = BaselineMeasuring { time: Duration::ZERO, say: &mut |_| {} };
    let taken = baseline::take(project, &Config::read(project.root()).0, &mut measuring, now);
    taken.watch.write(layout, &state.loop_id).map_err(|error| error.to_string())?;
    taken.tests.write(layout, &state.loop_id).map_err(|error| error.to_string())?;
    state.baseline_metrics = Some(taken.baseline);
    Ok(())
}
