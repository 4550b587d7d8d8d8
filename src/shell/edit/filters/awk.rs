//! Programs of `awk`: patterns, `next`, `print`, `sub` and `gsub`.

use crate::shell::edit::machine::program::{Address, EditAction, EditCommand, EditProgram, RangePoint};
use crate::shell::edit::pattern::replacement::{ReplacementTemplate, Substitution, Writing};
use crate::shell::edit::pattern::{Flags, Flavour, TextPattern};
use crate::shell::edit::perl::lexer::until;
use crate::shell::edit::{ComputedEdit, EditStep};

/// A program of `awk`: patterns, `next`, `print`, `sub` and `gsub`.
pub(crate) fn awk(text: &str) -> Option<ComputedEdit> {
    let mut program = EditProgram { quiet: true, ..EditProgram::default() };
    let mut rest = text.trim();
    while !rest.is_empty() {
        rest = rule(rest, &mut program)?.trim_start_matches([' ', '\n', '\t', ';']);
    }
    let prints = !program.commands.is_empty() || !program.before.is_empty();
    prints.then(|| ComputedEdit { steps: vec![EditStep::Run(program)] })
}

/// One rule: its pattern, its actions, and what comes after it.
fn rule<'t>(text: &'t str, program: &mut EditProgram) -> Option<&'t str> {
    for (word, begins) in [("BEGIN", true), ("END", false)] {
        if let Some(rest) = text.strip_prefix(word) {
            let (body, rest) = until(rest.trim_start().strip_prefix('{')?, '{', '}')?;
            let printed = body.trim().trim_end_matches(';').strip_prefix("print")?.trim().to_owned();
            let line = format!("{}\n", literal(&printed)?);
            if begins {
                program.before.push_str(&line)
            } else {
                program.after.push_str(&line)
            }
            return Some(rest);
        }
    }
    let (address, negated, rest) = pattern(text)?;
    let rest = rest.trim_start();
    let mut actions = Vec::new();
    let rest = match rest.strip_prefix('{') {
        Some(rest) => {
            let (body, rest) = until(rest, '{', '}')?;
            match statements(&body).as_slice() {
                [only] if printed(only).is_some() => actions.extend(printed(only).into_iter().flatten()),
                all => {
                    for statement in all {
                        actions.push(action(statement)?);
                    }
                }
            }
            rest
        }
        None => {
            actions.push(EditAction::Print);
            rest
        }
    };
    if actions.len() > 1 {
        let end = program.commands.len() + 1 + actions.len();
        program.commands.push(EditCommand { address, negated, action: EditAction::Block(end) });
        program.commands.extend(actions.into_iter().map(EditCommand::always));
    } else {
        let action = actions.pop()?;
        program.commands.push(EditCommand { address, negated, action });
    }
    Some(rest)
}

pub(crate) fn pattern(text: &str) -> Option<(Address, bool, &str)> {
    if text.starts_with('{') {
        return Some((Address::All, false, text));
    }
    if let Some(rest) =
        text.strip_prefix('1').filter(|rest| !rest.starts_with(|it: char| it.is_alphanumeric()))
    {
        return Some((Address::All, false, rest));
    }
    let negated = text.starts_with('!');
    let text = text.trim_start_matches(['!', ' ']);
    if text.trim_start_matches(['(', ' ']).starts_with("NR") {
        let (lines, rest) = numbers(text)?;
        let ends = rest.trim_start();
        return (ends.is_empty() || ends.starts_with(['{', ';', '\n'])).then_some((
            Address::Between(lines.from, lines.to),
            lines.others != negated,
            rest,
        ));
    }
    let text = text.strip_prefix("$0").map_or(text, |rest| rest.trim_start().trim_start_matches(['~', ' ']));
    let (from, rest) = slashed(text)?;
    if let Some(after) = rest.trim_start().strip_prefix(',') {
        let (to, rest) = slashed(after.trim_start())?;
        return Some((Address::Range(RangePoint::Fits(from), RangePoint::Fits(to)), negated, rest));
    }
    let ends = rest.trim_start();
    (ends.is_empty() || ends.starts_with(['{', ';', '\n', '/', '1'])).then_some((
        Address::One(RangePoint::Fits(from)),
        negated,
        rest,
    ))
}

/// Lines by their numbers: those between two, or all others.
struct Numbers {
    from: usize,
    to: usize,
    others: bool,
}

/// `NR<9 || NR>12`, `NR>=9 && NR<=12`, in brackets or not, and what comes after it.
fn numbers(text: &str) -> Option<(Numbers, &str)> {
    if let Some(inside) = text.strip_prefix('(') {
        let (lines, rest) = numbers(inside.trim_start())?;
        return Some((lines, rest.trim_start().strip_prefix(')')?));
    }
    let (one, rest) = number(text)?;
    let after = rest.trim_start();
    if let Some(more) = after.strip_prefix("&&") {
        let (other, rest) = number(more.trim_start())?;
        let both = Numbers { from: one.from.max(other.from), to: one.to.min(other.to), others: false };
        return (!one.others && !other.others).then_some((both, rest));
    }
    if let Some(more) = after.strip_prefix("||") {
        let (other, rest) = number(more.trim_start())?;
        let (low, high) = if one.from <= other.from { (one, other) } else { (other, one) };
        // What is left out lies between the two.
        let is_gap =
            !low.others && !high.others && low.from == 1 && high.to == usize::MAX && low.to < high.from;
        return is_gap.then_some((Numbers { from: low.to + 1, to: high.from - 1, others: true }, rest));
    }
    Some((one, rest))
}

/// One comparison of a line's number.
fn number(text: &str) -> Option<(Numbers, &str)> {
    let rest = text.strip_prefix("NR")?.trim_start();
    let sign = ["==", "!=", "<=", ">=", "<", ">"].into_iter().find(|sign| rest.starts_with(sign))?;
    let rest = rest.get(sign.len()..)?.trim_start();
    let digits = rest.len() - rest.trim_start_matches(|it: char| it.is_ascii_digit()).len();
    let (number, rest) = rest.split_at_checked(digits)?;
    let number: usize = number.parse().ok()?;
    let (from, to) = match sign {
        "==" | "!=" => (number, number),
        "<=" => (1, number),
        ">=" => (number, usize::MAX),
        "<" => (1, number.checked_sub(1)?),
        _ => (number + 1, usize::MAX),
    };
    Some((Numbers { from, to, others: sign == "!=" }, rest))
}

fn slashed(text: &str) -> Option<(TextPattern, &str)> {
    let (inside, rest) = until(text.strip_prefix('/')?, '/', '/')?;
    Some((TextPattern::new(&inside, Flavour::Extended, Flags::default())?, rest))
}

/// The statements of a body, parted by `;` and lines outside of quotes.
fn statements(body: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut from, mut quoted, mut escaped) = (0, false, false);
    for (at, letter) in body.char_indices() {
        match letter {
            _ if std::mem::take(&mut escaped) => {}
            '\\' => escaped = true,
            '"' => quoted = !quoted,
            ';' | '\n' if !quoted => {
                parts.push(body.get(from..at).unwrap_or_default());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(body.get(from..).unwrap_or_default());
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}

fn action(statement: &str) -> Option<EditAction> {
    if matches!(statement, "print" | "print $0" | "print($0)") {
        return Some(EditAction::Print);
    }
    if matches!(statement, "exit" | "exit 0") {
        return Some(EditAction::QuitSilently);
    }
    if statement == "next" {
        return Some(EditAction::Delete);
    }
    if let Some(text) = statement.strip_prefix("print") {
        return Some(EditAction::PrintText(format!("{}\n", literal(text.trim())?)));
    }
    let all = statement.starts_with('g');
    let inside = statement.trim_start_matches('g').strip_prefix("sub")?.trim_start().strip_prefix('(')?;
    let inside = inside.trim_start();
    let (pattern, rest) = match inside.strip_prefix('"') {
        Some(quoted) => {
            let (text, rest) = until(quoted, '"', '"')?;
            (TextPattern::new(&text.replace("\\\\", "\\"), Flavour::Extended, Flags::default())?, rest)
        }
        None => slashed(inside)?,
    };
    let rest = rest.trim_start().strip_prefix(',')?.trim_start();
    let (with, rest) = until(rest.strip_prefix('"')?, '"', '"')?;
    let tail: String = rest.chars().filter(|it| !it.is_whitespace()).collect();
    if !matches!(tail.as_str(), ")" | ",$0)") {
        return None;
    }
    let with = ReplacementTemplate::new(&with.replace("\\\\", "\\"), Writing::Awk)?;
    Some(EditAction::Replace(Substitution { pattern, with, from: 1, all }))
}

/// `print "rm " $0`: the line between literals. `None` for a line or a literal alone, and for other fields.
fn printed(statement: &str) -> Option<[EditAction; 2]> {
    let mut rest = statement.strip_prefix("print")?.trim();
    if let Some(inside) = rest.strip_prefix('(') {
        rest = inside.strip_suffix(')')?.trim();
    }
    let (mut template, mut lines, mut literals) = (String::new(), 0, 0);
    while !rest.is_empty() {
        if let Some(quoted) = rest.strip_prefix('"') {
            let (inside, after) = until(quoted, '"', '"')?;
            literals += 1;
            template.push_str(&inside.replace('\\', "\\\\").replace('&', "\\&"));
            rest = after.trim_start();
        } else {
            lines += 1;
            template.push('&');
            rest = rest
                .strip_prefix("$0")
                .filter(|after| !after.starts_with(char::is_alphanumeric))?
                .trim_start();
        }
    }
    (lines > 0 && literals > 0).then_some(())?;
    let pattern = TextPattern::new("^.*$", Flavour::Extended, Flags::default())?;
    let with = ReplacementTemplate::new(&template, Writing::Awk)?;
    Some([EditAction::Replace(Substitution { pattern, with, from: 1, all: false }), EditAction::Print])
}

/// A program whose commands for the shell are printed instead (`system("rm " $0)`); `None` without one.
pub(crate) fn told_to_shell(text: &str) -> Option<ComputedEdit> {
    awk(&text.contains("system(").then(|| text.replace("system(", "print("))?)
}

fn literal(text: &str) -> Option<String> {
    let (inside, rest) = until(text.strip_prefix('"')?, '"', '"')?;
    rest.trim().is_empty().then(|| inside.replace("\\n", "\n").replace("\\t", "\t"))
}
