//! The values of a definition: compiled in, or out of a file.

use std::borrow::Cow;
use std::ops::Deref;

use serde_json::{Map, Value};

/// A text that is compiled in or comes from a file.
pub type Text = Cow<'static, str>;

/// A list that is compiled in or comes from a file.
#[derive(Debug, Clone)]
pub struct DefinedList<T: 'static> {
    pub(in crate::definitions) fixed: &'static [T],
    pub(in crate::definitions) built: Vec<T>,
}

impl<T> DefinedList<T> {
    /// No elements.
    pub const EMPTY: DefinedList<T> = DefinedList { fixed: &[], built: Vec::new() };
}

impl<T> Default for DefinedList<T> {
    fn default() -> Self {
        DefinedList::EMPTY
    }
}

impl<T> Deref for DefinedList<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        if self.built.is_empty() { self.fixed } else { &self.built }
    }
}

impl<T> From<Vec<T>> for DefinedList<T> {
    fn from(built: Vec<T>) -> Self {
        DefinedList { fixed: &[], built }
    }
}

impl<T: PartialEq> PartialEq for DefinedList<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

/// A value that stands in a definition.
#[derive(Debug, Clone, PartialEq)]
pub enum DefinitionValue {
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
    List(DefinedList<DefinitionValue>),
    /// Names and values, in their order.
    Map(DefinedList<(Text, DefinitionValue)>),
}

impl DefinitionValue {
    /// The value as JSON, placeholders as they stand.
    pub fn to_json(&self) -> Value {
        match self {
            DefinitionValue::Null => Value::Null,
            DefinitionValue::Bool(value) => Value::Bool(*value),
            DefinitionValue::Integer(value) => Value::from(*value),
            DefinitionValue::Float(value) => Value::from(*value),
            DefinitionValue::Text(text) => Value::from(text.as_ref()),
            DefinitionValue::List(list) => list.iter().map(DefinitionValue::to_json).collect(),
            DefinitionValue::Map(map) => {
                let entries = map.iter().map(|(name, value)| (name.to_string(), value.to_json()));
                Value::Object(entries.collect::<Map<_, _>>())
            }
        }
    }
}
