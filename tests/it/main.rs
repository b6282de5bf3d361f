//! The one integration-test binary: `mod` lines only, one for each file.

mod command;
mod layers;
mod revision;
mod since;
mod support;
