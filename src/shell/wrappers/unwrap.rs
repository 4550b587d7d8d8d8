//! What a command really runs: `sudo`, `env`, `timeout`, `xargs`, `find -exec`, `bash -c`, interpreters.
//!
//! The tables say which options take a value, because the command begins after them.

use crate::shell::edit::{is_editor, shell_orders};
use crate::shell::effects::git_call;
use crate::shell::model::{Command, Language, UNSEEN, Word, program_name};
use crate::shell::parse::output::{find_deletes, find_words};
use crate::shell::wrappers::peeled::{Peeled, shell_text};
use crate::shell::wrappers::{interpreters, other_machines};

/// A program that runs the rest of its words.
struct Wrapper {
    names: &'static [&'static str],
    /// Options whose value is the next word.
    valued: &'static [&'static str],
    /// Words of its own before the command.
    operands: usize,
}

static WRAPPERS: &[Wrapper] = &[
    Wrapper {
        names: &["sudo", "doas"],
        valued: &[
            "-u",
            "-g",
            "-h",
            "-p",
            "-C",
            "-T",
            "-r",
            "-t",
            "-U",
            "-D",
            "-R",
            "--user",
            "--group",
            "--host",
            "--prompt",
            "--close-from",
            "--command-timeout",
            "--role",
            "--type",
            "--other-user",
            "--chdir",
            "--chroot",
        ],
        operands: 0,
    },
    Wrapper {
        names: &["env"],
        valued: &["-u", "--unset", "-C", "--chdir", "-P", "-a", "--argv0"],
        operands: 0,
    },
    Wrapper {
        names: &["timeout", "gtimeout"],
        valued: &["-k", "-s", "--kill-after", "--signal"],
        operands: 1,
    },
    Wrapper { names: &["sshpass"], valued: &["-p", "-f", "-d", "-P"], operands: 0 },
    Wrapper { names: &["nice"], valued: &["-n", "--adjustment"], operands: 0 },
    Wrapper { names: &["ionice"], valued: &["-c", "-n", "-P", "--class", "--classdata"], operands: 0 },
    Wrapper {
        names: &["stdbuf"],
        valued: &["-i", "-o", "-e", "--input", "--output", "--error"],
        operands: 0,
    },
    Wrapper { names: &["faketime"], valued: &["-p", "--pid"], operands: 1 },
    Wrapper { names: &["exec"], valued: &["-a"], operands: 0 },
    Wrapper { names: &["time", "gtime"], valued: &["-o", "-f", "--output", "--format"], operands: 0 },
    Wrapper { names: &["taskset", "chrt", "chroot"], valued: &[], operands: 1 },
    Wrapper { names: &["flock"], valued: &["-w", "-E", "--timeout", "--wait"], operands: 1 },
    Wrapper { names: &["watch"], valued: &["-n", "-d", "--interval"], operands: 0 },
    Wrapper { names: &["strace", "ltrace"], valued: &["-e", "-o", "-p", "-s"], operands: 0 },
    Wrapper {
        names: &[
            "nohup",
            "setsid",
            "command",
            "builtin",
            "coproc",
            "busybox",
            "toybox",
            "unbuffer",
            "caffeinate",
            "unshare",
            "noglob",
            "nocorrect",
            "xvfb-run",
            "winpty",
            "!",
            "then",
            "do",
        ],
        valued: &[],
        operands: 0,
    },
    Wrapper { names: &["systemd-run"], valued: &["-u", "--unit", "-p", "--property"], operands: 0 },
    Wrapper { names: &["npx", "bunx", "pnpx"], valued: &["-p", "--package"], operands: 0 },
];

/// Runners whose second word says that the rest is a command.
static RUNNERS: &[(&str, &[&str])] = &[
    ("uv", &["run"]),
    ("poetry", &["run"]),
    ("pipenv", &["run"]),
    ("pdm", &["run"]),
    ("rye", &["run"]),
    ("hatch", &["run"]),
    ("bundle", &["exec"]),
    ("pnpm", &["exec", "dlx"]),
    ("npm", &["exec"]),
    ("yarn", &["exec", "dlx"]),
    ("mise", &["exec"]),
];

/// Looks inside of a command. `input_words` gives the words that come in, for `xargs`.
pub(crate) fn peel(command: &Command, input_words: impl FnOnce(bool) -> Option<Vec<Word>>) -> Peeled {
    let words = command.words.as_slice();
    let Some(rest) = words.get(1..) else { return Peeled::Plain };
    let program = command.program();
    let second = rest.first().map_or("", |word| word.text.as_str());
    if let Some(text) = other_machines::comes_back(command) {
        return Peeled::ShellText { text, arguments: Vec::new() };
    }
    if other_machines::goes_away(command) {
        return Peeled::Remote;
    }
    if let Some((_, _)) =
        RUNNERS.iter().find(|(name, second_words)| *name == program && second_words.contains(&second))
    {
        return inner(
            skip_options(rest.get(1..).unwrap_or_default(), &["-n", "--with", "-p", "--python"]),
            None,
        );
    }
    match program {
        "command" if second.starts_with("-v") || second.starts_with("-V") => Peeled::Plain,
        "cmd" | "powershell" | "pwsh" => windows(program, rest),
        "xargs" | "parallel" => xargs(program == "parallel", rest, input_words),
        "find" => find(command),
        "tmux" | "screen" => terminal(rest),
        "sudo" | "doas" if after_option(rest, &["-D", "--chdir"]).is_some() => {
            let directory = after_option(rest, &["-D", "--chdir"]);
            match WRAPPERS.iter().find(|wrapper| wrapper.names.contains(&program)).map(|w| wrapped(w, rest)) {
                Some(Peeled::Inner { words, keeps, .. }) => Peeled::Inner { words, directory, keeps },
                _ => Peeled::Plain,
            }
        }
        "su" | "script" => {
            match after_option(rest, &["-c", "--command", "-qc", "-qec", "-ec", "-eqc", "-lc"]) {
                Some(text) => shell_text(&text, Vec::new()),
                // Where BSD's is used the command follows the file.
                None if program == "script" => {
                    inner(skip_options(rest, &["-t", "-F"]).get(1..).unwrap_or_default(), None)
                }
                None => Peeled::Plain,
            }
        }
        // What they read is run later.
        "at" | "batch" if !rest.iter().any(|it| matches!(it.text.as_str(), "-l" | "-r" | "-d" | "-c")) => {
            match after_option(rest, &["-f"]) {
                Some(path) => Peeled::ShellFile { path, arguments: Vec::new() },
                None => Peeled::ShellInput,
            }
        }
        "env" => env(rest),
        "git" => alias(command),
        _ if is_editor(command) => orders(command),
        // Copies go out and come back as files here, but the words may start a program on the way.
        "rsync" | "scp" | "sftp" if !local_texts(command).is_empty() => {
            Peeled::ShellText { text: local_texts(command).join("\n"), arguments: Vec::new() }
        }
        _ if interpreters::is_shell(program) => interpreters::shell(rest, &command.input),
        // With a variable before it `!` is a program that isn't there.
        "!" if !command.assignments.is_empty() => Peeled::Plain,
        _ => match WRAPPERS.iter().find(|wrapper| wrapper.names.contains(&program)) {
            Some(wrapper) => wrapped(wrapper, rest),
            None => interpreters::source(program, rest, &command.input),
        },
    }
}

/// What an editor is told to have the shell run, besides what it does itself.
fn orders(command: &Command) -> Peeled {
    let texts = shell_orders(command);
    let commands: Vec<Vec<Word>> = texts
        .into_iter()
        .map(|text| vec![Word::literal("sh"), Word::literal("-c"), Word::literal(text)])
        .collect();
    if commands.is_empty() { Peeled::Plain } else { Peeled::Each { commands, keeps: true } }
}

/// `git -c alias.name=value name`: the alias is what runs.
fn alias(command: &Command) -> Peeled {
    let rest = command.words.get(1..).unwrap_or_default();
    for (name, value) in git_call::given_settings(command) {
        let Some(name) = name.strip_prefix("alias.") else { continue };
        let Some(at) = rest.iter().position(|word| word.text == name) else { continue };
        let after = rest.get(at + 1..).unwrap_or_default();
        if let Some(shell) = value.strip_prefix('!') {
            return Peeled::ShellText { text: shell.to_owned(), arguments: after.to_vec() };
        }
        let program = std::iter::once(Word::literal("git"));
        let words = program.chain(value.split_whitespace().map(Word::literal)).chain(after.iter().cloned());
        return Peeled::Inner { words: words.collect(), directory: None, keeps: false };
    }
    Peeled::Plain
}

/// `tmux new-session -d 'command'`: the last word that is no option.
fn terminal(rest: &[Word]) -> Peeled {
    const STARTS: &[&str] =
        &["new-session", "new", "new-window", "neww", "split-window", "splitw", "-dm", "-dmS"];
    let starts = rest.first().is_some_and(|word| STARTS.contains(&word.text.as_str()));
    match rest.last().filter(|word| starts && rest.len() > 1 && word.text.contains(' ')) {
        Some(text) => shell_text(text, Vec::new()),
        None => Peeled::Plain,
    }
}

fn inner(words: &[Word], directory: Option<Word>) -> Peeled {
    match words.is_empty() {
        true => Peeled::Plain,
        false => Peeled::Inner { words: words.to_vec(), directory, keeps: false },
    }
}

fn wrapped(wrapper: &Wrapper, rest: &[Word]) -> Peeled {
    let after = skip_options(rest, wrapper.valued);
    let command = skip_assignments(after.get(wrapper.operands..).unwrap_or_default());
    if wrapper.names.contains(&"flock") && command.first().is_some_and(|word| word.text == "-c") {
        return command.get(1).map_or(Peeled::Plain, |text| shell_text(text, Vec::new()));
    }
    if wrapper.names.contains(&"watch") && command.len() == 1 {
        return command.first().map_or(Peeled::Plain, |text| shell_text(text, Vec::new()));
    }
    inner(command, None)
}

fn skip_options<'w>(words: &'w [Word], valued: &[&str]) -> &'w [Word] {
    let mut rest = words;
    while let Some((word, after)) = rest.split_first() {
        match word.text.as_str() {
            "--" => return after,
            option if valued.contains(&option) => rest = after.get(1..).unwrap_or_default(),
            option if option.starts_with('-') && option.len() > 1 => rest = after,
            _ => break,
        }
    }
    rest
}

fn skip_assignments(words: &[Word]) -> &[Word] {
    let is_assignment = |word: &&Word| {
        word.text.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        })
    };
    words.get(words.iter().take_while(is_assignment).count()..).unwrap_or_default()
}

/// The variables that `env` and `sudo` set for the command in the last `inner` of their words.
pub(crate) fn assigned_by(command: &Command, inner: usize) -> Vec<(String, Option<String>)> {
    if !matches!(command.program(), "env" | "sudo" | "doas") {
        return Vec::new();
    }
    let own = command.words.len().saturating_sub(inner);
    let own = command.words.get(1..own).unwrap_or_default();
    let assigned = own.iter().filter(|word| !word.text.starts_with('-')).filter_map(|word| {
        let (name, value) = word.text.split_once('=')?;
        Some((name.to_owned(), word.known.then(|| value.to_owned())))
    });
    assigned.collect()
}

fn env(rest: &[Word]) -> Peeled {
    let split =
        rest.iter().position(|word| word.text.starts_with("-S") || word.text.starts_with("--split-string"));
    if let Some(at) =
        split.filter(|at| rest.get(..*at).is_some_and(|words| words.iter().all(|w| w.text.starts_with('-'))))
    {
        let own = rest.get(at).map_or("", |word| word.text.as_str());
        let glued =
            own.strip_prefix("-S").or_else(|| own.strip_prefix("--split-string=")).unwrap_or_default();
        let words: Vec<&str> =
            std::iter::once(glued).chain(rest.iter().skip(at + 1).map(|word| word.text.as_str())).collect();
        return shell_text(&Word::literal(words.join(" ")), Vec::new());
    }
    let Some(wrapper) = WRAPPERS.iter().find(|wrapper| wrapper.names.contains(&"env")) else {
        return Peeled::Plain;
    };
    let directory = after_option(rest, &["-C", "--chdir"]);
    match wrapped(wrapper, rest) {
        Peeled::Inner { words, keeps, .. } => Peeled::Inner { words, directory, keeps },
        other => other,
    }
}

/// The value of the first of these options, before the command begins.
fn after_option(words: &[Word], options: &[&str]) -> Option<Word> {
    for (index, word) in words.iter().enumerate() {
        if options.contains(&word.text.as_str()) {
            return words.get(index + 1).cloned();
        }
        for option in options.iter().filter(|option| option.starts_with("--")) {
            if let Some(value) = word.text.strip_prefix(option).and_then(|rest| rest.strip_prefix('=')) {
                return Some(Word { text: value.to_owned(), ..word.clone() });
            }
        }
    }
    None
}

/// `cmd /c text`, `powershell -Command text`: all that follows is the text.
fn windows(program: &str, rest: &[Word]) -> Peeled {
    let is_start = |word: &Word| {
        let option = word.text.to_ascii_lowercase();
        match program {
            "cmd" => matches!(option.trim_start_matches('/'), "c" | "k") && option.starts_with('/'),
            _ => option.len() > 1 && "-command".starts_with(&option) || option == "/command",
        }
    };
    let encoded = rest.iter().any(|word| {
        let option = word.text.to_ascii_lowercase();
        program != "cmd" && (option == "-ec" || (option.len() > 1 && "-encodedcommand".starts_with(&option)))
    });
    if encoded {
        return Peeled::Code { language: Language::Shell, text: Some(UNSEEN.to_string()) };
    }
    let start = rest.iter().position(is_start).map(|at| at + 1);
    let plain =
        || rest.iter().position(|word| !word.text.starts_with('-')).filter(|_| program == "powershell");
    let text = start.or_else(plain).and_then(|at| rest.get(at..)).unwrap_or_default();
    let text = text.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    if text.is_empty() { Peeled::Plain } else { Peeled::Windows { text } }
}

/// The most `-exec` of one `find` that are read.
const MOST_EXECS: usize = 16;

/// The most words that filling in may make.
const MOST_FILLED: usize = 20_000;

const XARGS_VALUED: &[&str] = &[
    "-n",
    "-P",
    "-L",
    "-s",
    "-E",
    "-d",
    "-a",
    "--max-args",
    "--max-procs",
    "--max-lines",
    "--delimiter",
    "-j",
    "--jobs",
    "--arg-file",
    "--process-slot-var",
    "--results",
    "--joblog",
    "--colsep",
    "--tmpdir",
    "--workdir",
    "--wd",
    "-R",
    "-S",
];

fn xargs(parallel: bool, rest: &[Word], input_words: impl FnOnce(bool) -> Option<Vec<Word>>) -> Peeled {
    let mut rest = rest;
    let mut place_holder: Option<String> = None;
    let mut needs_input = false;
    let mut whole_lines = parallel;
    while let Some((word, after)) = rest.split_first() {
        let text = word.text.as_str();
        match text {
            "-I" | "-J" => {
                place_holder = after.first().map(|holder| holder.text.clone());
                rest = after.get(1..).unwrap_or_default();
            }
            "-i" | "--replace" => {
                place_holder = Some("{}".to_owned());
                rest = after;
            }
            _ if text.starts_with("-I") => {
                place_holder = text.get(2..).map(str::to_owned);
                rest = after;
            }
            _ if text.starts_with("--replace=") => {
                let holder = text.split_once('=').map_or("", |(_, holder)| holder);
                place_holder = Some(if holder.is_empty() { "{}" } else { holder }.to_owned());
                rest = after;
            }
            "-0" | "--null" => {
                whole_lines = true;
                rest = after;
            }
            "-r" | "--no-run-if-empty" => {
                needs_input = true;
                rest = after;
            }
            _ if XARGS_VALUED.contains(&text) => rest = after.get(1..).unwrap_or_default(),
            _ if text.starts_with('-') => rest = after,
            _ => break,
        }
    }
    let given = rest.split(|word| word.text == ":::").next().unwrap_or_default();
    let literal = rest.get(given.len() + 1..).map(<[Word]>::to_vec);
    let by_lines = place_holder.is_some() || whole_lines;
    let values = literal.or_else(|| input_words(by_lines)).unwrap_or_else(|| vec![Word::unknown()]);
    if needs_input && values.is_empty() {
        return Peeled::Plain;
    }
    if given.is_empty() {
        // `parallel ::: 'a' 'b'` runs each word as shell text.
        let texts: Vec<&str> = values.iter().map(|word| word.text.as_str()).collect();
        return match parallel {
            true => Peeled::ShellText { text: texts.join("\n"), arguments: Vec::new() },
            false => Peeled::Plain,
        };
    }
    let holder = place_holder.or_else(|| given.iter().any(|word| word.text == "{}").then(|| "{}".to_owned()));
    let words = match holder {
        Some(holder) => fill(given, &holder, &values),
        None => given.iter().chain(&values).cloned().collect(),
    };
    Peeled::Inner { words, directory: None, keeps: false }
}

/// The words with every place holder filled; one that is part of a word takes the first value only.
fn fill(words: &[Word], holder: &str, values: &[Word]) -> Vec<Word> {
    let mut filled = Vec::new();
    for word in words {
        if filled.len() + values.len() > MOST_FILLED {
            filled.push(Word::unknown());
            break;
        }
        if word.text == holder {
            filled.extend_from_slice(values);
        } else if let (true, Some(value)) = (word.text.contains(holder), values.first()) {
            filled.push(Word {
                text: word.text.replace(holder, &value.text),
                known: word.known && value.known && values.len() == 1,
                glob: word.glob || value.glob,
                partial: value.partial,
                printed: word.printed || value.printed,
                ..Word::default()
            });
        } else {
            filled.push(word.clone());
        }
    }
    filled
}

fn find(command: &Command) -> Peeled {
    let is_exec = |word: &Word| matches!(word.text.as_str(), "-exec" | "-execdir" | "-ok" | "-okdir");
    let mut commands = Vec::new();
    let mut rest = command.words.as_slice();
    while let Some(at) = rest.iter().position(is_exec).filter(|_| commands.len() < MOST_EXECS) {
        let after = rest.get(at + 1..).unwrap_or_default();
        let end =
            after.iter().position(|word| matches!(word.text.as_str(), ";" | "+")).unwrap_or(after.len());
        let given = after.get(..end).unwrap_or_default();
        rest = after.get(end..).unwrap_or_default();
        let Some(program) = given.first().map(|word| program_name(&word.text)) else { continue };
        let mut words = fill(given, "{}", &find_words(command));
        // What `find` names is everything below its roots.
        if matches!(program, "chmod" | "chown" | "chgrp") {
            words.insert(1, Word::literal("-R"));
        }
        if program != "find" {
            commands.push(words);
        }
    }
    match commands.is_empty() {
        true => Peeled::Plain,
        false => Peeled::Each { commands, keeps: find_deletes(command) },
    }
}

/// Programs for other machines that run a command on this one: option, then the command.
const LOCAL_SETTINGS: &[&str] = &["proxycommand=", "knownhostscommand=", "localcommand="];

/// The shell texts that a program for another machine runs here, to get there.
pub(crate) fn local_texts(command: &Command) -> Vec<String> {
    if !matches!(command.program(), "ssh" | "scp" | "sftp" | "rsync") {
        return Vec::new();
    }
    let mut texts = Vec::new();
    for (index, word) in command.words.iter().enumerate().skip(1) {
        let lower = word.text.to_ascii_lowercase();
        let setting = LOCAL_SETTINGS.iter().find_map(|name| Some(lower.find(name)? + name.len()));
        texts.extend(setting.and_then(|at| word.text.get(at..)).map(str::to_owned));
        let is_shell = command.program() == "rsync"
            && (word.text == "--rsh" || (word.text.ends_with('e') && is_cluster(&word.text)));
        texts.extend(command.words.get(index + 1).filter(|_| is_shell).map(|word| word.text.clone()));
    }
    texts
}

fn is_cluster(text: &str) -> bool {
    text.len() > 1 && text.starts_with('-') && !text.starts_with("--")
}

/// Whether git is told to start another program than `ssh` to reach another machine.
pub(crate) fn replaces_ssh(command: &Command) -> bool {
    let helper = |text: &String| {
        let program = text.split_whitespace().find(|word| !word.contains('=')).unwrap_or_default();
        !matches!(
            program_name(program),
            "" | "ssh" | "plink" | "autossh" | "true" | "echo" | "sshpass" | "env"
        )
    };
    let call = git_call::call(command);
    let reaches = matches!(
        call.subcommand,
        "fetch" | "pull" | "push" | "clone" | "ls-remote" | "archive" | "submodule"
    ) || (call.subcommand == "remote" && matches!(call.word(0), "update" | "show" | "prune"));
    command.program() == "git" && reaches && git_helpers(command).iter().any(helper)
}

/// Programs of git that run on this machine to reach another, by variable and by setting.
pub(crate) fn git_helpers(command: &Command) -> Vec<String> {
    let by_variable = command
        .assignments
        .iter()
        .filter(|(name, _)| matches!(name.as_str(), "GIT_SSH_COMMAND" | "GIT_PROXY_COMMAND" | "GIT_ASKPASS"))
        .filter_map(|(_, value)| value.clone());
    let settings = command.words.iter().filter_map(|word| {
        let lower = word.text.to_ascii_lowercase();
        let at = lower.strip_prefix("-c").unwrap_or(&lower).strip_prefix("core.sshcommand=")?.len();
        word.text.get(word.text.len() - at..).map(str::to_owned)
    });
    by_variable.chain(settings).collect()
}
