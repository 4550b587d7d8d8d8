//! What mocktail's and mockito's `verify` claims in Dart: which call, how often, with what.

use crate::languages::assertions::calls::CallParts;
use crate::languages::assertions::looseness::chance;
use crate::languages::assertions::model::{AssertionClaim, Strength, compared};
use crate::languages::tree::text;
use Strength::{Exact, Exists, Kind, Partial};

/// `verify(() => store.save(order)).called(1)`, `verifyNever(() => store.save(any()))`.
pub(super) fn verified(first: &CallParts, links: &[CallParts], source: &str) -> Option<AssertionClaim> {
    let body = first.arguments.first().map(|it| text(*it, source))?;
    let body = body.split_once("=>").map_or(body, |(_, asked)| asked).trim();
    let (asked, given) = body.split_once('(').unwrap_or((body, ""));
    let given = given.strip_suffix(')').unwrap_or(given);
    let is_never = first.name == "verifyNever" || first.name == "verifyZeroInteractions";
    let times = links.iter().find(|it| it.name == "called").and_then(|it| it.arguments.first().copied());
    let is_counted = times.is_some_and(|it| it.kind() == "decimal_integer_literal");
    let stand_ins = chance(given).0;
    let strength = match stand_ins {
        _ if is_never => Exists,
        0 if is_counted => Exact,
        0 => Partial,
        found if found > given.matches(',').count() => Kind,
        _ => Partial,
    };
    Some(compared(&format!("verify:{asked}"), "verify", given, strength, is_never))
}
