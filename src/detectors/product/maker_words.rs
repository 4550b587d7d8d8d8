//! Words that stand around a literal and make a value of it.

/// Words of a language around a value.
pub(super) const KEYWORDS: &[&str] = &[
    "return", "new", "await", "else", "end", "do", "default", "case", "when", "ok", "Ok", "Some", "const",
    "let", "var", "val", "final", "pass", "try", "void",
];
/// What makes a value of a literal.
pub(super) const MAKERS: &[&str] = &[
    "BigDecimal",
    "Decimal",
    "List",
    "Set",
    "Map",
    "of",
    "Optional",
    "listOf",
    "mapOf",
    "setOf",
    "emptyList",
    "emptyMap",
    "vec",
    "String",
    "from",
    "Vec",
    "HashMap",
    "BTreeMap",
    "Array",
    "Dictionary",
    "array",
    "string",
    "int",
    "float64",
    "Promise",
    "resolve",
    "Task",
    "FromResult",
    "empty",
    "Empty",
    "Money",
    "Date",
    "to_string",
    "to_owned",
    "into",
];
/// Words that are constants.
pub(super) const CONSTANTS: &[&str] =
    &["true", "false", "True", "False", "null", "nil", "None", "undefined", "nullptr", "NULL", "void"];

/// Whether a word makes a value of a literal, or is a word of a language around one.
pub(super) fn is_maker(word: &str) -> bool {
    MAKERS.contains(&word) || KEYWORDS.contains(&word) || CONSTANTS.contains(&word)
}
