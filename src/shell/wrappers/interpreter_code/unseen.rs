//! Source that runs text which nobody has seen: decoded, fetched from the network, or a field of what comes in.

pub(crate) mod fetched;

use crate::shell::model::{ScriptLanguage, UNKNOWN};
use crate::shell::wrappers::interpreter_code::calls::each_call;
use crate::shell::wrappers::interpreter_code::functions::{EVALUATORS, FunctionEffect};
use crate::shell::wrappers::interpreter_code::literals::Literals;
use crate::shell::wrappers::interpreter_code::tokens::{SourceToken, tokens};

use ScriptLanguage::Awk;

/// Whether an awk program runs a field of its input (`system($0)`).
pub(crate) fn runs_fields(source: &str) -> bool {
    // A field is a name to the tokens, without its `$`.
    tokens(Awk, source).windows(3).any(|three| {
        matches!(three, [SourceToken::Name(system), SourceToken::Sign('('), SourceToken::Name(field)]
            if system == "system" && (field.is_empty() || field.bytes().all(|byte| byte.is_ascii_digit())))
    })
}

/// Names of functions that take an encoding off.
const DECODERS: &[&str] = &[
    "b64decode",
    "urlsafe_b64decode",
    "standard_b64decode",
    "a85decode",
    "unhexlify",
    "fromhex",
    "decompress",
    "atob",
    "decode_base64",
    "base64_decode",
    "decode64",
    "strict_decode64",
    "gzinflate",
    "gzuncompress",
    "inflateSync",
    "gunzipSync",
];

/// Whether a source runs, as source of its own language, what it takes out of an encoding.
pub(crate) fn runs_decoded_source(language: ScriptLanguage, source: &str) -> bool {
    let evaluators = EVALUATORS.iter().find(|(own, _)| *own == language).map_or(&[][..], |(_, names)| *names);
    if !evaluators.iter().any(|name| source.contains(name)) {
        return false;
    }
    let tokens = tokens(language, source);
    let decodes = |at: usize| {
        match tokens.get(at) {
        Some(SourceToken::Name(name)) if name.ends_with("Buffer.from") => tokens.iter().skip(at).any(
            |token| matches!(token, SourceToken::Text(Some(text)) if matches!(text.as_str(), "base64" | "hex")),
        ),
        Some(SourceToken::Name(name)) => DECODERS.contains(&name.rsplit(['.', ':']).next().unwrap_or_default()),
        _ => false,
    }
    };
    let runs = |pair: &[SourceToken]| match pair {
        [SourceToken::Name(name), next] if evaluators.contains(&name.as_str()) => {
            matches!(next, SourceToken::Sign('(') | SourceToken::Name(_))
        }
        _ => false,
    };
    tokens.windows(2).any(runs) && (0..tokens.len()).any(decodes)
}

/// Whether a call runs shell text that the source decodes first.
pub(crate) fn runs_decoded(language: ScriptLanguage, source: &str) -> bool {
    let decodes = |name: &str| DECODERS.contains(&name.rsplit(['.', ':']).next().unwrap_or_default());
    let tokens = tokens(language, source);
    if !tokens.iter().any(|token| matches!(token, SourceToken::Name(name) if decodes(name))) {
        return false;
    }
    starts_what_is_unknown(language, source)
}

/// Whether a call runs shell text of which the source's own words do not say what it is.
fn starts_what_is_unknown(language: ScriptLanguage, source: &str) -> bool {
    let tokens = tokens(language, source);
    // A name that was given another value is not the module.
    let assigned = |name: &str| {
        let base = name.split('.').next().unwrap_or_default();
        tokens.windows(3).any(|three| {
            matches!(three, [SourceToken::Name(given), SourceToken::Sign('='), next]
                if given == base && *next != SourceToken::Sign('='))
        })
    };
    let mut runs = false;
    each_call(language, source, |call| {
        let is_unknown = |argument: &Literals| {
            argument.as_ref().is_none_or(|values| values.iter().any(|(text, _)| text.contains(UNKNOWN)))
        };
        let unknown = call.arguments.iter().any(is_unknown);
        runs |= matches!(call.does, Some(FunctionEffect::Shell)) && unknown && !assigned(call.name);
    });
    runs
}
