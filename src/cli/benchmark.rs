//! `steadfast benchmark`: how long an iteration takes with the hooks and without them, in a copy of the project.
//!
//! The same edits and the same command run both times. The project itself is read, and nothing in it changes.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anstream::println;
use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::{Map, Value, json};

use crate::hosts::claude_code::registration::HOOK_BINARY;
use crate::project::Project;

/// The script that stands for the criterion. It never passes, so that every iteration is a whole one.
const SCRIPT: &str = "steadfast-benchmark.sh";

/// Arguments of `steadfast benchmark`.
#[derive(Debug, Args)]
pub struct BenchmarkArgs {
    /// Only with the hooks
    #[arg(long, conflicts_with = "without_persistence")]
    with_persistence: bool,
    /// Only without the hooks
    #[arg(long)]
    without_persistence: bool,
    /// How many iterations
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    iterations: u32,
    /// How many edits an iteration has
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    edits: u32,
    /// A command that each iteration runs at its end, like the project's tests
    #[arg(long, default_value = ":")]
    command: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Measures, and prints each iteration and what the hooks add.
pub fn run(args: &BenchmarkArgs) -> Result<u8> {
    let project = Project::locate(&std::env::current_dir()?);
    let scratch = tempfile::tempdir().context("a folder for the copy")?;
    let place = BenchmarkCopy::of(project.root(), scratch.path(), args)?;
    let measured = |with: bool| -> Result<Vec<Duration>> {
        (1..=args.iterations).map(|number| place.iteration(number, args.edits, with)).collect()
    };
    let without = (!args.with_persistence).then(|| measured(false)).transpose()?;
    let with = (!args.without_persistence).then(|| measured(true)).transpose()?;
    let overhead = without.as_deref().zip(with.as_deref()).map(|(without, with)| overhead(without, with));
    if args.json {
        let millis = |times: &Option<Vec<Duration>>| {
            times.as_deref().map(|times| times.iter().map(|it| millis(*it)).collect::<Vec<_>>())
        };
        println!(
            "{:#}",
            json!({"edits": args.edits, "without_persistence_ms": millis(&without), "with_persistence_ms": millis(&with),
                "overhead_percent": overhead})
        );
        return Ok(0);
    }
    for (name, times) in [("Without persistence", &without), ("With persistence", &with)] {
        for (number, time) in times.iter().flatten().enumerate() {
            println!("{name}, iteration {}: {:.1} ms", number + 1, millis(*time));
        }
    }
    if let Some(overhead) = overhead {
        let each = with.iter().flatten().sum::<Duration>().saturating_sub(without.iter().flatten().sum());
        println!(
            "Overhead: {overhead:.1}% of an iteration that does nothing else than {} edits and `{}`; {:.1} ms an iteration",
            args.edits,
            args.command,
            millis(each) / f64::from(args.iterations)
        );
    }
    Ok(0)
}

fn millis(time: Duration) -> f64 {
    (time.as_secs_f64() * 10_000.0).round() / 10.0
}

/// How much longer it takes, in percent.
fn overhead(without: &[Duration], with: &[Duration]) -> f64 {
    let sum = |times: &[Duration]| times.iter().sum::<Duration>().as_secs_f64();
    ((sum(with) / sum(without).max(f64::MIN_POSITIVE) - 1.0) * 1000.0).round() / 10.0
}

/// A copy of a project's last commit, with a place for the state that is kept outside of projects.
struct BenchmarkCopy {
    project: PathBuf,
    state: PathBuf,
    steadfast: PathBuf,
    hook: PathBuf,
}

impl BenchmarkCopy {
    fn of(project: &Path, scratch: &Path, args: &BenchmarkArgs) -> Result<BenchmarkCopy> {
        let steadfast = std::env::current_exe()?;
        let hook = steadfast.with_file_name(HOOK_BINARY);
        if !args.without_persistence && !hook.is_file() {
            bail!("{} is not there", hook.display());
        }
        let copy = scratch.join("project");
        let mut git = Command::new("git");
        git.args(["clone", "--quiet", "--no-hardlinks"]).arg(project).arg(&copy).stdin(Stdio::null());
        if !git.status().context("git")?.success() {
            bail!(
                "the project's last commit can't be copied; a benchmark needs a git repository with a commit"
            );
        }
        let script = format!("{}\nexit 1\n", args.command);
        std::fs::write(copy.join(SCRIPT), script)?;
        Ok(BenchmarkCopy { project: copy, state: scratch.join("state"), steadfast, hook })
    }

    /// One iteration: the edits, each with its two events, and the command at the end.
    fn iteration(&self, number: u32, edits: u32, with: bool) -> Result<Duration> {
        let session = format!("benchmark-{number}");
        if with {
            self.start_loop(&session)?;
        }
        let began = Instant::now();
        for edit in 1..=edits {
            let path = self.project.join(format!("steadfast-benchmark/{number}-{edit}.txt"));
            let text = format!("{edit}\n");
            let call = json!({"tool_name": "Write", "tool_input": {"file_path": path, "content": text},
                "tool_use_id": format!("toolu_{number}_{edit}"), "tool_response": {}});
            if with {
                self.fire("pre-tool-use", &session, &call)?;
            }
            std::fs::create_dir_all(path.parent().unwrap_or(&self.project))?;
            std::fs::write(&path, &text)?;
            if with {
                self.fire("post-tool-use", &session, &call)?;
            }
        }
        match with {
            true => self.fire(
                "stop",
                &session,
                &json!({"stop_hook_active": false, "last_assistant_message": session}),
            )?,
            false => _ = self.command(Path::new("sh")).arg(SCRIPT).status()?,
        }
        let took = began.elapsed();
        if with {
            // The command for it needs a keyboard; a session's person types it as a prompt.
            let prompt = format!("/steadfast:abort {session}");
            self.fire("user-prompt-submit", &session, &json!({"prompt": prompt}))?;
        }
        Ok(took)
    }

    fn start_loop(&self, session: &str) -> Result<()> {
        let until = format!("sh {SCRIPT} passes");
        self.done(&["loop", "start", "Benchmark", "--until", &until, "--loop-id", session, "--no-measure"])?;
        self.fire("session-start", session, &json!({"source": "startup"}))
    }

    fn done(&self, words: &[&str]) -> Result<()> {
        let output = self.command(&self.steadfast).args(words).output()?;
        if !output.status.success() {
            bail!("steadfast {}: {}", words.join(" "), String::from_utf8_lossy(&output.stderr));
        }
        Ok(())
    }

    fn fire(&self, event: &str, session: &str, fields: &Value) -> Result<()> {
        let mut input = Map::from_iter([
            ("session_id".to_owned(), json!(session)),
            ("cwd".to_owned(), json!(self.project)),
            ("permission_mode".to_owned(), json!("acceptEdits")),
        ]);
        input.extend(fields.as_object().cloned().unwrap_or_default());
        let mut child = self.command(&self.hook).arg(event).stdin(Stdio::piped()).spawn()?;
        if let Some(mut stdin) = child.stdin.take() {
            // The hook need not read to the end.
            stdin.write_all(Value::Object(input).to_string().as_bytes()).ok();
        }
        child.wait()?;
        Ok(())
    }

    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(&self.project)
            .env("XDG_STATE_HOME", &self.state)
            .env("CLAUDE_PROJECT_DIR", &self.project)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }
}
