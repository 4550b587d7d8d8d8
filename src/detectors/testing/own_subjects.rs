//! What the tests are about, defined a second time in their own file: where its import fails, where a fixture made the real
//! one, and in the module of the tests in Rust.

use crate::detectors::TestComparison;
use crate::detectors::testing::replaced_subjects::ChangedTestLines;
use crate::detectors::testing::test_lines::{
    brings, constructs, declared, defines, fixture_above, is_import,
};
use crate::model::words::is_name_part;

/// A function that the tests ask, which was imported, and which the file defines now besides its import.
pub(super) fn defined_besides(asked: &ChangedTestLines) -> Option<(String, u32)> {
    asked.functions.iter().find_map(|(name, _)| {
        let was_imported = asked.old.lines().any(|line| is_import(line) && brings(line, name));
        let was_own = asked.old.lines().any(|line| defines(line, name));
        let (at, _) = asked.come.iter().find(|(_, line)| defines(line, name))?;
        (was_imported && !was_own && asked.may_answer(*at, name)).then(|| (name.clone(), *at))
    })
}

/// A fixture that the tests ask, and that gives them an object of a type of the file where it gave one of the project.
pub(super) fn returned_by_fixture(asked: &ChangedTestLines) -> Option<(String, u32)> {
    let given = |line: &'_ str| -> Option<String> {
        let bare = line.trim_start();
        let value = ["return ", "yield "].iter().find_map(|head| bare.strip_prefix(head))?;
        value.contains('(').then(|| value.to_owned())
    };
    let hidden = |line: &'_ str| -> Option<String> {
        let rest = line.trim_start().strip_prefix("class ")?;
        rest.split(|c| !is_name_part(c)).next().filter(|name| !name.is_empty()).map(str::to_owned)
    };
    let class = |line: &str| declared(line).map(str::to_owned).or_else(|| hidden(line));
    let own: Vec<String> = asked.come.iter().filter_map(|(_, line)| class(line)).collect();
    asked.come.iter().find_map(|(at, line)| {
        let value = given(line)?;
        let is_nameless = ["new class", "object :", "object:"].iter().any(|head| value.starts_with(head));
        let known = own.iter().find(|class| value.starts_with(class.as_str()) && constructs(&value, class));
        let class = known.map(String::as_str).or(is_nameless.then_some(""))?;
        let fixture = fixture_above(asked.new, *at)?;
        let gave = |(number, old): &(u32, &str)| {
            let was = given(old).filter(|_| fixture_above(asked.old, *number) == Some(fixture))?;
            let made = was.split('(').next()?.rsplit('.').next()?.trim_start_matches("new ").to_owned();
            asked.old.lines().any(|line| is_import(line) && brings(line, &made)).then_some(made)
        };
        let made = asked.gone.iter().find_map(gave).filter(|made| made != class)?;
        let is_asked = asked.roots.iter().any(|(_, roots)| roots.contains(fixture))
            || asked.functions.iter().any(|(_, receiver)| receiver.ends_with(fixture));
        is_asked.then_some((made, *at))
    })
}

/// A function of a file of Rust that its tests define again, so that they ask their own.
pub(super) fn defined_in_tests(comparison: &TestComparison) -> Option<(String, u32)> {
    let (old, new) = (comparison.change.before.as_deref()?, comparison.change.after.as_deref()?);
    let start = |text: &str| text.find("#[cfg(test)]");
    let (was, is) = (start(old)?, start(new)?);
    let of_tests = comparison.after.strays.iter().filter(|it| it.span.start > is);
    of_tests.into_iter().find_map(|own| {
        let name = own.name.as_str();
        let was_there = comparison.before.strays.iter().any(|it| it.name == name && it.span.start > was);
        let is_product = new.get(..is)?.lines().any(|line| defines(line, name));
        let call = format!("{name}(");
        let is_asked = comparison.kept().any(|(before, after)| {
            let asks = |subject: &str| subject.starts_with(&call);
            before.assertions.iter().any(|it| asks(&it.claim.subject))
                && after.assertions.iter().any(|it| asks(&it.claim.subject))
        });
        (!was_there && is_product && is_asked).then(|| (name.to_owned(), own.line))
    })
}
