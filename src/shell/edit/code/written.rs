//! A literal text that is all that a source writes.

use crate::shell::edit::EditStep;
use crate::shell::edit::code::texts::{TextVariables, literal, name};

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

/// A literal that is put before or behind what a source has read: `open(p, "w").write("x" + s)`.
pub(crate) fn beside(source: &str) -> Option<EditStep> {
    const READS: &[&str] = &[".read()", "read_text(", "readFileSync(", "File.read(", "file_get_contents("];
    let is_read = |name: &str| {
        let mut given = source.match_indices(name).filter_map(|(at, _)| source.get(at + name.len()..));
        given.any(|rest| {
            let line = rest.trim_start().strip_prefix('=').and_then(|rest| rest.split([';', '\n']).next());
            line.is_some_and(|line| READS.iter().any(|read| line.contains(read)))
        })
    };
    let mut calls =
        WRITES.iter().flat_map(|name| source.match_indices(name).map(|(at, name)| at + name.len()));
    let (first, last) = (calls.next()?, calls.next());
    let arguments = source.get(first..).filter(|_| last.is_none())?;
    // The file comes first where it is no method of the file.
    let texts = [arguments, arguments.split_once(',').map_or("", |(_, rest)| rest)];
    texts.into_iter().map(str::trim_start).find_map(|text| {
        let plus = |rest: &'_ str| rest.trim_start().strip_prefix('+').map(str::to_owned);
        if let Some((more, rest)) = literal(text) {
            let rest = plus(rest)?;
            let (read, after) = name(rest.trim_start())?;
            return (is_read(read) && after.trim_start().starts_with(')')).then_some(EditStep::Prepend(more));
        }
        let (read, rest) = name(text)?;
        let rest = plus(rest)?;
        let (more, after) = literal(rest.trim_start())?;
        (is_read(read) && after.trim_start().starts_with([')', ','])).then_some(EditStep::Append(more))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_beside_what_was_read_are_put_there() {
        for (source, expected) in [
            ("s = open(p).read()\nopen(p, 'w').write('x\\n' + s)", Some(EditStep::Prepend("x\n".to_owned()))),
            ("t = p.read_text()\np.write_text(t + 'x')", Some(EditStep::Append("x".to_owned()))),
            (
                "const s=fs.readFileSync(f,'utf8');fs.writeFileSync(f, 'x' + s)",
                Some(EditStep::Prepend("x".to_owned())),
            ),
            ("open(p, 'w').write('x' + y)", None),
            ("s = open(p).read()\nopen(p, 'w').write('x' + s + y)", None),
        ] {
            assert_eq!(beside(source), expected, "{source}");
        }
    }
}
