//! What the detectors find in changes, weighed with what else is known: the session's other files, modules that import
//! what goes, tests that have a fixed answer's values, and the files that an exclusion names. Before a call and after it
//! the same.

use std::cell::OnceCell;

use crate::agents::laziness_detector;
use crate::detectors::checks::named_files;
use crate::detectors::testing::moved_files;
use crate::lifecycle::changes::file_text::read_text;
use crate::lifecycle::changes::touched::elsewhere;
use crate::lifecycle::changes::{
    both_sides, held_subjects, importers, named_sources, patched_subjects, skip_switches, tested_values,
    twins,
};
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::finding::{Change, Finding};

/// Adds what is found in `changes` to what is known of the call already, and weighs all of it.
pub(crate) fn add(context: &HookContext, changes: &[Change], findings: &mut Vec<Finding>) {
    // Git is asked for the session's other files once, and only where something asks for them.
    let others = OnceCell::new();
    let others = || others.get_or_init(|| elsewhere(context));
    let found = laziness_detector::check(changes, || others().clone(), &context.config);
    findings.extend(named_sources::weigh(context, changes, found, others));
    twins::spare(context, changes, findings);
    let switched = skip_switches::found(context, changes, findings);
    findings.extend(switched);
    findings.extend(importers::missed(context, changes));
    tested_values::confirm(context, changes, findings);
    held_subjects::confirm(context, changes, findings);
    let patched = patched_subjects::found(context, changes, findings);
    findings.extend(patched);
    both_sides::add(context, changes, findings);
    let read = |path: &str| read_text(&context.project.root().join(path));
    findings.extend(moved_files::out_of_reach(changes, read));
    named_files::weigh(findings, changes, || context.project.git().files(None), read);
}
