//! Built files that a check runs, against the sources that were edited since: what an old build does says nothing of
//! today's sources.
//!
//! Invariant: a criterion that builds is never called stale, since its builder knows better what has to be made anew.

use std::path::Path;
use std::time::SystemTime;

use crate::languages;
use crate::lifecycle::changes::tree;
use crate::lifecycle::criterion::loop_contract::LoopContract;
use crate::loops::criteria::Criteria;
use crate::model::event::ShellDialect;
use crate::project::Project;
use crate::shell;

const OF_SCRIPTS: &[&str] = &["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "vue", "svelte"];
const OF_MACHINES: &[&str] =
    &["c", "h", "cc", "cpp", "cxx", "hpp", "rs", "go", "swift", "java", "kt", "scala", "cs", "zig"];

/// Folders of built files, and the endings of what they are built from.
const FOLDERS: &[(&str, &[&[&str]])] = &[
    ("dist", &[OF_SCRIPTS]),
    ("lib-dist", &[OF_SCRIPTS]),
    (".next", &[OF_SCRIPTS]),
    ("out", &[OF_SCRIPTS, OF_MACHINES]),
    ("build", &[OF_SCRIPTS, OF_MACHINES]),
    ("_build", &[OF_MACHINES]),
    ("target", &[OF_MACHINES]),
    ("bin", &[OF_MACHINES]),
    ("obj", &[OF_MACHINES]),
];
/// Words of commands that build.
const BUILDERS: &[&str] = &[
    "build",
    "compile",
    "bundle",
    "make",
    "ninja",
    "tsc",
    "vite",
    "webpack",
    "rollup",
    "esbuild",
    "swc",
    "parcel",
    "turbo",
    "nx",
    "gradle",
    "gradlew",
    "mvn",
    "mvnw",
    "cmake",
    "cargo",
    "go",
    "dotnet",
    "swift",
    "bazel",
    "gcc",
    "g++",
    "clang",
    "rustc",
    "javac",
    "just",
    "meson",
    "zig",
    "msbuild",
    "xcodebuild",
    "sbt",
    "stack",
    "cabal",
    "mix",
];

/// A built file that is older than one of its sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stale {
    /// The built file.
    pub built: String,
    /// The source that was edited after it.
    pub source: String,
}

/// A built file that the criterion runs, and a changed source that is newer than it.
pub fn find(
    project: &Project,
    criteria: &Criteria,
    contract: &LoopContract,
    touched: &[String],
) -> Option<Stale> {
    let LoopContract { parts, folder: place, .. } = contract;
    let place = project.root().join(place);
    let scripts =
        parts.iter().filter(|part| part.file.ends_with("package.json") || part.file.ends_with(".sh"));
    let scripts = scripts.filter_map(|part| part.says.as_deref());
    let texts: Vec<&str> = criteria.checks.iter().map(|check| check.command()).chain(scripts).collect();
    let built = built_files(&texts, &|path| place.join(path).is_file());
    if built.is_empty() {
        return None;
    }
    let changed = tree::changed_files(project);
    let sources: Vec<(&String, SystemTime)> = changed
        .iter()
        .chain(touched)
        .filter(|path| !languages::is_test_path(path) && folder(path).is_none())
        .filter_map(|path| Some((path, edited(&project.root().join(path))?)))
        .collect();
    built.into_iter().find_map(|built| {
        let at = edited(&place.join(&built))?;
        let endings = folder(&built)?;
        let newer = sources.iter().find(|(path, edited)| is_source(path, endings) && *edited > at)?;
        Some(Stale { source: newer.0.clone(), built })
    })
}

/// The built files that these commands run; none where one of them builds.
fn built_files(texts: &[&str], exists: &dyn Fn(&str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for text in texts {
        for command in shell::read(text.trim_matches('"'), ShellDialect::Posix).commands {
            let words: Vec<&str> =
                command.words.iter().filter(|word| word.known).map(|word| word.text.as_str()).collect();
            let name = |word: &str| word.rsplit('/').next().unwrap_or(word).to_owned();
            let builds = words
                .iter()
                .any(|word| BUILDERS.contains(&name(word).as_str()) || word.starts_with("build:"));
            if builds {
                return Vec::new();
            }
            let paths = words.iter().map(|word| word.rsplit_once('=').map_or(*word, |(_, value)| value));
            let paths = paths.map(|path| path.trim_start_matches("./"));
            found.extend(paths.filter(|path| folder(path).is_some() && exists(path)).map(str::to_owned));
        }
    }
    found
}

fn folder(path: &str) -> Option<&'static [&'static [&'static str]]> {
    let (first, _) = path.split_once('/')?;
    FOLDERS.iter().find(|(name, _)| *name == first).map(|(_, endings)| *endings)
}

fn is_source(path: &str, endings: &[&[&str]]) -> bool {
    let ending = Path::new(path).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    endings.iter().any(|endings| endings.contains(&ending))
}

fn edited(path: &Path) -> Option<SystemTime> {
    path.metadata().ok()?.modified().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_files_of_commands() {
        let rows: &[(&[&str], &[&str])] = &[
            (&["node dist/app.js --selftest"], &["dist/app.js"]),
            (&["./target/debug/app --check"], &["target/debug/app"]),
            (&["cd . && LANG=C bin/app"], &["bin/app"]),
            (&["app --with=build/out.json"], &["build/out.json"]),
            (&["npm test", "\"node dist/test.js\""], &["dist/test.js"]),
            (&["npm run build && node dist/app.js"], &[]),
            (&["node dist/app.js", "tsc -p ."], &[]),
            (&["npm run build:all", "node dist/app.js"], &[]),
            (&["node src/app.js"], &[]),
            (&["node --test"], &[]),
            (&["cargo test"], &[]),
        ];
        for (texts, expected) in rows {
            assert_eq!(built_files(texts, &|_| true), *expected, "{texts:?}");
        }
        assert!(built_files(&["node dist/app.js"], &|_| false).is_empty(), "what is not there is no build");
    }

    #[test]
    fn only_what_it_is_built_from_makes_a_build_old() {
        let rows = [
            ("dist/a.js", "src/a.ts", true),
            ("dist/a.js", "tools/gen.py", false),
            ("target/debug/a", "src/main.rs", true),
            ("target/debug/a", "web/a.ts", false),
            ("build/a", "web/a.ts", true),
            ("dist/a.js", "README.md", false),
        ];
        for (built, source, expected) in rows {
            assert_eq!(is_source(source, folder(built).unwrap()), expected, "{built} {source}");
        }
    }
}
