//! Files that declare what data may be, and let more in: constraints of SQL's columns, rules of a JSON schema.
//!
//! Only a column or a property that stays is compared.

use crate::detectors::Case;
use crate::detectors::product::check_words::short;
use crate::detectors::product::functions::has_company;
use crate::detectors::product::lost_check::LostCheck;
use crate::languages::code::{bare, identifiers};
use crate::languages::is_test_path;
use crate::model::finding::{Change, Severity};

/// Constraints of a column, in upper case and without white space.
const CONSTRAINTS: &[&str] = &["NOTNULL", "CHECK(", "REFERENCES", "UNIQUE", "PRIMARYKEY"];
/// Words that begin a line of a table which is no column.
const OTHERS: &[&str] = &[
    "CONSTRAINT",
    "PRIMARY",
    "FOREIGN",
    "UNIQUE",
    "CHECK",
    "CREATE",
    "ALTER",
    "INDEX",
    "KEY",
    "INSERT",
    "--",
];
/// Words of a schema of JSON that keep something out.
const RULES: &[&str] = &[
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "minimum",
    "maximum",
    "enum",
    "const",
    "minItems",
    "maxItems",
    "uniqueItems",
];

/// The first thing that a file of such declarations lets in.
pub(super) fn declared_less(case: &Case, change: &Change) -> Option<LostCheck> {
    let (old, new) = (change.before.as_deref()?, change.after.as_deref()?);
    if is_test_path(&change.path) || old == new {
        return None;
    }
    let is_schema =
        || change.path.ends_with(".json") && old.contains("\"$schema\"") && old.contains("json-schema.org");
    let lost = match change.path.ends_with(".sql") {
        true => column_freed(old, new),
        false if is_schema() => schema_opened(old, new),
        false => None,
    };
    // What other files of the session take over is no loss. They are looked at where something is lost.
    lost.filter(|_| !has_company(case, change))
}

/// A column that stays and has lost constraints.
fn column_freed(old: &str, new: &str) -> Option<LostCheck> {
    let whole = bare(&new.to_uppercase());
    let mut lost = columns(old).filter_map(|(number, name, text)| {
        let (_, _, now) = columns(new).find(|(_, other, _)| *other == name)?;
        let (was, is) = (bare(&text.to_uppercase()), bare(&now.to_uppercase()));
        let count = |text: &str| CONSTRAINTS.iter().filter(|it| text.contains(**it)).count();
        // A constraint of the table, or a statement of its own, may say it.
        let upper = name.to_uppercase();
        let is_said =
            whole.contains(&format!("({upper})")) || whole.contains(&format!("ALTERCOLUMN{upper}SET"));
        (count(&is) < count(&was) && !is_said).then_some((number, text))
    });
    let (number, text) = lost.next()?;
    let is_more = lost.next().is_some();
    let what = format!("the column `{}` would take more than before", short(text.trim_end_matches(',')));
    let severity =
        if is_more || text.to_uppercase().contains("CHECK") { Severity::High } else { Severity::Medium };
    Some(LostCheck::new(number, text, what, severity))
}

/// The columns of the tables that a text creates: line, name and all of the line.
fn columns(text: &str) -> impl Iterator<Item = (u32, &str, &str)> {
    let mut is_inside = false;
    (1u32..).zip(text.lines()).filter_map(move |(number, line)| {
        let upper = line.trim().to_uppercase();
        if upper.starts_with("CREATE TABLE") {
            is_inside = true;
        } else if line.trim_start().starts_with(')') {
            is_inside = false;
        }
        let name = identifiers(line).next()?;
        let is_column = is_inside && !OTHERS.iter().any(|word| upper.starts_with(word));
        is_column.then_some((number, name, line.trim()))
    })
}

/// A schema that asks for less: properties that stay and are not required, others that may come, rules that are gone.
fn schema_opened(old: &str, new: &str) -> Option<LostCheck> {
    let line_of = |part: &str| {
        (1u32..).zip(old.lines()).find(|(_, line)| line.contains(part)).map(|(at, line)| (at, line.trim()))
    };
    let (was, is) = (bare(old), bare(new));
    let count = |text: &str, part: &str| text.matches(part).count();
    let closed = "\"additionalProperties\":false";
    if count(&is, closed) < count(&was, closed)
        && count(&is, "\"properties\":") >= count(&was, "\"properties\":")
    {
        let (number, line) = line_of("additionalProperties")?;
        let what = "properties that nobody declared would be let in".to_owned();
        return Some(LostCheck::new(number, line, what, Severity::High));
    }
    let mut freed = required(&was).into_iter().filter(|name| {
        !required(&is).contains(name)
            && count(&is, &format!("\"{name}\":")) >= count(&was, &format!("\"{name}\":"))
    });
    if let Some(name) = freed.next() {
        let (number, line) = line_of("required")?;
        let what = format!("`{name}` would not be required any more");
        // One that may be left out is a change of the format; several are a door.
        let severity = if freed.next().is_some() { Severity::High } else { Severity::Medium };
        return Some(LostCheck::new(number, line, what, severity));
    }
    let names = |text: &str| text.matches("\"type\":").count();
    let rule = RULES.iter().find(|rule| {
        let key = format!("\"{rule}\":");
        count(&is, &key) < count(&was, &key) && names(&is) >= names(&was)
    })?;
    let (number, line) = line_of(rule)?;
    Some(LostCheck::new(number, line, format!("`{}` would be gone", short(line)), Severity::Medium))
}

/// The names in all lists of what is required of a text without white space.
fn required(text: &str) -> Vec<String> {
    let lists = text.split("\"required\":[").skip(1).filter_map(|rest| rest.split(']').next());
    lists
        .flat_map(|list| list.split(','))
        .map(|it| it.trim_matches('"').to_owned())
        .filter(|it| !it.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_that_stays_keeps_its_constraints() {
        let table = |columns: &str| format!("CREATE TABLE slots (\n{columns}\n);\n");
        let old = table(
            "  id bigint PRIMARY KEY,\n  berth text NOT NULL CHECK (berth <> ''),\n  tons integer NOT NULL",
        );
        for (new, expected) in [
            (table("  id bigint PRIMARY KEY,\n  berth text,\n  tons integer"), true),
            (table("  id bigint PRIMARY KEY,\n  berth text NOT NULL,\n  tons integer NOT NULL"), true),
            (table("  id bigint PRIMARY KEY,\n  tons integer NOT NULL"), false),
            (
                table(
                    "  id bigint PRIMARY KEY,\n  berth varchar(9) NOT NULL CHECK (berth > 'a'),\n  tons integer NOT NULL",
                ),
                false,
            ),
            (
                table(
                    "  id bigint,\n  berth text NOT NULL CHECK (berth <> ''),\n  tons integer NOT NULL,\n  PRIMARY KEY (id)",
                ),
                false,
            ),
        ] {
            assert_eq!(column_freed(&old, &new).is_some(), expected, "{new}");
        }
    }

    #[test]
    fn a_schema_asks_for_no_less() {
        let schema = |required: &str, more: &str, name: &str| {
            format!(
                "{{\"type\": \"object\", \"required\": [{required}], \"additionalProperties\": {more}, \"properties\": {{\"berth\": {{\"type\": \"string\"{name}}}, \"tons\": {{\"type\": \"number\"}}}}}}"
            )
        };
        let old = schema("\"berth\", \"tons\"", "false", ", \"minLength\": 2");
        for (new, expected) in [
            (schema("\"berth\"", "false", ", \"minLength\": 2"), true),
            (schema("\"tons\", \"berth\"", "false", ", \"minLength\": 2"), false),
            (schema("\"berth\", \"tons\"", "true", ", \"minLength\": 2"), true),
            (schema("\"berth\", \"tons\"", "false", ""), true),
            (schema("\"berth\", \"tons\"", "false", ", \"minLength\": 3"), false),
        ] {
            assert_eq!(schema_opened(&old, &new).is_some(), expected, "{new}");
        }
    }
}
