//! `mastor slice`: runs the oracles of the suite on the project's own handlers in one JVM, in a small context of the
//! project's framework, with stubs for beans that cannot be made: no database, broker, login or configuration
//! (ARCHITECTURE.md, *Slices*).

use std::time::Duration;

use super::application::Asking;
use super::jobs::{THROWN, header};
use super::side::Side;
use super::told::{Differing, counted, differing};
use crate::pipeline::repository::comparison::{operation_among, surface};
use crate::pipeline::repository::workspace::{Head, Workspace, out_folder, unwritable};
use crate::pipeline::service::revisions::{at_base, on_work_tree, to_the_end};
use mastor_config::Settings;
use mastor_publish::json::{Envelope, to_text};
use mastor_revision::SourceTree;
use mastor_suite::{OUT_DIR, Suite};
use mastor_types::OpId;
use mastor_types::error::{Exit, Failure};
use mastor_types::results::slices::{SliceChange, SliceFields};
use mastor_types::suite::given::Given;
use mastor_types::suite::oracle::Oracle;

/// The options of `mastor slice`.
#[derive(Debug, Clone)]
pub struct SliceOptions {
    /// A revision to compare with.
    pub since: Option<String>,
    /// Operations, by name or a unique part of it; all where empty.
    pub operations: Vec<String>,
    /// The main class.
    pub main: Option<String>,
    /// Classes and libraries of the application with those of its tests, built already.
    pub class_path: Option<String>,
    /// Time limit of a slice.
    pub time: Duration,
}

/// Runs the suite's oracles in slices, and writes `slices.json` to the repository's `.mastor/out`.
///
/// # Errors
/// Exit 2 for a damaged suite, or where there is no JDK, no build or no main class; exit 3 without a suite; exit 4
/// where the project or the harness does not compile or start.
pub fn slice(
    workspace: &Workspace,
    head: &Head,
    options: &SliceOptions,
) -> Result<Vec<(String, SliceFields)>, Failure> {
    let mut suites = Vec::new();
    for settings in workspace.services(&head.tree)? {
        let suite = Suite::load(&head.tree, &settings.dir);
        if let Some(problem) = suite.problems.first() {
            return Err(Failure::new(Exit::Usage, problem.to_string()).hint("restore it with `git checkout`"));
        }
        suites.push((settings, suite));
    }
    if suites.iter().all(|(_, suite)| suite.operations.is_empty()) {
        return Err(Failure::new(Exit::Nothing, "no suite is committed").hint("`mastor generate --all` makes one"));
    }
    // Names are checked first: nothing is built if one fits no operation.
    let names: Vec<&OpId> = suites.iter().flat_map(|(_, suite)| suite.operations.keys()).collect();
    let wanted: Result<Vec<OpId>, Failure> =
        options.operations.iter().map(|asked| operation_among(&names, asked)).collect();
    let wanted = wanted?;
    let mut done = Vec::new();
    for (settings, suite) in &suites {
        let all = suite.operations.values().flat_map(|operation| &operation.oracles);
        let oracles: Vec<&Oracle> = all.filter(|oracle| wanted.is_empty() || wanted.contains(&oracle.op_id)).collect();
        if !oracles.is_empty() {
            done.push((settings.name.clone(), of_service(workspace, head, settings, &oracles, options)?));
        }
    }
    let out = workspace.root.join(OUT_DIR);
    out_folder(&out)?;
    let fields = done.iter().map(|(name, fields)| (name.clone(), SliceFields { seconds: None, ..fields.clone() }));
    let text = to_text(&Envelope::new("slice", fields.collect()));
    mastor_store::write(&out.join("slices.json"), text.as_bytes()).map_err(unwritable)?;
    Ok(done)
}

fn of_service(
    workspace: &Workspace,
    head: &Head,
    settings: &Settings,
    oracles: &[&Oracle],
    options: &SliceOptions,
) -> Result<SliceFields, Failure> {
    let base = options.since.as_ref().map(|since| workspace.base(Some(since), head)).transpose()?;
    let side = |tree: &SourceTree| Side::of(settings, &surface(workspace, settings, tree)?, options.main.as_deref());
    let now = side(&head.tree)?;
    let before = base.as_ref().map(|base| side(&base.tree)).transpose()?;
    let times = if base.is_some() { 2 } else { 1 };
    let asking = Asking { class_path: options.class_path.clone(), time: options.time, times };
    to_the_end(workspace, async {
        let place = on_work_tree(workspace, settings)?;
        let after = now.ran(workspace, place, oracles, &asking).await?;
        let mut fields = counted(&after, oracles);
        if let (Some(base), Some(before)) = (&base, &before) {
            let place = at_base(workspace, settings, before.spec(), base).await?;
            let before = before.ran(workspace, place, oracles, &asking).await?;
            fields.since = Some(base.commit.id.to_string());
            fields.changes = differing(oracles, &before, &after).iter().map(change).collect();
        }
        Ok(fields)
    })
}

fn change(found: &Differing<'_>) -> SliceChange {
    let whats = found.differences.iter().map(|one| {
        let shown = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".to_owned());
        format!("{}: {} → {}", one.place, shown(&one.before), shown(&one.after))
    });
    SliceChange {
        op_id: found.oracle.op_id.clone(),
        o_id: found.oracle.o_id.clone(),
        given: found.oracle.given.iter().map(Given::what).collect(),
        what: whats.collect(),
        thrown: header(&found.after, THROWN),
    }
}
