//! Slices for `mastor strength`: the oracles that hold in slices, as requests to the harness, which tests start in
//! their JVM.

use std::collections::{BTreeMap, BTreeSet};

use super::application::{Asking, HARNESS, harness_classes, scratch};
use super::jobs::as_request;
use super::side::Side;
use super::told::verdicts;
use crate::pipeline::repository::workspace::Workspace;
use mastor_config::{ServiceSettings, Settings};
use mastor_extract::Surface;
use mastor_probe::service::Place;
use mastor_publish::InJvm;
use mastor_suite::Suite;
use mastor_suite::load::OperationSuite;
use mastor_types::OpId;
use mastor_types::error::{Exit, Failure};
use mastor_types::results::outcome::RunVerdict;
use mastor_types::results::strength::LeftOutTest;
use mastor_types::suite::oracle::Oracle;

/// One application in slices, with the oracles that hold there.
pub struct Harness {
    /// The environment and the folder of its processes.
    pub spec: ServiceSettings,
    /// Where it was built.
    pub place: Place,
    /// The harness's own classes, the project's, and the libraries of its tests.
    pub class_path: Vec<String>,
    /// How the harness is started by its main class.
    pub jvm: InJvm,
    /// The oracles that hold, as requests to the harness.
    pub operations: BTreeMap<OpId, OperationSuite>,
}

/// Builds and starts the applications of a service, runs its oracles, and stops them. Gives the applications for which
/// an oracle holds, and the oracles that do not hold, each with the reason.
///
/// # Errors
/// Exit 2 where there is no JDK, no Maven or no main class; exit 3 where no oracle holds in a slice; exit 4 where none
/// of the applications compiles and starts.
pub async fn harnesses(
    (workspace, settings): (&Workspace, &Settings),
    (place, surface, suite): (Place, &Surface, &Suite),
    (main, class_path): (Option<&str>, Option<&String>),
) -> Result<(Vec<Harness>, Vec<LeftOutTest>), Failure> {
    let side = Side::of(settings, surface, main)?;
    let asking = Asking { class_path: class_path.cloned(), ..Asking::beside(1) };
    let oracles: Vec<&Oracle> = suite.operations.values().flat_map(|operation| &operation.oracles).collect();
    let op_ids: BTreeSet<&OpId> = suite.operations.keys().collect();
    let mut sessions = side.started(workspace, place, &op_ids, &asking).await?;
    let ran = sessions.ask(&oracles).await;
    let mut held: BTreeMap<&OpId, Vec<Oracle>> = BTreeMap::new();
    let mut left_out = Vec::new();
    for (oracle, sliced) in oracles.iter().zip(verdicts(&ran, &oracles)) {
        if sliced.verdict == RunVerdict::Held {
            held.entry(&oracle.op_id).or_default().push(as_request(oracle));
        } else {
            let why = sliced.missed.or(sliced.reason);
            left_out.push(LeftOutTest { id: oracle.o_id.clone(), why });
        }
    }
    let mut all = Vec::new();
    for (application, served, (bench, class_path)) in sessions.ended().await {
        let own = held.iter().filter(|(op_id, _)| served(op_id)).filter_map(|(op_id, oracles)| {
            let suite = suite.operations.get(*op_id)?;
            Some(((*op_id).clone(), OperationSuite { oracles: oracles.clone(), ..suite.clone() }))
        });
        let operations: BTreeMap<OpId, OperationSuite> = own.collect();
        if operations.is_empty() {
            continue;
        }
        let class_path = [harness_classes(&bench)].into_iter().chain(class_path).collect();
        let mut spec = ServiceSettings { dir: scratch(&bench)?, ..bench.spec };
        spec.env.insert("MASTOR_MAIN".to_owned(), HARNESS.to_owned());
        all.push(Harness { spec, place: bench.place, class_path, jvm: application.in_jvm(), operations });
    }
    if all.is_empty() {
        let why = left_out.iter().filter_map(|one| one.why.clone()).take(1).collect();
        return Err(Failure::new(Exit::Nothing, "no oracle of the suite holds in a slice").lines(why));
    }
    Ok((all, left_out))
}
