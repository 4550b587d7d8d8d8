//! Source that reads a JSON or YAML file, sets or deletes values in it and writes it back: `p.scripts.test = 'x'`,
//! `d['scripts']['test'] = 'x'`, `del d['scripts']['test']`.
//!
//! Only literals are read; a source that does anything else to the value gives no edit.

use serde_json::Value;

use crate::shell::edit::code::texts::{TextVariables, literal, name};
use crate::shell::edit::values::{Format, ValueAssignment, ValueEdit, ValueStep};
use crate::shell::edit::{ComputedEdit, EditStep};
use crate::shell::model::ScriptLanguage;

/// The most assignments of one source.
const MOST_ASSIGNMENTS: usize = 32;
/// What changes a value in a way that is not read here.
const OTHER_CHANGES: &[&str] =
    &["Object.assign(", ".update(", ".push(", ".splice(", "for (", "for(", "for ", ".each", ".map("];

/// How a language takes a text apart, and what stands before the name of a value that it makes a text of.
fn words(language: ScriptLanguage, source: &str) -> (&'static [&'static str], &'static [&'static str]) {
    match language {
        ScriptLanguage::Python if source.contains("yaml") => {
            (&["yaml.safe_load", "yaml.load", ".load("], &["yaml.safe_dump(", "yaml.dump(", ".dump("])
        }
        ScriptLanguage::Python => (&["json.load"], &["json.dump(", "json.dumps("]),
        ScriptLanguage::JavaScript if source.contains("yaml") => (
            &["yaml.load(", "yaml.parse(", "YAML.parse("],
            &["yaml.dump(", "yaml.stringify(", "YAML.stringify("],
        ),
        ScriptLanguage::Ruby if source.contains("YAML") => {
            (&["YAML.load", "YAML.safe_load"], &["YAML.dump("])
        }
        ScriptLanguage::JavaScript => {
            (&["JSON.parse(", "require("], &["JSON.stringify(", "writeJsonSync(", "writeJson("])
        }
        ScriptLanguage::Ruby => (&["JSON.parse(", "JSON.load"], &["JSON.pretty_generate(", "JSON.generate("]),
        ScriptLanguage::Php => (&["json_decode("], &["json_encode("]),
        _ => (&[], &[]),
    }
}

/// The values that a source sets in the file that it reads and writes.
pub(super) fn object_edit(language: ScriptLanguage, source: &str) -> Option<ComputedEdit> {
    let (parses, prints) = words(language, source);
    let is_yaml = prints.iter().any(|word| word.to_lowercase().starts_with("yaml") || *word == ".dump(");
    let format = if is_yaml { Format::Yaml } else { Format::Json };
    let printed = prints.iter().find_map(|word| source.split_once(word))?.1;
    let (object, _) = name(printed.trim_start())?;
    let is_read = parses.iter().any(|word| source.contains(word));
    if !is_read || OTHER_CHANGES.iter().any(|word| source.contains(word)) {
        return None;
    }
    let mut assignments = Vec::new();
    for statement in statements(source) {
        let deletes = ["delete ", "del ", "unset("].iter().find_map(|word| statement.strip_prefix(word));
        let Some(rest) = deletes.unwrap_or(statement).strip_prefix(object) else { continue };
        let Some((path, rest)) = path(rest).filter(|(path, _)| !path.is_empty()) else { continue };
        let rest = rest.trim_start();
        if let Some(more) = added(object, statement, rest).filter(|_| deletes.is_none()) {
            let path = path.into_iter().chain([ValueStep::Behind]).collect();
            assignments.push(ValueAssignment { path, value: Some(value(more)?) });
            continue;
        }
        match rest.strip_prefix('=').filter(|rest| !rest.starts_with(['=', '>', '~'])) {
            _ if deletes.is_some() => assignments.push(ValueAssignment { path, value: None }),
            Some(given) => {
                assignments.push(ValueAssignment { path, value: Some(value(given.trim_start())?) })
            }
            None => assignments.extend(popped(path, rest)),
        }
    }
    let fits = !assignments.is_empty() && assignments.len() <= MOST_ASSIGNMENTS;
    fits.then(|| ComputedEdit { steps: vec![EditStep::Set(ValueEdit { format, assignments })] })
}

/// What is put behind a text: `p.a += "x"`, `p.a = p.a + "x"`.
fn added<'t>(object: &str, statement: &str, rest: &'t str) -> Option<&'t str> {
    if let Some(more) = rest.strip_prefix("+=") {
        return Some(more.trim_start());
    }
    let given = rest.strip_prefix('=')?.trim_start();
    let place = statement.get(..statement.len().checked_sub(rest.len())?)?.trim();
    let more = given.strip_prefix(place).filter(|_| place.starts_with(object))?.trim_start();
    more.strip_prefix('+').map(str::trim_start)
}

/// The statements of a source, each from its first letter on; what follows one is left on.
fn statements(source: &str) -> impl Iterator<Item = &str> {
    let starts = source.char_indices().filter(|(_, letter)| matches!(letter, '\n' | ';' | '{' | ','));
    let starts = std::iter::once(0).chain(starts.map(|(at, _)| at + 1));
    starts.filter_map(|at| source.get(at..)).map(str::trim_start)
}

/// `.scripts.test`, `["scripts"]["test"]`: the names, and what comes after them.
fn path(text: &str) -> Option<(Vec<ValueStep>, &str)> {
    let (mut names, mut rest) = (Vec::new(), text);
    loop {
        if let Some(after) = rest.strip_prefix('[') {
            let (key, after) = literal(after.trim_start())?;
            names.push(ValueStep::Name(key));
            rest = after.trim_start().strip_prefix(']')?;
            continue;
        }
        // `.setdefault('jest', {})` is what stands there, or what is put there.
        if let Some(after) = rest.strip_prefix(".setdefault(") {
            let (key, after) = literal(after.trim_start())?;
            names.push(ValueStep::Name(key));
            let after = after.trim_start().strip_prefix(',')?.trim_start().strip_prefix("{}")?;
            rest = after.trim_start().strip_prefix(')')?;
            continue;
        }
        let step = rest.strip_prefix('.').and_then(name).filter(|(_, after)| !after.starts_with('('));
        let Some((key, after)) = step else { return Some((names, rest)) };
        names.push(ValueStep::Name(key.to_owned()));
        rest = after;
    }
}

/// `['scripts'].pop('test')`, `.scripts.delete('test')`.
fn popped(mut path: Vec<ValueStep>, rest: &str) -> Option<ValueAssignment> {
    let inside = [".pop(", ".delete("].iter().find_map(|call| rest.strip_prefix(call))?;
    path.push(ValueStep::Name(literal(inside.trim_start())?.0));
    Some(ValueAssignment { path, value: None })
}

/// A literal that ends its statement.
fn value(text: &str) -> Option<Value> {
    let ends = |rest: &str| {
        let rest = rest.trim_start_matches([' ', '\t']);
        rest.is_empty() || rest.starts_with(['\n', ';', '#', '}', ',', ')'])
    };
    if let Some((text, rest)) = literal(text) {
        return ends(rest).then(|| Value::from(text));
    }
    if text.starts_with('[') {
        let (texts, rest) = TextVariables::default().list(text)?;
        return ends(rest).then(|| Value::from(texts));
    }
    let end =
        text.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '.').unwrap_or(text.len());
    let (word, rest) = text.split_at_checked(end)?;
    let value = match word {
        "True" => Value::from(true),
        "False" => Value::from(false),
        "None" | "nil" => Value::Null,
        word => serde_json::from_str(word).ok()?,
    };
    ends(rest).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ScriptLanguage::{JavaScript, Php, Python, Ruby};

    const MANIFEST: &str = r#"{"name": "a", "scripts": {"test": "jest", "lint": "eslint ."}}"#;

    fn test_script(language: ScriptLanguage, source: &str) -> Option<String> {
        let text = object_edit(language, source)?.apply(MANIFEST)?;
        let value: Value = serde_json::from_str(&text).ok()?;
        Some(value["scripts"]["test"].as_str().unwrap_or("gone").to_owned())
    }

    #[test]
    fn values_that_a_source_sets_are_read() {
        for (language, source, expected) in [
            (
                JavaScript,
                "const p=require('./package.json');p.scripts.test='true';fs.writeFileSync('package.json',JSON.stringify(p,null,2))",
                "true",
            ),
            (
                JavaScript,
                "const fs=require('fs');\nlet pkg = JSON.parse(fs.readFileSync('package.json','utf8'));\npkg['scripts'][\"test\"] = \"echo ok\";\npkg.version = '2';\nfs.writeFileSync('package.json', JSON.stringify(pkg))",
                "echo ok",
            ),
            (
                JavaScript,
                "const p=require('./package.json');delete p.scripts.test;w(JSON.stringify(p))",
                "gone",
            ),
            (
                JavaScript,
                "const p=require('./package.json');p.scripts.test += ' --silent';w(JSON.stringify(p))",
                "jest --silent",
            ),
            (
                Python,
                "d=json.load(open('a'))\nd['scripts']['test'] = d['scripts']['test'] + ' -x'\njson.dump(d,open('a','w'))",
                "jest -x",
            ),
            (
                Python,
                "import json\nd = json.load(open('package.json'))\nd['scripts']['test'] = 'exit 0'\njson.dump(d, open('package.json','w'), indent=2)",
                "exit 0",
            ),
            (
                Python,
                "import json;d=json.load(open('a'));del d['scripts']['test'];json.dump(d,open('a','w'))",
                "gone",
            ),
            (
                Python,
                "import json\nd=json.load(open('a'))\nd['scripts'].pop('test', None)\nopen('a','w').write(json.dumps(d))",
                "gone",
            ),
            (
                Ruby,
                "d = JSON.parse(File.read('a')); d['scripts']['test'] = 'true'; File.write('a', JSON.pretty_generate(d))",
                "true",
            ),
            (
                Php,
                "$d = json_decode(file_get_contents('a'), true); $d['scripts']['test'] = 'true'; file_put_contents('a', json_encode($d));",
                "true",
            ),
        ] {
            assert_eq!(test_script(language, source).as_deref(), Some(expected), "{source}");
        }
    }

    #[test]
    fn lists_and_values_that_may_be_missing_are_set() {
        let source = "import json\nd = json.load(open('a'))\nd.setdefault('jest', {})['skip'] = ['a', 'b']\n\
                      json.dump(d, open('a', 'w'))";
        let text = object_edit(Python, source).and_then(|edit| edit.apply("{}"));
        let value: Option<Value> = text.and_then(|text| serde_json::from_str(&text).ok());
        assert_eq!(value, Some(serde_json::json!({ "jest": { "skip": ["a", "b"] } })));
    }

    #[test]
    fn what_is_not_read_to_the_letter_gives_nothing() {
        for source in [
            "const p=require('./p.json');p.scripts.test=process.argv[1];w(JSON.stringify(p))",
            "const p=require('./p.json');p.scripts.test='a'+b;w(JSON.stringify(p))",
            "const p=require('./p.json');Object.assign(p.scripts,{test:'a'});w(JSON.stringify(p))",
            "const p={};p.scripts='a';w(JSON.stringify(p))",
            "const p=require('./p.json');if(p.scripts.test=='a')w(JSON.stringify(p))",
            "const p=require('./p.json');console.log(p.scripts)",
        ] {
            assert_eq!(test_script(JavaScript, source), None, "{source}");
        }
    }
}
