//! The service in a run: built, started or reached at a revision, asked, and stopped, whatever happens.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::pipeline::repository::workspace::{BaseRevision, Head, Workspace};
use crate::pipeline::service::revisions::{interrupted, out_of_time, service_failure, start_base, start_head};
use crate::pipeline::service::service_path::service_path;
use mastor_config::{ResetSetting, ServiceSettings, Settings};
use mastor_extract::members::closure::Closure;
use mastor_extract::{Analysis, Surface};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_probe::answers::unstable::Moment;
use mastor_probe::auth::Users;
use mastor_probe::http::Limits;
use mastor_probe::runs::check::CheckOptions;
use mastor_probe::runs::run::{self, Keep, Options, Stop, Stopped, Stopper};
use mastor_probe::runs::served::is_served;
use mastor_probe::service::{Interrupt, Place, Running, ServiceError};
use mastor_types::OpId;
use mastor_types::account::Accounts;
use mastor_types::error::{Exit, Failure};
use mastor_types::http::Method;
use mastor_types::user::User;

/// How oracles are confirmed on a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LiveOptions {
    /// Runs that confirm an oracle, at least two.
    pub runs: usize,
    /// Whether confirmed oracles are completed with the whole stable answer.
    pub observe: bool,
    /// Requests at a time, at most.
    pub concurrency: usize,
    /// Time limit of a request.
    pub time: Duration,
}

impl Default for LiveOptions {
    fn default() -> Self {
        Self { runs: 2, observe: true, concurrency: 4, time: Limits::default().time }
    }
}

/// The revision that a service runs.
#[derive(Clone, Copy)]
pub enum Side<'a> {
    /// The head.
    Head(&'a Head),
    /// The base.
    Base(&'a BaseRevision),
}

/// A service that can be asked, with everything that asking it needs.
pub struct Live<'w> {
    workspace: &'w Workspace,
    settings: &'w Settings,
    spec: &'w ServiceSettings,
    users: Users,
    options: CheckOptions,
    /// The options with the document's base path, if the service was found to answer only there.
    below_documented: OnceLock<CheckOptions>,
    /// Operations that read and have no variable in their path.
    plain_reads: Vec<OpId>,
    stopper: Stopper,
    runtime: tokio::runtime::Runtime,
    /// Operations whose code reaches unordered sets.
    unordered: Arc<BTreeSet<OpId>>,
    /// Operations whose code calls other services.
    asking: Arc<BTreeSet<OpId>>,
    /// The base path of the document, if requests go to another one.
    pub documented: Option<String>,
    /// How oracles are confirmed.
    pub how: LiveOptions,
    /// Where the head was built, if it was built ahead of its start.
    built_head: OnceLock<Place>,
}

impl<'w> Live<'w> {
    /// The service of these settings; `None` if they configure no service.
    ///
    /// # Errors
    /// Exit 2 for an auth file that cannot be read.
    pub fn of(
        workspace: &'w Workspace,
        surface: &Surface,
        settings: &'w Settings,
        how: LiveOptions,
    ) -> Result<Option<Self>, Failure> {
        let Some(spec) = &settings.service else { return Ok(None) };
        let (stopper, stop) = Stop::new();
        let concurrency = how.concurrency.max(1);
        let options = CheckOptions {
            run: Options { concurrency, keep: Keep::Failures, stop },
            limits: Limits { time: how.time, ..Limits::default() },
            base_path: service_path(surface, &spec.base_url.replace("{port}", "1")),
            quick_reset: matches!(spec.reset, ResetSetting::Post(_) | ResetSetting::Command(_)),
        };
        let runtime = run::runtime(concurrency).map_err(|e| Failure::new(Exit::Internal, e.to_string()))?;
        let (users, unordered, asking) = (users(workspace, spec)?, Arc::default(), Arc::default());
        let documented = surface.document.as_ref().and_then(|document| document.base_paths.first());
        let documented = documented.map(|base| base.trim_end_matches('/').to_owned());
        let documented = documented.filter(|base| !base.is_empty() && !options.base_path.starts_with(base.as_str()));
        Ok(Some(Self {
            workspace,
            settings,
            spec,
            users,
            options,
            below_documented: OnceLock::new(),
            plain_reads: plain_reads(surface),
            stopper,
            runtime,
            unordered,
            asking,
            documented,
            how,
            built_head: OnceLock::new(),
        }))
    }

    /// The same, with the operations of a revision that reach unordered sets or call other services.
    #[must_use]
    pub fn knowing(self, analysis: &Analysis) -> Self {
        Self { unordered: Arc::new(unordered(analysis)), asking: Arc::new(asking(analysis)), ..self }
    }

    /// Records where the head was built ahead of its start.
    pub fn head_was_built(&self, place: Place) {
        let _ = self.built_head.set(place);
    }

    /// The settings of the service.
    pub(in crate::pipeline) fn settings(&self) -> &Settings {
        self.settings
    }

    /// The current moment, for a service at this base URL.
    pub fn moment(&self, base_url: &str) -> Moment {
        Moment::now(base_url).with_sets(&self.unordered).with_asking(&self.asking)
    }

    /// Whether the code of an operation calls other services.
    pub fn asks_others(&self, op_id: &OpId) -> bool {
        self.asking.contains(op_id)
    }

    /// Whether the service is reset by a request, which exported tests can send themselves.
    pub fn resets_by_post(&self) -> bool {
        matches!(self.spec.reset, ResetSetting::Post(_))
    }

    /// Whether a run fails if neither head nor base can be started.
    pub fn is_required(&self) -> bool {
        self.spec.required
    }

    /// Whether the base can be run too, which needs a start command.
    pub fn can_start(&self) -> bool {
        self.spec.start.is_some()
    }

    /// Names of the users that requests can be sent as, in order.
    pub fn user_names(&self) -> Vec<String> {
        self.users.names().into_iter().map(str::to_owned).collect()
    }

    /// How jobs are run.
    pub fn options(&self) -> &CheckOptions {
        self.below_documented.get().unwrap_or(&self.options)
    }

    /// The users.
    pub fn users(&self) -> &Users {
        &self.users
    }

    /// Starts or reaches the service of a revision, lets `work` use it, and stops it. An interrupt ends the work early
    /// and keeps what is done.
    ///
    /// # Errors
    /// Where it cannot be built, started or reached, or the work fails.
    pub fn session<T>(
        &self,
        side: Side<'_>,
        work: impl AsyncFnOnce(&mut Running) -> Result<T, ServiceError>,
    ) -> Result<T, Failure> {
        self.runtime.block_on(async {
            let starting = async {
                match side {
                    Side::Head(head) => {
                        start_head(self.workspace, self.settings, head, self.built_head.get().cloned()).await
                    }
                    Side::Base(base) => start_base(self.workspace, self.settings, base).await,
                }
            };
            let deadline = match side {
                // The base gets half of the time, since the head has to be asked too: a change shows only if both were.
                Side::Base(_) => self.workspace.deadline().map(|deadline| deadline.half()),
                Side::Head(_) => self.workspace.deadline(),
            };
            let in_time = async {
                tokio::select! {
                    biased;
                    deadline = self.workspace.time_up(deadline) => Err(out_of_time(deadline)),
                    started = starting => started,
                }
            };
            let started = Interrupt::listen().or(in_time).await.unwrap_or_else(|| Err(interrupted()))?;
            let Some(mut running) = started else {
                return Err(Failure::new(Exit::NotReady, "there is no command that starts it"));
            };
            self.find_base_path(&running).await.map_err(service_failure)?;
            let mut interrupt = Interrupt::listen();
            let done = {
                let working = work(&mut running);
                tokio::pin!(working);
                tokio::select! {
                    done = &mut working => done,
                    () = interrupt.wait() => {
                        let _ = self.stopper.send(Some(Stopped::Interrupted));
                        working.await
                    }
                    deadline = self.workspace.time_up(deadline) => {
                        let _ = self.stopper.send(Some(Stopped::OutOfTime(deadline)));
                        working.await
                    }
                }
            };
            // Only an interrupt stops later sessions too: each has a time limit of its own.
            self.stopper.send_if_modified(|why| why.take_if(|why| *why != Stopped::Interrupted).is_some());
            self.users.forget().await;
            running.stop().await;
            done.map_err(service_failure)
        })
    }
}

impl Live<'_> {
    /// Switches to the document's base path if the service answers only 404 below the base path of its code, and
    /// something else below the document's.
    async fn find_base_path(&self, running: &Running) -> Result<(), ServiceError> {
        let Some(documented) = self.documented.as_ref().filter(|_| self.below_documented.get().is_none()) else {
            return Ok(());
        };
        let options = CheckOptions { base_path: documented.clone(), ..self.options.clone() };
        for (options, expected) in [(&self.options, false), (&options, true)] {
            if is_served(running, &self.users, &self.plain_reads, options).await? != Some(expected) {
                return Ok(());
            }
        }
        self.workspace.events.said(format!(
            "the service answers nothing but 404 below {:?}, and is asked below {documented}, as the document says: end `[service] base-url` in it",
            self.options.base_path
        ));
        let _ = self.below_documented.set(options);
        Ok(())
    }
}

/// Operations that are asked to find the base path, at most.
const PLAIN_READS: usize = 12;

fn plain_reads(surface: &Surface) -> Vec<OpId> {
    let is_plain = |op_id: &&OpId| op_id.method() == Method::Get && !op_id.path().contains('{');
    let matched = surface.matches.iter().filter(|found| !found.endpoints.is_empty()).map(|found| &found.op_id);
    matched.filter(is_plain).take(PLAIN_READS).cloned().collect()
}

/// Operations whose code reaches an unordered set: their lists may come in another order each time.
fn unordered(analysis: &Analysis) -> BTreeSet<OpId> {
    let project = &analysis.surface.project;
    let is_set = |member: &MemberId| {
        let ty = project.member(*member).ty.as_ref();
        ty.is_some_and(|ty| matches!(ty.simple(), "Set" | "HashSet"))
    };
    let goes = |closure: &Closure| {
        closure.members.keys().any(is_set)
            || closure.library.iter().any(|call| call.contains("HashSet") || call.contains("toSet"))
    };
    analysis.closures.iter().filter(|(_, closure)| goes(closure)).map(|(op_id, _)| op_id.clone()).collect()
}

/// Library types with which code calls other services, by simple name.
const CLIENTS: [&str; 24] = [
    "RestTemplate",
    "RestOperations",
    "TestRestTemplate",
    "AsyncRestTemplate",
    "RestClient",
    "WebClient",
    "HttpClient",
    "CloseableHttpClient",
    "HttpURLConnection",
    "HttpsURLConnection",
    "URLConnection",
    "OkHttpClient",
    "WebTarget",
    "Invocation",
    "AsyncHttpClient",
    "Unirest",
    "HttpRequestFactory",
    "HttpServiceProxyFactory",
    "RequestHeadersSpec",
    "RequestBodySpec",
    "ResponseSpec",
    "Retrofit",
    "Socket",
    "WebServiceTemplate",
];

/// Annotations of interfaces whose calls are requests to other services.
const REMOTE: [&str; 3] = ["FeignClient", "RegisterRestClient", "HttpExchange"];

/// Operations whose code calls other services: their answers depend on whether these run, and on what they answer.
fn asking(analysis: &Analysis) -> BTreeSet<OpId> {
    let project = &analysis.surface.project;
    let is_remote = |ty: &TypeId| project.ty(*ty).annotations.iter().any(|one| REMOTE.contains(&one.simple()));
    let asks = |closure: &Closure| {
        // Constructing a client sends nothing.
        let called = |call: &Arc<str>| {
            call.split_once('.')
                .is_some_and(|(ty, member)| CLIENTS.contains(&ty) && !matches!(member, "<init>" | "new"))
        };
        closure.library.iter().any(called) || closure.members.keys().any(|member| is_remote(&member.ty))
    };
    analysis.closures.iter().filter(|(_, closure)| asks(closure)).map(|(op_id, _)| op_id.clone()).collect()
}

/// Names of the users that a service's oracles can be run as, in order; none if no service is configured.
///
/// # Errors
/// Exit 2 for an auth file that cannot be read.
pub fn user_names(workspace: &Workspace, settings: &Settings) -> Result<Vec<String>, Failure> {
    let Some(spec) = &settings.service else { return Ok(Vec::new()) };
    Ok(users(workspace, spec)?.names().into_iter().map(str::to_owned).collect())
}

/// The users of the service's auth file that have their login name in it; none if the file is missing or unreadable,
/// which fails later when the service is asked.
pub fn logins(workspace: &Workspace, settings: &Settings) -> Vec<User> {
    let Some(auth) = settings.service.as_ref().and_then(|spec| spec.auth.as_ref()) else { return Vec::new() };
    let Ok(text) = auth.text(&workspace.root) else { return Vec::new() };
    mastor_probe::auth::logins::logins(&auth.path, &text).unwrap_or_else(|error| {
        workspace.events.detail(format!("no user is known: {error}"));
        Vec::new()
    })
}

/// How the users of the service's auth file authenticate, for exported tests; none if the file is missing or
/// unreadable.
pub(in crate::pipeline) fn accounts(workspace: &Workspace, settings: &Settings) -> Accounts {
    let Some(auth) = settings.service.as_ref().and_then(|spec| spec.auth.as_ref()) else { return Accounts::new() };
    let Ok(text) = auth.text(&workspace.root) else { return Accounts::new() };
    mastor_probe::auth::accounts::accounts(&auth.path, &text).unwrap_or_else(|error| {
        workspace.events.said(format!("no user is known to the exports: {error}"));
        Accounts::new()
    })
}

/// The users of the service's auth file, which is read from disk, since it is often not committed.
///
/// # Errors
/// Exit 2 for a file that cannot be read.
pub(in crate::pipeline) fn users(workspace: &Workspace, spec: &ServiceSettings) -> Result<Users, Failure> {
    let Some(auth) = &spec.auth else { return Ok(Users::none()) };
    let text = auth.text(&workspace.root).map_err(|error| {
        Failure::new(Exit::Usage, error.to_string()).hint("`[service] auth` in mastor.toml names it")
    })?;
    Users::read(&auth.path, &text, mastor_env::var)
        .map_err(|error| Failure::new(Exit::Usage, error.to_string()).hint("docs/checking.md describes the auth file"))
}
