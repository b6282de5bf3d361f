//! How the JDK's HTTP server handles a request: it only chooses the handler that receives the exchange.

use crate::record::{Advice, Body, Failures, Json, Middleware, NOT_MODELLED, Record, RequestFilters, Routing, Serving};

/// Handlers of contexts.
pub static CONTEXTS: Record = Record {
    name: "jdk-http-server",
    serving: Serving::Exchange,
    routing: Routing { guesses_methods: true, ..NOT_MODELLED.routing },
    failures: Failures { advice: Advice::Nobody, ..NOT_MODELLED.failures },
    body: Body { json: Json::Jackson, ..NOT_MODELLED.body },
    middleware: Middleware { security: false, request_filters: RequestFilters::Apart, ..NOT_MODELLED.middleware },
    ..NOT_MODELLED
};
