//! Suffixes of paths: whether `/books/a.txt` asks `/books/{name}` for `a` or for `a.txt`.
//!
//! Spring MVC cut what follows the last point off a path before 5.3; Spring Boot 2.0 and later leave it there, unless a setting, a
//! configuration of paths or `@EnableWebMvc` says otherwise (Spring Boot reference, "Path Matching and Content Negotiation").

use super::super::annotations;
use crate::frameworks::persistence::initial::Files;

/// What takes the configuration of the web layer out of Spring Boot's hands.
const BY_HAND: [&str; 2] = [
    "org.springframework.web.servlet.config.annotation.WebMvcConfigurationSupport",
    "org.springframework.web.servlet.config.annotation.DelegatingWebMvcConfiguration",
];

/// Whether a path arrives whole, with what looks like a file's suffix.
pub fn are_kept(files: &Files<'_>) -> bool {
    const ENABLED: &str = "org.springframework.web.servlet.config.annotation.EnableWebMvc";
    let Files { project, properties, .. } = files;
    let is_set = ["use-suffix-pattern", "use-registered-suffix-pattern", "favor-path-extension"]
        .iter()
        .any(|end| properties.all.iter().any(|one| one.key.starts_with("spring.mvc.") && one.key.ends_with(end)));
    let by_hand = BY_HAND.iter().any(|fqn| !project.extenders_of_library(fqn).is_empty())
        || project.types().any(|ty| annotations::has(project, ty, &project.ty(ty).annotations, &[ENABLED]));
    let configured = ["configurePathMatch", "configureContentNegotiation"]
        .iter()
        .any(|name| !project.methods_named(name, 1).is_empty());
    files.build.boot(files.near).is_some_and(|boot| boot >= (2, 0)) && !is_set && !by_hand && !configured
}
