//! Reports that are one document, told by how they begin: JSON of tests, coverage and linters, and XML of tests and
//! coverage. Here stands which formats there are; each format's own file says how it is read.

use std::io::BufRead;

use super::ReportReading;

mod json;
mod xml;

/// Reads a document of XML or JSON; `None` for anything else, also for lines of JSON.
pub(super) fn read(bytes: &mut dyn BufRead) -> Option<ReportReading> {
    let start = bytes.fill_buf().unwrap_or_default();
    let first =
        start.iter().position(|byte| !byte.is_ascii_whitespace() && !matches!(byte, 0xef | 0xbb | 0xbf));
    let start = start.get(first?..).unwrap_or_default();
    let is_xml = start.starts_with(b"<?xml") || (start.starts_with(b"<") && xml::is_known_root(start));
    if is_xml {
        return Some(xml::read(bytes));
    }
    json::is_document(start).then(|| json::read(bytes))
}
