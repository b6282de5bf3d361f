//! Paths of a document: one spelling for each template, whatever the code calls its variables, and the server URL.

use std::collections::{BTreeMap, BTreeSet};

use openapiv3::{Operation, Parameter, ReferenceOr, Server};

use mastor_frameworks::paths::{join, key, template};
use mastor_types::OpId;
use mastor_types::described::DescribedOperation;

/// An operation with its path in the document.
pub(super) struct Routed<'a> {
    pub(super) described: &'a DescribedOperation,
    pub(super) path: String,
    /// The operation with the document's names of path parameters.
    pub(super) operation: Operation,
    /// The document's names of path parameters, by their names in the code.
    pub(super) renamed: BTreeMap<String, String>,
}

impl Routed<'_> {
    /// The operation's id with the document's path.
    pub(super) fn name(&self) -> OpId {
        OpId::new(self.described.method, &self.path)
    }
}

/// Operations by path and method without repetition, and the servers.
pub(super) fn routed(operations: &[DescribedOperation]) -> (Vec<Routed<'_>>, Vec<Server>) {
    let contexts: BTreeSet<&str> = operations.iter().map(|one| one.context_path.as_str()).collect();
    let shared = contexts.first().filter(|_| contexts.len() == 1).copied().unwrap_or_default();
    let full = |one: &DescribedOperation| match contexts.len() {
        1 => one.path.clone(),
        _ => join(&one.context_path, &one.path),
    };
    let mut sorted: Vec<(String, &DescribedOperation)> = operations.iter().map(|one| (full(one), one)).collect();
    sorted.sort_by(|a, b| (&a.0, a.1.method, &a.1.op_id).cmp(&(&b.0, b.1.method, &b.1.op_id)));
    let mut spelled: BTreeMap<String, String> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    let mut routes = Vec::new();
    for (own, described) in sorted {
        let erased = key(&own);
        let path = spelled.entry(erased.clone()).or_insert_with(|| own.clone()).clone();
        if !seen.insert((erased, described.method)) {
            continue;
        }
        let variables = |path: &str| template(path).1.into_iter().map(|variable| variable.name);
        let renamed: BTreeMap<String, String> =
            variables(&own).zip(variables(&path)).filter(|(own, other)| own != other).collect();
        let mut operation = described.operation.clone();
        for parameter in &mut operation.parameters {
            if let ReferenceOr::Item(Parameter::Path { parameter_data, .. }) = parameter
                && let Some(name) = renamed.get(&parameter_data.name)
            {
                parameter_data.name.clone_from(name);
            }
        }
        routes.push(Routed { described, path, operation, renamed });
    }
    routes.sort_by(|a, b| (&a.path, a.described.method).cmp(&(&b.path, b.described.method)));
    let url = if shared.is_empty() { "/" } else { shared };
    (routes, vec![Server { url: url.to_owned(), ..Server::default() }])
}
