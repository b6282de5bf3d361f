//! `mastor doctor`: checks what mastor needs, one line each, with a hint for what is missing.

use super::context::Context;
use super::doctor_service;
use super::doctor_try;
use super::findings::Findings;
use crate::cli::ServiceFlags;
use crate::pipeline;
use mastor_config::Overrides;
use mastor_suite::{OUT_DIR, Suite};
use mastor_types::error::{Exit, Failure};

/// Prints the findings; returns the worst exit among them.
///
/// # Errors
/// Never fails: failures are findings.
pub fn run(context: &Context, service: bool, since: Option<&str>, flags: &ServiceFlags) -> Result<Exit, Failure> {
    let mut report = Findings::default();
    let overrides = Overrides { service: flags.overrides(), ..Overrides::default() };
    let look = report.look(context, overrides);
    if let Some((workspace, head)) = look.filter(|_| service) {
        doctor_try::try_all(&workspace, &head, since, &mut report);
    }
    context.console.result(&report.text());
    Ok(report.exit())
}

/// Lists the modelled library types.
///
/// # Errors
/// Never fails.
pub fn models(context: &Context) -> Result<Exit, Failure> {
    context.console.result(&mastor_publish::terminal::models::text());
    Ok(Exit::Clean)
}

impl Findings {
    fn look(&mut self, context: &Context, overrides: Overrides) -> Option<(pipeline::Workspace, pipeline::Head)> {
        self.good(&format!("mastor {}", env!("CARGO_PKG_VERSION")));
        let workspace = self.take(context.workspace(overrides))?;
        self.good(&format!("git repository at {}", workspace.root.display()));
        if workspace.repo.is_shallow() {
            self.note("the clone is shallow: a base before its end has to be fetched (`git fetch --unshallow`)");
        }
        match workspace.cache.warning() {
            Some(warning) => self.note(&format!("no cache: {}", warning.message)),
            None => {
                let size = workspace.cache.size();
                self.good(&format!("cache holds {} records, {} kB", size.records, size.bytes.div_ceil(1000)));
            }
        }
        match pipeline::out_folder(&workspace.root.join(OUT_DIR)) {
            Ok(()) => self.good(&format!("{OUT_DIR} can be written")),
            Err(failure) => self.bad(&failure),
        }
        let head = self.take(workspace.head(None))?;
        self.good(&format!("head is {}", head.label));
        for settings in self.take(workspace.services(&head.tree))? {
            self.service(&workspace, &settings, &head);
        }
        Some((workspace, head))
    }

    fn service(&mut self, workspace: &pipeline::Workspace, settings: &mastor_config::Settings, head: &pipeline::Head) {
        let surface = match pipeline::surface(workspace, settings, &head.tree) {
            Ok(surface) => surface,
            Err(failure) => return self.bad(&failure),
        };
        let name = &settings.name;
        self.good(&format!("{name}: {} Java files, {} routes", surface.project.files().len(), surface.endpoints.len()));
        match &surface.document {
            Some(document) => {
                self.good(&format!("{name}: {} with {} operations", document.path, document.operations.len()))
            }
            None => self.note(&format!("{name}: no OpenAPI document; the routes are the operations")),
        }
        if surface.matches.is_empty() {
            self.bad(&pipeline::nothing_found());
        }
        for warning in surface.warnings.iter().take(20) {
            let place = warning.file.as_deref().map(|file| format!(" ({file})")).unwrap_or_default();
            self.note(&format!("{name}: {}{place}", warning.message));
        }
        doctor_service::look(workspace, settings, head, &surface, self);
        match pipeline::files::templates::own(&head.tree, settings) {
            Ok(own) if own.is_empty() => {}
            Ok(own) => self.good(&format!("{name}: {} templates of your own can be read", own.len())),
            Err(failure) => self.bad(&failure),
        }
        let suite = Suite::load(&head.tree, &settings.dir);
        for problem in &suite.problems {
            self.bad(&Failure::new(Exit::Usage, problem.to_string()).hint("restore it with `git checkout`"));
        }
        match suite.operations.len() {
            0 => self.note(&format!("{name}: no suite is committed; `mastor generate --all` makes one")),
            count => self.good(&format!("{name}: a suite of {} oracles over {count} operations", suite.oracle_count())),
        }
    }
}
