//! Runners whose second word says that the rest is a command: `uv run`, `npm exec`, `direnv exec .`, `op run --`.

use crate::shell::model::Word;
use crate::shell::wrappers::peeled::PeeledCommand;
use crate::shell::wrappers::unwrap::prefixes::{inner, skip_options};

/// A program, its words by one of which the rest is a command, and how many words of its own stand between.
type CommandRunner = (&'static str, &'static [&'static str], usize);

static RUNNERS: &[CommandRunner] = &[
    ("uv", &["run"], 0),
    ("poetry", &["run"], 0),
    ("pipenv", &["run"], 0),
    ("pdm", &["run"], 0),
    ("rye", &["run"], 0),
    ("hatch", &["run"], 0),
    ("pixi", &["run"], 0),
    ("bundle", &["exec"], 0),
    ("pnpm", &["exec", "dlx"], 0),
    ("npm", &["exec", "x"], 0),
    ("yarn", &["exec", "dlx"], 0),
    ("bun", &["x"], 0),
    ("mise", &["exec", "x"], 0),
    ("asdf", &["exec"], 0),
    ("rbenv", &["exec"], 0),
    ("pyenv", &["exec"], 0),
    ("volta", &["run"], 0),
    ("conda", &["run"], 0),
    ("mamba", &["run"], 0),
    ("micromamba", &["run"], 0),
    ("direnv", &["exec"], 1),
    ("op", &["run"], 0),
    ("doppler", &["run"], 0),
    ("infisical", &["run"], 0),
    ("dotenvx", &["run"], 0),
    ("teller", &["run"], 0),
    ("devbox", &["run"], 0),
    ("aws-vault", &["exec"], 1),
    ("chamber", &["exec"], 1),
    ("heroku", &["local:run"], 0),
    ("dotenv", &["run"], 0),
];

/// Options of runners whose value is the next word.
const VALUED: &[&str] = &[
    "-n",
    "--with",
    "-p",
    "--python",
    "--package",
    "-c",
    "--config",
    "--env-file",
    "--project",
    "--env",
    "-e",
    "--path",
    "--account",
    "-f",
    "-w",
    "--workspace",
    "--prefix",
    "--name",
];

/// What a runner of the project's tools runs.
pub(crate) fn by_runner(program: &str, rest: &[Word]) -> Option<PeeledCommand> {
    let second = rest.first().map_or("", |word| word.text.as_str());
    let (_, _, operands) =
        RUNNERS.iter().find(|(name, words, _)| *name == program && words.contains(&second))?;
    let after = rest.get(1..).unwrap_or_default();
    // `npm exec -c text` is text for a shell.
    if matches!(program, "npm" | "pnpm")
        && after.iter().any(|word| matches!(word.text.as_str(), "-c" | "--call"))
    {
        return None;
    }
    let own = skip_options(after, VALUED);
    // `uv run x.py` and `uv run -` start the interpreter themselves.
    if program == "uv"
        && own.first().is_some_and(|word| {
            word.text == "-" || (word.text.ends_with(".py") && !word.text.contains("://"))
        })
    {
        let words = std::iter::once(Word::literal("python3")).chain(own.iter().cloned());
        return Some(inner(&words.collect::<Vec<_>>(), None));
    }
    Some(inner(skip_options(own.get(*operands..).unwrap_or_default(), &[]), None))
}
