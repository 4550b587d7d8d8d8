//! A literal text that is all that a source writes.

use crate::shell::edit::code::texts::{TextVariables, name};

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
pub(crate) fn written(source: &str, names: &TextVariables) -> Option<String> {
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
                let (_, rest) = file(arguments, names)?;
                arguments = rest.trim_start().strip_prefix(',')?.trim_start();
            }
            let (text, rest) = names.value(arguments, true)?;
            if !rest.trim_start().starts_with([')', ',']) || found.is_some() {
                return None;
            }
            found = Some(text);
        }
    }
    found
}

/// The file that is written, which may be a name that holds anything.
fn file<'t>(arguments: &'t str, names: &TextVariables) -> Option<(String, &'t str)> {
    names.value(arguments, true).or_else(|| name(arguments).map(|(name, rest)| (name.to_owned(), rest)))
}
