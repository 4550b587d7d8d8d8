//! Whether a path is meant by one of a project's globs.
//!
//! As in `.gitignore`: a glob without a slash means the name at any depth, and a folder means everything in it.

use globset::{Glob, GlobBuilder, GlobMatcher};

/// Globs of a project, made ready for many questions.
#[derive(Debug, Clone, Default)]
pub struct Globs(Vec<GlobMatcher>);

impl Globs {
    /// Makes `globs` ready. One that is none means nothing; the schema reports it.
    pub(super) fn new(globs: &[String]) -> Globs {
        let compiled = globs.iter().filter_map(|glob| compile(glob).ok());
        Globs(compiled.map(|glob| glob.compile_matcher()).collect())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether any of them means `path`, which is relative to the project with `/`.
    pub fn mean(&self, path: &str) -> bool {
        self.0.iter().any(|glob| {
            let mut folder = Some(path);
            std::iter::from_fn(|| {
                let this = folder?;
                folder = this.rsplit_once('/').map(|(parent, _)| parent);
                Some(this)
            })
            .any(|this| glob.is_match(this))
        })
    }
}

/// Whether any of `globs` means `path`, which is relative to the project with `/`.
pub fn any(globs: &[String], path: &str) -> bool {
    Globs::new(globs).mean(path)
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
