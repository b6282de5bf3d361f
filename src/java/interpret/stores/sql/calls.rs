//! `JdbcTemplate`, `NamedParameterJdbcTemplate` and `JdbcClient`: maps their methods to statements with parameters
//! and row mappers.

use super::mappers::{self, Mapper, mapper};
use super::params::{self, StatementParameters, hold};
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::LibraryCall;
use crate::interpret::library::base::support::{
    Answer, array_items, int, native, open, reference, settle, spread, text,
};
use crate::interpret::library::functions::optional;
use crate::interpret::values::value::{Native, Value};

const PLAIN: &[&str] = &["org.springframework.jdbc.core.JdbcTemplate", "org.springframework.jdbc.core.JdbcOperations"];
const NAMED: &[&str] = &[
    "org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate",
    "org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations",
];
const CLIENT: &str = "org.springframework.jdbc.core.simple.JdbcClient";
const STATEMENT: &str = "org.springframework.jdbc.core.simple.JdbcClient.StatementSpec";
const QUERY: &str = "org.springframework.jdbc.core.simple.JdbcClient.MappedQuerySpec";

/// Whether a library class runs SQL statements.
pub fn is_template(fqn: &str) -> bool {
    PLAIN.contains(&fqn) || NAMED.contains(&fqn) || fqn == CLIENT
}

/// A `JdbcClient` statement under construction.
#[derive(Debug, Clone)]
struct Statement {
    text: String,
    places: Vec<Value>,
    named: Vec<(String, Value)>,
    mapper: Option<Mapper>,
}

impl Native for Statement {
    native_state!();

    fn children(&self) -> Vec<Value> {
        let own = if let Some(Mapper::Own(by)) = &self.mapper { Some(by.clone()) } else { None };
        self.places.iter().cloned().chain(self.named.iter().map(|(_, value)| value.clone())).chain(own).collect()
    }
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    machine.stores()?;
    if let Some(found) = params::call(machine, call).or_else(|| mappers::call(machine, call)) {
        return Some(found);
    }
    if matches!(call.fqn, STATEMENT | QUERY) {
        return on_statement(machine, call);
    }
    if !is_template(call.fqn) {
        return None;
    }
    // A template over the only database; with several databases it is unknown which one.
    if call.receiver.is_none() {
        return match (call.name, call.args) {
            ("<init>" | "create", [_]) => Some(Ok(machine.modelled(call.fqn, &[]))),
            _ => None,
        };
    }
    reference(call.receiver?)?;
    let written = call.args.first().and_then(text).map(str::to_owned)?;
    if call.fqn == CLIENT {
        let statement = Statement { text: written, places: Vec::new(), named: Vec::new(), mapper: None };
        return (call.name == "sql" && call.args.len() == 1).then(|| Ok(native(machine, STATEMENT, statement)));
    }
    let answer = match NAMED.contains(&call.fqn) {
        true => by_name(machine, call, &written)?,
        false => by_place(machine, call, &written)?,
    };
    Some(settle(machine, call, answer))
}

/// Methods of `JdbcTemplate`, with positional parameters.
fn by_place(machine: &mut Machine<'_>, call: &LibraryCall<'_>, written: &str) -> Option<Answer> {
    let rest = call.args.get(1..)?;
    if call.name == "update" {
        // Callbacks on connections and statements are not modelled.
        if matches!(rest, [Value::Lambda(_), ..]) {
            return None;
        }
        let given = StatementParameters::Places(spread(machine, rest));
        return Some(machine.sql_change(written, &given).map(|(count, _)| counted(count)));
    }
    // The parameters follow the mapper, or precede it in an array.
    let (how, values) = match rest {
        [values, how] if array_items(machine, values).is_some() => (how, array_items(machine, values)?),
        [how, values @ ..] => (how, spread(machine, values)),
        [] => return None,
    };
    let mapper = mapper_of(machine, call, how)?;
    asked(machine, call.name, written, (&StatementParameters::Places(values), &mapper))
}

/// Methods of `NamedParameterJdbcTemplate`.
fn by_name(machine: &mut Machine<'_>, call: &LibraryCall<'_>, written: &str) -> Option<Answer> {
    let rest = call.args.get(1..)?;
    if call.name == "update" {
        let (source, holder) = match rest {
            [source] => (source, None),
            [source, holder] | [source, holder, _] => (source, Some(holder)),
            _ => return None,
        };
        if !params::is_named(machine, source) {
            return None;
        }
        let changed = machine.sql_change(written, &StatementParameters::Named(source.clone()));
        return Some(changed.and_then(|(count, key)| {
            if let Some(holder) = holder {
                hold(machine, holder, key)?;
            }
            Ok(counted(count))
        }));
    }
    let (given, how) = match rest {
        [how] => (StatementParameters::Known(Vec::new()), how),
        [source, how] if params::is_named(machine, source) => (StatementParameters::Named(source.clone()), how),
        _ => return None,
    };
    let mapper = mapper_of(machine, call, how)?;
    asked(machine, call.name, written, (&given, &mapper))
}

/// The mapper of a call: a class argument means a single column, except in `JdbcClient`.
fn mapper_of(machine: &Machine<'_>, call: &LibraryCall<'_>, how: &Value) -> Option<Mapper> {
    let is_class = matches!(how, Value::Class(_));
    let wants_class = call.name == "queryForList";
    if wants_class && !is_class || call.name == "query" && is_class {
        return None;
    }
    match mapper(machine, how)? {
        Mapper::Properties(_) if is_class => None,
        found => Some(found),
    }
}

fn asked(
    machine: &mut Machine<'_>,
    name: &str,
    written: &str,
    (given, mapper): (&StatementParameters, &Mapper),
) -> Option<Answer> {
    if !matches!(name, "query" | "queryForObject" | "queryForList") {
        return None;
    }
    let found = machine.sql_query(written, given).and_then(|found| machine.sql_list(found, mapper));
    Some(found.and_then(|items| match name {
        "queryForObject" => Ok(machine.sql_single(items, false)?.unwrap_or(Value::NULL)),
        _ => Ok(machine.list(items, "java.util.ArrayList")),
    }))
}

fn counted(count: usize) -> Value {
    Value::int(i32::try_from(count).unwrap_or(i32::MAX))
}

/// Methods of a `JdbcClient` statement and its query.
fn on_statement(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let id = reference(call.receiver?)?;
    let state = machine.native::<Statement>(id)?.clone();
    let given = match (state.places.is_empty(), state.named.is_empty()) {
        (false, false) => return None,
        (false, true) => StatementParameters::Places(state.places.clone()),
        _ => StatementParameters::Known(state.named.clone()),
    };
    if call.fqn == QUERY {
        let mapper = state.mapper.clone()?;
        let found = machine.sql_query(&state.text, &given).and_then(|found| machine.sql_list(found, &mapper));
        let answer = match (call.name, call.args) {
            ("list", []) => found.map(|items| machine.list(items, "java.util.ArrayList")),
            ("single", []) => {
                found.and_then(|items| machine.sql_single(items, false)).map(|one| one.unwrap_or(Value::NULL))
            }
            ("optional", []) => found
                .and_then(|items| machine.sql_single(items, true))
                .map(|one| optional::of(machine, "java.util.Optional", one.unwrap_or(Value::NULL))),
            _ => return None,
        };
        return Some(settle(machine, call, answer));
    }
    let mut state = state;
    let answer = match (call.name, call.args) {
        ("param", [value]) => {
            state.places.push(value.clone());
            Ok(native(machine, STATEMENT, state))
        }
        ("param", [name, value]) if int(name).is_none() => {
            let name = text(name)?.to_owned();
            state.named.push((name, value.clone()));
            Ok(native(machine, STATEMENT, state))
        }
        ("params", args) => {
            let values = spread(machine, args);
            if let [only] = values.as_slice()
                && (params::is_named(machine, only) || machine.given_items(only).is_some())
            {
                return None;
            }
            state.places.extend(values);
            Ok(native(machine, STATEMENT, state))
        }
        ("query", [how]) => {
            state.mapper = Some(mapper(machine, how)?);
            Ok(native(machine, QUERY, state))
        }
        ("update", []) => machine.sql_change(&state.text, &given).map(|(count, _)| counted(count)),
        ("update", [holder, ..]) => machine.sql_change(&state.text, &given).and_then(|(count, key)| {
            hold(machine, holder, key)?;
            Ok(counted(count))
        }),
        _ => open("a statement that is run in another way"),
    };
    Some(settle(machine, call, answer))
}
