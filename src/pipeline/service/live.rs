//! The service in a run: built, started or reached at a revision, asked, and ended, whatever happens.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::config::{ResetSetting, ServiceSettings, Settings};
use crate::error::{Exit, Failure};
use crate::extract::closure::Closure;
use crate::extract::{Analysis, Surface};
use crate::java::ids::{MemberId, TypeId};
use crate::pipeline::repository::workspace::{BaseRevision, Head, Workspace};
use crate::pipeline::service::revisions::{interrupted, out_of_time, service_failure, start_base, start_head};
use crate::pipeline::service::service_path::service_path;
use crate::probe::auth::Users;
use crate::probe::check::CheckOptions;
use crate::probe::http::Limits;
use crate::probe::run::{self, Keep, Options, Stop, Stopped, Stopper};
use crate::probe::served::is_served;
use crate::probe::service::{Interrupt, Running, ServiceError};
use crate::probe::unstable::Moment;
use crate::types::OpId;
use crate::types::account::Accounts;
use crate::types::http::Method;
use crate::types::user::User;

/// How oracles are confirmed on a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LiveOptions {
    /// Runs that confirm an oracle, at least two.
    pub runs: usize,
    /// Whether confirmed oracles are completed to the whole stable answer.
    pub observe: bool,
    /// Most requests at a time.
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

/// A service that can be asked, with all that asking it needs.
pub struct Live<'w> {
    workspace: &'w Workspace,
    settings: &'w Settings,
    spec: &'w ServiceSettings,
    users: Users,
    options: CheckOptions,
    /// The same below the document's base path, where the service was seen to answer there alone.
    below_documented: OnceLock<CheckOptions>,
    /// Operations that read and take no variable of the path.
    plain_reads: Vec<OpId>,
    stopper: Stopper,
    runtime: tokio::runtime::Runtime,
    /// Operations whose code goes through sets.
    unordered: Arc<BTreeSet<OpId>>,
    /// Operations whose code asks other services.
    asking: Arc<BTreeSet<OpId>>,
    /// The base path that the document says, where requests go below another one.
    pub documented: Option<String>,
    /// How oracles are confirmed.
    pub how: LiveOptions,
    /// Whether the head was built ahead of its start.
    head_is_built: AtomicBool,
}

impl<'w> Live<'w> {
    /// The service of these settings; none where they name no service.
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
            head_is_built: AtomicBool::new(false),
        }))
    }

    /// The same, told which operations of a revision go through sets.
    #[must_use]
    pub fn knowing(self, analysis: &Analysis) -> Self {
        Self { unordered: Arc::new(unordered(analysis)), asking: Arc::new(asking(analysis)), ..self }
    }

    /// Notes that the head was built ahead of its start.
    pub fn head_was_built(&self) {
        self.head_is_built.store(true, Ordering::Relaxed);
    }

    /// The settings of the service.
    pub(in crate::pipeline) fn settings(&self) -> &Settings {
        self.settings
    }

    /// The present, on a service at this base URL.
    pub fn moment(&self, base_url: &str) -> Moment {
        Moment::now(base_url).with_sets(&self.unordered).with_asking(&self.asking)
    }

    /// Whether the code of an operation asks other services.
    pub fn asks_others(&self, op_id: &OpId) -> bool {
        self.asking.contains(op_id)
    }

    /// Whether the service is brought back by a request, which exported tests send themselves.
    pub fn resets_by_post(&self) -> bool {
        matches!(self.spec.reset, ResetSetting::Post(_))
    }

    /// Whether a run fails where neither head nor base can be started.
    pub fn is_required(&self) -> bool {
        self.spec.required
    }

    /// Whether the base can be run too: it takes a command that starts it.
    pub fn can_start(&self) -> bool {
        self.spec.start.is_some()
    }

    /// Names of the users that can be asked as, in order.
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

    /// Starts or reaches the service of a revision, lets `work` ask it, and ends it. An interrupt ends the work early and keeps what is done.
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
                        start_head(self.workspace, self.settings, head, self.head_is_built.load(Ordering::Relaxed))
                            .await
                    }
                    Side::Base(base) => start_base(self.workspace, self.settings, base).await,
                }
            };
            let deadline = match side {
                // The head is asked too: a change shows only where both were.
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
            // What comes next has a time of its own.
            self.stopper.send_if_modified(|why| why.take_if(|why| *why != Stopped::Interrupted).is_some());
            self.users.forget().await;
            running.stop().await;
            done.map_err(service_failure)
        })
    }
}

impl Live<'_> {
    /// Takes the document's base path where the service answers nothing but 404 below the one that its code says, and something there.
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

/// Most operations that are asked to find the base path.
const PLAIN_READS: usize = 12;

fn plain_reads(surface: &Surface) -> Vec<OpId> {
    let is_plain = |op_id: &&OpId| op_id.method() == Method::Get && !op_id.path().contains('{');
    let matched = surface.matches.iter().filter(|found| !found.endpoints.is_empty()).map(|found| &found.op_id);
    matched.filter(is_plain).take(PLAIN_READS).cloned().collect()
}

/// Operations whose code reaches a set without an order of its own: what they list may come in another order each time.
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

/// Library types through which code asks other services, by simple name.
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

/// Operations whose code asks other services: what it answers rests on whether these are there, and on what they say.
fn asking(analysis: &Analysis) -> BTreeSet<OpId> {
    let project = &analysis.surface.project;
    let is_remote = |ty: &TypeId| project.ty(*ty).annotations.iter().any(|one| REMOTE.contains(&one.simple()));
    let asks = |closure: &Closure| {
        // To make a client asks nobody.
        let called = |call: &Arc<str>| {
            call.split_once('.')
                .is_some_and(|(ty, member)| CLIENTS.contains(&ty) && !matches!(member, "<init>" | "new"))
        };
        closure.library.iter().any(called) || closure.members.keys().any(|member| is_remote(&member.ty))
    };
    analysis.closures.iter().filter(|(_, closure)| asks(closure)).map(|(op_id, _)| op_id.clone()).collect()
}

/// Names of the users that a service's oracles can be asked as, in order; none where no service is configured.
///
/// # Errors
/// Exit 2 for an auth file that cannot be read.
pub fn user_names(workspace: &Workspace, settings: &Settings) -> Result<Vec<String>, Failure> {
    let Some(spec) = &settings.service else { return Ok(Vec::new()) };
    Ok(users(workspace, spec)?.names().into_iter().map(str::to_owned).collect())
}

/// The users of the service's auth file whose names at the service stand in it; none where it is not there or cannot be read, which what asks the
/// service fails with.
pub fn logins(workspace: &Workspace, settings: &Settings) -> Vec<User> {
    let Some(auth) = settings.service.as_ref().and_then(|spec| spec.auth.as_ref()) else { return Vec::new() };
    let Ok(text) = auth.text(&workspace.root) else { return Vec::new() };
    crate::probe::auth::logins::logins(&auth.path, &text).unwrap_or_else(|error| {
        workspace.events.detail(format!("no user is known: {error}"));
        Vec::new()
    })
}

/// How the users of the service's auth file are authenticated, for what runs without us; none where it is not there or cannot be read.
pub(in crate::pipeline) fn accounts(workspace: &Workspace, settings: &Settings) -> Accounts {
    let Some(auth) = settings.service.as_ref().and_then(|spec| spec.auth.as_ref()) else { return Accounts::new() };
    let Ok(text) = auth.text(&workspace.root) else { return Accounts::new() };
    crate::probe::auth::accounts::accounts(&auth.path, &text).unwrap_or_else(|error| {
        workspace.events.said(format!("no user is known to the exports: {error}"));
        Accounts::new()
    })
}

/// The users of the service's auth file; it is read from disk, since it may well not be committed.
///
/// # Errors
/// Exit 2 for one that cannot be read.
pub(in crate::pipeline) fn users(workspace: &Workspace, spec: &ServiceSettings) -> Result<Users, Failure> {
    let Some(auth) = &spec.auth else { return Ok(Users::none()) };
    let text = auth.text(&workspace.root).map_err(|error| {
        Failure::new(Exit::Usage, error.to_string()).hint("`[service] auth` in mastor.toml names it")
    })?;
    Users::read(&auth.path, &text, crate::env::var)
        .map_err(|error| Failure::new(Exit::Usage, error.to_string()).hint("docs/checking.md describes the auth file"))
}
