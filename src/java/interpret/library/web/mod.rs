//! Types of web frameworks: responses, headers, requests and error bodies.
//!
//! Comes in: calls of project code. Goes out: responses with status, headers and body as code builds them. Never here:
//! how a framework handles a request.

pub mod jax_rs;
pub mod problems;
pub mod servlet;
pub mod spring;
pub mod spring_web;
