//! A text in its language, and what is read from it: its tests, and what its code does.
//!
//! A text is parsed at most once, whatever is asked about it.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::rc::Rc;

use tree_sitter::Tree;

use crate::languages::code::{Code, of_tree};
use crate::languages::descriptor::{Descriptor, LanguageReader};
use crate::languages::lexer::floods::without_floods;
use crate::languages::parsing::{difference, is_too_large, parse};
use crate::languages::registry::Language;
use crate::languages::testing::bodies::finish;
use crate::languages::testing::collection::is_collected;
use crate::languages::testing::outline::Outline;
use crate::languages::testing::outline_builder::OutlineBuilder;

/// A text that is parsed at most once, whatever is asked about it.
#[derive(Debug)]
pub struct ParsedSource<'s> {
    language: Language,
    source: &'s str,
    tree: OnceCell<Option<Tree>>,
    calm: OnceCell<Cow<'s, [u8]>>,
    outline: OnceCell<Rc<Outline>>,
}

impl<'s> ParsedSource<'s> {
    /// A text in its language; nothing is parsed yet.
    pub fn new(language: Language, source: &'s str) -> Self {
        ParsedSource {
            language,
            source,
            tree: OnceCell::new(),
            calm: OnceCell::new(),
            outline: OnceCell::new(),
        }
    }

    /// Whether it is this text in this language.
    pub fn is_of(&self, language: Language, source: &str) -> bool {
        self.language == language && self.source == source
    }

    pub(super) fn tree(&self) -> Option<&Tree> {
        self.tree.get_or_init(|| self.parse(None)).as_ref()
    }

    /// What its grammar gets: its bytes without floods of signs.
    fn calm(&self) -> &Cow<'s, [u8]> {
        self.calm.get_or_init(|| {
            let mut calm = without_floods(self.source);
            if self.language.descriptor().ends_lines && !calm.ends_with(b"\n") {
                calm.to_mut().push(b'\n');
            }
            calm
        })
    }

    fn parse(&self, old: Option<&Tree>) -> Option<Tree> {
        let Descriptor { reader: LanguageReader::Grammar { grammar, .. }, lexicon, .. } =
            self.language.descriptor()
        else {
            return None;
        };
        if is_too_large(self.source) {
            return None;
        }
        parse(grammar, lexicon, self.source, self.calm(), old)
    }

    /// Parses it as a changed `before`: what is the same is taken from its tree.
    pub fn follow(&self, before: &ParsedSource) {
        self.tree.get_or_init(|| {
            // A text with errors may be read in several ways, and what stands for a flood is not in the text.
            let is_sound = |tree: &Tree| !tree.root_node().has_error();
            let Some(old) = before.tree().filter(|old| is_sound(old)) else { return self.parse(None) };
            if [before.calm(), self.calm()].iter().any(|calm| matches!(calm, Cow::Owned(_))) {
                return self.parse(None);
            }
            let mut old = old.clone();
            old.edit(&difference(before.source, self.source));
            self.parse(Some(&old)).filter(is_sound).or_else(|| self.parse(None))
        });
    }

    /// Its tests. A text that is too large gives an outline which is not readable.
    pub fn outline(&self) -> Rc<Outline> {
        Rc::clone(self.outline.get_or_init(|| Rc::new(self.list_tests())))
    }

    fn list_tests(&self) -> Outline {
        match &self.language.descriptor().reader {
            LanguageReader::ByHand { .. } if is_too_large(self.source) => Outline::default(),
            LanguageReader::ByHand { outline, .. } => outline(self.source),
            LanguageReader::Grammar { grammar, .. } => {
                let Some(tree) = self.tree() else { return Outline::default() };
                let mut sketch = OutlineBuilder::new(self.source, grammar);
                (grammar.walk)(&mut sketch, tree.root_node());
                finish(sketch, tree.root_node())
            }
        }
    }

    /// The tests that a runner finds in it when it is the file at `path`.
    pub fn outline_at(&self, path: &str) -> Rc<Outline> {
        if is_collected(&self.language.descriptor().test_files.collected, path, self.source) {
            return self.outline();
        }
        Rc::new(Outline { readable: true, ..Outline::default() })
    }

    /// Whether [`ParsedSource::code`] gives something: the text is not too large.
    pub fn has_code(&self) -> bool {
        match &self.language.descriptor().reader {
            LanguageReader::ByHand { .. } => !is_too_large(self.source),
            LanguageReader::Grammar { .. } => self.tree().is_some(),
        }
    }

    /// What its code does. `None` when the text is too large.
    pub fn code(&self) -> Option<Code<'s>> {
        match &self.language.descriptor().reader {
            LanguageReader::ByHand { code, .. } => (!is_too_large(self.source)).then(|| code(self.source)),
            LanguageReader::Grammar { syntax, .. } => Some(of_tree(syntax, self.source, self.tree()?)),
        }
    }
}

/// Parses a text and lists its tests. A text that is too large gives an outline which is not readable.
pub fn outline(language: Language, source: &str) -> Outline {
    ParsedSource::new(language, source).list_tests()
}

/// The outline of the file at `path`: empty where no runner looks for tests, or when the language is unknown.
pub fn outline_of(path: &str, source: &str) -> Outline {
    match Language::of_path(path) {
        Some(language) => Rc::unwrap_or_clone(ParsedSource::new(language, source).outline_at(path)),
        None => Outline { readable: true, ..Outline::default() },
    }
}

/// Parses a text and lists what its code does. `None` when the text is too large.
pub fn code(language: Language, source: &str) -> Option<Code<'_>> {
    ParsedSource::new(language, source).code()
}
