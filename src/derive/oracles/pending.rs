//! Claims of the document that the code does not show.

use mastor_openapi as openapi;
use mastor_runtime::bench::Bench;
use mastor_types::suite::source_context::{Location as Wire, PendingParam, PendingResponse, RequestParam};
use std::collections::BTreeSet;

fn operation<'a>(bench: &Bench<'a>) -> Option<&'a openapi::Operation> {
    bench.subject.document?.operation(bench.subject.op_id.as_str())
}

/// Whether the document names a parameter.
pub fn documented(bench: &Bench<'_>, location: Wire, name: &str) -> bool {
    let Some(operation) = operation(bench) else { return false };
    match location {
        Wire::Body if name.is_empty() => operation.request_body.is_some(),
        Wire::Body => false,
        _ => operation.parameters.iter().any(|param| same_place(param.location, location) && param.name == name),
    }
}

fn same_place(of_document: openapi::In, location: Wire) -> bool {
    matches!(
        (of_document, location),
        (openapi::In::Path, Wire::Path)
            | (openapi::In::Query, Wire::Query)
            | (openapi::In::Header, Wire::Header)
            | (openapi::In::Cookie, Wire::Cookie)
            | (openapi::In::Body, Wire::Body)
            | (openapi::In::FormData, Wire::Form)
    )
}

/// The claims of the document that the code does not show.
pub fn pending(
    bench: &Bench<'_>,
    params: &[RequestParam],
    statuses: &BTreeSet<u16>,
    open_ended: &BTreeSet<String>,
) -> (Vec<PendingParam>, Vec<PendingResponse>) {
    let mut pending_params = Vec::new();
    let mut responses = Vec::new();
    let all: Vec<&str> = open_ended.iter().take(6).map(String::as_str).collect();
    let reason = if all.is_empty() {
        "no path of the code ends in it".to_owned()
    } else {
        format!("not decided: {}", all.join("; "))
    };
    if let Some(operation) = operation(bench) {
        for param in &operation.parameters {
            let location = match param.location {
                openapi::In::Path => Wire::Path,
                openapi::In::Query => Wire::Query,
                openapi::In::Header => Wire::Header,
                openapi::In::Cookie => Wire::Cookie,
                openapi::In::Body => Wire::Body,
                openapi::In::FormData => Wire::Form,
            };
            let found = params.iter().any(|known| {
                known.location == location
                    && (known.name == param.name || location == Wire::Body && known.name.is_empty())
            });
            if !found {
                let reason = "only the document names it; no binding of the entry reads it".to_owned();
                pending_params.push(PendingParam { name: param.name.clone(), location, reason });
            }
        }
        for response in &operation.responses {
            let openapi::Status::Code(code) = response.status else { continue };
            if !statuses.contains(&code) {
                responses.push(PendingResponse {
                    status: Some(code),
                    oas_claim: Some(response.description.clone().unwrap_or_default()),
                    reason: reason.clone(),
                });
            }
        }
    }
    if !all.is_empty() && responses.is_empty() {
        responses.push(PendingResponse { status: None, oas_claim: None, reason });
    }
    pending_params.sort_by(|a, b| (a.location, &a.name).cmp(&(b.location, &b.name)));
    (pending_params, responses)
}
