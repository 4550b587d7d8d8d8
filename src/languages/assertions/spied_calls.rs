//! What the verification of a stand-in's call claims: `verify(store, times(1)).save(order)`.

use crate::languages::assertions::links::Link;
use crate::languages::assertions::looseness::chance;
use crate::languages::assertions::model::{AssertionClaim, Strength, compared};
use Strength::{Exact, Exists, Kind, Nothing, Partial};

/// The claim of `verify(store, mode).save(order)`: which call, how often, with what.
pub(super) fn verified(opener: &Link, call: &Link) -> Option<AssertionClaim> {
    let store = opener.arguments.first()?;
    let mode = opener.arguments.get(1).map(|it| it.rsplit('.').next().unwrap_or(it)).unwrap_or_default();
    let subject = format!("verify:{store}.{}", call.name);
    let is_never = mode.starts_with("never") || mode == "times(0)";
    let stand_ins = call.arguments.iter().filter(|it| chance(it).0 > 0).count();
    let strength = match mode {
        "atLeast(0)" => Nothing,
        _ if mode.starts_with("atMost") || is_never => Exists,
        _ if stand_ins == 0 => Exact,
        _ if stand_ins == call.arguments.len() => Kind,
        _ => Partial,
    };
    Some(compared(&subject, "verify", &call.arguments.join(","), strength, is_never))
}
