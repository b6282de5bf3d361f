//! Facets of types: members grouped by the event that runs them, such as creation, a hand-over to a library, or
//! serialisation.

use super::reach::{Reach, TypeFacets};
use crate::members::class_literals::{class_values, only_names};
use crate::members::edges::superclass;
use crate::members::properties::properties;
use mastor_java::ir::facts::{MemberFacts, MemberKind, Modifiers, TypeKind, Value};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::ir::name::Name;
use mastor_java::ir::ty::Ty;
use mastor_java::types::lookup::capital;

impl Reach<'_> {
    /// The facets of a type.
    pub fn facets(&self, id: TypeId) -> &TypeFacets {
        self.facets[id.0 as usize].get_or_init(|| self.build(id))
    }

    fn build(&self, id: TypeId) -> TypeFacets {
        let project = self.resolver.project();
        let facts = project.ty(id);
        let interface = matches!(facts.kind, TypeKind::Interface | TypeKind::Annotation);
        let mut facets = TypeFacets {
            superclass: superclass(&self.resolver, id),
            concrete: !interface && !facts.modifiers.has(Modifiers::ABSTRACT),
            annotations: facts.annotations.iter().map(|annotation| annotation.simple().to_owned()).collect(),
            ..TypeFacets::default()
        };
        facets.stored = facets.annotations.iter().any(|name| STORED.contains(&name.as_str()));
        let has = |names: &[&str]| facets.annotations.iter().any(|name| names.contains(&name.as_str()));
        let (is_row, is_data) = (has(&ROWS), has(&DATA) && !has(&ROWS) && !has(&["ConfigurationProperties"]));
        (facets.is_row, facets.is_data) = (is_row, is_data);
        facets.shares_parts = facets.annotations.iter().any(|name| name == "MappedSuperclass");
        (facets.supers, facets.header) = self.header(id);
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
        let all: Vec<MemberId> = all.collect();
        facets.declares_constructor = !all.is_empty();
        facets.without_arguments.clone_from(&empty);
        facets.constructors = if empty.is_empty() || facts.kind == TypeKind::Record { all } else { empty };
        let properties = properties(project, id, self.by_fields);
        (facets.getters, facets.setters) = (properties.read, properties.written);
        let bases = self.resolver.types.library_bases(&Ty::project(id));
        facets.library_bases = bases.iter().filter_map(Ty::library_name).map(Name::from).collect();
        facets.library_bases.sort();
        facets.library_bases.dedup();
        facets.base_ids = facets.library_bases.iter().map(|fqn| self.name(*fqn).id).collect();
        facets.callbacks = self.overriding_library(id, &facets.library_bases);
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
        if has(&["PostConstruct", "PostLoad"]) {
            facets.after.push(id);
        }
        if changes(member) && facets.annotations.iter().any(|name| ROWS.contains(&name.as_str())) {
            facets.changers.push(id);
        }
        if has(&["Id", "Column", "EmbeddedId", "OneToMany", "ManyToOne", "ManyToMany", "OneToOne", "JoinColumn"]) {
            facets.by_accessors = true;
        }
    }

    /// The supertypes of a type, and the other types in its header: type arguments, bounds, annotations, and the
    /// enclosing type.
    fn header(&self, id: TypeId) -> (Vec<TypeId>, Vec<TypeId>) {
        let project = self.resolver.project();
        let facts = project.ty(id);
        let mut found: Vec<TypeId> = project.outer(id).into_iter().collect();
        let mut supers: Vec<TypeId> = Vec::new();
        for base in &self.resolver.types.members_of(id).supers {
            match base {
                Ty::Project { id, args } => {
                    supers.push(*id);
                    args.iter().for_each(|arg| arg.projects(&mut found));
                }
                other => other.projects(&mut found),
            }
        }
        for bound in facts.type_params.iter().flat_map(|param| &param.bounds) {
            self.resolver.types.read(id, None, bound).projects(&mut found);
        }
        for annotation in &facts.annotations {
            found.extend(project.resolve(id, &annotation.name).project());
        }
        for list in [&mut supers, &mut found] {
            list.sort();
            list.dedup();
        }
        (supers, found)
    }

    /// Types that are class literals in annotations on a type, its fields and methods.
    fn named(&self, id: TypeId) -> Vec<TypeId> {
        let project = self.resolver.project();
        let facts = project.ty(id);
        let mut names = Vec::new();
        let on_members = facts.members.iter().flat_map(|member| member.annotations.iter().chain(&member.of_elements));
        for annotation in facts.annotations.iter().chain(on_members).filter(|one| !only_names(project, id, one)) {
            annotation.args.iter().for_each(|(_, value)| class_values(value, &mut names));
        }
        let mut found: Vec<TypeId> = names.iter().filter_map(|name| project.resolve(id, name).project()).collect();
        found.retain(|ty| !self.is_thrown(*ty));
        found.sort();
        found.dedup();
        found
    }

    /// Whether the type is an exception. Annotations name exceptions only to match them; nothing creates objects of the
    /// named class.
    pub(super) fn is_thrown(&self, id: TypeId) -> bool {
        let bases = self.resolver.types.library_bases(&Ty::project(id));
        bases
            .iter()
            .filter_map(Ty::library_name)
            .any(|name| name.ends_with("Exception") || name.ends_with("Error") || name == "java.lang.Throwable")
    }

    /// The getters of the members that are annotated as identity or version.
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

    /// Methods that override methods of a library supertype. Known signatures of the supertype decide; otherwise
    /// `@Override` on a method that overrides nothing in the project. If neither is present, every method that a
    /// library could call counts.
    fn overriding_library(&self, id: TypeId, bases: &[Name]) -> Vec<MemberId> {
        let project = self.resolver.project();
        let bases: Vec<&str> = bases.iter().map(|base| base.as_str()).filter(|fqn| !INERT.contains(fqn)).collect();
        if bases.is_empty() {
            return Vec::new();
        }
        let whole = |fqn: &str| WHOLE.iter().find(|(name, _)| *name == fqn).map(|(_, methods)| *methods);
        let of_whole: Vec<(&str, usize)> = bases.iter().filter_map(|fqn| whole(fqn)).flatten().copied().collect();
        let bases = bases.iter().filter(|fqn| whole(fqn).is_none());
        let known: Vec<_> = bases.map(|fqn| mastor_java::types::signatures::library_type(fqn)).collect();
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
            let is_it = |(name, arity): &(&str, usize)| *name == member.name && *arity == member.params.len();
            let of_whole = of_whole.iter().any(is_it);
            of_whole
                || known
                    .iter()
                    .flatten()
                    .flat_map(|known| &known.methods)
                    .any(|method| *method.name == *member.name && method.params.len() == member.params.len())
        };
        let called = |member: &&MemberId| named(member) || (!all_known && (marked(member) || !any_marked));
        methods.iter().filter(own).filter(called).copied().collect()
    }
}

/// Whether a method may change its receiver. Only its form is checked, because methods that it calls may change the
/// receiver too.
fn changes(method: &MemberFacts) -> bool {
    let compares = matches!((method.name.as_str(), method.params.len()), ("equals" | "compareTo", 1));
    let reads = method.params.is_empty() && method.ty.as_ref().is_some_and(|ty| *ty.name != *"void");
    !(method.modifiers.has(Modifiers::STATIC) || compares || reads)
}

/// The annotations in `STORED` whose objects a store writes back after code has changed them.
const ROWS: [&str; 7] = ["Entity", "Embeddable", "MappedSuperclass", "Document", "Table", "RedisHash", "Node"];

/// Annotations of types whose objects a library creates and fills.
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

/// The annotations in `STORED` whose objects are read from a request, a file or a message, by the code that names them.
const DATA: [&str; 3] = ["XmlRootElement", "XmlType", "JsonDeserialize"];

/// Library supertypes whose methods no library calls back.
const INERT: [&str; 5] =
    ["java.io.Serializable", "java.lang.Cloneable", "java.lang.Enum", "java.lang.Record", "java.lang.Object"];

/// JDK interfaces with all of their methods and arities.
const WHOLE: [(&str, &[(&str, usize)]); 7] = [
    ("java.lang.Comparable", &[("compareTo", 1)]),
    ("java.lang.Iterable", &[("iterator", 0), ("forEach", 1), ("spliterator", 0)]),
    ("java.lang.AutoCloseable", &[("close", 0)]),
    ("java.io.Closeable", &[("close", 0)]),
    ("java.io.Flushable", &[("flush", 0)]),
    ("java.util.Iterator", &[("hasNext", 0), ("next", 0), ("remove", 0), ("forEachRemaining", 1)]),
    ("java.util.Enumeration", &[("hasMoreElements", 0), ("nextElement", 0), ("asIterator", 0)]),
];

/// Whether a value is a compile-time constant.
fn is_constant(value: Option<&Value>) -> bool {
    match value {
        Some(Value::Str(_) | Value::Char(_) | Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Null) => true,
        Some(Value::Unary(_, inner) | Value::Cast(_, inner)) => is_constant(Some(inner)),
        Some(Value::Binary(_, left, right)) => is_constant(Some(left)) && is_constant(Some(right)),
        _ => false,
    }
}
