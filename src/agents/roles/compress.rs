//! Compresses source contexts to one line an operation, so that all operations of a service fit into one prompt (MASTOR
//! paper, section 4.3).

use std::fmt::Write;

use mastor_types::suite::source_context::SourceContext;

/// The compressed contexts, and the size of the same contexts as JSON.
pub struct Compressed {
    /// One line an operation.
    pub text: String,
    /// Size of the contexts as JSON, in bytes.
    pub from: usize,
}

/// Compresses contexts; the flag tells whether the operation may change state.
pub fn compress<'a>(contexts: impl IntoIterator<Item = (&'a SourceContext, bool)>) -> Compressed {
    let mut out = Compressed { text: String::new(), from: 0 };
    for (context, writes) in contexts {
        out.from += serde_json::to_vec(context).map_or(0, |bytes| bytes.len());
        let _ = writeln!(out.text, "{}", line(context, writes));
    }
    out
}

/// One line for an operation: `POST /orders | writes | in body.sku:String! | out 201 id:long status:OrderStatus | err
/// 400 404`.
pub fn line(context: &SourceContext, writes: bool) -> String {
    let mut out = format!("{} | {}", context.op_id, if writes { "writes" } else { "reads" });
    if !context.request_params.is_empty() {
        out.push_str(" | in");
        for param in &context.request_params {
            let place = param.location.as_str();
            let dot = if param.name.is_empty() { "" } else { "." };
            let _ = write!(out, " {place}{dot}{}:{}", param.name, param.ty);
            if param.required {
                out.push('!');
            }
        }
    }
    let schema = &context.response_schema;
    out.push_str(" | out");
    for status in &schema.success_statuses {
        let _ = write!(out, " {status}");
    }
    for field in &schema.fields {
        let _ = write!(out, " {}:{}", if field.path.is_empty() { "body" } else { &field.path }, field.ty);
    }
    let mut errors: Vec<u16> = schema.error_cases.iter().map(|case| case.status).collect();
    errors.sort_unstable();
    errors.dedup();
    if !errors.is_empty() {
        out.push_str(" | err");
        errors.iter().for_each(|status| {
            let _ = write!(out, " {status}");
        });
    }
    out
}
