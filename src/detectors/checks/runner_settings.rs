//! What settings of a test runner take from a run: switched off, repeated until it passes, fewer places and options.

use crate::detectors::Case;
use crate::detectors::checks::collected_tests::{collected, elsewhere};
use crate::detectors::checks::listed_options::GivenOptions;
use crate::detectors::checks::setting_keys::{SettingFinding, has};
use crate::detectors::checks::tox_environments;
use crate::detectors::checks::weaker_command::{given_less, weaker};
use crate::languages::{SettingEntry, file_name};
use crate::model::finding::{Change, Severity};
use crate::runners;

/// Settings that repeat a failing test.
const RETRIES: &[&str] = &["retry", "retries", "reruns"];
/// A test that is repeated so often fails no more, whatever is wrong.
const MANY_RETRIES: u32 = 5;

/// How the settings of a file ask for less than before.
pub(super) fn compare(
    case: &Case,
    change: &Change,
    before: &[SettingEntry],
    after: &[SettingEntry],
) -> Option<SettingFinding> {
    if let Some(found) = tox_environments::weakened(&change.path, before, after) {
        return Some(found);
    }
    let is_runner = runners::is_configuration(file_name(&change.path));
    let both = BothSettings { before, after };
    let single = after.iter().filter(|new| !has(before, new)).find_map(|new| {
        let retried = || both.retried(new).filter(|_| is_runner);
        switched_off(new).or_else(retried).or_else(|| both.weaker_options(new))
    });
    if single.is_some() || !is_runner {
        return single;
    }
    collected(case, before, after).or_else(|| {
        runners::all()
            .flat_map(|runner| runner.settings.places)
            .find_map(|place| both.narrower_place(case, place))
    })
}

fn switched_off(new: &SettingEntry) -> Option<SettingFinding> {
    let name = new.name();
    let is_off = runners::all()
        .flat_map(|runner| runner.settings.switches)
        .any(|(known, off)| *known == name && new.value.eq_ignore_ascii_case(off));
    let is_mypy = name == "ignore_errors" && !new.key.starts_with("testenv");
    (is_off && !is_mypy).then(|| (format!("`{name}` would be `{}`", new.value), new.line, Severity::High))
}

/// The settings of a file, before and after.
struct BothSettings<'s> {
    before: &'s [SettingEntry],
    after: &'s [SettingEntry],
}

impl BothSettings<'_> {
    fn retried(&self, new: &SettingEntry) -> Option<SettingFinding> {
        let name = new.name();
        let is_retry = RETRIES.contains(&name) && new.value.parse::<u32>().is_ok_and(|times| times > 0);
        let times = |all: &[SettingEntry]| -> Option<u32> {
            all.iter().filter(|it| it.name() == name).find_map(|it| it.value.parse().ok())
        };
        // One repetition more or less of several is a choice.
        let (was, is) = (times(self.before), times(self.after).unwrap_or(0));
        let is_more = is_retry && was.unwrap_or(0) < is && (was.is_none() || is >= MANY_RETRIES);
        is_more
            .then(|| (format!("`{name}` would run a failing test until it passes"), new.line, Severity::High))
    }

    fn weaker_options(&self, new: &SettingEntry) -> Option<SettingFinding> {
        let name = new.name();
        if !matches!(name, "addopts" | "args" | "extra_args") {
            return None;
        }
        let given = GivenOptions::of(new, self.before, self.after);
        let was = without_moved_gate(&given.was, self.before, self.after);
        let (old, now) = (format!("{} {was}", given.program), format!("{} {}", given.program, given.is));
        // All of the options may be others: the program is the same.
        let less = if given.is_of_hook { given_less(&old, &now) } else { weaker(&old, &now) };
        let how = less.or_else(|| leaves_out(&old, &now))?;
        Some((format!("`{name}` {how}"), new.line, Severity::High))
    }

    /// A setting that says where tests are, and names fewer of these places.
    fn narrower_place(&self, case: &Case, place: &str) -> Option<SettingFinding> {
        let items = |all: &[SettingEntry]| {
            all.iter().filter(|it| it.name() == place).map(|it| it.value.clone()).collect::<Vec<_>>()
        };
        let (was, is) = (items(self.before), items(self.after));
        if is_narrower(place, &was, &is) {
            return Some((format!("`{place}` would be narrower"), 0, Severity::High));
        }
        let other = elsewhere(case, &was, &is)?;
        let what = format!("`{place}` would look for tests in `{other}`, and no more where they are");
        Some((what, 0, Severity::High))
    }
}

/// How options leave tests out that none of the options before left out.
fn leaves_out(before: &str, after: &str) -> Option<String> {
    const LEAVING: &[&str] = &["--deselect", "--ignore", "--ignore-glob"];
    let has = |text: &str, flag: &str| {
        let mut words = text.split([' ', '=']).filter(|it| !it.is_empty()).skip_while(|it| *it != flag);
        // Folders without tests may be left out.
        words.next().is_some() && words.next().is_some_and(|value| value.contains("test"))
    };
    let flag = LEAVING.iter().find(|flag| has(after, flag))?;
    let is_leaving = |word: &str| matches!(word, "-k" | "-m") || LEAVING.contains(&word);
    let left_some = before.split([' ', '=']).any(is_leaving);
    (!left_some).then(|| format!("would leave tests out (`{flag}`)"))
}

/// Whether a place has fewer values, or such within the old ones.
fn is_narrower(place: &str, was: &[String], is: &[String]) -> bool {
    if was.is_empty() {
        // A pattern without a wildcard in the name, or a place, where there was none: less than the default.
        let names_one = |it: &String| {
            file_name(it).split('.').next().is_some_and(|name| !name.contains('*') && !name.is_empty())
        };
        return match place {
            "testpaths" => is.iter().any(|it| it.contains('/')),
            "testMatch" | "spec" => !is.is_empty() && is.iter().all(names_one),
            _ => false,
        };
    }
    let is_within = |it: &String| {
        was.iter().any(|old| {
            it.starts_with(old.as_str())
                || old.split_whitespace().any(|word| word == it || it.starts_with(&format!("{word}/")))
        })
    };
    !is.is_empty() && was.iter().any(|it| !is.contains(it)) && is.iter().all(is_within)
}

/// The gate of coverage among options, taken off where the same file asks for as much in a setting of its own now.
fn without_moved_gate(options: &str, before: &[SettingEntry], after: &[SettingEntry]) -> String {
    const FLAG: &str = "--cov-fail-under=";
    let asks = |least: f64| {
        let gates = after.iter().filter(|it| matches!(it.name(), "fail_under" | "fail-under"));
        let mut new = gates.filter(|it| !has(before, it));
        new.any(|it| it.value.parse::<f64>().is_ok_and(|value| value >= least))
    };
    let stays = |word: &&str| {
        let least = word.strip_prefix(FLAG).and_then(|value| value.parse::<f64>().ok());
        !least.is_some_and(asks)
    };
    options.split_whitespace().filter(stays).collect::<Vec<_>>().join(" ")
}
