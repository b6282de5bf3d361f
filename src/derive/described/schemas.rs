//! Schemas of Java types: the JSON form in which a value is written or read, as far as the code shows it.

use std::collections::BTreeMap;

use openapiv3::{
    AdditionalProperties, ArrayType, BooleanType, IntegerFormat, IntegerType, NumberFormat, NumberType, ObjectType,
    ReferenceOr, Schema, SchemaKind, StringType, Type as Kind, VariantOrUnknownOrEmpty,
};

use super::limits::{any, of_kind, text};
use mastor_frameworks::record::Json;
use mastor_java::interpret::values::scalar::{ClassRef, Prim};
use mastor_java::interpret::values::value::Type;
use mastor_runtime::bench::Bench;
use mastor_runtime::body::provider;
use mastor_runtime::body::written::Rules;
use mastor_runtime::request::slot::{Slot, constants};
use mastor_runtime::request::text_forms::TextForm;
use mastor_types::described::Component;

/// The direction of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SchemaDirection {
    /// Written to an answer.
    Written,
    /// Read from a request; `validated` if its constraints are checked.
    Read { validated: bool },
}

/// Builds the schemas of one operation, and collects the components of its classes.
pub(super) struct Schemas<'b> {
    pub(super) bench: &'b Bench<'b>,
    pub(super) rules: Rules,
    /// Whether class properties have their default names in JSON.
    pub(super) is_plain: bool,
    /// Whether bodies other than texts are JSON.
    pub(super) is_json: bool,
    pub(super) components: BTreeMap<String, Component>,
}

impl<'b> Schemas<'b> {
    /// Starts without components.
    pub(super) fn of(bench: &'b Bench<'b>) -> Self {
        let subject = bench.subject;
        let is_followed = match subject.endpoint.framework.body.json {
            Json::Jackson => true,
            // JSON-B names properties like Jackson by default; JSON-B's own annotations are not followed.
            Json::OfBuild => provider::is_jackson(bench) || provider::is_binding(bench),
        };
        let is_plain = is_followed && bench.surroundings.has_plain_forms();
        Self { bench, rules: Rules::of(subject), is_plain, is_json: is_followed, components: BTreeMap::new() }
    }

    /// The schema of a type.
    pub(super) fn schema(&mut self, ty: &Type, way: SchemaDirection) -> ReferenceOr<Schema> {
        match ty {
            Type::Void | Type::Unknown => ReferenceOr::Item(any()),
            Type::Prim(prim) | Type::Boxed(prim) => ReferenceOr::Item(of_prim(*prim)),
            Type::Str => ReferenceOr::Item(text(None)),
            Type::Array(element) if **element == Type::Prim(Prim::Byte) => ReferenceOr::Item(text(Some("byte"))),
            Type::Array(element) if **element == Type::Prim(Prim::Char) => ReferenceOr::Item(text(None)),
            Type::Array(element) => self.list(element, way),
            Type::Class(ClassRef::Library(fqn), args) => self.library(fqn, args, way),
            Type::Class(ClassRef::Project(id), args) => self.class(*id, args, way),
        }
    }

    fn list(&mut self, element: &Type, way: SchemaDirection) -> ReferenceOr<Schema> {
        let items = Some(boxed(self.schema(element, way)));
        let list = ArrayType { items, min_items: None, max_items: None, unique_items: false };
        ReferenceOr::Item(of_kind(SchemaKind::Type(Kind::Array(list))))
    }

    fn library(&mut self, fqn: &str, args: &[Type], way: SchemaDirection) -> ReferenceOr<Schema> {
        let argument = |at: usize| args.get(at).cloned().unwrap_or(Type::Unknown);
        if is_list(fqn) {
            return self.list(&argument(0), way);
        }
        if is_map(fqn) {
            let values = argument(args.len().saturating_sub(1));
            let values = if fqn.ends_with("MultiValueMap") { Type::Array(Box::new(values)) } else { values };
            let of = match values {
                Type::Unknown => AdditionalProperties::Any(true),
                known => AdditionalProperties::Schema(Box::new(self.schema(&known, way))),
            };
            let object = ObjectType { additional_properties: Some(of), ..ObjectType::default() };
            return ReferenceOr::Item(of_kind(SchemaKind::Type(Kind::Object(object))));
        }
        match fqn {
            "java.util.Optional" if self.rules.optional => self.schema(&argument(0), way),
            "org.springframework.data.domain.Page" | "org.springframework.data.domain.PageImpl"
                if self.rules.pages && self.is_plain && way == SchemaDirection::Written =>
            {
                self.page(&argument(0))
            }
            _ => ReferenceOr::Item(self.value(fqn).unwrap_or_else(any)),
        }
    }

    /// A Spring Data page, by its getters.
    fn page(&mut self, element: &Type) -> ReferenceOr<Schema> {
        let mut object = ObjectType::default();
        object.properties.insert("content".to_owned(), boxed(self.list(element, SchemaDirection::Written)));
        for name in ["number", "size", "numberOfElements", "totalPages", "totalElements"] {
            let prim = if name == "totalElements" { Prim::Long } else { Prim::Int };
            object.properties.insert(name.to_owned(), boxed(ReferenceOr::Item(of_prim(prim))));
        }
        for name in ["first", "last", "empty"] {
            object.properties.insert(name.to_owned(), boxed(ReferenceOr::Item(of_prim(Prim::Bool))));
        }
        ReferenceOr::Item(of_kind(SchemaKind::Type(Kind::Object(object))))
    }

    /// The schema of a library type.
    fn value(&self, fqn: &str) -> Option<Schema> {
        let is_moment = fqn.starts_with("java.time.") && fqn != "java.time.ZoneId" || fqn == "java.util.Date";
        if is_moment && !self.rules.dates {
            return None;
        }
        Some(match fqn {
            "java.util.UUID" => text(Some("uuid")),
            "java.math.BigDecimal" | "java.lang.Number" => {
                of_kind(SchemaKind::Type(Kind::Number(NumberType::default())))
            }
            "java.math.BigInteger"
            | "java.util.concurrent.atomic.AtomicInteger"
            | "java.util.concurrent.atomic.AtomicLong" => {
                of_kind(SchemaKind::Type(Kind::Integer(IntegerType::default())))
            }
            "java.time.LocalDate" => text(Some("date")),
            "java.time.Instant" | "java.time.OffsetDateTime" | "java.time.ZonedDateTime" => text(Some("date-time")),
            // Without an offset, they are not RFC 3339 `date-time` values.
            "java.time.LocalDateTime" | "java.time.LocalTime" | "java.util.Date" => text(None),
            "java.net.URI" | "java.net.URL" => text(Some("uri")),
            "java.lang.CharSequence" | "java.util.Locale" | "java.util.Currency" | "java.time.ZoneId" => text(None),
            _ => return None,
        })
    }

    /// The schema of a parameter that is sent as a string.
    pub(super) fn parameter(&self, slot: &Slot) -> Schema {
        let form = slot.form.map(|form| match form {
            TextForm::Identifier => text(Some("uuid")),
            TextForm::Decimal => of_kind(SchemaKind::Type(Kind::Number(NumberType::default()))),
            TextForm::Whole => of_kind(SchemaKind::Type(Kind::Integer(IntegerType::default()))),
            TextForm::Instant => text(Some("date-time")),
            TextForm::Date => text(Some("date")),
            TextForm::DateTime | TextForm::Time => text(None),
        });
        let constants = slot.constants.as_ref().filter(|constants| !constants.is_empty());
        form.or_else(|| constants.map(|constants| of_constants(constants.iter().map(ToString::to_string))))
            .unwrap_or_else(|| self.words(&slot.ty))
    }

    /// The schema of a string in a request that is converted to a type.
    fn words(&self, ty: &Type) -> Schema {
        match ty {
            Type::Prim(prim) | Type::Boxed(prim) => of_prim(*prim),
            Type::Array(element) => self.texts(element),
            Type::Class(ClassRef::Library(fqn), args) if is_list(fqn) => self.texts(args.first().unwrap_or(&Type::Str)),
            Type::Class(ClassRef::Library(fqn), _) if fqn.ends_with(".MultipartFile") => text(Some("binary")),
            Type::Class(ClassRef::Project(_), _) => {
                let constants = constants(self.bench.subject.project, ty).filter(|all| !all.is_empty());
                constants.map_or_else(|| text(None), |all| of_constants(all.iter().map(ToString::to_string)))
            }
            _ => text(None),
        }
    }

    fn texts(&self, element: &Type) -> Schema {
        let items = Some(boxed(ReferenceOr::Item(self.words(element))));
        let list = ArrayType { items, min_items: None, max_items: None, unique_items: false };
        of_kind(SchemaKind::Type(Kind::Array(list)))
    }
}

/// A string schema with these values.
pub(super) fn of_constants(names: impl Iterator<Item = String>) -> Schema {
    let enumeration = names.map(Some).collect();
    of_kind(SchemaKind::Type(Kind::String(StringType { enumeration, ..StringType::default() })))
}

/// The schema of a primitive type.
fn of_prim(prim: Prim) -> Schema {
    let integer = |format| IntegerType { format: VariantOrUnknownOrEmpty::Item(format), ..IntegerType::default() };
    let number = |format| NumberType { format: VariantOrUnknownOrEmpty::Item(format), ..NumberType::default() };
    of_kind(SchemaKind::Type(match prim {
        Prim::Bool => Kind::Boolean(BooleanType::default()),
        Prim::Char => Kind::String(StringType { min_length: Some(1), max_length: Some(1), ..StringType::default() }),
        Prim::Float => Kind::Number(number(NumberFormat::Float)),
        Prim::Double => Kind::Number(number(NumberFormat::Double)),
        Prim::Long => Kind::Integer(integer(IntegerFormat::Int64)),
        _ => Kind::Integer(integer(IntegerFormat::Int32)),
    }))
}

/// The schema in a box, as properties and items need it.
pub(super) fn boxed(schema: ReferenceOr<Schema>) -> ReferenceOr<Box<Schema>> {
    match schema {
        ReferenceOr::Item(schema) => ReferenceOr::Item(Box::new(schema)),
        ReferenceOr::Reference { reference } => ReferenceOr::Reference { reference },
    }
}

/// Whether a library class is written as a list.
fn is_list(fqn: &str) -> bool {
    const LISTS: &[&str] = &[
        "java.lang.Iterable",
        "java.util.ArrayList",
        "java.util.Collection",
        "java.util.Deque",
        "java.util.HashSet",
        "java.util.LinkedHashSet",
        "java.util.LinkedList",
        "java.util.List",
        "java.util.Queue",
        "java.util.Set",
        "java.util.SortedSet",
        "java.util.TreeSet",
    ];
    LISTS.contains(&fqn)
}

/// Whether a library class is written as an object with arbitrary members.
fn is_map(fqn: &str) -> bool {
    const MAPS: &[&str] = &[
        "java.util.HashMap",
        "java.util.LinkedHashMap",
        "java.util.Map",
        "java.util.SortedMap",
        "java.util.TreeMap",
        "java.util.concurrent.ConcurrentHashMap",
        "org.springframework.util.LinkedMultiValueMap",
        "org.springframework.util.MultiValueMap",
    ];
    MAPS.contains(&fqn)
}
