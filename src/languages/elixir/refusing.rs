//! How Elixir says no: words that leave with an error, and what puts a value in an error's place.

use crate::languages::code::Refusing;

pub(crate) static REFUSING: Refusing = Refusing {
    comment: "#",
    single_quotes: true,
    words: &["raise", "reraise", "throw"],
    starts: &[],
    returned: &[],
    texts: &["{:error", "halt(", "add_error(", "{:stop,{:", "{:stop,:no", "{:stop,:bad", "{:stop,:invalid"],
    passing: &["fetch!(", "get!(", "insert!(", "update!("],
    fallbacks: &["||", "Map.get(", "Keyword.get("],
};
