//! What this process has read of a loop's state already. A file is replaced and never changed in its place, so the same
//! file holds the same; the look at it is one `stat`.

use std::cell::RefCell;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::state::loop_state::LoopState;
use crate::state::own_file::{self, FileIdentity, LARGEST};

/// A state file that was read.
pub(super) struct ReadStateFile {
    pub(super) bytes: Vec<u8>,
    pub(super) look: FileIdentity,
    /// Whether Steadfast is known to have written it.
    pub(super) as_written: bool,
}

/// A sound state, and how its file and its witness looked.
struct SoundState {
    path: PathBuf,
    look: FileIdentity,
    witness: Option<FileIdentity>,
    state: Rc<LoopState>,
}

thread_local! {
    static FILE: RefCell<Option<(PathBuf, ReadStateFile)>> = const { RefCell::new(None) };
    static STATE: RefCell<Option<SoundState>> = const { RefCell::new(None) };
}

/// The file at `path`, read anew unless it is the one that was read last.
pub(super) fn file(path: &Path) -> io::Result<ReadStateFile> {
    let known = FILE.take().filter(|(of, file)| of == path && Some(file.look) == FileIdentity::at(path));
    if let Some((_, file)) = known {
        return Ok(file);
    }
    let (bytes, look) = own_file::read_seen(path, LARGEST)?;
    Ok(ReadStateFile { bytes, look, as_written: false })
}

/// Keeps a file for who reads it next.
pub(super) fn keep_file(path: PathBuf, file: ReadStateFile) {
    FILE.set(Some((path, file)));
}

/// The state that stands at `path` still, if it was read before with the same witness.
pub(super) fn state(path: &Path, witness: Option<FileIdentity>) -> Option<Rc<LoopState>> {
    STATE.with_borrow(|known| {
        let known = known.as_ref().filter(|known| known.path == path && known.witness == witness)?;
        (Some(known.look) == FileIdentity::at(path)).then(|| Rc::clone(&known.state))
    })
}

/// Keeps a sound state, with the looks of its file and of its witness.
pub(super) fn keep_state(
    path: PathBuf,
    (look, witness): (FileIdentity, Option<FileIdentity>),
    state: Rc<LoopState>,
) {
    STATE.set(Some(SoundState { path, look, witness, state }));
}

/// Forgets the state, which is about to be another one.
pub(super) fn forget() {
    STATE.take();
}
