//! The OpenAPI document, any version, read leniently.
