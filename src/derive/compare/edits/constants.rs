//! Constants of enums: whether anything other than code that names them can use an added or removed one, where code that
//! names it changed too and is compared; and whether the operation uses one that changed.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::met_exceptions::handled;
use crate::compare::objects::handed::{handed, makes, members_around};
use crate::compare::objects::holders::{holders, names};
use crate::compare::objects::reads_only::uses_repository;
use crate::compare::sides::made::{MappingCall, made_by_libraries};
use crate::compare::sides::revision::ConstantUsers;
use crate::compare::sides::side::Side;
use mastor_frameworks::code::stereotypes::stereotype;
use mastor_java::interpret::linking::code::{Code, Link};
use mastor_java::ir::body::ExprKind;
use mastor_java::ir::facts::{Annotation, MemberFacts, MemberKind, Modifiers, TypeKind};
use mastor_java::ir::ids::{FileId, MemberId, TypeId};
use mastor_java::project::index::Project;

/// Annotations of classes whose objects a database stores (Jakarta Persistence).
const STORED: &[&str] = &["Entity", "Embeddable", "MappedSuperclass"];

/// Annotations of fields that a column may hold by another value than the ordinal (Hibernate).
const STORED_OTHERWISE: &[&str] = &["JdbcType", "JdbcTypeCode", "Type"];

/// Methods that depend on the order of an enum's constants, or sort what they are handed; also of common libraries.
const ORDERING: &[&str] = &[
    "allOf",
    "collectSortedList",
    "compare",
    "compareTo",
    "comparing",
    "comparingInt",
    "comparingLong",
    "complementOf",
    "getEnumConstants",
    "getEnumList",
    "getEnumMap",
    "max",
    "maxBy",
    "min",
    "minBy",
    "naturalOrder",
    "newTreeMap",
    "newTreeSet",
    "ordinal",
    "range",
    "reverseOrder",
    "sort",
    "sorted",
    "thenComparing",
    "values",
];

/// Classes of the JDK that keep an enum's constants in order.
const OF_ORDER: &[&str] =
    &["ConcurrentSkipListMap", "ConcurrentSkipListSet", "EnumMap", "EnumSet", "PriorityQueue", "TreeMap", "TreeSet"];

/// Annotations of classes whose methods run for requests.
const HANDLING: &[&str] = &["Controller", "Repository", "RestController", "Service"];

/// Describes what may use an enum constant that the other revision lacks, besides code that names it; `None` if nothing
/// may.
pub(in crate::compare) fn other_uses((side, other): (&Side<'_>, &Side<'_>), constant: MemberId) -> Option<String> {
    let project = side.bench.subject.project;
    // If the whole enum was added or removed, the code that names it changed too.
    if other.bench.subject.project.by_fqn_all(project.fqn(constant.ty)).is_empty() {
        return None;
    }
    let (of, name) = (constant.ty, format!("{}.{}", project.ty(constant.ty).name, project.member(constant).name));
    let holders = holders(side, of);
    if !holders.is_disjoint(&handed(side).taken) {
        return Some(format!("a request may say `{name}`"));
    }
    if !keeping_its_place(project, constant, stores_a_name).is_empty() {
        return Some(format!("`{name}` moves the constants behind it, and a table keeps their places"));
    }
    // Exception handlers do not create exceptions.
    let mut made = holders.iter().filter(|holder| !is_thrown(project, **holder));
    let is_read =
        made.any(|holder| is_read_by_class(side, *holder, (of, &holders)) || is_given_by_others(project, *holder));
    is_read.then(|| format!("a library may give `{name}`"))
}

/// Whether a constant of an enum that both revisions have is used by the operation in neither: none of the code that may run
/// names it or looks it up, and no store, library or request gives it.
pub(super) fn is_unnoticed_constant((old, was): (&Side<'_>, MemberId), (new, is): (&Side<'_>, MemberId)) -> bool {
    let is_unused = |side: &Side<'_>, other: &Side<'_>, constant: MemberId| {
        let project = side.bench.subject.project;
        project.member(constant).kind == MemberKind::EnumConstant
            && !holders(side, constant.ty).iter().any(|holder| is_stored(project, *holder))
            && !is_used(side, constant)
            && !is_made_by_libraries(project, &holders(side, constant.ty))
            && other_uses((side, other), constant).is_none()
    };
    is_unused(old, new, was) && is_unused(new, old, is)
}

/// Whether an interface that no class of the project implements gives objects of these classes: a mapper, a repository or a
/// client, which a library makes.
fn is_made_by_libraries(project: &Project, among: &BTreeSet<TypeId>) -> bool {
    let of_libraries = project.types().filter(|ty| {
        project.ty(*ty).kind == TypeKind::Interface && !project.is_model(*ty) && project.all_subtypes(*ty).is_empty()
    });
    of_libraries.into_iter().any(|ty| {
        let above = project.ty(ty).implements.iter().flat_map(|one| &one.args);
        let given = project.members(ty).filter_map(|member| project.member(member).ty.as_ref());
        above.chain(given).any(|reference| names(project, ty, reference, among))
    })
}

/// Whether code of the operation, or code around it, may use a constant of an enum.
fn is_used(side: &Side<'_>, constant: MemberId) -> bool {
    let users = side.revision.users.get(constant, || Arc::new(users(side, constant)));
    let runs = |member: &&MemberId| handed(side).members.contains(member) || members_around(side).contains(member);
    let name = &side.bench.subject.project.member(constant).name;
    users.naming.iter().any(|member| runs(&member))
        || users
            .looking_up
            .iter()
            .filter(runs)
            .any(|one| !is_of_refusals(side, *one) || is_said_of_requests(side, name))
}

/// The members whose code may use a constant of an enum.
fn users(side: &Side<'_>, constant: MemberId) -> ConstantUsers {
    let project = side.bench.subject.project;
    let (of, name) = (&project.ty(constant.ty).name, &project.member(constant).name);
    let mut found = ConstantUsers::default();
    for file in project.files() {
        let text = project.text(file).unwrap_or_default();
        let has_lookup = text.contains("value") && text.contains(of.as_str()) || text.contains("getEnumConstants");
        if !text.contains(name.as_str()) && !has_lookup {
            continue;
        }
        for member in project.types_of(file).flat_map(|ty| project.members(ty)) {
            let facts = project.member(member);
            // Other constants of the enum do not use this one; a static method may find it in a field.
            if member.ty == constant.ty && facts.kind == MemberKind::EnumConstant {
                continue;
            }
            if member.ty == constant.ty && facts.modifiers.has(Modifiers::STATIC) && facts.kind == MemberKind::Method {
                found.naming.insert(member);
                continue;
            }
            let Some(body) = project.body(member) else { continue };
            for expr in &body.exprs {
                match &expr.kind {
                    ExprKind::Name(word) | ExprKind::Field { name: word, .. } if word.as_str() == name => {
                        found.naming.insert(member);
                    }
                    ExprKind::Call { name: called, .. } | ExprKind::MethodRef { name: called, .. }
                        if ["values", "valueOf", "getEnumConstants"].contains(&called.as_str()) =>
                    {
                        found.looking_up.insert(member);
                    }
                    _ => {}
                }
            }
        }
    }
    found
}

/// Whether a member handles refusals of validation, and so looks up what constraints say.
fn is_of_refusals(side: &Side<'_>, member: MemberId) -> bool {
    let facts = side.bench.subject.project.member(member);
    facts.annotations.iter().any(|one| one.simple() == "ExceptionHandler")
        && handled(facts).iter().all(|ty| {
            ["BindException", "ConstraintViolationException", "MethodArgumentNotValidException"].contains(&ty.simple())
        })
}

/// Whether an annotation in the file of a class that requests fill, or of one that it refers to, says this text.
fn is_said_of_requests(side: &Side<'_>, text: &str) -> bool {
    let project = side.bench.subject.project;
    let entry = side.bench.subject.endpoint.entry;
    let (mut seen, mut open): (BTreeSet<TypeId>, Vec<TypeId>) =
        (BTreeSet::new(), handed(side).taken.iter().copied().collect());
    open.push(entry.ty);
    while let Some(ty) = open.pop() {
        if !seen.insert(ty) {
            continue;
        }
        open.extend(project.all_supers(ty));
        let facts = project.ty(ty);
        for member in &facts.members {
            let mut annotations =
                member.annotations.iter().chain(member.params.iter().flat_map(|one| &one.annotations));
            if annotations.any(|one| format!("{:?}", one.args).contains(text)) {
                return true;
            }
            let mut named = BTreeSet::new();
            member.ty.iter().for_each(|of| project.named_in(ty, of, &mut named));
            open.extend(named);
        }
        if facts.annotations.iter().any(|one| format!("{:?}", one.args).contains(text)) {
            return true;
        }
    }
    false
}

fn is_stored(project: &Project, ty: TypeId) -> bool {
    project
        .ty(ty)
        .annotations
        .iter()
        .any(|one| STORED.contains(&one.simple()) || ["Document", "Table"].contains(&one.simple()))
}

fn is_thrown(project: &Project, ty: TypeId) -> bool {
    let all = std::iter::once(ty).chain(project.all_supers(ty));
    let mut above = all.flat_map(|ty| project.supers(ty).to_vec());
    above.any(|above| {
        above.named.library().is_some_and(|name| name.ends_with("Exception") || name.ends_with("Throwable"))
    })
}

/// Whether the member is a constant of an enum whose shared constants stand in another order in the other revision.
pub(in crate::compare) fn is_reordered((side, other): (&Side<'_>, &Side<'_>), constant: MemberId) -> bool {
    let project = side.bench.subject.project;
    if project.member(constant).kind != MemberKind::EnumConstant {
        return false;
    }
    let Some(of_other) = other.class(project.fqn(constant.ty)) else { return false };
    let (own, others) = (names_of(project, constant.ty), names_of(other.bench.subject.project, of_other));
    let shared = |all: &[String], of: &[String]| -> Vec<String> {
        all.iter().filter(|name| of.contains(name)).cloned().collect()
    };
    shared(&own, &others) != shared(&others, &own)
}

/// Whether the operation may depend on the order of an enum's constants, by what is known of it: rows that store ordinals,
/// requests that may name a constant by its place (Jackson), code that compares or lists constants, or a collection that sorts
/// them.
pub(super) fn notices_order(side: &Side<'_>, constant: MemberId) -> bool {
    let project = side.bench.subject.project;
    let asks = |member: &MemberId| {
        project.body(*member).is_some_and(|body| {
            body.exprs.iter().any(|expr| match &expr.kind {
                ExprKind::Call { name, .. } | ExprKind::MethodRef { name, .. } => ORDERING.contains(&name.as_str()),
                ExprKind::Name(name) => OF_ORDER.contains(&name.as_str()),
                ExprKind::New { ty, .. } => OF_ORDER.iter().any(|of| ty.simple() == *of),
                _ => false,
            })
        })
    };
    let is_number = |one: &Annotation| one.simple() == "JsonFormat" && format!("{:?}", one.args).contains("NUMBER");
    let among = holders(side, constant.ty);
    let annotated = || {
        among.iter().any(|ty| {
            let of_members = project.members(*ty).flat_map(|member| &project.member(member).annotations);
            project.ty(*ty).annotations.iter().chain(of_members).any(is_number)
        })
    };
    stores_ordinals(side, constant.ty)
        || !among.is_disjoint(&handed(side).taken)
        || annotated()
        || handed(side).members.iter().any(asks)
        || members_around(side).iter().any(asks)
}

/// Whether the operation reads or makes rows that store the ordinals of an enum's constants.
pub(in crate::compare) fn stores_ordinals(side: &Side<'_>, of: TypeId) -> bool {
    let project = side.bench.subject.project;
    let is_otherwise = |one: &Annotation| stores_a_name(one) || STORED_OTHERWISE.contains(&one.simple());
    let keeping = keeping_ordinals(project, of, is_otherwise);
    !is_converted(project) && keeping.into_iter().any(|ty| uses_repository(side, ty) || makes(side, ty))
}

/// Whether a converter of the project applies to columns that do not name it.
fn is_converted(project: &Project) -> bool {
    project.types().any(|ty| {
        let mut converters = project.ty(ty).annotations.iter().filter(|one| one.simple() == "Converter");
        converters.any(|one| format!("{:?}", one.args).contains("autoApply"))
    })
}

/// Whether the operation reads or makes rows that store ordinals which a constant shifts that came or went.
pub(in crate::compare) fn moves_stored((side, other): (&Side<'_>, &Side<'_>), constant: MemberId) -> bool {
    let project = side.bench.subject.project;
    let Some(of_other) = other.class(project.fqn(constant.ty)) else { return false };
    let shifted = || {
        let (own, others) = (names_of(project, constant.ty), names_of(other.bench.subject.project, of_other));
        let place = |all: &[String], name: &String| all.iter().position(|one| one == name);
        let at = place(&own, &project.member(constant).name.to_string());
        // Constants after this one that both revisions have, at another place.
        own.iter()
            .skip(at.map_or(own.len(), |at| at + 1))
            .any(|name| place(&others, name).is_some_and(|there| Some(there) != place(&own, name)))
    };
    project.member(constant).kind == MemberKind::EnumConstant && shifted() && stores_ordinals(side, constant.ty)
}

/// The fields of a stored class that are columns, or its getters where its key is annotated at one (Jakarta Persistence,
/// section 2.3).
fn columns(project: &Project, ty: TypeId) -> impl Iterator<Item = &MemberFacts> {
    let of =
        |kind: MemberKind| project.members(ty).map(|one| project.member(one)).filter(move |facts| facts.kind == kind);
    let is_key = |facts: &MemberFacts| facts.annotations.iter().any(|one| ["EmbeddedId", "Id"].contains(&one.simple()));
    let kind = if of(MemberKind::Method).any(is_key) { MemberKind::Method } else { MemberKind::Field };
    of(kind)
}

/// Whether an annotation says that a column does not hold the ordinal of an enum.
fn stores_a_name(annotation: &Annotation) -> bool {
    ["Convert", "Transient"].contains(&annotation.simple())
        || (annotation.simple() == "Enumerated"
            && annotation.args.iter().any(|(_, value)| format!("{value:?}").contains("STRING")))
}

/// The names of an enum's constants, in order.
fn names_of(project: &Project, of: TypeId) -> Vec<String> {
    let constants =
        project.members(of).map(|one| project.member(one)).filter(|facts| facts.kind == MemberKind::EnumConstant);
    constants.map(|facts| facts.name.to_string()).collect()
}

/// The stored classes whose rows hold the ordinals of an enum (JPA's default, `EnumType.ORDINAL`), if other constants follow
/// this one. `is_otherwise` says which annotations make a column hold something else.
fn keeping_its_place(project: &Project, constant: MemberId, is_otherwise: impl Fn(&Annotation) -> bool) -> Vec<TypeId> {
    let constants = project.members(constant.ty).filter(|one| project.member(*one).kind == MemberKind::EnumConstant);
    if project.member(constant).kind != MemberKind::EnumConstant || constants.last() == Some(constant) {
        return Vec::new();
    }
    keeping_ordinals(project, constant.ty, is_otherwise)
}

/// The stored classes whose rows hold the ordinals of an enum. `is_otherwise` as for [`keeping_its_place`].
fn keeping_ordinals(project: &Project, of: TypeId, is_otherwise: impl Fn(&Annotation) -> bool) -> Vec<TypeId> {
    let of = BTreeSet::from([of]);
    let keeps = |ty: &TypeId| {
        let ty = *ty;
        project.ty(ty).annotations.iter().any(|one| STORED.contains(&one.simple()))
            && columns(project, ty).any(|facts| {
                facts.ty.as_ref().is_some_and(|reference| names(project, ty, reference, &of))
                    && !facts.annotations.iter().any(&is_otherwise)
            })
    };
    project.types().filter(keeps).collect()
}

/// Whether code passes the class to a library that may create objects of it, or uses all constants of the enum or their
/// ordinals. A library that copies an object from another one only gives constants that the other object has.
fn is_read_by_class(side: &Side<'_>, ty: TypeId, (of, holders): (TypeId, &BTreeSet<TypeId>)) -> bool {
    let project = side.bench.subject.project;
    let name = &project.ty(ty).name;
    let class = format!("{name}.class");
    let mut marks = vec![format!("Reference<{name}>"), format!("Reference<List<{name}>")];
    if ty == of {
        marks.extend([".ordinal()", "EnumSet.", "EnumMap<"].map(str::to_owned));
    }
    // Number of uses of the class that cannot create new constants: uses in code that the operation does not run, and
    // uses that copy such objects from others.
    let aside = |file: FileId| -> usize {
        let members = project.types_of(file).flat_map(|ty| project.members(ty));
        let codes = members.filter_map(|member| side.bench.codes.code(member));
        let copies = |call: &MappingCall| !holders.is_disjoint(&call.from) || !call.may_make(project, of);
        let of_code = codes.map(|code| {
            let is_of_request = stereotype(project, code.member.ty).is_some_and(|one| HANDLING.contains(&one.simple()));
            match handed(side).members.contains(&code.member) {
                true => made_by_libraries(project, &code)
                    .iter()
                    .filter(|call| call.to.contains(&ty) && copies(call))
                    .count(),
                false if is_of_request => named_in(&code, ty),
                false => 0,
            }
        });
        of_code.sum()
    };
    let mut files = project.files().filter(|file| project.file(*file).facts.type_words.binary_search(name).is_ok());
    files.any(|file| {
        project.text(file).is_some_and(|text| {
            let is_whole = |at: usize| !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            let named = text.match_indices(&class).filter(|(at, _)| is_whole(*at)).count();
            marks.iter().any(|mark| text.contains(mark)) || named > aside(file)
        })
    })
}

/// Number of literals of this class in code.
fn named_in(code: &Code, ty: TypeId) -> usize {
    let all = code.body.exprs.iter().zip(&code.links);
    let named = all.filter(|(expr, link)| match (&expr.kind, link) {
        (ExprKind::ClassLit(_), Link::Type(named)) => named.project() == Some(ty),
        _ => false,
    });
    named.count()
}

/// Whether a library implements an interface method with this return type: a client of another service.
fn is_given_by_others(project: &Project, ty: TypeId) -> bool {
    let among = BTreeSet::from([ty]);
    project.types().filter(|one| project.ty(*one).kind == TypeKind::Interface && !project.is_model(*one)).any(|one| {
        let is_client = project.ty(one).annotations.iter().any(|annotation| {
            ["FeignClient", "RegisterRestClient", "HttpExchange", "Client"].contains(&annotation.simple())
        });
        is_client
            && project.members(one).any(|member| {
                project.member(member).ty.as_ref().is_some_and(|reference| names(project, one, reference, &among))
            })
    })
}
