//! What a function would give that gives nothing: by its type where the language asks for one.

use tree_sitter::Node;

use crate::languages::registry::Language;
use crate::languages::tree::{parts, text};

/// The default in the place of what a return gives; `None` where none is known.
pub(super) fn default_of(
    language: Language,
    function: Option<Node>,
    value: Node,
    source: &str,
) -> Option<String> {
    let fixed = |text: &str| Some(text.to_owned());
    match language {
        Language::Python => fixed("None"),
        Language::JavaScript | Language::TypeScript | Language::Tsx => match text(value, source) {
            "undefined" | "null" => None,
            _ => fixed("undefined"),
        },
        Language::Rust => match text(value, source) {
            "None" | "()" => None,
            _ => fixed("Default::default()"),
        },
        Language::Java => java(function?, source).map(str::to_owned),
        Language::Go => go(function?, value, source),
        _ => None,
    }
}

fn java(function: Node, source: &str) -> Option<&'static str> {
    let kind = function.child_by_field_name("type")?;
    Some(match kind.kind() {
        "integral_type" | "floating_point_type" => "0",
        "boolean_type" => "false",
        "void_type" => return None,
        _ if text(kind, source).is_empty() => return None,
        _ => "null",
    })
}

/// A value for each of the results.
fn go(function: Node, value: Node, source: &str) -> Option<String> {
    let result = function.child_by_field_name("result")?;
    let types: Vec<&str> = if result.kind() == "parameter_list" {
        let each = parts(result).into_iter();
        let types = each.map(|one| one.child_by_field_name("type").map(|kind| text(kind, source)));
        types.collect::<Option<Vec<&str>>>()?
    } else {
        vec![text(result, source)]
    };
    let given = if value.kind() == "expression_list" { parts(value).len() } else { 1 };
    if types.len() != given {
        return None;
    }
    let values: Option<Vec<String>> = types.into_iter().map(go_zero).collect();
    Some(values?.join(", "))
}

fn go_zero(kind: &str) -> Option<String> {
    let numbers = ["int", "uint", "float", "byte", "rune", "complex"];
    let is_number = numbers.iter().any(|word| {
        kind.strip_prefix(word).is_some_and(|rest| rest.chars().all(|letter| letter.is_ascii_digit()))
    });
    Some(match kind {
        _ if is_number => "0".to_owned(),
        "string" => "\"\"".to_owned(),
        "bool" => "false".to_owned(),
        "error" | "any" | "interface{}" => "nil".to_owned(),
        _ if kind.starts_with(['*', '[']) || kind.starts_with("map[") || kind.starts_with("func(") => {
            "nil".to_owned()
        }
        // Whether a named type is a struct or an interface only its own place says.
        _ => return None,
    })
}
