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
        || (is_api && mutates(&words));
    let address = words.iter().copied().find(|word| is_address(word, is_api)).unwrap_or_default();
    if !deletes || (!is_api && is_here(address)) {
        return None;
    }
    let light = LIGHT.iter().any(|part| address.contains(part)) || (!is_api && address.starts_with(UNKNOWN));
    let kind = if light { EffectKind::ChangesElsewhere } else { EffectKind::LosesElsewhere };
    Some(Effect::of(kind, command, &format!("{program} DELETE"), &[], None))
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
fn is_here(address: &str) -> bool {
    let after = address.split_once("://").map_or(address, |(_, rest)| rest);
    let authority = after.split(['/', '?']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let host = if host.starts_with('[') { host } else { host.split(':').next().unwrap_or_default() };
    matches!(host, "localhost" | "127.0.0.1" | "0.0.0.0" | "[::1]" | "host.docker.internal")
        || address.starts_with(':')
        || [".localhost", ".local", ".test", ".example"].iter().any(|end| host.ends_with(end))
        || host.starts_with("[::1]")
}
