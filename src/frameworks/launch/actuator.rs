//! The health check of Spring Boot's actuator: whether a module has one, and its URL.

use std::collections::BTreeMap;

use super::made::{above, join};
use super::mains::capture;
use crate::{Properties, Resources};

/// The health check of Spring Boot's actuator, if the module uses it and its path is known.
pub fn actuator(
    module: &str,
    resources: &Resources,
    properties: &Properties,
    doubts: &mut Vec<String>,
) -> Option<(String, Option<u16>)> {
    let names = ["pom.xml", "build.gradle", "build.gradle.kts"];
    let files: BTreeMap<String, &str> = above(module)
        .flat_map(|dir| names.map(|name| join(dir, name)))
        .filter_map(|path| Some((path.clone(), resources.text(&path)?)))
        .collect();
    let of_module = |name: &&str| files.get(&join(module, name)).copied();
    let text: String = names.iter().filter_map(of_module).collect();
    if !text.contains("spring-boot-starter-actuator") {
        return None;
    }
    let near = join(module, "src/main/resources/application.properties");
    let value = |key: &str| properties.get(&near, key).map(|property| property.value.trim().to_owned());
    if value("management.server.port").or_else(|| value("management.port")).is_some() {
        doubts.push(
            "where the actuator answers: it has a port of its own, so the service's port is waited for".to_owned(),
        );
        return None;
    }
    let major = files.values().copied().find_map(boot_major);
    let context = value("server.servlet.context-path").or_else(|| value("server.context-path")).unwrap_or_default();
    let base = value("management.endpoints.web.base-path").unwrap_or_else(|| "/actuator".to_owned());
    let (context, base) = (context.trim_end_matches('/'), base.trim_end_matches('/'));
    let path = match major.as_deref() {
        Some("1") => format!("{context}/health"),
        _ => format!("{context}{base}/health"),
    };
    if path.contains("${") {
        doubts.push(format!("where the actuator answers: {path}"));
        return None;
    }
    // If security may guard it, or the version (which decides the path) is not known, any answer shows that the service
    // is up.
    let guarded = ["spring-boot-starter-security", "oauth2", "keycloak"].iter().any(|part| text.contains(part));
    let sure = !guarded && major.is_some_and(|major| major != "1");
    Some((path, sure.then_some(200)))
}

/// The major version of Spring Boot, if a build file declares it.
pub(super) fn boot_major(text: &str) -> Option<String> {
    let named = [
        r"spring-boot-(?:starter-parent|dependencies)</artifactId>\s*<version>\s*(\d+)\.",
        r"<spring[-.]boot[\w.-]*>\s*(\d+)\.",
        r#"org\.springframework\.boot['"]\s*\)?\s*version\s*['"](\d+)\."#,
        r"org\.springframework\.boot:[\w-]+:(\d+)\.",
    ];
    named.iter().find_map(|pattern| capture(text, pattern))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOOT_PARENT: &str = "<parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId>\
                               <version>3.5.7</version><relativePath/></parent>";

    #[test]
    fn the_health_check_counts_where_the_actuator_is_used() {
        let starter = "<dependency><artifactId>spring-boot-starter-actuator</artifactId></dependency>";
        let of = |pom: &str, properties: &str| {
            let resources =
                Resources::from_texts(&[("pom.xml", pom), ("src/main/resources/application.properties", properties)]);
            let mut doubts = Vec::new();
            (actuator("", &resources, &Properties::load(&resources), &mut doubts), doubts.len())
        };
        let health = |path: &str, status| Some((path.to_owned(), status));
        let known = &format!("<project><spring-boot.version>3.1.0</spring-boot.version>{starter}");
        assert_eq!(of("<project/>", ""), (None, 0));
        assert_eq!(of(known, ""), (health("/actuator/health", Some(200)), 0));
        assert_eq!(of(starter, ""), (health("/actuator/health", None), 0));
        assert_eq!(of(known, "server.servlet.context-path=/api/"), (health("/api/actuator/health", Some(200)), 0));
        assert_eq!(of(known, "management.server.port=9000"), (None, 1));
        assert_eq!(of(&format!("{known}spring-boot-starter-security"), ""), (health("/actuator/health", None), 0));
        let old = BOOT_PARENT.replace("3.5.7", "1.5.4.RELEASE");
        assert_eq!(of(&format!("{old}{starter}"), ""), (health("/health", None), 0));
    }
}
