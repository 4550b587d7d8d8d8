//! Packages: what is published stays published.

use crate::shell::effects::services::rules::Rule;
use crate::shell::effects::services::rules::Weight::{Changes, Loses, Releases};

/// The rules of this family.
pub(crate) static RULES: &[Rule] = &[
    ("npm|pnpm|yarn|bun|lerna publish", Releases),
    ("yarn npm publish", Releases),
    ("changeset publish", Releases),
    ("npm|pnpm unpublish", Loses),
    ("npm deprecate", Changes),
    ("npm owner|access rm|revoke|remove", Changes),
    ("cargo publish", Releases),
    ("cargo yank", Changes),
    ("twine upload", Releases),
    ("uv|poetry|flit|hatch|pdm|maturin publish", Releases),
    ("gem push", Releases),
    ("gem yank", Loses),
    ("rake release", Releases),
    ("mvn|mvnw deploy", Releases),
    ("mvn|mvnw release:perform", Releases),
    ("gradle|gradlew publish|publishPlugins|publishToSonatype", Releases),
    ("sbt publish|publishSigned", Releases),
    ("dotnet nuget push", Releases),
    ("dotnet nuget delete", Loses),
    ("nuget push", Releases),
    ("nuget delete", Loses),
    ("pod trunk push", Releases),
    ("pod trunk delete", Loses),
    ("vsce|ovsx publish", Releases),
    ("vsce unpublish", Loses),
    ("mix hex.publish", Releases),
    ("pub|dart|flutter publish", Releases),
    ("dart|flutter pub publish", Releases),
    ("jsr publish", Releases),
    ("deno publish", Releases),
];
