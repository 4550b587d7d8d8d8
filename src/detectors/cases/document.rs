//! Cases in Markdown: a chapter (`#`), in it a section for each case (`##`), in it fenced blocks with texts.
//!
//! The line that opens a block says the language, for whoever reads it; the part that the text plays; the file's path,
//! where there is one; and what the block can't show by itself: `no-file` (there is none, which an empty block is not),
//! `no-newline` (the text does not end with one), `escaped` (`\s` is a space, `\t` a tab, `\r` a carriage return, `\\` a
//! backslash). Other text is for the reader. Whatever could be a case that is not run is an error.

/// A case, as it stands in a file.
#[derive(Debug)]
pub(in crate::detectors) struct Section<'a> {
    /// The heading of the chapter that it is in.
    pub(in crate::detectors) chapter: &'a str,
    /// Its own heading.
    pub(in crate::detectors) heading: &'a str,
    line: usize,
    blocks: Vec<Block<'a>>,
}

/// A fenced block.
#[derive(Debug)]
pub(in crate::detectors) struct Block<'a> {
    part: &'a str,
    /// The file's path; empty where the block names none.
    pub(in crate::detectors) path: &'a str,
    /// The text; `None` where there is no file.
    pub(in crate::detectors) text: Option<String>,
}

/// Every section of a file. An error says in which line the fault is.
pub(in crate::detectors) fn sections(text: &str) -> Result<Vec<Section<'_>>, String> {
    let mut chapter = None;
    let mut sections: Vec<Section> = Vec::new();
    let mut lines = text.lines().zip(1..);
    while let Some((line, number)) = lines.next() {
        if let Some(heading) = line.strip_prefix("# ") {
            chapter = Some(heading);
        } else if let Some(heading) = line.strip_prefix("## ") {
            let chapter = chapter.ok_or(format!("line {number}: a section before the first chapter"))?;
            sections.push(Section { chapter, heading, line: number, blocks: Vec::new() });
        } else if line.starts_with("```") {
            let section = sections.last_mut().filter(|section| Some(section.chapter) == chapter);
            let section = section.ok_or(format!("line {number}: a block outside of a section"))?;
            let block = block(line, &mut lines).map_err(|fault| format!("line {number}: {fault}"))?;
            if section.blocks.iter().any(|other| other.part == block.part) {
                return Err(format!("line {number}: a second block `{}`", block.part));
            }
            section.blocks.push(block);
        } else if line.starts_with('#')
            || ["~~~", "```"].iter().any(|fence| line.trim_start().starts_with(fence))
        {
            return Err(format!("line {number}: neither a chapter, nor a section, nor a block"));
        }
    }
    match sections.iter().find(|section| section.blocks.is_empty()) {
        Some(section) => Err(section.fault("has no block")),
        None => Ok(sections),
    }
}

/// The block that a line opens, up to the line that closes it.
fn block<'a>(
    opening: &'a str,
    lines: &mut impl Iterator<Item = (&'a str, usize)>,
) -> Result<Block<'a>, String> {
    let (words, fence) = (opening.trim_start_matches('`'), opening.len());
    let fence = "`".repeat(fence - words.len());
    let mut words = words.split_whitespace();
    let (Some(_language), Some(part)) = (words.next(), words.next()) else {
        return Err("a block without its language and its part".to_owned());
    };
    let (mut path, mut is_file, mut newline, mut escaped) = ("", true, true, false);
    for word in words {
        match word {
            "no-file" => is_file = false,
            "no-newline" => newline = false,
            "escaped" => escaped = true,
            _ if path.is_empty() => path = word,
            _ => return Err(format!("a block with a word too much: {word}")),
        }
    }
    let mut text = String::new();
    loop {
        let (line, _) = lines.next().ok_or("a block that does not end")?;
        if line == fence {
            break;
        }
        text.push_str(&if escaped { unescaped(line)? } else { line.to_owned() });
        text.push('\n');
    }
    if !newline && text.pop().is_none() {
        return Err("a block without a line can't lack its end".to_owned());
    }
    if !is_file && !text.is_empty() {
        return Err("a block with a text of no file".to_owned());
    }
    Ok(Block { part, path, text: is_file.then_some(text) })
}

fn unescaped(line: &str) -> Result<String, String> {
    let mut text = String::new();
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        text.push(match c {
            '\\' => match chars.next() {
                Some('s') => ' ',
                Some('t') => '\t',
                Some('r') => '\r',
                Some('\\') => '\\',
                other => return Err(format!("an unknown escape: {other:?}")),
            },
            c => c,
        });
    }
    Ok(text)
}

impl<'a> Section<'a> {
    /// What the heading says of the case, and the case's name.
    pub(in crate::detectors) fn verdict(&self) -> Result<(&'a str, &'a str), String> {
        self.heading.split_once(": ").ok_or_else(|| self.fault("says no verdict"))
    }

    /// The blocks that play these parts, in their order. Any other block is an error.
    pub(in crate::detectors) fn blocks_of<const N: usize>(
        &self,
        parts: [&str; N],
    ) -> Result<[Option<&Block<'a>>; N], String> {
        match self.blocks.iter().find(|block| !parts.contains(&block.part)) {
            Some(other) => Err(self.fault(&format!("has a block `{}`", other.part))),
            None => Ok(parts.map(|part| self.blocks.iter().find(|block| block.part == part))),
        }
    }

    /// An error about this section.
    pub(in crate::detectors) fn fault(&self, what: &str) -> String {
        format!("line {}: the section {:?} {what}", self.line, self.heading)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(block: &str) -> Result<Option<String>, String> {
        let document = format!("# A\n\n## B\n\n{block}\n");
        let mut read = sections(&document)?;
        Ok(read.remove(0).blocks.remove(0).text)
    }

    #[test]
    fn a_text_is_read_to_the_byte() {
        for (block, expected) in [
            ("```js before a.js\nx\n\n  y\t\n```", Some("x\n\n  y\t\n")),
            ("```js before a.js\n```", Some("")),
            ("```js before a.js\n\n```", Some("\n")),
            ("```js before a.js no-file\n```", None),
            ("```js before a.js no-newline\nx\n```", Some("x")),
            ("```js before a.js no-newline\nx\n\n```", Some("x\n")),
            ("```js before\n# x\n## y\n```", Some("# x\n## y\n")),
            ("````md before a.md\n```\nx\n```\n````", Some("```\nx\n```\n")),
            ("```js before a.js escaped\nx\\s\\r\n\\ty\\\\n\n```", Some("x \r\n\ty\\n\n")),
            ("```js before a.js escaped no-newline\nx\\r\n```", Some("x\r")),
        ] {
            assert_eq!(text(block).unwrap().as_deref(), expected, "{block}");
        }
    }

    #[test]
    fn chapters_and_headings_go_with_each_section() {
        let document =
            "# A\n\nWords.\n\n## b: c\n\n```js x\n```\n\n```js y\n```\n\n# D\n\n## e\n\n```js x\n```\n";
        let read = sections(document).unwrap();
        let seen: Vec<_> = read.iter().map(|it| (it.chapter, it.heading, it.blocks.len())).collect();
        assert_eq!(seen, [("A", "b: c", 2), ("D", "e", 1)]);
        assert_eq!(read[0].verdict().unwrap(), ("b", "c"));
        assert!(read[1].verdict().is_err());
        assert!(read[0].blocks_of(["x"]).unwrap_err().contains("`y`"));
        let [y, z] = read[1].blocks_of(["x", "z"]).unwrap();
        assert!(y.is_some() && z.is_none());
    }

    #[test]
    fn a_malformed_file_is_refused_with_its_line() {
        for (document, fault) in [
            ("## B\n", "line 1: a section before"),
            ("# A\n\n```js before a\n```\n", "line 3: a block outside"),
            ("# A\n## B\n```js x\n```\n# C\n```js x\n```\n", "line 6: a block outside"),
            ("# A\n## B\n", "line 2: the section \"B\" has no block"),
            ("# A\n## B\n```\nx\n```\n", "line 3: a block without its language"),
            ("# A\n## B\n```js\nx\n```\n", "line 3: a block without its language"),
            ("# A\n## B\n```js before a b\nx\n```\n", "line 3: a block with a word too much"),
            ("# A\n## B\n```js before a\nx\n", "line 3: a block that does not end"),
            ("# A\n## B\n```js before a no-file\nx\n```\n", "line 3: a block with a text"),
            ("# A\n## B\n```js before a no-newline\n```\n", "line 3: a block without a line"),
            ("# A\n## B\n```js before a escaped\n\\n\n```\n", "line 3: an unknown escape"),
            ("# A\n## B\n```js x\n```\n```js x\n```\n", "line 5: a second block"),
            ("# A\n## B\n  ```js x\n```\n", "line 3: neither"),
            ("# A\n### B\n", "line 2: neither"),
        ] {
            let said = sections(document).unwrap_err();
            assert!(said.starts_with(fault), "{document:?}: {said}");
        }
    }
}
