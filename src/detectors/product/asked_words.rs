//! What a condition asks of: fields, bounds, texts and constants, in whatever language it is written.

use crate::detectors::product::value_words::{COMMON, PRESENCE};
use crate::languages::code::{Refusing, identifiers, plain};
use crate::model::words::is_name_part;

/// What a condition asks of.
#[derive(Debug, Default)]
pub(super) struct AskedWords {
    pub(super) fields: Vec<String>,
    pub(super) numbers: Vec<String>,
    pub(super) texts: Vec<String>,
    pub(super) constants: Vec<String>,
    /// Whether it asks that something is there and not empty.
    pub(super) is_presence: bool,
}

impl AskedWords {
    /// What the lines of a statement ask of that do not refuse, and the conditions of those that do.
    pub(super) fn of(words: &Refusing, text: &str) -> AskedWords {
        let mut asked = AskedWords::default();
        for line in text.lines() {
            let condition = condition_in(words, line);
            asked.add(condition);
        }
        asked
    }

    fn add(&mut self, condition: &str) {
        let bare: String = condition.chars().filter(|c| !c.is_whitespace()).collect();
        self.is_presence |= PRESENCE.iter().any(|it| bare.contains(&it.replace(' ', "")));
        let (code, texts) = without_texts(condition);
        for (text, is_key) in texts {
            let is_type = COMMON.contains(&text.to_lowercase().as_str()) || text.is_empty();
            match is_key {
                true => self.fields.push(text),
                false if is_type => {}
                false => self.texts.push(text),
            }
        }
        for chain in code.split(|c: char| !(is_name_part(c) || c == '.')).filter(|it| !it.is_empty()) {
            self.add_chain(chain.trim_matches('.'));
        }
    }

    fn add_chain(&mut self, chain: &str) {
        if chain.starts_with(|c: char| c.is_ascii_digit()) {
            let number = chain.replace('_', "");
            if !matches!(number.as_str(), "0" | "1") {
                self.numbers.push(number);
            }
            return;
        }
        let is_constant = |it: &&str| {
            it.len() > 2 && it.chars().all(|c| c.is_uppercase() || c == '_' || c.is_ascii_digit())
        };
        let mut parts = chain.split('.').filter(|it| !it.is_empty());
        if let Some(name) = parts.clone().find(is_constant) {
            self.constants.push(name.to_owned());
            return;
        }
        let is_own = |it: &&str| !COMMON.contains(&it.to_lowercase().as_str());
        let field = parts.rfind(is_own).filter(|it| it.len() > 1);
        self.fields.extend(field.map(str::to_owned));
    }
}

/// The part of a line that is a condition: all of it where it does not refuse.
fn condition_in<'l>(words: &Refusing, line: &'l str) -> &'l str {
    let line = line.trim();
    let first = identifiers(line).next().unwrap_or_default();
    let refuses = crate::languages::code::refuses(words, line);
    for sign in [" if ", " unless "] {
        if let Some((_, rest)) =
            line.rsplit_once(sign).filter(|_| refuses && !plain(words, line).starts_with("if"))
        {
            return rest;
        }
    }
    match first {
        "if" | "elif" | "unless" | "guard" | "for" | "foreach" | "when" => head_of(line),
        "abort_if" | "abort_unless" => line.split_once('(').map_or("", |(_, rest)| first_argument(rest)),
        _ if refuses => "",
        // What only says more of the refusal.
        _ if ["return", "echo", "print", "http.", "res.", "render", "status", "}"]
            .iter()
            .any(|it| line.starts_with(it)) =>
        {
            ""
        }
        _ if line.starts_with("&&")
            || line.starts_with("||")
            || line.starts_with("or ")
            || line.starts_with("and ") =>
        {
            line
        }
        _ => "",
    }
}

/// A head up to where its parentheses are closed, or its block begins.
fn head_of(line: &str) -> &str {
    let start = line.find([' ', '(']).unwrap_or(0);
    let rest = line.get(start..).unwrap_or_default().trim_start();
    if rest.starts_with('(')
        && let Some(end) = closing(rest)
    {
        let more = rest.get(end..).unwrap_or_default();
        // `if (a) && (b) {`.
        let is_whole = !["&&", "||"].iter().any(|sign| more.trim_start_matches([')', ' ']).starts_with(sign));
        return if is_whole { rest.get(..end).unwrap_or(rest) } else { rest };
    }
    let ends = [rest.find(" {"), rest.find(" then"), rest.rfind(':').filter(|at| at + 1 == rest.len())];
    rest.get(..ends.into_iter().flatten().min().unwrap_or(rest.len())).unwrap_or(rest)
}

/// Where the first bracket of a text is closed.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0i32;
    text.find(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0
    })
}

fn first_argument(text: &str) -> &str {
    let mut depth = 0i32;
    let end = text.find(|c: char| {
        depth += i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'));
        c == ',' && depth == 0 || depth < 0
    });
    text.get(..end.unwrap_or(text.len())).unwrap_or(text)
}

/// A condition without its texts, and these, each with whether it is the key of something: `body["age"]`, `.get("age")`,
/// `params[:age]`.
fn without_texts(condition: &str) -> (String, Vec<(String, bool)>) {
    let mut code = String::new();
    let mut texts = Vec::new();
    let mut rest = condition.replace("->", ".").replace("?.", ".").replace("::", ".").replace('$', "");
    for sign in ["[:", "(:"] {
        while let Some((head, tail)) = rest.clone().split_once(sign) {
            let end = tail.find(|c: char| !is_name_part(c)).unwrap_or(tail.len());
            texts.push((tail.get(..end).unwrap_or_default().to_owned(), true));
            rest = format!("{head} {}", tail.get(end..).unwrap_or_default());
        }
    }
    let mut parts = rest.split(['"', '\'', '`']);
    let mut head = parts.next().unwrap_or_default();
    code.push_str(head);
    while let Some(text) = parts.next() {
        let is_key = [".get(", ".fetch(", ".input(", ".has(", "Value(", "Query(", "Param("]
            .iter()
            .any(|it| head.ends_with(it))
            || head.ends_with('[') && head.trim_end_matches('[').ends_with(is_name_part);
        texts.push((text.to_owned(), is_key));
        head = parts.next().unwrap_or_default();
        code.push(' ');
        code.push_str(head);
    }
    (code, texts)
}
