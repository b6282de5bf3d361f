//! How the applications of a service are started, as its code and build files say.

use super::service_path::service_path;
use crate::config::Settings;
use crate::extract::Surface;
use crate::frameworks::launch::{self, Launch};
use crate::publish::InJvm;
use crate::types::report::MatchStatus;

/// Every way to start something of the service in a folder, the likeliest first.
pub fn launches(surface: &Surface, dir: &str, repository: &str) -> Vec<Launch> {
    // What the document describes tells the API from a web front end beside it.
    let matched = surface.matches.iter().filter(|m| surface.row(m).status == MatchStatus::Matched);
    let matched: Vec<&str> = matched.filter_map(|m| Some(surface.endpoint(m)?.file.as_str())).collect();
    let serves = |module: &str| match matched.is_empty() {
        true => surface.endpoints.iter().filter(|endpoint| is_in(&endpoint.file, module)).count(),
        false => matched.iter().filter(|file| is_in(file, module)).count(),
    };
    let all =
        launch::launches(&surface.project, &surface.tree, &surface.resources, &surface.properties, &serves, repository);
    all.into_iter().filter(|launch| is_in(&format!("{}/", launch.module), dir)).collect()
}

/// How the application of a service is started in the JVM of the exported tests.
pub fn in_jvm(surface: &Surface, settings: &Settings) -> InJvm {
    let found = launches(surface, &settings.dir, "");
    let base_url = settings.service.as_ref().map_or("http://127.0.0.1:{port}", |service| &service.base_url);
    let path = service_path(surface, &base_url.replace("{port}", "1"));
    InJvm::of(settings.service.as_ref(), found.first(), &path)
}

fn is_in(path: &str, dir: &str) -> bool {
    dir.is_empty() || path.strip_prefix(dir).is_some_and(|rest| rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_in_the_folders_above_it() {
        assert!(is_in("a/b/C.java", "a") && is_in("a/", "a") && !is_in("ab/C.java", "a") && is_in("x", ""));
    }
}
