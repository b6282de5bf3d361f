//! Querydsl queries over one entity: paths of generated classes, predicates on them, and their results.

use std::rc::Rc;

use super::criteria::{Compare, Operand, Test};
use super::data::{Entity, Mapping, Stores};
use super::derived::Purpose;
use super::dsl::{QuerydslQuery, given_in};
use super::jpql;
use super::queries::Window;
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::LibraryCall;
use crate::interpret::library::base::support::{Answer, array_items, long, native, open, reference, throw};
use crate::interpret::values::scalar::{ClassRef, Scalar};
use crate::interpret::values::value::{Native, ObjId, Type, Value};

/// Maximum number of fields in a path: generated classes initialise no deeper paths.
const DEPTH: usize = 2;

/// Prefix of the variable at the start of a path.
const ROOT: char = '@';

/// A part of a query.
#[derive(Debug, Clone)]
pub enum QuerydslPart {
    /// A row or a field: variable, field path, and the class name of the root entity.
    Path(Rc<str>, Vec<String>, Rc<str>),
    /// An operand in lower case.
    Lower(Operand),
    /// A condition.
    Test(Test),
    /// An order by a field, and whether it is descending.
    Order(Vec<String>, bool),
    /// A query under construction.
    Select(Box<QuerydslQuery>),
    /// A query factory.
    Factory,
}

impl Native for QuerydslPart {
    native_state!();

    fn children(&self) -> Vec<Value> {
        let mut found = Vec::new();
        match self {
            Self::Test(test) => given_in(test, &mut found),
            Self::Select(select) => select.tests.iter().for_each(|test| given_in(test, &mut found)),
            _ => {}
        }
        found
    }

    fn is_frozen(&self) -> bool {
        !matches!(self, Self::Select(_))
    }
}

fn is_querydsl(fqn: &str) -> bool {
    fqn.starts_with("com.mysema.query.") || fqn.starts_with("com.querydsl.")
}

/// The entity of a generated class `QName`.
fn entity_of<'p>(machine: &Machine<'p>, fqn: &str) -> Option<&'p Entity> {
    let (package, simple) = fqn.rsplit_once('.')?;
    let name = simple.strip_prefix('Q').filter(|name| name.starts_with(char::is_uppercase))?;
    let ty = machine.project.by_fqn(&format!("{package}.{name}"))?;
    machine.project.by_fqn(fqn).is_none().then(|| machine.stores()?.entities.get(&ty))?
}

/// The variable constant of a generated class.
pub fn constant(machine: &mut Machine<'_>, fqn: &str, name: &str) -> Option<Value> {
    entity_of(machine, fqn)?;
    Some(native(machine, fqn, QuerydslPart::Path(Rc::from(name), Vec::new(), Rc::from(fqn))))
}

/// A field of a variable, or of a field that refers to a row.
pub fn field(machine: &mut Machine<'_>, object: &Value, name: &str) -> Option<Value> {
    let QuerydslPart::Path(root, path, fqn) = machine.native::<QuerydslPart>(reference(object)?)?.clone() else {
        return None;
    };
    let mut entity = entity_of(machine, &fqn)?;
    let stores = machine.stores()?;
    for name in &path {
        entity = match &entity.field(name)?.mapping {
            Mapping::One { target, .. } | Mapping::OneBy { target, .. } => stores.entities.get(target)?,
            _ => return None,
        };
    }
    entity.field(name)?;
    if path.len() >= DEPTH {
        return None;
    }
    let path = path.into_iter().chain([name.to_owned()]).collect();
    Some(native(machine, "com.querydsl.core.types.Path", QuerydslPart::Path(root, path, fqn)))
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    let stores = machine.stores()?;
    let Some(receiver) = call.receiver else {
        if call.name != "<init>" {
            return None;
        }
        return made(machine, call).map(Ok);
    };
    let id = reference(receiver)?;
    match machine.native::<QuerydslPart>(id)?.clone() {
        QuerydslPart::Path(root, path, fqn) => on_operand(machine, Operand::Path(prefixed(&root, &path)), call)
            .or_else(|| match (call.name, call.args) {
                ("asc" | "desc", []) => {
                    let order = QuerydslPart::Order(prefixed(&root, &path), call.name == "desc");
                    Some(Ok(native(machine, "com.querydsl.core.types.OrderSpecifier", order)))
                }
                ("lower" | "toLowerCase", []) => {
                    let lower = QuerydslPart::Lower(Operand::Lower(Box::new(Operand::Path(prefixed(&root, &path)))));
                    Some(Ok(native(machine, &fqn, lower)))
                }
                _ => None,
            }),
        QuerydslPart::Lower(operand) => on_operand(machine, operand, call),
        QuerydslPart::Test(test) => on_test(machine, test, call),
        QuerydslPart::Order(..) => None,
        QuerydslPart::Select(select) => machine.on_select(stores, id, *select, call),
        QuerydslPart::Factory => {
            let mut select = QuerydslQuery::default();
            match (call.name, call.args) {
                ("selectFrom", [of]) => {
                    select.root = Some(root_of(machine, of)?);
                    select.gives = path_of(machine, of);
                }
                ("delete", [of]) => {
                    select.root = Some(root_of(machine, of)?);
                    select.deletes = true;
                }
                ("select", [of]) => select.gives = Some(path_of(machine, of)?),
                _ => return None,
            }
            Some(Ok(native(machine, "com.querydsl.jpa.impl.JPAQuery", QuerydslPart::Select(Box::new(select)))))
        }
    }
}

/// Constructors: `new QNote("n")`, `new JPAQuery(manager)` and the like.
fn made(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Value> {
    if let [Value::Scalar(Scalar::Str(name))] = call.args
        && entity_of(machine, call.fqn).is_some()
    {
        let name = Rc::from(&*name.text);
        return Some(native(machine, call.fqn, QuerydslPart::Path(name, Vec::new(), Rc::from(call.fqn))));
    }
    let manager = machine.object(reference(call.args.first()?)?).class.clone();
    let by_manager =
        matches!(&manager, ClassRef::Library(fqn) if super::manager::jpa_name(fqn) == Some("EntityManager"));
    if !is_querydsl(call.fqn) || !by_manager {
        return None;
    }
    let state = match (call.fqn.rsplit('.').next()?, call.args) {
        ("JPAQuery", [_]) => QuerydslPart::Select(Box::default()),
        ("JPAQueryFactory", [_]) => QuerydslPart::Factory,
        ("JPADeleteClause", [_, of]) => QuerydslPart::Select(Box::new(QuerydslQuery {
            root: Some(root_of(machine, of)?),
            deletes: true,
            ..QuerydslQuery::default()
        })),
        _ => return None,
    };
    Some(native(machine, call.fqn, state))
}

fn prefixed(root: &str, path: &[String]) -> Vec<String> {
    std::iter::once(format!("{ROOT}{root}")).chain(path.iter().cloned()).collect()
}

fn path_of(machine: &Machine<'_>, value: &Value) -> Option<Vec<String>> {
    match machine.native::<QuerydslPart>(reference(value)?)? {
        QuerydslPart::Path(root, path, _) => Some(prefixed(root, path)),
        _ => None,
    }
}

/// The variable and entity of a row path.
fn root_of(machine: &Machine<'_>, value: &Value) -> Option<(String, crate::ir::ids::TypeId)> {
    match machine.native::<QuerydslPart>(reference(value)?)? {
        QuerydslPart::Path(root, path, fqn) if path.is_empty() => {
            Some((format!("{ROOT}{root}"), entity_of(machine, fqn)?.ty))
        }
        _ => None,
    }
}

/// The operand that a field is compared with: a value, or another field.
fn operand(machine: &Machine<'_>, value: &Value) -> Operand {
    match reference(value).and_then(|id| machine.native::<QuerydslPart>(id)) {
        Some(QuerydslPart::Path(root, path, _)) => Operand::Path(prefixed(root, path)),
        Some(QuerydslPart::Lower(operand)) => operand.clone(),
        _ => Operand::Given(value.clone()),
    }
}

fn on_operand(machine: &mut Machine<'_>, own: Operand, call: &LibraryCall<'_>) -> Option<Answer> {
    let folded = |operand: Operand| Operand::Lower(Box::new(operand));
    let compared = |compare: Compare, other: &Value, machine: &Machine<'_>| {
        Test::Compare(compare, own.clone(), operand(machine, other))
    };
    let test = match (call.name, call.args) {
        ("isNull", []) => Test::Null(own),
        ("isNotNull", []) => Test::Not(Box::new(Test::Null(own))),
        ("isTrue", []) => Test::Compare(Compare::Equal, own, Operand::Given(Value::bool(true))),
        ("isFalse", []) => Test::Compare(Compare::Equal, own, Operand::Given(Value::bool(false))),
        ("eq" | "ne", [value]) if value.is_null() => {
            return Some(Err(throw(machine, "java.lang.IllegalArgumentException")));
        }
        ("eq", [other]) => compared(Compare::Equal, other, machine),
        ("ne", [other]) => compared(Compare::NotEqual, other, machine),
        ("gt" | "after", [other]) => compared(Compare::Greater, other, machine),
        ("goe", [other]) => compared(Compare::GreaterEqual, other, machine),
        ("lt" | "before", [other]) => compared(Compare::Less, other, machine),
        ("loe", [other]) => compared(Compare::LessEqual, other, machine),
        ("like", [other]) => compared(Compare::Like, other, machine),
        ("startsWith", [other]) => compared(Compare::Starts, other, machine),
        ("endsWith", [other]) => compared(Compare::Ends, other, machine),
        ("contains", [other @ Value::Scalar(_)]) => compared(Compare::Contains, other, machine),
        // Membership of a row in a collection field.
        ("contains", [other @ Value::Ref(_)]) => Test::Compare(Compare::In, Operand::Given(other.clone()), own),
        ("eqIgnoreCase" | "equalsIgnoreCase", [other]) => {
            Test::Compare(Compare::Equal, folded(own), folded(operand(machine, other)))
        }
        ("containsIgnoreCase", [other]) => {
            Test::Compare(Compare::Contains, folded(own), folded(operand(machine, other)))
        }
        ("in", [other @ Value::Ref(_)]) => Test::Compare(Compare::In, own, Operand::Given(other.clone())),
        ("notIn", [other @ Value::Ref(_)]) => {
            Test::Not(Box::new(Test::Compare(Compare::In, own, Operand::Given(other.clone()))))
        }
        ("between", [low, high]) => {
            Test::All(vec![compared(Compare::GreaterEqual, low, machine), compared(Compare::LessEqual, high, machine)])
        }
        _ => return None,
    };
    Some(Ok(test_value(machine, test)))
}

fn test_value(machine: &mut Machine<'_>, test: Test) -> Value {
    native(machine, "com.querydsl.core.types.dsl.BooleanExpression", QuerydslPart::Test(test))
}

fn test_of(machine: &Machine<'_>, value: &Value) -> Option<Test> {
    match machine.native::<QuerydslPart>(reference(value)?)? {
        QuerydslPart::Test(test) => Some(test.clone()),
        _ => None,
    }
}

fn on_test(machine: &mut Machine<'_>, own: Test, call: &LibraryCall<'_>) -> Option<Answer> {
    let test = match (call.name, call.args) {
        ("not", []) => Test::Not(Box::new(own)),
        ("and" | "or", [other]) if other.is_null() => own,
        ("and", [other]) => Test::All(vec![own, test_of(machine, other)?]),
        ("or", [other]) => Test::Any(vec![own, test_of(machine, other)?]),
        _ => return None,
    };
    Some(Ok(test_value(machine, test)))
}

/// The variable arguments of a call, written one by one or as an array.
fn each(machine: &Machine<'_>, args: &[Value]) -> Vec<Value> {
    match args {
        [only] => array_items(machine, only).unwrap_or_else(|| args.to_vec()),
        several => several.to_vec(),
    }
}

impl<'p> Machine<'p> {
    fn on_select(
        &mut self,
        stores: &'p Stores,
        id: ObjId,
        mut select: QuerydslQuery,
        call: &LibraryCall<'_>,
    ) -> Option<Answer> {
        match (call.name, call.args) {
            ("from", [of]) if select.root.is_none() => {
                let of = each(self, std::slice::from_ref(of));
                let [of] = of.as_slice() else { return None };
                select.root = Some(root_of(self, of)?);
            }
            ("innerJoin" | "join" | "leftJoin", [path, alias]) => {
                let (root, _) = root_of(self, alias)?;
                let filters = call.name != "leftJoin";
                select.joins.push((root, path_of(self, path)?, filters));
            }
            ("where", args) => {
                for value in each(self, args).iter().filter(|value| !value.is_null()) {
                    select.tests.push(test_of(self, value)?);
                }
            }
            ("orderBy", args) => {
                for value in each(self, args) {
                    match self.native::<QuerydslPart>(reference(&value)?)? {
                        QuerydslPart::Order(path, down) => select.order.push((path.clone(), *down)),
                        _ => return None,
                    }
                }
            }
            ("limit", [most]) => select.window.most = Some(usize::try_from(long(most)?).ok()?),
            ("offset", [first]) => select.window.first = usize::try_from(long(first)?).ok()?,
            ("distinct", []) => select.is_distinct = true,
            ("select", [of]) => select.gives = Some(path_of(self, of)?),
            _ => return self.answer_select(stores, select, call),
        }
        *self.native_mut::<QuerydslPart>(id)? = QuerydslPart::Select(Box::new(select));
        call.receiver.cloned().map(Ok)
    }

    fn answer_select(
        &mut self,
        stores: &'p Stores,
        mut select: QuerydslQuery,
        call: &LibraryCall<'_>,
    ) -> Option<Answer> {
        let (root, entity) = select.root.clone()?;
        let entity = stores.entities.get(&entity)?;
        match (call.name, call.args) {
            ("list" | "singleResult" | "uniqueResult", [of]) => select.gives = Some(path_of(self, of)?),
            ("fetch" | "fetchOne" | "fetchFirst" | "count" | "fetchCount" | "exists" | "notExists" | "execute", []) => {
            }
            _ => return None,
        }
        let whole = select.gives.as_ref().is_none_or(|path| *path == [root.clone()]);
        let Some((test, order, gives)) = select.read(stores, entity, whole) else {
            return Some(open("a query that is not simple"));
        };
        let purpose = if select.deletes { Purpose::Delete } else { Purpose::Find };
        let read = jpql::Query { entity: entity.ty, purpose, gives, is_distinct: select.is_distinct, test, order };
        Some(self.given_by(stores, &read, select.window, call))
    }

    fn given_by(&mut self, stores: &'p Stores, read: &jpql::Query, window: Window, call: &LibraryCall<'_>) -> Answer {
        if (read.purpose == Purpose::Delete) != (call.name == "execute") {
            return open("a query of another kind");
        }
        if call.name == "execute" {
            let count = self.answer_read(stores, read, window, "executeUpdate")?;
            return Ok(self.convert(count, &Type::Prim(crate::interpret::values::scalar::Prim::Long)));
        }
        let window = match call.name {
            "singleResult" | "fetchFirst" => Window { most: Some(1), ..window },
            _ => window,
        };
        let list = self.answer_read(stores, read, window, "getResultList")?;
        let items = self.given_items(&list).unwrap_or_default();
        Ok(match (call.name, items.as_slice()) {
            ("list" | "fetch", _) => list,
            ("count" | "fetchCount", items) => {
                Value::Scalar(Scalar::Long(i64::try_from(items.len()).unwrap_or(i64::MAX)))
            }
            ("exists", items) => Value::bool(!items.is_empty()),
            ("notExists", items) => Value::bool(items.is_empty()),
            (_, []) => Value::NULL,
            (_, [only]) => only.clone(),
            _ => {
                let package = if call.fqn.starts_with("com.mysema") { "com.mysema.query" } else { "com.querydsl.core" };
                return Err(throw(self, &format!("{package}.NonUniqueResultException")));
            }
        })
    }
}
