//! Files that import each other in a circle. An arrow between a module and one below it does not count.

use std::collections::{BTreeMap, BTreeSet};

use crate::source;

/// The circles that stand: a type beside its own parser. This list may only shrink.
const ALLOWED: &[&[&str]] = &[];

#[test]
fn files_do_not_import_each_other_in_a_circle() {
    let found = circles(&arrows());
    let allowed: BTreeSet<BTreeSet<String>> =
        ALLOWED.iter().map(|circle| circle.iter().map(|&name| name.to_owned()).collect()).collect();
    let new: Vec<_> = found.difference(&allowed).collect();
    assert!(new.is_empty(), "new circles: {new:#?}");
    let gone: Vec<_> = allowed.difference(&found).collect();
    assert!(gone.is_empty(), "no circle any more, so take it off the list: {gone:#?}");
}

type Arrows = BTreeMap<String, BTreeSet<String>>;

/// Which module imports which, by the paths that its file names.
fn arrows() -> Arrows {
    let sources = source::all();
    let modules: BTreeSet<&[String]> = sources.iter().map(|source| source.module.as_slice()).collect();
    let mut arrows = Arrows::new();
    for source in sources.iter().filter(|source| !source.is_test()) {
        for path in source.named() {
            let used =
                (1..=path.len()).rev().map(|length| &path[..length]).find(|part| modules.contains(part));
            let Some(used) = used else { continue };
            if !used.starts_with(&source.module) && !source.module.starts_with(used) {
                arrows.entry(source.module.join("::")).or_default().insert(used.join("::"));
            }
        }
    }
    arrows
}

/// Every largest set of modules in which each reaches each.
fn circles(arrows: &Arrows) -> BTreeSet<BTreeSet<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> =
        arrows.keys().map(|from| (from, reachable(from, arrows))).collect();
    let circle = |of: &String| -> BTreeSet<String> {
        let back = |to: &&&String| reached.get(*to).is_some_and(|from| from.contains(of));
        reached[of].iter().filter(back).map(|name| (*name).clone()).collect()
    };
    arrows.keys().map(circle).filter(|circle| circle.len() > 1).collect()
}

fn reachable<'a>(from: &String, arrows: &'a Arrows) -> BTreeSet<&'a String> {
    let mut reached = BTreeSet::new();
    let mut next: Vec<&String> = arrows.get(from).into_iter().flatten().collect();
    while let Some(name) = next.pop() {
        if reached.insert(name) {
            next.extend(arrows.get(name).into_iter().flatten());
        }
    }
    reached
}

#[test]
fn a_circle_is_found() {
    let arrow = |from: &str, to: &str| (from.to_owned(), BTreeSet::from([to.to_owned()]));
    let arrows = Arrows::from([arrow("a", "b"), arrow("b", "c"), arrow("c", "a"), arrow("d", "a")]);
    let expected: BTreeSet<String> = ["a", "b", "c"].map(str::to_owned).into();
    assert_eq!(circles(&arrows), BTreeSet::from([expected]));
}
