//! The names that generators give to interfaces and their methods.

pub use crate::openapi_driven::names::camel;

use crate::files::build::Generator;
use mastor_openapi::Operation;

/// The interfaces that may declare an operation, the most likely first, and the name of its method.
pub fn expected(generator: &Generator, operation: &Operation) -> (Vec<String>, String) {
    (interfaces(generator, operation), method_name(operation))
}

/// Names of the generated interface, by tag or by the first part of the path.
fn interfaces(generator: &Generator, operation: &Operation) -> Vec<String> {
    let mut names: Vec<String> =
        operation.tags.iter().map(|tag| format!("{}{}", camel(tag, true), generator.api_suffix)).collect();
    if names.is_empty() {
        names.push(format!("Default{}", generator.api_suffix));
    }
    // Spring's generator groups by path unless tags are requested.
    let first = operation.path.split('/').find(|part| !part.is_empty() && !part.starts_with('{')).unwrap_or("default");
    let by_path = format!("{}{}", camel(first, true), generator.api_suffix);
    if !generator.flag("useTags") {
        names.insert(0, by_path);
    }
    names
}

/// The name of the generated method: `operationId`, else method and path.
pub fn method_name(operation: &Operation) -> String {
    match operation.operation_id.as_deref() {
        Some(id) => camel(id, false),
        None => {
            let path: String = operation.path.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
            let words: Vec<&str> = path.split_whitespace().collect();
            camel(&format!("{} {}", words.join(" "), operation.method.as_str().to_lowercase()), false)
        }
    }
}
