//! Source of an interpreter that runs the tests and does not ask how they have ended: it ends well whatever they say.

use crate::shell::effects::weakened_test_runs::is_test_run;
use crate::shell::model::{Command, ScriptLanguage, Word};
use crate::shell::wrappers::interpreter_code::shell_texts;

use ScriptLanguage::{JavaScript, Perl, Python, Ruby};

/// Whether a command is such a source.
pub(super) fn runs_tests(command: &Command) -> bool {
    let Some(code) = &command.code else { return false };
    let Some(source) = code.text.as_deref().filter(|text| !asks(code.language, text)) else { return false };
    let by_module = code.language == Python && source.contains("pytest.main(");
    by_module || shell_texts(code.language, source).iter().any(|text| starts_a_run(text))
}

/// Whether a text of the shell begins with a run of the tests.
fn starts_a_run(text: &str) -> bool {
    let own = text.rsplit("&&").next().unwrap_or(text);
    let words = own.split_whitespace().map(|word| Word::literal(word.trim_matches(['\'', '"']))).collect();
    is_test_run(&Command { words, ..Command::default() })
}

/// Whether a source looks at how what it starts has ended, or at what it prints.
fn asks(language: ScriptLanguage, source: &str) -> bool {
    let words: &[&str] = match language {
        Python => &[
            "returncode",
            "check=True",
            "check_call",
            "check_output",
            "CalledProcessError",
            "exit(os.",
            "exit(subprocess",
            "exit(pytest",
            "SystemExit(",
            "assert ",
            "communicate(",
            "stdout",
            "capture_output",
            "wait(",
            "poll(",
            "= os.",
            "=os.",
            "= subprocess",
            "=subprocess",
            "= pytest.main",
            "=pytest.main",
            "if os.",
            "if subprocess",
            "return os.",
            "return subprocess",
            "print(os.",
            "print(subprocess",
            "print(pytest",
            "exit(main",
        ],
        // What runs at once throws, unless somebody catches it and says nothing.
        JavaScript if source.contains("execSync") || source.contains("execFileSync") => {
            return !source.contains("catch") || !catches_in_silence(source);
        }
        JavaScript => {
            &[".status", "exitCode", "exit'", "exit\"", "close'", "close\"", "stdout", "error", "err", "= "]
        }
        Perl => &[
            "$?",
            "== 0",
            "or die",
            "exit(system",
            "exit system",
            "|| die",
            "&& ",
            "if system",
            "= system",
            "if (system",
        ],
        Ruby => &[
            "$?",
            "|| ",
            " or ",
            "exit(system",
            "exit system",
            "exception",
            "if system",
            "unless system",
            "&& ",
            "= system",
        ],
        _ => return true,
    };
    words.iter().any(|word| match *word {
        // What is sent to nowhere is not looked at.
        "stdout" => {
            source.match_indices("stdout").any(|(at, _)| !is_sent_away(source.get(at..).unwrap_or_default()))
        }
        word => source.contains(word),
    })
}

/// `stdout=subprocess.DEVNULL`, `stdout: 'ignore'`.
fn is_sent_away(rest: &str) -> bool {
    let given = rest.trim_start_matches("stdout").trim_start().strip_prefix(['=', ':']);
    let value = given.and_then(|rest| rest.split([',', ')', '}', ';']).next()).unwrap_or_default();
    value.trim().ends_with("DEVNULL") || value.contains("ignore")
}

/// `catch (e) {}`, or one that ends the process well.
fn catches_in_silence(source: &str) -> bool {
    let behind = source.split("catch").skip(1).filter_map(|rest| rest.split_once('{'));
    let mut bodies = behind.filter_map(|(_, rest)| rest.split('}').next()).map(str::trim);
    bodies.any(|body| body.is_empty() || body.contains("process.exit(0)"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::model::InterpreterCode;

    #[test]
    fn sources_that_ask_are_told_from_those_that_do_not() {
        for (language, source, expected) in [
            (Python, "import os, sys; os.system('pytest -q'); sys.exit(0)", true),
            (Python, "import subprocess; subprocess.run(['pytest', '-q'])", true),
            (Python, "import pytest; pytest.main(['-q'])", true),
            (Python, "import subprocess, sys; sys.exit(subprocess.call(['pytest']))", false),
            (Python, "import subprocess; subprocess.run(['pytest'], check=True)", false),
            (Python, "import os; rc = os.system('pytest'); print(rc)", false),
            (Python, "import pytest, sys; sys.exit(pytest.main(['-q']))", false),
            (Python, "import os; os.system('ls')", false),
            (Python, "import subprocess as s; s.run(['pytest'], stdout=s.DEVNULL, stderr=s.DEVNULL)", true),
            (Python, "import subprocess as s; r = s.run(['pytest'], stdout=s.PIPE); print(r.stdout)", false),
            (JavaScript, "try { require('child_process').execSync('npm test') } catch (e) {}", true),
            (JavaScript, "require('child_process').execSync('npm test')", false),
            (JavaScript, "require('child_process').spawnSync('npm', ['test']); process.exit(0)", true),
            (Perl, "system('prove -r t'); exit 0", true),
            (Perl, "exit(system('prove -r t') >> 8)", false),
            (Ruby, "system('rspec'); exit 0", true),
            (Ruby, "exit system('rspec')", false),
        ] {
            let code = InterpreterCode { language, text: Some(source.to_owned()), unseen: None };
            let command = Command { code: Some(code), ..Command::default() };
            assert_eq!(runs_tests(&command), expected, "{source}");
        }
    }
}
