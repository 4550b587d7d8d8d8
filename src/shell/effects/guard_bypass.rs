//! Commands that decide in a person's place or stop the guard, said plainly or carried to another terminal, session,
//! language or time.
//!
//! What only shows or stores such words (a commit message, a search) is none: a carrier is a program that runs, types
//! or sends them.

pub(crate) mod carriers;
pub(crate) mod clients;
pub(crate) mod processes;
pub(crate) mod startup;

use crate::shell::effects::git_call;
use crate::shell::effects::guard_bypass::carriers::{carried, decision, typed, words_of};
use crate::shell::effects::guard_bypass::clients::unguarded;
use crate::shell::effects::guard_bypass::processes::{
    ends_all, ends_the_guard, kills_by_code, limits_another, names_its_client, written_control,
};
use crate::shell::model::{Command, Effect, EffectKind, Script, program_name};
use crate::shell::parse::output;
use crate::shell::parse::output::text::LOOKED_UP;
use crate::shell::wrappers::interpreter_code;

/// Files that a person's shell reads by itself.
const STARTUP: &[&str] = &[
    ".bash_aliases",
    ".bash_login",
    ".bash_logout",
    ".bash_profile",
    ".bashrc",
    ".envrc",
    ".kshrc",
    ".profile",
    ".xprofile",
    ".zlogin",
    ".zprofile",
    ".zshenv",
    ".zshrc",
    "config.fish",
];
/// Folders whose files are run by themselves.
const STARTED: &[&str] = &[
    "/.git/hooks/",
    "/.githooks/",
    "/.husky/",
    "/etc/profile.d/",
    "/cron.",
    "/.config/autostart/",
    "/systemd/",
    "/LaunchAgents/",
    "/fish/conf.d/",
];

/// The effect of a command on the guard. `decides` reads a file's path and text like a script of its own.
pub(crate) fn effect(
    script: &Script,
    index: usize,
    command: &Command,
    decides: fn(&str, &str) -> bool,
) -> Option<Effect> {
    let name = command.program();
    if let Some(detail) = left_behind(script, index, command, decides) {
        return Some(Effect::of(EffectKind::DisarmsGuard, command, &detail, &[], None));
    }
    if let Some(detail) = written_control(command) {
        return Some(Effect::of(EffectKind::DisarmsGuard, command, &detail, &[], None));
    }
    let says = match name {
        "steadfast" => {
            let words: Vec<&str> = command.words.iter().skip(1).map(|word| word.text.as_str()).collect();
            decision(&words)
        }
        // Only the client calls the hooks; what a build has just made may be tried.
        "steadfast-hook" => calls_a_hook(command),
        // An alias that a person would use.
        "git" if command.words.get(1).is_some_and(|word| word.text == "config") => words_of(command),
        "git" if is_taken_back(script, index) => None,
        "git" => stashes_state(command),
        "pkill" | "killall" => ends_the_guard(command).then(|| name.to_owned()),
        _ if silences_by_code(command) => Some(format!("{name} that switches a client's hooks off")),
        _ if moves_its_home(command) => Some(format!("{name} that takes the guard's folder away")),
        _ if kills_by_code(command) => Some(format!("{name} that ends the guard's processes")),
        "claude" => unguarded(command).or_else(|| carried(script, command)),
        "rename" | "prename" => {
            command.words.iter().skip(1).any(|word| is_its_home(&word.text)).then(|| name.to_owned())
        }
        "chmod" | "rm" | "mv" | "truncate" | "tee" => {
            takes_what_it_looked_up(script, index, command).then(|| format!("{name} of the guard's program"))
        }
        "chattr" | "ln" | "mount" | "setfacl" | "patchelf" | "strip" | "upx" | "setcap" | "fuser" => {
            (names_its_state(command)
                || names_its_program(command)
                || takes_what_it_looked_up(script, index, command))
            .then(|| name.to_owned())
        }
        "cargo" | "go" | "brew" | "apt" | "apt-get" | "dnf" | "rpm" | "dpkg" | "pacman" => {
            replaces_its_program(command).then(|| format!("{name} over the guard's program"))
        }
        // A copy answers to another name.
        "cp" | "gcp" | "install" | "ginstall" | "dd" | "rsync" | "scp" | "cat" | "objcopy" => {
            (copies_its_program(command) || name != "cat" && takes_what_it_looked_up(script, index, command))
                .then(|| format!("{name} of the guard's program"))
        }
        "prlimit" => limits_another(command).then(|| name.to_owned()),
        "kill" | "renice" | "gdb" | "lldb" => (names_its_client(command)
            || name == "kill" && ends_all(script, command))
        .then(|| command.source.clone()),
        "tar" | "bsdtar" | "unzip" => {
            (unpacks(command) && names_its_state(command)).then(|| format!("{name} over the guard's state"))
        }
        _ => typed(command).or_else(|| carried(script, command)),
    };
    says.map(|detail| Effect::of(EffectKind::DisarmsGuard, command, &detail, &[], None))
}

/// Whether a file is run without anybody asking for it, at a person's own terminal.
pub(crate) fn runs_by_itself(path: &str) -> bool {
    let path = format!("/{}", path.replace('\\', "/"));
    let name = path.rsplit('/').next().unwrap_or_default();
    STARTUP.contains(&name) || STARTED.iter().any(|folder| path.contains(folder))
}

/// What a redirection leaves for a person's own terminal to run.
fn left_behind(
    script: &Script,
    index: usize,
    command: &Command,
    decides: fn(&str, &str) -> bool,
) -> Option<String> {
    let target = command.redirects.iter().find(|redirect| redirect.output)?;
    let text = output::text::text_of(script, index)?;
    decides(&target.target.text, &text).then(|| format!("a decision left in {}", target.target.text))
}

/// Whether an operand lies in the guard's state or is all of it.
fn names_its_state(command: &Command) -> bool {
    command.words.iter().skip(1).any(|word| {
        let mut parts = word
            .text
            .split('/')
            .filter(|part| !part.is_empty() && *part != ".")
            .skip_while(|it| *it != ".aiwg");
        parts.next().is_some() && parts.next().is_none_or(|part| part == "ralph")
    })
}

/// Whether a path ends in the name of one of the guard's programs.
fn has_its_name(path: &str) -> bool {
    matches!(program_name(path), "steadfast" | "steadfast-hook")
}

/// Whether an operand is one of the guard's installed programs.
fn names_its_program(command: &Command) -> bool {
    command.words.iter().skip(1).any(|word| is_its_program(&word.text))
}

/// Whether a path is one of the guard's programs, and none that was just built.
pub(crate) fn is_its_program(path: &str) -> bool {
    let path = path.split_once('=').map_or(path, |(_, path)| path);
    has_its_name(path) && path.contains('/') && !path.split('/').any(|part| part == "target")
}

/// `chmod -x "$(command -v steadfast-hook || echo elsewhere)"`: the program is looked up, or taken from somewhere else.
fn takes_what_it_looked_up(script: &Script, index: usize, command: &Command) -> bool {
    let mode = command.words.get(1).map_or("", |word| word.text.as_str());
    let gives = command.program() == "chmod" && (mode.contains('+') || mode.ends_with(['5', '7']));
    if gives {
        return false;
    }
    // What was looked up before, and where such a look-up is taken to end.
    let is_found = |word: &str| has_its_name(word) && word.starts_with(LOOKED_UP);
    if command.words.iter().skip(1).any(|word| is_found(&word.text)) {
        return true;
    }
    let looks_up = |other: &Command| {
        let mut words = other.words.iter().skip(1);
        matches!(other.program(), "command" | "which" | "type" | "whereis")
            && words.any(|word| has_its_name(&word.text))
            && command.source.contains(&other.source)
    };
    script.commands.get(..index).unwrap_or_default().iter().any(looks_up)
}

/// A copy of one of the guard's programs to where it has no name: not beside others to be installed.
fn copies_its_program(command: &Command) -> bool {
    let operands: Vec<&str> = command.words.iter().skip(1).map(|word| word.text.as_str()).collect();
    let Some((to, from)) = operands.split_last() else { return false };
    let reads = |words: &[&str]| words.iter().any(|word| !word.starts_with("of=") && is_its_program(word));
    match command.program() {
        "cat" => command.redirects.iter().any(|redirect| redirect.output) && reads(&operands),
        "dd" => reads(&operands),
        _ => reads(from) && !to.starts_with('-'),
    }
}

/// `cargo install --bin steadfast-hook`, `brew uninstall steadfast`: another program in the place of the guard's, or none.
fn replaces_its_program(command: &Command) -> bool {
    let words = || command.words.iter().skip(1).map(|word| word.text.as_str());
    let is_own = |word: &str| has_its_name(word.split('@').next().unwrap_or(word));
    let acts = [
        "install",
        "uninstall",
        "remove",
        "purge",
        "reinstall",
        "unlink",
        "-e",
        "-r",
        "-R",
        "-P",
        "--remove",
        "--purge",
        "--erase",
    ];
    words().any(|word| acts.contains(&word)) && words().any(is_own)
}

/// A hook that is called with an event.
fn calls_a_hook(command: &Command) -> Option<String> {
    let built = command.words.first().is_some_and(|word| word.text.split('/').any(|part| part == "target"));
    let words: Vec<&str> = command.words.iter().skip(1).map(|word| word.text.as_str()).collect();
    let asks = words.iter().any(|word| matches!(*word, "--version" | "-V" | "--help" | "-h"));
    (!built && !asks).then(|| format!("steadfast-hook {}", words.join(" ")))
}

/// Whether a path is one of the folders of a home below which the guard's program and its records are.
fn is_its_home(path: &str) -> bool {
    let path = path.trim_end_matches('/');
    [".local", ".local/bin", ".local/state", ".local/state/steadfast"]
        .iter()
        .any(|home| path.strip_suffix(home).is_some_and(|above| above.is_empty() || above.ends_with('/')))
}

/// Code that renames, removes or shuts such a folder.
fn moves_its_home(command: &Command) -> bool {
    const MOVES: &[&str] = &[
        "rename(",
        "renameSync(",
        "os.replace(",
        "shutil.move(",
        "rmtree(",
        "rmSync(",
        "chmod",
        "FileUtils.mv",
    ];
    let code = command.code.as_ref().and_then(|code| code.text.as_deref());
    code.is_some_and(|text| {
        MOVES.iter().any(|it| text.contains(it)) && text.split(['\'', '"', '`']).any(is_its_home)
    })
}

/// Whether an archive's files are written to the disk.
fn unpacks(command: &Command) -> bool {
    let first = command.words.get(1).map_or("", |word| word.text.as_str());
    let short = |word: &str| {
        !word.starts_with("--") && (word.starts_with('-') || word == first) && word.contains('x')
    };
    match command.program() {
        "unzip" => !command.words.iter().any(|word| matches!(word.text.as_str(), "-l" | "-t" | "-p" | "-Z")),
        _ => command
            .words
            .iter()
            .skip(1)
            .any(|word| short(&word.text) || matches!(word.text.as_str(), "--extract" | "--get")),
    }
}

/// Code that writes a client's settings under which no hook runs.
fn silences_by_code(command: &Command) -> bool {
    let Some(code) = command.code.as_ref() else { return false };
    let text =
        code.text.as_deref().filter(|text| text.contains("disableAllHooks") && text.contains("settings"));
    text.is_some_and(|text| !interpreter_code::file_calls(code.language, text).is_empty())
}

/// Whether a later command of the text takes the newest stash back: what it took away is there again.
fn is_taken_back(script: &Script, index: usize) -> bool {
    let stash = |command: &Command, words: &[&str]| {
        let call = git_call::call(command);
        command.program() == "git" && call.subcommand == "stash" && words.contains(&call.word(0))
    };
    let mut later = script.commands.iter().skip(index + 1).filter(|command| command.program() == "git");
    later
        .find(|command| stash(command, &["pop", "apply", "drop", "clear"]))
        .is_some_and(|it| stash(it, &["pop", "apply"]))
}

/// `git stash --all` takes ignored files away, and the guard's state is among them.
fn stashes_state(command: &Command) -> Option<String> {
    let call = git_call::call(command);
    let words: Vec<&str> = command.words.iter().skip(1).map(|word| word.text.as_str()).collect();
    let puts = call.subcommand == "stash"
        && !words
            .iter()
            .any(|word| matches!(*word, "pop" | "apply" | "list" | "show" | "drop" | "branch" | "--"));
    (puts && words.iter().any(|word| matches!(*word, "-a" | "--all"))).then(|| words.join(" "))
}
