//! Saving a managed entity: in a transaction, JPA writes what code changed of a row that it found, whether it is saved
//! again or not (Jakarta Persistence 3.1, section 3.2.4).

use crate::interpret::classes::objects::has;
use crate::interpret::engine::machine::Machine;
use crate::interpret::opaque::calls::Unfollowed;
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::term::{Canon, Opaque, Origin, Term};
use crate::interpret::values::value::{Type, Value};

/// Methods that save one entity and do not flush.
const SAVES: &[&str] = &["save", "merge", "persist"];
/// How the names of methods begin that find rows.
const FINDS: &[&str] = &["find", "get", "load", "read", "query", "search", "stream"];

impl Machine<'_> {
    /// Whether a call saves an entity that the same repository found within the current transaction: the entity is
    /// managed, so that the call changes nothing.
    pub(super) fn saves_managed(&self, call: &Unfollowed<'_>, operands: &[Canon]) -> bool {
        let ([entity], [repository, ..]) = (call.args, operands) else { return false };
        SAVES.contains(&call.name)
            && self.is_jpa_entity(entity)
            && self.reference_term(entity).and_then(|term| found_by(&term, repository)).is_some_and(|query| {
                // In a session that spans the request, a row that was found before is written only because this transaction
                // is there.
                self.transaction_serial().is_some_and(|now| self.opaque.found_in.get(&query) == Some(&now))
            })
    }

    /// Records in which transaction a query finds its rows.
    pub(super) fn note_found(&mut self, name: &str, query: u128) {
        if !FINDS.iter().any(|begin| name.starts_with(begin)) {
            return;
        }
        match self.transaction_serial() {
            Some(now) => _ = self.opaque.found_in.insert(query, now),
            None => _ = self.opaque.found_in.remove(&query),
        }
    }

    /// The serial number of the frame with which the current transaction begins.
    fn transaction_serial(&self) -> Option<u64> {
        let at = self.transaction()??;
        self.frames.get(at).map(|frame| frame.serial)
    }

    /// Whether the class of a value is a JPA entity.
    fn is_jpa_entity(&self, value: &Value) -> bool {
        let class = match value {
            Value::Ref(id) => Some(self.object(*id).class.clone()),
            Value::Symbol(symbol) => match &symbol.ty {
                Type::Class(class, _) => Some(class.clone()),
                _ => None,
            },
            _ => None,
        };
        let Some(ClassRef::Project(ty)) = class else { return false };
        let annotations = &self.project.ty(ty).annotations;
        has(annotations, &["Entity"]) && !has(annotations, &["Document"])
    }
}

/// The key of the query of this repository that found a term, or whose result contains it.
fn found_by(term: &Term, repository: &Canon) -> Option<u128> {
    let Term::Opaque(opaque) = term else { return None };
    result_of(opaque, repository)
}

fn result_of(opaque: &Opaque, repository: &Canon) -> Option<u128> {
    match (opaque.origin, &*opaque.operands) {
        (Origin::Call, [receiver, ..]) => {
            let name = opaque.callee.split(['/', '(']).next().unwrap_or_default();
            let name = name.rsplit(['.', '#']).next().unwrap_or_default();
            let finds = receiver == repository && FINDS.iter().any(|begin| name.starts_with(begin));
            finds.then_some(opaque.key)
        }
        (Origin::Part, [of, ..]) => of.as_opaque().and_then(|of| result_of(of, repository)),
        _ => None,
    }
}
