//! Whether a call needs a net under it, as far as the reading of its command says: it is read once for its judgement and
//! for this.

use std::path::Path;

use crate::shell::{EffectKind, ShellReading};

/// What a reading says about the net.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NetNeed {
    /// It may change more than its words name: it runs code, moves what git has, or chooses by itself.
    sure: bool,
    /// It builds, lints or tests.
    checks: bool,
}

impl NetNeed {
    /// What a reading says of a project.
    pub fn of(reading: &ShellReading, project: &Path) -> NetNeed {
        let changes = !reading.read_only;
        let reaches = || reading.reaches || stands_for_more(reading, project);
        NetNeed {
            sure: changes && (reading.runs_code || reading.unread || reading.runs_git || reaches()),
            checks: changes && reading.runs_checks,
        }
    }

    /// Whether the call needs it. A check writes build output; a test may do anything, but a session that only checks
    /// leaves nothing.
    pub fn is_there(self, has_a_loop: bool) -> bool {
        self.sure || (self.checks && has_a_loop)
    }
}

/// Whether something that a command takes away, moves or replaces stands for more than its bytes: a folder, whose empty
/// folders and permissions go with it, or a file of git's own.
fn stands_for_more(reading: &ShellReading, project: &Path) -> bool {
    use EffectKind::{Copy, Delete, EditInPlace, Move, Overwrite, Truncate};
    let is_meant = |kind| matches!(kind, Copy | Delete | EditInPlace | Move | Overwrite | Truncate);
    let effects = reading.effects.iter().filter(|effect| is_meant(effect.kind));
    let targets = effects.flat_map(|effect| effect.targets.iter().chain(&effect.sources));
    let mut paths = targets.filter_map(|target| target.path.as_deref()?.strip_prefix(project).ok());
    paths.any(|path| {
        let is_gits = path.components().any(|part| part.as_os_str() == ".git");
        is_gits || project.join(path).symlink_metadata().is_ok_and(|metadata| metadata.is_dir())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::event::ShellDialect;
    use crate::shell;

    #[test]
    fn code_and_git_need_it_and_checks_where_a_loop_is() {
        for (text, alone, with_a_loop) in [
            ("ls -la", false, false),
            ("git status", false, false),
            ("git commit -qm x", true, true),
            ("python3 -c 'work()'", true, true),
            ("npm test", false, true),
            ("npm test && git status", true, true),
            ("mkdir a", true, true),
            ("rm -rf a", false, false),
            ("echo x > a; cp a b", false, false),
            ("rm -rf *", true, true),
            ("find . -type d -empty -delete", true, true),
            ("find . -type d -empty", false, false),
            ("chmod -R a+w .", true, true),
            ("gzip a", true, true),
            ("ln a b", true, true),
        ] {
            let reading = shell::effects(text, ShellDialect::Posix, Path::new("/p"), Path::new("/h"));
            let need = NetNeed::of(&reading, Path::new("/p"));
            assert_eq!((need.is_there(false), need.is_there(true)), (alone, with_a_loop), "{text}");
        }
    }

    #[test]
    fn folders_and_gits_own_files_stand_for_more_than_their_bytes() {
        let place = tempfile::tempdir().unwrap();
        let project = place.path();
        std::fs::create_dir_all(project.join("folder/empty")).unwrap();
        std::fs::write(project.join("file"), "").unwrap();
        for (text, needed) in [
            ("rm -rf folder", true),
            ("mv folder other", true),
            ("rm -f .git/index", true),
            ("rm file", false),
            ("mv file other", false),
            ("rm -rf none", false),
            ("rm -rf /elsewhere/folder", false),
            ("ls folder", false),
        ] {
            let reading = shell::effects(text, ShellDialect::Posix, project, Path::new("/h"));
            assert_eq!(NetNeed::of(&reading, project).is_there(false), needed, "{text}");
        }
    }
}
