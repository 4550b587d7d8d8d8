//! `steadfast checkpoint verify`.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::args::CheckpointVerifyArgs;
use crate::checkpoint::store::Store;
use crate::checkpoint::{Error, verify};
use crate::cli::progress;
use crate::cli::undo::{self, shown, write_json};
use crate::model::finding::counted;

/// Reads every kept byte and says what is damaged.
pub(super) fn verify_all(
    args: &CheckpointVerifyArgs,
    store: &Store,
    out: &mut dyn Write,
) -> Result<u8, Error> {
    let report = progress::shown("reading", |meter| verify::run(store, args.checkpoint.as_deref(), meter))?;
    let _ = if args.json {
        let damaged = report.damaged.iter().map(|(checkpoint, problems)| {
            let problems: Vec<Value> = problems
                .iter()
                .map(|(path, why)| json!({"path": undo::path_text(path), "problem": why}))
                .collect();
            (checkpoint.clone(), Value::from(problems))
        });
        write_json(
            out,
            &json!({
                "checkpoints": report.checkpoints,
                "objects": report.objects,
                "damaged": Value::Object(damaged.collect()),
                "unreadable": report.unreadable,
            }),
        )
    } else {
        write_verified(out, &report)
    };
    Ok(u8::from(!report.is_whole()))
}

fn write_verified(out: &mut dyn Write, report: &verify::StoreVerification) -> io::Result<()> {
    for (checkpoint, problems) in &report.damaged {
        writeln!(out, "damaged: {}", shown(checkpoint))?;
        for (path, why) in problems {
            writeln!(out, "  {}: {}", shown(&undo::path_text(path)), shown(why))?;
        }
    }
    for why in &report.unreadable {
        writeln!(out, "unreadable: {}", shown(why))?;
    }
    let damaged = report.damaged.len() + report.unreadable.len();
    writeln!(
        out,
        "{} with {}: {}",
        counted(report.checkpoints, "checkpoint"),
        counted(report.objects, "object"),
        if damaged == 0 { "all whole".to_owned() } else { format!("{damaged} damaged") }
    )
}
