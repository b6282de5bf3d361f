//! Annotations that make a class a bean of the container.

/// Annotations that make a class a bean.
pub const STEREOTYPES: &[&str] = &[
    "Component",
    "Service",
    "Repository",
    "Controller",
    "RestController",
    "Configuration",
    "SpringBootApplication",
    "Named",
    "Singleton",
    "ApplicationScoped",
    "RequestScoped",
    "Stateless",
    "Path",
];
