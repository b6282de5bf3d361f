//! Models `java.util.Random` with a seed: its documentation specifies the generated numbers.

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, int, long, native, open, reference, settle, throw};
use crate::interpret::values::scalar::Scalar;
use crate::interpret::values::value::{Native, Value};

/// The class name.
pub const FQN: &str = "java.util.Random";

const MASK: u64 = (1 << 48) - 1;

/// The state of a generator.
#[derive(Debug, Clone)]
pub struct Generator(u64);

impl Native for Generator {
    native_state!(leaf);
}

impl Generator {
    /// A generator with a seed.
    pub fn new(seed: i64) -> Self {
        Self((seed as u64 ^ 0x5_deec_e66d) & MASK)
    }

    fn next(&mut self, bits: u32) -> i32 {
        self.0 = self.0.wrapping_mul(0x5_deec_e66d).wrapping_add(0xb) & MASK;
        (self.0 >> (48 - bits)) as u32 as i32
    }

    fn below(&mut self, bound: i32) -> i32 {
        if bound & bound.wrapping_neg() == bound {
            return ((i64::from(bound) * i64::from(self.next(31))) >> 31) as i32;
        }
        loop {
            let bits = self.next(31);
            let value = bits % bound;
            if bits.wrapping_sub(value).wrapping_add(bound - 1) >= 0 {
                return value;
            }
        }
    }
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if call.fqn != FQN {
        return None;
    }
    let answer = match call.receiver {
        None => match (call.name, call.args) {
            ("<init>", [seed]) => Ok(native(machine, FQN, Generator::new(long(seed)?))),
            _ => return None,
        },
        Some(receiver) => {
            let id = reference(receiver)?;
            let mut own = machine.native::<Generator>(id)?.clone();
            let answer = drawn(machine, &mut own, call)?;
            *machine.native_mut::<Generator>(id)? = own;
            answer
        }
    };
    Some(settle(machine, call, answer))
}

fn drawn(machine: &mut Machine<'_>, own: &mut Generator, call: &LibraryCall<'_>) -> Option<Answer> {
    Some(match (call.name, call.args) {
        ("nextInt", []) => Ok(Value::int(own.next(32))),
        ("nextInt", [bound]) => match int(bound)? {
            bound if bound <= 0 => Err(throw(machine, "IllegalArgumentException")),
            bound => Ok(Value::int(own.below(bound))),
        },
        ("nextLong", []) => {
            let high = i64::from(own.next(32)) << 32;
            Ok(Value::Scalar(Scalar::Long(high.wrapping_add(own.next(32).into()))))
        }
        ("nextBoolean", []) => Ok(Value::bool(own.next(1) != 0)),
        ("nextFloat", []) => Ok(Value::Scalar(Scalar::Float(own.next(24) as f32 / (1 << 24) as f32))),
        ("nextDouble", []) => {
            let high = i64::from(own.next(26)) << 27;
            Ok(Value::Scalar(Scalar::Double((high + i64::from(own.next(27))) as f64 / (1_u64 << 53) as f64)))
        }
        ("setSeed", [seed]) => {
            *own = Generator::new(long(seed)?);
            Ok(Value::NULL)
        }
        _ => open("another kind of random numbers"),
    })
}
