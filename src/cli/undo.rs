//! `steadfast undo`: what a call destroyed comes back.
//!
//! Invariant: nothing is printed as done that was not, and what was not done is printed with the way to do it.

mod goal;
mod list;
mod pick;
mod shown;
mod words;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde_json::{Value, json};

use goal::Goal;
pub(in crate::cli) use list::{list_json, write_list};
use pick::PickOutcome;
use shown::brief;
pub(in crate::cli) use shown::{path_text, shown, size, write_json};

use crate::checkpoint::Error;
use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::store::Store;
use crate::checkpoint::undo::{self, CheckpointSelector, UndoOptions, UndoReport};
use crate::checkpoint::{catalogue, gc};
use crate::cli::pages::{self, LimitArgs};
use crate::cli::{faults, human, progress};
use crate::lifecycle::changes::{net, own_restore};
use crate::lifecycle::events::undone;
use crate::model::finding::counted;
use crate::project::Project;

/// More lines than this of one kind are counted, not shown.
const LINES: usize = 40;

/// Bring back what a call, a session or an iteration changed or deleted, git's own state included
///
/// Without an option the last calls are shown, and at a terminal it is asked which of them is meant. Exit code: 0 all is as
/// it was kept, 1 something was refused, 2 nothing could be done.
#[derive(Debug, Clone, Default, clap::Args)]
#[group(skip)]
#[command(group(
    clap::ArgGroup::new("undo_what")
        .args(["last", "tool_call", "session", "to", "list", "resume", "purge"])
))]
pub struct UndoArgs {
    /// Undo the newest call; after an undo, undo the undo
    #[arg(long)]
    pub last: bool,
    /// Undo this call; a checkpoint's name from the list will do as well
    #[arg(long, value_name = "ID")]
    pub tool_call: Option<String>,
    /// Back to the start of the newest session or loop, or with `=ID` of that one
    #[arg(long, value_name = "ID", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub session: Option<String>,
    /// Back to this checkpoint, as `steadfast checkpoint list` names it
    #[arg(long, value_name = "CHECKPOINT")]
    pub to: Option<String>,
    /// Show what can be undone, newest first
    #[arg(long)]
    pub list: bool,
    /// Finish an undo that was cut short
    #[arg(long = "continue")]
    pub resume: bool,
    /// Throw away all that is kept of calls; nothing of theirs can be undone then
    #[arg(long)]
    pub purge: bool,
    /// Show what would come back and change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Replace newer work too; it is kept first
    #[arg(long)]
    pub force: bool,
    /// How much of the list is shown
    #[command(flatten)]
    pub limit: LimitArgs,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Only these files and folders
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
}

/// Runs the command in the project at `project`, called from `cwd`. Answers the exit code: 0 when everything is as it
/// was kept, 1 when something was refused, 2 when nothing could be done.
pub fn run(args: &UndoArgs, project: &Path, cwd: &Path) -> u8 {
    let store = Store::of_project(project);
    if args.purge {
        return purge(args, &store);
    }
    // What calls left that never ended is undone like any other.
    net::close_all(&store, project);
    match answer(args, &store, cwd, Timestamp::now(), &mut anstream::stdout().lock()) {
        Ok(code) => {
            if !args.list && !args.dry_run {
                // What is back is no loss any more.
                undone::close_mended(&Project::at(project));
            }
            code
        }
        Err(error) => faults::failed("steadfast undo", &error, 2),
    }
}

fn answer(
    args: &UndoArgs,
    store: &Store,
    cwd: &Path,
    now: Timestamp,
    out: &mut dyn Write,
) -> Result<u8, Error> {
    if args.list {
        let catalogue = catalogue::list(store, None)?;
        let _ = if args.json {
            write_json(out, &list_json(&catalogue, args.limit.given().unwrap_or(usize::MAX)))
        } else {
            let list = |out: &mut dyn Write| Ok(write_list(out, &catalogue, args.limit.most(), name));
            pages::paged_to(out, list).unwrap_or(Ok(()))
        };
        return Ok(0);
    }
    let picked = match args.selection() {
        None if !args.resume => match pick::pick(store, out)? {
            PickOutcome::This(id) => Some(CheckpointSelector::Id(id)),
            PickOutcome::None => return Ok(1),
        },
        selection => selection,
    };
    let selection = picked.unwrap_or(CheckpointSelector::Last);
    let report = if args.resume {
        progress::shown("restoring", |meter| undo::resume(store, now, meter))?
    } else {
        let paths = args.paths.iter().map(|path| cwd.join(path)).collect();
        let options =
            UndoOptions { force: args.force, dry_run: args.dry_run, paths, now, ..UndoOptions::default() };
        restored(store, &selection, options)?
    };
    if !args.dry_run {
        own_restore::note_undo(store.layout(), store, &report);
    }
    let code = u8::from(!report.refused.is_empty());
    let _ = if args.json {
        write_json(out, &report_json(&report, args.dry_run))
    } else {
        write_report(out, &report, args)
    };
    Ok(code)
}

/// Restores what is selected. What others have done since stays where that is known and nothing is forced.
fn restored(
    store: &Store,
    selection: &CheckpointSelector,
    mut options: UndoOptions,
) -> Result<UndoReport, Error> {
    let goes_to = Goal::of(store, selection)?;
    if goes_to.is_some() && !options.dry_run {
        // Where it goes to is the same, however far an earlier one came.
        own_restore::finish_earlier(store)?;
    }
    if let Some(goal) = goes_to.filter(|_| !options.force) {
        options.of_others = goal.of_others(store, selection, &options)?;
    }
    progress::shown("restoring", |meter| undo::restore_shown(store, selection, &options, meter))
}

impl UndoArgs {
    /// What the options name; `None` when they name nothing.
    fn selection(&self) -> Option<CheckpointSelector> {
        match (&self.tool_call, &self.to, &self.session) {
            (Some(id), ..) | (None, Some(id), _) => Some(CheckpointSelector::Id(id.clone())),
            (None, None, Some(id)) => {
                Some(CheckpointSelector::Session(Some(id.clone()).filter(|id| !id.is_empty())))
            }
            (None, None, None) => self.last.then_some(CheckpointSelector::Last),
        }
    }
}

/// Throws away what is kept of calls, which only a person may.
fn purge(args: &UndoArgs, store: &Store) -> u8 {
    let purged = human::only("throw away what is kept for an undo").and_then(|()| {
        let gone = gc::purge(store)?;
        let left = gc::size(store)?;
        Ok((gone, left))
    });
    match purged {
        Ok((gone, left)) if args.json => {
            let said = json!({"checkpoints_removed": gone, "bytes_left": left.bytes});
            u8::from(write_json(&mut anstream::stdout().lock(), &said).is_err())
        }
        Ok((gone, left)) => {
            let (gone, left) = (counted(gone, "checkpoint"), size(left.bytes));
            let said = format!("{gone} of calls thrown away; what loops need takes {left}");
            u8::from(writeln!(anstream::stdout(), "{said}").is_err())
        }
        Err(error) => faults::failed("steadfast undo", &error, 2),
    }
}

/// What `--tool-call` takes for it.
fn name(manifest: &Manifest) -> String {
    manifest.tool_call_id.clone().unwrap_or_else(|| manifest.address())
}

fn report_json(report: &UndoReport, dry_run: bool) -> Value {
    let text = |paths: &[PathBuf]| paths.iter().map(|path| path_text(path)).collect::<Vec<_>>();
    let reasons = |pairs: Vec<(&PathBuf, &String)>| {
        let pairs = pairs.into_iter();
        pairs.map(|(path, reason)| json!({ "path": path_text(path), "reason": reason })).collect::<Vec<_>>()
    };
    json!({
        "loop_id": report.loop_id,
        "checkpoint_id": report.checkpoint_id,
        "dry_run": dry_run,
        "restored": text(&report.restored),
        "removed": text(&report.removed),
        "unchanged": text(&report.unchanged),
        "refused": reasons(report.refused.iter().map(|refusal| (&refusal.path, &refusal.reason)).collect()),
        "not_kept": reasons(report.not_kept.iter().map(|skipped| (&skipped.path, &skipped.reason)).collect()),
        "pre_restore": report.pre_restore,
    })
}

fn write_report(out: &mut dyn Write, report: &UndoReport, args: &UndoArgs) -> io::Result<()> {
    writeln!(out, "{}: {}", report.checkpoint_id, shown(&brief(&report.summary)))?;
    let (restored, removed) =
        if args.dry_run { ("would restore", "would remove") } else { ("restored", "removed") };
    write_lines(out, restored, things(&report.restored).into_iter())?;
    write_lines(out, removed, things(&report.removed).into_iter())?;
    let refused = report.refused.iter();
    write_lines(out, "refused", refused.map(|refusal| reasoned(&refusal.path, &refusal.reason)))?;
    let not_kept = report.not_kept.iter();
    write_lines(out, "was not kept", not_kept.map(|skipped| reasoned(&skipped.path, &skipped.reason)))?;
    if report.restored.is_empty() && report.removed.is_empty() && report.refused.is_empty() {
        return writeln!(out, "Everything that was kept is as it was.");
    }
    if report.refused.iter().any(|refusal| refusal.by_force) {
        let (loop_id, id) = (&report.loop_id, &report.checkpoint_id);
        let what = match (&args.session, &args.to) {
            (Some(_), _) => format!("--session={loop_id}"),
            (None, Some(_)) => format!("--to {loop_id}/{id}"),
            (None, None) => format!("--tool-call {loop_id}/{id}"),
        };
        writeln!(out, "`steadfast undo {what} --force` replaces newer work too; it is kept first.")?;
    }
    if let Some(id) = &report.pre_restore {
        writeln!(out, "`steadfast undo --tool-call {}/{id}` takes this undo back.", report.loop_id)?;
    }
    Ok(())
}

/// Paths as a person calls them, each once. Where git's own notes are all there is, they are named.
fn things(paths: &[PathBuf]) -> Vec<String> {
    let mut things: Vec<String> = Vec::new();
    for thing in paths.iter().filter_map(|path| words::thing(path)) {
        if things.last() != Some(&thing) {
            things.push(thing);
        }
    }
    if things.is_empty() && !paths.is_empty() {
        things.push("git's own notes".to_owned());
    }
    things.iter().map(|thing| shown(thing)).collect()
}

fn write_lines(
    out: &mut dyn Write,
    title: &str,
    lines: impl ExactSizeIterator<Item = String>,
) -> io::Result<()> {
    let more = lines.len().saturating_sub(LINES);
    for line in lines.take(LINES) {
        writeln!(out, "  {title}  {line}")?;
    }
    if more > 0 { writeln!(out, "  {title}  … and {more} more") } else { Ok(()) }
}

fn reasoned(path: &Path, reason: &str) -> String {
    format!("{}: {}", shown(&path_text(path)), shown(reason))
}

#[cfg(test)]
mod tests {
    use super::shown::SUMMARY;
    use super::*;
    use crate::checkpoint::keep::{KeepRequest, keep};
    use crate::checkpoint::manifest::Trigger;
    use crate::checkpoint::settle::{EndedCall, settle};
    use crate::checkpoint::walk::WalkBounds;
    use crate::state::atomic::Durability;
    use clap::Parser;
    use std::fs;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        undo: UndoArgs,
    }

    /// A project in which a call has edited `src/a`, deleted `src/b` and made `src/c`.
    fn project() -> (tempfile::TempDir, Store) {
        let directory = tempfile::tempdir().unwrap();
        let at = |path: &str| directory.path().join(path);
        fs::create_dir(at("src")).unwrap();
        fs::write(at("src/a"), "one").unwrap();
        fs::write(at("src/b"), "one").unwrap();
        let store = Store::of_project(directory.path());
        let request = KeepRequest {
            store: &store,
            loop_id: "ralph-x",
            iteration: 2,
            trigger: Trigger::PreRiskyOp,
            label: "",
            tool: Some("Bash"),
            tool_call_id: Some("toolu_1"),
            summary: "make clean\u{1b}[2J",
            paths: &["src/a".into(), "src/b".into(), "src/c".into()],
            bounds: WalkBounds::default(),
            durability: Durability::Process,
            now: now(0),
        };
        keep(&request).unwrap();
        fs::write(at("src/a"), "two").unwrap();
        fs::remove_file(at("src/b")).unwrap();
        fs::write(at("src/c"), "two").unwrap();
        let call = EndedCall { loop_id: "ralph-x", iteration: 2, tool_call_id: Some("toolu_1") };
        settle(&store, call, &WalkBounds::default(), now(1)).unwrap();
        (directory, store)
    }

    fn now(seconds: i64) -> Timestamp {
        Timestamp::from_second(1_767_323_045 + seconds).unwrap()
    }

    fn undo(store: &Store, line: &str) -> (Result<u8, String>, String) {
        let args = Command::try_parse_from(format!("steadfast {line}").split(' ')).unwrap().undo;
        let mut out = Vec::new();
        let code = answer(&args, store, &store.path(Path::new("src")), now(2), &mut out);
        (code.map_err(|error| error.to_string()), String::from_utf8(out).unwrap())
    }

    #[test]
    fn says_what_came_back_and_how_to_take_that_back() {
        let (_directory, store) = project();
        let dry = "iteration-002-call-toolu_1: make clean\\u{1b}[2J
  would restore  src/a
  would restore  src/b
  would remove  src/c
";
        assert_eq!(undo(&store, "--last --dry-run"), (Ok(0), dry.to_owned()));
        let done = "iteration-002-call-toolu_1: make clean\\u{1b}[2J
  restored  src/a
  restored  src/b
  removed  src/c
`steadfast undo --tool-call ralph-x/iteration-002-pre-revert` takes this undo back.
";
        assert_eq!(undo(&store, "--last"), (Ok(0), done.to_owned()));
        let again = "iteration-002-call-toolu_1: make clean\\u{1b}[2J
Everything that was kept is as it was.
";
        assert_eq!(undo(&store, "--tool-call toolu_1"), (Ok(0), again.to_owned()));
        assert_eq!(fs::read_to_string(store.path(Path::new("src/a"))).unwrap(), "one");
    }

    #[test]
    fn says_what_was_refused_and_how_to_force_it() {
        let (_directory, store) = project();
        fs::write(store.path(Path::new("src/a")), "three").unwrap();
        let (code, text) = undo(&store, "--last a");
        assert_eq!(code, Ok(1));
        let expected = "iteration-002-call-toolu_1: make clean\\u{1b}[2J
  refused  src/a: changed since the call: this may be newer work
`steadfast undo --tool-call ralph-x/iteration-002-call-toolu_1 --force` replaces newer work too; it is kept first.
";
        assert_eq!(text, expected);
        let (code, _) = undo(&store, "--tool-call ralph-x/iteration-002-call-toolu_1 --force a");
        assert_eq!(code, Ok(0));
        assert_eq!(fs::read_to_string(store.path(Path::new("src/a"))).unwrap(), "one");
        assert!(!store.path(Path::new("src/b")).exists(), "only the path that was named");
    }

    #[test]
    fn lists_for_people_and_for_programs() {
        let (_directory, store) = project();
        let expected = "2026-01-02T03:04:05Z  toolu_1
    Bash: make clean\\u{1b}[2J (changed src/a, deleted src/b, created src/c; 2 files are kept, 6 bytes)
";
        assert_eq!(undo(&store, "--list"), (Ok(0), expected.to_owned()));
        let (_, text) = undo(&store, "--list --json");
        let json: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(json["checkpoints"][0]["tool_call_id"], "toolu_1");
        assert_eq!(json["checkpoints"][0]["settled"], true);
        let (_, text) = undo(&store, "--last --json");
        let json: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(json["restored"], json!(["src/a", "src/b"]));
        assert_eq!(json["pre_restore"], "iteration-002-pre-revert");
    }

    #[test]
    fn fails_with_the_next_step() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::of_project(directory.path());
        assert_eq!(undo(&store, "--list"), (Ok(0), "Nothing has been kept yet.\n".to_owned()));
        let cases = [
            ("--last", "nothing to undo"),
            ("--tool-call x", "no checkpoint of x; `steadfast undo --list` shows what there is"),
            ("--continue", "nothing to continue"),
        ];
        for (line, part) in cases {
            let (code, _) = undo(&store, line);
            assert!(code.as_ref().is_err_and(|error| error.contains(part)), "{line}: {code:?}");
        }
    }

    #[test]
    fn one_thing_at_a_time() {
        for line in
            ["steadfast --last --list", "steadfast --tool-call x --continue", "steadfast --purge --last"]
        {
            assert!(Command::try_parse_from(line.split(' ')).is_err(), "{line}");
        }
    }

    #[test]
    fn long_commands_are_cut() {
        assert_eq!(brief("rm -rf ü"), "rm -rf ü");
        assert_eq!(brief(&"ü".repeat(SUMMARY)).chars().count(), SUMMARY);
        assert_eq!(brief(&"ü".repeat(SUMMARY + 1)), "ü".repeat(SUMMARY) + "…");
    }

    #[test]
    fn sizes_are_short() {
        let cases = [
            (0, "0 bytes"),
            (999, "999 bytes"),
            (1_000, "1.0 kB"),
            (1_950_000, "1.9 MB"),
            (u64::MAX, "1844674407.3 GB"),
        ];
        for (bytes, text) in cases {
            assert_eq!(size(bytes), text);
        }
    }
}
