//! A patch as a block of coloured lines.

use super::Html;
use crate::model::finding::counted;

/// More lines of a patch than these are counted.
const LINES: usize = 300;

/// Adds a patch of a file under its name and a word about it.
pub(in crate::cli) fn patch(html: &mut Html, path: &str, about: &str, patch: &str) {
    let lines: Vec<&str> = patch.lines().skip_while(|line| !line.starts_with("@@")).collect();
    let lines = if lines.is_empty() { patch.lines().collect() } else { lines };
    html.within("p", &[], |html| {
        html.element("code", "", path).text(" ").element("span", "soft", about);
    });
    html.within("pre", &[("tabindex", "0")], |html| {
        for line in lines.iter().take(LINES) {
            let class = match line.as_bytes().first() {
                Some(b'+') => "added",
                Some(b'-') => "removed",
                Some(b'@') => "hunk",
                _ => "",
            };
            html.element("span", class, if line.is_empty() { " " } else { line });
        }
        let more = lines.len().saturating_sub(LINES);
        if more > 0 {
            html.element("span", "hunk", &format!("… and {}", counted(more, "more line")));
        }
    });
}
