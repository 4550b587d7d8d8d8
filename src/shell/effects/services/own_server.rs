//! A server that the text itself starts on this machine with nothing of before in it: what a client gives up there, the
//! text has made.

use crate::shell::effects::services::http::is_here;
use crate::shell::model::{Command, UNKNOWN};

/// Clients that can be told where their server is.
const CLIENTS: &[&str] = &[
    "psql",
    "dropdb",
    "dropuser",
    "mysql",
    "mysqladmin",
    "mariadb",
    "redis-cli",
    "valkey-cli",
    "mongosh",
    "mongo",
    "clickhouse-client",
];
/// Programs that run containers.
const ENGINES: &[&str] = &["docker", "podman", "nerdctl"];
/// Servers that keep what they hold in memory, or in the folder that they start in.
const STORES: &[&str] = &["redis-server", "valkey-server"];
/// Servers of a folder of data.
const OF_A_FOLDER: &[&str] = &["postgres", "mongod", "mysqld", "mariadbd", "pg_ctl"];

/// Whether a client works on a server that one of the commands before it has started.
pub(crate) fn works_on_one(earlier: &[Command], command: &Command) -> bool {
    if !CLIENTS.contains(&command.program()) {
        return false;
    }
    let host = host(command);
    if command.remote {
        let outer = earlier.iter().rev().find(|own| !own.remote);
        let is_inside = |outer: &Command| {
            let starts = |own: &Command| name_of_new(own).is_some_and(|name| enters(outer, name));
            earlier.iter().any(starts)
        };
        return host.is_none_or(is_here) && outer.is_some_and(is_inside);
    }
    let is_by_socket = match command.program() {
        "mysql" | "mysqladmin" | "mariadb" => matches!(host, None | Some("localhost")),
        // Where no host is given, a variable may say which.
        "psql" | "dropdb" | "dropuser" => host.is_none() && address(command).is_none(),
        _ => false,
    };
    // A socket in a scratch folder is one that a server of the text has made.
    !is_by_socket
        && host.is_none_or(|host| is_here(host) || host.starts_with("/tmp/"))
        && port(command).is_some_and(|port| earlier.iter().any(|own| opens(own, port)))
}

/// Whether what a command removes was made by one of the commands before it: `docker volume create x; docker volume rm x`,
/// a name that nobody chose, a container.
pub(crate) fn removes_its_own(earlier: &[Command], command: &Command) -> bool {
    let text = |command: &Command, at: usize| {
        command.words.get(at).map(|word| word.text.clone()).unwrap_or_default()
    };
    if !ENGINES.contains(&command.program()) {
        return false;
    }
    let engines = || earlier.iter().filter(|own| own.program() == command.program());
    let (kind, what) = (text(command, 1), text(command, 2));
    let removes = matches!(what.as_str(), "rm" | "remove") && kind == "volume";
    let from = match kind.as_str() {
        "rm" => 2,
        _ if removes => 3,
        _ => return false,
    };
    let made: Vec<String> = match removes {
        true => engines()
            .filter(|own| text(own, 1) == kind && text(own, 2) == "create")
            .map(|own| {
                own.words
                    .iter()
                    .skip(3)
                    .rfind(|word| !word.text.starts_with('-'))
                    .map_or(UNKNOWN.to_string(), |it| it.text.clone())
            })
            .collect(),
        false => engines().filter_map(|own| name_of_new(own).map(str::to_owned)).collect(),
    };
    let mut named = command.words.iter().skip(from).filter(|word| !word.text.starts_with('-')).peekable();
    named.peek().is_some() && named.all(|word| made.contains(&word.text))
}

/// The value of an option, as the next word or behind a `=`; of a letter also right behind it.
fn value<'c>(command: &'c Command, letter: &str, long: &str) -> Option<&'c str> {
    let words = command.words.get(1..).unwrap_or_default();
    words.iter().enumerate().find_map(|(at, word)| {
        let text = word.text.as_str();
        if text == letter || text == long {
            return words.get(at + 1).map(|next| next.text.as_str());
        }
        let glued = text.strip_prefix(letter).filter(|_| !letter.is_empty() && !text.starts_with("--"));
        glued.or_else(|| text.strip_prefix(long)?.strip_prefix('='))
    })
}

fn host(command: &Command) -> Option<&str> {
    value(command, "-h", "--host").or_else(|| address(command))
}

/// `postgres://user@localhost:5433/shop`.
fn address(command: &Command) -> Option<&str> {
    command.words.iter().skip(1).map(|word| word.text.as_str()).find(|text| text.contains("://"))
}

fn port(command: &Command) -> Option<&str> {
    let letter = match command.program() {
        "mysql" | "mysqladmin" | "mariadb" => "-P",
        _ => "-p",
    };
    value(command, letter, "--port").or_else(|| {
        let authority = address(command)?.split_once("://")?.1.split(['/', '?']).next()?;
        Some(authority.rsplit_once(':')?.1)
    })
}

/// Whether a command runs a new container into which nothing of this machine is mounted.
fn runs_a_new_one(command: &Command) -> bool {
    const MOUNTS: &[&str] = &["-v", "--volume", "--mount"];
    let mounts = |text: &str| MOUNTS.iter().any(|option| text.starts_with(option));
    ENGINES.contains(&command.program())
        && command.words.get(1).is_some_and(|word| word.text == "run")
        && !command.words.iter().any(|word| mounts(&word.text))
}

/// The name that a new container gets.
fn name_of_new(command: &Command) -> Option<&str> {
    let name = runs_a_new_one(command).then(|| value(command, "", "--name")).flatten()?;
    // Of two names of which nothing is known nobody can say that they are the same.
    (!name.trim_matches(UNKNOWN).is_empty()).then_some(name)
}

/// Whether a command runs something in the container of that name.
fn enters(command: &Command, name: &str) -> bool {
    ENGINES.contains(&command.program())
        && command.words.get(1).is_some_and(|word| word.text == "exec")
        && command.words.iter().skip(2).any(|word| word.text == name)
}

/// Whether a command opens a port of this machine for a server of its own.
fn opens(command: &Command, port: &str) -> bool {
    let program = command.program();
    if runs_a_new_one(command) {
        let mut published =
            value(command, "-p", "--publish").into_iter().flat_map(|it| it.rsplit(':').nth(1));
        return published.any(|own| own == port);
    }
    let names_port =
        || command.words.iter().skip(1).any(|word| word.text.split([' ', '=']).any(|part| part == port));
    if STORES.contains(&program) {
        // A file of settings may name what was there before.
        let has_settings = command.words.get(1).is_some_and(|word| !word.text.starts_with('-'));
        return !has_settings && names_port();
    }
    let in_scratch = |text: &str| text.split('=').any(|part| part.starts_with("/tmp/"));
    OF_A_FOLDER.contains(&program) && command.words.iter().any(|word| in_scratch(&word.text)) && names_port()
}
