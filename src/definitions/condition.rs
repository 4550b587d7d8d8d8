//! The language of conditions: `iteration >= 5 AND quality_delta < 0.05`.
//!
//!     condition  = either { OR either }
//!     either     = unit { AND unit }
//!     unit       = NOT unit | "(" condition ")" | operand [ comparison operand ]
//!     operand    = name | number | 'text' | "text" | true | false | null
//!
//! Pure. Whatever the text, parsing ends: its length and its nesting are bounded. A condition shown is a condition that
//! parses to the same.

use std::fmt;

use serde_json::Value;

/// The longest condition, bytes.
const LENGTH: usize = 2_000;
/// The deepest nesting of parentheses and NOT.
const DEPTH: usize = 32;

/// A condition that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition(Node);

#[derive(Debug, Clone, PartialEq)]
enum Node {
    Any(Vec<Node>),
    All(Vec<Node>),
    Not(Box<Node>),
    Compare(Operand, Comparison, Operand),
    Holds(Operand),
}

#[derive(Debug, Clone, PartialEq)]
enum Operand {
    Name(String),
    Number(f64),
    Text(String),
    Bool(bool),
    Null,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

/// The comparisons and how they are written, the longer before those they begin with.
const COMPARISONS: &[(&str, Comparison)] = &[
    ("==", Comparison::Equal),
    ("!=", Comparison::Unequal),
    ("<=", Comparison::AtMost),
    (">=", Comparison::AtLeast),
    ("<", Comparison::Less),
    (">", Comparison::Greater),
];

/// Why a text is no condition.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message} at character {column} of the condition")]
pub struct SyntaxError {
    /// The character, from 1.
    pub column: usize,
    /// What is wrong there.
    pub message: String,
}

/// A name that nobody knows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("nothing is known as `{0}`")]
pub struct UnknownName(pub String);

impl Condition {
    /// Reads a condition.
    pub fn parse(text: &str) -> Result<Condition, SyntaxError> {
        if text.len() > LENGTH {
            let message = format!("a condition has at most {LENGTH} bytes");
            return Err(SyntaxError { column: 1, message });
        }
        let tokens = tokens(text)?;
        let mut parser = Parser { tokens: &tokens, end: text.chars().count() + 1, depth: 0 };
        let node = parser.any()?;
        match parser.tokens.first() {
            None => Ok(Condition(node)),
            Some((column, token)) => {
                Err(SyntaxError { column: *column, message: format!("{token} is not expected") })
            }
        }
    }

    /// Whether the condition holds, given what each name stands for. A name alone holds when it is true, a number
    /// other than 0, or a text or list that is not empty. An order between things that are not both numbers never
    /// holds. All names are looked up, so that a misspelt one shows each time.
    pub fn evaluate(&self, lookup: &dyn Fn(&str) -> Option<Value>) -> Result<bool, UnknownName> {
        holds(&self.0, lookup)
    }

    /// The names in the condition, in their order.
    pub fn names(&self) -> Vec<&str> {
        let mut names = Vec::new();
        collect(&self.0, &mut names);
        names
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Or,
    And,
    Not,
    Open,
    Close,
    Comparison(Comparison),
    Operand(Operand),
}

impl fmt::Display for Token {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Token::Or => formatter.write_str("OR"),
            Token::And => formatter.write_str("AND"),
            Token::Not => formatter.write_str("NOT"),
            Token::Open => formatter.write_str("("),
            Token::Close => formatter.write_str(")"),
            Token::Comparison(comparison) => comparison.fmt(formatter),
            Token::Operand(operand) => operand.fmt(formatter),
        }
    }
}

/// The tokens of a text, each with its character from 1.
fn tokens(text: &str) -> Result<Vec<(usize, Token)>, SyntaxError> {
    let mut tokens = Vec::new();
    let (mut rest, mut column) = (text, 1);
    while let Some(first) = rest.chars().next() {
        let (token, length) = match first {
            _ if first.is_whitespace() => (None, first.len_utf8()),
            '(' => (Some(Token::Open), 1),
            ')' => (Some(Token::Close), 1),
            '\'' | '"' => {
                let end = rest[1..].find(first).ok_or_else(|| SyntaxError {
                    column,
                    message: format!("the text that {first} begins has no end"),
                })?;
                (Some(Token::Operand(Operand::Text(rest[1..=end].to_owned()))), end + 2)
            }
            _ if first.is_ascii_digit() || matches!(first, '-' | '.') => {
                let (number, length) = number(rest).map_err(|message| SyntaxError { column, message })?;
                (Some(Token::Operand(Operand::Number(number))), length)
            }
            _ if first.is_ascii_alphabetic() || first == '_' => {
                let (token, length) = word(rest).map_err(|message| SyntaxError { column, message })?;
                (Some(token), length)
            }
            _ => match COMPARISONS.iter().find(|(sign, _)| rest.starts_with(sign)) {
                Some((sign, comparison)) => (Some(Token::Comparison(*comparison)), sign.len()),
                None => return Err(SyntaxError { column, message: strange(first) }),
            },
        };
        tokens.extend(token.map(|token| (column, token)));
        column += rest[..length].chars().count();
        rest = &rest[length..];
    }
    Ok(tokens)
}

fn strange(character: char) -> String {
    let hint = match character {
        '=' => "; equality is ==",
        '&' => "; both are joined with AND",
        '|' => "; alternatives are joined with OR",
        '!' => "; the opposite is NOT",
        _ => "",
    };
    format!("`{}` means nothing here{hint}", character.escape_debug())
}

fn number(text: &str) -> Result<(f64, usize), String> {
    let mut length = usize::from(text.starts_with('-'));
    let bytes = text.as_bytes();
    while let Some(byte) = bytes.get(length) {
        let before = length.checked_sub(1).and_then(|before| bytes.get(before));
        let exponent_sign = matches!((before, byte), (Some(b'e' | b'E'), b'-' | b'+'));
        if !(byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_') || exponent_sign) {
            break;
        }
        length += 1;
    }
    let digits = text[..length].bytes().all(|byte| byte.is_ascii_digit() || b".-+eE".contains(&byte));
    match text[..length].parse::<f64>() {
        Ok(number) if digits && number.is_finite() => Ok((number, length)),
        _ => Err(format!("{} is no number", &text[..length])),
    }
}

fn word(text: &str) -> Result<(Token, usize), String> {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-')));
    let word = &text[..end.unwrap_or(text.len())];
    let token = match word.to_ascii_lowercase().as_str() {
        "or" => Token::Or,
        "and" => Token::And,
        "not" => Token::Not,
        "true" => Token::Operand(Operand::Bool(true)),
        "false" => Token::Operand(Operand::Bool(false)),
        "null" => Token::Operand(Operand::Null),
        _ if word.split('.').any(str::is_empty) => return Err(format!("`{word}` is no name")),
        _ => Token::Operand(Operand::Name(word.to_owned())),
    };
    Ok((token, word.len()))
}

struct Parser<'a> {
    tokens: &'a [(usize, Token)],
    /// The character after the last.
    end: usize,
    depth: usize,
}

impl Parser<'_> {
    fn any(&mut self) -> Result<Node, SyntaxError> {
        let mut nodes = vec![self.all()?];
        while self.take(&Token::Or) {
            nodes.push(self.all()?);
        }
        Ok(one_or(nodes, Node::Any))
    }

    fn all(&mut self) -> Result<Node, SyntaxError> {
        let mut nodes = vec![self.unit()?];
        while self.take(&Token::And) {
            nodes.push(self.unit()?);
        }
        Ok(one_or(nodes, Node::All))
    }

    fn unit(&mut self) -> Result<Node, SyntaxError> {
        if self.depth == DEPTH {
            return Err(self.error(&format!("a condition is nested at most {DEPTH} deep, deeper")));
        }
        self.depth += 1;
        let unit = if self.take(&Token::Not) {
            self.unit().map(|node| Node::Not(Box::new(node)))
        } else if self.take(&Token::Open) {
            self.any().and_then(|node| match self.take(&Token::Close) {
                true => Ok(node),
                false => Err(self.error("`)` is missing")),
            })
        } else {
            self.comparison()
        };
        self.depth -= 1;
        unit
    }

    fn comparison(&mut self) -> Result<Node, SyntaxError> {
        let left = self.operand()?;
        let Some((_, Token::Comparison(comparison))) = self.tokens.first() else {
            return Ok(Node::Holds(left));
        };
        let comparison = *comparison;
        self.skip();
        Ok(Node::Compare(left, comparison, self.operand()?))
    }

    fn operand(&mut self) -> Result<Operand, SyntaxError> {
        let Some((_, Token::Operand(operand))) = self.tokens.first() else {
            return Err(self.error("a name or a value is missing"));
        };
        let operand = operand.clone();
        self.skip();
        Ok(operand)
    }

    fn take(&mut self, token: &Token) -> bool {
        let found = self.tokens.first().is_some_and(|(_, first)| first == token);
        if found {
            self.skip();
        }
        found
    }

    fn skip(&mut self) {
        self.tokens = self.tokens.get(1..).unwrap_or_default();
    }

    fn error(&self, message: &str) -> SyntaxError {
        let column = self.tokens.first().map_or(self.end, |(column, _)| *column);
        SyntaxError { column, message: message.to_owned() }
    }
}

fn one_or(mut nodes: Vec<Node>, several: fn(Vec<Node>) -> Node) -> Node {
    match nodes.pop() {
        Some(node) if nodes.is_empty() => node,
        Some(node) => {
            nodes.push(node);
            several(nodes)
        }
        None => Node::Holds(Operand::Bool(false)),
    }
}

fn holds(node: &Node, lookup: &dyn Fn(&str) -> Option<Value>) -> Result<bool, UnknownName> {
    match node {
        Node::Any(nodes) => nodes.iter().try_fold(false, |sum, node| Ok(sum | holds(node, lookup)?)),
        Node::All(nodes) => nodes.iter().try_fold(true, |sum, node| Ok(sum & holds(node, lookup)?)),
        Node::Not(node) => Ok(!holds(node, lookup)?),
        Node::Compare(left, comparison, right) => {
            Ok(compare(&value(left, lookup)?, *comparison, &value(right, lookup)?))
        }
        Node::Holds(operand) => Ok(match value(operand, lookup)? {
            Value::Null => false,
            Value::Bool(value) => value,
            Value::Number(number) => number.as_f64() != Some(0.0),
            Value::String(text) => !text.is_empty(),
            Value::Array(list) => !list.is_empty(),
            Value::Object(map) => !map.is_empty(),
        }),
    }
}

fn value(operand: &Operand, lookup: &dyn Fn(&str) -> Option<Value>) -> Result<Value, UnknownName> {
    Ok(match operand {
        Operand::Name(name) => lookup(name).ok_or_else(|| UnknownName(name.clone()))?,
        Operand::Number(number) => Value::from(*number),
        Operand::Text(text) => Value::from(text.as_str()),
        Operand::Bool(value) => Value::from(*value),
        Operand::Null => Value::Null,
    })
}

fn compare(left: &Value, comparison: Comparison, right: &Value) -> bool {
    let numbers = left.as_f64().zip(right.as_f64());
    let equal = numbers.map_or_else(|| left == right, |(left, right)| left == right);
    let ordered = |order: fn(&f64, &f64) -> bool| numbers.is_some_and(|(left, right)| order(&left, &right));
    match comparison {
        Comparison::Equal => equal,
        Comparison::Unequal => !equal,
        Comparison::Less => ordered(f64::lt),
        Comparison::AtMost => ordered(f64::le),
        Comparison::Greater => ordered(f64::gt),
        Comparison::AtLeast => ordered(f64::ge),
    }
}

fn collect<'a>(node: &'a Node, names: &mut Vec<&'a str>) {
    let mut operand = |operand: &'a Operand| {
        if let Operand::Name(name) = operand {
            names.push(name);
        }
    };
    match node {
        Node::Compare(left, _, right) => [left, right].into_iter().for_each(operand),
        Node::Holds(name) => operand(name),
        Node::Not(node) => collect(node, names),
        Node::Any(nodes) | Node::All(nodes) => nodes.iter().for_each(|node| collect(node, names)),
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl fmt::Display for Node {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Node::Any(nodes) => joined(formatter, nodes, " OR ", |node| matches!(node, Node::Any(_))),
            Node::All(nodes) => {
                joined(formatter, nodes, " AND ", |node| matches!(node, Node::Any(_) | Node::All(_)))
            }
            Node::Not(node) if matches!(**node, Node::Any(_) | Node::All(_)) => {
                write!(formatter, "NOT ({node})")
            }
            Node::Not(node) => write!(formatter, "NOT {node}"),
            Node::Compare(left, comparison, right) => write!(formatter, "{left} {comparison} {right}"),
            Node::Holds(operand) => operand.fmt(formatter),
        }
    }
}

fn joined(
    formatter: &mut fmt::Formatter,
    nodes: &[Node],
    by: &str,
    enclosed: fn(&Node) -> bool,
) -> fmt::Result {
    for (place, node) in nodes.iter().enumerate() {
        if place > 0 {
            formatter.write_str(by)?;
        }
        if enclosed(node) {
            write!(formatter, "({node})")?;
        } else {
            write!(formatter, "{node}")?;
        }
    }
    Ok(())
}

impl fmt::Display for Comparison {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let sign = COMPARISONS.iter().find(|(_, comparison)| comparison == self).map_or("", |(sign, _)| sign);
        formatter.write_str(sign)
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Operand::Name(name) => formatter.write_str(name),
            // The exponent form keeps a number of 300 digits short.
            Operand::Number(number) if !(1e-5..1e15).contains(&number.abs()) && *number != 0.0 => {
                write!(formatter, "{number:e}")
            }
            Operand::Number(number) => write!(formatter, "{number}"),
            // A text holds one kind of quote at most: the other kind began it.
            Operand::Text(text) if text.contains('\'') => write!(formatter, "\"{text}\""),
            Operand::Text(text) => write!(formatter, "'{text}'"),
            Operand::Bool(value) => write!(formatter, "{value}"),
            Operand::Null => formatter.write_str("null"),
        }
    }
}

#[cfg(test)]
#[path = "condition_tests.rs"]
mod tests;
