//! Values of old code that are cast to what the checker asks nothing of, and casts that ask no more whether they fit.

use crate::detectors::engine::hunks::hunks;
use crate::languages::code::bare;
use crate::languages::{Language, is_test_path};
use crate::model::finding::Change;

/// Casts to anything by the extensions of files, without white space.
const CASTS: &[(&[&str], &[&str])] = &[
    (&["ts", "tsx", "mts", "cts"], &["asany", "asnever", "<any>"]),
    (&["py"], &["cast(Any,", "cast(\"Any\",", "typing.cast(Any,"]),
    (&["cs"], &["(dynamic)", "(object)"]),
    (&["swift"], &["as!", "unsafeBitCast("]),
    (&["kt", "kts"], &["asAny", "asdynamic"]),
    (&["scala"], &["asInstanceOf[", ":@unchecked"]),
    (&["dart"], &["asdynamic"]),
    (&["rs"], &["transmute("]),
    (&["cpp", "cc", "hpp", "h"], &["reinterpret_cast<", "const_cast<"]),
];

/// From so many casts on hardly anything of a piece of code is checked.
const MANY: usize = 3;

/// The first line whose value is cast so, and was not, and whether there are many.
pub(super) fn forced(change: &Change) -> Option<(u32, String, bool)> {
    let (old, new) = (change.before.as_deref()?, change.after.as_deref()?);
    let extension = change.path.rsplit_once('.')?.1;
    let (_, casts) = CASTS.iter().find(|(of, _)| of.contains(&extension))?;
    if is_test_path(&change.path) {
        return None;
    }
    let count = |line: &str| {
        let text = bare(line);
        casts.iter().map(|cast| text.matches(cast).count()).sum::<usize>()
    };
    let all = hunks(Language::of_path(&change.path).map_or("//", |it| it.refusing().comment), old, new)?;
    let of = |text: &str| text.lines().map(count).sum::<usize>();
    let all_new = of(new).saturating_sub(of(old));
    all.iter().filter(|hunk| !hunk.gone.is_empty()).find_map(|hunk| {
        let had: usize = hunk.gone.iter().map(|it| count(it.text)).sum();
        let has: usize = hunk.come.iter().map(|it| count(it.text)).sum();
        let line = hunk.come.iter().find(|it| count(it.text) > 0).filter(|_| has > had)?;
        // The line says what one did that is gone: half of its names.
        let names = |text: &str| {
            let all = text
                .split(|c: char| !c.is_alphanumeric())
                .filter(|it| it.len() > 2 && *it != "any" && *it != "never");
            all.map(str::to_owned).collect::<Vec<_>>()
        };
        let given = names(line.text);
        let is_same = hunk.gone.iter().any(|gone| {
            let was = names(gone.text);
            given.iter().filter(|it| was.contains(it)).count() * 2 >= given.len().max(1)
        });
        is_same.then(|| (line.number, line.text.to_owned(), all_new >= MANY))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cast_of_old_code_is_told() {
        for (path, before, after, expected) in [
            ("a.ts", "return pick(row);", "return pick(row as any);", true),
            ("a.py", "    return pick(row)", "    return pick(cast(Any, row))", true),
            ("a.swift", "guard let row = item as? Row else { return nil }", "let row = item as! Row", true),
            ("a.ts", "return pick(row as any);", "return pick(row as any, 2);", false),
            ("a.ts", "return pick(row);", "return pick(row as Row);", false),
            ("a.ts", "return pick(row);", "return many(row);", false),
            ("a.test.ts", "return pick(row);", "return pick(row as any);", false),
        ] {
            let text = |line: &str| Some(format!("head(1);\n{line}\nend(2);\n"));
            let change = Change { path: path.to_owned(), before: text(before), after: text(after) };
            assert_eq!(forced(&change).is_some(), expected, "{path}: {after}");
        }
    }
}
