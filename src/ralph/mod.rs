//! The Ralph loop: criteria, verification, learning, report.
