//! Which classes of Python pytest and unittest collect.

use tree_sitter::Node;

use crate::languages::testing::outline_builder::OutlineBuilder;
use crate::languages::tree::parts;

/// Classes that hold no tests even when they have a base.
const NO_SUITES: &[&str] = &[
    "Enum",
    "IntEnum",
    "StrEnum",
    "Exception",
    "BaseException",
    "NamedTuple",
    "TypedDict",
    "Protocol",
    "BaseModel",
    "Model",
    "dict",
    "list",
    "str",
    "int",
];

pub(super) fn is_collected(sketch: &OutlineBuilder, class: Node, name: &str, body: Node) -> bool {
    let bases = class.child_by_field_name("superclasses").map(parts).unwrap_or_default();
    let mut bases = bases
        .iter()
        .filter(|it| it.kind() != "keyword_argument")
        .map(|it| sketch.text(*it))
        .filter(|base| *base != "object")
        .peekable();
    if bases.peek().is_some() {
        let is_none = |base: &str| NO_SUITES.contains(&base.rsplit('.').next().unwrap_or(base));
        return !bases.any(is_none);
    }
    let has_init = || {
        parts(body).into_iter().any(|method| {
            let definition = method.child_by_field_name("definition").unwrap_or(method);
            definition.child_by_field_name("name").is_some_and(|name| sketch.text(name) == "__init__")
        })
    };
    // A class that others in the file derive from lends them its tests.
    (name.starts_with("Test") && !has_init()) || !sketch.is_unused(name)
}
