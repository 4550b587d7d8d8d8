//! Configuration files as flat lists of keys and values, so that a change is compared by what it sets.
//!
//! JSON is parsed. TOML, INI and YAML are read line by line: what a reader doesn't understand it leaves out, so that
//! absence proves less than presence.

mod yaml;

use serde_json::Value;

use crate::languages::registry::file_name;
use crate::languages::settings::yaml::yaml;

/// One value of a configuration file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingEntry {
    /// The keys down to it, joined by `.`; items of a list are `[]`, those of lists of tables `[n]`.
    pub key: String,
    /// The value without its quotes.
    pub value: String,
    /// The line, from 1; 0 where it isn't known.
    pub line: u32,
}

impl SettingEntry {
    /// The last key.
    pub fn name(&self) -> &str {
        let key = self.key.trim_end_matches("[]");
        key.rsplit('.').next().unwrap_or(key)
    }
}

/// Larger files are data.
const LARGEST: usize = 64 << 10;

/// Reads a configuration file by its name. `None` when it is no such file, or can't be read.
pub fn settings(path: &str, text: &str) -> Option<Vec<SettingEntry>> {
    if text.len() > LARGEST {
        return None;
    }
    let name = file_name(path);
    match name.rsplit_once('.').map_or(name, |(_, extension)| extension) {
        "json" | "jsonc" | "json5" | "eslintrc" | "babelrc" | "nycrc" | "mocharc" => json(text),
        "toml" => Some(toml(text)),
        "ini" | "cfg" | "coveragerc" | "flake8" | "pylintrc" | "editorconfig" | "globalconfig" => {
            Some(ini(text))
        }
        "yml" | "yaml" => Some(yaml(text)),
        _ => None,
    }
}

fn json(text: &str) -> Option<Vec<SettingEntry>> {
    let value: Value =
        serde_json::from_str(text).or_else(|_| serde_json::from_str(&without_comments(text))).ok()?;
    let mut entries = Vec::new();
    let mut pending = vec![(String::new(), value)];
    while let Some((key, value)) = pending.pop() {
        let below = |name: &str| if key.is_empty() { name.to_owned() } else { format!("{key}.{name}") };
        match value {
            Value::Object(map) => {
                pending.extend(map.into_iter().rev().map(|(name, value)| (below(&name), value)))
            }
            Value::Array(items) => {
                pending.extend(items.into_iter().rev().map(|item| (format!("{key}[]"), item)))
            }
            Value::String(value) => entries.push(SettingEntry { key, value, line: 0 }),
            other => entries.push(SettingEntry { key, value: other.to_string(), line: 0 }),
        }
    }
    for entry in &mut entries {
        let name = format!("\"{}\"", entry.name());
        let at = text.find(&name).map_or(0, |at| text[..at].matches('\n').count() + 1);
        entry.line = u32::try_from(at).unwrap_or(0);
    }
    Some(entries)
}

/// JSON without `//` and `/* */` comments and without commas before a closing bracket.
fn without_comments(text: &str) -> String {
    let (mut out, mut chars, mut in_string) =
        (String::with_capacity(text.len()), text.chars().peekable(), false);
    while let Some(c) = chars.next() {
        match c {
            '\\' if in_string => {
                out.push(c);
                out.extend(chars.next());
            }
            '"' => {
                in_string = !in_string;
                out.push(c);
            }
            '/' if !in_string && chars.peek() == Some(&'/') => {
                while chars.peek().is_some_and(|c| *c != '\n') {
                    chars.next();
                }
            }
            '/' if !in_string && chars.peek() == Some(&'*') => {
                let mut last = ' ';
                for c in chars.by_ref() {
                    if last == '*' && c == '/' {
                        break;
                    }
                    last = c;
                }
            }
            ']' | '}' if !in_string => {
                let end = out.trim_end().len();
                if out[..end].ends_with(',') {
                    out.truncate(end - 1);
                }
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out
}

pub(super) fn unquote(value: &str) -> String {
    let value = value.trim();
    let quoted = value.len() > 1 && ["\"", "'"].iter().any(|q| value.starts_with(q) && value.ends_with(q));
    if quoted { value[1..value.len() - 1].to_owned() } else { value.to_owned() }
}

/// A line without a comment at its end.
pub(super) fn uncommented(line: &str) -> &str {
    let mut quote = None;
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if c == open => quote = None,
            (None, '#') if at == 0 || line[..at].ends_with([' ', '\t']) => return line[..at].trim_end(),
            _ => {}
        }
    }
    line
}

/// Adds a value; a list in brackets as its items.
pub(super) fn add(entries: &mut Vec<SettingEntry>, key: &str, value: &str, line: u32) {
    let value = value.trim();
    let list = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    match list {
        Some(items) => {
            let mut depth = 0i32;
            let pieces = items.split(|c: char| {
                depth += i32::from(matches!(c, '(' | '{' | '[')) - i32::from(matches!(c, ')' | '}' | ']'));
                c == ',' && depth == 0
            });
            for item in pieces.map(str::trim).filter(|item| !item.is_empty()) {
                entries.push(SettingEntry { key: format!("{key}[]"), value: unquote(item), line });
            }
        }
        None => entries.push(SettingEntry { key: key.to_owned(), value: unquote(value), line }),
    }
}

fn toml(text: &str) -> Vec<SettingEntry> {
    let (mut entries, mut section, mut open) = (Vec::new(), String::new(), None::<(String, String, u32)>);
    for (number, raw) in (1u32..).zip(text.lines()) {
        let line = uncommented(raw).trim();
        if let Some((key, mut value, from)) = open.take() {
            value.push(' ');
            value.push_str(line);
            let balance = value.matches('[').count() <= value.matches(']').count()
                && value.matches("\"\"\"").count() != 1
                && value.matches("'''").count() != 1;
            if balance {
                add(&mut entries, &key, value.trim_matches(['"', '\'']), from);
            } else {
                open = Some((key, value, from));
            }
            continue;
        }
        if let Some(header) = line.strip_prefix('[').filter(|_| line.ends_with(']') && !line.contains('=')) {
            section = header.trim_matches(['[', ']']).replace(['"', '\''], "");
            entries.push(SettingEntry { key: section.clone(), value: String::new(), line: number });
        } else if let Some((key, value)) = line.split_once('=') {
            let key = key.trim().trim_matches('"');
            let key = if section.is_empty() { key.to_owned() } else { format!("{section}.{key}") };
            let value = value.trim();
            let is_open = value.matches('[').count() > value.matches(']').count()
                || value.matches("\"\"\"").count() == 1
                || value.matches("'''").count() == 1;
            if is_open {
                open = Some((key, value.to_owned(), number));
            } else {
                add(&mut entries, &key, value, number);
            }
        }
    }
    entries
}

fn ini(text: &str) -> Vec<SettingEntry> {
    let (mut entries, mut section) = (Vec::<SettingEntry>::new(), String::new());
    for (number, raw) in (1u32..).zip(text.lines()) {
        let line = raw.trim();
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        if line.starts_with('[') && line.ends_with(']') {
            section = line.trim_matches(['[', ']']).to_owned();
        } else if raw.starts_with([' ', '\t']) && !entries.is_empty() {
            // A line that goes on is an item of its own.
            let key = entries.last().map(|it| it.key.trim_end_matches("[]").to_owned()).unwrap_or_default();
            entries.push(SettingEntry { key: format!("{key}[]"), value: line.to_owned(), line: number });
        } else if let Some((key, value)) = line.split_once(['=', ':']) {
            let key =
                if section.is_empty() { key.trim().to_owned() } else { format!("{section}.{}", key.trim()) };
            entries.push(SettingEntry { key, value: value.trim().to_owned(), line: number });
        }
    }
    entries
}

pub(super) fn path(open: &[(usize, String, usize)]) -> String {
    let mut path = String::new();
    for (_, name, _) in open {
        if !path.is_empty() && !name.starts_with('[') {
            path.push('.');
        }
        path.push_str(name);
    }
    path
}

pub(super) fn key_and_value(line: &str) -> Option<(&str, &str)> {
    if let Some(rest) = line.strip_suffix(':').filter(|rest| !rest.contains(": ")) {
        return Some((rest, ""));
    }
    let at = line.find(": ")?;
    let key = &line[..at];
    let is_key = !key.is_empty() && !key.contains(['{', '[', '&']) && key.split_whitespace().count() <= 4;
    is_key.then(|| (key, &line[at + 2..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flat(path: &str, text: &str) -> Vec<String> {
        settings(path, text).unwrap().into_iter().map(|it| format!("{}={}", it.key, it.value)).collect()
    }

    #[test]
    fn every_format_gives_keys_and_values() {
        let rows: &[(&str, &str, &[&str])] = &[
            ("a.json", "{\"a\": {\"b\": 1, \"c\": [\"x\", \"y\"]}}", &["a.b=1", "a.c[]=x", "a.c[]=y"]),
            ("tsconfig.json", "{ // why\n \"strict\": true, /* b */ }", &["strict=true"]),
            (
                "a.toml",
                "top = 1\n[tool.x]\nb = \"-k 'not slow'\" # c\nlist = [\n  \"a\",\n  \"b\",\n]\n",
                &["top=1", "tool.x=", "tool.x.b=-k 'not slow'", "tool.x.list[]=a", "tool.x.list[]=b"],
            ),
            (
                "tox.ini",
                "[testenv]\ncommands =\n    pytest -q\n# no\nskip = true\n",
                &["testenv.commands=", "testenv.commands[]=pytest -q", "testenv.skip=true"],
            ),
            (
                "ci.yml",
                "on: [push]\njobs:\n  test:\n    steps:\n      - uses: x@v1\n      - name: Run\n        run: |\n          npm ci\n          npm test\n      - run: echo hi # c\n    env:\n      A: 1\n",
                &[
                    "on[]=push",
                    "jobs=",
                    "jobs.test=",
                    "jobs.test.steps=",
                    "jobs.test.steps[0].uses=x@v1",
                    "jobs.test.steps[1].name=Run",
                    "jobs.test.steps[1].run=npm ci\nnpm test",
                    "jobs.test.steps[2].run=echo hi",
                    "jobs.test.env=",
                    "jobs.test.env.A=1",
                ],
            ),
            (
                "a.yml",
                "script:\n  - make\n  - make test\n",
                &["script=", "script[0]=make", "script[1]=make test"],
            ),
        ];
        for (path, text, expected) in rows {
            assert_eq!(flat(path, text), *expected, "{path}: {text}");
        }
    }

    #[test]
    fn hostile_texts_are_survived() {
        for text in
            ["- - - - -", ":", "[", "a: [", "é: |\n  é\n#", "{\"a\": \"\\", "- \u{2028}: x", "\"", "'''"]
        {
            for path in ["a.json", "a.toml", "a.ini", "a.yml"] {
                let _ = settings(path, text);
                let _ = settings(path, &text.repeat(500));
            }
        }
    }
}
