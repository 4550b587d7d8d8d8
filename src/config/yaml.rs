//! YAML text to nodes that know their place. This is the only file of the room that names the YAML crate.
//!
//! The block is read by itself where it can be, so that a fault in another owner's part of the file, or its size, does
//! not cost us our settings. Nesting, anchors and their expansion are bounded.

use std::fmt;

use memchr::memmem;
use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_saphyr::options::{DuplicateKeyPolicy, NonFiniteFloatPolicy, Options};
use serde_saphyr::{Error, Spanned};

use super::BLOCK;

/// Events that aliases may be replayed as, in the whole file.
const LARGEST_EXPANSION: usize = 20_000;

/// A value and where it begins.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    pub(super) at: Place,
    pub(super) value: Value,
}

/// A line and a column, both from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Place {
    pub(crate) line: usize,
    pub(super) column: usize,
}

/// A YAML value. The entries of a mapping are as written: a key may occur twice.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    List(Vec<Node>),
    Map(Vec<(Key, Node)>),
}

/// A mapping's key.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Key {
    pub(super) at: Place,
    pub(super) name: String,
}

/// Text that is no YAML.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Broken {
    pub(super) at: Option<Place>,
    pub(super) reason: String,
}

/// The value of our top-level key; `None` without it, or when the file is something else altogether.
pub(super) fn block(text: &str) -> Result<Option<Node>, Broken> {
    if memmem::find(text.as_bytes(), BLOCK.as_bytes()).is_none() {
        return Ok(None);
    }
    if let Some((start, end)) = isolated(text) {
        let before = text[..start].bytes().filter(|byte| *byte == b'\n').count();
        if let Ok(found) = parse(&text[start..end], before) {
            return Ok(found);
        }
    }
    parse(text, 0)
}

/// The lines that belong to our key in a plainly written file: from the one line that begins with it to the next that
/// begins with anything but a blank or a comment. A wrong cut can't be parsed, and then the whole file is.
fn isolated(text: &str) -> Option<(usize, usize)> {
    let mut found: Option<(usize, usize)> = None;
    let mut start = 0;
    let mut inside = false;
    for line in text.split_inclusive('\n') {
        let value = line.strip_prefix(BLOCK).map(|rest| rest.trim_start_matches(' '));
        if value.is_some_and(|rest| rest.starts_with(':')) {
            if found.is_some() {
                return None;
            }
            found = Some((start, text.len()));
            inside = true;
        } else if inside && !line.starts_with([' ', '\t', '\r', '\n', '#']) {
            found = found.map(|(first, _)| (first, start));
            inside = false;
        }
        start += line.len();
    }
    found
}

fn parse(text: &str, lines_before: usize) -> Result<Option<Node>, Broken> {
    let moved = |at: Place| Place { line: at.line + lines_before, ..at };
    let mut options = Options::default();
    options.duplicate_keys = DuplicateKeyPolicy::PassThrough;
    options.with_snippet = false;
    // A key of ours that can't be infinite says so itself; another owner's may be.
    options.non_finite_float_policy = NonFiniteFloatPolicy::PassThrough;
    options.alias_limits.max_total_replayed_events = LARGEST_EXPANSION;
    let file: Root = serde_saphyr::from_str_with_options(text, options)
        .map_err(|error| Broken { at: error.location().map(place).map(moved), reason: reason(&error) })?;
    let mut ours = file.0.into_iter();
    let Some((_, mut node)) = ours.next() else { return Ok(None) };
    if let Some((again, _)) = ours.next() {
        return Err(Broken { at: Some(moved(again.at)), reason: format!("{BLOCK} is there a second time") });
    }
    if lines_before > 0 {
        shift(&mut node, &moved);
    }
    Ok(Some(node))
}

/// The depth of a node is bounded by the parser's budget.
fn shift(node: &mut Node, moved: &impl Fn(Place) -> Place) {
    node.at = moved(node.at);
    match &mut node.value {
        Value::List(items) => items.iter_mut().for_each(|item| shift(item, moved)),
        Value::Map(entries) => {
            for (key, value) in entries {
                key.at = moved(key.at);
                shift(value, moved);
            }
        }
        _ => {}
    }
}

fn place(location: serde_saphyr::Location) -> Place {
    Place { line: location.line() as usize, column: location.column() as usize }
}

/// The parser's words without the place, which is shown by itself.
fn reason(error: &Error) -> String {
    let text = error.without_snippet().to_string();
    let text = text.lines().next().unwrap_or_default();
    let end = [" at line ", " (line "].iter().filter_map(|mark| text.find(mark)).min().unwrap_or(text.len());
    text[..end].trim_end_matches([',', ':', ' ']).to_owned()
}

/// A whole file: the entries of our key. All others are skipped.
struct Root(Vec<(Key, Node)>);

impl<'de> Deserialize<'de> for Root {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = Root;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a mapping")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Root, A::Error> {
                let mut entries = Vec::new();
                while let Some(key) = map.next_key::<Key>()? {
                    if key.name == BLOCK {
                        entries.push((key, map.next_value()?));
                    } else {
                        map.next_value::<IgnoredAny>()?;
                    }
                }
                Ok(Root(entries))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Root, A::Error> {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Root(Vec::new()))
            }

            fn visit_str<E>(self, _: &str) -> Result<Root, E> {
                Ok(Root(Vec::new()))
            }

            fn visit_unit<E>(self) -> Result<Root, E> {
                Ok(Root(Vec::new()))
            }
        }
        deserializer.deserialize_any(Entries)
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<Value>::deserialize(deserializer)?;
        Ok(Node { at: place(spanned.referenced), value: spanned.value })
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<String>::deserialize(deserializer)?;
        Ok(Key { at: place(spanned.referenced), name: spanned.value })
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Value;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a value")
            }

            fn visit_unit<E>(self) -> Result<Value, E> {
                Ok(Value::Null)
            }

            fn visit_none<E>(self) -> Result<Value, E> {
                Ok(Value::Null)
            }

            fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
                Ok(Value::Bool(value))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
                Ok(Value::Int(value))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
                Ok(i64::try_from(value).map_or(Value::Float(value as f64), Value::Int))
            }

            fn visit_i128<E: de::Error>(self, value: i128) -> Result<Value, E> {
                Ok(Value::Float(value as f64))
            }

            fn visit_u128<E: de::Error>(self, value: u128) -> Result<Value, E> {
                Ok(Value::Float(value as f64))
            }

            fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
                Ok(Value::Float(value))
            }

            fn visit_str<E>(self, value: &str) -> Result<Value, E> {
                Ok(Value::Text(value.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = seq.next_element()? {
                    items.push(item);
                }
                Ok(Value::List(items))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Value::Map(entries))
            }
        }
        deserializer.deserialize_any(Any)
    }
}
