//! The tests that a runner lists without running them.

use std::io::BufRead;

use super::{NAMES, short, terminal};

/// Whose list it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lister {
    /// `cargo test -- --list`: `tests::adds: test`.
    Cargo,
    /// `pytest --collect-only -q`: `test_shop.py::test_adds`.
    Pytest,
    /// `vitest list`: `src/sum.test.ts > sum > adds`.
    Vitest,
    /// `jest --listTests`: files, whose tests must be counted by reading.
    JestFiles,
    /// `go test -list '^(Test|Example|Fuzz)' ./...`: names, and packages at their end.
    Go,
    /// `phpunit --list-tests`: ` - ShopTest::testAdds`.
    Phpunit,
    /// `dotnet test --list-tests`: indented names below a headline.
    Dotnet,
    /// `rspec --dry-run` and `mocha --dry-run`: a run in which nothing happens.
    DryRun,
}

/// What a runner listed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Listing {
    /// How many tests; for [`Lister::JestFiles`] how many files.
    pub count: u64,
    /// Their names, as far as they are kept; two tests may have one.
    pub names: Vec<String>,
}

/// Reads a list. `None` when nothing in it has the lister's form and it does not say that there are none.
pub fn read(lister: Lister, bytes: &mut dyn BufRead) -> Option<Listing> {
    if lister == Lister::DryRun {
        let tests = super::printed(bytes).tests?;
        return Some(Listing { count: tests.total(), names: tests.by_name.into_keys().collect() });
    }
    let mut listing = Listing::default();
    let (mut said_none, mut below, mut broken) = (false, false, false);
    let mut package: Vec<String> = Vec::new();
    let add = |listing: &mut Listing, name: &str| {
        listing.count += 1;
        if listing.names.len() < NAMES {
            listing.names.push(short(name).to_owned());
        }
    };
    let end = terminal::lines(bytes, |line| match lister {
        Lister::Cargo => match line.strip_suffix(": test") {
            Some(name) => add(&mut listing, name),
            None => said_none |= line.ends_with(" benchmarks") || line.ends_with(" benchmark"),
        },
        Lister::Pytest if line.contains("::") && !line.starts_with(['=', ' ', '<']) => {
            add(&mut listing, line)
        }
        Lister::Pytest => {
            said_none |= line.starts_with("no tests collected") || line.contains(" tests collected")
        }
        Lister::Vitest => {
            if line.split_once(" > ").is_some_and(|(file, _)| file.contains('.') && !file.contains(' ')) {
                add(&mut listing, line);
            }
        }
        Lister::JestFiles => {
            if line.starts_with('/') || line.get(1..3) == Some(":\\") {
                add(&mut listing, line);
            }
        }
        // The tests of a package that does not build are not known.
        Lister::Go if line.starts_with("FAIL") => broken = true,
        Lister::Go => {
            if let Some(of) = line.strip_prefix("ok ").or_else(|| line.strip_prefix("?")) {
                let of = of.split('\t').nth(1).unwrap_or_default().to_owned();
                package.drain(..).for_each(|name| add(&mut listing, &format!("{of}.{name}")));
                said_none = true;
            } else if ["Test", "Example", "Fuzz"].iter().any(|kind| line.starts_with(kind))
                && !line.contains(' ')
            {
                package.push(line.to_owned());
            }
        }
        Lister::Phpunit => match line.strip_prefix(" - ") {
            Some(name) => add(&mut listing, name),
            None => said_none |= line.starts_with("Available test"),
        },
        Lister::Dotnet => {
            if line.starts_with("The following Tests are available:") {
                below = true;
                said_none = true;
            } else if below && line.starts_with("    ") {
                add(&mut listing, line.trim());
            } else {
                below &= line.trim().is_empty();
            }
        }
        Lister::DryRun => {}
    });
    (end.is_ok() && !broken && (listing.count > 0 || said_none)).then_some(listing)
}
