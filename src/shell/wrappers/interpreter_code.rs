//! Source text of inline interpreters (`python -c`, `node -e`): the calls in it that delete, write or run shell text.
//!
//! A small reader of tokens, not of a language: strings and comments are never code, and an argument counts as known
//! only when it is a literal, a list of them, or a name that was given one before.

pub(crate) mod calls;
pub(crate) mod functions;
pub(crate) mod literals;
pub(crate) mod own_functions;
pub(crate) mod reads_only;
pub(crate) mod tokens;
pub(crate) mod unseen;
pub(crate) mod values;

use crate::shell::model::{EffectKind, Language};
use crate::shell::parse::unquote::in_quotes;
use crate::shell::wrappers::interpreter_code::calls::each_call;
use crate::shell::wrappers::interpreter_code::functions::{Does, METHODS};
pub(crate) use crate::shell::wrappers::interpreter_code::reads_only::only_reads;
use crate::shell::wrappers::interpreter_code::tokens::{Token, tokens};

use EffectKind::{Delete, Overwrite};
use Language::{Awk, Perl, Ruby};

/// A call that changes files.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FileCall {
    pub(crate) kind: EffectKind,
    /// The function as written.
    pub(crate) name: String,
    /// Each file: its name and whether it is a pattern. `None` when it isn't known.
    pub(crate) targets: Option<Vec<(String, bool)>>,
    pub(crate) recursive: bool,
    /// Whether it adds to what is there.
    pub(crate) append: bool,
}

/// The calls of a source that change files.
pub(crate) fn file_calls(language: Language, source: &str) -> Vec<FileCall> {
    let mut calls = Vec::new();
    each_call(language, source, |name, does, arguments, base| {
        let target = |index: usize| arguments.get(index).and_then(Clone::clone);
        let call = |kind, targets, recursive| FileCall {
            kind,
            name: name.to_owned(),
            targets,
            recursive,
            append: false,
        };
        match does {
            Some(Does::Files(kind, recursive)) if language == Perl || language == Ruby => {
                let all: Option<Vec<_>> = arguments.iter().cloned().collect();
                let all = all.map(|all| all.concat()).filter(|all| !all.is_empty());
                let first = if kind == Delete { all } else { target(0) };
                calls.push(call(kind, first, recursive));
            }
            Some(Does::Files(kind, recursive)) => calls.push(call(kind, target(0), recursive)),
            Some(Does::Pair(kind)) => {
                let pair = target(0).zip(target(1)).map(|(from, to)| [from, to].concat());
                calls.push(call(kind, pair, false));
            }
            Some(Does::Opens) => {
                let mode = target(1).and_then(|mode| mode.into_iter().next()).map(|(mode, _)| mode);
                match mode.and_then(|mode| mode.chars().next()) {
                    Some('w') => calls.push(call(Overwrite, target(0), false)),
                    Some('a') => calls.push(FileCall { append: true, ..call(Overwrite, target(0), false) }),
                    _ => {}
                }
            }
            Some(Does::Shell) => {}
            None => calls.extend(base.and_then(|base| method_call(name, base))),
        }
    });
    calls
}

/// `Path('x').unlink()`.
fn method_call(name: &str, base: &[(String, bool)]) -> Option<FileCall> {
    let method = name.rsplit(['.', ':']).next().unwrap_or_default();
    let (_, kind, recursive) = METHODS.iter().find(|(known, _, _)| *known == method)?;
    let targets = Some(base.to_vec());
    Some(FileCall { kind: *kind, name: name.to_owned(), targets, recursive: *recursive, append: false })
}

/// The shell texts that a source runs, where they are literal.
pub(crate) fn shell_texts(language: Language, source: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let tokens = tokens(language, source);
    texts.extend(tokens.iter().filter_map(|token| match token {
        Token::Shell(text) => Some(text.clone()),
        _ => None,
    }));
    if language == Awk {
        // `print | "command"`, `"command" | getline`, and `do shell script "command"`.
        texts.extend(tokens.windows(2).filter_map(|pair| match pair {
            [Token::Sign('|'), Token::Text(Some(text))] | [Token::Text(Some(text)), Token::Sign('|')] => {
                Some(text.clone())
            }
            [Token::Name(script), Token::Text(Some(text))] if script == "script" => Some(text.clone()),
            _ => None,
        }));
    }
    let own = own_functions::running(language, &tokens);
    each_call(language, source, |name, does, arguments, _| {
        let of_own = own.iter().find(|own| own.name == name);
        if of_own.is_none() && !matches!(does, Some(Does::Shell)) {
            return;
        }
        let words: Option<Vec<_>> = arguments.iter().take_while(|a| a.is_some()).cloned().collect();
        let leading = of_own.iter().flat_map(|own| own.leading.iter().cloned());
        let given = words.unwrap_or_default().concat().into_iter().map(|(word, _)| word);
        let words: Vec<String> = leading.chain(given).collect();
        match words.as_slice() {
            [] => {}
            [only] => texts.push(only.clone()),
            several => texts.push(several.iter().map(|word| in_quotes(word)).collect::<Vec<_>>().join(" ")),
        }
    });
    texts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::model::Language::{JavaScript, Php, Python};

    fn shown(language: Language, source: &str) -> String {
        let calls = file_calls(language, source);
        let one = |call: &FileCall| {
            let targets = call.targets.as_ref().map_or("?".to_owned(), |targets| {
                targets.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>().join(" ")
            });
            format!("{:?} {targets}", call.kind)
        };
        calls.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn calls_that_change_files_are_found_with_their_literals() {
        for (language, source, expected) in [
            (Python, "import os; os.remove('x')", "Delete x"),
            (Python, "import os\nfor f in ['a', 'b']:\n  os.unlink(f)", "Delete a b"),
            (Python, "import shutil; shutil.rmtree(\"src\")", "Delete src"),
            (Python, "from pathlib import Path; Path('x').unlink()", "Delete x"),
            (Python, "p = Path('x')\np.unlink()", "Delete x"),
            (Python, "import os; os.remove(os.path.join('a', 'b'))", "Delete a/b"),
            (Python, "import glob,os\nfor f in glob.glob('*.ts'): os.remove(f)", "Delete *.ts"),
            (Python, "for p in Path('src').rglob('*.ts'): p.unlink()", "Delete src/**/*.ts"),
            (Python, "[p.unlink() for p in Path('src').rglob('*')]", "Delete src/**/*"),
            (Python, "root = Path('src')\nfor p in root.iterdir():\n  p.unlink()", "Delete src/*"),
            (
                Python,
                "import os\nfor f in os.listdir('src'): os.remove(os.path.join('src', f))",
                "Delete src/*",
            ),
            (Python, "import os\nfor f in os.listdir('src'): os.remove('src/' + f)", "Delete src/*"),
            (
                Python,
                "import os\nfor r, d, fs in os.walk('src'):\n  for f in fs:\n    os.remove(os.path.join(r, f))",
                "Delete src/**/*",
            ),
            (Python, "open('f', 'w').write('')", "Overwrite f"),
            (Python, "os.remove(f'{x}')", "Delete ?"),
            (Python, "os.rename('a', 'b')", "Move a b"),
            (Python, "import shutil; shutil.rmtree('.ai' + 'wg')", "Delete .aiwg"),
            (Python, "p = '.cla' 'ude'; d = p + '/x'\nopen(d, 'w')", "Overwrite .claude/x"),
            (Python, "for f in glob.glob('a' + 'b/*'): os.remove(f)", "Delete ab/*"),
            (Python, "open('log', 'a').write('x')", "Overwrite log"),
            (JavaScript, "require('fs').rmSync('x', {recursive: true})", "Delete x"),
            (JavaScript, "const fs = require('fs'); fs.unlinkSync(\"x\")", "Delete x"),
            (JavaScript, "fs.promises.rm('x')", "Delete x"),
            (JavaScript, "fs.writeFileSync('a', 'b')", "Overwrite a"),
            (Perl, "unlink 'a', 'b';", "Delete a b"),
            (Perl, "unlink(\"a\")", "Delete a"),
            (Perl, "unlink glob \"src/*\"", "Delete src/*"),
            (Perl, "unlink glob('src/*')", "Delete src/*"),
            (Awk, "os.remove('src/a')", "Delete src/a"),
            (Ruby, "File.delete('x')", "Delete x"),
            (Ruby, "FileUtils.rm_rf 'x'", "Delete x"),
            (Php, "unlink('x');", "Delete x"),
        ] {
            assert_eq!(shown(language, source), expected, "{source}");
        }
    }

    #[test]
    fn strings_comments_and_readers_are_not_calls() {
        for (language, source) in [
            (Python, "print(\"os.remove('x')\")"),
            (Python, "# os.remove('x')"),
            (Python, "open('f').read()"),
            (Python, "items.remove('x')"),
            (Python, "import json,sys; print(json.load(sys.stdin)['a'])"),
            (JavaScript, "// fs.unlinkSync('x')\nconsole.log(1)"),
            (JavaScript, "console.log('fs.rmSync(1)')"),
        ] {
            assert_eq!(shown(language, source), "", "{source}");
        }
        assert!(only_reads(Python, "import json,sys; print(json.load(sys.stdin)['a'])"));
        assert!(!only_reads(Python, "import x; x.work()"));
    }

    #[test]
    fn shell_texts_are_found() {
        for (language, source, expected) in [
            (Python, "import os; os.system('rm -rf src')", "rm -rf src"),
            (Python, "subprocess.run(['rm', '-rf', 'src'])", "'rm' '-rf' 'src'"),
            (JavaScript, "require('child_process').execSync('rm x')", "rm x"),
            (Ruby, "`rm x`", "rm x"),
            (Perl, "system('rm', 'x')", "'rm' 'x'"),
            (Python, "sh = lambda c: subprocess.run(c, shell=True)\nsh('rm x')", "rm x"),
            (
                Python,
                "g = lambda *a: subprocess.run(['git', *a])\ng('clean', '-fdx')",
                "'git' 'clean' '-fdx'",
            ),
            (Python, "def sh(c):\n  return os.system(c)\nsh('rm x')", "rm x"),
            (JavaScript, "const sh = c => cp.execSync(c)\nsh('rm x')", "rm x"),
        ] {
            assert_eq!(shell_texts(language, source), [expected], "{source}");
        }
    }
}
