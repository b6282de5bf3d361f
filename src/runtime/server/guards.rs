//! Security: Spring Security's decisions before and at a handler. The rule `spring-security`.
//!
//! A request of an oracle names a user of the auth file, or no user. For symbolic requests, both outcomes are followed:
//! the caller is let in, or is not.

use super::serve::Server;
use crate::app::applies::{counts, is_active};
use crate::body::shape::{Answer, AnswerBody};
use mastor_frameworks::spring::security::chains::{by_default, refusal_of};
use mastor_frameworks::spring::security::methods::lets_in;
use mastor_frameworks::spring::security::{Caller, Chain, Generation, Refusal, Verdict};
use mastor_java::interpret::engine::machine::{Eval, Machine};
use mastor_java::interpret::paths::condition::Cond;
use mastor_java::ir::body::ExprKind;
use mastor_java::ir::ids::TypeId;
use mastor_java::project::index::Project;

/// The exception for denied access.
pub const DENIED: &str = "org.springframework.security.access.AccessDeniedException";
const RULE: &str = "spring-security";

impl Server<'_> {
    /// Checks the security of the path; returns an answer if access is refused.
    pub fn guard(&self, machine: &mut Machine<'_>, caller: &Caller) -> Eval<Option<Answer>> {
        let subject = self.bench.subject;
        let chain = match self.chain() {
            Ok(Some(chain)) => chain,
            Ok(None) => return Ok(None),
            Err(why) => {
                machine.presume(&why);
                return Ok(None);
            }
        };
        let generation = self.bench.surroundings.generation;
        let verdict =
            chain.verdict(subject.endpoint.method, &self.path(), generation.unwrap_or(Generation::Five), caller);
        machine.models.insert(RULE);
        match verdict {
            Verdict::Open => Ok(None),
            Verdict::Refused(_) if generation.is_none() => {
                machine.presume("the release of Spring Security is not known");
                Ok(None)
            }
            Verdict::Refused(refusal) => {
                if self.case.is_none() && !self.is_denied(machine)? {
                    return Ok(None);
                }
                machine.members.extend(chain.member);
                Ok(Some(self.refused(machine, &refusal)))
            }
            Verdict::Unknown(why) => {
                machine.presume(&why);
                Ok(None)
            }
        }
    }

    /// Checks the method security of the handler, after its arguments are bound.
    pub fn guard_method(&self, machine: &mut Machine<'_>, caller: &Caller) -> Eval<()> {
        let subject = self.bench.subject;
        let (entry, receiver) = (subject.endpoint.entry, subject.endpoint.receiver);
        let on = subject
            .shared
            .around
            .security
            .on_methods(&|ty| counts(subject, ty) && is_active(subject, ty) != Some(false));
        match lets_in(subject.project, entry, receiver, on, caller) {
            Ok(true) => Ok(()),
            Ok(false) => {
                machine.models.insert(RULE);
                if self.case.is_none() && !self.is_denied(machine)? {
                    return Ok(());
                }
                machine.exit = None;
                let message = machine.said_by_framework("who is let in");
                Err(machine.throw(DENIED, message))
            }
            Err(why) => {
                machine.presume(&why);
                Ok(())
            }
        }
    }

    /// The answer to denied access that no handler of the project handles.
    pub fn denied(&self, machine: &mut Machine<'_>) -> Answer {
        let refusal = match (self.chain(), self.bench.surroundings.generation) {
            (Ok(chain), Some(generation)) => refusal_of(chain.as_ref(), generation, &self.kind()),
            (Err(why), _) => Err(why),
            (_, None) => Err("the release of Spring Security is not known".to_owned()),
        };
        match refusal {
            Ok(refusal) => self.refused(machine, &refusal),
            Err(why) => {
                machine.presume(&why);
                Answer::unknown()
            }
        }
    }

    /// The status of an error that the server's error page shows. Recent releases protect the error page too.
    pub fn shown(&self, machine: &mut Machine<'_>, status: u16) -> Option<u16> {
        for why in &self.bench.surroundings.errors {
            machine.doubt(why);
        }
        let endpoint = self.bench.subject.endpoint;
        let late = self.bench.surroundings.generation == Some(Generation::Six);
        if !late || !endpoint.framework.middleware.guards_by_default {
            return Some(status);
        }
        let Ok(Some(chain)) = self.chain() else { return Some(status) };
        // With a session, an authenticated caller is also known at the error page, so the outcome would depend on the
        // caller.
        if self.case.is_none() && !(keeps_no_session(self.bench.subject.project, &chain) && self.runs_filters_once()) {
            return Some(status);
        }
        match chain.lets(endpoint.method, "/error", Generation::Six, &self.kind()) {
            Verdict::Open => Some(status),
            Verdict::Refused(refusal) => Some(refusal.status),
            Verdict::Unknown(why) => {
                machine.presume(&why);
                None
            }
        }
    }

    /// Whether no project filter runs again for the error page (Spring,
    /// `OncePerRequestFilter.shouldNotFilterErrorDispatch`).
    fn runs_filters_once(&self) -> bool {
        let project = self.bench.subject.project;
        self.bench.surroundings.filters.iter().all(|filter| {
            let asks = project.members(filter.ty).any(|own| project.member(own).name == "shouldNotFilterErrorDispatch");
            let above = project.library_supers(filter.ty);
            !asks && above.iter().any(|name| name.ends_with("OncePerRequestFilter"))
        })
    }

    fn refused(&self, machine: &mut Machine<'_>, refusal: &Refusal) -> Answer {
        if refusal.is_error() {
            for why in &self.bench.surroundings.errors {
                machine.doubt(why);
            }
        }
        machine.exit = None;
        let exception = DENIED.rsplit('.').next().map(str::to_owned);
        let context = &self.bench.subject.endpoint.context_path;
        let location = refusal.location.as_ref().map(|page| format!("{context}{page}"));
        Answer { exception, location, ..Answer::of(Some(refusal.status), AnswerBody::Unknown) }
    }

    /// Whether the request has a user. The authorities are left out, since they do not matter here.
    fn kind(&self) -> Caller {
        match self.case.and_then(|case| case.as_user.as_ref()) {
            Some(_) => Caller::Somebody(None),
            None => Caller::Nobody,
        }
    }

    /// Decides, for symbolic requests, whether the caller is denied access.
    fn is_denied(&self, machine: &mut Machine<'_>) -> Eval<bool> {
        machine.decide(Cond::Unknown("the caller is not let in".into(), "who asks".into()), None)
    }

    /// The path of the request within the application.
    pub fn path(&self) -> String {
        let endpoint = self.bench.subject.endpoint;
        let mut path = endpoint.path.clone();
        let Some(case) = self.case else { return path };
        for (input, text) in &case.params {
            if input.place == mastor_java::interpret::values::term::InputPlace::Path {
                path = path.replace(&format!("{{{}}}", input.name), text);
            }
        }
        path
    }

    /// The security filter chain of the request.
    pub fn chain(&self) -> Result<Option<Chain>, String> {
        let subject = self.bench.subject;
        if !subject.endpoint.framework.middleware.security {
            return Ok(None);
        }
        let security = &subject.shared.around.security;
        if let Some(owner) = security.owners().find(|ty| counts(subject, *ty) && is_active(subject, *ty).is_none()) {
            return Err(format!("whether {} guards requests is not known", subject.project.ty(owner).name));
        }
        let counts = |ty: TypeId| counts(subject, ty) && is_active(subject, ty) == Some(true);
        if security.is_configured(&counts) {
            let found = security.chain_for(subject.endpoint.method, &self.path(), &counts)?;
            return Ok(found.cloned());
        }
        let near = &subject.endpoint.file;
        let guarded = ["spring-boot-starter-security", "spring-security-config"]
            .iter()
            .any(|artifact| subject.build.uses_near(near, artifact));
        if !guarded || !subject.endpoint.framework.middleware.guards_by_default {
            return Ok(None);
        }
        // Other security libraries add configurations of their own.
        if let Some(other) = ["oauth2", "keycloak", "pac4j", "cas-client", "spring-security-saml"]
            .iter()
            .find(|artifact| subject.build.uses_near(near, artifact))
        {
            return Err(format!("what {other} guards is not followed"));
        }
        by_default(subject.endpoint.receiver, near, self.bench.surroundings.generation, subject.properties).map(Some)
    }
}

/// Whether a chain keeps no session. Then the error page sees an anonymous caller, because token filters do not run
/// again for it (Spring, `OncePerRequestFilter`).
fn keeps_no_session(project: &Project, chain: &Chain) -> bool {
    let body = chain.member.and_then(|member| project.body(member));
    body.is_some_and(|body| {
        body.exprs.iter().any(|expr| match &expr.kind {
            ExprKind::Name(name) => &**name == "STATELESS",
            ExprKind::Field { name, .. } => &**name == "STATELESS",
            _ => false,
        })
    })
}
