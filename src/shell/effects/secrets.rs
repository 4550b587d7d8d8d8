//! Secrets that a command sends to the network: files whose names say that they hold keys or passwords, in the body of a
//! request or down a connection.

use crate::shell::effects::services::http::is_here;
use crate::shell::model::{Command, CommandInput, Effect, EffectKind, Script, Word};

/// Clients of HTTP that send what an option names.
const CLIENTS: &[&str] = &["curl", "wget", "http", "https", "xh", "xhs"];
/// Programs that send what comes in.
const PIPES: &[&str] = &["nc", "ncat", "netcat", "socat", "telnet", "mail", "mailx", "sendmail", "mutt"];
/// Programs between a file and the network that change only how it looks.
const PACKERS: &[&str] = &[
    "cat", "base64", "base32", "gzip", "xxd", "hexdump", "od", "openssl", "tar", "head", "tail", "tr", "jq",
    "zip",
];
/// How many programs may stand between.
const FARTHEST: usize = 6;

/// What a command sends.
pub(crate) fn effect(script: &Script, command: &Command) -> Option<Effect> {
    let program = command.program();
    let words = command.words.get(1..)?;
    let by_client = CLIENTS.contains(&program);
    let sent = match program {
        _ if by_client => in_words(program, words).or_else(|| {
            let takes_input = words.iter().any(|word| takes_what_comes_in(&word.text));
            takes_input.then(|| coming_in(script, &command.input, FARTHEST)).flatten()
        }),
        _ if PIPES.contains(&program) => coming_in(script, &command.input, FARTHEST),
        "gh" if matches!(words, [gist, create, ..] if gist.text == "gist" && create.text == "create") => {
            named_in(words)
        }
        _ => down_a_socket(script, command),
    }?;
    let mut addresses = words.iter().map(|word| word.text.as_str()).filter(|text| !text.starts_with('-'));
    let is_local = match by_client {
        true => addresses.any(|text| text.contains("://") && is_here(text) || text.starts_with("localhost")),
        false => addresses.any(|text| is_here(text) && text.len() > 1),
    };
    (!is_local).then(|| {
        let detail = format!("{} of {sent}", if program.is_empty() { "a connection" } else { program });
        Effect::of(EffectKind::Releases, command, &detail, &[], command.directory.as_deref())
    })
}

/// `@-`, `-T -`: the client sends what comes in.
fn takes_what_comes_in(text: &str) -> bool {
    matches!(text, "@-" | "-" | "-T-" | "-d@-" | "--post-file=-") || text.ends_with("=@-")
}

/// A file that an option of a client names: `-d @f`, `-F x=@f`, `-T f`, `--post-file=f`, `field@f`.
fn in_words(program: &str, words: &[Word]) -> Option<String> {
    let is_upload = |option: &str| matches!(option, "-T" | "--upload-file" | "--post-file" | "--body-file");
    let named = words.iter().enumerate().filter_map(|(index, word)| {
        let text = word.text.as_str();
        let before = index.checked_sub(1).and_then(|index| words.get(index)).map_or("", |word| &word.text);
        let glued = ["--upload-file=", "--post-file=", "--body-file=", "-T"];
        let glued = glued.iter().find_map(|option| text.strip_prefix(option)).filter(|file| !file.is_empty());
        let by_sign = || text.split_once('@').map(|(_, file)| file.split(';').next().unwrap_or_default());
        let is_body = text.starts_with('@')
            || text.contains("=@")
            || text.starts_with("-d@")
            || !program.starts_with("curl");
        match is_upload(before) {
            true => Some(text),
            false => glued.or_else(|| by_sign().filter(|_| is_body && !text.contains("://"))),
        }
    });
    named.filter(|file| is_secret(file)).map(str::to_owned).next()
}

/// The first of the words that names a secret.
fn named_in(words: &[Word]) -> Option<String> {
    words.iter().find(|word| is_secret(&word.text)).map(|word| word.text.clone())
}

/// The secret that comes in, through programs that change only how it looks.
fn coming_in(script: &Script, input: &CommandInput, farthest: usize) -> Option<String> {
    match input {
        CommandInput::File(file) => is_secret(&file.text).then(|| file.text.clone()),
        CommandInput::From(index) if farthest > 0 => {
            let command = script.commands.get(*index).filter(|command| !command.remote)?;
            let words = command.words.get(1..)?;
            match command.program() {
                "env" | "printenv" if words.is_empty() => Some("the environment".to_owned()),
                program if PACKERS.contains(&program) => {
                    named_in(words).or_else(|| coming_in(script, &command.input, farthest - 1))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// `cat key > /dev/tcp/host/port`.
fn down_a_socket(script: &Script, command: &Command) -> Option<String> {
    let is_socket = |text: &str| text.starts_with("/dev/tcp/") && !text.starts_with("/dev/tcp/localhost");
    command.redirects.iter().any(|redirect| is_socket(&redirect.target.text)).then_some(())?;
    named_in(command.words.get(1..)?).or_else(|| coming_in(script, &command.input, FARTHEST))
}

/// Whether a path's name says that it holds keys or passwords, and no example of them.
fn is_secret(path: &str) -> bool {
    const NAMES: &[&str] = &[
        ".netrc",
        ".pgpass",
        ".pypirc",
        ".git-credentials",
        ".vault-token",
        "id_rsa",
        "id_ed25519",
        "id_ecdsa",
        "id_dsa",
        ".bash_history",
        ".zsh_history",
    ];
    const PLACES: &[&str] =
        &[".aws/credentials", ".kube/config", ".docker/config.json", "/etc/shadow", ".config/gh/hosts.yml"];
    const EXAMPLES: &[&str] = &["example", "sample", "template", "test", "dist", "defaults", "schema", "pub"];
    let path = path.trim_matches(['"', '\'']);
    let name = path.rsplit('/').next().unwrap_or_default();
    let is_example = EXAMPLES.iter().any(|example| name.ends_with(example));
    let is_environment = name == ".env" || name.starts_with(".env.");
    let of_folder =
        |folder: &str| path.contains(&format!("/{folder}/")) || path.starts_with(&format!("{folder}/"));
    let of_ssh = of_folder(".ssh") && !name.starts_with("known_hosts") && name != "config";
    !is_example
        && (is_environment
            || of_ssh
            || of_folder(".gnupg")
            || path.ends_with("/.ssh")
            || NAMES.contains(&name)
            || PLACES.iter().any(|place| path.ends_with(place)))
}
