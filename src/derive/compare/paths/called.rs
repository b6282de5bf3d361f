//! The name and the arguments of an opaque call.

use std::rc::Rc;

use mastor_java::interpret::opaque::calls::QUERY;
use mastor_java::interpret::values::term::Opaque;

/// The class and method name of a call, without package. A query that is identified by its meaning is named as the code
/// names it.
pub(in crate::compare) fn method_name(call: &Opaque) -> Rc<str> {
    match call.words.split_once('(') {
        Some((name, _)) if call.callee.contains(QUERY) => Rc::from(name),
        _ => simple_name(&call.callee),
    }
}

/// The class and method name of a callee such as `org.vendor.Mapper.map/1` or `a.Rows#all(long)`, without package.
fn simple_name(callee: &str) -> Rc<str> {
    let name = callee.split(['/', '(']).next().unwrap_or(callee);
    let mut words = name.rsplit(['.', '#']);
    match (words.next(), words.next()) {
        (Some("<init>"), Some(class)) => Rc::from(format!("new {class}")),
        (Some(name), Some(class)) if class.starts_with(|first: char| first.is_uppercase()) => {
            Rc::from(format!("{class}.{name}"))
        }
        (Some(name), _) => Rc::from(name),
        (None, _) => Rc::from(name),
    }
}

/// The number of operands before a call's arguments: one for a receiver, else none.
pub(super) fn receivers(call: &Opaque) -> usize {
    let arguments = match (call.callee.rsplit_once('/'), call.callee.split_once('(')) {
        (Some((_, count)), _) if let Ok(count) = count.parse::<usize>() => count,
        (_, Some((_, types))) if types.starts_with(')') => 0,
        (_, Some((_, types))) => types.split(',').count(),
        _ => return 1,
    };
    // Marks that distinguish repeated reads follow the arguments.
    let marks = call.operands.iter().rev().take_while(|operand| operand.is_mark()).count();
    call.operands.len().saturating_sub(arguments + marks).min(1)
}
