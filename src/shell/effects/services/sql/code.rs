//! Statements that an interpreter's source hands to a driver: `cursor.execute("DROP TABLE users")`.

use crate::shell::effects::services::scratch::is_scratch;
use crate::shell::effects::services::sql::statements::given_up;
use crate::shell::model::{Command, Effect, EffectKind};
use crate::shell::wrappers::interpreter_code::names::named_tokens;
use crate::shell::wrappers::interpreter_code::tokens::Token;

/// Functions of drivers that run a statement, by their last name.
const RUNS: &[&str] = &[
    "execute",
    "executescript",
    "executemany",
    "query",
    "raw",
    "unsafe",
    "exec_driver_sql",
    "$executeRawUnsafe",
    "$queryRawUnsafe",
    "exec_query",
];

/// Sources with one of these work on a file or on nothing that stays.
const IN_A_FILE: &[&str] = &["sqlite", "duckdb", ":memory:"];

/// What a source makes a database give up.
pub(crate) fn effect(command: &Command) -> Option<Effect> {
    let code = command.code.as_ref()?;
    let text = code.text.as_deref().filter(|text| RUNS.iter().any(|name| text.contains(name)))?;
    if IN_A_FILE.iter().any(|name| text.contains(name)) {
        return None;
    }
    let tokens = named_tokens(code.language, text);
    let statement = tokens.windows(3).find_map(|three| match three {
        [Token::Name(name), Token::Sign('('), rest] => {
            let last = name.rsplit(['.', ':', '>']).next().unwrap_or_default();
            let text = match rest {
                Token::Text(Some(text)) => text,
                _ => return None,
            };
            RUNS.contains(&last).then(|| given_up(text)).flatten()
        }
        _ => None,
    })?;
    let spared = statement.database.as_deref().is_some_and(is_scratch)
        || tokens.iter().any(
            |token| matches!(token, Token::Text(Some(text)) if text.contains("://") && is_scratch(text)),
        );
    let kind = if statement.told { EffectKind::ChangesElsewhere } else { EffectKind::LosesElsewhere };
    (!spared)
        .then(|| Effect::of(kind, command, &format!("{}: {}", command.program(), statement.what), &[], None))
}
