//! MongoDB documents: stored classes without an annotation, and configuration that changes how documents are stored.

use std::collections::BTreeSet;

use crate::spring::rest_repositories::entity_of;
use mastor_java::interpret::classes::objects::has;
use mastor_java::ir::facts::{MemberKind, Modifiers, TypeFacts, TypeKind};
use mastor_java::ir::ids::TypeId;
use mastor_java::project::index::Project;

/// Annotations of fields that are stored in a way that is not followed, or filled automatically.
pub(super) const ODD: &[&str] = &[
    "Version",
    "CreatedDate",
    "LastModifiedDate",
    "CreatedBy",
    "LastModifiedBy",
    "DBRef",
    "DocumentReference",
    "Unwrapped",
    "ReadOnlyProperty",
    "ValueConverter",
];

/// Whether a class configures its collection in a way that is not followed: unique values, collations, time series.
pub(super) fn is_odd(facts: &TypeFacts) -> bool {
    facts.annotations.iter().any(|annotation| match annotation.simple() {
        "CompoundIndexes" | "TimeSeries" | "Sharded" => true,
        "CompoundIndex" => annotation.arg("unique").is_some(),
        "Document" => annotation.arg("collation").is_some(),
        _ => false,
    })
}

/// Types that store documents directly, and repositories.
const MONGO_TYPES: &[&str] =
    &["MongoTemplate", "MongoOperations", "MongoCollection", "MongoRepository", "ReactiveMongoTemplate"];

/// Project classes named in files that use MongoDB, if they look like documents: they have an identifier field and no
/// annotation of an entity or bean.
pub(super) fn unmarked(project: &Project) -> BTreeSet<TypeId> {
    let mut found = BTreeSet::new();
    for ty in project.types() {
        let words = &project.file(project.file_of(ty)).facts.type_words;
        if !words.iter().any(|word| MONGO_TYPES.contains(&word.as_str())) {
            continue;
        }
        found.extend(words.iter().filter_map(|word| project.resolve(ty, word).project()));
        found.extend(entity_of(project, ty));
    }
    found.retain(|ty| {
        let facts = project.ty(*ty);
        let is_id = |annotation: &[_]| has(annotation, &["Id", "MongoId", "BsonId"]);
        facts.kind == TypeKind::Class
            && !facts.modifiers.has(Modifiers::ABSTRACT)
            && !has(&facts.annotations, &["Entity", "Document", "Component", "Service", "Repository", "Configuration"])
            && std::iter::once(*ty).chain(project.all_supers(*ty)).flat_map(|ty| project.members(ty)).any(|member| {
                let of = project.member(member);
                of.kind == MemberKind::Field
                    && !of.modifiers.has(Modifiers::STATIC)
                    && (matches!(of.name.as_str(), "id" | "_id") || is_id(&of.annotations))
            })
    });
    found
}

/// Why the stored form of documents is unknown: conversions and listeners of the project, or several templates.
pub(super) fn open(project: &Project) -> Option<String> {
    const LISTENING: &[&str] = &[
        "AbstractMongoEventListener",
        "BeforeConvertCallback",
        "BeforeSaveCallback",
        "AfterConvertCallback",
        "AfterSaveCallback",
        "ReactiveBeforeConvertCallback",
        "MongoEventListener",
    ];
    let mut templates = 0;
    for ty in project.types() {
        let name = |fqn: &&str| LISTENING.contains(&fqn.rsplit('.').next().unwrap_or(fqn));
        if project.library_supers(ty).iter().any(name) {
            return Some(format!("{} listens to what is done to documents", project.ty(ty).name));
        }
        for member in project.members(ty) {
            let facts = project.member(member);
            if !has(&facts.annotations, &["Bean"]) {
                continue;
            }
            match facts.ty.as_ref().map(|made| made.simple()) {
                Some("MongoCustomConversions" | "CustomConversions") => {
                    return Some("conversions of the project's own".to_owned());
                }
                Some("MongoTemplate" | "MongoOperations" | "ReactiveMongoTemplate") => templates += 1,
                _ => {}
            }
        }
    }
    (templates > 1).then(|| "several databases".to_owned())
}
