//! What a servlet container decides about a request that a plain servlet serves, which is not modelled.

use crate::frameworks::record::{Failures, NOT_MODELLED, Record};
use crate::java::brought::LibraryException;

/// Plain servlets.
pub static SERVLETS: Record =
    Record { name: "servlet", failures: Failures { exceptions: THROWN, ..NOT_MODELLED.failures }, ..NOT_MODELLED };

/// What servlets throw, in both names of the package.
const THROWN: &[LibraryException] = &[
    LibraryException::new("jakarta.servlet.ServletException", "java.lang.Exception"),
    LibraryException::new("javax.servlet.ServletException", "java.lang.Exception"),
];
