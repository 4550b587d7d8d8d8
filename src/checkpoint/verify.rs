//! Reading every kept byte.
//!
//! Invariant: each blob is read once, however many checkpoints name it, and one that is damaged hides no other.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::checkpoint::Error;
use crate::checkpoint::catalogue;
use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::meter::Meter;
use crate::checkpoint::node::Node;
use crate::checkpoint::objects::Digest;
use crate::checkpoint::spread::spread;
use crate::checkpoint::store::Store;

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoreVerification {
    /// How many checkpoints were looked at.
    pub checkpoints: usize,
    /// How many blobs they name.
    pub objects: usize,
    /// By checkpoint, what cannot come back whole, and why.
    pub damaged: BTreeMap<String, Vec<(PathBuf, String)>>,
    /// Checkpoints that cannot be read at all, and why.
    pub unreadable: Vec<String>,
}

impl StoreVerification {
    /// Whether everything can come back.
    pub fn is_whole(&self) -> bool {
        self.damaged.is_empty() && self.unreadable.is_empty()
    }
}

/// Reads what a checkpoint names, or what all do.
pub fn run(store: &Store, id: Option<&str>, meter: &Meter) -> Result<StoreVerification, Error> {
    let mut report = StoreVerification::default();
    let manifests = match id {
        Some(id) => vec![catalogue::find(store, id)?],
        None => {
            let catalogue = catalogue::list(store, None)?;
            report.unreadable = catalogue.unreadable.iter().map(ToString::to_string).collect();
            catalogue.checkpoints
        }
    };
    report.checkpoints = manifests.len() + report.unreadable.len();
    let mut whole: Vec<Manifest> = Vec::with_capacity(manifests.len());
    for manifest in manifests {
        let (address, base) = (manifest.address(), manifest.base.clone());
        // A base has its own place in the list; without one it must at least be there.
        match (id, base) {
            (Some(_), _) => whole.push(manifest.whole(store)?),
            (None, Some(base)) if !store.has_manifest(&manifest.loop_id, &base) => {
                report.unreadable.push(format!("{address} builds on {base}, which is not there"));
            }
            (None, _) => whole.push(manifest),
        }
    }
    let bad = read_all(store, &whole, meter, &mut report.objects);
    for manifest in &whole {
        let problems: Vec<(PathBuf, String)> =
            files(manifest).filter_map(|(path, digest)| Some((path, bad.get(&digest)?.clone()))).collect();
        if !problems.is_empty() {
            report.damaged.insert(manifest.address(), problems);
        }
    }
    Ok(report)
}

/// Reads every blob that the checkpoints name, and counts them; answers the bad ones.
fn read_all(
    store: &Store,
    whole: &[Manifest],
    meter: &Meter,
    objects: &mut usize,
) -> BTreeMap<Digest, String> {
    let digests: BTreeSet<Digest> =
        whole.iter().flat_map(|manifest| files(manifest).map(|file| file.1)).collect();
    let digests: Vec<Digest> = digests.into_iter().collect();
    *objects = digests.len();
    meter.expect(digests.len());
    let checked = spread(&digests, 1, &|digest| {
        let checked = store.objects().verify(digest).map_err(|error| error.to_string());
        meter.tick();
        checked
    });
    let checked = digests.into_iter().zip(checked);
    checked.filter_map(|(digest, checked)| Some((digest, checked.err()?))).collect()
}

fn files(manifest: &Manifest) -> impl Iterator<Item = (PathBuf, Digest)> {
    manifest.entries.iter().filter_map(|entry| match entry.node {
        Node::File { sha256, .. } => Some((entry.path.clone(), sha256)),
        _ => None,
    })
}
