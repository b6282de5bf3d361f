//! How the applications of a service are started, according to its code and build files.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::pipeline::service::service_path::service_path;
use mastor_config::{Ready, ResetSetting, ServiceSettings, Settings};
use mastor_extract::Surface;
use mastor_frameworks::launch::{self, Launch, profiles};
use mastor_publish::InJvm;
use mastor_types::results::report::MatchStatus;

/// Every way to start an application of the service in a folder, the likeliest first.
pub fn launches(surface: &Surface, dir: &str, repository: &str) -> Vec<Launch> {
    // Operations of the document tell the API from a web front end next to it.
    let matched = surface.matches.iter().filter(|m| surface.row(m).status == MatchStatus::Matched);
    let matched: Vec<&str> = matched.filter_map(|m| Some(surface.endpoint(m)?.file.as_str())).collect();
    let serves = |module: &str| match matched.is_empty() {
        true => surface.endpoints.iter().filter(|endpoint| is_in(&endpoint.file, module)).count(),
        false => matched.iter().filter(|file| is_in(file, module)).count(),
    };
    let read = launch::Read {
        project: &surface.project,
        tree: &surface.tree,
        resources: &surface.resources,
        build: &surface.build,
        properties: &surface.properties,
    };
    let all = launch::launches(read, &serves, repository);
    let here = all.into_iter().filter(|launch| is_in(&format!("{}/", launch.module), dir));
    here.map(|launch| with_profile(surface, launch)).collect()
}

/// Activates the Spring profile that all controllers of the launch's module are bound to, if the settings do not:
/// without it, the application serves none of them.
fn with_profile(surface: &Surface, mut launch: Launch) -> Launch {
    let own = surface.endpoints.iter().filter(|endpoint| is_in(&endpoint.file, &launch.module));
    let Some(profile) = profiles::needed(&surface.project, own.map(|endpoint| endpoint.receiver)) else {
        return launch;
    };
    let near = format!("{}/", launch.module);
    let active = surface.properties.get(&near, "spring.profiles.active").map(|property| property.value.clone());
    if active.unwrap_or_default().split(',').any(|name| name.trim() == profile) {
        return launch;
    }
    let (argument, system) = (" --server.port={port}", "-Dserver.port={port}");
    if launch.start.contains(argument) {
        launch.start.push_str(&format!(" --spring.profiles.active={profile}"));
    } else if launch.start.contains(system) {
        launch.start = launch.start.replacen(system, &format!("-Dspring.profiles.active={profile} {system}"), 1);
    } else {
        launch.doubts.push(format!("how the profile `{profile}`, which every controller is bound to, is made active"));
    }
    launch
}

/// How the application of a service is started in the JVM of the exported tests.
pub fn in_jvm(surface: &Surface, settings: &Settings) -> InJvm {
    let found = launches(surface, &settings.dir, "");
    let base_url = settings.service.as_ref().map_or("http://127.0.0.1:{port}", |service| &service.base_url);
    let path = service_path(surface, &base_url.replace("{port}", "1"));
    InJvm::of(settings.service.as_ref(), found.first(), &path)
}

/// Whether a path lies in a folder.
pub fn is_in(path: &str, dir: &str) -> bool {
    dir.is_empty() || path.strip_prefix(dir).is_some_and(|rest| rest.starts_with('/'))
}

/// Settings of a service that nobody configured: it is built and run where its launch says.
pub fn unconfigured(launch: Option<&Launch>) -> ServiceSettings {
    let second = Duration::from_secs(1);
    ServiceSettings {
        required: true,
        dir: launch.map(|launch| launch.dir.clone()).unwrap_or_default(),
        port: None,
        build: None,
        build_within: second * 900,
        start: None,
        base_url: String::new(),
        ready: Ready::Port,
        ready_within: second * 60,
        reset: ResetSetting::None,
        reset_within: second * 30,
        stop_within: second * 10,
        auth: None,
        env: BTreeMap::new(),
        inherit: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_in_the_folders_above_it() {
        assert!(is_in("a/b/C.java", "a") && is_in("a/", "a") && !is_in("ab/C.java", "a") && is_in("x", ""));
    }
}
