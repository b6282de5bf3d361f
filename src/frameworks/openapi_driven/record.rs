//! How a dispatcher by document handles a request (swagger-inflector).

use crate::record::{Binding, Body, Failures, Json, NOT_MODELLED, Record, Refusals, Routing, Serving, Validation};

/// Controllers that a document names.
pub static DISPATCHED: Record = Record {
    name: "openapi-driven",
    serving: Serving::Document,
    routing: Routing { from_document: true, ..NOT_MODELLED.routing },
    binding: Binding {
        refusals: Refusals::ByDocument,
        requires_body: true,
        nobody_is_null: true,
        ..NOT_MODELLED.binding
    },
    validation: Validation { proxies: true, tells_fields: true, ..NOT_MODELLED.validation },
    failures: Failures { has_error_page: true, denies_by_chain: true, ..NOT_MODELLED.failures },
    body: Body { json: Json::Jackson, boot_writes_dates: true, plain_xml: true, ..NOT_MODELLED.body },
    ..NOT_MODELLED
};
