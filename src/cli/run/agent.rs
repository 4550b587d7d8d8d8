//! One session of an agent: a process group of its own, its output on the disk, and what it says of itself at its end.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::Value;

use crate::lifecycle::outside::LOOP_VARIABLE;

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

/// A running session.
pub(super) struct Session {
    child: Child,
    log: PathBuf,
    started: Instant,
    looked: std::cell::Cell<Instant>,
}

/// A session that has ended.
#[derive(Debug)]
pub(super) struct Ended {
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

impl Session {
    /// Starts the agent in `directory`.
    pub(super) fn start(
        agent: &[String],
        prompt: &str,
        directory: &Path,
        loop_id: &str,
        log: &Path,
    ) -> io::Result<Session> {
        if let Some(folder) = log.parent() {
            fs::create_dir_all(folder)?;
        }
        let out = File::create(log)?;
        let words = filled(agent, prompt);
        let (program, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let child = Command::new(program)
            .args(arguments)
            .current_dir(directory)
            .env(LOOP_VARIABLE, loop_id)
            .stdin(Stdio::null())
            .stdout(out.try_clone()?)
            .stderr(out)
            .process_group(0)
            .spawn()?;
        let now = Instant::now();
        Ok(Session { child, log: log.to_owned(), started: now, looked: now.into() })
    }

    /// Its end, when it has come.
    pub(super) fn poll(&mut self) -> io::Result<Option<Ended>> {
        Ok(self.child.try_wait()?.map(|status| self.ended(Some(status))))
    }

    /// Ends it: first asked, then killed, with everything that it has started.
    pub(super) fn stop(mut self) -> anyhow::Result<Ended> {
        let group = Pid::from_child(&self.child);
        kill_process_group(group, Signal::INT).ok();
        let asked = Instant::now();
        while asked.elapsed() < GRACE {
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

    fn ended(&self, status: Option<ExitStatus>) -> Ended {
        let (said, cost_usd) = read(&end_of(&self.log).unwrap_or_default());
        Ended { status, said, cost_usd, took: self.started.elapsed(), log: self.log.clone() }
    }
}

impl Ended {
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

/// The command with the prompt in its place.
fn filled(agent: &[String], prompt: &str) -> Vec<String> {
    let mut words: Vec<String> = agent.iter().map(|word| word.replace(PLACE, prompt)).collect();
    if !agent.iter().any(|word| word.contains(PLACE)) {
        words.push(prompt.to_owned());
    }
    words
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
    let text = output.trim();
    let skipped = text.chars().count().saturating_sub(SAID);
    (text.chars().skip(skipped).collect(), None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn the_prompt_has_its_place() {
        assert_eq!(filled(&words(&["claude", "-p"]), "a b"), ["claude", "-p", "a b"]);
        assert_eq!(filled(&words(&["x", "--ask={prompt}", "-v"]), "a"), ["x", "--ask=a", "-v"]);
    }

    #[test]
    fn results_of_agents() {
        let stream =
            "{\"type\":\"system\"}\n{\"type\":\"result\",\"result\":\"done\",\"total_cost_usd\":0.25}\n";
        assert_eq!(read(stream), ("done".to_owned(), Some(0.25)));
        assert_eq!(read("thinking\nall done\n"), ("thinking\nall done".to_owned(), None));
        assert_eq!(read("{ half"), ("{ half".to_owned(), None));
        assert_eq!(read(""), (String::new(), None));
    }
}
