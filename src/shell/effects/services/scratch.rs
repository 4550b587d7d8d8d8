//! Names and surroundings that are there to be thrown away: test databases, a CI environment, a sandbox.

use crate::shell::effects::services::http::is_here;
use crate::shell::model::Command;
use crate::shell::model::option::named_values;

/// Parts of a name that say that it is there to be thrown away.
const SCRATCH: &[&str] =
    &["test", "tests", "testing", "tmp", "temp", "scratch", "ci", "sandbox", "spec", "e2e"];

/// Variables that say which surroundings a command works in.
pub(crate) const SURROUNDINGS: &[&str] = &[
    "RAILS_ENV",
    "RACK_ENV",
    "NODE_ENV",
    "APP_ENV",
    "MIX_ENV",
    "DJANGO_ENV",
    "FLASK_ENV",
    "ENV",
    "PGDATABASE",
    "MYSQL_DATABASE",
    "DB_NAME",
    "DB_DATABASE",
];

/// Variables that name the database of a run by its address.
fn names_a_database(name: &str) -> bool {
    const ENDS: &[&str] = &["DATABASE_URL", "DB_URL", "DATABASE_URI", "DB_URI", "DB_DSN", "DATABASE_DSN"];
    ENDS.iter().any(|end| name.ends_with(end))
}

/// Options that do.
const SURROUNDING_OPTIONS: &[&str] = &[
    "--env",
    "-e",
    "--environment",
    "-d",
    "--dbname",
    "-D",
    "--database",
    "--settings",
    "-f",
    "--file",
    "-p",
    "--project-name",
    "-url",
    "--url",
    "--database-url",
    "--db-url",
    "--uri",
    "--connection",
];

/// Whether an option names surroundings or a database that are there to be thrown away.
pub(crate) fn names_scratch_surroundings(command: &Command) -> bool {
    let by_option = named_values(&command.words)
        .any(|(name, value)| SURROUNDING_OPTIONS.contains(&name) && value.is_some_and(is_scratch));
    let by_variable = |(name, value): &(String, Option<String>)| {
        (name == "PGDATABASE" || names_a_database(name)) && value.as_deref().is_some_and(is_scratch)
    };
    by_option || command.assignments.iter().any(by_variable)
}

/// Whether a name, or the last part of an address, is one of a test or scratch place.
pub(crate) fn is_scratch(name: &str) -> bool {
    let name = name.split('?').next().unwrap_or_default().rsplit('/').next().unwrap_or_default();
    name.split(|letter: char| !letter.is_alphanumeric()).any(|part| SCRATCH.contains(&part))
}

/// Options that name the server of a cloud's client.
const ENDPOINTS: &[&str] =
    &["--endpoint-url", "--endpoint", "--endpoint-override", "--service-endpoint", "--s3-endpoint", "--host"];

/// Variables that name the server of a service.
pub(crate) const ADDRESSES: &[&str] =
    &["VAULT_ADDR", "BAO_ADDR", "CONSUL_HTTP_ADDR", "ETCDCTL_ENDPOINTS", "NATS_URL", "KUBECONFIG"];

/// Clients of stores for which `--host` names the server.
const HOST_NAMERS: &[&str] = &["s3cmd"];

/// Whether a context of a cluster is by its name one that runs in containers here.
pub(crate) fn is_local_cluster(name: &str) -> bool {
    const LOCAL: &[&str] = &["kind-", "k3d-", "minikube", "docker-desktop", "rancher-desktop", "colima"];
    LOCAL.iter().any(|it| name.starts_with(it))
}

/// Whether a variable says where a client of a service finds its server, or in which surroundings it works.
pub(crate) fn says_where(name: &str) -> bool {
    name.starts_with("AWS_ENDPOINT_URL")
        || name.ends_with("_EMULATOR_HOST")
        || name.starts_with("MC_HOST_")
        || ADDRESSES.contains(&name)
        || SURROUNDINGS.contains(&name)
        || names_a_database(name)
}

/// Whether an address is a file among the temporary ones, as of SQLite: `file:/tmp/x.db`, `sqlite:////tmp/x.db`.
fn is_temporary_file(address: &str) -> bool {
    let file = ["sqlite:", "sqlite3:", "file:"].iter().find_map(|scheme| address.strip_prefix(scheme));
    is_in_memory(address)
        || file.is_some_and(|path| format!("/{}", path.trim_start_matches('/')).starts_with("/tmp/"))
}

/// Whether an address is one of a database that ends with its process: `sqlite://`, `sqlite+aiosqlite:///:memory:`,
/// `jdbc:h2:mem:app`.
pub(crate) fn is_in_memory(address: &str) -> bool {
    let is_bare = address.trim_end_matches('/').ends_with(':') && address.ends_with("//");
    address.contains(":memory:") || address.contains(":mem:") || (address.starts_with("sqlite") && is_bare)
}

/// Whether a cloud's client talks to an emulator on this machine, or a cluster that runs in containers here; or a
/// command to a database in a temporary file.
pub(crate) fn works_on_an_emulator(command: &Command) -> bool {
    const CONTEXTS: &[&str] = &["--context", "--kube-context", "--kubeconfig-context"];
    let by_variable = command.assignments.iter().any(|(name, value)| {
        let names_a_server = name.starts_with("AWS_ENDPOINT_URL") || name.ends_with("_EMULATOR_HOST");
        (names_a_server && value.as_deref().is_some_and(is_here))
            || (names_a_database(name) && value.as_deref().is_some_and(is_temporary_file))
    });
    let words = &command.words;
    let is_local_worker = || {
        let has = |wanted: &str| words.iter().any(|word| word.text == wanted);
        has("wrangler") && has("--local") && !has("--remote")
    };
    let names_host = HOST_NAMERS.contains(&command.program());
    let by_option = |(name, value): (&str, Option<&str>)| {
        (ENDPOINTS.contains(&name) && (name != "--host" || names_host) && value.is_some_and(is_here))
            || (CONTEXTS.contains(&name) && value.is_some_and(is_local_cluster))
    };
    let by_connection = || words.iter().skip(1).any(|word| word.text.contains("UseDevelopmentStorage=true"));
    let in_memory = || {
        words.iter().skip(1).any(|word| {
            word.text.contains("://") && is_in_memory(&word.text)
                || word.text.contains("jdbc:") && is_in_memory(&word.text)
        })
    };
    by_variable || is_local_worker() || named_values(words).any(by_option) || by_connection() || in_memory()
}
