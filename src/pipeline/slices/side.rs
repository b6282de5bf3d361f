//! One revision of a service in slices: its applications that serve operations, each in a JVM of its own
//! (ARCHITECTURE.md, *Slices*).

use std::collections::{BTreeMap, BTreeSet};

use super::application::{Application, Asking};
use super::session::Session;
use crate::pipeline::repository::workspace::Workspace;
use crate::pipeline::service::java_bench::Bench;
use crate::pipeline::service::launches::{in_jvm, is_in, launches};
use crate::pipeline::service::service_path::service_path;
use mastor_config::{ServiceSettings, Settings};
use mastor_extract::{Analysis, Surface};
use mastor_frameworks::launch::Launch;
use mastor_frameworks::record::Framework;
use mastor_frameworks::spring::records::MVC;
use mastor_probe::service::Place;
use mastor_types::OpId;
use mastor_types::error::{Exit, Failure};
use mastor_types::results::outcome::Outcome;
use mastor_types::results::slices::SliceSeconds;
use mastor_types::suite::oracle::Oracle;

/// Why an oracle tells nothing if its application could not be run.
const NOT_STARTED: &str = "its application does not build or start";

/// One revision of a service: its applications that serve operations.
pub(super) struct Side {
    applications: Vec<Application>,
    /// Index of the application that serves an operation, if it is not the first.
    serves: BTreeMap<OpId, usize>,
}

/// The answers of one revision.
pub(super) struct Ran {
    /// For each oracle, in order: its outcomes, or why it makes no slice.
    pub(super) outcomes: Vec<Result<Vec<Outcome>, &'static str>>,
    /// The address that was asked.
    pub(super) base_url: String,
    /// Seconds for building, starting and asking.
    pub(super) seconds: SliceSeconds,
}

impl Side {
    /// The revision with this surface. If `main` is given, the application with that main class is the only one.
    ///
    /// # Errors
    /// Exit 2 where no main class is found.
    pub(super) fn of(settings: &Settings, surface: &Surface, main: Option<&str>) -> Result<Self, Failure> {
        let mut all = launches(surface, &settings.dir, "");
        let mut modules = BTreeSet::new();
        all.retain(|launch| modules.insert(launch.module.clone()));
        if main.is_some() {
            all.truncate(1);
        }
        let base_path = service_path(surface, "http://127.0.0.1:1");
        let own = main.map(str::to_owned).or_else(|| in_jvm(surface, settings).main).ok_or_else(|| {
            Failure::new(Exit::Usage, "no main class was found").hint("name it: `--main com.acme.Application`")
        })?;
        let first = all.first().cloned();
        let application = |launch, main: String| Application::of(settings, launch, main, &base_path);
        let more = all.iter().skip(1).map(|launch| application(Some(launch.clone()), launch.main.clone()));
        let mut applications = vec![application(first, own)];
        applications.extend(more);
        let mut serves = BTreeMap::new();
        for found in &surface.matches {
            let Some(endpoint) = surface.endpoint(found) else { continue };
            // The innermost module of an application that has the handler.
            let within = |launch: &Launch| is_in(&endpoint.file, &launch.module);
            let within = all.iter().enumerate().filter(|(_, launch)| within(launch));
            if let Some((at, _)) = within.max_by_key(|(_, launch)| launch.module.len()).filter(|(at, _)| *at > 0) {
                serves.insert(found.op_id.clone(), at);
            }
        }
        Ok(Self { applications, serves })
    }

    /// How the first application is built.
    pub(super) fn spec(&self) -> &ServiceSettings {
        &self.applications[0].spec
    }

    /// The applications that serve these oracles' operations, each with the indices of its oracles.
    pub(super) fn serving(&self, oracles: &[&Oracle]) -> Vec<(&Application, Vec<usize>)> {
        let of =
            |number| (0..oracles.len()).filter(|at| self.by(&oracles[*at].op_id) == number).collect::<Vec<usize>>();
        let all = self.applications.iter().enumerate().map(|(number, application)| (application, of(number)));
        all.filter(|(_, places)| !places.is_empty()).collect()
    }

    /// Index of the application that serves an operation.
    fn by(&self, op_id: &OpId) -> usize {
        self.serves.get(op_id).copied().unwrap_or(0)
    }

    /// Builds the applications that serve these operations, and starts the harness on each. One that does not start is
    /// reported and left out.
    ///
    /// # Errors
    /// Exit 2 where there is no JDK or no Maven; exit 4 where none of them compiles and starts.
    pub(super) async fn started<'a>(
        &'a self,
        workspace: &'a Workspace,
        place: Place,
        op_ids: &BTreeSet<&OpId>,
        asking: &Asking,
    ) -> Result<Sessions<'a>, Failure> {
        let wanted: BTreeSet<usize> = op_ids.iter().map(|op_id| self.by(op_id)).collect();
        let mut all = BTreeMap::new();
        let mut failed = None;
        for number in wanted {
            let application = &self.applications[number];
            match application.started(workspace, place.clone(), asking).await {
                Ok(session) => _ = all.insert(number, session),
                Err(failure) if failure.exit == Exit::Interrupted => return Err(failure),
                Err(failure) => {
                    workspace.events.said(format!("{} makes no slices: {}", application.main, failure.message));
                    failed = Some(failure);
                }
            }
        }
        match failed {
            Some(failure) if all.is_empty() => Err(failure),
            _ => Ok(Sessions { side: self, all }),
        }
    }

    /// Starts the applications that serve these oracles, asks them, and stops them.
    ///
    /// # Errors
    /// As for [`Side::started`].
    pub(super) async fn ran(
        &self,
        workspace: &Workspace,
        place: Place,
        oracles: &[&Oracle],
        asking: &Asking,
    ) -> Result<Ran, Failure> {
        let op_ids = oracles.iter().map(|oracle| &oracle.op_id).collect();
        let mut sessions = self.started(workspace, place, &op_ids, asking).await?;
        let ran = sessions.ask(oracles).await;
        sessions.stop().await;
        Ok(ran)
    }
}

/// Whether slices can be made of a revision: handlers of Spring MVC in a module that Maven builds.
pub fn are_made_of(analysis: &Analysis, settings: &Settings, op_ids: &BTreeSet<&OpId>) -> bool {
    let is_mvc = |op_id: &&OpId| analysis.endpoint(op_id).is_some_and(|endpoint| endpoint.framework == Framework(&MVC));
    let surface: &Surface = &analysis.surface;
    let launch = crate::pipeline::service::launches::launches(surface, &settings.dir, "").into_iter().next();
    let module = launch.map(|launch| launch.module).unwrap_or_default();
    op_ids.iter().any(is_mvc) && surface.tree.get(&mastor_config::join(&module, "pom.xml")).is_some()
}

/// A stopped application: whether it serves an operation, where it was built, and its class path.
type Ended<'a> = (&'a Application, Box<dyn Fn(&OpId) -> bool + 'a>, (Bench<'a>, Vec<String>));

/// The started applications of one revision.
pub(super) struct Sessions<'a> {
    side: &'a Side,
    all: BTreeMap<usize, Session<'a>>,
}

impl<'a> Sessions<'a> {
    /// The session of the application that serves an operation, if it was started.
    pub(super) fn serving(&mut self, op_id: &OpId) -> Option<&mut Session<'a>> {
        self.all.get_mut(&self.side.by(op_id))
    }

    /// Asks each oracle in the session that serves its operation.
    pub(super) async fn ask(&mut self, oracles: &[&Oracle]) -> Ran {
        let mut outcomes = Vec::new();
        for oracle in oracles {
            outcomes.push(match self.serving(&oracle.op_id) {
                Some(session) => session.ask(oracle).await,
                None => Err(NOT_STARTED),
            });
        }
        let mut seconds = SliceSeconds::default();
        for session in self.all.values() {
            seconds.build += session.seconds.build;
            seconds.start += session.seconds.start;
            seconds.run += session.seconds.run;
        }
        let base_url = self.all.values().next().map(|session| session.base_url().to_owned()).unwrap_or_default();
        Ran { outcomes, base_url, seconds }
    }

    /// Stops all of them.
    pub(super) async fn stop(self) {
        drop(self.ended().await);
    }

    /// Stops all of them, and gives each with the operations that it serves, where it was built, and its class path.
    pub(super) async fn ended(self) -> Vec<Ended<'a>> {
        let side = self.side;
        let mut all: Vec<Ended<'a>> = Vec::new();
        for (number, session) in self.all {
            let serves: Box<dyn Fn(&OpId) -> bool + 'a> = Box::new(move |op_id| side.by(op_id) == number);
            all.push((&side.applications[number], serves, session.stop().await));
        }
        all
    }
}
