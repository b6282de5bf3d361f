//! The `mastor` command: reads the command line, runs it, ends with its exit code.

use std::process::ExitCode;

use clap::Parser;

/// Analysis makes and frees small things on all threads: with the system's allocator it would spend a quarter of its time on that.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(mastor::commands::run(mastor::cli::Cli::parse()))
}
