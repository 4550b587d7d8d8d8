//! Go's coverage profiles: `file:from,to statements count`, merged over packages as `go tool cover` does.

use std::collections::HashMap;
use std::io::BufRead;

use super::percent;
use crate::metrics::{ReportReading, terminal};

/// How many blocks are told apart; profiles of more are called unread.
const BLOCKS: usize = 2_000_000;

/// Reads a profile. A block that several packages ran counts once.
pub(in crate::metrics) fn read(bytes: &mut dyn BufRead) -> ReportReading {
    let mut blocks: HashMap<u64, (u64, bool)> = HashMap::new();
    let (mut bad, mut many) = (0u64, false);
    let end = terminal::lines(bytes, |line| {
        if line.starts_with("mode:") || line.is_empty() {
            return;
        }
        let mut words = line.rsplitn(3, ' ');
        let (count, statements) = (words.next(), words.next());
        let number = |text: Option<&str>| text.and_then(|text| text.parse::<u64>().ok());
        match (number(count), number(statements), words.next()) {
            (Some(count), Some(statements), Some(place)) => {
                many |= blocks.len() >= BLOCKS;
                if !many {
                    let block = blocks.entry(hash(place)).or_insert((statements, false));
                    block.1 |= count > 0;
                }
            }
            _ => bad += 1,
        }
    });
    let all = blocks.values().map(|(statements, _)| statements).sum();
    let hit = blocks.values().filter(|(_, hit)| *hit).map(|(statements, _)| statements).sum();
    let mut unread: Vec<String> = end.err().into_iter().collect();
    if bad > 0 {
        unread.push(format!("{bad} lines are no blocks"));
    }
    if many {
        unread.push(format!("more than {BLOCKS} blocks"));
    }
    let coverage = if many { None } else { percent(hit, all) };
    // Go itself prints one place.
    let coverage = coverage.map(|percent| (percent * 10.0).round() / 10.0);
    ReportReading { formats: vec!["go profile".to_owned()], coverage, unread, ..ReportReading::default() }
}

fn hash(text: &str) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
