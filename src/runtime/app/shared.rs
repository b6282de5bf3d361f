//! Data that all operations of one revision share, computed once: the resolver, the middleware, the factory methods
//! of beans, and more.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use super::around::Around;
use super::begun::{classes_run_at_startup, fields_changed_by_reads};
use super::mains::mains;
use crate::request::segments::{Segment, segments};
use mastor_frameworks::Endpoint;
use mastor_frameworks::files::resources::Resources;
use mastor_frameworks::persistence::initial::Files;
use mastor_frameworks::persistence::stores;
use mastor_frameworks::seeds::Seeds;
use mastor_frameworks::spring::suffixes;
use mastor_java::interpret::classes::objects::has;
use mastor_java::interpret::stores::data::Stores;
use mastor_java::ir::facts::MemberKind;
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::objects::usage::Usage;
use mastor_java::project::index::Project;
use mastor_java::resolve::resolver::Resolver;
use mastor_types::OpId;
use mastor_types::results::strength::Targets;
use mastor_types::user::User;

/// Data that all operations of one revision share.
pub struct Shared<'a> {
    /// The meaning of names and calls in bodies.
    pub resolver: Resolver<'a>,
    /// Scripts, migrations and other files of the class path.
    pub resources: &'a Resources,
    /// The middleware: what runs around handlers, such as filters, interceptors and aspects.
    pub around: Around,
    /// Factory methods, by the simple names of the types that they return.
    pub produced: BTreeMap<String, Vec<MemberId>>,
    /// The rows that exist when the service starts.
    pub seeds: Seeds,
    /// The ids of the revision's operations.
    pub names: Vec<OpId>,
    /// The users of the auth file, in file order.
    pub users: Vec<User>,
    /// Mutants that survive the committed suite; further requests are searched to kill them.
    pub targets: Targets,
    /// The stores with all their rows.
    pub stores: Stores,
    /// Whether pages of rows have Spring Data's default JSON form.
    pub plain_pages: bool,
    /// Whether the project does not configure how objects with links are written.
    pub plain_links: bool,
    /// Whether the last path segment keeps the text after its last dot.
    pub keeps_suffixes: bool,
    mains: OnceLock<Vec<MemberId>>,
    usage: OnceLock<Usage>,
    begun: OnceLock<BTreeSet<TypeId>>,
    disturbed: OnceLock<BTreeSet<MemberId>>,
    routes: OnceLock<Vec<Vec<Segment>>>,
}

impl<'a> Shared<'a> {
    /// Reads a project and its other files.
    pub fn of(files: &Files<'a>) -> Self {
        let project = files.project;
        let seeds = Seeds::of(project, files.resources);
        let (resolver, stores) = (Resolver::new(project), stores(files));
        Self {
            resolver,
            resources: files.resources,
            around: Around::of(project),
            produced: produced(project),
            seeds,
            stores,
            names: Vec::new(),
            users: Vec::new(),
            targets: Targets::default(),
            plain_links: !project.types().any(|ty| has(&project.ty(ty).annotations, &["EnableHypermediaSupport"])),
            plain_pages: !project.types().any(|ty| has(&project.ty(ty).annotations, &["EnableSpringDataWebSupport"])),
            keeps_suffixes: suffixes::are_kept(files),
            mains: OnceLock::new(),
            usage: OnceLock::new(),
            begun: OnceLock::new(),
            disturbed: OnceLock::new(),
            routes: OnceLock::new(),
        }
    }
}

impl Shared<'_> {
    /// The id of an endpoint's operation.
    pub fn name_of(&self, endpoint: &Endpoint) -> OpId {
        if let Some(made_from) = &endpoint.made_from
            && let Some(found) = self.names.iter().find(|name| name.as_str() == made_from)
        {
            return found.clone();
        }
        let own = OpId::new(endpoint.method, &endpoint.path);
        let found = self.names.iter().find(|name| **name == own);
        found.or_else(|| self.names.iter().find(|name| name.erased() == own.erased())).cloned().unwrap_or(own)
    }

    /// The `main` methods that start a server themselves; computed on first use.
    pub fn mains(&self) -> &[MemberId] {
        self.mains.get_or_init(|| mains(&self.resolver))
    }

    /// Classes with a method that may run before the first request, or outside requests; computed on first use.
    pub fn begun(&self) -> &BTreeSet<TypeId> {
        self.begun.get_or_init(|| classes_run_at_startup(self.resolver.project()))
    }

    /// Fields that requests with a safe method, or the middleware, change; computed on first use.
    pub fn disturbed(&self, endpoints: &[Endpoint]) -> &BTreeSet<MemberId> {
        let reads = endpoints.iter().filter(|endpoint| endpoint.method.is_safe()).map(|endpoint| endpoint.entry);
        self.disturbed.get_or_init(|| fields_changed_by_reads(&self.resolver, reads, &self.around))
    }

    /// The segments of each endpoint's route, in the order of the endpoints; computed on first use.
    pub fn routes(&self, endpoints: &[Endpoint]) -> &[Vec<Segment>] {
        self.routes.get_or_init(|| endpoints.iter().map(|endpoint| segments(&endpoint.raw_path)).collect())
    }

    /// How the code uses objects; computed on first use.
    pub fn usage(&self) -> &Usage {
        self.usage.get_or_init(|| Usage::of(self.resolver.project()))
    }
}

fn produced(project: &Project) -> BTreeMap<String, Vec<MemberId>> {
    let mut found: BTreeMap<String, Vec<MemberId>> = BTreeMap::new();
    for id in project.types().flat_map(|ty| project.members(ty)) {
        let member = project.member(id);
        if let Some(ty) = &member.ty
            && member.kind == MemberKind::Method
            && has(&member.annotations, &["Bean", "Produces", "Provides", "MockBean"])
        {
            found.entry(ty.simple().to_owned()).or_default().push(id);
        }
    }
    found
}
