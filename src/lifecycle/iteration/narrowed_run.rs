//! A turn that ends on a run which left tests out: fine while looking for a fault, and no word about all tests.

use crate::lifecycle::changes::touched::changed_files;
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::event::ShellDialect;
use crate::shell;
use crate::state::test_runs::TestRun;
use crate::text::verdicts;

/// What a person hears of it, once for each run.
pub(crate) fn said(context: &HookContext) -> Option<String> {
    let bound = context.bound.as_ref()?;
    let run = TestRun::read(&context.layout, &bound.id).filter(|run| run.iteration == context.iteration())?;
    let passed = run.reading.tests.as_ref().is_some_and(|tests| tests.failed == 0);
    let root = context.project.root();
    let option = shell::left_out_of_the_last_run(&run.command, ShellDialect::Posix, root)?;
    let is_news = passed && !changed_files(context).is_empty();
    (is_news && !context.said_in_session(&format!("narrowed {}", run.at)))
        .then(|| verdicts::narrowed_run(&run.command, &option))
}
