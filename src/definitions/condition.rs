//! The language of conditions: `iteration >= 5 AND quality_delta < 0.05`.
//!
//!     condition  = either { OR either }
//!     either     = unit { AND unit }
//!     unit       = NOT unit | "(" condition ")" | operand [ comparison operand ]
//!     operand    = name | number | 'text' | "text" | true | false | null
//!
//! Pure. Whatever the text, parsing ends: its length and its nesting are bounded. A condition shown is a condition that
//! parses to the same.

mod parse;

use std::fmt;

use serde_json::Value;

/// A condition that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct HookCondition(Expression);

#[derive(Debug, Clone, PartialEq)]
enum Expression {
    Any(Vec<Expression>),
    All(Vec<Expression>),
    Not(Box<Expression>),
    Compare(ConditionOperand, ComparisonOperator, ConditionOperand),
    Holds(ConditionOperand),
}

#[derive(Debug, Clone, PartialEq)]
enum ConditionOperand {
    Name(String),
    Number(f64),
    Text(String),
    Bool(bool),
    Null,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ComparisonOperator {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

/// The comparisons and how they are written, the longer before those they begin with.
const COMPARISONS: &[(&str, ComparisonOperator)] = &[
    ("==", ComparisonOperator::Equal),
    ("!=", ComparisonOperator::Unequal),
    ("<=", ComparisonOperator::AtMost),
    (">=", ComparisonOperator::AtLeast),
    ("<", ComparisonOperator::Less),
    (">", ComparisonOperator::Greater),
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

impl HookCondition {
    /// Reads a condition.
    pub fn parse(text: &str) -> Result<HookCondition, SyntaxError> {
        parse::expression(text).map(HookCondition)
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

fn holds(node: &Expression, lookup: &dyn Fn(&str) -> Option<Value>) -> Result<bool, UnknownName> {
    match node {
        Expression::Any(nodes) => nodes.iter().try_fold(false, |sum, node| Ok(sum | holds(node, lookup)?)),
        Expression::All(nodes) => nodes.iter().try_fold(true, |sum, node| Ok(sum & holds(node, lookup)?)),
        Expression::Not(node) => Ok(!holds(node, lookup)?),
        Expression::Compare(left, comparison, right) => {
            Ok(compare(&value(left, lookup)?, *comparison, &value(right, lookup)?))
        }
        Expression::Holds(operand) => Ok(match value(operand, lookup)? {
            Value::Null => false,
            Value::Bool(value) => value,
            Value::Number(number) => number.as_f64() != Some(0.0),
            Value::String(text) => !text.is_empty(),
            Value::Array(list) => !list.is_empty(),
            Value::Object(map) => !map.is_empty(),
        }),
    }
}

fn value(operand: &ConditionOperand, lookup: &dyn Fn(&str) -> Option<Value>) -> Result<Value, UnknownName> {
    Ok(match operand {
        ConditionOperand::Name(name) => lookup(name).ok_or_else(|| UnknownName(name.clone()))?,
        ConditionOperand::Number(number) => Value::from(*number),
        ConditionOperand::Text(text) => Value::from(text.as_str()),
        ConditionOperand::Bool(value) => Value::from(*value),
        ConditionOperand::Null => Value::Null,
    })
}

fn compare(left: &Value, comparison: ComparisonOperator, right: &Value) -> bool {
    let numbers = left.as_f64().zip(right.as_f64());
    let equal = numbers.map_or_else(|| left == right, |(left, right)| left == right);
    let ordered = |order: fn(&f64, &f64) -> bool| numbers.is_some_and(|(left, right)| order(&left, &right));
    match comparison {
        ComparisonOperator::Equal => equal,
        ComparisonOperator::Unequal => !equal,
        ComparisonOperator::Less => ordered(f64::lt),
        ComparisonOperator::AtMost => ordered(f64::le),
        ComparisonOperator::Greater => ordered(f64::gt),
        ComparisonOperator::AtLeast => ordered(f64::ge),
    }
}

fn collect<'a>(node: &'a Expression, names: &mut Vec<&'a str>) {
    let mut operand = |operand: &'a ConditionOperand| {
        if let ConditionOperand::Name(name) = operand {
            names.push(name);
        }
    };
    match node {
        Expression::Compare(left, _, right) => [left, right].into_iter().for_each(operand),
        Expression::Holds(name) => operand(name),
        Expression::Not(node) => collect(node, names),
        Expression::Any(nodes) | Expression::All(nodes) => nodes.iter().for_each(|node| collect(node, names)),
    }
}

impl fmt::Display for HookCondition {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Expression::Any(nodes) => {
                joined(formatter, nodes, " OR ", |node| matches!(node, Expression::Any(_)))
            }
            Expression::All(nodes) => joined(formatter, nodes, " AND ", |node| {
                matches!(node, Expression::Any(_) | Expression::All(_))
            }),
            Expression::Not(node) if matches!(**node, Expression::Any(_) | Expression::All(_)) => {
                write!(formatter, "NOT ({node})")
            }
            Expression::Not(node) => write!(formatter, "NOT {node}"),
            Expression::Compare(left, comparison, right) => write!(formatter, "{left} {comparison} {right}"),
            Expression::Holds(operand) => operand.fmt(formatter),
        }
    }
}

fn joined(
    formatter: &mut fmt::Formatter,
    nodes: &[Expression],
    by: &str,
    enclosed: fn(&Expression) -> bool,
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

impl fmt::Display for ComparisonOperator {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let sign = COMPARISONS.iter().find(|(_, comparison)| comparison == self).map_or("", |(sign, _)| sign);
        formatter.write_str(sign)
    }
}

impl fmt::Display for ConditionOperand {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ConditionOperand::Name(name) => formatter.write_str(name),
            // The exponent form keeps a number of 300 digits short.
            ConditionOperand::Number(number) if !(1e-5..1e15).contains(&number.abs()) && *number != 0.0 => {
                write!(formatter, "{number:e}")
            }
            ConditionOperand::Number(number) => write!(formatter, "{number}"),
            // A text holds one kind of quote at most: the other kind began it.
            ConditionOperand::Text(text) if text.contains('\'') => write!(formatter, "\"{text}\""),
            ConditionOperand::Text(text) => write!(formatter, "'{text}'"),
            ConditionOperand::Bool(value) => write!(formatter, "{value}"),
            ConditionOperand::Null => formatter.write_str("null"),
        }
    }
}

#[cfg(test)]
mod tests;
