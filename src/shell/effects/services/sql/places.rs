//! Where a client of a database looks for it, by the words of its line.

use crate::shell::effects::services::http::is_here;

/// Programs that reach a database, besides those that take statements.
const CLIENTS: &[&str] = &[
    "psql",
    "dropdb",
    "dropuser",
    "pg_restore",
    "mysql",
    "mysqladmin",
    "mariadb",
    "mongosh",
    "mongo",
    "sqlcmd",
    "cqlsh",
    "redis-cli",
    "valkey-cli",
    "clickhouse-client",
    "cockroach",
    "usql",
];
/// Options whose value is the machine.
const HOSTS: &[&str] = &["-h", "--host", "-S"];

/// Variables by which clients of databases find the machine.
const VARIABLES: &[&str] = &["PGHOST", "MYSQL_HOST", "REDIS_HOST", "MONGO_HOST", "DB_HOST"];

fn is_far(place: &str) -> bool {
    let is_name = place.starts_with(|letter: char| letter.is_ascii_alphanumeric());
    is_name && place.contains('.') && !is_here(place)
}

/// Whether a line of shell text starts a client of a database, and another line of the text says that it is on another
/// machine: `export PGHOST=db.acme.io`.
pub(crate) fn is_told_of_a_far_database(line: &str, text: &str) -> bool {
    let mut words = line.split_whitespace();
    let given = |other: &str| {
        let (name, place) = other.trim().trim_start_matches("export ").split_once('=')?;
        (VARIABLES.contains(&name) && is_far(place.trim_matches(['"', '\'']))).then_some(())
    };
    words.any(|word| CLIENTS.contains(&word.rsplit('/').next().unwrap_or_default()))
        && text.lines().any(|other| given(other).is_some())
}

/// Whether a line of shell text says by name that a database is on another machine.
pub(crate) fn names_a_far_database(line: &str) -> bool {
    let mut words = line.split_whitespace().map(|word| word.trim_matches(['"', '\'', '(', ')', ';']));
    if !words.any(|word| CLIENTS.contains(&word.rsplit('/').next().unwrap_or_default())) {
        return false;
    }
    let rest: Vec<&str> = words.collect();
    // `psql "$PROD_DATABASE_URL"`
    let is_of_production = |word: &&str| {
        let name = word.trim_start_matches("--dbname=").trim_start_matches(['$', '{']);
        word.contains('$')
            && name.split(['_', '}']).any(|part| matches!(part, "PROD" | "PRODUCTION" | "LIVE"))
    };
    if rest.iter().any(is_of_production) {
        return true;
    }
    let by_address =
        || rest.iter().any(|word| word.split_once("://").is_some_and(|(_, place)| is_far(place)));
    let glued = |word: &str| {
        let long =
            word.split_once('=').filter(|(name, _)| *name == "--host").map(|(_, value)| value.to_owned());
        long.or_else(|| word.strip_prefix("-h").map(str::to_owned)).is_some_and(|value| is_far(&value))
    };
    let by_option =
        |pair: &[&str]| matches!(pair, [option, value] if HOSTS.contains(option) && is_far(value));
    by_address() || rest.windows(2).any(by_option) || rest.iter().any(|word| glued(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn far_databases_are_named_by_hosts_and_addresses() {
        for (line, expected) in [
            ("psql -h pg.acme.io -c 'DROP DATABASE shop'", true),
            ("mysql --host=db.acme.io -e 'DROP TABLE t'", true),
            ("mysql -hdb.acme.io -e 'DROP TABLE t'", true),
            ("psql postgres://u:p@db.acme.io/shop -c 'DROP TABLE t'", true),
            ("redis-cli -h cache.acme.io flushall", true),
            ("psql -h localhost -c 'DROP DATABASE shop'", false),
            ("psql -h 127.0.0.1 -c 'DROP DATABASE shop'", false),
            ("psql -h db -c 'DROP DATABASE shop'", false),
            ("psql \"$DATABASE_URL\" -c 'DROP TABLE t'", false),
            ("psql -c 'DROP DATABASE shop'", false),
            ("psql \"$PROD_DATABASE_URL\" -c 'DROP TABLE t'", true),
            ("psql \"${PRODUCTION_URL}\" -c 'DROP TABLE t'", true),
            ("psql \"$PRODUCT_DB\" -c 'DROP TABLE t'", false),
            ("curl -h a.b.c", false),
        ] {
            assert_eq!(names_a_far_database(line), expected, "{line}");
        }
    }
}
