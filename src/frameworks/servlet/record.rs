//! The framework record of plain servlets, whose request handling is not modelled.

use crate::record::{Failures, NOT_MODELLED, Record};
use mastor_java::project::brought::LibraryException;

/// Plain servlets.
pub static SERVLETS: Record =
    Record { name: "servlet", failures: Failures { exceptions: THROWN, ..NOT_MODELLED.failures }, ..NOT_MODELLED };

/// Exceptions of the Servlet API, in both packages.
const THROWN: &[LibraryException] = &[
    LibraryException::new("jakarta.servlet.ServletException", "java.lang.Exception"),
    LibraryException::new("javax.servlet.ServletException", "java.lang.Exception"),
];
