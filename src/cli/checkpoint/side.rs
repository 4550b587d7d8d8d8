//! What is on one side of a path that differs.

/// So much of a file is looked at for a zero byte, which makes it binary, as git does.
const SNIFFED: usize = 8_000;

/// What is on one side of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathSide {
    /// Nothing.
    Absent,
    /// A file's bytes with its permission bits.
    File(Vec<u8>, u32),
    /// Where a link points.
    Link(Vec<u8>),
    /// A folder's permission bits.
    Folder(u32),
    /// Something that can't be read, and why.
    Unread(String),
}

impl PathSide {
    /// The bytes that a patch is about.
    pub(super) fn bytes(&self) -> Option<&[u8]> {
        match self {
            PathSide::Absent => Some(b""),
            PathSide::File(bytes, _) | PathSide::Link(bytes) => Some(bytes),
            PathSide::Folder(_) | PathSide::Unread(_) => None,
        }
    }

    /// Git's number for it: of a file's permissions git knows only whether it may be run.
    pub(super) fn git_mode(&self) -> Option<&'static str> {
        match self {
            PathSide::File(_, mode) if mode & 0o100 != 0 => Some("100755"),
            PathSide::File(..) => Some("100644"),
            PathSide::Link(_) => Some("120000"),
            _ => None,
        }
    }

    /// The permission bits.
    pub(super) fn exact_mode(&self) -> Option<u32> {
        match self {
            PathSide::File(_, mode) | PathSide::Folder(mode) => Some(*mode),
            _ => None,
        }
    }
}

/// Whether bytes are no text.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    bytes.iter().take(SNIFFED).any(|byte| *byte == 0)
}

/// What happened to a folder, in words.
pub(super) fn folder_words(before: &PathSide, after: &PathSide) -> String {
    match (before, after) {
        (PathSide::Folder(old), PathSide::Folder(new)) => {
            format!("folder's permissions {old:04o} -> {new:04o}")
        }
        (PathSide::Folder(_), _) => "folder removed".to_owned(),
        _ => "folder made".to_owned(),
    }
}
