//! `mastor completions`: prints a shell completion script.

use clap::CommandFactory;

use super::context::Context;
use crate::cli::Cli;
use mastor_types::error::{Exit, Failure};

/// Prints the script.
///
/// # Errors
/// Never fails.
pub fn run(context: &Context, shell: clap_complete::Shell) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "mastor", &mut script);
    context.console.result(&String::from_utf8_lossy(&script));
    Ok(Exit::Clean)
}
