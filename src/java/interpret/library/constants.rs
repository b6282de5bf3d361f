//! Constants of library classes that are objects, each created once.

use std::rc::Rc;

use super::functions::functional;
use super::language::enums;
use super::numeric::{big_decimals, big_integers, math_contexts};
use super::text::formatting::locales;
use super::time::formats::date_patterns::Format;
use super::time::formats::formatters;
use super::time::temporal;
use crate::interpret::engine::machine::Machine;
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::value::{Kind, Native, Object, Value};

/// The state of a constant that is an object.
fn object(fqn: &str, name: &str) -> Option<Box<dyn Native>> {
    Some(match fqn {
        big_integers::FQN => Box::new(big_integers::constant(name)?),
        big_decimals::FQN => Box::new(big_decimals::constant(name)?),
        math_contexts::CONTEXT => Box::new(math_contexts::context(name)?),
        formatters::FQN => Box::new(Format::constant(name)?),
        locales::FQN => Box::new(locales::constant(name)?),
        _ => Box::new(temporal::constant(fqn, name)?),
    })
}

/// A constant of a library class.
pub fn constant(machine: &mut Machine<'_>, fqn: &str, name: &str) -> Option<Value> {
    if enums::ordinal(fqn, name).is_some() {
        return Some(enums::of(fqn, name));
    }
    if fqn == "java.lang.String" && name == "CASE_INSENSITIVE_ORDER" {
        return Some(functional::made(machine, "java.util.Comparator", functional::Fun::CaseInsensitive));
    }
    if fqn == "java.nio.charset.StandardCharsets" {
        return Some(enums::of("java.nio.charset.Charset", name));
    }
    if fqn == big_decimals::FQN
        && let Some(mode) = big_decimals::old_mode(name)
    {
        return Some(Value::int(mode));
    }
    if name == "log" && super::environment::loggers::is_logger(fqn) {
        return Some(machine.modelled("org.slf4j.Logger", &[]));
    }
    let key = format!("{fqn}.{name}");
    if let Some(id) = machine.constants.get(key.as_str()) {
        return Some(Value::Ref(*id));
    }
    let state = object(fqn, name)?;
    let id = machine.allocate(Object::new(ClassRef::library(fqn), Kind::Native(state)));
    machine.constants.insert(Rc::from(key), id);
    Some(Value::Ref(id))
}
