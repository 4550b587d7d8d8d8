//! XML reports as a stream of tags: JUnit, trx, Cobertura and JaCoCo.
//!
//! Only tags are handed to the parser, and no tag of any length: text between them is never needed, and a report may
//! hold a hundred megabytes of what tests printed.

use std::io::{BufRead, BufReader};

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::coverage::{cobertura, jacoco};
use super::junit::Junit;
use super::sieve::{Sieve, Sifted};
use super::trx::Trx;
use super::{Reading, Tests};

/// The longest tag, in bytes.
const LONGEST: usize = 256 << 10;
/// The elements that known documents begin with.
const ROOTS: &[&str] = &["testsuites", "testsuite", "TestRun", "coverage", "report"];

/// Whether a text begins with an element that a known document begins with.
pub(super) fn is_known_root(start: &[u8]) -> bool {
    ROOTS.iter().any(|root| {
        let rest = start.strip_prefix(b"<").and_then(|start| start.strip_prefix(root.as_bytes()));
        rest.is_some_and(|rest| {
            rest.first().is_none_or(|byte| matches!(byte, b' ' | b'>' | b'\n' | b'\r' | b'\t'))
        })
    })
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

/// Reads a document of any known kind.
pub(super) fn read(bytes: &mut dyn BufRead) -> Reading {
    let mut parser = Reader::from_reader(BufReader::new(Sifted::of(bytes, Tags::new())));
    parser.config_mut().check_end_names = false;
    parser.config_mut().allow_unmatched_ends = true;
    let mut document = Document::default();
    let mut buffer = Vec::new();
    let mut unread = Vec::new();
    loop {
        buffer.clear();
        match parser.read_event_into(&mut buffer) {
            Ok(Event::Start(tag)) => document.opens(&tag, true),
            Ok(Event::Empty(tag)) => document.opens(&tag, false),
            Ok(Event::End(tag)) => document.closes(tag.name().as_ref()),
            Ok(Event::Eof) => break,
            Ok(_) => {}
            Err(error) => {
                unread.push(format!("the document breaks off: {error}"));
                break;
            }
        }
    }
    if document.depth > 0 && unread.is_empty() {
        unread.push("the document breaks off".to_owned());
    }
    document.end(unread)
}

#[derive(Default)]
struct Document {
    depth: usize,
    root: String,
    junit: Junit,
    trx: Trx,
    coverage: Option<f64>,
    branches: Option<f64>,
}

impl Document {
    fn opens(&mut self, tag: &BytesStart, has_content: bool) {
        let name = String::from_utf8_lossy(tag.local_name().as_ref()).into_owned();
        if self.depth == 0 {
            self.root.clone_from(&name);
        }
        let seen = Tag(tag);
        match (self.root.as_str(), name.as_str(), self.depth) {
            ("testsuites" | "testsuite", _, _) => self.junit.opens(&name, &seen, has_content),
            ("TestRun", _, _) => self.trx.opens(&name, &seen, has_content),
            ("coverage", "coverage", 0) => {
                self.coverage = cobertura::total(&seen);
                self.branches = cobertura::branches(&seen);
            }
            ("report", "counter", 1) => {
                self.coverage = jacoco::share(&seen, "LINE").or(self.coverage);
                self.branches = jacoco::share(&seen, "BRANCH").or(self.branches);
            }
            _ => {}
        }
        self.depth += usize::from(has_content);
    }

    fn closes(&mut self, name: &[u8]) {
        self.depth = self.depth.saturating_sub(1);
        self.junit.closes(name);
        self.trx.closes(name);
    }

    fn end(self, mut unread: Vec<String>) -> Reading {
        let (format, tests): (&str, Option<Tests>) = match self.root.as_str() {
            "testsuites" | "testsuite" => ("junit", Some(self.junit.end())),
            "TestRun" => ("trx", Some(self.trx.end())),
            "coverage" => ("cobertura", None),
            "report" => ("jacoco", None),
            _ => {
                unread.push("no known XML document".to_owned());
                return Reading { unread, ..Reading::default() };
            }
        };
        if tests.is_none() && self.coverage.is_none() {
            unread.push("it holds no total of lines".to_owned());
        }
        Reading {
            formats: vec![format.to_owned()],
            tests,
            coverage: self.coverage,
            branches: self.branches,
            unread,
            ..Reading::default()
        }
    }
}

/// What the filter is in.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Text,
    Tag,
    /// Inside of an attribute's value, where `>` is a letter.
    Quoted(u8),
    /// Until `]]>`, `-->` or `?>`.
    Until(&'static [u8]),
}

/// The tags of a document without anything between them.
struct Tags {
    place: Place,
    tag: Vec<u8>,
    last: [u8; 3],
}

impl Tags {
    fn new() -> Self {
        Tags { place: Place::Text, tag: Vec::new(), last: [0; 3] }
    }
}

impl Sieve for Tags {
    fn take(&mut self, byte: u8, ready: &mut Vec<u8>) {
        self.last = [self.last[1], self.last[2], byte];
        match self.place {
            Place::Text if byte == b'<' => {
                self.place = Place::Tag;
                self.tag.clear();
                self.tag.push(byte);
            }
            Place::Text => {}
            Place::Until(end) => {
                if self.last.ends_with(end) {
                    self.place = Place::Text;
                }
            }
            Place::Tag | Place::Quoted(_) => self.in_tag(byte, ready),
        }
    }
}

impl Tags {
    fn in_tag(&mut self, byte: u8, ready: &mut Vec<u8>) {
        self.tag.push(byte);
        match (self.place, byte) {
            (Place::Quoted(quote), _) if byte == quote => self.place = Place::Tag,
            (Place::Quoted(_), _) => {}
            (_, b'"' | b'\'') => self.place = Place::Quoted(byte),
            (_, b'>') => {
                self.place = Place::Text;
                // `<!DOCTYPE …>` says nothing here.
                if !self.tag.starts_with(b"<!") && self.tag.len() <= LONGEST {
                    ready.append(&mut self.tag);
                }
            }
            _ => {}
        }
        match self.tag.as_slice() {
            b"<!--" => self.place = Place::Until(b"-->"),
            b"<![CDATA[" => self.place = Place::Until(b"]]>"),
            b"<?" => self.place = Place::Until(b"?>"),
            _ => {}
        }
        // A tag without an end is no tag: its bytes are let go of.
        if self.tag.len() > LONGEST {
            self.tag.truncate(LONGEST);
            self.place = Place::Text;
        }
    }
}
