//! What a servlet container decides about a request that a plain servlet serves, which is not modelled.

use crate::frameworks::record::{NOT_MODELLED, Record};

/// Plain servlets.
pub static SERVLETS: Record = Record { name: "servlet", ..NOT_MODELLED };
