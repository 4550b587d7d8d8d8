//! Whether a pattern that chooses tests can fit one: some file of the project holds its words, or has them in its name.

use crate::lifecycle::call::shell_call::gather::CallInspection;
use crate::project::Project;
use crate::shell::Effect;

/// In a larger project the search would take longer than the answer is worth.
const MOST_SEARCHED: usize = 10_000;

impl<'p> CallInspection<'p> {
    /// Notes a choice whose longest word is in no file of the project.
    pub(crate) fn look_for_a_test(&mut self, index: usize, effect: &Effect) {
        let Some(word) = effect.content.as_deref() else { return };
        let git = Project::at(&self.surroundings.root).git();
        let is_searched = git.tracked_count().is_some_and(|count| count <= MOST_SEARCHED);
        if is_searched && git.holds_word(word) == Some(false) {
            self.facts.fitting_none.push(index);
        }
    }
}
