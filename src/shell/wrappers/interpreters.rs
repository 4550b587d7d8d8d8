//! Shells and interpreters: which of their words is source text, and in which language.

use crate::shell::model::{CommandInput, ScriptLanguage, Word};
use crate::shell::wrappers::peeled::{PeeledCommand, shell_text};

const SHELLS: &[&str] = &[
    "bash", "sh", "zsh", "dash", "ksh", "ash", "fish", "mksh", "yash", "rbash", "pdksh", "ksh93", "csh",
    "tcsh",
];

struct Interpreter {
    names: &'static [&'static str],
    language: ScriptLanguage,
    /// Options whose value is source text; for single letters also at the end of a cluster (`-ne`).
    code: &'static [&'static str],
    valued: &'static [&'static str],
}

static INTERPRETERS: &[Interpreter] = &[
    Interpreter {
        names: &["python", "python2", "python3", "pypy", "pypy3", "py", "ipython", "ipython3"],
        language: ScriptLanguage::Python,
        code: &["-c"],
        valued: &["-W", "-X"],
    },
    Interpreter {
        names: &["node", "nodejs", "bun", "deno", "tsx", "ts-node"],
        language: ScriptLanguage::JavaScript,
        code: &["-e", "--eval", "-p", "--print", "eval"],
        valued: &["-r", "--require", "--import", "--loader", "--input-type", "--conditions", "-C"],
    },
    Interpreter { names: &["perl"], language: ScriptLanguage::Perl, code: &["-e", "-E"], valued: &["-I"] },
    Interpreter {
        names: &["ruby"],
        language: ScriptLanguage::Ruby,
        code: &["-e"],
        valued: &["-I", "-r", "-C"],
    },
    Interpreter { names: &["lua", "luajit"], language: ScriptLanguage::Awk, code: &["-e"], valued: &["-l"] },
    Interpreter {
        names: &["Rscript", "R", "julia", "elixir", "groovy"],
        language: ScriptLanguage::Awk,
        code: &["-e", "--eval"],
        valued: &[],
    },
    Interpreter { names: &["php"], language: ScriptLanguage::Php, code: &["-r"], valued: &["-d", "-c"] },
];

/// Letters of an interpreter of which the rest of the word is the value.
const VALUED_LETTERS: &[(ScriptLanguage, &[char])] = &[
    (ScriptLanguage::Python, &['W', 'X', 'm', 'Q']),
    (ScriptLanguage::Perl, &['I', 'm', 'M', 'x', 'F', 'C', 'D']),
    (ScriptLanguage::Ruby, &['I', 'r', 'C', 'E', 'K', 'T', 'W', 'x', 'F']),
    (ScriptLanguage::Php, &['d', 'c', 'z', 'S', 't']),
];

/// Words of interpreters behind which the source, or its file, stands.
const RUN_WORDS: &[&str] = &["run", "exec", "eval"];

/// Whether a program is a shell.
pub(crate) fn is_shell(program: &str) -> bool {
    SHELLS.contains(&program)
}

/// The language of an interpreter.
pub(crate) fn language(program: &str) -> Option<ScriptLanguage> {
    let base = program.split_once('.').map_or(program, |(name, _)| name);
    INTERPRETERS.iter().find(|it| it.names.contains(&base)).map(|it| it.language)
}

/// What a shell's words make it run.
pub(crate) fn shell(rest: &[Word], input: &CommandInput) -> PeeledCommand {
    let mut index = 0;
    let mut is_code = false;
    let mut only_reads = false;
    let mut from_input = false;
    while let Some(word) = rest.get(index) {
        let text = word.text.as_str();
        match text.strip_prefix('-').or_else(|| text.strip_prefix('+')) {
            Some(long) if long.starts_with('-') && long.len() > 1 => {
                index += usize::from(matches!(text, "--rcfile" | "--init-file"));
            }
            Some(letters) if !letters.is_empty() && letters != "-" => {
                // -n reads the text and runs nothing; +n takes that back.
                if letters.contains('n') {
                    only_reads = text.starts_with('-');
                }
                from_input |= letters.contains('s') && text.starts_with('-');
                is_code |= letters.contains('c') && text.starts_with('-');
                index += usize::from(letters.ends_with('o') || letters.ends_with('O'));
            }
            _ => break,
        }
        index += 1;
    }
    if only_reads {
        return PeeledCommand::Plain;
    }
    let operands = rest.get(index..).unwrap_or_default();
    let operands = if operands.first().is_some_and(|word| word.text == "--") {
        operands.get(1..).unwrap_or_default()
    } else {
        operands
    };
    match operands.split_first() {
        Some((text, arguments)) if is_code => {
            shell_text(text, arguments.get(1..).unwrap_or_default().to_vec())
        }
        Some((path, arguments)) if path.text != "-" && !from_input => {
            PeeledCommand::ShellFile { path: path.clone(), arguments: arguments.to_vec() }
        }
        _ if *input == CommandInput::None => PeeledCommand::Plain,
        _ => {
            let operands = operands.iter().filter(|word| from_input || word.text != "-");
            PeeledCommand::ShellInput { arguments: operands.cloned().collect() }
        }
    }
}

/// What an interpreter's words make it run.
pub(crate) fn source(program: &str, rest: &[Word], input: &CommandInput) -> PeeledCommand {
    let base = program.split_once('.').map_or(program, |(name, _)| name);
    let Some(interpreter) = INTERPRETERS.iter().find(|interpreter| interpreter.names.contains(&base)) else {
        return PeeledCommand::Plain;
    };
    let language = interpreter.language;
    let mut index = 0;
    while let Some(word) = rest.get(index) {
        let text = word.text.as_str();
        if let Some(code) = code_option(interpreter, text) {
            let source = match code {
                "" => rest.get(index + 1).map(|source| source.text.clone()),
                glued => Some(glued.to_owned()),
            };
            return PeeledCommand::Code { language, text: source };
        }
        match text {
            "-" => return PeeledCommand::CodeInput { language },
            "-m" if language == ScriptLanguage::Python => return PeeledCommand::Plain,
            // `deno run x.ts`, `bun run x`: a file, or a script of the project.
            run if index == 0 && matches!(base, "deno" | "bun") && RUN_WORDS.contains(&run) => index += 1,
            "/dev/stdin" => return PeeledCommand::CodeInput { language },
            _ if interpreter.valued.contains(&text) => index += 2,
            _ if text.starts_with('-') => index += 1,
            _ => return PeeledCommand::CodeFile { language, path: word.clone() },
        }
    }
    if *input == CommandInput::None { PeeledCommand::Plain } else { PeeledCommand::CodeInput { language } }
}

/// The source glued to a code option, empty when it is the next word; `None` for another option.
fn code_option<'t>(interpreter: &Interpreter, text: &'t str) -> Option<&'t str> {
    for option in interpreter.code {
        if text == *option {
            return Some("");
        }
        if option.starts_with("--")
            && let Some(glued) = text.strip_prefix(option).and_then(|rest| rest.strip_prefix('='))
        {
            return Some(glued);
        }
    }
    if interpreter.language != ScriptLanguage::JavaScript
        && let Some(glued) = interpreter.code.iter().find_map(|option| text.strip_prefix(option))
        && interpreter.code.iter().all(|option| option.len() == 2)
    {
        return Some(glued);
    }
    // `-ne` and `-pe` of perl and ruby, `-pe` of node, `-Ic` of python.
    let letters = text.strip_prefix('-').filter(|letters| !letters.starts_with('-'))?;
    // The rest of a word is the value of such a letter: `-rpathname` has no `e`.
    if let Some(valued) = VALUED_LETTERS.iter().find(|(language, _)| *language == interpreter.language)
        && letters.contains(valued.1)
    {
        return None;
    }
    let ends_in_code = interpreter.code.iter().filter_map(|option| option.strip_prefix('-')).any(|letter| {
        letter.len() == 1 && letters.len() > 1 && letters.ends_with(letter) && !letters.contains('=')
    });
    ends_in_code.then_some("")
}
