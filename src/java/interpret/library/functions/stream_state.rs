//! The state of a stream: the source of its elements and the steps applied to them.

use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::support::native;
use crate::interpret::values::scalar::Prim;
use crate::interpret::values::value::{Native, Value};

/// The source of a stream's elements.
#[derive(Debug, Clone)]
pub enum Source {
    /// Known elements.
    Items(Vec<Value>),
    /// A collection whose elements the terminal operation reads.
    Later(Value),
    /// `iterate`: seed, condition and step function.
    Iterate(Value, Option<Value>, Value),
    /// `generate`: the supplier.
    Generate(Value),
    /// `concat`: two streams, one after the other.
    Concat(Box<Stream>, Box<Stream>),
}

/// An intermediate operation.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "each variant is the method that makes it")]
pub enum Op {
    Filter(Value),
    Map(Value, Option<Prim>),
    FlatMap(Value),
    Peek(Value),
    Limit(i64),
    Skip(i64),
    TakeWhile(Value),
    DropWhile(Value),
    Distinct,
    Sorted(Option<Value>),
    Convert(Prim),
}

/// A stream.
#[derive(Debug, Clone)]
pub struct Stream {
    /// The source of its elements.
    pub source: Source,
    /// Its intermediate operations.
    pub ops: Vec<Op>,
    /// The primitive type of its elements, if they are primitive.
    pub prim: Option<Prim>,
    /// Whether it was already used.
    pub used: bool,
}

impl Native for Stream {
    native_state!();

    fn children(&self) -> Vec<Value> {
        let mut all = Vec::new();
        match &self.source {
            Source::Items(items) => all.extend(items.iter().cloned()),
            Source::Later(value) | Source::Generate(value) => all.push(value.clone()),
            Source::Iterate(a, b, c) => all.extend([Some(a.clone()), b.clone(), Some(c.clone())].into_iter().flatten()),
            Source::Concat(a, b) => all.extend(a.children().into_iter().chain(b.children())),
        }
        for op in &self.ops {
            match op {
                Op::Filter(f) | Op::Map(f, _) | Op::FlatMap(f) | Op::Peek(f) | Op::TakeWhile(f) | Op::DropWhile(f) => {
                    all.push(f.clone())
                }
                Op::Sorted(by) => all.extend(by.clone()),
                _ => {}
            }
        }
        all
    }
}

fn class(prim: Option<Prim>) -> &'static str {
    match prim {
        Some(Prim::Int) => "java.util.stream.IntStream",
        Some(Prim::Long) => "java.util.stream.LongStream",
        Some(Prim::Double) => "java.util.stream.DoubleStream",
        _ => "java.util.stream.Stream",
    }
}

/// A new stream object.
pub fn wrap(machine: &mut Machine<'_>, stream: Stream) -> Value {
    let class = class(stream.prim);
    native(machine, class, stream)
}

/// A stream over these elements.
pub fn of(machine: &mut Machine<'_>, items: Vec<Value>, prim: Option<Prim>) -> Value {
    wrap(machine, Stream { source: Source::Items(items), ops: Vec::new(), prim, used: false })
}
