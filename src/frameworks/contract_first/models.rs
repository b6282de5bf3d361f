//! The model classes that a generator creates from a document's schemas, as Java source.
//!
//! The source has the behaviour of the generated class in its plainest form: constraints and names are on fields, where
//! generators put some of them on getters, and documentation is left out.

use serde_json::Value;

use super::enums;
use super::members::{Var, accessors, additional, constructor, identity};
use super::names::camel;
use super::style::Style;
use super::values::{Form, Kind, Ty, Types, quoted};
use mastor_java::syntax::keywords::KEYWORDS;
use mastor_openapi::{Additional, Document, SchemaRef};

/// A generated class and its schema.
#[derive(Debug, Clone)]
pub struct Model {
    /// Its simple name.
    pub class: String,
    /// Its source.
    pub text: String,
    /// Location of the schema.
    pub at: SchemaRef,
}

/// All models of a document, by class.
pub fn models(document: &Document, style: &Style) -> Vec<Model> {
    let types = Types { document, style };
    let mut found: Vec<Model> = Vec::new();
    let mut inline: Vec<(String, SchemaRef)> = Vec::new();
    for (name, at) in document.schemas() {
        if document.value(&at).is_some_and(|raw| raw.get("$ref").is_some()) {
            continue;
        }
        found.extend(model(&types, &name, &at, &mut inline));
    }
    // Classes for inline schemas, and for inline schemas within these.
    let mut next = 0;
    while let Some((name, at)) = inline.get(next).cloned() {
        next += 1;
        let class = style.class(&name);
        match found.iter().any(|one| one.class == class) || next > 200 {
            true => found.retain(|one| one.class != class || one.at.schema_name().is_some()),
            false => found.extend(model(&types, &name, &at, &mut inline)),
        }
    }
    found.sort_by(|a, b| a.class.cmp(&b.class));
    found.dedup_by(|a, b| a.class == b.class);
    found
}

fn model(types: &Types<'_>, name: &str, at: &SchemaRef, inline: &mut Vec<(String, SchemaRef)>) -> Option<Model> {
    let class = types.style.class(name);
    if types.style.mapped(&class).is_some() || !class.starts_with(|c: char| c.is_ascii_uppercase()) {
        return None;
    }
    let text = match types.kind(at) {
        Kind::Class => class_text(types, name, &class, at, inline)?,
        Kind::Enum(values) => format!("{}{}", head(types.style, &types.style.model_package), {
            enums::text(types.style, &class, &values)?
        }),
        Kind::Alias | Kind::Odd => return None,
    };
    Some(Model { class, text, at: at.clone() })
}

/// Annotations and types that generated code uses, each by its import.
const IMPORTS: [(&str, &[&str]); 4] = [
    (
        "com.fasterxml.jackson.annotation",
        &[
            "JsonAnyGetter",
            "JsonAnySetter",
            "JsonCreator",
            "JsonInclude",
            "JsonProperty",
            "JsonSetter",
            "JsonValue",
            "Nulls",
        ],
    ),
    ("java.util", &["ArrayList", "Arrays", "HashMap", "LinkedHashSet", "List", "Map", "Objects", "Set"]),
    ("{ee}.validation", &["Valid"]),
    ("{ee}.validation.constraints", &["DecimalMax", "DecimalMin", "Email", "Max", "Min", "NotNull", "Pattern", "Size"]),
];

/// Package and imports of generated code.
pub fn head(style: &Style, package: &str) -> String {
    let mut out = format!("package {package};\n\n");
    for (from, names) in IMPORTS {
        let from = from.replace("{ee}", style.ee);
        names.iter().for_each(|name| out += &format!("import {from}.{name};\n"));
    }
    out.push('\n');
    out
}

fn vars(types: &Types<'_>, owner: &str, at: &SchemaRef, inline: &mut Vec<(String, SchemaRef)>) -> Option<Vec<Var>> {
    let view = types.document.resolve(at);
    let mut found: Vec<Var> = Vec::new();
    for (name, place) in &view.properties {
        let own = types.document.resolve(place);
        let ty = types.ty(place, owner, name)?;
        register(types, place, owner, name, inline);
        // Generators change some forms of names in their own ways; those are not followed.
        let field = field_name(name)?;
        let required = view.requires(name);
        let wrapped = types.style.wraps_null && (own.nullable || (ty.form == Form::Any && !required));
        if found.iter().any(|other| other.field == field) {
            return None;
        }
        found.push(Var { name: name.clone(), field, ty, required, wrapped, view: own, at: place.clone() });
    }
    Some(found)
}

/// Registers the class for an inline schema.
fn register(types: &Types<'_>, at: &SchemaRef, owner: &str, name: &str, inline: &mut Vec<(String, SchemaRef)>) {
    let is_named = types.document.value(at).is_none_or(|raw| raw.get("$ref").is_some() || raw.get("allOf").is_some());
    if !is_named && types.kind(at) == Kind::Class {
        let view = types.document.resolve(at);
        inline.push((view.title.unwrap_or_else(|| format!("{owner}_{name}")), at.clone()));
    }
}

/// The field name of a property.
fn field_name(name: &str) -> Option<String> {
    if name == "class" {
        return Some("propertyClass".to_owned());
    }
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
        && name.starts_with(|c: char| c.is_ascii_alphabetic());
    let mut letters = name.chars().filter(|c| c.is_ascii_alphabetic());
    let capitals =
        letters.clone().all(|c| c.is_ascii_uppercase()) || letters.nth(1).is_some_and(|c| c.is_ascii_uppercase());
    // Releases change `URL` and `aB` in different ways.
    if !plain || capitals || KEYWORDS.contains(&name) || name == "object" {
        return None;
    }
    Some(camel(name, false))
}

fn class_text(
    types: &Types<'_>,
    name: &str,
    class: &str,
    at: &SchemaRef,
    inline: &mut Vec<(String, SchemaRef)>,
) -> Option<String> {
    let view = types.document.resolve(at);
    let vars = vars(types, name, at, inline)?;
    let mut out = head(types.style, &types.style.model_package);
    let open = matches!(view.additional, Additional::Any | Additional::Schema(_));
    // Before version 7.0, such a class extended a map.
    if open && types.style.version < (7, 0) {
        return None;
    }
    out += &format!("public class {class} {{\n");
    for var in &vars {
        if let Some(values) = inner_enum(&var.ty) {
            out += &enums::text(types.style, &format!("{}Enum", camel(&var.name, true)), values)?;
        }
    }
    for var in &vars {
        out += &field(types, var);
    }
    out += &format!("\n  public {class}() {{\n  }}\n");
    out += &constructor(class, &vars);
    for var in &vars {
        out += &accessors(class, var);
    }
    if open {
        out += &additional(types, class, &view)?;
    }
    out += &identity(class, &vars, open);
    out += "}\n";
    Some(out)
}

fn inner_enum(ty: &Ty) -> Option<&Vec<Value>> {
    match &ty.form {
        Form::Inner(values) => Some(values),
        Form::List(item) | Form::Set(item) | Form::Map(item) => inner_enum(item),
        _ => None,
    }
}

fn is_model(ty: &Ty) -> bool {
    match &ty.form {
        Form::Model => true,
        Form::List(item) | Form::Set(item) | Form::Map(item) => is_model(item),
        _ => false,
    }
}

fn field(types: &Types<'_>, var: &Var) -> String {
    let style = types.style;
    let mut out = String::new();
    let mut annotations = vec![format!("@JsonProperty({})", quoted(&var.name))];
    let takes_null = var.required || var.wrapped || var.view.nullable || var.ty.form == Form::Any;
    if style.version >= (7, 24) && !takes_null {
        annotations.push("@JsonInclude(JsonInclude.Include.NON_NULL)".to_owned());
        if !style.wraps_null {
            annotations.push("@JsonSetter(nulls = Nulls.SKIP)".to_owned());
        }
    }
    if style.validates {
        if var.required && !(var.view.read_only && style.version >= (6, 0)) {
            annotations.push("@NotNull".to_owned());
        }
        if is_model(&var.ty) {
            annotations.push("@Valid".to_owned());
        }
        annotations.extend(types.constraints(&var.view, &var.ty));
    } else if var.required && style.version >= (6, 2) {
        annotations.push("@NotNull".to_owned());
    }
    let extra = types.document.value(&var.at).and_then(|raw| raw.get("x-field-extra-annotation"));
    annotations.extend(extra.and_then(Value::as_str).map(str::to_owned));
    for annotation in annotations {
        out += &format!("  {annotation}\n");
    }
    out + &format!("  private {} {}{};\n", var.held(), var.field, initial(types, var))
}

/// The initial value of a field.
fn initial(types: &Types<'_>, var: &Var) -> String {
    // A call that cannot be resolved, so that its value is unknown.
    const OPEN: &str = " = Release.decides()";
    if var.wrapped {
        return format!(" = org.openapitools.jackson.nullable.JsonNullable.<{}>undefined()", var.ty.text);
    }
    if let (Form::List(_) | Form::Set(_) | Form::Map(_), None) = (&var.ty.form, &var.view.default) {
        if var.view.nullable {
            return String::new();
        }
        let is_map = matches!(var.ty.form, Form::Map(_));
        let made = match var.ty.form {
            Form::List(_) => "ArrayList",
            Form::Set(_) => "LinkedHashSet",
            _ => "HashMap",
        };
        return match types.style.container(var.required, is_map) {
            Some(true) => format!(" = new {made}<>()"),
            Some(false) => String::new(),
            None => OPEN.to_owned(),
        };
    }
    let name = var.ty.text.rsplit('.').next().unwrap_or(&var.ty.text);
    match (&var.view.default, name) {
        (None, _) => String::new(),
        (Some(Value::String(text)), "String") => format!(" = {}", quoted(text)),
        (Some(Value::Bool(value)), "Boolean") => format!(" = {value}"),
        (Some(Value::Number(value)), "Integer") if value.is_i64() => format!(" = {value}"),
        (Some(Value::Number(value)), "Long") if value.is_i64() => format!(" = {value}L"),
        (Some(Value::Number(value)), "Double") => format!(" = {value}d"),
        (Some(Value::String(text)), name) if matches!(var.ty.form, Form::Inner(_) | Form::Model) => {
            enums::constant(text).map_or_else(|| OPEN.to_owned(), |constant| format!(" = {name}.{constant}"))
        }
        _ => OPEN.to_owned(),
    }
}
