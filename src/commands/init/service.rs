//! Renders the `mastor.toml` of a proposed service.

use super::services::Proposed;
use super::trial::{Started, Trial};
use mastor_frameworks::launch::{Launch, Store};
use mastor_java::build::build_kind::BuildKind;

/// Name of the auth file that is written beside `mastor.toml`.
pub(super) const AUTH: &str = "auth.yaml";

/// What stands in a `mastor.toml`.
pub(super) struct File<'a> {
    /// The proposed service.
    pub(super) service: &'a Proposed,
    /// The service's name.
    pub(super) name: &'a str,
    /// The service's document, from the repository's root.
    pub(super) document: Option<&'a str>,
    /// Whether documents exist but none matches, so that the search for one must be switched off.
    pub(super) no_document: bool,
}

impl File<'_> {
    /// The file's text. `[service]` is on if the service started in the trial, otherwise off with the reason as a
    /// comment.
    pub(super) fn text(&self, trial: &Trial) -> String {
        let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
        let dir = &self.service.dir;
        let mut lines = vec![
            "# Settings of mastor for this service. `mastor config show` prints all that are in force.".to_owned(),
            String::new(),
            "[api]".to_owned(),
            format!("name = {}", quoted(self.name)),
        ];
        match self.document {
            Some(path) => lines.push(format!("openapi = {}", quoted(&relative(dir, path)))),
            None if self.no_document => {
                lines.push("openapi = false   # the documents that were found describe no route of it".to_owned());
            }
            None => {}
        }
        if let Some(roots) = &self.service.source {
            let roots: Vec<String> = roots.iter().map(|root| quoted(&relative(dir, root))).collect();
            lines.push(format!("source = [{}]", roots.join(", ")));
        }
        if let Some(launch) = self.service.launches.first() {
            lines.push(String::new());
            lines.extend(table(launch, dir, trial));
            lines.extend(slices(launch, trial));
        }
        lines.join("\n") + "\n"
    }
}

/// The `[service]` table.
fn table(launch: &Launch, dir: &str, trial: &Trial) -> Vec<String> {
    let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
    let mut lines = vec![format!("[service]   # {}, {}", launch.what, launch.main)];
    let off = "enabled = false   # true turns it on; `mastor doctor --service` tries it first";
    match trial {
        Trial::Started(_) => {}
        Trial::Missing(missing) => {
            lines.push(off.to_owned());
            lines.push("# It was not seen to start. What was missing:".to_owned());
            lines.extend(missing.iter().map(|what| format!("# - {}", plain(what))));
        }
        Trial::Failed(failure) => {
            lines.push(off.to_owned());
            lines.push(format!("# It was not seen to start: {}", plain(&failure.message)));
        }
        Trial::NotTried => lines.push(off.to_owned()),
    }
    let folder = relative(dir, &launch.dir);
    if folder != "." {
        lines.push(format!("dir = {}", quoted(&folder)));
    }
    lines.extend(launch.doubts.iter().map(|doubt| format!("# could not tell {}", plain(doubt))));
    if let Some(port) = launch.port {
        lines.push(format!("port = {port}   # the code names it; without it, a free one is taken"));
    }
    lines.push(format!("build = {}", quoted(&launch.build)));
    let emptied = launch.needs.stores.iter().filter_map(|(store, name)| Some((store.words(), store.fresh(name)?)));
    let (words, fresh): (Vec<&str>, Vec<String>) = emptied.unzip();
    if !fresh.is_empty() {
        let words = words.join(" and ");
        lines.push(format!("# Each start begins with an empty {words}, in a container that holds nothing else."));
    }
    lines.push(format!("start = {}", quoted(&[fresh, vec![launch.start.clone()]].concat().join(" && "))));
    let port = launch.port_variable.iter().map(|name| (name.clone(), "{port}".to_owned()));
    let env = port.chain(launch.needs.env.clone());
    let env: Vec<String> = env.map(|(name, value)| format!("env.{name} = {}", quoted(&value))).collect();
    lines.push(match &launch.ready {
        Some((url, Some(status))) => {
            format!("ready = {{ url = {}, status = {status}, within = \"60s\" }}", quoted(url))
        }
        Some((url, None)) => format!("ready = {{ url = {}, within = \"60s\" }}", quoted(url)),
        None => "ready = { port = true, within = \"60s\" }".to_owned(),
    });
    if let Trial::Started(Started { users: Some(users), .. }) = trial {
        lines.push(format!("auth = {}   # {}", quoted(AUTH), plain(&users.what)));
    }
    lines.extend(env);
    lines
}

/// The `[ci] slices` setting, for Maven projects whose service did not start.
fn slices(launch: &Launch, trial: &Trial) -> Vec<String> {
    if launch.tool != BuildKind::Maven || matches!(trial, Trial::Started(_)) {
        return Vec::new();
    }
    let line =
        "slices = \"auto\"   # \"on\": handlers run with stubs in CI too, without the service; `mastor slice` tries it";
    vec![String::new(), "[ci]".to_owned(), line.to_owned()]
}

/// The summary of a service for the terminal.
pub(super) fn say(service: &Proposed, trial: &Trial) -> Vec<String> {
    let Some((launch, others)) = service.launches.split_first() else {
        return vec![
            "service: no main class beside a `pom.xml` or `build.gradle` starts a server that mastor knows; changes are derived from the code".to_owned(),
            "  `[service]` with `start` in mastor.toml names a command, `base-url` a service that runs already (docs/service.md)".to_owned(),
        ];
    };
    let place =
        |launch: &Launch| if launch.module.is_empty() { String::new() } else { format!(" in {}", launch.module) };
    let mut said = vec![
        format!("service: {}, {}{}", launch.what, launch.main, place(launch)),
        format!("  build: {}", launch.build),
        format!("  start: {}", launch.start),
        match &launch.ready {
            Some((url, _)) => format!("  ready: {url} answers (the actuator is used)"),
            None => "  ready: its port answers (no health check was found)".to_owned(),
        },
    ];
    let stores: Vec<&str> = launch.needs.stores.keys().copied().map(Store::words).collect();
    if !stores.is_empty() {
        said.push(format!(
            "  needs: {}: containers of the workflow, where `env` of mastor.toml leads",
            stores.join(", ")
        ));
    }
    if !launch.needs.without.is_empty() {
        said.push(format!("  without: {}", launch.needs.without.join(", ")));
    }
    said.extend(launch.doubts.iter().map(|doubt| format!("  could not tell {doubt}")));
    said.extend(others.iter().take(5).map(|other| format!("  not taken: {}{}", other.main, place(other))));
    match trial {
        Trial::Started(Started { seconds, users }) => {
            said.push(format!("  on: it was ready after {seconds:.1} s"));
            if let Some(users) = users {
                let seen = match users.is_verified {
                    true => "a read that refuses others let them in",
                    false => "no read asks for a user",
                };
                said.push(format!(
                    "  users: {} sign up by {} ({seen}); {AUTH} says how",
                    users.users.join(" and "),
                    users.what
                ));
            }
        }
        Trial::Missing(missing) => {
            said.push("  off: it was not tried. What is missing here:".to_owned());
            said.extend(missing.iter().map(|what| format!("  - {what}")));
        }
        Trial::Failed(failure) => {
            said.push(format!("  off: {}", failure.message));
            said.extend(failure.lines.iter().map(|line| format!("  | {line}")));
        }
        Trial::NotTried => said.push("  off: it was not tried (`--no-service`)".to_owned()),
    }
    said
}

/// A text on one line, for use in a comment.
fn plain(text: &str) -> String {
    mastor_template::escape::plain(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A path relative to a folder; both are given from the repository's root.
fn relative(from: &str, to: &str) -> String {
    let parts = |dir: &str| dir.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    let (from, to) = (parts(from), parts(to));
    let shared = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    let up = from.len() - shared;
    let path: Vec<&str> = std::iter::repeat_n("..", up).chain(to.iter().skip(shared).map(String::as_str)).collect();
    if path.is_empty() { ".".to_owned() } else { path.join("/") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_named_from_another() {
        for (from, to, path) in
            [("", "", "."), ("a/b", "a", ".."), ("a/b", "a/b/c", "c"), ("a", "c/d", "../c/d"), ("", "x", "x")]
        {
            assert_eq!(relative(from, to), path, "{from} {to}");
        }
    }
}
