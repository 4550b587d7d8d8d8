//! Programs of frameworks that run source text out of their words: `rails runner`, `manage.py shell -c`.

use crate::shell::model::{Command, ScriptLanguage, Word, program_name};
use crate::shell::wrappers::peeled::PeeledCommand;

/// The programs, the word behind which source stands, the options that hold it (none: it is the next word), and its
/// language.
type FrameworkRunner =
    (&'static [&'static str], &'static [&'static str], &'static [&'static str], ScriptLanguage);

static RUNNERS: &[FrameworkRunner] = &[
    (&["rails"], &["runner", "r"], &[], ScriptLanguage::Ruby),
    (&["manage.py", "django-admin"], &["shell", "shell_plus"], &["-c", "--command"], ScriptLanguage::Python),
    (&["artisan"], &["tinker"], &["--execute"], ScriptLanguage::Php),
    (&["mix"], &["run"], &["-e", "--eval"], ScriptLanguage::Awk),
];

/// The source that a framework's program is told to run.
pub(crate) fn source(command: &Command) -> Option<PeeledCommand> {
    // An interpreter before the program: `python manage.py shell`, `php artisan tinker`.
    let at = command.words.iter().take(2).position(|word| {
        let name = program_name(&word.text);
        RUNNERS.iter().any(|(programs, ..)| programs.contains(&name))
    })?;
    let name = program_name(&command.words.get(at)?.text);
    let verb = command.words.get(at + 1)?.text.as_str();
    let (_, _, options, language) =
        RUNNERS.iter().find(|(programs, verbs, ..)| programs.contains(&name) && verbs.contains(&verb))?;
    let rest = command.words.get(at + 2..)?;
    let text = match options {
        [] => rest.iter().find(|word| !word.text.starts_with('-'))?.text.clone(),
        options => given(rest, options)?,
    };
    let is_file = options.is_empty() && (text.ends_with(".rb") || !text.contains([' ', '.', '(']));
    (!is_file).then_some(PeeledCommand::Code { language: *language, text: Some(text) })
}

fn given(rest: &[Word], options: &[&str]) -> Option<String> {
    let glued = rest.iter().find_map(|word| {
        options.iter().find_map(|option| word.text.strip_prefix(option)?.strip_prefix('=').map(str::to_owned))
    });
    let at = || rest.iter().position(|word| options.contains(&word.text.as_str()));
    glued.or_else(|| Some(rest.get(at()? + 1)?.text.clone()))
}
