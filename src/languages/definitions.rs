//! The names that a text defines for others: functions, classes, types, constants at its top and in its classes.

use std::collections::BTreeSet;

use crate::languages::reading::ParsedSource;
use crate::languages::registry::Language;
use crate::languages::tree::{each_node_within, text};

/// Kinds of nodes whose field `name` is defined by them.
const NAMED: &[&str] = &[
    "function_definition",
    "function_declaration",
    "generator_function_declaration",
    "function_item",
    "function_signature_item",
    "method_definition",
    "method_declaration",
    "constructor_declaration",
    "class_definition",
    "class_declaration",
    "abstract_class_declaration",
    "interface_declaration",
    "enum_declaration",
    "record_declaration",
    "type_alias_declaration",
    "type_spec",
    "struct_item",
    "enum_item",
    "trait_item",
    "type_item",
    "const_item",
    "static_item",
    "macro_definition",
    "variable_declarator",
    "const_spec",
    "var_spec",
];
/// Kinds of nodes whose inside is nobody else's.
const CLOSED: &[&str] = &[
    "function_definition",
    "function_declaration",
    "generator_function_declaration",
    "function_item",
    "method_definition",
    "method_declaration",
    "constructor_declaration",
    "arrow_function",
    "function_expression",
    "func_literal",
    "lambda",
    "closure_expression",
];

/// The names that the text of a file defines. A text that can't be read defines none.
pub fn definitions(path: &str, source: &str) -> BTreeSet<String> {
    let Some(language) = Language::of_path(path) else { return BTreeSet::new() };
    let reading = ParsedSource::new(language, source);
    let Some(tree) = reading.tree() else {
        let code = reading.code().unwrap_or_default();
        return code.functions.iter().map(|function| function.name.to_owned()).collect();
    };
    let mut names = BTreeSet::new();
    each_node_within(tree.root_node(), &[], &mut |node, above| {
        let kind = node.kind();
        let name = match kind {
            _ if NAMED.contains(&kind) => node.child_by_field_name("name"),
            // Python's constants, and what CommonJS exports.
            "assignment" if above.len() <= 2 => node.child_by_field_name("left"),
            "assignment_expression" => {
                let left = node.child_by_field_name("left");
                left.and_then(|left| left.child_by_field_name("property"))
            }
            _ => None,
        };
        names.extend(name.map(|name| text(name, source)).filter(|name| is_name(name)).map(str::to_owned));
        !CLOSED.contains(&kind)
    });
    names
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_alphanumeric() || letter == '_' || letter == '$')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_for_others_are_told_from_a_functions_own() {
        for (path, source, expected) in [
            (
                "a.py",
                "LIMIT = 3\nclass A:\n    def m(self):\n        x = 1\n\ndef f(a):\n    y = 2\n",
                "A LIMIT f m",
            ),
            (
                "a.js",
                "exports.add = (a) => { const x = 1; return x; };\nconst LIMIT = 3;\nclass B { m() {} }\n",
                "B LIMIT add m",
            ),
            (
                "a.ts",
                "export interface I { a: string }\nexport type T = string;\nexport function f(): void { const x = 1 }\n",
                "I T f",
            ),
            ("a.rs", "pub const C: u8 = 1;\nstruct S;\nimpl S { fn m(&self) { let x = 1; } }\n", "C S m"),
            (
                "a.go",
                "package a\n\nconst C = 1\n\ntype S struct{}\n\nfunc (s S) M() { x := 1; _ = x }\nfunc F() {}\n",
                "C F M S",
            ),
            ("A.java", "class A { static final int C = 1; int m() { int x = 1; return x; } }\n", "A C m"),
            ("a.txt", "nothing\n", ""),
        ] {
            let names = definitions(path, source).into_iter().collect::<Vec<_>>().join(" ");
            assert_eq!(names, expected, "{path}");
        }
    }
}
