//! A process that exits at once: the floor that `benches/startup.rs` measures the hook against.

fn main() {}
