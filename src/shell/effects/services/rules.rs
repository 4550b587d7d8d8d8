//! Commands that give up what a service holds, or publish for everybody: one file for each family of services.
//!
//! A new rule is one line in its family; a new family is a file, and a line in `FAMILIES`.
//!
//! A rule is words: programs, then operands in order (`|` between alternatives, `*` for any text in a word, `…` for
//! any operands between). `-x` must be given, alone or as a letter of a short cluster (so `-r` is in `-rm`); `!-x`
//! makes it harmless, and a `~` at the end spares what has the name of a test or scratch place.
//!
//! The first rule that fits counts. A program that begins a rule is known: its other deletions are told of only where a
//! last rule says so.

pub(crate) mod backups;
pub(crate) mod clouds;
pub(crate) mod clusters;
pub(crate) mod code_hosts;
pub(crate) mod containers;
pub(crate) mod databases;
pub(crate) mod infrastructure;
pub(crate) mod machine;
pub(crate) mod packages;
pub(crate) mod queues_and_secrets;

/// How much a rule weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RuleWeight {
    /// What is lost can't be kept or put back from here.
    Loses,
    /// It changes what others rely on, and can be done again or put back.
    Changes,
    /// It publishes, which can't be taken back.
    Releases,
    /// It goes past the checks that a change must pass.
    Bypasses,
}

/// What a rule recognises a command by, and how much it weighs.
pub(crate) type ServiceRule = (&'static str, RuleWeight);

/// The rules of every family; the first that fits counts.
pub(crate) static FAMILIES: &[&[ServiceRule]] = &[
    clusters::RULES,
    infrastructure::RULES,
    clouds::RULES,
    backups::RULES,
    code_hosts::RULES,
    containers::RULES,
    databases::RULES,
    queues_and_secrets::RULES,
    packages::RULES,
    machine::RULES,
];

/// Whether a program is the client of a cloud, of clusters or of infrastructure, which are on no machine of one's own.
pub(crate) fn is_of_a_cloud(program: &str) -> bool {
    const LOCAL: &[&str] = &[
        "vagrant",
        "multipass",
        "virsh",
        "vboxmanage",
        "VBoxManage",
        "lxc",
        "incus",
        "supabase",
        "firebase",
    ];
    let families = [clusters::RULES, infrastructure::RULES, clouds::RULES];
    let names =
        |rule: &str| rule.split(' ').next().is_some_and(|names| names.split('|').any(|it| it == program));
    !LOCAL.contains(&program) && families.into_iter().flatten().any(|(rule, _)| names(rule))
}

/// How many bits tell the beginnings of programs apart.
const BITS: usize = 2048;

/// A bit for the beginning of each program that a rule begins with, worked out when this is compiled: every command asks,
/// and next to none is of the table.
static BEGINNINGS: [u64; BITS / 64] = beginnings();

/// Whether a rule may begin with this program; where none does, the rules need not be asked.
pub(crate) fn may_begin_a_rule(program: &str) -> bool {
    let bit = bit_of(program.as_bytes(), 0);
    BEGINNINGS.get(bit / 64).is_some_and(|bits| bits >> (bit % 64) & 1 == 1)
}

/// The bit of a name that begins at `from`: its first three letters say it.
const fn bit_of(text: &[u8], from: usize) -> usize {
    let (mut bit, mut at) = (0, from);
    while at < text.len() && at < from + 3 && !ends_name(text[at]) {
        bit = bit * 37 + text[at] as usize;
        at += 1;
    }
    bit % BITS
}

const fn ends_name(byte: u8) -> bool {
    matches!(byte, b' ' | b'|')
}

const fn beginnings() -> [u64; BITS / 64] {
    let mut bits = [0; BITS / 64];
    let mut family = 0;
    while family < FAMILIES.len() {
        let mut rule = 0;
        while rule < FAMILIES[family].len() {
            let text = FAMILIES[family][rule].0.as_bytes();
            let (mut at, mut begins) = (0, true);
            while at < text.len() && text[at] != b' ' {
                if begins {
                    let bit = bit_of(text, at);
                    bits[bit / 64] |= 1 << (bit % 64);
                }
                begins = text[at] == b'|';
                at += 1;
            }
            rule += 1;
        }
        family += 1;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_of_a_rule_is_asked_about_and_everyday_ones_are_not() {
        for (rule, _) in FAMILIES.iter().copied().flatten() {
            let programs = rule.split(' ').next().unwrap_or_default();
            for program in programs.split('|') {
                assert!(may_begin_a_rule(program), "{program} of {rule}");
            }
        }
        for program in ["ls", "cat", "git", "cd", "node", "sed", "cargo"] {
            let is_of_one = FAMILIES
                .iter()
                .copied()
                .flatten()
                .any(|(rule, _)| rule.split([' ', '|']).next() == Some(program));
            assert_eq!(may_begin_a_rule(program), is_of_one, "{program}");
        }
    }
}
