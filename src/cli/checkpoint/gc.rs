//! `steadfast checkpoint gc`, and how much all checkpoints take.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::args::GcArgs;
use crate::checkpoint::meter::Meter;
use crate::checkpoint::store::Store;
use crate::checkpoint::{Error, catalogue, gc, retention};
use crate::cli::progress;
use crate::cli::undo::{size, write_json};
use crate::config::Config;
use crate::lifecycle::iteration::snapshot;
use crate::model::finding::counted;
use crate::state::loop_state::LoopState;

/// Removes what is too old and what nothing needs.
pub(super) fn collect(
    args: &GcArgs,
    store: &Store,
    project: &Path,
    out: &mut dyn Write,
) -> Result<u8, Error> {
    let (config, _) = Config::read(project);
    let policy = snapshot::policy(&config.checkpoints);
    let mut gone: Vec<PathBuf> = Vec::new();
    for loop_id in catalogue::loops(store)? {
        let state = LoopState::read(store.layout(), &loop_id).ok();
        let pinned = state.as_ref().map(snapshot::pinned).unwrap_or_default();
        gone.extend(retention::apply(store, &loop_id, policy, &pinned, args.dry_run)?);
    }
    let collected =
        progress::shown("collecting", |meter: &Meter| gc::collect(store, gc::GRACE, args.dry_run, meter))?;
    let forgotten = if args.dry_run { 0 } else { gc::forget_git_objects(store, policy.age) };
    let total = gc::size(store)?;
    let freed = collected.bytes + forgotten;
    let _ = if args.json {
        write_json(
            out,
            &json!({
                "dry_run": args.dry_run,
                "checkpoints_removed": gone.len(),
                "objects_removed": collected.objects,
                "bytes_freed": freed,
                "objects_left": collected.left,
                "bytes_left": total.bytes,
            }),
        )
    } else {
        let verb = if args.dry_run { "would remove" } else { "removed" };
        writeln!(
            out,
            "{verb} {} and {} ({}); {} now",
            counted(gone.len(), "checkpoint"),
            counted(collected.objects, "object"),
            size(freed),
            taken(&total)
        )
    };
    Ok(0)
}

/// How much all checkpoints of a project take of what they may, in a line for the status, with a warning from
/// `warn_megabytes` on; `None` when there are none.
pub fn size_line(store: &Store, warn_megabytes: u64, most_megabytes: u64) -> Option<String> {
    let total = gc::size(store).ok().filter(|total| total.checkpoints > 0)?;
    let line = format!("{} of at most {}", taken(&total), size(most_megabytes.saturating_mul(1 << 20)));
    let is_much = total.bytes >= warn_megabytes.saturating_mul(1_000_000);
    Some(if is_much { format!("{line}; `steadfast checkpoint gc` removes the old ones") } else { line })
}

fn taken(total: &gc::StoreSize) -> String {
    let verb = if total.checkpoints == 1 { "takes" } else { "take" };
    format!("{} {verb} {}", counted(total.checkpoints, "checkpoint"), size(total.bytes))
}
