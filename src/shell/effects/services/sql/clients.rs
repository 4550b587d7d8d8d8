//! Programs that take statements for a database, and which of their words are statements.

use crate::shell::model::Command;

/// A program that takes statements.
pub(crate) struct SqlClient {
    pub(crate) names: &'static [&'static str],
    /// Options whose value is a statement; a single letter also at the end of a cluster.
    options: &'static [&'static str],
    /// Whether operands are statements, from this one on.
    operands: Option<usize>,
    /// Options whose value is the next word and no statement.
    valued: &'static [&'static str],
}

pub(crate) static CLIENTS: &[SqlClient] = &[
    SqlClient {
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
    SqlClient {
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
    SqlClient {
        names: &["sqlite3", "sqlite", "duckdb"],
        options: &["-cmd", "-c"],
        operands: Some(1),
        valued: &["-separator", "-init", "-nullvalue", "-newline", "-mmap"],
    },
    SqlClient { names: &["sqlplus", "sql", "isql", "bsqldb"], options: &[], operands: None, valued: &[] },
    SqlClient {
        names: &["prisma"],
        options: &[],
        operands: None,
        valued: &["--url", "--schema", "--file", "--config"],
    },
    SqlClient {
        names: &["cypher-shell"],
        options: &[],
        operands: Some(0),
        valued: &["-a", "-u", "-p", "-d", "-f", "--address", "--username", "--password", "--database"],
    },
    SqlClient {
        names: &["sqlcmd"],
        options: &["-Q", "-q"],
        operands: None,
        valued: &["-S", "-U", "-P", "-d", "-i", "-o"],
    },
    SqlClient {
        names: &["clickhouse-client", "clickhouse", "impala-shell", "snowsql", "influx"],
        options: &["-q", "--query", "-query", "-execute"],
        operands: None,
        valued: &["-h", "--host", "--port", "-u", "--user", "--password", "-d", "--database"],
    },
    SqlClient {
        names: &["bq"],
        options: &[],
        operands: Some(1),
        valued: &["--project_id", "--dataset_id", "--location"],
    },
    SqlClient {
        names: &["wrangler"],
        options: &["--command"],
        operands: None,
        valued: &["-c", "--config", "--env"],
    },
    SqlClient { names: &["turso"], options: &[], operands: Some(3), valued: &[] },
    SqlClient { names: &["heroku"], options: &["-c", "--command"], operands: None, valued: &["-a", "--app"] },
    SqlClient {
        names: &["mongosh", "mongo"],
        options: &["--eval", "-eval"],
        operands: None,
        valued: &["--host", "--port", "-u", "-p", "--authenticationDatabase"],
    },
];

/// The statements among the words, and the other operands.
pub(crate) fn given<'c>(client: &SqlClient, command: &'c Command) -> (Vec<String>, Vec<&'c str>) {
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
