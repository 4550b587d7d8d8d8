//! Every kind of change with every runner whose table is Markdown. What is missing here is said.

use std::os::unix::fs::symlink;
use std::path::Path;

use crate::project::{Project, is_there};
use crate::table::{Half, Table};

const JAVASCRIPT: &str = include_str!("tables/javascript.md");
const GO: &str = include_str!("tables/go.md");
const CARGO: &str = include_str!("tables/cargo.md");
const MAVEN: &str = include_str!("tables/maven.md");

/// Debian's repository of Maven, and what of it is needed.
const MAVEN_REPOSITORY: &str = "/usr/share/maven-repo";
const MAVEN_PACKAGES: &[&str] =
    &["org/apache/maven/plugins/maven-surefire-plugin/2.22.3", "org/junit/jupiter/junit-jupiter/debian"];

fn javascript(runner: &str, half: Half) {
    let modules = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/test-tools/node_modules");
    if !is_there(&modules.join(".bin").join(runner).display().to_string(), &["--version"]) {
        return;
    }
    let link = |project: &Project| {
        project.ignore("node_modules");
        symlink(modules.canonicalize().unwrap(), project.root().join("node_modules")).unwrap();
    };
    Table::read(JAVASCRIPT, runner).prove(half, &[], link);
}

fn go(half: Half) {
    if is_there("go", &["version"]) && is_there("make", &["--version"]) {
        Table::read(GO, "go").prove(half, &["--until", "make test"], |_| ());
    }
}

fn cargo(half: Half) {
    if is_there("cargo", &["--version"]) {
        let project = Table::read(CARGO, "cargo").prove(half, &["--until", "cargo test --offline"], |_| ());
        assert!(!project.root().join("target").exists(), "nothing is built in the project");
    }
}

fn maven(half: Half) {
    let has_packages = MAVEN_PACKAGES.iter().all(|it| is_there("ls", &[&format!("{MAVEN_REPOSITORY}/{it}")]));
    if is_there("mvn", &["--version"]) && has_packages {
        let command = format!("mvn -o -q -B -Dmaven.repo.local={MAVEN_REPOSITORY} test");
        Table::read(MAVEN, "maven").prove(half, &["--until", &command], |_| ());
    }
}

/// Two tests for each runner, so that both halves of its table run side by side.
macro_rules! both_halves {
    ($($name:ident => $prove:expr;)*) => {$(
        mod $name {
            use super::*;

            #[test]
            fn every_tampering_is_refuted_or_named() {
                $prove(Half::Tamperings);
            }

            #[test]
            fn no_honest_change_is_refuted() {
                $prove(Half::Honest);
            }
        }
    )*};
}

both_halves! {
    vitest => |half| javascript("vitest", half);
    jest => |half| javascript("jest", half);
    go_test => go;
    cargo_test => cargo;
    junit => maven;
}
