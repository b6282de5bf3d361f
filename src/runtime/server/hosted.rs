//! Servers that code starts with the JDK's `HttpServer`: runs the `main` as at service start, then the handler on the
//! request. The rule `jdk-http-server`.

use super::serve::Server;
use crate::app::wiring::Container;
use crate::bench::Bench;
use crate::body::shape::{Answer, AnswerBody, Label};
use crate::request::case::CaseBody;
use mastor_frameworks::paths;
use mastor_java::interpret::engine::machine::{Eval, Machine, Stop};
use mastor_java::interpret::library::base::support::{Fail, invoke};
use mastor_java::interpret::library::frameworks::jdk_server::{self, HandlerRequest, HandlerResponse, Length};
use mastor_java::interpret::values::term::InputPlace;
use mastor_java::interpret::values::value::{Type, Value};
use mastor_java::interpret::{Bounds, Context, explore};
use mastor_java::ir::ids::MemberId;
use mastor_types::Method;
use mastor_types::suite::input::canonical;

const RULE: &str = "jdk-http-server";

/// The one `main` that starts the operation's server; or the reason why it is unknown.
pub fn main_of(bench: &Bench<'_>) -> Result<MemberId, &'static str> {
    let subject = bench.subject;
    let all = subject.shared.mains().iter().copied();
    let found: Vec<MemberId> = all.filter(|main| crate::app::applies::counts(subject, main.ty)).collect();
    // If there are several, take the one that creates a context when run without arguments.
    let found = if found.len() > 1 { found.into_iter().filter(|main| starts(bench, *main)).collect() } else { found };
    match found.as_slice() {
        [] => Err("which code starts the server is not known"),
        [only] => Ok(*only),
        _ => Err("several mains start a server"),
    }
}

/// Whether a `main` creates a context on some path.
fn starts(bench: &Bench<'_>, main: MemberId) -> bool {
    let container = Container::of(*bench.subject, true, &bench.injected);
    let bounds = Bounds { paths: 8, forks: 16, steps: 100_000, total_steps: 400_000, ..Bounds::default() };
    let cx = Context { codes: &bench.codes, wiring: &container, bounds, follows: None };
    let hosting = std::cell::Cell::new(false);
    explore(&cx, |machine| {
        let args = no_arguments(machine, main);
        let ran = machine.invoke(main, None, args);
        hosting.set(hosting.get() || !machine.hosted.is_empty());
        ran
    });
    hosting.get()
}

fn no_arguments(machine: &mut Machine<'_>, main: MemberId) -> Vec<Value> {
    let params = machine.project.member(main).params.len();
    (0..params).map(|_| machine.array(Vec::new(), Type::Str)).collect()
}

impl Server<'_> {
    /// Serves one request on the server that code has started.
    pub fn serve_hosted(&self, machine: &mut Machine<'_>) -> Eval<Answer> {
        machine.models.insert(RULE);
        let endpoint = self.bench.subject.endpoint;
        let main = match self.bench.main.get_or_init(|| main_of(self.bench)) {
            Ok(main) => *main,
            Err(why) => return Ok(open(machine, why)),
        };
        if machine.hosted.is_empty() {
            self.start(machine, main)?;
        }
        let path = paths::join(&endpoint.context_path, &self.path());
        let Some((context, id)) = jdk_server::context_of(machine, &path).filter(|_| !path.contains('{')) else {
            return Ok(open(machine, "which context of the server a request reaches is not known"));
        };
        let Some(handler) = jdk_server::handler_of(machine, id) else {
            return Ok(open(machine, "what stands before a handler of the server is not followed"));
        };
        let exchange = jdk_server::exchange(machine, self.request(&path), &context);
        let ran = match invoke(machine, &handler, "handle", vec![exchange.clone()]) {
            Err(Fail::Stop(Stop::Cut(bound))) => return Err(Stop::Cut(bound)),
            Err(Fail::Open(why)) => return Ok(open(machine, &why)),
            Err(Fail::Stop(Stop::Throw(_))) => {
                machine.frames.clear();
                machine.catching = 0;
                machine.exit = None;
                Err(())
            }
            Ok(_) => Ok(()),
        };
        let Some(answered) = jdk_server::answered(machine, &exchange) else {
            return Ok(open(machine, "the exchange was handed to code that is not followed"));
        };
        // A response that was completed before the handler failed stays as it is.
        if ran.is_err() && !answered.is_closed {
            return Ok(open(machine, "a handler that fails gives no answer"));
        }
        Ok(self.response(machine, &exchange, answered))
    }

    /// Runs the `main`, then makes all state that requests may have changed unknown.
    fn start(&self, machine: &mut Machine<'_>, main: MemberId) -> Eval<()> {
        let was = std::mem::replace(&mut machine.is_starting, true);
        let args = no_arguments(machine, main);
        machine.quietly(|machine| machine.invoke(main, None, args))?;
        machine.is_starting = was;
        machine.store.deeds.clear();
        let handler = |(_, id): &jdk_server::Hosted| machine.object(*id).parts.get("handler").cloned();
        let handlers: Vec<Value> = machine.hosted.iter().filter_map(handler).collect();
        for handler in handlers {
            machine.keep_between_requests(handler);
        }
        machine.keep_statics_between_requests();
        Ok(())
    }

    /// The request as the server receives it.
    fn request(&self, path: &str) -> HandlerRequest {
        let method = self.bench.subject.endpoint.method.as_str();
        let Some(case) = self.case else {
            let open = self.bench.signature.slots.is_empty();
            return HandlerRequest { method, target: open.then(|| path.to_owned()), headers: None, body: None };
        };
        let of = |place: InputPlace| -> Vec<(String, String)> {
            let own = case.params.iter().filter(|(input, _)| input.place == place);
            own.map(|(input, text)| (input.name.to_string(), text.clone())).collect()
        };
        let joined = |pairs: &[(String, String)]| {
            pairs.iter().map(|(name, text)| format!("{name}={text}")).collect::<Vec<_>>().join("&")
        };
        let (query, form) = (of(InputPlace::Query), of(InputPlace::Form));
        // Other characters are escaped differently by clients.
        let plain = |pairs: &[(String, String)]| {
            let safe = |text: &String| text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~".contains(&b));
            pairs.iter().all(|(name, text)| safe(name) && safe(text))
        };
        let target = match query.as_slice() {
            [] => Some(path.to_owned()),
            query => plain(query).then(|| format!("{path}?{}", joined(query))),
        };
        let mut headers: Vec<(String, String)> =
            of(InputPlace::Header).into_iter().map(|(name, text)| (name.to_lowercase(), text)).collect();
        let (body, media_type) = match &case.body {
            CaseBody::None if form.is_empty() => (Some(Vec::new()), None),
            CaseBody::None => {
                (plain(&form).then(|| joined(&form).into_bytes()), Some("application/x-www-form-urlencoded".to_owned()))
            }
            CaseBody::Json(json) => (Some(canonical(json).into_bytes()), Some("application/json".to_owned())),
            CaseBody::Malformed => (Some(b"{".to_vec()), Some("application/json".to_owned())),
        };
        headers.extend(media_type.map(|kind| ("content-type".to_owned(), kind)));
        HandlerRequest { method, target, headers: Some(headers), body }
    }

    /// The response as the client receives it.
    fn response(&self, machine: &mut Machine<'_>, exchange: &Value, answered: HandlerResponse) -> Answer {
        let Some(status) = answered.status else {
            return open(machine, "a handler that says nothing gives no answer");
        };
        if !answered.is_closed {
            return open(machine, "an answer is not brought to its end");
        }
        let headers = jdk_server::headers(machine, exchange);
        let is_head = self.bench.subject.endpoint.method == Method::Head;
        let body = match (answered.length, answered.bytes) {
            _ if is_head => AnswerBody::Empty,
            (Some(Length::None), _) => AnswerBody::Empty,
            (Some(Length::Of(length)), Some(bytes)) if bytes.len() as u64 != length => {
                return open(machine, "an answer is not as long as it says");
            }
            (Some(Length::Of(_) | Length::Unknown), None) | (Some(Length::Unknown), Some(_)) => {
                machine.doubt("whether an answer is as long as it says");
                AnswerBody::Unknown
            }
            (_, Some(bytes)) if bytes.is_empty() => AnswerBody::Empty,
            (_, Some(bytes)) => match String::from_utf8(bytes) {
                Ok(text) => AnswerBody::Text(text, label(headers.as_ref())),
                Err(_) => AnswerBody::Unknown,
            },
            (_, None) => AnswerBody::Unknown,
        };
        Answer { headers, ..Answer::of(status, body) }
    }
}

fn open(machine: &mut Machine<'_>, why: &str) -> Answer {
    machine.doubt(why);
    Answer::unknown()
}

/// How a text is read under the headers that were set.
fn label(headers: Option<&std::collections::BTreeMap<String, Option<String>>>) -> Label {
    let kind = headers.and_then(|headers| headers.get("content-type")).and_then(Option::as_ref);
    match kind.map(|kind| kind.to_lowercase()) {
        Some(kind) if kind.contains("json") => Label::Json,
        Some(kind) if kind.starts_with("text/") => Label::Plain,
        _ => Label::Open,
    }
}
