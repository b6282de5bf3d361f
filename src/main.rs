//! The `mastor` command: parses the command line, runs the command and returns its exit code.

use std::process::ExitCode;

use clap::Parser;

/// The analysis allocates many small objects on all threads; the system's allocator would take a quarter of its time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(mastor::commands::run(mastor::cli::Cli::parse()))
}
