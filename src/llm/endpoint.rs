//! A model's endpoint: sends requests in the form that it accepts, within its rate limits, and retries.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use tokio::sync::Semaphore;

use super::ask::{AskError, ModelsError};
use super::http::{Client, HttpAnswer, LARGEST, NoAnswer, NoClient};
use super::ledger::Ledger;
use super::pace::Pace;
use super::redact::Redactor;
use super::retry::{Retries, retry_after};
use super::wire::{self, BYTES_PER_TOKEN, Body, Counts, Form, Output, Reply, Request};
use mastor_types::model::{ModelSettings, Usage};

/// One model at its endpoint.
#[derive(Debug)]
pub(super) struct Endpoint {
    pub settings: ModelSettings,
    /// `None` where nothing is to be sent.
    client: Option<Client>,
    retries: Retries,
    form: Mutex<Form>,
    permits: Semaphore,
    pace: Pace,
    /// Total bytes sent, and the total tokens that the endpoint counted for them.
    measured: Mutex<(u64, u64)>,
    /// Consecutive questions without a reply.
    failures: AtomicU32,
    /// Why the endpoint is no longer asked.
    down: OnceLock<String>,
}

/// The question's agent and subject, the ledger that counts it, and the redactor for error texts.
pub(super) struct Caller<'c> {
    pub agent: &'c str,
    pub subject: &'c str,
    pub ledger: &'c Ledger,
    pub redactor: &'c Redactor,
}

/// The next action after an attempt.
enum Next {
    Done(Reply, Usage),
    /// Retry, after the wait that the endpoint asks for; the text is the reason.
    Again(String, Option<Duration>),
    /// Retry once, since no complete answer arrived in time.
    Slow(String),
    /// Retry immediately with another request form.
    Reform(Form),
    Fail(AskError),
}

impl Endpoint {
    /// Creates an endpoint with the request form that an earlier run found; without a client where nothing is to be
    /// sent.
    pub(super) fn new(
        role: &'static str,
        settings: ModelSettings,
        form: Option<Form>,
        retries: Retries,
        key: Option<&str>,
        sends: bool,
    ) -> Result<Self, ModelsError> {
        let headers = settings.headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let client = sends.then(|| Client::new(&settings.base_url, is_local(&settings.base_url), key, headers));
        let client = client.transpose().map_err(|error| match error {
            NoClient::Header(name, why) => ModelsError::Header { role, name, why },
            NoClient::Other(why) => ModelsError::Client { role, url: settings.base_url.clone(), why },
        })?;
        Ok(Self {
            client,
            retries,
            form: Mutex::new(form.unwrap_or_default()),
            permits: Semaphore::new(settings.concurrency.clamp(1, 10_000)),
            pace: Pace::new(settings.requests_per_minute, settings.tokens_per_minute),
            measured: Mutex::default(),
            failures: AtomicU32::new(0),
            down: OnceLock::new(),
            settings,
        })
    }

    /// The request form in use.
    pub(super) fn form(&self) -> Form {
        *self.form.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Falls back to plain text output, unless the form has changed meanwhile. For replies that ignored the requested
    /// JSON.
    pub(super) fn not_honoured(&self, form: Form) {
        let mut current = self.form.lock().unwrap_or_else(PoisonError::into_inner);
        if *current == form && form.output != Output::Text {
            current.output = Output::Text;
        }
    }

    /// Sends a request, with retries. Returns the reply and the usage of all attempts.
    pub(super) async fn send(&self, request: &Request, caller: &Caller<'_>) -> Result<(Reply, Usage), AskError> {
        let _permit = self.permits.acquire().await.map_err(|_| AskError::Cancelled)?;
        let mut used = Usage { usd: self.settings.price.map(|_| 0.0), ..Usage::default() };
        let mut tried = 0;
        let mut reforms = 0;
        let mut slow = false;
        loop {
            self.is_up()?;
            let form = self.form();
            let (reason, asked) = match self.attempt(request, form, caller, &mut used).await? {
                Next::Done(reply, usage) => {
                    self.failures.store(0, Ordering::Relaxed);
                    return Ok((reply, used.and(usage)));
                }
                Next::Fail(error) => return Err(self.failed(error)),
                Next::Reform(other) if reforms < 6 => {
                    reforms += 1;
                    *self.form.lock().unwrap_or_else(PoisonError::into_inner) = other;
                    continue;
                }
                Next::Reform(_) => return Err(self.failed(AskError::Failed("it takes no form of request".to_owned()))),
                // A second timeout suggests that the model is too slow for this question, so it is not tried again.
                Next::Slow(reason) if slow => return Err(self.failed(AskError::Failed(format!("{reason}, twice")))),
                Next::Slow(reason) => {
                    slow = true;
                    (reason, None)
                }
                Next::Again(reason, asked) => (reason, asked),
            };
            tried += 1;
            if let Some(asked) = asked.filter(|asked| *asked > self.retries.patience) {
                return Err(self.is_down(format!("{reason}; it asks to wait {} seconds", asked.as_secs())));
            }
            match self.retries.wait(tried, asked) {
                Some(wait) => tokio::time::sleep(wait).await,
                None => return Err(self.failed(AskError::Failed(format!("{reason} (tried {tried} times)")))),
            }
        }
    }

    async fn attempt(
        &self,
        request: &Request,
        form: Form,
        caller: &Caller<'_>,
        used: &mut Usage,
    ) -> Result<Next, AskError> {
        let Some(client) = &self.client else { return Err(AskError::Unavailable("nothing is sent".to_owned())) };
        let (price, expected) = (self.settings.price, self.expected(request));
        let aside = caller.ledger.put_aside(price, expected, request.max_output).await?;
        let ticket = self.pace.enter(expected.saturating_add(request.max_output)).await;
        self.is_up()?;
        let body = request.body(form).to_string().into_bytes();
        let sent = Instant::now();
        let answer = client.post(body, self.settings.within).await;
        let seconds = sent.elapsed().as_secs_f64();
        let usage = |calls, counts: Counts| Usage {
            calls,
            input_tokens: counts.input,
            cached_tokens: counts.cached,
            output_tokens: counts.output,
            usd: price.map(|price| price.of(counts.input, counts.cached, counts.output)),
            seconds,
        };
        let none = Counts { input: 0, cached: 0, output: 0 };
        let lost = Counts { input: expected, ..none };
        let (usage, next) = match answer {
            Ok(answer) => match self.judge(answer, form, caller.redactor) {
                Next::Done(reply, _) => {
                    let counts = reply.counts.unwrap_or(Counts { output: self.tokens(reply.text.len()), ..lost });
                    if let Some(counts) = reply.counts {
                        self.measure(request.bytes(), counts.input);
                    }
                    let usage = usage(1, counts);
                    (usage, Next::Done(reply, usage))
                }
                other => (usage(1, none), other),
            },
            Err(NoAnswer::Refused(why)) => (usage(0, none), Next::Again(format!("no connection: {why}"), None)),
            // A request that was sent but got no answer may be charged nevertheless.
            Err(NoAnswer::TimedOut) => {
                let within = self.settings.within.as_secs_f64();
                (usage(1, lost), Next::Slow(format!("no whole answer within {within} seconds")))
            }
            Err(NoAnswer::Broken(why)) => (usage(1, lost), Next::Again(format!("the connection broke: {why}"), None)),
            Err(NoAnswer::TooLong) => {
                let what = format!("the answer is longer than {LARGEST} bytes");
                (usage(1, lost), Next::Fail(AskError::Failed(what)))
            }
        };
        self.pace.had(ticket, usage.tokens());
        caller.ledger.sent(caller.agent, caller.subject, usage, false);
        drop(aside);
        if !matches!(next, Next::Done(..)) {
            *used = used.and(usage);
        }
        Ok(next)
    }

    /// Decides what to do after this answer.
    fn judge(&self, answer: HttpAnswer, form: Form, redactor: &Redactor) -> Next {
        let wait = answer.retry_after.as_deref().and_then(|value| retry_after(value, SystemTime::now()));
        let (status, said) = match answer.status {
            200..=299 => match wire::read(&answer.body) {
                Body::Reply(reply) => return Next::Done(reply, Usage::default()),
                Body::Garbled(what) => return Next::Again(redactor.redact(&what).0.into_owned(), wait),
                Body::Error(status, said) => (status.unwrap_or(502), said),
            },
            status => (status, wire::error_text(&answer.body)),
        };
        let said = redactor.redact(&said).0.into_owned();
        let told = format!("{status} from the endpoint: {said}");
        let low = said.to_lowercase();
        let speaks_of = |words: &[&str]| words.iter().any(|word| low.contains(word));
        if matches!(status, 400 | 404 | 422 | 500 | 501)
            && let Some(other) = reformed(form, &low)
        {
            return Next::Reform(other);
        }
        match status {
            400 | 403 | 422
                if speaks_of(&["content_filter", "content filter", "content management", "moderation", "flagged"]) =>
            {
                Next::Fail(AskError::Refused(said))
            }
            400 | 413 | 422 | 500
                if status == 413
                    || speaks_of(&[
                        "context length",
                        "context_length",
                        "context size",
                        "maximum context",
                        "too many tokens",
                        "prompt is too long",
                        "exceeds the available context",
                        "input is too long",
                    ]) =>
            {
                Next::Fail(AskError::TooLarge { tokens: 0, context: self.settings.context })
            }
            429 if speaks_of(&[
                "insufficient_quota",
                "insufficient quota",
                "exceeded your current quota",
                "billing",
            ]) =>
            {
                Next::Fail(AskError::Unavailable(told))
            }
            408 | 409 | 425 | 429 | 500..=599 => Next::Again(told, wait),
            401 | 403 => {
                let key = self.settings.key_env.as_ref();
                let hint = key.map_or_else(
                    || "no `key-env` is configured".to_owned(),
                    |name| format!("look at the key in `{name}`, and whether it belongs to this base-url"),
                );
                Next::Fail(AskError::Unavailable(format!("{told}; {hint}")))
            }
            402 => Next::Fail(AskError::Unavailable(told)),
            404 | 405 | 410 => {
                let hint = "look at `base-url` (most end in /v1) and `model`";
                Next::Fail(AskError::Unavailable(format!("{told}; {hint}")))
            }
            300..=399 => {
                let hint = "redirects are not followed, since a key is sent: put the final address into `base-url`";
                Next::Fail(AskError::Unavailable(format!("{status} from the endpoint; {hint}")))
            }
            _ => Next::Fail(AskError::Failed(told)),
        }
    }

    fn is_up(&self) -> Result<(), AskError> {
        self.down.get().map_or(Ok(()), |why| Err(AskError::Unavailable(why.clone())))
    }

    fn is_down(&self, why: String) -> AskError {
        let why = self.down.get_or_init(|| why);
        AskError::Unavailable(why.clone())
    }

    /// Counts a question without a reply; after several in a row the endpoint is no longer asked.
    fn failed(&self, error: AskError) -> AskError {
        match error {
            AskError::Unavailable(why) => self.is_down(why),
            AskError::Failed(why) => {
                let failures = self.failures.fetch_add(1, Ordering::Relaxed) + 1;
                if failures >= self.retries.failures.max(1) {
                    return self.is_down(format!("{why}; {failures} questions in a row got no reply"));
                }
                AskError::Failed(why)
            }
            other => {
                self.failures.store(0, Ordering::Relaxed);
                other
            }
        }
    }

    /// Expected tokens of a prompt, from the ratio that the endpoint has shown. Used for reservations only, never to
    /// decide a prompt's content.
    fn expected(&self, request: &Request) -> u64 {
        self.tokens(request.bytes()).saturating_add(64)
    }

    fn tokens(&self, bytes: usize) -> u64 {
        let (sent, counted) = *self.measured.lock().unwrap_or_else(PoisonError::into_inner);
        let ratio = if counted < 500 { BYTES_PER_TOKEN } else { (sent as f64 / counted as f64 * 0.95).clamp(1.5, 6.0) };
        (bytes as f64 / ratio).ceil() as u64
    }

    fn measure(&self, bytes: usize, tokens: u64) {
        let mut measured = self.measured.lock().unwrap_or_else(PoisonError::into_inner);
        measured.0 = measured.0.saturating_add(bytes as u64);
        measured.1 = measured.1.saturating_add(tokens);
    }
}

/// The next request form to try, if the error message is about the current form.
fn reformed(form: Form, said: &str) -> Option<Form> {
    let speaks_of = |words: &[&str]| words.iter().any(|word| said.contains(word));
    if !form.completion_tokens && said.contains("max_completion_tokens") {
        return Some(Form { completion_tokens: true, ..form });
    }
    let of_format = speaks_of(&[
        "response_format",
        "response format",
        "json_schema",
        "json schema",
        "json_object",
        "json mode",
        "structured output",
        "guided",
        "grammar",
        "requested parameters",
    ]);
    match form.output {
        Output::Schema if of_format || speaks_of(&["schema", "strict"]) => Some(Form { output: Output::Json, ..form }),
        Output::Json if of_format => Some(Form { output: Output::Text, ..form }),
        _ if form.temperature && said.contains("temperature") => Some(Form { temperature: false, ..form }),
        _ => None,
    }
}

/// Whether a URL certainly refers to this machine.
pub(super) fn is_local(url: &str) -> bool {
    let rest = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://")).unwrap_or_default();
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = match authority.strip_prefix('[') {
        Some(inner) => inner.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    };
    host.eq_ignore_ascii_case("localhost")
        || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}
