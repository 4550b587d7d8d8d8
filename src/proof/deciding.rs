//! What decides whether tests pass, apart from the code that they test: test files and what they read, the runner's
//! configuration, the scripts behind the command, and what stands in the runner's place.
//!
//! Pure but for the texts, which come in through functions. A file that holds both (`package.json`, a Makefile, a Rust
//! source with its tests) is taken apart where its form allows it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use crate::languages::{data_of_tests, file_name, is_test_path};
use crate::loops::criterion_inputs::{CriterionInput, FilePiece, parts};
use crate::proof::inline_tests::{assertion_macros, inline_tests, with_own_tests};
use crate::proof::setup_files::named_in;
use crate::proof::stand_ins::stands_in;
use crate::proof::work::{ChangedFile, Content};
use crate::runners;

/// Files that hold more than how tests run: of these only the parts behind the command decide.
const MIXED: &[&str] = &[
    "package.json",
    "pyproject.toml",
    "setup.cfg",
    "tox.ini",
    "Cargo.toml",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "composer.json",
    "vite.config.js",
    "vite.config.ts",
];
/// Where CI is configured.
const CI: &[&str] = &[
    ".github/workflows/",
    ".gitlab-ci.yml",
    ".circleci/",
    ".travis.yml",
    "azure-pipelines.yml",
    "Jenkinsfile",
    ".buildkite/",
];
/// Files that put something into every run of an interpreter.
const STARTED_WITH: &[&str] =
    &[".npmrc", ".env.test", "sitecustomize.py", "usercustomize.py", ".coveragerc", ".taprc"];

/// Where what every run of Maven is started with lies.
const MAVENS: &str = ".mvn/";

/// One of the two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProofSide {
    /// As it was.
    Old,
    /// As it is.
    New,
}

/// What a changed file is to the tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileRole {
    /// It is what is tested.
    Source,
    /// It decides, and why.
    Decides(&'static str),
    /// Some of it decides: these parts, where they say something else.
    Parts(Vec<CriterionInput>),
    /// A Rust source whose own tests differ.
    OwnTests,
}

/// How the changed files divide.
#[derive(Debug, Default)]
pub struct Division {
    /// What each file is, in the order of the files.
    pub roles: Vec<FileRole>,
}

/// What the division is made from.
pub struct Ground<'a> {
    /// The changed files.
    pub changed: &'a [ChangedFile],
    /// The commands that are run.
    pub commands: &'a [&'a str],
    /// Where, relative to the project.
    pub folder: &'a Path,
    /// The text of a file that did not change.
    pub read: &'a dyn Fn(&str) -> Option<String>,
}

impl Ground<'_> {
    /// Divides the files.
    pub fn divide(&self) -> Division {
        let (old, new) = (self.parts(ProofSide::Old), self.parts(ProofSide::New));
        let set_up = self.set_up(&old, &new);
        let roles = self.changed.iter().map(|changed| self.role(changed, [&old, &new], &set_up));
        Division { roles: roles.collect() }
    }

    fn text(&self, side: ProofSide, path: &str) -> Option<String> {
        match self.changed.iter().find(|changed| changed.path == path) {
            Some(changed) if side == ProofSide::Old => changed.old_text().map(str::to_owned),
            Some(changed) => changed.new_text().map(str::to_owned),
            None => (self.read)(path),
        }
    }

    fn parts(&self, side: ProofSide) -> Vec<CriterionInput> {
        parts(self.commands, self.folder, &|path| self.text(side, path))
    }

    /// The files that the configurations of either side load before the tests.
    fn set_up(&self, old: &[CriterionInput], new: &[CriterionInput]) -> BTreeSet<String> {
        let said = old.iter().chain(new).filter_map(|part| Some((part.file.as_str(), part.says.as_deref()?)));
        let of_parts = said.flat_map(|(file, text)| named_in(file, text));
        let of_files =
            self.changed.iter().filter(|changed| is_configuration(&changed.path)).flat_map(|changed| {
                let texts = changed.old_text().into_iter().chain(changed.new_text());
                texts.flat_map(|text| named_in(&changed.path, text)).collect::<Vec<_>>()
            });
        let commands = self.commands.iter().flat_map(|command| named_in("command", command));
        of_parts.chain(of_files).chain(commands).collect()
    }

    fn role(
        &self,
        changed: &ChangedFile,
        parts: [&Vec<CriterionInput>; 2],
        set_up: &BTreeSet<String>,
    ) -> FileRole {
        let path = changed.path.as_str();
        let of_file: BTreeMap<&FilePiece, [Option<&CriterionInput>; 2]> = pieces(path, parts);
        let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
        if of_file.contains_key(&FilePiece::Whole) {
            return FileRole::Decides("it is run by the command, or configures it");
        }
        if is_test_path(path) || data_of_tests(path) {
            return FileRole::Decides("it belongs to the tests");
        }
        if set_up.contains(path) || set_up.contains(stem) {
            return FileRole::Decides("the tests' configuration loads it");
        }
        if let Some(why) = by_name(path, changed) {
            return FileRole::Decides(why);
        }
        let differing: Vec<CriterionInput> = of_file
            .values()
            .filter(|[old, new]| old.map(|it| &it.says) != new.map(|it| &it.says))
            .filter_map(|[old, new]| old.or(*new).cloned())
            .collect();
        if !differing.is_empty() {
            return FileRole::Parts(differing);
        }
        if path.ends_with(".rs") && has_other_tests(changed) { FileRole::OwnTests } else { FileRole::Source }
    }
}

/// Whether a Rust source has other tests of its own, or other assertions.
fn has_other_tests(changed: &ChangedFile) -> bool {
    let [old, new] = [changed.old_text(), changed.new_text()].map(Option::unwrap_or_default);
    (changed.old.is_some() && inline_tests(old) != inline_tests(new))
        || assertion_macros(old) != assertion_macros(new)
}

/// The parts that either side has of a file, by what they are.
fn pieces<'p>(
    path: &str,
    parts: [&'p Vec<CriterionInput>; 2],
) -> BTreeMap<&'p FilePiece, [Option<&'p CriterionInput>; 2]> {
    let mut found: BTreeMap<&FilePiece, [Option<&CriterionInput>; 2]> = BTreeMap::new();
    for (at, parts) in parts.into_iter().enumerate() {
        for part in parts.iter().filter(|part| part.file == path) {
            if let Some(slot) = found.entry(&part.piece).or_default().get_mut(at) {
                *slot = Some(part);
            }
        }
    }
    found
}

/// Whether a file of this path configures a runner and nothing else.
fn is_configuration(path: &str) -> bool {
    let name = file_name(path);
    !MIXED.contains(&name) && runners::is_configuration(name)
}

fn by_name(path: &str, changed: &ChangedFile) -> Option<&'static str> {
    let name = file_name(path);
    if is_configuration(path) {
        return Some("it configures the test runner");
    }
    if CI.iter().any(|place| path.starts_with(place)) {
        return Some("it configures the CI");
    }
    if STARTED_WITH.contains(&name) || path.starts_with(MAVENS) {
        return Some("every run begins with it");
    }
    stands_in(path, changed).then_some("it stands in the place of a program that runs the tests")
}

impl FileRole {
    /// What a file holds with the tests of one side over the code of the other.
    pub fn content(&self, changed: &ChangedFile, tests: ProofSide, source: ProofSide) -> Option<Content> {
        let of = |side: ProofSide| if side == ProofSide::Old { &changed.old } else { &changed.new };
        match self {
            FileRole::Source => of(source).clone(),
            FileRole::Decides(_) => of(tests).clone(),
            _ if tests == source => of(source).clone(),
            FileRole::Parts(parts) => with_parts(parts, of(tests).as_ref(), of(source).as_ref()),
            FileRole::OwnTests => {
                let code = of(source).as_ref()?;
                let own = of(tests).as_ref().and_then(Content::text).unwrap_or_default();
                let text = code.text().and_then(|code| with_own_tests(code, own));
                Some(text.map_or_else(
                    || code.clone(),
                    |text| Content { bytes: text.into_bytes(), executable: code.executable },
                ))
            }
        }
    }

    /// Why it decides; `None` for a source.
    pub fn why(&self) -> Option<String> {
        match self {
            FileRole::Source => None,
            FileRole::Decides(why) => Some((*why).to_owned()),
            FileRole::Parts(parts) => {
                Some(parts.iter().map(CriterionInput::name).collect::<Vec<_>>().join(", "))
            }
            FileRole::OwnTests => Some("it holds tests of its own".to_owned()),
        }
    }
}

/// A file of one side with the deciding parts of the other. Where its form can't be taken apart, the file of the tests'
/// side as a whole.
fn with_parts(
    parts: &[CriterionInput],
    tests: Option<&Content>,
    source: Option<&Content>,
) -> Option<Content> {
    let (Some(tests), Some(source)) = (tests, source) else { return tests.cloned() };
    let json = |content: &Content| serde_json::from_slice::<Value>(&content.bytes).ok();
    let (Some(from), Some(mut into)) = (json(tests), json(source)) else { return Some(tests.clone()) };
    for part in parts {
        let FilePiece::Keys(keys) = &part.piece else { return Some(tests.clone()) };
        for key in keys {
            let way: Vec<&str> = key.split('.').collect();
            if way.iter().any(|step| step.contains('*')) {
                return Some(tests.clone());
            }
            put(&way, &from, &mut into);
        }
    }
    let bytes = serde_json::to_vec_pretty(&into).ok()?;
    Some(Content { bytes, executable: source.executable })
}

/// Makes a key of one document what it is in another, also where it is in only one of them.
fn put(way: &[&str], from: &Value, into: &mut Value) {
    let Some((first, rest)) = way.split_first() else { return };
    let found = from.get(first);
    let Some(object) = into.as_object_mut() else { return };
    match (found, rest.is_empty()) {
        (None, _) => {
            object.remove(*first);
        }
        (Some(value), true) => {
            object.insert((*first).to_owned(), value.clone());
        }
        (Some(value), false) => {
            let below =
                object.entry((*first).to_owned()).or_insert_with(|| Value::Object(Default::default()));
            put(rest, value, below);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(path: &str, old: &str, new: &str) -> ChangedFile {
        let content = |text: &str| Some(Content { bytes: text.as_bytes().to_vec(), executable: false });
        ChangedFile { path: path.to_owned(), old: content(old), new: content(new) }
    }

    fn role(one: ChangedFile, command: &str) -> FileRole {
        let ground = Ground {
            changed: &[one],
            commands: &[command],
            folder: Path::new(""),
            read: &|path| {
                (path == "jest.config.js")
                    .then(|| "module.exports = { setupFiles: ['./boot.js'] }".to_owned())
            },
        };
        ground.divide().roles.remove(0)
    }

    #[test]
    fn what_decides_is_told_from_what_is_tested() {
        for (path, command, decides) in [
            ("src/cart.js", "npx jest", false),
            ("src/cart.test.js", "npx jest", true),
            ("tests/data/users.json", "npx jest", true),
            ("src/__snapshots__/cart.test.js.snap", "npx jest", true),
            ("jest.config.js", "npx jest", true),
            ("boot.js", "npx jest", true),
            ("boot.js", "node --test", false),
            ("conftest.py", "pytest", true),
            ("pytest.py", "pytest", true),
            ("pytest/__init__.py", "pytest", true),
            ("shop/pytest.py", "pytest", false),
            ("sitecustomize.py", "pytest", true),
            (".github/workflows/ci.yml", "pytest", true),
            ("scripts/check.sh", "sh scripts/check.sh", true),
            (".mvn/maven.config", "mvn test", true),
            ("src/main/java/org/junit/jupiter/api/Assertions.java", "mvn test", true),
            ("src/main/java/shop/Cart.java", "mvn test", false),
            ("README.md", "pytest", false),
        ] {
            let role = role(changed(path, "a", "b"), command);
            assert_eq!(role.why().is_some(), decides, "{path} behind {command}: {role:?}");
        }
    }

    #[test]
    fn of_a_mixed_file_only_the_parts_behind_the_command_decide() {
        let old = r#"{"version": "1", "scripts": {"test": "node --test"}}"#;
        let version = r#"{"version": "2", "scripts": {"test": "node --test"}}"#;
        let script = r#"{"version": "2", "scripts": {"test": "node --test || true"}}"#;
        assert_eq!(role(changed("package.json", old, version), "npm test"), FileRole::Source);
        let both = changed("package.json", old, script);
        let role = role(both.clone(), "npm test");
        let content = role.content(&both, ProofSide::Old, ProofSide::New).unwrap();
        let value: Value = serde_json::from_slice(&content.bytes).unwrap();
        assert_eq!((&value["version"], &value["scripts"]["test"]), (&"2".into(), &"node --test".into()));
    }

    #[test]
    fn of_a_build_only_what_it_says_of_tests_decides() {
        for (path, command, old, of_tests, of_others) in [
            (
                "vite.config.ts",
                "vitest run",
                "export default { base: '/', test: { globals: true } };\n",
                "export default { base: '/', test: { globals: true, include: ['a'] } };\n",
                "export default { base: '/shop/', test: { globals: true } };\n",
            ),
            (
                "pom.xml",
                "mvn -q test",
                "<project><version>1</version></project>\n",
                "<project><version>1</version><skipTests>true</skipTests></project>\n",
                "<project><version>2</version></project>\n",
            ),
            (
                "build.gradle",
                "./gradlew test",
                "version = '1'\ntest {\n    useJUnitPlatform()\n}\n",
                "version = '1'\ntest {\n    useJUnitPlatform()\n    exclude '**/Cart*'\n}\n",
                "version = '2'\ntest {\n    useJUnitPlatform()\n}\n",
            ),
            (
                ".cargo/config.toml",
                "cargo test",
                "[net]\nretry = 2\n",
                "[net]\nretry = 2\n[target.'cfg(unix)']\nrunner = \"true\"\n",
                "[net]\nretry = 3\n",
            ),
        ] {
            let other = role(changed(path, old, of_others), command);
            assert_eq!(other, FileRole::Source, "{path}");
            let tests = role(changed(path, old, of_tests), command);
            assert!(matches!(tests, FileRole::Parts(_)), "{path}: {tests:?}");
        }
    }

    #[test]
    fn a_rust_file_gives_its_tests_and_its_code_apart() {
        let old = "fn a() -> u8 { 1 }\n#[cfg(test)]\nmod tests {\n    fn strict() {}\n}\n";
        let new = "fn a() -> u8 { 2 }\n#[cfg(test)]\nmod tests {\n    fn loose() {}\n}\n";
        let one = changed("src/a.rs", old, new);
        let role = role(one.clone(), "cargo test");
        assert_eq!(role, FileRole::OwnTests);
        let mixed = role.content(&one, ProofSide::Old, ProofSide::New).unwrap();
        let text = mixed.text().unwrap();
        assert!(text.contains("{ 2 }") && text.contains("strict") && !text.contains("loose"), "{text}");
    }
}
