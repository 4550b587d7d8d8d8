//! The hook: one event on stdin, at most one answer on stdout, always exit code 0.

fn main() {
    steadfast::hook::run(std::env::args_os());
}
