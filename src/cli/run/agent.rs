//! One session of an agent: a process group of its own, its prompt and its output on the disk, and what it says of
//! itself at its end.
//!
//! Invariant: a prompt is data. It holds what commands printed, so no shell ever reads it.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::Value;

use crate::lifecycle::events::driver::LOOP_VARIABLE;
use crate::loops::verification::printed;

/// How long the driver sleeps between two looks.
pub(super) const PAUSE: Duration = Duration::from_millis(50);
/// How often it looks whether the loop was paused.
const LOOK: Duration = Duration::from_secs(2);
/// How long an interrupted agent may take to end by itself.
const GRACE: Duration = Duration::from_secs(3);
/// How much of the end of the output is read.
const READ: u64 = 1 << 20;
/// How much of plain output counts as what the agent said, letters.
const SAID: usize = 2_000;
/// What stands for the prompt in a command.
const PLACE: &str = "{prompt}";
/// The last word of a command that reads its prompt from its standard input.
const STDIN: &str = "-";
/// Where an agent finds the file that holds its prompt.
const PROMPT_FILE: &str = "STEADFAST_PROMPT_FILE";
/// The longest prompt that is handed over as an argument, bytes; systems take no argument of 128 KiB.
const LONGEST_ARGUMENT: usize = 100_000;
/// Shells, whose script a prompt must not become a part of.
const SHELLS: &[&str] = &["sh", "bash", "dash", "zsh", "ksh", "fish"];

/// A running session.
pub(super) struct AgentSession {
    child: Child,
    log: PathBuf,
    started: Instant,
    looked: std::cell::Cell<Instant>,
}

/// A session that has ended.
#[derive(Debug)]
pub(super) struct EndedSession {
    /// How, when it was not stopped.
    status: Option<ExitStatus>,
    /// What the agent said last.
    pub(super) said: String,
    /// What it cost, where the agent tells.
    pub(super) cost_usd: Option<f64>,
    /// How long it took.
    pub(super) took: Duration,
    /// Where its output is.
    pub(super) log: PathBuf,
}

impl AgentSession {
    /// Starts the agent in `directory`. The prompt lies beside its log.
    pub(super) fn start(
        agent: &[String],
        prompt: &str,
        directory: &Path,
        loop_id: &str,
        log: &Path,
    ) -> io::Result<AgentSession> {
        if let Some(folder) = log.parent() {
            fs::create_dir_all(folder)?;
        }
        let out = File::create(log)?;
        let file = log.with_extension("prompt.md");
        fs::write(&file, prompt)?;
        let words = filled(agent, prompt, &file);
        let (program, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let reads = reads_stdin(agent);
        let child = Command::new(program)
            .args(arguments)
            .current_dir(directory)
            .env(LOOP_VARIABLE, loop_id)
            .env(PROMPT_FILE, &file)
            .stdin(if reads { Stdio::from(File::open(&file)?) } else { Stdio::null() })
            .stdout(out.try_clone()?)
            .stderr(out)
            .process_group(0)
            .spawn()?;
        let now = Instant::now();
        Ok(AgentSession { child, log: log.to_owned(), started: now, looked: now.into() })
    }

    /// Its end, when it has come.
    pub(super) fn poll(&mut self) -> io::Result<Option<EndedSession>> {
        Ok(self.child.try_wait()?.map(|status| self.ended(Some(status))))
    }

    /// The number of its process and of its group.
    pub(super) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Ends it: first asked, then killed, with everything that it has started; at once where there is no time.
    pub(super) fn stop(mut self, at_once: impl Fn() -> bool) -> anyhow::Result<EndedSession> {
        let group = Pid::from_child(&self.child);
        kill_process_group(group, Signal::INT).ok();
        let asked = Instant::now();
        while asked.elapsed() < GRACE && !at_once() {
            if self.child.try_wait()?.is_some() {
                break;
            }
            std::thread::sleep(PAUSE);
        }
        kill_process_group(group, Signal::KILL).ok();
        self.child.wait()?;
        Ok(self.ended(None))
    }

    /// How long it has been running.
    pub(super) fn running_for(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether it is time to look at the loop's state.
    pub(super) fn look_is_due(&self) -> bool {
        let due = self.looked.get().elapsed() > LOOK;
        if due {
            self.looked.set(Instant::now());
        }
        due
    }

    fn ended(&self, status: Option<ExitStatus>) -> EndedSession {
        let (said, cost_usd) = read(&end_of(&self.log).unwrap_or_default());
        EndedSession { status, said, cost_usd, took: self.started.elapsed(), log: self.log.clone() }
    }
}

impl EndedSession {
    /// Whether the agent ended by itself and says that all is well.
    pub(super) fn succeeded(&self) -> bool {
        self.status.is_some_and(|status| status.success())
    }

    /// How it ended, in words.
    pub(super) fn how(&self) -> String {
        match self.status {
            None => "stopped".to_owned(),
            Some(status) => match (status.code(), status.signal()) {
                (Some(code), _) => format!("exit code {code}"),
                (None, Some(signal)) => format!("killed by signal {signal}"),
                (None, None) => "ended without an exit code".to_owned(),
            },
        }
    }
}

/// Why a command can't be an agent's, if it can't.
pub(super) fn check(agent: &[String]) -> anyhow::Result<()> {
    let is_shell = |word: &String| {
        Path::new(word).file_name().and_then(|name| name.to_str()).is_some_and(|name| SHELLS.contains(&name))
    };
    let Some(shell) = agent.iter().position(is_shell) else { return Ok(()) };
    let is_flag = |word: &&String| word.starts_with('-') && !word.starts_with("--") && word.contains('c');
    let options = agent.iter().skip(shell + 1).take_while(|word| word.starts_with('-'));
    let script = agent.iter().skip(shell + 1).find(|word| !word.starts_with('-'));
    if options.into_iter().any(|word| is_flag(&word)) && script.is_some_and(|script| script.contains(PLACE)) {
        anyhow::bail!(
            "the shell would run what stands in the prompt; hand it over as an argument: \
             sh -c 'agent \"$1\"' sh '{PLACE}', or read the file that ${PROMPT_FILE} names"
        );
    }
    Ok(())
}

/// Whether the agent reads its prompt from its standard input.
fn reads_stdin(agent: &[String]) -> bool {
    agent.last().is_some_and(|word| word == STDIN) && !has_place(agent)
}

fn has_place(agent: &[String]) -> bool {
    agent.iter().any(|word| word.contains(PLACE))
}

/// The command with the prompt in its place. One that is longer than an argument may be is left in its file.
fn filled(agent: &[String], prompt: &str, file: &Path) -> Vec<String> {
    if reads_stdin(agent) {
        return agent.to_vec();
    }
    // An argument ends at a zero byte.
    let prompt: String = prompt.chars().filter(|letter| *letter != '\0').collect();
    let prompt = if prompt.len() > LONGEST_ARGUMENT { pointer(&prompt, file) } else { prompt };
    let mut words: Vec<String> = agent.iter().map(|word| word.replace(PLACE, &prompt)).collect();
    if !has_place(agent) {
        words.push(prompt);
    }
    words
}

fn pointer(prompt: &str, file: &Path) -> String {
    let head: String = prompt.chars().take(SAID).collect();
    format!("{head}\n[… the prompt goes on; all of it is in {}. Read that file first.]", file.display())
}

fn end_of(log: &Path) -> io::Result<String> {
    let mut file = File::open(log)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(READ)))?;
    let mut bytes = Vec::new();
    file.take(READ).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// What the agent said last, and its cost: from its JSON result where it prints one, else from the plain end.
fn read(output: &str) -> (String, Option<f64>) {
    let rows = output.lines().rev().filter(|line| line.trim_start().starts_with('{'));
    let mut results = rows.filter_map(|line| serde_json::from_str::<Value>(line).ok());
    if let Some(result) = results.find(|row| row["result"].is_string() || row["total_cost_usd"].is_number()) {
        let said = result["result"].as_str().unwrap_or_default().to_owned();
        return (said, result["total_cost_usd"].as_f64().filter(|cost| cost.is_finite() && *cost >= 0.0));
    }
    if let Some(said) = output.lines().rev().find_map(message) {
        return (said, None);
    }
    let text = printed::plain(output.as_bytes());
    let text = text.trim();
    let skipped = text.chars().count().saturating_sub(SAID);
    (text.chars().skip(skipped).collect(), None)
}

/// What an agent's message says in a row of events as `codex exec --json` prints them.
fn message(line: &str) -> Option<String> {
    if !line.contains("agent_message") {
        return None;
    }
    let row: Value = serde_json::from_str(line).ok()?;
    let item = row.get("item").filter(|item| item["type"] == "agent_message")?;
    item["text"].as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn the_prompt_has_its_place() {
        let file = Path::new("/p");
        let rows: &[(&[&str], &str, &[&str])] = &[
            (&["claude", "-p"], "a b", &["claude", "-p", "a b"]),
            (&["x", "--ask={prompt}", "-v"], "a", &["x", "--ask=a", "-v"]),
            (&["x", "{prompt}", "{prompt}"], "-a", &["x", "-a", "-a"]),
            (&["codex", "exec", "-"], "a", &["codex", "exec", "-"]),
            (&["x", "{prompt}", "-"], "a", &["x", "a", "-"]),
            (&["x"], "{prompt}", &["x", "{prompt}"]),
            (&["x"], "a\0b", &["x", "ab"]),
        ];
        for (agent, prompt, expected) in rows {
            assert_eq!(filled(&words(agent), prompt, file), *expected, "{agent:?}");
        }
        let long = filled(&words(&["x"]), &"é".repeat(LONGEST_ARGUMENT), file).pop().unwrap();
        assert!(long.len() < 10_000 && long.contains("all of it is in /p"), "{long}");
    }

    #[test]
    fn a_prompt_is_never_a_part_of_a_script() {
        let refused: &[&[&str]] = &[
            &["sh", "-c", "agent {prompt}"],
            &["/bin/bash", "-lc", "agent '{prompt}'"],
            &["env", "X=1", "zsh", "-e", "-c", "agent \"{prompt}\""],
        ];
        for agent in refused {
            assert!(check(&words(agent)).is_err(), "{agent:?}");
        }
        let fine: &[&[&str]] = &[
            &["sh", "-c", "agent \"$1\"", "sh", "{prompt}"],
            &["sh", "agent.sh", "{prompt}"],
            &["sh", "-e", "agent.sh", "{prompt}"],
            &["claude", "-p", "{prompt}"],
            &["claude", "-c", "{prompt}"],
        ];
        for agent in fine {
            assert!(check(&words(agent)).is_ok(), "{agent:?}");
        }
    }

    #[test]
    fn results_of_agents() {
        let stream =
            "{\"type\":\"system\"}\n{\"type\":\"result\",\"result\":\"done\",\"total_cost_usd\":0.25}\n";
        assert_eq!(read(stream), ("done".to_owned(), Some(0.25)));
        assert_eq!(read("thinking\nall done\n"), ("thinking\nall done".to_owned(), None));
        let codex = "{\"type\":\"item.completed\",\"item\":{\"type\":\"agent_message\",\"text\":\"mended\"}}\n{\"type\":\"turn.completed\"}\n";
        assert_eq!(read(codex), ("mended".to_owned(), None));
        assert_eq!(read("{ half"), ("{ half".to_owned(), None));
        assert_eq!(read(""), (String::new(), None));
    }
}
