//! What `steadfast log verify` prints.

use std::io::{self, Write};

use owo_colors::OwoColorize;
use serde_json::{Value, json};

use crate::model::finding::counted;
use crate::state::audit::{LineRemark, LogVerification};

/// How many remarks of a kind are shown.
const SHOWN: usize = 20;

/// Writes what the verification of each loop's log found; answers the exit code.
pub(super) fn report(
    reports: &[(String, LogVerification)],
    as_json: bool,
    out: &mut dyn Write,
) -> io::Result<u8> {
    let code = u8::from(reports.iter().any(|(_, report)| !report.faults.is_empty()));
    if as_json {
        writeln!(out, "{:#}", reports.iter().map(as_value).collect::<Value>())?;
        return Ok(code);
    }
    if reports.is_empty() {
        writeln!(out, "No loop has a log.")?;
    }
    for (id, report) in reports {
        let verdict = match report.faults.len() {
            0 => "untouched".green().to_string(),
            faults => counted(faults, "fault").red().bold().to_string(),
        };
        let (lines, files) = (counted(report.lines, "line"), counted(report.files.len(), "file"));
        writeln!(out, "{}: {verdict}, {lines} in {files}", id.bold())?;
        remarks(&report.faults, &"fault".red().to_string(), out)?;
        remarks(&report.notes, &"note".dimmed().to_string(), out)?;
    }
    Ok(code)
}

fn as_value((id, report): &(String, LogVerification)) -> Value {
    let remarks = |remarks: &[LineRemark]| -> Vec<Value> {
        remarks.iter().map(|it| json!({"file": it.file, "line": it.line, "what": it.what})).collect()
    };
    json!({
        "loop_id": id,
        "lines": report.lines,
        "files": report.files,
        "faults": remarks(&report.faults),
        "notes": remarks(&report.notes),
    })
}

fn remarks(remarks: &[LineRemark], word: &str, out: &mut dyn Write) -> io::Result<()> {
    for remark in remarks.iter().take(SHOWN) {
        writeln!(out, "  {word}: {}:{} {}", remark.file.display(), remark.line, remark.what)?;
    }
    match remarks.len().saturating_sub(SHOWN) {
        0 => Ok(()),
        more => writeln!(out, "  {word}: and {more} more"),
    }
}
