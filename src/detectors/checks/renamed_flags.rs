//! Flags and rules that have another name now: their old names become the new ones in a change's text before, so that only
//! what is really less is a loss.

use crate::model::finding::Change;

/// Old names, and the new ones that say at least as much.
const NAMES: &[(&str, &str)] = &[
    // Scala and Java.
    ("-Xfatal-warnings", "-Werror"),
    ("-Ywarn-unused", "-Wunused"),
    ("-Ywarn-unused:imports", "-Wunused:imports"),
    ("-Ywarn-unused-import", "-Wunused:imports"),
    ("-Ywarn-dead-code", "-Wdead-code"),
    ("-Ywarn-value-discard", "-Wvalue-discard"),
    ("-Ywarn-numeric-widen", "-Wnumeric-widen"),
    ("-Ywarn-extra-implicit", "-Wextra-implicit"),
    ("-Xlint:unchecked", "-Xlint:all"),
    ("-Xlint:deprecation", "-Xlint:all"),
    // C and C++.
    ("-Wall", "/W4"),
    ("-Werror", "/WX"),
    ("-Wextra", "-Weverything"),
    ("-Wall", "-Weverything"),
    // Python.
    ("--strict", "--strict-markers"),
    ("TCH", "TC"),
    ("TCH001", "TC001"),
    ("TCH002", "TC002"),
    ("TCH003", "TC003"),
    ("PGH001", "S307"),
    ("PGH002", "G010"),
    ("TRY200", "B904"),
    ("PDV", "PD"),
    // Linters of Go.
    ("golint", "revive"),
    ("goerr113", "err113"),
    ("gomnd", "mnd"),
    ("exportloopref", "copyloopvar"),
    ("scopelint", "copyloopvar"),
    ("vet", "govet"),
    ("vetshadow", "govet"),
    ("megacheck", "staticcheck"),
    ("gosimple", "staticcheck"),
    ("stylecheck", "staticcheck"),
    ("tenv", "usetesting"),
    ("deadcode", "unused"),
    ("varcheck", "unused"),
    ("structcheck", "unused"),
    ("nosnakecase", "revive"),
    ("maligned", "govet"),
    // Cops of RuboCop.
    ("Metrics/LineLength", "Layout/LineLength"),
    ("Lint/EndAlignment", "Layout/EndAlignment"),
    ("Lint/BlockAlignment", "Layout/BlockAlignment"),
    ("Layout/AlignHash", "Layout/HashAlignment"),
    ("Layout/IndentHash", "Layout/FirstHashElementIndentation"),
    ("Lint/HandleExceptions", "Lint/SuppressedException"),
    ("Naming/UncommunicativeMethodParamName", "Naming/MethodParameterName"),
    ("Style/UnneededPercentQ", "Style/RedundantPercentQ"),
    // JavaScript.
    ("no-unused-vars", "@typescript-eslint/no-unused-vars"),
    ("no-shadow", "@typescript-eslint/no-shadow"),
    ("no-use-before-define", "@typescript-eslint/no-use-before-define"),
    ("@typescript-eslint/ban-types", "@typescript-eslint/no-restricted-types"),
    ("@typescript-eslint/no-throw-literal", "@typescript-eslint/only-throw-error"),
    ("@typescript-eslint/no-var-requires", "@typescript-eslint/no-require-imports"),
    ("node/no-missing-import", "n/no-missing-import"),
    ("node/no-unsupported-features/es-syntax", "n/no-unsupported-features/es-syntax"),
    // Rust.
    ("clippy::integer_arithmetic", "clippy::arithmetic_side_effects"),
    ("clippy::drop_bounds", "drop_bounds"),
    ("clippy::for_loops_over_fallibles", "for_loops_over_fallibles"),
    ("broken_intra_doc_links", "rustdoc::broken_intra_doc_links"),
    ("private_in_public", "private_interfaces"),
    // Dart, Kotlin, Swift.
    ("allWarningsAsErrors = true", "allWarningsAsErrors.set(true)"),
];

/// The changes with the new names of what they name by old ones no more; `None` where that is nothing.
pub(crate) fn with_new_names(changes: &[Change]) -> Option<Vec<Change>> {
    let mut all = changes.to_vec();
    let mut is_any = false;
    for change in &mut all {
        let (Some(before), Some(after)) = (change.before.as_deref(), change.after.as_deref()) else {
            continue;
        };
        if !is_setting(&change.path) {
            continue;
        }
        let mut renamed = before.to_owned();
        for (old, new) in NAMES {
            if places(before, old) > places(after, old) && places(after, new) > places(before, new) {
                renamed = with_name(&renamed, old, new);
            }
        }
        if renamed != before {
            change.before = Some(renamed);
            is_any = true;
        }
    }
    is_any.then_some(all)
}

/// Whether a file of this name sets tools up, and is no code.
fn is_setting(path: &str) -> bool {
    const ENDS: &[&str] = &[
        ".toml",
        ".cfg",
        ".ini",
        ".yml",
        ".yaml",
        ".json",
        ".sbt",
        ".gradle",
        ".kts",
        ".cmake",
        ".txt",
        ".mk",
        ".xml",
        "Makefile",
        "justfile",
        "eslintrc",
        ".flake8",
        "Package.swift",
        ".bazelrc",
        ".sh",
        "eslint.config.js",
        "eslint.config.mjs",
        ".eslintrc.js",
        ".eslintrc.cjs",
        "meson.build",
        "tox.ini",
        ".sc",
    ];
    ENDS.iter().any(|end| path.ends_with(end))
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | ':' | '@')
}

/// Where a name stands by itself.
fn starts<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = usize> + 't {
    text.match_indices(name).map(|(at, _)| at).filter(move |at| {
        let (head, rest) =
            (text.get(..*at).unwrap_or_default(), text.get(at + name.len()..).unwrap_or_default());
        !head.ends_with(is_part)
            && (!rest.starts_with(is_part) || rest.starts_with(':') && !rest.starts_with("::"))
    })
}

fn places(text: &str, name: &str) -> usize {
    starts(text, name).count()
}

fn with_name(text: &str, old: &str, new: &str) -> String {
    let mut renamed = String::with_capacity(text.len());
    let mut from = 0;
    for at in starts(text, old) {
        renamed.push_str(text.get(from..at).unwrap_or_default());
        renamed.push_str(new);
        from = at + old.len();
    }
    renamed + text.get(from..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_replaced_where_it_stands_by_itself() {
        assert_eq!(with_name("[\"-Wall\", \"-Wall-x\"]", "-Wall", "/W4"), "[\"/W4\", \"-Wall-x\"]");
        assert_eq!(
            with_name("  vet: true\n  govet: true\n", "vet", "govet"),
            "  govet: true\n  govet: true\n"
        );
    }
}
