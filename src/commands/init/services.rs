//! Finds the services of a repository: applications that serve routes, and their modules.

use std::collections::BTreeSet;

use crate::pipeline::{is_in, launches};
use mastor_extract::Surface;
use mastor_frameworks::Endpoint;
use mastor_frameworks::launch::Launch;
use mastor_java::build::layout::{Layout, ModuleId};

/// A proposed service.
pub(super) struct Proposed {
    /// Folder of the service, from the repository's root.
    pub(super) dir: String,
    /// Source roots, from the repository's root; `None` where the folder alone determines them.
    pub(super) source: Option<Vec<String>>,
    /// Folders of its modules, its own first.
    pub(super) modules: Vec<String>,
    /// Ways to start it, the most likely first.
    pub(super) launches: Vec<Launch>,
}

/// The result of the search.
pub(super) struct ServiceSearch {
    /// The services by folder, at least one.
    pub(super) services: Vec<Proposed>,
    /// Applications without routes, by folder.
    pub(super) silent: Vec<String>,
    /// Module folders with routes that belong to no service, with the number of routes.
    pub(super) homeless: Vec<(String, usize)>,
}

/// The services below a folder: one for each application that serves routes and is not part of another. Where there are
/// fewer than two, one service for the whole folder.
pub(super) fn find(surface: &Surface, dir: &str, repository: &str) -> ServiceSearch {
    let layout = surface.project.layout();
    let launches = launches(surface, dir, repository);
    let mut applications: Vec<(ModuleId, Vec<Launch>)> = Vec::new();
    for launch in &launches {
        let module = module(layout, &launch.module);
        match applications.iter_mut().find(|(other, _)| *other == module) {
            Some((_, all)) => all.push(launch.clone()),
            None => applications.push((module, vec![launch.clone()])),
        }
    }
    let below: Vec<&Endpoint> = surface.endpoints.iter().filter(|one| is_in(&one.file, dir)).collect();
    let serves = |owned: &BTreeSet<ModuleId>| below.iter().any(|one| owned.contains(&layout.module_of(&one.file)));
    let owned =
        |module: ModuleId| -> BTreeSet<ModuleId> { layout.reach(module).iter().copied().chain([module]).collect() };
    let (serving, silent): (Vec<_>, Vec<_>) = applications.into_iter().partition(|(module, _)| serves(&owned(*module)));
    let is_part = |module: ModuleId| serving.iter().any(|(other, _)| layout.reach(*other).contains(&module));
    let mut tops: Vec<&(ModuleId, Vec<Launch>)> = serving.iter().filter(|(module, _)| !is_part(*module)).collect();
    if tops.len() < 2 {
        let one = Proposed { dir: dir.to_owned(), source: None, modules: Vec::new(), launches };
        return ServiceSearch { services: vec![one], silent: Vec::new(), homeless: Vec::new() };
    }
    tops.sort_by_key(|(_, launches)| launches.first().map(|launch| launch.module.clone()));
    let mut claimed = BTreeSet::new();
    let mut services = Vec::new();
    for (module, launches) in tops {
        let owned = owned(*module);
        let folder = layout.modules()[module.0 as usize].dir.clone();
        let (ours, others): (Vec<&Endpoint>, Vec<&Endpoint>) =
            below.iter().copied().partition(|one| owned.contains(&layout.module_of(&one.file)));
        // The folder alone determines the service's routes if it contains all of them and none of another service.
        let is_told =
            ours.iter().all(|one| is_in(&one.file, &folder)) && !others.iter().any(|one| is_in(&one.file, &folder));
        claimed.extend(owned.iter().copied());
        let used = layout.reach(*module).iter().filter(|module| holds_java(surface, layout, **module));
        let modules: Vec<ModuleId> = std::iter::once(*module).chain(used.copied()).collect();
        services.push(Proposed {
            source: (!is_told).then(|| roots(layout, &modules)),
            modules: modules.iter().map(|module| layout.modules()[module.0 as usize].dir.clone()).collect(),
            launches: launches.clone(),
            dir: folder,
        });
    }
    let unclaimed: BTreeSet<ModuleId> =
        below.iter().map(|one| layout.module_of(&one.file)).filter(|module| !claimed.contains(module)).collect();
    let routes = |module: &ModuleId| below.iter().filter(|one| layout.module_of(&one.file) == *module).count();
    let homeless = unclaimed.iter().map(|module| (layout.modules()[module.0 as usize].dir.clone(), routes(module)));
    let silent = silent.iter().filter_map(|(_, launches)| Some(launches.first()?.module.clone())).collect();
    ServiceSearch { services, silent, homeless: homeless.collect() }
}

fn module(layout: &Layout, dir: &str) -> ModuleId {
    let file = if dir.is_empty() { "pom.xml".to_owned() } else { format!("{dir}/pom.xml") };
    layout.module_of(&file)
}

fn holds_java(surface: &Surface, layout: &Layout, module: ModuleId) -> bool {
    surface.project.files().any(|file| layout.module_of(&surface.project.file(file).path) == module)
}

/// The main source folders of these modules.
fn roots(layout: &Layout, modules: &[ModuleId]) -> Vec<String> {
    let of = |module: &ModuleId| {
        let module = &layout.modules()[module.0 as usize];
        if module.sources.is_empty() {
            vec![mastor_config::join(&module.dir, "src/main/java")]
        } else {
            module.sources.clone()
        }
    };
    modules.iter().flat_map(of).collect()
}
