//! Helpers of the models: reading arguments, equality, hashing, order, conversion to text and calls of functional
//! objects, as in Java's library.

use std::rc::Rc;

use super::invocation::LibraryCall;
use crate::interpret::engine::machine::{Eval, Machine, Stop};
use crate::interpret::paths::condition::Cond;
use crate::interpret::values::scalar::{ClassRef, Prim, Scalar};
use crate::interpret::values::term::Term;
use crate::interpret::values::value::{Kind, Native, ObjId, Object, Type, Value};
use crate::ir::body::BinaryOp;

/// Why a model returns no value.
#[derive(Debug)]
pub enum Fail {
    /// An exception was thrown, or an interpretation bound was reached.
    Stop(Stop),
    /// The result is unknown, for this reason.
    Open(Rc<str>),
}

impl From<Stop> for Fail {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

/// The answer of a model.
pub type Answer<T = Value> = Result<T, Fail>;

/// The failure for an unknown result.
pub fn open<T>(why: &str) -> Answer<T> {
    Err(Fail::Open(Rc::from(why)))
}

/// Converts a model's answer for the machine: a failure with an unknown result becomes an unknown call that may have
/// changed its arguments.
pub fn settle(machine: &mut Machine<'_>, call: &LibraryCall<'_>, answer: Answer) -> Eval {
    match answer {
        Ok(value) => Ok(value),
        Err(Fail::Stop(stop)) => Err(stop),
        // In an opaque run the caller makes an opaque value from the call.
        Err(Fail::Open(why)) if machine.is_opaque() => {
            let ty = super::result_types::result_type(call.fqn, call.name);
            Ok(machine.unknown(&why, ty))
        }
        Err(Fail::Open(why)) => {
            let mut given = call.args.to_vec();
            given.extend(call.receiver.cloned());
            let simple = call.fqn.rsplit('.').next().unwrap_or(call.fqn);
            let before = machine.effects.len();
            let result = machine.unknown_call(
                &format!("{simple}.{}: {why}", call.name),
                &given,
                super::result_types::result_type(call.fqn, call.name),
            );
            // A collection or builder of the JDK has no effect outside itself, whatever its arguments.
            if ["java.util.", "java.lang."].iter().any(|package| call.fqn.starts_with(package))
                && !call.args.iter().any(|arg| matches!(arg, Value::Lambda(_)))
            {
                machine.effects.truncate(before);
            }
            result
        }
    }
}

/// Throws a library exception whose message differs between releases.
pub fn throw(machine: &mut Machine<'_>, class: &str) -> Fail {
    let class = if class.contains('.') { class.to_owned() } else { format!("java.lang.{class}") };
    Fail::Stop(machine.throw(&class, Value::unknown("message of a library exception", Type::Str)))
}

/// Throws a library exception whose message is the same in every release.
pub fn throw_with(machine: &mut Machine<'_>, class: &str, message: Value) -> Fail {
    let class = if class.contains('.') { class.to_owned() } else { format!("java.lang.{class}") };
    Fail::Stop(machine.throw(&class, message))
}

/// The text of a known string.
pub fn text(value: &Value) -> Option<&str> {
    match value {
        Value::Scalar(Scalar::Str(text)) => Some(&text.text),
        _ => None,
    }
}

/// A known integral number of at most 32 bits.
pub fn int(value: &Value) -> Option<i32> {
    value.scalar().and_then(Scalar::as_int)
}

/// Values that are parts of one name: `zip`, `zip(1)`.
pub fn numbered(name: &str, values: &[Value]) -> Vec<(Rc<str>, Value)> {
    let name = |at: usize| if at == 0 { Rc::from(name) } else { Rc::from(format!("{name}({at})")) };
    values.iter().enumerate().map(|(at, value)| (name(at), value.clone())).collect()
}

/// A known integral number.
pub fn long(value: &Value) -> Option<i64> {
    value.scalar().and_then(Scalar::as_long)
}

/// A known number as a `double`.
pub fn double(value: &Value) -> Option<f64> {
    value.scalar().and_then(Scalar::as_double)
}

/// A known boolean.
pub fn boolean(value: &Value) -> Option<bool> {
    match value {
        Value::Scalar(Scalar::Bool(value)) => Some(*value),
        _ => None,
    }
}

/// A size or index as an `int`.
pub fn size(length: usize) -> Value {
    Value::int(i32::try_from(length).unwrap_or(i32::MAX))
}

/// The object of a reference.
pub fn reference(value: &Value) -> Option<ObjId> {
    match value {
        Value::Ref(id) => Some(*id),
        _ => None,
    }
}

/// The fully qualified name of the library class of an object.
pub fn class_of<'a>(machine: &'a Machine<'_>, value: &Value) -> Option<&'a str> {
    match &machine.object(reference(value)?).class {
        ClassRef::Library(fqn) => Some(fqn),
        ClassRef::Project(_) => None,
    }
}

/// A new object with a native state.
pub fn native(machine: &mut Machine<'_>, class: &str, state: impl Native + 'static) -> Value {
    Value::Ref(machine.allocate(Object::new(ClassRef::library(class), Kind::Native(Box::new(state)))))
}

/// A boolean that a call returned: forks if it depends on the inputs.
pub fn truth(machine: &mut Machine<'_>, value: &Value) -> Answer<bool> {
    match value {
        Value::Scalar(Scalar::Bool(value)) => Ok(*value),
        Value::Unknown(unknown) => {
            open(unknown.reasons.iter().next().map_or("a condition is not known", AsRef::as_ref))
        }
        Value::Scalar(Scalar::Null) => Err(throw(machine, "NullPointerException")),
        _ => match machine.here() {
            Some(site) => Ok(machine.truth(value, site)?),
            None => open("a condition is not known"),
        },
    }
}

/// Calls a functional object; `name` is the method of its interface.
pub fn invoke(machine: &mut Machine<'_>, function: &Value, name: &str, args: Vec<Value>) -> Answer {
    machine.step()?;
    if function.is_null() {
        return Err(throw(machine, "NullPointerException"));
    }
    Ok(machine.call_method(function.clone(), name, args)?)
}

/// Whether two scalars are equal as boxes or strings.
pub fn scalars_equal(a: &Scalar, b: &Scalar) -> bool {
    match (a, b) {
        (Scalar::Double(x), Scalar::Double(y)) => double_bits(*x) == double_bits(*y),
        (Scalar::Float(x), Scalar::Float(y)) => float_bits(*x) == float_bits(*y),
        _ => a == b,
    }
}

/// `Double.doubleToLongBits`.
pub fn double_bits(x: f64) -> u64 {
    if x.is_nan() { 0x7ff8_0000_0000_0000 } else { x.to_bits() }
}

/// `Float.floatToIntBits`.
pub fn float_bits(x: f32) -> u32 {
    if x.is_nan() { 0x7fc0_0000 } else { x.to_bits() }
}

/// `Objects.equals(a, b)`.
pub fn equal(machine: &mut Machine<'_>, a: &Value, b: &Value) -> Answer<bool> {
    machine.step()?;
    match (a, b) {
        (Value::Scalar(x), Value::Scalar(y)) => Ok(scalars_equal(x, y)),
        (Value::Unknown(_), _) | (_, Value::Unknown(_)) => open("something not known is compared"),
        (Value::Ref(x), Value::Ref(y)) if x == y => Ok(true),
        (Value::Symbol(x), Value::Symbol(y)) if x.term.is_constant_of_same_class(&y.term) => Ok(x.term == y.term),
        // Code names two constants differently that differ, as keys of a map.
        (Value::Symbol(x), Value::Symbol(y))
            if x.term.is_library_constant() && y.term.is_library_constant() && machine.is_compared() =>
        {
            Ok(x.term == y.term)
        }
        (Value::Symbol(x), Value::Scalar(Scalar::Str(_))) | (Value::Scalar(Scalar::Str(_)), Value::Symbol(x))
            if x.term.is_library_constant() && machine.is_compared() =>
        {
            Ok(false)
        }
        (Value::Class(x), Value::Class(y)) => Ok(x == y),
        (Value::Lambda(x), Value::Lambda(y)) => Ok(Rc::ptr_eq(x, y)),
        (Value::Scalar(_), Value::Ref(_) | Value::Class(_) | Value::Lambda(_)) => Ok(false),
        (Value::Ref(_) | Value::Class(_) | Value::Lambda(_), Value::Scalar(Scalar::Null)) => Ok(false),
        (Value::Ref(_), _) => {
            let same = machine.call_method(a.clone(), "equals", vec![b.clone()])?;
            truth(machine, &same)
        }
        _ => {
            let null = machine.is_null(a);
            if truth(machine, &null)? {
                let null = machine.is_null(b);
                return truth(machine, &null);
            }
            let a = match a {
                Value::Symbol(symbol) => Value::Symbol(Rc::new(crate::interpret::values::value::Symbol {
                    nullable: false,
                    ..(**symbol).clone()
                })),
                other => other.clone(),
            };
            let same = machine.call_method(a, "equals", vec![b.clone()])?;
            truth(machine, &same)
        }
    }
}

/// `String.hashCode`.
pub fn text_hash(text: &str) -> i32 {
    text.encode_utf16().fold(0_i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)))
}

/// The hash code of a scalar; `None` for an enum constant, whose hash differs from run to run.
pub fn scalar_hash(scalar: &Scalar) -> Option<i32> {
    let of_long = |x: i64| (x ^ ((x as u64) >> 32) as i64) as i32;
    Some(match scalar {
        Scalar::Null => 0,
        Scalar::Bool(x) => {
            if *x {
                1231
            } else {
                1237
            }
        }
        Scalar::Long(x) => of_long(*x),
        Scalar::Float(x) => float_bits(*x) as i32,
        Scalar::Double(x) => of_long(double_bits(*x) as i64),
        Scalar::Str(text) => text_hash(&text.text),
        Scalar::Enum(..) => return None,
        other => other.as_int()?,
    })
}

/// `Objects.hashCode(value)`; `None` if it differs from run to run.
pub fn hash(machine: &mut Machine<'_>, value: &Value) -> Answer<Option<i32>> {
    machine.step()?;
    Ok(match value {
        Value::Scalar(scalar) => scalar_hash(scalar),
        Value::Ref(_) => int(&machine.call_method(value.clone(), "hashCode", Vec::new())?),
        _ => None,
    })
}

/// A hash code, which must be known.
pub fn sure_hash(machine: &mut Machine<'_>, value: &Value) -> Answer<i32> {
    match hash(machine, value)? {
        Some(hash) => Ok(hash),
        None => open("a hash differs from run to run"),
    }
}

/// The hash code of a list: `31 * hash + …` over the values.
pub fn hash_all(machine: &mut Machine<'_>, values: &[Value]) -> Answer<i32> {
    let mut all = 1_i32;
    for value in values {
        all = all.wrapping_mul(31).wrapping_add(sure_hash(machine, value)?);
    }
    Ok(all)
}

/// `String.compareTo`: the order by UTF-16 units, as the difference that Java returns.
pub fn compare_texts(a: &str, b: &str) -> i32 {
    let (mut left, mut right) = (a.encode_utf16(), b.encode_utf16());
    loop {
        match (left.next(), right.next()) {
            (Some(x), Some(y)) if x == y => {}
            (Some(x), Some(y)) => return i32::from(x) - i32::from(y),
            (None, None) => return 0,
            (Some(_), None) => return i32::try_from(1 + left.count()).unwrap_or(i32::MAX),
            (None, Some(_)) => return -i32::try_from(1 + right.count()).unwrap_or(i32::MAX),
        }
    }
}

/// `Double.compare`.
pub fn compare_doubles(a: f64, b: f64) -> i32 {
    if a < b {
        -1
    } else if a > b {
        1
    } else {
        (double_bits(a) as i64).cmp(&(double_bits(b) as i64)) as i32
    }
}

/// `compareTo` of two scalars of the same class.
pub fn compare_scalars(a: &Scalar, b: &Scalar) -> Option<i32> {
    Some(match (a, b) {
        (Scalar::Str(x), Scalar::Str(y)) => compare_texts(&x.text, &y.text),
        (Scalar::Bool(x), Scalar::Bool(y)) => i32::from(*x) - i32::from(*y),
        (Scalar::Byte(x), Scalar::Byte(y)) => i32::from(*x) - i32::from(*y),
        (Scalar::Short(x), Scalar::Short(y)) => i32::from(*x) - i32::from(*y),
        (Scalar::Char(x), Scalar::Char(y)) => i32::from(*x) - i32::from(*y),
        (Scalar::Int(x), Scalar::Int(y)) => x.cmp(y) as i32,
        (Scalar::Long(x), Scalar::Long(y)) => x.cmp(y) as i32,
        (Scalar::Float(x), Scalar::Float(y)) => compare_doubles((*x).into(), (*y).into()),
        (Scalar::Double(x), Scalar::Double(y)) => compare_doubles(*x, *y),
        _ => return None,
    })
}

/// The order of two values: by a comparator, or their natural order.
pub fn compare(machine: &mut Machine<'_>, by: Option<&Value>, a: &Value, b: &Value) -> Answer<i32> {
    machine.step()?;
    if let Some(by) = by.filter(|by| !by.is_null()) {
        let order = invoke(machine, by, "compare", vec![a.clone(), b.clone()])?;
        return match int(&order) {
            Some(order) => Ok(order),
            None => open("an order is not known"),
        };
    }
    if a.is_null() || b.is_null() {
        return Err(throw(machine, "NullPointerException"));
    }
    if let (Value::Scalar(a), Value::Scalar(b)) = (a, b)
        && let Some(order) = compare_scalars(a, b)
    {
        return Ok(order);
    }
    match (a, b) {
        (Value::Scalar(Scalar::Enum(..)) | Value::Ref(_), Value::Scalar(Scalar::Enum(..)) | Value::Ref(_)) => {
            let order = machine.call_method(a.clone(), "compareTo", vec![b.clone()])?;
            match int(&order) {
                Some(order) => Ok(order),
                None => open("an order is not known"),
            }
        }
        _ => open("an order is not known"),
    }
}

/// Sorts stably, as `List.sort` does; up to 31 elements with exactly the same comparisons as Java.
pub fn sort(machine: &mut Machine<'_>, by: Option<&Value>, items: &mut Vec<Value>) -> Answer<()> {
    let n = items.len();
    if n < 2 {
        return Ok(());
    }
    if n >= 32 {
        let sorted = merge_sort(machine, by, std::mem::take(items))?;
        *items = sorted;
        return Ok(());
    }
    // The initial run, reversed if it is descending.
    let mut run = 2;
    if compare(machine, by, &items[1].clone(), &items[0].clone())? < 0 {
        while run < n && compare(machine, by, &items[run].clone(), &items[run - 1].clone())? < 0 {
            run += 1;
        }
        items[..run].reverse();
    } else {
        while run < n && compare(machine, by, &items[run].clone(), &items[run - 1].clone())? >= 0 {
            run += 1;
        }
    }
    for start in run..n {
        let pivot = items[start].clone();
        let (mut left, mut right) = (0, start);
        while left < right {
            let mid = (left + right) >> 1;
            if compare(machine, by, &pivot, &items[mid].clone())? < 0 {
                right = mid;
            } else {
                left = mid + 1;
            }
        }
        items.remove(start);
        items.insert(left, pivot);
    }
    Ok(())
}

fn merge_sort(machine: &mut Machine<'_>, by: Option<&Value>, mut items: Vec<Value>) -> Answer<Vec<Value>> {
    if items.len() < 2 {
        return Ok(items);
    }
    let right = items.split_off(items.len() / 2);
    let left = merge_sort(machine, by, items)?;
    let right = merge_sort(machine, by, right)?;
    let mut out = Vec::with_capacity(left.len() + right.len());
    let (mut a, mut b) = (left.into_iter().peekable(), right.into_iter().peekable());
    while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
        let (x, y) = (x.clone(), y.clone());
        if compare(machine, by, &y, &x)? < 0 {
            out.push(y);
            b.next();
        } else {
            out.push(x);
            a.next();
        }
    }
    out.extend(a);
    out.extend(b);
    Ok(out)
}

/// `String.valueOf(value)`, which must be known.
pub fn text_of(machine: &mut Machine<'_>, value: &Value) -> Answer<String> {
    machine.step()?;
    let shown = machine.text_of(value)?;
    match &shown {
        Value::Scalar(scalar) => match scalar.to_java_string() {
            Some(text) => Ok(text),
            None => open("its text is not known"),
        },
        _ => open("its text is not known"),
    }
}

/// A new array.
pub fn array(machine: &mut Machine<'_>, items: Vec<Value>, element: Type) -> Value {
    machine.array(items, element)
}

/// The elements of an array of known length.
pub fn array_items(machine: &Machine<'_>, value: &Value) -> Option<Vec<Value>> {
    let object = machine.object(reference(value)?);
    match &object.kind {
        Kind::List { items, .. } if object.class == ClassRef::library("array") => Some(items.clone()),
        _ => None,
    }
}

/// The type of a library class.
pub fn library_type(fqn: &str) -> Type {
    Type::Class(ClassRef::library(fqn), Vec::new())
}

/// A primitive type.
pub fn prim(prim: Prim) -> Type {
    Type::Prim(prim)
}

/// A new string from UTF-16 units; unknown if they are not valid UTF-16.
pub fn from_units(machine: &mut Machine<'_>, units: &[u16]) -> Answer {
    match String::from_utf16(units) {
        Ok(text) => Ok(machine.fresh_text(&text)),
        Err(_) => open("text with half a character"),
    }
}

/// The variable arguments of a method, passed one by one or as an array.
pub fn spread(machine: &Machine<'_>, args: &[Value]) -> Vec<Value> {
    if let [only] = args
        && let Some(items) = array_items(machine, only)
    {
        return items;
    }
    args.to_vec()
}

/// The initial capacity that a constructor takes, where it is not known: a negative one throws this exception. `None` for
/// other values.
pub fn open_capacity(machine: &mut Machine<'_>, value: &Value, refused: &str) -> Option<Eval<()>> {
    let Value::Symbol(symbol) = value else { return None };
    if symbol.ty != Type::Prim(Prim::Int) {
        return None;
    }
    let zero = Rc::new(Term::Const(Scalar::Int(0)));
    let site = machine.here();
    Some(match machine.decide(Cond::Compare(BinaryOp::Lt, Prim::Int, symbol.term.clone(), zero), site) {
        Ok(true) => Err(machine.throw(refused, Value::unknown("message of a library exception", Type::Str))),
        Ok(false) => Ok(()),
        Err(stop) => Err(stop),
    })
}

/// Whether two values are identical, without running any code.
pub fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Scalar(a), Value::Scalar(b)) => scalars_equal(a, b),
        (Value::Ref(a), Value::Ref(b)) => a == b,
        (Value::Class(a), Value::Class(b)) => a == b,
        _ => false,
    }
}

/// Whether a predicate holds for an item.
pub fn test(machine: &mut Machine<'_>, predicate: &Value, item: Value) -> Answer<bool> {
    let holds = invoke(machine, predicate, "test", vec![item])?;
    truth(machine, &holds)
}
