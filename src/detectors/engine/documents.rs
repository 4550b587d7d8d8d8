//! Documents: what tells people of a project, and runs nowhere.

/// How the names of documents end.
const ENDS: &[&str] = &[".md", ".rst", ".txt", ".adoc"];

/// Whether a file is a document by its name.
pub(crate) fn is_document(path: &str) -> bool {
    ENDS.iter().any(|end| path.ends_with(end))
}

/// Whether a file is one that is read for what it tells, and for nothing else: `CMakeLists.txt` and `requirements.txt` are none.
pub(crate) fn is_prose(path: &str) -> bool {
    is_document(path) && !path.ends_with(".txt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_known_by_their_names() {
        assert!(is_prose("docs/CHANGELOG.md") && is_prose("README.adoc"));
        assert!(!is_prose("requirements.txt") && is_document("notes.txt"));
        assert!(!is_prose("src/lib.rs") && !is_document("md"));
    }
}
