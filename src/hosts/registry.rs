//! The hosts that Steadfast speaks to, as one table, and which of them called.

use super::{Host, Variables, claude_code};

/// Every host.
pub static HOSTS: &[&dyn Host] = &[&claude_code::ClaudeCode];

/// The host that is taken for the caller where none recognises the call.
const UNKNOWN: &dyn Host = &claude_code::ClaudeCode;

/// The host that called the hook's process, by its environment.
pub fn caller(env: Variables) -> &'static dyn Host {
    let recognised = HOSTS.iter().copied().find(|host| host.recognises(env));
    recognised.unwrap_or(UNKNOWN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_recognised_and_an_unknown_one_has_a_stand_in() {
        let own = |name: &str| (name == "CLAUDE_PROJECT_DIR").then(|| "/p".to_owned());
        assert!(HOSTS.iter().any(|host| host.recognises(&own)));
        assert_eq!(caller(&own).name(), "claude-code");
        assert_eq!(caller(&|_| None).name(), UNKNOWN.name());
    }

    #[test]
    fn every_registered_event_has_its_name() {
        for host in HOSTS {
            for one in host.registrations() {
                assert_eq!(host.event_name(one.argument), Some(one.event), "{}", host.name());
            }
            assert_eq!(host.event_name("no-such-event"), None);
        }
    }
}
