//! Models `java.util.UUID`.

use md5::{Digest as _, Md5};

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{
    Answer, array_items, long, native, open, reference, settle, text, throw, throw_with,
};
use crate::interpret::values::scalar::Scalar;
use crate::interpret::values::value::{Contents, Heap, Native, Value};

/// The class name.
pub const FQN: &str = "java.util.UUID";

/// The 128 bits of a UUID, in two halves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Uuid(pub u64, pub u64);

impl Uuid {
    fn text(self) -> String {
        let (a, b) = (self.0, self.1);
        format!(
            "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
            a >> 32,
            a >> 16 & 0xffff,
            a & 0xffff,
            b >> 48,
            b & ((1 << 48) - 1)
        )
    }

    /// Parses the standard form only: releases differ for other forms.
    fn read(text: &str) -> Option<Self> {
        let dashes = [8, 13, 18, 23];
        if text.len() != 36 || !text.is_ascii() || dashes.iter().any(|at| text.as_bytes()[*at] != b'-') {
            return None;
        }
        let digits: String = text.chars().filter(|c| *c != '-').collect();
        if digits.len() != 32 || !digits.bytes().all(|c| c.is_ascii_hexdigit()) {
            return None;
        }
        let all = u128::from_str_radix(&digits, 16).ok()?;
        Some(Self((all >> 64) as u64, all as u64))
    }
}

impl Native for Uuid {
    native_state!(leaf);

    fn contents(&self, _: &Heap) -> Option<Contents> {
        Some(Contents::Text(self.text()))
    }

    fn is_frozen(&self) -> bool {
        true
    }
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if call.fqn != FQN {
        return None;
    }
    let answer = match call.receiver {
        None => made(machine, call)?,
        Some(receiver) => {
            let own = *machine.native::<Uuid>(reference(receiver)?)?;
            on_uuid(machine, own, call)?
        }
    };
    Some(settle(machine, call, answer))
}

fn made(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    Some(match (call.name, call.args) {
        ("<init>", [most, least]) => Ok(native(machine, FQN, Uuid(long(most)? as u64, long(least)? as u64))),
        ("fromString", [given]) => {
            if given.is_null() {
                return Some(Err(throw(machine, "NullPointerException")));
            }
            let Some(own) = text(given).map(ToOwned::to_owned) else { return Some(open("text is not known")) };
            match Uuid::read(&own) {
                Some(uuid) => Ok(native(machine, FQN, uuid)),
                None if own.matches('-').count() != 4 && own.len() <= 36 && own.is_ascii() => {
                    let message = Value::text(&format!("Invalid UUID string: {own}"));
                    Err(throw_with(machine, "IllegalArgumentException", message))
                }
                None => open("an odd form of an identifier"),
            }
        }
        ("nameUUIDFromBytes", [bytes]) => {
            let bytes: Option<Vec<u8>> = array_items(machine, bytes)?
                .iter()
                .map(|item| match item {
                    Value::Scalar(Scalar::Byte(byte)) => Some(*byte as u8),
                    _ => None,
                })
                .collect();
            let mut digest: [u8; 16] = Md5::digest(bytes?).into();
            digest[6] = digest[6] & 0x0f | 0x30;
            digest[8] = digest[8] & 0x3f | 0x80;
            let all = u128::from_be_bytes(digest);
            Ok(native(machine, FQN, Uuid((all >> 64) as u64, all as u64)))
        }
        _ => return None,
    })
}

fn on_uuid(machine: &mut Machine<'_>, own: Uuid, call: &LibraryCall<'_>) -> Option<Answer> {
    Some(match (call.name, call.args) {
        ("toString", []) => Ok(machine.fresh_text(&own.text())),
        ("getMostSignificantBits", []) => Ok(Value::Scalar(Scalar::Long(own.0 as i64))),
        ("getLeastSignificantBits", []) => Ok(Value::Scalar(Scalar::Long(own.1 as i64))),
        ("version", []) => Ok(Value::int((own.0 >> 12 & 0xf) as i32)),
        ("variant", []) => {
            let least = own.1 as i64;
            let shift = 64_u64.wrapping_sub(own.1 >> 62);
            // Java shifts by the low six bits only.
            Ok(Value::int(((own.1.wrapping_shr((shift & 63) as u32)) as i64 & least >> 63) as i32))
        }
        ("hashCode", []) => {
            let both = own.0 ^ own.1;
            Ok(Value::int((both >> 32) as i32 ^ both as i32))
        }
        ("equals", [other]) => match other {
            Value::Ref(id) => Ok(Value::bool(machine.native::<Uuid>(*id) == Some(&own))),
            Value::Scalar(_) => Ok(Value::bool(false)),
            _ => open("an identifier is not known"),
        },
        ("compareTo", [other]) => {
            if other.is_null() {
                return Some(Err(throw(machine, "NullPointerException")));
            }
            let other = *machine.native::<Uuid>(reference(other)?)?;
            let order = (own.0 as i64, own.1 as i64).cmp(&(other.0 as i64, other.1 as i64));
            Ok(Value::int(order as i32))
        }
        _ => return None,
    })
}
