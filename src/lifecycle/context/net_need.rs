//! Whether a call needs a net under it, as far as the reading of its command says: it is read once for its judgement and
//! for this.

use crate::shell::ShellReading;

/// What a reading says about the net.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NetNeed {
    /// It may change more than its words name: it runs code, moves what git has, or chooses by itself.
    sure: bool,
    /// It builds, lints or tests.
    checks: bool,
}

impl NetNeed {
    /// What a reading says.
    pub fn of(reading: &ShellReading) -> NetNeed {
        let changes = !reading.read_only;
        NetNeed {
            sure: changes && (reading.runs_code || reading.unread || reading.runs_git || reading.reaches),
            checks: changes && reading.runs_checks,
        }
    }

    /// Whether the call needs it. A check writes build output; a test may do anything, but a session that only checks
    /// leaves nothing.
    pub fn is_there(self, has_a_loop: bool) -> bool {
        self.sure || (self.checks && has_a_loop)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

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
            ("chmod -R a+w .", true, true),
            ("gzip a", true, true),
            ("ln a b", true, true),
        ] {
            let reading = shell::effects(text, ShellDialect::Posix, Path::new("/p"), Path::new("/h"));
            let need = NetNeed::of(&reading);
            assert_eq!((need.is_there(false), need.is_there(true)), (alone, with_a_loop), "{text}");
        }
    }
}
