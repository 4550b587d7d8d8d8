//! A page that stands alone: markup in which every text is escaped, and that loads nothing.
//!
//! Invariant: tags, attributes' names and classes are written in the sources; whatever comes from anywhere else goes
//! through [`Html::text`] or an attribute's value, which escape it.

mod chart;
mod diff;

use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, ensure};

pub(in crate::cli) use chart::{Chart, Series};
pub(in crate::cli) use diff::patch;

use crate::state::atomic::{self, Durability};

/// How each page looks: one column that a phone shows too, light or dark as the reader's system is.
const STYLE: &str = include_str!("page/style.css");
/// What tells a page of ours, near its beginning.
const MARK: &str = "<meta name=\"generator\" content=\"steadfast\">";
/// So much of a file is looked at for that, in bytes.
const HEAD: u64 = 1024;

/// A piece of markup.
#[derive(Debug, Default)]
pub(in crate::cli) struct Html(String);

/// What an attribute is.
pub(in crate::cli) type Attribute<'a> = (&'static str, &'a str);

impl Html {
    /// Adds text, which can be no markup. Control characters, which no page may hold, are shown as signs.
    pub(in crate::cli) fn text(&mut self, text: &str) -> &mut Html {
        for letter in text.chars() {
            match letter {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                '\n' | '\t' => self.0.push(letter),
                // They would turn the rest of a line round, which can hide what a line does.
                '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => self.0.push('\u{fffd}'),
                letter if letter.is_control() => self.0.push('\u{fffd}'),
                letter => self.0.push(letter),
            }
        }
        self
    }

    /// Adds an element with what is put into it.
    pub(in crate::cli) fn within(
        &mut self,
        tag: &'static str,
        attributes: &[Attribute<'_>],
        inside: impl FnOnce(&mut Html),
    ) -> &mut Html {
        self.open(tag, attributes);
        inside(self);
        self.0.push_str("</");
        self.0.push_str(tag);
        self.0.push('>');
        self
    }

    /// Adds an element that holds text.
    pub(in crate::cli) fn element(
        &mut self,
        tag: &'static str,
        class: &'static str,
        text: &str,
    ) -> &mut Html {
        let class = [("class", class)];
        let attributes = if class[0].1.is_empty() { &[][..] } else { &class[..] };
        self.within(tag, attributes, |html| {
            html.text(text);
        })
    }

    fn open(&mut self, tag: &'static str, attributes: &[Attribute<'_>]) {
        self.0.push('<');
        self.0.push_str(tag);
        for (name, value) in attributes {
            self.0.push(' ');
            self.0.push_str(name);
            self.0.push_str("=\"");
            self.text(value);
            self.0.push('"');
        }
        self.0.push('>');
    }

    /// Adds a part of the page under a title.
    pub(in crate::cli) fn section(&mut self, title: &str, inside: impl FnOnce(&mut Html)) -> &mut Html {
        self.within("section", &[], |html| {
            html.element("h2", "", title);
            inside(html);
        })
    }

    /// Adds names with what each is; those without a value are left out.
    pub(in crate::cli) fn facts(&mut self, facts: &[(&str, String)]) -> &mut Html {
        self.within("dl", &[], |html| {
            for (name, value) in facts.iter().filter(|(_, value)| !value.is_empty()) {
                html.within("div", &[], |html| {
                    html.element("dt", "", name).element("dd", "", value);
                });
            }
        })
    }

    /// Adds a table that can be moved sideways where it is wider than the page.
    pub(in crate::cli) fn table(&mut self, heads: &[&str], rows: &[Vec<String>]) -> &mut Html {
        self.within("div", &[("class", "wide"), ("tabindex", "0")], |html| {
            html.within("table", &[], |html| {
                html.within("thead", &[], |html| {
                    html.within("tr", &[], |html| {
                        heads.iter().for_each(|head| {
                            html.element("th", "", head);
                        });
                    });
                });
                html.within("tbody", &[], |html| {
                    for row in rows {
                        html.within("tr", &[], |html| {
                            row.iter().for_each(|cell| {
                                html.element("td", "", cell);
                            });
                        });
                    }
                });
            });
        })
    }

    /// The whole page.
    pub(in crate::cli) fn page(self, title: &str) -> String {
        let mut head = Html::default();
        head.element("title", "", title);
        // The policy lets nothing be loaded, whatever stands in the page.
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n{MARK}\n<meta name=\"viewport\" \
             content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<meta \
             http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n{}\n<style>\n\
             {STYLE}</style>\n</head>\n<body>\n<main>\n{}\n</main>\n</body>\n</html>\n",
            head.0, self.0
        )
    }
}

/// Writes a page to a file, or to the standard output where that is `-`. A file that is no page of ours stays.
pub(in crate::cli) fn save(page: &str, file: &Path) -> Result<()> {
    if file == Path::new("-") {
        use std::io::Write;
        return match std::io::stdout().lock().write_all(page.as_bytes()) {
            // A reader that has seen enough is no fault.
            Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
            _ => Ok(()),
        };
    }
    ensure!(
        !file.exists() || is_page(file),
        "{} is there and is no page of Steadfast's; name another file, or remove it first",
        file.display()
    );
    let file = std::path::absolute(file)?;
    atomic::write(&file, page.as_bytes(), Durability::Process)
        .with_context(|| format!("cannot write {}", file.display()))
}

fn is_page(file: &Path) -> bool {
    let mut head = Vec::new();
    let opened = std::fs::metadata(file).is_ok_and(|it| it.is_file()).then(|| std::fs::File::open(file));
    let read = opened.and_then(Result::ok).map(|file| file.take(HEAD).read_to_end(&mut head));
    read.is_some() && String::from_utf8_lossy(&head).contains(MARK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_becomes_markup() {
        let nasty = "</title><script>alert(1)</script><img src=x onerror='a'>\"&\u{1b}[2J\u{202e}";
        let mut html = Html::default();
        html.section(nasty, |html| {
            html.facts(&[("name", nasty.to_owned())]).table(&[nasty], &[vec![nasty.to_owned()]]);
            html.within("div", &[("title", nasty)], |_| ());
            let series = [Series { name: nasty, points: vec![Some(1.0), None, Some(f64::NAN)] }];
            Chart {
                title: nasty,
                labels: &[nasty.to_owned(), String::new(), String::new()],
                series: &series,
                top: None,
                marked: &[0],
            }
            .draw(html);
            patch(html, nasty, nasty, "<b>\n</pre>");
        });
        let page = html.page(nasty);
        for bad in ["<script", "<img", "onerror='", "\u{1b}", "\u{202e}", "</title><script", "<b>"] {
            assert!(!page.contains(bad), "{bad} in {page}");
        }
        assert_eq!(page.matches("</pre>").count(), 1);
        assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
        for loads in ["http://", "https://", "src=", "href=", "@import", "url("] {
            assert!(!Html::default().page("t").contains(loads), "{loads}");
        }
    }

    #[test]
    fn only_a_page_of_ours_is_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("page.html");
        save(&Html::default().page("one"), &file).unwrap();
        save(&Html::default().page("two"), &file).unwrap();
        assert!(std::fs::read_to_string(&file).unwrap().contains("<title>two</title>"));
        std::fs::write(&file, "mine").unwrap();
        let error = save(&Html::default().page("three"), &file).unwrap_err();
        assert!(error.to_string().contains("no page of Steadfast's"), "{error}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
        assert!(save("", directory.path()).is_err());
    }
}
