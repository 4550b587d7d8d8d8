//! The options of a command line that a program declares, each by a line of code.

/// Calls and fields that declare an option.
const DECLARING: &[&str] = &[
    "add_argument(",
    ".option(",
    "addOption(",
    ".requiredOption(",
    "flag.String(",
    "flag.Int(",
    "flag.Bool(",
    "flag.Duration(",
    ".on(",
    "Arg::new(",
    "long(",
    "option(\"",
    "option('",
    "addFlag(",
    "getopt",
];

/// An option with the line that declares it.
pub(super) struct DeclaredOption<'a> {
    /// As a person types it: `--min-status`.
    pub(super) name: &'a str,
    pub(super) line: &'a str,
    pub(super) number: u32,
}

impl DeclaredOption<'_> {
    /// What a program calls its value: `min_status`, `minStatus`, `MinStatus`.
    pub(super) fn variants(&self) -> Vec<String> {
        let parts: Vec<&str> =
            self.name.trim_start_matches('-').split('-').filter(|it| !it.is_empty()).collect();
        let upper = |part: &str| {
            let mut letters = part.chars();
            letters.next().map(|it| it.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default()
        };
        let pascal: String = parts.iter().map(|it| upper(it)).collect();
        let camel = parts.first().map_or(String::new(), |first| {
            first.to_string() + &parts.iter().skip(1).map(|it| upper(it)).collect::<String>()
        });
        vec![parts.join("_"), camel, pascal, parts.join("-")]
    }
}

/// The long options that the lines of a text declare; such as give their value another name are left out.
pub(super) fn options(text: &str) -> Vec<DeclaredOption<'_>> {
    if !text.contains("--") {
        return Vec::new();
    }
    (1..)
        .zip(text.lines())
        .filter_map(|(number, line)| {
            let declares = DECLARING.iter().any(|it| line.contains(it));
            let name = line.split(['"', '\'', '`']).find(|it| it.starts_with("--"))?;
            let name = name.split([' ', '=', ',']).next()?;
            let is_plain =
                ["dest=", "action=\"version\"", "action='version'", "--help", "--version", "--no-"]
                    .iter()
                    .all(|it| !line.contains(it));
            (declares && is_plain && name.len() > 4).then_some(DeclaredOption { name, line, number })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_has_the_names_of_its_value() {
        let text = "ap.add_argument(\"--min-status\", type=int)\nprogram.option('--dry-run <n>', 'nothing');\nprint(\"--no\")\n";
        let all = options(text);
        assert_eq!(
            all.iter().map(|it| (it.name, it.number)).collect::<Vec<_>>(),
            [("--min-status", 1), ("--dry-run", 2)]
        );
        assert_eq!(all[0].variants(), ["min_status", "minStatus", "MinStatus", "min-status"]);
    }
}
