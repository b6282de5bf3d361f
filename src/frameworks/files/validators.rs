//! Whether an implementation of Bean Validation is on the class path. Without one, constraints are declared and never
//! checked.

use super::build::Build;

/// Parts of `group:artifact` that implement Bean Validation or bring an implementation along.
const PROVIDERS: [&str; 13] = [
    "hibernate-validator",
    "starter-validation",
    "bean-validation",
    "bval",
    "resteasy-validator",
    "hibernatevalidator",
    "dropwizard",
    "jhipster",
    "validation-provider",
    "micronaut-",
    "tomee",
    "io.quarkiverse",
    // Its third release brings Spring Boot's starter of validation along.
    "springdoc",
];

impl Build {
    /// Whether it is certain that nothing implements Bean Validation. Of Spring Boot that is so from 2.3 on, where a build
    /// declares the annotations by themselves and no implementation (Spring Boot 2.3 release notes, "Validation Starter no
    /// longer included in web starters"); of Quarkus, where its extension is missing (Quarkus guides, "Validation with
    /// Hibernate Validator"). A build with a parent that is not known may inherit one.
    pub fn lacks_validator(&self) -> bool {
        let is_known = |parent: &str| {
            parent.starts_with("org.springframework.boot:spring-boot-starter-parent")
                || self.modules.iter().any(|module| parent.ends_with(&format!(":{}", module.artifact)))
        };
        let inherits = self.modules.iter().any(|module| module.parent.as_deref().is_some_and(|one| !is_known(one)));
        if inherits || PROVIDERS.iter().any(|artifact| self.uses(artifact).is_some()) {
            return false;
        }
        match self.boot("") {
            Some(boot) => {
                boot >= (2, 3) && self.uses(":jakarta.validation-api").or(self.uses(":validation-api")).is_some()
            }
            None => self.uses("io.quarkus:quarkus-").is_some(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::resources::Resources;

    fn of(parent: &str, artifacts: &[&str]) -> bool {
        let dependencies: String = artifacts
            .iter()
            .map(|one| {
                let (group, artifact) = one.split_once(':').unwrap();
                format!("<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId></dependency>")
            })
            .collect();
        let pom = format!(
            "<project>{parent}<artifactId>shop</artifactId><dependencies>{dependencies}</dependencies></project>"
        );
        Build::load(&Resources::from_texts(&[("pom.xml", &pom)])).lacks_validator()
    }

    fn boot(version: &str) -> String {
        format!(
            "<parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId>\
             <version>{version}</version></parent>"
        )
    }

    #[test]
    fn only_a_build_that_names_the_annotations_alone_lacks_a_validator() {
        let web = "org.springframework.boot:spring-boot-starter-web";
        let api = "jakarta.validation:jakarta.validation-api";
        assert!(of(&boot("3.2.1"), &[web, api]));
        assert!(!of(&boot("3.2.1"), &[web]), "something else brings the annotations, and may bring more");
        assert!(!of(&boot("3.2.1"), &[web, api, "org.springframework.boot:spring-boot-starter-validation"]));
        assert!(!of(&boot("3.2.1"), &[web, api, "org.hibernate.validator:hibernate-validator"]));
        assert!(!of(&boot("2.2.6.RELEASE"), &[web, api]), "the starter of the web brings one");
        assert!(!of(&boot("4.0.1"), &[web, api, "org.springdoc:springdoc-openapi-starter-webmvc-ui"]));
        let own = "<parent><groupId>acme</groupId><artifactId>base</artifactId><version>1</version></parent>";
        assert!(!of(own, &[web, api]), "the parent may bring one");
    }

    #[test]
    fn quarkus_checks_constraints_by_its_extension() {
        assert!(of("", &["io.quarkus:quarkus-rest-jackson", "io.quarkus:quarkus-hibernate-orm-panache"]));
        assert!(!of("", &["io.quarkus:quarkus-rest-jackson", "io.quarkus:quarkus-hibernate-validator"]));
        assert!(!of("", &["com.acme:server"]));
    }
}
