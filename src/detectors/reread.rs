//! Which files a change newly names in its imports, as the ends of their paths without what they end with.

use crate::model::counted::beyond;
use crate::model::finding::Change;
use crate::model::words::{has_word, is_name_part};

pub use crate::detectors::relocation::may_be_elsewhere;

/// What lines begin with that name a file or a class for what they take from it.
const IMPORTS: &[&str] =
    &["import ", "from ", "use ", "using ", "require", "alias ", "export ", "const ", "let ", "var "];

/// The ends of the paths that new lines import: `./schema` as `schema`, `App\Http\Requests\StoreNote` as
/// `Http/Requests/StoreNote`.
pub fn imports(change: &Change) -> Vec<String> {
    let (before, after) =
        (change.before.as_deref().unwrap_or_default(), change.after.as_deref().unwrap_or_default());
    let new = beyond(after.lines().map(str::trim), before.lines().map(str::trim), |line| *line);
    let is_import = |line: &&str| IMPORTS.iter().any(|head| line.starts_with(head));
    // What was imported before may be called for the first time.
    let called: Vec<&str> = new.iter().filter(|line| !is_import(line)).flat_map(|line| calls(line)).collect();
    let brings = |line: &&str| is_import(line) && called.iter().any(|name| has_word(line, name));
    let old = before.lines().map(str::trim).filter(|line| brings(line) && after.contains(*line));
    let old: Vec<&str> = old
        .filter(|line| line.contains(" from ") || line.starts_with("from ") || line.contains("require("))
        .collect();
    new.into_iter().filter(is_import).chain(old).flat_map(|line| named(line, change)).collect()
}

/// The names that a line calls.
fn calls(line: &str) -> Vec<&str> {
    let heads = line.match_indices('(').filter_map(|(at, _)| line.get(..at));
    heads
        .filter_map(|head| head.rsplit(|c: char| !is_name_part(c)).next())
        .filter(|it| it.len() > 3)
        .collect()
}

/// The paths that one line imports.
fn named(line: &str, change: &Change) -> Vec<String> {
    let mut quoted = line
        .split(['"', '\''])
        .skip(1)
        .step_by(2)
        .filter(|it| it.starts_with('.') || it.starts_with('@') || it.contains('/'));
    if let Some(path) = quoted.next() {
        let path = path.trim_start_matches(['.', '/', '@', '~']);
        let path =
            [".js", ".ts", ".mjs", ".rb"].iter().find_map(|end| path.strip_suffix(end)).unwrap_or(path);
        return vec![path.to_owned()];
    }
    let python = change.path.ends_with(".py");
    let rest = match line.split_once(' ') {
        Some(("from", rest)) if python => rest.split(" import ").next(),
        Some(("import", rest)) if !line.contains(" from ") => rest.split([' ', ';', ',']).next(),
        Some(("use" | "using" | "alias", rest)) => rest.split([';', ' ', ',', '{']).next(),
        _ => None,
    };
    let Some(rest) = rest else { return Vec::new() };
    let parts: Vec<&str> = rest.split(['.', '\\', ':', '/']).filter(|it| !it.is_empty()).collect();
    // The first part of a package is the project's own name.
    let own = if parts.len() > 2 { parts.get(1..).unwrap_or_default() } else { &parts[..] };
    let mut all = vec![own.join("/")];
    // `crate::orders::NewOrder` is in `orders.rs`.
    if change.path.ends_with(".rs") && own.len() > 1 {
        all.push(own.get(..own.len() - 1).unwrap_or_default().join("/"));
    }
    all
}

/// Whether a file is the one that an import names.
pub fn is_import_of(import: &str, file: &str) -> bool {
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let stem = ["/index", "/__init__", "/mod"].iter().find_map(|end| stem.strip_suffix(end)).unwrap_or(stem);
    let is_end = stem.strip_suffix(import).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
    import.len() > 2 && is_end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_ends_of_paths() {
        for (path, line, file) in [
            ("src/a.ts", "import { noteInput } from \"./schema\";", "src/schema.ts"),
            ("src/a.js", "const { noteInput } = require('../lib/schema.js');", "lib/schema.js"),
            ("app/A.php", "use App\\Http\\Requests\\StoreNote;", "app/Http/Requests/StoreNote.php"),
            ("app/a.py", "from app.schemas import Note", "app/schemas.py"),
            (
                "src/main/java/x/A.java",
                "import org.notes.api.NoteInput;",
                "src/main/java/org/notes/api/NoteInput.java",
            ),
            ("src/a.rs", "use crate::notes::NewNote;", "src/notes.rs"),
        ] {
            let change = Change { path: path.to_owned(), before: None, after: Some(format!("{line}\n")) };
            assert!(
                imports(&change).iter().any(|it| is_import_of(it, file)),
                "{line}: {:?}",
                imports(&change)
            );
            let same = Change { before: change.after.clone(), ..change };
            assert!(imports(&same).is_empty(), "{line}");
        }
        assert!(!is_import_of("schema", "src/other.ts") && !is_import_of("schema", "src/xschema.ts"));
    }
}
