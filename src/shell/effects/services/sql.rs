//! Statements that are handed to a database by words, a here-document or a pipe: which of them give up what it holds.
//!
//! Text in quotes and comments is data. A transaction that ends in `ROLLBACK` changes nothing.

use crate::shell::effects::services::scratch::{is_scratch, names_scratch_surroundings};
use crate::shell::model::{Command, Effect, EffectKind, Script};
use crate::shell::parse::output;

/// A program that takes statements.
struct Client {
    names: &'static [&'static str],
    /// Options whose value is a statement; a single letter also at the end of a cluster.
    options: &'static [&'static str],
    /// Whether operands are statements, from this one on.
    operands: Option<usize>,
    /// Options whose value is the next word and no statement.
    valued: &'static [&'static str],
}

static CLIENTS: &[Client] = &[
    Client {
        names: &["psql", "pgcli", "usql", "cockroach"],
        options: &["-c", "--command", "-e", "--execute"],
        operands: None,
        valued: &[
            "-h",
            "-p",
            "-U",
            "-d",
            "-f",
            "-o",
            "-v",
            "-P",
            "-F",
            "-R",
            "-T",
            "-L",
            "--host",
            "--port",
            "--username",
            "--dbname",
            "--file",
            "--url",
        ],
    },
    Client {
        names: &["mysql", "mariadb", "mycli", "cqlsh", "trino", "presto", "hive", "beeline", "spark-sql"],
        options: &["-e", "--execute"],
        operands: None,
        valued: &[
            "-h",
            "-P",
            "-u",
            "-D",
            "-S",
            "-k",
            "-f",
            "--host",
            "--port",
            "--user",
            "--database",
            "--socket",
        ],
    },
    Client {
        names: &["sqlite3", "sqlite", "duckdb"],
        options: &["-cmd", "-c"],
        operands: Some(1),
        valued: &["-separator", "-init", "-nullvalue", "-newline", "-mmap"],
    },
    Client {
        names: &["sqlcmd"],
        options: &["-Q", "-q"],
        operands: None,
        valued: &["-S", "-U", "-P", "-d", "-i", "-o"],
    },
    Client {
        names: &["clickhouse-client", "clickhouse", "impala-shell", "snowsql", "influx"],
        options: &["-q", "--query", "-query", "-execute"],
        operands: None,
        valued: &["-h", "--host", "--port", "-u", "--user", "--password", "-d", "--database"],
    },
    Client {
        names: &["bq"],
        options: &[],
        operands: Some(1),
        valued: &["--project_id", "--dataset_id", "--location"],
    },
    Client {
        names: &["wrangler"],
        options: &["--command"],
        operands: None,
        valued: &["-c", "--config", "--env"],
    },
    Client { names: &["turso"], options: &[], operands: Some(3), valued: &[] },
    Client { names: &["heroku"], options: &["-c", "--command"], operands: None, valued: &["-a", "--app"] },
    Client {
        names: &["mongosh", "mongo"],
        options: &["--eval", "-eval"],
        operands: None,
        valued: &["--host", "--port", "-u", "-p", "--authenticationDatabase"],
    },
];

/// What a command makes a database give up.
pub(crate) fn effects(script: &Script, command: &Command) -> Option<Effect> {
    let program = command.program();
    let client = CLIENTS.iter().find(|client| client.names.contains(&program))?;
    let (mut texts, operands) = given(client, command);
    if asks(command) {
        return None;
    }
    if texts.is_empty() {
        texts.extend(output::text_from(script, &command.input));
    }
    let loss = match program {
        "mongosh" | "mongo" => texts.iter().find_map(|text| given_up_by_code(text)),
        _ => texts.iter().find_map(|text| given_up(text)),
    };
    if program.starts_with("sqlite") || program == "duckdb" {
        return file_effect(command, &operands, &texts);
    }
    let loss = loss?;
    let by_place = names_scratch_surroundings(command) || operands.iter().any(|operand| is_scratch(operand));
    let spared = by_place || loss.database.as_deref().is_some_and(is_scratch);
    let kind = if loss.told { EffectKind::ChangesElsewhere } else { EffectKind::LosesElsewhere };
    (!spared).then(|| Effect::of(kind, command, &format!("{program}: {}", loss.what), &[], None))
}

/// A database that is one file is a file: it is kept like any other that is written to.
fn file_effect(command: &Command, operands: &[&str], texts: &[String]) -> Option<Effect> {
    let file = command.words.iter().find(|word| Some(&word.text.as_str()) == operands.first())?;
    let writes = texts.iter().flat_map(|text| statements(text)).any(|words| {
        let reads = ["SELECT", "EXPLAIN", "PRAGMA", "WITH", "VALUES", "ATTACH", "DESCRIBE", "SHOW"];
        words.first().is_some_and(|first| !first.starts_with('.') && !reads.contains(&first.as_str()))
    });
    let is_memory = file.text.is_empty() || file.text == ":memory:";
    (writes && !is_memory).then(|| {
        let words = std::slice::from_ref(file);
        Effect::of(EffectKind::EditInPlace, command, command.program(), words, command.directory.as_deref())
    })
}

fn asks(command: &Command) -> bool {
    command.words.iter().skip(1).any(|word| matches!(word.text.as_str(), "--help" | "--version" | "-help"))
}

/// The statements among the words, and the other operands.
fn given<'c>(client: &Client, command: &'c Command) -> (Vec<String>, Vec<&'c str>) {
    let (mut texts, mut operands) = (Vec::new(), Vec::new());
    let mut words = command.words.iter().skip(1);
    while let Some(word) = words.next() {
        let text = word.text.as_str();
        let glued =
            text.split_once('=').filter(|(name, _)| name.starts_with("--") && client.options.contains(name));
        let ends_cluster = client.options.iter().filter(|option| option.len() == 2).any(|option| {
            text.len() > 2
                && !text.starts_with("--")
                && text.starts_with('-')
                && option.get(1..).is_some_and(|letter| text.ends_with(letter))
                && text.bytes().skip(1).all(|byte| byte.is_ascii_alphabetic())
        });
        if let Some((_, value)) = glued {
            texts.push(value.to_owned());
        } else if client.options.contains(&text) || ends_cluster {
            texts.extend(words.next().map(|value| value.text.clone()));
        } else if let Some(value) = client
            .options
            .iter()
            .filter(|option| option.len() == 2)
            .find_map(|option| text.strip_prefix(option))
        {
            texts.push(value.to_owned());
        } else if client.valued.contains(&text) {
            words.next();
        } else if !text.starts_with('-') {
            match client.operands {
                Some(from) if operands.len() >= from => texts.push(text.to_owned()),
                _ => operands.push(text),
            }
        }
    }
    (texts, operands)
}

/// What a statement gives up.
#[derive(Debug, PartialEq)]
struct Loss {
    what: String,
    /// The database, where the statement names one.
    database: Option<String>,
    /// Whether it is worth a word only.
    told: bool,
}

fn given_up(text: &str) -> Option<Loss> {
    let statements = statements(text);
    let rolls_back =
        statements.last().is_some_and(|last| last.first().is_some_and(|word| word == "ROLLBACK"));
    if rolls_back {
        return None;
    }
    statements.iter().find_map(|statement| judged(statement))
}

fn judged(statement: &[String]) -> Option<Loss> {
    let words: Vec<&str> = statement.iter().map(String::as_str).collect();
    let has = |word: &str| words.contains(&word);
    let shown = || words.iter().take(3).copied().collect::<Vec<_>>().join(" ");
    let loss = |told| Some(Loss { what: shown(), database: None, told });
    match words.as_slice() {
        ["DROP", "DATABASE" | "SCHEMA" | "KEYSPACE", names @ ..] => {
            let name = names.iter().find(|word| !matches!(**word, "IF" | "EXISTS"));
            Some(Loss { what: shown(), database: name.map(|name| name.to_lowercase()), told: false })
        }
        [
            "DROP",
            "TABLE" | "TABLESPACE" | "OWNED" | "COLLECTION" | "BUCKET" | "MEASUREMENT" | "SERIES",
            ..,
        ] => loss(false),
        ["DROP", "USER" | "ROLE", ..] => loss(true),
        ["TRUNCATE", ..] => loss(false),
        ["ALTER", "TABLE", ..]
            if words.windows(2).any(|pair| matches!(pair, ["DROP", "COLUMN" | "PARTITION"])) =>
        {
            loss(false)
        }
        ["DELETE", "FROM", ..] => match words.iter().position(|word| *word == "WHERE") {
            None if has("LIMIT") || has("USING") => loss(true),
            None => loss(false),
            Some(at) => matches!(words.get(at + 1..), Some(["1" | "TRUE"] | ["1", "=", "1"] | ["1=1"]))
                .then(|| loss(false))
                .flatten(),
        },
        ["UPDATE", _, "SET", ..] if !has("WHERE") => loss(true),
        _ => None,
    }
}

/// The statements of a text as words in capitals, without comments and with an empty word for each text in quotes.
fn statements(text: &str) -> Vec<Vec<String>> {
    let mut statements: Vec<Vec<String>> = vec![Vec::new()];
    let mut word = String::new();
    let mut letters = text.chars().peekable();
    let finish = |word: &mut String, statements: &mut Vec<Vec<String>>| {
        if let (false, Some(last)) = (word.is_empty(), statements.last_mut()) {
            last.push(std::mem::take(word));
        }
    };
    while let Some(letter) = letters.next() {
        match letter {
            '\'' => {
                while letters.next().is_some_and(|inside| inside != '\'') {}
                finish(&mut word, &mut statements);
                statements.last_mut().into_iter().for_each(|last| last.push("''".to_owned()));
            }
            '"' | '`' => {}
            '-' if letters.peek() == Some(&'-') => while letters.next_if(|next| *next != '\n').is_some() {},
            '/' if letters.peek() == Some(&'*') => {
                letters.next();
                let mut before = ' ';
                while let Some(inside) = letters.next().filter(|inside| !(before == '*' && *inside == '/')) {
                    before = inside;
                }
            }
            ';' => {
                finish(&mut word, &mut statements);
                statements.push(Vec::new());
            }
            '(' | ')' | ',' => finish(&mut word, &mut statements),
            blank if blank.is_whitespace() => finish(&mut word, &mut statements),
            other => word.extend(other.to_uppercase()),
        }
    }
    finish(&mut word, &mut statements);
    statements.retain(|statement| !statement.is_empty());
    statements
}

/// Calls of a document database that give up a database or a collection.
fn given_up_by_code(text: &str) -> Option<Loss> {
    static CALLS: &[(&str, &str)] = &[
        ("dropDatabase(", "a database"),
        (".drop()", "a collection"),
        (".deleteMany({})", "every document"),
        (".remove({})", "every document"),
    ];
    let packed: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    let (call, what) = CALLS.iter().find(|(call, _)| packed.contains(call))?;
    Some(Loss { what: format!("{call} {what}"), database: None, told: false })
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
