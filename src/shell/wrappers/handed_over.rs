//! Files that a source deletes and does not name: the lines that come in, its arguments, or what is below folders that it
//! walks. They are read like a command that deletes them.

use crate::shell::model::{Command, EffectKind, ScriptLanguage, UNKNOWN, Word};
use crate::shell::parse::output;
use crate::shell::parse::reader::ScriptReader;
use crate::shell::wrappers::interpreter_code;
use crate::shell::wrappers::interpreter_code::calls::each_call;

/// How a source names the lines that come in.
const LINES: &[&str] = &[
    "stdin",
    "STDIN",
    "fileinput",
    "readFileSync(0",
    "/dev/stdin",
    "gets",
    "ARGF",
    "$<",
    "<>",
    "input()",
    "$_",
];
/// How a source names its arguments.
const ARGUMENTS: &[&str] = &["argv", "ARGV", "process.argv"];

impl ScriptReader {
    /// The command that deletes what a source deletes without naming it.
    pub(crate) fn deleted_unnamed(&mut self, command: &Command, language: ScriptLanguage, text: &str) {
        if let Some(words) = walked(language, text) {
            return self.run(Command { words, input: Default::default(), ..command.clone() });
        }
        if !deletes_unknown(language, text) {
            return;
        }
        let by_lines = language == ScriptLanguage::Perl || LINES.iter().any(|name| text.contains(name));
        let by_words = ARGUMENTS.iter().any(|name| text.contains(name));
        let own = command.words.iter().position(|word| word.text == text);
        let words = match own {
            Some(at) if by_words => command.words.get(at + 1..).map(<[Word]>::to_vec),
            _ if by_lines => output::words_from(&self.script, &command.input, true),
            _ => None,
        };
        let Some(words) = words.filter(|words| !words.is_empty()) else { return };
        let is_chosen = tests_each(text);
        let named = words.into_iter().map(|word| Word { partial: word.partial || is_chosen, ..word });
        let words = ["rm", "-f"].map(Word::literal).into_iter().chain(named).collect();
        self.run(Command { words, input: Default::default(), code: None, ..command.clone() });
    }
}

/// Whether a source deletes a file whose name it does not say.
fn deletes_unknown(language: ScriptLanguage, text: &str) -> bool {
    let is_unknown = |targets: &Option<Vec<(String, bool)>>| {
        targets.as_ref().is_none_or(|all| all.iter().any(|(name, _)| name.contains(UNKNOWN)))
    };
    let calls = interpreter_code::file_calls(language, text);
    let by_its_line = language == ScriptLanguage::Perl && text.contains("unlink");
    by_its_line || calls.iter().any(|call| call.kind == EffectKind::Delete && is_unknown(&call.targets))
}

/// Whether each line is asked for something before it is deleted, which can't be reckoned here.
fn tests_each(text: &str) -> bool {
    let mut words = text.split(|letter: char| !letter.is_alphanumeric());
    words.any(|word| matches!(word, "if" | "unless" | "filter" | "select" | "grep"))
}

/// `File::Find::find(sub { unlink }, "src")`: the same as `find src -delete`, of one ending where a pattern asks for it.
fn walked(language: ScriptLanguage, text: &str) -> Option<Vec<Word>> {
    (language == ScriptLanguage::Perl && (text.contains("unlink") || text.contains("rmdir"))).then_some(())?;
    let mut folders = Vec::new();
    each_call(language, text, |call| {
        if matches!(call.name.rsplit(['.', ':']).next(), Some("find" | "finddepth")) {
            let known = call.arguments.iter().flatten().flatten();
            folders.extend(known.filter(|(name, _)| !name.contains(UNKNOWN)).map(|(name, _)| name.clone()));
        }
    });
    (!folders.is_empty()).then_some(())?;
    let ending =
        text.split_once("/\\.").and_then(|(_, rest)| rest.split_once("$/")).map(|(ending, _)| ending);
    let ending = ending.filter(|it| it.bytes().all(|letter| letter.is_ascii_alphanumeric()));
    let tests = match ending {
        Some(ending) => vec!["-name".to_owned(), format!("*.{ending}")],
        None if text.contains("=~") || text.contains("m{") => return None,
        None => vec!["-mindepth".to_owned(), "1".to_owned()],
    };
    let words = std::iter::once("find".to_owned()).chain(folders).chain(tests).chain(["-delete".to_owned()]);
    Some(words.map(Word::literal).collect())
}
