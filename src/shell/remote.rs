//! Commands for another machine or a container: which of their words run there, and what of it can't be taken back.
//!
//! Nothing there can be looked at or kept. So what would be stopped here whatever lies on the disk is stopped there
//! too, and all that depends on the disk, on git, or on a path that is not absolute passes.

use std::path::{Component, Path, PathBuf};

use super::parse::Reader;
use super::{Command, Effect, EffectKind, Word, first_line, output, resolve};

/// The home of whoever works there, so that what lies below it is known to.
const HOME: &str = "/root";

/// A program whose words name a command for elsewhere.
struct Way {
    program: &'static str,
    /// The words after it that make it one; none means always.
    words: &'static [&'static str],
    /// Options whose value is the next word.
    valued: &'static [&'static str],
    command: Where,
    /// Whether it starts something new that is gone afterwards.
    throwaway: bool,
}

/// Where the command for elsewhere stands.
#[derive(Clone, Copy, PartialEq)]
enum Where {
    /// After so many operands, as text that a shell reads.
    Text(usize),
    /// After so many operands, as words.
    Words(usize),
    /// After `--`, as words.
    AfterDashes,
    /// The value of one of these options, as text.
    Option(&'static [&'static str]),
}

use Where::{AfterDashes, Text, Words};

const SSH: &[&str] = &[
    "-p", "-i", "-o", "-l", "-F", "-J", "-L", "-R", "-D", "-b", "-c", "-e", "-E", "-I", "-m", "-O", "-Q",
    "-S", "-W", "-w", "-B",
];
const EXEC: &[&str] =
    &["-e", "--env", "-u", "--user", "-w", "--workdir", "--env-file", "--detach-keys", "--index"];
const RUN: &[&str] = &[
    "-e",
    "--env",
    "-u",
    "--user",
    "-w",
    "--workdir",
    "--env-file",
    "-v",
    "--volume",
    "--mount",
    "-p",
    "--publish",
    "--name",
    "--network",
    "--net",
    "--entrypoint",
    "-h",
    "--hostname",
    "-l",
    "--label",
    "-m",
    "--memory",
    "--cpus",
    "--platform",
    "--tmpfs",
    "--device",
    "--gpus",
    "--restart",
    "--link",
    "--add-host",
    "--cap-add",
    "--cap-drop",
    "--security-opt",
    "--shm-size",
    "--ulimit",
    "--volumes-from",
    "--pull",
    "--ipc",
    "--pid",
    "--userns",
    "--dns",
    "--log-driver",
    "--log-opt",
    "--expose",
    "--group-add",
    "-a",
    "--attach",
    "--cidfile",
    "--stop-signal",
];
const COMPOSE: &[&str] =
    &["-f", "--file", "-p", "--project-name", "--profile", "--env-file", "--project-directory"];

const fn way(
    program: &'static str,
    words: &'static [&'static str],
    valued: &'static [&'static str],
    command: Where,
    throwaway: bool,
) -> Way {
    Way { program, words, valued, command, throwaway }
}

static WAYS: &[Way] = &[
    way("ssh", &[], SSH, Text(1), false),
    way("autossh", &[], SSH, Text(1), false),
    way("mosh", &[], &["-p"], AfterDashes, false),
    way("pdsh", &[], &["-w", "-x", "-l"], Text(0), false),
    way("pssh", &[], &["-h", "-H", "-l", "-p", "-t"], Text(0), false),
    way("parallel-ssh", &[], &["-h", "-H", "-l", "-p", "-t"], Text(0), false),
    way("docker", &["exec"], EXEC, Words(1), false),
    way("podman", &["exec"], EXEC, Words(1), false),
    way("nerdctl", &["exec"], EXEC, Words(1), false),
    way("docker", &["compose", "exec"], EXEC, Words(1), false),
    way("podman", &["compose", "exec"], EXEC, Words(1), false),
    way("docker-compose", &["exec"], EXEC, Words(1), false),
    way("docker", &["run"], RUN, Words(1), true),
    way("podman", &["run"], RUN, Words(1), true),
    way("nerdctl", &["run"], RUN, Words(1), true),
    way("docker", &["compose", "run"], RUN, Words(1), true),
    way("podman", &["compose", "run"], RUN, Words(1), true),
    way("docker-compose", &["run"], RUN, Words(1), true),
    way("kubectl", &["exec"], &[], AfterDashes, false),
    way("oc", &["exec"], &[], AfterDashes, false),
    way("oc", &["rsh"], &["-c", "-n"], Words(1), false),
    way("kubectl", &["run"], &[], AfterDashes, true),
    way("kubectl", &["debug"], &[], AfterDashes, true),
    way("lxc", &["exec"], &[], AfterDashes, false),
    way("incus", &["exec"], &[], AfterDashes, false),
    way("multipass", &["exec"], &["-d"], AfterDashes, false),
    way("vagrant", &["ssh"], &[], Where::Option(&["-c", "--command"]), false),
    way("gcloud", &["compute", "ssh"], &[], Where::Option(&["--command"]), false),
    way("fly", &["ssh", "console"], &[], Where::Option(&["-C", "--command"]), false),
    way("flyctl", &["ssh", "console"], &[], Where::Option(&["-C", "--command"]), false),
    way("ansible", &[], &[], Where::Option(&["-a", "--args"]), false),
    way("adb", &["shell"], &["-s"], Text(0), false),
    way("heroku", &["run"], &["-a", "--app"], Words(0), false),
];

/// What a command has run elsewhere.
pub(super) struct Away {
    /// Its words, or one word with the text for a shell.
    pub(super) words: Vec<Word>,
    /// Whether a shell reads the text.
    pub(super) is_text: bool,
    /// Whether what it runs in is gone afterwards.
    pub(super) throwaway: bool,
    /// Folders of this machine, each with the name that it has there.
    pub(super) mounts: Vec<(PathBuf, PathBuf)>,
    /// The folder that it starts in, as it is called there.
    pub(super) directory: Option<PathBuf>,
}

/// Whether a command is for elsewhere, and what of it runs there.
pub(super) fn away(command: &Command) -> Option<Away> {
    let program = command.program();
    WAYS.iter().filter(|way| way.program == program).find_map(|way| along(way, command))
}

/// Whether the words of a command name one for elsewhere.
pub(super) fn goes_away(command: &Command) -> bool {
    away(command).is_some()
}

fn along(way: &Way, command: &Command) -> Option<Away> {
    let mut rest = command.words.get(1..)?;
    for word in way.words {
        // Options of the program itself stand before the word.
        let at = own_word(rest, if program_is_compose(way) { COMPOSE } else { &[] })?;
        (rest.get(at)?.text == *word).then_some(())?;
        rest = rest.get(at + 1..)?;
    }
    let value_of = |names: &[&str]| {
        rest.iter().enumerate().find_map(|(index, word)| {
            let glued = names.iter().find_map(|name| word.text.strip_prefix(name)?.strip_prefix('='));
            match glued {
                Some(value) => Some(Word { text: value.to_owned(), ..word.clone() }),
                None => names.contains(&word.text.as_str()).then(|| rest.get(index + 1).cloned()).flatten(),
            }
        })
    };
    let (words, is_text) = match way.command {
        Where::Option(names) => (value_of(names).into_iter().collect(), true),
        AfterDashes => {
            let at = rest.iter().position(|word| word.text == "--");
            (at.and_then(|at| rest.get(at + 1..)).unwrap_or_default().to_vec(), false)
        }
        Text(operands) => (after_operands(rest, way.valued, operands), true),
        Words(operands) => (after_operands(rest, way.valued, operands), false),
    };
    let words = match (is_text, words.as_slice()) {
        (true, [_, _, ..]) => vec![joined(&words)],
        _ => words,
    };
    let directory =
        value_of(&["-w", "--workdir"]).filter(|word| word.known).map(|word| PathBuf::from(word.text));
    let mounts = if way.throwaway { mounts(rest, command.directory.as_deref()) } else { Vec::new() };
    Some(Away { words, is_text, throwaway: way.throwaway, mounts, directory })
}

fn program_is_compose(way: &Way) -> bool {
    way.program.ends_with("compose") || way.words.first() == Some(&"compose") || way.words.get(1).is_some()
}

/// The first word that is neither an option nor, for those that take one, its value.
fn own_word(words: &[Word], valued: &[&str]) -> Option<usize> {
    const GLOBAL: &[&str] =
        &["--context", "--namespace", "-n", "--kubeconfig", "-H", "--host", "-c", "--config"];
    let mut at = 0;
    loop {
        let text = words.get(at)?.text.as_str();
        match text.starts_with('-') {
            true if valued.contains(&text) || GLOBAL.contains(&text) => at += 2,
            true => at += 1,
            false => return Some(at),
        }
    }
}

/// What is left after the options and so many operands, each of which may be followed by options.
fn after_operands(words: &[Word], valued: &[&str], operands: usize) -> Vec<Word> {
    let mut rest = words;
    for taken in 0..=operands {
        while let Some((word, after)) = rest.split_first() {
            match word.text.as_str() {
                "--" => {
                    rest = after;
                    break;
                }
                // After a container or an image all words are the command.
                text if text.starts_with('-') && (taken == 0 || valued == SSH) => {
                    let skip = usize::from(valued.contains(&text));
                    rest = after.get(skip..).unwrap_or_default();
                }
                _ => break,
            }
        }
        if taken < operands {
            rest = rest.get(1..).unwrap_or_default();
        }
    }
    rest.to_vec()
}

/// The text that a shell elsewhere gets: the words with a blank between them, whatever quoted them here.
fn joined(words: &[Word]) -> Word {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    Word { text: texts.join(" "), known: words.iter().all(|word| word.known), ..Word::default() }
}

/// `-v HERE:THERE` and `--mount source=HERE,target=THERE`.
fn mounts(words: &[Word], directory: Option<&Path>) -> Vec<(PathBuf, PathBuf)> {
    let mut mounts = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let (name, glued) = match word.text.split_once('=').filter(|(name, _)| name.starts_with("--")) {
            Some((name, value)) => (name, Some(value)),
            None => (word.text.as_str(), None),
        };
        let Some(value) = glued.or_else(|| words.get(index + 1).map(|next| next.text.as_str())) else {
            continue;
        };
        let (from, to) = match name {
            "-v" | "--volume" => {
                let mut parts = value.split(':');
                (parts.next(), parts.next())
            }
            "--mount" => {
                let part = |names: &[&str]| {
                    value.split(',').find_map(|part| {
                        let (name, value) = part.split_once('=')?;
                        names.contains(&name).then_some(value)
                    })
                };
                (part(&["source", "src"]), part(&["target", "destination", "dst"]))
            }
            _ => continue,
        };
        let (Some(from), Some(to)) = (from, to) else { continue };
        // A name without a slash is a volume, not a folder of this machine.
        if from.starts_with(['/', '.', '~']) {
            let from = match directory {
                Some(directory) => resolve(directory, from),
                None => PathBuf::from(from),
            };
            mounts.push((from, PathBuf::from(to)));
        }
    }
    mounts
}

/// A path there as it is called here, when it lies in one of the mounted folders.
pub(super) fn at_home(mounts: &[(PathBuf, PathBuf)], path: &Path) -> Option<PathBuf> {
    mounts.iter().find_map(|(here, there)| Some(here.join(path.strip_prefix(there).ok()?)))
}

impl Reader {
    /// Reads what a command has run elsewhere.
    pub(super) fn read_away(&mut self, away: Away, command: &Command) {
        let input = command.input.clone();
        let text = match away.words.as_slice() {
            [] => output::sketch_from(&self.script, &input),
            [only] if away.is_text => Some(only.text.clone()),
            _ => None,
        };
        if text.is_none() && away.words.is_empty() {
            return;
        }
        let functions = std::mem::take(&mut self.functions);
        let outer = (std::mem::replace(&mut self.home, PathBuf::from(HOME)), self.elsewhere.take());
        let unread = self.script.unread.len();
        let starts_in = away.directory.clone();
        let mounts = away.mounts.clone();
        self.elsewhere = Some(Elsewhere { throwaway: away.throwaway, mounts });
        self.isolated(|reader| {
            reader.place.variables = Default::default();
            reader.place.arguments = None;
            reader.place.directory = starts_in.and_then(|there| reader.home_of(&there));
            match text {
                Some(text) if away.is_text && !away.words.is_empty() => reader.inner_text_with(&text, input),
                Some(text) => reader.inner_text(&text),
                None => {
                    let source = first_line(&command.source);
                    reader.run(Command { words: away.words, input, source, ..Command::default() });
                }
            }
        });
        // What can't be read there is no reason for a word here.
        self.script.unread.truncate(unread);
        (self.home, self.elsewhere) = outer;
        self.functions = functions;
    }

    /// A path there: what it is called here if it is mounted, itself where what is there stays, else nothing known.
    pub(super) fn home_of(&self, there: &Path) -> Option<PathBuf> {
        let Some(elsewhere) = &self.elsewhere else { return Some(there.to_path_buf()) };
        let here = at_home(&elsewhere.mounts, there);
        here.or_else(|| (!elsewhere.throwaway).then(|| there.to_path_buf()))
    }

    /// Marks a command that runs elsewhere. `None` when it touches nothing that stays.
    pub(super) fn placed(&self, mut command: Command) -> Option<Command> {
        let Some(elsewhere) = &self.elsewhere else { return Some(command) };
        if !elsewhere.throwaway {
            command.remote = true;
            return Some(command);
        }
        let mut touches = command.directory.is_some();
        let words = command.words.iter_mut().skip(1);
        for word in words.chain(command.redirects.iter_mut().map(|redirect| &mut redirect.target)) {
            if let Some(here) = at_home(&elsewhere.mounts, Path::new(&word.text)).filter(|_| word.known) {
                word.text = here.to_string_lossy().into_owned();
                touches = true;
            }
        }
        touches.then_some(command)
    }
}

/// Where the text at hand runs, when that is not here.
#[derive(Debug, Clone, Default)]
pub(super) struct Elsewhere {
    throwaway: bool,
    pub(super) mounts: Vec<(PathBuf, PathBuf)>,
}

/// What of a command's effects elsewhere can't be taken back.
pub(super) fn effect(command: &Command, effect: &Effect) -> Option<Effect> {
    use EffectKind::{
        ChangeMode, ChangesElsewhere, Delete, DestroysVolume, LosesElsewhere, Overwrite, Releases, Truncate,
    };
    let kind = match effect.kind {
        LosesElsewhere | ChangesElsewhere | Releases => return Some(effect.clone()),
        DestroysVolume => LosesElsewhere,
        Delete => effect
            .targets
            .iter()
            .filter_map(|target| deletion(effect, target))
            .max_by_key(|kind| *kind == LosesElsewhere)?,
        Overwrite | Truncate if effect.targets.iter().any(is_disk) => LosesElsewhere,
        ChangeMode
            if effect.recursive
                && effect.targets.iter().any(|target| target.path.as_deref().is_some_and(is_system)) =>
        {
            LosesElsewhere
        }
        EffectKind::RunsUnseen => ChangesElsewhere,
        _ => return None,
    };
    let line = command.words.iter().map(Word::shown).collect::<Vec<_>>().join(" ");
    Some(Effect { kind, detail: first_line(&line), targets: Vec::new(), ..effect.clone() })
}

fn deletion(effect: &Effect, target: &super::Target) -> Option<EffectKind> {
    let path = target.path.as_deref().filter(|path| path.is_absolute())?;
    let made_again = |path: &Path| {
        path.components().any(|part| {
            let name = part.as_os_str().to_string_lossy();
            MADE_AGAIN.iter().any(|known| *known == name)
        })
    };
    let temporary = ["/tmp", "/var/tmp", "/dev/shm", "/var/cache", "/run"]
        .iter()
        .any(|folder| path.starts_with(folder) && path != Path::new(folder));
    let file_in_system = !effect.recursive && is_system(path);
    match (temporary || made_again(path), effect.recursive && !target.partial) {
        (true, _) => None,
        (false, true) => Some(EffectKind::LosesElsewhere),
        (false, false) if file_in_system => Some(EffectKind::LosesElsewhere),
        (false, false) => Some(EffectKind::ChangesElsewhere),
    }
}

/// Names of folders that tools make again, wherever they are.
const MADE_AGAIN: &[&str] = &[
    "node_modules",
    "build",
    "dist",
    "target",
    "out",
    "tmp",
    "cache",
    ".cache",
    "__pycache__",
    ".venv",
    "venv",
    "coverage",
];

fn is_disk(target: &super::Target) -> bool {
    target.path.as_deref().is_some_and(|path| {
        path.starts_with("/dev") && !path.starts_with("/dev/shm") && path.components().count() > 2
    })
}

/// The root, a folder right below it, or anything in the system's own.
fn is_system(path: &Path) -> bool {
    const SYSTEM: &[&str] = &["etc", "usr", "bin", "sbin", "lib", "lib64", "boot", "sys", "proc", "var"];
    let mut names = path.components().filter_map(|part| match part {
        Component::Normal(name) => name.to_str(),
        _ => None,
    });
    match (names.next(), names.next()) {
        (_, None) => true,
        (Some(first), _) => SYSTEM.contains(&first),
        _ => false,
    }
}
