//! What a session cost, from the host's transcript: one JSON object a line, the model's answers with their usage.
//!
//! An answer stands in several lines, one for each block of it, with one id: it counts once. Prices are not known here;
//! money is what the transcript itself says, or unknown.

use std::collections::HashMap;
use std::io::BufRead;

use jiff::Timestamp;
use serde::Deserialize;

/// The longest line that is read; a longer one holds a tool's output and no usage.
const LONGEST: u64 = 4 << 20;
/// How many answers are told apart.
const MOST: usize = 1_000_000;

/// One answer of the model.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ModelAnswer {
    /// When.
    pub at: Timestamp,
    /// Tokens in and out, those read from a cache and written to one too.
    pub tokens: u64,
    /// US dollars, where the host says.
    pub usd: Option<f64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct UsageLine {
    timestamp: Option<Timestamp>,
    request_id: Option<String>,
    #[serde(rename = "costUSD")]
    cost_usd: Option<f64>,
    message: Option<UsageMessage>,
}

#[derive(Deserialize)]
struct UsageMessage {
    id: Option<String>,
    usage: Option<Usage>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Usage {
    input_tokens: u64,
    output_tokens: u64,
    cache_creation_input_tokens: u64,
    cache_read_input_tokens: u64,
}

/// The answers of a transcript, in the order of their first lines.
pub fn answers(bytes: &mut dyn BufRead) -> Vec<ModelAnswer> {
    use std::io::Read;
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut answers: Vec<ModelAnswer> = Vec::new();
    let mut line = Vec::new();
    loop {
        line.clear();
        match (&mut *bytes).take(LONGEST).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return answers,
            Ok(_) => {}
        }
        // Most lines are prompts and results of tools.
        if memchr::memmem::find(&line, b"\"usage\"").is_none() {
            continue;
        }
        let Ok(said) = serde_json::from_slice::<UsageLine>(&line) else { continue };
        let (Some(at), Some(message)) = (said.timestamp, said.message) else { continue };
        let Some(usage) = message.usage else { continue };
        let tokens = [
            usage.input_tokens,
            usage.output_tokens,
            usage.cache_creation_input_tokens,
            usage.cache_read_input_tokens,
        ];
        let tokens = tokens.into_iter().fold(0u64, u64::saturating_add);
        let key = format!("{} {}", message.id.unwrap_or_default(), said.request_id.unwrap_or_default());
        let known = places.get(&key).copied().filter(|_| key.len() > 1);
        if let Some(known) = known.and_then(|place| answers.get_mut(place)) {
            // Later lines of one answer know more of what it came to.
            known.tokens = known.tokens.max(tokens);
        } else if answers.len() < MOST {
            places.insert(key, answers.len());
            answers.push(ModelAnswer { at, tokens, usd: said.cost_usd });
        }
    }
}

/// Tokens and dollars of the answers from `from` on and before `to`; `None` where nothing is known.
pub fn spent(answers: &[ModelAnswer], from: Timestamp, to: Timestamp) -> (Option<u64>, Option<f64>) {
    let within: Vec<&ModelAnswer> =
        answers.iter().filter(|answer| answer.at >= from && answer.at < to).collect();
    if within.is_empty() {
        return (None, None);
    }
    let tokens = within.iter().fold(0u64, |sum, answer| sum.saturating_add(answer.tokens));
    let usd: Option<f64> = within.iter().map(|answer| answer.usd).sum();
    (Some(tokens), usd)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_counts_once() {
        let line = |id: &str, second: u32, out: u32, rest: &str| {
            format!(
                r#"{{"type":"assistant","timestamp":"2026-01-01T00:00:{second:02}Z","message":{{"id":"{id}","usage":{{"input_tokens":10,"output_tokens":{out},"cache_read_input_tokens":100}}}}{rest}}}"#
            )
        };
        let text = [
            line("a", 1, 1, ""),
            line("a", 2, 5, ""),
            r#"{"type":"user","message":{"content":"\"usage\""}}"#.to_owned(),
            "no json \"usage\"".to_owned(),
            line("b", 9, 5, ""),
        ]
        .join("\n");
        let all = answers(&mut text.as_bytes());
        assert_eq!(all.iter().map(|answer| answer.tokens).collect::<Vec<_>>(), [115, 115]);
        let at = |second: i64| Timestamp::new(1_767_225_600 + second, 0).unwrap();
        assert_eq!(spent(&all, at(0), at(5)), (Some(115), None));
        assert_eq!(spent(&all, at(0), at(60)), (Some(230), None));
        assert_eq!(spent(&all, at(20), at(60)), (None, None));
        let priced = answers(&mut line("a", 1, 1, r#","costUSD":0.25"#).as_bytes());
        assert_eq!(spent(&priced, at(0), at(60)), (Some(111), Some(0.25)));
    }
}
