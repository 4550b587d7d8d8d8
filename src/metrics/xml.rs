//! XML as a stream of tags.
//!
//! Only tags are handed to the parser, and no tag of any length: text between them is never needed, and a report may
//! hold a hundred megabytes of what tests printed.

use std::io::{BufRead, BufReader};

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::sieve::{Sieve, SiftedBytes};

/// The longest tag, in bytes.
const LONGEST: usize = 256 << 10;

/// What takes a document's elements as they come.
pub(super) trait Elements {
    /// An element begins; one without content has no end of its own.
    fn opens(&mut self, name: &str, tag: &Tag, has_content: bool);
    /// An element with content ends.
    fn closes(&mut self, name: &[u8]);
}

/// One opening tag.
pub(super) struct Tag<'a>(&'a BytesStart<'a>);

impl Tag<'_> {
    /// An attribute's text.
    pub(super) fn attribute(&self, name: &str) -> Option<String> {
        let mut attributes = self.0.attributes();
        attributes.with_checks(false);
        let found = attributes.flatten().find(|attribute| attribute.key.as_ref() == name.as_bytes())?;
        let raw = String::from_utf8_lossy(&found.value).into_owned();
        Some(quick_xml::escape::unescape(&raw).map_or_else(|_| raw.clone(), |text| text.into_owned()))
    }

    /// An attribute's number.
    pub(super) fn number(&self, name: &str) -> Option<u64> {
        self.attribute(name)?.trim().parse().ok()
    }
}

/// Hands the elements of a document on; answers why the document could not be read to its end.
pub(super) fn read(bytes: &mut dyn BufRead, document: &mut dyn Elements) -> Option<String> {
    let mut parser = Reader::from_reader(BufReader::new(SiftedBytes::of(bytes, Tags::new())));
    parser.config_mut().check_end_names = false;
    parser.config_mut().allow_unmatched_ends = true;
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        match parser.read_event_into(&mut buffer) {
            Ok(Event::Start(tag)) => opens(document, &tag, true),
            Ok(Event::Empty(tag)) => opens(document, &tag, false),
            Ok(Event::End(tag)) => document.closes(tag.name().as_ref()),
            Ok(Event::Eof) => return None,
            Ok(_) => {}
            Err(error) => return Some(format!("the document breaks off: {error}")),
        }
    }
}

fn opens(document: &mut dyn Elements, tag: &BytesStart, has_content: bool) {
    let name = String::from_utf8_lossy(tag.local_name().as_ref()).into_owned();
    document.opens(&name, &Tag(tag), has_content);
}

/// What the filter is in.
#[derive(Clone, Copy, PartialEq)]
enum Inside {
    Text,
    Tag,
    /// Inside of an attribute's value, where `>` is a letter.
    Quoted(u8),
    /// Until `]]>`, `-->` or `?>`.
    Until(&'static [u8]),
}

/// The tags of a document without anything between them.
struct Tags {
    place: Inside,
    tag: Vec<u8>,
    last: [u8; 3],
}

impl Tags {
    fn new() -> Self {
        Tags { place: Inside::Text, tag: Vec::new(), last: [0; 3] }
    }
}

impl Sieve for Tags {
    fn take(&mut self, byte: u8, ready: &mut Vec<u8>) {
        self.last = [self.last[1], self.last[2], byte];
        match self.place {
            Inside::Text if byte == b'<' => {
                self.place = Inside::Tag;
                self.tag.clear();
                self.tag.push(byte);
            }
            Inside::Text => {}
            Inside::Until(end) => {
                if self.last.ends_with(end) {
                    self.place = Inside::Text;
                }
            }
            Inside::Tag | Inside::Quoted(_) => self.in_tag(byte, ready),
        }
    }
}

impl Tags {
    fn in_tag(&mut self, byte: u8, ready: &mut Vec<u8>) {
        self.tag.push(byte);
        match (self.place, byte) {
            (Inside::Quoted(quote), _) if byte == quote => self.place = Inside::Tag,
            (Inside::Quoted(_), _) => {}
            (_, b'"' | b'\'') => self.place = Inside::Quoted(byte),
            (_, b'>') => {
                self.place = Inside::Text;
                // `<!DOCTYPE …>` says nothing here.
                if !self.tag.starts_with(b"<!") && self.tag.len() <= LONGEST {
                    ready.append(&mut self.tag);
                }
            }
            _ => {}
        }
        match self.tag.as_slice() {
            b"<!--" => self.place = Inside::Until(b"-->"),
            b"<![CDATA[" => self.place = Inside::Until(b"]]>"),
            b"<?" => self.place = Inside::Until(b"?>"),
            _ => {}
        }
        // A tag without an end is no tag: its bytes are let go of.
        if self.tag.len() > LONGEST {
            self.tag.truncate(LONGEST);
            self.place = Inside::Text;
        }
    }
}
