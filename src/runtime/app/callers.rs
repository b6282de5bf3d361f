//! Callers: resolves the user who sends a request, as the service itself looks users up. The rule `spring-security`.
//!
//! Looks up a user of the auth file as Spring Security does, by running the project's `UserDetailsService` on the
//! startup state. The password in the auth file is taken to be correct.

use super::applies::{counts, is_active};
use crate::server::serve::Server;
use mastor_frameworks::code::stereotypes::is_component;
use mastor_frameworks::spring::security::Caller;
use mastor_java::interpret::classes::objects::has;
use mastor_java::interpret::engine::machine::{Eval, Machine, Stop};
use mastor_java::interpret::library::frameworks::security;
use mastor_java::interpret::values::value::{Type, Value};
use mastor_java::ir::facts::{MemberFacts, MemberKind, Modifiers, TypeKind};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::ir::named::Named;
use mastor_types::user::LogsIn;

/// Interfaces through which Spring Security looks users up.
const SERVICES: &[&str] = &["UserDetailsService", "UserDetailsManager"];
/// Types through which a project authenticates users itself.
const OTHERS: &[&str] = &["AuthenticationProvider", "AuthenticationManager", "AuthenticationManagerResolver"];
/// Calls that configure users from other sources.
const ELSEWHERE: &[&str] = &["inMemoryAuthentication", "jdbcAuthentication", "ldapAuthentication", "preAuthenticated"];

/// The source of users.
enum Source {
    /// A class with one bean.
    Class(TypeId),
    /// A factory method of a configuration class.
    Factory(MemberId),
}

impl<'p> Server<'_> {
    /// The caller of the request. The authentication that the handler sees is stored in the machine.
    pub fn caller(&self, machine: &mut Machine<'p>) -> Eval<Caller> {
        let Some(name) = self.case.and_then(|case| case.as_user.as_deref()) else { return Ok(Caller::Nobody) };
        match self.looked_up(name) {
            Ok((login, source)) => self.load(machine, &login, &source),
            Err(why) => {
                machine.presume(&why);
                Ok(Caller::Somebody(None))
            }
        }
    }

    /// The user's login name at the service, and the source to look it up in.
    fn looked_up(&self, name: &str) -> Result<(String, Source), String> {
        let subject = self.bench.subject;
        let user = subject.shared.users.iter().find(|user| user.name == name);
        let user = user.ok_or_else(|| format!("who {name} is does not stand in the auth file"))?;
        let chain = self.chain()?.ok_or("credentials on a path that no chain guards")?;
        let context = &subject.endpoint.context_path;
        let understood = match &user.by {
            LogsIn::Basic => chain.entries.basic,
            LogsIn::Form(path) => chain.entries.form.as_ref().is_some_and(|page| *path == format!("{context}{page}")),
        };
        if !understood {
            return Err(format!("how {name} logs in is not followed"));
        }
        Ok((user.login.clone(), self.source()?))
    }

    fn source(&self) -> Result<Source, String> {
        let subject = self.bench.subject;
        let project = subject.project;
        let unclear = || "how users are looked up is not followed".to_owned();
        let last = |name: &str, all: &[&str]| name.rsplit('.').next().is_some_and(|simple| all.contains(&simple));
        if ELSEWHERE.iter().any(|name| subject.shared.usage().calls(name)) {
            return Err(unclear());
        }
        let services: Vec<TypeId> =
            project.types().filter(|ty| project.library_supers(*ty).iter().any(|name| last(name, SERVICES))).collect();
        let is_service = |method: &MemberFacts, within: TypeId| {
            let Some(made) = &method.ty else { return false };
            SERVICES.contains(&made.simple())
                || made.simple() == "InMemoryUserDetailsManager"
                || matches!(project.resolve(within, &made.erased()), Named::Project(ty) if services.contains(&ty))
        };
        let mut found = Vec::new();
        for ty in project.types().filter(|ty| counts(subject, *ty)) {
            let facts = project.ty(ty);
            let concrete = facts.kind == TypeKind::Class && !facts.modifiers.has(Modifiers::ABSTRACT);
            if concrete && project.library_supers(ty).iter().any(|name| last(name, OTHERS)) {
                return Err(unclear());
            }
            let active = is_active(subject, ty);
            let mut sources = Vec::new();
            if concrete && is_component(project, ty) && services.contains(&ty) {
                sources.push(Source::Class(ty));
            }
            for member in project.members(ty) {
                let method = project.member(member);
                let makes = method.kind == MemberKind::Method && has(&method.annotations, &["Bean"]);
                if makes && is_service(method, ty) {
                    sources.push(Source::Factory(member));
                }
            }
            match active {
                _ if sources.is_empty() => {}
                Some(true) => found.extend(sources),
                Some(false) => {}
                None => return Err(unclear()),
            }
        }
        let mut found = found.into_iter();
        match (found.next(), found.next()) {
            (Some(only), None) => Ok(only),
            _ => Err(unclear()),
        }
    }

    /// Runs the look-up, then discards the members and effects that it recorded: the operation depends only on who
    /// the caller is.
    fn load(&self, machine: &mut Machine<'p>, login: &str, source: &Source) -> Eval<Caller> {
        let (members, effects, exit) = (machine.members.clone(), machine.effects.len(), machine.exit);
        let (deeds, unordered) = (machine.store.deeds.len(), machine.store.is_unordered);
        let found = self.details(machine, login, source);
        machine.members = members;
        machine.effects.truncate(effects);
        machine.exit = exit;
        machine.store.deeds.truncate(deeds);
        machine.store.is_unordered = unordered;
        let details = match found {
            Ok(details @ Value::Ref(_)) => details,
            Ok(_) => {
                machine.presume(&format!("what is known of {login} at the service"));
                return Ok(Caller::Somebody(None));
            }
            Err(Stop::Throw(_)) => {
                machine.frames.clear();
                machine.catching = 0;
                machine.presume(&format!("{login} is not found at the service"));
                return Ok(Caller::Somebody(None));
            }
            Err(cut) => return Err(cut),
        };
        let authorities = security::authorities(machine, &details)?;
        if authorities.is_none() {
            machine.presume(&format!("which authorities {login} has"));
        }
        if !security::is_usable(machine, &details)? {
            machine.presume(&format!("whether {login} may log in"));
        }
        security::tell(machine, &details)?;
        Ok(Caller::Somebody(authorities))
    }

    fn details(&self, machine: &mut Machine<'p>, login: &str, source: &Source) -> Eval {
        let service = match source {
            Source::Class(ty) => Value::Ref(machine.bean(*ty)?),
            Source::Factory(member) => {
                let this = Value::Ref(machine.bean(member.ty)?);
                let params = machine.project.member(*member).params.clone();
                let mut given = Vec::new();
                for param in &params {
                    let ty = machine.type_of(member.ty, &param.ty);
                    given.push(machine.injected(&ty, &param.name, &param.annotations)?);
                }
                machine.invoke(*member, Some(this), given)?
            }
        };
        let login = machine.fresh_text(login);
        machine.call_method(service, "loadUserByUsername", vec![login])
    }

    /// The value of a parameter that receives the caller; `None` if the parameter receives something else, or the
    /// value is unknown.
    pub fn given_caller(&self, machine: &Machine<'_>, ty: &Type) -> Option<Value> {
        let case = self.case?;
        let is_details = match ty {
            Type::Class(class, _) => security::is_details(machine, class),
            _ => false,
        };
        let wanted = ty.library().is_some_and(security::is_principal);
        match (wanted, is_details, &case.as_user) {
            (false, false, _) => None,
            (.., None) if self.framework().binding.nobody_is_null => Some(Value::NULL),
            (true, _, Some(_)) => security::caller(machine),
            (_, true, Some(_)) => security::details(machine),
            _ => None,
        }
    }
}
