//! Containers for the databases and brokers that services need: as a workflow's services and as `docker run` commands.

use mastor_frameworks::launch::Store;

/// Service containers for workflows; the only file with image names and digests.
const SERVICES: &str = include_str!("../../../templates/init/stores.yml");

/// The lines of a store in [`SERVICES`], with their indentation.
pub(super) fn lines(store: Store) -> Vec<&'static str> {
    let head = format!("  {}:", store.id());
    let mut lines = SERVICES.lines().skip_while(|line| *line != head);
    let first = lines.next();
    first.into_iter().chain(lines.take_while(|line| line.starts_with("    "))).collect()
}

/// The command that starts the same container locally.
pub(super) fn docker_run(store: Store) -> String {
    let lines = lines(store);
    let value = |key: &str| {
        let found = lines.iter().find_map(|line| line.trim_start().strip_prefix(key)?.strip_prefix(": "));
        found.unwrap_or_default()
    };
    let name = value("options").split(" --health").next().unwrap_or_default();
    let port = value("ports").trim_matches(['[', ']', '"']);
    let variables = lines.iter().filter_map(|line| line.strip_prefix("      ")?.split_once(": "));
    let variables: String = variables.map(|(name, value)| format!(" -e {name}={value}")).collect();
    format!("docker run -d {name} -p 127.0.0.1:{port}{variables} {}", value("image"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_store_has_a_container_at_its_port_by_a_digest() {
        for store in Store::ALL {
            let text = lines(store).join("\n");
            assert!(text.contains(&format!("ports: [\"{}:", store.port())), "{text}");
            assert!(text.contains(&format!("--name mastor-{} ", store.id())), "{text}");
            let digest = text.split_once("@sha256:").unwrap().1.lines().next().unwrap();
            assert!(digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit()), "{digest}");
            assert!(digest.bytes().any(|byte| byte != b'0'), "{digest}");
        }
        let command = docker_run(Store::PostgreSql);
        assert!(
            command.starts_with(
                "docker run -d --name mastor-postgres -p 127.0.0.1:15432:5432 -e POSTGRES_PASSWORD=mastor postgres:"
            ),
            "{command}"
        );
    }
}
