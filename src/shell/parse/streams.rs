//! What a shell reads through descriptors: `read`, `exec {fd}<…`, coprocesses.

use crate::shell::model::{Command, CommandInput, UNSEEN, Word};
use crate::shell::parse::expansions::handed_marks;
use crate::shell::parse::marks::{WordChar, WordChars};
use crate::shell::parse::reader::ScriptReader;
use crate::shell::parse::{output, unquote};
use crate::shell::wrappers::remote_exec;

/// The most lines of which a variable may hold any.
const MOST_LINES: usize = 64;
/// The numbers that process substitutions have here begin after this one.
pub(crate) const FIRST_SUBSTITUTION: usize = 100;
/// The first number that a shell gives to a descriptor of its own choice.
const FIRST_FREE_DESCRIPTOR: usize = 10;

/// What a `read` or a `mapfile` asks for.
struct ReadBuiltin<'c> {
    /// Whether all lines go into an array.
    is_array: bool,
    /// Whether the fields of one line do.
    fields: bool,
    descriptor: Option<&'c Word>,
    names: Vec<&'c Word>,
}

impl<'c> ReadBuiltin<'c> {
    fn of(command: &'c Command) -> Self {
        let is_array = matches!(command.program(), "mapfile" | "readarray");
        let valued: &[char] = match is_array {
            true => &['u', 'd', 'n', 'O', 's', 'C', 'c'],
            false => &['u', 'd', 'n', 'N', 'p', 't', 'a', 'i'],
        };
        let mut reading = ReadBuiltin { is_array, fields: false, descriptor: None, names: Vec::new() };
        let mut words = command.words.get(1..).unwrap_or_default().iter();
        while let Some(word) = words.next() {
            match word.text.strip_prefix('-') {
                // `read -ra words`: the fields of the line.
                Some(letters) if letters.ends_with('a') && !is_array => {
                    reading.fields = true;
                    reading.names.extend(words.next());
                }
                Some(letters) if letters.ends_with(valued) => {
                    let value = words.next();
                    if letters.ends_with('u') {
                        reading.descriptor = value;
                    }
                }
                Some(_) => {}
                None => reading.names.push(word),
            }
        }
        reading
    }
}

impl ScriptReader {
    /// `read`, `mapfile`: the variables get lines of what comes in.
    pub(crate) fn read_variables(&mut self, command: &Command) {
        let ReadBuiltin { is_array, fields, descriptor, names } = ReadBuiltin::of(command);
        let is_fed = |input: &CommandInput| remote_exec::comes_in(&self.script, input);
        if is_fed(&command.input) || (command.input == CommandInput::None && is_fed(&self.group_input)) {
            return names
                .iter()
                .for_each(|name| self.set(name.text.clone(), Some(vec![vec![WordChar::Unseen]])));
        }
        let text = match descriptor {
            Some(number) => self.files.get(&self.descriptor(&number.text)).cloned(),
            None => output::text::text_from(&self.script, &command.input),
        };
        if let (Some(line), false, true) =
            (text.as_deref().and_then(|text| text.lines().next()), is_array, fields || names.len() > 1)
        {
            let separators = command.assignments.iter().find(|(name, _)| name == "IFS");
            let separators =
                separators.and_then(|(_, value)| value.clone()).unwrap_or_else(|| self.separators());
            return self.share_out(&names, line, &separators, fields);
        }
        let values = text.map(|text| match is_array {
            true => text.lines().map(unquote::quoted).collect(),
            false => vec![unquote::quoted(text.lines().next().unwrap_or_default())],
        });
        let of_group = || {
            // A line of what a group reads may be any of its lines.
            let is_shared = command.input == CommandInput::None && descriptor.is_none() && !is_array;
            is_shared.then(|| self.lines_of(&self.group_input)).flatten()
        };
        let of_array = || {
            let input = if command.input == CommandInput::None { &self.group_input } else { &command.input };
            is_array.then(|| self.lines_of(input)).flatten()
        };
        // Several names share the line between them: which gets what is not followed.
        let values = values.or_else(of_group).or_else(of_array).filter(|_| names.len() == 1);
        for name in names {
            self.set(name.text.clone(), values.clone());
        }
    }

    /// The lines of what comes in, where they are few.
    fn lines_of(&self, input: &CommandInput) -> Option<Vec<WordChars>> {
        let words = output::words_from(&self.script, input, true)?;
        (words.len() <= MOST_LINES).then(|| words.iter().map(handed_marks).collect())
    }

    /// Gives the fields of a line to names, the rest to the last; or all of them to one array.
    fn share_out(&mut self, names: &[&Word], line: &str, separators: &str, is_array: bool) {
        let splits = |letter: char| match separators.trim().is_empty() {
            true => matches!(letter, ' ' | '\t'),
            false => separators.contains(letter),
        };
        let fields: Vec<&str> = line.split(splits).filter(|field| !field.is_empty()).collect();
        if is_array {
            let values = fields.iter().map(|field| unquote::quoted(field)).collect();
            return names.iter().for_each(|name| self.set(name.text.clone(), Some(Vec::clone(&values))));
        }
        let last = names.len().saturating_sub(1);
        for (index, name) in names.iter().enumerate() {
            let field = match index == last {
                true => fields.get(index..).unwrap_or_default().join(" "),
                false => fields.get(index).copied().unwrap_or_default().to_owned(),
            };
            self.set(name.text.clone(), Some(vec![unquote::quoted(&field)]));
        }
    }

    /// `exec {fd}<<<'text'`: the descriptor's number goes into the variable.
    pub(crate) fn open_named(&mut self, operands: &[&Word], input: &CommandInput, written: Option<Word>) {
        let Some(name) = operands.first().map(|word| word.text.trim_matches(['{', '}']).to_owned()) else {
            return;
        };
        self.opened += 1;
        let number = (FIRST_FREE_DESCRIPTOR + self.opened).to_string();
        let path = self.descriptor(&number);
        let text = match remote_exec::comes_in(&self.script, input) {
            true => Some(UNSEEN.to_string()),
            false => output::sketch::sketch_from(&self.script, input),
        };
        self.files.remove(&path);
        self.files.extend(text.map(|text| (path, text)));
        self.outputs.extend(written.map(|target| (number.clone(), target)));
        self.set(name, Some(vec![unquote::quoted(&number)]));
    }

    /// Names what `>(…)` reads: whoever writes there feeds it.
    pub(crate) fn sink(&mut self, text: &str) -> String {
        self.opened += 1;
        let name = format!("/dev/fd/{}", FIRST_SUBSTITUTION + self.opened);
        self.sinks.insert(name.clone(), text.to_owned());
        name
    }

    /// The texts that a command feeds by `>(…)`, taken off its redirections: what it prints goes to them.
    pub(crate) fn sinks_of(&self, command: &mut Command) -> Vec<String> {
        if self.sinks.is_empty() {
            return Vec::new();
        }
        let named = command.words.iter().map(|word| &word.text);
        let redirected = command.redirects.iter().map(|redirect| &redirect.target.text);
        let texts = named.chain(redirected).filter_map(|name| self.sinks.get(name)).cloned().collect();
        command.redirects.retain(|redirect| !self.sinks.contains_key(&redirect.target.text));
        texts
    }

    /// Reads what the last command feeds.
    pub(crate) fn feed(&mut self, sinks: Vec<String>) {
        let Some(last) = self.script.commands.len().checked_sub(1) else { return };
        for text in sinks {
            self.isolated(|reader| reader.inner_text_with(&text, CommandInput::From(last)));
        }
    }

    /// `coproc NAME { commands`: what they print can be read from the descriptor `${NAME[0]}`.
    pub(crate) fn coprocess(&mut self, command: &Command) {
        let name = command.words.get(1).map(|word| word.text.clone()).unwrap_or_default();
        let before = self.script.commands.len();
        let words = command.words.get(3..).unwrap_or_default().to_vec();
        self.run(Command { words, ..command.clone() });
        let printed = self.script.commands.len().checked_sub(1).filter(|last| *last >= before);
        let is_unseen = printed.is_some_and(|last| remote_exec::prints(&self.script, last));
        self.set(name, is_unseen.then(|| vec![unquote::quoted(&UNSEEN.to_string())]));
    }
}
