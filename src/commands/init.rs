//! `mastor init`: looks for framework and document, writes a `mastor.toml` and the workflow, and says what was found and what was not.

use std::collections::BTreeMap;
use std::path::Path;

use super::context::Context;
use super::{init_ci, init_service};
use crate::config::{self, FILE_NAME, OpenApiSetting, Overrides, Settings};
use crate::error::{Exit, Failure};
use crate::extract::Surface;
use crate::openapi;
use crate::pipeline::{self, Workspace};
use crate::revision::SourceTree;
use crate::types::report::MatchStatus;

/// Writes `mastor.toml` into the folder that the command runs in, the workflow to the repository's, and the hook where it is asked for. What is
/// there already stays.
///
/// # Errors
/// Exit 2 where all is there and `force` is not, or where there is another's hook; exit 70 where something cannot be written.
pub fn run(context: &Context, force: bool, hook: bool) -> Result<Exit, Failure> {
    let workspace = context.workspace(Default::default())?;
    let directory = context.directory()?;
    let path = directory.join(FILE_NAME);
    // First, so that nothing is half done.
    let hook = hook.then(|| init_ci::hook_place(&workspace)).transpose()?;
    if !path.exists() || force {
        settings(context, &workspace, &directory, &path)?;
    } else if hook.is_some() || init_ci::lacks_workflow(&workspace) {
        context.console.say(&format!("settings: {} is there already, and stays as it is", path.display()));
    } else {
        return Err(
            Failure::new(Exit::Usage, format!("{} is there already", path.display())).hint("`--force` replaces it")
        );
    }
    if let Some(written) = init_ci::workflow(context, &workspace)? {
        context.console.result(&format!("{}\n", written.display()));
    }
    if let Some(hook) = hook {
        init_ci::hook(context, &hook)?;
        context.console.result(&format!("{}\n", hook.display()));
    }
    context.console.say("next: `mastor operations`, `mastor backtest --last 50`, `mastor generate --all`");
    Ok(Exit::Clean)
}

/// Looks around and writes `mastor.toml`.
fn settings(context: &Context, workspace: &Workspace, directory: &Path, path: &Path) -> Result<(), Failure> {
    let dir = workspace.repo.relative(directory).map_err(pipeline::failure)?;
    let tree = workspace.repo.work_tree().map_err(pipeline::failure)?;
    let name = directory.canonicalize().ok().and_then(|d| d.file_name().map(|n| n.to_string_lossy().into_owned()));
    let defaults = config::services(&SourceTree::from_memory(Vec::<(String, Vec<u8>)>::new()), &Overrides::default())?;
    let Some(defaults) = defaults.into_iter().next() else { return Err(pipeline::nothing_found()) };
    let settings = Settings { name: name.unwrap_or(defaults.name.clone()), dir: dir.clone(), ..defaults };
    let candidates = openapi::discover(&tree, &dir);
    let (surface, trouble) = match pipeline::surface(workspace, &settings, &tree) {
        Ok(surface) => (surface, None),
        Err(failure) => {
            let without = Settings { openapi: OpenApiSetting::None, ..settings.clone() };
            (pipeline::surface(workspace, &without, &tree)?, Some(failure))
        }
    };
    say(context, &surface, &candidates);
    if let Some(failure) = trouble {
        context.console.say(&format!("the document cannot be used: {failure}"));
    }
    let repository = workspace.root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let service = init_service::propose(&surface, &dir, &repository);
    for line in &service.said {
        context.console.say(line);
    }
    let text = template(&settings, &dir, &surface, &candidates, &service.text);
    crate::store::write_flushed(path, text.as_bytes()).map_err(|e| Failure::new(Exit::Internal, e.to_string()))?;
    context.console.result(&format!("{}\n", path.display()));
    if service.found {
        context.console.say("next: `mastor doctor --service` tries the service");
    }
    Ok(())
}

fn say(context: &Context, surface: &Surface, candidates: &[openapi::Candidate]) {
    let mut frameworks: BTreeMap<&str, usize> = BTreeMap::new();
    for endpoint in &surface.endpoints {
        *frameworks.entry(endpoint.framework.name).or_default() += 1;
    }
    let found: Vec<String> = frameworks.iter().map(|(name, count)| format!("{name} ({count} routes)")).collect();
    let say = |text: String| context.console.say(&text);
    say(format!("Java: {} files in {} modules", surface.project.files().len(), surface.project.modules().len()));
    say(if found.is_empty() {
        "framework: none whose routes mastor knows".to_owned()
    } else {
        format!("framework: {}", found.join(", "))
    });
    match (&surface.document, candidates) {
        (Some(document), [_, others @ ..]) => {
            say(format!("document: {} with {} operations", document.path, document.operations.len()));
            for other in others.iter().take(5) {
                say(format!("  not taken: {} ({})", other.path, other.reason));
            }
        }
        _ => say("document: none found; the routes are the operations".to_owned()),
    }
    let count = |status| surface.matches.iter().map(|m| surface.row(m)).filter(|row| row.status == status).count();
    say(format!(
        "operations: {} matched, {} unmatched, {} undocumented, {} of the framework",
        count(MatchStatus::Matched),
        count(MatchStatus::Unmatched),
        count(MatchStatus::Undocumented),
        count(MatchStatus::Framework)
    ));
    for row in
        surface.matches.iter().map(|m| surface.row(m)).filter(|row| row.status == MatchStatus::Unmatched).take(10)
    {
        say(format!("  unmatched: {} ({})", row.op_id, row.reason.unwrap_or_default()));
    }
}

/// A `mastor.toml` that says what is in force, so that it can be adjusted; the defaults stand in comments.
fn template(
    settings: &Settings,
    dir: &str,
    surface: &Surface,
    candidates: &[openapi::Candidate],
    service: &str,
) -> String {
    let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
    let openapi = match &surface.document {
        Some(document) => {
            let prefix = if dir.is_empty() { String::new() } else { format!("{dir}/") };
            let relative = match document.path.strip_prefix(&prefix) {
                Some(relative) => relative.to_owned(),
                None => format!("{}{}", "../".repeat(dir.split('/').count()), document.path),
            };
            format!("openapi = {}", quoted(&relative))
        }
        None if candidates.is_empty() => {
            "# openapi = \"openapi.yaml\"   # none was found: the routes are the operations".to_owned()
        }
        None => "openapi = false   # the one that was found cannot be read".to_owned(),
    };
    format!(
        "# Settings of mastor for this service. Everything may be left out; `mastor config show` prints what is in force.\n\n\
         [api]\nname = {}\n{openapi}\n# source = [\"src/main/java\"]   # found when left out\n\n\
         {service}\n\
         [ci]\n# fail-on = \"{}\"   # never, unaccepted, stale\n\n\
         [export]\n# kinds = [\"junit\", \"postman\", \"readable\"]   # html: a page for a browser\n# commit = false   # true: generate writes them to dir\n# dir = \"{}\"\n\
         # templates = \"…\"   # your own; `mastor init --templates DIR` writes ours to begin with\n",
        quoted(&settings.name),
        settings.fail_on.as_str(),
        settings.export_dir,
    )
}
