//! JSON as hosts really send it, read without trusting any of it.
//!
//! Only the named fields are kept and only near the surface; the rest is skipped without recursion. A field of
//! the wrong type is a missing field, a repeated one counts as its last, bytes that are no text become U+FFFD.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::Unreadable;

/// How deep values are kept: `{tool_call: {input: {commands: [{args: [word]}]}}}` is six.
const DEPTH: usize = 7;

/// A value of the event.
#[derive(Debug, Clone, PartialEq)]
pub enum EventValue {
    /// A string.
    Text(String),
    /// `true` or `false`.
    Flag(bool),
    /// An array.
    List(Vec<EventValue>),
    /// The wanted fields of an object.
    Object(Vec<(String, EventValue)>),
    /// `null`.
    Null,
    /// Absent, a number, or deeper than is kept.
    Other,
}

impl EventValue {
    /// Reads one object from `bytes`, keeping the fields named in `wanted` at every level. What follows the object
    /// is not looked at.
    pub(super) fn read(bytes: &[u8], wanted: &[&str]) -> Result<EventValue, Unreadable> {
        EventValue::read_with_names(bytes, wanted).map(|(input, _)| input)
    }

    /// The same, and the names at the object's top that are not spelled as a wanted one is: what tells whose the object is.
    pub(super) fn read_with_names(
        bytes: &[u8],
        wanted: &[&str],
    ) -> Result<(EventValue, Vec<String>), Unreadable> {
        let text = String::from_utf8_lossy(bytes);
        let text = text.trim_start_matches('\u{feff}');
        if text.trim_ascii().is_empty() {
            return Err(Unreadable::Empty);
        }
        let text = paired(text);
        let mut parser = serde_json::Deserializer::from_str(&text);
        let others = RefCell::new(Vec::new());
        match (Seed { wanted, depth: DEPTH, others: Some(&others) }).deserialize(&mut parser) {
            Ok(node @ EventValue::Object(_)) => Ok((node, others.into_inner())),
            Ok(_) => Err(Unreadable::NotAnObject),
            Err(error) => Err(Unreadable::NotJson(error.to_string())),
        }
    }

    /// The field's value, or [`EventValue::Other`] when there is none.
    pub fn get(&self, field: &str) -> &EventValue {
        static ABSENT: EventValue = EventValue::Other;
        match self {
            EventValue::Object(fields) => {
                fields.iter().rev().find(|(name, _)| name == field).map_or(&ABSENT, |(_, value)| value)
            }
            _ => &ABSENT,
        }
    }

    /// Whether the field is there, whatever it is.
    pub fn has(&self, field: &str) -> bool {
        matches!(self, EventValue::Object(fields) if fields.iter().any(|(name, _)| name == field))
    }

    /// Whether the field is there and `null`.
    pub(super) fn is_null(&self, field: &str) -> bool {
        matches!(self.get(field), EventValue::Null)
    }

    /// The value, if it is text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            EventValue::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The field's text, if it is text.
    pub fn text(&self, field: &str) -> Option<&str> {
        self.get(field).as_text()
    }

    /// The field's text, or nothing.
    pub fn string(&self, field: &str) -> String {
        self.text(field).unwrap_or_default().to_owned()
    }

    /// The field's text, if it is text and not empty.
    pub fn filled(&self, field: &str) -> Option<String> {
        self.text(field).filter(|text| !text.is_empty()).map(str::to_owned)
    }

    /// Whether the field is `true`.
    pub fn flag(&self, field: &str) -> bool {
        matches!(self.get(field), EventValue::Flag(true))
    }

    /// The field's elements, if it is a list.
    pub fn list(&self, field: &str) -> &[EventValue] {
        match self.get(field) {
            EventValue::List(elements) => elements,
            _ => &[],
        }
    }
}

/// The same JSON with each unpaired surrogate escape replaced by that of U+FFFD.
///
/// A backslash stands only inside a string and there begins an escape, so the text need not be parsed to see which
/// `\u` is one: in `\\ud83d` the first escape is the backslash itself.
fn paired(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut whole = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr::memchr(b'\\', rest)) {
        at += found;
        at += match (unit(bytes, at), unit(bytes, at + 6)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(0xd800..=0xdfff), _) => {
                whole.push_str(text.get(copied..at).unwrap_or_default());
                whole.push_str("\\ufffd");
                copied = at + 6;
                6
            }
            (Some(_), _) => 6,
            (None, _) => 2,
        };
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    whole.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(whole)
}

/// The UTF-16 unit of the `\uXXXX` at this place, if there is one.
fn unit(bytes: &[u8], at: usize) -> Option<u16> {
    let digits = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
    digits.iter().try_fold(0, |unit: u16, digit| {
        let value = char::from(*digit).to_digit(16)?;
        Some(unit << 4 | u16::try_from(value).ok()?)
    })
}

/// Reads a value of which only the wanted fields down to a depth are kept.
#[derive(Clone, Copy)]
struct Seed<'w> {
    wanted: &'w [&'w str],
    depth: usize,
    /// Where names go that are not spelled as a wanted one is; `None` below the top.
    others: Option<&'w RefCell<Vec<String>>>,
}

impl<'w> Seed<'w> {
    /// The wanted field that is written as `camelCase` in `name`, as some hosts write it.
    fn in_camel_case(&self, name: &str) -> Option<&'w str> {
        let camel = |wanted: &str| {
            let mut letters = name.bytes();
            let is_beginning = wanted.split('_').enumerate().all(|(at, part)| {
                part.bytes().enumerate().all(|(n, byte)| {
                    let expected = if at > 0 && n == 0 { byte.to_ascii_uppercase() } else { byte };
                    letters.next() == Some(expected)
                })
            });
            is_beginning && letters.next().is_none()
        };
        // Few names have a capital, and every event has many names.
        let has_capital = name.bytes().any(|byte| byte.is_ascii_uppercase());
        has_capital.then(|| self.wanted.iter().find(|wanted| camel(wanted))).flatten().copied()
    }

    fn note_other(&self, name: String) {
        if let Some(others) = self.others {
            others.borrow_mut().push(name);
        }
    }
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = EventValue;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<EventValue, D::Error> {
        if self.depth == 0 {
            // Skipped by a loop, not by recursion: any nesting passes.
            return deserializer.deserialize_ignored_any(IgnoredAny).map(|_| EventValue::Other);
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = EventValue;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("any JSON value")
    }

    fn visit_str<E>(self, text: &str) -> Result<EventValue, E> {
        Ok(EventValue::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<EventValue, E> {
        Ok(EventValue::Text(text))
    }

    fn visit_bool<E>(self, flag: bool) -> Result<EventValue, E> {
        Ok(EventValue::Flag(flag))
    }

    fn visit_u64<E>(self, _: u64) -> Result<EventValue, E> {
        Ok(EventValue::Other)
    }

    fn visit_i64<E>(self, _: i64) -> Result<EventValue, E> {
        Ok(EventValue::Other)
    }

    fn visit_f64<E>(self, _: f64) -> Result<EventValue, E> {
        Ok(EventValue::Other)
    }

    fn visit_unit<E>(self) -> Result<EventValue, E> {
        Ok(EventValue::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<EventValue, A::Error> {
        let inner = Seed { depth: self.depth - 1, others: None, ..self };
        let mut elements = Vec::new();
        while let Some(element) = access.next_element_seed(inner)? {
            elements.push(element);
        }
        Ok(EventValue::List(elements))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<EventValue, A::Error> {
        let inner = Seed { depth: self.depth - 1, others: None, ..self };
        let mut fields = Vec::new();
        while let Some(name) = access.next_key::<String>()? {
            if self.wanted.contains(&name.as_str()) {
                fields.push((name, access.next_value_seed(inner)?));
            } else if let Some(wanted) = self.in_camel_case(&name) {
                fields.push((wanted.to_owned(), access.next_value_seed(inner)?));
                self.note_other(name);
            } else {
                access.next_value::<IgnoredAny>()?;
                self.note_other(name);
            }
        }
        Ok(EventValue::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WANTED: &[&str] = &["a", "b"];

    #[test]
    fn unpaired_surrogates_become_replacement_characters_and_nothing_else_changes() {
        let cases = [
            (r"plain", r"plain"),
            (r"\ud83d", r"\ufffd"),
            (r"\uDE00", r"\ufffd"),
            (r"\ud83d\ude00", r"\ud83d\ude00"),
            (r"\uD83D\uDE00", r"\uD83D\uDE00"),
            (r"\ud83d\ud83d\ude00", r"\ufffd\ud83d\ude00"),
            (r"\ude00\ud83d", r"\ufffd\ufffd"),
            (r"\\ud83d", r"\\ud83d"),
            (r"\\\ud83d", r"\\\ufffd"),
            (r"\ud83d\\ude00", r"\ufffd\\ude00"),
            (r"\ud83d\n\ude00", r"\ufffd\n\ufffd"),
            (r"\u00e9\ud83dé", r"\u00e9\ufffdé"),
            (r"\ud83", r"\ud83"),
            (r"\ud83", r"\ud83"),
            (r"\uzzzz\", r"\uzzzz\"),
            (r"\é\ud83d", r"\é\ufffd"),
            (r"\+12d", r"\+12d"),
            (r"\u+12d", r"\u+12d"),
        ];
        for (input, expected) in cases {
            assert_eq!(paired(input), expected, "{input}");
        }
    }

    #[test]
    fn odd_objects_are_read_as_far_as_they_go() {
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        let cases = [
            (r#"{"a":"x","unknown":{"a":1}}"#.to_owned(), Some("x")),
            (r#"{"a":"x","a":"y"}"#.to_owned(), Some("y")),
            (r#"{"a":17}"#.to_owned(), None),
            (r#"{"a":null}"#.to_owned(), None),
            (r#"{"a":["x"]}"#.to_owned(), None),
            (r#"{"a":"x"} {"a":"y"}"#.to_owned(), Some("x")),
            ("\u{feff} {\"a\":\"x\"}\n".to_owned(), Some("x")),
            (format!(r#"{{"unknown":{deep},"a":"x"}}"#), Some("x")),
            (format!(r#"{{"b":{deep},"a":"x"}}"#), Some("x")),
            (r#"{"a":"\ud83d!"}"#.to_owned(), Some("\u{fffd}!")),
            (r#"{"a":"\ud83d\ude00"}"#.to_owned(), Some("\u{1f600}")),
        ];
        for (input, expected) in cases {
            let short = &input[..input.len().min(60)];
            let node =
                EventValue::read(input.as_bytes(), WANTED).unwrap_or_else(|error| panic!("{short}: {error}"));
            assert_eq!(node.text("a"), expected, "{short}");
        }
    }

    #[test]
    fn bytes_that_are_not_text_are_replaced() {
        let node = EventValue::read(b"{\"a\":\"x\xff\xfey\"}", WANTED).unwrap();
        assert_eq!(node.text("a"), Some("x\u{fffd}\u{fffd}y"));
    }

    #[test]
    fn what_is_no_object_is_refused_with_the_reason() {
        assert_eq!(EventValue::read(b"", WANTED), Err(Unreadable::Empty));
        assert_eq!(EventValue::read(b" \n\t", WANTED), Err(Unreadable::Empty));
        for input in ["[]", "17", "null", "\"{}\"", "true"] {
            assert_eq!(EventValue::read(input.as_bytes(), WANTED), Err(Unreadable::NotAnObject), "{input}");
        }
        for input in ["{", "{\"a\":", "{\"a\":\"x", "hello", "{a:1}", "{\"b\":[1,", "\u{0}"] {
            let read = EventValue::read(input.as_bytes(), WANTED);
            assert!(matches!(read, Err(Unreadable::NotJson(_))), "{input}: {read:?}");
        }
    }
}
