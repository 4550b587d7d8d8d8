//! Which files differ between two states that git knows, and what they hold there.
//!
//! Invariant: one question for all files, and one for all contents, however many there are.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::git::Git;
use super::paths::{bytes_path, split_paths};
use super::silence::{self, GitFault};

/// So many paths are named to git at a time: a command line has an end.
const LOT: usize = 1_000;

/// A regular file that is not the same in two states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The file, relative to git's directory of questions.
    pub path: PathBuf,
    /// The object's id before; `None` for a file that was not there.
    pub before: Option<String>,
    /// Whether it could be run.
    pub was_executable: bool,
    /// What is there after.
    pub after: ContentAfter,
}

/// What is there after a difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ContentAfter {
    /// Nothing.
    Gone,
    /// An object's id.
    Object(String),
    /// What is on the disk.
    Disk,
}

impl Git {
    /// The regular files below the directory that differ, in the sense of `git diff` with `revisions`: nothing is
    /// paired up as a rename. Links and other repositories are left out.
    pub fn differences(&self, revisions: &[&str], paths: &[PathBuf]) -> Option<Vec<Difference>> {
        let mut arguments = vec!["diff", "--raw", "-z", "--no-abbrev", "--no-renames", "--relative"];
        arguments.extend(["--no-ext-diff", "--no-textconv", "--ignore-submodules=all"]);
        arguments.extend_from_slice(revisions);
        let output = self.ask_paths(&arguments, paths)?;
        Some(parse(&output))
    }

    /// How the working tree differs from the commit that is checked out, in one question: the regular files below the
    /// directory that differ from it, and those that it does not have. All paths are absolute.
    pub fn since_head(&self) -> Option<(Vec<Difference>, Vec<PathBuf>)> {
        let top = self.top()?.to_path_buf();
        let arguments = ["status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames"];
        let ignoring = ["--ignored=no", "--ignore-submodules=all"];
        let here = [self.directory.clone()];
        let output = self.ask_paths(&[&arguments[..], &ignoring].concat(), &here);
        if output.is_none() {
            silence::note(GitFault::Fails);
        }
        Some(parse_status(&output?, &top))
    }

    /// What a commit holds of `paths`, as what differs from it: the files that are there now, whatever they say.
    pub fn held(&self, commit: &str, paths: &[PathBuf]) -> Option<Vec<Difference>> {
        let mut held = Vec::new();
        for lot in paths.chunks(LOT) {
            held.extend(parse_tree(&self.ask_paths(&["ls-tree", "-z", commit], lot)?));
        }
        Some(held)
    }

    /// Which of the tracked files among `paths`, relative to the directory, git was told not to look at.
    pub fn passed_over(&self, paths: &[PathBuf]) -> Option<BTreeSet<String>> {
        let mut found = BTreeSet::new();
        if let Some(unseen) = self.indexed_unseen() {
            let wanted: BTreeSet<&PathBuf> = paths.iter().collect();
            let meant = unseen.iter().filter(|path| wanted.contains(path)).filter_map(|path| path.to_str());
            return Some(meant.map(str::to_owned).collect());
        }
        for lot in paths.chunks(LOT) {
            found.extend(self.listed_unseen(lot)?);
        }
        Some(found)
    }

    /// Those that git lists so; without paths of all.
    fn listed_unseen(&self, paths: &[PathBuf]) -> Option<Vec<String>> {
        let output = self.ask_paths(&["ls-files", "-v", "-z"], paths)?;
        let entries = output.split(|byte| *byte == 0).filter_map(|entry| entry.split_at_checked(2));
        // `S` is skipped, and what is assumed to be unchanged has a small letter.
        let passed = entries
            .filter(|(mark, _)| mark.first().is_some_and(|sign| *sign == b'S' || sign.is_ascii_lowercase()));
        Some(passed.map(|(_, name)| String::from_utf8_lossy(name).into_owned()).collect())
    }

    /// The files that are there although git was told not to look at them, or that are only assumed to be: relative to
    /// the directory.
    pub fn unseen(&self) -> Option<Vec<String>> {
        let Some(unseen) = self.indexed_unseen() else { return self.listed_unseen(&[]) };
        Some(unseen.iter().filter_map(|path| path.to_str()).map(str::to_owned).collect())
    }

    /// The files below the directory that git does not track and does not ignore, relative to it.
    pub fn untracked(&self, paths: &[PathBuf]) -> Option<Vec<PathBuf>> {
        let output = self.ask_paths(&["ls-files", "-z", "--others", "--exclude-standard"], paths)?;
        Some(split_paths(&output, Path::new("")))
    }

    /// The contents of objects by their ids; one that is not here has no entry.
    pub fn contents<'a>(&self, ids: impl Iterator<Item = &'a str>) -> Option<BTreeMap<String, Vec<u8>>> {
        let input: String = ids.map(|id| format!("{id}\n")).collect();
        if input.is_empty() {
            return Some(BTreeMap::new());
        }
        let (code, output) = self.answer(&["cat-file", "--batch"], Some(input.as_bytes()))?;
        (code == 0).then(|| objects(&output))
    }

    /// The same from the repository whose own folder this is, without looking for one.
    pub fn contents_of_own<'a>(
        &self,
        ids: impl Iterator<Item = &'a str>,
    ) -> Option<BTreeMap<String, Vec<u8>>> {
        let input: String = ids.map(|id| format!("{id}\n")).collect();
        let asked = ["--git-dir=.", "cat-file", "--batch"];
        let (code, output) = self.answer(&asked, Some(input.as_bytes()))?;
        (code == 0).then(|| objects(&output))
    }

    /// What a commit has of files, named relative to the directory of questions and in their order. `None` when git does
    /// not answer; a file that the commit does not have has nothing.
    pub fn texts_at(&self, commit: &str, paths: &[&str]) -> Option<Vec<Option<Vec<u8>>>> {
        // A name of two lines can't be asked for together with others.
        let askable = |path: &str| !path.contains('\n');
        let input: String =
            paths.iter().filter(|path| askable(path)).map(|path| format!("{commit}:./{path}\n")).collect();
        if input.is_empty() {
            return Some(vec![None; paths.len()]);
        }
        let (code, output) = self.answer(&["cat-file", "--batch"], Some(input.as_bytes()))?;
        let mut answers = (code == 0).then(|| Answers(&output))?;
        let texts = paths.iter().map(|path| if askable(path) { answers.next() } else { Some(None) });
        let texts = texts.collect::<Option<Vec<Option<Vec<u8>>>>>();
        if texts.is_none() && (output.len() as u64) < self.longest {
            silence::note(GitFault::Garbled);
        }
        texts
    }
}

/// The answers of `git cat-file --batch`, in the order of the questions: the bytes of a blob, or nothing. They end where
/// one is none.
struct Answers<'o>(&'o [u8]);

impl Iterator for Answers<'_> {
    type Item = Option<Vec<u8>>;

    fn next(&mut self) -> Option<Option<Vec<u8>>> {
        let end = self.0.iter().position(|byte| *byte == b'\n')?;
        let (head, rest) = self.0.split_at(end);
        self.0 = rest.get(1..).unwrap_or_default();
        // A name may hold spaces, so the words count from the end.
        let head = String::from_utf8_lossy(head);
        let mut words = head.rsplit(' ');
        let (last, kind) = (words.next()?, words.next());
        if matches!(last, "missing" | "ambiguous") && kind.is_some() {
            return Some(None);
        }
        let is_object = matches!(kind, Some("blob" | "tree" | "commit" | "tag"));
        let size = last.parse::<usize>().ok().filter(|_| is_object)?;
        let bytes = self.0.get(..size)?.to_vec();
        self.0 = self.0.get(size + 1..).unwrap_or_default();
        Some((kind == Some("blob")).then_some(bytes))
    }
}

/// Reads `:100644 100644 <id> <id> M\0path\0…`.
fn parse(output: &[u8]) -> Vec<Difference> {
    let mut parts = output.split(|byte| *byte == 0);
    let mut differences = Vec::new();
    while let (Some(head), Some(path)) = (parts.next(), parts.next()) {
        let head = String::from_utf8_lossy(head);
        let mut words = head.trim_start_matches(':').split(' ');
        let (Some(mode_before), Some(mode_after), Some(before), Some(after)) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            continue;
        };
        let is_file = |mode: &str| mode.starts_with("100");
        let is_none = |id: &str| id.bytes().all(|byte| byte == b'0');
        let before = is_file(mode_before).then(|| before.to_owned());
        let after = match (is_file(mode_after), is_none(after)) {
            (false, _) => ContentAfter::Gone,
            (true, true) => ContentAfter::Disk,
            (true, false) => ContentAfter::Object(after.to_owned()),
        };
        if before.is_some() || after != ContentAfter::Gone {
            let was_executable = mode_before == "100755";
            differences.push(Difference { path: bytes_path(path), before, was_executable, after });
        }
    }
    differences
}

/// Reads `1 .M N... 100644 100644 100644 <id> <id> <path>\0`, `u UU N... 100644 100644 100644 100644 <id> <id> <id> <path>\0`
/// and `? <path>\0`.
fn parse_status(output: &[u8], top: &Path) -> (Vec<Difference>, Vec<PathBuf>) {
    let (mut differences, mut new) = (Vec::new(), Vec::new());
    for entry in output.split(|byte| *byte == 0) {
        let Some((kind, rest)) = entry.split_first() else { continue };
        // How many words stand before the path, and which of them tell of the commit (for a conflict: of our side) and
        // of the disk.
        let (words, mode, disk, id) = match kind {
            b'?' => {
                new.extend(rest.strip_prefix(b" ").map(|path| top.join(bytes_path(path))));
                continue;
            }
            b'1' => (8, 3, 5, 6),
            b'u' => (10, 4, 6, 8),
            _ => continue,
        };
        let parts: Vec<&[u8]> = entry.splitn(words + 1, |byte| *byte == b' ').collect();
        let word = |at: usize| parts.get(at).map(|word| String::from_utf8_lossy(word)).unwrap_or_default();
        let Some(path) = parts.get(words) else { continue };
        let is_file = |mode: &str| mode.starts_with("100");
        let before = is_file(&word(mode)).then(|| word(id).into_owned());
        let after = if is_file(&word(disk)) { ContentAfter::Disk } else { ContentAfter::Gone };
        let path = top.join(bytes_path(path));
        match (&before, &after) {
            (None, ContentAfter::Disk) => new.push(path),
            (None, _) => {}
            _ => differences.push(Difference { path, before, was_executable: word(mode) == "100755", after }),
        }
    }
    (differences, new)
}

/// Reads `100644 blob <id>\t<path>\0…`.
fn parse_tree(output: &[u8]) -> Vec<Difference> {
    let entries = output.split(|byte| *byte == 0).filter_map(|entry| {
        let tab = entry.iter().position(|byte| *byte == b'\t')?;
        let (head, path) = (String::from_utf8_lossy(entry.get(..tab)?).into_owned(), entry.get(tab + 1..)?);
        let mut words = head.split(' ');
        let (mode, _, id) = (words.next()?, words.next()?, words.next()?);
        mode.starts_with("100").then(|| Difference {
            path: bytes_path(path),
            before: Some(id.to_owned()),
            was_executable: mode == "100755",
            after: ContentAfter::Disk,
        })
    });
    entries.collect()
}

/// Reads `<id> blob <size>\n<bytes>\n…`; `<id> missing\n` for what is not here. What was cut off is left out.
fn objects(mut output: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let mut objects = BTreeMap::new();
    while let Some(end) = output.iter().position(|byte| *byte == b'\n') {
        let (head, rest) = output.split_at(end);
        let head = String::from_utf8_lossy(head);
        output = rest.get(1..).unwrap_or_default();
        let mut words = head.split(' ');
        let (id, kind, size) = (words.next(), words.next(), words.next());
        let (Some(id), Some(size)) = (id, size.and_then(|size| size.parse::<usize>().ok())) else { continue };
        let Some(bytes) = output.get(..size) else { break };
        if kind == Some("blob") {
            objects.insert(id.to_owned(), bytes.to_vec());
        }
        output = output.get(size + 1..).unwrap_or_default();
    }
    objects
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raw_differences_are_read() {
        let zero = "0".repeat(40);
        let one = "1".repeat(40);
        let lines = [
            (format!(":100644 100755 {one} {zero} M"), "a b\n", Some(&one), Some(ContentAfter::Disk)),
            (format!(":000000 100644 {zero} {one} A"), "b", None, Some(ContentAfter::Object(one.clone()))),
            (format!(":100644 000000 {one} {zero} D"), "c", Some(&one), Some(ContentAfter::Gone)),
            (format!(":100644 120000 {one} {one} T"), "d", Some(&one), Some(ContentAfter::Gone)),
            (format!(":160000 160000 {one} {one} M"), "module", None, None),
        ];
        let text: String = lines.iter().map(|(head, path, ..)| format!("{head}\0{path}\0")).collect();
        let expected: Vec<Difference> = lines
            .into_iter()
            .filter_map(|(_, path, before, after)| {
                let was_executable = false;
                Some(Difference { path: path.into(), before: before.cloned(), was_executable, after: after? })
            })
            .collect();
        assert_eq!(parse(text.as_bytes()), expected);
    }

    #[test]
    fn a_status_is_read() {
        let (zero, one, two) = ("0".repeat(40), "1".repeat(40), "2".repeat(40));
        let output = [
            format!("1 .M N... 100755 100755 100755 {one} {one} a b"),
            format!("1 .D N... 100644 100644 000000 {one} {one} gone"),
            format!("1 A. N... 000000 100644 100644 {zero} {one} added"),
            format!("1 .T N... 120000 120000 100644 {one} {one} was-a-link"),
            format!("1 .M S.M. 160000 160000 160000 {one} {one} module"),
            format!("u UU N... 100644 100644 100644 100644 {one} {two} {one} torn"),
            "? new one".to_owned(),
            "1 cut".to_owned(),
        ]
        .join("\0");
        let (differences, new) = parse_status(output.as_bytes(), Path::new("/top"));
        let found: Vec<(&str, Option<&str>, bool, &ContentAfter)> = differences
            .iter()
            .map(|one| (one.path.to_str().unwrap(), one.before.as_deref(), one.was_executable, &one.after))
            .collect();
        let expected = [
            ("/top/a b", Some(one.as_str()), true, &ContentAfter::Disk),
            ("/top/gone", Some(one.as_str()), false, &ContentAfter::Gone),
            ("/top/torn", Some(two.as_str()), false, &ContentAfter::Disk),
        ];
        assert_eq!(found, expected);
        let added = ["/top/added", "/top/was-a-link", "/top/new one"];
        assert_eq!(new, added.map(PathBuf::from));
    }

    #[test]
    fn what_a_commit_holds_is_read() {
        let one = "1".repeat(40);
        let output = format!(
            "100755 blob {one}\ta\tb\0120000 blob {one}\tlink\0040000 tree {one}\tdir\0100644 blob {one}\tc\0cut"
        );
        let expected = [("a\tb", true), ("c", false)].map(|(path, was_executable)| Difference {
            path: path.into(),
            before: Some(one.clone()),
            was_executable,
            after: ContentAfter::Disk,
        });
        assert_eq!(parse_tree(output.as_bytes()), expected);
    }

    #[test]
    fn files_of_a_commit_are_read_in_the_order_of_the_questions() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        let git = |arguments: &[&str]| {
            let options = ["-c", "user.name=a", "-c", "user.email=a@e"];
            let status =
                std::process::Command::new("git").current_dir(&root).args(options).args(arguments).status();
            assert!(status.unwrap().success(), "git {arguments:?}");
        };
        git(&["init", "-q"]);
        for (path, text) in [("a b.txt", "one\ntwo\n"), ("sub/ö.txt", ""), ("sub/missing", "x missing\n")] {
            std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            std::fs::write(root.join(path), text).unwrap();
        }
        git(&["add", "-A"]);
        git(&["commit", "-qm", "start"]);
        let asked = Git::at(&root);
        let paths =
            ["none.txt", "a b.txt", "two\nlines", "sub", "no such missing", "sub/ö.txt", "sub/missing"];
        let expected = [None, Some("one\ntwo\n"), None, None, None, Some(""), Some("x missing\n")];
        let found = asked.texts_at("HEAD", &paths).unwrap();
        assert_eq!(found, expected.map(|text| text.map(|text| text.as_bytes().to_vec())));
        let below = Git::at(&root.join("sub")).texts_at("HEAD", &["ö.txt", "a b.txt"]).unwrap();
        assert_eq!(below, [Some(Vec::new()), None]);
        assert_eq!(asked.texts_at("HEAD", &[]), Some(Vec::new()));
        assert_eq!(asked.texts_at("0123456789", &["a b.txt"]), Some(vec![None]));
        let answers = |output: &[u8]| Answers(output).collect::<Vec<_>>();
        assert_eq!(answers(b"aa blob 3\nx\ny\nHEAD:./b missing\n"), [Some(b"x\ny".to_vec()), None]);
        for garbage in [&b"\x07\xff nothing of git's\n"[..], b"aa blob 9\ncut", b"aa blob -1\n", b"aa blob"] {
            assert_eq!(answers(garbage), [] as [Option<Vec<u8>>; 0], "{garbage:?}");
        }
    }

    #[test]
    fn objects_are_read_whole_or_not_at_all() {
        let output = b"aa blob 3\nx\ny\nbb missing\ncc tree 2\nzz\ndd blob 0\n\nee blob 9\ncut";
        let found = objects(output);
        let expected = BTreeMap::from([("aa".to_owned(), b"x\ny".to_vec()), ("dd".to_owned(), Vec::new())]);
        assert_eq!(found, expected);
    }
}
