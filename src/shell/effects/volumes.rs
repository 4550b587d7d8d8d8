//! Programs that give up volumes, pools, partitions or file systems: a table of words.

use crate::shell::model::{Command, Effect, EffectKind};

/// A program, the words before anything else of which one must be there (none means always), and whether a volume must
/// be named besides.
type Volume = (&'static str, &'static [&'static str], bool);

static VOLUMES: &[Volume] = &[
    ("lvremove", &[], true),
    ("vgremove", &[], true),
    ("pvremove", &[], true),
    ("blkdiscard", &[], true),
    ("lvm", &["lvremove", "vgremove", "pvremove"], true),
    ("zpool", &["destroy", "labelclear"], true),
    ("zfs", &["destroy", "rollback"], true),
    ("cryptsetup", &["erase", "luksErase", "luksFormat", "reencrypt", "luksRemoveKey", "luksKillSlot"], true),
    ("mdadm", &["--zero-superblock"], true),
    ("sgdisk", &["-Z", "--zap-all", "-o", "--clear"], true),
    ("parted", &["mklabel", "mktable", "rm"], true),
    ("sfdisk", &["--delete", "--wipe"], true),
    ("nvme", &["format", "sanitize"], true),
    ("hdparm", &["--security-erase", "--security-erase-enhanced", "--trim-sector-ranges"], true),
    ("btrfs", &["delete"], true),
    ("fastboot", &["erase", "format"], true),
    ("badblocks", &["-w"], true),
    ("dmsetup", &["remove", "remove_all", "wipe_table"], false),
    ("flashrom", &["-w", "-E", "--write", "--erase"], false),
    (
        "diskutil",
        &[
            "eraseDisk",
            "eraseVolume",
            "zeroDisk",
            "secureErase",
            "partitionDisk",
            "deleteVolume",
            "deleteContainer",
        ],
        true,
    ),
];

/// Long options that have no value.
const FLAGS: &[&str] = &["--force", "--yes", "--verbose", "--quiet", "--noudevsync", "--select"];

/// Programs that write a disk's table of partitions.
const TABLES: &[&str] = &["fdisk", "gdisk", "cfdisk", "sfdisk"];
/// Their options with which they only show it.
const SHOWING: &[&str] = &[
    "-l",
    "--list",
    "-s",
    "-x",
    "-d",
    "--dump",
    "-J",
    "--json",
    "-g",
    "-V",
    "--verify",
    "-h",
    "--help",
    "-v",
    "--version",
    "-n",
    "--no-act",
];

/// A disk whose table would be written.
fn written_table(command: &Command) -> Option<Effect> {
    let operands = command.words.get(1..)?;
    let names_a_disk = operands.iter().any(|word| word.text.starts_with("/dev/"));
    let only_shows = operands.iter().any(|word| SHOWING.contains(&word.text.as_str()));
    (TABLES.contains(&command.program()) && names_a_disk && !only_shows)
        .then(|| Effect::of(EffectKind::DestroysVolume, command, &command.source, &[], None))
}

/// What a command gives up of a disk.
pub(crate) fn effect(command: &Command) -> Option<Effect> {
    if let Some(effect) = written_table(command) {
        return Some(effect);
    }
    let operands = command.words.get(1..)?;
    let (_, words, names) = VOLUMES.iter().find(|(name, ..)| *name == command.program())?;
    let only_tries = operands.iter().any(|word| {
        matches!(
            word.text.as_str(),
            "--help" | "-h" | "--test" | "-n" | "--dry-run" | "--version" | "--no-act"
        )
    });
    let named = words.is_empty() || operands.iter().any(|word| words.contains(&word.text.as_str()));
    let detail = command.words.iter().take(3).map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    // A volume that is named: a plain word that is no other option's value.
    let names_one = operands.iter().enumerate().any(|(index, word)| {
        let before =
            index.checked_sub(1).and_then(|at| operands.get(at)).map_or("", |word| word.text.as_str());
        word.known
            && !word.text.starts_with('-')
            && !words.contains(&word.text.as_str())
            && (!before.starts_with("--") || FLAGS.contains(&before) || words.contains(&before))
    });
    (named && !only_tries && (names_one || !names))
        .then(|| Effect::of(EffectKind::DestroysVolume, command, &detail, &[], None))
}
