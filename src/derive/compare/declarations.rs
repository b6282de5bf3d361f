//! Declarations of members: what of them decides anything, and whether those of base and head say the same.

use std::collections::BTreeSet;

use super::accessors::accessors;
use super::documentation::describes;
use super::handed::{hands_out_member, makes, maps_member, meets};
use super::reads_only::needs_no_transaction;
use super::side::Side;
use crate::frameworks::sql::snake;
use crate::java::facts::{Annotation, MemberFacts, MemberKind, Param, TypeRef, Value};
use crate::java::ids::{MemberId, TypeId};
use crate::java::interpret::scalar::Prim;
use crate::java::project::Project;
use crate::runtime::validation::constraints::{is_constraint, may_constrain};

/// Annotations that decide nothing where a method or class is new or gone.
const HARMLESS: &[&str] = &[
    "Override",
    "SuppressWarnings",
    "Deprecated",
    "Nullable",
    "NonNull",
    "NotNull",
    "VisibleForTesting",
    "SafeVarargs",
    "FunctionalInterface",
    "Service",
    "Component",
    "Repository",
    "Slf4j",
];

/// Annotations of fields by which a store keeps them (Jakarta Persistence, Hibernate, Spring Data's auditing).
pub(super) const STORING: &[&str] = &[
    "Basic",
    "Column",
    "Convert",
    "CreatedBy",
    "CreatedDate",
    "CreationTimestamp",
    "ElementCollection",
    "Embedded",
    "EmbeddedId",
    "Enumerated",
    "Fetch",
    "GeneratedValue",
    "GenericGenerator",
    "Id",
    "JoinColumn",
    "JoinTable",
    "LastModifiedBy",
    "LastModifiedDate",
    "Lob",
    "ManyToMany",
    "ManyToOne",
    "OneToMany",
    "OneToOne",
    "SequenceGenerator",
    "TableGenerator",
    "Temporal",
    "Transient",
    "UpdateTimestamp",
    "Version",
];

/// Annotations by which a row gets its key when it is made (Jakarta Persistence, Hibernate).
const NUMBERING: [&str; 5] =
    ["GeneratedValue", "GenericGenerator", "SequenceGenerator", "TableGenerator", "UuidGenerator"];

/// Annotations that make an accessor of a field (Lombok).
const ACCESSORS: [&str; 2] = ["Getter", "Setter"];

/// Annotations by which a broker's messages call a method (Spring): what a call of it comes to is the same without them. Events of the application are none of
/// them, since an operation that publishes one runs its listeners; nor are schedules, by which a method changes what the next request meets.
const LISTENING: [&str; 5] = ["JmsListener", "KafkaListener", "RabbitListener", "SqsListener", "StreamListener"];

/// Annotations of classes whose objects a store keeps, field by field (Jakarta Persistence, Spring Data).
const KEPT: [&str; 5] = ["Entity", "MappedSuperclass", "Embeddable", "Document", "RedisHash"];

/// Those of them whose objects are documents.
const OF_DOCUMENTS: [&str; 2] = ["Document", "RedisHash"];

/// What annotations say where an argument is left out: annotation, argument, value (Jakarta Persistence, Spring).
const DEFAULTS: &[(&str, &str, &str)] = &[
    ("OneToMany", "fetch", "LAZY"),
    ("ManyToMany", "fetch", "LAZY"),
    ("ElementCollection", "fetch", "LAZY"),
    ("ManyToOne", "fetch", "EAGER"),
    ("OneToOne", "fetch", "EAGER"),
    ("Basic", "fetch", "EAGER"),
    ("ManyToOne", "optional", "true"),
    ("OneToOne", "optional", "true"),
    ("Basic", "optional", "true"),
    ("OneToMany", "orphanRemoval", "false"),
    ("OneToOne", "orphanRemoval", "false"),
    ("Column", "nullable", "true"),
    ("Column", "insertable", "true"),
    ("Column", "updatable", "true"),
    ("Column", "unique", "false"),
    ("Column", "length", "255"),
    ("JoinColumn", "nullable", "true"),
    ("JoinColumn", "insertable", "true"),
    ("JoinColumn", "updatable", "true"),
    ("JoinColumn", "unique", "false"),
    ("Enumerated", "value", "ORDINAL"),
    ("GeneratedValue", "strategy", "AUTO"),
    ("RequestParam", "required", "true"),
    ("RequestHeader", "required", "true"),
    ("CookieValue", "required", "true"),
    ("PathVariable", "required", "true"),
    ("RequestBody", "required", "true"),
    ("Transactional", "readOnly", "false"),
    ("Autowired", "required", "true"),
];

/// The declarations of a member of base and head without the annotations that decide nothing.
pub(super) fn deciding(both: [(&Side<'_>, Option<MemberId>); 2]) -> [Option<MemberFacts>; 2] {
    let of_any = |asks: &dyn Fn(&Side<'_>, MemberId) -> bool| {
        both.iter().any(|(side, member)| member.is_some_and(|member| asks(side, member)))
    };
    let (is_handled, is_made) = (of_any(&is_handled), of_any(&|side, member| makes(side, member.ty)));
    let mut found = both.map(|(side, member)| member.map(|member| deciding_of(side, member, is_handled)));
    if let [(old, Some(was)), (new, Some(is))] = both
        && found.iter().flatten().any(|facts| facts.annotations.iter().any(|one| ACCESSORS.contains(&one.simple())))
    {
        let are_alike = accessors(old.bench.subject.project, was.ty) == accessors(new.bench.subject.project, is.ty);
        let is_written = || of_any(&|side, member| hands_out_member(side, member));
        for facts in found.iter_mut().flatten() {
            facts.annotations.retain(|one| match one.simple() {
                "Getter" => !are_alike && is_written(),
                "Setter" => !are_alike && is_made,
                _ => true,
            });
        }
    }
    // By what key a row is found first is decided where it is made.
    if !is_made {
        found.iter_mut().flatten().for_each(|facts| facts.annotations.retain(|one| !NUMBERING.contains(&one.simple())));
    }
    found
}

/// The declaration of a member without the annotations that decide nothing; those by which a store keeps it count where the operation handles such objects.
fn deciding_of(side: &Side<'_>, member: MemberId, is_handled: bool) -> MemberFacts {
    let project = side.bench.subject.project;
    let mut facts = project.member(member).clone();
    facts.annotations.iter_mut().for_each(leave_out_defaults);
    if facts.kind == MemberKind::Field && !is_handled {
        facts.annotations.retain_mut(|one| !STORING.contains(&one.simple()) || goes_on(one));
    }
    facts.annotations.retain(|one| !is_inert(side, member, one));
    if is_named_by_boot(side) {
        facts.annotations.iter_mut().for_each(name_as_boot_does);
    }
    if facts.body.is_some() && !is_generated_for(side, member) {
        facts.modifiers = facts.modifiers.without_final();
    }
    for param in &mut facts.params {
        param.annotations.iter_mut().for_each(leave_out_defaults);
        let is_plain = !may_be_invalid(project, member.ty, &param.ty, &mut BTreeSet::new());
        param.annotations.retain(|one| {
            let is_aside = one.simple() == "Lazy" || is_plain && ["Valid", "Validated"].contains(&one.simple());
            !is_aside && !describes(side, member.ty, one)
        });
    }
    facts
}

/// Whether more than the compiler's checks hangs on whether a field with an initial value is final: constructors and setters are made for others alone
/// (Lombok).
fn is_generated_for(side: &Side<'_>, member: MemberId) -> bool {
    let project = side.bench.subject.project;
    let makes = |one: &Annotation| {
        let name = one.simple();
        ["Data", "Setter", "Value", "Builder", "SuperBuilder", "With"].contains(&name)
            || name.ends_with("ArgsConstructor")
    };
    let facts = project.member(member);
    facts.kind != MemberKind::Field || facts.annotations.iter().chain(&project.ty(member.ty).annotations).any(makes)
}

/// Takes out of an annotation what it says anyway.
fn leave_out_defaults(annotation: &mut Annotation) {
    let name = annotation.simple().to_owned();
    let is_default = |key: &str, value: &Value| {
        let said = match value {
            Value::Name(name) => name.rsplit('.').next().unwrap_or(name).to_owned(),
            Value::Bool(value) => value.to_string(),
            Value::Int(value) => value.to_string(),
            _ => return false,
        };
        DEFAULTS.iter().any(|(of, argument, default)| *of == name && *argument == key && *default == said)
    };
    annotation.args.retain(|(key, value)| !is_default(key, value));
}

/// Whether the operation's own code has objects with this field, a mapper reads or sets it, or what is answered holds it.
fn is_handled(side: &Side<'_>, member: MemberId) -> bool {
    meets(side, member.ty) || maps_member(side, member)
}

/// Leaves of an annotation what a store does with objects that the field holds when it is asked to write or remove the one that holds them, and says
/// whether it says anything of that.
fn goes_on(annotation: &mut Annotation) -> bool {
    annotation.args.retain(|(key, _)| ["cascade", "orphanRemoval"].contains(&key.as_str()));
    !annotation.args.is_empty()
}

fn is_inert(side: &Side<'_>, member: MemberId, annotation: &Annotation) -> bool {
    match annotation.simple() {
        "ResponseStatus" => says_ok(annotation),
        // When a bean is made decides nothing but when it is.
        "Lazy" => true,
        // A transaction that nothing is written in.
        "Transactional" => needs_no_transaction(side, member, annotation),
        name if LISTENING.contains(&name) => true,
        // By which constructor the container makes a bean decides nothing but what its fields hold, which is compared.
        "Inject" | "Autowired" => side.bench.subject.project.member(member).kind == MemberKind::Constructor,
        "Column" => is_default_column(side, member, annotation),
        "NotNull" => is_never_null(side, member),
        name if name.starts_with("Json") => !hands_out_member(side, member),
        _ => describes(side, member.ty, annotation),
    }
}

/// Whether a field is of a primitive type, which is never null.
fn is_never_null(side: &Side<'_>, member: MemberId) -> bool {
    let facts = side.bench.subject.project.member(member);
    let is_primitive = |ty: &TypeRef| ty.dims == 0 && Prim::of_keyword(ty.simple()).is_some();
    facts.kind == MemberKind::Field && facts.ty.as_ref().is_some_and(is_primitive)
}

/// Whether a column's annotation says no more than its name, and that is the one it has anyway: the field's (Jakarta Persistence, `Column`), or what Spring
/// Boot's naming strategy makes of both.
fn is_default_column(side: &Side<'_>, member: MemberId, annotation: &Annotation) -> bool {
    let subject = side.bench.subject;
    let field = &subject.project.member(member).name;
    let [(key, Value::Str(column))] = annotation.args.as_slice() else { return annotation.args.is_empty() };
    // Before and behind digits releases of Hibernate differ.
    if key != "name" || field.contains(|c: char| c.is_ascii_digit()) {
        return false;
    }
    column == field || is_named_by_boot(side) && snake(column) == snake(field)
}

/// Whether an annotation of a class names the table that its rows have anyway: the class's name (Jakarta Persistence, `Table`), or what Spring Boot's naming
/// strategy makes of both.
pub(super) fn is_default_table(side: &Side<'_>, ty: TypeId, annotation: &Annotation) -> bool {
    let class = &side.bench.subject.project.ty(ty).name;
    if annotation.simple() != "Table" {
        return false;
    }
    let [(key, Value::Str(table))] = annotation.args.as_slice() else { return annotation.args.is_empty() };
    key == "name" && (table == class || is_named_by_boot(side) && snake(table) == snake(class))
}

/// Whether columns are named by the naming strategy of Spring Boot.
fn is_named_by_boot(side: &Side<'_>) -> bool {
    let subject = side.bench.subject;
    let is_strategy = |ty: TypeId| {
        let above = subject.project.library_supers(ty);
        above.iter().any(|name| name.contains("NamingStrategy"))
    };
    subject.build.uses("spring-boot").is_some()
        && !subject.properties.names("naming")
        && !subject.project.types().any(is_strategy)
}

/// Writes the column of an annotation as Spring Boot's naming strategy does.
fn name_as_boot_does(annotation: &mut Annotation) {
    if ["Column", "JoinColumn"].contains(&annotation.simple()) {
        for (key, value) in &mut annotation.args {
            if let ("name", Value::Str(column)) = (key.as_str(), value) {
                *column = snake(column);
            }
        }
    }
}

/// Whether a status is the one that is answered anyway, and no reason is said, with which an error would be sent (Spring, `ResponseStatus`).
fn says_ok(annotation: &Annotation) -> bool {
    let is_ok = |value: &Value| matches!(value, Value::Name(name) if name == "OK" || name.ends_with(".OK"));
    annotation.args.len() == 1
        && annotation.args.iter().all(|(name, value)| matches!(name.as_str(), "value" | "code") && is_ok(value))
}

/// Whether a validator may find something wrong with an object of this type.
fn may_be_invalid(project: &Project, scope: TypeId, reference: &TypeRef, seen: &mut BTreeSet<TypeId>) -> bool {
    let Some(ty) = project.resolve(scope, &reference.name).project() else { return true };
    if !seen.insert(ty) {
        return false;
    }
    let constrains = |scope: TypeId, one: &Annotation| {
        is_constraint(project, scope, one) == Some(true)
            || may_constrain(project, scope, one)
            || one.simple() == "Valid"
    };
    std::iter::once(ty).chain(project.all_supers(ty)).chain(project.all_subtypes(ty)).any(|of| {
        let is_foreign = project
            .supers(of)
            .iter()
            .any(|above| above.named.project().is_none() && above.named.library() != Some("java.io.Serializable"));
        let members = || project.members(of).map(|member| project.member(member));
        is_foreign
            || project.ty(of).annotations.iter().any(|one| constrains(of, one))
            || members().any(|facts| {
                let mut own = facts.params.iter().flat_map(|param| &param.annotations).chain(&facts.annotations);
                own.any(|one| constrains(of, one))
            })
    })
}

/// Whether two declarations of one member say the same, their bodies apart. Names of parameters count where a framework binds by them.
pub(super) fn declared_alike(was: &MemberFacts, is: &MemberFacts, is_entry: bool) -> bool {
    let param = |a: &Param, b: &Param| {
        (a.name == b.name || (!is_entry && a.annotations.is_empty()))
            && a.ty == b.ty
            && a.varargs == b.varargs
            && annotated_alike(&a.annotations, &b.annotations)
    };
    was.kind == is.kind
        && was.modifiers == is.modifiers
        && was.ty == is.ty
        && annotated_alike(&was.annotations, &is.annotations)
        && was.params.len() == is.params.len()
        && was.params.iter().zip(&is.params).all(|(a, b)| param(a, b))
}

fn annotated_alike(was: &[Annotation], is: &[Annotation]) -> bool {
    let says = |all: &[Annotation]| {
        let mut said: Vec<Annotation> = all.iter().map(Annotation::without_places).collect();
        said.sort_by(|a, b| a.name.cmp(&b.name));
        said
    };
    says(was) == says(is)
}

/// Whether a store keeps objects of a class, field by field.
pub(super) fn is_stored(project: &Project, ty: TypeId) -> bool {
    project.ty(ty).annotations.iter().any(|one| KEPT.contains(&one.simple()))
}

/// Whether what a store keeps of a class is a row, which has a value for every field (Jakarta Persistence). A document may leave fields as they are made.
pub(super) fn is_row(project: &Project, ty: TypeId) -> bool {
    is_stored(project, ty) && !project.ty(ty).annotations.iter().any(|one| OF_DOCUMENTS.contains(&one.simple()))
}

/// Whether what happens to a row that holds this member's goes along to it: by a cascade, or by a method that the store calls.
pub(super) fn goes_along(facts: &MemberFacts) -> bool {
    match facts.kind {
        MemberKind::Field => facts.annotations.iter().any(|one| goes_on(&mut one.clone())),
        _ => !is_harmless(&facts.annotations),
    }
}

/// Whether an annotation of a field says how a store keeps it, and nothing of what becomes of other rows.
pub(super) fn is_kept(of: &MemberFacts, annotation: &Annotation) -> bool {
    let is_field = of.kind == MemberKind::Field && STORING.contains(&annotation.simple());
    is_field && !goes_on(&mut annotation.clone())
}

/// Whether an annotation of a field says what the container sets it to: code that reads it names it.
pub(super) fn is_injected(of: &MemberFacts, annotation: &Annotation) -> bool {
    let says = ["Autowired", "Inject", "Resource", "Qualifier", "Value", "Lazy", "PersistenceContext"];
    of.kind == MemberKind::Field && says.contains(&annotation.simple())
}

/// Whether annotations decide nothing where what carries them is new or gone.
pub(super) fn is_harmless(annotations: &[Annotation]) -> bool {
    annotations.iter().all(|annotation| HARMLESS.contains(&annotation.simple()))
}
