//! Fallbacks: methods that an annotation names, and that a proxy calls in place of a method that has thrown
//! (Resilience4j and Hystrix, `fallbackMethod`; MicroProfile Fault Tolerance, `@Fallback`).

use super::index::Project;
use crate::ir::facts::{MemberKind, Value};
use crate::ir::ids::MemberId;

/// The argument of an annotation that names the fallback.
const NAMES: &str = "fallbackMethod";

impl Project {
    /// The methods that may be called in place of this one after it has thrown: those of its class with the name that
    /// one of its annotations gives. They take the same arguments, mostly followed by the exception.
    pub fn fallbacks(&self, method: MemberId) -> Vec<MemberId> {
        let named = self.member(method).annotations.iter().find_map(|annotation| match annotation.arg(NAMES) {
            Some(Value::Str(name)) => Some(name.as_str()),
            _ => None,
        });
        let Some(name) = named else { return Vec::new() };
        let is_named = |member: &MemberId| {
            let facts = self.member(*member);
            facts.kind == MemberKind::Method && facts.name == name && facts.body.is_some() && *member != method
        };
        self.members(method.ty).filter(is_named).collect()
    }
}
