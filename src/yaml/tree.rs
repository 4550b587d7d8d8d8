//! A YAML text as a tree in which every value and every key knows where it begins.
//!
//! The entries of a mapping are as written: a key may occur twice.

use std::ops::RangeInclusive;

/// The most that is read of a file, bytes.
pub const LIMIT: usize = 1024 * 1024;

/// A line and a column, both from 1, the column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl Position {
    /// The beginning of a file.
    pub const START: Position = Position { line: 1, column: 1 };
}

/// A value and where it begins.
#[derive(Debug, Clone, PartialEq)]
pub struct YamlNode {
    /// Where the value begins.
    pub at: Position,
    /// The value.
    pub value: YamlTree,
}

/// The name of an entry and where it begins.
#[derive(Debug, Clone, PartialEq)]
pub struct YamlKey {
    /// Where the name begins.
    pub at: Position,
    /// The name.
    pub name: String,
}

/// A value.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the kinds of YAML")]
pub enum YamlTree {
    Null,
    Bool(bool),
    Integer(i64),
    Float(f64),
    Text(String),
    List(Vec<YamlNode>),
    Map(Vec<(YamlKey, YamlNode)>),
}

impl YamlTree {
    /// The kind of a value, in words.
    pub fn kind(&self) -> &'static str {
        match self {
            YamlTree::Null => "nothing",
            YamlTree::Bool(_) => "true or false",
            YamlTree::Integer(_) | YamlTree::Float(_) => "a number",
            YamlTree::Text(_) => "a text",
            YamlTree::List(_) => "a list",
            YamlTree::Map(_) => "a mapping",
        }
    }

    /// The text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            YamlTree::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether the value is true, if it is true or false.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            YamlTree::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The whole number within `range`.
    pub fn as_whole(&self, range: RangeInclusive<u64>) -> Option<u64> {
        match self {
            YamlTree::Integer(value) => u64::try_from(*value).ok().filter(|value| range.contains(value)),
            _ => None,
        }
    }

    /// The number, whole or not.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            YamlTree::Integer(value) => Some(*value as f64),
            YamlTree::Float(value) => Some(*value),
            _ => None,
        }
    }

    /// The elements of a list.
    pub fn as_list(&self) -> Option<&[YamlNode]> {
        match self {
            YamlTree::List(nodes) => Some(nodes),
            _ => None,
        }
    }

    /// The entries of a mapping.
    pub fn as_map(&self) -> Option<&[(YamlKey, YamlNode)]> {
        match self {
            YamlTree::Map(entries) => Some(entries),
            _ => None,
        }
    }
}

/// A block, known by its key at the top of the file.
pub(crate) trait YamlBlock {
    /// The key.
    const NAME: &'static str;
}
