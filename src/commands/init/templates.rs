//! `mastor init --templates`: writes the built-in export templates as files to edit.

use std::path::Path;

use crate::commands::context::Context;
use mastor_store as store;
use mastor_template::replaceable;
use mastor_types::error::{Exit, Failure};

/// Writes the templates to `dir`. Existing files are kept, unless `force`.
///
/// # Errors
/// Exit 70 where one cannot be written.
pub fn run(context: &Context, dir: &Path, force: bool) -> Result<Exit, Failure> {
    let folder = context.directory()?.join(dir);
    let (mut written, mut kept) = (0, 0);
    for (name, text) in replaceable() {
        let path = folder.join(name);
        if path.exists() && !force {
            kept += 1;
            continue;
        }
        store::write(&path, text.as_bytes()).map_err(|error| Failure::new(Exit::Internal, error.to_string()))?;
        written += 1;
    }
    context.console.result(&format!("{}\n", folder.display()));
    let stay =
        if kept > 0 { format!(", {kept} are there already and stay (`--force` replaces them)") } else { String::new() };
    context.console.say(&format!("{written} templates written{stay}"));
    context.console.say(&format!(
        "name the folder in mastor.toml: `[export]` with `templates = {:?}`; files that you leave unchanged can be removed again",
        dir.to_string_lossy()
    ));
    Ok(Exit::Clean)
}
