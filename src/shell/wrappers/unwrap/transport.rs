//! Commands that run on this machine so that a program reaches another one: proxies, remote shells, helpers of git.

use crate::shell::effects::git_call;
use crate::shell::model::{Command, program_name};

/// Programs for other machines that run a command on this one: option, then the command.
const LOCAL_SETTINGS: &[&str] = &["proxycommand=", "knownhostscommand=", "localcommand="];

/// The shell texts that a program for another machine runs here, to get there.
pub(crate) fn local_texts(command: &Command) -> Vec<String> {
    if !matches!(command.program(), "ssh" | "scp" | "sftp" | "rsync") {
        return Vec::new();
    }
    let mut texts = Vec::new();
    for (index, word) in command.words.iter().enumerate().skip(1) {
        let lower = word.text.to_ascii_lowercase();
        let setting = LOCAL_SETTINGS.iter().find_map(|name| Some(lower.find(name)? + name.len()));
        texts.extend(setting.and_then(|at| word.text.get(at..)).map(str::to_owned));
        let is_shell = command.program() == "rsync"
            && (word.text == "--rsh" || (word.text.ends_with('e') && is_cluster(&word.text)));
        texts.extend(command.words.get(index + 1).filter(|_| is_shell).map(|word| word.text.clone()));
    }
    texts
}

fn is_cluster(text: &str) -> bool {
    text.len() > 1 && text.starts_with('-') && !text.starts_with("--")
}

/// Whether git is told to start another program than `ssh` to reach another machine.
pub(crate) fn replaces_ssh(command: &Command) -> bool {
    let helper = |text: &String| {
        let program = text.split_whitespace().find(|word| !word.contains('=')).unwrap_or_default();
        !matches!(
            program_name(program),
            "" | "ssh" | "plink" | "autossh" | "true" | "echo" | "sshpass" | "env"
        )
    };
    let call = git_call::call(command);
    let reaches = matches!(
        call.subcommand,
        "fetch" | "pull" | "push" | "clone" | "ls-remote" | "archive" | "submodule"
    ) || (call.subcommand == "remote" && matches!(call.word(0), "update" | "show" | "prune"));
    command.program() == "git" && reaches && git_helpers(command).iter().any(helper)
}

/// Programs of git that run on this machine to reach another, by variable and by setting.
pub(crate) fn git_helpers(command: &Command) -> Vec<String> {
    let by_variable = command
        .assignments
        .iter()
        .filter(|(name, _)| matches!(name.as_str(), "GIT_SSH_COMMAND" | "GIT_PROXY_COMMAND" | "GIT_ASKPASS"))
        .filter_map(|(_, value)| value.clone());
    let settings = command.words.iter().filter_map(|word| {
        let lower = word.text.to_ascii_lowercase();
        let at = lower.strip_prefix("-c").unwrap_or(&lower).strip_prefix("core.sshcommand=")?.len();
        word.text.get(word.text.len() - at..).map(str::to_owned)
    });
    by_variable.chain(settings).collect()
}

/// Programs that git starts on this machine for its own work: an editor, a pager, what shows differences.
pub(crate) fn git_programs(command: &Command) -> Vec<String> {
    const VARIABLES: &[&str] =
        &["GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_EXTERNAL_DIFF", "GIT_PAGER", "EDITOR", "VISUAL", "PAGER"];
    const SETTINGS: &[&str] = &[
        "core.editor",
        "sequence.editor",
        "core.pager",
        "diff.external",
        "core.fsmonitor",
        "credential.helper",
    ];
    let by_variable = command.assignments.iter().filter(|(name, _)| VARIABLES.contains(&name.as_str()));
    let by_setting = git_call::given_settings(command).into_iter();
    let by_setting = by_setting.filter(|(name, value)| SETTINGS.contains(&name.as_str()) && value != "true");
    let texts = by_variable.filter_map(|(_, value)| value.clone()).chain(by_setting.map(|(_, value)| value));
    texts.map(|text| text.trim_start_matches('!').to_owned()).filter(|text| text.contains(' ')).collect()
}
