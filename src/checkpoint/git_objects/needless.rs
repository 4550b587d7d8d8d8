//! Files beside a repository's objects that git does without: what it makes anew from them (graphs of commits, indexes
//! over packs), and objects that were emptied before anybody had hold of them.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::held::{children, is_empty, is_loose, object_folders};
use crate::checkpoint::store::is_absence;

/// The name of the one graph, of the folder with several, and of the list of those; below a repository's objects.
const GRAPH: &str = "info/commit-graph";
const GRAPHS: &str = "info/commit-graphs";
const CHAIN: &str = "commit-graph-chain";
const PACKS: &str = "pack";
/// What belongs to one pack, by the ends of the names.
const OF_PACK: [&str; 3] = ["pack", "idx", "rev"];
/// How such files begin, by the end of their names.
const BEGINNINGS: [(&str, &[u8]); 4] =
    [("commit-graph", b"CGPH"), (".graph", b"CGPH"), ("multi-pack-index", b"MIDX"), (".bitmap", b"BITM")];
/// No whole one has fewer bytes.
const LEAST: u64 = 32;

/// Whether a file beside packed objects is made anew.
pub(super) fn is_derived(name: &OsStr) -> bool {
    let name = name.as_bytes();
    name == b"multi-pack-index" || name.ends_with(b".bitmap") || name.ends_with(b".rev")
}

/// Takes those out of a repository's folder of objects into which something has written: git complains of them.
pub(super) fn take_out_damaged(objects: &Path) -> io::Result<()> {
    take_out_if_damaged(&objects.join(GRAPH))?;
    let mut is_broken = false;
    take_out_damaged_packs(&objects.join(PACKS))?;
    for folder in [&objects.join(GRAPHS), &objects.join(PACKS)] {
        for child in children(folder)? {
            is_broken |= take_out_if_damaged(&child)? && folder.ends_with(GRAPHS);
        }
    }
    let chain = objects.join(GRAPHS).join(CHAIN);
    if is_broken || fs::metadata(&chain).is_ok_and(|chain| chain.len() < LEAST) {
        remove(&chain)?;
    }
    for folder in object_folders(objects)? {
        for child in children(&objects.join(folder))? {
            if is_loose(child.file_name().unwrap_or_default().as_bytes()) && is_empty(&child) {
                remove(&child)?;
            }
        }
    }
    Ok(())
}

/// Takes out packs that were emptied, with their indexes, and indexes that were: git reads neither.
fn take_out_damaged_packs(folder: &Path) -> io::Result<()> {
    for path in children(folder)? {
        let ending = path.extension().and_then(OsStr::to_str).filter(|ending| OF_PACK.contains(ending));
        let Some(ending) =
            ending.filter(|_| fs::symlink_metadata(&path).is_ok_and(|file| file.len() < LEAST))
        else {
            continue;
        };
        let gone = if ending == "pack" { &OF_PACK[..] } else { &[ending] };
        for ending in gone {
            remove(&path.with_extension(ending))?;
        }
    }
    Ok(())
}

fn take_out_if_damaged(path: &Path) -> io::Result<bool> {
    let is_damaged = is_damaged(path);
    if is_damaged {
        remove(path)?;
    }
    Ok(is_damaged)
}

fn is_damaged(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_bytes();
    let Some((_, beginning)) = BEGINNINGS.iter().find(|(end, _)| name.ends_with(end.as_bytes())) else {
        return false;
    };
    let Ok(file) = fs::symlink_metadata(path) else { return false };
    // One that can't be read here is git's to judge.
    file.is_file() && (file.len() < LEAST || start(path).is_ok_and(|start| start != *beginning))
}

fn start(path: &Path) -> io::Result<[u8; 4]> {
    let mut start = [0; 4];
    File::open(path)?.read_exact(&mut start)?;
    Ok(start)
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if !is_absence(&error) => Err(error),
        _ => Ok(()),
    }
}
