//! Exceptions of JAX-RS with their statuses, in both packages.

use mastor_java::project::brought::{Carries, LibraryException};

/// The exception that Quarkus throws if a parameter or body of a request violates a constraint.
pub const VIOLATION: &str = "io.quarkus.hibernate.validator.runtime.jaxrs.ResteasyReactiveViolationException";

macro_rules! in_both_packages {
    ($($name:literal below $parent:literal answers $status:expr;)*) => {
        &[
            $(
                LibraryException::new(concat!("javax.ws.rs.", $name), concat!("javax.ws.rs.", $parent)).carrying(Carries::Status($status)),
                LibraryException::new(concat!("jakarta.ws.rs.", $name), concat!("jakarta.ws.rs.", $parent)).carrying(Carries::Status($status)),
            )*
            LibraryException::new(VIOLATION, "jakarta.validation.ConstraintViolationException"),
            LibraryException::new("javax.ws.rs.WebApplicationException", "java.lang.RuntimeException").carrying(Carries::Status(None)),
            LibraryException::new("jakarta.ws.rs.WebApplicationException", "java.lang.RuntimeException").carrying(Carries::Status(None)),
        ]
    };
}

/// All of these exceptions.
pub static THROWN: &[LibraryException] = in_both_packages! {
    "ClientErrorException" below "WebApplicationException" answers None;
    "BadRequestException" below "ClientErrorException" answers Some(400);
    "NotAuthorizedException" below "ClientErrorException" answers Some(401);
    "ForbiddenException" below "ClientErrorException" answers Some(403);
    "NotFoundException" below "ClientErrorException" answers Some(404);
    "NotAllowedException" below "ClientErrorException" answers Some(405);
    "NotAcceptableException" below "ClientErrorException" answers Some(406);
    "NotSupportedException" below "ClientErrorException" answers Some(415);
    "ServerErrorException" below "WebApplicationException" answers None;
    "InternalServerErrorException" below "ServerErrorException" answers Some(500);
    "ServiceUnavailableException" below "ServerErrorException" answers Some(503);
};
