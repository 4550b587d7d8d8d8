//! What an assertion claims of an error that is thrown, in the languages whose assertions are chains of calls.

use crate::languages::assertions::links::Link;
use crate::languages::assertions::matchers::{ANY, NEARLY_ANY};
use crate::languages::assertions::model::{AssertionClaim, Strength, compared};
use Strength::{Exact, Exists, Kind};

/// AssertJ's `assertThatThrownBy(f).isInstanceOf(X.class)` and `assertThatExceptionOfType(X.class).isThrownBy(f)`.
pub(super) fn thrown_by(links: &[Link]) -> Option<AssertionClaim> {
    let (first, rest) = links.split_first()?;
    let named = first.name.strip_prefix("assertThat")?;
    if named == "ThrownBy" || named == "Code" && rest.iter().any(|it| it.name.contains("nstanceOf")) {
        let kind = rest.iter().find(|it| it.name.contains("nstanceOf"));
        let none = Vec::new();
        return Some(thrown("raise", first, kind.map_or(&none, |it| &it.arguments)));
    }
    if named == "ExceptionOfType" {
        return Some(thrown("raise", first, &first.arguments));
    }
    let kind = named.ends_with("Exception").then_some(named)?;
    Some(thrown("raise", first, &[kind]))
}

/// NUnit's `Throws.TypeOf<X>().With.Message.EqualTo("a")` and `Throws.ArgumentException`.
pub(super) fn thrown_constraint(links: &[Link]) -> Option<AssertionClaim> {
    let (first, rest) = links.split_first()?;
    if first.name != "Throws" || !first.generic.is_empty() || !first.arguments.is_empty() {
        return None;
    }
    let kind = rest.first()?;
    let name = if kind.generic.is_empty() { kind.name } else { kind.generic };
    match name {
        "Nothing" => Some(compared("raise", "nothrow", "", Exists, true)),
        name => Some(thrown("raise", first, &[kind.arguments.first().copied().unwrap_or(name)])),
    }
}

/// `assertThrows(X.class, f)`, `assertFailsWith<X> {}`, `EXPECT_THROW(f, X)`, `raise_error X, 'why'`.
pub(super) fn thrown(subject: &str, link: &Link, values: &[&str]) -> AssertionClaim {
    let kind = |text: &&str| {
        let bare =
            text.trim().trim_end_matches("::class").trim_end_matches(".class").trim_end_matches(".self");
        let bare = bare.strip_prefix("typeof(").and_then(|it| it.strip_suffix(')')).unwrap_or(bare);
        // Ruby's `an_instance_of(X).and having_attributes(…)`.
        let made =
            ["an_instance_of(", "instance_of(", "a_kind_of("].iter().find_map(|it| bare.strip_prefix(it));
        let bare = made.and_then(|it| it.split(')').next()).unwrap_or(bare);
        // `StandardError.message` is a mistake for `StandardError`, and `a.B` a `B`.
        let constant =
            bare.split('.').next().filter(|it| it.starts_with(char::is_uppercase) && bare.contains('('));
        let bare = constant.unwrap_or(bare);
        let last = bare.rsplit(['.', ':', '\\']).next().unwrap_or(bare).to_owned();
        let is_type = last.starts_with(char::is_uppercase) || bare.contains("::");
        (is_type && last.chars().all(|c| c.is_alphanumeric() || c == '_')).then_some(last)
    };
    let generic = Some(link.generic).filter(|it| !it.is_empty());
    let expected = generic.iter().chain(values).find_map(kind).unwrap_or_default();
    let has_message = values.iter().any(|it| it.starts_with(['"', '\'', '/'])) && generic.is_none();
    let strength = match expected.as_str() {
        it if ANY.contains(&it) && !has_message => Exists,
        it if NEARLY_ANY.contains(&it) && !has_message => Kind,
        _ => Exact,
    };
    AssertionClaim { circular: false, ..compared(subject, link.name, &expected, strength, false) }
}
