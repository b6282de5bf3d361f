//! Suffixes of paths: whether a request for `/books/a.txt` binds `a` or `a.txt` in `/books/{name}`.
//!
//! Before version 5.3, Spring MVC removed the part of a path after the last dot. Spring Boot 2.0 and later keep it,
//! unless a setting, a path configuration or `@EnableWebMvc` changes that (Spring Boot reference, "Path Matching and
//! Content Negotiation").

use crate::code::annotations;
use crate::persistence::initial::Files;

/// Configuration that replaces Spring Boot's configuration of the web layer.
const BY_HAND: [&str; 2] = [
    "org.springframework.web.servlet.config.annotation.WebMvcConfigurationSupport",
    "org.springframework.web.servlet.config.annotation.DelegatingWebMvcConfiguration",
];

/// Whether a path keeps its suffix.
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
