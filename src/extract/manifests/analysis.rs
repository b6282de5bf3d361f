//! The analysis of one revision: the closure of every operation, and the manifest of everything that decides how it
//! behaves.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::plan::Fingerprinted;
use super::unreached::UnreachedInput;
use crate::api::operations::Surface;
use crate::members::closure::{Closure, Edge};
use mastor_frameworks::Endpoint;
use mastor_java::ir::ids::MemberId;
use mastor_types::manifest::Manifest;
use mastor_types::results::change::Place;
use mastor_types::results::plan::Chain;
use mastor_types::results::report::Why;
use mastor_types::results::strength::Targets;
use mastor_types::suite::source_context::Entry;
use mastor_types::user::User;
use mastor_types::{Hash, OpId};

/// The analysis of one revision of a service.
pub struct Analysis {
    /// Operations, document, code and configuration, before any closure is followed.
    pub surface: Surface,
    /// Every operation except those of the framework, sorted by name, with its manifest.
    pub operations: Vec<Fingerprinted>,
    /// The closure of each operation that has an entry.
    pub closures: BTreeMap<OpId, Arc<Closure>>,
    /// Main code that no operation reaches.
    pub unreached: Vec<UnreachedInput>,
    /// Methods that no known route leads to but that may still serve operations.
    pub hidden: Vec<Entry>,
    /// Users of the service that are known from outside the revision; empty unless set by the caller.
    pub users: Vec<User>,
    /// Mutants that the committed suite does not kill, which new oracles should kill; empty unless set by the caller.
    pub targets: Targets,
}

impl Analysis {
    /// The operation with this name.
    pub fn find(&self, op_id: &OpId) -> Option<&Fingerprinted> {
        self.operations.binary_search_by(|o| o.op_id.cmp(op_id)).ok().and_then(|index| self.operations.get(index))
    }

    /// The manifest of an operation.
    pub fn manifest(&self, op_id: &OpId) -> Option<&Manifest> {
        super::plan::manifest_of(&self.operations, op_id)
    }

    /// The endpoint that serves an operation.
    pub fn endpoint(&self, op_id: &OpId) -> Option<&Endpoint> {
        self.surface.find(op_id).and_then(|operation| self.surface.endpoint(operation))
    }

    /// Location of an operation's entry in the source.
    pub fn entry_place(&self, op_id: &OpId) -> Option<Place> {
        let endpoint = self.endpoint(op_id)?;
        let span = self.surface.project.member(endpoint.entry).span;
        let symbol = self.surface.project.symbol(endpoint.entry);
        Some(Place { file: endpoint.file.clone(), line: endpoint.line, end_line: span.end_line, symbol })
    }

    /// Location of the member with this symbol.
    pub fn member_place(&self, symbol: &str) -> Option<Place> {
        let project = &self.surface.project;
        let id = project.by_symbol(symbol)?;
        let span = project.member(id).span;
        let (file, line) = project.shown(id.ty, span.line);
        let end_line = line + (span.end_line - span.line) * u32::from(project.origin(id.ty).is_none());
        Some(Place { file, line, end_line, symbol: symbol.to_owned() })
    }

    /// The hash of the tokens of a cited symbol: [`Surface::resolve`].
    pub fn resolve(&self, symbol: &str) -> Option<Hash> {
        self.surface.resolve(symbol)
    }

    /// `file#member` for an input of a manifest; `None` if this revision does not have it.
    pub fn place(&self, input: &str) -> Option<String> {
        let project = &self.surface.project;
        if let Some(member) = project.by_symbol(input) {
            return Some(format!(
                "{}#{}.{}",
                project.shown(member.ty, 1).0,
                project.ty(member.ty).name,
                project.member(member).signature()
            ));
        }
        if let Some(ty) = project.by_fqn(input) {
            return Some(format!("{}#{}", project.shown(ty, 1).0, project.ty(ty).name));
        }
        if let Some(op) = input.strip_prefix("openapi:") {
            let document = self.surface.document.as_ref()?;
            return document.operation(op).map(|operation| operation.at.to_string());
        }
        None
    }

    /// The chain from an operation's entry to an input of its manifest; `None` if no chain of members reaches it.
    pub fn chain(&self, op_id: &OpId, input: &str) -> Option<Vec<String>> {
        let closure = self.closures.get(op_id)?;
        let project = &self.surface.project;
        let entry = self.endpoint(op_id).map(|endpoint| endpoint.entry.ty);
        let seen = entry.map_or_else(|| project.by_symbol(input), |entry| project.seen_member(entry, input));
        let member = match seen {
            Some(member) => Some(member),
            // The header of a type is reached by the type's first member in the closure.
            None => project.by_fqn(input).and_then(|ty| closure.members.keys().find(|member| member.ty == ty).copied()),
        }?;
        let steps = closure.why(member);
        if steps.is_empty() {
            return None;
        }
        let step = |(member, edge): &(MemberId, Edge)| {
            let line = edge.line.map(|line| format!(", line {line}")).unwrap_or_default();
            format!("{} ({}{line})", project.symbol(*member), edge.kind.words())
        };
        let mut chain: Vec<String> = steps.iter().map(step).collect();
        if project.by_symbol(input).is_none() {
            chain.push(format!("{input} (is the type of it)"));
        }
        Some(chain)
    }

    /// The chain to an input that no chain of members reaches: the entry, if there is one, and the input.
    pub fn direct(&self, op_id: &OpId, input: &str) -> Vec<String> {
        let entry =
            self.endpoint(op_id).map(|endpoint| format!("{} (entry)", self.surface.project.symbol(endpoint.entry)));
        entry.into_iter().chain([input.to_owned()]).collect()
    }

    /// The inputs of an operation with their chains, the shortest first: the output of `why` without a comparison.
    pub fn why(&self, op_id: &OpId) -> Why {
        let Some(manifest) = self.manifest(op_id) else {
            return Why { op_id: op_id.clone(), chains: Vec::new(), left_out: 0 };
        };
        let chain = |input: &str| self.chain(op_id, input).unwrap_or_else(|| self.direct(op_id, input));
        let mut inputs: Vec<(usize, &str)> = manifest.iter().map(|(input, ..)| (chain(input).len(), input)).collect();
        if inputs.len() > Why::CHAINS {
            inputs.sort();
        }
        let told = inputs.iter().take(Why::CHAINS).map(|(_, input)| Chain {
            changed: self.place(input).unwrap_or_else(|| (*input).to_owned()),
            path: chain(input),
        });
        Why { op_id: op_id.clone(), chains: told.collect(), left_out: inputs.len().saturating_sub(Why::CHAINS) }
    }

    /// Class and method of an endpoint.
    pub fn entry_of(surface: &Surface, endpoint: &Endpoint) -> Entry {
        Entry {
            class: surface.project.fqn(endpoint.receiver).to_owned(),
            method: surface.project.member(endpoint.entry).signature(),
        }
    }
}
