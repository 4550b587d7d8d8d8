//! What a person hears when the client does not call the guard, or not for everything.

use std::path::Path;
use std::time::Duration;

/// That nothing is recorded or kept, and why.
pub fn unrecorded(why: &str) -> String {
    format!(
        "Steadfast can't record or keep what happens here ({why}). Calls are still judged, but what was found before may \
         be forgotten, and an undo may have nothing to bring back."
    )
}

/// That git can't say what changed, and what that means.
pub fn git_is_silent(why: &str) -> String {
    format!(
        "Steadfast could not ask git here: {why}. Edits and deletions are still judged by the files themselves and by what \
         was kept of them, but of a file that only git knew the past is unknown: what a script did to it may go unseen \
         until git answers."
    )
}

/// Events that the settings leave out.
pub fn events_left_out(events: &[&str]) -> String {
    format!(
        "Steadfast is registered in the client's settings, but not for {}: what those events would guard is not looked at. \
         `steadfast install` registers all of them.",
        events.join(", ")
    )
}

/// Tools that the settings leave out.
pub fn tools_left_out(tools: &[&str]) -> String {
    format!(
        "Steadfast is not called before {}: the matcher in the client's settings leaves it out. `steadfast install` \
         registers every tool that changes files.",
        tools.join(", ")
    )
}

/// A client that is newer than all that were tried.
pub fn untested_client(version: &str, newest: &str) -> String {
    format!(
        "Claude Code {version} is newer than {newest}, the newest that Steadfast was tested with: what has changed in it \
         since may go unguarded. A newer Steadfast may know it."
    )
}

/// A registered program that is not there.
pub fn program_missing(program: &Path) -> String {
    format!(
        "The client's settings call {}, which is not there: those calls are not guarded. `steadfast install` registers \
         the program that is.",
        program.display()
    )
}

/// A registered program that can't be started.
pub fn program_does_not_start(program: &Path, why: &str) -> String {
    format!(
        "The client's settings call {}, which does not start ({why}): those calls are not guarded.",
        program.display()
    )
}

/// A registered program that fails at an empty event.
pub fn program_fails(program: &Path, code: Option<i32>, took: Duration) -> String {
    let ended = match code {
        Some(code) => format!("ended with exit code {code}"),
        None => "did not end in time".to_owned(),
    };
    format!(
        "The client's settings call {}, which {ended} after {} ms at a trial: those calls are not guarded.",
        program.display(),
        took.as_millis()
    )
}

/// The configuration has switched it off since the session began.
pub const SWITCHED_OFF_WITHIN: &str = "aiwg.yml switches Steadfast off since this session began. The session stays \
                                       guarded, because a script could have written that; the next one is not. \
                                       `steadfast loop pause` in a terminal ends it at once.";

/// The project's configuration switches the guard off.
pub const SWITCHED_OFF: &str =
    "Steadfast is switched off by aiwg.yml here (`agent_persistence: enabled: false`): nothing is guarded.";

/// The project's configuration judges nothing, while loops go on.
pub const DETECTION_OFF: &str = "Steadfast is called here, but aiwg.yml switches its detection off (`agent_persistence: \
                                 detection: mode: off`): no edit or command is judged.";

/// The log was changed by something else.
pub fn log_changed(loop_id: &str, what: &str) -> String {
    format!(
        "Steadfast, CRITICAL: the hook-log of loop {loop_id} was changed by something other than Steadfast: {what}. \
         `steadfast log verify {loop_id}` shows all of it."
    )
}
