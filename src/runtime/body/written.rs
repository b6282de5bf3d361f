//! Writes values as Jackson does with its default settings.

use super::forms::{Form, form};
use super::links::{self, Links};
use super::properties::{is_marked, properties};
use super::shape::Shape;
use crate::subject::Subject;
use mastor_frameworks::files::properties::{Property, relaxed};
use mastor_java::interpret::engine::machine::{Eval, Machine};
use mastor_java::interpret::library::base::contents::{Contents, contents};
use mastor_java::interpret::library::base::support::library_type;
use mastor_java::interpret::library::collections::ordered::array_tools::element;
use mastor_java::interpret::library::frameworks::hateoas::{self, LinkedContent};
use mastor_java::interpret::library::frameworks::pages::{Page, PageTotal};
use mastor_java::interpret::library::time::date_values::given as temporal;
use mastor_java::interpret::library::time::formats::date_formats;
use mastor_java::interpret::library::time::formats::date_patterns::Format;
use mastor_java::interpret::library::web::problems::{PROBLEM, more};
use mastor_java::interpret::values::scalar::{ClassRef, Prim, Scalar};
use mastor_java::interpret::values::term::{InputPlace, Term};
use mastor_java::interpret::values::value::{Kind, ObjId, Type, Value};
use mastor_java::ir::facts::{Annotation, MemberKind, TypeKind};
use mastor_java::ir::ids::TypeId;
use mastor_types::status::only_name;
use serde_json::{Value as Json, json};

/// The JSON shape that a type alone implies.
pub fn typed(machine: &Machine<'_>, ty: &Type, nullable: bool) -> Shape {
    match ty {
        Type::Prim(prim) | Type::Boxed(prim) => Shape::Typed(
            match prim {
                Prim::Bool => "boolean",
                Prim::Char => "string",
                Prim::Float | Prim::Double => "number",
                _ => "integer",
            },
            nullable && matches!(ty, Type::Boxed(_)),
        ),
        Type::Str => Shape::Typed("string", nullable),
        Type::Array(element) if **element != Type::Prim(Prim::Byte) => Shape::Typed("array", nullable),
        Type::Class(ClassRef::Library(fqn), _)
            if matches!(
                &**fqn,
                "java.util.List" | "java.util.Set" | "java.util.Collection" | "java.util.ArrayList"
            ) =>
        {
            Shape::Typed("array", nullable)
        }
        Type::Class(ClassRef::Library(fqn), _)
            if matches!(&**fqn, "java.util.Map" | "java.util.HashMap" | "java.util.LinkedHashMap") =>
        {
            Shape::Typed("object", nullable)
        }
        Type::Class(ClassRef::Project(id), _)
            if machine.project.ty(*id).kind == TypeKind::Enum && is_plain_enum(machine, *id) =>
        {
            Shape::Typed("string", nullable)
        }
        _ => Shape::Unknown,
    }
}

/// Whether Jackson writes and reads the constants of an enum by name.
pub fn is_plain_enum(machine: &Machine<'_>, id: TypeId) -> bool {
    let facts = machine.project.ty(id);
    let custom = |annotations: &[Annotation]| annotations.iter().any(|a| a.simple().starts_with("Json"));
    !custom(&facts.annotations) && !facts.members.iter().any(|member| custom(&member.annotations))
}

/// Whether Jackson 3 writes and reads the constants of an enum by their own `toString`.
pub fn has_own_text(machine: &Machine<'_>, id: TypeId) -> bool {
    let mut members = machine.project.ty(id).members.iter();
    members.any(|member| member.name == "toString" && member.params.is_empty())
}

/// The `@JsonValue` method of an enum.
fn value_method(machine: &Machine<'_>, id: TypeId) -> Option<String> {
    let mut all = machine.project.ty(id).members.iter().filter(|member| {
        member.kind == MemberKind::Method && member.annotations.iter().any(|one| one.simple() == "JsonValue")
    });
    let (only, None) = (all.next()?, all.next()) else { return None };
    (only.params.is_empty() && only.annotations.iter().all(|one| one.args.is_empty())).then(|| only.name.clone())
}

/// The JSON of a `ProblemDetail`'s type if none was set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Problems {
    /// `about:blank`, by Spring 6.
    Blank,
    /// Left out, since Spring 7.
    Untyped,
}

/// JSON settings that follow from the build.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rules {
    /// Whether an `Optional` is written as its content.
    pub optional: bool,
    /// Whether dates and times of `java.time` are written as ISO 8601 texts.
    pub dates: bool,
    /// Whether null is omitted by default.
    pub non_null: bool,
    /// Whether null, empty texts, collections and maps are omitted by default.
    pub non_empty: bool,
    /// Whether XML annotations do not affect JSON.
    pub plain_xml: bool,
    /// Whether an implementation of JSON-B writes: null is omitted, and annotations of Jackson have no meaning.
    pub binding: bool,
    /// Whether Jackson 3 reads and writes. It uses the `toString` of enums and refuses null for primitives.
    pub jackson3: bool,
    /// How a `ProblemDetail` is written, by the release of Spring; `None` if unknown.
    pub problems: Option<Problems>,
    /// How links of Spring HATEOAS objects are written; `None` if unknown.
    pub links: Option<Links>,
    /// Whether pages of rows have the default JSON form of Spring Data 2 and later.
    pub pages: bool,
}

impl Rules {
    /// Reads the build files. `Optional` needs the artifact of its Jackson module. Spring Boot includes the module
    /// for dates and writes them as texts, unless a property says otherwise.
    pub fn of(subject: &Subject<'_>) -> Self {
        let build = subject.build;
        let as_numbers = |property: &Property| {
            relaxed(&property.key) == "spring.jackson.serialization.writedatesastimestamps"
                && property.value.trim() != "false"
        };
        let rules = &subject.endpoint.framework.body;
        let dates = rules.boot_writes_dates
            && build.uses("spring-boot").is_some()
            && !subject.properties.all.iter().any(as_numbers)
            || rules.text_dates.is_some_and(|key| {
                subject.properties.get(&subject.endpoint.file, key).is_none_or(|one| one.value.trim() == "false")
            });
        let problems = match build.boot(&subject.endpoint.file) {
            _ if !rules.knows_problems => None,
            Some((3, _)) => Some(Problems::Blank),
            Some((4.., _)) => Some(Problems::Untyped),
            _ => None,
        };
        // Spring Boot 4 includes Jackson 3, unless the compatibility module for Jackson 2 is present.
        let jackson3 = problems == Some(Problems::Untyped) && build.uses("spring-boot-jackson2").is_none();
        let pages =
            build.boot(&subject.endpoint.file).is_some_and(|(major, _)| major >= 2) && subject.shared.plain_pages;
        let optional = build.uses("jackson-datatype-jdk8").is_some();
        let links = Links::of(subject);
        let (non_null, non_empty) = match rules.omits_empty {
            true => omitted(subject),
            false => (false, false),
        };
        let optional = optional || rules.omits_empty || rules.text_dates.is_some();
        Self { optional, dates, non_null, non_empty, jackson3, problems, pages, links, ..Self::default() }
    }
}

/// Whether null values and whether empty values are omitted, for a framework that omits both by default (Micronaut
/// reference, "Jackson Configuration"; Micronaut Serialization, `SerdeConfiguration`).
fn omitted(subject: &Subject<'_>) -> (bool, bool) {
    let is_inclusion = |property: &&Property| {
        matches!(
            relaxed(&property.key).as_str(),
            "jackson.serializationinclusion" | "micronaut.serde.serialization.inclusion"
        )
    };
    let said = subject.properties.all.iter().find(is_inclusion).map(|property| property.value.trim().to_uppercase());
    match said.as_deref() {
        Some("ALWAYS") => (false, false),
        Some("NON_NULL" | "NON_ABSENT") => (true, false),
        _ => (true, true),
    }
}

/// Whether a written value is empty; `None` if that is not known.
fn is_empty(shape: &Shape, value: &Value) -> Option<bool> {
    match shape {
        Shape::Exact(Json::String(text)) => Some(text.is_empty()),
        Shape::Exact(_) | Shape::Key(..) => Some(false),
        Shape::Array(items) | Shape::Bag(items) => Some(items.is_empty()),
        // An object is written even if all of its properties are omitted.
        Shape::Object(fields) => Some(fields.is_empty() && !matches!(value, Value::Ref(_))),
        Shape::Typed("boolean" | "integer" | "number", _) => Some(false),
        _ => None,
    }
}

/// The position of a value in the written document.
#[derive(Debug, Default, Clone, Copy)]
pub struct WritePosition<'a> {
    depth: usize,
    object: Option<ObjId>,
    above: Option<&'a WritePosition<'a>>,
}

impl WritePosition<'_> {
    /// A position one level deeper.
    fn inner(&self) -> WritePosition<'_> {
        WritePosition { depth: self.depth + 1, object: None, above: Some(self) }
    }

    /// Whether an enclosing position already writes this object.
    fn is_within(&self, object: ObjId) -> bool {
        self.object == Some(object) || self.above.is_some_and(|above| above.is_within(object))
    }
}

/// The JSON of a value under Jackson's defaults. An object that contains itself raises a doubt, since writing it
/// fails.
pub fn shape(machine: &mut Machine<'_>, value: &Value, ty: &Type, rules: Rules, at: &WritePosition<'_>) -> Eval<Shape> {
    if at.depth > 8 {
        return Ok(Shape::Unknown);
    }
    Ok(match value {
        Value::Scalar(scalar) => match scalar {
            Scalar::Null => Shape::Exact(Json::Null),
            Scalar::Bool(x) => Shape::Exact(json!(x)),
            Scalar::Str(text) => Shape::Exact(json!(&*text.text)),
            Scalar::Char(unit) => match String::from_utf16(&[*unit]) {
                Ok(text) => Shape::Exact(json!(text)),
                Err(_) => Shape::Typed("string", false),
            },
            Scalar::Double(x) if x.is_finite() => Shape::Exact(json!(x)),
            Scalar::Double(x) if x.is_nan() => Shape::Exact(json!("NaN")),
            Scalar::Double(x) => Shape::Exact(json!(if *x > 0.0 { "Infinity" } else { "-Infinity" })),
            Scalar::Float(x) if x.is_finite() => match x.to_string() == f64::from(*x).to_string() {
                true => Shape::Exact(json!(f64::from(*x))),
                false => Shape::Typed("number", false),
            },
            Scalar::Float(_) => Shape::Unknown,
            Scalar::Enum(ClassRef::Project(id), _)
                if rules.jackson3 && is_plain_enum(machine, *id) && has_own_text(machine, *id) =>
            {
                let exit = machine.exit;
                let text = machine.call_method(value.clone(), "toString", Vec::new())?;
                machine.exit = exit;
                shape(machine, &text, &Type::Str, rules, &at.inner())?
            }
            Scalar::Enum(ClassRef::Project(id), name) if is_plain_enum(machine, *id) => Shape::Exact(json!(&**name)),
            Scalar::Enum(ClassRef::Project(id), _) => match value_method(machine, *id) {
                Some(name) => {
                    let exit = machine.exit;
                    let written = machine.call_method(value.clone(), &name, Vec::new())?;
                    machine.exit = exit;
                    shape(machine, &written, &Type::Unknown, rules, &at.inner())?
                }
                None => Shape::Unknown,
            },
            Scalar::Enum(..) => Shape::Unknown,
            other => other.as_long().map_or(Shape::Unknown, |x| Shape::Exact(json!(x))),
        },
        Value::Cond(_) => Shape::Typed("boolean", false),
        Value::Symbol(symbol) => {
            let (ty, nullable) = (symbol.ty.clone(), symbol.nullable);
            match (&*symbol.term, typed(machine, &ty, nullable)) {
                (Term::Input(input), Shape::Typed(json, _)) if input.place == InputPlace::Store => {
                    Shape::Key(input.name.clone(), json)
                }
                (_, shape) => shape,
            }
        }
        Value::Unknown(unknown) => {
            let known = if unknown.ty == Type::Unknown { ty.clone() } else { unknown.ty.clone() };
            typed(machine, &known, !unknown.present)
        }
        Value::Ref(id) => {
            // Only an object with links of its own is written as HAL; the plain mapper writes everything else.
            let has_links = at.depth == 0 && hateoas::held(machine, *id).is_some();
            let links = rules.links.map(|links| if at.depth == 0 && !has_links { Links::Plain } else { links });
            let rules = Rules { links, ..rules };
            match machine.object(*id).class.clone() {
                // A library model defines behaviour, not the JSON form.
                ClassRef::Project(ty) if machine.project.is_model(ty) => Shape::Unknown,
                ClassRef::Project(ty) => of_object(machine, *id, ty, rules, at)?,
                ClassRef::Library(class) => of_library(machine, *id, &class, rules, at)?,
            }
        }
        _ => Shape::Unknown,
    })
}

fn of_object(machine: &mut Machine<'_>, id: ObjId, ty: TypeId, rules: Rules, at: &WritePosition<'_>) -> Eval<Shape> {
    if rules.binding && is_marked(machine.project, ty) {
        return Ok(Shape::Unknown);
    }
    let Some(properties) = properties(machine.project, ty, rules.plain_xml) else { return Ok(Shape::Unknown) };
    if properties.is_empty() {
        machine.doubt("an object without properties cannot be written");
        return Ok(Shape::Unknown);
    }
    if at.is_within(id) {
        machine.doubt("an object that refers to itself cannot be written");
        return Ok(Shape::Unknown);
    }
    let at = &WritePosition { object: Some(id), ..*at };
    let mut fields = Vec::new();
    for property in properties {
        let this = Value::Ref(id);
        let facts = machine.project.member(property.member);
        let (value, declared) = if facts.kind == MemberKind::Method {
            let declared = facts.ty.as_ref().map_or(Type::Unknown, |ty| machine.type_of(property.member.ty, ty));
            let name = facts.name.clone();
            let exit = machine.exit;
            let value = machine.call_method(this, &name, Vec::new())?;
            machine.exit = exit;
            (value, declared)
        } else {
            (machine.read_member(&this, property.member)?, machine.field_type(property.member))
        };
        if property.non_null || rules.non_null {
            match machine.is_null(&value) {
                Value::Scalar(Scalar::Bool(true)) => continue,
                Value::Scalar(Scalar::Bool(false)) => {}
                _ => return Ok(Shape::Unknown),
            }
        }
        let shape = match form(property.format.as_slice(), &declared) {
            _ if matches!(value, Value::Scalar(Scalar::Null | Scalar::Str(_))) => {
                shape(machine, &value, &declared, rules, &at.inner())?
            }
            Form::Plain => shape(machine, &value, &declared, rules, &at.inner())?,
            Form::Pattern(pattern) => by_pattern(machine, &value, &pattern),
            Form::Open => Shape::Unknown,
        };
        if rules.non_empty {
            match is_empty(&shape, &value) {
                Some(true) => continue,
                Some(false) => {}
                None => return Ok(Shape::Unknown),
            }
        }
        fields.push((property.name, shape));
    }
    if hateoas::held(machine, id).is_some() {
        match links::of_object(machine, id, rules.links) {
            Some(links) => fields.extend(links),
            None => return Ok(Shape::Unknown),
        }
    }
    fields.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(Shape::Object(fields))
}

/// The text of a date or time by a pattern.
fn by_pattern(machine: &Machine<'_>, value: &Value, pattern: &str) -> Shape {
    let format = Format::of_pattern(pattern).ok();
    let text =
        temporal(machine, value).zip(format).and_then(|(value, format)| date_formats::written(&format, &value).ok());
    text.map_or(Shape::Typed("string", true), |text| Shape::Exact(json!(text)))
}

/// The JSON of collections, arrays, maps and optional values.
fn of_library(machine: &mut Machine<'_>, id: ObjId, class: &str, rules: Rules, at: &WritePosition<'_>) -> Eval<Shape> {
    if let (PROBLEM, Some(problems), 0) = (class, rules.problems, at.depth) {
        return of_problem(machine, id, rules, problems);
    }
    if let Some(held) = hateoas::held(machine, id) {
        return of_linked(machine, id, held, rules, at);
    }
    if let (true, Some(page)) = (rules.pages, Page::of(machine, &Value::Ref(id))) {
        return of_page(machine, &page, rules, at);
    }
    let Some(held) = contents(&machine.heap, id) else { return Ok(Shape::Unknown) };
    Ok(match held {
        Contents::Array(items) => match element(machine, &Value::Ref(id)) {
            // Byte arrays become Base64, and char arrays one string.
            Some(Type::Prim(Prim::Byte | Prim::Char)) => Shape::Typed("string", false),
            None if items.iter().any(|item| matches!(item.prim(), Some(Prim::Byte | Prim::Char))) => Shape::Unknown,
            _ => Shape::Array(each(machine, &items, rules, at)?),
        },
        Contents::List(items) | Contents::Set(items) | Contents::Collection(items) => {
            Shape::Array(each(machine, &items, rules, at)?)
        }
        Contents::Bag(items) => Shape::Bag(each(machine, &items, rules, at)?),
        Contents::Map(entries) | Contents::Pairs(entries) => of_map(machine, entries, rules, at)?,
        Contents::Entry(key, value) => of_map(machine, vec![(key, value)], rules, at)?,
        Contents::Optional(value) if rules.optional => shape(machine, &value, &Type::Unknown, rules, &at.inner())?,
        Contents::Integer(text) => {
            text.parse::<i64>().map_or(Shape::Typed("integer", false), |x| Shape::Exact(json!(x)))
        }
        Contents::Decimal(..) => Shape::Typed("number", false),
        // The form depends on releases and settings.
        Contents::Unknown(_) if rules.dates && class == "java.util.Date" => Shape::Typed("string", false),
        Contents::Text(text) if matches!(class, "java.util.UUID" | "java.net.URI") => Shape::Exact(json!(text)),
        Contents::Text(text) if rules.dates => match class {
            "java.time.LocalDate" | "java.time.Instant" => Shape::Exact(json!(text)),
            // Jackson always writes seconds, while `toString` omits zero seconds; fractions are formatted
            // differently, so they stay unknown.
            "java.time.LocalDateTime" | "java.time.LocalTime" if !text.contains('.') => {
                let parts = text.matches(':').count();
                Shape::Exact(json!(if parts == 1 { format!("{text}:00") } else { text }))
            }
            _ => Shape::Unknown,
        },
        _ => Shape::Unknown,
    })
}

/// The JSON of a Spring HATEOAS object that wraps others.
fn of_linked(
    machine: &mut Machine<'_>,
    id: ObjId,
    held: LinkedContent,
    rules: Rules,
    at: &WritePosition<'_>,
) -> Eval<Shape> {
    let Some(links) = links::of_object(machine, id, rules.links) else { return Ok(Shape::Unknown) };
    let mut fields = match held {
        LinkedContent::Own => Vec::new(),
        LinkedContent::Content(content) => match shape(machine, &content, &Type::Unknown, rules, &at.inner())? {
            Shape::Object(fields) => fields,
            _ => return Ok(Shape::Unknown),
        },
        LinkedContent::Several(content) => match machine.given_items(&content) {
            Some(items) => match (rules.links, items.is_empty()) {
                (Some(Links::Plain), _) => vec![("content".to_owned(), Shape::Typed("array", false))],
                (_, true) => Vec::new(),
                (_, false) => vec![("_embedded".to_owned(), Shape::Typed("object", false))],
            },
            None => return Ok(Shape::Unknown),
        },
    };
    fields.extend(links);
    fields.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(Shape::Object(fields))
}

/// The JSON of a Spring Data page, from its getters. The form of `pageable` and `sort` depends on the release.
fn of_page(machine: &mut Machine<'_>, page: &Page, rules: Rules, at: &WritePosition<'_>) -> Eval<Shape> {
    let content = shape(machine, &page.content, &library_type("java.util.List"), rules, &at.inner())?;
    let given = |known: Json| Shape::Exact(known);
    let mut fields = vec![
        ("content", content),
        ("pageable", Shape::Unknown),
        ("sort", Shape::Typed("object", false)),
        ("size", given(json!(page.size()))),
        ("number", given(json!(page.number()))),
        ("numberOfElements", given(json!(page.count))),
        ("first", given(json!(page.number() == 0))),
        ("last", given(json!(!page.has_next()))),
        ("empty", given(json!(page.count == 0))),
    ];
    if let (PageTotal::Total(total), Some(pages)) = (page.whole, page.pages()) {
        fields.extend([("totalElements", given(json!(total))), ("totalPages", given(json!(pages)))]);
    }
    let mut fields: Vec<(String, Shape)> = fields.into_iter().map(|(name, shape)| (name.to_owned(), shape)).collect();
    fields.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(Shape::Object(fields))
}

/// The JSON of a `ProblemDetail` that a handler returns: null and empty fields are omitted, and `instance` defaults
/// to the request's path (`ProblemDetailJacksonMixin`, `HttpEntityMethodProcessor`).
fn of_problem(machine: &mut Machine<'_>, id: ObjId, rules: Rules, problems: Problems) -> Eval<Shape> {
    if !matches!(machine.object(id).kind, Kind::Modelled) {
        return Ok(Shape::Unknown);
    }
    let parts = machine.object(id).parts.clone();
    let code = parts.get("status").and_then(Value::scalar).and_then(Scalar::as_int);
    let Some(code) = code.and_then(|code| u16::try_from(code).ok()) else { return Ok(Shape::Unknown) };
    if only_name(code).is_none() && !parts.contains_key("title") {
        return Ok(Shape::Unknown);
    }
    let mut fields = vec![("status".to_owned(), Shape::Exact(json!(code)))];
    for (name, default) in [
        ("type", (problems == Problems::Blank).then(|| Shape::Exact(json!("about:blank")))),
        ("title", Some(Shape::Typed("string", false))),
        ("detail", None),
        ("instance", Some(Shape::Typed("string", false))),
    ] {
        let set = parts.get(name).filter(|value| !value.is_null());
        let written = match set {
            None => default,
            Some(Value::Scalar(Scalar::Str(text))) if text.text.is_empty() => default,
            Some(Value::Scalar(Scalar::Str(text))) => Some(Shape::Exact(json!(&*text.text))),
            Some(Value::Ref(_)) => Some(Shape::Typed("string", false)),
            // It may be null.
            Some(_) => return Ok(Shape::Unknown),
        };
        fields.extend(written.map(|shape| (name.to_owned(), shape)));
    }
    for pair in more(machine, id).chunks(2) {
        let [Value::Scalar(Scalar::Str(name)), value] = pair else { return Ok(Shape::Unknown) };
        let name = name.text.to_string();
        let written = shape(machine, value, &Type::Unknown, rules, &WritePosition::default().inner())?;
        let is_there = match (&written, value) {
            (Shape::Exact(json), _) => !json.is_null() && *json != json!(""),
            (Shape::Array(items) | Shape::Bag(items), _) => !items.is_empty(),
            (Shape::Object(of), _) => !of.is_empty(),
            (Shape::Typed(_, nullable), _) => !nullable,
            _ => false,
        };
        if !is_there || fields.iter().any(|(known, _)| *known == name) {
            return Ok(Shape::Unknown);
        }
        fields.push((name, written));
    }
    fields.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(Shape::Object(fields))
}

fn each(machine: &mut Machine<'_>, items: &[Value], rules: Rules, at: &WritePosition<'_>) -> Eval<Vec<Shape>> {
    items.iter().map(|item| shape(machine, item, &Type::Unknown, rules, &at.inner())).collect()
}

/// A map as a JSON object with text keys. Equal key texts leave open which value a reader sees.
fn of_map(
    machine: &mut Machine<'_>,
    entries: Vec<(Value, Value)>,
    rules: Rules,
    at: &WritePosition<'_>,
) -> Eval<Shape> {
    let mut fields: Vec<(String, Shape)> = Vec::new();
    for (key, value) in entries {
        if rules.non_null {
            match machine.is_null(&value) {
                Value::Scalar(Scalar::Bool(true)) => continue,
                Value::Scalar(Scalar::Bool(false)) => {}
                _ => return Ok(Shape::Typed("object", false)),
            }
        }
        let name = match &key {
            Value::Scalar(Scalar::Null) => {
                machine.doubt("a map with a null key cannot be written");
                return Ok(Shape::Unknown);
            }
            Value::Scalar(Scalar::Enum(ClassRef::Project(ty), name))
                if is_plain_enum(machine, *ty) && !(rules.jackson3 && has_own_text(machine, *ty)) =>
            {
                name.to_string()
            }
            Value::Scalar(Scalar::Enum(..)) => return Ok(Shape::Typed("object", false)),
            Value::Scalar(scalar) => match scalar.to_java_string() {
                Some(text) => text,
                None => return Ok(Shape::Typed("object", false)),
            },
            _ => return Ok(Shape::Typed("object", false)),
        };
        if fields.iter().any(|(other, _)| *other == name) {
            return Ok(Shape::Typed("object", false));
        }
        let shape = shape(machine, &value, &Type::Unknown, rules, &at.inner())?;
        fields.push((name, shape));
    }
    fields.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(Shape::Object(fields))
}
