//! YAML as a tree in which every value knows its line and column.
//!
//! The only file of this room that names the YAML crate. Depth, size and aliases are bounded by it.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{Location, Spanned};

/// The most that is read of a file, bytes.
pub const LIMIT: usize = 1024 * 1024;
/// The most values that a file may hold, aliases followed.
const NODES: usize = 50_000;

/// A line and a column, both from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
}

impl Place {
    /// The beginning of the file.
    pub const START: Place = Place { line: 1, column: 1 };

    fn of(location: Location) -> Place {
        let number = |value: u64| u32::try_from(value.max(1)).unwrap_or(u32::MAX);
        Place { line: number(location.line()), column: number(location.column()) }
    }
}

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Where it begins.
    pub at: Place,
    /// The value.
    pub value: Tree,
}

/// A value.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the kinds of YAML")]
pub enum Tree {
    Null,
    Bool(bool),
    Integer(i64),
    Float(f64),
    Text(String),
    List(Vec<Node>),
    Map(Vec<(Key, Node)>),
}

impl Tree {
    /// What a value is, in words.
    pub fn kind(&self) -> &'static str {
        match self {
            Tree::Null => "nothing",
            Tree::Bool(_) => "true or false",
            Tree::Integer(_) | Tree::Float(_) => "a number",
            Tree::Text(_) => "a text",
            Tree::List(_) => "a list",
            Tree::Map(_) => "a mapping",
        }
    }
}

/// The name of an entry and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    /// Where it begins.
    pub at: Place,
    /// The name.
    pub name: String,
}

/// What is wrong with a text that is no YAML.
#[derive(Debug, Clone, PartialEq)]
pub struct NotYaml {
    /// Where.
    pub at: Place,
    /// What.
    pub message: String,
}

/// Reads a document. Plain `yes` and `no` are texts, as in YAML 1.2.
pub fn parse(text: &str) -> Result<Node, NotYaml> {
    if text.len() > LIMIT {
        let message = format!("the file is larger than {LIMIT} bytes");
        return Err(NotYaml { at: Place::START, message });
    }
    let budget = serde_saphyr::budget! { max_nodes: NODES, max_depth: 32, flow_nesting_limit: 32 };
    let options = serde_saphyr::options! { budget: budget, strict_booleans: true, with_snippet: false };
    match serde_saphyr::from_str_with_options::<Option<Node>>(text, options) {
        Ok(node) => Ok(node.unwrap_or(Node { at: Place::START, value: Tree::Null })),
        Err(error) => {
            let at = error.location().map_or(Place::START, Place::of);
            Err(NotYaml { at, message: without_place(&error.to_string()) })
        }
    }
}

/// The parser's message without its own mention of the place.
fn without_place(message: &str) -> String {
    let first = message.lines().next().unwrap_or_default();
    let end = first.find(" at line ").unwrap_or(first.len());
    first[..end].trim_end_matches([':', ',', ' ']).to_owned()
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<Tree>::deserialize(deserializer)?;
        Ok(Node { at: Place::of(spanned.referenced), value: spanned.value })
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<String>::deserialize(deserializer)?;
        Ok(Key { at: Place::of(spanned.referenced), name: spanned.value })
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TreeVisitor)
    }
}

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = Tree;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Null)
    }

    fn visit_none<E>(self) -> Result<Tree, E> {
        Ok(Tree::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Tree, D::Error> {
        Tree::deserialize(deserializer)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Tree, E> {
        Ok(Tree::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Tree, E> {
        Ok(Tree::Integer(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Tree, E> {
        Ok(i64::try_from(value).map_or(Tree::Float(value as f64), Tree::Integer))
    }

    fn visit_i128<E>(self, value: i128) -> Result<Tree, E> {
        Ok(Tree::Float(value as f64))
    }

    fn visit_u128<E>(self, value: u128) -> Result<Tree, E> {
        Ok(Tree::Float(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Tree, E> {
        Ok(Tree::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Tree, E> {
        Ok(Tree::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Tree, E> {
        Ok(Tree::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Tree, A::Error> {
        let mut list = Vec::new();
        while let Some(node) = seq.next_element::<Node>()? {
            list.push(node);
        }
        Ok(Tree::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tree, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry::<Key, Node>()? {
            entries.push(entry);
        }
        Ok(Tree::Map(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32, column: u32) -> Place {
        Place { line, column }
    }

    fn entry<'a>(node: &'a Node, name: &str) -> &'a (Key, Node) {
        let Tree::Map(entries) = &node.value else { panic!("{node:?}") };
        entries.iter().find(|(key, _)| key.name == name).unwrap()
    }

    #[test]
    fn values_and_keys_know_their_place() {
        let text = "# a comment\na: 1\nb:\n  - x: yes\n    y: [2.5, \"q\"]\n  - ~\nc: é\nd: {e: true}\n";
        let root = parse(text).unwrap();
        let (key, a) = entry(&root, "a");
        assert_eq!((key.at, a.at, &a.value), (at(2, 1), at(2, 4), &Tree::Integer(1)));
        let Tree::List(items) = &entry(&root, "b").1.value else { panic!() };
        let (key, x) = entry(&items[0], "x");
        assert_eq!((key.at, x.at, &x.value), (at(4, 5), at(4, 8), &Tree::Text("yes".into())));
        let Tree::List(pair) = &entry(&items[0], "y").1.value else { panic!() };
        assert_eq!((pair[0].at, &pair[0].value), (at(5, 9), &Tree::Float(2.5)));
        assert_eq!((pair[1].at, &pair[1].value), (at(5, 14), &Tree::Text("q".into())));
        assert_eq!(items[1].value, Tree::Null);
        let (key, e) = entry(&entry(&root, "d").1, "e");
        assert_eq!((key.at, e.at, &e.value), (at(8, 5), at(8, 8), &Tree::Bool(true)));
    }

    #[test]
    fn an_alias_stands_where_it_is_used() {
        let root = parse("a: &x [1]\nb: *x\n").unwrap();
        let b = &entry(&root, "b").1;
        let Tree::List(items) = &b.value else { panic!("{b:?}") };
        assert_eq!((b.at, items[0].at, &items[0].value), (at(2, 4), at(2, 4), &Tree::Integer(1)));
    }

    #[test]
    fn nothing_is_null() {
        for text in ["", "# only a comment\n", "---\n", "~\n", "\u{feff}"] {
            assert_eq!(parse(text).map(|node| node.value), Ok(Tree::Null), "{text:?}");
        }
    }

    #[test]
    fn what_is_no_yaml_says_where() {
        let rows = [("a: 1\nb: [1, 2\nc: 3\n", 3), ("a: 1\na: 2\n", 2), ("a:\n\t- b\n", 2), ("a: 'x\n", 1)];
        for (text, line) in rows {
            let error = parse(text).unwrap_err();
            assert_eq!(error.at.line, line, "{text:?}: {error:?}");
            assert!(!error.message.is_empty() && !error.message.contains(" line "), "{text:?}: {error:?}");
        }
    }

    #[test]
    fn hostile_texts_end_in_an_error() {
        let deep = format!("a: {}", "[".repeat(10_000));
        let deep_blocks: String = (0..2_000).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
        let mut laughs = "a: &a [x,x,x,x,x,x,x,x,x,x]\n".to_owned();
        for (from, to) in "abcdefgh".chars().zip("bcdefghi".chars()) {
            laughs += &format!("{to}: &{to} [*{from},*{from},*{from},*{from},*{from},*{from},*{from}]\n");
        }
        let huge = "a: 1\n".repeat(LIMIT);
        for text in [deep, deep_blocks, laughs, huge] {
            assert!(parse(&text).is_err(), "{}", &text[..60]);
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[ -~\n\t\u{e9}\u{1F600}]{0,300}") {
            let _ = parse(&text);
        }
    }
}
