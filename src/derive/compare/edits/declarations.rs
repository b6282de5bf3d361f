//! Declarations of members: the parts of them that have an effect, and whether those of base and head agree.

use std::collections::BTreeSet;

use super::documentation::describes;
use crate::compare::objects::accessors::accessors;
use crate::compare::objects::checked::{constrains_field, may_be_checked};
use crate::compare::objects::handed::{hands_out_member, makes, maps_member, meets};
use crate::compare::objects::holders::holders;
use crate::compare::objects::reads_only::{needs_no_transaction, writes};
use crate::compare::sides::side::Side;
use mastor_frameworks::code::simple_types::is_simple;
use mastor_frameworks::sql::snake;
use mastor_java::interpret::values::scalar::Prim;
use mastor_java::ir::body::{Body, ExprId, ExprKind, StmtKind};
use mastor_java::ir::facts::{Annotation, MemberFacts, MemberKind, Modifiers, Param, TypeRef, Value};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;
use mastor_runtime::validation::constraints::{is_constraint, may_constrain};

/// Annotations without an effect if their method or class was added or removed.
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

/// Annotations that define how a store keeps a field (Jakarta Persistence, Hibernate, Spring Data's auditing).
pub(in crate::compare) const STORING: &[&str] = &[
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

/// Arguments of mapping annotations that only matter where rows are written (Jakarta Persistence).
const OF_WRITING: [&str; 10] = [
    "cascade",
    "columnDefinition",
    "insertable",
    "length",
    "nullable",
    "optional",
    "orphanRemoval",
    "precision",
    "unique",
    "updatable",
];

/// Annotations that define how a new row gets its key (Jakarta Persistence, Hibernate).
const NUMBERING: [&str; 5] =
    ["GeneratedValue", "GenericGenerator", "SequenceGenerator", "TableGenerator", "UuidGenerator"];

/// Lombok annotations that generate an accessor for a field.
const ACCESSORS: [&str; 2] = ["Getter", "Setter"];

/// Annotations that let broker messages call a method (Spring). They do not change the result of a call. Application
/// events are not among them, since an operation that publishes one runs its listeners; nor are schedules, since a
/// scheduled method changes the state of later requests.
const LISTENING: [&str; 5] = ["JmsListener", "KafkaListener", "RabbitListener", "SqsListener", "StreamListener"];

/// Annotations of classes whose objects a store keeps field by field (Jakarta Persistence, Spring Data).
const KEPT: [&str; 5] = ["Entity", "MappedSuperclass", "Embeddable", "Document", "RedisHash"];

/// The annotations of `KEPT` whose objects are documents.
const OF_DOCUMENTS: [&str; 2] = ["Document", "RedisHash"];

/// Default values of annotation arguments: annotation, argument, value (Jakarta Persistence, Spring).
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

/// The declarations of a member of base and head, without annotations that have no effect.
pub(in crate::compare) fn deciding(both: [(&Side<'_>, Option<MemberId>); 2]) -> [Option<MemberFacts>; 2] {
    let of_any = |asks: &dyn Fn(&Side<'_>, MemberId) -> bool| {
        both.iter().any(|(side, member)| member.is_some_and(|member| asks(side, member)))
    };
    let (is_handled, is_made) = (of_any(&is_handled), of_any(&|side, member| makes(side, member.ty)));
    let is_written = of_any(&is_written);
    let deciding = |side: &Side<'_>, member| deciding_of(side, member, (is_handled, is_written));
    let mut found = both.map(|(side, member)| member.map(|member| deciding(side, member)));
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
    // The container injects the bean of the field's type, whichever way of injection is declared.
    if let [(old, Some(was)), (new, Some(is))] = both
        && is_given(old, was)
        && is_given(new, is)
    {
        for facts in found.iter_mut().flatten() {
            facts.annotations.retain(|one| !["Inject", "Autowired"].contains(&one.simple()));
            facts.modifiers = Modifiers::default();
        }
    }
    // The key of a new row is decided where the row is created.
    if !is_made {
        found.iter_mut().flatten().for_each(|facts| facts.annotations.retain(|one| !NUMBERING.contains(&one.simple())));
    }
    found
}

/// Whether the container gives a field its value by the field's type: by injection, or by the one constructor of the class,
/// which its code has or Lombok generates.
pub(super) fn is_given(side: &Side<'_>, member: MemberId) -> bool {
    let project = side.bench.subject.project;
    let (facts, class) = (project.member(member), project.ty(member.ty));
    let has = |all: &[Annotation], names: &[&str]| all.iter().any(|one| names.contains(&one.simple()));
    if facts.kind != MemberKind::Field
        || facts.body.is_some()
        || facts.modifiers.has(Modifiers::STATIC)
        || has(&facts.annotations, &["Named", "Qualifier", "Resource", "Value"])
    {
        return false;
    }
    let is_final = facts.modifiers.has(Modifiers::FINAL) || has(&facts.annotations, &["NonNull"]);
    let by_lombok = has(&class.annotations, &["AllArgsConstructor"])
        || is_final && has(&class.annotations, &["Data", "RequiredArgsConstructor", "Value"]);
    let mut constructors = class.members.iter().filter(|one| one.kind == MemberKind::Constructor);
    let by_code = match (constructors.next(), constructors.next()) {
        (Some(only), None) => only.params.iter().any(|param| Some(&param.ty) == facts.ty.as_ref()),
        _ => false,
    };
    has(&facts.annotations, &["Inject", "Autowired"]) || by_lombok || by_code
}

/// Whether the operation may write rows of the member's class, directly or as parts of other rows.
fn is_written(side: &Side<'_>, member: MemberId) -> bool {
    let project = side.bench.subject.project;
    let is_entity = is_stored(project, member.ty) && project.member(member).kind == MemberKind::Field;
    is_entity && holders(side, member.ty).iter().any(|holder| is_stored(project, *holder) && writes(side, *holder))
}

/// The declaration of a member without annotations that have no effect. Those for storage have an effect only if the
/// operation handles such objects, and some of their arguments only if it writes them.
fn deciding_of(side: &Side<'_>, member: MemberId, (is_handled, is_written): (bool, bool)) -> MemberFacts {
    let project = side.bench.subject.project;
    let mut facts = project.member(member).clone();
    facts.annotations.iter_mut().for_each(leave_out_defaults);
    if !is_written {
        for annotation in facts.annotations.iter_mut().filter(|one| STORING.contains(&one.simple())) {
            annotation.args.retain(|(name, _)| !OF_WRITING.contains(&name.as_str()));
        }
    }
    if facts.kind == MemberKind::Field && !is_handled {
        facts.annotations.retain_mut(|one| !STORING.contains(&one.simple()) || goes_on(one));
    }
    facts.annotations.retain(|one| !is_inert(side, member, one));
    let constrains = |one: &Annotation| constrains_field(project, member, one);
    if facts.annotations.iter().any(constrains) && !may_be_checked(side, member.ty) {
        facts.annotations.retain(|one| !constrains(one));
    }
    // On type arguments only validators read annotations.
    let is_read = |one: &Annotation| one.simple() == "Valid" || is_constraint(project, member.ty, one) != Some(false);
    facts.of_elements.retain(is_read);
    if !may_be_checked(side, member.ty) {
        facts.of_elements.clear();
    }
    if is_named_by_boot(side) {
        facts.annotations.iter_mut().for_each(name_as_boot_does);
    }
    if facts.body.is_some() && !is_generated_for(side, member) {
        facts.modifiers = facts.modifiers.without_final();
    }
    let is_unchecked = checks_no_parameters(side, member);
    // A constraint on any parameter decides by which exception an invalid object is refused (Spring 6.1, "Validation").
    let validates_objects = validates_objects(&facts);
    for param in &mut facts.params {
        param.annotations.iter_mut().for_each(leave_out_defaults);
        if is_unchecked {
            let checks =
                |one: &Annotation| one.simple() == "Valid" || is_constraint(project, member.ty, one) == Some(true);
            param.annotations.retain(|one| !checks(one));
            param.of_elements.clear();
        }
        param.of_elements.retain(is_read);
        let is_plain = !may_be_invalid(project, member.ty, &param.ty, &mut BTreeSet::new());
        // Spring refuses a request that lacks such a value before any constraint is checked.
        let is_given = !validates_objects
            && param.annotations.iter().any(|one| {
                let is_left_out = || matches!(one.arg("required"), Some(Value::Bool(false)));
                ["PathVariable", "RequestParam"].contains(&one.simple())
                    && one.arg("defaultValue").is_none()
                    && !is_left_out()
            });
        param.annotations.retain(|one| {
            let is_aside = one.simple() == "Lazy"
                || is_plain && ["Valid", "Validated"].contains(&one.simple())
                || is_given && one.simple() == "NotNull";
            !is_aside && !describes(side, member.ty, one)
        });
    }
    facts
}

/// Whether a parameter of a method is an object that is validated.
pub(in crate::compare) fn validates_objects(facts: &MemberFacts) -> bool {
    let mut annotations = facts.params.iter().flat_map(|param| &param.annotations);
    annotations.any(|one| ["Valid", "Validated"].contains(&one.simple()))
}

/// Whether nothing checks constraints on the parameters of a method: Spring does so for handlers and message listeners,
/// and for other beans whose class says `@Validated` (documentation of `MethodValidationPostProcessor`).
fn checks_no_parameters(side: &Side<'_>, member: MemberId) -> bool {
    let (project, build) = (side.bench.subject.project, side.bench.subject.build);
    if build.uses("spring-boot").is_none() || build.uses("quarkus").is_some() {
        return false;
    }
    let is_handled = |one: &Annotation| {
        let name = one.simple();
        ["Validated", "Controller", "RestController", "Path", "Endpoint", "Aspect"].contains(&name)
            || ["Mapping", "Listener", "Operation", "Exchange", "Handler", "Query", "Mutation"]
                .iter()
                .any(|end| name.ends_with(end))
    };
    let line =
        || std::iter::once(member.ty).chain(project.all_supers(member.ty)).chain(project.all_subtypes(member.ty));
    let is_plain = |ty: TypeId| {
        let own = project.ty(ty).annotations.iter();
        let of_members = project.members(ty).flat_map(|member| &project.member(member).annotations);
        !own.chain(of_members).any(is_handled)
    };
    let facts = project.member(member);
    facts.kind == MemberKind::Method && facts.body.is_some() && line().all(is_plain)
}

/// Whether `final` on a field with an initialiser affects more than compiler checks, because Lombok generates
/// constructors and setters depending on it.
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

/// Removes arguments that equal their defaults.
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

/// Whether the operation's code has objects with this field, a mapper reads or sets the field, or the answer contains
/// it.
fn is_handled(side: &Side<'_>, member: MemberId) -> bool {
    meets(side, member.ty) || maps_member(side, member)
}

/// Removes all arguments except those that cascade writes and removals to the objects that the field holds; returns
/// whether any argument is left.
fn goes_on(annotation: &mut Annotation) -> bool {
    annotation.args.retain(|(key, _)| ["cascade", "orphanRemoval"].contains(&key.as_str()));
    !annotation.args.is_empty()
}

fn is_inert(side: &Side<'_>, member: MemberId, annotation: &Annotation) -> bool {
    match annotation.simple() {
        "ResponseStatus" => says_ok(annotation) || gives_own_status(side, member, annotation),
        // It only affects when a bean is created.
        "Lazy" => true,
        // It has no effect if nothing is written in the transaction.
        "Transactional" => needs_no_transaction(side, member, annotation),
        name if LISTENING.contains(&name) => true,
        // The choice of the container's constructor only affects the values of fields, which are compared.
        "Inject" | "Autowired" => side.bench.subject.project.member(member).kind == MemberKind::Constructor,
        "Column" => is_default_column(side, member, annotation),
        "NotNull" => is_never_null(side, member),
        name if name.starts_with("Json") => !hands_out_member(side, member),
        _ => describes(side, member.ty, annotation),
    }
}

/// Whether a method gives an entity with a status of its own, which replaces that of its annotation (Spring reference,
/// "`ResponseEntity`"); one that says a reason sends an error, and one that gives null leaves the status.
fn gives_own_status(side: &Side<'_>, member: MemberId, annotation: &Annotation) -> bool {
    let project = side.bench.subject.project;
    let gives_entity =
        project.member(member).ty.as_ref().is_some_and(|ty| ty.dims == 0 && ty.simple() == "ResponseEntity");
    let always_entity = |body: &Body| {
        let mut given = body.stmts.iter().filter_map(|stmt| match &stmt.kind {
            StmtKind::Return(value) => Some(*value),
            _ => None,
        });
        given.all(|value| value.is_some_and(|value| makes_entity(body, value)))
    };
    gives_entity && annotation.arg("reason").is_none() && project.body(member).is_some_and(|body| always_entity(&body))
}

/// Whether an expression makes a `ResponseEntity` itself: a constructor, or a chain of calls that starts at the class.
fn makes_entity(body: &Body, value: ExprId) -> bool {
    match &body.expr(value).kind {
        ExprKind::New { ty, .. } => ty.simple() == "ResponseEntity",
        ExprKind::Call { target: Some(target), .. } => match &body.expr(*target).kind {
            ExprKind::Name(name) => name.as_str() == "ResponseEntity",
            _ => makes_entity(body, *target),
        },
        _ => false,
    }
}

/// Whether a field has a primitive type, which is never null.
fn is_never_null(side: &Side<'_>, member: MemberId) -> bool {
    let facts = side.bench.subject.project.member(member);
    let is_primitive = |ty: &TypeRef| ty.dims == 0 && Prim::of_keyword(ty.simple()).is_some();
    facts.kind == MemberKind::Field && facts.ty.as_ref().is_some_and(is_primitive)
}

/// Whether a `@Column` annotation only sets a name that equals the default: the field's name (Jakarta Persistence,
/// `Column`), or the same name under Spring Boot's naming strategy.
fn is_default_column(side: &Side<'_>, member: MemberId, annotation: &Annotation) -> bool {
    let subject = side.bench.subject;
    let field = &subject.project.member(member).name;
    let [(key, Value::Str(column))] = annotation.args.as_slice() else { return annotation.args.is_empty() };
    // Releases of Hibernate differ in their treatment of digits.
    if key != "name" || field.contains(|c: char| c.is_ascii_digit()) {
        return false;
    }
    column == field || is_named_by_boot(side) && snake(column) == snake(field)
}

/// Whether a `@Table` annotation sets the default name: the class's name (Jakarta Persistence, `Table`), or the same
/// name under Spring Boot's naming strategy.
pub(in crate::compare) fn is_default_table(side: &Side<'_>, ty: TypeId, annotation: &Annotation) -> bool {
    let class = &side.bench.subject.project.ty(ty).name;
    if annotation.simple() != "Table" {
        return false;
    }
    let [(key, Value::Str(table))] = annotation.args.as_slice() else { return annotation.args.is_empty() };
    key == "name" && (table == class || is_named_by_boot(side) && snake(table) == snake(class))
}

/// Whether Spring Boot's naming strategy names the columns.
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

/// Rewrites the column name of an annotation by Spring Boot's naming strategy.
fn name_as_boot_does(annotation: &mut Annotation) {
    if ["Column", "JoinColumn"].contains(&annotation.simple()) {
        for (key, value) in &mut annotation.args {
            if let ("name", Value::Str(column)) = (key.as_str(), value) {
                *column = snake(column);
            }
        }
    }
}

/// Whether a `@ResponseStatus` sets the default status without a reason; a reason would send an error (Spring).
fn says_ok(annotation: &Annotation) -> bool {
    let is_ok = |value: &Value| matches!(value, Value::Name(name) if name == "OK" || name.ends_with(".OK"));
    annotation.args.len() == 1
        && annotation.args.iter().all(|(name, value)| matches!(name.as_str(), "value" | "code") && is_ok(value))
}

/// Whether a validator may find a violation in an object of this type.
fn may_be_invalid(project: &Project, scope: TypeId, reference: &TypeRef, seen: &mut BTreeSet<TypeId>) -> bool {
    // What one text holds has no parts.
    let Some(ty) = project.resolve(scope, &reference.name).project() else {
        return !is_simple(project, scope, reference);
    };
    if project.has_inert_constraints() {
        return false;
    }
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
            || members().any(|facts| facts.every_annotation().any(|one| constrains(of, one)))
    })
}

/// Whether two declarations of one member agree, without their bodies. Parameter names count if a framework binds by
/// them.
pub(in crate::compare) fn declared_alike(was: &MemberFacts, is: &MemberFacts, is_entry: bool) -> bool {
    let param = |a: &Param, b: &Param| {
        (a.name == b.name || (!is_entry && a.annotations.is_empty()))
            && a.ty == b.ty
            && a.varargs == b.varargs
            && annotated_alike(&a.annotations, &b.annotations)
            && annotated_alike(&a.of_elements, &b.of_elements)
    };
    was.kind == is.kind
        && was.modifiers == is.modifiers
        && was.ty == is.ty
        && annotated_alike(&was.annotations, &is.annotations)
        && annotated_alike(&was.of_elements, &is.of_elements)
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

/// Whether a store keeps objects of a class field by field.
pub(in crate::compare) fn is_stored(project: &Project, ty: TypeId) -> bool {
    project.ty(ty).annotations.iter().any(|one| KEPT.contains(&one.simple()))
}

/// Whether the stored form of a class is a row, which has a value for every field (Jakarta Persistence). A document may
/// omit fields, which then keep their initial values.
pub(in crate::compare) fn is_row(project: &Project, ty: TypeId) -> bool {
    is_stored(project, ty) && !project.ty(ty).annotations.iter().any(|one| OF_DOCUMENTS.contains(&one.simple()))
}

/// Whether an operation on an enclosing row also affects this member's row: by a cascade, or by a method that the store
/// calls.
pub(in crate::compare) fn goes_along(facts: &MemberFacts) -> bool {
    match facts.kind {
        MemberKind::Field => facts.annotations.iter().any(|one| goes_on(&mut one.clone())),
        _ => !is_harmless(&facts.annotations),
    }
}

/// Whether an annotation of a field only defines how a store keeps it, without an effect on other rows.
pub(in crate::compare) fn is_kept(of: &MemberFacts, annotation: &Annotation) -> bool {
    let is_field = of.kind == MemberKind::Field && STORING.contains(&annotation.simple());
    is_field && !goes_on(&mut annotation.clone())
}

/// Whether an annotation of a field defines what the container injects. Code that reads the field is compared.
pub(in crate::compare) fn is_injected(of: &MemberFacts, annotation: &Annotation) -> bool {
    let says = ["Autowired", "Inject", "Resource", "Qualifier", "Value", "Lazy", "PersistenceContext"];
    of.kind == MemberKind::Field && says.contains(&annotation.simple())
}

/// Whether annotations have no effect if the annotated element was added or removed.
pub(in crate::compare) fn is_harmless(annotations: &[Annotation]) -> bool {
    annotations.iter().all(|annotation| HARMLESS.contains(&annotation.simple()))
}
