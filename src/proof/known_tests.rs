//! The tests that stand in changed files, before and after, and which name of a runner's is which of them.

use crate::languages::{Fate, Test, file_name, is_test_path, outline_of, pair};
use crate::proof::deciding::FileRole;
use crate::proof::work::ChangedFile;

/// A test of a changed file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KnownTest {
    /// The file, as it was called before, or as it is where it is new.
    pub file: String,
    /// Before.
    pub old: Option<Version>,
    /// After.
    pub new: Option<Version>,
}

/// A test on one side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// `Suite > case`.
    pub name: String,
    /// The last part of it.
    pub title: String,
    /// What it says.
    pub text: String,
    /// Its line, from 1.
    pub line: u32,
}

/// All tests of changed files.
#[derive(Debug, Clone, Default)]
pub struct KnownTests {
    /// The tests.
    pub list: Vec<KnownTest>,
    /// The changed files that hold tests, with their texts before and after.
    pub files: Vec<(String, Option<String>, Option<String>)>,
}

impl KnownTests {
    /// Reads the tests of the changed files that decide.
    pub fn of(changed: &[ChangedFile], roles: &[FileRole]) -> KnownTests {
        let mut known = KnownTests::default();
        let holds = |(changed, role): &(&ChangedFile, &FileRole)| {
            **role == FileRole::OwnTests || (**role != FileRole::Source && is_test_path(&changed.path))
        };
        for (one, _) in changed.iter().zip(roles).filter(holds) {
            let text = |text: Option<&str>| text.map(str::to_owned);
            known.files.push((one.path.clone(), text(one.old_text()), text(one.new_text())));
            known.file(one);
        }
        known.moved();
        known
    }

    fn file(&mut self, changed: &ChangedFile) {
        let (old, new) = (changed.old_text().unwrap_or_default(), changed.new_text().unwrap_or_default());
        let (before, after) = (outline_of(&changed.path, old), outline_of(&changed.path, new));
        let fates = pair(&before, old, &after, new);
        let mut taken = vec![false; after.tests.len()];
        for (test, fate) in before.tests.iter().zip(&fates) {
            let next = match fate {
                Fate::Kept(at) => {
                    if let Some(taken) = taken.get_mut(*at) {
                        *taken = true;
                    }
                    after.tests.get(*at)
                }
                _ => None,
            };
            let new = next.map(|next| version(next, new));
            self.list.push(KnownTest { file: changed.path.clone(), old: Some(version(test, old)), new });
        }
        let added = |(at, test): (usize, &Test)| (taken.get(at) == Some(&false)).then(|| version(test, new));
        let added = after.tests.iter().enumerate().filter_map(added).collect::<Vec<_>>();
        self.list.extend(added.into_iter().map(|new| KnownTest {
            file: changed.path.clone(),
            old: None,
            new: Some(new),
        }));
    }

    /// A test that is gone here and new elsewhere under its name has moved.
    fn moved(&mut self) {
        let new: Vec<(usize, String)> = self
            .list
            .iter()
            .enumerate()
            .filter(|(_, it)| it.old.is_none())
            .filter_map(|(at, it)| Some((at, it.new.as_ref()?.title.clone())))
            .collect();
        let mut gone = Vec::new();
        for at in 0..self.list.len() {
            let title = match self.list.get(at) {
                Some(KnownTest { old: Some(old), new: None, .. }) => old.title.clone(),
                _ => continue,
            };
            let found = new.iter().find(|(from, name)| *name == title && !gone.contains(from));
            let Some((from, _)) = found else { continue };
            let version = self.list.get(*from).and_then(|it| it.new.clone());
            if let Some(test) = self.list.get_mut(at) {
                test.new = version;
            }
            gone.push(*from);
        }
        let mut at = 0;
        self.list.retain(|_| {
            at += 1;
            !gone.contains(&(at - 1))
        });
    }

    /// Which test a runner means by a name, on the side that `of` gives.
    pub fn find(&self, name: &str, of: fn(&KnownTest) -> Option<&Version>) -> Option<usize> {
        let mut best: Option<(usize, usize)> = None;
        for (at, test) in self.list.iter().enumerate() {
            let Some(version) = of(test) else { continue };
            let fit = fit(name, &test.file, version);
            if fit > 0 && best.is_none_or(|(_, known)| fit > known) {
                best = Some((at, fit));
            }
        }
        best.map(|(at, _)| at)
    }

    /// The changed test file that a name stands for as a whole, which runners report when it can't be loaded.
    pub fn file_named(&self, name: &str) -> Option<&str> {
        let plain = |text: &str| text.trim_start_matches("./").replace(['/', '\\'], ".");
        let wanted = plain(name);
        let mut files = self.files.iter().map(|(file, ..)| file.as_str());
        files.find(|file| {
            let full = plain(file);
            let stem = full.rsplit_once('.').map_or(full.as_str(), |(stem, _)| stem);
            // Some runners name it without its folder.
            let bare = plain(file_name(file));
            wanted == full || wanted == stem || wanted == bare || wanted.ends_with(&format!(".{full}"))
        })
    }
}

fn version(test: &Test, source: &str) -> Version {
    Version {
        name: test.name.clone(),
        title: test.title.clone(),
        text: source.get(test.span.clone()).unwrap_or_default().to_owned(),
        line: test.line,
    }
}

/// How well a runner's name fits a test: 0 for not at all.
fn fit(name: &str, file: &str, version: &Version) -> usize {
    let bare = without_parameters(name);
    let is_title = bare == version.title
        || [" > ", "::", ".", "/", " › ", " "].iter().any(|cut| {
            bare.strip_suffix(version.title.as_str()).is_some_and(|front| front.ends_with(cut))
        })
        // Parts of a test stand behind it: `example.com/shop.TestAdds/zero`.
        || bare.split('/').any(|step| step.rsplit('.').next() == Some(version.title.as_str()));
    if !is_title || version.title.is_empty() {
        return 0;
    }
    let flat = |text: &str| text.replace(" > ", " ").replace("::", " ").replace(" › ", " ");
    let is_full = flat(bare).ends_with(&flat(&version.name));
    let stem = file.rsplit('/').next().unwrap_or(file);
    let stem = stem.split('.').next().unwrap_or(stem);
    1 + usize::from(is_full) + 2 * usize::from(name.contains(stem))
}

/// `test_adds[1-2]` without what its parameters are.
pub(crate) fn without_parameters(name: &str) -> &str {
    match name.find('[').filter(|at| *at > 0 && name.ends_with(']')) {
        Some(at) => name.get(..at).unwrap_or(name),
        None => name.strip_suffix("()").unwrap_or(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::work::Content;

    fn changed(path: &str, old: &str, new: &str) -> ChangedFile {
        let content = |text: &str| {
            (!text.is_empty()).then(|| Content { bytes: text.as_bytes().to_vec(), executable: false })
        };
        ChangedFile { path: path.to_owned(), old: content(old), new: content(new) }
    }

    #[test]
    fn a_runners_name_finds_its_test() {
        let python = changed(
            "tests/test_calc.py",
            "def test_adds():\n    assert add(1, 2) == 3\n",
            "def test_adds():\n    assert add(1, 2)\n",
        );
        let js = changed(
            "cart.test.js",
            "describe('cart', () => {\n  it('adds up', () => { expect(a()).toBe(1); });\n});\n",
            "",
        );
        let known = KnownTests::of(&[python, js], &[FileRole::Decides("x"), FileRole::Decides("x")]);
        let find = |name: &str| known.find(name, |it| it.old.as_ref()).map(|at| known.list[at].file.as_str());
        assert_eq!(find("tests.test_calc > test_adds"), Some("tests/test_calc.py"));
        assert_eq!(find("tests/test_calc.py::test_adds[1-2]"), Some("tests/test_calc.py"));
        assert_eq!(find("cart > adds up"), Some("cart.test.js"));
        assert_eq!(find("cart.test.js > cart > adds up"), Some("cart.test.js"));
        assert_eq!(find("example.com/calc.test_adds/zero"), Some("tests/test_calc.py"));
        assert_eq!(find("example.com/test_adds_more/zero"), None);
        assert_eq!(find("cart > adds"), None);
        assert_eq!(known.file_named("tests.test_calc"), Some("tests/test_calc.py"));
        assert_eq!(known.file_named("cart.test.js"), Some("cart.test.js"));
        assert_eq!(known.file_named("test_calc.py"), Some("tests/test_calc.py"));
        assert_eq!(known.file_named("other.test.js"), None);
    }

    #[test]
    fn a_test_that_moved_or_has_a_new_name_is_the_same_one() {
        let body = "\n    assert add(1, 2) == 3\n    assert add(2, 2) == 4\n";
        let old = changed("tests/test_a.py", &format!("def test_adds():{body}"), "");
        let new = changed("tests/test_b.py", "", &format!("def test_adds():{body}"));
        let renamed = changed(
            "tests/test_c.py",
            &format!("def test_sum():{body}"),
            &format!("def test_total():{body}"),
        );
        let known = KnownTests::of(
            &[old, new, renamed],
            &[FileRole::Decides("x"), FileRole::Decides("x"), FileRole::Decides("x")],
        );
        assert_eq!(known.list.len(), 2, "{known:?}");
        assert!(known.list.iter().all(|test| test.old.is_some() && test.new.is_some()));
    }
}
