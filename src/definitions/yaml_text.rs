//! A value as YAML text.

use serde_json::Value;

/// A value as YAML, two spaces to a level. Texts that YAML could take for something else are quoted.
pub fn yaml(value: &Value) -> String {
    let mut out = String::new();
    block(value, 0, &mut out);
    out
}

fn block(value: &Value, depth: usize, out: &mut String) {
    match value {
        Value::Object(map) => {
            for (place, (name, value)) in map.iter().enumerate() {
                if place > 0 {
                    indent(depth, out);
                }
                out.push_str(&scalar(name));
                out.push(':');
                below(value, depth + 1, out);
            }
        }
        Value::Array(list) => {
            for (place, value) in list.iter().enumerate() {
                if place > 0 {
                    indent(depth, out);
                }
                out.push_str("- ");
                if is_block(value) { block(value, depth + 1, out) } else { line(value, depth + 1, out) }
            }
        }
        _ => line(value, depth, out),
    }
}

/// What stands behind a name.
fn below(value: &Value, depth: usize, out: &mut String) {
    if is_block(value) {
        out.push('\n');
        indent(depth, out);
        block(value, depth, out);
    } else {
        out.push(' ');
        line(value, depth, out);
    }
}

fn is_block(value: &Value) -> bool {
    match value {
        Value::Object(map) => !map.is_empty(),
        Value::Array(list) => !list.is_empty(),
        _ => false,
    }
}

fn line(value: &Value, depth: usize, out: &mut String) {
    match value {
        Value::String(text) if reads_well_in_lines(text) => {
            out.push_str("|\n");
            for text in text.lines() {
                if !text.is_empty() {
                    indent(depth, out);
                    out.push_str(text);
                }
                out.push('\n');
            }
        }
        Value::String(text) => {
            out.push_str(&scalar(text));
            out.push('\n');
        }
        // JSON's scalars and empty collections are YAML's.
        _ => {
            out.push_str(&value.to_string());
            out.push('\n');
        }
    }
}

fn indent(depth: usize, out: &mut String) {
    out.extend(std::iter::repeat_n("  ", depth));
}

/// Whether a text can stand as a literal block: several lines, none of them indented, the last ended once.
fn reads_well_in_lines(text: &str) -> bool {
    let plain = |c: char| {
        c == '\n' || (!c.is_control() && !matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{feff}'))
    };
    text.lines().count() > 1
        && !text.starts_with('\n')
        && text.ends_with('\n')
        && !text.ends_with("\n\n")
        && !text.lines().any(|line| line.starts_with(char::is_whitespace))
        && text.chars().all(plain)
}

/// A text in one line: as it is when it is only a word, else quoted as JSON does, which YAML reads alike.
fn scalar(text: &str) -> String {
    let word = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '$')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '$'));
    let special = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"];
    if word && !special.contains(&text.to_ascii_lowercase().as_str()) {
        return text.to_owned();
    }
    Value::from(text).to_string()
}
