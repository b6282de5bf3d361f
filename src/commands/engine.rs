//! Engine options from the command line, and the prompts of a dry run as files.

use std::path::Path;

use super::context::Context;
use crate::cli::Engines;
use crate::pipeline::{EngineOptions, ServiceGenerated};
use mastor_agents::Switches;
use mastor_types::error::{Exit, Failure};

/// The engine options of a run; paths are relative to the working directory.
///
/// # Errors
/// Exit 2 where the working directory does not exist.
pub fn options(context: &Context, flags: &Engines) -> Result<EngineOptions, Failure> {
    let dir = context.directory()?;
    Ok(EngineOptions {
        engine: flags.engine,
        max_usd: flags.max_usd,
        max_tokens: flags.max_tokens,
        switches: Switches {
            multi_op: !flags.no_multi_op,
            review_rounds: if flags.no_challenger { 0 } else { usize::from(flags.review_rounds) },
        },
        record: flags.record.as_ref().map(|path| dir.join(path)),
        replay: flags.replay.as_ref().map(|path| dir.join(path)),
        strict: flags.strict,
        models: None,
    })
}

/// Writes each prompt of a dry run to a file; returns their number.
///
/// # Errors
/// Exit 70 where writing fails.
pub fn write_prompts(dir: &Path, services: &[ServiceGenerated]) -> Result<usize, Failure> {
    let mut written = 0;
    for service in services {
        let to = if services.len() > 1 { dir.join(&service.name) } else { dir.to_owned() };
        for (name, text) in &service.prompts {
            mastor_store::write(&to.join(name), text.as_bytes())
                .map_err(|error| Failure::new(Exit::Internal, error.to_string()))?;
            written += 1;
        }
    }
    Ok(written)
}
