//! A repository for a copy of a project, for commands that ask git: on the objects of the real one, which is only read.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// Makes the repository of the copy at `root`. A working tree whose repository is elsewhere gets none.
pub fn git_view(project: &Path, root: &Path) -> io::Result<()> {
    let (real, view) = (project.join(".git"), root.join(".git"));
    if !real.is_dir() {
        return Ok(());
    }
    fs::create_dir_all(view.join("objects/info"))?;
    fs::create_dir_all(view.join("refs"))?;
    fs::write(view.join("objects/info/alternates"), format!("{}\n", real.join("objects").display()))?;
    for file in ["HEAD", "index", "packed-refs", "config"] {
        if real.join(file).is_file() {
            fs::copy(real.join(file), view.join(file))?;
        }
    }
    let mut pending = vec![PathBuf::from("refs")];
    while let Some(folder) = pending.pop() {
        fs::create_dir_all(view.join(&folder))?;
        for entry in fs::read_dir(real.join(&folder))?.flatten() {
            let name = folder.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                pending.push(name);
            } else {
                fs::copy(entry.path(), view.join(name))?;
            }
        }
    }
    Ok(())
}
