//! Source that fetches a text from the network, and runs it or saves it as a script.

use crate::shell::model::ScriptLanguage;
use crate::shell::wrappers::interpreter_code::functions::EVALUATORS;
use crate::shell::wrappers::interpreter_code::tokens::{SourceToken, tokens};
use crate::shell::wrappers::interpreter_code::unseen::starts_what_is_unknown;

/// Functions that fetch a text from the network.
const FETCHERS: &[&str] = &[
    "urlopen",
    "urlretrieve",
    "requests.get",
    "httpx.get",
    "fetch",
    "https.get",
    "http.get",
    "axios",
    "axios.get",
    "got",
    "Net.HTTP.get",
    "URI.open",
    "LWP.Simple.get",
    "getstore",
    "file_get_contents",
    "copy",
    "curl_exec",
    "HTTP.Tiny",
];
/// Modules of JavaScript that fetch.
const MODULES: &[&str] =
    &["http", "https", "node:http", "node:https", "axios", "got", "node-fetch", "undici"];
/// Functions that run a text of their own language, besides those that each is read by.
const RUNNERS: &[&str] = &[
    "eval",
    "runInThisContext",
    "runInNewContext",
    "runInContext",
    "compileFunction",
    "vm.Script",
    "Function",
    "instance_eval",
    "class_eval",
    "import",
];

/// `source("https://…")` of R, and what its packages call the same.
fn sources_an_address(source: &str) -> bool {
    const SOURCES: &[&str] = &["source", "sys.source", "source_url", "devtools::source_url", "source_gist"];
    let tokens = tokens(ScriptLanguage::Awk, source);
    tokens.windows(3).any(|three| match three {
        [SourceToken::Name(name), SourceToken::Sign('('), SourceToken::Text(Some(text))] => {
            SOURCES.contains(&name.as_str()) && (text.starts_with("https://") || text.starts_with("http://"))
        }
        _ => false,
    })
}

/// Whether a source runs what it fetches from the network.
pub(crate) fn is_run(language: ScriptLanguage, source: &str) -> bool {
    if language == ScriptLanguage::Awk && sources_an_address(source) {
        return true;
    }
    fetches(language, source) && {
        let tokens = tokens(language, source);
        (0..tokens.len()).any(|at| runs(language, &tokens, at)) || starts_what_is_unknown(language, source)
    }
}

/// The script that a source saves from the network, by a name in it.
pub(crate) fn saves_one(
    language: ScriptLanguage,
    source: &str,
    is_script: impl Fn(&str) -> bool,
) -> Option<String> {
    fetches(language, source).then_some(())?;
    let texts = tokens(language, source).into_iter().filter_map(|token| match token {
        SourceToken::Text(Some(text)) => Some(text),
        _ => None,
    });
    texts.into_iter().find(|text| is_script(text) && !text.contains("://"))
}

/// Whether a source names an address of the network and a function that fetches from there.
fn fetches(language: ScriptLanguage, source: &str) -> bool {
    if !source.contains("://") {
        return false;
    }
    let tokens = tokens(language, source);
    let is_own =
        |host: &str| ["localhost", "127.", "0.0.0.0", "[::1]"].iter().any(|own| host.starts_with(own));
    let is_away = |token: &SourceToken| match token {
        SourceToken::Text(Some(text)) if text.starts_with("http") => {
            text.split_once("://").is_some_and(|(_, host)| !is_own(host))
        }
        _ => false,
    };
    let by_name = |name: &str| {
        let name = name.replace("::", ".");
        (language == ScriptLanguage::Perl && name == "get")
            || FETCHERS.iter().any(|known| {
                name == *known || name.strip_suffix(known).is_some_and(|rest| rest.ends_with('.'))
            })
    };
    let by = |token: &SourceToken| match token {
        SourceToken::Name(name) => by_name(name),
        SourceToken::Text(Some(text)) => MODULES.contains(&text.as_str()),
        _ => false,
    };
    tokens.iter().any(is_away) && tokens.iter().any(by)
}

/// Whether a token is a function that runs a text, called or handed on (`.then(eval)`, `eval get(…)`).
fn runs(language: ScriptLanguage, tokens: &[SourceToken], at: usize) -> bool {
    let Some(SourceToken::Name(name)) = tokens.get(at) else { return false };
    let own = EVALUATORS.iter().find(|(own, _)| *own == language).map_or(&[][..], |(_, names)| *names);
    let is_one = own.contains(&name.as_str())
        || RUNNERS.iter().any(|known| {
            name == known || name.strip_suffix(known).is_some_and(|rest| rest.ends_with(['.', ':']))
        });
    let called = matches!(tokens.get(at + 1), Some(SourceToken::Sign('(')));
    let handed_on = name == "eval" || (name == "exec" && language == ScriptLanguage::Python);
    is_one && (called || handed_on) && !is_a_plain_module(tokens, at, name)
}

/// `import('./own.js')`: a module that is here.
fn is_a_plain_module(tokens: &[SourceToken], at: usize, name: &str) -> bool {
    name == "import"
        && !matches!(tokens.get(at + 2), Some(SourceToken::Text(Some(text))) if text.starts_with("data:") || text.starts_with("http"))
}
