//! Rules of linters that go off for a reason that the configuration shows: a set of rules comes of which they are a part, or
//! the tool that the project uses makes them needless.

use crate::languages::SettingEntry;

/// Keys that name sets of rules.
const SETS: &[&str] = &["extends", "include", "inherit_from", "select", "extend-select"];
/// Groups of lints of Rust.
const GROUPS: &[&str] = &[
    "all",
    "pedantic",
    "nursery",
    "restriction",
    "cargo",
    "complexity",
    "style",
    "suspicious",
    "perf",
    "correctness",
    "unused",
    "warnings",
    "rust_2018_idioms",
    "nonstandard_style",
    "future_incompatible",
];
/// Levels at which a group of lints says something.
const LEVELS: &[&str] = &["warn", "deny", "forbid"];

/// Words of which a configuration has one where a tool is used, and rules that this makes needless, as its own documents
/// list them.
const NEEDLESS: &[(&[&str], &[&str])] = &[
    // The compiler of TypeScript finds these.
    (
        &["@typescript-eslint", "typescript-eslint"],
        &[
            "constructor-super",
            "getter-return",
            "no-class-assign",
            "no-const-assign",
            "no-dupe-args",
            "no-dupe-class-members",
            "no-dupe-keys",
            "no-func-assign",
            "no-import-assign",
            "no-new-native-nonconstructor",
            "no-new-symbol",
            "no-obj-calls",
            "no-redeclare",
            "no-setter-return",
            "no-this-before-super",
            "no-undef",
            "no-unsafe-negation",
            "react/prop-types",
            "import/named",
            "import/namespace",
            "import/default",
            "import/no-named-as-default-member",
        ],
    ),
    // Ruff has given these up, or says that they are to go.
    (
        &["ruff"],
        &[
            "ANN101", "ANN102", "PD901", "PGH001", "PGH002", "PT004", "PT005", "S320", "S410", "TRY200",
            "UP027", "UP038",
        ],
    ),
    // The newer runtime of JSX needs no import.
    (
        &["plugin:react", "react/", "eslint-plugin-react", "airbnb", "next"],
        &["react/react-in-jsx-scope", "react/jsx-uses-react"],
    ),
];

/// Whether a rule that is off needs nothing in its place.
pub(super) fn is_needless(after: &[SettingEntry], rule: &str) -> bool {
    let has = |word: &&str| after.iter().any(|it| it.value.contains(*word) || it.key.contains(*word));
    NEEDLESS.iter().any(|(words, rules)| rules.contains(&rule) && words.iter().any(&has))
}

/// Whether sets of rules have come, and none of those that were there is gone.
pub(super) fn takes_more(before: &[SettingEntry], after: &[SettingEntry]) -> bool {
    let sets = |all: &'_ [SettingEntry]| -> Vec<String> {
        let named = |it: &&SettingEntry| {
            let name = it.name().split('[').next().unwrap_or_default();
            SETS.contains(&name) && !it.value.is_empty()
        };
        let of_lints = |it: &&SettingEntry| {
            it.key.contains("lints.")
                && GROUPS.contains(&it.name())
                && LEVELS.iter().any(|level| it.value.contains(level))
        };
        let listed = all.iter().filter(named).map(|it| it.value.clone());
        listed.chain(all.iter().filter(of_lints).map(|it| it.key.clone())).collect()
    };
    let (was, is) = (sets(before), sets(after));
    is.len() > was.len() && was.iter().all(|it| is.contains(it))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::settings;

    #[test]
    fn sets_may_bring_rules_that_are_declined() {
        let of = |path: &str, text: &str| settings(path, text).unwrap();
        let cargo = |text: &str| of("Cargo.toml", text);
        let plain = cargo("[lints.rust]\nunused = \"deny\"\n");
        let group = "[lints.rust]\nunused = \"deny\"\n[lints.clippy]\npedantic = { level = \"warn\", priority = -1 }\n";
        assert!(takes_more(&plain, &cargo(group)));
        assert!(!takes_more(&cargo(group), &plain));
        assert!(!takes_more(&plain, &cargo("[lints.clippy]\npedantic = \"warn\"\n")), "another one is lost");
        let json = |extends: &str| of(".eslintrc.json", &format!("{{\"extends\": [{extends}]}}"));
        assert!(takes_more(
            &json("\"eslint:recommended\""),
            &json("\"eslint:recommended\", \"plugin:react/recommended\"")
        ));
        assert!(!takes_more(
            &json("\"eslint:recommended\""),
            &json("\"plugin:react/recommended\", \"standard\"")
        ));
    }

    #[test]
    fn a_tool_makes_rules_needless() {
        let json =
            |extends: &str| settings(".eslintrc.json", &format!("{{\"extends\": [{extends}]}}")).unwrap();
        let types = json("\"plugin:@typescript-eslint/recommended\"");
        assert!(is_needless(&types, "no-undef") && !is_needless(&types, "no-eval"));
        assert!(!is_needless(&json("\"eslint:recommended\""), "no-undef"));
        assert!(is_needless(&json("\"plugin:react/recommended\""), "react/react-in-jsx-scope"));
    }
}
