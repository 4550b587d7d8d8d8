//! Work that is handed on with all that it was given: to an outbox, a queue or a bus, which does it later.

use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::languages::code::{identifiers, is_log};
use crate::model::words::words;

/// Words of names for what does work later, in lower case.
const LATER: &[&str] = &[
    "outbox",
    "queue",
    "bus",
    "broker",
    "dispatch",
    "dispatcher",
    "enqueue",
    "job",
    "jobs",
    "later",
    "delay",
    "worker",
    "messenger",
    "scheduler",
    "sidekiq",
    "celery",
    "oban",
    "async",
    "mailbox",
];

/// Whether what a lost call was given stands in a new call of something that does it later.
pub(super) fn is_handed_on(hunks: &[TextHunk], lost: &str) -> bool {
    let name = lost.rsplit(['.', ':', '>']).next().unwrap_or(lost);
    let call = format!("{name}(");
    let gone = hunks.iter().flat_map(|it| &it.gone).find_map(|it| it.text.split_once(&call));
    let Some((_, given)) = gone else { return false };
    let given: Vec<&str> = identifiers(given).filter(|it| it.len() > 1).collect();
    let takes_all = |line: &&CodeLine| {
        let has = |word: &&str| identifiers(line.text).any(|it| it == *word);
        line.text.contains('(') && !is_log(line.text) && does_later(line.text) && given.iter().all(has)
    };
    !given.is_empty() && hunks.iter().flat_map(|it| &it.come).any(|line| takes_all(&line))
}

/// Whether a line names something that does work later: `self.outbox.add(`, `perform_later(`, `jobQueue.push(`.
fn does_later(line: &str) -> bool {
    identifiers(line).flat_map(words).any(|word| LATER.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_say_that_work_is_done_later() {
        assert!(does_later("self.outbox.add(to, text)") && does_later("jobQueue.push(mail);"));
        assert!(does_later("WelcomeMail.perform_later(user)"));
        assert!(!does_later("self.sent.append(mail)") && !does_later("logger.info(mail)"));
    }
}
