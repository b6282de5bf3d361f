//! Code that changes stored data: by a call of a store, by writing a field, or by a mapper that fills an existing
//! object.

use super::reach::Reach;
use crate::members::edges::Direct;
use mastor_java::ir::ids::MemberId;

/// Prefixes of methods that create, change or remove stored data, as libraries name them.
const STORING: [&str; 15] = [
    "save",
    "persist",
    "merge",
    "insert",
    "update",
    "delete",
    "remove",
    "store",
    "flush",
    "replicate",
    "upsert",
    "replaceOne",
    "findAndModify",
    "findAndReplace",
    "findAndRemove",
];

/// Prefixes of methods that fill an existing object from another one or from text.
const FILLING: [&str; 6] =
    ["copyProperties", "copyProperty", "populate", "readerForUpdating", "updateValue", "setProperty"];

impl Reach<'_> {
    /// The line where a member may change stored data, judged by its own code: `Some(None)` if it does but the line is
    /// unknown. Calls of methods of the stored types are checked where the walk follows them.
    pub(super) fn changes_stored(&self, id: MemberId, direct: &Direct) -> Option<Option<u32>> {
        let is_other = |field: &MemberId| field.ty != id.ty && !self.facets(field.ty).changers.is_empty();
        let fields = direct.written.iter().filter(|(field, _)| is_other(field)).map(|(_, line)| Some(*line));
        let by_store = |ty: &str, name: &str| {
            let is_of_text = ty.starts_with("java.") || ty.ends_with("StringUtils");
            !is_of_text && may_store(name)
        };
        let calls = direct.library.iter().filter(|call| by_store(&call.ty, &call.name)).map(|_| None);
        let is_setter = |name: &str| name.strip_prefix("set").is_some_and(|rest| rest.starts_with(char::is_uppercase));
        let open = direct.unresolved.iter().filter(|call| may_store(&call.name) || is_setter(&call.name));
        let open = open.map(|call| Some(call.line));
        let of_store = self.is_made_by_library(id) && may_store(&self.resolver.project().member(id).name);
        let mut found = fields.chain(calls).chain(open).chain(of_store.then_some(None));
        found.next()
    }
}

fn may_store(name: &str) -> bool {
    STORING.iter().chain(&FILLING).any(|start| name.starts_with(start))
}
