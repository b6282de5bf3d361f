//! Decides from the build files which provider reads and writes the JSON of JAX-RS resources. The rule `jax-rs-json`.

use crate::bench::Bench;

/// Artifacts of JSON providers for JAX-RS that use Jackson.
const JACKSON: &[&str] = &[
    "resteasy-jackson",
    "jersey-media-json-jackson",
    "spring-boot-starter-jersey",
    "jackson-jaxrs-json-provider",
    "jackson-jakarta-rs-json-provider",
    "quarkus-resteasy-jackson",
    "quarkus-rest-jackson",
    "quarkus-resteasy-reactive-jackson",
];
/// Artifacts of other JSON providers.
const OTHERS: &[&str] = &["moxy", "genson", "jsonb", "yasson", "jettison", "gson-provider", "json-binding", "johnzon"];
/// Implementations of JSON-B.
const BINDING: &[&str] = &["jsonb", "yasson", "json-binding", "johnzon-jsonb"];
/// Artifacts of Jackson for Jersey and for Quarkus REST, which answer the bodies that Jackson refuses themselves
/// (Quarkus: `ServerJacksonMessageBodyReader`, and its mapper of `MismatchedInputException`).
const ANSWERING: &[&str] = &[
    "jersey-media-json-jackson",
    "spring-boot-starter-jersey",
    "quarkus-rest-jackson",
    "quarkus-resteasy-reactive-jackson",
];

fn uses(bench: &Bench<'_>, artifacts: &[&str]) -> bool {
    artifacts.iter().any(|artifact| bench.subject.build.uses_near(&bench.subject.endpoint.file, artifact))
}

/// Whether Jackson reads and writes the JSON of JAX-RS.
pub fn is_jackson(bench: &Bench<'_>) -> bool {
    uses(bench, JACKSON) && !uses(bench, OTHERS)
}

/// Whether an implementation of JSON-B reads and writes the JSON of JAX-RS.
pub fn is_binding(bench: &Bench<'_>) -> bool {
    uses(bench, BINDING) && !uses(bench, JACKSON) && !uses(bench, &["moxy", "genson", "jettison", "gson-provider"])
}

/// Whether the runtime answers a body that Jackson refuses with 400, and takes a missing one for null.
pub fn answers_refused(bench: &Bench<'_>) -> bool {
    is_jackson(bench) && uses(bench, ANSWERING)
}
