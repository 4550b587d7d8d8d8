//! Programs that hand words of theirs to a shell: `npm exec -c`, `hyperfine`, `git rebase -x`, a recipe of `make`.

use crate::model::shell_word::in_quotes;
use crate::model::words::is_plain_name;
use crate::shell::effects::git_call;
use crate::shell::model::{Command, CommandInput, Word};
use crate::shell::wrappers::peeled::PeeledCommand;

/// A program that hands texts to a shell.
struct ShellTextProgram {
    program: &'static str,
    /// Its first word then; empty for any.
    second: &'static str,
    /// Options whose value is text.
    options: &'static [&'static str],
    /// Options with another value.
    valued: &'static [&'static str],
    /// Whether each operand is text too.
    operands: bool,
}

const fn hands(
    program: &'static str,
    second: &'static str,
    options: &'static [&'static str],
    valued: &'static [&'static str],
    operands: bool,
) -> ShellTextProgram {
    ShellTextProgram { program, second, options, valued, operands }
}

static HANDS: &[ShellTextProgram] = &[
    hands("npm", "exec", &["-c", "--call"], &[], false),
    hands("pnpm", "exec", &["-c", "--call"], &[], false),
    hands("npx", "", &["-c", "--call"], &[], false),
    hands(
        "hyperfine",
        "",
        &["-p", "--prepare", "-s", "--setup", "-c", "--cleanup", "--conclude", "-C"],
        &[
            "-w",
            "--warmup",
            "-r",
            "--runs",
            "-m",
            "-M",
            "-n",
            "-S",
            "-N",
            "-P",
            "-L",
            "-D",
            "-u",
            "--export-json",
        ],
        true,
    ),
    hands("entr", "", &["-s"], &[], false),
    hands("nodemon", "", &["-x", "--exec"], &[], false),
    hands("concurrently", "", &[], &["-n", "-c", "-s", "--names"], true),
    hands("nix-shell", "", &["--run", "--command"], &[], false),
    hands("cross-env-shell", "", &[], &[], true),
    hands("runuser", "", &["-c", "--command"], &[], false),
    hands("sg", "", &["-c"], &[], false),
    hands("sops", "exec-env", &[], &[], true),
    hands("make", "", &["--eval", "-E"], &[], false),
    hands("gmake", "", &["--eval", "-E"], &[], false),
    hands("man", "", &["-P", "--pager"], &[], false),
    hands("gdb", "", &["-ex", "-iex", "--eval-command"], &[], false),
    hands("tar", "", &["--to-command", "--use-compress-program", "-I", "--rsh-command"], &[], false),
    hands("gtar", "", &["--to-command", "--use-compress-program", "-I", "--rsh-command"], &[], false),
    hands("zip", "", &["-TT", "--unzip-command"], &[], false),
    hands("sort", "", &["--compress-program"], &[], false),
    hands("split", "", &["--filter"], &[], false),
    hands("expect", "", &["-c"], &[], false),
    hands("tclsh", "", &["-c"], &[], false),
    hands("less", "", &[], &[], true),
    hands("sqlite3", "", &["-cmd"], &[], true),
    hands("env-cmd", "", &[], &["-f", "-e"], false),
];

/// How a program's own language says that a shell, or a command, is to be run.
static ORDERS: &[(&str, &[&str])] = &[
    ("gdb", &["shell ", "!"]),
    ("expect", &["spawn ", "exec "]),
    ("tclsh", &["exec "]),
    ("less", &["+!"]),
    ("sqlite3", &[".shell ", ".system "]),
];

/// What stands behind such a word in a text of the program's own; every text of another program is the shell's.
fn ordered(program: &str, text: String) -> Option<String> {
    let Some((_, orders)) = ORDERS.iter().find(|(name, _)| *name == program) else { return Some(text) };
    let after = orders.iter().find_map(|order| Some(text.split_once(order)?.1))?;
    let end = if matches!(program, "expect" | "tclsh") { &[';', '\n'][..] } else { &['\n'][..] };
    after.split(end).next().map(str::to_owned)
}

/// Variables that name a program which others start to show or to edit something.
const SHOWN_BY: &[&str] = &["PAGER", "MANPAGER", "EDITOR", "VISUAL", "BROWSER", "LESSOPEN", "SUDO_EDITOR"];

/// The programs that a command is told by variables to show or to edit with.
pub(crate) fn by_variable(command: &Command) -> Vec<String> {
    let named = command.assignments.iter().filter(|(name, _)| SHOWN_BY.contains(&name.as_str()));
    // Git's are read with its own.
    let named = named.filter(|_| command.program() != "git");
    named.filter_map(|(_, value)| value.clone().filter(|value| value.contains(' '))).collect()
}

/// What `sed` has a shell run: `1e command`, and what `s/…/command/e` makes of a line.
pub(crate) fn of_sed(command: &Command) -> Vec<String> {
    let scripts = command.words.iter().skip(1).map(|word| word.text.as_str());
    scripts.flat_map(|script| script.split('\n')).filter_map(of_sed_line).collect()
}

fn of_sed_line(line: &str) -> Option<String> {
    let order = line.trim_start_matches(|letter: char| letter.is_ascii_digit() || ",$! ".contains(letter));
    if let Some(text) = order.strip_prefix("e ") {
        return Some(text.to_owned());
    }
    let rest = order.strip_prefix('s')?;
    let sign = rest.chars().next().filter(|sign| !sign.is_alphanumeric() && *sign != ' ')?;
    let mut parts = rest.get(sign.len_utf8()..)?.split(sign);
    let (_, text, flags) = (parts.next()?, parts.next()?, parts.next()?);
    (flags.contains('e') && parts.next().is_none()).then(|| text.to_owned())
}

/// Options of git's subcommands whose value is text.
static OF_GIT: &[(&str, &[&str])] = &[
    ("rebase", &["-x", "--exec"]),
    ("difftool", &["-x", "--extcmd"]),
    (
        "filter-branch",
        &["--tree-filter", "--index-filter", "--msg-filter", "--env-filter", "--commit-filter"],
    ),
];

/// The texts that the words of a command hand to a shell; the command itself is kept beside them.
pub(crate) fn texts(command: &Command) -> Option<PeeledCommand> {
    let rest = command.words.get(1..)?;
    let program = command.program();
    let texts = match program {
        "git" => of_git(command),
        _ => {
            let second = rest.first().map_or("", |word| word.text.as_str());
            let hands = HANDS
                .iter()
                .find(|it| it.program == program && (it.second.is_empty() || it.second == second));
            let mut texts = hands.map(|hands| handed(hands, rest)).unwrap_or_default();
            if matches!(program, "make" | "gmake") {
                texts = texts.iter().flat_map(|text| recipes(text)).collect();
                texts.extend(from_input(command));
                texts.extend(given_to_make(rest));
            }
            if program == "tar" {
                texts.extend(at_checkpoints(rest));
            }
            texts.into_iter().filter_map(|text| ordered(program, text)).collect()
        }
    };
    let commands: Vec<Vec<Word>> = texts.into_iter().map(|text| as_shell(Word::literal(text))).collect();
    (!commands.is_empty()).then_some(PeeledCommand::Each { commands, keeps: true })
}

/// The words of a shell that runs this text.
pub(crate) fn as_shell(text: Word) -> Vec<Word> {
    vec![Word::literal("sh"), Word::literal("-c"), text]
}

fn handed(hands: &ShellTextProgram, rest: &[Word]) -> Vec<String> {
    let mut texts = Vec::new();
    let mut words = rest.iter().skip(usize::from(!hands.second.is_empty()));
    while let Some(word) = words.next() {
        let text = word.text.as_str();
        let glued = hands.options.iter().find_map(|option| text.strip_prefix(option)?.strip_prefix('='));
        if hands.options.contains(&text) {
            texts.extend(words.next().map(|word| word.text.clone()));
        } else if let Some(glued) = glued {
            texts.push(glued.to_owned());
        } else if hands.valued.contains(&text) {
            words.next();
        } else if hands.operands && !text.starts_with('-') {
            texts.push(text.to_owned());
        }
    }
    texts
}

/// `make SHELL='sh -c …'`: a variable that may be a command; whatever it is, it is read as one.
fn given_to_make(rest: &[Word]) -> Vec<String> {
    let value = |word: &Word| {
        let (name, value) = word.text.split_once('=')?;
        let is_name = name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_' || byte == b':');
        (is_name && value.contains(' ') && !value.starts_with('-')).then(|| value.to_owned())
    };
    rest.iter().filter_map(value).collect()
}

/// `tar --checkpoint-action=exec=command`.
fn at_checkpoints(rest: &[Word]) -> Vec<String> {
    let text = |word: &Word| word.text.strip_prefix("--checkpoint-action=exec=").map(str::to_owned);
    rest.iter().filter_map(text).collect()
}

fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| in_quotes(word)).collect::<Vec<_>>().join(" ")
}

/// What git's subcommands have a shell run.
fn of_git(command: &Command) -> Vec<String> {
    let call = git_call::call(command);
    let words: Vec<&str> = call.operands.iter().map(|word| word.text.as_str()).collect();
    let mut texts: Vec<String> = Vec::new();
    if let Some((_, options)) = OF_GIT.iter().find(|(name, _)| *name == call.subcommand) {
        for (index, word) in words.iter().enumerate() {
            let glued = options.iter().find_map(|option| word.strip_prefix(option)?.strip_prefix('='));
            let next = options.contains(word).then(|| words.get(index + 1).copied()).flatten();
            texts.extend(glued.or(next).map(str::to_owned));
        }
    }
    let after = |first: &str| words.iter().position(|word| *word == first).and_then(|at| words.get(at + 1..));
    match call.subcommand {
        "bisect" => texts.extend(after("run").map(quoted)),
        "submodule" => texts.extend(after("foreach").map(|words| {
            let words: Vec<&str> = words.iter().filter(|word| !word.starts_with("--")).copied().collect();
            // One word is text, several are a command.
            if let [text] = words.as_slice() { (*text).to_owned() } else { quoted(&words) }
        })),
        _ => {}
    }
    texts
}

/// `make -f -`: the rules come in.
fn from_input(command: &Command) -> Vec<String> {
    let words = &command.words;
    let reads = words.windows(2).any(|pair| matches!(pair, [f, dash] if f.text == "-f" && dash.text == "-"))
        || words.iter().any(|word| word.text == "-f-")
        // The grammar leaves a bare dash before `<<` out.
        || words.last().is_some_and(|word| word.text == "-f");
    match &command.input {
        CommandInput::Text(text) | CommandInput::Sketch(text) if reads => recipes(&with_values(text)),
        _ => Vec::new(),
    }
}

/// A makefile with its plain variables filled in: `DIRS := a b` and `$(DIRS)`.
pub(crate) fn with_values(text: &str) -> String {
    const MOST_VALUES: usize = 64;
    let values = text.lines().filter(|line| !line.starts_with('\t')).filter_map(|line| {
        let (name, value) = line.split_once('=')?;
        let name = name.trim_end_matches([':', '?', '!']).trim();
        (is_plain_name(name) && !value.contains("$(shell")).then(|| (name, value.trim()))
    });
    const OF_ALL: &[(&str, &str)] = &[("HOME", "$HOME"), ("CURDIR", "."), ("PWD", ".")];
    let values = values.take(MOST_VALUES).chain(OF_ALL.iter().copied());
    values.fold(text.to_owned(), |text, (name, value)| {
        let used = text.contains(&format!("({name})")) || text.contains(&format!("{{{name}}}"));
        if !used || text.len() > crate::shell::model::LONGEST_TEXT {
            return text;
        }
        text.replace(&format!("$({name})"), value).replace(&format!("${{{name}}}"), value)
    })
}

/// The lines of a makefile that a shell runs.
pub(crate) fn recipes(text: &str) -> Vec<String> {
    let line = |line: &str| {
        let recipe = match line.strip_prefix('\t') {
            Some(recipe) => recipe,
            // `all: ; command`
            None => line.split_once(':').and_then(|(_, rest)| rest.split_once(';'))?.1,
        };
        Some(recipe.trim_start_matches([' ', '@', '-', '+']).replace("$$", "$"))
    };
    text.lines().filter_map(line).collect()
}
