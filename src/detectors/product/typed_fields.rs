//! Checks of a field that its own type makes now: a number that can't be less than nothing, one of a closed set of texts.
//!
//! The lines of such a check are taken off a change's text before, so that their loss is none.

use std::collections::BTreeSet;

use crate::detectors::product::lost_statements::LostStatement;
use crate::languages::code::{bare, identifiers};
use crate::model::words::has_word;

/// Types of numbers that are never less than nothing.
const UNSIGNED: &[&str] = &[
    "UInt",
    "UInt8",
    "UInt16",
    "UInt32",
    "UInt64",
    "u8",
    "u16",
    "u32",
    "u64",
    "u128",
    "usize",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "ushort",
    "ulong",
    "byte",
    "UByte",
    "UShort",
    "ULong",
    "NonNegativeInt",
    "PositiveInt",
    "NonZeroU32",
    "NonZeroU64",
    "NonZeroUsize",
    "size_t",
    "uint32_t",
    "uint64_t",
];
/// How a check compares with nothing, without blanks.
const SIGNS: &[&str] = &[">=0", "<0", ">-1", "<=-1"];

/// A field that has got another type.
struct RetypedField<'t> {
    name: &'t str,
    /// The line of its declaration before, from 0; none of a parameter beside others.
    line: Option<usize>,
    is_unsigned: bool,
}

/// The lines of the text before that checks of retyped fields stood in, from 0.
pub(super) fn typed_away(before: &str, after: &str, lost: &[LostStatement]) -> BTreeSet<usize> {
    let fields = retyped(before, after);
    let mut all = made_away(before, after);
    if fields.is_empty() {
        return all;
    }
    for it in lost {
        let code = bare(&it.text);
        let is_one = |field: &&RetypedField| match field.is_unsigned {
            true => SIGNS.iter().any(|sign| {
                code.match_indices(sign).any(|(at, _)| {
                    let head = code.get(..at).unwrap_or_default();
                    let more = code.get(at + sign.len()..).unwrap_or_default();
                    let is_name = |rest: &str| !rest.ends_with(|c: char| c.is_alphanumeric() || c == '_');
                    head.strip_suffix(field.name).is_some_and(is_name) && !more.starts_with(['.', 'x'])
                })
            }),
            false => is_membership(it, field.name),
        };
        // Another question in the same condition is not the type's.
        let is_alone = !["&&", "||"].iter().any(|it| code.contains(it)) && !has_more(&it.text);
        if is_alone && fields.iter().any(|field| is_one(&field)) {
            all.extend(it.lines.clone());
        }
    }
    // What a closed type has in the place of a length or a pattern.
    all.extend(fields.iter().filter(|it| !it.is_unsigned).filter_map(|it| it.line));
    all.extend(
        fields.iter().filter(|it| !it.is_unsigned).flat_map(|it| validator_of(before, after, it.name)),
    );
    all
}

fn has_more(text: &str) -> bool {
    let head = text.lines().next().unwrap_or_default();
    [" and ", " or "].iter().any(|word| head.contains(word))
}

/// Whether a condition asks whether the field is one of several.
fn is_membership(lost: &LostStatement, field: &str) -> bool {
    let head = lost.text.lines().next().unwrap_or_default();
    let asks = [" in ", ".includes(", ".include?(", ".contains(", "in_array(", ".has(", ".Contains("];
    has_word(head, field) && asks.iter().any(|it| head.contains(it))
}

/// The fields whose declaration has another type now.
fn retyped<'t>(before: &'t str, after: &'t str) -> Vec<RetypedField<'t>> {
    let kept: BTreeSet<&str> = after.lines().map(str::trim).collect();
    let known: BTreeSet<&str> = before.lines().map(str::trim).collect();
    let come: Vec<(&str, &str)> =
        after.lines().filter(|line| !known.contains(line.trim())).flat_map(declarations).collect();
    let gone = before.lines().enumerate().filter(|(_, line)| !kept.contains(line.trim()));
    let gone = gone.flat_map(|(line, text)| {
        let place = declaration(text).is_some().then_some(line);
        declarations(text).into_iter().map(move |it| (place, it))
    });
    let fields = gone.filter_map(|(line, (name, was))| {
        let (_, is) = come.iter().find(|(other, _)| *other == name)?;
        let has = |text: &str| identifiers(text).any(|word| UNSIGNED.contains(&word));
        let is_unsigned = has(is) && !has(was);
        let is_closed = is_closed(is, after) && !is_closed(was, before);
        (is_unsigned || is_closed).then_some(RetypedField { name, line, is_unsigned })
    });
    fields.collect()
}

/// The name and the type of a field: `public let steps: Int`, `country: str = Field(…)`.
fn declaration(line: &str) -> Option<(&str, &str)> {
    let (head, rest) = line.split_once(':')?;
    let name = head.trim_end_matches('?').split_whitespace().next_back()?;
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_') && name.len() > 1;
    let is_own = !head.contains(['(', '"', '\'', '=', '{']) && !rest.starts_with(':');
    (is_name && is_own)
        .then_some((name, rest.split(" = ").next().unwrap_or(rest).trim().trim_end_matches([',', ';'])))
}

/// The names and types that a line declares: of a field, or of each parameter in parentheses.
fn declarations(line: &str) -> Vec<(&str, &str)> {
    if let Some(own) = declaration(line) {
        return vec![own];
    }
    let inner = line.split_once('(').and_then(|(_, rest)| rest.rsplit_once(')')).map_or("", |it| it.0);
    inner.split(',').filter_map(|piece| declaration(piece).or_else(|| typed_first(piece))).collect()
}

/// A parameter with its type in front of it: `String state`.
fn typed_first(piece: &str) -> Option<(&str, &str)> {
    let mut words = piece.split_whitespace().filter(|it| *it != "final");
    let (of, name) = (words.next()?, words.next()?);
    let is_word = |it: &str| it.chars().all(|c| c.is_alphanumeric() || c == '_');
    (is_word(of) && is_word(name) && words.next().is_none() && of.starts_with(char::is_uppercase))
        .then_some((name, of))
}

/// Types that refuse what a validator of the same field refuses, in lower case and without `_`, each with what such a
/// validator asks for and how it is called.
const MAKING: &[(&[&str], &[&str], &[&str])] = &[
    (
        &["emailstr", "emailfield", "nameemail"],
        &["\"@\"", "'@'", "email"],
        &["emailvalidator()", "validateemail"],
    ),
    (
        &["positiveintegerfield", "positivesmallintegerfield", "positivebigintegerfield", "nonnegativeint"],
        &["<0"],
        &["minvaluevalidator(0)"],
    ),
    (&["positiveint", "positivefloat"], &["<=0", "<1"], &["minvaluevalidator(1)"]),
    (&["urlfield", "httpurl", "anyurl", "anyhttpurl"], &["http"], &["urlvalidator()"]),
    (&["slugfield"], &["slug"], &["validateslug"]),
    (&["genericipaddressfield", "ipvanyaddress"], &["ip"], &["validateipv46address", "validateipv4address"]),
    (&["uuidfield", "uuid", "uuid4"], &["uuid"], &[]),
];

fn making(
    text: &str,
) -> Option<&'static (&'static [&'static str], &'static [&'static str], &'static [&'static str])> {
    let plain = |word: &str| word.replace('_', "").to_lowercase();
    MAKING.iter().find(|(types, ..)| identifiers(text).any(|word| types.contains(&plain(word).as_str())))
}

/// Whether all the validators that a field has lost are what its own type refuses:
/// `PositiveIntegerField(validators=[MinValueValidator(0)])`.
pub(super) fn is_made_by_type(was: &str, is: &str) -> bool {
    let squeezed = |text: &str| bare(text).replace('_', "").to_lowercase();
    let (old, new) = (squeezed(was), squeezed(is));
    let Some((_, _, validators)) = making(was).filter(|_| making(is).is_some()) else { return false };
    let list =
        old.split_once("validators=[").and_then(|(_, rest)| rest.split_once(']')).map(|(list, _)| list);
    !new.contains("validators=")
        && list.is_some_and(|list| {
            let mut all =
                list.split("),").map(|it| it.trim_end_matches([',', ')'])).filter(|it| !it.is_empty());
            all.all(|it| validators.iter().any(|own| own.trim_end_matches(')') == it))
        })
}

/// The lines of validators that ask for what the type of their field refuses by itself.
fn made_away(before: &str, after: &str) -> BTreeSet<usize> {
    let fields = after.lines().filter_map(|line| {
        let (name, of) = declaration(line)?;
        Some((name, making(of)?.1))
    });
    let mut all = BTreeSet::new();
    for (name, asked) in fields {
        let lines = validator_lines(before, after, name);
        let body: Vec<String> =
            lines.iter().filter_map(|at| before.lines().nth(*at)).map(|it| bare(it).to_lowercase()).collect();
        let mut conditions = body.iter().filter(|line| line.starts_with("if"));
        let is_asked = conditions.clone().count() == 1
            && conditions.all(|line| asked.iter().any(|it| line.contains(it)) && !line.contains("len("));
        if is_asked {
            all.extend(lines);
        }
    }
    all
}

/// Whether a type has a fixed set of texts: written out, or under a name that the file defines so.
fn is_closed(of: &str, text: &str) -> bool {
    let is_list = |of: &str| of.contains("Literal[") || of.contains("' | '") || of.contains("\" | \"");
    let defines = |line: &str, name: &str| {
        let is_alias =
            line.split_once('=').is_some_and(|(head, value)| has_word(head, name) && is_list(value));
        let is_enum = line.contains("enum ") || line.contains("Enum)");
        is_alias || is_enum && has_word(line, name)
    };
    let name = of.trim_end_matches('?');
    let is_one = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_list(of) || is_one && text.lines().any(|line| defines(line, name))
}

/// The lines of a validator of one field that is gone as a whole, and only asked whether the field is one of several.
fn validator_of(before: &str, after: &str, field: &str) -> Vec<usize> {
    let all = validator_lines(before, after, field);
    let body: Vec<&str> = all.iter().filter_map(|at| before.lines().nth(*at)).map(str::trim).collect();
    let asks = body.iter().filter(|line| line.starts_with("if ")).count();
    let members = body.iter().filter(|line| line.starts_with("if ") && line.contains(" in ")).count();
    if asks == 1 && members == 1 { all } else { Vec::new() }
}

/// The lines of a validator of one field that is gone as a whole.
fn validator_lines(before: &str, after: &str, field: &str) -> Vec<usize> {
    let marks = [format!("validator(\"{field}\")"), format!("validator('{field}')")];
    let lines: Vec<&str> = before.lines().collect();
    let is_mark = |line: &str| line.trim_start().starts_with('@') && marks.iter().any(|it| line.contains(it));
    let Some(start) = lines.iter().position(|line| is_mark(line)) else { return Vec::new() };
    let indent = |line: &str| line.len() - line.trim_start().len();
    let own = lines.get(start).map_or(0, |line| indent(line));
    let mut all = vec![start];
    let mut is_inside = false;
    for (at, line) in lines.iter().enumerate().skip(start + 1) {
        let is_head = line.trim_start().starts_with("def ");
        if !line.trim().is_empty()
            && indent(line) <= own
            && (is_inside || !is_head && !line.trim_start().starts_with('@'))
        {
            break;
        }
        is_inside |= is_head;
        all.push(at);
    }
    let body: Vec<&str> = all.iter().filter_map(|at| lines.get(*at)).map(|line| line.trim()).collect();
    let is_gone = body.iter().find(|line| line.starts_with("def ")).is_some_and(|head| !after.contains(head));
    if is_gone { all } else { Vec::new() }
}
