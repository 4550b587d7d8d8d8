//! Folders whose content tools make again, by their names.

/// Folders in which package managers install.
pub const INSTALLED: &[&str] =
    &["node_modules", "bower_components", ".yarn", ".venv", "venv", ".tox", ".nox", "__pypackages__", "Pods"];

/// Folders of what other tools fetch.
pub const FETCHED: &[&str] = &[".eggs", "elm-stuff", ".dart_tool", ".terraform"];

/// Folders that a build fills.
pub const BUILT: &[&str] = &[
    "target",
    "build",
    "dist",
    "out",
    "_build",
    "obj",
    ".next",
    ".nuxt",
    ".output",
    ".svelte-kit",
    ".angular",
    "storybook-static",
    "DerivedData",
    "zig-out",
];

/// Folders of caches, reports and other passing files.
pub const PASSING: &[&str] = &[
    "__pycache__",
    "coverage",
    ".nyc_output",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".cache",
    ".parcel-cache",
    ".turbo",
    ".gradle",
    "htmlcov",
    "test-results",
    "playwright-report",
    "tmp",
    ".tmp",
    ".ipynb_checkpoints",
    ".vite",
    ".vitest",
    ".hypothesis",
    "zig-cache",
];

/// Whether a tool makes the content of a folder of this name again.
pub fn is_made_again(name: &str) -> bool {
    [INSTALLED, FETCHED, BUILT, PASSING].iter().any(|names| names.contains(&name))
}
