//! The ten hooks as data: what each asks, does, writes and fires, and under which conditions.
//!
//! The built-in definitions are constants ([`builtin`]); a project may lay a file over them. A file with an error in it
//! is not used at all, so a slip never leaves a guard half defined, and the built-in definitions hold.

pub mod builtin;
pub mod check;
pub mod condition;
pub mod effects;
pub mod envelope;
pub mod external;
pub mod inputs;
pub mod model;
pub mod names;
pub mod parse;
pub mod problem;
mod reader;
pub mod render;
pub mod risk;
pub mod schema;
pub mod vocabulary;
pub mod yaml_text;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use builtin::BUILTIN;
use check::read_text;
use model::Definitions;
use names::HookName;
use parse::parse;
use problem::Problem;

use crate::state::layout::Layout;

/// A project's own definitions, relative to it.
pub const FILE: &str = ".aiwg/ralph/hooks/persistence-hooks.yaml";

/// The definitions that hold in a project, and where they come from.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadedDefinitions {
    /// What holds.
    pub definitions: Cow<'static, Definitions>,
    /// The project's file, when it is there and used.
    pub file: Option<PathBuf>,
    /// The hooks that the used file names, and in which line.
    pub named: Vec<(HookName, usize)>,
    /// What is wrong with the project's file. With an error among them the built-in definitions hold.
    pub problems: Vec<Problem>,
}

impl LoadedDefinitions {
    /// The state directory of the project at `project`, with the logs where the definitions have them.
    pub fn layout(&self, project: &Path) -> Layout {
        let layout = Layout::of_project(project);
        let audit = &self.definitions.audit;
        if self.file.is_some() { layout.logging(&audit.log_location, audit.retention_days) } else { layout }
    }
}

/// The state directory of the project at `root`, with the logs where its definitions have them.
pub fn layout_of(root: &Path) -> Layout {
    Definitions::read(root).layout(root)
}

impl Definitions {
    /// The built-in definitions.
    pub fn builtin() -> &'static Definitions {
        &BUILTIN
    }

    /// Reads the definitions that hold in the project at `root`. Without a file of the project this is one failed
    /// `open` and no YAML.
    pub fn read(root: &Path) -> LoadedDefinitions {
        let mut loaded = LoadedDefinitions {
            definitions: Cow::Borrowed(&BUILTIN),
            file: None,
            named: Vec::new(),
            problems: Vec::new(),
        };
        let path = root.join(FILE);
        match read_text(&path) {
            Ok(None) => {}
            Ok(Some(text)) => {
                let parsed = parse(&text, &BUILTIN);
                if parsed.is_usable() {
                    loaded.definitions = Cow::Owned(parsed.definitions);
                    loaded.file = Some(path);
                    loaded.named = parsed.named;
                }
                loaded.problems = parsed.problems;
            }
            Err(problem) => loaded.problems.push(problem),
        }
        loaded
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn project(bytes: &[u8]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(FILE);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
        dir
    }

    #[test]
    fn without_a_file_the_built_in_definitions_hold() {
        let dir = tempfile::tempdir().unwrap();
        let loaded = Definitions::read(dir.path());
        assert!(matches!(loaded.definitions, Cow::Borrowed(_)));
        assert_eq!((loaded.file, loaded.problems.len()), (None, 0));
        // A file where a folder is expected is no file of definitions either.
        fs::write(dir.path().join(".aiwg"), "").unwrap();
        assert_eq!(Definitions::read(dir.path()).problems, []);
    }

    #[test]
    fn a_file_is_laid_over_the_built_in_definitions() {
        let dir = project(b"hooks:\n  loop_start:\n    actions: [log_loop_start]\n");
        let loaded = Definitions::read(dir.path());
        let (start, builtin) =
            (loaded.definitions.hook(HookName::LoopStart), BUILTIN.hook(HookName::LoopStart));
        assert_eq!(start.actions.to_vec(), [names::Action::LogLoopStart]);
        assert_eq!(start.agents, builtin.agents);
        assert_eq!(loaded.definitions.hook(HookName::OnError), BUILTIN.hook(HookName::OnError));
        assert_eq!(loaded.named, [(HookName::LoopStart, 2)]);
        assert_eq!(loaded.file, Some(dir.path().join(FILE)));
    }

    #[test]
    fn a_broken_file_leaves_the_built_in_definitions_and_says_where_it_is_broken() {
        let rows: [(&[u8], usize, usize); 5] = [
            (b"hooks:\n  loop_start:\n    actions: [log_lop_start]\n", 3, 15),
            (b"hooks: [\n", 1, 8),
            (b"hooks:\n  on_error:\n    trigger: \xff\xfe\n", 3, 14),
            (b"hooks: 7\n", 1, 8),
            (b"a: b: c\n", 1, 5),
        ];
        for (bytes, line, column) in rows {
            let shown = String::from_utf8_lossy(bytes);
            let loaded = Definitions::read(project(bytes).path());
            assert_eq!(*loaded.definitions, BUILTIN, "{shown}");
            assert_eq!(loaded.file, None, "{shown}");
            let problem = loaded.problems.first().unwrap();
            assert_eq!((problem.line, problem.column), (line, column), "{shown}: {problem}");
        }
        let large = vec![b'#'; crate::yaml::LIMIT + 1];
        assert_eq!(Definitions::read(project(&large).path()).problems.len(), 1);
    }

    #[test]
    fn a_file_that_says_nothing_changes_nothing() {
        for text in ["", "# only a comment\n", "hooks:\n", "title: x\nexamples:\n  anything: [1]\n"] {
            let loaded = Definitions::read(project(text.as_bytes()).path());
            assert_eq!((&*loaded.definitions, loaded.problems.len()), (&BUILTIN, 0), "{text:?}");
        }
    }
}
