//! Types whose values are sent as one text, in contrast to objects with fields.

use mastor_java::ir::facts::{TypeKind, TypeRef};
use mastor_java::ir::ids::TypeId;
use mastor_java::ir::named::Named;
use mastor_java::project::index::Project;

/// Whether one text holds a value of this type: primitives and their boxes, strings, enums, dates, numbers, URIs and
/// classes (documentation of `BeanUtils.isSimpleProperty`, Spring).
pub fn is_simple(project: &Project, scope: TypeId, ty: &TypeRef) -> bool {
    const SIMPLE: [&str; 27] = [
        "String",
        "CharSequence",
        "Integer",
        "Long",
        "Short",
        "Byte",
        "Boolean",
        "Character",
        "Float",
        "Double",
        "Number",
        "BigDecimal",
        "BigInteger",
        "Date",
        "LocalDate",
        "LocalDateTime",
        "LocalTime",
        "OffsetDateTime",
        "ZonedDateTime",
        "Instant",
        "Duration",
        "UUID",
        "URI",
        "URL",
        "Currency",
        "Class",
        "MultipartFile",
    ];
    ty.is_primitive() || SIMPLE.contains(&ty.simple()) || is_enum(project, scope, ty)
}

fn is_enum(project: &Project, scope: TypeId, ty: &TypeRef) -> bool {
    matches!(project.resolve(scope, &ty.name), Named::Project(id) if project.ty(id).kind == TypeKind::Enum)
}
