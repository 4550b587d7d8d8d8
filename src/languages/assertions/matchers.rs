//! The one table of matchers: the name, the family of languages that writes it, what it claims about and how much.
//!
//! A matcher that both families know under one name and with one meaning stands once. Names are in lower case, without `_`.

use crate::languages::assertions::model::Strength;
use Family::{Calls, Chains, Everywhere};
use Strength::{Exact, Exists, Kind, Partial};

/// Which assertions a matcher is written in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    /// Calls and statements of JavaScript, Python, Rust and Go, by their whole names: `toBe`, `assertEqual`, `assert_eq`.
    Calls,
    /// Chains of the other languages, by their names without [`SHARED`] words: `isEqualTo`, `must_equal`, `EXPECT_EQ`.
    Chains,
    /// Both.
    Everywhere,
}

/// What a matcher claims something about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum About {
    /// The value that is asserted about.
    Value,
    /// An error that is thrown; its kind is an argument or a type, and says how much is claimed.
    Error,
}

struct Matcher {
    name: &'static str,
    family: Family,
    about: About,
    /// How much it claims; `None` where only its arguments say so.
    strength: Option<Strength>,
}

const fn value(name: &'static str, family: Family, strength: Strength) -> Matcher {
    Matcher { name, family, about: About::Value, strength: Some(strength) }
}

const fn error(name: &'static str, family: Family, strength: Option<Strength>) -> Matcher {
    Matcher { name, family, about: About::Error, strength }
}

static MATCHERS: &[Matcher] = &[
    value("tobe", Calls, Exact),
    value("tomatchinlinesnapshot", Calls, Exact),
    value("tomatchsnapshot", Calls, Exact),
    value("tothrowerrormatchinginlinesnapshot", Calls, Exact),
    value("tothrowerrormatchingsnapshot", Calls, Exact),
    value("tohavebeennthcalledwith", Calls, Exact),
    value("tohavereturnedwith", Calls, Exact),
    value("tohavelastreturnedwith", Calls, Exact),
    value("toequal", Calls, Exact),
    value("tostrictequal", Calls, Exact),
    value("equal", Everywhere, Exact),
    value("equals", Everywhere, Exact),
    value("eql", Everywhere, Exact),
    value("eq", Everywhere, Exact),
    value("strictequal", Calls, Exact),
    value("deepequal", Calls, Exact),
    value("deepstrictequal", Calls, Exact),
    value("notequal", Calls, Exact),
    value("notstrictequal", Calls, Exact),
    value("is", Calls, Exact),
    value("same", Everywhere, Exact),
    value("equalvalues", Calls, Exact),
    value("exactly", Everywhere, Exact),
    value("jsoneq", Calls, Exact),
    value("len", Calls, Exact),
    value("tohavelength", Calls, Exact),
    value("lengthof", Calls, Exact),
    value("assertequal", Calls, Exact),
    value("assertequals", Calls, Exact),
    value("assertdictequal", Calls, Exact),
    value("assertlistequal", Calls, Exact),
    value("assertis", Calls, Exact),
    value("asserteq", Calls, Exact),
    value("assertne", Calls, Exact),
    value("==", Calls, Exact),
    value("!=", Calls, Exact),
    value("tobecalledwith", Calls, Exact),
    value("tohavebeencalledwith", Calls, Exact),
    value("tohavebeenlastcalledwith", Calls, Exact),
    value("assertcalledoncewith", Calls, Exact),
    value("assertcalledwith", Calls, Exact),
    value("tohavebeencalledexactlyoncewith", Calls, Exact),
    value("calledoncewith", Calls, Exact),
    value("calledoncewithexactly", Calls, Exact),
    value("calledwith", Calls, Exact),
    value("members", Calls, Exact),
    value("zero", Everywhere, Exact),
    value("elementsare", Chains, Exact),
    value("elementsarearray", Chains, Exact),
    value("unorderedelementsare", Chains, Exact),
    value("unorderedelementsarearray", Chains, Exact),
    value("sizeis", Chains, Exact),
    value("containsonly", Chains, Exact),
    value("equalbycomparingto", Chains, Exact),
    value("containsexactlyentriesof", Chains, Exact),
    value("errorcontains", Calls, Exact),
    value("errormessage", Calls, Exact),
    value("elementsmatch", Chains, Exact),
    value("empty", Everywhere, Exact),
    value("tobeundefined", Calls, Exact),
    value("tobenull", Calls, Exact),
    value("nil", Everywhere, Exact),
    value("null", Everywhere, Exact),
    value("undefined", Calls, Exact),
    value("assertisnone", Calls, Exact),
    value("assertnone", Calls, Exact),
    value("assertraisesregex", Calls, Exact),
    value("erroris", Calls, Exact),
    value("equalto", Chains, Exact),
    value("sameas", Chains, Exact),
    value("sameinstance", Chains, Exact),
    value("identical", Chains, Exact),
    value("identicalto", Chains, Exact),
    value("streq", Chains, Exact),
    value("strcaseeq", Chains, Exact),
    value("doubleeq", Chains, Exact),
    value("floateq", Chains, Exact),
    value("jsonequals", Chains, Exact),
    value("jsonstringequalsjsonstring", Chains, Exact),
    value("arrayequals", Chains, Exact),
    value("contentequals", Chains, Exact),
    value("iterableequals", Chains, Exact),
    value("linesmatch", Chains, Exact),
    value("equivalent", Chains, Exact),
    value("equivalentto", Chains, Exact),
    value("containexactly", Chains, Exact),
    value("containsexactly", Chains, Exact),
    value("containsexactlyelementsin", Chains, Exact),
    value("containsexactlyinanyorder", Chains, Exact),
    value("matcharray", Chains, Exact),
    value("size", Chains, Exact),
    value("length", Chains, Exact),
    value("count", Chains, Exact),
    value("messagethat", Chains, Exact),
    value("message", Chains, Exact),
    value("none", Chains, Exact),
    value("nullvalue", Chains, Exact),
    value("tohavebeencalledtimes", Calls, Partial),
    value("oneof", Calls, Partial),
    value("tobeoneof", Calls, Partial),
    value("above", Calls, Partial),
    value("below", Calls, Partial),
    value("atleast", Calls, Partial),
    value("atmost", Calls, Partial),
    value("closeto", Calls, Partial),
    value("regexp", Calls, Partial),
    value("subset", Calls, Partial),
    value("withinduration", Calls, Partial),
    value("inepsilon", Calls, Partial),
    value("substr", Chains, Partial),
    value("containssubstring", Chains, Partial),
    value("containsregex", Chains, Partial),
    value("matchesregex", Chains, Partial),
    value("doublenear", Chains, Partial),
    value("floatnear", Chains, Partial),
    value("withinabs", Chains, Partial),
    value("withinrel", Chains, Partial),
    value("withinulp", Chains, Partial),
    value("messagecontaining", Chains, Partial),
    value("assertcalledonce", Calls, Partial),
    value("tomatchobject", Calls, Partial),
    value("tocontain", Calls, Partial),
    value("tocontainequal", Calls, Partial),
    value("tomatch", Calls, Partial),
    value("tohaveproperty", Calls, Partial),
    value("tobecloseto", Calls, Partial),
    value("tobegreaterthan", Calls, Partial),
    value("tobelessthan", Calls, Partial),
    value("tobegreaterthanorequal", Calls, Partial),
    value("tobelessthanorequal", Calls, Partial),
    value("contain", Everywhere, Partial),
    value("contains", Everywhere, Partial),
    value("include", Everywhere, Partial),
    value("match", Everywhere, Partial),
    value("like", Calls, Partial),
    value("containsubset", Calls, Partial),
    value("elementsmatch", Calls, Partial),
    value("indelta", Everywhere, Partial),
    value("greater", Everywhere, Partial),
    value("less", Everywhere, Partial),
    value("in", Everywhere, Partial),
    value("<", Calls, Partial),
    value(">", Calls, Partial),
    value("<=", Calls, Partial),
    value(">=", Calls, Partial),
    value("assertin", Calls, Partial),
    value("assertalmostequal", Calls, Partial),
    value("assertregex", Calls, Partial),
    value("assertgreater", Calls, Partial),
    value("assertless", Calls, Partial),
    value("matches", Everywhere, Partial),
    value("errorisin", Calls, Partial),
    value("erroras", Calls, Partial),
    value("includes", Chains, Partial),
    value("startwith", Chains, Partial),
    value("startswith", Chains, Partial),
    value("endwith", Chains, Partial),
    value("endswith", Chains, Partial),
    value("stringcontainsstring", Chains, Partial),
    value("stringstartswith", Chains, Partial),
    value("matchesregularexpression", Chains, Partial),
    value("near", Chains, Partial),
    value("almostequal", Chains, Partial),
    value("closeto", Chains, Partial),
    value("within", Chains, Partial),
    value("between", Chains, Partial),
    value("equalswithdelta", Chains, Partial),
    value("greaterthan", Chains, Partial),
    value("greaterthanorequalto", Chains, Partial),
    value("lessthan", Chains, Partial),
    value("lessthanorequalto", Chains, Partial),
    value("gt", Chains, Partial),
    value("ge", Chains, Partial),
    value("lt", Chains, Partial),
    value("le", Chains, Partial),
    value("key", Chains, Partial),
    value("arraykey", Chains, Partial),
    value("item", Chains, Partial),
    value("that", Chains, Partial),
    value("tobetruthy", Calls, Kind),
    value("tobefalsy", Calls, Kind),
    value("tobeinstanceof", Calls, Kind),
    value("ok", Calls, Kind),
    value("notok", Calls, Kind),
    value("assert", Calls, Kind),
    value("true", Everywhere, Kind),
    value("false", Everywhere, Kind),
    value("istrue", Calls, Kind),
    value("isfalse", Calls, Kind),
    value("truthy", Everywhere, Kind),
    value("falsy", Everywhere, Kind),
    value("notempty", Everywhere, Kind),
    value("istype", Calls, Kind),
    value("implements", Calls, Kind),
    value("asserttrue", Calls, Kind),
    value("assertfalse", Calls, Kind),
    value("assertisinstance", Calls, Kind),
    value("isinstance", Calls, Kind),
    value("a", Everywhere, Kind),
    value("an", Everywhere, Kind),
    value("instanceof", Everywhere, Kind),
    value("falsey", Chains, Kind),
    value("int", Chains, Kind),
    value("string", Chains, Kind),
    value("float", Chains, Kind),
    value("bool", Chains, Kind),
    value("array", Chains, Kind),
    value("numeric", Chains, Kind),
    value("iterable", Chains, Kind),
    value("callable", Chains, Kind),
    value("inrange", Chains, Partial),
    value("instanceoftype", Chains, Kind),
    value("kindof", Chains, Kind),
    value("aninstanceof", Chains, Kind),
    value("akindof", Chains, Kind),
    value("typeof", Chains, Kind),
    value("type", Chains, Kind),
    value("assignablefrom", Chains, Kind),
    value("notequal", Chains, Exists),
    value("tobedefined", Calls, Exists),
    value("notnil", Everywhere, Exists),
    value("notnull", Everywhere, Exists),
    value("exist", Everywhere, Exists),
    value("exists", Everywhere, Exists),
    value("assertisnotnone", Calls, Exists),
    value("isnot", Calls, Exists),
    value("isdefined", Calls, Exists),
    value("tohavebeencalled", Calls, Exists),
    value("tobecalled", Calls, Exists),
    value("assertcalled", Calls, Exists),
    value("notpanics", Calls, Exists),
    value("noerror", Calls, Exists),
    value("panics", Calls, Exists),
    value("error", Calls, Exists),
    value("notnullvalue", Chains, Exists),
    value("notbenull", Chains, Exists),
    value("notbenil", Chains, Exists),
    value("notequals", Chains, Exists),
    value("notequalto", Chains, Exists),
    value("notsame", Chains, Exists),
    value("ne", Chains, Exists),
    value("present", Chains, Exists),
    value("defined", Chains, Exists),
    value("nothrow", Chains, Exists),
    value("nothrown", Chains, Exists),
    value("doesnotthrow", Chains, Exists),
    value("doesnotthrowanyexception", Chains, Exists),
    value("anything", Chains, Exists),
    error("tothrow", Calls, Some(Partial)),
    error("tothrowerror", Calls, Some(Partial)),
    error("throws", Everywhere, Some(Partial)),
    error("rejects", Calls, Some(Partial)),
    error("throw", Everywhere, Some(Partial)),
    error("raises", Everywhere, Some(Partial)),
    error("assertraises", Calls, Some(Partial)),
    error("warns", Calls, None),
    error("throwsasync", Chains, None),
    error("catch", Chains, None),
    error("catchasync", Chains, None),
    error("throwsexactly", Chains, None),
    error("throwsany", Chains, None),
    error("throwsanyasync", Chains, None),
    error("anythrow", Chains, None),
    error("throwany", Chains, None),
    error("throwas", Chains, None),
    error("throwswith", Chains, None),
    error("failswith", Chains, None),
    error("raise", Chains, None),
    error("raiseerror", Chains, None),
    error("raiseexception", Chains, None),
    error("throwserror", Chains, None),
    error("exception", Chains, None),
    error("throwexception", Chains, None),
];

/// Words that say nothing of how much a matcher says, taken off its name from the front.
const SHARED: &[&str] = &[
    "boost", "static", "xct", "assert", "expect", "require", "check", "refute", "are", "is", "tohave", "to",
    "should", "must", "wont", "have", "has", "be",
];

/// Kinds of error that every error is.
pub(super) const ANY_ERROR: &[&str] = &["Exception", "BaseException", "Error", ""];
/// Kinds of error in the languages of chains that every error is, and those that nearly every one is.
pub(super) const ANY: &[&str] = &["", "Throwable", "BaseException"];
pub(super) const NEARLY_ANY: &[&str] = &["Exception", "StandardError", "Error", "exception", "NSError"];

fn find(name: &str, family: Family) -> Option<&'static Matcher> {
    MATCHERS.iter().find(|it| (it.family == family || it.family == Everywhere) && it.name == name)
}

/// How much the matcher with this name claims in a family.
pub(super) fn strength(name: &str, family: Family) -> Option<Strength> {
    find(name, family)?.strength
}

/// How much a matcher of calls claims, by its name as written.
pub(super) fn strength_in_calls(matcher: &str) -> Option<Strength> {
    let name = lowered(matcher);
    let name = name.strip_prefix("debug").or_else(|| name.strip_prefix("prop")).unwrap_or(&name);
    let name = name.strip_suffix('f').filter(|short| strength(short, Calls).is_some()).unwrap_or(name);
    strength(name, Calls)
}

/// A matcher's name as the table has it for calls.
pub(super) fn lowered(matcher: &str) -> String {
    matcher.to_lowercase().replace('_', "")
}

/// Whether the matcher with this name is about an error that is thrown.
pub(super) fn is_about_error(name: &str, family: Family) -> bool {
    find(name, family).is_some_and(|it| it.about == About::Error)
}

/// A matcher's name in lower case, without the words that all matchers share.
pub(super) fn core(name: &str) -> String {
    let lower: String =
        name.chars().filter(|c| c.is_alphanumeric()).map(|c| c.to_ascii_lowercase()).collect();
    let known = |it: &str| find(it, Chains).is_some();
    let mut rest = lower.as_str();
    while !known(rest)
        && let Some(shorter) = SHARED.iter().find_map(|word| rest.strip_prefix(word))
    {
        rest = shorter;
    }
    rest.to_owned()
}
