//! What happens by itself after a save, an event or a time, and is registered no more: its hook goes, with its method or
//! without.

use crate::detectors::Case;
use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::functions::{called_in, is_part_of_more};
use crate::detectors::product::lasting_effects::{is_effect_call, is_lasting};
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::refusals::is_tested_no_more;
use crate::languages::code::{Function, identifiers};
use crate::model::finding::Severity;

/// How lines begin that register what is done later.
const HOOKS: &[&str] = &[
    "after_commit",
    "after_save",
    "after_create",
    "after_update",
    "after_destroy",
    "after_touch",
    "after_rollback",
    "after_action",
    "after_perform",
    "before_save",
    "before_create",
    "before_update",
    "before_destroy",
    "around_save",
    "after_initialize",
    "rescue_from",
    "default_scope",
    "static::created(",
    "static::saved(",
    "static::updated(",
    "static::deleted(",
    "static::saving(",
    "static::creating(",
    "static::deleting(",
    "self::created(",
    "self::saved(",
    "Event::listen(",
    "add_action(",
    "add_filter(",
    "@receiver(",
    "post_save.connect(",
    "pre_save.connect(",
    "post_delete.connect(",
    "@event.listens_for(",
    "event.listen(",
    "@app.on_event(",
    "@scheduler.",
    "scheduler.add_job(",
    "atexit.register(",
    "signal.signal(",
    "@EventListener",
    "@TransactionalEventListener",
    "@Scheduled",
    "@PostPersist",
    "@PostUpdate",
    "@PostRemove",
    "@PrePersist",
    "@PreUpdate",
    "@PreRemove",
    "@PreDestroy",
    "@KafkaListener",
    "@RabbitListener",
    "@JmsListener",
    "@OnEvent(",
    "@Cron(",
    "@AfterInsert",
    "@AfterUpdate",
    "@BeforeInsert",
    "@HostListener(",
    "cron.schedule(",
    "schedule.every",
    "process.on(",
    "window.addEventListener(",
    "document.addEventListener(",
    "NotificationCenter.default.addObserver(",
    "runtime.addShutdownHook(",
    "Runtime.getRuntime().addShutdownHook(",
];
/// The same in the middle of a line.
const HOOKED: &[&str] = &[
    ".post('save'",
    ".post(\"save\"",
    ".pre('save'",
    ".pre(\"save\"",
    ".addHook(",
    ".afterCreate(",
    ".afterUpdate(",
    ".afterDestroy(",
    "Changed += ",
    "Completed += ",
    "$schedule->",
];
/// Words of a hook that lets only some through: others judge it.
const GUARDING: &[&str] = &["auth", "require", "verify", "validate", "permission", "check", "login", "csrf"];
/// More lines than these are a part of the design that goes.
const MOST: usize = 40;

/// What a declaration has done when something goes or changes.
const OPTIONS: &[&str] = &[
    "dependent:",
    "touch: true",
    "counter_cache",
    "autosave: true",
    "cascade",
    "orphanRemoval",
    "on_delete=",
    "ON DELETE CASCADE",
    "onDelete:",
    "default_factory",
    "auto_now",
    "after_add:",
];

/// The first option of a declaration that goes: `has_many :rows, dependent: :destroy` without its end.
pub(super) fn option_lost(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let head = |text: &'_ str| identifiers(text).take(2).map(str::to_owned).collect::<Vec<_>>();
    revision.hunks().iter().find_map(|hunk| {
        hunk.gone.iter().find_map(|gone| {
            let option = OPTIONS.iter().find(|it| gone.text.contains(**it))?;
            let come = hunk.come.iter().find(|it| head(it.text) == head(gone.text))?;
            let is_less = identifiers(come.text).all(|word| identifiers(gone.text).any(|it| it == word));
            (is_less && !come.text.contains(option) && !is_part_of_more(case, revision)).then(|| {
                let what = format!(
                    "`{}` would do less: `{}` would be gone",
                    short(come.text),
                    option.trim_end_matches([':', '='])
                );
                LostCheck::of_line(gone, "", what, Severity::Medium)
            })
        })
    })
}

/// The first hook that goes with nothing in its place.
pub(super) fn hook_lost(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let hunks = revision.hunks();
    let gone: usize = hunks.iter().map(|it| it.gone.len()).sum();
    if hunks.iter().any(|it| !it.come.is_empty()) || gone > MOST || is_part_of_more(case, revision) {
        return None;
    }
    let count = |text: &str, name: &str| identifiers(text).filter(|it| *it == name).count();
    let line = hunks.iter().flat_map(|it| &it.gone).find(|line| is_hook(line))?;
    let done = done_by(revision, line);
    let name = done.map(|it| it.name).or_else(|| handler(line.text)).unwrap_or_default();
    // Another call of the same method has taken its place, or tests went before.
    if !name.is_empty() && count(revision.new, name) > 1 || is_tested_no_more(case, name) {
        return None;
    }
    let body = done.and_then(|it| revision.old.get(it.body.clone())).unwrap_or_default();
    let lasts = |text: &str| {
        text.lines().any(|line| is_effect_call(line.trim()))
            || called_in(text).iter().any(|it| is_lasting(it))
            || text.contains(".deliver")
            || text.contains(".perform_")
    };
    let block: String = hunks
        .iter()
        .flat_map(|it| &it.gone)
        .filter(|it| it.number >= line.number)
        .take(8)
        .map(|it| format!("{}\n", it.text))
        .collect();
    let is_sure = lasts(body) || body.is_empty() && lasts(&block) || is_lasting(name);
    let severity = if is_sure { Severity::High } else { Severity::Medium };
    let what = format!("`{}` would not be done any more, with nothing in its place", short(line.text));
    Some(LostCheck::of_line(line, name, what, severity))
}

fn is_hook(line: &CodeLine) -> bool {
    let lower = line.text.to_lowercase();
    (HOOKS.iter().any(|head| line.text.starts_with(head)) || HOOKED.iter().any(|it| line.text.contains(it)))
        && !GUARDING.iter().any(|word| lower.contains(word))
}

/// The name of the method that a hook's line says: `after_commit :tell_watchers`.
fn handler(line: &str) -> Option<&str> {
    let named = line.split_once(" :").or_else(|| line.split_once("(:")).map(|(_, rest)| rest);
    named.and_then(|rest| identifiers(rest).next())
}

/// The function before that a hook calls: by its name, or the one that it stands above.
fn done_by<'r, 'a>(revision: &'r Revision<'a>, line: &CodeLine) -> Option<&'r Function<'a>> {
    let mut functions = revision.before.functions.iter();
    if line.text.starts_with('@') {
        return functions.find(|it| {
            it.line > line.number && it.line <= line.number + 4
                || it.line <= line.number && it.span.contains(&line.at)
        });
    }
    let words: Vec<&str> = identifiers(line.text).collect();
    functions.find(|it| !it.name.is_empty() && words.contains(&it.name))
}
