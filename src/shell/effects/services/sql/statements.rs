//! Statements that give up what a database holds.
//!
//! Text in quotes and comments is data. A transaction that ends in `ROLLBACK` changes nothing.

/// What a statement gives up.
#[derive(Debug, PartialEq)]
pub(crate) struct StatementLoss {
    pub(crate) what: String,
    /// The database, where the statement names one.
    pub(crate) database: Option<String>,
    /// Whether it is worth a word only.
    pub(crate) told: bool,
}

pub(crate) fn given_up(text: &str) -> Option<StatementLoss> {
    let statements = statements(text);
    let rolls_back =
        statements.last().is_some_and(|last| last.first().is_some_and(|word| word == "ROLLBACK"));
    if rolls_back {
        return None;
    }
    statements.iter().find_map(|statement| judged(statement))
}

fn judged(statement: &[String]) -> Option<StatementLoss> {
    let words: Vec<&str> = statement.iter().map(String::as_str).collect();
    let has = |word: &str| words.contains(&word);
    let shown = || words.iter().take(3).copied().collect::<Vec<_>>().join(" ");
    let loss = |told| Some(StatementLoss { what: shown(), database: None, told });
    match words.as_slice() {
        ["DROP", "DATABASE" | "SCHEMA" | "KEYSPACE", names @ ..] => {
            let name = names.iter().find(|word| !matches!(**word, "IF" | "EXISTS"));
            Some(StatementLoss { what: shown(), database: name.map(|name| name.to_lowercase()), told: false })
        }
        [
            "DROP",
            "TABLE" | "TABLESPACE" | "OWNED" | "COLLECTION" | "BUCKET" | "MEASUREMENT" | "SERIES",
            ..,
        ] => loss(false),
        // Of a graph: the nodes that a pattern finds.
        ["MATCH", .., "DELETE", _] | ["MATCH", .., "DELETE"] if !has("WHERE") => loss(false),
        ["DROP", "USER" | "ROLE", ..] => loss(true),
        ["TRUNCATE", ..] => loss(false),
        // ClickHouse's way to delete rows.
        ["ALTER", "TABLE", _, "DELETE", "WHERE", condition @ ..] => match chosen(condition) {
            RowsChosen::All => loss(false),
            RowsChosen::Many => loss(true),
            RowsChosen::Few => None,
        },
        ["ALTER", "TABLE", ..]
            if words.windows(2).any(|pair| matches!(pair, ["DROP", "COLUMN" | "PARTITION"])) =>
        {
            loss(false)
        }
        ["DELETE", "FROM", ..] => match words.iter().position(|word| *word == "WHERE") {
            None if has("LIMIT") || has("USING") => loss(true),
            None => loss(false),
            Some(at) => match chosen(words.get(at + 1..).unwrap_or_default()) {
                RowsChosen::All => loss(false),
                RowsChosen::Many => loss(true),
                RowsChosen::Few => None,
            },
        },
        ["UPDATE", _, "SET", ..] if !has("WHERE") => loss(true),
        _ => None,
    }
}

/// How many rows a condition leaves.
enum RowsChosen {
    All,
    Many,
    Few,
}

/// What a condition chooses: all rows where it always holds, many where it compares by more or less.
fn chosen(condition: &[&str]) -> RowsChosen {
    const NOW: &[&str] = &["NOW", "CURRENT_TIMESTAMP", "CURRENT_DATE", "GETDATE", "SYSDATE"];
    // `a<b` is one word as well as three.
    let text = condition.join(" ").replace("<=", " < ").replace(">=", " > ").replace("<>", " <> ");
    let text = text.replace('<', " < ").replace('>', " > ").replace("!=", " != ").replace('=', " = ");
    let words: Vec<&str> = text.split_whitespace().collect();
    let holds = match words.as_slice() {
        ["1" | "TRUE"] | ["1", "=", "1"] | ["TRUE", "=", "TRUE"] | ["NOT", "FALSE"] => true,
        [_, "IS", "NOT", "NULL"] => true,
        // Every row was made before now.
        [_, "<", now] => NOW.contains(now),
        [_, ">", "0" | "-1"] | [_, "!", "=", "''"] | [_, "<", ">", "''"] => true,
        [_, "LIKE", pattern] => *pattern == "'%'",
        _ => false,
    };
    let compares = |word: &&str| matches!(*word, "<" | ">" | "!" | "LIKE" | "NULL" | "BETWEEN");
    match (holds, words.iter().any(compares)) {
        (true, _) => RowsChosen::All,
        (false, true) => RowsChosen::Many,
        (false, false) => RowsChosen::Few,
    }
}

/// The statements of a text as words in capitals, without comments and with an empty word for each text in quotes.
pub(crate) fn statements(text: &str) -> Vec<Vec<String>> {
    let mut statements: Vec<Vec<String>> = vec![Vec::new()];
    let mut word = String::new();
    let mut letters = text.chars().peekable();
    let finish = |word: &mut String, statements: &mut Vec<Vec<String>>| {
        if let (false, Some(last)) = (word.is_empty(), statements.last_mut()) {
            last.push(std::mem::take(word));
        }
    };
    while let Some(letter) = letters.next() {
        match letter {
            '\'' => {
                while letters.next().is_some_and(|inside| inside != '\'') {}
                finish(&mut word, &mut statements);
                statements.last_mut().into_iter().for_each(|last| last.push("''".to_owned()));
            }
            '"' | '`' => {}
            '-' if letters.peek() == Some(&'-') => while letters.next_if(|next| *next != '\n').is_some() {},
            '/' if letters.peek() == Some(&'*') => {
                letters.next();
                let mut before = ' ';
                while let Some(inside) = letters.next().filter(|inside| !(before == '*' && *inside == '/')) {
                    before = inside;
                }
            }
            ';' => {
                finish(&mut word, &mut statements);
                statements.push(Vec::new());
            }
            '(' | ')' | ',' => finish(&mut word, &mut statements),
            blank if blank.is_whitespace() => finish(&mut word, &mut statements),
            other => word.extend(other.to_uppercase()),
        }
    }
    finish(&mut word, &mut statements);
    statements.retain(|statement| !statement.is_empty());
    statements
}

/// Calls of a document database that give up a database or a collection.
pub(crate) fn given_up_by_code(text: &str) -> Option<StatementLoss> {
    static CALLS: &[(&str, &str)] = &[
        ("dropDatabase(", "a database"),
        (".drop()", "a collection"),
        (".deleteMany({})", "every document"),
        (".remove({})", "every document"),
        (".deleteMany()", "every document"),
    ];
    /// Those that give up what a condition chooses.
    static SOME: &[(&str, &str)] = &[(".deleteMany(", "documents"), (".remove({", "documents")];
    let packed: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    let fits = |calls: &[(&'static str, &'static str)]| {
        calls.iter().copied().find(|(call, _)| packed.contains(call))
    };
    let (found, told) = fits(CALLS).map(|it| (it, false)).or_else(|| fits(SOME).map(|it| (it, true)))?;
    let (call, what) = found;
    Some(StatementLoss { what: format!("{call} {what}"), database: None, told })
}
