//! Targets of build files that are written in XML: those of MSBuild and of Ant.

use std::sync::LazyLock;

use regex::Regex;

use crate::shell::model::UNKNOWN;
use crate::shell::wrappers::project_scripts::following::followed;
use crate::shell::wrappers::project_scripts::foreign_code::in_place;

type MarkPattern = LazyLock<Option<Regex>>;
static TARGETS: MarkPattern =
    LazyLock::new(|| Regex::new(r"(?s)<[Tt]arget\b([^>]*?)(?:/>|>(.*?)</[Tt]arget>)").ok());
static ELEMENTS: MarkPattern = LazyLock::new(|| {
    Regex::new(r"(?s)<(RemoveDir|Delete|Exec|delete|exec|move)\b([^>]*?)(?:/>|>(.*?)</(?:RemoveDir|Delete|Exec|delete|exec|move)>)").ok()
});
static ATTRIBUTES: MarkPattern = LazyLock::new(|| Regex::new(r#"([\w.]+)\s*=\s*"([^"]*)""#).ok());
static PROPERTIES: MarkPattern = LazyLock::new(|| {
    Regex::new(
        r#"<([A-Z]\w*)(?:\s[^>]*)?>([^<]*)</|<property\s+name="([\w.]+)"\s+(?:value|location)="([^"]*)""#,
    )
    .ok()
});
static UNNAMED: MarkPattern = LazyLock::new(|| Regex::new(r"[$@%]\([^)]*\)|[$@]\{[^}]*\}").ok());

/// The shell texts that targets run, with those that they depend on, and those that say that they run beside them.
pub(super) fn target_texts(text: &str, asked: &[String]) -> Vec<String> {
    let text = with_properties(text);
    let targets: Vec<_> = TARGETS.iter().flat_map(|pattern| pattern.captures_iter(&text)).collect();
    let lowered = |names: Vec<String>| names.into_iter().map(|name| name.to_lowercase());
    followed(lowered(asked.to_vec()).collect(), |asked| {
        let (mut texts, mut needs) = (Vec::new(), Vec::new());
        for target in &targets {
            let head = target.get(1).map_or("", |it| it.as_str());
            let names = |key: &str| list(&attribute(head, key));
            let is_asked = |key: &&str| names(key).iter().any(|name| name.eq_ignore_ascii_case(asked));
            if ["Name", "name", "AfterTargets", "BeforeTargets"].iter().any(is_asked) {
                needs.extend(["DependsOnTargets", "depends"].iter().flat_map(|key| lowered(names(key))));
                texts.extend(commands(target.get(2).map_or("", |it| it.as_str())));
            }
        }
        (texts, needs)
    })
}

/// The target that Ant or MSBuild runs where none is asked for.
pub(super) fn default_of(text: &str) -> Vec<String> {
    let head =
        text.split_once("<project").or_else(|| text.split_once("<Project")).map_or("", |(_, rest)| rest);
    let head = head.split('>').next().unwrap_or_default();
    let names = ["default", "DefaultTargets"].map(|key| list(&attribute(head, key)));
    let names: Vec<String> = names.concat();
    if names.is_empty() { vec!["Build".to_owned()] } else { names }
}

fn commands(body: &str) -> Vec<String> {
    let elements = ELEMENTS.iter().flat_map(|pattern| pattern.captures_iter(body));
    elements
        .flat_map(|element| {
            let part = |index| element.get(index).map_or("", |it: regex::Match| it.as_str());
            let value = |key: &str| attribute(part(2), key);
            match part(1) {
                "RemoveDir" => deleted(&list(&value("Directories"))),
                "Delete" => deleted(&list(&value("Files"))),
                "delete" => deleted(&[value("dir"), value("file")]),
                "Exec" => vec![value("Command")],
                "exec" => vec![executed(&value("executable"), part(3))],
                _ => Vec::new(),
            }
        })
        .filter(|text| !text.trim().is_empty())
        .collect()
}

fn deleted(paths: &[String]) -> Vec<String> {
    let known = paths.iter().filter(|path| !path.is_empty() && !path.contains(UNKNOWN));
    known.map(|path| format!("rm -rf {}", in_place(path))).collect()
}

/// Ant's program with its arguments.
fn executed(program: &str, inside: &str) -> String {
    let mut words = vec![program.to_owned()];
    for argument in inside.split("<arg").skip(1) {
        let (value, line) = (attribute(argument, "value"), attribute(argument, "line"));
        words.push(if line.is_empty() { in_place(&value) } else { line });
    }
    words.join(" ")
}

fn attribute(head: &str, key: &str) -> String {
    let found = ATTRIBUTES.iter().flat_map(|pattern| pattern.captures_iter(head));
    let mut values = found.filter(|it| it.get(1).is_some_and(|name| name.as_str() == key));
    let value = values.next().and_then(|it| it.get(2)).map_or("", |it| it.as_str());
    let plain = [("&quot;", "\""), ("&apos;", "'"), ("&gt;", ">"), ("&lt;", "<"), ("&amp;", "&")];
    plain.iter().fold(value.to_owned(), |text, (name, sign)| text.replace(name, sign))
}

fn list(value: &str) -> Vec<String> {
    value.split([';', ',']).map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()).collect()
}

/// The text with its properties put in, and what nobody knows marked.
fn with_properties(text: &str) -> String {
    const PLACES: &[(&str, &str)] = &[
        ("HOME", "~"),
        ("USERPROFILE", "~"),
        ("user.home", "~"),
        ("env.HOME", "~"),
        ("MSBuildProjectDirectory", "."),
        ("MSBuildThisFileDirectory", "./"),
        ("ProjectDir", "./"),
        ("basedir", "."),
    ];
    let given: Vec<(String, String)> = PROPERTIES
        .iter()
        .flat_map(|pattern| pattern.captures_iter(text))
        .filter_map(|it| {
            Some((
                it.get(1).or(it.get(3))?.as_str().to_owned(),
                it.get(2).or(it.get(4))?.as_str().trim().to_owned(),
            ))
        })
        .take(64)
        .collect();
    let places = PLACES.iter().map(|(name, place)| ((*name).to_owned(), (*place).to_owned()));
    let filled = given.into_iter().chain(places).fold(text.to_owned(), |text, (name, value)| {
        text.replace(&format!("$({name})"), &value).replace(&format!("${{{name}}}"), &value)
    });
    UNNAMED
        .as_ref()
        .map_or(filled.clone(), |pattern| pattern.replace_all(&filled, UNKNOWN.to_string()).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_read_with_what_they_depend_on() {
        let msbuild = "<Project><PropertyGroup><Old>$(HOME)/old</Old></PropertyGroup>\n<Target Name=\"Wipe\" DependsOnTargets=\"Tidy\">\n<RemoveDir Directories=\"$(Old);@(Dirs)\" /></Target>\n<Target Name=\"Tidy\"><Delete Files=\"$(MSBuildProjectDirectory)/x\" /></Target>\n<Target Name=\"After\" AfterTargets=\"Build\"><Exec Command=\"git clean -fdx &amp;&amp; ls\" /></Target></Project>";
        let ant = "<project default=\"wipe\"><property name=\"out\" value=\"${user.home}/x\"/><target name=\"wipe\" depends=\"run\"><delete dir=\"${out}\"/></target><target name=\"run\"><exec executable=\"rm\"><arg value=\"-rf\"/><arg value=\"src\"/></exec></target></project>";
        for (text, asked, expected) in [
            (msbuild, "wipe", "rm -rf ~'/old' rm -rf './x'"),
            (msbuild, "Build", "git clean -fdx && ls"),
            (msbuild, "Test", ""),
            (ant, "wipe", "rm -rf ~'/x' rm '-rf' 'src'"),
        ] {
            assert_eq!(target_texts(text, &[asked.to_owned()]).join(" "), expected, "{asked}");
        }
        assert_eq!(default_of(ant), ["wipe"]);
    }
}
