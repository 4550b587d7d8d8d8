//! The files of a loop, as the real binaries write and survive them.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]

mod accidents;
mod agent;
mod alarms;
mod beside;
mod counts;
mod course;
mod cut_short;
mod damage;
mod definitions;
mod disarmed;
mod fixed_answers;
mod gone_unsaid;
mod held_subjects;
mod hidden;
mod imported;
mod legacy;
mod long_work;
mod moments;
mod net_by_chance;
mod net_effect;
mod net_under_calls;
mod never_judged;
mod own_counts;
mod own_files;
mod owners;
mod pausing;
mod place;
mod poor_system;
mod pressure;
mod protected;
mod removed;
mod retention;
mod rewritten;
mod risks;
mod round_trips;
mod said_right;
mod schemas;
mod sessions;
mod sight;
mod state_updates;
mod used_code;
mod whose_loss;

#[path = "../gate/terminal.rs"]
mod terminal;
