//! The service of a revision: its folder on disk, how it is started, and what its failures mean to the user.

use std::sync::Arc;

use crate::pipeline::repository::workspace::{BaseRevision, Head, Workspace, failure, out_folder};
use mastor_config::{ServiceSettings, Settings};
use mastor_probe::service::{self, Checkout, Instance, Interrupt, Place, Running, ServiceError};
use mastor_revision::Commit;
use mastor_suite::{CACHE_DIR, OUT_DIR};
use mastor_types::deadline::Deadline;
use mastor_types::error::{Exit, Failure};

/// Builds and starts the head's service, or finds the one that runs already; `None` if none is configured.
///
/// # Errors
/// Exit 4 with the last lines of its log where it does not get ready; exit 2 for settings that cannot work.
pub async fn start_head(
    workspace: &Workspace,
    settings: &Settings,
    head: &Head,
    built: Option<Place>,
) -> Result<Option<Running>, Failure> {
    let Some(spec) = &settings.service else { return Ok(None) };
    let place = match built {
        Some(place) => place,
        None => place_of_head(workspace, settings, spec, head).await?,
    };
    service::start(spec, &place, &workspace.events).await.map(Some).map_err(service_failure)
}

async fn place_of_head(
    workspace: &Workspace,
    settings: &Settings,
    spec: &ServiceSettings,
    head: &Head,
) -> Result<Place, Failure> {
    let in_place = stands_in_work_tree(workspace, head)?;
    let place = place(workspace, settings, spec, Instance::Head, (!in_place).then_some(&head.commit), &head.label);
    place.await.map_err(service_failure)
}

/// Builds the head's service without starting it; gives where it was built. `None` if there is nothing to build.
///
/// # Errors
/// As for [`start_head`].
pub async fn build_head(workspace: &Workspace, settings: &Settings, head: &Head) -> Result<Option<Place>, Failure> {
    let Some(spec) = settings.service.as_ref().filter(|spec| spec.start.is_some() && spec.build.is_some()) else {
        return Ok(None);
    };
    let place = place_of_head(workspace, settings, spec, head).await?;
    out_folder(&place.out)?;
    service::build::build(spec, &place, &workspace.events).await.map_err(service_failure)?;
    Ok(Some(Place { built: true, ..place }))
}

/// Builds and starts the base's service in a linked work tree outside the repository, with the base's own settings if
/// it has them. `None` if there is no start command: the revision of a service that runs already is not known.
///
/// # Errors
/// As for [`start_head`].
pub async fn start_base(
    workspace: &Workspace,
    settings: &Settings,
    base: &BaseRevision,
) -> Result<Option<Running>, Failure> {
    let there = base.tree.get(&settings.path).is_some();
    let own = if there { workspace.services(&base.tree)? } else { Vec::new() };
    let own = own.into_iter().find(|own| own.path == settings.path);
    let own = own.and_then(|own| own.service).filter(|own| own.start.is_some());
    let Some(spec) = own.or_else(|| settings.service.clone()).filter(|spec| spec.start.is_some()) else {
        return Ok(None);
    };
    let label = base.commit.short();
    let place = place(workspace, settings, &spec, Instance::Base, Some(&base.commit), &label);
    let place = place.await.map_err(service_failure)?;
    service::start(&spec, &place, &workspace.events).await.map(Some).map_err(service_failure)
}

/// Whether the work tree of the command holds exactly the head's files.
fn stands_in_work_tree(workspace: &Workspace, head: &Head) -> Result<bool, Failure> {
    if head.label == "work tree" {
        return Ok(true);
    }
    let checked_out = workspace.repo.head().map_err(failure)?.id == head.commit.id;
    Ok(checked_out && !workspace.repo.is_dirty().map_err(failure)?)
}

/// Where the base is built and run: a linked work tree outside the repository.
///
/// # Errors
/// Exit 4 where git cannot check it out.
pub(in crate::pipeline) async fn at_base(
    workspace: &Workspace,
    settings: &Settings,
    spec: &ServiceSettings,
    base: &BaseRevision,
) -> Result<Place, Failure> {
    // Without a start command, `place` would check out no files.
    let spec = ServiceSettings { start: spec.start.clone().or_else(|| Some(String::new())), ..spec.clone() };
    let label = base.commit.short();
    out_folder(&workspace.service_dir(settings).join(OUT_DIR))?;
    place(workspace, settings, &spec, Instance::Base, Some(&base.commit), &label).await.map_err(service_failure)
}

/// Where the head is built and run: the work tree if it holds the head, else a linked one outside the repository.
///
/// # Errors
/// Exit 4 where git cannot check it out.
pub(in crate::pipeline) async fn at_head(
    workspace: &Workspace,
    settings: &Settings,
    spec: &ServiceSettings,
    head: &Head,
) -> Result<Place, Failure> {
    out_folder(&workspace.service_dir(settings).join(OUT_DIR))?;
    let spec = ServiceSettings { start: spec.start.clone().or_else(|| Some(String::new())), ..spec.clone() };
    place_of_head(workspace, settings, &spec, head).await
}

async fn place(
    workspace: &Workspace,
    settings: &Settings,
    spec: &ServiceSettings,
    instance: Instance,
    commit: Option<&Commit>,
    label: &str,
) -> Result<Place, ServiceError> {
    let needs_files = spec.start.is_some();
    let checkout = match commit.filter(|_| needs_files) {
        Some(commit) => Some(Arc::new(Checkout::of(&workspace.repo, commit, spec, &workspace.events).await?)),
        None => None,
    };
    let name = if settings.dir.is_empty() { String::new() } else { format!("{}, ", settings.name) };
    Ok(Place {
        root: checkout.as_ref().map_or_else(|| workspace.root.clone(), |checkout| checkout.root()),
        instance,
        label: format!("{name}{} {label}", instance.as_str()),
        out: workspace.service_dir(settings).join(OUT_DIR),
        cache: workspace.root.join(CACHE_DIR),
        checkout,
        built: false,
    })
}

/// How to turn on a service that is switched off; `None` if it is on.
pub(in crate::pipeline) fn switched_off(settings: &Settings) -> Option<String> {
    let (name, path) = (&settings.name, &settings.path);
    settings.switched_off.as_ref().map(|_| {
        format!("the service {name} is switched off: mastor doctor --service tries it, enabled = true in [service] of {path} turns it on")
    })
}

/// Runs async work to its end. Ctrl-C or a cancelled job drops the work, which stops every service, and the run ends
/// with exit 130; the end of the run's time budget does the same, with exit 6.
///
/// # Errors
/// The errors of the work.
pub fn to_the_end<T>(workspace: &Workspace, work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime =
        mastor_probe::runs::run::runtime(2).map_err(|error| Failure::new(Exit::Internal, error.to_string()))?;
    let mut interrupt = Interrupt::listen();
    let in_time = async {
        tokio::select! {
            biased;
            deadline = workspace.time_up(workspace.deadline()) => Err(out_of_time(deadline)),
            done = work => done,
        }
    };
    runtime.block_on(interrupt.or(in_time)).unwrap_or_else(|| Err(interrupted()))
}

/// The failure of work that exceeded the run's time budget.
pub fn out_of_time(deadline: Deadline) -> Failure {
    Failure::new(Exit::BudgetSpent, deadline.to_string()).hint("`--within` gives more time")
}

/// The failure of a run that was stopped from outside.
pub fn interrupted() -> Failure {
    Failure::new(Exit::Interrupted, "interrupted; what was started has ended")
}

/// The failure for an error of the service, with its exit and a hint.
pub fn service_failure(error: ServiceError) -> Failure {
    let exit = match &error {
        ServiceError::NoFolder(_) | ServiceError::Http(_) => Exit::Usage,
        ServiceError::Store(_) => Exit::Internal,
        ServiceError::Spawn { .. }
        | ServiceError::BuildFailed { .. }
        | ServiceError::BuildSlow { .. }
        | ServiceError::PortTaken { .. }
        | ServiceError::DiedEarly { .. }
        | ServiceError::Died { .. }
        | ServiceError::NotReady { .. }
        | ServiceError::Unreachable { .. }
        | ServiceError::Reset { .. }
        | ServiceError::Checkout { .. } => Exit::NotReady,
    };
    let lines = error.tail().map(|tail| tail.lines.clone()).unwrap_or_default();
    Failure::new(exit, error.to_string()).lines(lines).hint(error.hint())
}

/// The work tree as the place where a service runs.
pub(in crate::pipeline) fn on_work_tree(workspace: &Workspace, settings: &Settings) -> Result<Place, Failure> {
    let place = Place {
        root: workspace.root.clone(),
        instance: Instance::Head,
        label: "work tree".to_owned(),
        out: workspace.service_dir(settings).join(OUT_DIR),
        cache: workspace.root.join(CACHE_DIR),
        checkout: None,
        built: false,
    };
    out_folder(&place.out)?;
    Ok(place)
}
