//! How files of Java and Kotlin import a class, whose file is named after it, and what they name of it.

use std::collections::BTreeSet;

use crate::languages::modules::imports::{
    ALL, Import, ImportQuestion, Modules, code_lines, ends_with, folder, has_word, imports_class, last_word,
    uses, whole, word,
};

pub(crate) const MODULES: Modules = Modules {
    offered,
    names: Some(names),
    ..Modules::of_files(&["java", "kt"], &["scala", "groovy"], imports)
};

/// Marks of a class whose members are made for it.
const GENERATED: &[&str] =
    &["@Data", "@Value", "@Getter", "@Setter", "@Accessors", "@Builder", "@SuperBuilder", "@UtilityClass"];

/// The name of the class.
fn class_of(path: &str) -> &str {
    let stem = MODULES.stem(path);
    stem.rsplit('/').next().unwrap_or(stem)
}

/// The members that a class of Java itself has for others. What it may inherit is not missed by its absence here.
fn offered(path: &str, text: &str) -> BTreeSet<String> {
    let is_derived =
        || code_lines(text).any(|line| line.contains(" extends ") || line.contains(" implements "));
    if !path.ends_with(".java") || is_derived() {
        return BTreeSet::new();
    }
    let member = |line: &str| -> Option<String> {
        let line = line.trim_start();
        let is_offered =
            line.starts_with("public ") || line.starts_with("protected ") || line.starts_with("static ");
        let head = line.split(['(', '=', ';', '{']).next().filter(|_| is_offered)?.trim_end();
        let types = [" class ", " interface ", " enum ", " record ", " @interface "];
        if let Some(name) = types.iter().find_map(|kind| head.split_once(kind)).map(|(_, name)| word(name)) {
            return Some(name.to_owned()).filter(|name| name != class_of(path));
        }
        let name = last_word(head);
        // A constructor has no type before its name.
        let is_typed = head.split_whitespace().count() > 2;
        (is_typed && !name.is_empty()).then(|| name.to_owned())
    };
    let is_generated = |line: &str| {
        let line = line.trim_start();
        GENERATED.iter().any(|mark| line.starts_with(mark)) || line.contains(" record ")
    };
    let generated = code_lines(text).any(is_generated).then(|| ALL.to_owned());
    code_lines(text).filter_map(member).chain(generated).collect()
}

fn imports<'t>(asking: &ImportQuestion, text: &'t str) -> Vec<Import<'t>> {
    let stem = MODULES.stem(asking.module);
    whole(text.lines().any(|line| imports_class(line, stem)) || sees(asking, text))
}

/// Whether a file names the class without an import of its own: out of the same package, or with all of it imported.
fn sees(asking: &ImportQuestion, text: &str) -> bool {
    let (name, package) = (class_of(asking.module), folder(asking.module));
    let imported = || text.lines().filter_map(|line| line.trim().strip_prefix("import "));
    let is_all = |import: &str| {
        let of = import.trim_end_matches(';').strip_suffix(".*");
        of.is_some_and(|of| ends_with(package, &of.replace('.', "/")))
    };
    let is_beside = asking.folder() == package && !package.is_empty();
    let is_another = |import: &str| last_word(import.trim_end_matches(';')) == name;
    asking.path != asking.module
        && (is_beside || imported().any(is_all))
        && !imported().any(is_another)
        && code_lines(text).any(|line| uses(line, name).next().is_some())
}

/// Whether a file names a member: with the class's name, by a static import, or of something that it has of the class.
fn names(asking: &ImportQuestion, text: &str, name: &str) -> bool {
    let class = class_of(asking.module);
    let is_of_class = |before: &str| {
        let owner = before.strip_suffix('.').or_else(|| before.strip_suffix("::"));
        owner.is_some_and(|owner| last_word(owner) == class)
    };
    let held: BTreeSet<&str> = code_lines(text).flat_map(|line| held_in(line, class)).collect();
    code_lines(text).any(|line| {
        let is_new = uses(line, class).any(|(before, _)| last_word(before.trim_end()) == "new");
        uses(line, name).any(|(before, behind)| {
            let is_call = behind.starts_with('(');
            let of_held = before.strip_suffix('.').is_some_and(|owner| held.contains(last_word(owner)));
            is_of_class(before) || of_held || is_call && is_new && before.ends_with(").")
        })
    }) || text.lines().any(|line| {
        line.contains("import static ") && line.contains(&format!("{class}.")) && has_word(line, name)
    })
}

/// The variables and parameters of a class in a line: `Store store`, `store = new Store(…)`.
fn held_in<'t>(line: &'t str, class: &'t str) -> Vec<&'t str> {
    let named = |(before, behind): (&'t str, &'t str)| {
        let declared = behind.strip_prefix(' ').map(word).filter(|name| !name.is_empty());
        let made = before
            .trim_end()
            .strip_suffix("new")
            .map(|it| last_word(it.trim_end().trim_end_matches(['=', ' '])));
        declared.or(made.filter(|name| !name.is_empty()))
    };
    uses(line, class).filter_map(named).collect()
}
