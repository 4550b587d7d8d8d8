//! Regions of `#if` within a test that stand for a platform: `#if !os(iOS)`, `#if canImport(UIKit)`.
//!
//! A condition is worked out for each platform that it names and for one that it does not. One that always or never
//! holds is no platform's.

/// Conditions of more parts than these are not worked out.
const MOST: usize = 8;
/// Modules that are there wherever tests run.
const EVERYWHERE: &[&str] = &["Swift", "XCTest", "Testing", "Foundation"];
/// What `os` can be.
const SYSTEMS: &[&str] = &[
    "macOS", "OSX", "iOS", "watchOS", "tvOS", "visionOS", "Linux", "Windows", "Android", "FreeBSD",
    "OpenBSD", "WASI", "Cygwin", "PS4", "Haiku",
];
/// What `arch` can be.
const MACHINES: &[&str] =
    &["x86_64", "arm64", "arm64_32", "arm", "i386", "wasm32", "powerpc64", "powerpc64le", "s390x", "riscv64"];
/// What `targetEnvironment` can be.
const ENVIRONMENTS: &[&str] = &["simulator", "macCatalyst"];

/// Whether a place within a function stands in a region that some platforms have and others do not.
pub(super) fn is_of_platform(source: &str, function: usize, place: usize) -> bool {
    let regions = around(source, place);
    let joined = |is_own: bool| {
        let all = regions.iter().filter(|(start, _)| (*start >= function) == is_own);
        all.map(|(_, condition)| format!("({condition})")).collect::<Vec<_>>().join("&&")
    };
    let (outer, own) = (joined(false), joined(true));
    !own.is_empty() && is_mixed(&own, &outer)
}

/// The conditions that a place stands under, with where each begins.
fn around(source: &str, place: usize) -> Vec<(usize, String)> {
    // What each open region has asked before, and what it asks now.
    let mut open: Vec<(usize, Vec<String>, String)> = Vec::new();
    let mut at = 0;
    for line in source.split_inclusive('\n') {
        if at > place {
            break;
        }
        let bare = line.trim().split("//").next().unwrap_or_default().trim();
        if let Some(condition) = bare.strip_prefix("#if ") {
            open.push((at, Vec::new(), condition.to_owned()));
        } else if bare == "#endif" {
            open.pop();
        } else if let Some((_, asked, now)) = open.last_mut()
            && (bare == "#else" || bare.starts_with("#elseif "))
        {
            let next = bare.strip_prefix("#elseif ").unwrap_or("true").to_owned();
            asked.push(std::mem::replace(now, next));
        }
        at += line.len();
    }
    let whole = |(start, asked, now): (usize, Vec<String>, String)| {
        let not: String = asked.iter().map(|it| format!("!({it})&&")).collect();
        (start, format!("{not}({now})"))
    };
    open.into_iter().map(whole).collect()
}

/// Whether a condition about platforms holds on some and not on others, of those on which what is around it holds.
fn is_mixed(own: &str, outer: &str) -> bool {
    let atoms = parts_of(own);
    if atoms.iter().any(|atom| !is_platform(atom)) {
        return false;
    }
    let mut all = atoms;
    all.extend(parts_of(outer));
    all.sort();
    all.dedup();
    if all.len() > MOST {
        return false;
    }
    let (mut holds, mut fails) = (false, false);
    for bits in 0..1u32 << all.len() {
        let is_on = |atom: &str| all.iter().position(|it| it == atom).is_some_and(|at| bits >> at & 1 == 1);
        if !is_possible(&all, &is_on) || !outer.is_empty() && value(outer, &is_on) != Some(true) {
            continue;
        }
        match value(own, &is_on) {
            Some(true) => holds = true,
            Some(false) => fails = true,
            None => return false,
        }
    }
    holds && fails
}

/// Whether there is a platform of which these parts hold: it has one system and one machine, and what is everywhere.
fn is_possible(all: &[String], is_on: &dyn Fn(&str) -> bool) -> bool {
    let count = |head: &str| all.iter().filter(|it| it.starts_with(head) && is_on(it)).count();
    let is_fixed = |atom: &String| match of(atom) {
        ("canImport", module) if EVERYWHERE.contains(&module) => is_on(atom),
        ("os", name) if !SYSTEMS.contains(&name) => !is_on(atom),
        ("arch", name) if !MACHINES.contains(&name) => !is_on(atom),
        ("targetEnvironment", name) if !ENVIRONMENTS.contains(&name) => !is_on(atom),
        _ => true,
    };
    count("os(") <= 1 && count("arch(") <= 1 && count("targetEnvironment(") <= 1 && all.iter().all(is_fixed)
}

fn is_platform(atom: &str) -> bool {
    matches!(of(atom), ("os" | "arch" | "targetEnvironment" | "canImport", name) if !name.is_empty())
}

/// `os`, `iOS` of `os(iOS)`.
fn of(atom: &str) -> (&str, &str) {
    let (head, rest) = atom.split_once('(').unwrap_or((atom, ""));
    (head, rest.trim_end_matches(')').split(',').next().unwrap_or_default())
}

/// The parts of a condition that hold or do not, without those that are constant.
fn parts_of(condition: &str) -> Vec<String> {
    let mut reader = PlatformConditionReader::of(condition, &|_| false);
    reader.either();
    reader.seen
}

/// Whether a condition holds; `None` where it can't be read.
fn value(condition: &str, is_on: &dyn Fn(&str) -> bool) -> Option<bool> {
    let mut reader = PlatformConditionReader::of(condition, is_on);
    let found = reader.either()?;
    reader.rest.is_empty().then_some(found)
}

/// Reads a condition from its start.
struct PlatformConditionReader<'r> {
    rest: String,
    is_on: &'r dyn Fn(&str) -> bool,
    seen: Vec<String>,
    depth: usize,
}

impl<'r> PlatformConditionReader<'r> {
    fn of(condition: &str, is_on: &'r dyn Fn(&str) -> bool) -> Self {
        let rest = condition.chars().filter(|c| !c.is_whitespace()).collect();
        PlatformConditionReader { rest, is_on, seen: Vec::new(), depth: 0 }
    }

    fn takes(&mut self, sign: &str) -> bool {
        let rest = self.rest.strip_prefix(sign).map(str::to_owned);
        rest.is_some_and(|rest| {
            self.rest = rest;
            true
        })
    }

    fn either(&mut self) -> Option<bool> {
        let mut found = self.both()?;
        while self.takes("||") {
            found |= self.both()?;
        }
        Some(found)
    }

    fn both(&mut self) -> Option<bool> {
        let mut found = self.one()?;
        while self.takes("&&") {
            found &= self.one()?;
        }
        Some(found)
    }

    fn one(&mut self) -> Option<bool> {
        self.depth += 1;
        if self.depth > 64 {
            return None;
        }
        if self.takes("!") {
            return self.one().map(|it| !it);
        }
        if self.takes("(") {
            let found = self.either()?;
            return self.takes(")").then_some(found);
        }
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let mut end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        if self.rest.get(end..)?.starts_with('(') {
            end += self.rest.get(end..)?.find(')')? + 1;
        }
        let atom: String = self.rest.get(..end).filter(|it| !it.is_empty())?.to_owned();
        self.rest.drain(..end);
        match atom.as_str() {
            "true" => Some(true),
            "false" => Some(false),
            _ => {
                let is_on = (self.is_on)(&atom);
                self.seen.push(atom);
                Some(is_on)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_platform_is_what_some_are_and_others_are_not() {
        for (own, outer, expected) in [
            ("!os(iOS)", "", true),
            ("os(Linux) || os(Windows)", "", true),
            ("canImport(UIKit) && !targetEnvironment(macCatalyst)", "", true),
            ("os(iOS) || !os(iOS)", "", false),
            ("!os(iOS) || !os(macOS)", "", false),
            ("os(iOS) && os(Linux)", "", false),
            ("os(Nowhere)", "", false),
            ("!os(Nowhere)", "", false),
            ("canImport(XCTest)", "", false),
            ("canImport(Foundation) || os(iOS)", "", false),
            ("true", "", false),
            ("DEBUG", "", false),
            ("os(iOS) || DEBUG", "", false),
            ("swift(>=5.0)", "", false),
            ("os(iOS)", "os(iOS)", false),
            ("!os(macOS)", "os(iOS)", false),
            ("os(iOS)", "DEBUG", true),
            ("os(iOS", "", false),
        ] {
            assert_eq!(is_mixed(own, outer), expected, "{own} within {outer}");
        }
    }

    #[test]
    fn a_place_stands_under_all_that_is_open() {
        let source = "#if os(iOS)\nfunc a() {\n#if DEBUG\n#elseif os(tvOS)\n#else\nx\n#endif\n}\n#endif\n";
        let place = source.find('x').unwrap();
        let found: Vec<String> = around(source, place).into_iter().map(|(_, it)| it).collect();
        assert_eq!(found, ["(os(iOS))", "!(DEBUG)&&!(os(tvOS))&&(true)"]);
    }
}
