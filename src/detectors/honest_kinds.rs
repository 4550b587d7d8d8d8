//! Every kind of legitimate change, in several languages: nothing is said of any of them.
//!
//! A kind that a language has no word for is left out there; each is shown in four languages at least.

use std::collections::BTreeMap;

use super::cases::document::{Section, sections};
use super::{Evidence, judge};
use crate::model::finding::{Change, Severity};

/// A file of a change: its path, its text before and after.
type ChangedText<'a> = (&'a str, Option<String>, Option<String>);

/// What a language says for one kind of change after another, from `honest_kinds.md`. Every text has a test `adds` of
/// `add` and a test `drops` of `drop`, unless it says otherwise.
struct Tongue {
    name: String,
    /// Where tests are, where others may go, and where a third file is.
    places: [String; 3],
    /// What stands above the tests of a file.
    head: String,
    adds: String,
    drops: String,
    /// `adds` under another name.
    renamed: String,
    /// Both in another layout, with comments and another style of blank space.
    laid_out: String,
    /// Both in another framework or another style of assertion, the head included.
    migrated: String,
    /// `adds` with a weaker assertion, which `adds` itself makes stricter.
    loose: String,
    /// Two tests of `tax`, and one with a table in their place.
    taxes: [String; 2],
    /// The file of the code, with `add`, and without it.
    code: String,
    source: [String; 2],
    /// `code` with other remarks.
    remarked: String,
    /// `adds` skipped where a platform lacks something, and why.
    skipped: String,
    /// What a tool writes: a path, and what it wrote before and after.
    generated: (String, [String; 2]),
}

/// The blocks of a language, in the order of the fields.
const PIECES: [&str; 16] = [
    "places",
    "head",
    "adds",
    "drops",
    "renamed",
    "laid-out",
    "migrated",
    "loose",
    "taxes-before",
    "taxes-after",
    "code-before",
    "code-after",
    "remarked",
    "skipped",
    "generated-before",
    "generated-after",
];

fn tongue(section: &Section) -> Tongue {
    let blocks = section.blocks_of(PIECES).unwrap().map(Option::unwrap);
    let path = |part: &str| blocks[PIECES.iter().position(|it| *it == part).unwrap()].path.to_owned();
    let [places, head, adds, drops, renamed, laid_out, migrated, loose, taxes @ .., skipped, made, remade] =
        blocks.map(|block| block.text.clone().unwrap());
    let [two, table, source, without, remarked] = taxes;
    let mut places = places.lines().map(str::to_owned);
    Tongue {
        name: section.chapter.to_owned(),
        places: std::array::from_fn(|_| places.next().unwrap()),
        head,
        adds,
        drops,
        renamed,
        laid_out,
        migrated,
        loose,
        taxes: [two, table],
        code: path("code-before"),
        source: [source, without],
        remarked,
        skipped,
        generated: (path("generated-before"), [made, remade]),
    }
}

impl Tongue {
    fn of(&self, parts: &[&str]) -> String {
        format!("{}{}", self.head, parts.concat())
    }

    /// The changes of each kind.
    fn kinds(&self) -> Vec<(&'static str, Vec<ChangedText<'_>>)> {
        let [here, there, third] = self.places.each_ref().map(String::as_str);
        let both = || Some(self.of(&[&self.adds, &self.drops]));
        let edit = |before: String, after: String| vec![(here, Some(before), Some(after))];
        let source = |text: &str| Some(text.to_owned());
        vec![
            ("rename", edit(self.of(&[&self.adds, &self.drops]), self.of(&[&self.renamed, &self.drops]))),
            ("move", vec![(here, both(), None), (there, None, both())]),
            (
                "split",
                vec![
                    (here, both(), None),
                    (there, None, Some(self.of(&[&self.adds]))),
                    (third, None, Some(self.of(&[&self.drops]))),
                ],
            ),
            (
                "merge",
                vec![
                    (here, Some(self.of(&[&self.adds])), both()),
                    (there, Some(self.of(&[&self.drops])), None),
                ],
            ),
            ("parametrise", edit(self.of(&[&self.taxes[0]]), self.of(&[&self.taxes[1]]))),
            ("reformat", edit(self.of(&[&self.adds, &self.drops]), self.of(&[&self.laid_out]))),
            ("framework migration", edit(self.of(&[&self.adds, &self.drops]), self.migrated.clone())),
            (
                "stricter assertion",
                edit(self.of(&[&self.loose, &self.drops]), self.of(&[&self.adds, &self.drops])),
            ),
            (
                "deletion with the subject",
                vec![
                    (&*self.code, source(&self.source[0]), source(&self.source[1])),
                    (here, both(), Some(self.of(&[&self.drops]))),
                ],
            ),
            (
                "explained platform skip",
                edit(self.of(&[&self.adds, &self.drops]), self.of(&[&self.skipped, &self.drops])),
            ),
            (
                "generated code",
                vec![(&*self.generated.0, source(&self.generated.1[0]), source(&self.generated.1[1]))],
            ),
            ("comments", vec![(&*self.code, source(&self.source[0]), source(&self.remarked))]),
            (
                "docs",
                vec![(
                    "docs/use.md",
                    Some(format!("# Use\n\n```\n{}```\n\nIt adds and drops.\n", self.adds)),
                    Some("# Use\n\nIt adds.\n".to_owned()),
                )],
            ),
        ]
    }
}

#[test]
fn nothing_is_said_of_a_legitimate_change_of_any_kind() {
    let mut faults = Vec::new();
    let mut shown: BTreeMap<&str, usize> = BTreeMap::new();
    for tongue in sections(include_str!("honest_kinds.md")).unwrap().iter().map(tongue) {
        for (kind, files) in tongue.kinds() {
            let change = |(path, before, after): ChangedText| Change { path: path.to_owned(), before, after };
            let changes: Vec<Change> = files.into_iter().map(change).collect();
            // In one call; and when the files came one by one, the additions first and a subject before its tests.
            let mut ordered = changes.clone();
            ordered.sort_by_key(|change| (change.after.is_none(), change.before.is_some()));
            let mut said = judge(&Evidence { changes: &changes, elsewhere: &[] });
            if let Some((last, others)) = ordered.split_last() {
                said.extend(judge(&Evidence { changes: std::slice::from_ref(last), elsewhere: others }));
            }
            said.retain(|finding| finding.severity > Severity::Low);
            *shown.entry(kind).or_default() += 1;
            let said: Vec<String> =
                said.iter().map(|it| format!("{} {} {}", it.pattern_id, it.path, it.what)).collect();
            if !said.is_empty() {
                faults.push(format!("{} {kind}: {said:?}", tongue.name));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(shown.len() >= 13 && shown.values().all(|languages| *languages >= 4), "{shown:?}");
}
