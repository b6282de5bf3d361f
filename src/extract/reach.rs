//! What is known about types for the closure, computed once for a project: which members run when an object is made, handed on or written out.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock, RwLock};

use super::edges::{Direct, direct, superclass};
use super::fleeting::fleeting;
use super::properties::properties;
use crate::java::facts::{MemberKind, Modifiers, TypeKind, Value};
use crate::java::ids::{MemberId, TypeId};
use crate::java::injection::{ExtraEdges, Injection};
use crate::java::lookup::capital;
use crate::java::resolver::Resolver;
use crate::java::ty::Ty;

/// Members of a type by what makes them run.
#[derive(Debug, Default)]
pub struct TypeFacets {
    /// Static initialisers, enum constants, and static fields whose initialiser is not a constant.
    pub statics: Vec<MemberId>,
    /// Instance initialisers and instance fields with an initialiser.
    pub initialisers: Vec<MemberId>,
    /// Methods that a library calls on an object of this type: those that override a library's methods.
    pub callbacks: Vec<MemberId>,
    /// Library types above this one, sorted.
    pub library_bases: Vec<String>,
    /// `toString`, `equals`, `hashCode`, `compareTo`, own ones.
    pub implicit: Vec<MemberId>,
    /// Getters and what else a serialiser reads: methods, fields.
    pub getters: Vec<MemberId>,
    /// Setters, creators, and what else a deserialiser writes.
    pub setters: Vec<MemberId>,
    /// The constructor that a library calls: the one without arguments, else all.
    pub constructors: Vec<MemberId>,
    /// Methods that run after construction.
    pub after: Vec<MemberId>,
    /// Types of the fields: what else is made and written with an object of this type.
    pub parts: Vec<TypeId>,
    /// Those of `parts` that are kept in sets and maps, so that they are hashed and compared.
    pub hashed: Vec<TypeId>,
    /// Getters of the identity, which stores ask for.
    pub identity: Vec<MemberId>,
    /// Types that annotations on the type and its members name as classes: a library makes objects of them.
    pub named: Vec<TypeId>,
    /// Types that the header names: supertypes, bounds, annotations.
    pub header: Vec<TypeId>,
    /// Annotations on the type, by simple name.
    pub annotations: Vec<String>,
    /// Superclass within the project.
    pub superclass: Option<TypeId>,
    /// Whether objects of exactly this type can exist.
    pub concrete: bool,
    /// Whether annotations say that a library makes its objects and fills them: entities, documents, bound data.
    pub stored: bool,
    /// Whether a store reads and writes its objects through accessors.
    pub by_accessors: bool,
}

type Dispatch = HashMap<(MemberId, TypeId), Arc<Vec<(TypeId, MemberId)>>>;

/// All that closures of one project share; every part is computed when first needed.
pub struct Reach<'p> {
    /// Meaning of the bodies.
    pub resolver: Resolver<'p>,
    /// What the container injects.
    pub injection: &'p dyn Injection,
    /// Edges that frameworks make.
    pub extra: &'p ExtraEdges,
    direct: Vec<OnceLock<Direct>>,
    facets: Vec<OnceLock<TypeFacets>>,
    dispatch: RwLock<Dispatch>,
    /// Whether some serialiser of the project looks at fields.
    by_fields: bool,
    /// Types whose objects are there only while the member around them runs.
    fleeting: Vec<bool>,
}

impl<'p> Reach<'p> {
    /// Nothing computed yet.
    pub fn new(resolver: Resolver<'p>, injection: &'p dyn Injection, extra: &'p ExtraEdges) -> Self {
        let members = resolver.member_count();
        let types = resolver.project().types().len();
        let project = resolver.project();
        let by_fields = project.files().any(|file| {
            let facts = &project.file(file).facts;
            facts.imports.iter().any(|import| import.path.starts_with("com.google.gson"))
                || facts.type_words.iter().any(|word| word == "PropertyAccessor")
        });
        Self {
            resolver,
            by_fields,
            fleeting: fleeting(project),
            injection,
            extra,
            direct: (0..members).map(|_| OnceLock::new()).collect(),
            facets: (0..types).map(|_| OnceLock::new()).collect(),
            dispatch: RwLock::default(),
        }
    }

    /// Whether objects of a type may be there, whatever an operation has done so far.
    pub fn may_be_there(&self, id: TypeId) -> bool {
        !self.injection.managed(id) && !self.fleeting.get(id.0 as usize).is_some_and(|fleeting| *fleeting)
    }

    /// What a member leads to.
    pub fn direct(&self, id: MemberId) -> &Direct {
        self.direct[self.resolver.dense(id)].get_or_init(|| direct(&self.resolver, id))
    }

    /// Members of a type by what makes them run.
    pub fn facets(&self, id: TypeId) -> &TypeFacets {
        self.facets[id.0 as usize].get_or_init(|| self.build(id))
    }

    /// For each concrete type below `on`, the method that a call of `to` runs on it.
    pub fn dispatch(&self, to: MemberId, on: TypeId) -> Arc<Vec<(TypeId, MemberId)>> {
        if let Some(known) = self.dispatch.read().ok().and_then(|known| known.get(&(to, on)).cloned()) {
            return known;
        }
        let project = self.resolver.project();
        let mut found = Vec::new();
        for ty in std::iter::once(on).chain(project.all_subtypes(on)) {
            if self.facets(ty).concrete {
                found.extend(self.implementation(ty, to).map(|member| (ty, member)));
            }
        }
        if found.is_empty() && on != to.ty {
            // A library makes what stands behind this type, out of what implements the types above it.
            found = self.dispatch(to, to.ty).to_vec();
        }
        let found = Arc::new(found);
        if let Ok(mut known) = self.dispatch.write() {
            known.insert((to, on), found.clone());
        }
        found
    }

    /// The method that a call of `to` runs on an object of exactly this type.
    pub fn implementation(&self, ty: TypeId, to: MemberId) -> Option<MemberId> {
        let project = self.resolver.project();
        let member = project.member(to);
        let all = project.find_method(ty, &member.name, member.params.len());
        all.into_iter()
            .filter(|found| project.member(*found).params.len() == member.params.len())
            .find(|found| *found == to || self.may_override(ty, *found, to))
    }

    /// Whether, on objects of type `ty`, a method stands for another one of the same name and number of parameters: parameter types differ only
    /// where type arguments of the supertype make them the same, or where that could not be told.
    fn may_override(&self, ty: TypeId, below: MemberId, above: MemberId) -> bool {
        let project = self.resolver.project();
        if project.same_parameters(below, above) {
            return true;
        }
        let types = &self.resolver.types;
        let this = Ty::project(ty);
        let erased = |member: MemberId| -> Option<Vec<Ty>> {
            let owner = types.owner_of(&this, member.ty)?;
            let (bindings, params) = (types.bindings(&owner), &types.members_of(member.ty).params);
            Some(types.signature(member).params.iter().map(|ty| ty.close(&bindings, params).erased()).collect())
        };
        match (erased(below), erased(above)) {
            (Some(below), Some(above)) => below.iter().zip(&above).all(|(below, above)| {
                below == above || matches!(above, Ty::Unknown | Ty::Var(_)) || below.is_unknown()
            }),
            _ => true,
        }
    }

    fn build(&self, id: TypeId) -> TypeFacets {
        let project = self.resolver.project();
        let facts = project.ty(id);
        let interface = matches!(facts.kind, TypeKind::Interface | TypeKind::Annotation);
        let mut facets = TypeFacets {
            superclass: superclass(&self.resolver, id),
            concrete: !interface && !facts.modifiers.has(Modifiers::ABSTRACT),
            annotations: facts.annotations.iter().map(|annotation| annotation.simple().to_owned()).collect(),
            header: self.header(id),
            ..TypeFacets::default()
        };
        facets.stored = facets.annotations.iter().any(|name| STORED.contains(&name.as_str()));
        let mut parts = Vec::new();
        for member in project.members(id) {
            let facts = project.member(member);
            let is_static = facts.modifiers.has(Modifiers::STATIC) || (interface && facts.kind == MemberKind::Field);
            match facts.kind {
                MemberKind::StaticInitializer | MemberKind::EnumConstant => facets.statics.push(member),
                MemberKind::Initializer => facets.initialisers.push(member),
                MemberKind::Field if is_static => {
                    if facts.body.is_some() && !is_constant(facts.value.as_ref()) {
                        facets.statics.push(member);
                    }
                }
                MemberKind::Field | MemberKind::RecordComponent => {
                    if facts.body.is_some() {
                        facets.initialisers.push(member);
                    }
                    let ty = &self.resolver.types.signature(member).ret;
                    ty.projects(&mut parts);
                    if ty.library_name().is_some_and(|fqn| fqn.contains("Set") || fqn.contains("Map")) {
                        ty.projects(&mut facets.hashed);
                    }
                }
                MemberKind::Method => self.method(&mut facets, member),
                MemberKind::Constructor | MemberKind::AnnotationElement => {}
            }
        }
        let empty = project.constructors(id, 0);
        let all = project.members(id).filter(|member| project.member(*member).kind == MemberKind::Constructor);
        facets.constructors = if empty.is_empty() || facts.kind == TypeKind::Record { all.collect() } else { empty };
        let properties = properties(project, id, self.by_fields);
        (facets.getters, facets.setters) = (properties.read, properties.written);
        let bases = self.resolver.types.library_bases(&Ty::project(id));
        facets.library_bases = bases.iter().filter_map(Ty::library_name).map(str::to_owned).collect();
        facets.library_bases.sort();
        facets.library_bases.dedup();
        facets.callbacks = self.callbacks(id, &facets.library_bases);
        facets.named = self.named(id);
        facets.identity = self.identity(id);
        parts.sort();
        parts.dedup();
        facets.parts = parts;
        facets
    }

    fn method(&self, facets: &mut TypeFacets, id: MemberId) {
        let member = self.resolver.project().member(id);
        let (name, arity) = (member.name.as_str(), member.params.len());
        let has = |names: &[&str]| member.annotations.iter().any(|annotation| names.contains(&annotation.simple()));
        if matches!((name, arity), ("toString" | "hashCode", 0) | ("equals" | "compareTo", 1)) {
            facets.implicit.push(id);
        }
        if has(&["PostConstruct", "PrePersist", "PreUpdate", "PostLoad", "PostPersist", "PostUpdate", "PreRemove"]) {
            facets.after.push(id);
        }
        if has(&["Id", "Column", "EmbeddedId", "OneToMany", "ManyToOne", "ManyToMany", "OneToOne", "JoinColumn"]) {
            facets.by_accessors = true;
        }
    }

    /// Supertypes, bounds and annotations of a type, and the types that its annotations name.
    fn header(&self, id: TypeId) -> Vec<TypeId> {
        let project = self.resolver.project();
        let facts = project.ty(id);
        let mut found: Vec<TypeId> = project.outer(id).into_iter().collect();
        for base in &self.resolver.types.members_of(id).supers {
            base.projects(&mut found);
        }
        for bound in facts.type_params.iter().flat_map(|param| &param.bounds) {
            self.resolver.types.read(id, None, bound).projects(&mut found);
        }
        for annotation in &facts.annotations {
            found.extend(project.resolve(id, &annotation.name).project());
        }
        found.sort();
        found.dedup();
        found
    }

    /// Types that annotations on a type, its fields and methods name as classes.
    fn named(&self, id: TypeId) -> Vec<TypeId> {
        let project = self.resolver.project();
        let facts = project.ty(id);
        let mut names = Vec::new();
        let on_members = facts.members.iter().flat_map(|member| &member.annotations);
        for annotation in facts.annotations.iter().chain(on_members) {
            annotation.args.iter().for_each(|(_, value)| class_values(value, &mut names));
        }
        let mut found: Vec<TypeId> = names.iter().filter_map(|name| project.resolve(id, name).project()).collect();
        found.sort();
        found.dedup();
        found
    }

    /// The getters of what is annotated as the identity.
    fn identity(&self, id: TypeId) -> Vec<MemberId> {
        let project = self.resolver.project();
        let is_id = |member: &MemberId| {
            let annotations = &project.member(*member).annotations;
            annotations
                .iter()
                .any(|annotation| matches!(annotation.simple(), "Id" | "EmbeddedId" | "MongoId" | "Version"))
        };
        let marked: Vec<MemberId> = project.members(id).filter(is_id).collect();
        let getters = |member: &MemberId| match project.member(*member).kind {
            MemberKind::Method => vec![*member],
            _ => project.find_method(id, &format!("get{}", capital(&project.member(*member).name)), 0),
        };
        marked.iter().flat_map(getters).collect()
    }

    /// Methods that override those of a library supertype. Which these are is told by its signatures where they are known and by `@Override`
    /// on what overrides nothing of the project; where a type says neither, each of its methods that a library could see counts.
    fn callbacks(&self, id: TypeId, bases: &[String]) -> Vec<MemberId> {
        let project = self.resolver.project();
        let bases: Vec<&str> = bases.iter().map(String::as_str).filter(|fqn| !INERT.contains(fqn)).collect();
        if bases.is_empty() {
            return Vec::new();
        }
        let known: Vec<_> = bases.iter().map(|fqn| crate::java::signatures::library_type(fqn)).collect();
        let all_known = known.iter().all(|known| known.is_some_and(|known| known.functional));
        let methods: Vec<MemberId> = project
            .members(id)
            .filter(|member| {
                let member = project.member(*member);
                member.kind == MemberKind::Method
                    && !member.modifiers.has(Modifiers::STATIC)
                    && !member.modifiers.has(Modifiers::PRIVATE)
                    && member.body.is_some()
            })
            .collect();
        let marked = |member: &MemberId| {
            project.member(*member).annotations.iter().any(|annotation| annotation.simple() == "Override")
        };
        let own = |member: &&MemberId| project.overridden(**member).is_empty();
        let any_marked = methods.iter().any(marked);
        let named = |member: &MemberId| {
            let member = project.member(*member);
            known
                .iter()
                .flatten()
                .flat_map(|known| &known.methods)
                .any(|method| *method.name == *member.name && method.params.len() == member.params.len())
        };
        let called = |member: &&MemberId| named(member) || (!all_known && (marked(member) || !any_marked));
        methods.iter().filter(own).filter(called).copied().collect()
    }
}

/// Annotations of types whose objects a library makes and fills.
const STORED: [&str; 14] = [
    "Entity",
    "Embeddable",
    "MappedSuperclass",
    "Document",
    "Table",
    "RedisHash",
    "Node",
    "XmlRootElement",
    "XmlType",
    "ConfigurationProperties",
    "JsonDeserialize",
    "Container",
    "Indexed",
    "StorageName",
];

/// Library supertypes through which nothing is called back.
const INERT: [&str; 5] =
    ["java.io.Serializable", "java.lang.Cloneable", "java.lang.Enum", "java.lang.Record", "java.lang.Object"];

/// Names of types in an annotation's argument.
pub fn class_values(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Class(ty) => found.push(ty.name.clone()),
        Value::Array(items) => items.iter().for_each(|item| class_values(item, found)),
        Value::Annotation(inner) => inner.args.iter().for_each(|(_, value)| class_values(value, found)),
        _ => {}
    }
}

/// A value that the compiler knows.
fn is_constant(value: Option<&Value>) -> bool {
    match value {
        Some(Value::Str(_) | Value::Char(_) | Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Null) => true,
        Some(Value::Unary(_, inner) | Value::Cast(_, inner)) => is_constant(Some(inner)),
        Some(Value::Binary(_, left, right)) => is_constant(Some(left)) && is_constant(Some(right)),
        _ => false,
    }
}
