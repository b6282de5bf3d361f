//! Tries to start a service that `init` proposes, and finds what is missing for it.

use std::path::Path;

use super::stores;
use crate::commands::tools::{java_here, on_path};
use crate::pipeline::service::revisions;
use crate::pipeline::service::sign_up::sign_ups;
use crate::pipeline::{Head, Workspace, analyse};
use mastor_config::{self as config, Overrides, Settings};
use mastor_frameworks::launch::Launch;
use mastor_probe::auth::sign_up::{self, SignUpAuthFile};
use mastor_probe::http::{Client, Limits};
use mastor_probe::service::port;
use mastor_revision::SourceTree;
use mastor_types::error::Failure;

/// The result of the trial.
pub(super) enum Trial {
    /// It was ready.
    Started(Started),
    /// It was not tried, since these things are missing: each a noun phrase.
    Missing(Vec<String>),
    /// The service failed to start.
    Failed(Failure),
    /// Not tried, because it was not wanted.
    NotTried,
}

/// A service that was seen to start.
pub(super) struct Started {
    /// Seconds until it was ready.
    pub(super) seconds: f64,
    /// How users sign up at it; `None` where no way was found.
    pub(super) users: Option<SignUpAuthFile>,
}

/// What keeps a service from starting here, as far as can be seen without starting it.
pub(super) fn missing(launch: &Launch, root: &Path) -> Vec<String> {
    let dir = if launch.dir.is_empty() { root.to_owned() } else { root.join(&launch.dir) };
    let mut missing = Vec::new();
    let tool = launch.build.split_whitespace().next().unwrap_or_default();
    let is_there = |program: &str| if program.contains('/') { dir.join(program).is_file() } else { on_path(program) };
    for program in [tool, "java"] {
        if !is_there(program) {
            missing.push(format!("`{program}`"));
        }
    }
    if let (Some(wanted), Some(here)) = (launch.java, java_here())
        && wanted > here
    {
        missing.push(format!("Java {wanted} (`java` here is {here})"));
    }
    if launch.doubts.iter().any(|doubt| doubt.contains("takes its port")) {
        missing.push("how it takes its port".to_owned());
    }
    missing.extend(launch.needs.unmet.iter().cloned());
    if launch.needs.stores.keys().any(|store| store.fresh("x").is_some()) && !on_path("docker") {
        missing.push("`docker`, which empties its database before each start".to_owned());
    }
    for store in launch.needs.stores.keys().filter(|store| !port::answers(store.port())) {
        let command = stores::docker_run(*store);
        missing.push(format!("{} at 127.0.0.1:{}: {command}", store.words(), store.port()));
    }
    missing
}

/// Builds, starts and stops the service described by this `mastor.toml` text.
pub(super) fn run(workspace: &Workspace, path: &str, text: &str) -> Trial {
    let started = (|| {
        let head = workspace.head(None)?;
        let settings = settings(path, text)?;
        revisions::to_the_end(workspace, life(workspace, &settings, &head))
    })();
    match started {
        Ok(Some(started)) => Trial::Started(started),
        Ok(None) => Trial::NotTried,
        Err(failure) => Trial::Failed(failure),
    }
}

fn settings(path: &str, text: &str) -> Result<Settings, Failure> {
    let tree = SourceTree::from_memory([(path.to_owned(), text.as_bytes().to_vec())]);
    let overrides = Overrides { config: Some(path.to_owned()), ..Overrides::default() };
    let mut all = config::services(&tree, &overrides)?;
    let mut settings = all.remove(0);
    settings.service = settings.service.or(settings.switched_off.take());
    Ok(settings)
}

async fn life(workspace: &Workspace, settings: &Settings, head: &Head) -> Result<Option<Started>, Failure> {
    let Some(running) = revisions::start_head(workspace, settings, head, None).await? else { return Ok(None) };
    let seconds = running.ready_after().as_secs_f64();
    let users = users(workspace, settings, head, running.base_url()).await;
    running.stop().await;
    Ok(Some(Started { seconds, users }))
}

/// How users sign up at the running service. An error counts as `None`, because the trial of the start has succeeded.
async fn users(workspace: &Workspace, settings: &Settings, head: &Head, base_url: &str) -> Option<SignUpAuthFile> {
    let analysis = analyse(workspace, settings, &head.tree).ok()?;
    let known = sign_ups(&analysis, base_url);
    let client = Client::new(&[base_url], Limits::default(), 1).ok()?;
    match sign_up::find(&client, base_url, &known).await {
        Ok(found) => found,
        Err(error) => {
            workspace.events.detail(format!("how users sign up could not be tried: {error}"));
            None
        }
    }
}
