//! Runs the project's servlet filters and interceptors before the handler; most set a header and pass the request on.
//! The rule `servlet-filters`.

use super::serve::Server;
use crate::app::around::ServletFilter;
use crate::app::catching::Caught;
use crate::body::shape::{Answer, AnswerBody};
use crate::request::case::CaseBody;
use crate::request::signature::Slot;
use mastor_frameworks::paths;
use mastor_frameworks::servlet::patterns;
use mastor_java::interpret::classes::objects::has;
use mastor_java::interpret::engine::machine::{Eval, Machine, Stop};
use mastor_java::interpret::library::frameworks::inflector;
use mastor_java::interpret::library::frameworks::named_headers::{self, Named};
use mastor_java::interpret::library::web::servlet::{self, Sent, ServletRequest};
use mastor_java::interpret::values::scalar::Scalar;
use mastor_java::interpret::values::term::InputPlace;
use mastor_java::interpret::values::value::{Kind, ObjId, Type, Value};
use mastor_java::ir::ids::{MemberId, TypeId};

const RULE: &str = "servlet-filters";

impl Server<'_> {
    /// The request and the response as Servlet API objects.
    pub fn exchange(&self, machine: &mut Machine<'_>, like: &str) -> (ObjId, ObjId) {
        if let Some(exchange) = machine.exchange {
            return exchange;
        }
        let endpoint = self.bench.subject.endpoint;
        let path = self.path();
        let path = (!path.contains('{')).then_some(path);
        let sent = self.case.map(|case| {
            let of = |place: InputPlace| case.params.iter().filter(move |(input, _)| input.place == place);
            Sent {
                params: of(InputPlace::Query)
                    .chain(of(InputPlace::Form))
                    .map(|(input, text)| (input.name.to_string(), text.clone()))
                    .collect(),
                headers: of(InputPlace::Header)
                    .map(|(input, text)| (input.name.to_lowercase(), text.clone()))
                    .collect(),
                media_type: match case.body == CaseBody::None {
                    true => of(InputPlace::Form).next().map(|_| "application/x-www-form-urlencoded".to_owned()),
                    false => {
                        let signature = &self.bench.signature;
                        Some(signature.text_body.clone().unwrap_or_else(|| signature.taken.json().to_owned()))
                    }
                },
            }
        });
        let mut asked = ServletRequest::new(endpoint.method.as_str(), path, endpoint.context_path.clone(), sent);
        if endpoint.framework.routing.behind_servlet {
            asked.split = self.is_mapped_by_code().then(|| (String::new(), endpoint.context_path.clone()));
        }
        asked.names_user = self.case.is_some_and(|case| case.as_user.is_some());
        let exchange = (servlet::request(machine, like, asked), servlet::response(machine, like));
        machine.exchange = Some(exchange);
        exchange
    }

    /// The value that the framework passes to a parameter because of its type alone.
    pub fn given(&self, machine: &mut Machine<'_>, slot: &Slot) -> Option<Value> {
        self.given_type(machine, &slot.ty)
    }

    /// The value that the framework passes to a parameter of this type.
    pub fn given_type(&self, machine: &mut Machine<'_>, ty: &Type) -> Option<Value> {
        if let Some(caller) = self.given_caller(machine, ty) {
            return Some(caller);
        }
        let fqn = ty.library()?.to_owned();
        if inflector::is_request(&fqn) {
            return Some(self.request_context(machine, &fqn));
        }
        match (servlet::servlet_name(&fqn), fqn.as_str()) {
            (Some("http.HttpServletRequest" | "ServletRequest"), _) => Some(Value::Ref(self.exchange(machine, &fqn).0)),
            (Some("http.HttpServletResponse" | "ServletResponse"), _) => {
                Some(Value::Ref(self.exchange(machine, &fqn).1))
            }
            _ => None,
        }
    }

    /// The innermost filter that catches exceptions of the chain: its name, and its answer.
    pub(super) fn caught(&self) -> Option<(&str, Caught)> {
        let around = self.bench.surroundings.filters.iter().rev().filter(|filter| self.may_stand_before(filter));
        let mut catching = around.filter_map(|filter| Some((filter.ty, filter.caught?)));
        catching.next().map(|(ty, caught)| (self.bench.subject.project.ty(ty).name.as_str(), caught))
    }

    /// Whether a filter may be mapped to the requested path.
    fn may_stand_before(&self, filter: &ServletFilter) -> bool {
        match (&filter.patterns, self.within()) {
            (Some(patterns), Some(path)) => patterns.iter().any(|pattern| patterns::matches(pattern, &path)),
            _ => true,
        }
    }

    /// Runs the servlet filters; returns an answer if one of them does not pass the request on.
    pub fn filter(&self, machine: &mut Machine<'_>) -> Eval<Option<Answer>> {
        for filter in self.bench.surroundings.filters.iter().filter(|filter| self.may_stand_before(filter)) {
            if let Some(answer) = self.one_filter(machine, filter)? {
                return Ok(Some(answer));
            }
        }
        Ok(None)
    }

    /// The path within the application, as servlets see it.
    fn within(&self) -> Option<String> {
        let endpoint = self.bench.subject.endpoint;
        let path = self.path();
        if path.contains('{') {
            return None;
        }
        match endpoint.framework.routing.behind_servlet {
            true => self.is_mapped_by_code().then(|| paths::join(&endpoint.context_path, &path)),
            false => Some(path),
        }
    }

    /// Whether only code maps the JAX-RS runtime to a path prefix, which is then the servlet's path. A prefix from
    /// properties is not distinguished.
    fn is_mapped_by_code(&self) -> bool {
        let endpoint = self.bench.subject.endpoint;
        !endpoint.rests_on_files.iter().any(|by| by.contains('#')) && !endpoint.context_path.is_empty()
    }

    fn one_filter(&self, machine: &mut Machine<'_>, filter: &ServletFilter) -> Eval<Option<Answer>> {
        let ty = filter.ty;
        let name = self.bench.subject.project.shown_name(ty);
        let own = [("doFilterInternal", 3), ("doFilter", 3)]
            .into_iter()
            .find_map(|(name, arity)| method(machine, ty, name, arity));
        let Some(own) = own else {
            machine.presume(&format!("a servlet filter: {name}"));
            return Ok(None);
        };
        machine.models.insert(RULE);
        let like = package(machine, own);
        let (request, response) = self.exchange(machine, &like);
        // A filter that passes the request on contributes nothing but its headers, so its members and effects are
        // discarded.
        let before = named_headers::of(machine, response);
        let (members, effects) = (machine.members.clone(), machine.effects.len());
        let this = Value::Ref(machine.bean(ty)?);
        if let Some(skips) = method(machine, ty, "shouldNotFilter", 1) {
            let skipped = machine.invoke(skips, Some(this.clone()), vec![Value::Ref(request)])?;
            let site = mastor_java::interpret::paths::path::Site {
                member: skips,
                span: machine.project.member(skips).name_span,
            };
            if machine.truth(&skipped, site)? {
                return Ok(None);
            }
        }
        let chain = servlet::chain(machine, &like);
        let args = vec![Value::Ref(request), Value::Ref(response), Value::Ref(chain)];
        let ran = machine.invoke(own, Some(this), args);
        let passed = machine.object(chain).parts.contains_key("passed");
        machine.exit = None;
        match ran {
            Ok(_) if !matches!(machine.object(chain).kind, Kind::Modelled) => {
                machine.presume(&format!("a servlet filter: {name}"));
                Ok(None)
            }
            Ok(_) if passed => {
                machine.members = members;
                machine.effects.truncate(effects);
                self.note_headers(machine, (filter, own), chain, before.as_ref());
                Ok(None)
            }
            Ok(_) => {
                let project = machine.project;
                let is_placed = filter.patterns.is_some() && self.within().is_some();
                if !is_placed && !has(&project.ty(ty).annotations, &["Component", "Service"]) {
                    machine.presume(&format!("where the servlet filter {name} runs"));
                }
                Ok(Some(self.written(machine, response)))
            }
            Err(Stop::Throw(_)) => {
                machine.frames.clear();
                machine.presume(&format!("the servlet filter {name} may fail"));
                Ok(None)
            }
            Err(cut) => Err(cut),
        }
    }

    /// Records the headers that a filter certainly set before it passed the request on.
    fn note_headers(
        &self,
        machine: &mut Machine<'_>,
        (filter, own): (&ServletFilter, MemberId),
        chain: ObjId,
        before: Option<&Named>,
    ) {
        let Some((_, response)) = machine.exchange else { return };
        let runs_here = match &filter.patterns {
            Some(patterns) => self.within().is_some() || patterns.iter().any(|pattern| pattern == "/*"),
            None => true,
        };
        let is_sure = filter.is_sure && runs_here;
        let at_pass = named_headers::of(machine, chain);
        named_headers::leave_open(machine, response, if is_sure { at_pass.as_ref() } else { before });
        let (Some(before), Some(at_pass)) = (before, at_pass) else { return };
        let set = at_pass.into_iter().filter(|(name, value)| before.get(name) != Some(value)).map(|(name, _)| name);
        let set: Vec<String> = if is_sure { set.collect() } else { Vec::new() };
        if !set.is_empty() {
            machine.header_setters.push((own, set));
        }
    }

    /// Runs the handler interceptors; returns an answer if one of them stops the request.
    pub fn intercept(&self, machine: &mut Machine<'_>) -> Eval<Option<Answer>> {
        for ty in &self.bench.surroundings.interceptors {
            let name = self.bench.subject.project.ty(*ty).name.clone();
            machine.models.insert(RULE);
            let before = match machine.exchange {
                Some((_, response)) => named_headers::of(machine, response),
                None => Some(Named::new()),
            };
            for (called, arity) in [("preHandle", 3), ("postHandle", 4), ("afterCompletion", 4)] {
                let Some(own) = method(machine, *ty, called, arity) else { continue };
                let like = package(machine, own);
                let (request, response) = self.exchange(machine, &like);
                let this = Value::Ref(machine.bean(*ty)?);
                let mut args = vec![Value::Ref(request), Value::Ref(response)];
                args.push(Value::unknowable("the handler of a request", Type::Unknown));
                if arity == 4 {
                    args.push(Value::unknown("what a handler gave", Type::Unknown));
                }
                let ran = machine.invoke(own, Some(this), args);
                machine.exit = None;
                match ran {
                    Ok(Value::Scalar(Scalar::Bool(true))) => {}
                    Ok(_) if arity == 4 => {}
                    Ok(Value::Scalar(Scalar::Bool(false))) => {
                        machine.presume(&format!("which paths the interceptor {name} is for"));
                        return Ok(Some(self.written(machine, response)));
                    }
                    Ok(_) => machine.presume(&format!("an interceptor: {name}")),
                    Err(Stop::Throw(_)) => {
                        machine.frames.clear();
                        machine.presume(&format!("the interceptor {name} may fail"));
                    }
                    Err(cut) => return Err(cut),
                }
            }
            // The interceptor's path patterns are not modelled, so its headers are uncertain.
            if let Some((_, response)) = machine.exchange {
                named_headers::leave_open(machine, response, before.as_ref());
            }
        }
        Ok(None)
    }

    /// The answer that code outside a handler wrote to the response.
    fn written(&self, machine: &mut Machine<'_>, response: ObjId) -> Answer {
        if !matches!(machine.object(response).kind, Kind::Modelled) {
            return Answer::unknown();
        }
        let parts = machine.object(response).parts.clone();
        let code = match parts.get("status") {
            None => Some(200),
            Some(status) => status.scalar().and_then(Scalar::as_int).and_then(|code| u16::try_from(code).ok()),
        };
        let error = parts
            .get("sent")
            .is_some_and(|sent| matches!(sent, Value::Scalar(Scalar::Str(text)) if &*text.text == "error"));
        let status = if error { code.and_then(|code| self.shown(machine, code)) } else { code };
        let empty = !parts.contains_key("written") && !parts.contains_key("sent");
        let body = if empty { AnswerBody::Empty } else { AnswerBody::Unknown };
        Answer::of(status, body)
    }
}

/// The project method that a call of this name runs on an object of a class.
pub fn method(machine: &Machine<'_>, ty: TypeId, name: &str, arity: usize) -> Option<MemberId> {
    let found = machine.project.find_method(ty, name, arity);
    found.into_iter().find(|member| machine.project.member(*member).body.is_some())
}

/// The fully qualified library type of a method's first parameter.
pub fn package(machine: &Machine<'_>, member: MemberId) -> String {
    package_of(machine, member, 0)
}

/// The fully qualified library type of a method's parameter.
pub fn package_of(machine: &Machine<'_>, member: MemberId, at: usize) -> String {
    let facts = machine.project.member(member);
    let ty = facts.params.get(at).map(|param| machine.type_of(member.ty, &param.ty));
    ty.as_ref().and_then(Type::library).unwrap_or("javax.").to_owned()
}
