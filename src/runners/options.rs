//! Options that make a test run say less than it should, as runners' own files declare them.

/// What an option does to a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weakens {
    /// A failure does not show.
    HidesFailure,
    /// Tests do not run.
    LeavesTestsOut,
    /// Recorded answers are taken anew.
    RewritesSnapshots,
    /// Less coverage is enough.
    LowersThreshold,
}

/// An option that weakens a run.
#[derive(Clone, Copy)]
pub struct WeakeningOption {
    /// What it does.
    pub weakens: Weakens,
    /// The option; `--x` also as `--x=value`, and one that ends in `s` also as `--xs.part`.
    pub option: &'static str,
    /// Programs that mean this by it; none means any test run.
    pub programs: &'static [&'static str],
    /// What its value must be for it.
    pub value: fn(&str) -> bool,
}

/// An option that weakens a run.
pub(crate) const fn weakening(
    weakens: Weakens,
    option: &'static str,
    programs: &'static [&'static str],
    value: fn(&str) -> bool,
) -> WeakeningOption {
    WeakeningOption { weakens, option, programs, value }
}

impl WeakeningOption {
    /// Whether a program that gets the option with this value is weakened by it.
    pub(crate) fn applies(&self, program: &str, option: &str, value: &str) -> bool {
        let is_part = || {
            self.option.ends_with('s')
                && option.strip_prefix(self.option).is_some_and(|rest| rest.starts_with('.'))
        };
        (self.option == option || is_part())
            && (self.programs.is_empty() || self.programs.contains(&program))
            && (self.value)(value)
    }
}

/// Any value, also none.
pub(crate) fn any(_: &str) -> bool {
    true
}

/// No time at all, which runners take as no limit.
pub(crate) fn zero(value: &str) -> bool {
    matches!(value, "0" | "0s" | "0ms")
}

/// An expression that leaves something out.
pub(crate) fn negated(value: &str) -> bool {
    value.split(|letter: char| !letter.is_alphanumeric()).any(|word| word == "not")
}

/// A switch that is on.
pub(crate) fn not_off(value: &str) -> bool {
    value != "false"
}
