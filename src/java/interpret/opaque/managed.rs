//! Saving a managed entity: in a transaction, JPA writes what code changed of a row that it found, whether it is saved
//! again or not (Jakarta Persistence 3.1, section 3.2.4).

use crate::interpret::classes::objects::has;
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::functions::optional;
use crate::interpret::opaque::calls::Unfollowed;
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::term::{Canon, Opaque, Origin, Term};
use crate::interpret::values::value::{Type, Value};
use crate::ir::ids::TypeId;

/// Methods that save one entity and do not flush.
const SAVES: &[&str] = &["save", "merge", "persist"];
/// Annotations by which look-ups leave out rows (Hibernate, "Filtering entities and associations").
const FILTERED: &[&str] = &["Filter", "FilterDef", "SQLRestriction", "SoftDelete", "Where"];
/// Methods that give the row of a key (Spring Data).
const BY_KEY: &[&str] = &["findById", "getById", "getOne", "getReferenceById"];
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

    /// The row that a look-up by key gives, if the key was read from a row that is at hand: within a session, one row is one
    /// object (Jakarta Persistence 3.1, section 3.1). A row that others refer to exists. `None` for other calls, and where code has written rows of this
    /// repository before.
    pub(super) fn row_at_hand(&mut self, call: &Unfollowed<'_>, repository: &str) -> Option<Value> {
        let [Value::Symbol(key)] = call.args else { return None };
        // Whatever was written before may have changed the row, or taken it away.
        let is_written = self.opaque.epoch > 0 || self.opaque.epochs.values().any(|epoch| *epoch > 0);
        let is_filtered = |ty: TypeId| has(&self.project.ty(ty).annotations, FILTERED);
        if !self.is_compared() || is_written || !BY_KEY.contains(&call.name) || !call.callee.ends_with("/1") {
            return None;
        }
        let Term::Opaque(part) = &*key.term else { return None };
        let of = part.operands.first().and_then(Canon::as_opaque).filter(|_| part.origin == Origin::Part)?;
        let Some(Value::Ref(id)) = self.opaque.lazy.get(&of.key).cloned() else { return None };
        let ClassRef::Project(ty) = self.object(id).class.clone() else { return None };
        let field = self.project.own_field(ty, part.callee.strip_prefix('.')?)?;
        let is_of_transaction =
            || self.transaction_serial().is_some_and(|now| self.opaque.found_in.get(&root(of)) == Some(&now));
        let is_kept = self.cx.wiring.keeps_session() || is_of_transaction();
        let rows = self.project.by_fqn_all(repository).iter().map(|ty| self.entity_of_repository(*ty)).next()?;
        let is_its_row = rows.project() == Some(ty)
            && has(&self.project.member(field).annotations, super::found::KEYS)
            && self.is_jpa_entity(&Value::Ref(id))
            && self.is_row(&Term::Opaque(of.clone()));
        // A look-up may not find rows that references still lead to.
        let is_hidden = std::iter::once(ty).chain(self.project.all_supers(ty)).any(is_filtered);
        if !is_its_row || is_hidden || !is_kept || self.opaque.handed.contains(&of.key) {
            return None;
        }
        match call.ty.library() {
            Some("java.util.Optional") => Some(optional::of(self, "java.util.Optional", Value::Ref(id))),
            None if call.ty.project() == Some(ty) => Some(Value::Ref(id)),
            _ => None,
        }
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

/// The key of the value that a part belongs to.
fn root(opaque: &Opaque) -> u128 {
    match opaque.operands.first().and_then(Canon::as_opaque) {
        Some(of) if opaque.origin == Origin::Part => root(of),
        _ => opaque.key,
    }
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
