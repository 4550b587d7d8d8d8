//! Whether work is proven by running: would it have passed the tests as they were, and do the tests still bite?
//!
//! Everything runs in scratch copies: what decides a test run on one side, the source on another. The project itself is
//! only read. Outcomes are told apart by test name; what can't be judged is said and never guessed.

mod bite;
pub mod copies;
pub mod corner;
pub mod deciding;
pub mod four_corners;
pub mod git_view;
pub mod inline_tests;
pub mod installed;
pub mod judgement;
pub mod judging;
pub mod kept;
pub mod known_tests;
mod naming;
pub mod placing;
pub mod planted;
mod python_path;
mod renamed;
pub mod scratch;
mod setup_files;
mod stage;
mod stand_ins;
pub mod step;
pub mod subject;
mod text_diff;
mod verdict;
pub mod words;
pub mod work;
