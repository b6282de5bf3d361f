//! Which provider reads and writes the JSON of JAX-RS resources, as far as the build files say. The rule `jax-rs-json`.

use crate::runtime::bench::Bench;

/// Providers of JSON for JAX-RS that are Jackson's, by their artifacts.
const JACKSON: &[&str] = &[
    "resteasy-jackson",
    "jersey-media-json-jackson",
    "spring-boot-starter-jersey",
    "jackson-jaxrs-json-provider",
    "jackson-jakarta-rs-json-provider",
    "quarkus-resteasy-jackson",
    "quarkus-rest-jackson",
];
/// Those that are not.
const OTHERS: &[&str] = &["moxy", "genson", "jsonb", "yasson", "jettison", "gson-provider", "json-binding", "johnzon"];
/// Implementations of JSON-B.
const BINDING: &[&str] = &["jsonb", "yasson", "json-binding", "johnzon-jsonb"];
/// Those that come with Jersey, which answers itself what Jackson refuses.
const JERSEY: &[&str] = &["jersey-media-json-jackson", "spring-boot-starter-jersey"];

fn uses(bench: &Bench<'_>, artifacts: &[&str]) -> bool {
    artifacts.iter().any(|artifact| bench.subject.build.uses_near(&bench.subject.endpoint.file, artifact))
}

/// Whether JSON of JAX-RS is read and written by Jackson.
pub fn is_jackson(bench: &Bench<'_>) -> bool {
    uses(bench, JACKSON) && !uses(bench, OTHERS)
}

/// Whether JSON of JAX-RS is read and written by an implementation of JSON-B.
pub fn is_binding(bench: &Bench<'_>) -> bool {
    uses(bench, BINDING) && !uses(bench, JACKSON) && !uses(bench, &["moxy", "genson", "jettison", "gson-provider"])
}

/// Whether it is so in Jersey: a missing body is null, and what Jackson refuses is answered with 400.
pub fn is_jersey(bench: &Bench<'_>) -> bool {
    is_jackson(bench) && uses(bench, JERSEY)
}
