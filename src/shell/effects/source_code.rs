//! What the source text of an interpreter does to files.

use crate::shell::edit;
use crate::shell::effects::own_input;
use crate::shell::model::{Command, Effect, EffectKind, UNKNOWN, Word};
use crate::shell::wrappers::interpreter_code;

use EffectKind::{Delete, Overwrite};

pub(crate) fn code_effects(
    command: &Command,
    language: crate::shell::model::ScriptLanguage,
    text: &str,
    effects: &mut Vec<Effect>,
) {
    let calls = interpreter_code::file_calls(language, text);
    let mut written =
        calls.iter().filter(|call| call.kind == Overwrite && !call.append).map(|call| &call.targets);
    let first = written.next();
    // With several files it is not known which of them gets which text.
    let writes_one = first
        .is_some_and(|first| first.as_ref().is_some_and(|it| it.len() == 1) && written.all(|it| it == first));
    let rewriting = first.and_then(|_| edit::rewriting(language, text));
    let opens_its_own = writes_one && own_input::opens_its_own(language, text);
    for call in calls {
        let words: Vec<Word> = match &call.targets {
            Some(targets) => targets
                .iter()
                .map(|(text, glob)| Word {
                    glob: *glob,
                    known: !text.contains(UNKNOWN),
                    // The home, by whichever function it was asked for.
                    tilde: text == "~" || text.starts_with("~/"),
                    ..Word::literal(text.as_str())
                })
                .collect(),
            None => vec![Word::unknown()],
        };
        let mut effect = Effect::of(call.kind, command, &call.name, &words, command.directory.as_deref());
        effect.recursive = call.recursive;
        effect.append = call.append;
        // A program is asked nothing.
        effect.forced = call.kind == Delete;
        if call.kind == EffectKind::Truncate && !call.name.ends_with("runcate") {
            effect.content = Some(String::new());
        }
        effect.empties_its_input = call.kind == Overwrite && !call.append && opens_its_own;
        if effect.empties_its_input {
            effect.content = Some(String::new());
        } else if call.kind == Overwrite && !call.append {
            match rewriting.clone().filter(|_| writes_one) {
                Some(edit::Rewriting::Edit(edit)) => effect.edit = Some(edit),
                Some(edit::Rewriting::Text(text)) => effect.content = Some(text),
                None => {}
            }
        }
        effects.push(effect);
    }
}
