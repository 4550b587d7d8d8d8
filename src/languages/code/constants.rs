//! Which nodes are constants, which of them stand for nothing, and which conditions are decided by one.
//!
//! Judged by kinds of nodes, a bounded number of levels deep.

use tree_sitter::Node;

use crate::languages::tree::{parts, text};

/// Kinds of nodes whose text is a value by itself.
const LITERALS: &[&str] = &[
    "atom",
    "boolean",
    "boolean_literal",
    "char",
    "char_literal",
    "character_literal",
    "concatenated_string",
    "decimal_floating_point_literal",
    "decimal_integer_literal",
    "default_expression",
    "encapsed_string",
    "false",
    "float",
    "float_literal",
    "hex_integer_literal",
    "int_literal",
    "integer",
    "integer_literal",
    "interpreted_string_literal",
    "keyword",
    "label",
    "line_string_literal",
    "multi_line_string_literal",
    "multiline_string_literal",
    "nil",
    "nil_literal",
    "none",
    "null",
    "null_literal",
    "number",
    "number_literal",
    "property_identifier",
    "raw_string_literal",
    "real_literal",
    "rune_literal",
    "string",
    "string_literal",
    "symbol_literal",
    "true",
    "undefined",
    "unit_expression",
    "verbatim_string_literal",
];

/// Kinds of nodes that are constant when all in them is.
#[rustfmt::skip] // Words in lines, not in a column.
const COMPOUNDS: &[&str] = &[
    "argument", "array", "array_creation_expression", "array_element_initializer", "array_expression",
    "array_initializer", "array_literal", "as_expression", "collection_expression", "collection_literal",
    "dictionary", "dictionary_literal", "expression_list", "initializer_list", "keyed_element", "keywords",
    "list", "list_literal", "literal_element", "literal_value", "map", "map_content", "map_element",
    "object", "pair", "parenthesized_expression", "prefix_expression", "record_field", "record_literal",
    "reference_expression", "satisfies_expression", "set", "set_or_map_literal", "tuple",
    "tuple_expression", "unary_expression", "unary_op_expression", "unary_operator",
];

/// Calls and names that give a constant.
const EMPTIES: &[&str] = &[
    "Collections.emptyList()",
    "Collections.emptyMap()",
    "Collections.emptySet()",
    "Default::default()",
    "Duration.zero",
    "False",
    "Future.unit",
    "Future.value()",
    "Future.value(false)",
    "Future.value(null)",
    "Future.value(true)",
    "HashMap::new()",
    "List.of()",
    "Map.of()",
    "None",
    "NULL",
    "Nil",
    "Ok(())",
    "Ok(Default::default())",
    "Ok(None)",
    "Ok(String::new())",
    "Ok(Vec::new())",
    "Ok(false)",
    "Ok(true)",
    "Option.empty",
    "Optional.empty()",
    "Promise.resolve()",
    "Some(true)",
    "Status::OK()",
    "Stream.empty()",
    "String::new()",
    "Task.CompletedTask",
    "True",
    "Unit",
    "Vec::new()",
    "dict()",
    "emptyList()",
    "emptyMap()",
    "emptySet()",
    "false",
    "list()",
    "listOf()",
    "mapOf()",
    "nil",
    "null",
    "nullptr",
    "set()",
    "string.Empty",
    "true",
    "undefined",
    "vec![]",
];

/// How calls that give nothing begin, whatever their type is.
const EMPTY_HEADS: &[&str] = &["Array.Empty<", "Enumerable.Empty<", "Task.FromResult<"];

/// The constant that a statement gives, if that is all it does.
pub(super) fn gives_constant<'s>(node: Node, source: &'s str) -> Option<&'s str> {
    let value = match node.kind() {
        "return_statement" | "return_expression" => parts(node).first().copied()?,
        "control_transfer_statement" if text(node, source).starts_with("return") => {
            parts(node).first().copied()?
        }
        "expression_statement" => {
            let inner = node.named_child(0)?;
            if inner.kind() == "return_expression" { parts(inner).first().copied()? } else { return None }
        }
        // The last expression of a block, and of an arrow function.
        _ => node,
    };
    let given = assigned_value(value).filter(|_| value.id() != node.id()).unwrap_or(value);
    is_constant(given, source, 0).then(|| text(value, source))
}

/// What an assignment that is given back puts: `return _known[id] = const [];`.
fn assigned_value(value: Node) -> Option<Node> {
    let is_assignment = matches!(value.kind(), "assignment_expression" | "assignment");
    let right = value.child_by_field_name("right").or_else(|| value.child_by_field_name("value"));
    right.filter(|_| is_assignment)
}

/// Whether an expression is made of literals only.
pub(super) fn is_constant(node: Node, source: &str, depth: usize) -> bool {
    let kind = node.kind();
    if LITERALS.contains(&kind) {
        let mut cursor = node.walk();
        return !node.named_children(&mut cursor).any(|it| {
            let kind = it.kind();
            // Dart's pieces of a text stand in a node for their quotes.
            let is_filled = || parts(it).into_iter().any(|piece| piece.kind() == "template_substitution");
            kind.contains("interpolat")
                || matches!(kind, "variable_name" | "simple_identifier")
                || kind.starts_with("string_literal_") && is_filled()
        });
    }
    if COMPOUNDS.contains(&kind) {
        let values = || parts(node).into_iter().filter(|it| it.kind() != "type_arguments");
        return depth < 6 && values().all(|part| is_constant(part, source, depth + 1));
    }
    match kind {
        "identifier"
        | "call_expression"
        | "call"
        | "scoped_identifier"
        | "macro_invocation"
        | "name"
        | "composite_literal"
        | "method_invocation"
        | "invocation_expression"
        | "member_access_expression"
        | "compound_literal_expression"
        | "navigation_expression"
        | "qualified_identifier" => {
            let content = text(node, source);
            content.len() < 60
                && (EMPTIES.contains(&content)
                    || content.ends_with("{}")
                    || [".ZERO", ".Zero", ".EMPTY", "string.Empty", "Guid.Empty", "::ZERO", ".zero"]
                        .iter()
                        .any(|end| content.ends_with(end))
                    || (content.ends_with("()") && EMPTY_HEADS.iter().any(|head| content.starts_with(head))))
        }
        "template_string" => !text(node, source).contains("${"),
        "field_access" | "field_expression" | "member_expression" | "scope_resolution" => {
            let content = text(node, source);
            let last = content.rsplit(['.', ':']).next().unwrap_or_default();
            content.len() < 40 && matches!(last, "ZERO" | "EMPTY" | "Zero" | "Empty" | "MinValue" | "NaN")
        }
        "object_creation_expression"
        | "const_object_expression"
        | "new_expression"
        | "instance_expression" => {
            let content = text(node, source);
            content.len() < 60 && content.ends_with("()")
        }
        _ => false,
    }
}

/// Whether a statement returns a value that stands for nothing.
pub(super) fn is_nothing(node: Node, source: &str) -> bool {
    let inner =
        if node.kind() == "expression_statement" { node.named_child(0).unwrap_or(node) } else { node };
    let value = parts(inner).first().map_or(inner, |it| *it);
    matches!(
        text(value, source),
        "null"
            | "undefined"
            | "None"
            | "nil"
            | "false"
            | "False"
            | "[]"
            | "{}"
            | "''"
            | "\"\""
            | "default"
            | "nullptr"
            | "NULL"
            | "Optional.empty()"
            | "string.Empty"
            | "emptyList()"
    )
}
