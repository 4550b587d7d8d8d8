//! Source text of inline interpreters (`python -c`, `node -e`): the calls in it that delete, write or run shell text.
//!
//! A small reader of tokens, not of a language: strings and comments are never code, and an argument counts as known
//! only when it is a literal, a list of them, or a name that was given one before.

pub(crate) mod calls;
pub(crate) mod functions;
mod known;
pub(crate) mod literals;
pub(crate) mod names;
pub(crate) mod own_functions;
mod quotes;
pub(crate) mod reads_only;
mod running;
mod token;
pub(crate) mod tokens;
pub(crate) mod unseen;
pub(crate) mod values;
mod vocabulary;

use crate::shell::model::{EffectKind, PATTERN_SIGNS, ScriptLanguage, UNKNOWN};
use crate::shell::wrappers::interpreter_code::calls::{SourceCall, each_call, joined};
use crate::shell::wrappers::interpreter_code::functions::{FunctionEffect, METHODS, MOVING};
use crate::shell::wrappers::interpreter_code::literals::Literals;
pub(crate) use crate::shell::wrappers::interpreter_code::reads_only::only_reads;
pub(crate) use crate::shell::wrappers::interpreter_code::running::shell_texts;
use crate::shell::wrappers::interpreter_code::tokens::SourceToken;

use EffectKind::{Delete, Move, Overwrite, Truncate};
use ScriptLanguage::{Perl, Ruby};

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
pub(crate) fn file_calls(language: ScriptLanguage, source: &str) -> Vec<FileCall> {
    let mut calls = Vec::new();
    each_call(language, source, |call| calls.extend(file_call(language, call)));
    calls
}

/// What a call does to files.
fn file_call(language: ScriptLanguage, call: &SourceCall) -> Option<FileCall> {
    let target = |index: usize| call.arguments.get(index).and_then(Clone::clone);
    let found = |kind, targets, recursive| {
        let targets = known_files(kind, targets, call.folder);
        Some(FileCall { kind, name: call.name.to_owned(), targets, recursive, append: false })
    };
    match call.does {
        Some(FunctionEffect::Files(kind, recursive)) if language == Perl || language == Ruby => {
            let all: Option<Vec<_>> = call.arguments.iter().cloned().collect();
            let all = all.map(|all| all.concat()).filter(|all| !all.is_empty());
            found(kind, if kind == Delete { all } else { target(0) }, recursive)
        }
        Some(FunctionEffect::Files(kind, recursive)) => found(kind, target(0), recursive),
        Some(FunctionEffect::Writes) => {
            let empties = target(1).is_some_and(|text| is_empty_text(&text));
            found(if empties { Truncate } else { Overwrite }, target(0), false)
        }
        Some(FunctionEffect::Pair(kind)) => {
            // Where a file goes may not be known; that it goes is.
            let to = target(1).or_else(|| (kind == Move).then(|| vec![(UNKNOWN.to_string(), false)]));
            let pair = target(0).zip(to).map(|(from, to)| [from, to].concat());
            found(kind, pair, false)
        }
        Some(FunctionEffect::Adds) => {
            found(Overwrite, target(0), false).map(|it| FileCall { append: true, ..it })
        }
        Some(FunctionEffect::Opens) => opened(language, call),
        Some(FunctionEffect::Shell) => None,
        None => method_call(call),
    }
}

fn is_empty_text(text: &ArgumentValues) -> bool {
    matches!(text, [(text, false)] if text.is_empty())
}

/// The values of one argument.
type ArgumentValues = [(String, bool)];

/// A file that is opened, where its mode says that it is written.
fn opened(language: ScriptLanguage, call: &SourceCall) -> Option<FileCall> {
    let argument = |index: usize| call.arguments.get(index).and_then(|it| it.as_deref());
    let text = |index: usize| argument(index).and_then(|it| it.first()).map(|(text, _)| text.as_str());
    let is_mode = |text: &&str| {
        matches!(text.bytes().next(), Some(b'w' | b'a' | b'r' | b'x' | b'>' | b'+')) && text.len() < 12
    };
    // Of a path the mode is the first argument; Perl has it before the file, after its name for it.
    let (mode, file) = match (call.base, language) {
        (Some(base), _) => (text(0), Some(base.to_vec())),
        (None, Perl) => (text(1), argument(2).map(<[_]>::to_vec)),
        (None, _) => (text(1), argument(0).map(<[_]>::to_vec)),
    };
    let mode = mode.filter(is_mode)?;
    // What is closed at once is empty.
    let is_closed = matches!(call.behind.first(), Some(SourceToken::Name(name)) if name == "().close");
    let (kind, append) = match mode.trim_start().as_bytes() {
        [b'>', b'>', ..] | [b'a', ..] => (Overwrite, true),
        [b'w' | b'>', ..] if is_closed => (Truncate, false),
        [b'w' | b'>', ..] => (Overwrite, false),
        _ => return None,
    };
    let targets = known_files(kind, file, call.folder);
    Some(FileCall { kind, name: call.name.to_owned(), targets, recursive: false, append })
}

/// The files of a call, seen from where the process stands. `None` when one of them isn't known. Of what is deleted
/// outside, the folder is enough: whatever the name is, a file of it goes.
fn known_files(kind: EffectKind, targets: Literals, folder: Option<&str>) -> Literals {
    let any = PATTERN_SIGNS.iter().find(|(_, sign)| *sign == '*').map_or('*', |(private, _)| *private);
    let known = targets?.into_iter().map(|(text, glob)| {
        let text = folder.map_or(text.clone(), |folder| joined(folder, &text));
        if !text.contains(UNKNOWN) || kind == Move {
            return Some((text, glob));
        }
        let outside = kind == Delete
            && text.starts_with(['/', '~', '.'])
            && (text.starts_with(['/', '~']) || text.starts_with(".."))
            && text.split(UNKNOWN).next().is_some_and(|before| before.len() > 1 && before.ends_with('/'));
        outside.then(|| (text.replace(UNKNOWN, &any.to_string()).replace(any, "*"), true))
    });
    known.collect()
}

/// `Path('x').unlink()`, `Path('x').rename('y')`.
fn method_call(call: &SourceCall) -> Option<FileCall> {
    let base = call.base?;
    let method = call.name.rsplit(['.', ':']).next().unwrap_or_default();
    let found = |kind, targets, recursive| {
        let targets = known_files(kind, Some(targets), call.folder);
        Some(FileCall { kind, name: call.name.to_owned(), targets, recursive, append: false })
    };
    if MOVING.contains(&method) && call.arguments.len() == 1 {
        let to =
            call.arguments.first().cloned().flatten().unwrap_or_else(|| vec![(UNKNOWN.to_string(), false)]);
        return found(Move, [base.to_vec(), to].concat(), false);
    }
    let (_, kind, recursive) = METHODS.iter().find(|(known, _, _)| *known == method)?;
    let empties = call.arguments.first().is_some_and(|text| text.as_deref().is_some_and(is_empty_text));
    let kind = if *kind == Overwrite && empties { Truncate } else { *kind };
    found(kind, base.to_vec(), *recursive)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::model::ScriptLanguage::{Awk, JavaScript, Php, Python};

    fn shown(language: ScriptLanguage, source: &str) -> String {
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
            // The elements of a list by a text between them, and the parts of a path.
            (JavaScript, "require('fs').unlinkSync(['a', 'x'].join('/'))", "Delete a/x"),
            (JavaScript, "const p = ['a', 'x']; require('fs').unlinkSync(p.join('/'))", "Delete a/x"),
            (
                JavaScript,
                "const path = require('path'); require('fs').unlinkSync(['a', 'x'].join(path.sep))",
                "Delete a/x",
            ),
            (JavaScript, "require('fs').unlinkSync(['a', 'x'].join('-'))", "Delete a-x"),
            (JavaScript, "require('fs').unlinkSync(require('path').join('a', 'x'))", "Delete a/x"),
            (Ruby, "File.delete(['a', 'x'].join('/'))", "Delete a/x"),
            (Python, "import os; os.remove(os.sep.join(['a', 'x']))", "Delete a/x"),
            (JavaScript, "fs.promises.rm('x')", "Delete x"),
            (JavaScript, "fs.writeFileSync('a', 'b')", "Overwrite a"),
            (Perl, "unlink 'a', 'b';", "Delete a b"),
            (Perl, "unlink(\"a\")", "Delete a"),
            (Perl, "unlink glob \"src/*\"", "Delete src/*"),
            (Perl, "unlink glob('src/*')", "Delete src/*"),
            (Python, "from shutil import rmtree as r\nr('src')", "Delete src"),
            (Python, "import shutil, pathlib\nshutil.rmtree(pathlib.Path.cwd() / 'src')", "Delete ./src"),
            (Python, "os.chdir('..'); shutil.rmtree('other')", "Delete ../other"),
            (Python, "def wipe(p):\n  shutil.rmtree(p)\nfor d in ['a', 'b']: wipe(d)", "Delete a b"),
            (Python, "os.remove(os.path.expanduser('~') + '/' + name)", "Delete ~/*"),
            (Python, "os.remove('src/' + name)", "Delete ?"),
            (Python, "open(p, 'w').close() if 0 else open('a', 'w').close()", "Truncate ?, Truncate a"),
            (Python, "Path('a').write_text('')", "Truncate a"),
            (Python, "exec(\"import os; os.remove('a')\")", "Delete a"),
            (Python, "list(map(os.remove, ['a', 'b']))", "Delete a b"),
            (Python, "h = os.environ.get('HOME') or '/root'\nshutil.rmtree(h + '/x')", "Delete ~/x"),
            (Python, "Path('a').open('w')", "Overwrite a"),
            (JavaScript, "const { rmSync } = require('fs'); ['a'].forEach(d => rmSync(d))", "Delete a"),
            (JavaScript, "['a', 'b'].forEach(fs.unlinkSync)", "Delete a b"),
            (JavaScript, "fs.writeFileSync('a', '')", "Truncate a"),
            (JavaScript, "fs.rmSync(new URL('a/', 'file://' + process.cwd() + '/'))", "Delete .//a/"),
            (Perl, "unlink $_ for glob('src/*')", "Delete src/*"),
            (Perl, "for my $f ('a', 'b') { unlink $f }", "Delete a b"),
            (Perl, "open(my $h, '>', 'a')", "Overwrite a"),
            (Perl, "unlink qw(a b)", "Delete a b"),
            (Ruby, "Pathname.new('a').rmtree", "Delete a"),
            (Ruby, "File.open('a', 'w') { |f| f.puts 1 }", "Overwrite a"),
            (Ruby, "Dir.glob('src/*') { |f| File.delete(f) }", "Delete src/*"),
            (Php, "array_map('unlink', glob('src/*'));", "Delete src/*"),
            (Php, "foreach (glob('src/*') as $f) unlink($f);", "Delete src/*"),
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
            (Python, "from subprocess import run as r\nr('rm x'.split())", "rm x"),
            (Python, "c = ['git', 'clean']\nc += ['-fd']\nsubprocess.run(c)", "'git' 'clean' '-fd'"),
            (Python, "subprocess.run(['rm', 'x'], cwd='..')", "cd '..' && 'rm' 'x'"),
            (Python, "os.chdir('sub')\nos.system('rm x')", "cd 'sub' && rm x"),
            (Python, "getattr(os, 'sys' + 'tem')('rm x')", "rm x"),
            (JavaScript, "const { exec } = require('child_process'); exec('rm x')", "rm x"),
            (JavaScript, "await $`rm ${'x'}`", "rm x"),
            (JavaScript, "new Deno.Command('git', { args: ['clean', '-fd'] })", "'git' 'clean' '-fd'"),
            (Perl, "exec qw(rm x)", "'rm' 'x'"),
            (Perl, "my $d = 'x'; `rm $d`", "rm x"),
            (Ruby, "system(*%w[rm x])", "'rm' 'x'"),
            (Ruby, "IO.popen(['rm', 'x'])", "'rm' 'x'"),
        ] {
            let texts = shell_texts(language, source);
            assert_eq!(texts.last().map(String::as_str), Some(expected), "{source}");
        }
    }
}
