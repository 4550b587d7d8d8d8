//! The values of a definition: compiled in, or out of a file.

use std::borrow::Cow;
use std::ops::Deref;

use serde_json::{Map, Value};

/// A text that is compiled in or comes from a file.
pub type Text = Cow<'static, str>;

/// A list that is compiled in or comes from a file.
#[derive(Debug, Clone)]
pub struct List<T: 'static> {
    pub(in crate::definitions) fixed: &'static [T],
    pub(in crate::definitions) built: Vec<T>,
}

impl<T> List<T> {
    /// No elements.
    pub const EMPTY: List<T> = List { fixed: &[], built: Vec::new() };
}

impl<T> Default for List<T> {
    fn default() -> Self {
        List::EMPTY
    }
}

impl<T> Deref for List<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        if self.built.is_empty() { self.fixed } else { &self.built }
    }
}

impl<T> From<Vec<T>> for List<T> {
    fn from(built: Vec<T>) -> Self {
        List { fixed: &[], built }
    }
}

impl<T: PartialEq> PartialEq for List<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

/// A value that stands in a definition.
#[derive(Debug, Clone, PartialEq)]
pub enum Literal {
    /// Nothing.
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// Any other number.
    Float(f64),
    /// A text, perhaps with placeholders.
    Text(Text),
    /// A list.
    List(List<Literal>),
    /// Names and values, in their order.
    Map(List<(Text, Literal)>),
}

impl Literal {
    /// The value as JSON, placeholders as they stand.
    pub fn to_json(&self) -> Value {
        match self {
            Literal::Null => Value::Null,
            Literal::Bool(value) => Value::Bool(*value),
            Literal::Integer(value) => Value::from(*value),
            Literal::Float(value) => Value::from(*value),
            Literal::Text(text) => Value::from(text.as_ref()),
            Literal::List(list) => list.iter().map(Literal::to_json).collect(),
            Literal::Map(map) => {
                let entries = map.iter().map(|(name, value)| (name.to_string(), value.to_json()));
                Value::Object(entries.collect::<Map<_, _>>())
            }
        }
    }
}
