//! Lines by whose words an edit is worth a closer look. A glance: what they mean is judged elsewhere.

/// Whether a line may say what a library refuses.
pub(super) fn names_strictness(line: &str) -> bool {
    const WORDS: &[&str] = &[
        "Email",
        "Positive",
        "NonNegative",
        "HttpUrl",
        "AnyUrl",
        "UUID4",
        "Past",
        "Future",
        "Strict",
        "URLField",
        "SlugField",
        "skipMissing",
        "allowUnknown",
        "SuppressModel",
        "nknownKeys",
        "extra=",
        "extra =",
        "hitelist",
        "unpermitted",
        "dditionalProperties",
    ];
    WORDS.iter().any(|word| line.contains(word))
}

/// Whether a line may take an item of a list that stands in it.
pub(super) fn takes_item(line: &str) -> bool {
    const SIGNS: &[&str] = &[
        "][", "}[", "}.get(", "].get(", ")[", "].at(", "ake(1)", "refix(1)", "irst(1)", "imit(1)", "[:1]",
        "0..1]", "(0, 1)",
    ];
    SIGNS.iter().any(|sign| line.contains(sign))
}
