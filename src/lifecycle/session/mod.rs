//! Sessions and the loops that they are bound to: who is guarded, who resumes, who drives, and who is gone.

pub mod calling;
pub mod driven;
pub(crate) mod forged;
pub mod guarded_session;
pub mod health;
pub mod late_baseline;
pub mod leaving;
pub mod left_open;
pub mod legacy;
pub mod liveness;
pub mod loop_resume;
pub mod overdue;
pub(crate) mod processes;
pub(crate) mod tidying;
