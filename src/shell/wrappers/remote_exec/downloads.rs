//! Calls of `curl` and `wget`: what they fetch, and where it goes.

use crate::shell::model::{Command, Word};

/// Options of `curl` whose value is the next word; the last letter of a cluster may be one too.
const CURL_VALUED: &[&str] = &[
    "-o",
    "-H",
    "-D",
    "-d",
    "-X",
    "-u",
    "-A",
    "-b",
    "-c",
    "-e",
    "-F",
    "-T",
    "-x",
    "-m",
    "-w",
    "-K",
    "-E",
    "-U",
    "-C",
    "--output",
    "--header",
    "--proxy-header",
    "--dump-header",
    "--data",
    "--data-raw",
    "--data-binary",
    "--request",
    "--user",
    "--user-agent",
    "--cookie",
    "--cookie-jar",
    "--referer",
    "--form",
    "--upload-file",
    "--proxy",
    "--max-time",
    "--connect-timeout",
    "--retry",
    "--write-out",
    "--config",
    "--cert",
    "--key",
    "--cacert",
    "--url",
    "--output-dir",
    "--resolve",
    "--range",
];

const WGET_VALUED: &[&str] = &[
    "-O",
    "-o",
    "-P",
    "-U",
    "-t",
    "-T",
    "-a",
    "-e",
    "-i",
    "--output-document",
    "--output-file",
    "--user-agent",
    "--header",
    "--post-data",
    "--post-file",
    "--body-file",
    "--directory-prefix",
    "--tries",
    "--timeout",
];

/// The file that a download goes to.
pub(crate) fn downloads_to(command: &Command) -> Option<Word> {
    let fetch = Fetch::of(command);
    let fetches = matches!(command.program(), "curl" | "wget") && fetch.remote && !fetch.asks_help;
    (fetches && !fetch.named_by_server).then_some(fetch.file).flatten()
}

/// A call of `curl` or `wget`.
#[derive(Default)]
pub(crate) struct Fetch {
    pub(crate) remote: bool,
    pub(crate) asks_help: bool,
    /// Whether the text goes to the standard output because the words say so.
    pub(crate) prints: bool,
    pub(crate) named_by_server: bool,
    pub(crate) file: Option<Word>,
    /// Whether the words name that file; `wget` gives one that is there already no new text, `curl -O` does.
    pub(crate) replaces: bool,
}

impl Fetch {
    pub(crate) fn of(command: &Command) -> Fetch {
        let curl = command.program() == "curl";
        let valued = if curl { CURL_VALUED } else { WGET_VALUED };
        let output: &[&str] = if curl { &["-o", "--output"] } else { &["-O", "--output-document"] };
        let mut fetch = Fetch::default();
        let mut keeps_name = !curl;
        let mut url = None;
        let mut words = command.words.iter().skip(1);
        while let Some(word) = words.next() {
            let text = word.text.as_str();
            if let Some((name, value)) = text.split_once('=').filter(|(name, _)| name.starts_with("--")) {
                let is_cut = name.len() > 8 && output.iter().any(|option| option.starts_with(name));
                if is_cut || output.contains(&name) {
                    fetch.goes_to(&Word { text: value.to_owned(), ..word.clone() });
                }
            } else if !text.starts_with('-') || text == "-" {
                fetch.remote |= !text.starts_with("file:");
                url = Some(word.clone());
            } else if text.starts_with("--") {
                fetch.asks_help |= matches!(text, "--help" | "--version");
                keeps_name |= text == "--remote-name";
                fetch.named_by_server |= text == "--remote-header-name" || text == "--content-disposition";
                let value = if valued.contains(&text) { words.next() } else { None };
                if let Some(value) = value.filter(|_| output.contains(&text)) {
                    fetch.goes_to(value);
                }
            } else {
                keeps_name |= curl && text.contains('O');
                fetch.named_by_server |= curl && text.contains('J');
                fetch.cluster(valued, output, &mut words, word);
            }
        }
        if keeps_name && fetch.file.is_none() && !fetch.prints {
            fetch.file = url.and_then(|url| last_name(&url));
            fetch.replaces = curl;
        }
        fetch
    }

    /// `-fsSLo file`, `-qO-`: the first letter that takes a value ends the cluster.
    fn cluster<'w>(
        &mut self,
        valued: &[&str],
        output: &[&str],
        words: &mut impl Iterator<Item = &'w Word>,
        word: &Word,
    ) {
        let letters = word.text.get(1..).unwrap_or_default();
        for (at, letter) in letters.char_indices() {
            let option = format!("-{letter}");
            if !valued.contains(&option.as_str()) {
                continue;
            }
            let glued = letters.get(at + letter.len_utf8()..).unwrap_or_default();
            let value = match glued {
                "" => words.next().cloned(),
                glued => Some(Word { text: glued.to_owned(), ..word.clone() }),
            };
            if let Some(value) = value.filter(|_| output.contains(&option.as_str())) {
                self.goes_to(&value);
            }
            return;
        }
    }

    fn goes_to(&mut self, value: &Word) {
        match value.text.as_str() {
            "-" | "/dev/stdout" | "/dev/fd/1" => self.prints = true,
            _ => (self.file, self.replaces) = (Some(value.clone()), true),
        }
    }
}

fn last_name(url: &Word) -> Option<Word> {
    let path = url.text.split(['?', '#']).next()?;
    let (_, after) = path.split_once("://").unwrap_or(("", path));
    let (_, name) = after.rsplit_once('/')?;
    (url.known && !name.is_empty()).then(|| Word::literal(name))
}
