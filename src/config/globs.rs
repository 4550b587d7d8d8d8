//! Whether a path is meant by one of a project's globs.
//!
//! As in `.gitignore`: a glob without a slash means the name at any depth, and a folder means everything in it.

use globset::{Glob, GlobBuilder};

/// Whether any of `globs` means `path`, which is relative to the project with `/`. A glob that is none means nothing;
/// the schema reports it.
pub fn any(globs: &[String], path: &str) -> bool {
    globs.iter().filter_map(|glob| compile(glob).ok()).map(|glob| glob.compile_matcher()).any(|glob| {
        let mut folder = Some(path);
        std::iter::from_fn(|| {
            let this = folder?;
            folder = this.rsplit_once('/').map(|(parent, _)| parent);
            Some(this)
        })
        .any(|this| glob.is_match(this))
    })
}

/// Compiles one glob; the error says what is wrong with it.
pub(super) fn compile(glob: &str) -> Result<Glob, globset::Error> {
    let bare = glob.strip_prefix("./").unwrap_or(glob).trim_end_matches('/');
    let anywhere = if bare.contains('/') { "" } else { "**/" };
    let rooted = bare.strip_prefix('/').unwrap_or(bare);
    GlobBuilder::new(&format!("{anywhere}{rooted}")).literal_separator(true).build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_mean_what_gitignore_would() {
        for (glob, path, meant) in [
            ("migrations/", "migrations/001.sql", true),
            ("migrations", "app/migrations/001.sql", true),
            ("/migrations", "app/migrations/001.sql", false),
            ("/migrations", "migrations/001.sql", true),
            ("*.lock", "a/b/Cargo.lock", true),
            ("src/*.rs", "src/a.rs", true),
            ("src/*.rs", "src/a/b.rs", false),
            ("src/**/*.rs", "src/a/b.rs", true),
            ("./src/api", "src/api/v1/a.rs", true),
            ("src", "srcs/a.rs", false),
            ("[", "[", false),
        ] {
            assert_eq!(any(&[glob.to_owned()], path), meant, "{glob} {path}");
        }
        assert!(!any(&[], "a"));
    }
}
