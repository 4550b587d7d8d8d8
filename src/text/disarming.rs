//! What person and agent read of attempts on the guard itself.

/// Settings that call the guard less, or a configuration that sees less, which no call named.
pub fn weakened(path: &str, what: &str, holds: bool) -> String {
    let then = if holds {
        "What was there when this session began holds until it ends."
    } else {
        "`steadfast install` in a terminal registers the guard again."
    };
    format!(
        "Critical (SF-001): {path} was changed while this session ran, and no call said so: {what}. {then} Find out which \
         command did this, say so, and put it back."
    )
}

/// A change of the same files that leaves the guard as it is.
pub fn loosened(path: &str, what: &str) -> String {
    format!(
        "Steadfast (SF-001): {path} was changed while this session ran: {what}. If that was not you, look at it."
    )
}

/// A hook that something other than the client has called.
pub fn forged(event: &str, by: &str) -> String {
    format!(
        "Critical (SF-002): the hook for {event} was called by {by}, and not by the client. It decided nothing and nothing \
         of it counts. Only the client calls the hooks: say which command did this, and do not do it again."
    )
}

/// What was found in a session before this one.
pub fn in_an_earlier_session(what: &str) -> String {
    format!("In an earlier session: {what}")
}
