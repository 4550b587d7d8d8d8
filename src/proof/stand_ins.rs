//! Files that would be found instead of what runs tests, or of what tests ask.

use crate::languages::file_name;
use crate::proof::work::ChangedFile;
use crate::runners;

/// The packages of libraries that tests ask: a class of the project in one of them is found first.
const ASKED_BY_TESTS: &[&str] =
    &["org/junit/", "junit/framework/", "org/testng/", "org/assertj/", "org/hamcrest/", "org/mockito/"];

/// Whether a file would be found instead of a program or module that runs tests: `pytest.py` at the top, an executable
/// called `cargo`.
pub(super) fn stands_in(path: &str, changed: &ChangedFile) -> bool {
    if path
        .split_once("/java/")
        .is_some_and(|(_, class)| ASKED_BY_TESTS.iter().any(|it| class.starts_with(it)))
    {
        return true;
    }
    let segments: Vec<&str> = path.split('/').collect();
    let python = match segments[..] {
        [file] => file.strip_suffix(".py"),
        [package, "__init__.py"] | ["src" | "lib", package, "__init__.py"] => Some(package),
        ["src" | "lib", file] => file.strip_suffix(".py"),
        _ => None,
    };
    if python.is_some_and(|module| runners::is_module(module) || runners::is_program(module)) {
        return true;
    }
    let name = file_name(path);
    let is_script = || {
        let sides = [&changed.old, &changed.new];
        sides.iter().any(|side| side.as_ref().is_some_and(|it| it.bytes.starts_with(b"#!")))
    };
    let bare = name.strip_suffix(".sh").unwrap_or(name);
    (runners::is_program(bare) || matches!(bare, "node" | "python" | "python3" | "npm" | "npx"))
        && is_script()
}
