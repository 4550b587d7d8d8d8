//! How each language writes what a small fault changes.

use crate::languages::registry::Language;

/// The kinds of nodes of one language.
pub(super) struct Forms {
    pub(super) language: Language,
    /// Comparisons, whose operators are their unnamed children.
    pub(super) comparing: &'static [&'static str],
    /// Branches with a field `condition`.
    pub(super) branches: &'static [&'static str],
    pub(super) returns: &'static [&'static str],
    pub(super) raises: &'static [&'static str],
    pub(super) numbers: &'static [&'static str],
    pub(super) truths: &'static [&'static str],
    /// Statements that may be nothing but a call.
    pub(super) statements: &'static [&'static str],
    pub(super) calls: &'static [&'static str],
    pub(super) functions: &'static [&'static str],
    /// A condition that says the opposite of `{}`.
    pub(super) negated: &'static str,
    /// A statement that does nothing.
    pub(super) nothing: &'static str,
}

const PYTHON: Forms = Forms {
    language: Language::Python,
    comparing: &["comparison_operator"],
    branches: &["if_statement", "elif_clause", "while_statement"],
    returns: &["return_statement"],
    raises: &["raise_statement"],
    numbers: &["integer", "float"],
    truths: &["true", "false"],
    statements: &["expression_statement"],
    calls: &["call"],
    functions: &["function_definition"],
    negated: "not ({})",
    nothing: "pass",
};

/// What the grammars of JavaScript and TypeScript have in common.
const fn javascript(language: Language) -> Forms {
    Forms {
        language,
        comparing: &["binary_expression"],
        branches: &["if_statement"],
        returns: &["return_statement"],
        raises: &["throw_statement"],
        numbers: &["number"],
        truths: &["true", "false"],
        statements: &["expression_statement"],
        calls: &["call_expression"],
        functions: &[
            "function_declaration",
            "generator_function_declaration",
            "method_definition",
            "arrow_function",
            "function_expression",
        ],
        negated: "!({})",
        nothing: ";",
    }
}

const JAVASCRIPT: Forms = javascript(Language::JavaScript);
const TYPESCRIPT: Forms = javascript(Language::TypeScript);
const TSX: Forms = javascript(Language::Tsx);

const GO: Forms = Forms {
    language: Language::Go,
    comparing: &["binary_expression"],
    branches: &["if_statement"],
    returns: &["return_statement"],
    raises: &[],
    numbers: &["int_literal", "float_literal"],
    truths: &["true", "false"],
    statements: &["expression_statement"],
    calls: &["call_expression"],
    functions: &["function_declaration", "method_declaration", "func_literal"],
    negated: "!({})",
    nothing: "",
};

const RUST: Forms = Forms {
    language: Language::Rust,
    comparing: &["binary_expression"],
    branches: &["if_expression"],
    returns: &["return_expression"],
    raises: &[],
    numbers: &["integer_literal", "float_literal"],
    truths: &["boolean_literal"],
    statements: &["expression_statement"],
    calls: &["call_expression", "macro_invocation"],
    functions: &["function_item", "closure_expression"],
    negated: "!({})",
    nothing: ";",
};

const JAVA: Forms = Forms {
    language: Language::Java,
    comparing: &["binary_expression"],
    branches: &["if_statement"],
    returns: &["return_statement"],
    raises: &["throw_statement"],
    numbers: &["decimal_integer_literal", "decimal_floating_point_literal"],
    truths: &["true", "false"],
    statements: &["expression_statement"],
    calls: &["method_invocation"],
    functions: &["method_declaration", "constructor_declaration", "lambda_expression"],
    negated: "!({})",
    nothing: ";",
};

static ALL: &[Forms] = &[PYTHON, JAVASCRIPT, TYPESCRIPT, TSX, GO, RUST, JAVA];

impl Forms {
    /// The forms of a language that has some.
    pub(super) fn of(language: Language) -> Option<&'static Forms> {
        ALL.iter().find(|forms| forms.language == language)
    }
}

/// The comparison that says the opposite.
pub(super) fn turned(sign: &str) -> Option<&'static str> {
    Some(match sign {
        "<" => ">=",
        ">" => "<=",
        "<=" => ">",
        ">=" => "<",
        "==" => "!=",
        "!=" => "==",
        "===" => "!==",
        "!==" => "===",
        "is" => "is not",
        "is not" => "is",
        "in" => "not in",
        "not in" => "in",
        _ => return None,
    })
}

/// The comparison that differs at the boundary alone.
pub(super) fn boundary(sign: &str) -> Option<&'static str> {
    Some(match sign {
        "<" => "<=",
        "<=" => "<",
        ">" => ">=",
        ">=" => ">",
        _ => return None,
    })
}
