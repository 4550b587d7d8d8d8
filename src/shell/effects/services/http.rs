//! Requests that delete something: by the clients of HTTP, and by the programs of code hosts that send them.

use crate::shell::model::{Command, Effect, EffectKind, UNKNOWN};

/// Clients whose method an option names.
const BY_OPTION: &[&str] = &["curl", "wget", "gh", "glab"];
/// Clients whose method is a word of its own.
const BY_WORD: &[&str] = &["http", "https", "xh", "xhs", "httpie"];
/// Options that name a method.
const METHODS: &[&str] = &["-X", "--request", "--method"];
/// Parts of a path under which what is deleted can be put back by a word.
const LIGHT: &[&str] =
    &["/labels/", "/reactions/", "/assignees", "/subscription", "/notifications", "/caches"];
/// Ends of a path that delete whatever the method is.
const DELETING: &[&str] = &["_delete_by_query", "/_all"];

/// What a request deletes.
pub(crate) fn effect(command: &Command) -> Option<Effect> {
    let program = command.program();
    let words: Vec<&str> = command.words.iter().skip(1).map(|word| word.text.as_str()).collect();
    let is_api = matches!(program, "gh" | "glab");
    if (is_api && words.first() != Some(&"api")) || words.contains(&"--help") {
        return None;
    }
    let deletes = (BY_OPTION.contains(&program)
        && method(&words).is_some_and(|it| it.eq_ignore_ascii_case("delete")))
        || (BY_WORD.contains(&program) && first_word(&words).eq_ignore_ascii_case("delete"))
        || (program == "curl" && words.iter().any(|word| DELETING.iter().any(|end| word.ends_with(end))))
        || (writes(program, &words) && words.iter().any(|word| is_address(word, is_api) && is_purging(word)))
        || (is_api && mutates(&words));
    let address = operands(&words).find(|word| is_address(word, is_api)).unwrap_or_default();
    let changes =
        is_api && method(&words).is_some_and(|it| ["put", "patch"].contains(&&*it.to_ascii_lowercase()));
    // A branch that is set by force loses what only it had.
    let sets = changes || method(&words).is_some_and(|it| it.eq_ignore_ascii_case("patch"));
    let by_force = |word: &&str| {
        let plain = word.replace([' ', '"'], "");
        matches!(*word, "force=true" | "-Fforce=true" | "-fforce=true") || plain.contains("force:true")
    };
    let forces = sets && words.iter().any(|word| word.contains("/git/refs/")) && words.iter().any(by_force);
    if forces {
        let detail = format!("{program} api of a forced push");
        return Some(Effect::of(EffectKind::LosesElsewhere, command, &detail, &[], None));
    }
    if changes && !deletes {
        return Some(Effect::of(EffectKind::ChangesElsewhere, command, &format!("{program} api"), &[], None));
    }
    if !deletes || (!is_api && is_here(address)) {
        return None;
    }
    let light = LIGHT.iter().any(|part| address.contains(part)) || (!is_api && address.starts_with(UNKNOWN));
    let kind = if light { EffectKind::ChangesElsewhere } else { EffectKind::LosesElsewhere };
    Some(Effect::of(kind, command, &format!("{program} DELETE"), &[], None))
}

/// The words that are no option and no option's value: of those that take one, what these clients are used with.
fn operands<'c>(words: &'c [&'c str]) -> impl Iterator<Item = &'c str> {
    const VALUED: &[&str] = &[
        "-o",
        "--output",
        "-w",
        "--write-out",
        "-d",
        "--data",
        "--data-raw",
        "--data-binary",
        "-H",
        "--header",
        "-F",
        "--form",
        "-T",
        "--upload-file",
        "-u",
        "--user",
        "-b",
        "--cookie",
        "-c",
        "--cookie-jar",
        "-K",
        "--config",
        "-A",
        "--user-agent",
        "-e",
        "--referer",
        "--cacert",
        "--cert",
        "--key",
        "-D",
        "--dump-header",
    ];
    let is_value = |index: usize| {
        index.checked_sub(1).and_then(|at| words.get(at)).is_some_and(|word| VALUED.contains(word))
    };
    words.iter().copied().enumerate().filter(move |(index, _)| !is_value(*index)).map(|(_, word)| word)
}

/// Whether a request hands something over: by its method, or by the data that it has.
fn writes(program: &str, words: &[&str]) -> bool {
    const DATA: &[&str] = &["-d", "--data", "--json", "-F", "--form", "-f", "-T", "--post-data"];
    let is_data =
        |word: &&str| DATA.contains(word) || word.starts_with("--data") || word.starts_with("--post-");
    let named = method(words).or(BY_WORD.contains(&program).then(|| first_word(words)));
    match named.map(str::to_ascii_uppercase).as_deref() {
        Some("POST" | "PUT" | "PATCH") => true,
        Some("GET" | "HEAD") => false,
        _ => matches!(program, "curl" | "wget") && words.iter().any(is_data),
    }
}

/// Whether a part of an address is an order to take away what is there: `/purge`, `/reset-database`, `chat.delete`.
pub(crate) fn is_purging(address: &str) -> bool {
    const ORDERS: &[&str] =
        &["purge", "wipe", "destroy", "delete", "truncate", "flush", "drop", "terminate", "erase", "nuke"];
    const ALL: &[&str] =
        &["reset-d", "reset_d", "reset-all", "reset_all", "remove-all", "remove_all", "clear-all"];
    let path = address.split_once("://").map_or(address, |(_, rest)| rest);
    let path = path.split(['?', '#']).next().unwrap_or_default();
    path.split('/').skip(1).any(|part| {
        let part = part.to_ascii_lowercase();
        let begins = |order: &&str| {
            part.strip_prefix(*order)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '_', '.', ':']))
        };
        let ends = |order: &&str| {
            part.strip_suffix(*order).is_some_and(|before| before.ends_with(['.', ':', '-', '_']))
        };
        ORDERS.iter().any(|order| begins(order) || ends(order)) || ALL.iter().any(|all| part.starts_with(all))
    })
}

fn method<'c>(words: &[&'c str]) -> Option<&'c str> {
    words.iter().enumerate().find_map(|(index, word)| {
        let glued =
            METHODS.iter().find_map(|option| word.strip_prefix(option)).filter(|rest| !rest.is_empty());
        match glued {
            Some(value) => Some(value.trim_start_matches('=')),
            // `-sX DELETE`, `-sXDELETE`
            None => {
                let letters = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
                let after = letters.and_then(|letters| letters.split_once('X')).map(|(_, after)| after);
                if let Some(value) = after.filter(|value| !value.is_empty()) {
                    return Some(value);
                }
                let cluster = word.starts_with('-') && !word.starts_with("--") && word.ends_with('X');
                (METHODS.contains(word) || cluster).then(|| words.get(index + 1).copied()).flatten()
            }
        }
    })
}

fn first_word<'c>(words: &[&'c str]) -> &'c str {
    words.iter().copied().find(|word| !word.starts_with('-')).unwrap_or_default()
}

/// A question to a graph that deletes.
fn mutates(words: &[&str]) -> bool {
    words.contains(&"graphql")
        && words.iter().any(|word| {
            let text = word.to_ascii_lowercase();
            text.contains("mutation") && (text.contains("delete") || text.contains("{remove"))
        })
}

fn is_address(word: &str, is_api: bool) -> bool {
    let is_path = !word.starts_with('-') && word.contains('/') && !word.contains(' ');
    is_path || (!is_api && (word.starts_with(UNKNOWN) || is_here(word)))
}

/// Whether an address is on this machine, or a name for nobody.
pub(crate) fn is_here(address: &str) -> bool {
    let after = address.split_once("://").map_or(address, |(_, rest)| rest);
    let authority = after.split(['/', '?']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let host = if host.starts_with('[') { host } else { host.split(':').next().unwrap_or_default() };
    matches!(host, "localhost" | "127.0.0.1" | "0.0.0.0" | "[::1]" | "host.docker.internal")
        || address.starts_with(':')
        || [".localhost", ".local", ".test", ".example"].iter().any(|end| host.ends_with(end))
        || host.starts_with("[::1]")
}
