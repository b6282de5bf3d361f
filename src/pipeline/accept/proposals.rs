//! `proposed.json`: the proposals that `accept` can take into the suite, and the id of the head that they were made
//! for.

use std::path::Path;
use std::sync::Arc;

use crate::pipeline::repository::workspace::{Workspace, out_folder, unwritable};
use mastor_config::Settings;
use mastor_extract::Analysis;
use mastor_suite::OUT_DIR;
use mastor_suite::format::{self, SCHEMA_VERSION};
use mastor_suite::load::Suite;
use mastor_suite::proposal::{Proposal, ProposalFile, ProposalKind};
use mastor_types::error::Failure;
use mastor_types::manifest::{Input, hashes};
use mastor_types::results::change::Change;
use mastor_types::suite::assertion::{Assertion, Check, Source, StatusSet};
use mastor_types::suite::oracle::{Confirmation, Oracle};
use mastor_types::{Hash, OpId};

/// Name of the file below `.mastor/out`.
pub const FILE: &str = "proposed.json";

/// Proposals to retire every oracle of an operation.
pub fn retirement(committed: &Suite, op_id: &OpId, reason: &str) -> Vec<Proposal> {
    let oracles = committed.operations.get(op_id).map(|o| o.oracles.as_slice()).unwrap_or_default();
    oracles
        .iter()
        .map(|oracle| Proposal {
            kind: ProposalKind::Retirement,
            o_id: oracle.o_id.clone(),
            op_id: op_id.clone(),
            before: Some(oracle.clone()),
            after: None,
            sequence: None,
            decision: None,
            evidence: Default::default(),
            reason: reason.to_owned(),
        })
        .collect()
}

/// Proposals for changes that contradict a committed oracle for which nothing is proposed yet: the oracle would expect
/// the status that is answered now.
pub fn contradicted(changes: &[Change], old: &Suite, known: &[Proposal]) -> Vec<Proposal> {
    let mut found: Vec<Proposal> = Vec::new();
    for change in changes.iter().flat_map(Change::with_also).filter(|change| !change.accepted) {
        let Some(o_id) = &change.o_id else { continue };
        let is_known = known.iter().chain(&found).any(|proposal| proposal.o_id == *o_id);
        let mut oracles = old.operations.values().flat_map(|suite| &suite.oracles);
        let Some(oracle) = oracles.find(|oracle| oracle.o_id == *o_id).filter(|_| !is_known) else { continue };
        let now = change.after.as_deref().and_then(|after| after.split(' ').next()?.parse::<u16>().ok());
        let Some(status) = now else { continue };
        let reason = "the code now answers this request differently, given the same";
        found.extend(expectation(old, oracle, (Vec::new(), status), (Confirmation::none(), reason)));
    }
    found
}

/// A proposal that changes a committed oracle: it keeps the assertions `kept`, and expects `status` if none of them
/// names one.
pub(in crate::pipeline) fn expectation(
    old: &Suite,
    broken: &Oracle,
    (kept, status): (Vec<Assertion>, u16),
    (confirmation, reason): (Confirmation, &str),
) -> Option<Proposal> {
    let mut after = Oracle { assertions: kept, confirmation, ..broken.clone() };
    if after.statuses().is_empty() {
        let check = Check::Status { expected: StatusSet::One(status) };
        after.assertions.insert(0, Assertion { check, source: Source::Observed });
    }
    let context = old.operations.get(&broken.op_id).map(|suite| &suite.context)?;
    let cited = broken.evidence.iter().filter_map(|id| Some((id.clone(), context.evidence.get(id)?.clone())));
    Some(Proposal {
        kind: ProposalKind::Expectation,
        o_id: broken.o_id.clone(),
        op_id: broken.op_id.clone(),
        before: Some(broken.clone()),
        after: Some(after),
        sequence: None,
        decision: None,
        evidence: cited.collect(),
        reason: reason.to_owned(),
    })
}

/// Identifies the head that proposals are made for: a hash over every input of every operation.
pub fn head_id(analysis: &Analysis) -> Hash {
    // Operations share most of their inputs: each of these is hashed once.
    let mut known: Option<(Arc<[Input]>, Vec<Hash>)> = None;
    let mut lines = String::new();
    for operation in &analysis.operations {
        let shared = operation.manifest.shared();
        if known.as_ref().is_none_or(|(all, _)| !Arc::ptr_eq(all, shared)) {
            known = Some((shared.clone(), hashes(shared)));
        }
        let hashes = known.as_ref().map(|(_, hashes)| hashes.as_slice()).unwrap_or_default();
        let digest = operation.manifest.digest(hashes);
        lines.push_str(&format!("{} {digest}\n", operation.op_id));
    }
    Hash::of(lines.as_bytes())
}

/// Writes the proposals of a run; if there are none, removes the file of an earlier run.
///
/// # Errors
/// Exit 70 where writing fails.
pub fn write_proposals(
    workspace: &Workspace,
    settings: &Settings,
    head: Hash,
    proposals: &[Proposal],
) -> Result<Option<String>, Failure> {
    let dir = workspace.service_dir(settings).join(OUT_DIR);
    let file = dir.join(FILE);
    if proposals.is_empty() {
        return mastor_store::write_or_remove(&file, None).map(|()| None).map_err(unwritable);
    }
    let mut proposals = proposals.to_vec();
    proposals.sort_by(|a, b| (&a.op_id, &a.o_id).cmp(&(&b.op_id, &b.o_id)));
    let content = ProposalFile { schema_version: SCHEMA_VERSION, head, proposals };
    out_folder(&dir)?;
    mastor_store::write(&file, &format::to_bytes(&content)).map_err(unwritable)?;
    Ok(Some(mastor_config::join(&settings.dir, &format!("{OUT_DIR}/{FILE}"))))
}

/// The waiting proposals in a service's folder, whatever head they were made for; none if there is no readable file.
pub fn waiting(service_dir: &Path) -> Vec<Proposal> {
    let path = service_dir.join(OUT_DIR).join(FILE);
    let file = fs_err::read(&path).ok().and_then(|bytes| format::from_bytes::<ProposalFile>(FILE, &bytes).ok());
    file.map(|file| file.proposals).unwrap_or_default()
}
