//! Services that the text has on this machine: a name for a store here, a cluster in containers, a server for trying things.

use crate::shell::effects::services::http::is_here;
use crate::shell::effects::services::scratch::{ADDRESSES, is_local_cluster};
use crate::shell::model::option::named_values;
use crate::shell::model::{Command, program_name};

/// Clients of a service, programs that serve it for a while, with a word that they need for that, and what is in the
/// names of its images.
type DevelopmentService =
    (&'static [&'static str], &'static [(&'static str, &'static str)], &'static [&'static str]);

static SERVICES: &[DevelopmentService] = &[
    (&["etcdctl"], &[("etcd", "")], &["etcd"]),
    (&["consul"], &[("consul", "-dev")], &["consul"]),
    (&["vault", "bao"], &[("vault", "-dev"), ("bao", "-dev")], &["vault", "openbao"]),
    (&["nats"], &[("nats-server", "")], &["nats"]),
    (&["rabbitmqadmin", "rabbitmqctl"], &[("rabbitmq-server", "")], &["rabbitmq"]),
    (&["kafka-topics", "kafka-topics.sh", "rpk", "kcat"], &[], &["kafka", "redpanda"]),
    (&["az"], &[("azurite", "")], &["azurite"]),
    (&["influx"], &[("influxd", "")], &["influxdb"]),
    (
        &["curl", "http", "https"],
        &[],
        &["elasticsearch", "opensearch", "couchdb", "meilisearch", "typesense"],
    ),
];
/// Options that say where such a service is.
const PLACES: &[&str] = &[
    "--bootstrap-server",
    "--endpoints",
    "--server",
    "-s",
    "--host",
    "-H",
    "-http-addr",
    "-address",
    "--brokers",
    "--blob-endpoint",
    "--queue-endpoint",
    "--table-endpoint",
];

/// Whether what a command gives up is on this machine by the words of the text.
pub(crate) fn is_here_by_the_text(earlier: &[Command], command: &Command) -> bool {
    if command.remote {
        return false;
    }
    match command.program() {
        "mc" | "mcli" => has_local_names(earlier, command),
        "kubectl" | "oc" | "k" | "helm" | "helmfile" | "flux" | "argocd" | "istioctl" => {
            works_in_a_local_cluster(earlier, command)
        }
        name => works_on_a_development_server(name, earlier, command),
    }
}

/// `mc alias set t http://localhost:9000 …; mc rb t/x`: every name that stands before a `/` is one of this machine.
fn has_local_names(earlier: &[Command], command: &Command) -> bool {
    let words = |command: &Command| -> Vec<String> {
        let plain = command.words.iter().skip(1).filter(|word| !word.text.starts_with('-'));
        plain.map(|word| word.text.clone()).collect()
    };
    let by_alias = |name: &str| {
        let set = earlier.iter().rev().filter(|own| own.program() == command.program()).map(words);
        set.into_iter().find_map(|own| match own.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["alias", "set" | "s", own, address, ..] | ["config", "host", "add", own, address, ..] => {
                (own == name).then(|| is_here(address))
            }
            _ => None,
        })
    };
    let by_variable = |name: &str| {
        let variable = format!("MC_HOST_{name}");
        let own = command.assignments.iter().rev().find(|(known, _)| *known == variable);
        own.map(|(_, value)| value.as_deref().is_some_and(is_here))
    };
    let own = words(command);
    let mut places = own.iter().skip(1).filter_map(|word| Some(word.split_once('/')?.0)).peekable();
    places.peek().is_some() && places.all(|name| by_variable(name).or_else(|| by_alias(name)) == Some(true))
}

/// Whether the newest word about the cluster is one of this machine: made by the text, or chosen by name. What was to make
/// it must have ended well.
fn works_in_a_local_cluster(earlier: &[Command], command: &Command) -> bool {
    let has_its_own = named_values(&command.words)
        .any(|(name, _)| matches!(name, "--context" | "--kube-context" | "--kubeconfig" | "--server" | "-s"));
    let newest = earlier.iter().enumerate().rev().find_map(|(at, own)| Some((at, chooses_a_cluster(own)?)));
    let Some((at, is_local)) = newest.filter(|_| !has_its_own) else { return false };
    is_local && command.follows.is_some_and(|from| from <= at)
}

/// Whether a command makes or chooses a cluster, and whether that is one of this machine.
fn chooses_a_cluster(command: &Command) -> Option<bool> {
    let words: Vec<&str> = command.words.iter().skip(1).map(|word| word.text.as_str()).collect();
    match (command.program(), words.as_slice()) {
        ("kind" | "k3d", ["create" | "cluster", "cluster" | "create", ..]) => Some(true),
        ("minikube" | "colima", ["start", ..]) => Some(true),
        ("kubectl" | "oc" | "k", ["config", "use-context" | "use", name, ..]) => Some(is_local_cluster(name)),
        ("kubectx", [name]) => Some(is_local_cluster(name)),
        ("aws", ["eks", "update-kubeconfig", ..]) => Some(false),
        ("gcloud", ["container", "clusters", "get-credentials", ..]) => Some(false),
        ("az", ["aks", "get-credentials", ..]) => Some(false),
        _ => None,
    }
}

fn works_on_a_development_server(name: &str, earlier: &[Command], command: &Command) -> bool {
    let Some((_, servers, images)) = SERVICES.iter().find(|(clients, ..)| clients.contains(&name)) else {
        return false;
    };
    let by_option = named_values(&command.words).filter(|(name, _)| PLACES.contains(name));
    let by_variable = command.assignments.iter().filter(|(name, _)| ADDRESSES.contains(&name.as_str()));
    let mut places = by_option.map(|(_, value)| value.is_some_and(is_here));
    let mut set = by_variable.map(|(_, value)| value.as_deref().is_some_and(is_here));
    if !places.all(|is_local| is_local) || !set.all(|is_local| is_local) {
        return false;
    }
    let has = |own: &Command, wanted: &str| own.words.iter().any(|word| word.text == wanted);
    let serves = |own: &Command| {
        let by_program = servers
            .iter()
            .any(|(program, word)| own.program() == *program && (word.is_empty() || has(own, word)));
        by_program || runs_an_image(own, images)
    };
    earlier.iter().any(serves)
}

/// Whether a command runs a new container of one of these images, into which nothing of this machine is mounted.
fn runs_an_image(command: &Command, images: &[&str]) -> bool {
    let is_engine = matches!(command.program(), "docker" | "podman" | "nerdctl");
    let words = || command.words.iter().skip(2).map(|word| word.text.as_str());
    let is_run = command.words.get(1).is_some_and(|word| word.text == "run");
    let mounts = || words().any(|text| ["-v", "--volume", "--mount"].iter().any(|it| text.starts_with(it)));
    let is_image = |text: &str| {
        let name = program_name(text).split([':', '@']).next().unwrap_or_default();
        !text.starts_with('-') && images.iter().any(|image| name.split('-').any(|part| part == *image))
    };
    is_engine && is_run && !mounts() && words().any(is_image)
}
