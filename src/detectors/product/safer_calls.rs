//! Calls of a library that are there for safety, and that nothing of their kind takes the place of.

use crate::detectors::Case;
use crate::detectors::engine::code_lines::lines;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::functions::is_part_of_more;
use crate::detectors::product::lost_check::LostCheck;
use crate::languages::code::{BodyKind, identifiers};
use crate::model::finding::Severity;
use crate::model::words::is_name_part;

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

/// What keeps others out, or keeps all or nothing, while a function works: its words in lower case without `_`.
const KEEPING: &[(&str, &[&str])] = &[
    (
        "keeps others out while it works",
        &[
            "lock",
            "rlock",
            "synchronized",
            "lockguard",
            "scopedlock",
            "uniquelock",
            "sharedlock",
            "withlock",
            "mutex",
            "acquire",
            "readlock",
            "writelock",
            "synchronize",
            "withpermit",
            "runexclusive",
            "waitasync",
            "dispatchqueue",
            "withread",
        ],
    ),
    (
        "keeps all of it or nothing",
        &[
            "transaction",
            "atomic",
            "begintx",
            "withtransaction",
            "begintransaction",
            "intransaction",
            "transactional",
            "savepoint",
        ],
    ),
];
/// What does the same in another way, in lower case.
const ATOMIC: &[&str] =
    &["atomic", "chan", "actor", "concurrent", "volatile", "cas", "swap", "queue", "lock", "sync"];

/// The first function that has lost all that kept others out of its work, with nothing in its place.
fn unkept(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let words = |text: &str, all: &[&str]| text.lines().filter(|line| opens(line, all)).count();
    revision.working().find_map(|(old, new, before, after)| {
        let (was, is) = (revision.old.get(before.span.clone())?, revision.new.get(after.span.clone())?);
        let (what, all) = KEEPING.iter().find(|(_, all)| words(was, all) > 0 && words(is, all) == 0)?;
        let come = |new: &'_ str, old: &str| {
            let lines = new.lines().map(str::trim).filter(|it| !old.lines().any(|old| old.trim() == *it));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        let added = come(is, was);
        let is_replaced = come(revision.new, revision.old).iter().any(|line| {
            let lower = line.to_lowercase();
            ATOMIC.iter().any(|word| lower.contains(word))
        });
        let is_small = added.len() <= 2 && revision.new_lines(new).len() + 6 >= revision.old_lines(old).len();
        let is_lost = words(revision.new, all) < words(revision.old, all) && is_small && !is_replaced;
        (is_lost && !is_part_of_more(case, revision)).then(|| {
            let what = format!("what {what} would be gone from `{}`", before.name);
            LostCheck::new(before.line, before.name, what, Severity::High)
        })
    })
}

/// Whether a line calls one of some words, or opens a block by it; a value of that name is none.
fn opens(line: &str, all: &[&str]) -> bool {
    let code = line.split(['"', '#']).next().unwrap_or(line);
    let is_block = code.trim_start().starts_with("with ") || code.trim_start().starts_with("async with ");
    identifiers(code).any(|word| {
        let plain = word.replace('_', "").to_lowercase();
        let is_meant = |rest: &str| {
            let rest = rest.trim_start_matches(['!', '?']);
            let is_called =
                rest.starts_with(['(', '{', '<']) || rest.starts_with(" {") || rest.starts_with(" do");
            let is_opened = is_block && rest.starts_with([':', '.', ' ']);
            let is_word = matches!(plain.as_str(), "synchronized" | "lock") && rest.starts_with(" (");
            // C++ names what holds the lock: `std::lock_guard held(mutex_);`.
            let is_made = ["lockguard", "scopedlock", "uniquelock", "sharedlock"].contains(&plain.as_str())
                && rest.trim_start().find(['(', '{']).is_some_and(|at| {
                    rest.starts_with(' ')
                        && rest.trim_start().get(..at).is_some_and(|name| name.chars().all(is_name_part))
                });
            is_called || is_opened || is_word || is_made
        };
        // `lock.lock()` names the lock before it takes it.
        all.contains(&plain.as_str()) && code.split(word).skip(1).any(is_meant)
    })
}

/// The first such call that a function which goes on has no more.
pub(super) fn safer_call_lost(case: &Case, revision: &Revision) -> Option<LostCheck> {
    unsafer(case, revision).or_else(|| unkept(case, revision))
}

fn unsafer(case: &Case, revision: &Revision) -> Option<LostCheck> {
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
