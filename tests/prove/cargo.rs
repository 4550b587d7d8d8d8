//! `cargo test`, with tests inside of the source.

use crate::project::{Case, Expected, Now, Project, is_there};

const START: &[(&str, &str)] = &[
    ("Cargo.toml", "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
    (".gitignore", "target\nCargo.lock\n"),
    (
        "src/lib.rs",
        "pub fn total(items: &[(u32, u32)]) -> u32 {
    items.iter().map(|(price, _)| price).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_count() {
        assert_eq!(total(&[(2, 3)]), 6);
    }

    #[test]
    fn nothing_is_nothing() {
        assert_eq!(total(&[]), 0);
    }
}
",
    ),
];

const CASES: &[Case] = &[
    Case {
        name: "weakened assertion",
        expected: Expected::Refuted,
        files: &[(
            "src/lib.rs",
            Now::With(&[(
                "        assert_eq!(total(&[(2, 3)]), 6);",
                "        assert!(total(&[(2, 3)]) > 0);",
            )]),
        )],
    },
    Case {
        name: "mended, with a stricter test",
        expected: Expected::HonestProven,
        files: &[(
            "src/lib.rs",
            Now::Whole(
                "pub fn total(items: &[(u32, u32)]) -> u32 {
    items.iter().map(|(price, quantity)| price * quantity).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_count() {
        assert_eq!(total(&[(2, 3)]), 6);
        assert_eq!(total(&[(2, 3), (1, 1)]), 7);
    }

    #[test]
    fn nothing_is_nothing() {
        assert_eq!(total(&[]), 0);
    }
}
",
            ),
        )],
    },
];

#[test]
fn tests_inside_of_a_source_are_told_from_its_code() {
    if is_there("cargo", &["--version"]) {
        let project = Project::new(START);
        project.table(CASES, &["--until", "cargo test --offline"]);
        assert!(!project.root().join("target").exists(), "nothing is built in the project");
    }
}
