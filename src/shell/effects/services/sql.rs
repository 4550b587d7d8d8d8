//! Statements that are handed to a database by words, a here-document or a pipe: which of them give up what it holds.
//!
//! Text in quotes and comments is data. A transaction that ends in `ROLLBACK` changes nothing.

pub(crate) mod clients;
pub(crate) mod code;
pub(crate) mod places;
pub(crate) mod statements;

use crate::shell::effects::services::scratch::{
    is_scratch, names_scratch_surroundings, works_on_an_emulator,
};
use crate::shell::effects::services::sql::clients::{CLIENTS, given};
use crate::shell::effects::services::sql::statements::{given_up, given_up_by_code, statements};
use crate::shell::model::{Command, Effect, EffectKind, Script, Word, resolve};
use crate::shell::parse::output;

/// What a command makes a database give up.
pub(crate) fn effects(script: &Script, command: &Command) -> Option<Effect> {
    let program = command.program();
    let client = CLIENTS.iter().find(|client| client.names.contains(&program))?;
    let (mut texts, operands) = given(client, command);
    if asks(command) {
        return None;
    }
    if texts.is_empty() {
        texts.extend(output::text::text_from(script, &command.input));
    }
    let loss = match program {
        "mongosh" | "mongo" => texts.iter().find_map(|text| given_up_by_code(text)),
        _ => texts.iter().find_map(|text| given_up(text)),
    };
    let is_hosted = operands.first().is_some_and(|operand| operand.starts_with("md:"));
    if let Some(file) = texts.iter().find_map(|text| copied_to(text)) {
        let words = [Word { tilde: file.starts_with("~/"), ..Word::literal(file) }];
        return Some(Effect::of(
            EffectKind::Overwrite,
            command,
            program,
            &words,
            command.directory.as_deref(),
        ));
    }
    if program.starts_with("sqlite") || (program == "duckdb" && !is_hosted) {
        return file_effect(command, &operands, &texts, loss.is_some());
    }
    let loss = loss?;
    let by_place = names_scratch_surroundings(command)
        || works_on_an_emulator(command)
        || operands.iter().any(|operand| is_scratch(operand));
    let spared = by_place || loss.database.as_deref().is_some_and(is_scratch);
    let kind = if loss.told { EffectKind::ChangesElsewhere } else { EffectKind::LosesElsewhere };
    (!spared).then(|| Effect::of(kind, command, &format!("{program}: {}", loss.what), &[], None))
}

/// `COPY (SELECT …) TO 'file'`, `\\copy orders to 'file'`: the file on this machine that gets a table.
fn copied_to(text: &str) -> Option<String> {
    let lowered = text.to_lowercase();
    let at = lowered.find("copy ")?;
    // In quotes the statement would be data.
    let is_statement =
        lowered.get(..at)?.trim_end_matches('\\').trim_end().chars().next_back().is_none_or(|it| it == ';');
    let rest = text.get(at + lowered.get(at..)?.find(" to '")? + 5..)?;
    let file = rest.split('\'').next().filter(|file| is_statement && file.contains('/'))?;
    Some(file.to_owned())
}

/// A database that is one file is a file: it is kept like any other that is written to.
fn file_effect(command: &Command, operands: &[&str], texts: &[String], loses: bool) -> Option<Effect> {
    let file = command.words.iter().find(|word| Some(&word.text.as_str()) == operands.first())?;
    let writes = texts.iter().flat_map(|text| statements(text)).any(|words| {
        let reads = ["SELECT", "EXPLAIN", "PRAGMA", "WITH", "VALUES", "ATTACH", "DESCRIBE", "SHOW"];
        words.first().is_some_and(|first| !first.starts_with('.') && !reads.contains(&first.as_str()))
    });
    let is_memory = file.text.is_empty() || file.text == ":memory:";
    (writes && !is_memory).then(|| {
        let words = std::slice::from_ref(file);
        let is_away = !command.directory.as_deref().is_some_and(|it| resolve(it, &file.text).starts_with(it));
        let kind = if loses && is_away { EffectKind::Overwrite } else { EffectKind::EditInPlace };
        Effect::of(kind, command, command.program(), words, command.directory.as_deref())
    })
}

fn asks(command: &Command) -> bool {
    command.words.iter().skip(1).any(|word| matches!(word.text.as_str(), "--help" | "--version" | "-help"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_that_give_up_data_are_told_from_those_that_do_not() {
        for (text, expected) in [
            ("DROP TABLE users", Some(false)),
            ("drop table if exists users cascade;", Some(false)),
            ("SELECT 1; DROP DATABASE shop", Some(false)),
            ("TRUNCATE users, orders", Some(false)),
            ("delete from users", Some(false)),
            ("DELETE FROM users WHERE 1=1", Some(false)),
            ("DELETE FROM users WHERE 1 = 1", Some(false)),
            ("DELETE FROM users WHERE id = 4", None),
            ("delete from users where name = 'x'", None),
            ("DELETE FROM users WHERE created_at < now()", Some(false)),
            ("DELETE FROM users WHERE id > 0", Some(false)),
            ("DELETE FROM users WHERE email IS NOT NULL", Some(false)),
            ("DELETE FROM logs WHERE at < now() - interval '90 days'", Some(true)),
            ("DELETE FROM users WHERE id IN (1, 2)", None),
            ("UPDATE users SET admin = true", Some(true)),
            ("UPDATE users SET admin = true WHERE id = 4", None),
            ("ALTER TABLE users DROP COLUMN email", Some(false)),
            ("ALTER TABLE users ADD COLUMN email text", None),
            ("DROP INDEX users_email", None),
            ("DROP USER ada", Some(true)),
            ("SELECT 'DROP TABLE users'", None),
            ("INSERT INTO notes VALUES ('x; DROP TABLE users')", None),
            ("-- DROP TABLE users\nSELECT 1", None),
            ("/* DROP TABLE users; */ SELECT 1", None),
            ("BEGIN; DELETE FROM users; ROLLBACK;", None),
            ("EXPLAIN DELETE FROM users", None),
            ("CREATE TABLE drop_log (id int)", None),
            ("", None),
            ("'", None),
        ] {
            assert_eq!(given_up(text).map(|loss| loss.told), expected, "{text}");
        }
    }
}
