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
            && self.reference_term(entity).is_some_and(|term| is_found_by(&term, repository))
            && matches!(self.transaction(), Some(Some(_)))
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

/// Whether a term is what a query of this repository found, or the content of its result.
fn is_found_by(term: &Term, repository: &Canon) -> bool {
    let Term::Opaque(opaque) = term else { return false };
    is_result_of(opaque, repository)
}

fn is_result_of(opaque: &Opaque, repository: &Canon) -> bool {
    match (opaque.origin, &*opaque.operands) {
        (Origin::Call, [receiver, ..]) => {
            let name = opaque.callee.split(['/', '(']).next().unwrap_or_default();
            let name = name.rsplit(['.', '#']).next().unwrap_or_default();
            receiver == repository && FINDS.iter().any(|begin| name.starts_with(begin))
        }
        (Origin::Part, [of, ..]) => of.as_opaque().is_some_and(|of| is_result_of(of, repository)),
        _ => false,
    }
}
