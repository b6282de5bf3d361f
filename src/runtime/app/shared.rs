//! What the operations of one revision share: what runs around requests, and which types factory methods make; read once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use super::around::Around;
use super::begun::{begun, disturbed};
use super::mains::mains;
use crate::frameworks::Endpoint;
use crate::frameworks::persistence::initial::Files;
use crate::frameworks::persistence::stores;
use crate::frameworks::seeds::Seeds;
use crate::frameworks::spring::suffixes;
use crate::java::facts::MemberKind;
use crate::java::ids::{MemberId, TypeId};
use crate::java::interpret::objects::has;
use crate::java::interpret::stores::data::Stores;
use crate::java::project::Project;
use crate::java::resolver::Resolver;
use crate::java::usage::Usage;
use crate::runtime::request::segments::{Segment, segments};
use crate::types::OpId;
use crate::types::strength::Targets;
use crate::types::user::User;

/// What the operations of one revision share.
pub struct Shared<'a> {
    /// What names and calls in bodies mean.
    pub resolver: Resolver<'a>,
    /// What runs around requests.
    pub around: Around,
    /// Factory methods, by the simple names of the types that they return.
    pub produced: BTreeMap<String, Vec<MemberId>>,
    /// What is there when the service starts.
    pub seeds: Seeds,
    /// The operations of the revision, as they are named.
    pub names: Vec<OpId>,
    /// The users of the auth file, in its order.
    pub users: Vec<User>,
    /// Mutants that the committed suite does not notice, and that further requests are to tell.
    pub targets: Targets,
    /// The stores with all their rows.
    pub stores: Stores,
    /// Whether pages of rows are written as Spring Data does by itself.
    pub plain_pages: bool,
    /// Whether nothing of the project says how objects with links are written.
    pub plain_links: bool,
    /// Whether a path's last segment arrives with what follows its last point.
    pub keeps_suffixes: bool,
    mains: OnceLock<Vec<MemberId>>,
    usage: OnceLock<Usage>,
    begun: OnceLock<BTreeSet<TypeId>>,
    disturbed: OnceLock<BTreeSet<MemberId>>,
    routes: OnceLock<Vec<Vec<Segment>>>,
}

impl<'a> Shared<'a> {
    /// Reads a project and the files beside it.
    pub fn of(files: &Files<'a>) -> Self {
        let project = files.project;
        let seeds = Seeds::of(project, files.resources);
        let (resolver, stores) = (Resolver::new(project), stores(files));
        Self {
            resolver,
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
    /// The name of an endpoint's operation.
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

    /// The mains that start a server by themselves; read when first asked for.
    pub fn mains(&self) -> &[MemberId] {
        self.mains.get_or_init(|| mains(&self.resolver))
    }

    /// Classes that code may have called before the first request; read when first asked for.
    pub fn begun(&self) -> &BTreeSet<TypeId> {
        self.begun.get_or_init(|| begun(self.resolver.project()))
    }

    /// Fields that requests change which should only read; read when first asked for.
    pub fn disturbed(&self, endpoints: &[Endpoint]) -> &BTreeSet<MemberId> {
        let reads = endpoints.iter().filter(|endpoint| endpoint.method.is_safe()).map(|endpoint| endpoint.entry);
        self.disturbed.get_or_init(|| disturbed(&self.resolver, reads, &self.around))
    }

    /// The segments of each endpoint's route, in the order of the endpoints; read when first asked for.
    pub fn routes(&self, endpoints: &[Endpoint]) -> &[Vec<Segment>] {
        self.routes.get_or_init(|| endpoints.iter().map(|endpoint| segments(&endpoint.raw_path)).collect())
    }

    /// How the code uses objects; read when first asked for.
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
