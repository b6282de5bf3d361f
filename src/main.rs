//! The `mastor` command.

fn main() {}
