//! Changed code that no operation of a service reaches because it runs in another application of the repository.

use std::collections::{BTreeMap, BTreeSet};

use crate::pipeline::service::launches::is_in;
use mastor_config::Settings;
use mastor_extract::Surface;
use mastor_frameworks::files::properties::module_of;
use mastor_types::results::plan::Plan;

/// Removes inputs that run in other applications from the plan's unreached inputs, and returns them. A service at the repository's root, or one without
/// routes, keeps all of them.
pub(in crate::pipeline) fn take(settings: &Settings, surface: &Surface, plan: &mut Plan) -> BTreeSet<String> {
    if settings.dir.is_empty() || surface.endpoints.is_empty() {
        return BTreeSet::new();
    }
    let entries: BTreeSet<&str> = surface.endpoints.iter().map(|endpoint| endpoint.file.as_str()).collect();
    let applications = &surface.build.applications;
    let is_ours = |input: &str| {
        let file = input.split('#').next().unwrap_or_default();
        is_in(file, &settings.dir) || entries.iter().any(|entry| applications.run_together(entry, file))
    };
    let (ours, others): (Vec<_>, Vec<_>) =
        std::mem::take(&mut plan.unreached).into_iter().partition(|one| is_ours(&one.input));
    plan.unreached = ours;
    others.into_iter().map(|one| one.input).collect()
}

/// A note on changed members that are in no service's application, counted by module.
pub(in crate::pipeline) fn note(of_services: &[BTreeSet<String>]) -> Option<String> {
    let (first, others) = of_services.split_first()?;
    let homeless = first.iter().filter(|input| others.iter().all(|other| other.contains(*input)));
    let mut modules: BTreeMap<&str, usize> = BTreeMap::new();
    for input in homeless {
        *modules.entry(module_of(input)).or_default() += 1;
    }
    let named: Vec<String> = modules.iter().map(|(module, count)| format!("{module} ({count} members)")).collect();
    (!named.is_empty()).then(|| format!("changed code that is in no service's application: {}", named.join(", ")))
}
