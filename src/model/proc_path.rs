//! The plain name of a file that is named through a process: `/proc/1/root/etc/x` is `/etc/x`.

use std::path::{Component, Path, PathBuf};

/// A path without `/proc/N/root` before it, and without those that it may begin with after that.
pub fn plain(path: &Path) -> PathBuf {
    let mut here = path.to_path_buf();
    while let Some(below) = below_a_root(&here) {
        here = below;
    }
    here
}

fn below_a_root(path: &Path) -> Option<PathBuf> {
    let mut parts = path.components().filter(|part| *part != Component::CurDir);
    let is_root = parts.next()? == Component::RootDir;
    let name = |part: Option<Component>| match part {
        Some(Component::Normal(name)) => name.to_str().map(str::to_owned),
        _ => None,
    };
    let (proc, process) = (name(parts.next())?, name(parts.next())?);
    let is_process = matches!(process.as_str(), "self" | "thread-self")
        || process.bytes().all(|it| it.is_ascii_digit() || it == b'*');
    let mut last = name(parts.next())?;
    if last == "task" {
        parts.next();
        last = name(parts.next())?;
    }
    (is_root && proc == "proc" && is_process && last == "root")
        .then(|| parts.fold(PathBuf::from("/"), |path, part| path.join(part)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_of_a_process_is_the_root() {
        for (path, expected) in [
            ("/proc/1/root/p/a", "/p/a"),
            ("/proc/self/root/p/a", "/p/a"),
            ("/proc/./thread-self/root/proc/12/root/p", "/p"),
            ("/proc/1/task/1/root/p", "/p"),
            ("/proc/1/root", "/"),
            ("/proc/1/cwd/a", "/proc/1/cwd/a"),
            ("/proc/sys/root/a", "/proc/sys/root/a"),
            ("/p/proc/1/root/a", "/p/proc/1/root/a"),
            ("proc/1/root/a", "proc/1/root/a"),
        ] {
            assert_eq!(plain(Path::new(path)), Path::new(expected), "{path}");
        }
    }
}
