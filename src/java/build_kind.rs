//! What builds a module of a repository.

/// What builds a module.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum BuildKind {
    /// A `pom.xml`.
    Maven,
    /// A `build.gradle` or `build.gradle.kts`.
    Gradle,
    /// Nothing that is known.
    #[default]
    None,
}
