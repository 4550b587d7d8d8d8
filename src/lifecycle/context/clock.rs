//! How long each hook of a process took: from the line before its own, or from the beginning of the process.

use std::cell::Cell;
use std::time::{Duration, Instant};

/// The hook whose time a verification is, though others may leave their lines before it.
const OF_COMMANDS: &str = "post_iteration";

/// The time of a process, shared out among its hooks.
#[derive(Debug)]
pub struct Clock {
    /// Until when it is shared out.
    until: Cell<Instant>,
    /// What commands took that has no line yet.
    commands: Cell<Duration>,
}

impl Clock {
    /// Of a process that began then.
    pub fn since(began: Instant) -> Clock {
        Clock { until: Cell::new(began), commands: Cell::new(Duration::ZERO) }
    }

    /// What has passed since the last line was the loop's own commands.
    pub fn ran_commands(&self) {
        self.commands.set(self.commands.get() + self.lap());
    }

    /// The time of a hook that leaves its line now, in milliseconds.
    pub fn of(&self, hook: &str) -> u64 {
        let commands = if hook == OF_COMMANDS { self.commands.take() } else { Duration::ZERO };
        u64::try_from((self.lap() + commands).as_millis()).unwrap_or(u64::MAX)
    }

    fn lap(&self) -> Duration {
        self.until.replace(Instant::now()).elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_commands_belongs_to_the_iteration_whoever_speaks_first() {
        let clock = Clock::since(Instant::now() - Duration::from_secs(2));
        clock.ran_commands();
        assert!(clock.of("regression_detected") < 500);
        assert!(clock.of("post_iteration") >= 2_000);
        assert!(clock.of("on_error") < 500 && clock.of("post_iteration") < 500);
    }
}
