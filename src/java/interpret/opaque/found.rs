//! Facts about rows from stores: the key of a found row is not null, and existence queries are expressed through the
//! query that finds the row.

use std::rc::Rc;

use super::calls::{QUERY, Unfollowed};
use super::does::{CallEffect, reads};
use super::expand::SIZE;
use crate::interpret::classes::objects::has;
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::functions::optional;
use crate::interpret::paths::condition::Cond;
use crate::interpret::stores::derived::{self, FoundValue};
use crate::interpret::stores::manager::jpa_name;
use crate::interpret::values::scalar::{ClassRef, Prim, Scalar};
use crate::interpret::values::term::{Canon, Opaque, Origin, Term};
use crate::interpret::values::value::{Symbol, Type, Value};
use crate::ir::body::BinaryOp;
use crate::ir::facts::MemberKind;
use crate::ir::ids::{MemberId, TypeId};

/// Part of the names of Panache's classes.
const PANACHE: &str = ".panache.";

/// Name of the part of an `Optional` that says whether it contains a row.
pub const THERE: &str = "is there";

/// Annotations of key fields, which every row has.
pub(super) const KEYS: &[&str] = &["EmbeddedId", "Id"];

/// The call that gives a row: by itself, in an `Optional` or as an element of a list.
fn row_of_call(term: &Term) -> Option<&Opaque> {
    let Term::Opaque(opaque) = term else { return None };
    match (opaque.origin, opaque.operands.first()) {
        (Origin::Call, _) => Some(opaque),
        (Origin::Part, Some(Canon::Term(of))) if !opaque.callee.starts_with('.') => row_of_call(of),
        _ => None,
    }
}

impl Machine<'_> {
    /// Marks a value as not null if it is the key of a row from a store.
    pub(super) fn key_of_row(&self, of: &Term, field: MemberId, value: Value) -> Value {
        match &value {
            Value::Symbol(symbol) if has(&self.project.member(field).annotations, KEYS) && self.is_row(of) => {
                Value::Symbol(Rc::new(Symbol { nullable: false, ..(**symbol).clone() }))
            }
            _ => value,
        }
    }

    /// The value of a field of a row that a query by name asks for: `findByEmailAndActive(email, true)` finds active rows
    /// (Spring Data Commons, "Defining Query Methods"). Only for comparisons of two revisions, and only constants: which
    /// texts are equal, the database decides.
    pub(super) fn asked_of_row(&self, of: &Term, field: MemberId) -> Option<Value> {
        if !self.is_compared() {
            return None;
        }
        let call = row_of_call(of)?;
        // Whoever was handed the row may have changed it.
        if matches!(of, Term::Opaque(row) if self.opaque.handed.contains(&row.key)) {
            return None;
        }
        let (_, query) = call.callee.split_once(QUERY).filter(|_| self.finds(&call.callee))?;
        let (said, params) = query.rsplit_once(" (").unwrap_or((query, ""));
        if ["Pageable", "Sort", "Limit"].iter().any(|name| params.contains(name)) {
            return None;
        }
        let said = said.split(" ordered by ").next().unwrap_or(said);
        let (purpose, predicate) = said.split_once(" by ")?;
        let rows: Vec<TypeId> = std::iter::once(field.ty).chain(self.project.all_subtypes(field.ty)).collect();
        let has_field = |name: &str| {
            let mut classes =
                rows.iter().copied().flat_map(|ty| std::iter::once(ty).chain(self.project.all_supers(ty)));
            classes.any(|ty| self.project.own_field(ty, name).is_some())
        };
        let found = derived::value_of_rows(predicate, &self.project.member(field).name, has_field);
        let is_truth = matches!(self.field_type(field), Type::Prim(Prim::Bool) | Type::Boxed(Prim::Bool));
        match found.filter(|_| purpose.starts_with("find") && is_truth)? {
            FoundValue::Is(value) => Some(Value::bool(value)),
            FoundValue::Argument(at) => match call.operands.get(at + 1)? {
                Canon::Term(term) => match &**term {
                    Term::Const(Scalar::Bool(value)) => Some(Value::bool(*value)),
                    _ => None,
                },
                _ => None,
            },
        }
    }

    /// Whether an opaque value is a row from a store, or a part of one.
    pub(super) fn is_row(&self, term: &Term) -> bool {
        let Term::Opaque(opaque) = term else { return false };
        match (opaque.origin, opaque.operands.first()) {
            (Origin::Part, Some(Canon::Term(of))) => self.is_row(of),
            (Origin::Call, _) => self.finds(&opaque.callee),
            _ => false,
        }
    }

    /// Whether a callee reads from a store: a method of a library repository, of JPA or of Panache.
    fn finds(&self, callee: &str) -> bool {
        let method = |rest: &str| rest.split(['(', '/', ' ']).next().is_some_and(reads);
        match callee.split_once('#') {
            Some((owner, rest)) => {
                let is_repository = |ty: &TypeId| self.extends_repository(*ty, "");
                method(rest.strip_prefix("query ").unwrap_or(rest))
                    && self.project.by_fqn_all(owner).iter().any(is_repository)
            }
            None => {
                let (owner, named) = callee.rsplit_once('.').unwrap_or(("", callee));
                (jpa_name(callee).is_some() || self.is_of_panache(owner)) && method(named)
            }
        }
    }

    /// Expresses an existence query through the query that finds the row: `existsById` through `findById`,
    /// `existsByName` through `findByName` of the same repository (documentation of Spring Data). Only for
    /// comparisons of two revisions; tests stub the methods that the code calls.
    pub(in crate::interpret) fn existence(
        &mut self,
        (ty, method): (TypeId, Option<MemberId>),
        name: &str,
        receiver: &Value,
        args: &[Value],
    ) -> Eval<Option<Value>> {
        if !self.is_compared() {
            return Ok(None);
        }
        let (callee, result, name) = match method {
            None if name == "existsById"
                && args.len() == 1
                && self.extends_repository(ty, "org.springframework.data.") =>
            {
                let of = vec![self.entity_of_repository(ty)];
                (
                    format!("{}#findById/1", self.project.fqn(ty)),
                    Type::Class(ClassRef::library("java.util.Optional"), of),
                    "findById".to_owned(),
                )
            }
            None => return Ok(None),
            Some(method) => match self.finder(ty, method) {
                Some(found) => found,
                None => return Ok(None),
            },
        };
        let does = CallEffect::Declared { reads: true };
        let call =
            Unfollowed { callee: &callee, name: &name, receiver: Some(receiver), args, ty: result.clone(), does };
        let Value::Symbol(found) = self.unfollowed(&call)? else { return Ok(None) };
        let is_there = match (&result, result.library()) {
            (Type::Class(_, of), Some("java.util.Optional")) => {
                let element = of.first().cloned().unwrap_or(Type::Unknown);
                Cond::Test(Rc::new(Term::Opaque(Rc::new(self.presence(&found.term, &element)))))
            }
            (Type::Class(ClassRef::Project(_), _), _) => Cond::IsNull(found.term.clone()).negate(),
            _ => {
                let words = format!("number of {}", found.term);
                let size = self.part(&found.term, SIZE, &Type::Prim(Prim::Int), &words);
                let none = Rc::new(Term::Const(Scalar::Int(0)));
                Cond::Compare(BinaryOp::Eq, Prim::Int, Rc::new(Term::Opaque(Rc::new(size))), none).negate()
            }
        };
        Ok(Some(Value::cond(is_there)))
    }

    /// The query method that finds the rows whose existence another query method tests: its callee, result type and
    /// name.
    fn finder(&self, ty: TypeId, method: MemberId) -> Option<(String, Type, String)> {
        let asked = self.query_by_name(ty, method)?;
        let (asked, _) = asked.rsplit_once(": ")?;
        let wanted = asked.replacen(&format!("{QUERY}exists by"), &format!("{QUERY}find by"), 1);
        if wanted == asked {
            return None;
        }
        let types: Vec<TypeId> = std::iter::once(ty).chain(self.project.all_supers(ty)).collect();
        types.into_iter().flat_map(|own| self.project.members(own)).find_map(|own| {
            let facts = self.project.member(own);
            let callee = (facts.kind == MemberKind::Method).then(|| self.query_by_name(ty, own))??;
            let (found, _) = callee.rsplit_once(": ")?;
            let result = self.type_of(own.ty, facts.ty.as_ref()?);
            let is_known = match (&result, result.library()) {
                (Type::Class(ClassRef::Project(_), _), _) => true,
                (_, Some(fqn)) => ["java.util.Optional", "java.util.List"].contains(&fqn),
                _ => false,
            };
            (found == wanted && is_known).then(|| (callee.clone(), result, facts.name.clone()))
        })
    }

    /// The entity class of a repository: the first type argument of the library repository that it extends, directly
    /// or through another interface.
    pub(in crate::interpret) fn entity_of_repository(&self, ty: TypeId) -> Type {
        let line = std::iter::once(ty).chain(self.project.all_supers(ty));
        let above = line.flat_map(|own| self.project.ty(own).implements.iter().map(move |one| self.type_of(own, one)));
        let named = above.filter_map(|one| match one {
            Type::Class(ClassRef::Library(fqn), args) if fqn.contains("Repository") => args.first().cloned(),
            _ => None,
        });
        named.into_iter().next().unwrap_or(Type::Unknown)
    }

    /// Whether a class belongs to Panache, or extends one of its classes.
    fn is_of_panache(&self, class: &str) -> bool {
        let is_below = |ty: &TypeId| self.project.library_supers(*ty).iter().any(|name| name.contains(PANACHE));
        class.contains(PANACHE) || self.project.by_fqn_all(class).iter().any(is_below)
    }

    /// Whether a method returns as an `Optional` the row that `findById` returns (documentation of Panache). Only for
    /// comparisons.
    pub(in crate::interpret) fn gives_row_as_optional(&self, class: &str, name: &str) -> bool {
        name == "findByIdOptional" && self.is_compared() && self.is_of_panache(class)
    }

    /// An `Optional` of a row that may be null: forks into present and empty.
    pub(in crate::interpret) fn optional_row(&mut self, found: Value) -> Eval {
        let Value::Symbol(symbol) = &found else { return Ok(found) };
        let site = self.calling.or_else(|| self.here());
        let held = match self.decide(Cond::IsNull(symbol.term.clone()), site)? {
            true => Value::NULL,
            false => Value::Symbol(Rc::new(Symbol { nullable: false, ..(**symbol).clone() })),
        };
        Ok(optional::of(self, "java.util.Optional", held))
    }

    /// The opaque boolean that says whether an `Optional` is present.
    pub(super) fn presence(&self, term: &Rc<Term>, element: &Type) -> Opaque {
        let words = match self.noun_of(element) {
            Some(noun) if noun.starts_with(['a', 'e', 'i', 'o']) => format!("{term} finds an {noun}"),
            Some(noun) => format!("{term} finds a {noun}"),
            None => format!("{term} is there"),
        };
        self.part(term, THERE, &Type::Prim(Prim::Bool), &words)
    }
}
