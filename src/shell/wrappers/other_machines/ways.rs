//! Programs whose words name a command for another machine or a container.

use RemoteCommandPlace::{AfterDashes, Text, Words};

/// A program whose words name a command for elsewhere.
pub(crate) struct RemoteProgram {
    pub(crate) program: &'static str,
    /// The words after it that make it one; none means always.
    pub(crate) words: &'static [&'static str],
    /// Options whose value is the next word.
    pub(crate) valued: &'static [&'static str],
    pub(crate) command: RemoteCommandPlace,
    /// Whether it starts something new that is gone afterwards.
    pub(crate) throwaway: bool,
}

/// Where the command for elsewhere stands.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum RemoteCommandPlace {
    /// After so many operands, as text that a shell reads.
    Text(usize),
    /// After so many operands, as words.
    Words(usize),
    /// After `--`, as words.
    AfterDashes,
    /// The value of one of these options, as text.
    Option(&'static [&'static str]),
}

pub(crate) const SSH: &[&str] = &[
    "-p", "-i", "-o", "-l", "-F", "-J", "-L", "-R", "-D", "-b", "-c", "-e", "-E", "-I", "-m", "-O", "-Q",
    "-S", "-W", "-w", "-B",
];

const EXEC: &[&str] =
    &["-e", "--env", "-u", "--user", "-w", "--workdir", "--env-file", "--detach-keys", "--index"];

const RUN: &[&str] = &[
    "-e",
    "--env",
    "-u",
    "--user",
    "-w",
    "--workdir",
    "--env-file",
    "-v",
    "--volume",
    "--mount",
    "-p",
    "--publish",
    "--name",
    "--network",
    "--net",
    "--entrypoint",
    "-h",
    "--hostname",
    "-l",
    "--label",
    "-m",
    "--memory",
    "--cpus",
    "--platform",
    "--tmpfs",
    "--device",
    "--gpus",
    "--restart",
    "--link",
    "--add-host",
    "--cap-add",
    "--cap-drop",
    "--security-opt",
    "--shm-size",
    "--ulimit",
    "--volumes-from",
    "--pull",
    "--ipc",
    "--pid",
    "--userns",
    "--dns",
    "--log-driver",
    "--log-opt",
    "--expose",
    "--group-add",
    "-a",
    "--attach",
    "--cidfile",
    "--stop-signal",
];

pub(crate) const COMPOSE: &[&str] =
    &["-f", "--file", "-p", "--project-name", "--profile", "--env-file", "--project-directory"];

pub(crate) const fn way(
    program: &'static str,
    words: &'static [&'static str],
    valued: &'static [&'static str],
    command: RemoteCommandPlace,
    throwaway: bool,
) -> RemoteProgram {
    RemoteProgram { program, words, valued, command, throwaway }
}

pub(crate) static WAYS: &[RemoteProgram] = &[
    way("ssh", &[], SSH, Text(1), false),
    way("autossh", &[], SSH, Text(1), false),
    way("mosh", &[], &["-p"], AfterDashes, false),
    way("pdsh", &[], &["-w", "-x", "-l"], Text(0), false),
    way("pssh", &[], &["-h", "-H", "-l", "-p", "-t"], Text(0), false),
    way("parallel-ssh", &[], &["-h", "-H", "-l", "-p", "-t"], Text(0), false),
    way("docker", &["exec"], EXEC, Words(1), false),
    way("podman", &["exec"], EXEC, Words(1), false),
    way("nerdctl", &["exec"], EXEC, Words(1), false),
    way("docker", &["compose", "exec"], EXEC, Words(1), false),
    way("podman", &["compose", "exec"], EXEC, Words(1), false),
    way("docker-compose", &["exec"], EXEC, Words(1), false),
    way("docker", &["run"], RUN, Words(1), true),
    way("podman", &["run"], RUN, Words(1), true),
    way("nerdctl", &["run"], RUN, Words(1), true),
    way("docker", &["compose", "run"], RUN, Words(1), true),
    way("podman", &["compose", "run"], RUN, Words(1), true),
    way("docker-compose", &["run"], RUN, Words(1), true),
    way("kubectl", &["exec"], &[], AfterDashes, false),
    way("oc", &["exec"], &[], AfterDashes, false),
    way("oc", &["rsh"], &["-c", "-n"], Words(1), false),
    way("kubectl", &["run"], &[], AfterDashes, true),
    way("kubectl", &["debug"], &[], AfterDashes, true),
    way("lxc", &["exec"], &[], AfterDashes, false),
    way("incus", &["exec"], &[], AfterDashes, false),
    way("multipass", &["exec"], &["-d"], AfterDashes, false),
    way("vagrant", &["ssh"], &[], RemoteCommandPlace::Option(&["-c", "--command"]), false),
    way("gcloud", &["compute", "ssh"], &[], RemoteCommandPlace::Option(&["--command"]), false),
    way("fly", &["ssh", "console"], &[], RemoteCommandPlace::Option(&["-C", "--command"]), false),
    way("flyctl", &["ssh", "console"], &[], RemoteCommandPlace::Option(&["-C", "--command"]), false),
    way("ansible", &[], &[], RemoteCommandPlace::Option(&["-a", "--args"]), false),
    way("adb", &["shell"], &["-s"], Text(0), false),
    way("heroku", &["run"], &["-a", "--app"], Words(0), false),
];

pub(crate) fn program_is_compose(way: &RemoteProgram) -> bool {
    way.program.ends_with("compose") || way.words.first() == Some(&"compose") || way.words.get(1).is_some()
}
