//! Programs that pack, copy or send files and then take the originals away: a table of words.

use crate::shell::effects::programs::operands::SplitWords;
use crate::shell::model::{Command, Effect, EffectKind, Target, Word, resolve};

/// Which operands are taken away.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sources {
    All,
    /// All but the first, which is the archive.
    AfterFirst,
    /// All but the last, which is where they go.
    BeforeLast,
}

/// A program that can take its sources away.
struct Packer {
    names: &'static [&'static str],
    /// Words that must come first, one row of them; none means always.
    verbs: &'static [&'static [&'static str]],
    /// Options with which the sources go; none means always.
    removes: &'static [&'static str],
    /// Options with which they stay all the same.
    keeps: &'static [&'static str],
    /// Options whose value is the next word.
    valued: &'static [&'static str],
    sources: Sources,
}

const TRIES: &[&str] = &["n", "--dry-run", "--list-only"];
/// What a compressor does besides compressing a file in its place.
const STAYS: &[&str] = &["k", "--keep", "c", "--stdout", "--to-stdout", "d", "--decompress", "--uncompress"];
const LOOKS: &[&str] = &["t", "--test", "l", "--list"];

static PACKERS: &[Packer] = &[
    Packer {
        names: &["zip"],
        verbs: &[],
        removes: &["m", "--move"],
        keeps: &["--show-files", "--show-command"],
        valued: &["-t", "-tt", "-b", "-n", "-P", "-s", "-O", "--out", "-x", "-i"],
        sources: Sources::AfterFirst,
    },
    Packer {
        names: &["7z", "7za", "7zr", "7zz"],
        verbs: &[&["a"], &["u"]],
        removes: &["-sdel"],
        keeps: &[],
        valued: &[],
        sources: Sources::AfterFirst,
    },
    Packer {
        names: &["rar"],
        verbs: &[&["a"], &["u"]],
        removes: &["-df", "-dr", "-dw"],
        keeps: &[],
        valued: &[],
        sources: Sources::AfterFirst,
    },
    Packer {
        names: &["rar", "lha", "arj"],
        verbs: &[&["m"], &["mf"]],
        removes: &[],
        keeps: &[],
        valued: &[],
        sources: Sources::AfterFirst,
    },
    Packer {
        names: &["rsync"],
        verbs: &[],
        removes: &["--remove-source-files", "--remove-sent-files"],
        keeps: TRIES,
        valued: &["-e", "--exclude", "--include", "-f", "--filter"],
        sources: Sources::BeforeLast,
    },
    Packer {
        names: &["rclone"],
        verbs: &[&["move"], &["moveto"]],
        removes: &[],
        keeps: TRIES,
        valued: &["--exclude", "--include", "--filter", "--config"],
        sources: Sources::BeforeLast,
    },
    Packer {
        names: &["aws"],
        verbs: &[&["s3", "mv"]],
        removes: &[],
        keeps: &["--dryrun"],
        valued: &["--profile", "--region", "--exclude", "--include", "--acl"],
        sources: Sources::BeforeLast,
    },
    Packer {
        names: &["gsutil", "gcloud"],
        verbs: &[&["mv"], &["storage", "mv"]],
        removes: &[],
        keeps: &[],
        valued: &[],
        sources: Sources::BeforeLast,
    },
    Packer {
        names: &["gzip", "pigz", "bzip2", "pbzip2", "lbzip2", "xz", "lzma", "lzip", "compress"],
        verbs: &[],
        removes: &[],
        keeps: STAYS,
        valued: &["-S", "--suffix"],
        sources: Sources::All,
    },
    Packer {
        names: &["zstd", "lz4", "brotli"],
        verbs: &[],
        removes: &["--rm", "-j"],
        keeps: &["c", "--stdout", "d", "--decompress"],
        valued: &["-o", "-D"],
        sources: Sources::All,
    },
];

/// The files that a packing program takes away.
pub(crate) fn effect(command: &Command) -> Option<Effect> {
    if matches!(command.program(), "tar" | "gtar" | "bsdtar") {
        return taken_by_tar(command);
    }
    let named = PACKERS.iter().filter(|packer| packer.names.contains(&command.program()));
    named.filter_map(|packer| taken(command, packer)).next()
}

fn taken(command: &Command, packer: &Packer) -> Option<Effect> {
    let arguments = SplitWords::of(command, packer.valued);
    let is_given = |names: &[&str]| {
        let (words, names): (Vec<&str>, Vec<&str>) =
            names.iter().partition(|name| name.starts_with('-') && !name.starts_with("--"));
        arguments.options.iter().any(|option| words.contains(option)) || arguments.has(&names)
    };
    let removes = packer.removes.is_empty() || is_given(packer.removes);
    let looks = packer.sources == Sources::All && is_given(LOOKS);
    if !removes || looks || is_given(packer.keeps) || is_given(&["--help", "--version"]) {
        return None;
    }
    let operands = after_verb(&arguments.operands, packer.verbs)?;
    let sources = match packer.sources {
        Sources::All => operands,
        Sources::AfterFirst => operands.get(1..)?,
        Sources::BeforeLast => operands.split_last()?.1,
    };
    let is_chosen = |option: &&str| {
        matches!(*option, "-x" | "-i")
            || ["--exclude", "--include", "--filter"].iter().any(|it| option.starts_with(it))
    };
    let partial = arguments.options.iter().any(is_chosen);
    let here = sources.iter().filter(|word| !is_elsewhere(&word.text));
    let sources: Vec<Word> =
        here.map(|word| Word { partial: word.partial || partial, ..word.clone() }).collect();
    // What goes to another place of this machine only moves.
    let goal = operands.last().filter(|_| packer.sources == Sources::BeforeLast);
    let goal = goal.filter(|goal| !is_elsewhere(&goal.text));
    let kind = if goal.is_some() { EffectKind::Move } else { EffectKind::Delete };
    let option = packer.removes.iter().find(|name| name.len() > 2).unwrap_or(&"");
    let detail = format!("{} {option}", command.program());
    let words: Vec<Word> = sources.iter().chain(goal).cloned().collect();
    removal(kind, command, detail.trim_end(), &words).filter(|_| !sources.is_empty())
}

fn removal(kind: EffectKind, command: &Command, detail: &str, words: &[Word]) -> Option<Effect> {
    let mut effect = Effect::of(kind, command, detail, words, command.directory.as_deref());
    effect.recursive = true;
    (!words.is_empty()).then_some(effect)
}

/// The operands behind the verb, where it is one of the packer's.
fn after_verb<'w>(operands: &'w [Word], verbs: &[&[&str]]) -> Option<&'w [Word]> {
    let is_verb = |verb: &&&[&str]| {
        operands.len() >= verb.len() && verb.iter().zip(operands).all(|(word, operand)| operand.text == *word)
    };
    match verbs.iter().find(is_verb) {
        Some(verb) => operands.get(verb.len()..),
        None => verbs.is_empty().then_some(operands),
    }
}

/// `host:path`, `s3://bucket`: not this machine's disk.
fn is_elsewhere(text: &str) -> bool {
    text.split_once(':').is_some_and(|(before, _)| before.len() > 1 && !before.contains('/'))
}

/// Options of tar whose value is the next word, by their letter.
const VALUED_BY_TAR: &[(char, &str)] = &[
    ('f', "--file"),
    ('C', "--directory"),
    ('T', "--files-from"),
    ('X', "--exclude-from"),
    ('I', "--use-compress-program"),
    ('g', "--listed-incremental"),
    ('b', "--blocking-factor"),
    ('N', "--newer"),
    ('V', "--label"),
    ('K', "--starting-file"),
];

/// Tar has its letters with a dash or as its first word without one, and goes to other folders between its operands.
fn taken_by_tar(command: &Command) -> Option<Effect> {
    let words = command.words.get(1..)?;
    let removes = |word: &Word| word.text.len() > 7 && "--remove-files".starts_with(word.text.as_str());
    let first = words.iter().position(removes)?;
    let detail = "tar --remove-files";
    let mut effect = Effect::of(EffectKind::Delete, command, detail, &[], command.directory.as_deref());
    effect.recursive = true;
    let mut directory = command.directory.clone();
    let (mut packs, mut partial) = (false, false);
    let mut rest = words.iter().enumerate().filter(|(at, _)| *at != first);
    while let Some((at, word)) = rest.next() {
        let Some((flags, options)) = options_of_tar(&word.text, at == 0) else {
            effect.targets.push(Target::of(word, directory.as_deref()));
            continue;
        };
        packs |= flags.contains(['c', 'r', 'u'])
            || ["--create", "--append", "--update"].contains(&word.text.as_str());
        partial |= word.text.starts_with("--exclude");
        for (letter, attached) in options {
            let value = match attached {
                Some(text) => Word { text: text.to_owned(), ..word.clone() },
                None => rest.next()?.1.clone(),
            };
            partial |= letter == 'X';
            match letter {
                'C' => directory = directory.filter(|_| value.known).map(|at| resolve(&at, &value.text)),
                'T' => effect.targets.push(Target::of(&Word::unknown(), None)),
                _ => {}
            }
        }
    }
    effect.targets.iter_mut().for_each(|target| target.partial |= partial);
    (packs && !effect.targets.is_empty()).then_some(effect)
}

/// Options by their letter, each with its value where that stands in the same word.
type OptionsOfTar<'t> = Vec<(char, Option<&'t str>)>;

/// The letters of a word of tar's, and its options that have a value; `None` for an operand.
fn options_of_tar(text: &str, is_first: bool) -> Option<(&str, OptionsOfTar<'_>)> {
    let is_valued = |letter: char| VALUED_BY_TAR.iter().any(|(it, _)| *it == letter);
    if text.starts_with("--") {
        let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        let valued = VALUED_BY_TAR.iter().find(|(_, long)| *long == name);
        return Some(("", valued.map(|(letter, _)| (*letter, value)).into_iter().collect()));
    }
    let Some(letters) = text.strip_prefix('-').filter(|letters| !letters.is_empty()) else {
        // Without a dash every letter takes a word of its own.
        return is_first
            .then(|| (text, text.chars().filter(|it| is_valued(*it)).map(|it| (it, None)).collect()));
    };
    let Some(at) = letters.find(is_valued) else { return Some((letters, Vec::new())) };
    let (flags, option) = letters.split_at(at);
    let letter = option.chars().next()?;
    let attached = option.get(letter.len_utf8()..).filter(|value| !value.is_empty());
    Some((flags, vec![(letter, attached)]))
}
