//! The cases of the detectors: the changes that each must find and those that it must not, from the Markdown beside it.
//!
//! Tests and the command line read them; the executable that the hooks start names nothing of this, and so carries none.

pub(super) mod document;

use super::FAMILIES;
use crate::model::finding::Change;
use document::{Block, Section, sections};

/// A change that proves a detector.
#[derive(Debug)]
pub struct Example {
    /// What it shows, in a few words.
    pub name: String,
    /// The change.
    pub change: Change,
    /// A change of another file, earlier in the session.
    pub elsewhere: Option<Change>,
}

/// The changes that prove a detector.
#[derive(Debug, Default)]
pub struct Examples {
    /// To be found.
    pub catches: Vec<Example>,
    /// Not to be found: no detector may find more than a thing to record in them.
    pub spares: Vec<Example>,
}

/// A detector's file with its cases.
#[derive(Debug)]
pub struct Family {
    /// The file below this room, without its ending.
    pub file: &'static str,
    /// The patterns that it declares.
    pub detectors: &'static [&'static super::Detector],
    /// The text of the Markdown file of the same name.
    pub cases: &'static str,
}

/// The examples of a pattern that changes prove. An error says which file is malformed and where.
pub fn examples(pattern_id: &str) -> Result<Examples, String> {
    let declares = |family: &&Family| family.detectors.iter().any(|it| it.id == pattern_id);
    let Some(family) = FAMILIES.iter().find(declares) else { return Ok(Examples::default()) };
    let in_file = |message: String| format!("{}.md: {message}", family.file);
    let mut examples = Examples::default();
    for section in sections(family.cases).map_err(in_file)? {
        if section.pattern_id() == pattern_id {
            examples.add(&section).map_err(in_file)?;
        }
    }
    Ok(examples)
}

impl Section<'_> {
    /// The first word of the chapter: in a detector's file the pattern that the section proves.
    pub(super) fn pattern_id(&self) -> &str {
        self.chapter.split_whitespace().next().unwrap_or_default()
    }
}

impl Examples {
    fn add(&mut self, section: &Section) -> Result<(), String> {
        let (verdict, name) = section.verdict()?;
        let list = match verdict {
            "Catches" => &mut self.catches,
            "Spares" => &mut self.spares,
            _ => return Err(section.fault("begins neither with \"Catches: \" nor with \"Spares: \"")),
        };
        let [before, after, old, new] =
            section.blocks_of(["before", "after", "elsewhere-before", "elsewhere-after"])?;
        let (Some(before), Some(after)) = (before, after) else {
            return Err(section.fault("lacks a block `before` or `after`"));
        };
        let elsewhere = match (old, new) {
            (Some(old), Some(new)) => Some(change(section, old, new)?),
            (None, None) => None,
            _ => return Err(section.fault("has one side only of the file elsewhere")),
        };
        list.push(Example { name: name.to_owned(), change: change(section, before, after)?, elsewhere });
        Ok(())
    }
}

/// The change of the file that both blocks name.
pub(super) fn change(section: &Section, before: &Block, after: &Block) -> Result<Change, String> {
    let is_one_file = !before.path.is_empty() && before.path == after.path;
    if !is_one_file || (before.text.is_none() && after.text.is_none()) {
        return Err(section.fault("does not show one file before and after"));
    }
    let path = before.path.to_owned();
    Ok(Change { path, before: before.text.clone(), after: after.text.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(body: &str) -> Result<Examples, String> {
        let text = format!("# LP-001 A name\n\n## {body}\n");
        let mut examples = Examples::default();
        for section in sections(&text)? {
            examples.add(&section)?;
        }
        Ok(examples)
    }

    #[test]
    fn an_example_has_a_change_and_perhaps_one_elsewhere() {
        let examples = add("Spares: a move\n\n```js elsewhere-before b.js no-file\n```\n\n```js elsewhere-after b.js\nx\n```\n\n```js before a.js\nx\n```\n\n```js after a.js no-file\n```").unwrap();
        let [example] = &examples.spares[..] else { panic!("{examples:?}") };
        assert_eq!(example.name, "a move");
        assert_eq!((example.change.before.as_deref(), &example.change.after), (Some("x\n"), &None));
        assert_eq!(example.elsewhere.as_ref().unwrap().after.as_deref(), Some("x\n"));
    }

    #[test]
    fn what_is_no_example_is_refused() {
        let both = "```js before a.js\n```\n\n```js after a.js\n```";
        for (body, part) in [
            (format!("Finds: x\n\n{both}"), "neither"),
            (format!("no verdict\n\n{both}"), "no verdict"),
            ("Catches: x\n\n```js before a.js\n```".to_owned(), "lacks a block"),
            (format!("Catches: x\n\n{both}\n\n```js elsewhere-before b.js\n```"), "one side only"),
            (format!("Catches: x\n\n{both}\n\n```js between b.js\n```"), "between"),
            ("Catches: x\n\n```js before a.js\n```\n\n```js after b.js\n```".to_owned(), "one file"),
            (
                "Catches: x\n\n```js before a.js no-file\n```\n\n```js after a.js no-file\n```".to_owned(),
                "one file",
            ),
        ] {
            let fault = add(&body).unwrap_err();
            assert!(fault.contains(part), "{fault}");
        }
    }

    #[test]
    fn every_file_of_cases_can_be_read_and_proves_its_own_patterns() {
        for family in FAMILIES {
            let read = sections(family.cases).unwrap_or_else(|fault| panic!("{}.md: {fault}", family.file));
            assert!(!read.is_empty(), "{}.md has no cases", family.file);
            for section in &read {
                let owner = family.detectors.iter().find(|it| it.id == section.pattern_id());
                let owner = owner.unwrap_or_else(|| panic!("{}.md: {}", family.file, section.chapter));
                assert_eq!(section.chapter, format!("{} {}", owner.id, owner.name), "{}.md", family.file);
            }
            let mut names: Vec<_> = read.iter().map(|section| (section.chapter, section.heading)).collect();
            names.sort_unstable();
            let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
            assert!(twice.is_empty(), "{}.md: {twice:?}", family.file);
        }
    }
}
