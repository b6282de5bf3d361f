//! `mastor doctor --service`: builds, starts, resets and stops every configured service, even if switched off.

use std::time::Instant;

use super::findings::Findings;
use crate::pipeline::service::revisions;
use crate::pipeline::{Head, Workspace};
use mastor_probe::service::Running;
use mastor_types::error::{Exit, Failure};

/// Builds, starts, resets and stops every configured service, and the base's too if a base is given.
pub(super) fn try_all(workspace: &Workspace, head: &Head, since: Option<&str>, findings: &mut Findings) {
    let work = async {
        let base = since.map(|since| workspace.base(Some(since), head)).transpose()?;
        let mut lines = Vec::new();
        for mut settings in workspace.services(&head.tree)? {
            let is_off = settings.switched_off.is_some();
            settings.service = settings.service.or(settings.switched_off.take());
            if let Some(running) = revisions::start_head(workspace, &settings, head, None).await? {
                lines.extend(life(running).await?);
                if is_off {
                    lines.push(format!(
                        "{}: it starts; `enabled = true` in `[service]` of {} turns it on",
                        settings.name, settings.path
                    ));
                }
            }
            let Some(base) = &base else { continue };
            if let Some(running) = revisions::start_base(workspace, &settings, base).await? {
                lines.extend(life(running).await?);
            }
        }
        Ok(lines)
    };
    match revisions::to_the_end(workspace, work) {
        Ok(lines) if lines.is_empty() => findings.bad(
            &Failure::new(Exit::Usage, "no service is configured")
                .hint("`[service]` in mastor.toml says how to start or reach it; `mastor init` proposes one"),
        ),
        Ok(lines) => lines.iter().for_each(|line| findings.good(line)),
        Err(failure) => findings.bad(&failure),
    }
}

/// Resets and stops a service that is ready; returns one line for each step.
async fn life(mut running: Running) -> Result<Vec<String>, Failure> {
    let seconds = |since: Instant| format!("{:.1} s", since.elapsed().as_secs_f64());
    let label = running.label().to_owned();
    let mut lines =
        vec![format!("{label}: ready after {:.1} s at {}", running.ready_after().as_secs_f64(), running.base_url())];
    if running.can_reset() {
        let since = Instant::now();
        running.reset().await.map_err(revisions::service_failure)?;
        lines.push(format!("{label}: reset in {}", seconds(since)));
    }
    let since = Instant::now();
    running.stop().await;
    lines.push(format!("{label}: stopped in {}", seconds(since)));
    Ok(lines)
}
