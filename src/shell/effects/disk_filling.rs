//! Commands that write until the disk is full, or make a file as large as a disk. Without room nothing is recorded or kept
//! any more, by anybody.

use crate::shell::model::{Command, Effect, EffectKind};

/// A file of so many bytes is made for no other reason: half a terabyte.
const FILLING: u64 = 500 << 30;
/// Devices that never end.
const ENDLESS: &[&str] = &["/dev/zero", "/dev/urandom", "/dev/random", "/dev/full"];

/// A command that fills a disk.
pub(crate) fn effect(command: &Command) -> Option<Effect> {
    let words: Vec<&str> = command.words.iter().skip(1).map(|word| word.text.as_str()).collect();
    let output = command.redirects.iter().find(|it| it.output && !it.target.text.starts_with("/dev/"));
    let fills = match command.program() {
        "dd" => copies_without_end(&words),
        "fallocate" | "mkfile" | "xfs_mkfile" | "truncate" => {
            // A file of truncate's has no blocks.
            command.program() != "truncate"
                && words.iter().any(|word| size(word).is_some_and(|it| it >= FILLING))
        }
        "cat" => output.is_some() && words.iter().any(|word| ENDLESS.contains(word)),
        "yes" => output.is_some(),
        _ => false,
    };
    fills.then(|| Effect::of(EffectKind::FillsDisk, command, command.program(), &[], None))
}

fn copies_without_end(words: &[&str]) -> bool {
    let value = |name: &str| words.iter().find_map(|word| word.strip_prefix(name));
    let to_file = value("of=").is_some_and(|to| !to.starts_with("/dev/"));
    let endless = value("if=").is_some_and(|from| ENDLESS.contains(&from));
    let bytes = value("count=")
        .map(|count| size(count).unwrap_or(0).saturating_mul(value("bs=").and_then(size).unwrap_or(512)));
    // Blocks of a size, and no end to them, are meant to be many.
    to_file && endless && bytes.map_or(value("bs=").is_some(), |bytes| bytes >= FILLING)
}

/// `900G` in bytes, glued to its option too.
fn size(text: &str) -> Option<u64> {
    let text = text.trim_start_matches("-l").trim_start_matches("--length=");
    let digits = text.len() - text.trim_start_matches(|it: char| it.is_ascii_digit()).len();
    let (number, unit) = text.split_at_checked(digits)?;
    let shift = match unit.chars().next() {
        None => 0,
        Some('k' | 'K') => 10,
        Some('m' | 'M') => 20,
        Some('g' | 'G') => 30,
        Some('t' | 'T') => 40,
        Some('p' | 'P') => 50,
        Some(_) => return None,
    };
    number.parse::<u64>().ok()?.checked_shl(shift)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::model::event::ShellDialect;
    use crate::shell::effects::dispatch::effects;

    #[test]
    fn what_fills_a_disk_is_told_from_an_image_of_some_size() {
        for (text, fills) in [
            ("fallocate -l 900G /tmp/fill", true),
            ("fallocate -l5T x", true),
            ("dd if=/dev/zero of=/tmp/fill bs=1M", true),
            ("dd if=/dev/urandom of=x bs=1G count=2000", true),
            ("cat /dev/zero > x", true),
            ("yes > out.txt", true),
            ("fallocate -l 10G disk.img", false),
            ("truncate -s 900G sparse.img", false),
            ("dd if=/dev/zero of=disk.img bs=1M count=100", false),
            ("dd if=disk.img of=copy.img", false),
            ("dd if=/dev/zero of=f", false),
            ("cat /dev/urandom | head -c 20 > x", false),
            ("yes | apt-get install x", false),
            ("dd if=/dev/zero of=/dev/null", false),
        ] {
            let found = effects(text, ShellDialect::Posix, Path::new("/p"), Path::new("/h")).effects;
            assert_eq!(found.iter().any(|it| it.kind == EffectKind::FillsDisk), fills, "{text}");
        }
    }
}
