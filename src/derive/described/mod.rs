//! Described: one operation as OpenAPI 3.0 says it, read off its code: parameters, body, statuses with their conditions, and the schemas of its types.
//!
//! What the code does not show is left out: a schema without a type takes everything.

mod answers;
mod bodies;
mod classes;
mod labels;
pub mod limits;
mod parameters;
mod schemas;
mod shapes;

use openapiv3::{Operation, ReferenceOr};

use self::schemas::Schemas;
use super::oracles::contexts;
use crate::frameworks::paths;
use crate::runtime::bench::Bench;
use crate::runtime::subject::Subject;
use crate::types::described::DescribedOperation;

/// Describes one operation.
pub fn describe(subject: &Subject<'_>) -> DescribedOperation {
    let bench = Bench::new(subject);
    let open = bench.open();
    let context = contexts::context(&bench, &open);
    let mut schemas = Schemas::of(&bench);
    let endpoint = subject.endpoint;
    let labels = labels::labels(subject);
    let operation = Operation {
        tags: vec![labels.tag],
        summary: Some(labels.summary),
        description: Some(labels.description),
        deprecated: labels.is_deprecated,
        parameters: parameters::parameters(&bench, &mut schemas, &context),
        request_body: bodies::request_body(&bench, &mut schemas).map(ReferenceOr::Item),
        responses: answers::responses(&bench, &open, &mut schemas, &context),
        ..Operation::default()
    };
    DescribedOperation {
        op_id: subject.op_id.clone(),
        method: endpoint.method,
        path: paths::join("", &paths::template(&endpoint.raw_path).0),
        context_path: endpoint.context_path.clone(),
        class: labels.class,
        full_class: subject.project.fqn(endpoint.receiver).to_owned(),
        handler: labels.handler,
        operation,
        components: schemas.components,
        context,
    }
}
