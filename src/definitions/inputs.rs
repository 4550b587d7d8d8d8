//! Placeholders: `"{task}"` in an input or a message becomes what the loop knows under that name.
//!
//! Pure. What is put in is never read for placeholders again, so a task that says `{cwd}` stays as it was written.

use serde_json::{Map, Value};

use super::model::{DefinedList, DefinitionValue, Text};

/// What a name stands for, or `None` when nothing is known under it.
pub type Lookup<'a> = dyn Fn(&str) -> Option<Value> + 'a;

/// Something that was filled in, and the names that were not known.
#[derive(Debug, Clone, PartialEq)]
pub struct FilledInput<T> {
    /// The result.
    pub value: T,
    /// The unknown names, each once.
    pub unknown: Vec<String>,
}

/// Fills the inputs of an agent. A text that is nothing but a placeholder becomes the value itself, with its type, and
/// null when it is unknown; inside a longer text a value becomes text, and an unknown placeholder stays as it is.
pub fn fill(
    inputs: &DefinedList<(Text, DefinitionValue)>,
    lookup: &Lookup,
) -> FilledInput<Map<String, Value>> {
    let mut unknown = Vec::new();
    let filled = inputs.iter().map(|(name, input)| (name.to_string(), literal(input, lookup, &mut unknown)));
    FilledInput { value: filled.collect(), unknown }
}

/// Fills a message.
pub fn fill_text(text: &str, lookup: &Lookup) -> FilledInput<String> {
    let mut unknown = Vec::new();
    let value = embedded(text, lookup, &mut unknown);
    FilledInput { value, unknown }
}

/// The names that a text's placeholders have, in their order.
pub fn placeholders(text: &str) -> Vec<&str> {
    pieces(text)
        .filter_map(|piece| if let InputPiece::Placeholder(name) = piece { Some(name) } else { None })
        .collect()
}

fn literal(input: &DefinitionValue, lookup: &Lookup, unknown: &mut Vec<String>) -> Value {
    match input {
        DefinitionValue::Text(text) => filled(text, lookup, unknown),
        DefinitionValue::List(list) => list.iter().map(|input| literal(input, lookup, unknown)).collect(),
        DefinitionValue::Map(map) => {
            let entries = map.iter().map(|(name, input)| (name.to_string(), literal(input, lookup, unknown)));
            Value::Object(entries.collect())
        }
        plain => plain.to_json(),
    }
}

fn filled(text: &str, lookup: &Lookup, unknown: &mut Vec<String>) -> Value {
    let mut pieces = pieces(text);
    if let (Some(InputPiece::Placeholder(name)), None) = (pieces.next(), pieces.next()) {
        return lookup(name).unwrap_or_else(|| {
            note(name, unknown);
            Value::Null
        });
    }
    Value::String(embedded(text, lookup, unknown))
}

fn embedded(text: &str, lookup: &Lookup, unknown: &mut Vec<String>) -> String {
    let mut result = String::with_capacity(text.len());
    for piece in pieces(text) {
        match piece {
            InputPiece::Plain(text) => result.push_str(text),
            InputPiece::Placeholder(name) => match lookup(name) {
                Some(Value::String(value)) => result.push_str(&value),
                Some(value) => result.push_str(&value.to_string()),
                None => {
                    note(name, unknown);
                    result.extend(["{", name, "}"]);
                }
            },
        }
    }
    result
}

fn note(name: &str, unknown: &mut Vec<String>) {
    if !unknown.iter().any(|known| known == name) {
        unknown.push(name.to_owned());
    }
}

enum InputPiece<'a> {
    Plain(&'a str),
    Placeholder(&'a str),
}

/// Cuts a text into its placeholders and what is between. Braces around anything but a name are plain text.
fn pieces(text: &str) -> impl Iterator<Item = InputPiece<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if let Some(name) = leading_placeholder(rest) {
            rest = &rest[name.len() + 2..];
            return Some(InputPiece::Placeholder(name));
        }
        let end =
            rest.match_indices('{').map(|(at, _)| at).find(|at| leading_placeholder(&rest[*at..]).is_some());
        let (plain, after) = rest.split_at(end.unwrap_or(rest.len()));
        rest = after;
        (!plain.is_empty()).then_some(InputPiece::Plain(plain))
    })
}

fn leading_placeholder(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('{')?;
    let end = inside.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.')))?;
    let name = &inside[..end];
    let part = |part: &str| part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    (inside[end..].starts_with('}') && name.split('.').all(part)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn world(name: &str) -> Option<Value> {
        let world = json!({
            "iteration": 5, "task": "Mend {cwd} 'x'", "error.type": "TypeError", "empty": null,
            "baseline_metrics": {"test_count": 150}, "errors": ["a", "b"],
        });
        world.get(name).cloned()
    }

    #[test]
    fn a_placeholder_alone_keeps_its_type_and_one_inside_becomes_text() {
        let rows: [(&'static str, Value, &[&str]); 15] = [
            ("{iteration}", json!(5), &[]),
            ("{baseline_metrics}", json!({"test_count": 150}), &[]),
            ("{errors}", json!(["a", "b"]), &[]),
            ("{empty}", Value::Null, &[]),
            ("{error.type}", json!("TypeError"), &[]),
            ("{task}", json!("Mend {cwd} 'x'"), &[]),
            ("iteration {iteration} of {task}", json!("iteration 5 of Mend {cwd} 'x'"), &[]),
            ("{errors}!", json!("[\"a\",\"b\"]!"), &[]),
            ("{iteration}{iteration}", json!("55"), &[]),
            ("{nobody}", Value::Null, &["nobody"]),
            ("a {nobody} {nobody} {no.one}", json!("a {nobody} {nobody} {no.one}"), &["nobody", "no.one"]),
            ("{ iteration } {} {{iteration} {1} {a b}", json!("{ iteration } {} {5 {1} {a b}"), &[]),
            ("plain", json!("plain"), &[]),
            ("", json!(""), &[]),
            ("{é} {iteration", json!("{é} {iteration"), &[]),
        ];
        for (text, value, unknown) in rows {
            let inputs = vec![("x".into(), DefinitionValue::Text(text.into()))].into();
            let filled = fill(&inputs, &world);
            assert_eq!(filled.value["x"], value, "{text}");
            assert_eq!(filled.unknown, unknown, "{text}");
        }
    }

    #[test]
    fn lists_and_mappings_are_filled_inside() {
        let list = DefinitionValue::List(
            vec![DefinitionValue::Text("{iteration}".into()), DefinitionValue::Bool(true)].into(),
        );
        let map =
            DefinitionValue::Map(vec![("n".into(), DefinitionValue::Text("{iteration}".into()))].into());
        let inputs =
            vec![("list".into(), list), ("map".into(), map), ("f".into(), DefinitionValue::Float(0.5))]
                .into();
        let value = fill(&inputs, &world).value;
        assert_eq!(Value::Object(value), json!({"list": [5, true], "map": {"n": 5}, "f": 0.5}));
    }

    #[test]
    fn messages_are_filled() {
        let filled = fill_text("Iteration {iteration}: {error.type}\n{error_pattern}", &world);
        assert_eq!(filled.value, "Iteration 5: TypeError\n{error_pattern}");
        assert_eq!(filled.unknown, ["error_pattern"]);
        assert_eq!(placeholders("{a} {b.c} {}"), ["a", "b.c"]);
    }

    proptest::proptest! {
        #[test]
        fn without_known_names_nothing_changes(text in "[{}a-z. é]{0,60}") {
            proptest::prop_assert_eq!(fill_text(&text, &|_| None).value, text);
        }
    }
}
