//! Described: one operation in OpenAPI 3.0 form, read from its code: parameters, body, statuses with their conditions,
//! and the schemas of its types.
//!
//! Comes in: an operation that can be run. Goes out: its description, and the schemas of the classes that it names.
//! Never here: details that the code does not show; a schema without a type admits any value.

mod answers;
mod bodies;
mod classes;
mod labels;
pub mod limits;
mod parameters;
mod schemas;
mod security;
mod shapes;

use openapiv3::{Operation, ReferenceOr};

use self::schemas::Schemas;
use super::oracles::contexts;
use mastor_frameworks::paths;
use mastor_runtime::bench::Bench;
use mastor_runtime::subject::Subject;
use mastor_types::described::DescribedOperation;

/// Describes one operation.
pub fn describe(subject: &Subject<'_>) -> DescribedOperation {
    let bench = Bench::new(subject);
    let open = bench.open();
    let context = contexts::context(&bench, &open);
    let mut schemas = Schemas::of(&bench);
    let endpoint = subject.endpoint;
    let labels = labels::labels(subject);
    let asked = security::asked(&bench, &context);
    let operation = Operation {
        tags: vec![labels.tag],
        summary: Some(labels.summary),
        description: Some(labels.description),
        deprecated: labels.is_deprecated,
        parameters: parameters::parameters(&bench, &mut schemas, &context),
        request_body: bodies::request_body(&bench, &mut schemas).map(ReferenceOr::Item),
        responses: answers::responses(&bench, &open, &mut schemas, &context),
        security: asked.requirements,
        ..Operation::default()
    };
    DescribedOperation {
        op_id: subject.op_id.clone(),
        method: endpoint.method,
        path: path(subject),
        context_path: endpoint.context_path.clone(),
        class: labels.class,
        full_class: subject.project.fqn(endpoint.receiver).to_owned(),
        handler: labels.handler,
        operation,
        schemes: asked.schemes,
        components: schemas.components,
        context,
    }
}

/// The route in the code, without regular expressions, and without a trailing slash that the framework ignores.
fn path(subject: &Subject<'_>) -> String {
    let path = paths::join("", &paths::template(&subject.endpoint.raw_path).0);
    let bare = path.trim_end_matches('/');
    match subject.endpoint.framework.routing.ignores_final_slash && !bare.is_empty() {
        true => bare.to_owned(),
        false => path,
    }
}
