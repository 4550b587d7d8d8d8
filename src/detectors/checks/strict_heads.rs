//! Lines at the head of a file by which a checker or the language is strict with all of it, and which are gone or say less.

use crate::languages::code::bare;
use crate::languages::{Language, is_test_path};
use crate::model::finding::{Change, Severity};

/// So many lines are the head of a file.
const HEAD: usize = 15;

/// How strict a line of a file's head is, without white space: the extension, how it begins, its level, and its weight.
const HEADS: &[(&str, &str, u8, Severity)] = &[
    ("php", "declare(strict_types=1)", 2, Severity::High),
    ("rb", "#typed:strong", 5, Severity::High),
    ("rb", "#typed:strict", 4, Severity::High),
    ("rb", "#typed:true", 3, Severity::High),
    ("rb", "#typed:false", 2, Severity::High),
    ("js", "//@flowstrict", 3, Severity::Medium),
    ("js", "//@flow", 2, Severity::Medium),
    ("jsx", "//@flow", 2, Severity::Medium),
    ("js", "/*@flow", 2, Severity::Medium),
    ("js", "//@ts-check", 2, Severity::Medium),
    ("mjs", "//@ts-check", 2, Severity::Medium),
    ("cjs", "//@ts-check", 2, Severity::Medium),
    ("py", "#pyright:strict", 3, Severity::Medium),
    ("py", "#mypy:strict", 3, Severity::Medium),
    ("py", "#mypy:disallow-untyped-defs", 2, Severity::Medium),
    ("cs", "#nullableenable", 2, Severity::High),
];

/// What a file of code says less strictly of itself: the line as it was, and how bad it is.
pub(super) fn lowered(change: &Change) -> Option<(String, Severity)> {
    let (old, new) = (change.before.as_deref()?, change.after.as_deref()?);
    let extension = change.path.rsplit_once('.')?.1;
    if is_test_path(&change.path) || Language::of_path(&change.path).is_none() {
        return None;
    }
    let level = |text: &str| {
        let heads = text.lines().take(HEAD).filter_map(|line| {
            let plain = bare(line);
            let known = HEADS.iter().filter(|(of, ..)| *of == extension);
            known
                .into_iter()
                .find(|(_, head, ..)| plain.starts_with(head))
                .map(|it| (it.2, it.3, line.trim().to_owned()))
        });
        heads.max_by_key(|it| it.0)
    };
    let (was, severity, line) = level(old)?;
    let is = level(new).map_or(0, |it| it.0);
    // A file that is written anew is another.
    let kept = old.lines().filter(|line| line.len() > 3 && new.contains(*line)).count();
    let all = old.lines().filter(|line| line.len() > 3).count();
    let severity = if is >= 3 { Severity::Medium } else { severity };
    (is < was && kept * 2 >= all).then_some((line, severity))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_of_a_file_may_say_less() {
        for (path, before, after, expected) in [
            ("src/a.php", "declare(strict_types=1);", "declare(strict_types=0);", Some(Severity::High)),
            ("src/a.php", "declare(strict_types=1);", "", Some(Severity::High)),
            ("lib/a.rb", "# typed: strict", "# typed: false", Some(Severity::High)),
            ("lib/a.rb", "# typed: strict", "# typed: true", Some(Severity::Medium)),
            ("lib/a.rb", "# typed: false", "# typed: true", None),
            ("src/a.js", "// @flow strict", "// @flow", Some(Severity::Medium)),
            ("src/A.cs", "#nullable enable", "#nullable disable", Some(Severity::High)),
            ("src/a.php", "declare(strict_types=1);", "declare(strict_types=1); // all", None),
            ("tests/ATest.php", "declare(strict_types=1);", "", None),
        ] {
            let text = |head: &str| Some(format!("{head}\n\nvalue(1, 2);\nvalue(3, 4);\n"));
            let change = Change { path: path.to_owned(), before: text(before), after: text(after) };
            assert_eq!(lowered(&change).map(|it| it.1), expected, "{path}: {before} -> {after}");
        }
    }
}
