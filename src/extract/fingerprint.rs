//! The fingerprint: closures of all entries, and for each operation the manifest of what decides how it behaves (DESIGN §7).

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::analysis::Analysis;
use super::closure::{Closure, closure};
use super::literals::Literals;
use super::matching::Match;
use super::operations::Surface;
use super::plan::Fingerprinted;
use super::reach::Reach;
use crate::event::Events;
use crate::frameworks::Endpoint;
use crate::frameworks::context::{Context, Touched};
use crate::java::ids::{MemberId, TypeId};
use crate::java::project::Project;
use crate::java::resolver::Resolver;
use crate::openapi;
use crate::types::hash::Hash;
use crate::types::manifest::{InputClass, Manifest};
use crate::types::report::MatchStatus;

/// Follows every entry of a revision and makes the manifests. Work is done once per entry method and receiver, in parallel; the result does
/// not depend on the order.
pub fn analyse(surface: Surface, events: &Events) -> Analysis {
    let context = Context::of(&surface.inputs(), &surface.endpoints, &surface.exceptions);
    let closures = follow(&surface, &context);
    let literals = Literals::of(&surface.project, closures.values().map(Arc::as_ref));
    let members = MemberHashes::of(&surface.project);
    let operations: Vec<(Fingerprinted, Option<Arc<Closure>>)> = surface
        .matches
        .par_iter()
        .filter(|m| m.status != MatchStatus::Framework)
        .map(|operation| one(&surface, &context, &literals, &members, &closures, operation))
        .collect();
    events.detail(format!("followed {} entries", closures.len()));
    let by_operation = operations.iter().filter_map(|(o, closure)| Some((o.op_id.clone(), closure.clone()?))).collect();
    let operations = operations.into_iter().map(|(operation, _)| operation).collect();
    Analysis { surface, operations, closures: by_operation }
}

type Closures = BTreeMap<(MemberId, TypeId), Arc<Closure>>;

fn follow(surface: &Surface, context: &Context) -> Closures {
    let mut entries: Vec<(MemberId, TypeId)> = surface.endpoints.iter().map(|e| (e.entry, e.receiver)).collect();
    entries.sort();
    entries.dedup();
    let resolver = Resolver::new(&surface.project);
    let reach = Reach::new(resolver, &context.beans, &context.edges);
    entries
        .into_par_iter()
        .map(|(entry, receiver)| ((entry, receiver), Arc::new(closure(&reach, entry, Some(receiver)))))
        .collect()
}

fn one(
    surface: &Surface,
    context: &Context,
    literals: &Literals,
    hashes: &MemberHashes,
    closures: &Closures,
    operation: &Match,
) -> (Fingerprinted, Option<Arc<Closure>>) {
    let mut manifest = Manifest::default();
    if let Some(document) = &surface.document
        && let Some(described) = operation.operation.and_then(|index| document.operations.get(index))
    {
        let part = openapi::operation_part_hash(document, described);
        manifest.add(format!("openapi:{}", operation.op_id), InputClass::Code, part);
    }
    let mut whole: Option<Arc<Closure>> = None;
    for endpoint in operation.endpoints.iter().filter_map(|index| surface.endpoints.get(*index)) {
        let Some(closure) = closures.get(&(endpoint.entry, endpoint.receiver)) else { continue };
        route(surface, hashes, endpoint, &mut manifest);
        hashes.add(&surface.project, closure, &mut manifest);
        let members = closure.members.keys().copied().chain(endpoint.rests_on.iter().copied()).collect();
        let types = closure.types.iter().copied().chain(closure.members.keys().map(|member| member.ty)).collect();
        let touched = Touched { members: &members, types: &types, literals: &literals.within(&members, &types) };
        for input in context.inputs_for(&touched) {
            manifest.add(input.id, input.class, input.hash);
        }
        if whole.is_none() {
            whole = Some(closure.clone());
        }
    }
    // Files in other JVM languages can hold anything that is reached.
    for path in surface.project.opaque().iter().filter(|_| whole.is_some()) {
        if let Some(entry) = surface.tree.get(path) {
            manifest.add(format!("global:{path}"), InputClass::Code, Hash::of(entry.blob.to_string().as_bytes()));
        }
    }
    let entry = surface.endpoint(operation).map(|endpoint| Analysis::entry_of(surface, endpoint));
    (Fingerprinted { op_id: operation.op_id.clone(), entry, manifest }, whole)
}

/// The route itself, and what it rests on: constants, declarations in interfaces, members that build routes, configuration keys.
fn route(surface: &Surface, hashes: &MemberHashes, endpoint: &Endpoint, manifest: &mut Manifest) {
    let parts = [
        endpoint.method.as_str(),
        &endpoint.context_path,
        &endpoint.raw_path,
        &endpoint.consumes.join(","),
        &endpoint.produces.join(","),
    ];
    let hash = Hash::of_parts(parts.iter().map(|part| part.as_bytes()));
    manifest.add(format!("global:route {} {}", endpoint.method, endpoint.path), InputClass::Code, hash);
    for member in &endpoint.rests_on {
        hashes.member(&surface.project, *member, manifest);
    }
    hashes.ty(&surface.project, endpoint.receiver, manifest);
    hashes.ty(&surface.project, endpoint.entry.ty, manifest);
}

/// Symbols of members and types, made once: many operations share them.
struct MemberHashes {
    symbols: Vec<Vec<String>>,
}

impl MemberHashes {
    fn of(project: &Project) -> Self {
        let types: Vec<TypeId> = project.types().collect();
        let symbols =
            types.par_iter().map(|ty| project.members(*ty).map(|member| project.symbol(member)).collect()).collect();
        Self { symbols }
    }

    fn add(&self, project: &Project, closure: &Closure, manifest: &mut Manifest) {
        for member in closure.members.keys() {
            self.member(project, *member, manifest);
        }
        for ty in &closure.types {
            self.ty(project, *ty, manifest);
        }
        for widening in &closure.widenings {
            let name = format!("global:unresolved {}", widening.what);
            manifest.add(name, InputClass::Code, Hash::of(widening.what.as_bytes()));
        }
    }

    fn member(&self, project: &Project, member: MemberId, manifest: &mut Manifest) {
        let symbol = self.symbols.get(member.ty.0 as usize).and_then(|list| list.get(member.index as usize));
        if let Some(symbol) = symbol {
            manifest.add(symbol.clone(), InputClass::Code, project.member(member).tokens);
        }
    }

    fn ty(&self, project: &Project, ty: TypeId, manifest: &mut Manifest) {
        manifest.add(project.fqn(ty).to_owned(), InputClass::Code, project.ty(ty).header);
    }
}
