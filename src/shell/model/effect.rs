//! What a command does: effects with their targets, and the reading of a whole text.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use crate::shell::edit::ComputedEdit;
use crate::shell::model::{Command, UNKNOWN, UNSEEN, Word, resolve};

/// The longest path, in bytes.
const LONGEST_PATH: usize = 4096;

/// The kinds of effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EffectKind {
    /// Files are gone.
    Delete,
    /// Files get other content.
    Overwrite,
    /// Files become empty or shorter.
    Truncate,
    /// Files change their name; the last target is the destination.
    Move,
    /// Files are copied; the last target is the destination.
    Copy,
    /// Files are edited where they are.
    EditInPlace,
    /// Modes or owners change.
    ChangeMode,
    /// Uncommitted work, stashes or branches are given up.
    DiscardGitWork,
    /// Files leave git's index, and mostly the disk.
    GitRemove,
    /// Commits are rewritten or made unreachable.
    RewriteHistory,
    /// Published history is replaced.
    Publish,
    /// Hooks are skipped or switched off.
    BypassChecks,
    /// A patch is applied; the targets are its files, the content is its text where that is known.
    ApplyPatch,
    /// The guard itself is stopped or decided for.
    DisarmsGuard,
    /// Code runs that nobody has seen: from the network, or out of an encoding.
    RunsUnseen,
    /// A script is saved from the network, and not run.
    SavesUnseen,
    /// Volumes, pools or file systems are given up.
    DestroysVolume,
    /// Git is told not to look at files, or to take one object for another.
    HidesFromGit,
    /// A disk is filled.
    FillsDisk,
    /// Processes are started without end.
    Floods,
    /// What a service or another machine holds is given up.
    LosesElsewhere,
    /// What others rely on changes, and can be put back.
    ChangesElsewhere,
    /// Something is published for everybody.
    Releases,
    /// A failing test run would look like a good one.
    HidesFailure,
    /// Tests do not take part in a run.
    LeavesTestsOut,
    /// Tests are chosen by a pattern; the content is a word of it.
    ChoosesTests,
    /// Snapshots are made from what the code does now.
    RewritesSnapshots,
    /// A bound that a run must meet is given with the command.
    LowersThreshold,
}

/// One effect of one command.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// What happens.
    pub kind: EffectKind,
    /// The program, without directory.
    pub program: String,
    /// The command of the script that does it, as an index.
    pub command: usize,
    /// Which form of it, e.g. `git reset --hard`; else the program.
    pub detail: String,
    /// The files, or for git work the paths or revisions as written.
    pub targets: Vec<Target>,
    /// Whether folders go with all that is in them.
    pub recursive: bool,
    /// Whether questions are suppressed.
    pub forced: bool,
    /// Whether that is said twice, so that git takes repositories in folders along.
    pub forced_twice: bool,
    /// The literal new content, where it is known.
    pub content: Option<String>,
    /// Whether the content comes after the old one.
    pub append: bool,
    /// The edit that it makes, where its result can be computed: of the target itself, or of `sources`.
    pub edit: Option<ComputedEdit>,
    /// The files whose text, one after the other and edited, is the new content.
    pub sources: Vec<Target>,
    /// The revision that git takes the files from; `None` for the index, or where no files are taken.
    pub revision: Option<String>,
    /// Patterns of git for what a `git clean` leaves out.
    pub spared: Vec<String>,
    /// Whether its file is emptied before the command reads it, so that its writer is mistaken about the command.
    pub empties_its_input: bool,
    /// Where the command runs.
    pub directory: Option<PathBuf>,
    /// Where it runs if the `cd` before it fails, where nothing before that can have made the folder.
    pub astray: Option<PathBuf>,
    /// The command as written, one line of it.
    pub line_text: String,
    /// Whether its program is known only by reckoning what another one prints.
    pub reckoned: bool,
    /// What earlier commands of the text have done to git by then.
    pub course: Course,
    /// Whether an earlier command of the text makes what it names.
    pub made_here: bool,
    /// Whether an earlier command has surely made a copy of all that it deletes, and a later one puts that back.
    pub comes_back: bool,
    /// Whether a later command of the text has a tool make again all that it deletes: `rm -rf vendor && composer install`.
    pub made_again: bool,
}

/// What earlier commands of a text have done to git by the time that one runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Course {
    /// Changes of all tracked files are in a commit or a stash.
    pub tracked: bool,
    /// So are untracked files.
    pub untracked: bool,
    /// Paths whose changes are, with what is below them.
    pub paths: Vec<PathBuf>,
    /// Whether a patch outside of git holds the changes that are not in the index.
    pub saved: bool,
    /// Paths of which one holds them, with what is below.
    pub saved_paths: Vec<PathBuf>,
    /// Paths of which a copy elsewhere holds what is there, with what is below.
    pub copied_paths: Vec<PathBuf>,
    /// Whether the newest stash is in the working tree too.
    pub applied: bool,
    /// Whether an older stash was taken back, so that the working tree alone holds what it held.
    pub popped: bool,
    /// Whether the newest commit has another name by now, which holds it and all before it.
    pub held: bool,
    /// Whether a commit that holds something may have failed, since the text goes on all the same.
    pub unsure: bool,
    /// Whether the newest commit is made anew, so that a push of it replaces one that was published.
    pub rewritten: bool,
    /// Whether that is a commit of the text itself.
    pub committed: bool,
    /// Whether those commits are on a branch that the text has made and left.
    pub elsewhere: bool,
    /// The name of that branch, while nothing else can have them.
    pub only_on: Option<String>,
    /// Revisions that another name holds by then, or that are merged into the branch at hand.
    pub named: Vec<String>,
    /// How many stashes the text has made and not taken back.
    pub stashes: usize,
    /// Whether what the remote has was fetched and not taken in, so that a lease is taken on what nobody has looked at.
    pub fetched: bool,
    /// Whether what the remote has was fetched and taken in.
    pub caught_up: bool,
    /// The branch that the text has gone to.
    pub branch: Option<String>,
}

/// What an effect touches.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Target {
    /// As the program gets it, with `…` for each part that isn't known.
    pub text: String,
    /// Absolute, after `cd`, variables and `~`; a pattern if `glob`. `None` when it isn't known.
    pub path: Option<PathBuf>,
    /// Whether the path is a pattern that the disk must expand.
    pub glob: bool,
    /// Whether only some of what it names is meant, chosen by a test that can't be made here.
    pub partial: bool,
    /// Whether every file below it is meant, one by one.
    pub below: bool,
    /// Whether it is known only by reckoning what another program prints.
    pub reckoned: bool,
    /// Whether it begins with a tilde out of a variable, which its writer means for the home.
    pub tilde: bool,
}

/// What a text does.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ShellReading {
    /// Known effects, in order.
    pub effects: Vec<Effect>,
    /// Every command provably only reads.
    pub read_only: bool,
    /// A command builds, lints or tests: it writes build output only.
    pub runs_checks: bool,
    /// A command makes or changes something and loses nothing.
    pub makes: bool,
    /// A command may change files in ways that are not known.
    pub runs_code: bool,
    /// A command may change more than what its effects name.
    pub reaches: bool,
    /// A command is git's.
    pub runs_git: bool,
    /// A part of the text could not be read.
    pub unread: bool,
    /// The text is more than can be read, and so may hold anything.
    pub too_much: bool,
    /// Files whose text it runs and that was not known here; relative ones are seen from where it runs.
    pub runs: Vec<PathBuf>,
    /// Patterns of loops whose files would have to be known to say what becomes of each, absolute.
    pub patterns: Vec<PathBuf>,
    /// Variables that it uses and does not set, where no other text can have set them.
    pub asks: Vec<String>,
    /// Files whose lines it hands to commands as words, and that were not known here.
    pub lists: Vec<PathBuf>,
    /// Whether one of those is for a database.
    pub tells_a_database: bool,
}

impl Effect {
    /// An effect of `command` on `words` seen from `directory`.
    pub(crate) fn of(
        kind: EffectKind,
        command: &Command,
        detail: &str,
        words: &[Word],
        directory: Option<&Path>,
    ) -> Effect {
        Effect {
            kind,
            program: command.program().to_owned(),
            command: 0,
            detail: detail.to_owned(),
            targets: words.iter().map(|word| Target::of(word, directory)).collect(),
            recursive: false,
            forced: false,
            forced_twice: false,
            content: None,
            append: false,
            edit: None,
            sources: Vec::new(),
            revision: None,
            empties_its_input: false,
            directory: directory.map(Path::to_path_buf),
            astray: None,
            line_text: command.source.clone(),
            reckoned: command.reckoned || command.words.first().is_some_and(|word| word.printed),
            spared: Vec::new(),
            course: Course::default(),
            made_here: false,
            comes_back: false,
            made_again: false,
        }
    }
}

impl Effect {
    /// Puts what lies below one folder below another.
    pub fn move_from(&mut self, folder: &Path, to: &Path) {
        let moved = |path: &Path| path.strip_prefix(folder).ok().map(|below| to.join(below));
        if let Some(there) = self.directory.as_deref().and_then(moved) {
            self.directory = Some(there);
        }
        for target in self.targets.iter_mut().chain(&mut self.sources) {
            if let Some(there) = target.path.as_deref().and_then(moved) {
                if Path::new(&target.text).is_absolute() {
                    target.text = there.to_string_lossy().into_owned();
                }
                target.path = Some(there);
            }
        }
    }
}

impl Target {
    /// What `word` names, seen from `directory`.
    pub(crate) fn of(word: &Word, directory: Option<&Path>) -> Target {
        let text = drive_path(&word.text).unwrap_or(Cow::Borrowed(&word.text));
        let absolute = Path::new(&*text).is_absolute();
        // No system takes a longer path.
        let path = match word.known && word.text.len() <= LONGEST_PATH {
            true if absolute => Some(resolve(Path::new("/"), &text)),
            true => directory.map(|directory| resolve(directory, &text)),
            false => None,
        };
        Target {
            text: word.text.replace([UNKNOWN, UNSEEN], "…"),
            path,
            glob: word.glob,
            partial: word.partial,
            below: word.below,
            reckoned: word.printed,
            tilde: word.tilde,
        }
    }
}

/// `C:\x` as `/C:/x`, where the system has no drives: nothing can be looked at there, but a place it is.
fn drive_path(text: &str) -> Option<Cow<'_, str>> {
    let mut letters = text.bytes();
    let is_drive = letters.next().is_some_and(|letter| letter.is_ascii_alphabetic())
        && letters.next() == Some(b':')
        && matches!(letters.next(), None | Some(b'/' | b'\\'));
    (is_drive && !cfg!(windows)).then(|| Cow::Owned(format!("/{}", text.replace('\\', "/"))))
}
