//! Statements that an interpreter's source hands to a driver: `cursor.execute("DROP TABLE users")`.

use crate::shell::effects::services::scratch::is_scratch;
use crate::shell::effects::services::sql::statements::given_up;
use crate::shell::model::{Command, Effect, EffectKind, ScriptLanguage};
use crate::shell::wrappers::interpreter_code::names::named_tokens;
use crate::shell::wrappers::interpreter_code::tokens::SourceToken;

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

/// Functions that do so in Ruby and PHP, and something else in other languages.
const EXEC: &[&str] = &["exec", "async_exec", "exec_params", "multi_query"];

/// Sources with one of these work on a file or on nothing that stays.
const IN_A_FILE: &[&str] = &["sqlite", "duckdb", ":memory:"];

/// What a source makes a database give up.
pub(crate) fn effect(command: &Command) -> Option<Effect> {
    let code = command.code.as_ref()?;
    let text = code.text.as_deref().filter(|text| RUNS.iter().chain(EXEC).any(|name| text.contains(name)))?;
    if IN_A_FILE.iter().any(|name| text.contains(name)) {
        return None;
    }
    let has_queries_by_exec = matches!(code.language, ScriptLanguage::Ruby | ScriptLanguage::Php);
    let tokens = named_tokens(code.language, text);
    let statement = tokens.windows(3).find_map(|three| match three {
        [SourceToken::Name(name), SourceToken::Sign('('), rest] => {
            let last = name.rsplit(['.', ':', '>']).next().unwrap_or_default();
            let runs = RUNS.contains(&last) || (has_queries_by_exec && EXEC.contains(&last));
            runs.then(|| given_up(&statement_of(rest)?)).flatten()
        }
        _ => None,
    })?;
    let spared = statement.database.as_deref().is_some_and(is_scratch)
        || tokens.iter().any(
            |token| matches!(token, SourceToken::Text(Some(text)) if text.contains("://") && is_scratch(text)),
        );
    let kind = if statement.told { EffectKind::ChangesElsewhere } else { EffectKind::LosesElsewhere };
    (!spared)
        .then(|| Effect::of(kind, command, &format!("{}: {}", command.program(), statement.what), &[], None))
}

/// The statement in a literal; what is put into it while the source runs stands there as some name.
fn statement_of(literal: &SourceToken) -> Option<String> {
    match literal {
        SourceToken::Text(text) => text.clone(),
        SourceToken::Mixed(pieces) => Some(
            pieces
                .iter()
                .map(|piece| match piece.as_slice() {
                    [SourceToken::Text(Some(text))] => text.as_str(),
                    _ => "some_name",
                })
                .collect(),
        ),
        _ => None,
    }
}
