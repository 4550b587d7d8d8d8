//! The files of a commit, written into a folder.

use std::ffi::OsString;
use std::path::Path;

use super::git::Git;

impl Git {
    /// Writes all files of a commit into `folder`, as a checkout would; `index` is a file for git's use. `None` when git
    /// can't. Answers where the directory of questions is in it.
    pub fn export(&self, commit: &str, index: &Path, folder: &Path) -> Option<std::path::PathBuf> {
        if commit.starts_with('-') {
            return None;
        }
        let top = self.top()?.to_path_buf();
        let at_top = Git { directory: top.clone(), ..self.clone() };
        let mut read = at_top.command(&["read-tree", commit]);
        read.env("GIT_INDEX_FILE", index);
        let mut prefix = OsString::from("--prefix=");
        prefix.push(folder);
        prefix.push("/");
        let mut write = at_top.command(&["checkout-index", "--all", "--force"]);
        write.arg(prefix).env("GIT_INDEX_FILE", index);
        for command in [read, write] {
            let (code, _) = at_top.run(command, None)?;
            if code != 0 {
                return None;
            }
        }
        let below = self.directory.strip_prefix(&top).ok()?;
        Some(folder.join(below))
    }
}
