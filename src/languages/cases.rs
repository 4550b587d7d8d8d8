//! What the languages' own tables of cases are checked with.

use crate::languages::{Fate, Language, is_suspicious, outline, pair, scan};

/// A change and what it does to the tests: the name of each that suffers, with what happens to it.
pub(super) type Case = (&'static str, &'static str, &'static str, &'static [&'static str]);

/// Checks every case, and that the lexer lets none through that the parser objects to.
pub(super) fn check(path: &str, cases: &[Case]) {
    for (what, before, after, expected) in cases {
        let found = outcome(path, before, after);
        assert_eq!(found, *expected, "{what}: {after}");
        for source in [before, after] {
            let parsed = names(path, source).len();
            let counted = scan(Language::of_path(path).unwrap(), source).tests;
            assert!(counted >= parsed, "{what}: {counted} counted, {parsed} found: {source}");
        }
        if !expected.is_empty() {
            assert!(is_suspicious(path, before, after), "{what} is not worth a parse: {after}");
        }
    }
}

/// What a text of this path holds: names, with marks.
pub(super) fn names(path: &str, source: &str) -> Vec<String> {
    let outline = outline(Language::of_path(path).unwrap(), source);
    outline.tests.iter().filter(|test| !test.suite).map(|test| test.name.clone()).collect()
}

fn outcome(path: &str, before: &str, after: &str) -> Vec<String> {
    let language = Language::of_path(path).unwrap();
    let (old, new) = (outline(language, before), outline(language, after));
    let fates = pair(&old, before, &new, after);
    let focus = new.tests.iter().any(|test| test.focused.is_some());
    let mut found = Vec::new();
    for (test, fate) in old.tests.iter().zip(fates).filter(|(test, _)| !test.suite) {
        let what = match &fate {
            Fate::Kept(index) => {
                let now = &new.tests[*index];
                let real = |test: &super::Test| test.assertions.iter().filter(|it| !it.trivial).count();
                match &now.skipped {
                    Some(skip) if test.skipped.as_ref() != Some(skip) => {
                        let suite = if skip.suite { " suite" } else { "" };
                        format!("{:?}{suite}", skip.when)
                    }
                    _ if focus && now.focused.is_none() => "Unfocused".to_owned(),
                    _ if now.inverted.is_some() && test.inverted.is_none() => "Inverted".to_owned(),
                    _ if real(now) == 0 && real(test) > 0 => {
                        if now.assertions.is_empty() { "Silent" } else { "Trivial" }.to_owned()
                    }
                    _ => continue,
                }
            }
            Fate::Moved => continue,
            Fate::Dead(_) => "Dead".to_owned(),
            Fate::Uncollected(name) => format!("Uncollected {name}"),
            Fate::CommentedOut | Fate::Lost => format!("{fate:?}"),
        };
        found.push(format!("{}: {what}", test.name));
    }
    found
}
