//! The models of a run: asks a question, stores and parses the reply, and asks a second time with the error if the
//! reply does not fit.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;

use super::ask::{Answer, Ask, AskError, Check, Estimate, ModelsError, ModelsOptions, Parsed};
use super::cut;
use super::endpoint::{Caller, Endpoint, is_local};
use super::kept::ReplyStore;
use super::ledger::{Ledger, Spent};
use super::reading;
use super::redact::{Redactor, is_secret_header};
use super::schema::Judge;
use super::wire::{BYTES_PER_TOKEN, Finish, Output, Reply, Request};
use mastor_types::Hash;
use mastor_types::model::{ModelSettings, Role, Usage};

/// The error sent to a model whose cut reply was repeating itself.
const CIRCLES: &str =
    "it was cut at its limit, because it says the same again and again; say each thing once, in few words";
/// Factor by which the token limit is raised after a reply was cut.
const LARGER: u64 = 4;
/// Tokens of the context that are left free beside prompt and reply.
const MARGIN: u64 = 512;
/// Maximum length of an error sent to a model, in bytes.
const LONGEST_ERROR: usize = 4000;

/// The models of a run, shared by all agents; every method may be called from many tasks at once.
#[derive(Debug)]
pub struct Models {
    primary: Arc<Endpoint>,
    challenger: Arc<Endpoint>,
    kept: ReplyStore,
    ledger: Ledger,
    redactor: Redactor,
    notices: Vec<String>,
    cancelled: watch::Sender<bool>,
    /// One lock for each request in flight, so that the same request is never sent twice.
    under_way: Mutex<HashMap<Hash, Arc<tokio::sync::Mutex<()>>>>,
}

/// Usage of one question so far, and whether all its replies were stored ones.
struct Tally {
    usage: Usage,
    kept: bool,
}

impl Models {
    /// Sets up the models of these settings. API keys are read here and are redacted from everything that is sent or
    /// stored.
    ///
    /// # Errors
    /// Where a named key is not set (a replay needs none), or where a header, URL or cassette folder cannot be used.
    pub fn new(
        primary: ModelSettings,
        challenger: Option<ModelSettings>,
        options: ModelsOptions,
        mut redactor: Redactor,
    ) -> Result<Self, ModelsError> {
        let kept = ReplyStore::open(&options.cache, options.record, options.replay)?;
        let mut notices = Vec::new();
        let mut endpoint = |role: &'static str, settings: ModelSettings| {
            let sends = !kept.replays();
            let key = settings.key_env.as_deref().and_then(mastor_env::var);
            if let Some(name) = settings.key_env.as_ref().filter(|_| sends && key.is_none()) {
                return Err(ModelsError::NoKey { role, name: name.clone() });
            }
            redactor.know(key.iter().map(String::as_str));
            let secret = settings.headers.iter().filter(|(name, value)| is_secret_header(name, value));
            redactor.know(secret.map(|(_, value)| value.as_str()));
            if sends && settings.base_url.starts_with("http:") && !is_local(&settings.base_url) {
                notices.push(format!("[model.{role}] base-url is not encrypted: others can read what is sent"));
            }
            if sends && settings.price.is_none() && options.limits.max_usd.is_some() {
                notices
                    .push(format!("[model.{role}] has no price: a limit of money cannot be kept, one of tokens can"));
            }
            let form = kept.form(&settings.base_url, &settings.model);
            Endpoint::new(role, settings, form, options.retries, key.as_deref(), sends).map(Arc::new)
        };
        let primary = endpoint("primary", primary)?;
        let challenger = match challenger {
            Some(settings) => endpoint("challenger", settings)?,
            None => primary.clone(),
        };
        Ok(Self {
            primary,
            challenger,
            kept,
            ledger: Ledger::new(options.limits),
            redactor,
            notices,
            cancelled: watch::Sender::new(false),
            under_way: Mutex::default(),
        })
    }

    /// Asks until a value fits the schema and the check. If the reply does not fit, the model gets one more attempt
    /// with the error message.
    ///
    /// # Errors
    /// See [`AskError`]; [`AskError::is_for_good`] tells which errors end all questions of this run.
    pub async fn ask(&self, ask: &Ask, check: Check<'_>) -> Result<Answer, AskError> {
        let mut cancelled = self.cancelled.subscribe();
        let answer = tokio::select! {
            biased;
            _ = cancelled.wait_for(|cancelled| *cancelled) => Err(AskError::Cancelled),
            answer = self.answer(ask, check) => answer,
        };
        match &answer {
            Ok(answer) => self.ledger.ended(ask.agent, &ask.subject, Some(answer.parsed)),
            Err(error) if error.is_for_good() => {}
            Err(_) => self.ledger.ended(ask.agent, &ask.subject, None),
        }
        answer
    }

    async fn answer(&self, ask: &Ask, check: Check<'_>) -> Result<Answer, AskError> {
        let judge = Judge::new(&ask.schema)?;
        let request = self.request(ask);
        let prompt = request.prompt();
        let mut tally = Tally { usage: Usage::default(), kept: true };
        let (first, form) = self.finished(ask, request.clone(), &judge, check, &mut tally).await?;
        let done = |value, parsed, tally: Tally| Answer {
            value,
            parsed,
            model: request.model.clone(),
            prompt,
            usage: tally.usage,
            kept: tally.kept,
        };
        let is_cut = first.finish == Finish::Length;
        let fault = match reading::read(&first.text, first.finish == Finish::Stop, &judge, check) {
            Ok((value, parsed)) => return Ok(done(value, parsed, tally)),
            Err(_) if is_cut && cut::runs_in_circles(&first.text) => CIRCLES.to_owned(),
            Err(fault) => match reading::whole_part(&first.text, &judge, check).filter(|_| is_cut) {
                Some(value) => return Ok(done(value, Parsed::Repaired, tally)),
                None => shortened(&fault),
            },
        };
        if let Some(form) = form.filter(|form| *form == Output::Schema && fault.starts_with("it holds no")) {
            let endpoint = self.endpoint(ask.role);
            endpoint.not_honoured(super::wire::Form { output: form, ..endpoint.form() });
        }
        let mut again = request.clone();
        let fault_shown = self.redactor.redact_certain(&fault).0.into_owned();
        again.again = Some((first.text.clone(), format!("{fault_shown}\nThe JSON Schema: {}", ask.schema.json)));
        if self.fits(ask.role, &again).is_err() {
            return Err(AskError::NotAsAsked(fault));
        }
        let second = match self.finished(ask, again, &judge, check, &mut tally).await {
            Ok((second, _)) => second,
            Err(AskError::Cut) if is_cut => first.clone(),
            Err(error) => return Err(error),
        };
        let fault = match reading::read(&second.text, second.finish == Finish::Stop, &judge, check) {
            Ok((value, _)) => return Ok(done(value, Parsed::ReAsked, tally)),
            Err(fault) => fault,
        };
        let texts = [&second, &first].into_iter().filter(|reply| reply.finish == Finish::Length);
        match texts.filter_map(|reply| reading::whole_part(&reply.text, &judge, check)).next() {
            Some(value) => Ok(done(value, Parsed::ReAsked, tally)),
            None if second.finish == Finish::Length => Err(AskError::Cut),
            None => Err(AskError::NotAsAsked(shortened(&fault))),
        }
    }

    /// Returns a reply that is usable as text. A cut reply is requested once more with a higher limit, an empty one
    /// once more unchanged.
    async fn finished(
        &self,
        ask: &Ask,
        mut request: Request,
        judge: &Judge<'_>,
        check: Check<'_>,
        tally: &mut Tally,
    ) -> Result<(Reply, Option<Output>), AskError> {
        let mut widened = false;
        loop {
            self.fits(ask.role, &request)?;
            let (reply, form) = self.reply(ask, &request, tally).await?;
            if let Some(refusal) = &reply.refusal {
                return Err(AskError::Refused(super::wire::excerpt(refusal)));
            }
            match reply.finish {
                Finish::Filtered => return Err(AskError::Refused("its reply was filtered by the provider".to_owned())),
                // The value is complete and only text after it was cut.
                Finish::Length if reading::read(&reply.text, false, judge, check).is_ok() => return Ok((reply, form)),
                // A higher limit would only produce more repetition.
                Finish::Length if cut::runs_in_circles(&reply.text) => return Ok((reply, form)),
                Finish::Length => match self.wider(ask.role, &request).filter(|_| !widened) {
                    Some(room) => {
                        request.max_output = room;
                        widened = true;
                    }
                    None if reading::whole_part(&reply.text, judge, check).is_some() => return Ok((reply, form)),
                    None => return Err(AskError::Cut),
                },
                _ if !reading::visible(&reply.text).is_empty() => return Ok((reply, form)),
                _ if request.repeated == 0 => request.repeated = 1,
                _ => return Err(AskError::Empty),
            }
        }
    }

    /// The reply to one request: a stored one, or a new one that is stored before it is used. The second value is the
    /// output form of a new one.
    async fn reply(
        &self,
        ask: &Ask,
        request: &Request,
        tally: &mut Tally,
    ) -> Result<(Reply, Option<Output>), AskError> {
        let key = request.key();
        let own = self.under_way.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default().clone();
        let _alone = own.lock().await;
        if let Some(kept) = self.kept.find(ask.agent, &ask.subject, request) {
            if kept.replayed {
                self.ledger.sent(ask.agent, &ask.subject, kept.usage, true);
            } else {
                self.ledger.kept(ask.agent, &ask.subject);
                self.kept.record(ask.agent, &ask.subject, request, &kept.reply, kept.usage)?;
            }
            tally.usage = tally.usage.and(kept.usage);
            return Ok((kept.reply, None));
        }
        if self.kept.replays() {
            return Err(self.kept.unrecorded(ask.agent, &ask.subject, request));
        }
        tally.kept = false;
        let endpoint = self.endpoint(ask.role);
        let before = endpoint.form();
        let caller = Caller { agent: ask.agent, subject: &ask.subject, ledger: &self.ledger, redactor: &self.redactor };
        let (mut reply, usage) = endpoint.send(request, &caller).await.map_err(|error| match error {
            AskError::TooLarge { context, .. } => AskError::TooLarge { tokens: request.tokens(), context },
            other => other,
        })?;
        reply.text = self.redactor.redact_certain(&reply.text).0.into_owned();
        reply.refusal = reply.refusal.map(|text| self.redactor.redact_certain(&text).0.into_owned());
        self.kept.keep(request, &reply, usage);
        self.kept.record(ask.agent, &ask.subject, request, &reply, usage)?;
        let form = endpoint.form();
        if form != before {
            self.kept.keep_form(&endpoint.settings.base_url, &endpoint.settings.model, form);
        }
        tally.usage = tally.usage.and(usage);
        Ok((reply, Some(form.output)))
    }

    fn request(&self, ask: &Ask) -> Request {
        let settings = &self.endpoint(ask.role).settings;
        Request {
            model: settings.model.clone(),
            system: self.redactor.redact(&ask.system).0.into_owned(),
            user: self.redactor.redact(&ask.user).0.into_owned(),
            schema: ask.schema.clone(),
            max_output: ask.max_output.unwrap_or(settings.max_output).clamp(1, settings.max_output.max(1)),
            again: None,
            repeated: 0,
        }
    }

    fn fits(&self, role: Role, request: &Request) -> Result<(), AskError> {
        let (tokens, context) = (request.tokens(), self.endpoint(role).settings.context);
        if tokens.saturating_add(request.max_output) > context {
            return Err(AskError::TooLarge { tokens, context });
        }
        Ok(())
    }

    /// A higher token limit for a cut reply, if the context has room for it.
    fn wider(&self, role: Role, request: &Request) -> Option<u64> {
        let context = self.endpoint(role).settings.context;
        let room = context.saturating_sub(request.tokens()).saturating_sub(MARGIN);
        let wider = request.max_output.saturating_mul(LARGER).min(room);
        (wider > request.max_output + request.max_output / 4).then_some(wider)
    }

    fn endpoint(&self, role: Role) -> &Endpoint {
        match role {
            Role::Primary => &self.primary,
            Role::Challenger => &self.challenger,
        }
    }

    /// Estimates the cost of a question without sending it.
    pub fn estimate(&self, ask: &Ask) -> Estimate {
        let request = self.request(ask);
        let tokens = request.tokens();
        let price = self.endpoint(ask.role).settings.price;
        Estimate {
            tokens,
            usd: price.map(|price| price.of(tokens, 0, request.max_output / 4)),
            kept: self.kept.find(ask.agent, &ask.subject, &request).is_some(),
        }
    }

    /// The redacted system and user prompt of a question; nothing is sent.
    pub fn preview(&self, ask: &Ask) -> (String, String) {
        let request = self.request(ask);
        (request.system, request.user)
    }

    /// Bytes that fit into the context beside the longest reply, for both prompts and the schema. Computed from the
    /// settings alone, so that a prompt's content is the same in every run.
    pub fn room(&self, role: Role) -> u64 {
        let settings = &self.endpoint(role).settings;
        let tokens = settings.context.saturating_sub(settings.max_output).saturating_sub(MARGIN);
        (tokens as f64 * BYTES_PER_TOKEN) as u64
    }

    /// Maximum concurrent calls.
    pub fn concurrency(&self, role: Role) -> usize {
        self.endpoint(role).settings.concurrency
    }

    /// The model's name in the settings.
    pub fn model(&self, role: Role) -> &str {
        &self.endpoint(role).settings.model
    }

    /// Usage so far, by agent and subject.
    pub fn ledger(&self) -> Vec<Spent> {
        self.ledger.accounts()
    }

    /// Notices for the user about these models, one sentence each.
    pub fn notices(&self) -> Vec<String> {
        self.notices.iter().cloned().chain(self.kept.warning()).collect()
    }

    /// The redactor that is applied to every question.
    pub fn redactor(&self) -> &Redactor {
        &self.redactor
    }

    /// Cancels all questions, including those in flight.
    pub fn cancel(&self) {
        self.cancelled.send_replace(true);
    }
}

/// The error, truncated to a length that can be sent to a model.
fn shortened(fault: &str) -> String {
    let mut end = fault.len().min(LONGEST_ERROR);
    while !fault.is_char_boundary(end) {
        end -= 1;
    }
    fault[..end].to_owned()
}
