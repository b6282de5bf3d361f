//! Start-up code as inputs of operations: it runs once, before any request.
//!
//! Code that fills stores belongs to the operations that reach the stored types. A class that lists the parts of a
//! JAX-RS service belongs to all operations. Beans of library types and the declarations of configuration classes are
//! environment for all operations.
//!
//! They are inputs rather than edges: they run before any request, so an operation does not run what they call.

use std::collections::BTreeSet;

use super::input::{GlobalInput, ReachedCode};
use crate::code::annotations;
use crate::quarkus::panache;
use crate::routing::Inputs;
use crate::servlet::registrations::registrations;
use crate::spring::names::BEAN;
use crate::spring::rest_repositories::entity_of;
use mastor_java::ir::body::ExprKind;
use mastor_java::ir::facts::MemberKind;
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::ir::named::Named;
use mastor_java::project::index::Project;
use mastor_types::Hash;
use mastor_types::manifest::InputClass;

/// Library types whose implementations run once the service has started.
const RUNNERS: [&str; 4] =
    ["CommandLineRunner", "ApplicationRunner", "SmartInitializingSingleton", "ServletContextListener"];

/// Events that are published when the service has started.
const STARTED: [&str; 4] =
    ["ContextRefreshedEvent", "ApplicationReadyEvent", "ApplicationStartedEvent", "StartupEvent"];

/// Events of CDI that Quarkus fires when the service has started (Quarkus guides, "Application initialization and
/// termination").
const OBSERVED: [&str; 2] = ["StartupEvent", "Startup"];

/// Annotations of types that a store holds.
const STORED: [&str; 6] = [
    "javax.persistence.Entity",
    "jakarta.persistence.Entity",
    "org.springframework.data.mongodb.core.mapping.Document",
    "org.springframework.data.relational.core.mapping.Table",
    "org.springframework.data.redis.core.RedisHash",
    "org.springframework.data.elasticsearch.annotations.Document",
];

/// One type that fills stores at start-up.
struct Seed {
    input: GlobalInput,
    stored: BTreeSet<TypeId>,
}

/// All start-up inputs.
pub(super) struct StartupInputs {
    seeds: Vec<Seed>,
    /// Inputs that all operations share.
    shared: Vec<Shared>,
}

/// A start-up input of all operations.
struct Shared {
    input: GlobalInput,
    /// The factory method that creates it. An operation that reaches this method has it as code already.
    member: Option<MemberId>,
    ty: TypeId,
}

/// Library types whose subclasses list the parts of a service.
const APPLICATIONS: [&str; 4] = [
    "javax.ws.rs.core.Application",
    "jakarta.ws.rs.core.Application",
    "io.dropwizard.Application",
    "io.dropwizard.core.Application",
];

/// Annotations of classes that configure a container.
const CONFIGURATIONS: [&str; 3] = [
    "org.springframework.context.annotation.Configuration",
    "org.springframework.boot.autoconfigure.SpringBootApplication",
    "org.springframework.boot.SpringBootConfiguration",
];

/// Substrings of the names of types that only describe a service for people and affect no answer.
const DESCRIBING: [&str; 5] = ["springfox", "swagger", "springdoc", "Docket", "OpenAPI"];

impl StartupInputs {
    pub(super) fn of(inputs: &Inputs<'_>) -> Self {
        let project = inputs.project;
        let seeds = project.types().filter(|ty| runs_at_start(project, *ty)).filter_map(|ty| {
            let stored = stored_by(project, ty);
            let members = starting_members(project, ty);
            let members = members.into_iter().map(|member| project.member(member).tokens.hex());
            let parts: Vec<String> = members.chain([project.ty(ty).header.hex()]).collect();
            let hash = Hash::of_parts(parts.iter().map(|part| part.as_bytes()));
            let input = GlobalInput {
                id: format!("global:start-up {}", project.fqn(ty)).into(),
                file: project.path_of(ty).into(),
                class: InputClass::Code,
                hash,
            };
            (!stored.is_empty()).then_some(Seed { input, stored })
        });
        let mut shared: Vec<Shared> = project.types().flat_map(|ty| shared(project, ty)).collect();
        // If a filter is registered for some paths only, its registration belongs to the operations at these paths.
        let apart = registrations(project).into_iter().filter(|one| one.patterns.is_some()).map(|one| one.member);
        let apart: BTreeSet<MemberId> = apart.collect();
        shared.retain(|one| one.member.is_none_or(|member| !apart.contains(&member)));
        Self { seeds: seeds.collect(), shared }
    }

    pub(super) fn inputs_for(&self, touched: &ReachedCode<'_>) -> Vec<GlobalInput> {
        let reached = self.seeds.iter().filter(|seed| seed.stored.iter().any(|ty| touched.has_type(*ty)));
        let apart = self.shared.iter().filter(|shared| match shared.member {
            Some(member) => !touched.has_member(member),
            None => !touched.has_type(shared.ty),
        });
        reached.map(|seed| &seed.input).chain(apart.map(|shared| &shared.input)).cloned().collect()
    }
}

/// The start-up inputs of a type that all operations share.
fn shared(project: &Project, ty: TypeId) -> Vec<Shared> {
    let facts = project.ty(ty);
    let mut found = Vec::new();
    let input = |id: String, class, hash| {
        let file = project.path_of(ty).into();
        GlobalInput { id: format!("global:{id}").into(), file, class, hash }
    };
    let above = std::iter::once(ty).chain(project.all_supers(ty)).flat_map(|ty| project.supers(ty));
    if above.filter_map(|above| above.named.library()).any(|name| APPLICATIONS.contains(&name)) {
        let parts: Vec<String> = project.members(ty).map(|member| project.member(member).tokens.hex()).collect();
        let hash = Hash::of_parts(parts.iter().map(|part| part.as_bytes()));
        let input = input(format!("application {}", project.fqn(ty)), InputClass::Code, hash);
        found.push(Shared { input, member: None, ty });
    }
    if annotations::has(project, ty, &facts.annotations, &CONFIGURATIONS) {
        let input = input(format!("configuration {}", project.fqn(ty)), InputClass::Environment, facts.header);
        found.push(Shared { input, member: None, ty });
    }
    for member in project.members(ty) {
        let facts = project.member(member);
        let Some(made) = facts.ty.as_ref().filter(|_| facts.kind == MemberKind::Method) else { continue };
        if !annotations::has(project, ty, &facts.annotations, &[BEAN]) {
            continue;
        }
        let (Named::Library(name) | Named::Unknown(name)) = project.resolve_at(member, &made.name) else { continue };
        let runner = RUNNERS.contains(&made.simple());
        if !runner && !DESCRIBING.iter().any(|part| name.contains(part)) {
            let input = input(format!("bean {}", project.symbol(member)), InputClass::Environment, facts.tokens);
            found.push(Shared { input, member: Some(member), ty });
        }
    }
    found
}

/// Whether a type contains code that runs once when the service has started.
pub fn runs_at_start(project: &Project, ty: TypeId) -> bool {
    is_runner(project, ty) || project.members(ty).any(|member| starts(project, member))
}

/// Whether the container runs a class when the service has started, by its supertypes.
fn is_runner(project: &Project, ty: TypeId) -> bool {
    project.supers(ty).iter().any(|above| {
        above.named.library().is_some_and(|name| is_simply(name, &RUNNERS))
            || above.args.iter().any(|event| is_simply(&event.name, &STARTED))
    })
}

/// Whether the container calls a member when the service has started, by its annotations, or uses it to create code that
/// runs then.
fn starts(project: &Project, member: MemberId) -> bool {
    let facts = project.member(member);
    let factory = facts.kind == MemberKind::Method
        && facts.ty.as_ref().is_some_and(|made| is_simply(&made.name, &RUNNERS))
        && facts.annotations.iter().any(|annotation| annotation.simple() == "Bean");
    let is_marked = |names: &[&str]| facts.annotations.iter().any(|one| names.contains(&one.simple()));
    let observes = facts.params.iter().any(|param| {
        param.annotations.iter().any(|one| one.simple() == "Observes") && is_simply(&param.ty.name, &OBSERVED)
    });
    let listens = is_marked(&["EventListener", "Startup"])
        && facts.params.iter().any(|param| is_simply(&param.ty.name, &STARTED));
    // Quarkus calls such a method without arguments when the service starts.
    let is_called = facts.kind == MemberKind::Method && facts.params.is_empty() && is_marked(&["Startup"]);
    factory || listens || observes || is_called
}

/// Whether the last part of a name is among these.
fn is_simply(name: &str, known: &[&str]) -> bool {
    known.contains(&name.rsplit('.').next().unwrap_or(name))
}

/// The members of a class that may run when the service starts. Of a class that the container runs as a whole, or that has a
/// superclass in the project, these are all members. Of other classes these are fields, constructors and initialisers, the
/// methods that the container calls then or takes beans from, and the methods of the class that their code calls.
pub fn starting_members(project: &Project, ty: TypeId) -> BTreeSet<MemberId> {
    let is_whole = is_runner(project, ty) || project.supers(ty).iter().any(|above| above.named.project().is_some());
    let is_start = |member: &MemberId| {
        let facts = project.member(*member);
        is_whole
            || facts.kind != MemberKind::Method
            || starts(project, *member)
            || facts.annotations.iter().any(|one| ["Bean", "PostConstruct", "Produces"].contains(&one.simple()))
    };
    let mut found: BTreeSet<MemberId> = project.members(ty).filter(is_start).collect();
    let mut open: Vec<MemberId> = found.iter().copied().collect();
    while let Some(member) = open.pop() {
        let Some(body) = project.body(member) else { continue };
        let named: BTreeSet<&str> = body
            .exprs
            .iter()
            .filter_map(|expr| match &expr.kind {
                ExprKind::Call { name, .. } | ExprKind::MethodRef { name, .. } => Some(name.as_str()),
                _ => None,
            })
            .collect();
        let called = project.members(ty).filter(|one| named.contains(project.member(*one).name.as_str()));
        open.extend(called.filter(|one| found.insert(*one)));
    }
    found
}

/// The stored types that the file of a type names, directly or through their repositories.
pub fn stored_by(project: &Project, ty: TypeId) -> BTreeSet<TypeId> {
    let words = &project.file(project.file_of(ty)).facts.type_words;
    let named = words.iter().filter_map(|word| project.resolve(ty, word).project());
    named
        .filter_map(|named| {
            let is_stored = annotations::has(project, named, &project.ty(named).annotations, &STORED);
            if is_stored {
                Some(named)
            } else {
                entity_of(project, named).or_else(|| panache::entity_of(project, named))
            }
        })
        .collect()
}
