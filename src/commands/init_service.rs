//! The `[service]` that `mastor init` proposes, from the build files and main classes.

use super::tools::java_here;
use crate::extract::Surface;
use crate::frameworks::launch::Launch;
use crate::pipeline::launches;

/// A proposal for `[service]`.
pub(super) struct Proposed {
    /// Its text in `mastor.toml`, in comments where nothing was found.
    pub(super) text: String,
    /// What was found and what was not, one sentence each.
    pub(super) said: Vec<String>,
    /// Whether there is something to try.
    pub(super) found: bool,
}

/// Proposes how the service in a folder is built and started.
pub(super) fn propose(surface: &Surface, dir: &str, repository: &str) -> Proposed {
    let launches = launches(surface, dir, repository);
    let Some((first, others)) = launches.split_first() else {
        let why = "no main class beside a `pom.xml` or `build.gradle` starts a server that mastor knows";
        return Proposed {
            text: format!(
                "# [service]   # {why}\n# build = \"mvn -q -DskipTests package\"\n\
                 # start = \"java -jar target/service.jar --server.port={{port}}\"\n# ready = {{ port = true, within = \"60s\" }}\n"
            ),
            said: vec![format!("service: {why}; `[service] start` in mastor.toml can name a command")],
            found: false,
        };
    };
    Proposed { text: text(first, dir), said: say(first, others), found: true }
}

fn say(launch: &Launch, others: &[Launch]) -> Vec<String> {
    let place = |launch: &Launch| match launch.module.as_str() {
        "" => String::new(),
        module => format!(" in {module}"),
    };
    let mut said = vec![
        format!("service: {}, {}{}", launch.what, launch.main, place(launch)),
        format!("  build: {}", launch.build),
        format!("  start: {}", launch.start),
        match &launch.ready {
            Some((url, _)) => format!("  ready: {url} answers (the actuator is used)"),
            None => "  ready: its port answers (no health check was found)".to_owned(),
        },
    ];
    said.extend(launch.doubts.iter().map(|doubt| format!("  could not tell {doubt}")));
    if let (Some(wanted), Some(here)) = (launch.java, java_here())
        && wanted > here
    {
        said.push(format!("  it is built for Java {wanted}, `java` here is {here}"));
    }
    said.extend(others.iter().take(5).map(|other| format!("  not taken: {}{}", other.main, place(other))));
    said
}

fn text(launch: &Launch, dir: &str) -> String {
    let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
    let mut lines = vec![format!("[service]   # {}, {}; `mastor doctor --service` tries it", launch.what, launch.main)];
    let relative = relative(dir, &launch.dir);
    if relative != "." {
        lines.push(format!("dir = {}", quoted(&relative)));
    }
    lines.extend(launch.doubts.iter().map(|doubt| format!("# could not tell {doubt}")));
    if let Some(port) = launch.port {
        lines.push(format!("port = {port}   # the code names it; without it, a free one is taken"));
    }
    lines.push(format!("build = {}", quoted(&launch.build)));
    lines.push(format!("start = {}", quoted(&launch.start)));
    if let Some(name) = &launch.port_variable {
        lines.push(format!("env = {{ {name} = \"{{port}}\" }}"));
    }
    lines.push(match &launch.ready {
        Some((url, Some(status))) => {
            format!("ready = {{ url = {}, status = {status}, within = \"60s\" }}", quoted(url))
        }
        Some((url, None)) => format!("ready = {{ url = {}, within = \"60s\" }}", quoted(url)),
        None => "ready = { port = true, within = \"60s\" }".to_owned(),
    });
    lines.push(
        "# reset = \"restart\"   # faster where there is one: { post = \"/test/reset\" }, { command = \"…\" }"
            .to_owned(),
    );
    lines.push("# auth = \"auth.yaml\"   # Web Fuzzing Commons".to_owned());
    lines.join("\n") + "\n"
}

/// A folder as seen from another, both from the repository's root.
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
