//! The list of what is kept.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::shown::{brief, shown, size};
use super::words::done;
use crate::checkpoint::catalogue::Catalogue;
use crate::checkpoint::manifest::Manifest;
use crate::cli::columns::{FittedWriter, moment};
use crate::cli::pages::left_out;
use crate::model::finding::counted;

/// The checkpoints for programs.
pub(in crate::cli) fn list_json(catalogue: &Catalogue, most: usize) -> Value {
    let checkpoints = catalogue.checkpoints.iter().take(most).map(|manifest| {
        let (files, bytes) = manifest.kept_files();
        json!({
            "checkpoint_id": manifest.checkpoint_id,
            "loop_id": manifest.loop_id,
            "created_at": manifest.created_at,
            "trigger": manifest.trigger,
            "tool": manifest.tool,
            "tool_call_id": manifest.tool_call_id,
            "summary": manifest.summary,
            "tree": manifest.tree,
            "base": manifest.base,
            "tags": manifest.tags,
            "files": files,
            "bytes": bytes,
            "not_kept": manifest.skipped.len(),
            "settled": manifest.after.is_some(),
        })
    });
    let unreadable: Vec<String> = catalogue.unreadable.iter().map(ToString::to_string).collect();
    json!({ "checkpoints": checkpoints.collect::<Vec<_>>(), "unreadable": unreadable })
}

/// The newest `most` checkpoints for a person, each under its `name`.
pub(in crate::cli) fn write_list(
    out: &mut dyn Write,
    catalogue: &Catalogue,
    most: usize,
    name: fn(&Manifest) -> String,
) -> io::Result<()> {
    let out = &mut FittedWriter::new(out);
    if catalogue.checkpoints.is_empty() && catalogue.unreadable.is_empty() {
        return writeln!(out, "Nothing has been kept yet.");
    }
    for manifest in catalogue.checkpoints.iter().take(most) {
        writeln!(out, "{}  {}", moment(manifest.created_at), shown(&name(manifest)))?;
        let (files, bytes) = manifest.kept_files();
        let tool = manifest.tool.as_deref().map(|tool| format!("{tool}: ")).unwrap_or_default();
        let gaps = manifest.skipped.iter().filter(|skipped| !manifest.tree || skipped.is_gap()).count();
        let not_kept = match gaps {
            0 => String::new(),
            skipped => format!(", {skipped} not kept"),
        };
        let tags: String = manifest.tags.iter().map(|tag| format!(" [{tag}]")).collect();
        let what = format!("{tool}{}{tags}", brief(&manifest.summary));
        match &manifest.base {
            Some(base) => {
                let paths = counted(manifest.entries.len(), "difference");
                writeln!(out, "    {} (at most {paths} from {base}{not_kept})", shown(&what))?;
            }
            None => {
                let did = done(manifest).map(|did| shown(&did));
                let kept = match files {
                    0 => None,
                    1 => Some(format!("1 file is kept, {}", size(bytes))),
                    files => Some(format!("{files} files are kept, {}", size(bytes))),
                };
                let said: Vec<String> = did.into_iter().chain(kept).collect();
                let said = if said.is_empty() { "nothing was there".to_owned() } else { said.join("; ") };
                writeln!(out, "    {} ({said}{not_kept})", shown(&what))?;
            }
        }
    }
    if let Some(left_out) = left_out(most, catalogue.checkpoints.len()) {
        writeln!(out, "{left_out}")?;
    }
    for error in &catalogue.unreadable {
        writeln!(out, "unreadable: {}", shown(&error.to_string()))?;
    }
    Ok(())
}
