//! Exceptions of Quarkus with their superclasses.

use mastor_java::project::brought::LibraryException;

/// Exceptions of Quarkus's security; those of JAX-RS are registered by its record.
pub static THROWN: &[LibraryException] = &[
    LibraryException::new("io.quarkus.security.UnauthorizedException", "java.lang.SecurityException"),
    LibraryException::new("io.quarkus.security.AuthenticationFailedException", "java.lang.SecurityException"),
    LibraryException::new("io.quarkus.security.ForbiddenException", "java.lang.SecurityException"),
];
