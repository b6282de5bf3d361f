//! Annotations on classes and fields: generated accessors, and names of fields in JSON.

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::term::Input;
use crate::interpret::values::value::{Type, Value};
use crate::ir::facts::{Annotation, MemberKind, Modifiers, TypeFacts, Value as Written};
use crate::ir::ids::{MemberId, TypeId};
use crate::ir::named::Named;
use crate::project::index::Project;

/// Whether one of the annotations has one of these simple names.
pub fn has(annotations: &[Annotation], names: &[&str]) -> bool {
    annotations.iter().any(|annotation| names.contains(&annotation.simple()))
}

/// Name of the setter of a field.
fn setter(field: &str) -> String {
    format!("set{}", capitalised(field))
}

/// Whether a field has a setter, explicit or from Lombok.
pub fn has_setter(project: &Project, ty: TypeId, field: MemberId) -> bool {
    let name = setter(&project.member(field).name);
    lombok_property(project, ty, &name, 1) == Some(field) || project.find_method(ty, &name, 1).len() == 1
}

/// Whether a field has a getter, explicit or from Lombok.
pub fn has_getter(project: &Project, ty: TypeId, field: MemberId) -> bool {
    let name = setter(&project.member(field).name).replacen("set", "get", 1);
    lombok_property(project, ty, &name, 0) == Some(field) || project.find_method(ty, &name, 0).len() == 1
}

impl Machine<'_> {
    /// Sets a property of an object through its explicit setter, else directly in the field.
    pub fn set_property(&mut self, object: &Value, ty: TypeId, field: MemberId, value: Value) -> Eval {
        let name = setter(&self.project.member(field).name);
        match self.project.find_method(ty, &name, 1).len() == 1 {
            true => self.call_method(object.clone(), &name, vec![value]),
            false => self.write_member(object, field, value),
        }
    }
}

/// The field of a Lombok getter or setter with this name and arity.
pub fn lombok_property(project: &Project, ty: TypeId, name: &str, arity: usize) -> Option<MemberId> {
    let facts = project.ty(ty);
    let on_class = |names: &[&str]| has(&facts.annotations, names);
    project.members(ty).find(|member| {
        let field = project.member(*member);
        if field.kind != MemberKind::Field || field.modifiers.has(Modifiers::STATIC) {
            return false;
        }
        let boolean = field.ty.as_ref().is_some_and(|ty| ty.erased() == "boolean");
        let is_fluent = says_of_accessors(project, *member, "fluent") == Some(true);
        if arity == 0 {
            let allowed = on_class(&["Data", "Getter", "Value"]) || has(&field.annotations, &["Getter"]);
            let is_getter = || match boolean {
                true => name == boolean_getter(&field.name),
                false => is_verb_of(name, "get", &field.name),
            };
            allowed && if is_fluent { name == field.name } else { is_getter() }
        } else {
            let allowed = (on_class(&["Data", "Setter"]) || has(&field.annotations, &["Setter"]))
                && !field.modifiers.has(Modifiers::FINAL);
            let set = field.name.strip_prefix("is").filter(|_| boolean).unwrap_or(&field.name);
            arity == 1 && allowed && if is_fluent { name == field.name } else { is_verb_of(name, "set", set) }
        }
    })
}

/// The value of an element of Lombok's `@Accessors` on a field or its class.
fn says_of_accessors(project: &Project, field: MemberId, element: &str) -> Option<bool> {
    let all = [&project.member(field).annotations, &project.ty(field.ty).annotations];
    let said = all.into_iter().find_map(|all| all.iter().find(|annotation| annotation.simple() == "Accessors"))?;
    match said.arg(element) {
        Some(crate::ir::facts::Value::Bool(value)) => Some(*value),
        _ => None,
    }
}

/// Whether Lombok's setter returns the object (Lombok, `@Accessors`).
pub fn is_chained(project: &Project, field: MemberId) -> bool {
    let is = |element: &str| says_of_accessors(project, field, element);
    is("chain").unwrap_or_else(|| is("fluent") == Some(true))
}

fn boolean_getter(field: &str) -> String {
    match field.strip_prefix("is") {
        Some(rest) if rest.chars().next().is_some_and(char::is_uppercase) => field.to_owned(),
        _ => format!("is{}", capitalised(field)),
    }
}

/// The text with its first letter in upper case.
pub fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

/// Whether a name is a verb followed by a capitalised text: `getName` for `name`.
fn is_verb_of(name: &str, verb: &str, text: &str) -> bool {
    let mut chars = text.chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);
    name.strip_prefix(verb).is_some_and(|rest| rest.chars().eq(first.chain(chars)))
}

/// Whether one of these Lombok annotations on the class or a superclass generates a method.
pub fn has_generated(project: &Project, class: &ClassRef, names: &[&str]) -> bool {
    let ClassRef::Project(ty) = class else { return false };
    std::iter::once(*ty).chain(project.all_supers(*ty)).any(|ty| has(&project.ty(ty).annotations, names))
}

impl Machine<'_> {
    /// The value of a field of an object of the request body: an input, if reading it only takes over the JSON value.
    pub fn body_field(&mut self, input: &Input, field: MemberId, ty: &Type) -> Value {
        let name = match json_name(self.project, field, self.cx.wiring.has_plain_xml()) {
            Some(name) => name,
            None => {
                let reason = format!("how {} is read from the body", self.project.symbol(field));
                let name = input.field(&self.project.member(field).name).to_string();
                return match self.is_opaque() {
                    true => self.given_as(&format!("`{name}` as it is read"), &name, ty.clone()),
                    false => self.unknown(&reason, ty.clone()),
                };
            }
        };
        let nullable = ty.is_reference();
        self.input(input.field(&name), ty, nullable)
    }
}

/// Whether an annotation only names the default serialiser of Jackson's `java.time` module: `@JsonSerialize(using =
/// LocalDateSerializer.class)`.
pub fn names_usual(project: &Project, scope: TypeId, annotation: &Annotation) -> bool {
    const MODULES: [&str; 2] = ["com.fasterxml.jackson.datatype.jsr310.", "tools.jackson.databind.ext.javatime."];
    const USUAL: [&str; 3] = ["LocalDate", "LocalDateTime", "LocalTime"];
    annotation.args.iter().all(|(element, value)| {
        let crate::ir::facts::Value::Class(ty) = value else { return false };
        let Named::Library(fqn) = project.resolve(scope, &ty.name) else { return false };
        let name = fqn.rsplit('.').next().unwrap_or_default();
        let class = name.strip_suffix("Deserializer").or_else(|| name.strip_suffix("Serializer"));
        element == "using"
            && MODULES.iter().any(|module| fqn.starts_with(module))
            && class.is_some_and(|class| USUAL.contains(&class))
    })
}

/// The name of a field in JSON under Jackson's defaults; `None` if annotations or explicit accessors may change it.
pub fn json_name(project: &Project, field: MemberId, plain_xml: bool) -> Option<String> {
    let facts = project.member(field);
    let class: &TypeFacts = project.ty(field.ty);
    let is_followed = |annotation: &Annotation| match annotation.simple() {
        "JsonProperty"
        | "JsonInclude"
        | "JsonFormat"
        | "JsonPropertyOrder"
        | "JsonPropertyDescription"
        | "JsonAlias" => true,
        "JsonSetter" => annotation.args.iter().all(|(element, _)| element == "nulls"),
        "JsonIgnoreProperties" => annotation.arg("value").is_none(),
        // The form of the value does not affect its name.
        "JsonSerialize" => true,
        "JsonDeserialize" => names_usual(project, field.ty, annotation),
        _ => false,
    };
    let custom = |annotations: &[Annotation]| {
        annotations.iter().any(|annotation| {
            let name = annotation.simple();
            (name.starts_with("Json") && !is_followed(annotation))
                || name.starts_with("Xml") && !plain_xml
                || name == "SerializedName"
        })
    };
    if custom(&class.annotations) || custom(&facts.annotations) {
        return None;
    }
    if let Some(annotation) = facts.annotations.iter().find(|annotation| annotation.simple() == "JsonProperty") {
        // `access` limits the property to reading or writing (Jackson, `JsonProperty.Access`).
        let is_read = match annotation.arg("access") {
            None => true,
            Some(Written::Name(access)) => !access.ends_with("READ_ONLY"),
            Some(_) => false,
        };
        return match annotation.arg("value") {
            _ if !is_read => None,
            Some(Written::Str(name)) if !name.is_empty() => Some(name.clone()),
            None => Some(facts.name.clone()),
            _ => None,
        };
    }
    // Jackson derives the JSON name by special rules if the first two letters are not both lower case.
    let mut letters = facts.name.chars();
    let plain = letters.next().is_some_and(char::is_lowercase) && !letters.next().is_some_and(char::is_uppercase);
    plain.then(|| facts.name.clone())
}
