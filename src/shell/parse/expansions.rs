//! Values of variables and the text of substitutions, as they stand in a word.

pub(crate) mod operators;

use tree_sitter::Node;

use crate::shell::model::Word;
use crate::shell::parse::marks::{WordChar, WordChars};
use crate::shell::parse::reader::{ScriptReader, slice};
use crate::shell::parse::variables::pattern_marks;
use crate::shell::parse::{output, unquote};
use crate::shell::wrappers::remote_exec;

/// Variables that a shell sets by itself.
const SET_BY_THE_SHELL: &[&str] = &[
    "RANDOM",
    "SRANDOM",
    "SECONDS",
    "EPOCHSECONDS",
    "EPOCHREALTIME",
    "LINENO",
    "UID",
    "EUID",
    "PPID",
    "GROUPS",
    "HOSTNAME",
    "HOSTTYPE",
    "OSTYPE",
    "MACHTYPE",
    "FUNCNAME",
    "PIPESTATUS",
    "REPLY",
    "OPTARG",
    "OPTIND",
    "SHLVL",
    "DIRSTACK",
    "COLUMNS",
    "LINES",
    "USER",
    "LOGNAME",
    "PATH",
    "TERM",
    "LANG",
    "COPROC",
    "MAPFILE",
    "ZSH_VERSION",
];

/// A word as a parameter. What `find` hands over stays a choice of files, in quotes too, also where a test leaves some of
/// them.
pub(crate) fn handed_marks(word: &Word) -> WordChars {
    match (word.known, word.glob || word.below, word.partial) {
        (false, ..) => vec![WordChar::Unknown],
        (_, true, true) => {
            let whole = handed_marks(&Word { partial: false, ..word.clone() });
            std::iter::once(WordChar::Some).chain(whole).collect()
        }
        (_, true, false) if word.glob => pattern_marks(word),
        (_, true, false) => {
            let text = format!("{}/**/*", word.text.trim_end_matches('/'));
            pattern_marks(&Word { text, glob: true, ..word.clone() })
        }
        (_, false, _) => unquote::quoted(&word.text),
    }
}

/// A word as the value of a loop's variable: a choice of files stays one.
pub(crate) fn looped_marks(word: &Word) -> WordChars {
    if word.below { handed_marks(word) } else { pattern_marks(word) }
}

/// The parts of an expansion.
#[derive(Default)]
struct ExpansionParts<'t> {
    name: Option<&'t str>,
    operator: &'t str,
    /// The word behind the operator.
    fallback: Option<Node<'t>>,
    /// `a[key]`, without quotes.
    element: Option<String>,
    /// `${#a}`.
    is_length: bool,
}

impl<'t> ExpansionParts<'t> {
    fn of(node: Node<'t>, text: &'t str) -> Self {
        let mut cursor = node.walk();
        let parts: Vec<Node> = node.children(&mut cursor).collect();
        let is_length = parts.get(1).map(|part| part.kind()) == Some("#");
        let mut written = ExpansionParts { is_length, ..ExpansionParts::default() };
        for part in parts {
            match part.kind() {
                "variable_name" | "special_variable_name" if written.name.is_none() => {
                    written.name = Some(slice(part, text))
                }
                "subscript" if written.name.is_none() => {
                    written.name = part.child_by_field_name("name").map(|name| slice(name, text));
                    written.element = Some(slice(part, text).replace(['"', '\''], ""));
                }
                "$" | "${" | "}" => {}
                _ if part.is_named() && written.fallback.is_none() => written.fallback = Some(part),
                _ if !part.is_named() => written.operator = slice(part, text),
                _ => {}
            }
        }
        written
    }
}

impl ScriptReader {
    /// `$X`, `${X}`, `${X:-word}`, `${X[@]}`; other operators give something unknown.
    pub(crate) fn variable(&mut self, node: Node, text: &str, in_quotes: bool) -> Vec<WordChars> {
        let ExpansionParts { name, operator, fallback, element, is_length } = ExpansionParts::of(node, text);
        // `${a[key]}`, where that element is known.
        let element = element.and_then(|element| self.place.variables.get(&element).cloned().flatten());
        let value = element.or_else(|| name.and_then(|name| self.value(name)));
        let usable = name.is_some() && !is_length;
        let values = match (operator, value) {
            ("", None) if usable => self.unset_value(name.unwrap_or_default()),
            ("", value) if usable => value,
            (":-" | "-" | ":=" | "=", Some(value)) if usable => Some(value),
            (":-" | "-", None) if usable => fallback.map(|word| self.marks_of(word, text)),
            (":=" | "=", None) if usable => {
                let given = fallback.map(|word| self.marks_of(word, text));
                self.set(name.unwrap_or_default().to_owned(), given.clone());
                given
            }
            (":+" | "+", Some(_)) if usable => fallback.map(|word| self.marks_of(word, text)),
            (":?" | "?", value) if usable => {
                let value = value.or_else(|| self.unset_value(name.unwrap_or_default()));
                // The shell ends where nothing is set.
                self.place.ended |= value.as_deref().is_some_and(|values| values.iter().all(Vec::is_empty));
                value
            }
            _ => {
                self.substitutions(node, text);
                self.changed_value(slice(node, text))
            }
        };
        match values {
            Some(values) => {
                let separators = self.separators();
                values.iter().map(|value| unquote::expansion(value, in_quotes, &separators)).collect()
            }
            None => vec![vec![WordChar::Unknown]],
        }
    }

    /// `${x:1}`, `${x%.js}`, `${!x}`: what an operator makes of a value of which every letter is known.
    fn changed_value(&self, raw: &str) -> Option<Vec<WordChars>> {
        let plain = |values: Vec<WordChars>| -> Option<Vec<String>> {
            let letter = |mark: &WordChar| match mark {
                WordChar::Plain(letter) | WordChar::Quoted(letter) => Some(*letter),
                _ => None,
            };
            values.iter().map(|marks| marks.iter().map(letter).collect()).collect()
        };
        if let Some(name) = operators::indirect(raw) {
            let names = plain(self.value(name)?)?;
            return self.value(names.first().filter(|_| names.len() == 1)?);
        }
        if let Some((name, range)) = operators::slice(raw) {
            let all = self.value(name)?;
            // `$0` stands before the first of the parameters.
            let before = usize::from(matches!(name, "@" | "*"));
            let range = operators::range(range, all.len() + before)?;
            let range = range.start.checked_sub(before)?..range.end.checked_sub(before)?;
            return all.get(range).map(<[WordChars]>::to_vec);
        }
        let (name, operator) = operators::parts(raw)?;
        let values = plain(self.value(name)?)?;
        values.iter().map(|value| Some(unquote::quoted(&operators::applied(value, operator)?))).collect()
    }

    /// Nothing, where nobody has set a variable; that it is used is noted where that is not known.
    fn unset_value(&mut self, name: &str) -> Option<Vec<WordChars>> {
        const MOST_ASKED: usize = 16;
        if self.lacks_argument(name) {
            return Some(vec![unquote::quoted("")]);
        }
        let is_name = name.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_');
        if !is_name
            || SET_BY_THE_SHELL.contains(&name)
            || name.starts_with("BASH")
            || self.is_elsewhere()
            || self.place.variables.contains_key(name)
        {
            return None;
        }
        if self.unset.contains(name) {
            return Some(vec![unquote::quoted("")]);
        }
        if self.script.asks.len() < MOST_ASKED && !self.script.asks.iter().any(|asked| asked == name) {
            self.script.asks.push(name.to_owned());
        }
        None
    }

    /// Whether a function or script was called with fewer arguments, and does not look for that.
    fn lacks_argument(&self, name: &str) -> bool {
        let (Ok(position), Some(arguments)) = (name.parse::<usize>(), &self.place.arguments) else {
            return false;
        };
        let looks = || {
            ["$#".to_owned(), format!("${name}"), format!("${{{name}")]
                .iter()
                .any(|it| self.tested.contains(it))
        };
        position > arguments.len() && arguments.iter().all(|word| word.known && !word.glob) && !looks()
    }

    /// Characters other than blanks at which an unquoted value is split.
    pub(crate) fn separators(&self) -> String {
        let set =
            self.place.variables.get("IFS").and_then(|values| self.known_text(values.as_ref()?.first()?));
        set.unwrap_or_default()
    }

    fn value(&self, name: &str) -> Option<Vec<WordChars>> {
        let reference = self.place.references.iter().rev().find(|(own, _)| own == name);
        let name = reference.map_or(name, |(_, target)| target.as_str());
        if let Some(value) = self.place.variables.get(name) {
            return value.clone();
        }
        let one = |text: &str| Some(vec![unquote::quoted(text)]);
        match name {
            "HOME" => one(&self.home.to_string_lossy()),
            "PWD" => one(&self.place.directory.as_ref()?.to_string_lossy()),
            "OLDPWD" => one(&self.place.previous.as_ref()?.to_string_lossy()),
            "SHELL" => one("bash"),
            "TMPDIR" => one("/tmp"),
            "IFS" => one(" "),
            "@" | "*" => Some(self.place.arguments.as_ref()?.iter().map(handed_marks).collect()),
            _ => {
                let position: usize = name.parse().ok()?;
                let word = self.place.arguments.as_ref()?.get(position.checked_sub(1)?)?;
                Some(vec![handed_marks(word)])
            }
        }
    }

    /// Reads the commands of `$(…)`, and gives its text where that is known.
    pub(crate) fn substitution(&mut self, node: Node, text: &str) -> WordChars {
        let before = self.script.commands.len();
        let mut printed = Some(String::new());
        self.isolated(|reader| {
            let mut cursor = node.walk();
            let parts: Vec<Node> = node.named_children(&mut cursor).collect();
            for part in parts {
                let first = reader.script.commands.len();
                reader.statement(part, text);
                let last = reader.script.commands.len().checked_sub(1).filter(|last| *last >= first);
                // Only the last stage of a pipeline says what the whole prints; of `a && b` nobody knows which run.
                let output = match last {
                    // `cd` and assignments print nothing.
                    None if part.kind() == "command" => Some(String::new()),
                    None => None,
                    Some(_) if part.kind() == "list" => None,
                    Some(last) => output::text::text_of(&reader.script, last),
                };
                printed = printed.take().zip(output).map(|(before, output)| before + &output);
            }
        });
        let Some(last) = self.script.commands.len().checked_sub(1).filter(|last| *last >= before) else {
            return vec![WordChar::Unknown];
        };
        let unseen = remote_exec::prints(&self.script, last);
        match (node.kind(), printed) {
            (_, None) if unseen => vec![WordChar::Unseen],
            ("process_substitution", Some(text)) => unquote::quoted(&self.virtual_file(text)),
            (_, Some(text)) => {
                let text = text.trim_end_matches('\n');
                match self.script.commands.get(last).map(crate::shell::model::Command::program) {
                    Some("pwd" | "mktemp" | "git" | "dirname" | "basename" | "realpath") => {
                        unquote::quoted(text)
                    }
                    _ => unquote::printed(text),
                }
            }
            (_, None) => vec![WordChar::Unknown],
        }
    }

    /// Reads the commands of every substitution below a node, and nothing else of it.
    pub(crate) fn substitutions(&mut self, node: Node, text: &str) {
        let mut found = Vec::new();
        let mut cursor = node.walk();
        let is_one = |node: Node| matches!(node.kind(), "command_substitution" | "process_substitution");
        'walk: loop {
            let here = cursor.node();
            if is_one(here) {
                found.push(here);
            } else if cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    break 'walk;
                }
            }
        }
        for substitution in found {
            self.substitution(substitution, text);
        }
    }
}
