//! Commands that end, stop or starve the guard's process or its client's.

use crate::shell::model::option::has_letter;
use crate::shell::model::{Command, Script};

/// `prlimit --pid N --fsize=0`: a process that runs already gets less.
pub(super) fn limits_another(command: &Command) -> bool {
    let words = || command.words.iter().skip(1).map(|word| word.text.as_str());
    let of_another = words().any(|word| word == "-p" || word.starts_with("--pid"));
    let limits = |word: &str| {
        word.split_once('=')
            .is_some_and(|(name, value)| !value.is_empty() && name.starts_with('-') && name != "--pid")
    };
    of_another && words().any(limits)
}

/// The parent of the agent's shell is its client.
pub(super) fn names_its_client(command: &Command) -> bool {
    ["$PPID", "${PPID}"].iter().any(|name| command.source.contains(name)) && !only_asks(command)
}

/// `kill $(pgrep steadfast)`.
pub(crate) fn kills(script: &Script) -> bool {
    let finds = |command: &Command| {
        matches!(
            command.program(),
            "pgrep" | "pidof" | "ps" | "grep" | "egrep" | "rg" | "awk" | "gawk" | "mawk" | "sed" | "lsof"
        ) && (names_the_guard(command) || names_client(command))
    };
    let holds =
        |command: &Command| matches!(command.program(), "kill" | "gdb" | "lldb") && !only_asks(command);
    script.commands.iter().any(holds) && script.commands.iter().any(finds)
}

fn names_the_guard(command: &Command) -> bool {
    // `[s]teadfast` finds the same processes, and not the search itself.
    let plain = |text: &str| text.replace(['[', ']'], "");
    command.words.iter().skip(1).any(|word| plain(&word.text).contains("steadfast"))
}

/// How the guard's process and its client look to whoever ends processes by their words.
const LINES: &[&str] =
    &["steadfast-hook pre-tool-use", "steadfast-hook post-tool-use", "steadfast-hook stop", "claude"];

/// Whether a pattern of `pkill`, or a name, is one of the guard's process or of its client.
pub(super) fn ends_the_guard(command: &Command) -> bool {
    let words = command.words.iter().skip(1).map(|word| word.text.as_str());
    let mut operands = words.filter(|word| !word.starts_with('-'));
    let by_line = command.words.iter().any(|word| has_letter(&word.text, 'f'));
    let meets = |pattern: &str| {
        let expression = regex::Regex::new(pattern);
        expression.is_ok_and(|it| LINES.iter().any(|line| it.is_match(line)))
    };
    names_the_guard(command)
        || operands.any(|it| it == "claude" || (by_line && it.contains("hook") && meets(it)))
}

/// Code that looks for the guard's processes and ends them.
pub(super) fn kills_by_code(command: &Command) -> bool {
    let code = command.code.as_ref().and_then(|code| code.text.as_deref());
    code.is_some_and(|text| {
        let has_one = |words: &[&str]| words.iter().any(|word| text.contains(word));
        let ends = has_one(&[".kill(", ".terminate(", "killpg(", "SIGKILL", "SIGSTOP"]);
        let ends_plainly = ends || text.split(|c: char| !c.is_alphanumeric()).any(|word| word == "kill");
        text.contains("steadfast") && ends || has_one(PARENTS) && ends_plainly && !has_one(&[", 0)", ",0)"])
    })
}

/// How code names the process that started it, which is a shell of the client's or the client.
const PARENTS: &[&str] = &["getppid", "process.ppid", "Process.ppid"];

/// Whether an operand is the client's own name.
fn names_client(command: &Command) -> bool {
    command.words.iter().skip(1).any(|word| word.text == "claude")
}

/// Whether a `kill` only asks whether a process is there, or lists signals.
fn only_asks(command: &Command) -> bool {
    command.words.iter().any(|word| matches!(word.text.as_str(), "-0" | "-l" | "-L"))
}

/// `for p in /proc/[0-9]*; do kill ...`, `kill -9 $(ls /proc)`: every process that there is.
pub(super) fn ends_all(script: &Script, command: &Command) -> bool {
    let lists = |other: &Command| {
        other.words.iter().skip(1).any(|word| word.text.trim_end_matches('/') == "/proc")
            && command.source.contains(&other.source)
    };
    let is_all = |text: &str| text.contains("#/proc/") || text.contains("/proc/[0-9]");
    !only_asks(command)
        && (is_all(&command.source)
            || command.words.iter().any(|word| is_all(&word.text))
            || script.commands.iter().any(lists))
}

/// What stops, ends or gives up other processes when it is written to.
pub(super) fn written_control(command: &Command) -> Option<String> {
    const CONTROLS: &[&str] = &["cgroup.kill", "cgroup.freeze", "freezer.state", "oom_score_adj", "oom_adj"];
    let is_control = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or_default();
        let is_system = path.starts_with("/sys/fs/cgroup/") || path.starts_with("/proc/");
        is_system
            && CONTROLS.contains(&name)
            && !path.starts_with("/proc/self/")
            && !path.starts_with("/proc/$$/")
    };
    let written = command.redirects.iter().map(|redirect| redirect.target.text.as_str());
    let operands = command.words.iter().skip(1).map(|word| word.text.as_str());
    let by_tee = operands.filter(|_| matches!(command.program(), "tee" | "cp" | "dd"));
    let mut all = written.chain(by_tee.map(|word| word.trim_start_matches("of=")));
    all.find(|path| is_control(path)).map(|path| format!("a write to {path}"))
}

/// Code that starts processes in a loop that has no end.
pub(crate) fn floods_by_code(command: &Command) -> bool {
    let Some(text) = command.code.as_ref().and_then(|code| code.text.as_deref()) else { return false };
    const HEADS: &[&str] = &[
        "while1",
        "whileTrue",
        "while(1)",
        "while(true)",
        "while(True)",
        "for(;;)",
        "loop{",
        "loopdo",
        "whiletrue",
    ];
    const STARTS: &[&str] = &["fork", "spawn(", "exec(", "Popen(", "child_process"];
    let bare: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let starts = |part: &str| {
        let own = part.split([';', '}']).next().unwrap_or(part);
        let first = own.trim_start_matches([':', '{', '(', ')', ';']);
        STARTS.iter().any(|start| first.contains(start))
            && !first.contains("wait")
            && !first.contains("break")
    };
    let ends_endless = ["forkwhile1", "forkwhiletrue", "forkwhile(1)"].iter().any(|it| bare.contains(it));
    ends_endless || HEADS.iter().any(|head| bare.split(head).skip(1).any(starts))
}
