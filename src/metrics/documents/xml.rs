//! XML reports of any known kind, told by their root: JUnit, trx, Cobertura and JaCoCo.

use std::io::BufRead;

use crate::metrics::coverage::{cobertura, jacoco};
use crate::metrics::junit::Junit;
use crate::metrics::trx::Trx;
use crate::metrics::xml::{self, Elements, Tag};
use crate::metrics::{ReportReading, Tests};

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

/// Reads a document of any known kind.
pub(super) fn read(bytes: &mut dyn BufRead) -> ReportReading {
    let mut document = XmlReport::default();
    let mut unread: Vec<String> = xml::read(bytes, &mut document).into_iter().collect();
    if document.depth > 0 && unread.is_empty() {
        unread.push("the document breaks off".to_owned());
    }
    document.end(unread)
}

#[derive(Default)]
struct XmlReport {
    depth: usize,
    root: String,
    junit: Junit,
    trx: Trx,
    coverage: Option<f64>,
    branches: Option<f64>,
}

impl Elements for XmlReport {
    fn opens(&mut self, name: &str, tag: &Tag, has_content: bool) {
        if self.depth == 0 {
            name.clone_into(&mut self.root);
        }
        match (self.root.as_str(), name, self.depth) {
            ("testsuites" | "testsuite", _, _) => self.junit.opens(name, tag, has_content),
            ("TestRun", _, _) => self.trx.opens(name, tag, has_content),
            ("coverage", "coverage", 0) => {
                self.coverage = cobertura::total(tag);
                self.branches = cobertura::branches(tag);
            }
            ("report", "counter", 1) => {
                self.coverage = jacoco::share(tag, "LINE").or(self.coverage);
                self.branches = jacoco::share(tag, "BRANCH").or(self.branches);
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
}

impl XmlReport {
    fn end(self, mut unread: Vec<String>) -> ReportReading {
        let (format, tests): (&str, Option<Tests>) = match self.root.as_str() {
            "testsuites" | "testsuite" => ("junit", Some(self.junit.end())),
            "TestRun" => ("trx", Some(self.trx.end())),
            "coverage" => ("cobertura", None),
            "report" => ("jacoco", None),
            _ => {
                unread.push("no known XML document".to_owned());
                return ReportReading { unread, ..ReportReading::default() };
            }
        };
        if tests.is_none() && self.coverage.is_none() {
            unread.push("it holds no total of lines".to_owned());
        }
        ReportReading {
            formats: vec![format.to_owned()],
            tests,
            coverage: self.coverage,
            branches: self.branches,
            unread,
            ..ReportReading::default()
        }
    }
}
