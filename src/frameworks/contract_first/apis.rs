//! The interfaces that a generator creates from a document's operations, as Java source: routes, bindings, constraints,
//! and default answers of methods that are not implemented.

use std::collections::BTreeMap;

use serde_json::Value;

use super::models::head;
use super::names::{camel, method_name};
use super::style::Style;
use super::values::{Ty, Types, quoted};
use mastor_openapi::{Document, DocumentLocation, In, Operation, Parameter, RequestBody, Status};

/// A generated interface.
#[derive(Debug, Clone)]
pub struct Api {
    /// Its simple name.
    pub name: String,
    /// Its source.
    pub text: String,
    /// Location of an operation that it contains.
    pub at: DocumentLocation,
}

/// Spring's annotations that the interfaces use.
const BINDINGS: [&str; 7] =
    ["CookieValue", "PathVariable", "RequestBody", "RequestHeader", "RequestMapping", "RequestMethod", "RequestParam"];

/// All interfaces of a document. Operations without a known signature are left out.
pub fn apis(document: &Document, style: &Style) -> Vec<Api> {
    let types = Types { document, style };
    let mut grouped: BTreeMap<String, Vec<&Operation>> = BTreeMap::new();
    for operation in &document.operations {
        for name in names(operation, style) {
            grouped.entry(name).or_default().push(operation);
        }
    }
    let api = |(name, operations): (String, Vec<&Operation>)| {
        let methods: Vec<String> = operations.iter().filter_map(|operation| method(&types, operation)).collect();
        let mut text = head(style, &style.api_package);
        for name in BINDINGS {
            text += &format!("import org.springframework.web.bind.annotation.{name};\n");
        }
        text += &format!(
            "import org.springframework.http.ResponseEntity;\nimport org.springframework.format.annotation.DateTimeFormat;\nimport {}.*;\n\n",
            style.model_package
        );
        if style.validates && !style.built_in_validation {
            text += "@org.springframework.validation.annotation.Validated\n";
        }
        text += &format!("public interface {name} {{\n");
        if style.answers {
            text += "  default java.util.Optional<org.springframework.web.context.request.NativeWebRequest> getRequest() {\n    return java.util.Optional.empty();\n  }\n\n";
        }
        text += &format!("{}}}\n", methods.concat());
        let at = operations.first()?.at.clone();
        (!methods.is_empty()).then_some(Api { name, text, at })
    };
    grouped.into_iter().filter_map(api).collect()
}

/// The interfaces that contain an operation.
fn names(operation: &Operation, style: &Style) -> Vec<String> {
    let name = |part: &str| format!("{}{}", camel(part, true), style.api_suffix);
    if style.by_tag {
        return match operation.tags.is_empty() {
            true => vec![name("default")],
            false => operation.tags.iter().map(|tag| name(tag)).collect(),
        };
    }
    let first = operation.path.trim_start_matches('/').split('/').next().unwrap_or_default();
    vec![name(if first.is_empty() { "default" } else { first })]
}

fn method(types: &Types<'_>, operation: &Operation) -> Option<String> {
    const ODD: [&str; 3] = ["x-spring-paginated", "x-spring-provide-args", "x-sse"];
    if ODD.iter().any(|name| operation.extensions.contains_key(*name)) {
        return None;
    }
    let mut params: Vec<(bool, String)> = Vec::new();
    for parameter in &operation.parameters {
        if matches!(parameter.location, In::Body | In::FormData) {
            continue;
        }
        params.push((parameter.required, param(types, operation, parameter)?));
    }
    if let Some(body) = &operation.request_body {
        params.push((body.required, body_param(types, operation, body)?));
    }
    // Required parameters come first.
    params.sort_by_key(|(required, _)| !*required);
    let params: Vec<String> = params.into_iter().map(|(_, text)| text).collect();
    let returned = returned(types, operation)?;
    let media = |content: Vec<&str>| {
        let mut names: Vec<String> = Vec::new();
        for name in content {
            let name = quoted(name);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.join(", ")
    };
    let produces =
        media(operation.responses.iter().flat_map(|one| &one.content).map(|one| one.name.as_str()).collect());
    let consumes =
        media(operation.request_body.iter().flat_map(|body| &body.content).map(|one| one.name.as_str()).collect());
    let mut mapping =
        format!("method = RequestMethod.{}, value = {}", operation.method.as_str(), quoted(&operation.path));
    if !produces.is_empty() {
        mapping += &format!(", produces = {{ {produces} }}");
    }
    if !consumes.is_empty() {
        mapping += &format!(", consumes = {{ {consumes} }}");
    }
    let name = method_name(operation);
    let (default, body) = match types.style.answers {
        true => ("default ", not_implemented(operation)),
        false => ("", ";".to_owned()),
    };
    Some(format!(
        "  @RequestMapping({mapping})\n  {default}ResponseEntity<{returned}> {name}({}){body}\n\n",
        params.join(", ")
    ))
}

/// The default answer of a method that is not implemented: 501, with an example body if the request is available.
fn not_implemented(operation: &Operation) -> String {
    let has_examples = operation.responses.iter().any(|response| !response.content.is_empty());
    let example = "    getRequest().ifPresent(request -> ApiUtil.setExampleResponse(request, \"\", \"\"));\n";
    format!(
        " {{\n{}    return new ResponseEntity<>(org.springframework.http.HttpStatus.NOT_IMPLEMENTED);\n  }}",
        if has_examples { example } else { "" }
    )
}

fn param(types: &Types<'_>, operation: &Operation, parameter: &Parameter) -> Option<String> {
    let view = types.document.resolve(&parameter.schema);
    let ty = types.ty(&parameter.schema, &method_name(operation), &parameter.name)?;
    if parameter.media_type.is_some() || ty.text.starts_with("Map<") || ty.text.ends_with("Enum") {
        return None;
    }
    let mut annotations = Vec::new();
    if types.style.validates {
        if parameter.required && parameter.location != In::Path {
            annotations.push("@NotNull".to_owned());
        }
        annotations.extend(types.constraints(&view, &ty));
        // Full names, since classes that implement the interface need not import the annotations.
        let full = format!("@{}.validation.constraints.", types.style.ee);
        annotations.iter_mut().for_each(|annotation| *annotation = annotation.replacen('@', &full, 1));
    }
    let extra = parameter.extensions.get("x-field-extra-annotation").and_then(Value::as_str);
    annotations.extend(extra.map(str::to_owned));
    let default = match &view.default {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => format!(", defaultValue = {}", quoted(text)),
        Some(value @ (Value::Bool(_) | Value::Number(_))) => format!(", defaultValue = \"{value}\""),
        Some(_) => return None,
    };
    let name = quoted(&parameter.name);
    let said = format!("value = {name}, required = {}{default}", parameter.required);
    annotations.push(match parameter.location {
        In::Path => format!("@PathVariable({name})"),
        In::Query => format!("@RequestParam({said})"),
        In::Header => format!("@RequestHeader({said})"),
        In::Cookie => format!("@CookieValue({said})"),
        In::Body | In::FormData => return None,
    });
    annotations.extend(date_format(&ty, view.format.as_deref()));
    let bare = ty.text.replace("@Valid ", "");
    Some(format!("{} {bare} {}", annotations.join(" "), camel(&parameter.name, false)))
}

fn date_format(ty: &Ty, format: Option<&str>) -> Option<String> {
    let iso = match format {
        Some("date") => "DATE",
        Some("date-time") => "DATE_TIME",
        _ => return None,
    };
    ty.text.starts_with("java.time").then(|| format!("@DateTimeFormat(iso = DateTimeFormat.ISO.{iso})"))
}

fn body_param(types: &Types<'_>, operation: &Operation, body: &RequestBody) -> Option<String> {
    let media = body.content.first()?;
    if !body.form.is_empty() || media.name.starts_with("multipart/") || media.name.ends_with("form-urlencoded") {
        return None;
    }
    let ty = types.ty(media.schema.as_ref()?, &method_name(operation), "request")?;
    let valid = if types.style.validates { "@Valid " } else { "" };
    let said = if body.required { "" } else { "(required = false)" };
    Some(format!("{valid}@RequestBody{said} {} body", ty.text))
}

/// The return type of an operation, from its first success response.
fn returned(types: &Types<'_>, operation: &Operation) -> Option<String> {
    let is_success = |status: Status| matches!(status, Status::Code(200..=299) | Status::Class(2));
    let success = operation.responses.iter().find(|response| is_success(response.status));
    let success = success.or_else(|| operation.responses.iter().find(|response| response.status == Status::Default));
    match success.and_then(|response| response.schema()) {
        Some(schema) => Some(types.ty(schema, &method_name(operation), "response")?.text.replace("@Valid ", "")),
        None => Some("Void".to_owned()),
    }
}
