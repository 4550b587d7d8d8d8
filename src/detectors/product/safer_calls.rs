//! Calls of a library that are there for safety, and that nothing of their kind takes the place of.

use crate::detectors::Case;
use crate::detectors::engine::code_lines::lines;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::functions::is_part_of_more;
use crate::detectors::product::lost_check::LostCheck;
use crate::languages::code::{BodyKind, identifiers};
use crate::model::finding::Severity;

/// What each kind does, and the names of its calls in lower case without `_`.
const KINDS: &[(&str, &[&str])] = &[
    (
        "compares in constant time",
        &[
            "timingsafeequal",
            "comparedigest",
            "constanttimecompare",
            "constanttimeeq",
            "hashequals",
            "fixedtimeequals",
            "securecompare",
            "fixedlengthsecurecompare",
            "cteq",
            "cryptomemcmp",
            "sodiummemcmp",
            "safestrcmp",
            "constanttimeareequal",
            "verifyslicesareequal",
        ],
    ),
    (
        "refuses fields that nobody knows",
        &[
            "disallowunknownfields",
            "denyunknownfields",
            "failonunknownproperties",
            "unmarshalstrict",
            "knownfields",
        ],
    ),
    (
        "limits what is read",
        &["maxbytesreader", "limitreader", "requestsizelimit", "defaultbodylimit", "requestbodylimitlayer"],
    ),
    (
        "makes text harmless",
        &[
            "htmlspecialchars",
            "escapehtml",
            "htmlescape",
            "htmlescapestring",
            "htmlencode",
            "escapeshellarg",
            "shellescape",
            "shlexquote",
            "mysqlirealescapestring",
            "quotemeta",
            "dompurify",
            "sanitizehtml",
        ],
    ),
    (
        "draws numbers that nobody can guess",
        &[
            "randombytes",
            "randomuuid",
            "getrandomvalues",
            "securerandom",
            "tokenurlsafe",
            "tokenhex",
            "tokenbytes",
            "randomnumbergenerator",
            "systemrandom",
            "strongrandbytes",
            "osrng",
            "urandom",
            "randomint",
            "secrandomcopybytes",
        ],
    ),
    (
        "hashes passwords slowly",
        &[
            "bcrypt",
            "argon2",
            "scrypt",
            "passwordhash",
            "pbkdf2",
            "pbkdf2hmac",
            "generatefrompassword",
            "hashpassword",
            "hashpwsalt",
        ],
    ),
];

/// The first such call that a function which goes on has no more.
pub(super) fn safer_call_lost(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let plain = |word: &str| word.replace('_', "").to_lowercase();
    let kind_of = |word: &str| {
        let word = plain(word);
        KINDS.iter().find(|(_, names)| names.contains(&word.as_str()))
    };
    let mut gone = revision.hunks().iter().flat_map(|it| &it.gone);
    let (line, word, kind) = gone.find_map(|line| {
        if line.text.starts_with("import ") || line.text.starts_with("from ") || line.text.starts_with("use ")
        {
            return None;
        }
        let found = identifiers(line.text).find_map(|word| Some((word, kind_of(word)?)))?;
        Some((line, found.0, found.1))
    })?;
    let old = revision.owner_at(line.at)?;
    let works = revision.after.functions.get(revision.successor(old)?)?.body_kind == BodyKind::Work;
    let mut left = lines(revision.words.comment, revision.new, 0..revision.new.len());
    let is_import =
        |text: &str| text.starts_with("import ") || text.starts_with("from ") || text.contains("require(");
    let is_left = left.any(|line| {
        !is_import(line.text) && identifiers(line.text).any(|it| kind.1.contains(&plain(it).as_str()))
    });
    // What is moved behind a name of the project is asked for there.
    if !works || is_left || is_part_of_more(case, revision) {
        return None;
    }
    let name = revision.before.functions.get(old)?.name;
    let what = format!("`{word}`, which {}, would be gone from `{name}`", kind.0);
    Some(LostCheck::new(line.number, name, what, Severity::High))
}
