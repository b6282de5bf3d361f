//! Reads JSON bodies into the types that a handler declares.

use super::forms::{Form, form};
use super::provider;
use super::written::{Rules, has_own_text, is_plain_enum};
use crate::request::case::number_as;
use crate::request::signature::{BodyField, element};
use crate::request::text_forms::{Fit, TextForm};
use crate::server::serve::Server;
use mastor_frameworks::files::properties::relaxed;
use mastor_frameworks::record;
use mastor_java::interpret::classes::objects::has;
use mastor_java::interpret::engine::machine::{Eval, Machine, Stop};
use mastor_java::interpret::library::time::formats::formatters::FQN as FORMATTER;
use mastor_java::interpret::paths::condition::Defect;
use mastor_java::interpret::values::scalar::{ClassRef, Prim, Scalar};
use mastor_java::interpret::values::value::{Kind, Object, Type, Value};
use mastor_java::ir::facts::{Annotation, MemberFacts, MemberKind, Modifiers, TypeKind, Value as Arg};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;
use serde_json::{Map, Value as Json};

/// Whether Jackson refuses every text of letters for this library type.
pub fn takes_no_letters(ty: &Type) -> bool {
    const TYPES: &[&str] = &[
        "java.math.BigDecimal",
        "java.math.BigInteger",
        "java.time.Instant",
        "java.time.LocalDate",
        "java.time.LocalDateTime",
        "java.time.LocalTime",
        "java.util.Date",
        "java.util.UUID",
    ];
    match ty {
        Type::Prim(prim) | Type::Boxed(prim) => prim.is_integral() && *prim != Prim::Char,
        Type::Class(ClassRef::Library(fqn), _) => TYPES.contains(&&**fqn),
        _ => false,
    }
}

impl Server<'_> {
    /// Converts a JSON value to a type. A conversion that is not modelled gives an unknown value and a doubt, since
    /// it may be refused.
    pub fn read_json(&self, machine: &mut Machine<'_>, ty: &Type, json: &Json) -> Eval {
        let refused = |machine: &mut Machine<'_>| Ok(not_read(machine, ty));
        if let (Json::String(text), Some(case)) = (json, self.case)
            && let Some(key) = case.key(text, ty)
        {
            return Ok(key);
        }
        if self.is_no_value(machine, ty, json)
            && let Some(slot) = self.bench.signature.body()
        {
            return Err(self.refuse(machine, slot, &Defect::Unreadable));
        }
        let jackson3 = Rules::of(self.bench.subject).jackson3;
        if let (Type::Prim(_), Json::Null, true, Some(slot)) = (ty, json, jackson3, self.bench.signature.body()) {
            return Err(self.refuse(machine, slot, &Defect::Unreadable));
        }
        match (ty, json) {
            (Type::Prim(prim), Json::Null) => Ok(Value::Scalar(prim.zero())),
            (_, Json::Null) => Ok(Value::NULL),
            (Type::Str, Json::String(text)) => Ok(machine.fresh_text(text)),
            (Type::Prim(prim) | Type::Boxed(prim), Json::Number(number)) => match number_as(number, *prim) {
                Some(value) => Ok(Value::Scalar(value)),
                None => refused(machine),
            },
            (
                Type::Prim(mastor_java::interpret::values::scalar::Prim::Bool)
                | Type::Boxed(mastor_java::interpret::values::scalar::Prim::Bool),
                Json::Bool(value),
            ) => Ok(Value::bool(*value)),
            (Type::Class(ClassRef::Project(id), _), Json::String(text))
                if let Some(creator) = creator(machine.project, *id) =>
            {
                let text = machine.fresh_text(text);
                match (machine.invoke(creator, None, vec![text]), self.bench.signature.body()) {
                    // Jackson reports an exception of the creator as an unreadable body.
                    (Err(Stop::Throw(_)), Some(slot)) => Err(self.refuse(machine, slot, &Defect::Unreadable)),
                    (read, _) => read,
                }
            }
            (Type::Class(ClassRef::Project(id), _), Json::String(text))
                if machine.project.ty(*id).kind == TypeKind::Enum
                    && is_plain_enum(machine, *id)
                    && !(jackson3 && has_own_text(machine, *id)) =>
            {
                let constants = machine.enum_constants(*id);
                match constants.iter().find(|name| ***name == *text.as_str()) {
                    Some(name) => Ok(Value::Scalar(Scalar::Enum(ClassRef::Project(*id), name.clone()))),
                    None => refused(machine),
                }
            }
            (Type::Class(ClassRef::Project(id), _), Json::Object(map)) => {
                let Some(fields) = self.bench.signature.fields(*id) else { return refused(machine) };
                if map.keys().any(|key| !fields.iter().any(|field| field.name == *key)) {
                    return refused(machine);
                }
                let record = machine.project.ty(*id).kind == TypeKind::Record;
                if record {
                    let mut args = Vec::new();
                    for field in fields {
                        args.push(self.read_field(machine, field, map.get(&field.name).unwrap_or(&Json::Null))?);
                    }
                    return machine.construct_type(ty, args);
                }
                let made = machine.construct_type(ty, Vec::new())?;
                for field in fields {
                    let Some(json) = map.get(&field.name) else {
                        self.left_out(machine, *id, field.member, &made)?;
                        continue;
                    };
                    if json.is_null() && skips_null(&machine.project.member(field.member).annotations) {
                        continue;
                    }
                    let value = self.read_field(machine, field, json)?;
                    machine.set_property(&made, *id, field.member, value)?;
                }
                Ok(made)
            }
            (_, Json::Array(items)) => match element(ty) {
                Some(element) => {
                    let mut values = Vec::new();
                    for item in items {
                        values.push(self.read_json(machine, &element, item)?);
                    }
                    if let Type::Array(_) = ty {
                        return Ok(machine.array(values, element));
                    }
                    let object = Object::new(
                        ClassRef::library("java.util.ArrayList"),
                        Kind::List { items: values, fixed: false },
                    );
                    Ok(Value::Ref(machine.allocate(object)))
                }
                None => refused(machine),
            },
            (Type::Class(ClassRef::Library(fqn), args), json) => {
                let read = match (&**fqn, args.as_slice(), json) {
                    (
                        "java.util.Map" | "java.util.HashMap" | "java.util.LinkedHashMap",
                        [Type::Str, of],
                        Json::Object(map),
                    ) => Some(self.read_map(machine, of, map)?),
                    _ => self.read_plain(machine, fqn, json)?,
                };
                read.map_or_else(|| refused(machine), Ok)
            }
            _ => refused(machine),
        }
    }

    /// Reads a property's value in the form that its annotation selects.
    fn read_field(&self, machine: &mut Machine<'_>, field: &BodyField, json: &Json) -> Eval {
        let annotations = &machine.project.member(field.member).annotations;
        match (form(annotations, &field.ty), json) {
            (Form::Plain, _) | (_, Json::Null) => self.read_json(machine, &field.ty, json),
            (Form::Pattern(pattern), Json::String(text)) if !text.trim().is_empty() && self.has_dates() => {
                self.read_by(machine, &pattern, &field.ty, text)
            }
            _ => Ok(not_read(machine, &field.ty)),
        }
    }

    /// Reads a date or time by a pattern; a text that does not match makes the body unreadable.
    fn read_by(&self, machine: &mut Machine<'_>, pattern: &str, ty: &Type, text: &str) -> Eval {
        let Type::Class(ClassRef::Library(fqn), _) = ty else { return Ok(not_read(machine, ty)) };
        let (pattern, text) = (machine.fresh_text(pattern), machine.fresh_text(text.trim()));
        let format = machine.call_library(FORMATTER, "ofPattern", None, vec![pattern])?;
        match (machine.call_library(fqn, "parse", None, vec![text, format]), self.bench.signature.body()) {
            (Err(Stop::Throw(_)), Some(slot)) if self.framework().body.json == record::Json::Jackson => {
                Err(self.refuse(machine, slot, &Defect::Unreadable))
            }
            (Err(Stop::Throw(_)), _) => Ok(not_read(machine, ty)),
            (read, _) => read,
        }
    }

    /// Whether Jackson reads a `Date` from an ISO 8601 text, which is the default unless a property sets another
    /// form.
    fn reads_iso(&self) -> bool {
        let mut all = self.bench.subject.properties.all.iter();
        !all.any(|property| relaxed(&property.key) == "spring.jackson.dateformat")
    }

    /// Whether Jackson's module for `java.time` is present.
    fn has_dates(&self) -> bool {
        let build = self.bench.subject.build;
        self.framework().body.text_dates.is_some()
            || ["spring-boot", "jackson-datatype-jsr310"].iter().any(|name| build.uses(name).is_some())
    }

    /// Handles a property that the JSON object lacks. Recent releases of Jackson may prefer the only constructor with
    /// arguments, even if there is one without. Then the property is null, whatever its field initialiser says.
    fn left_out(&self, machine: &mut Machine<'_>, id: TypeId, field: MemberId, made: &Value) -> Eval<()> {
        let project = machine.project;
        let facts = project.member(field);
        let mut full = project.ty(id).members.iter().filter(|member| {
            member.kind == MemberKind::Constructor
                && !member.params.is_empty()
                && !member.modifiers.has(Modifiers::PRIVATE)
        });
        let takes = |one: &MemberFacts| one.params.iter().any(|param| param.name == facts.name);
        let (Some(only), None) = (full.next(), full.next()) else { return Ok(()) };
        if facts.body.is_none() || !takes(only) {
            return Ok(());
        }
        match self.bench.subject.build.boot(&self.bench.subject.endpoint.file) {
            None => Ok(()),
            Some(boot) if boot < (3, 4) => Ok(()),
            Some(boot) if boot >= (4, 0) && project.origin(id).is_some() => {
                machine.write_member(made, field, Value::NULL).map(|_| ())
            }
            _ => {
                machine.doubt("by which constructor Jackson makes an object is not known");
                Ok(())
            }
        }
    }

    /// Whether a text is certainly not a value of a type: Jackson refuses letters for numbers, dates, identifiers and
    /// unknown enum constants.
    fn is_no_value(&self, machine: &Machine<'_>, ty: &Type, json: &Json) -> bool {
        let Json::String(text) = json else { return false };
        if self.framework().body.json == record::Json::OfBuild && !provider::answers_refused(self.bench)
            || text.is_empty()
            || !text.bytes().all(|byte| byte.is_ascii_lowercase())
        {
            return false;
        }
        match ty {
            Type::Class(ClassRef::Project(id), _) => {
                machine.project.ty(*id).kind == TypeKind::Enum
                    && is_plain_enum(machine, *id)
                    && !has_own_text(machine, *id)
                    && !machine.enum_constants(*id).iter().any(|name| name.eq_ignore_ascii_case(text))
            }
            ty => takes_no_letters(ty),
        }
    }

    /// Reads a value of a library type from a text or number; `None` if that is not modelled.
    fn read_plain(&self, machine: &mut Machine<'_>, fqn: &str, json: &Json) -> Eval<Option<Value>> {
        let (name, text) = match (fqn, json) {
            ("java.math.BigDecimal", Json::Number(number)) => ("<init>", number.to_string()),
            ("java.math.BigInteger", Json::Number(number)) if !number.is_f64() => ("<init>", number.to_string()),
            ("java.util.UUID", Json::String(text)) => ("fromString", text.clone()),
            (
                "java.time.LocalDate" | "java.time.LocalDateTime" | "java.time.LocalTime" | "java.time.Instant",
                Json::String(text),
            ) if self.has_dates() => ("parse", text.clone()),
            ("java.util.Date", Json::String(text)) if self.reads_iso() => {
                if TextForm::Instant.fit(text) != Fit::Plain {
                    return Ok(None);
                }
                let text = machine.fresh_text(text);
                return match machine.call_library("java.time.Instant", "parse", None, vec![text]) {
                    Ok(moment) => machine.call_library(fqn, "from", None, vec![moment]).map(Some),
                    Err(Stop::Throw(_)) => Ok(None),
                    Err(cut) => Err(cut),
                };
            }
            _ => return Ok(None),
        };
        let text = machine.fresh_text(&text);
        match machine.call_library(fqn, name, None, vec![text]) {
            Ok(value) => Ok(Some(value)),
            // The kind of refusal depends on the type, so it is left open.
            Err(Stop::Throw(_)) => Ok(None),
            Err(cut) => Err(cut),
        }
    }

    fn read_map(&self, machine: &mut Machine<'_>, of: &Type, map: &Map<String, Json>) -> Eval {
        let made = machine.call_library("java.util.LinkedHashMap", "<init>", None, Vec::new())?;
        for (name, json) in map {
            let (key, value) = (machine.fresh_text(name), self.read_json(machine, of, json)?);
            machine.call_library("java.util.LinkedHashMap", "put", Some(made.clone()), vec![key, value])?;
        }
        Ok(made)
    }
}

/// An unknown value of the body, with a doubt, since the framework may refuse it.
fn not_read(machine: &mut Machine<'_>, ty: &Type) -> Value {
    machine.doubt("how a value of the body is read is not modelled");
    machine.unknown("how a value of the body is read", ty.clone())
}

/// Whether null in JSON leaves a field unchanged.
fn skips_null(annotations: &[Annotation]) -> bool {
    annotations.iter().filter(|annotation| annotation.simple() == "JsonSetter").any(|annotation| {
        matches!(annotation.arg("nulls"), Some(Arg::Name(name)) if name.rsplit('.').next() == Some("SKIP"))
    })
}

/// The static factory method (`@JsonCreator`) that Jackson uses to read an enum constant from a text.
fn creator(project: &Project, id: TypeId) -> Option<MemberId> {
    if project.ty(id).kind != TypeKind::Enum {
        return None;
    }
    let mut all = project.members(id).filter(|member| has(&project.member(*member).annotations, &["JsonCreator"]));
    let (only, None) = (all.next()?, all.next()) else { return None };
    let facts = project.member(only);
    let of_text = matches!(facts.params.as_slice(), [param] if param.ty.name == "String" && param.ty.dims == 0);
    (facts.kind == MemberKind::Method && facts.modifiers.has(Modifiers::STATIC) && of_text).then_some(only)
}
