//! Decides which resources Quarkus REST serves: by the extensions in the build, else by the imports of the code.
//!
//! The older extension `quarkus-resteasy` (RESTEasy Classic) is another runtime, which binds parameters by the
//! specification of JAX-RS alone.

use super::names::PACKAGE;
use crate::routing::Inputs;
use mastor_java::ir::ids::TypeId;

/// Whether an artifact, as `group:artifact`, is an extension of Quarkus REST for servers. It was named
/// `quarkus-resteasy-reactive` before Quarkus 3.9.
fn is_server(name: &str) -> bool {
    let artifact = name.rsplit(':').next().unwrap_or(name);
    let rest = ["quarkus-resteasy-reactive", "quarkus-rest"].iter().find_map(|known| artifact.strip_prefix(known));
    rest.is_some_and(|rest| {
        (rest.is_empty() || rest.starts_with('-')) && !rest.starts_with("-client") && !rest.starts_with("-data")
    })
}

/// Whether an artifact is an extension of RESTEasy Classic for servers.
fn is_classic(name: &str) -> bool {
    let artifact = name.rsplit(':').next().unwrap_or(name);
    ["quarkus-resteasy", "quarkus-resteasy-jackson", "quarkus-resteasy-jsonb"].contains(&artifact)
}

/// Whether Quarkus REST serves the resources of a class.
pub fn serves(inputs: &Inputs<'_>, ty: TypeId) -> bool {
    let near = inputs.project.path_of(ty);
    if inputs.build.names_near(near, is_server) {
        return true;
    }
    !inputs.build.names_near(near, is_classic) && is_imported(inputs)
}

/// Whether RESTEasy Classic serves the resources of a class.
pub fn serves_by_classic(inputs: &Inputs<'_>, ty: TypeId) -> bool {
    let near = inputs.project.path_of(ty);
    inputs.build.names_near(near, is_classic) && !inputs.build.names_near(near, is_server)
}

/// Whether any file imports a type of Quarkus REST: a build may name its extensions in a way that is not read.
fn is_imported(inputs: &Inputs<'_>) -> bool {
    let imports = |file| inputs.project.file(file).facts.imports.iter().any(|one| one.path.starts_with(PACKAGE));
    inputs.project.files().any(imports)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_extensions_that_serve_count() {
        for name in
            ["io.quarkus:quarkus-rest", "io.quarkus:quarkus-rest-jackson", "io.quarkus:quarkus-resteasy-reactive"]
        {
            assert!(is_server(name), "{name}");
        }
        for name in [
            "io.quarkus:quarkus-rest-client-jackson",
            "io.quarkus:quarkus-resteasy-reactive-client",
            "io.quarkus:quarkus-resteasy-jackson",
            "io.quarkus:quarkus-restore",
        ] {
            assert!(!is_server(name), "{name}");
        }
        assert!(is_classic("io.quarkus:quarkus-resteasy-jackson") && !is_classic("io.quarkus:quarkus-rest"));
    }
}
