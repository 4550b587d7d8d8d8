//! PHPUnit: the numbered lists under `There was 1 error:` and `There were 2 failures:`.

use crate::loops::failures::{Failure, error_class, frames};

pub(crate) fn read(lines: &[&str]) -> Vec<Failure> {
    let is_head = |line: &str| {
        let counted = line.starts_with("There was ") || line.starts_with("There were ");
        counted && (line.contains("failure") || line.contains("error")) && line.ends_with(':')
    };
    let Some(from) = lines.iter().position(|line| is_head(line)) else { return Vec::new() };
    let list = lines.get(from..).unwrap_or_default();
    let mut failures = Vec::new();
    for (at, line) in list.iter().enumerate() {
        let Some((count, name)) = line.split_once(") ") else { continue };
        let is_title =
            !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit()) && name.contains("::");
        if is_title {
            failures.push(block(name, list.get(at + 1..).unwrap_or_default()));
        }
    }
    failures
}

fn block(name: &str, below: &[&str]) -> Failure {
    let ends = |line: &str| {
        line.starts_with("--") || line.contains(") ") && line.contains("::") || line.starts_with("Tests: ")
    };
    let body =
        below.get(..below.iter().position(|line| ends(line)).unwrap_or(below.len())).unwrap_or_default();
    let told = body.first().copied().unwrap_or_default().trim();
    let class = error_class(told).or_else(|| exception(told));
    let message = class.as_ref().and_then(|_| told.split_once(": ")).map_or(told, |(_, message)| message);
    let side = |sign: char| {
        let diff = body.iter().skip_while(|line| !line.starts_with("@@ "));
        diff.skip(1).find_map(|line| line.strip_prefix(sign)).map(|value| value.trim().to_owned())
    };
    Failure {
        test: Some(name.trim().to_owned()),
        message: message.to_owned(),
        expected: side('-'),
        actual: side('+'),
        place: body
            .iter()
            .filter_map(|line| frames::alone(line))
            .find(|frame| frame.own)
            .map(|frame| frame.place),
        error_type: Some(class.unwrap_or_else(|| "assertion".to_owned())),
    }
}

/// The class of `Shop\CartIsEmpty: message`.
fn exception(told: &str) -> Option<String> {
    let (class, _) = told.split_once(": ")?;
    let is_class = class.starts_with(|c: char| c.is_ascii_uppercase()) && class.contains('\\');
    is_class.then(|| class.rsplit('\\').next().unwrap_or(class).to_owned())
}
