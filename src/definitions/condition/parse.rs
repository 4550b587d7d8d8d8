//! The text of a condition -> its tree.

use std::fmt;

use super::{COMPARISONS, ComparisonOperator, ConditionOperand, Expression, SyntaxError};

/// The longest condition, bytes.
pub(super) const LENGTH: usize = 2_000;
/// The deepest nesting of parentheses and NOT.
const DEPTH: usize = 32;

/// Reads the whole of a text.
pub(super) fn expression(text: &str) -> Result<Expression, SyntaxError> {
    if text.len() > LENGTH {
        let message = format!("a condition has at most {LENGTH} bytes");
        return Err(SyntaxError { column: 1, message });
    }
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens: &tokens, end: text.chars().count() + 1, depth: 0 };
    let node = parser.any()?;
    match parser.tokens.first() {
        None => Ok(node),
        Some((column, token)) => {
            Err(SyntaxError { column: *column, message: format!("{token} is not expected") })
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
enum ConditionToken {
    Or,
    And,
    Not,
    Open,
    Close,
    Comparison(ComparisonOperator),
    Operand(ConditionOperand),
}

impl fmt::Display for ConditionToken {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ConditionToken::Or => formatter.write_str("OR"),
            ConditionToken::And => formatter.write_str("AND"),
            ConditionToken::Not => formatter.write_str("NOT"),
            ConditionToken::Open => formatter.write_str("("),
            ConditionToken::Close => formatter.write_str(")"),
            ConditionToken::Comparison(comparison) => comparison.fmt(formatter),
            ConditionToken::Operand(operand) => operand.fmt(formatter),
        }
    }
}

/// The tokens of a text, each with its character from 1.
fn tokens(text: &str) -> Result<Vec<(usize, ConditionToken)>, SyntaxError> {
    let mut tokens = Vec::new();
    let (mut rest, mut column) = (text, 1);
    while let Some(first) = rest.chars().next() {
        let (token, length) = match first {
            _ if first.is_whitespace() => (None, first.len_utf8()),
            '(' => (Some(ConditionToken::Open), 1),
            ')' => (Some(ConditionToken::Close), 1),
            '\'' | '"' => {
                let end = rest[1..].find(first).ok_or_else(|| SyntaxError {
                    column,
                    message: format!("the text that {first} begins has no end"),
                })?;
                (Some(ConditionToken::Operand(ConditionOperand::Text(rest[1..=end].to_owned()))), end + 2)
            }
            _ if first.is_ascii_digit() || matches!(first, '-' | '.') => {
                let (number, length) = number(rest).map_err(|message| SyntaxError { column, message })?;
                (Some(ConditionToken::Operand(ConditionOperand::Number(number))), length)
            }
            _ if first.is_ascii_alphabetic() || first == '_' => {
                let (token, length) = word(rest).map_err(|message| SyntaxError { column, message })?;
                (Some(token), length)
            }
            _ => match COMPARISONS.iter().find(|(sign, _)| rest.starts_with(sign)) {
                Some((sign, comparison)) => (Some(ConditionToken::Comparison(*comparison)), sign.len()),
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

fn word(text: &str) -> Result<(ConditionToken, usize), String> {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-')));
    let word = &text[..end.unwrap_or(text.len())];
    let token = match word.to_ascii_lowercase().as_str() {
        "or" => ConditionToken::Or,
        "and" => ConditionToken::And,
        "not" => ConditionToken::Not,
        "true" => ConditionToken::Operand(ConditionOperand::Bool(true)),
        "false" => ConditionToken::Operand(ConditionOperand::Bool(false)),
        "null" => ConditionToken::Operand(ConditionOperand::Null),
        _ if word.split('.').any(str::is_empty) => return Err(format!("`{word}` is no name")),
        _ => ConditionToken::Operand(ConditionOperand::Name(word.to_owned())),
    };
    Ok((token, word.len()))
}

struct Parser<'a> {
    tokens: &'a [(usize, ConditionToken)],
    /// The character after the last.
    end: usize,
    depth: usize,
}

impl Parser<'_> {
    fn any(&mut self) -> Result<Expression, SyntaxError> {
        let mut nodes = vec![self.all()?];
        while self.take(&ConditionToken::Or) {
            nodes.push(self.all()?);
        }
        Ok(one_or(nodes, Expression::Any))
    }

    fn all(&mut self) -> Result<Expression, SyntaxError> {
        let mut nodes = vec![self.unit()?];
        while self.take(&ConditionToken::And) {
            nodes.push(self.unit()?);
        }
        Ok(one_or(nodes, Expression::All))
    }

    fn unit(&mut self) -> Result<Expression, SyntaxError> {
        if self.depth == DEPTH {
            return Err(self.error(&format!("a condition is nested at most {DEPTH} deep, deeper")));
        }
        self.depth += 1;
        let unit = if self.take(&ConditionToken::Not) {
            self.unit().map(|node| Expression::Not(Box::new(node)))
        } else if self.take(&ConditionToken::Open) {
            self.any().and_then(|node| match self.take(&ConditionToken::Close) {
                true => Ok(node),
                false => Err(self.error("`)` is missing")),
            })
        } else {
            self.comparison()
        };
        self.depth -= 1;
        unit
    }

    fn comparison(&mut self) -> Result<Expression, SyntaxError> {
        let left = self.operand()?;
        let Some((_, ConditionToken::Comparison(comparison))) = self.tokens.first() else {
            return Ok(Expression::Holds(left));
        };
        let comparison = *comparison;
        self.skip();
        Ok(Expression::Compare(left, comparison, self.operand()?))
    }

    fn operand(&mut self) -> Result<ConditionOperand, SyntaxError> {
        let Some((_, ConditionToken::Operand(operand))) = self.tokens.first() else {
            return Err(self.error("a name or a value is missing"));
        };
        let operand = operand.clone();
        self.skip();
        Ok(operand)
    }

    fn take(&mut self, token: &ConditionToken) -> bool {
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

fn one_or(mut nodes: Vec<Expression>, several: fn(Vec<Expression>) -> Expression) -> Expression {
    match nodes.pop() {
        Some(node) if nodes.is_empty() => node,
        Some(node) => {
            nodes.push(node);
            several(nodes)
        }
        None => Expression::Holds(ConditionOperand::Bool(false)),
    }
}
