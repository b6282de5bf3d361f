//! The fingerprint: closures of all entries, and for each operation the manifest of everything that decides how it
//! behaves.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rayon::prelude::*;

use super::analysis::Analysis;
use super::library_meanings::LibraryMeanings;
use super::plan::Fingerprinted;
use super::symbols::{Code, Gathered, Inputs, Symbols};
use super::unreached::{UnreachedInput, is_input, unreached};
use crate::api::hidden::hidden;
use crate::api::matching::Match;
use crate::api::operations::Surface;
use crate::linked::reach::Reach;
use crate::members::closure::Closure;
use crate::members::literals::Literals;
use crate::walks::core::Cores;
use crate::walks::cores::CoreThresholds;
use crate::walks::walk::{Start, closure, look_ahead};
use mastor_frameworks::Endpoint;
use mastor_frameworks::context::{Context, GlobalInput, ReachedCode};
use mastor_java::ir::facts::TypeKind;
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;
use mastor_java::resolve::resolver::Resolver;
use mastor_openapi as openapi;
use mastor_types::OpId;
use mastor_types::event::Events;
use mastor_types::hash::Hash;
use mastor_types::manifest::{InputClass, Manifest};
use mastor_types::places::IndexSet;
use mastor_types::results::report::MatchStatus;
use mastor_types::suite::source_context::Entry;

/// Computes the closure of every entry of a revision, and the manifests. Each entry method and receiver is followed
/// once, in parallel; the result does not depend on the order.
pub fn analyse(surface: Surface, events: &Events) -> Analysis {
    let mut context = Context::of(&surface.inputs(), &surface.endpoints, &surface.exceptions);
    crate::api::document_edges::add(&surface, &mut context.edges);
    // Threads sometimes idle while entries are followed, so `Symbols` is computed in parallel.
    let meanings = LibraryMeanings::of(&surface.project);
    let follow = || follow(&surface, &context, &meanings);
    let ((closures, unreached), symbols) = rayon::join(follow, || Symbols::of(&surface.project, &meanings));
    let all: Vec<MemberId> = surface.project.types().flat_map(|ty| surface.project.members(ty)).collect();
    let named = || {
        let literals = Literals::of(&surface.project, &all, closures.values().map(Arc::as_ref));
        context.index(literals.all(), &literals.beside(&surface.project));
        literals
    };
    let (literals, codes) = rayon::join(named, || codes((&surface.project, &all), &closures, &symbols));
    let reached = Reached { surface: &surface, context: &context, literals: &literals, closures: &closures, all: &all };
    let surroundings = reached.surroundings(&symbols);
    let found: Vec<OperationInputs> = surface
        .matches
        .par_iter()
        .filter(|m| m.status != MatchStatus::Framework)
        .map(|operation| one(&reached, (&surroundings, &codes), &symbols, operation))
        .collect();
    events.detail(format!("followed {} entries", closures.len()));
    let manifests = symbols.manifests(&found.iter().map(|operation| &operation.inputs).collect::<Vec<_>>());
    let by_operation = found.iter().filter_map(|o| Some((o.op_id.clone(), o.closure.clone()?))).collect();
    let operation = |(found, manifest): (OperationInputs, Manifest)| {
        let OperationInputs { op_id, entry, route, says_names, .. } = found;
        Fingerprinted { op_id, entry, route, manifest, says_names }
    };
    let operations: Vec<Fingerprinted> = found.into_iter().zip(manifests).map(operation).collect();
    let shared = operations.first().map(|first| first.manifest.shared().clone()).unwrap_or_default();
    let unreached = unreached.into_iter().filter(|one| !is_input(&shared, &one.name)).collect();
    let hidden = hidden(&surface.project, &surface.endpoints);
    let (users, targets) = (Vec::new(), Default::default());
    Analysis { surface, operations, closures: by_operation, unreached, hidden, users, targets }
}

/// An operation with all of its inputs.
struct OperationInputs {
    op_id: OpId,
    entry: Option<Entry>,
    route: Option<String>,
    says_names: bool,
    inputs: Gathered,
    /// The closure of its entry.
    closure: Option<Arc<Closure>>,
}

/// Library calls that read the full name of a class, or find a class by it.
const NAMING: [&str; 7] = [
    "Class.getName",
    "Class.getCanonicalName",
    "Class.getTypeName",
    "Class.getPackageName",
    "Class.getPackage",
    "Class.forName",
    "ClassLoader.loadClass",
];

type Closures = BTreeMap<(MemberId, TypeId), Arc<Closure>>;

/// The closure of every entry, and the code that no operation reaches.
fn follow(surface: &Surface, context: &Context, meanings: &LibraryMeanings) -> (Closures, Vec<UnreachedInput>) {
    let reads = reads(surface);
    let entries: Vec<(MemberId, TypeId)> = reads.keys().copied().collect();
    let resolver = Resolver::new(&surface.project);
    let reach = Reach::new(resolver, &context.beans, &context.edges);
    look_ahead(&reach, &entries);
    let none = Cores::default();
    let cores = Cores::of(&reach, &entries, &none, CoreThresholds::default());
    let closures: Closures = entries
        .into_par_iter()
        // There are few items, and one can take as long as several others.
        .with_max_len(1)
        .map(|(entry, receiver)| {
            let start = Start { entry, receiver, reads: reads[&(entry, receiver)] };
            ((entry, receiver), Arc::new(closure(&reach, &cores, start)))
        })
        .collect();
    let unreached = beside(surface, (&reach, meanings), &closures);
    drop(cores);
    reach.finish();
    (closures, unreached)
}

/// For each entry, whether all HTTP methods that it serves are safe.
fn reads(surface: &Surface) -> BTreeMap<(MemberId, TypeId), bool> {
    let mut reads = BTreeMap::new();
    for endpoint in &surface.endpoints {
        *reads.entry((endpoint.entry, endpoint.receiver)).or_insert(true) &= endpoint.method.is_safe();
    }
    reads
}

/// The code that no operation reaches.
fn beside(
    surface: &Surface,
    (reach, meanings): (&Reach<'_>, &LibraryMeanings),
    closures: &Closures,
) -> Vec<UnreachedInput> {
    let served = surface.matches.iter().filter(|one| one.status != MatchStatus::Framework);
    let served: BTreeSet<usize> = served.flat_map(|one| one.endpoints.iter().copied()).collect();
    let closure = |at: &usize| {
        let endpoint = surface.endpoints.get(*at)?;
        closures.get(&(endpoint.entry, endpoint.receiver))
    };
    let mut reached = IndexSet::default();
    served.iter().filter_map(closure).for_each(|closure| reached.join(closure.members.numbers()));
    let others = surface.endpoints.iter().enumerate().filter(|(at, _)| !served.contains(at));
    let entries = others.map(|(_, endpoint)| endpoint.entry).collect();
    unreached(&surface.tree, (reach, meanings), &reached, &entries)
}

/// The result of following all entries.
struct Reached<'a> {
    surface: &'a Surface,
    context: &'a Context,
    literals: &'a Literals<'a>,
    closures: &'a Closures,
    /// The members of the project, indexed by number.
    all: &'a [MemberId],
}

/// Inputs other than code, by number. They depend on the closure and on the members that define the route; many
/// operations share both.
type Surroundings<'a> = BTreeMap<(MemberId, TypeId, &'a [MemberId]), Vec<u32>>;

/// The code of each closure.
type Codes = BTreeMap<(MemberId, TypeId), Code>;

/// The code of each closure; several operations can share one.
fn codes(project: (&Project, &[MemberId]), closures: &Closures, symbols: &Symbols<'_>) -> Codes {
    closures.par_iter().map(|(key, closure)| (*key, code(project, closure, symbols))).collect()
}

impl<'a> Reached<'a> {
    fn surroundings(&self, symbols: &Symbols<'_>) -> Surroundings<'a> {
        let keys: BTreeSet<_> = self.surface.endpoints.iter().map(place).collect();
        let numbers = |found: Vec<GlobalInput>| {
            symbols.others().numbers(found.into_iter().map(|input| (input.id, input.class, input.hash)))
        };
        keys.into_par_iter().filter_map(|key| Some((key, numbers(self.beside(key)?)))).collect()
    }

    fn beside(&self, (entry, receiver, rests_on): (MemberId, TypeId, &[MemberId])) -> Option<Vec<GlobalInput>> {
        let closure = self.closures.get(&(entry, receiver))?;
        let mut numbers = closure.members.numbers().clone();
        let types = ascending([closure.types.clone(), owners(&members(&numbers, self.all))].concat());
        let more = rests_on.iter().filter_map(|member| self.all.binary_search(member).ok());
        more.for_each(|number| numbers.insert(number as u32));
        let members = members(&numbers, self.all);
        let said = self.literals.within(&numbers, &types);
        let home = self.surface.project.path_of(receiver);
        let touched = ReachedCode { home, members: &members, types: &types, used: &closure.used, said: &said };
        Some(self.context.inputs_for(&touched))
    }
}

/// Sorted, without duplicates.
fn ascending<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort();
    list.dedup();
    list
}

fn place(endpoint: &Endpoint) -> (MemberId, TypeId, &[MemberId]) {
    (endpoint.entry, endpoint.receiver, &endpoint.rests_on)
}

fn one(
    reached: &Reached<'_>,
    (surroundings, codes): (&Surroundings<'_>, &Codes),
    symbols: &Symbols<'_>,
    operation: &Match,
) -> OperationInputs {
    let Reached { surface, closures, .. } = reached;
    let mut inputs = symbols.inputs();
    if let Some(document) = &surface.document
        && let Some(described) = operation.operation.and_then(|index| document.operations.get(index))
    {
        let promise = openapi::operation_promise_hash(document, described);
        inputs.other(format!("openapi:{}", operation.op_id), InputClass::Code, promise);
        let part = openapi::operation_part_hash(document, described);
        if part != promise {
            inputs.other(format!("global:examples of {}", operation.op_id), InputClass::Environment, part);
        }
    }
    let mut whole: Option<Arc<Closure>> = None;
    for endpoint in operation.endpoints.iter().filter_map(|index| surface.endpoints.get(*index)) {
        let Some(closure) = closures.get(&(endpoint.entry, endpoint.receiver)) else { continue };
        route(endpoint, symbols, &mut inputs);
        codes.get(&(endpoint.entry, endpoint.receiver)).into_iter().for_each(|code| inputs.code(code));
        for widening in &closure.widenings {
            let name = format!("global:unresolved {}", widening.what);
            inputs.other(name, InputClass::Code, Hash::of(widening.what.as_bytes()));
        }
        surroundings.get(&place(endpoint)).into_iter().for_each(|numbers| inputs.others(numbers));
        if whole.is_none() {
            whole = Some(closure.clone());
        }
    }
    // Files in other JVM languages are opaque: they can contain anything that is reached.
    let homes: Vec<&str> =
        operation.endpoints.iter().filter_map(|at| surface.endpoints.get(*at)).map(|one| one.file.as_str()).collect();
    let reads = |path: &&String| homes.iter().any(|home| surface.build.applications.reads(home, path));
    for path in surface.project.opaque().iter().filter(|_| whole.is_some()).filter(reads) {
        if let Some(entry) = surface.tree.get(path) {
            inputs.other(format!("global:{path}"), InputClass::Code, Hash::of(entry.blob.to_string().as_bytes()));
        }
    }
    let entry = surface.endpoint(operation).map(|endpoint| Analysis::entry_of(surface, endpoint));
    let says_names = whole.as_ref().is_some_and(|closure| closure.library.iter().any(|call| NAMING.contains(&&**call)));
    let route = surface.endpoint(operation).map(Endpoint::full_path);
    OperationInputs {
        op_id: operation.op_id.clone(),
        entry,
        route,
        says_names,
        inputs: inputs.gathered(),
        closure: whole,
    }
}

/// The members with these numbers in the order of their ids; `all` is indexed by number.
fn members(numbers: &IndexSet, all: &[MemberId]) -> Vec<MemberId> {
    let mut members = Vec::with_capacity(numbers.len());
    members.extend(numbers.iter().filter_map(|at| all.get(at as usize).copied()));
    members
}

/// The types of these members, which are sorted by id.
fn owners(members: &[MemberId]) -> Vec<TypeId> {
    let mut owners: Vec<TypeId> = members.iter().map(|member| member.ty).collect();
    owners.dedup();
    owners
}

/// Adds the route, and the members that it depends on: constants, declarations in interfaces, members that build
/// routes.
fn route(endpoint: &Endpoint, symbols: &Symbols<'_>, inputs: &mut Inputs<'_>) {
    let parts = [
        endpoint.method.as_str(),
        &endpoint.context_path,
        &endpoint.raw_path,
        &endpoint.consumes.join(","),
        &endpoint.produces.join(","),
    ];
    let hash = Hash::of_parts(parts.iter().map(|part| part.as_bytes()));
    inputs.other(format!("global:route {} {}", endpoint.method, endpoint.path), InputClass::Code, hash);
    let mut code = symbols.code();
    endpoint.rests_on.iter().for_each(|member| code.member(*member));
    code.ty(endpoint.receiver);
    code.ty(endpoint.entry.ty);
    inputs.code(&code.finish());
}

/// All code of a closure.
fn code((project, all): (&Project, &[MemberId]), closure: &Closure, symbols: &Symbols<'_>) -> Code {
    let mut code = symbols.code();
    let members = members(closure.members.numbers(), all);
    members.iter().for_each(|member| code.member(*member));
    closure.types.iter().for_each(|ty| code.ty(*ty));
    // A library implements interfaces below one that is called. The interface's header says how, even if it adds no
    // member.
    let owners = owners(&members);
    let interface = |ty: &TypeId| project.ty(*ty).kind == TypeKind::Interface;
    for owner in owners.into_iter().filter(interface) {
        project.all_subtypes(owner).into_iter().filter(interface).for_each(|below| code.ty(below));
    }
    code.finish()
}
