//! Settings for files that stand beside the product: scripts, tools, examples, configuration. A rule that is off for them
//! alone is off for nothing that users get.

use crate::detectors::engine::code_lines::{PLAIN_QUOTES, quoted};
use crate::languages::SettingEntry;

/// Folders of such files.
const FOLDERS: &[&str] = &[
    "script",
    "scripts",
    "tools",
    "tool",
    "bin",
    "examples",
    "example",
    "docs",
    "bench",
    "benches",
    "benchmark",
    "benchmarks",
    "config",
    "configs",
    "migrations",
    "seeds",
    "stories",
    ".storybook",
    "website",
    "tasks",
    "ci",
];
/// Ends of their names.
const ENDS: &[&str] = &[
    ".config.js",
    ".config.ts",
    ".config.mjs",
    ".config.cjs",
    ".config.*",
    ".stories.tsx",
    ".stories.*",
    ".d.ts",
];
/// So many lines above a rule may name the files that it is for.
const NEAR: usize = 6;

/// Whether the section in which a line stands names files, and none but such.
pub(super) fn are_meant(text: &str, line: u32) -> bool {
    let at = usize::try_from(line).unwrap_or_default();
    let lines: Vec<&str> = text.lines().take(at).collect();
    let Some((own, above)) = lines.split_last() else { return false };
    let named = |line: &&str| {
        let (_, rest) = line.split_once("files\":").or_else(|| line.split_once("files:"))?;
        let list = rest.split(']').next()?;
        Some(quoted(list, PLAIN_QUOTES).map(str::to_owned).collect::<Vec<_>>())
    };
    let opens = |line: &str| matches!(line.trim(), "{" | "}, {" | "({" | "[");
    let near = above.iter().rev().take(NEAR).take_while(|line| !opens(line));
    let found = named(own).or_else(|| near.into_iter().find_map(named));
    let is_explained = || near_comment(above);
    found.is_some_and(|globs| {
        !globs.is_empty()
            && (globs.iter().all(|it| is_beside(it))
                || globs.iter().all(|it| is_one_file(it)) && is_explained())
    })
}

/// The same of a document of which no lines are known: the section names its files in a list of its own.
pub(super) fn are_meant_beside(all: &[SettingEntry], entry: &SettingEntry) -> bool {
    let Some((section, _)) = entry.key.split_once("].") else { return false };
    let list = format!("{section}].files");
    let mut globs = all.iter().filter(|it| it.key.trim_end_matches("[]") == list).peekable();
    globs.peek().is_some() && globs.all(|it| is_beside(&it.value))
}

/// Whether a remark of some words stands in the section that a line is in.
fn near_comment(above: &[&str]) -> bool {
    let near = above.iter().rev().take(NEAR).map(|line| line.trim());
    near.take_while(|line| !matches!(*line, "}, {" | "},"))
        .any(|line| line.starts_with("//") && line.split_whitespace().count() > 3)
}

/// Whether a glob is the name of one file.
fn is_one_file(glob: &str) -> bool {
    !glob.contains(['*', '{']) && glob.rsplit('/').next().is_some_and(|name| name.contains('.'))
}

fn is_beside(glob: &str) -> bool {
    let first = glob.trim_start_matches("./").trim_start_matches("**/").split('/').next().unwrap_or_default();
    FOLDERS.contains(&first) && glob.contains('/') || ENDS.iter().any(|end| glob.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_may_be_about_scripts_alone() {
        let json = |files: &str| {
            format!(
                "{{\n  \"overrides\": [\n    {{\n      \"files\": [{files}],\n      \"rules\": {{ \"no-console\": \"off\" }}\n    }}\n  ]\n}}\n"
            )
        };
        assert!(are_meant(&json("\"scripts/**/*.js\", \"*.config.js\""), 5));
        assert!(!are_meant(&json("\"scripts/**/*.js\", \"src/**/*.js\""), 5));
        assert!(!are_meant(&json("\"**/*.js\""), 5));
        assert!(are_meant(
            "export default [\n  { files: ['tools/**'], rules: { 'no-console': 'off' } },\n];\n",
            2
        ));
        let one = "overrides: [\n  {\n    // the entry point has to print\n    files: ['src/cli.ts'],\n    rules: { 'no-console': 'off' },\n";
        assert!(are_meant(one, 5));
        assert!(!are_meant(&one.replace("src/cli.ts", "src/*.ts"), 5));
        assert!(!are_meant(&one.replace("// the entry point has to print", "root: true,"), 5));
        assert!(!are_meant("export default [\n  { rules: { 'no-console': 'off' } },\n];\n", 2));
    }

    #[test]
    fn a_document_on_one_line_has_sections_as_well() {
        for (files, expected) in
            [("\"bin/till.js\"", true), ("\"src/till.js\"", false), ("\"bin/a.js\", \"src/*.js\"", false)]
        {
            let text = format!(
                "{{\"overrides\": [{{\"files\": [{files}], \"rules\": {{\"no-console\": \"off\"}}}}]}}"
            );
            let all = crate::languages::settings(".eslintrc.json", &text).unwrap();
            let off = all.iter().find(|it| it.value == "off").unwrap();
            assert_eq!(are_meant_beside(&all, off), expected, "{files}");
        }
    }
}
