//! What only a person may do.

use anyhow::{Result, bail};

/// Fails inside an agent's own shell: `what` names what would be done. The hook denies such calls before they run;
/// this is the second lock on the same door.
pub fn only(what: &str) -> Result<()> {
    if std::env::var_os("CLAUDECODE").is_some() {
        bail!("only a person can {what}: run this in a terminal outside the agent's session");
    }
    Ok(())
}
