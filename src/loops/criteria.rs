//! When a loop is done: text such as `npm test passes and npm run lint passes`, read into checks.
//!
//! A criterion that no command can decide is refused before the loop starts, with a suggestion that can be run.

mod bound;
mod check;
pub mod clause;
pub mod founded;
pub mod program;
pub mod request;
pub mod typed;
pub mod words;

pub use crate::loops::criteria::bound::BoundSense;
pub use crate::loops::criteria::check::{Check, Criteria, RefusedCriterion};
use crate::loops::criteria::clause::Demand;
use crate::loops::criteria::words::CriterionWord;
use crate::loops::project_facts::{CommandPurpose, ProjectFacts};

/// The longest text that is read, in bytes.
const LONGEST: usize = 4_000;

/// Reads a completion criterion. `facts` are only used for suggestions: nothing is guessed into a check.
pub fn parse(text: &str, facts: &ProjectFacts) -> Result<Criteria, RefusedCriterion> {
    let refuse = |reason: &str| Err(refused(text.trim(), reason, facts));
    if text.len() > LONGEST || text.contains('\0') {
        return refuse("it is longer than 4,000 bytes or holds a zero byte.");
    }
    let mut checks = Vec::new();
    for line in text.lines() {
        let line = without_bullet(line.trim());
        if !line.is_empty() {
            read_line(line, facts, &mut checks)?;
        }
    }
    if checks.is_empty() {
        return refuse("it is empty; it needs the form \"<command> passes\".");
    }
    Ok(Criteria { text: text.trim().to_owned(), checks })
}

fn without_bullet(line: &str) -> &str {
    let line = line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")).unwrap_or(line);
    line.strip_prefix("[ ] ").unwrap_or(line).trim()
}

/// Reads one line into checks. A line that is quoted as a whole may hold a criterion or a command.
fn read_line(line: &str, facts: &ProjectFacts, checks: &mut Vec<Check>) -> Result<(), RefusedCriterion> {
    let Some(all) = words::cut(line) else {
        return Err(refused(line, "a quote or bracket in it is not closed.", facts));
    };
    if let [CriterionWord { quoted: Some(inside), .. }] = all.as_slice() {
        let inside = line.get(inside.clone()).unwrap_or_default();
        let read = words::cut(inside).and_then(|words| clause::read(&words));
        if read.is_some_and(|clause| clause.command_words > 0) {
            return read_line(inside, facts, checks);
        }
    }
    let mut rest = all.as_slice();
    while !rest.is_empty() {
        let (clause, after) = next_clause(rest);
        checks.push(read_clause(line, clause, facts)?);
        rest = after;
    }
    Ok(())
}

/// The words up to the connector that ends the first clause, and those behind it.
fn next_clause(words: &[CriterionWord]) -> (&[CriterionWord], &[CriterionWord]) {
    for (at, word) in words.iter().enumerate() {
        let joins = word.is_any(&["and", "&&", "plus"]);
        let until = if joins { at } else { at + 1 };
        let before = &words[..until];
        if !(joins || word.ends_part) || before.is_empty() {
            continue;
        }
        let mut after = &words[at + 1..];
        while let [first, rest @ ..] = after
            && first.is_any(&["and", "also", "then", "&&"])
        {
            after = rest;
        }
        let complete = clause::read(before).is_some_and(|clause| is_understood(before, clause.command_words));
        let two_commands =
            !word.is("&&") && is_understood(before, before.len()) && program::begins_command(after);
        if !after.is_empty() && (complete || two_commands) {
            return (before, after);
        }
    }
    (words, &[])
}

fn read_clause(line: &str, words: &[CriterionWord], facts: &ProjectFacts) -> Result<Check, RefusedCriterion> {
    let text = slice(line, words);
    let clause = clause::read(words);
    let count = clause.map_or(words.len(), |clause| clause.command_words);
    let command_words = without_lead(words.get(..count).unwrap_or_default());
    if command_words.iter().any(|word| word.is("or")) {
        return Err(refused(
            text,
            "\"or\" is not decidable here: all checks must hold, joined by \"and\".",
            facts,
        ));
    }
    if !is_understood(words, count) {
        return Err(refused(text, reason_of(words, command_words), facts));
    }
    let command = command_text(line, command_words);
    if command.is_empty() {
        return Err(refused(text, reason_of(words, command_words), facts));
    }
    let demand = clause.map_or(Demand::Passes, |clause| clause.demand);
    if let Some(swallower) = program::swallower(&command).filter(|_| demand == Demand::Passes) {
        let reason = format!(
            "its exit code is that of `{swallower}`, so it passes even when the command before it fails."
        );
        return Err(refused(text, &reason, facts));
    }
    Ok(match demand {
        Demand::Passes => Check::CommandPasses { command },
        Demand::Silent(silence) => Check::CommandSilent { command, silence },
        Demand::Coverage { percent, bound } => Check::CoverageAbove { command, percent, bound },
    })
}

/// Whether the first `count` words are a command that may run.
fn is_understood(words: &[CriterionWord], count: usize) -> bool {
    let command = without_lead(words.get(..count).unwrap_or_default());
    if let [.., last] = command
        && last.quoted.is_some()
        && command.iter().any(|word| word.is_any(&["from", "of", "in", "by"]))
        && command.iter().any(|word| word.is("coverage"))
    {
        return true;
    }
    match command {
        [] => false,
        // Quotes say that it is a command: only its emptiness is a question.
        [CriterionWord { quoted: Some(inside), .. }] => !inside.is_empty(),
        _ if command.iter().any(clause::is_end) => false,
        // "make tests pass" is a wish; "make tests passes" names a target.
        [first, _, ..]
            if first.is("make")
                && words.get(count).is_some_and(|end| end.is_any(&["pass", "work", "succeed"])) =>
        {
            false
        }
        _ => program::is_command(command),
    }
}

/// Without "the command", "running" and the like.
fn without_lead(mut words: &[CriterionWord]) -> &[CriterionWord] {
    while let [first, rest @ ..] = words
        && first.is_any(&["the", "command", "running", "run", "when", "until", "that"])
        && !rest.is_empty()
    {
        words = rest;
    }
    words
}

fn command_text(line: &str, words: &[CriterionWord]) -> String {
    let only_quoted = match words {
        [CriterionWord { quoted: Some(inside), .. }] => Some(inside),
        [.., CriterionWord { quoted: Some(inside), .. }] if !program::is_command(words) => Some(inside),
        _ => None,
    };
    match only_quoted {
        Some(inside) => line.get(inside.clone()).unwrap_or_default().trim().to_owned(),
        None => without_stop(slice(line, words)).to_owned(),
    }
}

/// Without the sentence's own stop at the end; the dots of `./...` and `eslint .` stay.
fn without_stop(command: &str) -> &str {
    let command = command.trim_end_matches([',', ';']);
    match command.strip_suffix('.') {
        Some(shorter) if shorter.ends_with(|letter: char| letter.is_alphanumeric()) => shorter,
        _ => command,
    }
}

fn slice<'a>(line: &'a str, words: &[CriterionWord]) -> &'a str {
    match (words.first(), words.last()) {
        (Some(first), Some(last)) => line.get(first.span.start..last.span.end).unwrap_or(line),
        _ => line,
    }
}

fn reason_of(words: &[CriterionWord], command: &[CriterionWord]) -> &'static str {
    if command.is_empty() && words.iter().any(|word| word.plain.contains("coverage")) {
        return "it names no command that prints the coverage.";
    }
    if program::begins_command(command) {
        return "the part after the command was not understood; known are \"passes\", \"has no errors\", \"prints nothing\" and \
                \"coverage above N%\". Backquotes around the command make its end plain.";
    }
    "it names no command that could decide it; a criterion has the form \"<command> passes\"."
}

fn refused(clause: &str, reason: &str, facts: &ProjectFacts) -> RefusedCriterion {
    let mut clause: String = clause.chars().take(200).collect();
    if clause.is_empty() {
        clause.push_str("(empty)");
    }
    RefusedCriterion { suggestions: suggestions(&clause, facts), reason: reason.to_owned(), clause }
}

/// Words that say what kind of command a vague criterion means.
const HINTS: &[(CommandPurpose, &[&str])] = &[
    (CommandPurpose::Coverage, &["coverage", "covered"]),
    (CommandPurpose::Typecheck, &["type", "types", "typecheck", "typescript", "typed", "tsc", "mypy"]),
    (CommandPurpose::Lint, &["lint", "linter", "linting", "eslint", "clippy", "warnings", "style"]),
    (CommandPurpose::Build, &["build", "builds", "compile", "compiles", "compilation"]),
    (CommandPurpose::Format, &["format", "formatted", "formatting"]),
    (CommandPurpose::Test, &["test", "tests", "spec", "specs", "suite", "ci"]),
];

/// What this project could run for the words of a vague criterion; everything it has when they say nothing.
fn suggestions(clause: &str, facts: &ProjectFacts) -> Vec<String> {
    let lower = clause.to_lowercase();
    let said: Vec<&str> = lower.split(|letter: char| !letter.is_alphanumeric()).collect();
    let meant =
        HINTS.iter().find(|(_, hints)| said.iter().any(|word| hints.contains(word))).map(|(kind, _)| *kind);
    let fitting: Vec<&(CommandPurpose, String)> = match meant {
        Some(kind) => facts.commands.iter().filter(|(of, _)| *of == kind).collect(),
        None => facts.commands.iter().collect(),
    };
    let number =
        said.iter().find_map(|word| word.parse::<u32>().ok()).filter(|number| *number <= 100).unwrap_or(80);
    let sentence = |(kind, command): &(CommandPurpose, String)| match kind {
        CommandPurpose::Coverage => format!("`{command}` reports at least {number}% coverage"),
        _ => format!("{command} passes"),
    };
    fitting.into_iter().take(4).map(sentence).collect()
}

#[cfg(test)]
mod tests;
