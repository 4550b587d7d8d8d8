//! The one table of matchers: the family of languages that writes them, what they claim about, how much, and the names.
//!
//! A matcher that both families know under one name and with one meaning stands once. Names are in lower case, without `_`.

use crate::languages::assertions::model::Strength;
use MatcherFamily::{Calls, Chains, Everywhere};
use Strength::{Exact, Exists, Kind, Partial};

/// Which assertions a matcher is written in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum MatcherFamily {
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

/// Matchers of one kind.
struct Matchers {
    family: MatcherFamily,
    about: About,
    /// How much they claim; `None` where only the arguments say so.
    strength: Option<Strength>,
    names: &'static [&'static str],
}

const fn value(family: MatcherFamily, strength: Strength, names: &'static [&'static str]) -> Matchers {
    Matchers { family, about: About::Value, strength: Some(strength), names }
}

const fn error(
    family: MatcherFamily,
    strength: Option<Strength>,
    names: &'static [&'static str],
) -> Matchers {
    Matchers { family, about: About::Error, strength, names }
}

#[rustfmt::skip] // Words in lines, not in a column.
static MATCHERS: &[Matchers] = &[
    value(Calls, Exact, &[
        "tobe", "tomatchinlinesnapshot", "tomatchsnapshot", "tothrowerrormatchinginlinesnapshot",
        "tothrowerrormatchingsnapshot", "tohavebeennthcalledwith", "tohavereturnedwith",
        "tohavelastreturnedwith", "toequal", "tostrictequal", "strictequal", "deepequal", "deepstrictequal",
        "notequal", "notstrictequal", "is", "equalvalues", "jsoneq", "len", "tohavelength", "lengthof",
        "assertequal", "assertequals", "assertdictequal", "assertlistequal", "assertcountequal",
        "assertsetequal", "asserttupleequal", "assertsequenceequal", "assertmultilineequal", "assertis", "asserteq",
        "assertne", "==", "!=", "tobecalledwith", "tohavebeencalledwith", "tohavebeenlastcalledwith",
        "assertcalledoncewith", "assertcalledwith", "tohavebeencalledexactlyoncewith", "calledoncewith",
        "calledoncewithexactly", "calledwith", "members", "errorcontains", "errormessage", "tobeundefined",
        "tobenull", "undefined", "assertisnone", "assertnone", "erroris", "tohavetext", "tohavevalue", "tohavecount",
        "tohaveurl", "tohavetitle", "tohavedisplayvalue", "status",
    ]),
    value(Everywhere, Exact, &[
        "equal", "equals", "eql", "eq", "same", "exactly", "zero", "empty", "nil", "null",
    ]),
    value(Chains, Exact, &[
        "elementsare", "elementsarearray", "unorderedelementsare", "unorderedelementsarearray", "sizeis",
        "containsonly", "equalbycomparingto", "containsexactlyentriesof", "elementsmatch", "equalto",
        "sameas", "sameinstance", "identical", "identicalto", "streq", "strcaseeq", "doubleeq", "floateq",
        "jsonequals", "jsonstringequalsjsonstring", "arrayequals", "contentequals", "iterableequals",
        "linesmatch", "equivalent", "equivalentto", "containexactly", "containsexactly",
        "containsexactlyelementsin", "containsexactlyinanyorder", "matcharray", "size", "length", "count",
        "messagethat", "message", "none", "nullvalue", "findsonewidget", "findsone", "findsnothing",
        "findsnwidgets", "findsexactly", "orderedequals", "unorderedequals", "equalsignoringwhitespace",
        "completion", "emitsinorder", "httpstatus", "statuscode", "responsestatuscodesame",
    ]),
    value(Calls, Partial, &[
        "tohavebeencalledtimes", "oneof", "tobeoneof", "above", "below", "atleast", "atmost", "closeto",
        "regexp", "subset", "withinduration", "inepsilon", "assertcalledonce", "tomatchobject", "tocontain",
        "tocontainequal", "tomatch", "tohaveproperty", "tobecloseto", "tobegreaterthan", "tobelessthan",
        "tobegreaterthanorequal", "tobelessthanorequal", "lessorequal", "greaterorequal", "like", "containsubset", "elementsmatch", "<", ">",
        "<=", ">=", "assertin", "assertalmostequal", "assertregex", "assertgreater", "assertless",
        "errorisin", "erroras", "assertnotin", "tocontaintext", "tohavetextcontent", "tohaveattribute", "tohaveclass",
    ]),
    value(Chains, Partial, &[
        "substr", "containssubstring", "containsregex", "matchesregex", "doublenear", "floatnear",
        "withinabs", "withinrel", "withinulp", "messagecontaining", "includes", "startwith", "startswith",
        "endwith", "endswith", "stringcontainsstring", "stringstartswith", "matchesregularexpression",
        "near", "almostequal", "closeto", "within", "between", "equalswithdelta", "greaterthan",
        "greaterthanorequalto", "greaterthanorequal", "greaterorequal", "lessthan", "lessthanorequalto",
        "lessthanorequal", "lessorequal", "gt", "ge", "lt", "le", "key", "arraykey",
        "item", "that", "inrange", "ininclusiverange", "inexclusiverange", "inopenclosedrange",
        "inclosedopenrange", "containsall", "containsallinorder", "containspair", "containsvalue",
        "stringcontainsinorder", "equalsignoringcase", "everyelement", "anyelement", "predicate",
        "findsatleastnwidgets", "findsatleast", "emitsinanyorder", "unorderedmatches",
        "pairwisecompare",
    ]),
    value(Everywhere, Partial, &[
        "contain", "contains", "include", "match", "indelta", "greater", "less", "in", "matches", "positive",
        "negative",
    ]),
    value(Calls, Kind, &[
        "tobetruthy", "tobefalsy", "tobeinstanceof", "ok", "notok", "assert", "istrue", "isfalse", "istype",
        "implements", "asserttrue", "assertfalse", "assertisinstance", "isinstance", "tobevisible", "tobeinthedocument",
        "tobeattached", "tobeinviewport",
    ]),
    value(Everywhere, Kind, &[
        "true", "false", "truthy", "falsy", "notempty", "a", "an", "instanceof",
    ]),
    value(Chains, Kind, &[
        "falsey", "int", "string", "float", "bool", "array", "numeric", "iterable", "callable",
        "instanceoftype", "kindof", "aninstanceof", "akindof", "typeof", "type", "assignablefrom",
    ]),
    value(Chains, Exists, &[
        "notequal", "notnullvalue", "notbenull", "notbenil", "notequals", "notequalto", "notsame", "ne",
        "present", "defined", "nothrow", "nothrown", "doesnotthrow", "doesnotthrowanyexception", "anything",
        "findswidgets", "findsany", "returnsnormally", "completes", "emitsanyof", "emitsdone", "notthrow",
        "notthrowasync",
    ]),
    value(Calls, Exists, &[
        "tobedefined", "assertisnotnone", "isnot", "isdefined", "tohavebeencalled", "tobecalled",
        "assertcalled", "notpanics", "noerror", "panics", "error", "assertnotequal",
    ]),
    value(Everywhere, Exists, &[
        "notnil", "notnull", "exist", "exists", "notzero",
    ]),
    error(Calls, Some(Partial), &[
        "tothrow", "tothrowerror", "rejects", "assertraises", "assertraisesregex", "assertwarnsregex",
    ]),
    error(Everywhere, Some(Partial), &[
        "throws", "throw", "raises",
    ]),
    error(Calls, None, &[
        "warns",
    ]),
    error(Chains, None, &[
        "throwsasync", "catch", "catchasync", "throwsexactly", "throwsany", "throwsanyasync", "anythrow",
        "throwany", "throwas", "throwswith", "failswith", "raise", "raiseerror", "raiseexception",
        "throwserror", "exception", "throwexception", "throwasync", "throwexactly", "throwexactlyasync",
        "throwanyasync",
    ]),
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
pub(super) const NEARLY_ANY: &[&str] =
    &["Exception", "StandardError", "Error", "exception", "NSError", "RuntimeException"];

fn find(name: &str, family: MatcherFamily) -> Option<&'static Matchers> {
    MATCHERS.iter().find(|it| (it.family == family || it.family == Everywhere) && it.names.contains(&name))
}

/// How much the matcher with this name claims in a family.
pub(super) fn strength(name: &str, family: MatcherFamily) -> Option<Strength> {
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
pub(super) fn is_about_error(name: &str, family: MatcherFamily) -> bool {
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
    match plain_c(name) {
        Some(it) if !known(rest) && (it.is_empty() || known(&it)) => it,
        _ => rest.to_owned(),
    }
}

/// The matcher of a macro of plain C, whose name has the type that it compares: `TEST_ASSERT_EQUAL_UINT8_ARRAY` is
/// `equal`, `ck_assert_int_ge` is `ge`.
fn plain_c(name: &str) -> Option<String> {
    const HEADS: &[&str] =
        &["TEST_ASSERT", "CU_ASSERT", "ck_assert", "cr_assert", "cr_expect", "munit_assert", "assert_"];
    #[rustfmt::skip] // Words in lines, not in a column.
    const BESIDE: &[&str] = &[
        "test", "cu", "ck", "cr", "munit", "assert", "expect", "int", "uint", "hex", "size", "t", "float", "double",
        "string", "nstring", "str", "memory", "mem", "ptr", "char", "bits", "array", "message", "msg", "fatal", "each",
        "long", "ulong",
    ];
    HEADS.iter().find(|head| name.starts_with(**head))?;
    let words = name.split('_').map(|word| word.to_lowercase());
    let telling = words.filter(|word| !BESIDE.contains(&word.trim_end_matches(|c: char| c.is_ascii_digit())));
    Some(telling.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_of_plain_c_are_known_without_their_types() {
        for (name, expected) in [
            ("TEST_ASSERT_EQUAL_UINT8_ARRAY", "equal"),
            ("TEST_ASSERT_EQUAL_STRING_MESSAGE", "equal"),
            ("TEST_ASSERT_TRUE", "true"),
            ("TEST_ASSERT_NOT_NULL", "notnull"),
            ("ck_assert_int_ge", "ge"),
            ("cr_assert_str_eq", "eq"),
            ("assert_int_equal", "equal"),
            ("assert_in_delta", "indelta"),
            ("have_http_status", "httpstatus"),
        ] {
            assert_eq!(core(name), expected, "{name}");
        }
    }
}
