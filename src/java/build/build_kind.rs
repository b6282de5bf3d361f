//! The build tool of a module.

/// The build tool of a module.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum BuildKind {
    /// Maven: a `pom.xml`.
    Maven,
    /// Gradle: a `build.gradle` or `build.gradle.kts`.
    Gradle,
    /// No known build tool.
    #[default]
    None,
}
