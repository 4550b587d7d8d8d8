//! What there is: every path of the project and of its repository, and what git says of all repositories.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::sh;
use crate::place::Place;

/// Where a project's repository may be outside of it.
const OUTSIDE: [&str; 3] = ["main-tree/.git", ".git", "elsewhere.git"];

/// Where a repository has its exclusions, and the line that the guard adds there before a command that may sweep up what
/// git does not know, whatever became of the file.
const EXCLUDES: &str = ".git/info/exclude";
const OWN_LINE: &[u8] = b"/.aiwg/ralph/\n";

/// What git ignores. In a repository that is broken the rules in the tree still say so.
const IGNORED: &str = "list() { git -c core.quotePath=false ls-files --others --ignored --exclude-standard --directory -z \
     2>/dev/null; }; \
     list || { apart=$(mktemp -d); git init -q --bare \"$apart\"; GIT_DIR=$apart GIT_WORK_TREE=. list; rm -rf \"$apart\"; }";

/// What was seen.
pub(super) struct Seen {
    /// Permissions and content, by path.
    files: BTreeMap<PathBuf, (u32, Vec<u8>)>,
    /// What git says of each repository.
    git: BTreeMap<PathBuf, String>,
    /// What git ignores: the net leaves that to the commands that name it.
    ignored: BTreeSet<PathBuf>,
    /// Folders with a pipe below them: no undo takes that away, or makes it again.
    with_pipes: BTreeSet<PathBuf>,
}

impl Seen {
    pub(super) fn at(place: &Place) -> Seen {
        let root = place.root();
        let outside = OUTSIDE.map(|path| place.home().with_file_name(path));
        let (mut files, mut with_pipes) = (BTreeMap::new(), BTreeSet::new());
        for top in [root.clone()].iter().chain(outside.iter().filter(|path| path.is_dir())) {
            walk(top, &mut files, &mut with_pipes);
        }
        // What git says is asked last: it may write the index anew.
        let ignored = sh(place, &root, IGNORED);
        let names = ignored.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        let plain = |name: &[u8]| name.strip_suffix(b"/").unwrap_or(name).to_owned();
        let ignored = names.map(|name| root.join(OsStr::from_bytes(&plain(name)))).collect();
        Seen { files, git: repositories(place), ignored, with_pipes }
    }

    /// What git ignores.
    pub(super) fn ignored(&self) -> impl Iterator<Item = &PathBuf> {
        self.ignored.iter()
    }

    /// Whether a repository lacks objects.
    pub(super) fn is_broken(&self) -> bool {
        let is_said = |word: &&str| self.git.values().any(|said| said.contains(*word));
        ["missing ", "invalid sha1 pointer", "invalid reflog entry", "bad object", "Could not read"]
            .iter()
            .any(is_said)
    }

    /// What git says, line by line; not of repositories that were made, and are ignored by the time of `after`, nor of
    /// those that later calls did not see.
    pub(super) fn told<'s>(
        &'s self,
        before: &Seen,
        after: &Seen,
        unseen: &BTreeSet<PathBuf>,
    ) -> Vec<&'s str> {
        let is_old = |mark: &PathBuf| before.git.contains_key(mark) || !is_below(&after.ignored, mark);
        let is_seen = |mark: &PathBuf| is_old(mark) && !is_below(unseen, mark);
        self.git.iter().filter(|(mark, _)| is_seen(mark)).flat_map(|(_, said)| said.lines()).collect()
    }

    pub(super) fn is_like(&self, other: &Seen) -> bool {
        self.files == other.files && self.git == other.git
    }

    /// What a call made that was ignored by its end: the net did not see it, and no undo takes it away.
    pub(super) fn left(&self, before: &Seen, after: &Seen) -> BTreeSet<PathBuf> {
        let made = self.files.keys().filter(|name| !before.files.contains_key(*name));
        made.filter(|name| is_below(&after.ignored, name)).cloned().collect()
    }

    /// Takes out what was left by a later call.
    pub(super) fn without(mut self, left: &BTreeSet<PathBuf>) -> Seen {
        self.files.retain(|name, _| !left.contains(name));
        self.git.retain(|mark, _| !left.contains(mark));
        self
    }

    /// Whether all that there is of a name is what the guard wrote itself.
    fn is_guards(&self, name: &Path) -> bool {
        let is_line = |file: &Path| self.files.get(file).is_some_and(|(_, bytes)| bytes == OWN_LINE);
        if name.ends_with(EXCLUDES) {
            return is_line(name);
        }
        let mut below = self.files.keys().filter(|other| other.parent() == Some(name));
        let is_alone = below.next().is_some_and(|one| one.ends_with(EXCLUDES) && is_line(one));
        is_alone && below.next().is_none()
    }

    /// Whether there is the same of a name, but for the line that the guard adds.
    fn is_same(&self, now: &Seen, name: &Path) -> bool {
        let (was, is) = (self.files.get(name), now.files.get(name));
        let plain =
            |(mode, bytes): &(u32, Vec<u8>)| (*mode, bytes.strip_suffix(OWN_LINE).unwrap_or(bytes).to_vec());
        was == is || name.ends_with(EXCLUDES) && was.is_some() && was.map(plain) == is.map(plain)
    }

    /// Where `now` is not as `self` was, though the net can see it: what was ignored `before` is not, and what was made
    /// and is ignored by the time of `after` is not.
    pub(super) fn differences(&self, now: &Seen, before: &Seen, after: &Seen) -> Vec<(PathBuf, String)> {
        let names: BTreeSet<&PathBuf> = self.files.keys().chain(now.files.keys()).collect();
        let is_seen = |name: &Path| {
            !is_below(&before.ignored, name)
                && (before.files.contains_key(name) || !is_below(&after.ignored, name))
        };
        let differing = names.into_iter().filter(|name| !self.is_same(now, name));
        let differing = differing.filter(|name| is_seen(name));
        let is_left = |name: &PathBuf| now.with_pipes.contains(name) && !self.files.contains_key(name);
        let differing = differing.filter(|name| !is_left(name));
        let differing = differing.filter(|name| self.files.contains_key(*name) || !now.is_guards(name));
        let told = |side: Option<&(u32, Vec<u8>)>| match side {
            None => "nothing".to_owned(),
            Some((mode, bytes)) => {
                let start: String = String::from_utf8_lossy(bytes).chars().take(60).collect();
                format!("{mode:o} {} bytes {start:?}", bytes.len())
            }
        };
        let tell = |name: &PathBuf| {
            let (was, is) = (told(self.files.get(name)), told(now.files.get(name)));
            (name.clone(), format!("{}: {was} is now {is}", name.display()))
        };
        differing.map(tell).collect()
    }
}

pub(super) fn is_below(set: &BTreeSet<PathBuf>, name: &Path) -> bool {
    name.ancestors().any(|it| set.contains(it))
}

fn walk(top: &Path, files: &mut BTreeMap<PathBuf, (u32, Vec<u8>)>, with_pipes: &mut BTreeSet<PathBuf>) {
    let mut pending = vec![top.to_owned()];
    let mode = |path: &Path| path.symlink_metadata().unwrap().permissions().mode();
    files.insert(top.to_owned(), (mode(top), Vec::new()));
    while let Some(folder) = pending.pop() {
        let is_called = |name: &str| folder.file_name().is_some_and(|own| own == name);
        let is_gits =
            folder.components().any(|part| part.as_os_str() == ".git" || part.as_os_str() == "elsewhere.git");
        let is_whole = is_gits && folder.join("HEAD").exists() && folder.join("refs").exists();
        let is_repository = is_whole || is_called(".git") || is_called("elsewhere.git");
        for child in fs::read_dir(&folder).unwrap().flatten() {
            let (path, name) = (child.path(), child.file_name());
            // Git is asked about indexes and objects.
            let is_index = name == "index" || name.as_bytes().starts_with(b"sharedindex.");
            if (is_repository && (name == "objects" || is_index)) || name == ".aiwg" {
                continue;
            }
            let metadata = path.symlink_metadata().unwrap();
            let content = if metadata.is_dir() {
                pending.push(path.clone());
                Vec::new()
            } else if metadata.is_symlink() {
                fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()
            } else if metadata.is_file() {
                fs::read(&path).unwrap()
            } else {
                // Of pipes and sockets nothing can be kept.
                with_pipes.extend(folder.ancestors().map(Path::to_owned));
                continue;
            };
            files.insert(path, (metadata.permissions().mode(), content));
        }
    }
}

/// What git says of every repository in the project: what is staged, what differs, and which objects lack. What differs
/// is told by the content: an old index makes git read it. The tree without files is there without an object.
fn repositories(place: &Place) -> BTreeMap<PathBuf, String> {
    let asks = "find . -name .git -not -path './.aiwg/*' -not -path '*/.git/*' | sort | while read -r mark; do \
                cd \"$(dirname \"$mark\")\" || continue; echo \"== $mark\"; git rev-parse -q --verify HEAD; \
                git ls-files -s -v; index=$(git rev-parse --git-path index); \
                cp \"$index\" \"$index.old\" && touch -d 1990-01-01 \"$index.old\"; \
                GIT_INDEX_FILE=$index.old git --no-optional-locks status --porcelain -uno; rm -f \"$index.old\"; \
                git fsck --connectivity-only 2>&1 | grep -E 'missing|broken|invalid|error|fatal' | \
                grep -v 4b825dc642cb6eb9a060e54bf8d69288fbee4904; \
                cd \"$OLDPWD\"; done 2>&1";
    let said = String::from_utf8_lossy(&sh(place, &place.root(), asks)).into_owned();
    let sections = said.split("== ").filter_map(|section| section.split_once('\n'));
    sections.map(|(mark, said)| (place.root().join(mark.trim_start_matches("./")), said.to_owned())).collect()
}
