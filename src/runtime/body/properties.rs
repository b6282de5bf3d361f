//! The properties of a class as Jackson sees them.

use mastor_java::interpret::classes::objects::{capitalised, lombok_property, names_usual};
use mastor_java::interpret::library::frameworks::hateoas;
use mastor_java::interpret::stores::panache;
use mastor_java::ir::facts::{Annotation, MemberKind, Modifiers, TypeKind, Value as Arg};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;

/// One property of a class as Jackson sees it.
#[derive(Debug, Clone)]
pub struct Property {
    /// Name in JSON.
    pub name: String,
    /// The field or component that stores it, or the getter that computes it.
    pub member: MemberId,
    /// Whether null values are omitted.
    pub non_null: bool,
    /// The annotation that selects the form of its value.
    pub format: Option<Annotation>,
}

/// Settings from the Jackson annotations of one member.
struct JacksonAnnotations {
    /// The explicit name in JSON.
    name: Option<String>,
    is_ignored: bool,
    non_null: Option<bool>,
    format: Option<Annotation>,
}

impl JacksonAnnotations {
    /// Reads the annotations; `None` if one of them changes the output in a way that is not modelled.
    fn of((project, class): (&Project, TypeId), annotations: &[Annotation], plain_xml: bool) -> Option<Self> {
        let mut said = Self { name: None, is_ignored: false, non_null: None, format: None };
        for annotation in annotations {
            match annotation.simple() {
                "JsonIgnore" => match annotation.arg("value") {
                    None | Some(Arg::Bool(true)) => said.is_ignored = true,
                    Some(Arg::Bool(false)) => {}
                    Some(_) => return None,
                },
                "JsonProperty" => {
                    match annotation.arg("access") {
                        Some(Arg::Name(access)) if access.ends_with("WRITE_ONLY") => said.is_ignored = true,
                        None | Some(Arg::Name(_)) => {}
                        Some(_) => return None,
                    }
                    match annotation.arg("value") {
                        Some(Arg::Str(name)) => said.name = Some(name.clone()).filter(|name| !name.is_empty()),
                        None => {}
                        _ => return None,
                    }
                }
                "JsonInclude" => said.non_null = Some(non_null(std::slice::from_ref(annotation), plain_xml)?),
                "JsonFormat" => said.format = Some(annotation.clone()),
                "JsonSerialize" if names_usual(project, class, annotation) => {}
                // These document a property, or affect only reading.
                "JsonPropertyDescription" | "JsonAlias" | "JsonDeserialize" | "JsonSetter" => {}
                name if name.starts_with("Json") || name.starts_with("Xml") && !plain_xml => return None,
                _ => {}
            }
        }
        Some(said)
    }
}

/// Whether a class or one of its members has an annotation for JSON: those of Jackson mean nothing to JSON-B, and its
/// own are not followed.
pub fn is_marked(project: &Project, ty: TypeId) -> bool {
    let is_json = |annotations: &[Annotation]| annotations.iter().any(|one| one.simple().starts_with("Json"));
    std::iter::once(ty).chain(project.all_supers(ty)).any(|ty| {
        let facts = project.ty(ty);
        is_json(&facts.annotations) || facts.members.iter().any(|member| is_json(&member.annotations))
    })
}

/// The names that `@JsonIgnoreProperties` of a class excludes; `None` if unknown.
fn taken_out(annotations: &[Annotation]) -> Option<Vec<String>> {
    let annotation = annotations.iter().find(|annotation| annotation.simple() == "JsonIgnoreProperties");
    match annotation.and_then(|annotation| annotation.arg("value")) {
        None => Some(Vec::new()),
        Some(Arg::Str(name)) => Some(vec![name.clone()]),
        Some(Arg::Array(names)) => {
            names.iter().map(|name| if let Arg::Str(name) = name { Some(name.clone()) } else { None }).collect()
        }
        Some(_) => None,
    }
}

/// The properties of a record or bean class; `None` if annotations, library superclasses or unusual names make them
/// uncertain. `plain_xml`: XML annotations do not affect JSON.
pub fn properties(project: &Project, ty: TypeId, plain_xml: bool) -> Option<Vec<Property>> {
    let mut classes = vec![ty];
    classes.extend(project.all_supers(ty).into_iter().filter(|up| project.ty(*up).kind != TypeKind::Interface));
    let mut found: Vec<Property> = Vec::new();
    // The annotations of a field apply to its property, even if a getter computes it.
    let mut of_fields: Vec<(String, JacksonAnnotations)> = Vec::new();
    for class in classes.into_iter().rev() {
        let facts = project.ty(class);
        if project.has_unknown_super(class)
            || project.supers(class).iter().any(|up| {
                let is_plain = |fqn: &str| {
                    fqn == "java.io.Serializable"
                        || fqn.starts_with("java.lang.")
                        || hateoas::MODELS.contains(&fqn)
                        || fqn == panache::BASE
                };
                up.named.library().is_some_and(|fqn| !is_plain(fqn))
            })
        {
            return None;
        }
        if !matches!(facts.kind, TypeKind::Record | TypeKind::Class) {
            return None;
        }
        let (non_null, ignored) = (non_null(&facts.annotations, plain_xml)?, taken_out(&facts.annotations)?);
        let mut add = |name: String, member: MemberId, said: &JacksonAnnotations| {
            found.retain(|property| property.name != name);
            if !said.is_ignored && !ignored.contains(&name) {
                let non_null = said.non_null.unwrap_or(non_null);
                found.push(Property { name, member, non_null, format: said.format.clone() });
            }
        };
        for member in project.members(class) {
            let field = project.member(member);
            // An annotated method that is not a public getter is not modelled.
            let says = |name: &str| field.annotations.iter().any(|annotation| annotation.simple() == name);
            let is_getter = field.params.is_empty() && field.modifiers.has(Modifiers::PUBLIC);
            if field.kind == MemberKind::Method
                && !is_getter
                && (says("JsonProperty") || says("JsonIgnore") || says("JsonGetter"))
            {
                return None;
            }
            if field.kind == MemberKind::Field && !field.modifiers.has(Modifiers::STATIC) {
                let said = JacksonAnnotations::of((project, class), &field.annotations, plain_xml)?;
                of_fields.retain(|(name, _)| *name != field.name);
                of_fields.push((field.name.clone(), said));
            }
        }
        for member in project.members(class) {
            let facts = project.member(member);
            if facts.modifiers.has(Modifiers::STATIC) {
                continue;
            }
            match facts.kind {
                MemberKind::RecordComponent => {
                    let said = JacksonAnnotations::of((project, class), &facts.annotations, plain_xml)?;
                    if !said.is_ignored && !plain_name(&facts.name) && said.name.is_none() {
                        return None;
                    }
                    add(said.name.clone().unwrap_or_else(|| facts.name.clone()), member, &said);
                }
                MemberKind::Field => {
                    let getter = format!("get{}", capitalised(&facts.name));
                    let boolean = format!("is{}", capitalised(&facts.name));
                    let lombok = lombok_property(project, class, &getter, 0) == Some(member)
                        || lombok_property(project, class, &boolean, 0) == Some(member);
                    let plain = plain_name(&facts.name);
                    if facts.modifiers.has(Modifiers::TRANSIENT) {
                        continue;
                    }
                    let said = &of_fields.iter().find(|(name, _)| *name == facts.name)?.1;
                    let is_getter = |name: &String| !project.find_method(class, name, 0).is_empty();
                    // A field with an explicit name is a property, whatever its modifiers; if it has a getter, the
                    // getter is read instead.
                    let is_named = said.name.is_some() && !is_getter(&getter) && !is_getter(&boolean);
                    if facts.modifiers.has(Modifiers::PUBLIC) || lombok || is_named {
                        if lombok && !plain && said.name.is_none() && !said.is_ignored {
                            return None;
                        }
                        add(said.name.clone().unwrap_or_else(|| facts.name.clone()), member, said);
                    }
                }
                MemberKind::Method if facts.params.is_empty() && facts.modifiers.has(Modifiers::PUBLIC) => {
                    let own = JacksonAnnotations::of((project, class), &facts.annotations, plain_xml)?;
                    let returns = facts.ty.as_ref().map(mastor_java::ir::facts::TypeRef::erased).unwrap_or_default();
                    let rest = match facts.name.strip_prefix("get") {
                        Some(rest) if returns != "void" => rest,
                        _ => match facts.name.strip_prefix("is") {
                            Some(rest) if matches!(returns.as_str(), "boolean" | "Boolean") => rest,
                            _ if facts.annotations.iter().any(|annotation| annotation.simple() == "JsonProperty") => {
                                return None;
                            }
                            _ => continue,
                        },
                    };
                    if rest.is_empty() || facts.name == "getClass" {
                        continue;
                    }
                    if project.ty(class).kind == TypeKind::Record {
                        return None;
                    }
                    let mut letters = rest.chars();
                    let first = letters.next()?;
                    if !first.is_uppercase() || letters.next().is_some_and(char::is_uppercase) {
                        return None;
                    }
                    let name: String = first.to_lowercase().chain(rest.chars().skip(1)).collect();
                    let of_field = of_fields.iter().find(|(field, _)| *field == name).map(|(_, said)| said);
                    let said = JacksonAnnotations {
                        name: own.name.or_else(|| of_field.and_then(|said| said.name.clone())),
                        is_ignored: own.is_ignored || of_field.is_some_and(|said| said.is_ignored),
                        non_null: own.non_null.or_else(|| of_field.and_then(|said| said.non_null)),
                        format: own.format.or_else(|| of_field.and_then(|said| said.format.clone())),
                    };
                    add(said.name.clone().unwrap_or(name), member, &said);
                }
                _ => {}
            }
        }
    }
    Some(found)
}

fn plain_name(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(char::is_lowercase) && !letters.next().is_some_and(char::is_uppercase)
}

/// Whether `@JsonInclude` omits null; `None` for other inclusion rules, and for annotations that change the form.
fn non_null(annotations: &[Annotation], plain_xml: bool) -> Option<bool> {
    let mut non_null = false;
    for annotation in annotations {
        match annotation.simple() {
            "JsonInclude" => match annotation.arg("value") {
                Some(Arg::Name(name)) if name.rsplit('.').next() == Some("NON_NULL") => non_null = true,
                Some(Arg::Name(name)) if name.rsplit('.').next() == Some("ALWAYS") => {}
                _ => return None,
            },
            // Member order is not compared, and the ignored names are excluded one by one.
            "JsonPropertyOrder" | "JsonIgnoreProperties" => {}
            "JsonFormat" if annotation.args.is_empty() => {}
            name if name.starts_with("Json") || name.starts_with("Xml") && !plain_xml => return None,
            _ => {}
        }
    }
    Some(non_null)
}
