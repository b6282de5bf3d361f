//! The `mastor` command: reads the command line, runs it, ends with its exit code.

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    ExitCode::from(mastor::commands::run(mastor::cli::Cli::parse()))
}
