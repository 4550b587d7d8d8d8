//! The figures of a loop, in which the patterns are found that no single change shows.

use crate::model::finding::counted;

/// The figures of a loop up to the end of an iteration; `None` for what is not known.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct LoopFigures {
    /// Coverage of lines in percent: at its best so far, and now.
    pub lines: Option<(f64, f64)>,
    /// Coverage of branches in percent: at its best so far, and now.
    pub branches: Option<(f64, f64)>,
    /// Whether the verification passes.
    pub passes: bool,
    /// How many tests were found to assert less, and still do.
    pub weaker_tests: usize,
    /// How many iterations have ended.
    pub iterations: u32,
    /// Points of quality that the best of the last ten iterations has over the best before them.
    pub gained: Option<f64>,
    /// Whether the agent's last words give the task up.
    pub gives_up: bool,
}

impl LoopFigures {
    /// The figures in words.
    pub fn in_words(&self) -> String {
        let mut words = Vec::new();
        if let Some((before, now)) = self.lines {
            words.push(format!("coverage {before} % -> {now} %"));
        }
        if let Some((before, now)) = self.branches {
            words.push(format!("coverage of branches {before} % -> {now} %"));
        }
        if self.weaker_tests > 0 {
            words.push(format!("tests that assert less: {}", self.weaker_tests));
        }
        if let Some(gained) = self.gained {
            words.push(format!(
                "{}, {gained} points gained in the last ten",
                counted(self.iterations, "iteration")
            ));
        }
        if self.gives_up {
            words.push("the agent gives up".to_owned());
        }
        if words.is_empty() {
            words.push("no figures".to_owned());
        }
        words.push(if self.passes { "the verification passes" } else { "the verification fails" }.to_owned());
        words.join("; ")
    }
}
