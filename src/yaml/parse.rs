//! A YAML text -> a located tree. The only file that names the YAML crate.
//!
//! Depth, size and aliases of a text are bounded by the crate.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_saphyr::options::{DuplicateKeyPolicy, NonFiniteFloatPolicy, Options};
use serde_saphyr::{Error, Location, Spanned};

use super::tree::{LIMIT, Position, YamlBlock, YamlKey, YamlNode, YamlTree};

/// The most values that a document may hold, aliases followed.
const NODES: usize = 50_000;
/// The most events that aliases may be replayed as, in a file of several owners.
const LARGEST_EXPANSION: usize = 20_000;

/// A text that is no YAML.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NotYaml {
    /// Where, unless the whole text is meant.
    pub(crate) at: Option<Position>,
    /// What is wrong.
    pub(crate) message: String,
}

impl NotYaml {
    fn of(error: &Error) -> NotYaml {
        NotYaml { at: error.location().and_then(known), message: without_place(error) }
    }
}

/// Reads a document. Plain `yes` and `no` are texts, as in YAML 1.2.
pub(crate) fn document(text: &str) -> Result<YamlNode, NotYaml> {
    if text.len() > LIMIT {
        let message = format!("the file is larger than {LIMIT} bytes");
        return Err(NotYaml { at: None, message });
    }
    let budget = serde_saphyr::budget! { max_nodes: NODES, max_depth: 32, flow_nesting_limit: 32 };
    let options = serde_saphyr::options! { budget: budget, strict_booleans: true, with_snippet: false };
    match serde_saphyr::from_str_with_options::<Option<YamlNode>>(text, options) {
        Ok(node) => Ok(node.unwrap_or(YamlNode { at: Position::START, value: YamlTree::Null })),
        Err(error) => Err(NotYaml::of(&error)),
    }
}

/// Reads the entries of one top-level key in a file of several owners; the others' are skipped, and a file that is no
/// mapping has none. Plain `yes` and `no` are true and false, as in YAML 1.1.
pub(super) fn entries<B: YamlBlock>(text: &str) -> Result<Vec<(YamlKey, YamlNode)>, NotYaml> {
    let mut options = Options::default();
    options.duplicate_keys = DuplicateKeyPolicy::PassThrough;
    options.with_snippet = false;
    // A key of the block that can't be infinite says so itself; another owner's may be.
    options.non_finite_float_policy = NonFiniteFloatPolicy::PassThrough;
    options.alias_limits.max_total_replayed_events = LARGEST_EXPANSION;
    match serde_saphyr::from_str_with_options::<Root<B>>(text, options) {
        Ok(root) => Ok(root.0),
        Err(error) => Err(NotYaml::of(&error)),
    }
}

/// The parser's words without the place, which is shown by itself.
fn without_place(error: &Error) -> String {
    let text = error.without_snippet().to_string();
    let text = text.lines().next().unwrap_or_default();
    let end = [" at line ", " (line "].iter().filter_map(|mark| text.find(mark)).min().unwrap_or(text.len());
    text[..end].trim_end_matches([',', ':', ' ']).to_owned()
}

fn known(location: Location) -> Option<Position> {
    (location.line() > 0).then(|| position(location))
}

fn position(location: Location) -> Position {
    Position { line: (location.line() as usize).max(1), column: (location.column() as usize).max(1) }
}

/// A whole file: the entries of one key.
struct Root<B>(Vec<(YamlKey, YamlNode)>, PhantomData<B>);

impl<'de, B: YamlBlock> Deserialize<'de> for Root<B> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RootVisitor(PhantomData))
    }
}

struct RootVisitor<B>(PhantomData<B>);

impl<'de, B: YamlBlock> Visitor<'de> for RootVisitor<B> {
    type Value = Root<B>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a mapping")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Root<B>, A::Error> {
        let mut entries = Vec::new();
        while let Some(key) = map.next_key::<YamlKey>()? {
            if key.name == B::NAME {
                entries.push((key, map.next_value()?));
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(Root(entries, PhantomData))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Root<B>, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Root(Vec::new(), PhantomData))
    }

    fn visit_str<E>(self, _: &str) -> Result<Root<B>, E> {
        Ok(Root(Vec::new(), PhantomData))
    }

    fn visit_unit<E>(self) -> Result<Root<B>, E> {
        Ok(Root(Vec::new(), PhantomData))
    }
}

impl<'de> Deserialize<'de> for YamlNode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<YamlTree>::deserialize(deserializer)?;
        Ok(YamlNode { at: position(spanned.referenced), value: spanned.value })
    }
}

impl<'de> Deserialize<'de> for YamlKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<String>::deserialize(deserializer)?;
        Ok(YamlKey { at: position(spanned.referenced), name: spanned.value })
    }
}

impl<'de> Deserialize<'de> for YamlTree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TreeVisitor)
    }
}

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = YamlTree;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<YamlTree, E> {
        Ok(YamlTree::Null)
    }

    fn visit_none<E>(self) -> Result<YamlTree, E> {
        Ok(YamlTree::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<YamlTree, D::Error> {
        YamlTree::deserialize(deserializer)
    }

    fn visit_bool<E>(self, value: bool) -> Result<YamlTree, E> {
        Ok(YamlTree::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<YamlTree, E> {
        Ok(YamlTree::Integer(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<YamlTree, E> {
        Ok(i64::try_from(value).map_or(YamlTree::Float(value as f64), YamlTree::Integer))
    }

    fn visit_i128<E>(self, value: i128) -> Result<YamlTree, E> {
        Ok(YamlTree::Float(value as f64))
    }

    fn visit_u128<E>(self, value: u128) -> Result<YamlTree, E> {
        Ok(YamlTree::Float(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<YamlTree, E> {
        Ok(YamlTree::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<YamlTree, E> {
        Ok(YamlTree::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<YamlTree, E> {
        Ok(YamlTree::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<YamlTree, A::Error> {
        let mut list = Vec::new();
        while let Some(node) = seq.next_element::<YamlNode>()? {
            list.push(node);
        }
        Ok(YamlTree::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<YamlTree, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry::<YamlKey, YamlNode>()? {
            entries.push(entry);
        }
        Ok(YamlTree::Map(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: usize, column: usize) -> Position {
        Position { line, column }
    }

    fn entry<'a>(node: &'a YamlNode, name: &str) -> &'a (YamlKey, YamlNode) {
        let YamlTree::Map(entries) = &node.value else { panic!("{node:?}") };
        entries.iter().find(|(key, _)| key.name == name).unwrap()
    }

    #[test]
    fn values_and_keys_know_their_place() {
        let text = "# a comment\na: 1\nb:\n  - x: yes\n    y: [2.5, \"q\"]\n  - ~\nc: é\nd: {e: true}\n";
        let root = document(text).unwrap();
        let (key, a) = entry(&root, "a");
        assert_eq!((key.at, a.at, &a.value), (at(2, 1), at(2, 4), &YamlTree::Integer(1)));
        let YamlTree::List(items) = &entry(&root, "b").1.value else { panic!() };
        let (key, x) = entry(&items[0], "x");
        assert_eq!((key.at, x.at, &x.value), (at(4, 5), at(4, 8), &YamlTree::Text("yes".into())));
        let YamlTree::List(pair) = &entry(&items[0], "y").1.value else { panic!() };
        assert_eq!((pair[0].at, &pair[0].value), (at(5, 9), &YamlTree::Float(2.5)));
        assert_eq!((pair[1].at, &pair[1].value), (at(5, 14), &YamlTree::Text("q".into())));
        assert_eq!(items[1].value, YamlTree::Null);
        let (key, e) = entry(&entry(&root, "d").1, "e");
        assert_eq!((key.at, e.at, &e.value), (at(8, 5), at(8, 8), &YamlTree::Bool(true)));
    }

    #[test]
    fn an_alias_stands_where_it_is_used() {
        let root = document("a: &x [1]\nb: *x\n").unwrap();
        let b = &entry(&root, "b").1;
        let YamlTree::List(items) = &b.value else { panic!("{b:?}") };
        assert_eq!((b.at, items[0].at, &items[0].value), (at(2, 4), at(2, 4), &YamlTree::Integer(1)));
    }

    #[test]
    fn nothing_is_null() {
        for text in ["", "# only a comment\n", "---\n", "~\n", "\u{feff}"] {
            assert_eq!(document(text).map(|node| node.value), Ok(YamlTree::Null), "{text:?}");
        }
    }

    #[test]
    fn what_is_no_yaml_says_where() {
        let rows = [("a: 1\nb: [1, 2\nc: 3\n", 3), ("a: 1\na: 2\n", 2), ("a:\n\t- b\n", 2), ("a: 'x\n", 1)];
        for (text, line) in rows {
            let error = document(text).unwrap_err();
            assert_eq!(error.at.map(|at| at.line), Some(line), "{text:?}: {error:?}");
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
            assert!(document(&text).is_err(), "{}", &text[..60]);
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[ -~\n\t\u{e9}\u{1F600}]{0,300}") {
            let _ = document(&text);
        }
    }
}
