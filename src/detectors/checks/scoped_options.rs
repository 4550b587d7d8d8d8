//! Options of a checker that hold for a part of the sources only: for what a tool has written.

use crate::detectors::checks::setting_keys::place;
use crate::detectors::checks::source_globs::{GlobReach, is_about_tests, reach};
use crate::languages::SettingEntry;

/// Keys that say for which files or modules a section holds.
const SCOPES: &[&str] = &["module", "modules", "files", "path", "paths", "include"];

/// Whether a setting stands in a section that is about nothing but what a tool has written, or others have.
pub(super) fn is_of_generated(all: &[SettingEntry], setting: &SettingEntry) -> bool {
    let scopes = scopes(all, setting);
    !scopes.is_empty()
        && scopes.iter().all(|scope| {
            // A module is named with dots where a path has slashes.
            let path = if scope.contains('/') { scope.clone() } else { scope.replace('.', "/") };
            reach(&path) == GlobReach::Others && !is_about_tests(&path)
        })
}

fn scopes(all: &[SettingEntry], setting: &SettingEntry) -> Vec<String> {
    let section = place(setting);
    // mypy's `[mypy-shop.pb2.*]`.
    if let Some(module) = section.strip_prefix("mypy-") {
        return module.split(',').map(|it| it.trim().to_owned()).collect();
    }
    let Some(at) = all.iter().position(|it| std::ptr::eq(it, setting)) else { return Vec::new() };
    // Several tables of a list have one key: each begins with a line of its own.
    let is_head = |it: &SettingEntry| it.key == section && it.value.is_empty();
    let first = all.get(..at).unwrap_or_default().iter().rposition(is_head).map_or(0, |it| it + 1);
    let own = all.get(first..).unwrap_or_default().iter().take_while(|it| !is_head(it));
    own.filter(|it| place(it) == section && SCOPES.contains(&it.name())).map(|it| it.value.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::settings;

    fn is_spared(path: &str, text: &str) -> bool {
        let all = settings(path, text).unwrap();
        let lax = all.iter().rev().find(|it| it.name() == "ignore_errors").unwrap();
        is_of_generated(&all, lax)
    }

    #[test]
    fn a_section_may_be_about_what_a_tool_wrote() {
        let table = |module: &str| {
            let other = "[[tool.mypy.overrides]]\nmodule = \"vendor.*\"\nwarn_return_any = false\n";
            format!("{other}[[tool.mypy.overrides]]\nmodule = {module}\nignore_errors = true\n")
        };
        assert!(is_spared("pyproject.toml", &table("\"shop.generated.*\"")));
        assert!(is_spared("pyproject.toml", &table("[\"shop.order_pb2\", \"shop.order_pb2_grpc\"]")));
        assert!(!is_spared("pyproject.toml", &table("[\"shop.order_pb2\", \"shop.cart\"]")));
        assert!(!is_spared("pyproject.toml", &table("\"shop.*\"")));
        assert!(!is_spared("pyproject.toml", &table("\"tests.*\"")));
        assert!(is_spared("mypy.ini", "[mypy]\nstrict = true\n[mypy-shop.proto.*]\nignore_errors = true\n"));
        assert!(!is_spared("mypy.ini", "[mypy]\nignore_errors = true\n"));
    }
}
