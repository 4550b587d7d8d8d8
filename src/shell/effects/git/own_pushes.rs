//! Branches and tags that a text has pushed before it takes them away: nothing of anybody else is on them.

use crate::shell::effects::git_call::call;
use crate::shell::model::{Command, Effect};

/// `git push origin HEAD:tmp/probe && … ; git push origin --delete tmp/probe`: whether all that a push takes away from a
/// remote was pushed there by an earlier command, and not by force.
pub(crate) fn were_pushed_before(earlier: &[Command], effect: &Effect) -> bool {
    let mut words = effect.targets.iter().map(|target| target.text.as_str());
    let (Some(remote), "git push --delete") = (words.next(), effect.detail.as_str()) else { return false };
    let pushed: Vec<String> = earlier.iter().flat_map(|command| pushed_to(command, remote)).collect();
    let mut taken = words.map(bare).peekable();
    taken.peek().is_some() && taken.all(|name| pushed.iter().any(|known| known == name))
}

fn bare(name: &str) -> &str {
    let name = name.trim_start_matches(':');
    ["refs/heads/", "refs/tags/"].iter().find_map(|start| name.strip_prefix(start)).unwrap_or(name)
}

/// The names that a command gives to what it pushes to a remote.
fn pushed_to(command: &Command, remote: &str) -> Vec<String> {
    if command.program() != "git" || command.remote {
        return Vec::new();
    }
    let own = call(command);
    let forces = own.has(&["--force", "--delete", "--dry-run", "--mirror", "--prune"], "fdn");
    let plain = own.plain();
    let (true, Some((to, names))) = (own.subcommand == "push" && !forces, plain.split_first()) else {
        return Vec::new();
    };
    if to.text != remote {
        return Vec::new();
    }
    let named = names.iter().filter(|name| name.known && !name.text.starts_with(['+', ':']));
    named.map(|name| bare(name.text.rsplit(':').next().unwrap_or_default()).to_owned()).collect()
}
