//! A literal text that is all that a source writes.

use crate::shell::edit::code::literal;

/// Calls that write a text.
const WRITES: &[&str] = &[
    ".write(",
    "write_text(",
    "writeFileSync(",
    "writeFile(",
    "File.write(",
    "IO.write(",
    "file_put_contents(",
    "Bun.write(",
];

/// A literal text that is all that is written.
pub(crate) fn written(source: &str) -> Option<String> {
    let mut found = None;
    for name in WRITES {
        for (start, _) in source.match_indices(name) {
            let before = source.get(..start)?;
            // `fs.writeFile(` is in `fs.writeFileSync(` only with its bracket, and `File.write(` ends in `.write(`.
            if *name == ".write("
                && before.ends_with("File") | before.ends_with("IO") | before.ends_with("Bun")
            {
                continue;
            }
            let mut arguments = source.get(start + name.len()..)?.trim_start();
            if !matches!(*name, ".write(" | "write_text(") {
                let (_, rest) = literal(arguments)?;
                arguments = rest.trim_start().strip_prefix(',')?.trim_start();
            }
            let (text, rest) = literal(arguments)?;
            if !rest.trim_start().starts_with([')', ',']) || found.is_some() {
                return None;
            }
            found = Some(text);
        }
    }
    found
}
