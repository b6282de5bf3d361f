//! Entries that a model named for operations without a route. They are read from the committed source contexts; no
//! model is called here.

use mastor_frameworks::record::NAMED;
use std::collections::BTreeMap;

use super::matching::Match;
use mastor_config::join;
use mastor_frameworks::configured::routes::endpoint;
use mastor_frameworks::{Endpoint, Framework, Inputs};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;
use mastor_suite::SUITE_DIR;
use mastor_suite::format::{SuiteFile, from_bytes};
use mastor_types::OpId;
use mastor_types::results::report::MatchStatus;
use mastor_types::suite::source_context::{Entry, MatchedBy};

/// Text that says how such a match was found.
const HOW: &str = "named by a model, committed with the source context";

/// Matches unmatched operations to the entries of `named`, else to those that the suite in `dir` has committed. Returns
/// their endpoints, whose indices count from `from`. An entry that no longer exists is reported as a reason.
pub fn entries(
    inputs: &Inputs<'_>,
    dir: &str,
    named: &BTreeMap<OpId, Entry>,
    is_own: &dyn Fn(&str) -> bool,
    matches: &mut [Match],
    from: usize,
) -> Vec<Endpoint> {
    let mut endpoints = Vec::new();
    for one in matches.iter_mut().filter(|one| one.status == MatchStatus::Unmatched) {
        let Some(entry) = named.get(&one.op_id).cloned().or_else(|| committed(inputs, dir, &one.op_id)) else {
            continue;
        };
        let found = member(inputs.project, &entry).filter(|(ty, _)| is_own(inputs.project.path_of(*ty)));
        let Some(found) = found else {
            let (class, method) = (&entry.class, &entry.method);
            one.reason = Some(format!("{class}#{method}, which a model named, is not there any more"));
            continue;
        };
        let made = endpoint(inputs, found, one.op_id.path(), Framework(&NAMED), HOW);
        one.status = MatchStatus::Matched;
        one.endpoints = vec![from + endpoints.len()];
        one.matched_by = Some(HOW.to_owned());
        one.reason = None;
        let made_from = Some(one.op_id.as_str().to_owned());
        endpoints.push(Endpoint { method: one.op_id.method(), made_from, ..made });
    }
    endpoints
}

/// The entry that the suite has committed for an operation, if a model named it.
fn committed(inputs: &Inputs<'_>, dir: &str, op_id: &OpId) -> Option<Entry> {
    let path = join(dir, &format!("{SUITE_DIR}/{}.json", op_id.slug()));
    let bytes = inputs.tree.read(&path).ok()?;
    let context = from_bytes::<SuiteFile>(&path, &bytes).ok()?.context;
    context.entry.filter(|_| context.matched_by == Some(MatchedBy::Model) && context.op_id == *op_id)
}

/// The method with this name and signature, on the class or a supertype.
fn member(project: &Project, entry: &Entry) -> Option<(TypeId, MemberId)> {
    let ty = project.by_fqn(&entry.class)?;
    let scopes = std::iter::once(ty).chain(project.all_supers(ty));
    let fits = |id: &MemberId| project.member(*id).body.is_some() && project.member(*id).signature() == entry.method;
    let found = scopes.flat_map(|scope| project.members(scope)).find(fits)?;
    Some((ty, found))
}
