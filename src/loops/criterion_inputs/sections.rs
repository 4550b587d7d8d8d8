//! The pieces of a configuration that is no list of settings: blocks of a program (`vite.config.ts`, `build.gradle`) by
//! what stands before their bracket, and elements of a `pom.xml` by their names.
//!
//! Text is read and no tree: a piece is only ever compared with itself.

/// What the sections of these names say; `None` where there is none.
pub(super) fn sections(file: &str, names: &[String], text: &str) -> Option<String> {
    let found = if file.ends_with(".xml") { elements(text, names) } else { blocks(text, names) };
    let lines =
        found.iter().flat_map(|section| section.lines()).map(str::trim).filter(|line| !line.is_empty());
    let said = lines.collect::<Vec<_>>().join("\n");
    (!said.is_empty()).then_some(said)
}

/// Blocks whose head has a name among its words, with their heads: `test: {…}`, `tasks.named('test') {…}`.
fn blocks<'t>(text: &'t str, names: &[String]) -> Vec<&'t str> {
    let mut found = Vec::new();
    let mut from = 0;
    for (at, _) in text.match_indices('{') {
        if at < from {
            continue;
        }
        let before = text.get(..at).unwrap_or_default();
        let head = before.rfind(['\n', '{', '}', ',', ';']).map_or(0, |at| at + 1);
        let words = before.get(head..).unwrap_or_default();
        let mut words = words.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        if words.any(|word| names.iter().any(|name| name == word)) {
            from = end_of_block(text, at);
            found.extend(text.get(head..from));
        }
    }
    found
}

/// Behind the bracket that closes the one at `open`.
fn end_of_block(text: &str, open: usize) -> usize {
    let mut depth = 0usize;
    for (at, letter) in text.get(open..).unwrap_or_default().char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => continue,
        }
        if depth == 0 {
            return open + at + 1;
        }
    }
    text.len()
}

/// Elements of these names, and plugins that are called so.
fn elements<'t>(text: &'t str, names: &[String]) -> Vec<&'t str> {
    let is_named = |name: &str| names.iter().any(|wanted| is_key(wanted, name));
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(open) = text.get(from..).and_then(|rest| rest.find('<')).map(|at| from + at) {
        let rest = text.get(open + 1..).unwrap_or_default();
        if let Some(comment) = rest.strip_prefix("!--") {
            from = comment.find("-->").map_or(text.len(), |at| open + 4 + at);
            continue;
        }
        let name = rest.split(|letter: char| letter.is_whitespace() || "/>".contains(letter)).next();
        let name = name.unwrap_or_default();
        let Some(end) = end_of_element(text, open, name) else {
            from = open + 1;
            continue;
        };
        let element = text.get(open..end).unwrap_or_default();
        let is_plugin = || {
            let artifact = element.split_once("<artifactId>").and_then(|(_, rest)| rest.split_once('<'));
            name == "plugin" && artifact.is_some_and(|(artifact, _)| is_named(artifact.trim()))
        };
        if is_named(name) || is_plugin() {
            found.push(element);
            from = end;
        } else {
            from = open + 1;
        }
    }
    found
}

/// Where an element ends; nothing for one that has no end of its own.
fn end_of_element(text: &str, open: usize, name: &str) -> Option<usize> {
    let close = format!("</{name}>");
    text.get(open..)?.find(&close).map(|at| open + at + close.len())
}

/// Whether a key is one that is wanted, or stands below it.
pub(super) fn is_key(wanted: &str, key: &str) -> bool {
    match wanted.strip_suffix('*') {
        Some(start) => key.starts_with(start),
        None => key == wanted || key.strip_prefix(wanted).is_some_and(|rest| rest.starts_with(['.', '['])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(file: &str, name: &str, text: &str) -> Option<String> {
        sections(file, &[name.to_owned()], text)
    }

    #[test]
    fn a_block_is_told_by_its_head() {
        let vite = "export default defineConfig({ base: '/', test: { include: ['a'], deps: { x: 1 } }, build: { y: 2 } });\n";
        assert_eq!(said("vite.config.ts", "test", vite).unwrap(), "test: { include: ['a'], deps: { x: 1 } }");
        assert_eq!(said("vite.config.ts", "test", "export default { latest: { a: 1 } };\n"), None);
        let gradle = "plugins { id 'java' }\ntasks.named('test') {\n    useJUnitPlatform()\n}\n";
        assert_eq!(
            said("build.gradle", "test", gradle).unwrap(),
            "tasks.named('test') {\nuseJUnitPlatform()\n}"
        );
        assert_eq!(said("build.gradle", "test", "test { open\n").unwrap(), "test { open");
    }

    #[test]
    fn an_element_is_told_by_its_name_and_a_plugin_by_its_artifact() {
        let pom = "<project><!-- <skipTests>true</skipTests> --><properties><surefire.skip>true</surefire.skip><a>1</a></properties>\n\
                   <plugins><plugin><artifactId>maven-jar-plugin</artifactId></plugin>\n\
                   <plugin>\n  <artifactId>maven-surefire-plugin</artifactId>\n  <skip/>\n</plugin></plugins></project>";
        assert_eq!(said("pom.xml", "surefire*", pom).unwrap(), "<surefire.skip>true</surefire.skip>");
        assert_eq!(
            said("pom.xml", "maven-surefire-plugin", pom).unwrap(),
            "<plugin>\n<artifactId>maven-surefire-plugin</artifactId>\n<skip/>\n</plugin>"
        );
        assert_eq!(said("pom.xml", "skipTests", pom), None);
        assert_eq!(said("pom.xml", "b", "<a><b"), None);
    }
}
