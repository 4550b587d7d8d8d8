//! Variables of a makefile put in their places, so that a flag that moves into one is still where it was.

use std::collections::HashMap;

/// How often a variable stands for another.
const DEEPEST: usize = 4;
/// Longer texts are left as they are.
const LONGEST: usize = 64 << 10;

/// A makefile with the variables that it defines in the lines of its recipes and prerequisites. Lines keep their numbers.
pub(super) fn expanded(text: &str) -> String {
    let values = definitions(text);
    if values.is_empty() || text.len() > LONGEST {
        return text.to_owned();
    }
    let lines = text.split_inclusive('\n').map(|line| match definition(line) {
        Some(_) => line.to_owned(),
        None => put(line, &values),
    });
    lines.collect()
}

fn put(line: &str, values: &HashMap<String, String>) -> String {
    let mut line = line.to_owned();
    for _ in 0..DEEPEST {
        let known = values.iter().find_map(|(name, value)| {
            let forms = [format!("$({name})"), format!("${{{name}}}")];
            forms.into_iter().find(|form| line.contains(form.as_str())).map(|form| (form, value))
        });
        let Some((form, value)) = known else { break };
        line = line.replace(&form, value);
        if line.len() > LONGEST {
            break;
        }
    }
    line
}

fn definitions(text: &str) -> HashMap<String, String> {
    let mut values: HashMap<String, String> = HashMap::new();
    for line in text.lines() {
        let Some((name, sign, value)) = definition(line) else { continue };
        match sign {
            "+=" => {
                let whole = values.entry(name.to_owned()).or_default();
                whole.push(' ');
                whole.push_str(value);
            }
            _ => {
                values.insert(name.to_owned(), value.to_owned());
            }
        }
    }
    values
}

/// The name, the sign and the value of a line that defines a variable.
fn definition(line: &str) -> Option<(&str, &str, &str)> {
    if line.starts_with(['\t', ' ', '#']) {
        return None;
    }
    let line = line.trim_end().strip_prefix("export ").unwrap_or(line.trim_end());
    let at = line.find('=')?;
    let head = line.get(..at)?;
    let sign = ["::", ":", "?", "+"].iter().find(|sign| head.ends_with(**sign)).copied().unwrap_or_default();
    let name = head.strip_suffix(sign).unwrap_or(head).trim();
    let is_name =
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
    let value = line.get(at + 1..)?.trim();
    // What another line goes on with, or what the shell works out, is not known here.
    let is_known = !value.ends_with('\\') && !value.starts_with("$(shell");
    (is_name && is_known).then_some((name, if sign == "+" { "+=" } else { "=" }, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_stand_where_they_are_used() {
        let text = "FLAGS ?= -race\nFLAGS += -count=1\nPKGS := ./...\n\ntest:\n\tgo test $(FLAGS) ${PKGS}\n\techo $(OTHER)\n";
        let out = expanded(text);
        assert!(out.contains("\tgo test -race -count=1 ./...\n\techo $(OTHER)\n"), "{out}");
        assert_eq!(out.lines().count(), text.lines().count());
        assert_eq!(expanded("A = $(A)\nall:\n\tx $(A)\n"), "A = $(A)\nall:\n\tx $(A)\n");
    }
}
