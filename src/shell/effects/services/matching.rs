//! How a rule of words is compared with the words of a command.

use crate::shell::model::Command;

/// One operand, with whether it may be the value of the option before it.
pub(crate) type ServiceOperand<'c> = (&'c str, bool);

pub(crate) fn operands(command: &Command, skipped: usize) -> Vec<ServiceOperand<'_>> {
    let mut after_option = false;
    let mut all = false;
    let mut operands = Vec::new();
    for word in command.words.iter().skip(1 + skipped) {
        let text = word.text.as_str();
        if !all && text == "--" {
            (all, after_option) = (true, false);
        } else if !all && text.len() > 1 && text.starts_with('-') {
            after_option = !text.contains('=');
        } else {
            operands.push((text, after_option));
            after_option = false;
        }
    }
    operands
}

/// The operands and options by which a rule fits.
pub(crate) fn fits<'c>(
    rule: &'static str,
    command: &'c Command,
    operands: &[ServiceOperand<'c>],
) -> Option<Vec<&'c str>> {
    let mut by = Vec::new();
    let mut rest = operands.iter();
    let mut skips = false;
    for token in rule.split(' ').skip(1) {
        match token.as_bytes() {
            b"~" => {}
            [b'!', ..] => {
                given(command, token.get(1..)?).is_none().then_some(())?;
            }
            [b'-', ..] => by.push(given(command, token)?),
            _ if token == "…" => skips = true,
            _ => by.push(loop {
                let (text, may_be_value) = rest.next()?;
                if !(skips && *may_be_value) && is_one_of(token, text) {
                    skips = false;
                    break *text;
                }
                (skips || *may_be_value).then_some(())?;
            }),
        }
    }
    Some(by)
}

/// The option among `names` that is given: whole, with a value, or as a letter of a cluster.
pub(crate) fn given<'c>(command: &'c Command, names: &str) -> Option<&'c str> {
    let texts = command.words.iter().skip(1).map(|word| word.text.as_str()).take_while(|text| *text != "--");
    let is = |text: &str, name: &str| {
        let letter = name.strip_prefix('-').filter(|letter| letter.len() == 1);
        text == name
            || text.strip_prefix(name).is_some_and(|rest| rest.starts_with('='))
            || letter.is_some_and(|letter| {
                text.strip_prefix('-').is_some_and(|cluster| {
                    cluster.len() < 5
                        && cluster.contains(letter)
                        && cluster.bytes().all(|byte| byte.is_ascii_alphabetic())
                })
            })
    };
    texts.into_iter().find(|text| names.split('|').any(|name| is(text, name)))
}

/// Whether an operand is one of the alternatives: whole, before its first `/` (`ns/prod`), or after its last.
fn is_one_of(alternatives: &str, text: &str) -> bool {
    let before = text.split('/').next().unwrap_or_default();
    let after = text.rsplit('/').next().unwrap_or_default();
    alternatives.split('|').any(|one| {
        [text, before, after].iter().any(|part| is_like(one, part))
            || text.split(',').any(|part| !one.contains('*') && is_like(one, part))
    })
}

/// A word with at most one `*` at either end, or `?` for its first letter; capitals count as small letters.
fn is_like(pattern: &str, text: &str) -> bool {
    let same = |one: &str, other: &str| one.eq_ignore_ascii_case(other);
    if let Some(rest) = pattern.strip_prefix('?') {
        let mut letters = text.chars();
        return letters.next().is_some_and(|letter| letter.is_ascii_alphabetic())
            && is_like(rest, letters.as_str());
    }
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(""), _) => !text.is_empty(),
        (Some(end), _) => text
            .len()
            .checked_sub(end.len())
            .and_then(|at| text.get(at..))
            .is_some_and(|tail| same(tail, end)),
        (_, Some(start)) => text.get(..start.len()).is_some_and(|head| same(head, start)),
        _ => same(pattern, text),
    }
}
