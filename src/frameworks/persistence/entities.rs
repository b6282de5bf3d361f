//! Entities: how the fields of a class are stored, by the annotations of JPA and of Spring Data's documents.

use std::collections::BTreeMap;

use super::documents;
use mastor_java::interpret::classes::objects::{capitalised, has};
use mastor_java::interpret::stores::data::{
    Cascade, Entity, KeyGenerator, Keys, Mapped, Mapping, StartupKeys, Strategy, plain,
};
use mastor_java::ir::constant::Constant;
use mastor_java::ir::facts::{Annotation, MemberFacts, MemberKind, Modifiers, TypeKind, TypeRef, Value as Arg};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;

/// Annotations of fields whose stored form is not followed.
const ODD: &[&str] = &[
    "Convert",
    "Type",
    "Formula",
    "Embedded",
    "ElementCollection",
    "CollectionTable",
    "Any",
    "Where",
    "Filter",
    "AttributeOverride",
    "AttributeOverrides",
    "MapKey",
    "MapKeyColumn",
    "JoinColumns",
    "TenantId",
    "SQLRestriction",
    "ColumnTransformer",
    "Generated",
    "JdbcTypeCode",
    "Struct",
    "Lob",
];

/// Annotations of classes that change how rows are stored, found or removed.
const ODD_CLASSES: &[&str] = &[
    "Where",
    "SQLDelete",
    "SQLRestriction",
    "SoftDelete",
    "Filter",
    "Loader",
    "Subselect",
    "Immutable",
    "SecondaryTable",
    "SecondaryTables",
    "AttributeOverride",
    "AttributeOverrides",
];

/// The entities of a project, by class.
pub fn entities(project: &Project) -> BTreeMap<TypeId, Entity> {
    let is_entity = |ty: &TypeId| has(&project.ty(*ty).annotations, &["Entity", "Document"]);
    let found = project.types().filter(|ty| project.ty(*ty).kind == TypeKind::Class).filter(is_entity);
    let mut found: BTreeMap<TypeId, Entity> = found.filter_map(|ty| Some((ty, entity(project, ty)?))).collect();
    for ty in documents::unmarked(project) {
        if !found.contains_key(&ty)
            && let Some(entity) = entity(project, ty)
        {
            found.insert(ty, Entity { is_document: true, ..entity });
        }
    }
    if let Some(why) = documents::open(project) {
        for entity in found.values_mut().filter(|entity| entity.is_document) {
            entity.open.get_or_insert_with(|| why.clone());
        }
    }
    found
}

fn entity(project: &Project, ty: TypeId) -> Option<Entity> {
    let facts = project.ty(ty);
    let is_document = has(&facts.annotations, &["Document"]) || !has(&facts.annotations, &["Entity"]);
    let named = |annotation: &str, arg: &str| {
        facts.annotations.iter().filter(|a| a.simple() == annotation).find_map(|a| text(project, ty, a.arg(arg)))
    };
    let name = named("Entity", "name").unwrap_or_else(|| facts.name.clone());
    let table = named("Table", "name")
        .or_else(|| named("Document", "collection"))
        .or_else(|| named("Document", "value"))
        .unwrap_or_else(|| name.clone());
    let mut open = None;
    let mut classes = vec![ty];
    for above in project.all_supers(ty) {
        let of = project.ty(above);
        if of.kind == TypeKind::Interface {
            continue;
        }
        classes.push(above);
    }
    if project.has_unknown_super(ty) || project.library_supers(ty).iter().any(|up| !is_harmless(up)) {
        open = Some(format!("{} inherits from a library", facts.name));
    }
    if let Some(odd) = facts.annotations.iter().find(|a| ODD_CLASSES.contains(&a.simple())) {
        open = Some(format!("@{} of {}", odd.simple(), facts.name));
    }
    if is_document && documents::is_odd(facts) {
        open = Some(format!("how documents of {} are kept", facts.name));
    }
    let (mut fields, mut ids, mut keys) = (Vec::new(), Vec::new(), Keys::Assigned);
    let mut by_key = Vec::new();
    let mut counting = StartupKeys::Open;
    let mut numbered = KeyGenerator::Open;
    let mut callbacks = Vec::new();
    for class in classes.into_iter().rev() {
        for member in project.members(class) {
            let of = project.member(member);
            if of.kind == MemberKind::Method {
                callbacks.extend(
                    ["PrePersist", "PreUpdate"]
                        .into_iter()
                        .filter(|name| has(&of.annotations, &[name]))
                        .map(|name| (name, member)),
                );
                continue;
            }
            if of.kind != MemberKind::Field || of.modifiers.has(Modifiers::STATIC) {
                continue;
            }
            let marks = marks(project, class, of);
            let is_id = has(&marks, &["Id", "EmbeddedId", "MongoId", "BsonId"])
                || (is_document && matches!(of.name.as_str(), "id" | "_id") && ids.is_empty());
            if is_id {
                ids.push(member);
                let is_made = |ty: &TypeRef| ["String", "ObjectId"].contains(&ty.simple());
                let foreign = text(project, class, arg(&marks, "GenericGenerator", "strategy"));
                if foreign.as_deref() == Some("foreign") {
                    keys = Keys::Shared;
                } else if has(&marks, &["GeneratedValue"]) || is_document && of.ty.as_ref().is_some_and(is_made) {
                    keys = Keys::Generated;
                }
                counting = counting_of(project, class, &marks);
                numbered = numbered_by(&marks);
                if has(&marks, &["EmbeddedId"]) {
                    open = Some(format!("the key of {} is made of several values", facts.name));
                }
            }
            if has(&marks, &["MapsId"]) {
                keys = Keys::Shared;
            }
            fields.push(mapped(project, class, member, of, &marks, is_document));
            if has(&marks, &["PrimaryKeyJoinColumn"]) {
                by_key.push(member);
            }
        }
    }
    let id = match ids.first() {
        Some(id) => *id,
        // The document has no annotated key.
        None if is_document => {
            open.get_or_insert_with(|| format!("{} has no key", facts.name));
            fields.first()?.member
        }
        None => return None,
    };
    // A reference by shared key uses the key's column.
    let own = fields.iter().find_map(|field: &Mapped| match &field.mapping {
        Mapping::Basic { column, .. } if field.member == id => Some(column.clone()),
        _ => None,
    });
    for field in fields.iter_mut().filter(|field| by_key.contains(&field.member)) {
        if let (Mapping::One { column, .. }, Some(own)) = (&mut field.mapping, &own) {
            column.clone_from(own);
            field.is_read_only = keys != Keys::Shared;
        }
    }
    let mut parts = Vec::new();
    if ids.len() > 1 || has(&facts.annotations, &["IdClass"]) {
        let is_plain = |id: &MemberId| {
            let mapping = fields.iter().find(|field: &&Mapped| field.member == *id).map(|field| &field.mapping);
            matches!(mapping, Some(Mapping::Basic { .. }))
        };
        match keys == Keys::Assigned && !is_document && ids.iter().all(is_plain) && holds(project, ty, &ids) {
            true => parts.clone_from(&ids),
            false => open = Some(format!("the key of {} is made of several values", facts.name)),
        }
    }
    let table = plain(&table);
    Some(Entity {
        ty,
        root: ty,
        kin: vec![ty],
        strategy: Strategy::Single,
        told_by: None,
        name,
        table,
        fields,
        id,
        parts,
        keys,
        counting,
        numbered,
        is_document,
        callbacks,
        open,
    })
}

/// Whether the class in `@IdClass` has a field for each part of the key.
fn holds(project: &Project, ty: TypeId, ids: &[MemberId]) -> bool {
    let Some(Arg::Class(class)) = arg(&project.ty(ty).annotations, "IdClass", "value") else { return false };
    let Some(class) = project.resolve(ty, &class.name).project() else { return false };
    let has_part = |id: &MemberId| {
        let name = &project.member(*id).name;
        project.members(class).any(|own| {
            matches!(project.member(own).kind, MemberKind::Field | MemberKind::RecordComponent)
                && project.member(own).name == *name
        })
    };
    ids.len() > 1 && ids.iter().all(has_part)
}

/// How keys are generated: by the table, or by one global sequence, as in earlier releases.
fn counting_of(project: &Project, class: TypeId, marks: &[Annotation]) -> StartupKeys {
    if has(marks, &["GenericGenerator", "SequenceGenerator", "TableGenerator", "UuidGenerator"]) {
        return StartupKeys::Open;
    }
    let strategy = match arg(marks, "GeneratedValue", "strategy") {
        Some(Arg::Name(name)) => name.rsplit('.').next().unwrap_or_default(),
        _ => "AUTO",
    };
    let imports = &project.file(project.file_of(class)).facts.imports;
    let jakarta = imports.iter().any(|import| import.path.starts_with("jakarta.persistence"));
    match (strategy, jakarta) {
        ("IDENTITY", _) | ("AUTO" | "SEQUENCE", true) => StartupKeys::Table,
        ("AUTO" | "SEQUENCE", false) => StartupKeys::Shared,
        _ => StartupKeys::Open,
    }
}

/// Who generates the keys of new rows, as far as annotations say.
fn numbered_by(marks: &[Annotation]) -> KeyGenerator {
    match arg(marks, "GeneratedValue", "strategy") {
        Some(Arg::Name(name)) if name.rsplit('.').next() == Some("IDENTITY") => KeyGenerator::Column,
        Some(Arg::Name(name)) if name.rsplit('.').next() != Some("AUTO") => KeyGenerator::Sequence,
        _ if has(marks, &["GenericGenerator", "SequenceGenerator", "TableGenerator"]) => KeyGenerator::Sequence,
        _ => KeyGenerator::Open,
    }
}

fn is_harmless(fqn: &str) -> bool {
    matches!(fqn, "java.io.Serializable" | "java.lang.Object" | "java.lang.Comparable" | "java.lang.Cloneable")
        || fqn.ends_with(".UserDetails")
        || fqn.ends_with(".GrantedAuthority")
        || fqn.ends_with(".RepresentationModel")
        || fqn == "io.quarkus.hibernate.orm.panache.PanacheEntityBase"
}

/// The annotations of a field and of its getter.
fn marks(project: &Project, class: TypeId, field: &MemberFacts) -> Vec<Annotation> {
    let mut marks = field.annotations.clone();
    let capital = capitalised(&field.name);
    for member in project.members(class) {
        let facts = project.member(member);
        let is_getter = facts.name.strip_prefix("get").or_else(|| facts.name.strip_prefix("is")) == Some(&capital);
        if facts.kind == MemberKind::Method && facts.params.is_empty() && is_getter {
            marks.extend(facts.annotations.iter().cloned());
        }
    }
    marks
}

pub(super) fn text(project: &Project, ty: TypeId, value: Option<&Arg>) -> Option<String> {
    match project.eval(ty, value?).value {
        Constant::Str(text) if !text.is_empty() => Some(text),
        _ => None,
    }
}

/// The property and direction of `@OrderBy("name desc")`; the identifier if it names no property.
fn order(project: &Project, class: TypeId, marks: &[Annotation]) -> Option<(String, bool)> {
    let by = marks.iter().find(|a| a.simple() == "OrderBy")?;
    let written = text(project, class, by.arg("value")).unwrap_or_else(|| "id".to_owned());
    let mut words = written.split_whitespace();
    let name = words.next()?.to_owned();
    Some((name, words.next().is_some_and(|word| word.eq_ignore_ascii_case("desc"))))
}

/// An argument of the annotation with this name.
pub(super) fn arg<'a>(marks: &'a [Annotation], annotation: &str, name: &str) -> Option<&'a Arg> {
    marks.iter().find(|a| a.simple() == annotation).and_then(|a| a.arg(name))
}

fn mapped(
    project: &Project,
    class: TypeId,
    member: MemberId,
    field: &MemberFacts,
    marks: &[Annotation],
    is_document: bool,
) -> Mapped {
    let flag = |annotation: &str, name: &str| match arg(marks, annotation, name) {
        Some(Arg::Bool(value)) => Some(*value),
        _ => None,
    };
    let length = match arg(marks, "Column", "length").map(|value| project.eval(class, value).value) {
        Some(Constant::Int(length)) => usize::try_from(length).ok(),
        _ => None,
    };
    let is_read_only =
        flag("JoinColumn", "insertable") == Some(false) && flag("JoinColumn", "updatable") == Some(false);
    let is_primitive = field.ty.as_ref().is_some_and(TypeRef::is_primitive);
    Mapped {
        member,
        name: field.name.clone(),
        mapping: mapping(project, class, field, marks, is_document),
        order: order(project, class, marks),
        is_required: is_primitive
            || !is_read_only
                && (["Column", "JoinColumn"].iter().any(|name| flag(name, "nullable") == Some(false))
                    || ["ManyToOne", "OneToOne", "Basic"].iter().any(|name| flag(name, "optional") == Some(false))),
        is_unique: flag("Column", "unique") == Some(true)
            || is_document && (has(marks, &["NaturalId"]) || flag("Indexed", "unique") == Some(true)),
        length,
        is_read_only,
    }
}

fn mapping(project: &Project, class: TypeId, field: &MemberFacts, marks: &[Annotation], is_document: bool) -> Mapping {
    if field.modifiers.has(Modifiers::TRANSIENT) || has(marks, &["Transient"]) {
        return Mapping::Transient;
    }
    if marks.iter().any(|mark| ODD.contains(&mark.simple())) {
        return Mapping::Open;
    }
    if is_document && marks.iter().any(|mark| documents::ODD.contains(&mark.simple())) {
        return Mapping::Open;
    }
    if is_document {
        return Mapping::Basic { column: plain(&field.name), ordinal: false };
    }
    let string = |annotation: &str, name: &str| text(project, class, arg(marks, annotation, name));
    for kind in ["ManyToOne", "OneToOne", "OneToMany", "ManyToMany"] {
        if !has(marks, &[kind]) {
            continue;
        }
        let many = kind.ends_with("Many");
        let declared = field.ty.as_ref();
        let written = if many { declared.and_then(|ty| ty.args.first()) } else { declared };
        let Some(target) = written.and_then(|ty| project.resolve(class, &ty.name).project()) else {
            return Mapping::Open;
        };
        let cascade = cascade(arg(marks, kind, "cascade"));
        if let Some(by) = string(kind, "mappedBy") {
            let orphans = matches!(arg(marks, kind, "orphanRemoval"), Some(Arg::Bool(true)));
            return match kind {
                "OneToOne" => Mapping::OneBy { target, by, cascade },
                "OneToMany" => Mapping::ManyBy { target, by, cascade, orphans },
                _ => Mapping::ManyInBy { target, by },
            };
        }
        let joined = string("JoinColumn", "name").map(|name| plain(&name));
        return match kind {
            "ManyToOne" | "OneToOne" => {
                let column = joined.unwrap_or_else(|| plain(&format!("{}_id", field.name)));
                Mapping::One { target, column, cascade }
            }
            "OneToMany" if joined.is_some() => Mapping::Open,
            _ => pairs(project, class, field, marks, target, cascade),
        };
    }
    let column = string("Column", "name").or_else(|| string("Field", "value")).unwrap_or_else(|| field.name.clone());
    let is_enum = field
        .ty
        .as_ref()
        .and_then(|ty| project.resolve(class, &ty.name).project())
        .is_some_and(|ty| project.ty(ty).kind == TypeKind::Enum);
    let by_name = |value: &Arg| matches!(value, Arg::Name(name) if name.rsplit('.').next() == Some("STRING"));
    let ordinal = is_enum && !arg(marks, "Enumerated", "value").is_some_and(by_name);
    Mapping::Basic { column: plain(&column), ordinal }
}

/// A join table: by `@JoinTable`, or with JPA's default names.
fn pairs(
    project: &Project,
    class: TypeId,
    field: &MemberFacts,
    marks: &[Annotation],
    target: TypeId,
    cascade: Cascade,
) -> Mapping {
    let string = |annotation: &str, name: &str| text(project, class, arg(marks, annotation, name));
    let (own, other) = (project.ty(class).name.clone(), project.ty(target).name.clone());
    let column = |side: &str| match arg(marks, "JoinTable", side) {
        Some(Arg::Annotation(join)) => text(project, class, join.arg("name")),
        Some(Arg::Array(items)) => match items.as_slice() {
            [Arg::Annotation(join)] => text(project, class, join.arg("name")),
            _ => None,
        },
        _ => None,
    };
    let table = string("JoinTable", "name").unwrap_or_else(|| format!("{own}_{}", field.name));
    // If there is an inverse side, its field gives the name of this side's column.
    let back = project.members(target).find_map(|member| {
        let of = project.member(member);
        let by = of.annotations.iter().find(|a| a.simple() == "ManyToMany").and_then(|a| a.arg("mappedBy"));
        (text(project, target, by).as_deref() == Some(&field.name)).then(|| of.name.clone())
    });
    let own_column = column("joinColumns").unwrap_or_else(|| format!("{}_id", back.unwrap_or(own)));
    let other_column = column("inverseJoinColumns").unwrap_or_else(|| match field.name.is_empty() {
        true => format!("{other}_id"),
        false => format!("{}_id", field.name),
    });
    Mapping::ManyIn { target, table: plain(&table), own: plain(&own_column), other: plain(&other_column), cascade }
}

/// The operations on a row that are also applied to the rows that the field refers to.
fn cascade(value: Option<&Arg>) -> Cascade {
    match value {
        Some(Arg::Name(name)) => match name.rsplit('.').next() {
            Some("ALL") => Cascade { persist: true, merge: true, remove: true },
            Some("PERSIST") => Cascade { persist: true, ..Cascade::default() },
            Some("MERGE") => Cascade { merge: true, ..Cascade::default() },
            Some("REMOVE") => Cascade { remove: true, ..Cascade::default() },
            _ => Cascade::default(),
        },
        Some(Arg::Array(items)) => items.iter().map(|item| cascade(Some(item))).fold(Cascade::default(), Cascade::or),
        _ => Cascade::default(),
    }
}
