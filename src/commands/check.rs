//! `mastor check` and `mastor replay`: runs the committed suite, or one oracle of it, on a service.

use std::time::Duration;

use super::context::Context;
use crate::cli::{Confirm, Format, Running};
use crate::pipeline::service::live::LiveOptions;
use crate::pipeline::{self, CheckAsked};
use mastor_config::Overrides;
use mastor_publish::checks::{check_text, replay_text};
use mastor_publish::json::Envelope;
use mastor_suite::OUT_DIR;
use mastor_types::error::{Exit, Failure};
use mastor_types::results::outcome::RunVerdict;

/// Runs the committed suite.
///
/// # Errors
/// Exit 2 for an unknown id or without a service; exit 3 without a suite; exit 4 where the service is not available.
pub fn run(context: &Context, ids: Vec<String>, running: Running, format: Format) -> Result<Exit, Failure> {
    let workspace = context.workspace(overrides(&running))?;
    let head = workspace.head(None)?;
    let done = pipeline::check(&workspace, &head, &asked(ids, &running))?;
    match format {
        Format::Json => {
            let fields = done.iter().map(|service| (service.name.clone(), service.fields.clone())).collect();
            context.console.json(&Envelope::new("check", fields));
        }
        Format::Text => {
            for service in &done {
                if done.len() > 1 {
                    context.console.result(&format!("{}\n", service.name));
                }
                context.console.result(&check_text::check(&service.fields));
            }
        }
    }
    for trouble in done.iter().filter_map(|service| service.fields.trouble.as_ref()) {
        context.console.say(trouble);
    }
    context.events.detail(format!("wrote {OUT_DIR}/check.json and {OUT_DIR}/junit-results.xml"));
    Ok(Exit::worst(done.iter().map(|service| service.exit)))
}

/// Sends the requests of one oracle or sequence again.
///
/// # Errors
/// As for [`run`].
pub fn replay(context: &Context, id: String, running: Running) -> Result<Exit, Failure> {
    let workspace = context.workspace(overrides(&running))?;
    let head = workspace.head(None)?;
    let outcome = pipeline::replay(&workspace, &head, &asked(vec![id], &running))?;
    context.console.result(&replay_text::replay(&outcome));
    Ok(match outcome.verdict {
        RunVerdict::Held | RunVerdict::Refuted => Exit::Clean,
        RunVerdict::Broken => Exit::BehaviourChange,
        RunVerdict::Inconclusive | RunVerdict::Skipped => Exit::Nothing,
    })
}

/// The options for confirming new oracles on a service, from the flags; `None` where no service may be used.
pub fn live(confirm: &Confirm) -> Option<LiveOptions> {
    (!confirm.no_service).then(|| LiveOptions {
        runs: usize::from(confirm.confirm_runs),
        observe: confirm.observe || !confirm.no_observe,
        concurrency: usize::from(confirm.running.concurrency),
        time: Duration::from_secs(u64::from(confirm.running.request_timeout)),
    })
}

/// The settings that the flags for the service override.
pub fn overrides(running: &Running) -> Overrides {
    Overrides { service: running.service.overrides(), ..Overrides::default() }
}

fn asked(ids: Vec<String>, running: &Running) -> CheckAsked {
    CheckAsked {
        ids,
        concurrency: usize::from(running.concurrency),
        time: Duration::from_secs(u64::from(running.request_timeout)),
    }
}
