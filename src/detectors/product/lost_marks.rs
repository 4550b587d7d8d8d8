//! Guards that are written as marks, and constraints of schemas: decorators, annotations, middleware, `min`, `required`.
//!
//! Judged by the words of a line; who takes a field or an endpoint away whole takes its marks with it.

use crate::detectors::Case;
use crate::detectors::engine::code_lines::is_in_text;
use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::checked_inputs::{checked_inputs, is_validated};
use crate::detectors::product::guards_in_front::stands_in_front;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::mark_words::{
    ARGUMENTS, CHECKS, GUARDS, LIBRARIES, LINKS, OPENINGS, PLACES, TYPES,
};
use crate::detectors::product::moved_checks::is_declared_elsewhere;
use crate::detectors::product::rule_lists::has_rules_of;
use crate::detectors::product::typed_fields::is_made_by_type;
use crate::languages::code::{identifiers, plain};
use crate::model::finding::Severity;
use crate::model::words::{is_name_part, unparted};

/// More dependencies of dependencies than these are not followed.
const MOST_DEPENDENCIES: usize = 20;

/// The first guard or constraint that is lost.
pub(super) fn mark_lost(case: &Case, revision: &Revision) -> Option<LostCheck> {
    revision.hunks().iter().filter(|hunk| hunk.gone.len() <= 4).find_map(|hunk| {
        let stays = hunk.below.is_some() && is_below_kept(revision, hunk);
        let found = hunk.gone.iter().find_map(|line| {
            let pair = hunk.come.iter().find(|it| is_pair(line.text, it.text));
            // Without its links the end of a schema is no line of code: `});`.
            let closes = line.text.starts_with("})") && hunk.come.is_empty();
            if pair.is_none()
                && !closes
                && !(stays && is_own_line(line.text) && !goes_with_function(revision, hunk, line))
            {
                return None;
            }
            let is_kept =
                || is_in_text(revision.old, line) || is_declared_elsewhere(case, revision, line.text);
            lost(revision, hunk, line).filter(|_| !is_kept())
        });
        found.map(|(line, what)| LostCheck::new(line.number, line.text, what, Severity::High))
    })
}

/// What a line had that no new line in its place has, and of which the file has less than before.
fn lost<'a>(revision: &Revision, hunk: &TextHunk<'a>, line: &CodeLine<'a>) -> Option<(CodeLine<'a>, String)> {
    // Attributes of Elixir that say of what types things are guard nothing.
    const TYPING: &[&str] = &["@type ", "@typep ", "@opaque ", "@spec ", "@callback ", "@macrocallback "];
    if TYPING.iter().any(|head| line.text.starts_with(head)) {
        return None;
    }
    let fewer = |count: &dyn Fn(&str) -> usize| {
        let of = |lines: &[CodeLine]| lines.iter().map(|it| count(it.text)).sum::<usize>();
        // A type that is written in one line has the marks of all its parts there.
        let whole = |text: &str| text.lines().map(|line| count(line.trim())).sum::<usize>();
        of(&hunk.come) < of(&hunk.gone) && whole(revision.new) < whole(revision.old) && count(line.text) > 0
    };
    let guards = |text: &str| words_of(revision, text, GUARDS, OPENINGS);
    let checks = |text: &str| {
        if is_mark(text) || is_marked_head(text) { words_of(revision, text, CHECKS, &[]) } else { 0 }
    };
    let links = |text: &str| LINKS.iter().map(|link| text.matches(link).count()).sum::<usize>();
    let arguments = |text: &str| {
        let bare: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        ARGUMENTS.iter().map(|it| bare.matches(it).count()).sum::<usize>() + rules_of_tag(text)
    };
    let types = |text: &str| {
        let plain = |word: &str| word.replace('_', "").to_lowercase();
        identifiers(text).filter(|word| TYPES.contains(&plain(word).as_str())).count()
    };
    let has_library = || identifiers(revision.old).any(|word| LIBRARIES.contains(&word));
    let is_elsewhere = || {
        is_passed_on(revision, line.text, hunk)
            || stands_in_front(revision, hunk, line.text)
            || is_on_type(revision.new, line)
    };
    if is_place(line.text) && fewer(&guards) && !is_elsewhere() {
        return Some((*line, format!("the guard `{}` would be gone", short(line.text))));
    }
    if guards(line.text) > 0
        && hunk.come.iter().any(|it| is_pair(line.text, it.text) && opens(line.text, it.text))
    {
        return Some((*line, format!("`{}` would let everybody through", short(line.text))));
    }
    let is_looser = fewer(&checks)
        || fewer(&links) && has_library() && !is_written_by_another_library(revision, hunk, line)
        || is_schema(line.text) && fewer(&arguments)
        || is_field(line.text) && fewer(&types)
        || fewer(&checked_inputs) && !is_validated(hunk);
    let is_made =
        || hunk.come.iter().any(|it| is_pair(line.text, it.text) && is_made_by_type(line.text, it.text));
    let is_looser = is_looser && !has_rules_of(hunk, line) && !is_made() && !is_asked_by_enum(hunk, line);
    is_looser.then(|| (*line, format!("`{}` would accept more", short(line.text))))
}

/// Whether a guard lets everybody through now, by a word in its text or beside it: `hasRole('CLERK')` that became `permitAll()`.
fn opens(old: &str, new: &str) -> bool {
    const OPEN: &[&str] = &[
        "permitall",
        "permitAll",
        "anonymous",
        "Anonymous",
        "AllowAny",
        "AllowAnonymous",
        "isAnonymous",
        "PUBLIC",
    ];
    let is_open = |text: &str| identifiers(text).any(|word| OPEN.contains(&word));
    is_open(new) && !is_open(old)
}

/// Whether a field of a schema is described by another library now, with at least as many calls: `z.string().min(1)` as
/// `v.pipe(v.string(), v.minLength(1))`.
fn is_written_by_another_library(revision: &Revision, hunk: &TextHunk, line: &CodeLine) -> bool {
    let Some((key, value)) = line.text.split_once(':') else { return false };
    let root = identifiers(value).next().unwrap_or_default();
    let calls = |text: &str| text.matches('(').count();
    let is_left = identifiers(revision.new).any(|word| word == root);
    let is_same = |it: &&CodeLine| it.text.split_once(':').is_some_and(|(own, _)| own == key);
    !root.is_empty()
        && !is_left
        && hunk.come.iter().find(is_same).is_some_and(|it| calls(it.text) >= calls(line.text))
}

/// Whether what a parameter depended on is a dependency of what the endpoint depends on instead: `Depends(own_note)`, where
/// `own_note` has the guard.
fn is_passed_on(revision: &Revision, line: &str, hunk: &TextHunk) -> bool {
    let known = dependencies(line);
    let mut reached: Vec<&str> = hunk.come.iter().flat_map(|it| dependencies(it.text)).collect();
    let mut at = 0;
    while let Some(name) = reached.get(at).copied().filter(|_| at < MOST_DEPENDENCIES) {
        let next = signature(revision.new, name).map(dependencies).unwrap_or_default();
        let is_new = |it: &&str| !reached.contains(it);
        let next: Vec<&str> = next.into_iter().filter(is_new).collect();
        reached.extend(next);
        at += 1;
    }
    // One that stands in the endpoint's own line still was no loss; one that nothing reaches is.
    !known.is_empty() && known.iter().all(|it| reached.contains(it))
}

/// What the parameters of a line depend on, by name.
fn dependencies(text: &str) -> Vec<&str> {
    let calls = ["Depends(", "Security("].into_iter().flat_map(|head| text.split(head).skip(1));
    let name = |rest: &'_ str| rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.')));
    calls.filter_map(|rest| rest.get(..name(rest)?)).filter(|it| !it.is_empty()).collect()
}

/// The parameters of a function of Python.
fn signature<'t>(source: &'t str, name: &str) -> Option<&'t str> {
    let head = format!("def {name}(");
    let start = source.find(&head)? + head.len();
    let rest = source.get(start..)?;
    let mut depth = 1;
    let end = rest.find(|c| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth == 0
    })?;
    rest.get(..end)
}

/// How many identifiers of a line are or have one of these words.
fn words_of(revision: &Revision, text: &str, words: &[&str], except: &[&str]) -> usize {
    if !is_place(text) && !is_marked_head(text) {
        return 0;
    }
    let is_short = words.contains(&"min");
    let one = |word: &str| {
        let lower = unparted(word);
        let has =
            |all: &[&str]| all.iter().any(|it| if is_short { lower == *it } else { lower.contains(it) });
        has(words) && !except.iter().any(|it| lower.contains(it))
    };
    identifiers(&plain(revision.words, text)).filter(|word| one(word)).count()
}

/// Whether Rails asks that a field has one of its values by the field's own list now: `enum :state, …, validate: true`.
fn is_asked_by_enum(hunk: &TextHunk, line: &CodeLine) -> bool {
    let field = line.text.strip_prefix("validates :").and_then(|it| it.split(',').next());
    let is_list = line.text.contains("inclusion") && line.text.matches(':').count() <= 4;
    let asks = |text: &str, field: &str| {
        let rest = text.strip_prefix("enum ").unwrap_or_default().trim_start_matches(':');
        let own = rest.strip_prefix(field).is_some_and(|it| !it.starts_with(is_name_part));
        own && text.contains("validate: ") && !text.contains("validate: false")
    };
    is_list && field.is_some_and(|field| hunk.come.iter().any(|it| asks(it.text, field)))
}

/// Whether the type that a line stands in has the same mark, which is about all of its functions.
fn is_on_type(text: &str, line: &CodeLine) -> bool {
    const HEADS: &[&str] = &["class ", "interface ", "object "];
    let indent = |line: &str| line.len() - line.trim_start().len();
    let at = usize::try_from(line.number).unwrap_or_default();
    let lines: Vec<&str> = text.lines().take(at).collect();
    let is_type = |it: &&str| {
        let words = it.split(' ').take_while(|word| *word != "{").count();
        HEADS.iter().any(|head| it.contains(head))
            && words < 12
            && !it.trim_start().starts_with(['@', '*', '/', '#'])
    };
    let Some(head) = lines.iter().rposition(is_type) else { return false };
    let depth = lines.get(head).map_or(0, |it| indent(it));
    let above = lines.get(..head).unwrap_or_default().iter().rev();
    let mut marks = above.take_while(|it| it.trim_start().starts_with(['@', '[', '#']));
    marks.any(|it| indent(it) == depth && it.trim() == line.text)
}

/// Whether a line is the head of a type whose parts stand in its parentheses with their marks: `record Order(@NotBlank
/// String id)`.
fn is_marked_head(text: &str) -> bool {
    const HEADS: &[&str] = &["record ", "class "];
    let marks = text.split_once('(').is_some_and(|(_, parts)| parts.contains('@'));
    marks && HEADS.iter().any(|head| text.contains(head))
}

/// Whether a line is a mark of a language.
fn is_mark(text: &str) -> bool {
    is_annotation(text)
        || text.starts_with('[') && text.ends_with(']')
        || text.starts_with("#[")
        || text.starts_with("validates")
        || text.starts_with("validate_")
        || text.starts_with("validate :")
        || text.starts_with("|> validate_")
        || text.starts_with("|> unique_constraint")
}

/// Whether a line begins with `@Name`, and not with a value of Ruby's that something is reckoned with.
fn is_annotation(text: &str) -> bool {
    let rest =
        text.strip_prefix('@').map(|rest| rest.trim_start_matches(|c: char| is_name_part(c) || c == '.'));
    let is_reckoned =
        |rest: &str| rest.trim_start().starts_with(['+', '-', '*', '/', '<', '>', '&', '|', '?', '[']);
    rest.is_some_and(|rest| !is_reckoned(rest)) && !is_assigned(text)
}

/// Whether a line gives a value to something, and not only to an argument in brackets: `@Size(max = 9)` does not.
fn is_assigned(text: &str) -> bool {
    let mut depth = 0;
    text.chars().any(|c| {
        depth += match c {
            '(' | '[' | '{' => 1,
            ')' | ']' | '}' => -1,
            _ => 0,
        };
        c == '=' && depth == 0
    })
}

/// Whether a line may hold a guard or a check that belongs to what stands below or in it.
fn is_place(text: &str) -> bool {
    is_mark(text) || text.starts_with('@') || PLACES.iter().any(|place| text.contains(place))
}

/// How many rules the tag of a field of Go has: `validate:"required,email"`.
fn rules_of_tag(text: &str) -> usize {
    let tags = ["validate:\"", "binding:\""].into_iter().flat_map(|head| text.split(head).skip(1));
    let rules = tags.filter_map(|rest| rest.split('"').next()).flat_map(|rules| rules.split(','));
    rules.filter(|rule| !matches!(*rule, "" | "omitempty" | "dive" | "-")).count()
}

/// Whether a line declares a field with its type: `email: EmailStr`, `email = models.EmailField()`.
fn is_field(text: &str) -> bool {
    let head = text.split([':', '=']).next().unwrap_or_default().trim();
    head.len() < text.len() && !head.is_empty() && head.chars().all(is_name_part)
}

/// Whether a line is a guard as a whole and takes nothing else with it.
fn is_own_line(text: &str) -> bool {
    let heads = [
        "before_action",
        "before_filter",
        "plug ",
        "app.use(",
        "router.use(",
        "r.Use(",
        "app.Use",
        "authorize",
        "RuleFor(",
    ];
    is_mark(text) || heads.iter().any(|head| text.starts_with(head)) || text.starts_with("->middleware(")
}

/// Whether a line gives rules for a value.
fn is_schema(text: &str) -> bool {
    [
        "Field(",
        "fields.",
        "models.",
        "Column(",
        "validates",
        "constr(",
        "conint(",
        "`",
        "=> '",
        "=> \"",
        "=> [",
        "Query(",
        "Annotated[",
    ]
    .iter()
    .any(|it| text.contains(it))
}

/// Whether two lines are about the same: they begin alike.
fn is_pair(old: &str, new: &str) -> bool {
    let first =
        |text: &str| text.split(|c: char| !is_name_part(c)).find(|word| !word.is_empty()).map(str::to_owned);
    // What closes a schema has its last links: `}).strict();`.
    let closes = |text: &str| text.starts_with("})");
    first(old).is_some() && first(old) == first(new)
        || closes(old) && closes(new)
        || (is_mark(old) && is_mark(new))
        || marked_field(old).is_some_and(|field| marked_field(new).or_else(|| last_name(new)) == Some(field))
}

/// The field that stands in one line with its marks: `@NotNull @Size(max = 9) String name,`.
fn marked_field(text: &str) -> Option<&str> {
    let is_marked = text.starts_with('@') && text.ends_with([',', ';', ')', '{'])
        || text.starts_with('@') && text.contains(") ");
    last_name(text).filter(|_| is_marked && text.trim_end_matches([',', ';']).contains(' '))
}

/// The name at the end of a declaration.
fn last_name(text: &str) -> Option<&str> {
    let text = text.trim_end_matches([',', ';', '{', ' ', ')']);
    let name = text.rsplit(|c: char| !is_name_part(c)).next()?;
    (name.starts_with(char::is_lowercase) && text.contains(' ')).then_some(name)
}

/// Whether the function that an annotation stands above goes as a whole, with nothing in its place.
fn goes_with_function(revision: &Revision, hunk: &TextHunk, mark: &CodeLine) -> bool {
    let mut below = hunk.gone.iter().filter(|it| it.at > mark.at && !is_annotation(it.text));
    let named = |line: &CodeLine| {
        let word = line.text.split_once('(').and_then(|(head, _)| identifiers(head).last());
        word.filter(|word| revision.before.functions.iter().any(|it| it.name == *word)).map(str::to_owned)
    };
    let is_gone = |name: String| !revision.after.functions.iter().any(|it| it.name == name);
    hunk.come.is_empty() && is_annotation(mark.text) && below.next().and_then(named).is_some_and(is_gone)
}

/// Whether what a mark stands above is there still.
fn is_below_kept(revision: &Revision, hunk: &TextHunk) -> bool {
    let below = hunk.below.map(|it| it.text).unwrap_or_default();
    revision.new.matches(below).count() >= revision.old.matches(below).count()
}
