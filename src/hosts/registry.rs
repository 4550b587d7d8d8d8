//! The hosts that Steadfast speaks to, as one table, and which of them called.

use super::{EventShape, EventValue, HookCall, Host, HostClaim, Unreadable, field_names};
use crate::model::event::Event;

/// Every host. Where an event may be of several and the environment names none of them, the first is taken.
pub static HOSTS: &[&dyn Host] = &[
    &super::claude_code::ClaudeCode,
    &super::codex::Codex,
    &super::copilot::Copilot,
    &super::vscode::VsCode,
    &super::cursor::Cursor,
    &super::gemini::Gemini,
    &super::qwen::Qwen,
    &super::droid::Droid,
    &super::kimi::Kimi::Cli,
    &super::kimi::Kimi::Code,
    &super::opencode::OpenCode,
    &super::cline::Cline,
    &super::goose::Goose,
    &super::crush::Crush,
    &super::windsurf::Windsurf,
    &super::kiro::Kiro,
];

/// The host that is taken for the caller where none claims the event.
const UNKNOWN: &dyn Host = &super::claude_code::ClaudeCode;

/// The host of this name.
pub fn named(name: &str) -> Option<&'static dyn Host> {
    HOSTS.iter().copied().find(|host| host.name() == name)
}

/// Who has called the hook, and the event. `host` is the one that the call itself names, which an installation has written
/// into its command; without one the form of the event decides, and the environment where that fits several.
pub fn received(
    host: Option<&'static dyn Host>,
    call: &HookCall,
) -> (&'static dyn Host, Result<Event, Unreadable>) {
    if let Some(host) = host {
        return (host, host.read(call));
    }
    // The usual fields are read along with what tells whose the event is: for most calls that is all.
    match EventValue::read_with_names(call.bytes, field_names::FIELDS) {
        Err(why) => (of_environment(call, HOSTS.iter().copied()).unwrap_or(UNKNOWN), Err(why)),
        Ok((input, others)) => {
            let host = caller(&EventShape::new(&input, &others), call);
            match host.more_fields().is_empty() {
                true => (host, Ok(host.told(call, &input))),
                false => (host, host.read(call)),
            }
        }
    }
}

/// The host that has sent an event of this form.
fn caller(shape: &EventShape, call: &HookCall) -> &'static dyn Host {
    let claimed = |claim: HostClaim| HOSTS.iter().copied().filter(move |host| host.claims(shape) == claim);
    let sure = claimed(HostClaim::Surely).next();
    sure.or_else(|| of_environment(call, claimed(HostClaim::Perhaps)))
        .or_else(|| claimed(HostClaim::Perhaps).next())
        .unwrap_or(UNKNOWN)
}

/// The first of these hosts of which a variable is set. What the stand-in's client sets, others set too.
fn of_environment(
    call: &HookCall,
    hosts: impl Iterator<Item = &'static dyn Host>,
) -> Option<&'static dyn Host> {
    let is_set = |host: &&dyn Host| host.variables().iter().any(|name| call.variable(name).is_some());
    hosts.filter(|host| host.name() != UNKNOWN.name()).find(is_set)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::verdict::{Answer, VerdictKind};

    #[test]
    fn the_call_itself_names_its_host_before_anything_else_does() {
        for host in HOSTS {
            let call = HookCall { argument: "pre-tool-use", bytes: b"{}", env: &|_| None };
            let (caller, event) = received(named(host.name()), &call);
            assert_eq!((caller.name(), event.map(|event| event.host)), (host.name(), Ok(host.name())));
        }
        assert!(named("no-such-host").is_none());
    }

    #[test]
    fn an_event_that_no_host_claims_has_a_stand_in() {
        for bytes in [&b"{}"[..], b"", b"{\"x\":1}", b"[]"] {
            let call = HookCall { argument: "", bytes, env: &|_| None };
            assert_eq!(received(None, &call).0.name(), UNKNOWN.name());
        }
    }

    #[test]
    fn the_model_beside_the_mode_is_no_evidence_against_a_record_of_the_client() {
        let bytes =
            br#"{"session_id": "s", "transcript_path": "/home/u/.claude/projects/x/s.jsonl", "model": "m",
            "permission_mode": "acceptEdits", "hook_event_name": "SessionStart", "source": "startup"}"#;
        let call = HookCall { argument: "session-start", bytes, env: &|_| None };
        assert_eq!(received(None, &call).0.name(), UNKNOWN.name());
    }

    #[test]
    fn every_registered_event_has_its_name() {
        for host in HOSTS {
            for one in host.registrations() {
                assert_eq!(host.event_name(one.argument), Some(one.event), "{}", host.name());
                let own = one.deadline_seconds;
                assert!(own.is_none_or(|own| own < one.timeout_seconds), "{} {}", host.name(), one.event);
            }
            assert_eq!(host.event_name("no-such-event"), None);
        }
    }

    #[test]
    fn a_host_says_what_its_registration_takes_and_is_silent_of_a_pass() {
        for host in HOSTS {
            for one in host.registrations() {
                let place = format!("{} {}", host.name(), one.event);
                for kind in one.takes {
                    let said = host.write(one.event, &kind.with("T-17".to_owned()).into());
                    let all = [said.stdout.as_str(), &said.stderr].concat();
                    assert!(all.contains("T-17"), "{place} {kind:?}: {said:?}");
                    let may_fail = *kind == VerdictKind::Deny || *kind == VerdictKind::Continue;
                    assert!(said.code == 0 || (said.code == 2 && may_fail), "{place} {kind:?}");
                }
                let told = Answer::telling("H-17");
                let said = host.write(one.event, &told);
                assert!(!one.tells || said.stdout.contains("H-17"), "{place}: {said:?}");
            }
        }
    }
}
