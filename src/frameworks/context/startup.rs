//! Code that runs at start-up and fills stores, as an input of the operations that reach what it stores.
//!
//! It is an input and not an edge: it runs once, before any request, so what it calls is no part of what an operation runs.

use std::collections::BTreeSet;

use super::input::{GlobalInput, Touched};
use crate::frameworks::annotations;
use crate::frameworks::routing::Inputs;
use crate::frameworks::spring::rest_repositories::entity_of;
use crate::java::facts::MemberKind;
use crate::java::ids::TypeId;
use crate::java::project::Project;
use crate::types::Hash;
use crate::types::manifest::InputClass;

/// Library types whose implementations run once the service has started.
const RUNNERS: [&str; 4] =
    ["CommandLineRunner", "ApplicationRunner", "SmartInitializingSingleton", "ServletContextListener"];

/// Events that are published when the service has started.
const STARTED: [&str; 4] =
    ["ContextRefreshedEvent", "ApplicationReadyEvent", "ApplicationStartedEvent", "StartupEvent"];

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

/// All of them.
pub(super) struct StartupInputs {
    seeds: Vec<Seed>,
}

impl StartupInputs {
    pub(super) fn of(inputs: &Inputs<'_>) -> Self {
        let project = inputs.project;
        let seeds = project.types().filter(|ty| runs_at_start(project, *ty)).filter_map(|ty| {
            let stored = stored_by(inputs, ty);
            let parts: Vec<String> = project.members(ty).map(|member| project.member(member).tokens.hex()).collect();
            let hash = Hash::of_parts(parts.iter().map(|part| part.as_bytes()));
            let input =
                GlobalInput { id: format!("global:start-up {}", project.fqn(ty)), class: InputClass::Code, hash };
            (!stored.is_empty()).then_some(Seed { input, stored })
        });
        Self { seeds: seeds.collect() }
    }

    pub(super) fn inputs_for(&self, touched: &Touched<'_>) -> Vec<GlobalInput> {
        let reached = self.seeds.iter().filter(|seed| seed.stored.iter().any(|ty| touched.types.contains(ty)));
        reached.map(|seed| seed.input.clone()).collect()
    }
}

fn runs_at_start(project: &Project, ty: TypeId) -> bool {
    let simple = |name: &str, known: &[&str]| known.contains(&name.rsplit('.').next().unwrap_or(name));
    project.supers(ty).iter().any(|above| {
        above.named.library().is_some_and(|name| simple(name, &RUNNERS))
            || above.args.iter().any(|event| simple(&event.name, &STARTED))
    }) || project.members(ty).any(|member| {
        let facts = project.member(member);
        let factory = facts.kind == MemberKind::Method
            && facts.ty.as_ref().is_some_and(|made| simple(&made.name, &RUNNERS))
            && facts.annotations.iter().any(|annotation| annotation.simple() == "Bean");
        let listens =
            facts.annotations.iter().any(|annotation| matches!(annotation.simple(), "EventListener" | "Startup"))
                && facts.params.iter().any(|param| simple(&param.ty.name, &STARTED));
        factory || listens
    })
}

/// The stored types that the file of a type names, directly or by their repositories.
fn stored_by(inputs: &Inputs<'_>, ty: TypeId) -> BTreeSet<TypeId> {
    let project = inputs.project;
    let words = &project.file(project.file_of(ty)).facts.type_words;
    let named = words.iter().filter_map(|word| project.resolve(ty, word).project());
    named
        .filter_map(|named| {
            let is_stored = annotations::has(project, named, &project.ty(named).annotations, &STORED);
            if is_stored { Some(named) } else { entity_of(inputs, named) }
        })
        .collect()
}
