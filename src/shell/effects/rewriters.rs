//! Programs that write files anew which their words name: formatters, converters of pictures and sound, statements that
//! copy a table to a file. Told of here only what lies outside of the folder where they run: inside of it they are at home.

use crate::shell::model::{Command, Effect, EffectKind, Word};

/// Which operands a program writes.
#[derive(Clone, Copy, PartialEq)]
enum Written {
    /// All of them are formatted where they are.
    All,
    /// The last one is made of the others.
    Last,
}

/// A program, the options of which one must be given (none: it always writes), the options with which it only looks, and
/// the operands that it writes.
type Rewriter = (&'static [&'static str], &'static [&'static str], &'static [&'static str], Written);

static REWRITERS: &[Rewriter] = &[
    (
        &["black", "isort", "docformatter", "nbstripout"],
        &[],
        &["--check", "--diff", "-c", "--check-only"],
        Written::All,
    ),
    (&["autopep8", "yapf", "clang-format"], &["-i", "--in-place"], &["-d", "--diff", "-n"], Written::All),
    (&["prettier", "biome", "dprint"], &["--write", "-w", "--fix"], &["--check", "-c"], Written::All),
    (
        &["eslint", "stylelint", "standard", "oxlint", "markdownlint"],
        &["--fix", "-f"],
        &["--fix-dry-run"],
        Written::All,
    ),
    (&["gofmt", "goimports", "gofumpt", "shfmt"], &["-w"], &["-d", "-l"], Written::All),
    (
        &["rustfmt", "stylua", "dos2unix", "unix2dos", "swiftformat", "ktlint"],
        &[],
        &["--check", "-i", "--lint"],
        Written::All,
    ),
    (&["rubocop", "standardrb"], &["-A", "-a", "--autocorrect", "--autocorrect-all"], &[], Written::All),
    (&["ruff"], &["format", "--fix"], &["--check", "--diff"], Written::All),
    (&["php-cs-fixer", "phpcbf", "pint"], &[], &["--dry-run", "--test"], Written::All),
    (&["exiftool"], &["-overwrite_original", "-overwrite_original_in_place"], &[], Written::All),
    (&["mogrify", "optipng", "jpegoptim"], &[], &["-path", "-simulate", "--noaction"], Written::All),
    (&["jupyter"], &["--inplace"], &[], Written::All),
    (&["ffmpeg"], &["-y"], &[], Written::Last),
    (&["convert", "magick", "gs"], &[], &[], Written::Last),
];

/// The files elsewhere that a command writes anew.
pub(crate) fn effect(command: &Command) -> Option<Effect> {
    let program = command.program();
    let (_, needs, looks, written) = REWRITERS.iter().find(|(names, ..)| names.contains(&program))?;
    let words = command.words.get(1..)?;
    let has = |options: &[&str]| words.iter().any(|word| options.contains(&word.text.as_str()));
    if (!needs.is_empty() && !has(needs)) || has(looks) {
        return None;
    }
    let operands: Vec<&Word> =
        words.iter().filter(|word| word.known && !word.text.starts_with('-')).collect();
    let named: Vec<&Word> = match written {
        Written::All => operands,
        Written::Last => operands.last().copied().into_iter().collect(),
    };
    let away: Vec<Word> = named.into_iter().filter(|word| is_away(command, word)).map(whole).collect();
    (!away.is_empty())
        .then(|| Effect::of(EffectKind::EditInPlace, command, program, &away, command.directory.as_deref()))
}

/// Whether a path leads out of the folder where the command runs.
fn is_away(command: &Command, word: &Word) -> bool {
    let is_inside = command
        .directory
        .as_deref()
        .is_some_and(|here| word.text.starts_with('/') && std::path::Path::new(&word.text).starts_with(here));
    word.text.starts_with(['/', '~']) && !is_inside
}

/// A folder means all that is in it.
fn whole(word: &Word) -> Word {
    let name = word.text.rsplit('/').next().unwrap_or_default();
    let is_file = name.trim_start_matches('.').contains('.') || word.glob;
    Word { below: word.below || !is_file, ..word.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_elsewhere_is_told_from_what_is_only_looked_at() {
        for (line, expected) in [
            ("black /home/ada/other/src", &["/home/ada/other/src"][..]),
            ("black --check /home/ada/other/src", &[]),
            ("black src", &[]),
            ("prettier --write /home/ada/notes.md", &["/home/ada/notes.md"]),
            ("prettier /home/ada/notes.md", &[]),
            ("gofmt -l /home/ada/x.go", &[]),
            ("ffmpeg -y -i a.mp4 /home/ada/b.mp4", &["/home/ada/b.mp4"]),
            ("convert /home/ada/a.png b.png", &[]),
        ] {
            let words = line.split(' ').map(Word::literal).collect();
            let command = Command { words, directory: Some("/p".into()), ..Command::default() };
            let found = effect(&command);
            let targets: Vec<&str> =
                found.iter().flat_map(|effect| effect.targets.iter().map(|it| it.text.as_str())).collect();
            assert_eq!(targets, expected, "{line}");
        }
    }
}
