//! What a client deletes that is only named while it runs: keys that a scan hands over, claims that a listing names, and
//! orders that come in as text.

use std::str::SplitWhitespace;

use crate::shell::effects::services::http::is_here;
use crate::shell::effects::services::scratch::is_scratch;
use crate::shell::model::{Command, Effect, EffectKind, Script, Word};
use crate::shell::parse::output;

use EffectKind::{ChangesElsewhere, LosesElsewhere};

/// What a command deletes of what a service holds, by names that others hand over.
pub(crate) fn effect(script: &Script, command: &Command) -> Option<Effect> {
    let program = command.program();
    let (kind, what) = match program {
        "redis-cli" | "valkey-cli" | "keydb-cli" => of_store(script, command)?,
        "kubectl" | "oc" | "k" => {
            let at = own(command, &["delete"])?;
            let named = command.words.get(at + 1..)?;
            let tries = named.iter().any(|word| word.text.starts_with("--dry-run"));
            (!tries && is_handed(named)).then_some((LosesElsewhere, "delete"))?
        }
        "aws" | "gsutil" | "rclone" | "azcopy" if mirrors_nothing(command) => {
            (LosesElsewhere, "sync from an empty folder")
        }
        "rclone" if mirrors_to_a_store(command) => (of_a_mirror(command), "sync"),
        "rsync" if mirrors_nothing(command) => (LosesElsewhere, "--delete from an empty folder"),
        "rsync" if mirrors_to_another(command) => (of_a_mirror(command), "--delete on another machine"),
        "ansible" if removes_by_module(command) => (LosesElsewhere, "state=absent"),
        "nc" | "ncat" | "telnet" | "socat" => {
            let text = output::text::text_from(script, &command.input)?.to_ascii_lowercase();
            let flushes = ["flush_all", "flushall", "flushdb"].iter().any(|order| text.contains(order));
            flushes.then_some((LosesElsewhere, "flush_all"))?
        }
        "sftp" | "lftp" | "ftp" | "smbclient" => removed_by_transfer(script, command)?,
        "docker" | "podman" | "nerdctl" => in_a_volume(command)?,
        _ => return None,
    };
    Some(Effect::of(kind, command, &format!("{program} {what}"), &[], None))
}

/// `aws s3 sync /tmp/empty s3://bucket --delete`: a place elsewhere is made like a folder of nothing.
fn mirrors_nothing(command: &Command) -> bool {
    let words: Vec<&str> = command.words.iter().skip(1).map(|word| word.text.as_str()).collect();
    let has = |options: &[&str]| words.iter().any(|word| options.iter().any(|it| word.starts_with(it)));
    if has(&["--dry-run", "--dryrun", "-n", "--list-only"]) {
        return false;
    }
    let mirrors = match command.program() {
        "rclone" => words.first() == Some(&"sync"),
        "gsutil" => words.contains(&"rsync") && has(&["-d"]),
        _ => has(&["--delete"]),
    };
    let is_verb = |word: &&&str| !word.starts_with('-') && !matches!(**word, "s3" | "sync" | "rsync");
    let mut places = words.iter().filter(is_verb);
    let (Some(from), Some(to)) = (places.next(), places.next()) else { return false };
    let name = from.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let is_nothing = name.contains("empty") || name.contains("mktemp.") || from.starts_with("/tmp/");
    let is_elsewhere = to.split_once(':').is_some_and(|(host, _)| host.len() > 1 && !host.contains('/'));
    mirrors && is_nothing && is_elsewhere
}

/// `rsync -a --delete dist/ host:/srv`: what another machine has more than this one goes.
fn mirrors_to_another(command: &Command) -> bool {
    let words = || command.words.iter().skip(1).map(|word| word.text.as_str());
    let tries = words().any(|word| {
        let is_cluster = word.starts_with('-') && !word.starts_with("--");
        matches!(word, "--dry-run" | "--list-only") || (is_cluster && word.contains('n'))
    });
    let is_elsewhere = words()
        .next_back()
        .and_then(|to| to.split_once(':'))
        .is_some_and(|(host, _)| host.len() > 1 && !host.contains('/') && !is_here(host));
    !tries && is_elsewhere && words().any(|word| word.starts_with("--del"))
}

/// A mirror takes away what only the other side has; of a place for trying things that is told.
fn of_a_mirror(command: &Command) -> EffectKind {
    let is_for_trying = |word: &Word| {
        let place = word.text.split_once(':').map_or(word.text.as_str(), |(_, path)| path);
        is_scratch(&word.text) || place.starts_with("/tmp/") || is_scratch(place)
    };
    if command.words.last().is_some_and(is_for_trying) { ChangesElsewhere } else { LosesElsewhere }
}

/// `rclone sync dist remote:site`.
fn mirrors_to_a_store(command: &Command) -> bool {
    let words = || command.words.iter().skip(1).map(|word| word.text.as_str());
    let tries = words().any(|word| matches!(word, "-n" | "--dry-run" | "-i" | "--interactive"));
    let mut places = words().skip(1).filter(|word| !word.starts_with('-'));
    let is_store =
        |place: &str| place.split_once(':').is_some_and(|(name, _)| name.len() > 1 && !name.contains('/'));
    words().next() == Some("sync") && !tries && places.nth(1).is_some_and(is_store)
}

/// `ansible all -m file -a 'path=/srv/data state=absent'`.
fn removes_by_module(command: &Command) -> bool {
    let value = |names: [&str; 2]| {
        let words = command.words.get(1..).unwrap_or_default();
        words.iter().enumerate().find_map(|(at, word)| {
            let text = word.text.as_str();
            let glued = names.iter().find_map(|name| text.strip_prefix(name)?.strip_prefix('='));
            match names.contains(&text) {
                true => words.get(at + 1).map(|next| next.text.as_str()),
                false => glued,
            }
        })
    };
    let tries = command.words.iter().any(|word| matches!(word.text.as_str(), "--check" | "-C"));
    let module = value(["-m", "--module-name"]).and_then(|name| name.rsplit('.').next());
    let settings: Vec<&str> = value(["-a", "--args"]).unwrap_or_default().split_whitespace().collect();
    let path = settings
        .iter()
        .filter_map(|it| it.split_once('='))
        .find_map(|(name, path)| matches!(name, "path" | "dest" | "name").then_some(path));
    let is_temporary = path.is_some_and(|path| path.starts_with("/tmp/") || path.starts_with("/var/tmp/"));
    !tries && module == Some("file") && settings.contains(&"state=absent") && !is_temporary
}

/// `sftp host <<< 'rm file'`, `lftp -e 'rm -r folder'`, `smbclient -c 'deltree folder'`; `lftp -e 'mirror -R --delete'`
/// makes a folder there like one here.
fn removed_by_transfer(script: &Script, command: &Command) -> Option<(EffectKind, &'static str)> {
    const REMOVES: &[&str] = &["rm", "rmdir", "delete", "mdelete", "mrm", "glob", "del", "deltree"];
    let given = command.words.iter().skip(1).map(|word| word.text.clone());
    let text: Vec<String> = given.chain(output::text::text_from(script, &command.input)).collect();
    let orders = || text.iter().flat_map(|text| text.split(['\n', ';'])).map(str::split_whitespace);
    let removes = |mut order: SplitWhitespace| {
        order.next().is_some_and(|first| REMOVES.contains(&first.to_ascii_lowercase().as_str()))
    };
    let mirrors = |order: SplitWhitespace| {
        let words: Vec<&str> = order.collect();
        words.first() == Some(&"mirror")
            && !words.contains(&"--dry-run")
            && words.iter().any(|word| matches!(*word, "--delete" | "-e" | "--delete-first"))
    };
    if orders().any(removes) {
        return Some((LosesElsewhere, "rm"));
    }
    orders().any(mirrors).then_some((of_a_mirror(command), "mirror --delete"))
}

/// `docker run -v data:/d image rm -rf /d`: what a named volume holds is there when the container is not.
fn in_a_volume(command: &Command) -> Option<(EffectKind, &'static str)> {
    let words: Vec<&str> = command.words.iter().map(|word| word.text.as_str()).collect();
    (words.get(1) == Some(&"run")).then_some(())?;
    let mounted = words.windows(2).filter(|pair| matches!(pair, ["-v" | "--volume", _])).filter_map(|pair| {
        let (name, there) = pair.get(1)?.split_once(':')?;
        let is_named = !name.is_empty() && !name.contains(['/', '.', '$', '~']) && !name.contains('\u{E000}');
        is_named.then(|| there.split(':').next().unwrap_or_default())
    });
    let folders: Vec<&str> = mounted.collect();
    // What is made again at will is no loss.
    let is_made_again = words.iter().any(|word| word.contains("cache") || word.contains("/tmp"));
    (!is_made_again).then_some(())?;
    let removes = words.iter().any(|word| *word == "rm" || word.starts_with("rm ") || word.contains(" rm "));
    let names =
        words.iter().any(|word| folders.iter().any(|folder| word.contains(folder) && !word.contains(':')));
    (removes && names).then_some((LosesElsewhere, "run: rm in a volume"))
}

fn of_store(script: &Script, command: &Command) -> Option<(EffectKind, &'static str)> {
    if let Some(at) = own(command, &["del", "unlink"]) {
        let is_scan = is_handed(command.words.get(at + 1..)?);
        return Some((if is_scan { LosesElsewhere } else { ChangesElsewhere }, "DEL"));
    }
    let says = |word: &Word| {
        let text = word.text.to_ascii_lowercase();
        text.contains('(') && ["flushall", "flushdb"].iter().any(|order| text.contains(order))
    };
    if own(command, &["eval"]).is_some() && command.words.iter().any(says) {
        return Some((LosesElsewhere, "FLUSHALL"));
    }
    let text = output::text::text_from(script, &command.input)?.to_ascii_lowercase();
    let flushes = |line: &str| matches!(line.split_whitespace().next(), Some("flushall" | "flushdb"));
    text.lines().any(flushes).then_some((LosesElsewhere, "FLUSHALL"))
}

/// Where one of these words stands.
fn own(command: &Command, words: &[&str]) -> Option<usize> {
    command.words.iter().position(|word| words.iter().any(|known| word.text.eq_ignore_ascii_case(known)))
}

/// Whether other commands say what is named.
fn is_handed(words: &[Word]) -> bool {
    words.iter().any(|word| !word.text.starts_with('-') && (!word.known || word.partial))
}
