//! Slices for `mastor strength`: the oracles that hold in them, as requests of the harness, and the harness as an application that tests start in their JVM.

use std::collections::BTreeMap;

use super::application::{Application, Asking, harness_classes};
pub use super::application::{HARNESS, scratch};
use super::jobs::as_request;
use super::side::{Ran, Side};
use super::told::verdicts;
use crate::config::Settings;
use crate::error::{Exit, Failure};
use crate::extract::Surface;
use crate::pipeline::java_bench::Bench;
use crate::pipeline::workspace::Workspace;
use crate::probe::service::Place;
use crate::publish::InJvm;
use crate::suite::Suite;
use crate::suite::load::OperationSuite;
use crate::types::OpId;
use crate::types::oracle::Oracle;
use crate::types::outcome::RunVerdict;

/// One application in slices, with what holds there.
pub struct Harness<'a> {
    /// Where it was built.
    pub bench: Bench<'a>,
    /// The harness's own classes, the project's, and the libraries of its tests.
    pub class_path: Vec<String>,
    /// How it is started by its main class.
    pub jvm: InJvm,
    /// The oracles that hold, as requests of the harness.
    pub operations: BTreeMap<OpId, OperationSuite>,
    /// Those that are not among them, each with why.
    pub left_out: Vec<(String, String)>,
}

/// Builds the applications of a service, and asks each what its oracles ask.
///
/// # Errors
/// Exit 2 where there is no JDK, no Maven or no main class; exit 3 where no oracle holds in a slice; exit 4 where the project or the harness does not
/// compile or start.
pub async fn harnesses<'a>(
    (workspace, settings): (&'a Workspace, &Settings),
    (place, surface, suite): (Place, &Surface, &Suite),
    (main, class_path): (Option<&str>, Option<&String>),
) -> Result<Vec<Harness<'a>>, Failure> {
    let side = Side::of(settings, surface, main)?;
    let asking = Asking { class_path: class_path.cloned(), ..Asking::beside(1) };
    let oracles: Vec<&Oracle> = suite.operations.values().flat_map(|operation| &operation.oracles).collect();
    let mut all = Vec::new();
    for (application, places) in side.serving(&oracles) {
        let own: Vec<&Oracle> = places.into_iter().map(|at| oracles[at]).collect();
        all.push(harness(workspace, application, place.clone(), (suite, &own), &asking).await?);
    }
    if all.iter().all(|one| one.operations.is_empty()) {
        let why = all.iter().flat_map(|one| &one.left_out).map(|(_, why)| why.clone()).take(1).collect();
        return Err(Failure::new(Exit::Nothing, "no oracle of the suite holds in a slice").lines(why));
    }
    Ok(all)
}

async fn harness<'a>(
    workspace: &'a Workspace,
    application: &Application,
    place: Place,
    (suite, oracles): (&Suite, &[&Oracle]),
    asking: &Asking,
) -> Result<Harness<'a>, Failure> {
    let mut session = application.started(workspace, place, asking).await?;
    let mut outcomes = Vec::new();
    for oracle in oracles {
        outcomes.push(session.ask(oracle).await);
    }
    let ran = Ran { outcomes, base_url: session.base_url().to_owned(), seconds: session.seconds };
    let (bench, class_path) = session.stop().await;
    let mut operations: BTreeMap<OpId, OperationSuite> = BTreeMap::new();
    let mut left_out = Vec::new();
    for (oracle, verdict) in oracles.iter().zip(verdicts(&ran, oracles)) {
        if verdict.verdict != RunVerdict::Held {
            let why = verdict.missed.or(verdict.reason).unwrap_or_else(|| "it does not hold".to_owned());
            left_out.push((oracle.o_id.clone(), why));
            continue;
        }
        let Some(own) = suite.operations.get(&oracle.op_id) else { continue };
        let operation = operations
            .entry(oracle.op_id.clone())
            .or_insert_with(|| OperationSuite { oracles: Vec::new(), ..own.clone() });
        operation.oracles.push(as_request(oracle));
    }
    let class_path = [harness_classes(&bench)].into_iter().chain(class_path).collect();
    Ok(Harness { bench, class_path, jvm: application.in_jvm(), operations, left_out })
}
