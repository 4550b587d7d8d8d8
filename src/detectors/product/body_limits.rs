//! Sizes that were refused by hand, and that the framework or the server in front of it refuses now.

use crate::detectors::product::check_sources::{CheckSource, SearchedChange};
use crate::detectors::product::lost_statements::LostStatement;
use crate::languages::code::identifiers;
use crate::model::words::has_word;

/// Settings by which a body or a file that is too large is refused, in lower case without `_`, `-` and `.`.
const LIMITS: &[&str] = &[
    "maxcontentlength",
    "clientmaxbodysize",
    "filesize",
    "maxfilesize",
    "maxrequestsize",
    "bodylimit",
    "maxbodysize",
    "datauploadmaxmemorysize",
    "multipartbodylengthlimit",
    "requestsizelimit",
    "maxrequestbodysize",
    "uploadmaxfilesize",
    "postmaxsize",
    "limitrequestbody",
    "maxbytesreader",
    "maxbyteshandler",
    "defaultbodylimit",
    "maxpayload",
    "requestbodylimit",
    "maxhttpformpostsize",
    "jsonlimit",
    "payloadconfig",
    "maxuploadsize",
    "limit",
    "length",
];
/// Those of them that mean a size only beside another word.
const UNSURE: &[&str] = &["limit", "length"];
/// Such words.
const BESIDE: &[&str] = &["json(", "urlencoded(", "raw(", "parsers", "multipart", "body"];
/// What a condition about a size has.
const SIZES: &[&str] = &["len(", "length", "size", "bytes", "strlen", "count"];

/// Whether a size that a lost condition refused is refused by a setting that has come, with as low a bound.
pub(super) fn is_limited(change: &SearchedChange, lost: &LostStatement, sources: &[CheckSource]) -> bool {
    let head = lost.text.lines().next().unwrap_or_default();
    let lower = head.to_lowercase();
    let sides = [
        "file",
        "upload",
        "data",
        "body",
        "content",
        "payload",
        "image",
        "attachment",
        "photo",
        "document",
        "avatar",
        "blob",
        "raw",
    ];
    let is_size = SIZES.iter().any(|it| lower.contains(it)) && sides.iter().any(|it| lower.contains(it));
    let Some((_, bound)) = head
        .split_once(" > ")
        .or_else(|| head.split_once(" >= "))
        .filter(|_| is_size && !head.contains("&&") && !head.contains("||"))
    else {
        return false;
    };
    let bound = bound.trim_start_matches(['=', ' ']).trim_end_matches([':', '{', ' ']);
    let name = identifiers(bound).last().filter(|it| it.starts_with(char::is_alphabetic) && it.len() > 2);
    let most = value(bound).or_else(|| name.and_then(|name| defined(change.before, name)));
    sources.iter().any(|source| {
        source.gained_lines().any(|line| {
            let given = line.split_once([':', '=', ' ', '(']).map_or("", |(_, rest)| rest);
            let is_same = name.is_some_and(|name| has_word(line, name));
            let is_low = || most.zip(value_in(given)).is_some_and(|(most, given)| given <= most);
            is_setting(line) && (is_same || is_low())
        })
    })
}

fn is_setting(line: &str) -> bool {
    let lower = line.to_lowercase();
    let bare: String = lower.chars().filter(|c| !matches!(c, '_' | '-' | '.')).collect();
    let is_beside = BESIDE.iter().any(|it| lower.contains(it));
    LIMITS.iter().any(|it| bare.contains(it) && (!UNSURE.contains(it) || is_beside))
}

/// The number that a constant stands for.
fn defined(text: &str, name: &str) -> Option<f64> {
    let line = text.lines().find(|line| {
        let head = line.split(['=', ':']).next().unwrap_or_default();
        line.contains(['=', ':']) && head.split_whitespace().next_back() == Some(name)
    })?;
    value(line.split_once(['=', ':'])?.1)
}

/// The first size in a text that is more than a number of items.
fn value_in(text: &str) -> Option<f64> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    value(text.get(start..)?)
}

/// A size in bytes: `5 * 1024 * 1024`, `5 << 20`, `5MB`, `"5m"`, `5_242_880`, `5.megabytes`.
fn value(text: &str) -> Option<f64> {
    let text = text.trim_start_matches([' ', '"', '\'', '=', ':', '(']);
    let end = text.find([';', ')', '}', '{', ',', '#']).unwrap_or(text.len());
    let text = text.get(..end)?.trim_end_matches([' ', '"', '\'', ':']);
    if let Some((number, shift)) = text.split_once("<<") {
        let shift: i32 = shift.trim().parse().ok()?;
        return Some(number.trim().parse::<f64>().ok()? * 2f64.powi(shift));
    }
    let mut product = 1.0;
    for factor in text.split('*') {
        let factor = factor.trim().replace('_', "");
        let end = factor.find(|c: char| !c.is_ascii_digit()).unwrap_or(factor.len());
        let number: f64 = factor.get(..end)?.parse().ok()?;
        let unit = factor.get(end..)?.trim_matches(['.', ' ', '"', '\'']).to_lowercase();
        product *= number
            * match unit.as_str() {
                "" | "b" | "l" | "u" | "ul" => 1.0,
                "k" | "kb" | "kilobytes" | "kib" => 1024.0,
                "m" | "mb" | "megabytes" | "mib" => 1024.0 * 1024.0,
                "g" | "gb" | "gigabytes" | "gib" => 1024.0 * 1024.0 * 1024.0,
                _ => return None,
            };
    }
    Some(product)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_in_any_form() {
        let five = Some(5.0 * 1024.0 * 1024.0);
        for text in [
            "5 * 1024 * 1024",
            "5 << 20",
            "5MB",
            "\"5mb\";",
            "5_242_880",
            "5.megabytes",
            "5m;",
            " = 5242880L;",
        ] {
            assert_eq!(value(text), five, "{text}");
        }
        assert_eq!(value("many"), None);
    }
}
