//! The Spring Security configuration of a project: its chains, the ignored paths, and the enabled method annotations.

use super::caller::Caller;
use super::chain::{Access, Chain, Entries, Paths, Refusal, Requests, Verdict};
use super::generation::Generation;
use super::reader;
use crate::files::properties::Properties;
use mastor_java::ir::facts::{Annotation, MemberKind, Modifiers, TypeKind, Value};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::ir::named::Named;
use mastor_java::project::index::Project;
use mastor_types::Method;

/// The enabled method security annotations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OnMethods {
    /// `@Secured`.
    pub secured: bool,
    /// `@PreAuthorize` and related annotations.
    pub expressions: bool,
    /// `@RolesAllowed` and related annotations.
    pub roles: bool,
}

/// The security configuration of a project.
#[derive(Debug, Clone, Default)]
pub struct Security {
    /// Its chains, in the order of their types.
    pub chains: Vec<Chain>,
    /// Paths that no chain guards, with the class that configures them.
    pub ignored: Vec<(TypeId, Requests)>,
    /// The enabled method annotations, with the class that enables them.
    pub on_methods: Vec<(TypeId, OnMethods)>,
    /// Classes with security configuration that is not read.
    pub others: Vec<TypeId>,
}

pub(super) const ADAPTER: &str = "WebSecurityConfigurerAdapter";
/// The OAuth 2 resource server adapter from before Spring Security 5.
const RESOURCES: &str = "ResourceServerConfigurerAdapter";

impl Security {
    /// Reads the configuration of a project.
    pub fn of(project: &Project) -> Self {
        let mut found = Self::default();
        for ty in project.types() {
            let facts = project.ty(ty);
            for annotation in &facts.annotations {
                if let Some(on) = on_methods(annotation) {
                    found.on_methods.push((ty, on));
                }
            }
            let extends = |name: &str| facts.kind == TypeKind::Class && is_below(project, ty, name);
            let resources = extends(RESOURCES);
            if resources || extends(ADAPTER) {
                found.adapter(project, ty, resources);
            } else if configures(project, ty) {
                found.others.push(ty);
            }
            for member in project.members(ty) {
                let method = project.member(member);
                let bean = method.kind == MemberKind::Method && method.annotations.iter().any(|a| a.simple() == "Bean");
                match method.ty.as_ref().map(|ty| ty.simple()) {
                    Some("SecurityFilterChain") if bean => {
                        found.chains.push(reader::chain(project, ty, Some(member)));
                    }
                    Some("WebSecurityCustomizer") if bean => {
                        found.ignored.push((ty, reader::ignored(project, member)));
                    }
                    _ => {}
                }
            }
        }
        found
    }

    /// Adds the chain of an adapter class. A class with subclasses is not a bean of its own: two adapters with the same
    /// order cannot start.
    fn adapter(&mut self, project: &Project, ty: TypeId, resources: bool) {
        let facts = project.ty(ty);
        if facts.modifiers.has(Modifiers::ABSTRACT) || !project.subtypes(ty).is_empty() {
            return;
        }
        let configures = |wanted: &str| -> Option<MemberId> {
            project
                .find_method(ty, "configure", 1)
                .into_iter()
                .find(|member| project.member(*member).params.first().is_some_and(|param| param.ty.simple() == wanted))
        };
        if let Some(member) = configures("WebSecurity") {
            self.ignored.push((ty, reader::ignored(project, member)));
        }
        let mut chain = reader::chain(project, ty, configures("HttpSecurity"));
        if resources {
            // A request without a token is rejected with a challenge, and without a session there is no CSRF.
            chain.csrf = false;
            chain.entries = Entries { bearer: true, ..Entries::default() };
        }
        self.chains.push(chain);
    }

    /// The classes that configure chains.
    pub fn owners(&self) -> impl Iterator<Item = TypeId> {
        let ignored = self.ignored.iter().map(|(owner, _)| *owner);
        self.chains.iter().map(|chain| chain.owner).chain(self.others.iter().copied()).chain(ignored)
    }

    /// Whether a class for which `counts` is true configures security.
    pub fn is_configured(&self, counts: &dyn Fn(TypeId) -> bool) -> bool {
        self.chains.iter().map(|chain| &chain.owner).chain(&self.others).any(|owner| counts(*owner))
    }

    /// The chain that handles a request; `Ok(None)` if there is none.
    pub fn chain_for(
        &self,
        method: Method,
        path: &str,
        counts: &dyn Fn(TypeId) -> bool,
    ) -> Result<Option<&Chain>, String> {
        if self.others.iter().any(|owner| counts(*owner)) {
            return Err("a security configuration that is not followed".to_owned());
        }
        for (_, requests) in self.ignored.iter().filter(|(owner, _)| counts(*owner)) {
            match requests.hold(method, path) {
                Some(true) => return Ok(None),
                Some(false) => {}
                None => return Err("which paths security ignores is not known".to_owned()),
            }
        }
        let mut fitting = Vec::new();
        for chain in self.chains.iter().filter(|chain| counts(chain.owner)) {
            match chain.scope.as_ref().map_or(Some(true), |scope| scope.hold(method, path)) {
                Some(true) => fitting.push(chain),
                Some(false) => {}
                None => return Err("which chain of security filters counts is not known".to_owned()),
            }
        }
        match fitting.as_slice() {
            [] => Ok(None),
            [only] => Ok(Some(only)),
            several => {
                // A chain for some paths comes before the one for all paths; otherwise it would never be used.
                let own: Vec<&&Chain> = several.iter().filter(|chain| chain.scope.is_some()).collect();
                match own.as_slice() {
                    [only] => Ok(Some(only)),
                    _ => Err("which of several chains of security filters counts is not known".to_owned()),
                }
            }
        }
    }

    /// The enabled method annotations.
    pub fn on_methods(&self, counts: &dyn Fn(TypeId) -> bool) -> OnMethods {
        let own = self.on_methods.iter().filter(|(owner, _)| counts(*owner)).map(|(_, on)| *on);
        own.fold(OnMethods::default(), |a, b| OnMethods {
            secured: a.secured || b.secured,
            expressions: a.expressions || b.expressions,
            roles: a.roles || b.roles,
        })
    }
}

/// Whether a class extends a library class with this simple name, directly or indirectly; a wildcard import leaves its
/// package open.
pub(super) fn is_below(project: &Project, ty: TypeId, name: &str) -> bool {
    std::iter::once(ty).chain(project.all_supers(ty)).any(|at| {
        project.supers(at).iter().any(|above| match &above.named {
            Named::Library(fqn) | Named::Unknown(fqn) => fqn.rsplit('.').next() == Some(name),
            _ => false,
        })
    })
}

/// Whether a class has a method with a chain builder as parameter, and no method that returns a chain.
fn configures(project: &Project, ty: TypeId) -> bool {
    project.members(ty).any(|member| {
        let facts = project.member(member);
        let handed =
            facts.params.iter().any(|param| matches!(param.ty.simple(), "HttpSecurity" | "ServerHttpSecurity"));
        let makes = facts.ty.as_ref().is_some_and(|ty| ty.simple() == "SecurityFilterChain");
        handed
            && !makes
            && facts.kind == MemberKind::Method
            && !facts.modifiers.has(Modifiers::PRIVATE)
            && !project
                .members(ty)
                .any(|other| project.member(other).ty.as_ref().is_some_and(|ty| ty.simple() == "SecurityFilterChain"))
    })
}

/// Spring Boot's default chain for a project without configuration.
pub fn by_default(
    owner: TypeId,
    near: &str,
    generation: Option<Generation>,
    properties: &Properties,
) -> Result<Chain, String> {
    let mut chain = Chain::new(owner, None);
    let all = Requests { method: None, paths: vec![Paths::All] };
    chain.rules.push((all, Access::Somebody));
    chain.is_closed = true;
    chain.entries.basic = true;
    match generation {
        Some(Generation::Four) => {
            let mut set =
                properties.all.iter().filter(|p| p.key.starts_with("security.") && !p.key.starts_with("security.user"));
            if let Some(property) = set.find(|p| p.key != "security.basic.enabled") {
                return Err(format!("{} configures security", property.key));
            }
            chain.csrf = false;
            if properties.get(near, "security.basic.enabled").is_some_and(|p| p.value.trim() == "false") {
                chain.rules.clear();
                chain.is_closed = false;
            }
        }
        Some(_) => chain.entries.form = Some("/login".to_owned()),
        None => return Err("Spring Security guards every path by default".to_owned()),
    }
    Ok(chain)
}

/// Reads `@EnableGlobalMethodSecurity` and `@EnableMethodSecurity`.
fn on_methods(annotation: &Annotation) -> Option<OnMethods> {
    let modern = match annotation.simple() {
        "EnableGlobalMethodSecurity" => false,
        "EnableMethodSecurity" => true,
        _ => return None,
    };
    let flag = |name: &str, default: bool| match annotation.arg(name) {
        Some(Value::Bool(flag)) => *flag,
        Some(_) => true,
        None => default,
    };
    Some(OnMethods {
        secured: flag("securedEnabled", false),
        expressions: flag("prePostEnabled", modern),
        roles: flag("jsr250Enabled", false),
    })
}

/// The answer if method security rejects a caller.
pub fn refusal_of(chain: Option<&Chain>, generation: Generation, caller: &Caller) -> Result<Refusal, String> {
    match chain {
        Some(chain) => match chain.refused(generation, caller) {
            Verdict::Refused(refusal) => Ok(refusal),
            Verdict::Unknown(why) => Err(why),
            Verdict::Open => Err("a guarded method without a guard".to_owned()),
        },
        None => Err("a guarded method on a path that no chain guards".to_owned()),
    }
}
