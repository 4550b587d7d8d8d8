//! The one folder in which all copies of a proof lie. It is gone when the proof is over, however that comes.
//!
//! A keeper process, which holds the reading end of a pipe, ends what the proof has started and removes the folder as
//! soon as the other end is closed: by the end of the proof, or by a death of this process that nothing else sees. What a
//! dead keeper has left is removed by the next proof.

use std::fs::{self, DirBuilder, File, TryLockError};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime};
use std::{env, io};

/// Marks what a proof has started, in its environment.
const MARK: &str = "STEADFAST_PROOF";
/// A folder without a lock is being made, unless it is older than this.
const MAKING: Duration = Duration::from_secs(600);

/// Ends all processes that carry the mark, and removes the folder. Processes may start others while they are ended.
const KEEPER: &str = r#"
trap '' HUP INT TERM QUIT
cat >/dev/null
marked() {
    if [ -r /proc/self/environ ]; then
        grep -lzxF -- "STEADFAST_PROOF=$1" /proc/[0-9]*/environ 2>/dev/null | sed 's|^/proc/\([0-9]*\)/.*|\1|'
    else
        ps -axEww -o pid=,command= 2>/dev/null | grep -F -- "STEADFAST_PROOF=$1" | grep -vF grep | sed 's/^ *\([0-9]*\) .*/\1/'
    fi
}
for round in 1 2 3 4 5 6 7 8; do
    found=$(marked "$1")
    [ -n "$found" ] || break
    kill -9 $found 2>/dev/null
done
for round in 1 2 3 4 5 6 7 8; do
    rm -rf -- "$1" 2>/dev/null
    [ -e "$1" ] || break
    chmod -R u+rwx -- "$1" 2>/dev/null
    sleep 0.1
done
"#;

/// The folder, as long as it is there.
#[derive(Debug)]
pub struct ScratchFolder {
    root: PathBuf,
    keeper: Child,
    /// Held as long as this process lives.
    _lock: File,
}

impl ScratchFolder {
    /// Makes the folder below that of temporary files, and removes what dead proofs have left beside it.
    pub fn make() -> io::Result<ScratchFolder> {
        let user = rustix::process::getuid().as_raw();
        let parent = env::temp_dir().join(format!("steadfast-proof-{user}"));
        match DirBuilder::new().mode(0o700).create(&parent) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        let metadata = fs::symlink_metadata(&parent)?;
        if !metadata.is_dir() || metadata.uid() != user {
            return Err(io::Error::other(format!("{} belongs to somebody else", parent.display())));
        }
        // Tools that compare paths get the real one.
        let parent = parent.canonicalize()?;
        remove_left(&parent);
        let root = tempfile::Builder::new().prefix("run-").tempdir_in(&parent)?.keep();
        let lock = File::create(root.join("lock"))?;
        lock.lock()?;
        let mut keeper = Command::new("/bin/sh");
        keeper.args(["-c", KEEPER, "steadfast-proof"]).arg(&root).current_dir("/");
        keeper.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        let keeper = keeper.spawn().inspect_err(|_| {
            fs::remove_dir_all(&root).ok();
        })?;
        Ok(ScratchFolder { root, keeper, _lock: lock })
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The mark that all processes of the proof carry in their environment.
    pub fn mark(&self) -> (&'static str, String) {
        (MARK, self.root.display().to_string())
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _gone = self.keeper.wait();
        // Where no shell could be waited for.
        if self.root.exists() {
            fs::remove_dir_all(&self.root).ok();
        }
    }
}

/// Removes the folders of proofs that nobody works at any more.
fn remove_left(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let root = entry.path();
        let is_left = match File::open(root.join("lock")) {
            Ok(lock) => !matches!(lock.try_lock(), Err(TryLockError::WouldBlock)),
            Err(_) => is_old(&root),
        };
        if is_left {
            fs::remove_dir_all(&root).ok();
        }
    }
}

fn is_old(path: &Path) -> bool {
    let made = fs::symlink_metadata(path).and_then(|metadata| metadata.modified());
    made.is_ok_and(|made| SystemTime::now().duration_since(made).is_ok_and(|age| age > MAKING))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_and_what_runs_in_it_end_with_the_proof() {
        let scratch = ScratchFolder::make().unwrap();
        let root = scratch.root().to_owned();
        fs::write(root.join("file"), "x").unwrap();
        let (name, mark) = scratch.mark();
        // A process that has left every group.
        let mut child = Command::new("sleep");
        child.arg("600").env(name, mark).process_group(0);
        let mut child = child.spawn().unwrap();
        drop(scratch);
        assert!(!root.exists());
        if Path::new("/proc/self/environ").exists() {
            assert!(!child.wait().unwrap().success());
        } else {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    #[test]
    fn what_a_dead_proof_has_left_is_removed_and_a_living_ones_stays() {
        let directory = tempfile::tempdir().unwrap();
        for name in ["dead", "living", "new"] {
            fs::create_dir(directory.path().join(name)).unwrap();
        }
        fs::write(directory.path().join("dead/lock"), "").unwrap();
        let lock = File::create(directory.path().join("living/lock")).unwrap();
        lock.lock().unwrap();
        remove_left(directory.path());
        let left = |name: &str| directory.path().join(name).exists();
        assert_eq!([left("dead"), left("living"), left("new")], [false, true, true]);
    }
}
