//! A text that a pattern fits, as short as it can be.

use regex_syntax::hir::{Class, Hir, HirKind};

/// The longest text that a pattern is shown by, in bytes.
pub(crate) const LONGEST_SAMPLE: usize = 400;

pub(crate) fn sample(hir: &Hir, text: &mut String) {
    if text.len() > LONGEST_SAMPLE {
        return;
    }
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => text.push_str(&String::from_utf8_lossy(&literal.0)),
        HirKind::Class(class) => text.push(member(class)),
        HirKind::Repetition(repetition) => {
            // `[0-9]+` is shown by a number of two digits, `.*` by nothing.
            let wanted = if is_digits(&repetition.sub) { 2 } else { repetition.min };
            let times = repetition.max.map_or(wanted, |most| wanted.min(most)).max(repetition.min).min(40);
            (0..times).for_each(|_| sample(&repetition.sub, text));
        }
        HirKind::Capture(capture) => sample(&capture.sub, text),
        HirKind::Concat(parts) => parts.iter().for_each(|part| sample(part, text)),
        HirKind::Alternation(ways) => {
            if let Some(first) = ways.first() {
                sample(first, text);
            }
        }
    }
}

fn is_digits(hir: &Hir) -> bool {
    matches!(hir.kind(), HirKind::Class(class) if member(class) == '9')
}

fn member(class: &Class) -> char {
    let holds = |wanted: char| match class {
        Class::Unicode(class) => class.ranges().iter().any(|it| (it.start()..=it.end()).contains(&wanted)),
        Class::Bytes(class) => u8::try_from(wanted)
            .is_ok_and(|byte| class.ranges().iter().any(|it| (it.start()..=it.end()).contains(&byte))),
    };
    let first = match class {
        Class::Unicode(class) => class.ranges().first().map(regex_syntax::hir::ClassUnicodeRange::start),
        Class::Bytes(class) => class.ranges().first().map(|it| char::from(it.start())),
    };
    ['x', 'X', '9', ' ', '"'].into_iter().find(|it| holds(*it)).or(first).unwrap_or('x')
}
